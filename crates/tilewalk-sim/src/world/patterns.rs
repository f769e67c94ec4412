//! The pattern of an agent on the map: its tiles, its placement, the route to it, and its saved
//! progress.
//!
//! All agents that walk to a pattern share one route field. The field is computed when first needed
//! and shared by all copies of a world. There is no such field if each agent of a group has the
//! pattern at its own home. Each agent then searches for the nearest tile of its own pattern.
//!
//! A mode with `resume = true` saves the progress, and continues its pattern when the agent enters
//! the mode again.

use std::sync::Arc;

use crate::agent::{Mode, Placed};
use crate::geom::{Direction, TilePos};
use crate::id::AgentId;
use crate::map::route::{NextStep, RouteField};
use crate::pattern::matrix::Candidates;
use crate::pattern::{Pattern, Placement};
use crate::world::drive_state::RouteProgress;
use crate::world::{DriveState, World};

impl World {
    /// Returns the current pattern of an agent, and the tile of the pattern's anchor on the map.
    /// Returns `None` if the agent's drive has no pattern.
    pub fn pattern(&self, id: AgentId) -> Option<(&Pattern, TilePos)> {
        let used = self.pattern_use(id)?;
        Some((used.pattern.as_ref(), self.anchor(id, used.placement)))
    }

    /// Returns the current pattern of an agent, with the pattern's name and placement. Returns
    /// `None` if the agent's drive has no pattern.
    pub fn pattern_use(&self, id: AgentId) -> Option<&Placed> {
        self.mode(id).drive.pattern(self.pick(id))
    }

    /// Returns an agent's next step on the route to its pattern. The destination is the nearest
    /// tile of the pattern. For a resumed pattern, it is the tile where the agent left the pattern.
    /// Returns `None` if there is no route.
    pub(crate) fn route_to_pattern(&mut self, id: AgentId) -> Option<NextStep> {
        let scenario = Arc::clone(&self.scenario);
        let (map, here) = (&scenario.map, self.tile(id));
        if let Some(goal) = self.left_on(id) {
            let progress = RouteProgress { from: here, to: goal, ..RouteProgress::default() };
            let direction = self.route_cache.route(map, id, progress)?;
            return Some(
                direction
                    .steps
                    .first()
                    .map_or(NextStep::Here, |&direction| NextStep::Step(direction)),
            );
        }
        let kind = scenario.starts[id.index()].kind as usize;
        let mode = usize::from(self.state.mode[id.index()]);
        let pick = self.pick(id);
        let used = scenario.kinds[kind].modes[mode].drive.pattern(pick)?;
        let anchor = self.anchor(id, used.placement);
        let goals = used.pattern.tiles().iter().map(|&tile| anchor + tile);
        let rank = |tile| used.pattern.rank_on(map, anchor, tile);
        if rank(here).is_some() {
            return Some(NextStep::Here);
        }
        // The agents of a kind share a field, unless each of them has the pattern at its own home.
        let is_alone = scenario.kinds[kind].count == 1 && !scenario.kinds[kind].template;
        let shared = is_alone || used.placement != Placement::Home;
        if shared && map.is_open(here) {
            let field = &self.route_fields[kind][mode][usize::from(pick)];
            if let Some(field) = field.get() {
                return field.next_step(here);
            }
            let complete = RouteField::towards(self.cancel(), map, goals)?;
            return field.get_or_init(|| complete).next_step(here);
        }
        self.route_cache.nearest(map, here, goals, rank).map(NextStep::Step)
    }

    /// Returns the neighbouring tile of an agent in a direction. The bool is true if that tile
    /// belongs to the agent's pattern.
    pub(crate) fn target_in_pattern(&self, id: AgentId, direction: Direction) -> (TilePos, bool) {
        let map = &self.scenario.map;
        let ahead = self.tile(id).neighbour(direction);
        let to = map.resolve(ahead).unwrap_or(ahead);
        let pattern = self.pattern(id);
        let belongs =
            pattern.is_some_and(|(pattern, anchor)| pattern.rank_on(map, anchor, to).is_some());
        (to, belongs)
    }

    /// Returns the directions that the terrain allows an agent on a matrix pattern. The direction
    /// back to the previous tile is excluded. Solid agents do not limit the result, because they
    /// are considered only when the step is due. Returns `None` for other drives.
    pub fn candidates(&self, id: AgentId) -> Option<Candidates> {
        let (Some((Pattern::Matrix(matrix), _)), DriveState::Matrix { at, .. }) =
            (self.pattern(id), self.drive_state(id))
        else {
            return None;
        };
        let here = self.tile(id);
        let target = |direction| {
            let (to, belongs) = self.target_in_pattern(id, direction);
            (to, belongs && self.scenario.map.step(here, direction, false).is_ok())
        };
        Some(matrix.candidates(at, here, target))
    }

    pub(super) fn anchor(&self, id: AgentId, placement: Placement) -> TilePos {
        placement.anchor(TilePos::containing(self.home(id)))
    }
}

/// The progress in a pattern that an agent left before the end of the pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SavedPattern {
    /// Index of the pattern in the mode's list.
    pub pick: u16,
    /// The tile on which the agent left the pattern.
    pub tile: TilePos,
    /// The state of the drive when the agent left the pattern.
    pub drive: DriveState,
}

pub(super) fn resuming(modes: &[Mode]) -> usize {
    modes.iter().filter(|mode| mode.resume).count()
}

impl World {
    /// Iterates over an agent's modes with `resume = true`, each with its saved pattern. The saved
    /// pattern is `None` if the mode starts its pattern from the beginning.
    pub fn patterns_to_resume(
        &self,
        id: AgentId,
    ) -> impl Iterator<Item = (&Mode, Option<SavedPattern>)> {
        let kind = self.kind(id);
        let first = self.layout.saved[self.scenario.starts[id.index()].kind as usize];
        let start = first + (id.index() - kind.first.index()) * resuming(&kind.modes);
        let modes = kind.modes.iter().filter(|mode| mode.resume);
        modes.zip(start..).map(|(mode, slot)| (mode, self.state.saved_patterns[slot]))
    }
}
