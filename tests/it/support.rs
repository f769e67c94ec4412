//! Helpers that several tests share: scenarios, screens, terminals, files.

#[cfg(feature = "tui")]
pub mod dungeon;
#[cfg(feature = "tui")]
pub mod host;
#[cfg(feature = "tui")]
pub mod process;
#[cfg(feature = "tui")]
pub mod pty;
#[cfg(feature = "tui")]
pub mod sample_maps;
#[cfg(feature = "tui")]
pub mod scene;
#[cfg(feature = "tui")]
pub mod screen;
#[cfg(feature = "tui")]
pub mod script;
#[cfg(feature = "tui")]
pub mod temp_folder;
#[cfg(feature = "tiled")]
pub mod tmx;

pub use tilewalk_test_support::{build, maps, random, samples};
