//! Tile kinds: what movement and sight need to know of a tile, and how it is drawn.

use crate::color::Color;

/// A kind of tile: one entry of a map's legend.
#[derive(Debug, Clone, PartialEq)]
pub struct TileKind {
    /// The glyph that stands for it in map files.
    pub glyph: String,
    /// The glyph that is drawn: one grapheme of width 1.
    pub drawn: String,
    /// What people call it.
    pub name: String,
    /// May tile drives and routes enter it, and vehicles roll over it?
    pub walk: bool,
    /// Does it hide what is behind it?
    pub opaque: bool,
    /// Cost of entering it, for routes; ≥ 1.
    pub cost: f32,
    /// Drag it adds to vehicles, in 1/s; ≥ 0.
    pub drag: f32,
    /// Radius of the round obstacle in its middle, in tiles, if it carries one.
    pub obstacle: Option<f32>,
    /// Its colour on the screen, if it asks for one.
    pub color: Option<Color>,
}

impl TileKind {
    /// Walkable, see-through ground without any cost, drawn as it is written.
    pub fn floor(glyph: &str, name: &str) -> Self {
        Self {
            glyph: glyph.to_owned(),
            drawn: glyph.to_owned(),
            name: name.to_owned(),
            walk: true,
            opaque: false,
            cost: 1.0,
            drag: 0.0,
            obstacle: None,
            color: None,
        }
    }

    /// Is the whole tile solid to bodies?
    pub fn is_solid(&self) -> bool {
        !self.walk
    }
}
