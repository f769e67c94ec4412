//! What several tests use: scenarios, screens, terminals, files.

pub mod build;
#[cfg(feature = "tui")]
pub mod desk;
#[cfg(feature = "tui")]
pub mod dungeon;
#[cfg(feature = "tui")]
pub mod host;
pub mod maps;
#[cfg(feature = "tui")]
pub mod process;
#[cfg(feature = "tui")]
pub mod pty;
pub mod samples;
#[cfg(feature = "tui")]
pub mod scene;
pub mod screen;
#[cfg(feature = "tui")]
pub mod script;
pub mod sound;
#[cfg(feature = "tui")]
pub mod stage;
#[cfg(feature = "tiled")]
pub mod tmx;
