//! Reports: facts about a run as plain serialisable data, and sentences that describe them.
//!
//! A report owns its data and needs no world. The command line prints reports as text and as JSON,
//! and the screen draws them. Lengths are in tiles and times are in seconds. Angles are in degrees
//! and increase clockwise. A number is never negative zero.

pub mod absence;
pub mod difference;
pub mod explanation;
pub mod frame;
pub mod modes;
pub mod parts;
pub mod summary;

use serde::{Serialize, Serializer};

use crate::geom::{Direction, TilePos, Vec2};

pub use explanation::{pattern, steering, target};

/// Texts that front ends share: counts, tiles, walls, events and targets. Also escapes characters
/// that must not reach a terminal.
pub mod words {
    pub use crate::hidden::{escaped, escaped_except, is_hidden};
    pub use crate::words::{
        arrow, behaviour_label, compass, count, count_with, due, event, obstruction, ordinal,
        point, steps_done, steps_row, target, thrust_leg, tile, touch, turn, value, wall,
    };
}

/// The x and y of a vector. Positions are in tiles.
pub type Pair = [f32; 2];

/// Column and row of a tile.
pub type Tile = [i32; 2];

/// A compass direction, serialised as a word such as `NE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectionName(pub Direction);

impl Serialize for DirectionName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

/// Replaces −0 by 0.
fn number(value: f32) -> f32 {
    value + 0.0
}

fn degrees(radians: f32) -> f32 {
    number(radians.to_degrees())
}

fn pair(at: Vec2) -> Pair {
    [number(at.x), number(at.y)]
}

fn tile(at: TilePos) -> Tile {
    [at.x, at.y]
}

/// Formats the x and y of a position or vector with three decimals.
pub fn point([x, y]: Pair) -> String {
    crate::words::point(Vec2::new(x, y))
}

/// Formats a tile as text such as `(25, 1)`: column, then row.
pub fn tile_text([x, y]: Tile) -> String {
    TilePos::new(x, y).to_string()
}
