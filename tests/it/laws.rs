//! Properties of the program that hold for every input, checked on random inputs.

mod cancel;
mod diff;
#[cfg(feature = "tui")]
mod expectations;
#[cfg(feature = "tui")]
pub mod past;
#[cfg(feature = "tui")]
mod scenes;
#[cfg(feature = "tui")]
mod screen;
#[cfg(feature = "tui")]
mod scripts;
#[cfg(feature = "tui")]
mod view;
#[cfg(feature = "tui")]
mod visits;
#[cfg(feature = "tui")]
mod wire;
