//! The one integration test binary: laws, pictures, broken files, sessions, and house rules.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod broken;
mod build;
mod command_line;
mod golden;
mod laws_crowd;
mod laws_overlap;
mod laws_patterns;
mod laws_steering;
mod laws_step;
mod laws_walls;
mod loading;
mod mended;
mod oracle;
mod oracle_crowd;
mod pictures;
mod pictures_crowd;
mod samples;
mod shipped;
mod tidy;

#[cfg(feature = "tui")]
mod pty;
#[cfg(feature = "tui")]
mod screens;
#[cfg(feature = "tui")]
mod sessions;
#[cfg(feature = "tui")]
mod stage;
