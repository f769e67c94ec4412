//! Which tiles solid agents hold.
//!
//! While agents act in their order, this holds the present frame's tile of those that have acted
//! and the last frame's tile of those still to come: so two never enter one tile, and never swap.

use std::sync::Arc;

use crate::geom::TilePos;
use crate::grid::Grid;
use crate::id::AgentId;
use crate::scenario::Scenario;

use super::state::State;

/// The holder of every tile; empty for a scenario without solid agents.
#[derive(Debug)]
pub struct Occupancy {
    /// 0, or one more than the holder's number.
    holders: Option<Grid<u32>>,
    /// In agent order.
    solid: Arc<[AgentId]>,
    /// The tile each of them is on, as far as the grid knows.
    tiles: Vec<TilePos>,
}

impl Clone for Occupancy {
    fn clone(&self) -> Self {
        Self {
            holders: self.holders.clone(),
            solid: Arc::clone(&self.solid),
            tiles: self.tiles.clone(),
        }
    }

    /// Keeps its own grid: it is made anew before it is looked at.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.solid, &other.solid) {
            *self = other.clone();
        }
    }
}

impl Occupancy {
    /// Room for the solid agents of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let solid: Arc<[AgentId]> = (0..scenario.starts.len() as u32)
            .map(AgentId)
            .filter(|&id| scenario.kind(id).body.solid)
            .collect();
        let (width, height) = (scenario.map.width(), scenario.map.height());
        let holders = (!solid.is_empty()).then(|| Grid::filled(width, height, 0));
        let tiles = vec![TilePos::default(); solid.len()];
        Self { holders, solid, tiles }
    }

    /// Puts every solid agent on the tile it is on. Of two on one tile the one that walks on tiles
    /// holds it, as no other walker may enter it; else the first.
    pub(crate) fn rebuild(&mut self, state: &State, walks: impl Fn(AgentId) -> bool) {
        let Some(holders) = &mut self.holders else { return };
        // Only what was held is cleared: a few agents on a huge map are no work.
        for &tile in &self.tiles {
            if let Some(holder) = holders.get_mut(tile) {
                *holder = 0;
            }
        }
        for (id, tile) in self.solid.iter().zip(&mut self.tiles) {
            *tile = TilePos::containing(state.position(id.index()));
        }
        for walkers in [false, true] {
            for (&id, &tile) in self.solid.iter().zip(&self.tiles).rev() {
                if walks(id) == walkers
                    && let Some(holder) = holders.get_mut(tile)
                {
                    *holder = id.0 + 1;
                }
            }
        }
    }

    /// The solid agent other than `id` that holds a tile.
    pub fn holder(&self, tile: TilePos, id: AgentId) -> Option<AgentId> {
        let holder = *self.holders.as_ref()?.get(tile)?;
        let holder = AgentId(holder.checked_sub(1)?);
        (holder != id).then_some(holder)
    }

    /// A solid agent went from one tile to another. A tile that somebody holds it does not take: a
    /// body that moves freely may come where another is.
    pub(crate) fn moved(&mut self, id: AgentId, from: TilePos, to: TilePos) {
        let Some(holders) = &mut self.holders else { return };
        if let Some(holder) = holders.get_mut(from).filter(|holder| **holder == id.0 + 1) {
            *holder = 0;
        }
        if let Some(holder) = holders.get_mut(to).filter(|holder| **holder == 0) {
            *holder = id.0 + 1;
        }
        if let Ok(index) = self.solid.binary_search(&id) {
            self.tiles[index] = to;
        }
    }
}
