//! The subject of a page: an agent at the current or at the previous frame, with its report.

use crate::debugger::plots::Fates;
use crate::debugger::session::{Session, same_agent};
use crate::event::Event;
use crate::id::AgentId;
use crate::report::explanation::{AgentStep, Explanation};
use crate::report::pattern::Choice;
use crate::step;
use crate::time::Frame;
use crate::world::World;

/// An agent at the current or at the previous frame.
#[derive(Debug)]
pub struct About<'a> {
    pub session: &'a Session,
    pub world: &'a World,
    pub id: AgentId,
    /// All facts about the agent. Transitions are tested at this frame, not at the previous one.
    pub report: Explanation,
    /// The explanation of the step to this frame. Only available at the current frame.
    why: Option<&'a step::Explanation>,
    is_current: bool,
}

impl<'a> About<'a> {
    /// Creates the report on an agent at the current frame.
    pub fn now(session: &'a Session, id: AgentId) -> Self {
        let (now, why) = (session.world(), session.explanation_of(id));
        let report = AgentStep { agent: id, before: None, now, why }.report();
        Self { session, world: now, id, report, why, is_current: true }
    }

    /// Creates the report on the same agent at the previous frame, if there is one.
    pub fn before(&self) -> Option<Self> {
        let (now, agent) = self.previous()?;
        let report = AgentStep { agent, before: None, now, why: None }.report();
        let session = self.session;
        Some(Self { session, world: now, id: agent, report, why: None, is_current: false })
    }

    /// Returns the previous frame, and the agent with the same name in that frame. Returns `None`
    /// at the first frame, or if there is no such agent.
    pub fn previous(&self) -> Option<(&'a World, AgentId)> {
        let (world, now) = (self.session.before(), self.world);
        let id = same_agent(now, self.id, world);
        id.filter(|_| world.frame() != now.frame()).map(|id| (world, id))
    }

    /// Returns true if the step to this frame is explained.
    pub fn is_explained(&self) -> bool {
        self.why.is_some()
    }

    /// Returns true if the user controls the agent.
    pub fn is_driven(&self) -> bool {
        self.session.driven() == Some(self.id)
    }

    /// Returns true if the user controlled the agent in the step to this frame.
    pub fn was_driven(&self) -> bool {
        self.why.is_some_and(|why| why.held.is_some())
    }

    /// Returns the next random choice of an agent with a matrix pattern. Only available at the
    /// current frame.
    pub fn coming(&self) -> Option<Choice> {
        self.session
            .coming_of(self.id)
            .filter(|_| self.is_current)
            .map(|choice| Choice::of(&choice))
    }

    /// Returns true if the state of the behaviour `row` differs from its state at the previous
    /// frame.
    pub fn fate_changed(&self, row: usize) -> bool {
        let last = self.world.frame().0.checked_sub(1).filter(|&last| last > 0);
        let plots = self.session.past().plots(self.id);
        let before = last.zip(plots).and_then(|(last, plots)| plots.at(Frame(last)));
        self.why
            .zip(before)
            .is_some_and(|(why, before)| before.fates.differ(&Fates::of(&why.ledger.rows), row))
    }

    /// Returns the agent's events up to the current frame, latest first.
    pub fn events(&self) -> impl Iterator<Item = &'a Event> {
        self.session.events_of(self.id)
    }
}
