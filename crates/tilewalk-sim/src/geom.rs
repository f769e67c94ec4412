//! Positions and directions on a plane of tiles.
//!
//! One convention everywhere: x grows right, y grows **down**, tile (x, y) covers
//! [x, x+1) × [y, y+1), one tile is one unit of length, and headings grow clockwise as seen on the
//! screen. Nothing here knows what stands on a tile.

pub mod heading;
pub(crate) mod lanes;
pub mod line;
pub(crate) mod ray;
pub(crate) mod tile_pos;
pub mod vector;
pub(crate) mod vectors;

pub use heading::Notch;
pub use line::LineKind;
pub use tile_pos::{TilePos, TileRect};
pub use vector::{Vec2, truncate, turn, unit};

pub(crate) use vector::starboard;
pub(crate) use vectors::Vectors;
