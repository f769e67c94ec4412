//! A deterministic simulator of agents that move on tile maps, for games and tools.
//!
//! A [`scenario::Scenario`] describes a map and its agents. Build one in code with
//! [`scenario::builder::Builder`], or read one from text files with the crate `tilewalk-files`. A
//! [`world::World`] is the state of one frame. [`step::step`] advances the world by one frame, and
//! [`step::explain`] explains why an agent moved. [`history::History`] records a run and seeks to
//! any of its frames. [`runner::run`] runs a number of frames. [`report`] provides the data of a
//! run as plain serialisable structs.
//!
//! The same scenario, seed and commands give bit-identical results on every machine. The crate
//! opens no files, reads no clock and starts no threads.
//!
//! This example builds a map and two agents, simulates them, and asks what they do:
//!
//! ```
//! use std::sync::Arc;
//!
//! use tilewalk_sim::agent::{DEFAULT_PACE, Drive, Mode};
//! use tilewalk_sim::condition::{Condition, ConditionContext};
//! use tilewalk_sim::geom::Vec2;
//! use tilewalk_sim::map::{Edges, Map};
//! use tilewalk_sim::scenario::builder::{Agent, Builder};
//! use tilewalk_sim::steering::{Behaviour, Target, WeightedBehaviour};
//! use tilewalk_sim::step;
//! use tilewalk_sim::world::{Look, World};
//!
//! // A map whose `#` tiles are solid.
//! let rows = ["............", ".....##.....", ".....##.....", "............"];
//! let map = Map::drawn(&rows, Edges::Wall).expect("a map");
//!
//! // A mouse that wanders, and a cat that stands until it sees the mouse.
//! let mut builder = Builder::new(map);
//! let wander = Drive::steer([Behaviour::avoid_walls(), Behaviour::wander()]);
//! let mouse = builder.add(Agent::new("mouse", Vec2::new(6.5, 0.5)).drive(wander));
//! let pursue = WeightedBehaviour::new(Behaviour::pursue(), Target::Agent(mouse));
//! let chase = Mode::new("chase".to_owned(), DEFAULT_PACE, Drive::steer([pursue]));
//! let cat = Agent::new("cat", Vec2::new(0.5, 0.5)).drive(Drive::Stand).mode(chase);
//! let cat = builder.add(cat.switch("stand", "sees(mouse)", "chase"));
//! let scenario = Arc::new(builder.build().expect("a valid scenario"));
//!
//! // Simulate two seconds, 0.05 s per frame.
//! let mut world = World::new(Arc::clone(&scenario));
//! for _ in 0..40 {
//!     step::step(&mut world);
//! }
//!
//! // Query the frame, directly or with a condition.
//! assert_eq!(world.mode(cat).name, "chase");
//! let near = "distance(cat, mouse) < 9 and cat.speed > 1";
//! let near = Condition::read(near, scenario.as_ref(), ConditionContext::Global)?;
//! assert!(near.holds(&Look::at(&world), None));
//!
//! // Explain the motion in the next frame: the force of each behaviour.
//! let explanation = step::explain(&world, cat);
//! for row in &explanation.forces.rows {
//!     println!("{}: {:?}", row.behaviour, row.accepted.force);
//! }
//! assert_eq!(explanation.forces.rows[0].behaviour, "pursue");
//! # Ok::<(), tilewalk_sim::condition::ConditionError>(())
//! ```
//!
//! The modules form layers, listed in `lib.rs` with a blank line between layers. Each module uses
//! modules of the layers above it; a few use another module of their own layer.

pub mod cancel;
pub mod geom;
mod hidden;
pub mod id;
pub mod rng;
pub mod sort;
pub mod statistics;
pub mod time;

pub mod color;
pub mod grid;
pub mod tile;

pub mod body;
pub mod map;
pub mod trace;

pub mod locomotion;
pub mod pattern;
pub mod steering;

pub mod agent;
pub mod condition;
pub mod scenario;

pub mod command;
pub mod event;
pub mod world;

pub mod step;
mod words;

pub mod history;

pub mod report;

pub mod judge;
pub mod runner;

/// Runs the examples of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
