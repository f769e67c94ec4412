//! Tests on fixed maps: pictures of a map before and after, golden hashes, and claims about shipped maps.

mod castle;
mod condition_reasons;
mod golden;
mod mode_switches;
mod nan_guard;
pub mod pictures;
mod pictures_crowd;
mod pictures_manual;
mod pictures_paths;
mod pictures_targets;
mod pictures_thrust;
mod pictures_tiles;
mod pictures_turning;
mod pictures_walls;
mod regressions;
mod reloads;
mod shipped;
mod shipped_crowd;
mod shipped_manual;
mod shipped_paths;
mod shipped_thrust;
mod shipped_tiles;
mod shipped_turning;
pub mod stuck_detectors;
mod third_party_maps;
mod third_party_routes;
