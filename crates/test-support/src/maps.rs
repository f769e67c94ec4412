//! The built-in maps.

use std::sync::Arc;

use crate::builtin;
use tilewalk_files::Options;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::world::World;

/// A built-in map, read with options.
pub fn scenario_with(name: &str, options: &Options) -> Arc<Scenario> {
    let loaded = tilewalk_files::load(&builtin::origin(name), options).expect("a built-in map");
    loaded.scenario.expect("a valid map")
}

/// A built-in map.
pub fn scenario(name: &str) -> Arc<Scenario> {
    scenario_with(name, &Options::default())
}

/// Frame 0 of a built-in map.
pub fn world(name: &str) -> World {
    World::new(scenario(name))
}
