//! The saved state of an agent as a list of fields with values, in a fixed order: the columns of a
//! trace, then what the screen shows, then internal state.
//!
//! Columns that are declared with a name for `diff` are listed automatically. This file lists the
//! others, in parts or with another column. It destructures structs in full, so a new field does not
//! compile until it has a name here.

use core::fmt;
use std::borrow::Cow;

use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::map::Refusal;
use crate::scenario::Scenario;
use crate::words;
use crate::world::World;
use crate::world::left::Left;
use crate::world::sight::Sight;
use crate::world::state::Cell;
use crate::world::watch::{Spot, Tally};

use super::memory;
use super::value::Value;

/// How much of a world's state to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The columns of a trace.
    Columns,
    /// All saved state.
    Whole,
}

/// The name of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<'a> {
    word: &'static str,
    of: Of<'a>,
    /// Whether the field is a detail of the field before it, and present only for some values of it.
    detail: bool,
}

/// What a field belongs to.
#[derive(Debug, Clone, PartialEq)]
enum Of<'a> {
    /// The agent as a whole.
    Agent,
    /// The saved pattern of a mode, by the name of the mode.
    Mode(&'a str),
    /// A target that the agent watches, by its name.
    Whom(Cow<'a, str>),
    /// A slot of the last headings.
    Slot(usize),
}

impl Field<'_> {
    /// Returns a field that every agent has.
    fn plain(word: &'static str) -> Self {
        Self { word, of: Of::Agent, detail: false }
    }

    /// Returns true if the field is present only for some values of the field before it.
    pub fn is_detail(&self) -> bool {
        self.detail
    }

    /// Returns true if the field follows from other fields and jumps where they change slowly.
    pub fn is_derived(&self) -> bool {
        matches!(self.word, TILE_X | TILE_Y) && self.of == Of::Agent
    }
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Of::Agent => f.write_str(self.word),
            Of::Mode(mode) => write!(f, "{} (saved for mode {mode})", self.word),
            Of::Whom(whom) => write!(f, "{} {whom}", self.word),
            Of::Slot(slot) => write!(f, "{} {slot}", self.word),
        }
    }
}

/// A field and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<'a> {
    /// The name of the value.
    pub field: Field<'a>,
    /// The value.
    pub value: Value<'a>,
}

const TILE_X: &str = "tile_x";
const TILE_Y: &str = "tile_y";

/// An agent's row in a trace at one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Columns<'a> {
    pub mode: &'a str,
    pub position: Vec2,
    pub velocity: Vec2,
    /// In degrees.
    pub heading: f32,
    pub tile: TilePos,
    /// In seconds.
    pub time: f32,
}

impl<'a> Columns<'a> {
    pub fn tell(self, facts: &mut Vec<Fact<'a>>) {
        let Self { mode, position, velocity, heading, tile, time } = self;
        let mut tell = |word, value| facts.push(Fact { field: Field::plain(word), value });
        tell("mode", Value::Word(mode.into()));
        tell("x", Value::Number(position.x));
        tell("y", Value::Number(position.y));
        tell("vx", Value::Number(velocity.x));
        tell("vy", Value::Number(velocity.y));
        tell("heading", Value::Degrees(heading));
        tell(TILE_X, Value::Whole(tile.x.into()));
        tell(TILE_Y, Value::Whole(tile.y.into()));
        // Last, because a different time differs for all agents and says least.
        tell("time", Value::Number(time));
    }
}

/// Appends facts that belong to the same thing.
pub(super) struct Teller<'a, 'b> {
    facts: &'b mut Vec<Fact<'a>>,
    of: Of<'a>,
}

impl<'a, 'b> Teller<'a, 'b> {
    pub fn of_agent(facts: &'b mut Vec<Fact<'a>>) -> Self {
        Self { facts, of: Of::Agent }
    }

    pub fn tell(&mut self, word: &'static str, value: Value<'a>) {
        self.push(word, value, false);
    }

    pub fn detail(&mut self, word: &'static str, value: Value<'a>) {
        self.push(word, value, true);
    }

    fn push(&mut self, word: &'static str, value: Value<'a>, detail: bool) {
        let field = Field { word, of: self.of.clone(), detail };
        self.facts.push(Fact { field, value });
    }
}

/// Appends the saved state of an agent to `facts`.
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
    columns.tell(facts);
    if depth == Depth::Columns {
        return;
    }
    let mut about = Teller::of_agent(facts);
    about.tell("heading vector", Value::Point(motion.heading));
    for (name, cell) in world.state().cells(id.index()) {
        match cell {
            Cell::Number(number) => about.tell(name, Value::Number(number)),
            Cell::Count(number) => about.tell(name, count(number)),
            Cell::Flags(flags) => about.tell(name, Value::Flags(flags)),
            Cell::Drive(drive) => memory::tell(name, drive, &mut about),
            Cell::Tile(tile) => about.tell(name, tile_or_nothing(tile)),
            Cell::Obstruction(reason) => {
                obstruction(name, reason, world.scenario(), &mut about);
            }
        }
    }
    let Spot { anchor, frames, centre, turned } = world.spot(id);
    about.tell("stuck anchor", Value::Point(anchor));
    about.tell("frames near stuck anchor", count(frames));
    about.tell("circling centre", Value::Point(centre));
    about.tell("circling angle", Value::Number(turned));
    let Tally { bumps, blocked, stuck, circling } = world.tally(id);
    about.tell("bump count", count(bumps));
    about.tell("blocked count", count(blocked));
    about.tell("stuck count", count(stuck));
    about.tell("circling count", count(circling));
    for (mode, left) in world.left_patterns(id) {
        tell_left(left, &mut Teller { facts, of: Of::Mode(&mode.name) });
    }
    for (&whom, &sight) in world.kind(id).watched.iter().zip(world.sights(id)) {
        let whom = words::sighted(whom, world.scenario());
        tell_sight(sight, &mut Teller { facts, of: Of::Whom(whom.into()) });
    }
    for (slot, &heading) in world.recent_headings(id).iter().enumerate() {
        Teller { facts, of: Of::Slot(slot) }.tell("recent heading", Value::Point(heading));
    }
}

pub(super) fn count<'a>(number: u32) -> Value<'a> {
    Value::Whole(number.into())
}

pub(super) fn tile_or_nothing<'a>(tile: Option<TilePos>) -> Value<'a> {
    tile.map_or(Value::Nothing, Value::Tile)
}

pub(super) fn point_or_nothing<'a>(point: Option<Vec2>) -> Value<'a> {
    point.map_or(Value::Nothing, Value::Point)
}

fn tell_left(left: Option<Left>, about: &mut Teller) {
    about.tell("resume state", Value::Yes(left.is_some()));
    if let Some(Left { pick, tile, drive }) = left {
        about.detail("pattern index", count(u32::from(pick)));
        about.detail("tile", Value::Tile(tile));
        memory::tell("drive", drive, about);
    }
}

fn tell_sight(Sight { seen, at }: Sight, about: &mut Teller) {
    about.tell("sees", Value::Yes(seen));
    about.tell("last known position of", point_or_nothing(at));
}

/// Appends the reason why the last step was refused, and the tile or agent that refused it.
fn obstruction(
    name: &'static str,
    reason: Option<Obstruction>,
    scenario: &Scenario,
    about: &mut Teller,
) {
    let (word, tile) = match reason {
        None => ("none", None),
        Some(Obstruction::Ground(Refusal::Edge)) => ("map edge", None),
        Some(Obstruction::Ground(Refusal::Wall(at))) => ("wall", Some(at)),
        Some(Obstruction::Ground(Refusal::Obstacle(at))) => ("obstacle", Some(at)),
        Some(Obstruction::Ground(Refusal::Corner(at))) => ("corner", Some(at)),
        Some(Obstruction::Agent(_)) => ("agent", None),
        Some(Obstruction::NoRoute) => ("no route", None),
        Some(Obstruction::NoWay) => ("no open tile", None),
    };
    about.tell(name, Value::Word(word.into()));
    about.detail("blocking tile", tile_or_nothing(tile));
    if let Some(Obstruction::Agent(id)) = reason {
        let name = scenario.name(id).to_string();
        about.detail("blocking agent", Value::Word(name.into()));
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
    use crate::world::state::State;
    use crate::world::{DriveState, Flags, Walk};

    /// Returns a world in which the guard has an entry in every column: it smooths its heading, its
    /// patrol resumes, and it watches a thief.
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

    /// The expected name of a difference, and the change of the state that causes it.
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
        ("stuck anchor", |state| state.spots[0].anchor.x += 1.0),
        ("frames near stuck anchor", |state| state.spots[0].frames += 1),
        ("circling centre", |state| state.spots[0].centre.y += 1.0),
        ("circling angle", |state| state.spots[0].turned = 1.0),
        ("blocked count", |state| state.tallies[0].blocked += 1),
        ("circling count", |state| state.tallies[0].circling += 1),
        ("resume state (saved for mode patrol)", |state| {
            let drive = DriveState::Chase { aim: None, walk: Walk::default() };
            state.left[0] = Some(Left { pick: 0, tile: TilePos::new(0, 0), drive });
        }),
        ("sees thief", |state| state.sights[0].seen ^= true),
        ("last known position of thief", |state| state.sights[0].at = Some(Vec2::X)),
        ("recent heading 1", |state| state.recent[1] = Vec2::Y),
    ];

    #[test]
    fn whatever_is_saved_is_told_by_its_name_alone() {
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
