//! Tiles of a map: the legend of tile kinds, and rows of glyphs.

pub mod color;
pub mod glyph;
pub mod legend;
pub mod rows;
