//! Tests on fixed maps: pictures of a map before and after, golden hashes, and claims about shipped maps.

mod castle;
mod fixed_bugs;
mod golden;
pub mod labelled;
mod nan_guard;
pub mod pictures;
mod pictures_crowd;
mod pictures_keys;
mod pictures_paths;
mod pictures_targets;
mod pictures_thrust;
mod pictures_tiles;
mod pictures_turning;
mod pictures_walls;
mod reasons;
mod reloaded;
mod samples;
mod samples_travel;
mod shipped;
mod shipped_crowd;
mod shipped_keys;
mod shipped_paths;
mod shipped_thrust;
mod shipped_tiles;
mod shipped_turning;
mod switching;
