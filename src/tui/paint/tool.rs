//! The tools of paint mode.

use crate::geom::{LineKind, TilePos, TileRect, line};

/// Maximum number of tiles in a rectangle.
const MOST: i64 = 1 << 20;

/// Shape of the tiles that a stroke fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tool {
    /// Paints single tiles.
    #[default]
    Point,
    /// Paints a straight line between two tiles.
    Line,
    /// Paints a filled rectangle between two corners.
    Rectangle,
}

impl Tool {
    /// Returns the next tool in the cycle: single tile, line, rectangle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Point => Self::Line,
            Self::Line => Self::Rectangle,
            Self::Rectangle => Self::Point,
        }
    }

    /// Returns the name of the tool, for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Point => "single tile",
            Self::Line => "line",
            Self::Rectangle => "rectangle",
        }
    }

    /// Returns the tiles of a stroke from `a` to `b`. A single-tile stroke has only `b`. Returns no
    /// tiles for a rectangle with more than 1,048,576 tiles.
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
