//! The tiles occupied by solid agents.
//!
//! Agents act in turn. Meanwhile, the table contains the new tiles of agents that have acted, and
//! the old tiles of all other agents. Two agents therefore never enter the same tile and never swap
//! tiles.

use std::sync::Arc;

use crate::geom::TilePos;
use crate::grid::Grid;
use crate::id::AgentId;
use crate::map::TILE_RADIUS;
use crate::scenario::Scenario;

use super::state::State;

/// The solid agent on each tile of the map.
#[derive(Debug)]
pub struct Occupancy {
    /// For each tile, the index of the occupying agent plus 1, or 0 if the tile is free. `None` if
    /// the scenario has no solid agents.
    occupants: Option<Grid<u32>>,
    /// The solid agents, in agent order.
    solid: Arc<[AgentId]>,
    /// The solid agents that are wider than a tile, in agent order.
    wide: Arc<[AgentId]>,
    /// The tile of each solid agent, in the order of `solid`.
    tiles: Vec<TilePos>,
}

impl Clone for Occupancy {
    fn clone(&self) -> Self {
        Self {
            occupants: self.occupants.clone(),
            solid: Arc::clone(&self.solid),
            wide: Arc::clone(&self.wide),
            tiles: self.tiles.clone(),
        }
    }

    /// Copies the table only from a world with a different scenario. Within a scenario, the table
    /// is rebuilt before its next use.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.solid, &other.solid) {
            *self = other.clone();
        }
    }
}

impl Occupancy {
    pub fn new(scenario: &Scenario) -> Self {
        let solid: Arc<[AgentId]> = (0..scenario.starts.len() as u32)
            .map(AgentId)
            .filter(|&id| scenario.kind(id).body.solid)
            .collect();
        let is_wide = |id: &AgentId| scenario.kind(*id).body.radius > TILE_RADIUS;
        let wide = solid.iter().copied().filter(is_wide).collect();
        let (width, height) = (scenario.map.width(), scenario.map.height());
        let occupants = (!solid.is_empty()).then(|| Grid::filled(width, height, 0));
        let tiles = vec![TilePos::default(); solid.len()];
        Self { occupants, solid, wide, tiles }
    }

    /// Rebuilds the table from the current positions. `walks` returns true for agents that move on
    /// tiles.
    ///
    /// If several agents are on one tile, the table contains the first of them in agent order.
    /// Agents that move on tiles take precedence over other agents, so that two such agents never
    /// share a tile.
    pub(crate) fn rebuild(&mut self, state: &State, walks: impl Fn(AgentId) -> bool) {
        let Some(occupants) = &mut self.occupants else { return };
        // Clears only the old entries, because a map can be much larger than the number of agents.
        for &tile in &self.tiles {
            if let Some(occupant) = occupants.get_mut(tile) {
                *occupant = 0;
            }
        }
        for (id, tile) in self.solid.iter().zip(&mut self.tiles) {
            *tile = TilePos::containing(state.position(id.index()));
        }
        for walkers in [false, true] {
            for (&id, &tile) in self.solid.iter().zip(&self.tiles).rev() {
                if walks(id) == walkers
                    && state.is_present(id)
                    && let Some(occupant) = occupants.get_mut(tile)
                {
                    *occupant = id.0 + 1;
                }
            }
        }
    }

    /// Returns the solid agents in agent order. Absent agents are included.
    pub(crate) fn solid(&self) -> &[AgentId] {
        &self.solid
    }

    /// Returns the solid agents that are wider than a tile, in agent order. Absent agents are
    /// included. In the table, such an agent occupies only the tile of its centre.
    pub(crate) fn wide(&self) -> &[AgentId] {
        &self.wide
    }

    /// Returns the solid agent on a tile. Returns `None` if the tile is free, outside the map, or
    /// occupied by `id`.
    pub fn occupant(&self, tile: TilePos, id: AgentId) -> Option<AgentId> {
        let occupant = *self.occupants.as_ref()?.get(tile)?;
        let occupant = AgentId(occupant.checked_sub(1)?);
        (occupant != id).then_some(occupant)
    }

    /// Moves the entry of a solid agent from one tile to another. If another agent already occupies
    /// the new tile, that agent keeps its entry.
    pub(crate) fn moved(&mut self, id: AgentId, from: TilePos, to: TilePos) {
        let Some(occupants) = &mut self.occupants else { return };
        if let Some(occupant) = occupants.get_mut(from).filter(|occupant| **occupant == id.0 + 1) {
            *occupant = 0;
        }
        if let Some(occupant) = occupants.get_mut(to).filter(|occupant| **occupant == 0) {
            *occupant = id.0 + 1;
        }
        if let Ok(index) = self.solid.binary_search(&id) {
            self.tiles[index] = to;
        }
    }
}
