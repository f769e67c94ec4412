//! The solid bodies of a frame: the pairs that could touch, and the tiles that they occupy.
//!
//! Pairs are found with an index of the positions at the start of the frame. The index is rebuilt
//! in every frame and never saved.
//!
//! Agents act in turn. Meanwhile, the table of occupied tiles contains the new tiles of agents that
//! have acted, and the old tiles of all other agents. Two agents therefore never enter the same
//! tile and never swap tiles.

use std::sync::Arc;

use crate::agent::Mode;
use crate::geom::TilePos;
use crate::grid::Grid;
use crate::id::AgentId;
use crate::locomotion::contacts::{Contacts, MAX_PUSH, Moving};
use crate::map::{Map, TILE_RADIUS};
use crate::scenario::Scenario;
use crate::world::neighbours::apart;
use crate::world::neighbours::cells::{Cells, REACH};
use crate::world::neighbours::index::{Entry, Index};
use crate::world::state::State;

/// Largest radius and largest motion per frame for which only neighbouring cells are searched, both
/// in tiles. Larger or faster bodies search more cells.
const USUAL: (f32, f32) = (0.5, 0.25);

#[derive(Debug)]
pub struct Bodies {
    /// The solid agents, in agent order. The rank of a body is its index in this list.
    pub ids: Arc<[AgentId]>,
    index: Index,
    /// Largest reach of a body that searches only neighbouring cells, in tiles. The reach is the
    /// largest distance of any point of the body from its start position during the frame.
    usual_reach: f32,
    pub contacts: Contacts,
    /// For each body, by rank, the first other body in contact with it. `None` if there is no
    /// contact.
    pub partners: Vec<Option<AgentId>>,
}

impl Bodies {
    /// Creates the index of the solid bodies of a scenario. Returns `None` if there are fewer than
    /// two, or if none of them can be pushed.
    pub fn new(scenario: &Scenario) -> Option<Self> {
        let ids = (0..scenario.starts.len() as u32).map(AgentId);
        let ids: Arc<[AgentId]> = ids.filter(|&id| scenario.kind(id).body.solid).collect();
        let gives_way = |id: &AgentId| scenario.kind(*id).modes.iter().any(Mode::may_give_way);
        let any = ids.len() > 1 && ids.iter().any(gives_way);
        let solid = scenario.kinds.iter().map(|kind| kind.body).filter(|body| body.solid);
        let dt = scenario.dt();
        let reach = |radius: f32, speed: f32| radius.min(USUAL.0) + (speed * dt).min(USUAL.1);
        let largest = solid.map(|body| reach(body.radius, body.max_speed)).fold(0.0, f32::max);
        let usual_reach = largest + MAX_PUSH;
        let index = Index::new(Cells::new(&scenario.map, 2.0 * usual_reach));
        any.then(|| Self {
            ids,
            index,
            usual_reach,
            contacts: Contacts::default(),
            partners: Vec::new(),
        })
    }

    /// Returns an index of the same bodies without the data of the current frame.
    pub fn fresh(&self) -> Self {
        Self {
            ids: Arc::clone(&self.ids),
            index: Index::new(self.index.cells),
            usual_reach: self.usual_reach,
            contacts: Contacts::default(),
            partners: Vec::new(),
        }
    }

    /// Stores the positions of all solid bodies at the start of a frame.
    pub fn begin_frame(&mut self, scenario: &Scenario, state: &State) {
        self.index.sort(self.ids.len(), |rank| Entry::of_present(state, self.ids[rank]));
        let body =
            |&id: &AgentId| Moving::at(state.position(id.index()), scenario.kind(id).body.radius);
        self.contacts.bodies.clear();
        self.contacts.bodies.extend(self.ids.iter().map(body));
    }

    /// Finds all pairs of present bodies that could touch during the frame, in agent order.
    pub fn find_pairs(&mut self, map: &Map, state: &State, names: &[u64]) {
        let Self { ids, index, contacts, usual_reach, .. } = self;
        contacts.clear_pairs();
        let widest = contacts.bodies.iter().map(Moving::reach).fold(0.0, f32::max);
        for rank in (0..ids.len()).filter(|&rank| state.is_present(ids[rank])) {
            let body = contacts.bodies[rank];
            let is_usual = body.reach() <= *usual_reach;
            let cells = index.cells;
            let reach = if is_usual { REACH } else { cells.within(body.reach() + widest) };
            let (column, row) = (cells.column(body.start.x), cells.row(body.start.y));
            let before = contacts.pair_count();
            index.visit_around(row, (column, column), reach, |places, _| {
                for other in places.map(|place| index.rank(place) as usize) {
                    let partner = &contacts.bodies[other];
                    // A pair with one wide body is found by the wide body alone.
                    let is_mine = if partner.reach() <= *usual_reach {
                        other > rank || !is_usual
                    } else {
                        other > rank && !is_usual
                    };
                    let near = body.reach() + partner.reach();
                    if !is_mine || other == rank {
                        continue;
                    }
                    let offset = map.offset(body.start, partner.start);
                    // Two bodies that together move further than half the map can meet on either
                    // way round.
                    map.visit_images(near, |image| {
                        let offset = offset + image;
                        if offset.length_squared() <= near * near {
                            contacts.add_pair(rank, other, offset);
                        }
                    });
                }
            });
            contacts.sort_pairs(before);
        }
        if widest > *usual_reach {
            contacts.sort_pairs(0);
        }
        contacts.part_bodies_in_one_place(|first, second| apart(ids[first], ids[second], names));
    }
}

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
