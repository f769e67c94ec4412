//! Reads, checks, writes and imports the text files of tilewalk: maps, patterns, configurations,
//! breakpoints and recordings.
//!
//! [`load`] reads a map together with its tiles and patterns, and returns a valid
//! [`Scenario`](tilewalk_sim::scenario::Scenario) or a report. [`check`](check()) reads any number
//! of maps and patterns. A report lists all problems in the files with line and column. Reports are
//! safe to print. Programs can [embed](disk::store::Embedded) maps and patterns. The pages
//! `maps.md`, `movement.md`, `imports.md` and `runs.md` in the directory `docs` describe the
//! formats.
//!
//! The modules form layers. The list below has a paragraph for each layer, and a module uses only
//! modules of earlier paragraphs.

pub mod show;
mod system;

pub mod keys;

pub mod values;

pub mod text;

pub mod disk;
pub mod settings;
mod tiles;

mod formats;
pub mod traces;

pub mod read;

pub mod config;
pub mod sweep;
pub mod write;

pub mod check;
pub mod import;
pub mod markdown;

pub use check::{check, maps};
pub use disk::store::Origin;
pub use read::breaks::{Kept, load_breaks, save_breaks};
pub use read::changed_files::WatcherMessage;
pub use read::expect::add_expectations;
pub use read::failed_seeds::{FailedSeeds, add_seeds, load_seeds};
pub use read::loading::{
    LoadError, Loaded, Options, SeedError, SeededScenarios, load, reload, take_over,
};
pub use read::rule::condition;
pub use settings::{Setting, SettingError};
pub use text::diagnostic::{Diagnostic, Severity};
pub use text::report::Report;
pub use text::source::{ReadError, Source};

/// Maps of the repository.
#[cfg(test)]
mod shipped {
    use std::path::{Path, PathBuf};

    use crate::disk::store::Origin;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps")
    }

    /// Returns the path of the built-in map with this name, without `.toml`.
    pub fn map(name: &str) -> Origin {
        Origin::Disk(folder().join(format!("{name}.toml")))
    }

    /// Returns all maps with their names, sorted.
    pub fn maps() -> Vec<(String, Origin)> {
        let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let maps = entries.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
        let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut maps: Vec<_> = maps.map(|path| (name(&path), Origin::Disk(path))).collect();
        maps.sort_by(|one, other| one.0.cmp(&other.0));
        maps
    }
}

/// Runs the examples of the readme.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
