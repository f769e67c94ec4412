//! Zoom levels. A level determines the number of cells per tile, or of tiles per cell.

use core::fmt;

use crate::geom::Vec2;

/// A zoom level, from 8 × 4 cells per tile to 2048 × 4096 tiles per cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zoom {
    /// One Braille dot shows 2ⁿ × 2ⁿ tiles, where n is the value. A cell has 2 × 4 dots.
    Dots(u8),
    /// One cell shows two tiles, one above the other.
    Halves,
    /// A tile is one cell.
    Narrow,
    /// A tile is 2 × 1 cells, which is about square.
    Square,
    /// A tile is 4 × 2 cells. Agents are drawn at their position within the tile.
    Large,
    /// A tile is 8 × 4 cells. Body outlines are visible.
    Huge,
}

impl Zoom {
    /// Maximum `n` of [`Zoom::Dots`]. One cell then shows 2048 × 4096 tiles.
    pub const FARTHEST: u8 = 10;

    /// Levels at which a map opens, nearest first.
    pub const USUAL: [Self; 3] = [Self::Large, Self::Square, Self::Narrow];

    /// Returns all zoom levels, nearest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let near = [Self::Huge, Self::Large, Self::Square, Self::Narrow, Self::Halves];
        near.into_iter().chain((0..=Self::FARTHEST).map(Self::Dots))
    }

    /// Returns the numbers of columns and rows of cells per tile. Returns (1, 1) if several tiles
    /// share a cell.
    pub fn cells(self) -> (i32, i32) {
        match self {
            Self::Huge => (8, 4),
            Self::Large => (4, 2),
            Self::Square => (2, 1),
            Self::Narrow | Self::Halves | Self::Dots(_) => (1, 1),
        }
    }

    /// Returns the number of tiles per cell along x and y. Returns (1, 1) if a tile has one or more
    /// cells.
    pub fn tiles(self) -> (i32, i32) {
        match self {
            Self::Dots(n) => (2 << n, 4 << n),
            Self::Halves => (1, 2),
            Self::Narrow | Self::Square | Self::Large | Self::Huge => (1, 1),
        }
    }

    /// Returns the number of cells per tile along x and y. Less than 1 if several tiles share a
    /// cell.
    pub fn scale(self) -> Vec2 {
        let ((columns, rows), (across, down)) = (self.cells(), self.tiles());
        Vec2::new(columns as f32 / across as f32, rows as f32 / down as f32)
    }

    /// Returns true if several tiles share a cell.
    pub fn is_far(self) -> bool {
        matches!(self, Self::Halves | Self::Dots(_))
    }

    /// Returns true if a tile has a second cell to the right of the agent's glyph.
    pub fn has_room_beside(self) -> bool {
        self.cells().0 > 1
    }

    /// Returns true if agents are drawn at their position within the tile.
    pub fn shows_exact_positions(self) -> bool {
        matches!(self, Self::Large | Self::Huge)
    }

    /// Returns true if a tile is large enough for body outlines.
    pub fn has_room_for_bodies(self) -> bool {
        self == Self::Huge
    }

    /// Returns the next nearer level. The nearest level returns itself.
    #[must_use]
    pub fn nearer(self) -> Self {
        Self::all().take_while(|&level| level != self).last().unwrap_or(self)
    }

    /// Returns the next farther level. The farthest level returns itself.
    #[must_use]
    pub fn farther(self) -> Self {
        Self::all().skip_while(|&level| level != self).nth(1).unwrap_or(self)
    }
}

/// Formats the level for a pane title. Returns an empty string for the usual level,
/// [`Zoom::Square`].
impl fmt::Display for Zoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((columns, rows), (across, down)) = (self.cells(), self.tiles());
        match self {
            Self::Square => Ok(()),
            Self::Narrow | Self::Large | Self::Huge => write!(f, "zoom {columns}×{rows}"),
            Self::Halves | Self::Dots(_) => write!(f, "{across}×{down} tiles/cell"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_and_farther_are_inverse_and_limited() {
        let all: Vec<Zoom> = Zoom::all().collect();
        for pair in all.windows(2) {
            assert_eq!((pair[0].farther(), pair[1].nearer()), (pair[1], pair[0]));
        }
        let (first, last) = (all[0], all[all.len() - 1]);
        assert_eq!((first.nearer(), last.farther()), (first, last));
    }
}
