//! The saved state of an agent as a list of fields with values, in a fixed order. The columns of a
//! trace come first, then the state that the screen shows, then internal state.
//!
//! The declaration of a state column can contain a name for `diff`. These columns are listed
//! automatically. This file lists all others.

use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::trace::TraceValue;
use crate::world::World;
use crate::world::saved::Saved;

use super::StateValue;
use super::{FactWriter, HEADING, HEADING_VECTOR, Of, StateFact, StateField};
use super::{TILE_X, TILE_Y, VX, VY};

/// Selects how much of an agent's state to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the fields that a trace contains.
    Columns,
    /// The complete saved state.
    Whole,
}

/// An agent's values in the columns of a trace at one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns<'a> {
    pub mode: &'a str,
    pub position: Vec2,
    pub velocity: Vec2,
    /// Heading in degrees, clockwise from east.
    pub heading: f32,
    pub tile: TilePos,
    /// Time since frame 0, in seconds.
    pub time: f32,
}

impl<'a> Columns<'a> {
    pub fn append(self, facts: &mut Vec<StateFact<'a>>) {
        let Self { mode, position, velocity, heading, tile, time } = self;
        let mut add = |word, value| facts.push(StateFact { field: StateField::plain(word), value });
        add("mode", StateValue::Word(mode.into()));
        add("x", StateValue::Number(position.x));
        add("y", StateValue::Number(position.y));
        add(VX, StateValue::Number(velocity.x));
        add(VY, StateValue::Number(velocity.y));
        add(HEADING, StateValue::Degrees(heading));
        add(TILE_X, StateValue::Whole(tile.x.into()));
        add(TILE_Y, StateValue::Whole(tile.y.into()));
        // Last, because a different time affects all agents and is the least informative
        // difference.
        add("time", StateValue::Number(time));
    }
}

/// Appends an agent's saved state to `facts`. `depth` selects the fields.
pub(super) fn of<'a>(world: &'a World, id: AgentId, depth: Depth, facts: &mut Vec<StateFact<'a>>) {
    let motion = world.motion(id);
    let columns = Columns {
        mode: &world.mode(id).name,
        position: motion.position,
        velocity: motion.velocity,
        heading: world.heading_degrees(id),
        tile: world.tile(id),
        time: world.time(),
    };
    columns.append(facts);
    if depth == Depth::Columns {
        return;
    }
    let scenario = world.scenario();
    append_values(world, id, facts);
    let mut out = FactWriter { facts, of: Of::Agent, world };
    motion.heading.visit(HEADING_VECTOR, &mut out);
    world.state().visit_named(id.index(), &mut out);
    if let Some(birth) = world.birth(id) {
        birth.visit("", &mut out);
    }
    for (mode, left) in world.patterns_to_resume(id) {
        out.of = Of::Mode(&mode.name);
        left.visit("resume state", &mut out);
    }
    for (&target, sight) in world.kind(id).watched.iter().zip(world.sights(id)) {
        out.of = Of::Target(scenario.sight_name(target).into());
        sight.visit("", &mut out);
    }
    if let Some(slot) = world.oscillation_slot(id) {
        out.of = Of::Agent;
        world.state().oscillation[slot].visit("oscillation detector", &mut out);
    }
    for (slot, heading) in world.recent_headings(id).iter().enumerate() {
        out.of = Of::Slot(slot);
        heading.visit("recent heading", &mut out);
    }
}

/// Appends the values that another program wrote beside the motion of an agent.
fn append_values<'a>(world: &'a World, id: AgentId, facts: &mut Vec<StateFact<'a>>) {
    let Some(trace) = world.scenario().trace_of(id) else { return };
    for (index, column) in trace.columns().iter().enumerate() {
        let value = match trace.value(id, world.frame(), index) {
            Some(TraceValue::Number(number)) => StateValue::Number(number),
            Some(TraceValue::Text(text)) => StateValue::Word(text.into()),
            None => StateValue::Nothing,
        };
        let field = StateField { word: "", of: Of::Value(&column.name), detail: false };
        facts.push(StateFact { field, value });
    }
}

/// Returns the state of a spawn rule. `rule` is the rule's index in the scenario.
pub(super) fn of_rule(world: &World, rule: usize) -> Vec<StateFact<'_>> {
    let mut facts = Vec::new();
    let mut out = FactWriter { facts: &mut facts, of: Of::Agent, world };
    world.spawners()[rule].visit("", &mut out);
    facts
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::{Drive, Mode, Placed};
    use crate::body::Body;
    use crate::event::Obstruction;
    use crate::geom::Direction;
    use crate::history::diff::{Comparison, Moment};
    use crate::map::Touch;
    use crate::map::{Edges, Map};
    use crate::pattern::matrix::MatrixState;
    use crate::pattern::path::{PathRules, PathState};
    use crate::pattern::steps::StepsState;
    use crate::pattern::thrust::ThrustState;
    use crate::pattern::{PathPattern, Pattern, Placement};
    use crate::scenario::builder::{Agent, Builder};
    use crate::steering::{Memory, Target};
    use crate::world::State;
    use crate::world::oscillation::OscillationDetector;
    use crate::world::{ChaseLine, RouteProgress};
    use crate::world::{DriveState, Flags, SavedPattern, StepTimer};

    /// Returns a world in which the guard has an entry in every column: the guard smooths its
    /// heading, resumes its patrol, and watches a thief.
    fn world() -> World {
        let vertices = [TilePos::new(0, 0), TilePos::new(4, 0)];
        let pattern = PathPattern::new(&vertices, PathRules::default()).unwrap();
        let patrol = Drive::Pattern(Placed {
            name: "round".to_owned(),
            pattern: Arc::new(Pattern::Path(pattern)),
            placement: Placement::Home,
        });
        let map = Map::drawn(&["........"; 4], Edges::Wall).unwrap();
        let mut builder = Builder::new(map);
        let body = Body { smoothing: 2, ..Body::default() };
        let chase = Drive::Chase { target: Target::Agent(AgentId(1)) };
        builder.add(
            Agent::new("guard", Vec2::new(0.5, 0.5))
                .body(body)
                .mode(Mode { resume: true, ..Mode::new("patrol".to_owned(), 4, patrol) })
                .mode(Mode::new("chase".to_owned(), 4, chase))
                .switch("patrol", "sees(thief)", "chase"),
        );
        builder.add(Agent::new("thief", Vec2::new(6.5, 2.5)));
        World::new(Arc::new(builder.build().unwrap()))
    }

    /// The expected field name of a difference, and the state change that causes the difference.
    type StateChange = (&'static str, fn(&mut State));

    const CHANGES: [StateChange; 23] = [
        ("mode", |state| state.mode[0] = 1),
        ("vx", |state| state.vx[0] = 1.0),
        ("vy", |state| state.vy[0] = -1.0),
        ("angular velocity", |state| state.angular_velocity[0] = 0.5),
        ("flags", |state| state.flags[0].set(Flags::IN_CONTACT, true)),
        ("frames in mode", |state| state.mode_frames[0] += 1),
        ("pattern index", |state| state.pick[0] = 3),
        ("frames until next step", |state| state.drive[0].postpone(1)),
        ("drive", |state| state.drive[0] = DriveState::Steer(Memory::default())),
        ("touched tile", |state| {
            state.touches[0] = Some(Touch { tile: TilePos::new(1, 1), wall: None });
        }),
        ("step blocked by", |state| state.obstruction[0] = Some(Obstruction::NoWay)),
        ("stuck anchor", |state| state.detectors[0].anchor.x += 1.0),
        ("frames near stuck anchor", |state| state.detectors[0].frames += 1),
        ("circling centre", |state| state.detectors[0].centre.y += 1.0),
        ("circling angle", |state| state.detectors[0].turned = 1.0),
        ("blocked count", |state| state.event_counts[0].blocked += 1),
        ("circling count", |state| state.event_counts[0].circling += 1),
        ("resume state (saved for mode patrol)", |state| {
            let drive = DriveState::Chase { aim: None, timer: StepTimer::default() };
            state.saved_patterns[0] =
                Some(SavedPattern { pick: 0, tile: TilePos::new(0, 0), drive });
        }),
        ("sees thief", |state| state.sights[0].seen ^= true),
        ("last known position of thief", |state| state.sights[0].at = Some(Vec2::X)),
        ("oscillation detector", |state| {
            state.oscillation[0] = Some(OscillationDetector::default());
        }),
        ("deadlocked count", |state| state.event_counts[0].deadlocked += 1),
        ("recent heading 1", |state| state.recent[1] = Vec2::Y),
    ];

    #[test]
    fn a_changed_value_is_reported_under_its_own_name() {
        let world = world();
        for (word, change) in CHANGES {
            let mut other = world.clone();
            change(&mut other.state);
            assert_ne!(world.hash(), other.hash(), "{word}: the change has no effect");
            let mut comparison = Comparison::new(0.0);
            comparison.add(Moment::World(&world), Moment::World(&other));
            let found = comparison.differences();
            let fields: Vec<_> = found.iter().map(|each| each.field.as_str()).collect();
            assert_eq!(fields[0], word);
            // The saved pattern of a mode includes its drive.
            assert!(
                fields[1..].iter().all(|field| field.ends_with("(saved for mode patrol)")),
                "{fields:?}"
            );
            assert_eq!((found[0].agent.as_str(), found[0].frame.0), ("guard", 0));
            assert_ne!(found[0].a.to_string(), found[0].b.to_string(), "{word}");
        }
    }

    #[test]
    fn a_difference_in_the_state_of_any_drive_is_listed() {
        let (tile, timer) = (TilePos::new(3, 4), StepTimer { due_in: 2 });
        let steps = StepsState { row: 1, done: 0, begun: false, moved: 0.0, pace: 4 };
        let progress = RouteProgress { from: tile, ..RouteProgress::default() };
        let thrust = ThrustState::default();
        let pairs = [
            (
                "flow field has no route",
                [false, true]
                    .map(|no_route| DriveState::Steer(Memory { no_route, ..Memory::default() })),
            ),
            (
                "walking path backwards",
                [false, true]
                    .map(|back| DriveState::Path { at: PathState { index: 1, back }, timer }),
            ),
            (
                "last step",
                [None, Some(Direction::East)]
                    .map(|came_by| DriveState::Matrix { at: MatrixState { came_by }, timer }),
            ),
            (
                "distance moved in row",
                [0.0, 1.0]
                    .map(|moved| DriveState::Steps { at: StepsState { moved, ..steps }, timer }),
            ),
            (
                "last direction",
                [None, Some(Vec2::X)].map(|direction| DriveState::Thrust {
                    at: ThrustState { direction, ..thrust },
                }),
            ),
            ("frames until next step", [None, Some(timer)].map(|timer| DriveState::Keys { timer })),
            (
                "steps along chase line",
                [1, 2].map(|done| DriveState::Chase {
                    aim: Some(ChaseLine { from: tile, to: tile, done }),
                    timer,
                }),
            ),
            (
                "tile fled from",
                [None, Some(tile)].map(|from| DriveState::FleeTiles { from, timer }),
            ),
            (
                "tiles occupied at route start",
                [1, 2].map(|held| DriveState::Travel {
                    progress: Some(RouteProgress { held, ..progress }),
                    timer,
                }),
            ),
            (
                "has route",
                [Some(progress), None].map(|progress| DriveState::Travel { progress, timer }),
            ),
        ];
        for (word, drives) in pairs {
            let world = world();
            let [one, two] = drives.map(|drive| {
                let mut facts = Vec::new();
                let mut out = FactWriter { facts: &mut facts, of: Of::Agent, world: &world };
                drive.visit("drive", &mut out);
                facts
            });
            let differs = |fact: &&StateFact| {
                two.iter().any(|other| other.field == fact.field && other.value != fact.value)
            };
            let fields: Vec<_> =
                one.iter().filter(differs).map(|fact| fact.field.to_string()).collect();
            assert_eq!(fields, [word]);
        }
    }
}
