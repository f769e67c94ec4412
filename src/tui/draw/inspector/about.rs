//! Whom a page is about, in the frame that is looked at or in the one before.

use std::sync::Arc;

use crate::event::Event;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::step::Explanation;
use crate::time::Frame;
use crate::tui::plots::Sample;
use crate::tui::session::Session;
use crate::world::World;

/// An agent in a frame.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// What is watched.
    pub session: &'a Session,
    /// The frame.
    pub world: &'a World,
    /// Who.
    pub id: AgentId,
    /// Is it the frame that is looked at? Of the one before less is known.
    now: bool,
}

impl<'a> About<'a> {
    /// An agent in the frame that is looked at.
    pub fn now(session: &'a Session, id: AgentId) -> Self {
        Self { session, world: session.world(), id, now: true }
    }

    /// The same agent in the frame before, by name; at frame 0 there is none.
    pub fn before(self) -> Option<Self> {
        let (world, now) = (self.session.before(), self.world);
        let same = Arc::ptr_eq(world.scenario(), now.scenario());
        let id = if same {
            Some(self.id)
        } else {
            world.scenario().find(&now.scenario().name(self.id).to_string())
        };
        let id = id.filter(|_| world.frame() != now.frame())?;
        Some(Self { world, id, now: false, ..self })
    }

    /// Why it moved as it did on the way to the frame.
    pub fn explanation(&self) -> Option<&'a Explanation> {
        self.session.explanation_of(self.id).filter(|_| self.now)
    }

    /// The choice a matrix walker is about to make.
    pub fn coming(&self) -> Option<Choice> {
        self.session.coming_of(self.id).filter(|_| self.now)
    }

    /// What was noted of it in the frame before, if it was led there by anything.
    pub fn noted_before(&self) -> Option<&'a Sample> {
        let last = self.world.frame().0.checked_sub(1).filter(|&last| last > 0 && self.now)?;
        self.session.past().plots(self.id)?.at(Frame(last))
    }

    /// What happened to it up to the frame that is looked at, the latest first.
    pub fn events(&self) -> impl Iterator<Item = &'a Event> {
        self.session.events_of(self.id)
    }
}
