//! The commands of a run, frame by frame.

use crate::command::Command;
use crate::time::Frame;

/// What was done to a run, in order.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The frame each command leads to, ascending.
    frames: Vec<Frame>,
    commands: Vec<Command>,
}

impl Log {
    /// The commands of the step that leads to a frame.
    pub fn at(&self, frame: Frame) -> &[Command] {
        let from = self.frames.partition_point(|&other| other < frame);
        let to = from + self.frames[from..].partition_point(|&other| other == frame);
        &self.commands[from..to]
    }

    /// Adds commands of the step that leads to a frame.
    ///
    /// # Panics
    /// When there are commands of later frames.
    pub fn push(&mut self, frame: Frame, commands: &[Command]) {
        assert!(self.frames.last().is_none_or(|&last| last <= frame), "a log only grows");
        self.frames.extend(commands.iter().map(|_| frame));
        self.commands.extend_from_slice(commands);
    }

    /// The commands of all frames up to one.
    #[must_use]
    pub fn until(&self, frame: Frame) -> Self {
        let count = self.frames.partition_point(|&other| other <= frame);
        Self { frames: self.frames[..count].to_vec(), commands: self.commands[..count].to_vec() }
    }

    /// Removes the commands of all frames after one.
    pub(super) fn truncate(&mut self, frame: Frame) {
        let count = self.frames.partition_point(|&other| other <= frame);
        self.frames.truncate(count);
        self.commands.truncate(count);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.commands.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// All of them, each with the frame it leads to.
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
    fn a_frame_has_its_commands_in_order() {
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
    fn nothing_is_put_before_what_was_done() {
        let mut log = Log::default();
        log.push(Frame(3), &[place(0)]);
        log.push(Frame(2), &[place(0)]);
    }
}
