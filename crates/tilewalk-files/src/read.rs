//! Reads maps, patterns, expectations, breakpoints, recordings and traces.

pub(crate) mod agent;
pub(crate) mod beside;
pub mod breaks;
pub mod changed_files;
pub(crate) mod expect;
pub mod failed_seeds;
pub mod file_location;
pub mod find_pattern;
pub(crate) mod known_modes;
pub(crate) mod lint;
pub mod loading;
pub(crate) mod map_file;
pub(crate) mod mode;
pub(crate) mod obstacle;
pub(crate) mod pattern_file;
pub mod recorded;
pub mod recording_block;
pub mod route_queries;
pub(crate) mod rule;
pub(crate) mod spawn;
pub(crate) mod start_positions;
pub(crate) mod steer;
pub(crate) mod target;
pub mod trace;
pub mod tuning;
