//! Reading and writing files: maps, patterns, configuration, imports.

mod broken;
pub mod conditions;
#[cfg(feature = "tui")]
mod configuration;
mod costly_conditions;
mod edits;
mod expectations;
mod heavy;
#[cfg(feature = "tiled")]
mod hostile;
mod hostile_levels;
mod importing;
mod importing_again;
mod importing_levels;
mod importing_text;
#[cfg(feature = "tiled")]
mod importing_tmx;
mod loading;
mod loading_turning;
#[cfg(feature = "tui")]
mod old_files;
mod races;
mod readings;
mod scenarios;
mod schema;
mod stills;
mod stills_home;
#[cfg(feature = "tiled")]
mod tiled_rules;
#[cfg(feature = "tui")]
mod watching;
mod whole_files;
