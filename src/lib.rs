//! tilewalk: a lab for designing and debugging agent movement on tile maps.
//!
//! A map file and its patterns are parsed into a [`scenario::Scenario`]. A [`world::World`] is one
//! frame of a scenario. [`step::step`] computes the next frame, and [`step::explain`] explains why
//! an agent moved as it did. The same files and seed give bit-identical results on every machine.
//!
//! The goals, in this order: correct, explained, bit-reproducible, pleasant to use, fast.
//!
//! ```
//! use tilewalk::files::{self, Options};
//! use tilewalk::{builtin, step, world::World};
//!
//! let map = r##"
//! tiles = """
//! .........
//! ..~~~....
//! .........
//! """
//! agent = [{ name = "cat", at = [1, 0], steer = [{ do = "arrive", target = [7, 0] }] }]
//! "##;
//! let origin = builtin::text("cat.toml", map);
//! let loaded = files::load(&origin, &Options::default()).expect("a readable map");
//! let mut world = World::new(loaded.scenario.expect("a map without errors"));
//! let cat = world.scenario().find("cat").expect("an agent of that name");
//! for _ in 0..100 {
//!     step::step(&mut world);
//! }
//! assert_eq!(world.tile(cat), tilewalk::geom::TilePos::new(7, 0));
//! let why = step::explain(&world, cat);
//! assert_eq!(why.forces.rows[0].behaviour, "arrive");
//! ```
//!
//! The simulator and the file readers are separate crates, re-exported here (see
//! docs/architecture.md).

#![expect(missing_docs, reason = "this library serves only the program and its tests")]

pub use tilewalk_files as files;
pub use tilewalk_sim::report::words;
pub use tilewalk_sim::{
    agent, body, cancel, color, command, condition, event, geom, grid, history, id, judge,
    locomotion, map, pattern, report, rng, runner, scenario, statistics, steering, step, tile,
    time, trace, world,
};

pub mod builtin;
pub mod cli;
pub mod config_file;
pub mod debugger;
pub mod depth;
pub mod jobs;
pub mod overlays;
pub mod palette;
pub mod path_completion;
pub mod recording_file;
pub mod render;
pub mod sweep;
pub mod testing;
#[cfg(feature = "tui")]
pub mod tui;
#[cfg(unix)]
mod unix;
#[cfg(feature = "tui")]
pub mod watching;

#[cfg(all(feature = "tui", not(unix)))]
compile_error!("the screen needs a Unix system; build with `--no-default-features`");
