//! Explain: the step again, with somebody watching one agent.

use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::steering::{Ledger, Wish};
use crate::time::Frame;
use crate::world::{DriveState, World};

use super::sense::sense;
use super::think::think_for;

/// Why an agent moved as it did on the way to a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Whose it is.
    pub agent: AgentId,
    /// The frame it led to.
    pub frame: Frame,
    /// What each steering behaviour proposed; no rows without steering.
    pub ledger: Ledger,
    /// What steering came to; nothing without it.
    pub wish: Wish,
    /// The choice of a matrix walker, if one was due.
    pub choice: Option<Choice>,
}

/// Who watches a step.
pub(super) trait Watch {
    /// The ledger of an agent, if it is watched.
    fn ledger(&mut self, id: AgentId) -> Option<&mut Ledger>;
    /// What an agent's steering came to.
    fn wish(&mut self, id: AgentId, wish: Wish);
    /// A matrix walker chose.
    fn choice(&mut self, id: AgentId, choice: Choice);
}

/// Nobody watches: everything is compiled away.
pub(super) struct Nobody;

impl Watch for Nobody {
    fn ledger(&mut self, _: AgentId) -> Option<&mut Ledger> {
        None
    }

    fn wish(&mut self, _: AgentId, _: Wish) {}

    fn choice(&mut self, _: AgentId, _: Choice) {}
}

impl Watch for Explanation {
    fn ledger(&mut self, id: AgentId) -> Option<&mut Ledger> {
        (id == self.agent).then_some(&mut self.ledger)
    }

    fn wish(&mut self, id: AgentId, wish: Wish) {
        if id == self.agent {
            self.wish = wish;
        }
    }

    fn choice(&mut self, id: AgentId, choice: Choice) {
        if id == self.agent {
            self.choice = Some(choice);
        }
    }
}

/// Why `agent` will move as it does in the frame after `before`.
///
/// Runs that frame on a copy, or as much of it as bears on the agent; `before` and every later frame stay what they are.
pub fn explain(before: &World, agent: AgentId) -> Explanation {
    let mut copy = before.clone();
    let mut explanation = Explanation {
        agent,
        frame: before.frame().next(),
        ledger: Ledger::default(),
        wish: Wish::NONE,
        choice: None,
    };
    if let DriveState::Steer(_) = before.drive_state(agent) {
        // Steering senses the frame before alone: what the others do in this one is no matter.
        copy.begin_frame();
        sense(&mut copy);
        think_for(&mut copy, agent, &mut explanation);
    } else {
        super::run(&mut copy, &mut explanation);
    }
    explanation
}
