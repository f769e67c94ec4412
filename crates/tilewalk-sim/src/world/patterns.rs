//! The pattern of an agent on the map: its tiles, its placement, and the route to it.
//!
//! One route field per pattern serves all agents that walk to it. It is computed when it is first
//! needed and shared by all copies of a world. The exception is a group in which each agent has the
//! pattern at its own home: there each agent searches for its own nearest tile.

use std::sync::Arc;

use crate::agent::PatternUse;
use crate::geom::{Notch, TilePos};
use crate::id::AgentId;
use crate::map::route::{Lead, RouteField};
use crate::pattern::matrix::Candidates;
use crate::pattern::{Pattern, Placement};

use super::quarry::Trip;
use super::{DriveState, World};

impl World {
    /// The pattern an agent follows in its present mode, and the tile its anchor stands on.
    pub fn pattern(&self, id: AgentId) -> Option<(&Pattern, TilePos)> {
        let PatternUse { pattern, placement, .. } = self.pattern_use(id)?;
        Some((pattern.as_ref(), self.anchor(id, placement)))
    }

    /// The same with its name and placement.
    pub fn pattern_use(&self, id: AgentId) -> Option<PatternUse<'_>> {
        self.mode(id).drive.pattern(self.pick(id))
    }

    /// What to do to reach the agent's pattern: its nearest tile, or the one where it was left.
    /// `None` when no way leads there.
    pub(crate) fn way_to_pattern(&mut self, id: AgentId) -> Option<Lead> {
        let scenario = Arc::clone(&self.scenario);
        let (map, here) = (&scenario.map, self.tile(id));
        if let Some(goal) = self.left_on(id) {
            let trip = Trip { from: here, to: goal, ..Trip::default() };
            let way = self.ways.of_trip(map, id, trip)?;
            return Some(way.steps.first().map_or(Lead::Here, |&way| Lead::Step(way)));
        }
        let kind = scenario.starts[id.index()].kind as usize;
        let mode = usize::from(self.state.mode[id.index()]);
        let pick = self.pick(id);
        let used = scenario.kinds[kind].modes[mode].drive.pattern(pick)?;
        let anchor = self.anchor(id, used.placement);
        let goals = used.pattern.tiles().iter().map(|&tile| anchor + tile);
        let rank = |tile| used.pattern.rank_on(map, anchor, tile);
        if rank(here).is_some() {
            return Some(Lead::Here);
        }
        // All agents of a kind share one field, unless each has the pattern at a home of its own.
        let shared = scenario.kinds[kind].count == 1 || used.placement != Placement::Home;
        if shared && map.is_open(here) {
            let field = &self.routes[kind][mode][usize::from(pick)];
            if let Some(field) = field.get() {
                return field.lead(here);
            }
            let complete = RouteField::towards_unless(&self.cancel, map, goals)?;
            return field.get_or_init(|| complete).lead(here);
        }
        self.ways.nearest(map, here, goals, rank).map(Lead::Step)
    }

    /// The tile a way leads an agent to, and whether it belongs to its pattern.
    pub(crate) fn lead_in_pattern(&self, id: AgentId, way: Notch) -> (TilePos, bool) {
        let map = &self.scenario.map;
        let ahead = self.tile(id).neighbour(way);
        let to = map.resolve(ahead).unwrap_or(ahead);
        let pattern = self.pattern(id);
        let belongs =
            pattern.is_some_and(|(pattern, anchor)| pattern.rank_on(map, anchor, to).is_some());
        (to, belongs)
    }

    /// The ways the ground leaves a matrix walker, but the one back; who else holds a tile is only
    /// known when the step is due.
    pub fn candidates(&self, id: AgentId) -> Option<Candidates> {
        let (Some((Pattern::Matrix(matrix), _)), DriveState::Matrix { at, .. }) =
            (self.pattern(id), self.drive_state(id))
        else {
            return None;
        };
        let here = self.tile(id);
        let lead = |way| {
            let (to, belongs) = self.lead_in_pattern(id, way);
            (to, belongs && self.scenario.map.step(here, way, false).is_ok())
        };
        Some(matrix.candidates(at, here, lead))
    }

    pub(super) fn anchor(&self, id: AgentId, placement: Placement) -> TilePos {
        placement.anchor(TilePos::containing(self.home(id)))
    }
}
