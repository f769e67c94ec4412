//! Explains why agents moved as they did in the step to a frame.
//!
//! To explain a frame, [`explain_with`] copies the previous frame and runs the step again with an
//! observer that fills in an [`Explanation`] for each requested agent. The same code runs on the
//! same input, so an explanation matches the frame bit for bit. The commands of the frame are part
//! of that input.
//!
//! One copy serves all requested agents. If steering drives all of them, only their own thinking
//! runs again, because steering reads only the previous frame.

use crate::cancel::Cancel;
use crate::command::Command;
use crate::event::Obstruction;
use crate::geom::Direction;
use crate::id::AgentId;
use crate::pattern::matrix::Choice;
use crate::steering::{ForceBreakdown, SteeringOutput};
use crate::time::Frame;
use crate::world::{DriveState, Flags, ManualControl, World};

use super::act::act;
use super::observer::{Due, Observer};
use super::think::{think, think_one};

/// The reasons for an agent's motion in the step to a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The agent that the explanation describes.
    pub agent: AgentId,
    /// Id of the agent at the previous frame. Differs from `agent` if a reload changed the ids.
    pub agent_before: AgentId,
    /// The frame that the explained step produced.
    pub frame: Frame,
    /// The output of each steering behaviour. Empty without steering.
    pub forces: ForceBreakdown,
    /// The combined steering output. Zero without steering.
    pub output: SteeringOutput,
    /// The agent's attempt to step to a neighbouring tile; `None` if no step was due.
    pub attempt: Option<StepAttempt>,
    /// The direction choice of a matrix walker, if a step was due.
    pub choice: Option<Choice>,
    /// The manual control of the agent in this frame, if any.
    pub held: Option<ManualControl>,
}

/// An attempt to step to a neighbouring tile, in a frame in which a step was due.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepAttempt {
    /// The purpose of the due step.
    pub due: Due,
    /// The direction of the attempted step. `None` if the agent stood still without an attempt.
    pub direction: Option<Direction>,
    /// The reason why the step was refused; `None` if no step was refused.
    pub refused: Option<Obstruction>,
}

/// Records explanations, in agent order.
struct ExplanationRecorder(Vec<Explanation>);

impl ExplanationRecorder {
    fn of(&mut self, id: AgentId) -> Option<&mut Explanation> {
        let index = self.0.binary_search_by_key(&id, |explanation| explanation.agent).ok()?;
        self.0.get_mut(index)
    }
}

impl Observer for ExplanationRecorder {
    fn breakdown(&mut self, id: AgentId) -> Option<&mut ForceBreakdown> {
        self.of(id).map(|explanation| &mut explanation.forces)
    }

    fn output(&mut self, id: AgentId, output: SteeringOutput) {
        if let Some(explanation) = self.of(id) {
            explanation.output = output;
        }
    }

    fn due(&mut self, id: AgentId, due: Due) {
        if let Some(explanation) = self.of(id) {
            explanation.attempt = Some(StepAttempt { due, direction: None, refused: None });
        }
    }

    fn direction(&mut self, id: AgentId, direction: Direction) {
        if let Some(attempt) = self.of(id).and_then(|explanation| explanation.attempt.as_mut()) {
            attempt.direction = Some(direction);
        }
    }

    fn choice(&mut self, id: AgentId, choice: Choice) {
        if let Some(explanation) = self.of(id) {
            explanation.choice = Some(choice);
        }
    }
}

/// Explains the motion of `agent` in the frame after `before`, for a frame without commands.
///
/// Simulates the frame on a copy of `before`, or only the part that affects the agent. `before`
/// does not change. The explanation of an agent that is not in the world is empty.
pub fn explain(before: &World, agent: AgentId) -> Explanation {
    let explained = explain_all(before, [agent]).pop();
    explained.unwrap_or_else(|| empty(before, agent))
}

/// Explains the motion of several agents in the frame after `before`, for a frame without commands.
///
/// Returns one explanation per agent, in agent order. Omits agents that are absent from `before`,
/// and agents that leave the world in the explained frame.
pub fn explain_all(before: &World, agents: impl IntoIterator<Item = AgentId>) -> Vec<Explanation> {
    explain_with(before, &[], agents)
}

/// Explains the motion of several agents in the frame after `before`, for a frame with `commands`.
///
/// The result describes a frame of a run only if `commands` are the commands of that frame. Returns
/// one explanation per agent, in agent order. Omits agents that are absent from `before`, and
/// agents that leave the world in the explained frame. The call cannot be cancelled.
pub fn explain_with(
    before: &World,
    commands: &[Command],
    agents: impl IntoIterator<Item = AgentId>,
) -> Vec<Explanation> {
    let mut copy = before.clone();
    copy.set_cancel(Cancel::default());
    explain_on(copy, before, commands, agents)
}

/// Explains the motion of several agents like [`explain_with`], unless another thread cancels the
/// steps of `before` (see [`World::set_cancel`]). Returns `None` if cancelled.
pub fn try_explain(
    before: &World,
    commands: &[Command],
    agents: impl IntoIterator<Item = AgentId>,
) -> Option<Vec<Explanation>> {
    let explained = explain_on(before.clone(), before, commands, agents);
    (!before.cancel().is_requested()).then_some(explained)
}

/// Explains the motion of several agents. Runs the step on `copy`, a copy of `before`. The result
/// is meaningless if the step was cancelled.
fn explain_on(
    mut copy: World,
    before: &World,
    commands: &[Command],
    agents: impl IntoIterator<Item = AgentId>,
) -> Vec<Explanation> {
    let mut agents: Vec<_> = agents.into_iter().collect();
    agents.sort_unstable();
    agents.dedup();
    // In the frame of a transition, the new mode already drives the agent.
    super::begin(&mut copy, commands);
    agents.retain(|&id| copy.is_present(id));
    let explained = agents.iter().filter_map(|&id| {
        let agent_before = copy.same_agent(id, before)?;
        Some(Explanation { agent_before, ..empty(before, id) })
    });
    let mut recorder = ExplanationRecorder(explained.collect());
    agents.retain(|&id| recorder.of(id).is_some());
    if agents.iter().all(|&id| matches!(copy.drive_state(id), DriveState::Steer(_))) {
        // Steering reads only the previous frame, so the other agents can be left out.
        for id in agents {
            think_one(&mut copy, id, &mut recorder);
        }
    } else {
        think(&mut copy, &mut recorder);
        act(&mut copy, &mut recorder);
    }
    for explanation in &mut recorder.0 {
        explanation.held = copy.control_of(explanation.agent);
        if let Some(attempt) = &mut explanation.attempt
            && copy.flags(explanation.agent).has(Flags::BLOCKED)
        {
            attempt.refused = copy.obstruction(explanation.agent);
        }
    }
    recorder.0
}

fn empty(before: &World, agent: AgentId) -> Explanation {
    Explanation {
        agent,
        agent_before: agent,
        frame: before.frame().next(),
        forces: ForceBreakdown::default(),
        output: SteeringOutput::NONE,
        attempt: None,
        choice: None,
        held: None,
    }
}
