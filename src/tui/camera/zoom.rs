//! How large tiles are drawn: the ladder of zoom levels.

use core::fmt;

use crate::geom::Vec2;

/// How large tiles are drawn, the farthest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zoom {
    /// A Braille dot is a square of 2ⁿ × 2ⁿ tiles, so a cell is two such squares wide and four high.
    Dots(u8),
    /// Two tiles, one above the other, share a cell.
    Halves,
    /// A tile is one column wide and one row high.
    Narrow,
    /// A tile is two columns wide and one row high: about a square.
    Square,
    /// A tile is 4 × 2 cells, and agents stand where they are in it.
    Large,
    /// A tile is 8 × 4 cells.
    Huge,
}

impl Zoom {
    /// The farthest level there is: a cell is 2048 × 4096 tiles.
    pub const FARTHEST: u8 = 10;

    /// All levels, the nearest first.
    pub fn all() -> impl Iterator<Item = Self> {
        let near = [Self::Huge, Self::Large, Self::Square, Self::Narrow, Self::Halves];
        near.into_iter().chain((0..=Self::FARTHEST).map(Self::Dots))
    }

    /// Columns and rows a tile takes; where several share a cell, one.
    pub fn cells(self) -> (i32, i32) {
        match self {
            Self::Huge => (8, 4),
            Self::Large => (4, 2),
            Self::Square => (2, 1),
            Self::Narrow | Self::Halves | Self::Dots(_) => (1, 1),
        }
    }

    /// Tiles that share a cell, along x and y.
    pub fn tiles(self) -> (i32, i32) {
        match self {
            Self::Dots(n) => (2 << n, 4 << n),
            Self::Halves => (1, 2),
            Self::Narrow | Self::Square | Self::Large | Self::Huge => (1, 1),
        }
    }

    /// Cells to a tile, along x and y.
    pub fn scale(self) -> Vec2 {
        let ((columns, rows), (across, down)) = (self.cells(), self.tiles());
        Vec2::new(columns as f32 / across as f32, rows as f32 / down as f32)
    }

    /// Do several tiles share a cell?
    pub fn is_far(self) -> bool {
        matches!(self, Self::Halves | Self::Dots(_))
    }

    /// Is there a cell beside an agent that belongs to nobody else?
    pub fn has_room_beside(self) -> bool {
        self.cells().0 > 1
    }

    /// Do agents stand where they are in their tile, and not just on it?
    pub fn is_finer_than_tiles(self) -> bool {
        matches!(self, Self::Large | Self::Huge)
    }

    /// Can the outline of a body be seen around its glyph?
    pub fn has_room_for_bodies(self) -> bool {
        self == Self::Huge
    }

    /// The next level nearer.
    #[must_use]
    pub fn nearer(self) -> Self {
        match self {
            Self::Dots(0) => Self::Halves,
            Self::Dots(n) => Self::Dots(n - 1),
            Self::Halves => Self::Narrow,
            Self::Narrow => Self::Square,
            Self::Square => Self::Large,
            Self::Large | Self::Huge => Self::Huge,
        }
    }

    /// The next level farther away.
    #[must_use]
    pub fn farther(self) -> Self {
        match self {
            Self::Huge => Self::Large,
            Self::Large => Self::Square,
            Self::Square => Self::Narrow,
            Self::Narrow => Self::Halves,
            Self::Halves => Self::Dots(0),
            Self::Dots(n) => Self::Dots((n + 1).min(Self::FARTHEST)),
        }
    }
}

/// In words for a title; of the usual level there is nothing to say.
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
    fn each_level_leads_to_the_next_and_the_last_to_itself() {
        let all: Vec<Zoom> = Zoom::all().collect();
        for pair in all.windows(2) {
            assert_eq!((pair[0].farther(), pair[1].nearer()), (pair[1], pair[0]));
        }
        let (first, last) = (all[0], all[all.len() - 1]);
        assert_eq!((first.nearer(), last.farther()), (first, last));
    }
}
