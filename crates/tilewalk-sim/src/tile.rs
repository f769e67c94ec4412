//! Tile kinds: effects on movement and sight, and appearance.

use crate::color::Color;

/// A kind of tile: an entry of a map's legend.
#[derive(Debug, Clone, PartialEq)]
pub struct TileKind {
    /// The glyph that represents the tile kind in map files.
    pub glyph: String,
    /// Glyph shown on the screen: one grapheme cluster, one terminal column wide.
    pub drawn: String,
    /// Name shown to the user, such as `water`.
    pub name: String,
    /// Whether agents can walk or drive over the tile.
    pub walk: bool,
    /// Whether the tile blocks lines of sight.
    pub opaque: bool,
    /// Cost factor for routes that enter the tile; ≥ 1.
    pub cost: f32,
    /// Additional drag on vehicles, in 1/s; ≥ 0.
    pub drag: f32,
    /// Radius of the round obstacle at the tile's centre, in tiles; `None` if the tile has no
    /// obstacle.
    pub obstacle: Option<f32>,
    /// Colour on the screen; `None` lets the front end choose.
    pub color: Option<Color>,
}

impl TileKind {
    /// Creates a walkable, transparent tile kind without drag. `glyph` is used in map files and on
    /// the screen.
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

    /// Returns true if the whole tile is solid for bodies.
    pub fn is_solid(&self) -> bool {
        !self.walk
    }
}
