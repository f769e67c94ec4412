//! Rung 4: what an agent is by design: its body, its modes, and what drives each mode.

use std::sync::Arc;

use crate::body::Body;
use crate::color::Color;
use crate::id::{AgentId, GroupId};
use crate::pattern::{Pattern, Placement};
use crate::rng::name_hash;
use crate::steering::{self, combine::Combine};

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
}

impl Mode {
    /// Is a solid body in this mode moved by others that overlap it? Who walks on tiles keeps to
    /// them, and who stands stays.
    pub fn gives_way(&self) -> bool {
        !self.drive.is_on_tiles() && !matches!(self.drive, Drive::Stand)
    }

    /// A mode with its key.
    pub fn new(name: String, pace: u32, drive: Drive) -> Self {
        Self { key: name_hash(&name), name, pace, drive }
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
}

impl Drive {
    /// The word for it in traces and on the screen.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Steer { .. } => "steer",
            Self::Pattern { pattern, .. } => pattern.word(),
        }
    }

    /// Does it move the body from tile centre to tile centre?
    pub fn is_on_tiles(&self) -> bool {
        match self {
            Self::Stand | Self::Steer { .. } => false,
            Self::Pattern { pattern, .. } => match pattern.as_ref() {
                Pattern::Path(_) | Pattern::Matrix(_) => true,
                Pattern::Steps(steps) => steps.unit != crate::pattern::steps::Unit::Degrees,
            },
        }
    }
}
