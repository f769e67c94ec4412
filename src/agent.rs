//! Rung 4: what an agent is by design: its body, its modes, and what drives each mode.

use std::sync::Arc;

use crate::body::Body;
use crate::color::Color;
use crate::condition::Condition;
use crate::id::{AgentId, GroupId};
use crate::pattern::{Pattern, Placement};
use crate::rng::name_hash;
use crate::steering::{self, Sighted, Target, combine::Combine};

/// One `[[agent]]` of a map: a single agent, or a numbered lot of equals.
#[derive(Debug, Clone)]
pub struct AgentKind {
    /// Its name; members of a lot are called `name.1` … `name.N`.
    pub name: String,
    /// The glyph that stands for it: one grapheme of width 1.
    pub glyph: String,
    /// Its colour on the screen, if it asks for one.
    pub color: Option<Color>,
    /// The group it belongs to.
    pub group: Option<GroupId>,
    /// Its body.
    pub body: Body,
    /// Its modes, at least one; it starts in the first.
    pub modes: Vec<Mode>,
    /// Whom it looks out for: what its rules ask about, and whose last place it goes to.
    pub watched: Vec<Sighted>,
    /// Frames from one look around, and from one trial of its rules, to the next; ≥ 1.
    pub every: u32,
    /// Its first agent.
    pub first: AgentId,
    /// How many agents there are of it; ≥ 1.
    pub count: u32,
}

/// One way of moving.
#[derive(Debug, Clone)]
pub struct Mode {
    /// Its name; the drive's word for an agent without `[[agent.mode]]`.
    pub name: String,
    /// [`name_hash`] of its name: the part of a die's key.
    pub key: u64,
    /// Frames a step on tiles takes; ≥ 1.
    pub pace: u32,
    /// What moves the body.
    pub drive: Drive,
    /// When to change to another mode: the first rule that holds counts.
    pub rules: Vec<Rule>,
}

/// When to change from one mode to another.
#[derive(Debug, Clone)]
pub struct Rule {
    /// If this holds …
    pub when: Condition,
    /// … then to this mode: its index in [`AgentKind::modes`].
    pub to: u16,
}

impl Mode {
    /// Is a solid body in this mode moved by others that overlap it? Who walks on tiles keeps to
    /// them, and who stands stays.
    pub fn gives_way(&self) -> bool {
        !self.drive.is_on_tiles() && !matches!(self.drive, Drive::Stand)
    }

    /// A mode with its key and without rules.
    pub fn new(name: String, pace: u32, drive: Drive) -> Self {
        Self { key: name_hash(&name), name, pace, drive, rules: Vec::new() }
    }
}

/// Frames a step on tiles takes, unless the mode says otherwise.
pub const DEFAULT_PACE: u32 = 4;

/// What moves the body in a mode.
#[derive(Debug, Clone)]
pub enum Drive {
    /// Nothing does.
    Stand,
    /// A force, combined of what behaviours propose.
    Steer {
        /// How they are combined.
        combine: Combine,
        /// The behaviours, in order.
        rows: Vec<steering::Row>,
    },
    /// A pattern.
    Pattern {
        /// The name the map gives it.
        name: String,
        /// The pattern itself; agents and modes share it.
        pattern: Arc<Pattern>,
        /// Where its anchor stands.
        placement: Placement,
    },
    /// A person, if one does.
    Keys {
        /// From tile centre to tile centre, or as a vehicle?
        on_tiles: bool,
    },
}

impl Drive {
    /// The word for it in traces and on the screen.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Steer { .. } => "steer",
            Self::Pattern { pattern, .. } => pattern.word(),
            Self::Keys { .. } => "keys",
        }
    }

    /// The rows of its steering list; none of any other drive.
    pub fn steering(&self) -> &[steering::Row] {
        match self {
            Self::Steer { rows, .. } => rows,
            _ => &[],
        }
    }

    /// Does it move the body from tile centre to tile centre?
    pub fn is_on_tiles(&self) -> bool {
        match self {
            Self::Stand | Self::Steer { .. } => false,
            Self::Keys { on_tiles } => *on_tiles,
            Self::Pattern { pattern, .. } => match pattern.as_ref() {
                Pattern::Path(_) | Pattern::Matrix(_) => true,
                Pattern::Thrust(_) => false,
                Pattern::Steps(steps) => steps.unit != crate::pattern::steps::Unit::Degrees,
            },
        }
    }
}

/// Whom an agent with these modes has to look out for, in the order they are first named.
pub fn watched(modes: &[Mode]) -> Vec<Sighted> {
    let mut watched = Vec::new();
    let mut watch = |sighted: Sighted| {
        if !watched.contains(&sighted) {
            watched.push(sighted);
        }
    };
    for mode in modes {
        for rule in &mode.rules {
            rule.when.test().visit_sights(&mut watch);
        }
        let Drive::Steer { rows, .. } = &mode.drive else { continue };
        for target in rows.iter().flat_map(|row| [row.target, row.other]).flatten() {
            if let Target::LastSeen(sighted) = target {
                watch(sighted);
            }
        }
    }
    watched
}
