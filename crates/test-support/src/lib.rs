//! Scenarios, maps and checks that the tests of all crates share.

#![expect(clippy::missing_panics_doc, reason = "each helper panics if a test is wrong")]

use std::path::{Path, PathBuf};

pub mod build;
pub mod builtin;
pub mod invariants;
pub mod maps;
pub mod random;

/// Returns the absolute path of a file or directory of the workspace.
pub fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Returns the folder of third-party maps, which are not part of the project. The environment variable
/// `TILEWALK_SAMPLES` names the folder. Without it, prints that the test is skipped.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
pub fn samples() -> Option<PathBuf> {
    let folder = std::env::var_os("TILEWALK_SAMPLES").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: TILEWALK_SAMPLES names no folder of maps");
    }
    folder
}
