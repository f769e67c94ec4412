//! Geometry in tile units.
//!
//! x grows to the right and y grows **down**. Tile (x, y) covers [x, x+1) × [y, y+1). Angles grow
//! clockwise as seen on the screen.

pub mod heading;
pub(crate) mod lanes;
pub mod line;
pub(crate) mod ray;
pub(crate) mod tile_pos;
pub mod vector;
pub(crate) mod vectors;

pub use heading::Direction;
pub use lanes::Instructions;
pub use line::LineKind;
pub use tile_pos::{TilePos, TileRect};
pub use vector::{DVec2, Vec2, truncate, turn, unit};

pub(crate) use vector::starboard;
pub(crate) use vectors::Vectors;
