//! The tiles that lie ahead of who walks to a target.

use crate::geom::{Notch, TilePos};
use crate::id::AgentId;

use super::quarry::{Aim, Trip};
use super::{DriveState, World};

impl World {
    /// The tiles ahead of a chaser, along its line, or of a traveller, along its way: the next one
    /// first. None of others, and of a traveller none before its first step is due.
    pub fn ahead(&self, id: AgentId) -> impl Iterator<Item = TilePos> {
        let map = &self.scenario.map;
        let (line, way): (Option<(Aim, u32)>, &[Notch]) = match self.drive_state(id) {
            DriveState::Chase { aim: Some(aim), .. } => {
                (Some((aim, map.line(aim.from, aim.to).len())), &[])
            }
            DriveState::Travel { trip: Some(Trip { done, .. }), .. } => {
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
}
