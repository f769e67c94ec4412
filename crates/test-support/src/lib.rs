//! Scenarios, maps and checks that the tests of all crates share.

#![expect(clippy::missing_panics_doc, reason = "each helper panics if a test is wrong")]

use std::path::{Path, PathBuf};

pub mod build;
pub mod builtin;
pub mod invariants;
pub mod maps;
pub mod random;
pub mod samples;

/// Returns the absolute path of a file or directory of the workspace.
pub fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
