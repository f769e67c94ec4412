//! The documents and the source text: examples, wording, structure.

#[cfg(all(feature = "tui", feature = "tiled"))]
mod examples;
mod matrix;
mod structure;
pub mod tidy;
mod wording;
