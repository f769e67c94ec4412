//! The built-in maps.

use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::world::World;

use crate::builtin;

/// Loads a built-in map with options.
pub fn scenario_with(name: &str, options: &Options) -> Arc<Scenario> {
    let loaded =
        tilewalk_files::load(&builtin::origin(name), options).expect("built-in map is readable");
    loaded.scenario.expect("map is valid")
}

/// Loads a built-in map.
pub fn scenario(name: &str) -> Arc<Scenario> {
    scenario_with(name, &Options::default())
}

/// Returns frame 0 of a built-in map.
pub fn world(name: &str) -> World {
    World::new(scenario(name))
}

/// Returns the names of all built-in maps, in alphabetical order.
pub fn names() -> Vec<String> {
    builtin::maps().into_iter().map(|map| map.name).collect()
}
