//! Explains why agents moved as they did on the way to a frame.
//!
//! The step reports to a `Watch`. In a normal run the `Watch` is `Nobody`, and the compiler removes
//! the reports. To explain a frame, [`explain_with`] copies the previous frame and runs the step
//! again with a `Watch` that fills in an [`Explanation`] for each requested agent. The same code
//! runs on the same input, so an explanation matches the frame bit for bit. The commands of the
//! frame are part of that input.
//!
//! One copy serves all requested agents. If all of them are steered, only their own thinking runs
//! again, because steering reads nothing but the previous frame.

use crate::cancel::Cancel;
use crate::command::Command;
use crate::event::Obstruction;
use crate::geom::Notch;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::steering::{Ledger, Wish};
use crate::time::Frame;
use crate::world::{DriveState, Flags, Held, World};

use super::act::act;
use super::think::{think, think_for};

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
    /// What a walker on tiles tried, if a step was due.
    pub attempt: Option<Attempt>,
    /// The choice of a matrix walker, if one was due.
    pub choice: Option<Choice>,
    /// The hand that drove it, if one did.
    pub held: Option<Held>,
}

/// A due step on tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// What it was for.
    pub due: Due,
    /// The way it tried; `None` when it had none, or stood by its pattern's will.
    pub way: Option<Notch>,
    /// Why it was refused, if it was.
    pub refused: Option<Obstruction>,
}

/// What a due step is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The pattern goes on.
    Pattern,
    /// The walker is on its way to its pattern.
    Join,
    /// A person drives it.
    Keys,
    /// The walker goes to or from its target.
    Target,
}

/// Who watches a step.
pub(super) trait Watch {
    /// The ledger of an agent, if it is watched.
    fn ledger(&mut self, id: AgentId) -> Option<&mut Ledger>;
    /// What an agent's steering came to.
    fn wish(&mut self, id: AgentId, wish: Wish);
    /// A step on tiles is due.
    fn due(&mut self, id: AgentId, due: Due);
    /// A step on tiles is tried.
    fn way(&mut self, id: AgentId, way: Notch);
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

    fn due(&mut self, _: AgentId, _: Due) {}

    fn way(&mut self, _: AgentId, _: Notch) {}

    fn choice(&mut self, _: AgentId, _: Choice) {}
}

/// Those who are watched, in agent order.
struct Watched(Vec<Explanation>);

impl Watched {
    fn of(&mut self, id: AgentId) -> Option<&mut Explanation> {
        let index = self.0.binary_search_by_key(&id, |explanation| explanation.agent).ok()?;
        self.0.get_mut(index)
    }
}

impl Watch for Watched {
    fn ledger(&mut self, id: AgentId) -> Option<&mut Ledger> {
        self.of(id).map(|explanation| &mut explanation.ledger)
    }

    fn wish(&mut self, id: AgentId, wish: Wish) {
        if let Some(explanation) = self.of(id) {
            explanation.wish = wish;
        }
    }

    fn due(&mut self, id: AgentId, due: Due) {
        if let Some(explanation) = self.of(id) {
            explanation.attempt = Some(Attempt { due, way: None, refused: None });
        }
    }

    fn way(&mut self, id: AgentId, way: Notch) {
        if let Some(attempt) = self.of(id).and_then(|explanation| explanation.attempt.as_mut()) {
            attempt.way = Some(way);
        }
    }

    fn choice(&mut self, id: AgentId, choice: Choice) {
        if let Some(explanation) = self.of(id) {
            explanation.choice = Some(choice);
        }
    }
}

/// Why `agent` will move as it does in the frame after `before`.
///
/// Runs that frame on a copy, or as much of it as bears on the agent; `before` and every later frame stay what they are.
pub fn explain(before: &World, agent: AgentId) -> Explanation {
    let explained = explain_all(before, [agent]).pop();
    explained.unwrap_or_else(|| nothing_yet(before, agent))
}

/// The same for several agents, on one copy; in agent order, each once.
pub fn explain_all(before: &World, agents: impl IntoIterator<Item = AgentId>) -> Vec<Explanation> {
    explain_with(before, &[], agents)
}

/// The same of a frame that was made with commands: with any others it would be another frame. Whoever
/// is not there on both sides of it is left out.
pub fn explain_with(
    before: &World,
    commands: &[Command],
    agents: impl IntoIterator<Item = AgentId>,
) -> Vec<Explanation> {
    let mut agents: Vec<_> = agents.into_iter().collect();
    agents.sort_unstable();
    agents.dedup();
    let mut copy = before.clone();
    // Explaining takes no longer than the step did, and must be complete.
    copy.set_cancel(Cancel::default());
    // Who changes the mode in this frame is driven by the new one.
    super::begin(&mut copy, commands);
    agents.retain(|id| id.index() < before.len().min(copy.len()));
    let mut watched = Watched(agents.iter().map(|&id| nothing_yet(before, id)).collect());
    if agents.iter().all(|&id| matches!(copy.drive_state(id), DriveState::Steer(_))) {
        // Steering senses the frame before alone: what the others do in this one is no matter.
        for id in agents {
            think_for(&mut copy, id, &mut watched);
        }
    } else {
        think(&mut copy, &mut watched);
        act(&mut copy, &mut watched);
    }
    for explanation in &mut watched.0 {
        explanation.held = copy.held(explanation.agent);
        if let Some(attempt) = &mut explanation.attempt
            && copy.flags(explanation.agent).has(Flags::BLOCKED)
        {
            attempt.refused = copy.obstruction(explanation.agent);
        }
    }
    watched.0
}

fn nothing_yet(before: &World, agent: AgentId) -> Explanation {
    Explanation {
        agent,
        frame: before.frame().next(),
        ledger: Ledger::default(),
        wish: Wish::NONE,
        attempt: None,
        choice: None,
        held: None,
    }
}
