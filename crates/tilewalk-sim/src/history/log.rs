//! The commands of a run, by frame.

use std::sync::Arc;

use crate::command::Command;
use crate::scenario::Scenario;
use crate::time::Frame;

/// The commands of a run, ordered by frame.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The frame after the step of each command, ascending.
    frames: Vec<Frame>,
    commands: Vec<Command>,
    /// The scenarios of the reloads among the commands, with the frames after their steps. Events
    /// look up their scenarios here, because a run can have many other commands.
    reloads: Vec<(Frame, Arc<Scenario>)>,
}

impl Log {
    /// Returns the commands of the step to `frame`, in the order of their execution. The slice is
    /// empty if the step has no commands.
    pub fn at(&self, frame: Frame) -> &[Command] {
        let from = self.frames.partition_point(|&other| other < frame);
        let to = from + self.frames[from..].partition_point(|&other| other == frame);
        &self.commands[from..to]
    }

    /// Returns the scenario of the last reload up to and including `frame`. Returns `None` if there
    /// is no such reload.
    pub(super) fn scenario_at(&self, frame: Frame) -> Option<&Arc<Scenario>> {
        let count = self.reloads.partition_point(|&(at, _)| at <= frame);
        self.reloads[..count].last().map(|(_, scenario)| scenario)
    }

    /// Iterates over the scenarios of all reloads, in order.
    pub(super) fn scenarios(&self) -> impl Iterator<Item = &Arc<Scenario>> {
        self.reloads.iter().map(|(_, scenario)| scenario)
    }

    /// Appends commands for the step to `frame`.
    ///
    /// # Panics
    /// Panics if the log contains commands for later frames.
    pub(crate) fn push(&mut self, frame: Frame, commands: &[Command]) {
        assert!(self.frames.last().is_none_or(|&last| last <= frame), "a log only grows");
        self.frames.extend(commands.iter().map(|_| frame));
        self.commands.extend_from_slice(commands);
        self.reloads.extend(commands.iter().filter_map(|command| match command {
            Command::Reload(scenario) => Some((frame, Arc::clone(scenario))),
            Command::Drive { .. } | Command::Place { .. } => None,
        }));
    }

    /// Returns a copy with the commands up to and including `frame`.
    #[must_use]
    pub(crate) fn until(&self, frame: Frame) -> Self {
        let mut log = self.clone();
        log.truncate(frame);
        log
    }

    /// Removes the commands of all frames after `frame`.
    pub(super) fn truncate(&mut self, frame: Frame) {
        let count = self.frames.partition_point(|&other| other <= frame);
        self.frames.truncate(count);
        self.commands.truncate(count);
        self.reloads.truncate(self.reloads.partition_point(|&(at, _)| at <= frame));
    }

    /// Returns the number of commands over all frames.
    pub fn len(&self) -> usize {
        self.commands.len()
    }

    /// Returns the memory of the commands in bytes, without their scenarios.
    pub(super) fn bytes(&self) -> usize {
        self.commands.len() * (size_of::<Frame>() + size_of::<Command>())
    }

    /// Returns true if no frame has a command.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Iterates over the commands in order. Each pair consists of the frame after the step and a
    /// command of the step.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Frame, &Command)> {
        self.frames.iter().copied().zip(&self.commands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vec2;
    use crate::id::AgentId;

    fn place(agent: u32) -> Command {
        Command::Place { agent: AgentId(agent), at: Vec2::ZERO }
    }

    #[test]
    fn returns_the_commands_of_a_frame_in_order() {
        let mut log = Log::default();
        log.push(Frame(3), &[place(0), place(1)]);
        log.push(Frame(3), &[place(2)]);
        log.push(Frame(7), &[place(3)]);
        assert_eq!(log.at(Frame(3)), [place(0), place(1), place(2)]);
        assert_eq!((log.at(Frame(4)), log.at(Frame(7))), (&[][..], &[place(3)][..]));
        assert_eq!((log.until(Frame(6)).len(), log.until(Frame(2)).len()), (3, 0));
    }

    #[test]
    #[should_panic(expected = "a log only grows")]
    fn rejects_commands_for_earlier_frames() {
        let mut log = Log::default();
        log.push(Frame(3), &[place(0)]);
        log.push(Frame(2), &[place(0)]);
    }
}
