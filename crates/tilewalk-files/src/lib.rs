//! Reads, checks, writes and imports the text files of tilewalk: maps, patterns, configurations,
//! breakpoints and recordings.
//!
//! [`load`] reads a map together with its tiles and patterns, and returns a valid
//! [`Scenario`](tilewalk_sim::scenario::Scenario) or a report. [`check`] reads any number of maps
//! and patterns. A report lists all problems in the files with line and column. Reports are safe to
//! print. Programs can [embed](embedded) maps and patterns. The pages `maps.md`,
//! `movement.md`, `imports.md` and `runs.md` in the directory `docs` describe the formats.

pub mod alias;
pub mod changed_files;
pub mod config;
pub mod depth;
mod diagnostic;
pub mod edit;
pub mod embedded;
pub mod import;
mod keys;
pub mod markdown;
pub mod nearby;
pub mod origin;
pub mod output_file;
pub mod queries;
pub mod render;
pub mod schema;
pub mod settings;
pub mod shrink;
pub mod source;
pub mod spot;
pub mod starter;
pub mod still;
pub mod swap;
pub mod sweep;
pub mod trace;
pub mod tunable;
pub mod tuning;
pub mod usage;
pub mod value_path;
pub mod write;

mod agent;
mod agent_index;
mod body;
mod breaks;
mod checking;
mod color;
pub mod comment;
mod expect;
pub mod expect_file;
mod glyph;
mod known_modes;
mod legend;
mod library;
mod lint;
mod literal;
mod loading;
mod map_file;
mod mode;
mod name;
mod obstacle;
mod pattern_file;
pub mod project;
mod reader;
pub mod recorded;
mod report;
mod rule;
mod save_note;
mod seeded;
#[cfg(test)]
mod shipped;
pub mod show;
mod size;
mod span_tree;
mod spawn;
mod start;
mod steer;
mod system;
mod target;
mod tile_set;
mod tiled;
mod tiles;
mod tiles_file;
mod value_keys;
mod wall;
mod weight;

pub use breaks::{Kept, load_breaks, save_breaks};
pub use changed_files::WatcherMessage;
pub use checking::{check, maps};
pub use diagnostic::{Diagnostic, Severity};
pub use loading::{LoadError, Loaded, Options, load, reload};
pub use origin::Origin;
pub use report::Report;
pub use rule::condition;
pub use seeded::{SeedError, SeededScenarios};
pub use settings::{Setting, SettingError};
pub use source::{ReadError, Source};

/// Reports an unsupported value of the key `format`. The only version is 1.
fn format(table: &reader::TableReader) {
    let Some(entry) = table.take("format") else { return };
    if entry.integer(0..=i64::MAX).is_some_and(|version| version != 1) {
        let help = "this version of tilewalk supports only format 1";
        entry.error_with_help("`format` must be 1", help);
    }
}

/// Runs the examples of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
