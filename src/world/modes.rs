//! Modes: how one begins, and what its pattern comes to on the map.

use crate::agent::Drive;
use crate::geom::{Notch, TilePos, Vec2};
use crate::id::AgentId;
use crate::map::route::{Lead, RouteField};
use crate::pattern::matrix::Candidates;
use crate::pattern::{Pattern, Placement};

use super::{DriveState, Flags, World, drive_state};

impl World {
    /// The pattern an agent follows in its present mode, and the tile its anchor stands on.
    pub fn pattern(&self, id: AgentId) -> Option<(&Pattern, TilePos)> {
        match &self.mode(id).drive {
            Drive::Pattern { pattern, placement, .. } => {
                Some((pattern.as_ref(), self.anchor(id, *placement)))
            }
            Drive::Stand | Drive::Steer { .. } | Drive::Keys { .. } => None,
        }
    }

    /// What to do to reach the nearest tile of the agent's pattern; `None` when no way leads there.
    pub(crate) fn way_to_pattern(&self, id: AgentId) -> Option<Lead> {
        let (pattern, anchor) = self.pattern(id)?;
        let kind = self.scenario.starts[id.index()].kind as usize;
        let mode = usize::from(self.state.mode[id.index()]);
        let goals = pattern.tiles().iter().map(|&tile| anchor + tile);
        // Who has to travel has a pattern whose place is fixed, the same for all of its kind: a
        // pattern placed at home begins there.
        let field =
            self.routes[kind][mode].get_or_init(|| RouteField::towards(&self.scenario.map, goals));
        field.lead(self.tile(id))
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

    fn anchor(&self, id: AgentId, placement: Placement) -> TilePos {
        placement.anchor(TilePos::containing(self.home(id)))
    }

    /// Puts an agent into a mode, at the beginning of its drive.
    pub(crate) fn enter_mode(&mut self, id: AgentId, mode: u16) {
        let index = id.index();
        let came_on_tiles = self.mode(id).drive.is_on_tiles();
        self.state.mode[index] = mode;
        self.state.mode_frames[index] = 0;
        self.state.obstruction[index] = None;
        for flag in [Flags::ARRIVED, Flags::FINISHED, Flags::BLOCKED, Flags::JOINING] {
            self.state.flags[index].set(flag, false);
        }
        let tile = self.tile(id);
        let mode = self.mode(id);
        let on_tiles = mode.drive.is_on_tiles();
        let stands = came_on_tiles || matches!(mode.drive, Drive::Stand);
        let entry = DriveState::enter(mode, &self.scenario.map, |placement| {
            (self.anchor(id, placement), tile)
        });
        self.state.angular_velocity[index] = 0.0;
        if on_tiles {
            self.state.set_position(index, tile.centre());
        }
        if on_tiles || stands {
            // The velocity of a walk on tiles is a manner of speaking: nothing carries the body on.
            self.state.set_velocity(index, Vec2::ZERO);
        }
        if let Some(notch) = drive_state::first_notch(self.mode(id), self.heading(id)) {
            self.state.set_heading(index, notch.vector());
        }
        self.state.drive[index] = entry.state;
        self.state.flags[index].set(Flags::JOINING, entry.joining);
    }

    /// Begins what drives an agent anew from where it is, with a step on tiles due in so many frames:
    /// somebody has moved it. Only steering keeps its memory, as it goes on from anywhere.
    pub(crate) fn begin_anew(&mut self, id: AgentId, due_in: u32) {
        let (index, tile) = (id.index(), self.tile(id));
        for flag in [Flags::ARRIVED, Flags::FINISHED] {
            self.state.flags[index].set(flag, false);
        }
        if matches!(self.state.drive[index], DriveState::Steer(_)) {
            return;
        }
        let mut entry = DriveState::enter(self.mode(id), &self.scenario.map, |placement| {
            (self.anchor(id, placement), tile)
        });
        if let Some(walk) = entry.state.walk_mut() {
            walk.due_in = due_in;
        }
        self.state.drive[index] = entry.state;
        self.state.flags[index].set(Flags::JOINING, entry.joining);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::{AgentKind, Mode};
    use crate::body::Body;
    use crate::map::{Edges, tests::drawn};
    use crate::scenario::Scenario;
    use crate::scenario::Start;
    use crate::steering::{Behaviour, Row, Turning, combine::Combine};

    #[test]
    fn a_mode_begins_without_a_turn_of_the_last_one() {
        let row = Row {
            behaviour: Behaviour::LookAhead(Turning::default()),
            target: None,
            other: None,
            weight: 1.0,
            probability: 0.8,
            enabled: true,
        };
        let steer = || Drive::Steer { combine: Combine::default(), rows: vec![row.clone()] };
        let modes = [steer(), steer(), Drive::Stand].map(|drive| Mode::new("m".into(), 1, drive));
        let mut scenario = Scenario {
            title: String::new(),
            tick: 0.05,
            seed: 1,
            map: drawn(&["...."], Edges::Wall),
            places: vec![],
            courses: vec![],
            kinds: vec![AgentKind {
                name: "a".into(),
                glyph: "A".into(),
                color: None,
                group: None,
                body: Body::default(),
                watched: vec![],
                every: 1,
                modes: modes.into(),
                first: AgentId(0),
                count: 1,
            }],
            starts: vec![],
            groups: vec![],
        };
        let position = Vec2::new(1.5, 0.5);
        scenario.starts.push(Start { kind: 0, number: 0, position, heading: Vec2::X });
        let mut world = World::new(Arc::new(scenario));
        for mode in [1, 2, 0] {
            world.state.angular_velocity[0] = 3.0;
            world.enter_mode(AgentId(0), mode);
            assert_eq!(world.motion(AgentId(0)).angular_velocity, 0.0);
        }
    }
}
