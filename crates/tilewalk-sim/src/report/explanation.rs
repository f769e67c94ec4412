//! The state of an agent at a frame, and why the agent moved: the result of `tilewalk explain`.
#![expect(missing_docs, reason = "docs/explain.md describes each field of the JSON object")]

pub mod pattern;
pub mod steering;
pub mod target;

use serde::Serialize;

use crate::agent::{Drive, Rule};
use crate::condition::Condition;
use crate::event;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::locomotion::contacts::TOUCHING;
use crate::map::StepError;
use crate::step::{self, Due};
use crate::trace::{TraceValue, ValueColumn};
use crate::words;
use crate::world::{Flags, Look, World};

use super::frame::State;
use super::modes;
use super::parts::{Part, deciding_terms, parts};
use super::{DirectionName, Tile, tile, tile_text};

use pattern::Pattern;
use steering::Steering;
use target::Target;

/// The state of an agent at a frame, and why the agent moved. The fields have the same names as in
/// `tilewalk explain --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Path of the map file. Empty if the caller sets none.
    pub file: String,
    pub title: String,
    pub frame: u64,
    pub time: f32,
    pub seed: u64,
    pub agent: String,
    pub mode: String,
    pub drive: &'static str,
    pub frames_in_mode: u32,
    pub time_in_mode: f32,
    pub before: Option<State>,
    pub now: State,
    pub max_speed: f32,
    pub radius: f32,
    pub flags: Vec<&'static str>,
    pub touches: Option<Tile>,
    pub touched_wall: Option<String>,
    pub bodies: Vec<BodyContact>,
    pub obstruction: Option<ObstructionReport>,
    /// Names of the deadlocked agents, starting with the agent that this agent waits for. `None`
    /// without a deadlock.
    pub deadlock: Option<Vec<String>>,
    /// Name and number of the behaviour that makes the vehicle jitter, such as `alignment (behaviour
    /// 2)`. `None` without a jitter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<String>,
    pub rules: Vec<Transition>,
    /// The conditions that can remove the agent in its current mode. Empty for agents that are
    /// never removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removal: Vec<Removal>,
    pub steering: Option<Steering>,
    pub pattern: Option<Pattern>,
    pub target: Option<Target>,
    /// The additional values of an agent that follows a trace, in the order of the columns. Missing
    /// values are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<TracedValue>,
    /// The agent's attempt to step to a neighbouring tile in this frame. `None` if no step was due.
    #[serde(skip)]
    pub attempt: Option<Attempt>,
    pub events: Vec<Event>,
}

/// Another solid body that the agent's solid body touches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BodyContact {
    pub agent: String,
    /// Depth of the overlap in tiles. 0 if the bodies only touch.
    pub overlap: f32,
}

/// The reason why an agent is blocked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObstructionReport {
    pub reason: &'static str,
    pub tile: Option<Tile>,
    pub agent: Option<String>,
    pub wall: Option<String>,
    /// The agents that block each other: the agent that blocks this one, the agent that blocks that
    /// one, and so on. Empty if the ground blocks the agent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<String>,
    /// The reason why the last agent of the chain does not move on. Empty without a chain.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub cause: String,
    pub text: String,
}

/// A transition of the agent's mode, with the result of its test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transition {
    pub to: String,
    /// The drive of the new mode, such as `travel gold`. Empty if the new mode has the name of its
    /// drive.
    pub drive: String,
    pub when: String,
    pub holds: bool,
    pub parts: Vec<Part>,
    /// The terms that would allow the transition, or that would have prevented it.
    pub decides: String,
}

impl Transition {
    /// Returns the new mode with its drive, such as `run (travel gold)`.
    pub fn target_text(&self) -> String {
        match self.drive.as_str() {
            "" => self.to.clone(),
            drive => format!("{} ({drive})", self.to),
        }
    }
}

/// A condition that removes the agent from the world, with the result of its test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Removal {
    pub when: String,
    pub holds: bool,
    pub parts: Vec<Part>,
}

/// An agent's attempt to step to a neighbouring tile, in a frame in which a step was due.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attempt {
    #[serde(rename = "for")]
    pub purpose: &'static str,
    pub way: Option<DirectionName>,
    pub to: Option<Tile>,
    pub refused: Option<ObstructionReport>,
}

/// An additional value of an agent that follows a trace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TracedValue {
    pub name: String,
    pub value: NumberOrText,
}

impl TracedValue {
    /// Returns the name and the value as text. The two numbers of a vector, such as `aim.x` and
    /// `aim.y`, are one entry: `aim` with `(1.5, 2.0)`.
    pub fn lines(values: &[Self]) -> Vec<(String, String)> {
        let number = |name: &str| {
            let found = values.iter().find(|value| value.name == name)?;
            if let NumberOrText::Number(number) = found.value { Some(number) } else { None }
        };
        let vector = |name: &str| {
            let (stem, part) =
                name.rsplit_once('.').filter(|(_, part)| matches!(*part, "x" | "y"))?;
            let (x, y) = (number(&format!("{stem}.x"))?, number(&format!("{stem}.y"))?);
            Some((stem.to_owned(), part == "x", format!("({x}, {y})")))
        };
        let line = |value: &Self| match (vector(&value.name), &value.value) {
            (Some((stem, is_first, text)), _) => is_first.then_some((stem, text)),
            (None, NumberOrText::Number(number)) => Some((value.name.clone(), number.to_string())),
            (None, NumberOrText::Text(text)) => Some((value.name.clone(), text.clone())),
        };
        values.iter().filter_map(line).collect()
    }
}

/// A number or a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum NumberOrText {
    Number(f32),
    Text(String),
}

/// Returns the additional values of an agent that follows a trace.
fn values(world: &World, id: AgentId) -> Vec<TracedValue> {
    let Some(traced) = &world.scenario().traced else { return Vec::new() };
    let columns = traced.trace.columns().iter().enumerate();
    let value = |(index, column): (usize, &ValueColumn)| {
        let value = match traced.trace.value(id, world.frame(), index)? {
            TraceValue::Number(number) => NumberOrText::Number(number),
            TraceValue::Text(text) => NumberOrText::Text(text.to_owned()),
        };
        Some(TracedValue { name: column.name.clone(), value })
    };
    columns.filter_map(value).collect()
}

/// An event that happened to the agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    pub event: &'static str,
    pub text: String,
}

/// The input of a report: an agent, a frame, and the step that led to the frame.
#[derive(Debug, Clone, Copy)]
pub struct AgentStep<'a> {
    pub agent: AgentId,
    /// World at the previous frame; `None` if it is unknown. Transitions are then tested at the
    /// frame `now`.
    pub before: Option<&'a World>,
    pub now: &'a World,
    /// Explanation of the step that moved the agent. `None` at frame 0.
    pub why: Option<&'a step::Explanation>,
}

impl AgentStep<'_> {
    /// Creates the report on the agent's state and motion at the frame `now`. `file` stays empty.
    pub fn report(&self) -> Explanation {
        let (world, id) = (self.now, self.agent);
        let scenario = world.scenario();
        let mode = world.mode(id);
        let frames = world.frames_in_mode(id);
        let events = world
            .events()
            .iter()
            .filter(|event| event.agent == id && event.number == world.number(id));
        let before = self.before();
        let (tested, tester) = before.unwrap_or((world, id));
        let traced = scenario.is_traced(id);
        Explanation {
            file: String::new(),
            title: scenario.title.clone(),
            frame: world.frame().0,
            time: world.time(),
            seed: scenario.seed,
            agent: world.name(id).to_string(),
            mode: mode.name.clone(),
            drive: if traced { "trace" } else { mode.drive.word() },
            frames_in_mode: frames,
            time_in_mode: world.seconds_in_mode(id),
            before: before.map(|(before, was)| State::of(before, was)),
            now: State::of(world, id),
            max_speed: world.body(id).max_speed,
            radius: world.body(id).radius,
            flags: world.flags(id).words().collect(),
            touches: world.touches(id).map(|touch| tile(touch.tile)),
            touched_wall: world
                .touches(id)
                .and_then(|touch| Some(words::wall(&scenario.map, touch.wall?))),
            bodies: bodies(world, id),
            // A deadlocked vehicle is not blocked, but has an obstruction, too.
            obstruction: world
                .obstruction(id)
                .filter(|_| world.flags(id).has(Flags::BLOCKED))
                .map(|reason| ObstructionReport::of(reason, world).with_chain(world, id)),
            deadlock: world.flags(id).has(Flags::DEADLOCKED).then(|| {
                let cycle = step::deadlock_of(world, id).into_iter();
                cycle.map(|id| world.name(id).to_string()).collect()
            }),
            jitter: self.jitter().filter(|_| !traced),
            rules: if traced { Vec::new() } else { transitions(tested, tester) },
            removal: if traced { Vec::new() } else { removals(tested, tester) },
            steering: self.steering().filter(|_| !traced),
            pattern: self.pattern().filter(|_| !traced),
            target: self.target().filter(|_| !traced),
            values: values(world, id),
            attempt: self.attempt(),
            events: events
                .map(|event| Event {
                    event: event.kind.word(),
                    text: words::event(event, world.scenario(), world),
                })
                .collect(),
        }
    }

    /// Returns the behaviour that makes the vehicle jitter: the one that brakes most in this frame.
    fn jitter(&self) -> Option<String> {
        let why = self.why.filter(|_| self.now.detectors(self.agent).jitters())?;
        let (before, was) = self.before()?;
        let row = why.forces.brake(before.velocity(was))?;
        Some(words::behaviour(why.forces.rows[row].behaviour, row))
    }

    /// Returns the world at the previous frame, and the agent's id in that world. Returns `None` if
    /// that frame is unknown, or if the agent was not in the world.
    pub(super) fn before(&self) -> Option<(&World, AgentId)> {
        let before = self.before?;
        // A reload can change ids, and a new instance can have the id of a removed one.
        let was = self.now.same_agent(self.agent, before)?;
        Some((before, was))
    }

    /// Returns the agent's attempt to step to a neighbouring tile. Returns `None` if no step was
    /// due or the attempt is unknown.
    pub(super) fn attempt(&self) -> Option<Attempt> {
        let step::StepAttempt { due, direction: way, refused } = self.why?.attempt?;
        let (world, id) = self.before().unwrap_or((self.now, self.agent));
        let from = world.tile(id);
        Some(Attempt {
            purpose: match due {
                Due::Pattern => "pattern",
                Due::Join => "join",
                Due::Keys => "keys",
                Due::Target => "target",
            },
            way: way.map(DirectionName),
            to: way.map(|way| self.on_map(from.neighbour(way))),
            refused: refused.map(|reason| ObstructionReport::of(reason, self.now)),
        })
    }

    /// Converts the coordinates of a tile to its coordinates on the map. On a map that wraps,
    /// several coordinates refer to the same tile.
    pub(super) fn on_map(&self, at: TilePos) -> Tile {
        tile(self.now.scenario().map.resolve(at).unwrap_or(at))
    }
}

impl ObstructionReport {
    fn of(reason: event::Obstruction, world: &World) -> Self {
        use event::Obstruction::{Agent, Ground, NoRoute, NoWay};
        let (word, at, agent) = match reason {
            Ground(StepError::Edge) => ("edge", None, None),
            Ground(StepError::Wall(at)) => ("wall", Some(at), None),
            Ground(StepError::Obstacle(at)) => ("obstacle", Some(at), None),
            Ground(StepError::FreeWall(at, _)) => ("free wall", Some(at), None),
            Ground(StepError::Corner(at)) => ("corner", Some(at), None),
            Agent(id) => ("agent", None, Some(world.name(id).to_string())),
            NoRoute => ("no route", None, None),
            NoWay => ("no way", None, None),
        };
        let wall = match reason {
            Ground(StepError::FreeWall(_, id)) => Some(words::wall(&world.scenario().map, id)),
            Ground(_) | Agent(_) | NoRoute | NoWay => None,
        };
        let text = words::obstruction(reason, &world.scenario().map, |id| world.name(id));
        let chain = Vec::new();
        Self { reason: word, tile: at.map(tile), agent, wall, chain, cause: String::new(), text }
    }

    /// Adds the agents that block the blocker, and the reason why the last of them does not move
    /// on.
    fn with_chain(self, world: &World, id: AgentId) -> Self {
        let ids = step::blockers_of(world, id);
        let Some(&last) = ids.last() else { return self };
        let earlier = [id].into_iter().chain(ids[..ids.len() - 1].iter().copied());
        let repeats = earlier.into_iter().any(|earlier| earlier == last);
        let cause =
            if repeats { "blocked in a cycle".to_owned() } else { why_it_stays(world, last) };
        let chain = ids.iter().map(|&id| world.name(id).to_string()).collect();
        Self { chain, cause, ..self }
    }

    /// Returns the reason in one line: the whole chain of agents with its cause, such as `carrier ←
    /// cart (stands still)`, or what on the ground blocks the agent.
    pub fn line(&self) -> String {
        if self.chain.is_empty() {
            return self.text.clone();
        }
        format!("{} ({})", self.chain.join(" ← "), self.cause)
    }
}

/// Describes why an agent that blocks another one does not move on.
pub(crate) fn why_it_stays(world: &World, id: AgentId) -> String {
    let flags = world.flags(id);
    let ground = world.obstruction(id).filter(|_| flags.has(Flags::BLOCKED));
    if let Some(reason) = ground {
        let map = &world.scenario().map;
        return format!("blocked: {}", words::obstruction(reason, map, |id| world.name(id)));
    }
    let stands = matches!(world.mode(id).drive, Drive::Stand);
    match () {
        () if stands => "stands still".to_owned(),
        () if flags.has(Flags::QUARANTINED) => "quarantined".to_owned(),
        () if flags.has(Flags::ARRIVED) => "has arrived".to_owned(),
        () if flags.has(Flags::FINISHED) => "has finished its pattern".to_owned(),
        () if world.is_on_tiles(id) => format!("steps {}", words::due(world.step_due_in(id))),
        () if world.velocity(id) == Vec2::ZERO => "stands still".to_owned(),
        () => "moves on".to_owned(),
    }
}

/// Returns the solid bodies that an agent's solid body touches.
fn bodies(world: &World, id: AgentId) -> Vec<BodyContact> {
    let map = &world.scenario().map;
    let solid = |&other: &AgentId| world.body(id).solid && world.body(other).solid && other != id;
    let contact = |other: AgentId| {
        let distance = map.offset(world.position(id), world.position(other)).length();
        let overlap = world.body(id).radius + world.body(other).radius - distance;
        let agent = world.name(other).to_string();
        (overlap >= -TOUCHING).then(|| BodyContact { agent, overlap: overlap.max(0.0) })
    };
    world.ids().filter(solid).filter_map(contact).collect()
}

impl Explanation {
    /// Describes what the agent's body touches: a tile or free wall, and other bodies. Returns
    /// `None` if the body touches nothing.
    pub fn touched(&self) -> Option<String> {
        let wall = self.touched_wall.as_deref().map(|wall| format!("{wall} at"));
        let what = wall.as_deref().unwrap_or("tile");
        let tile = self.touches.map(|at| format!("{what} {}", tile_text(at)));
        let all: Vec<_> =
            tile.into_iter().chain(self.bodies.iter().map(BodyContact::text)).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

impl BodyContact {
    /// Returns the name of the other agent. If the bodies overlap, adds the depth of the overlap in
    /// tiles.
    pub fn text(&self) -> String {
        if self.overlap <= TOUCHING {
            return self.agent.clone();
        }
        format!("{} (overlap {:.3} tiles)", self.agent, self.overlap)
    }
}

/// Tests the transitions of an agent's current mode.
fn transitions(world: &World, id: AgentId) -> Vec<Transition> {
    let modes = &world.kind(id).modes;
    let rules = world.mode(id).rules.iter().enumerate();
    let test = |(index, rule): (usize, &Rule)| {
        let look = Look { rule: index as u32, ..Look::at(world) };
        let (to, holds) = (modes.get(usize::from(rule.to)), rule.when.holds(&look, Some(id)));
        let parts = parts(&rule.when, &look, Some(id));
        Transition {
            to: to.map_or("?", |mode| &mode.name).to_owned(),
            drive: to.map_or_else(String::new, |mode| modes::drive_text(mode, world.scenario())),
            when: rule.when.text().to_owned(),
            holds,
            decides: deciding_terms(&parts, holds),
            parts,
        }
    };
    rules.map(test).collect()
}

/// Evaluates the conditions that remove an agent in its current mode. Also returns the conditions
/// that do not hold.
fn removals(world: &World, id: AgentId) -> Vec<Removal> {
    let test = |(number, when): (u32, &Condition)| {
        let look = Look { rule: number, ..Look::at(world) };
        Removal {
            when: when.text().to_owned(),
            holds: when.holds(&look, Some(id)),
            parts: parts(when, &look, Some(id)),
        }
    };
    step::removal_conditions(world, id).map(test).collect()
}

impl Attempt {
    /// Describes the direction and target tile of the step. If the step was blocked, adds the
    /// reason.
    pub fn text(&self) -> String {
        let purpose = if self.purpose == "join" { ", joining the pattern" } else { "" };
        let text = match (self.way, self.to) {
            (Some(DirectionName(way)), Some(to)) => {
                format!("{} to {}{purpose}", way.word(), tile_text(to))
            }
            _ => format!("due, no move{purpose}"),
        };
        match &self.refused {
            None => text,
            Some(reason) => format!("{text}, blocked: {}", reason.text),
        }
    }

    /// Returns a short description of the step, such as `step → E, blocked`.
    pub fn short_text(&self) -> String {
        let way = self.way.map_or_else(String::new, |way| format!(" {}", words::compass(way.0)));
        let blocked = if self.refused.is_some() { ", blocked" } else { "" };
        format!("step{way}{blocked}")
    }
}
