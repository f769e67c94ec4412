//! Properties of the program that hold for every input, checked on random inputs.

mod cancel;
mod diff;
#[cfg(feature = "tui")]
mod heat_map;
#[cfg(feature = "tui")]
mod scenes;
#[cfg(feature = "tui")]
mod screen;
#[cfg(feature = "tui")]
mod screen_verdicts;
#[cfg(feature = "tui")]
mod scripts;
#[cfg(feature = "tui")]
mod shared_views;
#[cfg(feature = "tui")]
mod terminal_backend;
#[cfg(feature = "tui")]
pub mod trails_and_plots;
#[cfg(feature = "tui")]
mod view;
