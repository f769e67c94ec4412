//! The documents and the source text: examples, wording, structure.

#[cfg(all(feature = "tui", feature = "tiled"))]
mod examples;
pub mod layers_and_links;
#[cfg(feature = "tui")]
mod pictures;
mod states;
mod structure;
mod wording;
