//! Tiles of a map: the legend of tile kinds with glyphs and colours, and rows of glyphs.

pub mod known;
pub mod legend;
pub mod rows;
