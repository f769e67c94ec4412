//! Properties that hold for every input, checked on random inputs.

mod abreast;
mod certain;
pub mod forms;
mod laws_adopt;
mod laws_alone;
mod laws_breaks;
mod laws_cancel;
mod laws_cells;
mod laws_contacts;
mod laws_crop;
mod laws_crowd;
mod laws_diff;
mod laws_edits;
#[cfg(feature = "tui")]
mod laws_expectations;
mod laws_history;
mod laws_judge;
mod laws_keys;
mod laws_overlap;
#[cfg(feature = "tui")]
pub mod laws_past;
mod laws_paths;
mod laws_patterns;
mod laws_places;
mod laws_population;
mod laws_population_runs;
mod laws_progress;
mod laws_rules;
#[cfg(feature = "tui")]
mod laws_scenes;
#[cfg(feature = "tui")]
mod laws_screen;
#[cfg(feature = "tui")]
mod laws_scripts;
mod laws_several;
mod laws_steering;
mod laws_step;
mod laws_stuck;
mod laws_targets;
mod laws_thrust;
mod laws_tiles;
mod laws_turning;
#[cfg(feature = "tui")]
mod laws_view;
#[cfg(feature = "tui")]
mod laws_visits;
mod laws_walls;
mod laws_wide;
#[cfg(feature = "tui")]
mod laws_wire;
mod parting;
pub mod recordings;
mod recordings_damaged;
mod swarm;
pub mod swarm_maps;
mod usage;
