//! All integration tests except `allocations.rs`, in one binary.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test and shows its line")]
#![expect(clippy::wildcard_enum_match_arm, reason = "many tests check only some variants")]

mod cli;
mod docs;
mod files;
mod imports;
mod laws;
mod pictures;
#[cfg(feature = "tui")]
mod screens;
#[cfg(feature = "tui")]
mod sessions;
mod support;
mod sweeps;
