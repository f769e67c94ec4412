//! Pictures and films: formats, geometry, colours, the command `render`.

#[cfg(feature = "tui")]
mod colours;
mod command;
mod formats;
mod geometry;
mod plots;
