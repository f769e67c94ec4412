//! The remaining tiles of an agent's route or chase line.

use crate::geom::{Direction, TilePos};
use crate::id::AgentId;

use super::{DriveState, World};

impl World {
    /// Iterates over the remaining tiles of an agent's chase line or route, nearest first.
    ///
    /// Returns an empty iterator for drives other than `chase` and `travel`, or before the first
    /// step is due.
    pub fn ahead(&self, id: AgentId) -> impl Iterator<Item = TilePos> {
        let map = &self.scenario.map;
        let aim = if let DriveState::Chase { aim, .. } = self.drive_state(id) { aim } else { None };
        let along_line = aim.into_iter().flat_map(move |aim| {
            let line = map.line(aim.from, aim.to);
            (aim.done + 1..=line.len()).map(move |step| line.tile(step))
        });
        let along_path =
            self.steps_ahead(id).iter().scan(self.tile(id), move |tile, &direction| {
                *tile = map.resolve(tile.neighbour(direction))?;
                Some(*tile)
            });
        along_line.chain(along_path).map(|tile| map.resolve(tile).unwrap_or(tile))
    }

    /// Returns the remaining steps of a traveller's route. Returns an empty slice for other drives,
    /// or if the route is not in the cache.
    fn steps_ahead(&self, id: AgentId) -> &[Direction] {
        let DriveState::Travel { progress: Some(progress), .. } = self.drive_state(id) else {
            return &[];
        };
        let done = progress.done as usize;
        self.found_path(id).and_then(|path| path.steps.get(done..)).unwrap_or_default()
    }

    /// Returns the cost of the remaining steps of an agent's route. The cost of a step is its
    /// length in tiles times the cost of the entered tile. Returns 0 without a route.
    pub fn cost_ahead(&self, id: AgentId) -> f64 {
        let map = &self.scenario.map;
        let cost = |(direction, tile): (&Direction, _)| {
            let length = if direction.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 };
            length * map.kind(tile).map_or(1.0, |kind| f64::from(kind.cost))
        };
        // `sum` would return −0 for an empty iterator.
        self.steps_ahead(id).iter().zip(self.ahead(id)).map(cost).fold(0.0, |sum, cost| sum + cost)
    }
}
