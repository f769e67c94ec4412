//! The report on an agent at the current or at the previous frame, from which inspector pages are
//! built.

use crate::debugger::plots::Fates;
use crate::debugger::session::Session;
use crate::event::Event;
use crate::id::AgentId;
use crate::report::explanation::{AgentStep, Explanation};
use crate::report::pattern::Choice;
use crate::step;
use crate::time::Frame;
use crate::world::World;

/// The report on an agent at the current or at the previous frame.
#[derive(Debug)]
pub struct About<'a> {
    pub session: &'a Session,
    pub world: &'a World,
    pub id: AgentId,
    /// Facts about the agent's state at this report's frame. Transitions are also tested at that
    /// frame.
    pub report: Explanation,
    /// Explanation of the step to this frame. `None` in a report on the previous frame, or if the
    /// agent is not explained.
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

    /// Creates the report on this agent at the previous frame. Returns `None` if
    /// [`About::previous`] returns `None`.
    pub fn before(&self) -> Option<Self> {
        let (now, agent) = self.previous()?;
        let report = AgentStep { agent, before: None, now, why: None }.report();
        let session = self.session;
        Some(Self { session, world: now, id: agent, report, why: None, is_current: false })
    }

    /// Returns the world at the previous frame, and the id of the agent with the same name in that
    /// world. Returns `None` at frame 0, or if the agent did not exist at the previous frame.
    pub fn previous(&self) -> Option<(&'a World, AgentId)> {
        let (world, now) = (self.session.before(), self.world);
        let id = now.same_agent(self.id, world);
        id.filter(|_| world.frame() != now.frame()).map(|id| (world, id))
    }

    /// Returns true if the agent's step to this frame is explained.
    pub fn is_explained(&self) -> bool {
        self.why.is_some()
    }

    /// Returns true if the agent is under manual control now.
    pub fn is_driven(&self) -> bool {
        self.session.driven() == Some(self.id)
    }

    /// Returns true if the agent follows the run of another program.
    pub fn is_traced(&self) -> bool {
        self.world.scenario().is_traced(self.id)
    }

    /// Returns true if the agent was under manual control in the step to this frame.
    pub fn was_driven(&self) -> bool {
        self.why.is_some_and(|why| why.held.is_some())
    }

    /// Returns the random choice of the agent's matrix pattern for the next frame. Returns `None`
    /// if this value describes the previous frame, or if no step is due in the next frame.
    pub fn coming(&self) -> Option<Choice> {
        self.session
            .coming_of(self.id)
            .filter(|_| self.is_current)
            .map(|choice| Choice::of(&choice))
    }

    /// Returns true if the state of a behaviour has changed since the previous frame. `row` is the
    /// index of the behaviour in the steering list. Returns false if the plots have no sample of
    /// the previous frame.
    pub fn fate_changed(&self, row: usize) -> bool {
        let last = self.world.frame().0.checked_sub(1).filter(|&last| last > 0);
        let plots = self.session.past().plots(self.id);
        let before = last.zip(plots).and_then(|(last, plots)| plots.at(Frame(last)));
        self.why
            .zip(before)
            .is_some_and(|(why, before)| before.fates.differ(&Fates::of(&why.forces.rows), row))
    }

    /// Returns the events of this agent up to the current frame, latest first.
    pub fn events(&self) -> impl Iterator<Item = &'a Event> {
        self.session.events_of(self.id)
    }
}
