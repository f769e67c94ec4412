//! Reads, checks, writes and imports the text files of tilewalk: maps, patterns, configurations,
//! breakpoints and recordings.
//!
//! [`load`] reads a map together with its tiles and patterns, and returns a valid
//! [`Scenario`](tilewalk_sim::scenario::Scenario) or a report. [`check`](check()) reads any number
//! of maps and patterns. A report lists all problems in the files with line and column. Reports are
//! safe to print. Programs can [embed](disk::embedded) maps and patterns. The pages `maps.md`,
//! `movement.md`, `imports.md` and `runs.md` in the directory `docs` describe the formats.
//!
//! The modules form layers. A module uses only the modules above it in this list.

pub mod check;
pub mod config;
pub mod disk;
mod formats;
pub mod import;
pub mod keys;
pub mod markdown;
pub mod read;
pub mod settings;
pub mod show;
pub mod sweep;
mod system;
pub mod text;
mod tiles;
pub mod values;
pub mod write;

#[cfg(test)]
mod shipped;

pub use check::{check, maps};
pub use disk::store::Origin;
pub use read::breaks::{Kept, load_breaks, save_breaks};
pub use read::changed_files::WatcherMessage;
pub use read::loading::{LoadError, Loaded, Options, load, reload};
pub use read::rule::condition;
pub use read::seeded::{SeedError, SeededScenarios};
pub use settings::{Setting, SettingError};
pub use text::diagnostic::{Diagnostic, Severity};
pub use text::report::Report;
pub use text::source::{ReadError, Source};
