//! An agent to add to a builder, with its modes and transitions.

use crate::agent::{DEFAULT_PACE, Drive, Mode};
use crate::body::Body;
use crate::color::Color;
use crate::geom::Vec2;
use crate::id::GroupId;

/// An agent to add to a [`Builder`](super::Builder). The agent starts in its first mode.
#[derive(Debug, Clone)]
pub struct Agent {
    pub(super) name: String,
    pub(super) at: Vec2,
    pub(super) degrees: f32,
    pub(super) glyph: String,
    pub(super) color: Option<Color>,
    pub(super) group: Option<GroupId>,
    pub(super) body: Body,
    pub(super) modes: Vec<Mode>,
    pub(super) switches: Vec<Transition>,
    /// The largest number of instances at once; `None` for an agent that is not a template.
    pub(super) max: Option<u32>,
    pub(super) remove: Option<String>,
}

/// A transition whose mode names and condition are not checked yet.
#[derive(Debug, Clone)]
pub(super) struct Transition {
    pub(super) from: String,
    pub(super) when: String,
    pub(super) to: String,
}

impl Agent {
    /// Creates an agent at a position, in tiles, with the default body. The agent faces east. It
    /// stands still if no mode is added.
    pub fn new(name: impl Into<String>, at: Vec2) -> Self {
        Self {
            name: name.into(),
            at,
            degrees: 0.0,
            glyph: "A".to_owned(),
            color: None,
            group: None,
            body: Body::default(),
            modes: Vec::new(),
            switches: Vec::new(),
            max: None,
            remove: None,
        }
    }

    /// Turns the agent into a template with up to `max` instances at once. The instances appear by
    /// the rules of [`Builder::spawn`](super::Builder::spawn). The start position has no meaning.
    #[must_use]
    pub fn template(self, max: u32) -> Self {
        Self { max: Some(max), ..self }
    }

    /// Sets the condition that removes the agent from the world in any mode, such as `sees(thief)`.
    #[must_use]
    pub fn remove(self, when: &str) -> Self {
        Self { remove: Some(when.to_owned()), ..self }
    }

    /// Sets the heading at frame 0, in degrees: 0 is east, 90 is south.
    #[must_use]
    pub fn heading(self, degrees: f32) -> Self {
        Self { degrees, ..self }
    }

    /// Sets size, mass, limits and senses. The default is [`Body::default`].
    #[must_use]
    pub fn body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// Sets the glyph and its colour. The glyph is one grapheme with a width of one terminal
    /// column. `None` selects the default colour of agents.
    #[must_use]
    pub fn look(self, glyph: impl Into<String>, color: Option<Color>) -> Self {
        Self { glyph: glyph.into(), color, ..self }
    }

    /// Sets the group that the agent joins. The id comes from
    /// [`Builder::group`](super::Builder::group).
    #[must_use]
    pub fn group(self, group: GroupId) -> Self {
        Self { group: Some(group), ..self }
    }

    /// Adds a mode with the given drive. The mode has the name of the drive and the default pace.
    /// This is sufficient for an agent with a single mode.
    #[must_use]
    pub fn drive(self, drive: Drive) -> Self {
        let name = drive.word().to_owned();
        self.mode(Mode::new(name, DEFAULT_PACE, drive))
    }

    /// Adds a mode. The first mode added is the initial mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.modes.push(mode);
        self
    }

    /// Adds a transition from mode `from` to mode `to`. `when` is a condition, such as
    /// `sees(thief)`. If several conditions hold, the transition that was added first is taken.
    #[must_use]
    pub fn switch(mut self, from: &str, when: &str, to: &str) -> Self {
        let [from, when, to] = [from, when, to].map(ToOwned::to_owned);
        self.switches.push(Transition { from, when, to });
        self
    }
}
