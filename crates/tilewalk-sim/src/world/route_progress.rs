//! The progress of a chase or a route on tiles: the start, the target, and the number of steps
//! taken.
//!
//! The tiles in between are not stored. The line of a chase depends only on its ends (`Map::line`)
//! and is also the line of sight. A route is computed by A* from its ends and the neighbouring
//! tiles that were occupied when it was planned. A restored frame therefore continues exactly as it
//! did before.

use crate::geom::TilePos;

/// The straight line of a chase, and the progress along it.
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
    /// The tile reached so far. If the agent is elsewhere, the agent was moved, and the route is
    /// planned again.
    pub at: TilePos,
    /// Whether the target is known to stay on `to`: it is fixed, or was there in the previous
    /// frame, too. An agent that closely follows a moving target reaches the tile that the target
    /// has just left, which is not an arrival.
    pub stands: bool,
    /// Neighbours of `from` that solid agents occupied when the route was planned, one bit per
    /// direction. The route avoids them.
    pub held: u8,
    /// Number of steps taken along the route.
    pub done: u32,
}
