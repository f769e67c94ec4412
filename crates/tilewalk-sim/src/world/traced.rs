//! Agents that follow a trace instead of a drive.

use crate::id::AgentId;
use crate::trace::Row;

use super::population::{Birth, Presence, instance_key};
use super::{DriveState, Flags, World};

impl World {
    /// Adds or removes an agent as its trace says for the current frame, and sets its motion and
    /// its mode. Does nothing to an agent that follows no trace.
    pub(super) fn begin_trace(&mut self, id: AgentId) {
        let Some(trace) = self.scenario.trace_of(id) else { return };
        let (row, number) = (trace.row(id, self.frame), trace.number(id, self.frame));
        let index = id.index();
        self.state.present[index] = Presence(row.is_some());
        let Some(row) = row else { return };
        if let Some(place) = self.birth_place(id) {
            self.state.births[place] = Birth { number, home: row.position, frames_left: 0 };
            let key = instance_key(&self.scenario.kind(id).name, number);
            self.rename(id, key);
        }
        self.enter_traced_mode(id, row.mode);
        self.set_traced_motion(id, row);
        self.fill_headings(id);
    }

    /// Adds an agent that appears in its trace at the current frame.
    pub(crate) fn add_traced(&mut self, id: AgentId) {
        let start = self.scenario.starts[id.index()];
        self.state.reset(id.index(), &start);
        self.forget_all(id);
        self.begin_trace(id);
    }

    /// Sets the mode of an agent that follows a trace. The drive of the mode does not start.
    pub(crate) fn enter_traced_mode(&mut self, id: AgentId, mode: u16) {
        let index = id.index();
        self.state.mode[index] = mode;
        self.state.mode_frames[index] = 0;
        self.state.pick[index] = 0;
        self.state.obstruction[index] = None;
        for flag in [Flags::ARRIVED, Flags::FINISHED, Flags::BLOCKED, Flags::JOINING] {
            self.state.flags[index].set(flag, false);
        }
        self.state.drive[index] = DriveState::Stand;
    }

    /// Sets position, velocity and heading of an agent that follows a trace.
    pub(crate) fn set_traced_motion(&mut self, id: AgentId, row: Row) {
        let index = id.index();
        self.state.set_position(index, row.position);
        self.state.set_velocity(index, row.velocity);
        self.state.set_heading(index, row.heading);
        self.state.angular_velocity[index] = 0.0;
    }
}
