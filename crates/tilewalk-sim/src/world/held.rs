//! Who is driven by hand in the frame that is being made.
//!
//! It comes with the frame's commands and goes with the frame, so it is never saved.

use crate::geom::Notch;
use crate::id::AgentId;

use super::{DriveState, World};

/// A hand on an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The way it wishes; `None` holds the agent still.
    pub way: Option<Notch>,
}

impl World {
    /// Nobody is driven any more.
    pub(crate) fn let_go(&mut self) {
        self.held.clear();
    }

    /// Somebody drives an agent; one that does not exist is passed over.
    pub(crate) fn hold(&mut self, id: AgentId, held: Held) {
        if id.index() >= self.len() {
            return;
        }
        match self.held.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(place) => self.held[place].1 = held,
            Err(place) => self.held.insert(place, (id, held)),
        }
    }

    /// The hand on an agent, if somebody drives it in the frame that is being made.
    #[inline]
    pub(crate) fn held(&self, id: AgentId) -> Option<Held> {
        let place = self.held.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.held[place].1)
    }

    /// In how many frames a walker on tiles that is driven may step; 1 is the next frame. How long its
    /// pattern would have waited is no matter.
    pub fn step_due_in(&self, id: AgentId) -> u32 {
        self.drive_state(id).due_in().min(self.mode(id).pace)
    }

    /// What moves an agent in place of its mode: the hand on it. One whose drive waits for a hand is
    /// held still while there is none.
    #[inline]
    pub(crate) fn hand(&self, id: AgentId) -> Option<Held> {
        let waits = matches!(self.state.drive[id.index()], DriveState::Keys { .. });
        self.held(id).or_else(|| waits.then_some(Held { way: None }))
    }
}
