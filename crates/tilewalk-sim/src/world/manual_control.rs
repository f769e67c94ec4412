//! Manual control of agents in the current step.
//!
//! Manual control is set by the commands of a frame and applies only to that frame, so it is never
//! saved.

use crate::geom::Direction;
use crate::id::AgentId;

use super::{DriveState, World};

/// Manual control of one agent in one frame, as requested by a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManualControl {
    /// Direction of the requested motion; `None` to stand still.
    pub direction: Option<Direction>,
}

impl World {
    pub(crate) fn clear_controls(&mut self) {
        self.controls.clear();
    }

    /// Sets the manual control of an agent in the current step. Does nothing if the agent is not
    /// in the world.
    pub(crate) fn control(&mut self, id: AgentId, held: ManualControl) {
        if !self.is_present(id) {
            return;
        }
        match self.controls.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(place) => self.controls[place].1 = held,
            Err(place) => self.controls.insert(place, (id, held)),
        }
    }

    /// Returns the manual control of an agent in the current step. Returns `None` without manual
    /// control.
    #[inline]
    pub(crate) fn control_of(&self, id: AgentId) -> Option<ManualControl> {
        let place = self.controls.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.controls[place].1)
    }

    /// Returns the number of frames until a manually controlled agent on tiles can take a step.
    /// Returns 1 if the step is possible in the next frame.
    ///
    /// Waiting times of patterns do not apply.
    pub fn step_due_in(&self, id: AgentId) -> u32 {
        self.drive_state(id).due_in().min(self.mode(id).pace)
    }

    /// Returns the manual control that replaces an agent's drive. Returns `None` if the drive moves
    /// the agent. In a mode that only accepts manual control, an agent without a command stands
    /// still.
    #[inline]
    pub(crate) fn active_control(&self, id: AgentId) -> Option<ManualControl> {
        let waits = matches!(self.state.drive[id.index()], DriveState::Keys { .. });
        self.control_of(id).or_else(|| waits.then_some(ManualControl { direction: None }))
    }
}
