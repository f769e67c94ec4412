//! What a chase and a route on tiles remember: where they began, where they lead, and how many
//! steps are done.
//!
//! Neither stores the tiles in between. The line of a chase follows from its ends (`Map::line`) and
//! is also the line of sight. A route follows from its ends and from the neighbouring tiles that
//! were occupied when it was planned, by A*. A restored frame therefore continues exactly as it did
//! before.

use crate::geom::TilePos;

/// The straight line of a chase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChaseLine {
    /// The first tile of the line.
    pub from: TilePos,
    /// The target's tile.
    pub to: TilePos,
    /// Number of steps taken along the line.
    pub done: u32,
}

/// The cheapest route between two tiles, and the progress along it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RouteProgress {
    /// The first tile of the route.
    pub from: TilePos,
    /// The target's tile.
    pub to: TilePos,
    /// The tile reached so far. If the agent is elsewhere, it was moved, and the route is planned
    /// again.
    pub at: TilePos,
    /// Whether the target was on `to` in the previous frame, too. An agent that follows a moving
    /// target closely reaches its old tile, but has not arrived.
    pub stands: bool,
    /// Neighbours of `from` that solid agents occupied when the route was planned, one bit per
    /// direction. The route avoids them.
    pub held: u8,
    /// Number of steps taken along the route.
    pub done: u32,
}
