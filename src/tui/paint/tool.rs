//! How a stroke goes from where it begins to where it ends.

use crate::geom::{LineKind, TilePos, TileRect, line};

/// Tiles that are painted at once; as many as the largest map has in a corner of it.
const MOST: i64 = 1 << 20;

/// What a stroke leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tool {
    /// Tile by tile.
    #[default]
    Point,
    /// A straight line between two tiles.
    Line,
    /// A filled rectangle between two corners.
    Rectangle,
}

impl Tool {
    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Point => Self::Line,
            Self::Line => Self::Rectangle,
            Self::Rectangle => Self::Point,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Point => "single tile",
            Self::Line => "line",
            Self::Rectangle => "rectangle",
        }
    }

    /// The tiles between two.
    pub fn tiles(self, a: TilePos, b: TilePos) -> Vec<TilePos> {
        match self {
            Self::Point => vec![b],
            Self::Line => line::tiles(LineKind::Standard, a, b),
            Self::Rectangle => {
                let TileRect { min, max } = TileRect::new(a, b);
                let area = i64::from(max.x - min.x + 1) * i64::from(max.y - min.y + 1);
                if area > MOST {
                    return Vec::new();
                }
                let row = |y| (min.x..=max.x).map(move |x| TilePos::new(x, y));
                (min.y..=max.y).flat_map(row).collect()
            }
        }
    }
}
