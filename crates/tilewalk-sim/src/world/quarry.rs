//! What a chase and a route on tiles remember: where they began, where they lead, and how many
//! steps are done.
//!
//! Neither stores the tiles in between. The line of a chase follows from its ends (`Map::line`) and
//! is also the line of sight. A route follows from its ends and from the neighbouring tiles that
//! were occupied when it was planned, by A*. A restored frame therefore continues exactly as it did
//! before.

use crate::geom::TilePos;

/// The straight line a chaser walks along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aim {
    /// The tile it was aimed from.
    pub from: TilePos,
    /// The tile of the target.
    pub to: TilePos,
    /// Steps of it that have been made.
    pub done: u32,
}

/// The way a traveller takes: the cheapest between two tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trip {
    /// The tile it was planned from.
    pub from: TilePos,
    /// The tile of the target.
    pub to: TilePos,
    /// The tile it has led to so far. Whoever is elsewhere has been moved, and plans anew.
    pub at: TilePos,
    /// Has the target been on that tile for more than a frame? Who follows close behind somebody
    /// comes to where they were, and has not arrived.
    pub stands: bool,
    /// Neighbours of `from` that solid agents held when it was planned, a bit a notch: it goes round them.
    pub held: u8,
    /// Steps of it that have been made.
    pub done: u32,
}
