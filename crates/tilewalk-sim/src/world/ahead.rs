//! The tiles ahead of an agent that moves to a target on tiles.

use crate::geom::{Direction, TilePos};
use crate::id::AgentId;

use super::route_progress::{ChaseLine, RouteProgress};
use super::{DriveState, World};

impl World {
    /// Iterates over the remaining tiles of an agent's chase line or route, nearest first.
    ///
    /// Empty for drives other than `chase` and `travel`, and before the first step is due.
    pub fn ahead(&self, id: AgentId) -> impl Iterator<Item = TilePos> {
        let map = &self.scenario.map;
        let (line, way): (Option<(ChaseLine, u32)>, &[Direction]) = match self.drive_state(id) {
            DriveState::Chase { aim: Some(aim), .. } => {
                (Some((aim, map.line(aim.from, aim.to).len())), &[])
            }
            DriveState::Travel { trip: Some(RouteProgress { done, .. }), .. } => {
                let steps = self.way(id).map_or(&[][..], |way| &way.steps);
                (None, steps.get(done as usize..).unwrap_or_default())
            }
            _ => (None, &[]),
        };
        let along_line = line.into_iter().flat_map(move |(aim, length)| {
            let line = map.line(aim.from, aim.to);
            (aim.done + 1..=length).map(move |step| line.tile(step))
        });
        let along_way = way.iter().scan(self.tile(id), move |tile, &way| {
            *tile = map.resolve(tile.neighbour(way))?;
            Some(*tile)
        });
        along_line.chain(along_way).map(|tile| map.resolve(tile).unwrap_or(tile))
    }

    /// Returns the cost of the rest of an agent's route. The cost is the sum over all steps of the
    /// step length, in tiles, times the cost of the entered tile. Returns 0 without a route.
    pub fn cost_ahead(&self, id: AgentId) -> f64 {
        let map = &self.scenario.map;
        let done = match self.drive_state(id) {
            DriveState::Travel { trip: Some(trip), .. } => trip.done as usize,
            _ => return 0.0,
        };
        let steps = self.way(id).and_then(|way| way.steps.get(done..)).unwrap_or_default();
        let cost = |(way, tile): (&Direction, _)| {
            let length = if way.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 };
            length * map.kind(tile).map_or(1.0, |kind| f64::from(kind.cost))
        };
        // `sum` would return −0 for an empty iterator.
        steps.iter().zip(self.ahead(id)).map(cost).fold(0.0, |sum, cost| sum + cost)
    }
}
