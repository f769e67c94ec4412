//! The one integration test binary.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]
#![expect(clippy::wildcard_enum_match_arm, reason = "a test may look at some variants only")]

mod cli;
mod docs;
mod files;
mod imports;
mod laws;
#[cfg(feature = "tui")]
mod screens;
#[cfg(feature = "tui")]
mod sessions;
mod support;
mod sweeps;
