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
//! The modules are layers: each module uses only modules above it in this list.

pub mod cancel;
pub mod geom;
pub mod hidden;
pub mod id;
pub mod rng;
pub mod statistics;
pub mod time;

pub mod color;
pub mod grid;
pub mod tile;

pub mod body;
pub mod map;

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
pub mod words;

pub mod history;

pub mod report;

pub mod judge;
pub mod runner;
