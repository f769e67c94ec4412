//! The progress of a chase or a route on tiles: the start, the target, and the number of steps
//! taken.
//!
//! The tiles in between are not stored. The line of a chase depends only on its ends (`Map::line`)
//! and is also the line of sight. A* computes a route from its ends and from the neighbouring tiles
//! that were occupied at planning time. A restored frame therefore continues with the same lines
//! and routes.

use crate::geom::TilePos;

/// The straight line of tiles on which an agent chases a target, and the progress along the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChaseLine {
    /// The tile on which the agent planned the line.
    pub from: TilePos,
    /// The target's tile when the line was planned.
    pub to: TilePos,
    /// Number of steps taken along the line so far.
    pub done: u32,
}

/// The cheapest route between two tiles, and the agent's progress along the route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RouteProgress {
    /// The tile on which the agent planned the route.
    pub from: TilePos,
    /// The target's tile when the route was planned.
    pub to: TilePos,
    /// The tile that the agent last reached on the route. If the agent is on another tile, it was
    /// moved and must plan a new route.
    pub at: TilePos,
    /// Whether the target is known to stay on `to`. True if the target is fixed, or if it was
    /// already on `to` in the previous frame. An agent that closely follows a moving target reaches
    /// the tile that the target has just left. This is not an arrival.
    pub stands: bool,
    /// Neighbours of `from` that solid agents occupied when the route was planned, one bit per
    /// direction. Bit 0 is east, and the other bits follow clockwise. The route avoids these tiles.
    pub held: u8,
    /// Number of steps taken along the route so far.
    pub done: u32,
}
