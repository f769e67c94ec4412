//! Third-party maps, which are not part of the project.

use std::path::PathBuf;

/// Returns the folder that the environment variable `TILEWALK_SAMPLES` names. Without it, prints that
/// the test is skipped.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
pub fn samples() -> Option<PathBuf> {
    let folder = std::env::var_os("TILEWALK_SAMPLES").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: TILEWALK_SAMPLES names no folder of maps");
    }
    folder
}
