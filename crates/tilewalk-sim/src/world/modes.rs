//! Mode changes, and the sequence of patterns in a mode.

use crate::agent::{Choose, Drive};
use crate::event::EventKind;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::rng::Use;

use super::drive_state::{self, InitialState};
use super::patterns::{self, SavedPattern};
use super::{DriveState, Flags, World};

impl World {
    /// Changes an agent's mode. If the new mode has a saved pattern, continues that pattern.
    /// Otherwise starts the drive of the new mode from its beginning.
    pub(crate) fn enter_mode(&mut self, id: AgentId, mode: u16) {
        self.leave_mode(id);
        let came_on_tiles = self.is_on_tiles(id);
        self.begin_mode(id, mode);
        if came_on_tiles || matches!(self.mode(id).drive, Drive::Stand) {
            // A step on tiles leaves no momentum, so the body must not drift on.
            self.state.set_velocity(id.index(), Vec2::ZERO);
        }
    }

    /// Saves the progress in the current pattern if the mode has `resume = true`. A pattern that
    /// has ended is not saved.
    fn leave_mode(&mut self, id: AgentId) {
        let Some(slot) = self.saved_slot(id) else { return };
        let flags = self.flags(id);
        if flags.has(Flags::FINISHED) {
            self.state.saved_patterns[slot] = None;
        } else if !flags.has(Flags::JOINING) {
            let index = id.index();
            let (pick, drive) = (self.state.pick[index], self.state.drive[index]);
            self.state.saved_patterns[slot] =
                Some(SavedPattern { pick, tile: self.tile(id), drive });
        }
        // An agent that was still returning to its pattern keeps the earlier entry.
    }

    pub(super) fn begin_mode(&mut self, id: AgentId, mode: u16) {
        let index = id.index();
        self.state.mode[index] = mode;
        self.state.mode_frames[index] = 0;
        self.state.obstruction[index] = None;
        for flag in [Flags::ARRIVED, Flags::FINISHED, Flags::BLOCKED, Flags::JOINING] {
            self.state.flags[index].set(flag, false);
        }
        let slot = self.saved_slot(id);
        let left = slot.and_then(|slot| self.state.saved_patterns[slot]);
        self.state.pick[index] = left.map_or_else(|| self.choose_pattern(id), |left| left.pick);
        let initial = self.begin_drive(id);
        if self.is_on_tiles(id) {
            self.state.set_velocity(index, Vec2::ZERO);
        }
        let joining = left.is_some_and(|left| self.resume(id, left, initial));
        if let Some(slot) = slot.filter(|_| !joining) {
            self.state.saved_patterns[slot] = None;
        }
    }

    /// Clears the contact with the terrain. Only steps of free bodies update the contact.
    pub(super) fn forget_contact(&mut self, id: AgentId) {
        self.state.touches[id.index()] = None;
        self.state.flags[id.index()].set(Flags::COLLIDED, false);
    }

    /// Starts the next pattern of the mode's list, and delays its first step by `wait` frames.
    /// Returns false if the mode has no list.
    pub(crate) fn next_pattern(&mut self, id: AgentId, wait: u32) -> bool {
        let Drive::Patterns { list, choose } = &self.mode(id).drive else { return false };
        let index = id.index();
        let pick = match choose {
            Choose::Cycle => (self.state.pick[index] + 1) % list.len() as u16,
            Choose::Random => self.choose_pattern(id),
        };
        let came_on_tiles = self.is_on_tiles(id);
        let spin = self.state.angular_velocity[index];
        self.state.pick[index] = pick;
        self.state.obstruction[index] = None;
        self.state.flags[index].set(Flags::BLOCKED, false);
        self.begin_drive(id);
        if came_on_tiles && !self.is_on_tiles(id) {
            self.state.set_velocity(index, Vec2::ZERO);
        }
        if matches!(self.state.drive[index], DriveState::Thrust { .. }) {
            // Successive thrust patterns keep the spin.
            self.state.angular_velocity[index] = spin;
        }
        self.state.drive[index].postpone(wait);
        self.report(id, EventKind::Pattern { pick });
        true
    }

    /// Returns the index of the first pattern of a mode. The index is random if the drive chooses
    /// at random, and 0 otherwise.
    fn choose_pattern(&self, id: AgentId) -> u16 {
        let mode = self.mode(id);
        let Drive::Patterns { list, choose: Choose::Random } = &mode.drive else { return 0 };
        self.rng_key(id, mode).stream(Use::Pattern).index(list.len()) as u16
    }

    /// Starts the drive with the current pattern. Returns the initial state of the drive.
    fn begin_drive(&mut self, id: AgentId) -> InitialState {
        let (index, tile) = (id.index(), self.tile(id));
        let (mode, used) = (self.mode(id), self.pattern_use(id));
        let direction =
            used.and_then(|used| drive_state::first_direction(&used.pattern, self.heading(id)));
        let place = |placement| (self.anchor(id, placement), tile);
        let initial = DriveState::enter(mode, self.state.pick[index], &self.scenario.map, place);
        self.state.angular_velocity[index] = 0.0;
        if self.is_on_tiles(id) {
            self.forget_contact(id);
            if self.position(id) != tile.centre() {
                self.state.set_velocity(index, Vec2::ZERO);
            }
        }
        if let Some(direction) = direction {
            self.state.set_heading(index, direction.vector());
        }
        self.state.drive[index] = initial.state;
        self.state.flags[index].set(Flags::JOINING, initial.joining);
        initial
    }

    /// Continues a saved pattern. Returns true if the agent must first return to the pattern.
    fn resume(&mut self, id: AgentId, left: SavedPattern, initial: InitialState) -> bool {
        let (index, here) = (id.index(), self.tile(id));
        let mut drive = left.drive;
        let mut joining = false;
        match (&mut drive, initial.state) {
            (DriveState::Path { timer, .. }, DriveState::Path { timer: fresh, .. }) => {
                *timer = fresh;
                joining = left.tile != here;
                self.state.flags[index].set(Flags::JOINING, joining);
            }
            (DriveState::Matrix { at, timer }, DriveState::Matrix { at: fresh, timer: due }) => {
                *timer = due;
                if left.tile != here {
                    // On another tile, the direction of the last step has no meaning.
                    *at = fresh;
                }
            }
            (DriveState::Steps { at, timer }, DriveState::Steps { .. }) => timer.due_in = at.pace,
            // Turns made while the agent was in other modes do not count for the leg.
            (DriveState::Thrust { at }, DriveState::Thrust { .. }) => at.direction = None,
            (_, _) => {}
        }
        self.state.drive[index] = drive;
        joining
    }

    /// Returns the tile on which an agent left a path. Returns `None` unless the agent is returning
    /// to that path.
    pub(crate) fn left_on(&self, id: AgentId) -> Option<TilePos> {
        let left = self.state.saved_patterns.get(self.saved_slot(id)?)?.as_ref()?;
        self.flags(id).has(Flags::JOINING).then_some(left.tile)
    }

    /// Deletes the saved pattern of the current mode.
    pub(crate) fn drop_saved(&mut self, id: AgentId) {
        if let Some(slot) = self.saved_slot(id) {
            self.state.saved_patterns[slot] = None;
        }
    }

    /// Returns the index of an agent's entry for its current mode in the column of saved patterns.
    /// Returns `None` if the mode does not resume.
    fn saved_slot(&self, id: AgentId) -> Option<usize> {
        self.saved_slot_of(id, usize::from(self.state.mode[id.index()]))
    }

    /// Returns the index of an agent's entry for a mode in the column of saved patterns. `mode` is
    /// the index of the mode. Returns `None` if the mode does not resume or does not exist.
    pub(super) fn saved_slot_of(&self, id: AgentId, mode: usize) -> Option<usize> {
        let kind = self.kind(id);
        let (before, rest) = kind.modes.split_at_checked(mode)?;
        let first = self.layout.saved[self.scenario.starts[id.index()].kind as usize];
        let start = (id.index() - kind.first.index()) * patterns::resuming(&kind.modes);
        rest.first()?.resume.then(|| first + start + patterns::resuming(before))
    }

    /// Restarts the drive at the current position after the agent was moved. The next step on tiles
    /// is due in `due_in` frames.
    ///
    /// Steering keeps its memory, because the memory is valid at any position.
    pub(crate) fn restart_drive(&mut self, id: AgentId, due_in: u32) {
        let index = id.index();
        for flag in [Flags::ARRIVED, Flags::FINISHED] {
            self.state.flags[index].set(flag, false);
        }
        if matches!(self.state.drive[index], DriveState::Steer(_)) {
            return;
        }
        self.drop_saved(id);
        self.begin_drive(id);
        if let Some(timer) = self.state.drive[index].timer_mut() {
            timer.due_in = due_in;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::{Choose, Mode, Placed};
    use crate::map::{Edges, Map};
    use crate::pattern::path::{Ends, PathRules};
    use crate::pattern::steps::{StepsRow, Unit};
    use crate::pattern::thrust::{HeadingFrom, Leg};
    use crate::pattern::{PathPattern, Pattern, Placement, StepsPattern, ThrustPattern};
    use crate::scenario::builder::{Agent, Builder};
    use crate::steering::Target;
    use crate::step::step;

    const A: AgentId = AgentId(0);

    /// Returns a world with an agent that has two modes. The first mode runs the given patterns in
    /// turn.
    fn world(patterns: Vec<Pattern>, resume: bool) -> World {
        let placed = |pattern| Placed {
            name: "pattern".to_owned(),
            pattern: Arc::new(pattern),
            placement: Placement::Home,
        };
        let mut list: Vec<_> = patterns.into_iter().map(placed).collect();
        let first = if list.len() == 1 {
            Drive::Pattern(list.remove(0))
        } else {
            Drive::Patterns { list, choose: Choose::Cycle }
        };
        let away = Drive::FleeTiles { target: Target::Point(Vec2::new(30.5, 9.5)) };
        let map = Map::drawn(&[".................................."; 14], Edges::Wall).unwrap();
        let mut builder = Builder::new(map);
        builder.add(
            Agent::new("a", Vec2::new(2.5, 2.5))
                .mode(Mode { resume, ..Mode::new("one".to_owned(), 2, first) })
                .mode(Mode::new("two".to_owned(), 1, away)),
        );
        World::new(Arc::new(builder.build().unwrap()))
    }

    fn there_and_back() -> Vec<Pattern> {
        let vertices = [TilePos::new(0, 0), TilePos::new(0, 8)];
        let rules = PathRules { ends: Ends::Reverse, dwell: 8, ..PathRules::default() };
        vec![Pattern::Path(PathPattern::new(&vertices, rules).unwrap())]
    }

    fn rows(rows: &[(f32, f32)], repeat: bool) -> Pattern {
        let row = |&(turn, forward): &(f32, f32)| {
            let wait = if (turn, forward) == (0.0, 0.0) { 4 } else { 0 };
            StepsRow { turn, forward, wait, ..StepsRow::default() }
        };
        let rows = rows.iter().map(row).collect();
        Pattern::Steps(StepsPattern { rows, repeat, unit: Unit::Notches })
    }

    fn steps(world: &mut World, count: u32) -> Vec<&'static str> {
        let mut words = Vec::new();
        for _ in 0..count {
            step(world);
            words.extend(world.events().iter().map(|event| event.kind.word()));
        }
        words
    }

    /// Leaves the first mode after `before` frames, and re-enters this mode after another `between`
    /// frames. Returns the tile on which the agent left the first mode.
    fn interrupted(world: &mut World, before: u32, between: u32) -> TilePos {
        steps(world, before);
        let left_on = world.tile(A);
        world.enter_mode(A, 1);
        steps(world, between);
        world.enter_mode(A, 0);
        left_on
    }

    #[test]
    fn a_path_resumes_at_the_tile_where_it_was_left() {
        let mut world = world(there_and_back(), true);
        let left_on = interrupted(&mut world, 32, 2);
        assert!(world.flags(A).has(Flags::JOINING));
        let DriveState::Path { at: kept, .. } = world.drive_state(A) else { panic!("no path") };
        assert!(kept.back, "it was on its way back");
        assert_eq!(steps(&mut world, 4), ["joined"]);
        assert_eq!(world.tile(A), left_on);
        let DriveState::Path { at, .. } = world.drive_state(A) else { panic!("no path") };
        assert_eq!(at, kept);
        steps(&mut world, 2);
        assert_ne!(world.tile(A), left_on, "and on it walks");
        assert_eq!(world.state.saved_patterns, [None]);
    }

    #[test]
    fn without_resume_a_path_starts_at_its_nearest_tile() {
        let mut world = world(there_and_back(), false);
        interrupted(&mut world, 32, 2);
        steps(&mut world, 8);
        let DriveState::Path { at, .. } = world.drive_state(A) else { panic!("no path") };
        assert!(!at.back);
        assert!(world.state.saved_patterns.is_empty());
    }

    #[test]
    fn an_interrupted_return_to_a_path_continues() {
        let mut world = world(there_and_back(), true);
        let left_on = interrupted(&mut world, 6, 8);
        steps(&mut world, 2);
        assert!(world.flags(A).has(Flags::JOINING));
        interrupted(&mut world, 0, 3);
        assert_eq!(steps(&mut world, 40).first(), Some(&"joined"));
        assert_eq!(world.state.saved_patterns, [None]);
        assert!(left_on.y > 2);
    }

    #[test]
    fn steps_resume_at_their_row_and_lists_at_their_pattern() {
        let hop = rows(&[(0.0, 1.0), (0.0, -2.0), (0.0, 1.0), (0.0, 0.0)], true);
        let jig = rows(&[(0.0, 2.0), (2.0, 2.0), (2.0, 2.0), (2.0, 2.0), (2.0, 0.0)], true);
        let mut world = world(vec![hop, jig], true);
        steps(&mut world, 20);
        let (pick, before) = (world.pick(A), world.drive_state(A));
        assert_eq!(pick, 1, "the second");
        interrupted(&mut world, 0, 3);
        let (DriveState::Steps { at, .. }, DriveState::Steps { at: kept, .. }) =
            (world.drive_state(A), before)
        else {
            panic!("no steps")
        };
        assert_eq!((world.pick(A), at.row, at.done), (1, kept.row, kept.done));
        assert!(kept.row > 0);
    }

    #[test]
    fn a_finished_pattern_restarts() {
        let mut world = world(vec![rows(&[(0.0, 6.0)], false)], true);
        while !world.flags(A).has(Flags::FINISHED) {
            step(&mut world);
            assert!(world.frame().0 < 1000);
        }
        interrupted(&mut world, 0, 3);
        assert!(!world.flags(A).has(Flags::FINISHED));
        let DriveState::Steps { at, .. } = world.drive_state(A) else { panic!("no steps") };
        assert_eq!(at.row, 0);
    }

    #[test]
    fn entering_a_mode_resets_the_angular_velocity() {
        let mut world = world(there_and_back(), false);
        for mode in [1, 0] {
            world.state.angular_velocity[0] = 3.0;
            world.enter_mode(A, mode);
            assert_eq!(world.motion(A).angular_velocity, 0.0);
        }
    }

    #[test]
    fn a_thrust_pattern_resumes_its_leg_without_the_turns_in_between() {
        let ahead = Leg { until_moved: Some(6.0), ..Leg::default() };
        let turn = Leg { port: true, until_turned: Some(90.0), ..Leg::default() };
        let heading_from = HeadingFrom::Velocity;
        let square = ThrustPattern { legs: vec![ahead, turn], heading_from, repeat: true };
        let mut world = world(vec![Pattern::Thrust(square)], true);
        steps(&mut world, 60);
        let DriveState::Thrust { at: kept } = world.drive_state(A) else { panic!("no craft") };
        assert!(kept.moved != Vec2::ZERO && kept.direction.is_some(), "{kept:?}");
        interrupted(&mut world, 0, 3);
        let DriveState::Thrust { at } = world.drive_state(A) else { panic!("no craft") };
        assert_eq!(
            (at.leg, at.moved, at.turned, at.direction),
            (kept.leg, kept.moved, kept.turned, None)
        );
        assert_eq!(world.state.saved_patterns, [None]);
    }
}
