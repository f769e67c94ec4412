//! The state machine of an agent: its modes, the targets it perceives, and its memory.

use serde::Serialize;

use crate::agent::{AgentKind, Rule};
use crate::event::{Event, EventKind};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::steering::memory::{MemoryValue, Remembered};
use crate::words;
use crate::world::Sight;
use crate::world::{DriveState, Look, World};

use super::parts::{Part, deciding_terms, parts, parts_if_all_hold};

/// An agent's state machine: its modes, perceived targets and memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StateMachine {
    /// All modes of the agent, in the order of the map file.
    pub modes: Vec<Mode>,
    /// The targets that the agent can perceive, each with the result of the last visibility check.
    pub sights: Vec<SightReport>,
    /// Interval between visibility checks, in frames.
    pub look_every: u32,
    /// Values that steering behaviours remember, such as a wander point. Empty in modes without
    /// steering.
    pub memory: Vec<MemoryFact>,
    /// Saved tile of each mode that resumes its pattern, as text such as `patrol: nothing to
    /// resume`.
    pub saved: Vec<String>,
}

/// A mode of an agent, with its drive and transitions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mode {
    /// Name of the mode, as in the map file.
    pub name: String,
    /// Name of the drive, followed by its target or the names of the mode's patterns.
    pub drive: String,
    /// Whether the agent is currently in this mode.
    pub is_current: bool,
    /// Texts of the mode's transitions, such as `→ chase: sees(thief)`, in the order of evaluation.
    pub transitions: Vec<String>,
}

/// The result of an agent's last visibility check of a target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SightReport {
    /// Name of the target: an agent or a group.
    pub target: String,
    /// Whether the target was visible at the last check.
    pub seen: bool,
    /// Position where the agent last saw the target, in tiles. `None` if it never saw the target.
    pub at: Option<super::Pair>,
}

/// A value that a steering behaviour remembers, as text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryFact {
    /// Name and value, such as `wander point (3.500, 2.250)`.
    pub text: String,
    /// Whether the text reports a problem, such as a missing route.
    pub is_problem: bool,
}

/// A mode change of an agent, with the transition that caused it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModeChangeReport {
    /// The first frame in the new mode.
    pub frame: u64,
    /// Name of the previous mode.
    pub from: String,
    /// Name of the new mode.
    pub to: String,
    /// Position of the transition in the previous mode's list of transitions, counted from 1. `None`
    /// if a trace changed the mode.
    pub transition: Option<u16>,
    /// The parts of the transition's condition, with their values. If the previous frame is
    /// unknown, only the text of the whole condition.
    pub reasons: Vec<String>,
    /// The terms that would have prevented the change, and the earlier transitions that would have
    /// come first. Empty if a trace changed the mode.
    pub prevented: Vec<String>,
}

impl StateMachine {
    /// Returns the state machine of an agent at the current frame of `world`.
    pub fn of(world: &World, id: AgentId) -> Self {
        let kind = world.kind(id);
        let memory = if let DriveState::Steer(memory) = world.drive_state(id) {
            memory.values().filter_map(MemoryFact::of).collect()
        } else {
            Vec::new()
        };
        let saved = world.patterns_to_resume(id).map(|(mode, saved)| match saved {
            Some(saved) => format!("{}: resumes on tile {}", mode.name, saved.tile),
            None => format!("{}: nothing to resume", mode.name),
        });
        let sight = |(&target, &Sight { seen, at }): (_, &Sight)| SightReport {
            target: world.scenario().sight_name(target),
            seen,
            at: at.map(super::pair),
        };
        Self {
            modes: Mode::all(kind, world.mode(id).key, world.scenario()),
            sights: kind.watched.iter().zip(world.sights(id)).map(sight).collect(),
            look_every: kind.every,
            memory,
            saved: saved.collect(),
        }
    }
}

impl Mode {
    /// Returns all modes of a kind. `current` is the key of the current mode.
    fn all(kind: &AgentKind, current: u64, scenario: &Scenario) -> Vec<Self> {
        let transition = |rule: &Rule| {
            let to = kind.modes.get(usize::from(rule.to)).map_or("?", |mode| &mode.name);
            format!("→ {to}: {}", rule.when.text())
        };
        let mode = |mode: &crate::agent::Mode| Self {
            name: mode.name.clone(),
            drive: full_drive_text(mode, scenario),
            is_current: mode.key == current,
            transitions: mode.rules.iter().map(transition).collect(),
        };
        kind.modes.iter().map(mode).collect()
    }
}

/// Returns the drive of a mode with its target or the names of its patterns, such as `travel gold`.
fn full_drive_text(mode: &crate::agent::Mode, scenario: &Scenario) -> String {
    let patterns = mode.drive.patterns().map(|used| used.name.clone());
    let target = mode.drive.target().map(|target| words::target(target, scenario));
    let names: Vec<_> = patterns.chain(target).collect();
    format!("{} {}", mode.drive.word(), names.join(", ")).trim_end().to_owned()
}

/// Returns the drive of a mode with its target or patterns. Returns an empty text if the name of the
/// mode says the same.
pub(super) fn drive_text(mode: &crate::agent::Mode, scenario: &Scenario) -> String {
    let text = full_drive_text(mode, scenario);
    if text == mode.name { String::new() } else { text }
}

impl SightReport {
    /// Returns text such as `visible at (3.500, 2.250)`, `last seen at (3.500, 2.250)` or `never
    /// seen`.
    pub fn text(&self) -> String {
        match (self.seen, self.at) {
            (true, Some(at)) => format!("visible at {}", super::point(at)),
            (false, Some(at)) => format!("last seen at {}", super::point(at)),
            (_, None) => "never seen".to_owned(),
        }
    }
}

impl MemoryFact {
    /// Returns the description of a value. Returns `None` if the value is not set.
    fn of(MemoryValue { label, value, .. }: MemoryValue) -> Option<Self> {
        let text = match value {
            Remembered::Point(point) => format!("{label} {}", words::point(point?)),
            Remembered::Index(0) | Remembered::Problem(false) => return None,
            Remembered::Index(index) => format!("{label} {}", index + 1),
            Remembered::Problem(true) => label.to_owned(),
        };
        Some(Self { text, is_problem: matches!(value, Remembered::Problem(_)) })
    }
}

impl ModeChangeReport {
    /// Returns the mode change that an event reports. Returns `None` for other events.
    ///
    /// `scenario` is the scenario of the event's frame. `before` contains the frame before the
    /// event and the agent's id in that frame. Without it, the reasons contain no values.
    pub fn of(
        event: &Event,
        scenario: &Scenario,
        before: Option<(&World, AgentId)>,
    ) -> Option<Self> {
        let EventKind::Mode { from, to, rule } = event.kind else { return None };
        let modes = &scenario.kind(event.agent).modes;
        let mode = |index: u16| modes.get(usize::from(index));
        let name = |index: u16| mode(index).map_or("?", |mode| mode.name.as_str()).to_owned();
        let condition =
            mode(from).zip(rule).and_then(|(mode, rule)| mode.rules.get(usize::from(rule)));
        let reasons = condition.map_or_else(Vec::new, |held| match before {
            Some((before, id)) => {
                let look = Look { rule: rule.unwrap_or(0).into(), ..Look::at(before) };
                parts(&held.when, &look, Some(id)).iter().map(Part::joined_text).collect()
            }
            None => vec![held.when.text().to_owned()],
        });
        let prevented = condition.map_or_else(Vec::new, |held| {
            let held_parts = match before {
                Some((before, id)) => {
                    let look = Look { rule: rule.unwrap_or(0).into(), ..Look::at(before) };
                    parts(&held.when, &look, Some(id))
                }
                None => parts_if_all_hold(&held.when),
            };
            let first = deciding_terms(&held_parts, true);
            let earlier = mode(from).into_iter().flat_map(|mode| &mode.rules);
            let earlier = earlier.take(rule.unwrap_or(0).into());
            let earlier =
                earlier.map(|rule| format!("or by {} → {}", rule.when.text(), name(rule.to)));
            [first].into_iter().chain(earlier).collect()
        });
        let (frame, transition) = (event.frame.0, rule.map(|rule| rule + 1));
        Some(Self { frame, from: name(from), to: name(to), transition, reasons, prevented })
    }
}
