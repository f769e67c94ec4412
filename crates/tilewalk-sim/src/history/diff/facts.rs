//! The saved state of an agent as a list of fields with values, in a fixed order: the columns of a
//! trace, then the state that the screen shows, then internal state.
//!
//! Columns that are declared with a name for `diff` are listed automatically. This file lists the
//! other columns, split into parts or combined. It destructures structs in full, so that a new
//! field does not compile until it has a name here.

use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::map::StepError;
use crate::scenario::Scenario;
use crate::words;
use crate::world::Cell;
use crate::world::SavedPattern;
use crate::world::Sight;
use crate::world::World;
use crate::world::progress::{Detectors, EventCounts};

use super::fact::{
    Fact, FactWriter, Field, Of, TILE_X, TILE_Y, count, point_or_nothing, tile_or_nothing,
};
use super::memory;
use super::value::Value;

/// Selects how much of an agent's state to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the fields that a trace contains.
    Columns,
    /// The complete saved state.
    Whole,
}

/// An agent's row in a trace at one frame.
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
    pub fn append(self, facts: &mut Vec<Fact<'a>>) {
        let Self { mode, position, velocity, heading, tile, time } = self;
        let mut add = |word, value| facts.push(Fact { field: Field::plain(word), value });
        add("mode", Value::Word(mode.into()));
        add("x", Value::Number(position.x));
        add("y", Value::Number(position.y));
        add("vx", Value::Number(velocity.x));
        add("vy", Value::Number(velocity.y));
        add("heading", Value::Degrees(heading));
        add(TILE_X, Value::Whole(tile.x.into()));
        add(TILE_Y, Value::Whole(tile.y.into()));
        // Last, because a different time affects all agents and is the least informative
        // difference.
        add("time", Value::Number(time));
    }
}

/// Appends an agent's saved state to `facts`, as far as `depth` requires.
pub(super) fn of<'a>(world: &'a World, id: AgentId, depth: Depth, facts: &mut Vec<Fact<'a>>) {
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
    let mut out = FactWriter::of_agent(facts);
    out.add("heading vector", Value::Point(motion.heading));
    for (name, cell) in world.state().cells(id.index()) {
        match cell {
            Cell::Number(number) => out.add(name, Value::Number(number)),
            Cell::Count(number) => out.add(name, count(number)),
            Cell::Flags(flags) => out.add(name, Value::Flags(flags)),
            Cell::Drive(drive) => memory::append(name, drive, &mut out),
            Cell::Tile(tile) => out.add(name, tile_or_nothing(tile)),
            Cell::Obstruction(reason) => {
                obstruction(name, reason, world.scenario(), &mut out);
            }
        }
    }
    let Detectors { anchor, frames, centre, turned } = world.spot(id);
    out.add("stuck anchor", Value::Point(anchor));
    out.add("frames near stuck anchor", count(frames));
    out.add("circling centre", Value::Point(centre));
    out.add("circling angle", Value::Number(turned));
    let EventCounts { bumps, blocked, stuck, circling } = world.tally(id);
    out.add("bump count", count(bumps));
    out.add("blocked count", count(blocked));
    out.add("stuck count", count(stuck));
    out.add("circling count", count(circling));
    for (mode, left) in world.patterns_to_resume(id) {
        append_left(left, &mut FactWriter { facts, of: Of::Mode(&mode.name) });
    }
    for (&target, &sight) in world.kind(id).watched.iter().zip(world.sights(id)) {
        let target = words::sighted(target, world.scenario());
        append_sight(sight, &mut FactWriter { facts, of: Of::Target(target.into()) });
    }
    for (slot, &heading) in world.recent_headings(id).iter().enumerate() {
        FactWriter { facts, of: Of::Slot(slot) }.add("recent heading", Value::Point(heading));
    }
}

fn append_left(left: Option<SavedPattern>, out: &mut FactWriter) {
    out.add("resume state", Value::Yes(left.is_some()));
    if let Some(SavedPattern { pick, tile, drive }) = left {
        out.add_detail("pattern index", count(u32::from(pick)));
        out.add_detail("tile", Value::Tile(tile));
        memory::append("drive", drive, out);
    }
}

fn append_sight(Sight { seen, at }: Sight, out: &mut FactWriter) {
    out.add("sees", Value::Yes(seen));
    out.add("last known position of", point_or_nothing(at));
}

/// Appends the reason why an agent is blocked, and the tile or agent that blocks it.
fn obstruction(
    name: &'static str,
    reason: Option<Obstruction>,
    scenario: &Scenario,
    out: &mut FactWriter,
) {
    let (word, tile) = match reason {
        None => ("none", None),
        Some(Obstruction::Ground(StepError::Edge)) => ("map edge", None),
        Some(Obstruction::Ground(StepError::Wall(at))) => ("wall", Some(at)),
        Some(Obstruction::Ground(StepError::Obstacle(at))) => ("obstacle", Some(at)),
        Some(Obstruction::Ground(StepError::Corner(at))) => ("corner", Some(at)),
        Some(Obstruction::Agent(_)) => ("agent", None),
        Some(Obstruction::NoRoute) => ("no route", None),
        Some(Obstruction::NoWay) => ("no open tile", None),
    };
    out.add(name, Value::Word(word.into()));
    out.add_detail("blocking tile", tile_or_nothing(tile));
    if let Some(Obstruction::Agent(id)) = reason {
        let name = scenario.name(id).to_string();
        out.add_detail("blocking agent", Value::Word(name.into()));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::{Drive, Mode};
    use crate::body::Body;
    use crate::history::diff::{Comparison, Moment};
    use crate::map::{Edges, Map};
    use crate::pattern::path::PathRules;
    use crate::pattern::{PathPattern, Pattern, Placement};
    use crate::scenario::builder::{Agent, Builder};
    use crate::steering::{Memory, Target};
    use crate::world::State;
    use crate::world::{DriveState, Flags, StepTimer};

    /// Returns a world in which the guard has an entry in every column: the guard smooths its
    /// heading, resumes its patrol, and watches a thief.
    fn world() -> World {
        let vertices = [TilePos::new(0, 0), TilePos::new(4, 0)];
        let pattern = PathPattern::new(&vertices, PathRules::default()).unwrap();
        let patrol = Drive::Pattern {
            name: "round".to_owned(),
            pattern: Arc::new(Pattern::Path(pattern)),
            placement: Placement::Home,
        };
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
    type Change = (&'static str, fn(&mut State));

    const CHANGES: [Change; 21] = [
        ("mode", |state| state.mode[0] = 1),
        ("vx", |state| state.vx[0] = 1.0),
        ("vy", |state| state.vy[0] = -1.0),
        ("angular velocity", |state| state.angular_velocity[0] = 0.5),
        ("flags", |state| state.flags[0].set(Flags::OVERLAPPING, true)),
        ("frames in mode", |state| state.mode_frames[0] += 1),
        ("pattern index", |state| state.pick[0] = 3),
        ("frames until next step", |state| state.drive[0].postpone(1)),
        ("drive", |state| state.drive[0] = DriveState::Steer(Memory::default())),
        ("touched tile", |state| state.touches[0] = Some(TilePos::new(1, 1))),
        ("step blocked by", |state| state.obstruction[0] = Some(Obstruction::NoWay)),
        ("stuck anchor", |state| state.detectors[0].anchor.x += 1.0),
        ("frames near stuck anchor", |state| state.detectors[0].frames += 1),
        ("circling centre", |state| state.detectors[0].centre.y += 1.0),
        ("circling angle", |state| state.detectors[0].turned = 1.0),
        ("blocked count", |state| state.event_counts[0].blocked += 1),
        ("circling count", |state| state.event_counts[0].circling += 1),
        ("resume state (saved for mode patrol)", |state| {
            let drive = DriveState::Chase { aim: None, walk: StepTimer::default() };
            state.saved_patterns[0] =
                Some(SavedPattern { pick: 0, tile: TilePos::new(0, 0), drive });
        }),
        ("sees thief", |state| state.sights[0].seen ^= true),
        ("last known position of thief", |state| state.sights[0].at = Some(Vec2::X)),
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
}
