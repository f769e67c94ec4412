//! Events: what happened to agents in a frame, for logs and conditions.

use crate::agent::SignalSource;
use crate::id::AgentId;
use crate::map::{StepError, Touch};
use crate::steering::SightTarget;
use crate::time::Frame;

/// An event of one agent, reported during a simulation step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The frame that the step simulated.
    pub frame: Frame,
    /// The affected agent. `kind` contains the other agents of the event.
    pub agent: AgentId,
    /// Number of the agent if it is an instance of a template, or else 0.
    pub number: u32,
    /// Index of the agent's mode when the event was reported.
    pub mode: u16,
    /// The kind of event, with details such as the tile that the agent touched.
    pub kind: EventKind,
}

/// A kind of event, with its details.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventKind {
    /// A transition or a trace changed the agent's mode.
    Mode {
        /// Index of the old mode in the agent's kind.
        from: u16,
        /// Index of the new mode in the agent's kind.
        to: u16,
        /// Index of the transition in the old mode's list. `None` if a trace changed the mode.
        rule: Option<u16>,
    },
    /// The agent sees a target of its conditions that it did not see at the previous check.
    Seen(SightTarget),
    /// The agent no longer sees a target of its conditions that it saw at the previous check.
    Lost(SightTarget),
    /// The agent's body came into contact with a solid tile, an obstacle or a wall.
    Bump(Touch),
    /// The agent's body touches the given solid body. Their desired motions would make them
    /// overlap.
    Overlap(AgentId),
    /// The agent became blocked: it cannot take a step on tiles, or a flow field has no route.
    Blocked(Obstruction),
    /// The matrix walker has no open direction except back to its previous tile.
    DeadEnd,
    /// The next pattern of the mode's list started.
    Pattern {
        /// Index of the pattern in the mode's list.
        pick: u16,
    },
    /// The agent arrived at its travel target.
    Arrived,
    /// The agent wanted to move for three seconds, but made no headway.
    Stuck,
    /// The agent moves back and forth without coming closer to its destination.
    Oscillating,
    /// The agent is stuck in a cycle of agents. Each agent wants the tile that the next agent
    /// holds.
    Deadlocked(Cycle),
    /// The agent made three full turns in one direction within two tiles, or two full turns in a leg
    /// of a thrust pattern that no turn ends.
    Circling,
    /// The agent reached its pattern. The pattern now starts or continues.
    Joined,
    /// The last pattern of the agent's mode ended.
    Finished,
    /// The agent sent a signal.
    Signal(SignalSource),
    /// An instance of a template, or an agent that follows a trace, appeared.
    Spawned {
        /// The agent whose signal created the instance. `None` if a timer or a trace created it.
        by: Option<AgentId>,
    },
    /// The agent left the world for the given reason.
    Removed(Removal),
    /// An event of the trace that the agent follows. The value is the index of its text.
    Trace(u32),
    /// The NaN guard froze the agent in its last valid state, because a value was not finite.
    Quarantined {
        /// Index of the steering behaviour that caused the value. `None` if the behaviour is
        /// unknown.
        row: Option<u32>,
        /// The quantity that was not finite.
        term: Term,
    },
}

impl EventKind {
    /// Returns the word for this kind of event in logs. Conditions use the same word, with `_` for
    /// spaces.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Mode { .. } => "mode",
            Self::Seen(_) => "seen",
            Self::Lost(_) => "lost",
            Self::Bump(_) => "bump",
            Self::Overlap(_) => "overlap",
            Self::Blocked(_) => "blocked",
            Self::DeadEnd => "dead end",
            Self::Pattern { .. } => "pattern",
            Self::Arrived => "arrived",
            Self::Stuck => "stuck",
            Self::Circling => "circling",
            Self::Oscillating => "oscillating",
            Self::Deadlocked(_) => "deadlocked",
            Self::Joined => "joined",
            Self::Finished => "finished",
            Self::Signal(_) => "signal",
            Self::Spawned { .. } => "spawned",
            Self::Removed(_) => "removed",
            Self::Trace(_) => "trace",
            Self::Quarantined { .. } => "quarantined",
        }
    }
}

/// A cycle of deadlocked agents. The first agent holds the tile that the agent of the event wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle {
    /// Number of agents in the cycle, at least 2.
    pub count: u32,
    named: [AgentId; Self::MAX_NAMED],
}

impl Cycle {
    /// Maximum number of agents that an event names. The limit keeps the size of events fixed.
    pub const MAX_NAMED: usize = 4;

    pub(crate) fn new() -> Self {
        Self { count: 0, named: [AgentId(0); Self::MAX_NAMED] }
    }

    /// Adds the next agent of the cycle. Only the first [`Cycle::MAX_NAMED`] agents are stored.
    /// Later agents are only counted.
    pub(crate) fn add(&mut self, id: AgentId) {
        if let Some(named) = self.named.get_mut(self.count as usize) {
            *named = id;
        }
        self.count += 1;
    }

    /// Returns the first agents of the cycle in order, at most [`Cycle::MAX_NAMED`].
    pub fn named(&self) -> &[AgentId] {
        &self.named[..Self::MAX_NAMED.min(self.count as usize)]
    }
}

/// The reason why an agent is blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstruction {
    /// The terrain does not allow the step; the value is the reason.
    Ground(StepError),
    /// The given solid agent occupies the tile that the blocked agent wants to enter.
    Agent(AgentId),
    /// There is no route to the pattern, the travel target or the goal of a flow field.
    NoRoute,
    /// The agent's pattern allows no direction for the next step.
    NoWay,
}

/// The reason why an agent left the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// The agent's own removal condition, which applies in all modes, was true.
    Agent,
    /// The removal condition of a mode was true. The value is the mode's index in the agent's kind.
    Mode(u16),
    /// The lifetime of the instance ended.
    Lifetime,
    /// The trace that the agent follows has no row at this frame.
    Trace,
}

/// A quantity of an agent's motion that can become non-finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// The steering force, in tiles/s² times the mass.
    Force,
    /// The angular acceleration from steering, in radians/s².
    Turn,
    /// The angular velocity, in radians/s.
    AngularVelocity,
    /// The velocity, in tiles/s.
    Velocity,
    /// The position, in tiles.
    Position,
    /// The heading, a unit vector.
    Heading,
}

impl Term {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Force => "force",
            Self::Turn => "turn",
            Self::AngularVelocity => "angular velocity",
            Self::Velocity => "velocity",
            Self::Position => "position",
            Self::Heading => "heading",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::words::EVENTS;

    /// Returns one value of each event kind. The match fails to compile when a kind is added.
    fn every_kind() -> Vec<EventKind> {
        use EventKind as E;
        let next = |kind: Option<&E>| {
            let nobody = SightTarget::Agent(AgentId(0));
            Some(match kind {
                None => E::Mode { from: 0, to: 0, rule: None },
                Some(E::Mode { .. }) => E::Seen(nobody),
                Some(E::Seen(_)) => E::Lost(nobody),
                Some(E::Lost(_)) => E::Bump(Touch::default()),
                Some(E::Bump(_)) => E::Overlap(AgentId(0)),
                Some(E::Overlap(_)) => E::Blocked(Obstruction::NoWay),
                Some(E::Blocked(_)) => E::DeadEnd,
                Some(E::DeadEnd) => E::Pattern { pick: 0 },
                Some(E::Pattern { .. }) => E::Arrived,
                Some(E::Arrived) => E::Stuck,
                Some(E::Stuck) => E::Circling,
                Some(E::Circling) => E::Oscillating,
                Some(E::Oscillating) => E::Deadlocked(Cycle::new()),
                Some(E::Deadlocked(_)) => E::Joined,
                Some(E::Joined) => E::Finished,
                Some(E::Finished) => E::Signal(SignalSource::Enter),
                Some(E::Signal(_)) => E::Spawned { by: None },
                Some(E::Spawned { .. }) => E::Removed(Removal::Lifetime),
                Some(E::Removed(_)) => E::Trace(0),
                Some(E::Trace(_)) => E::Quarantined { row: None, term: Term::Force },
                Some(E::Quarantined { .. }) => return None,
            })
        };
        core::iter::successors(next(None), |kind| next(Some(kind))).collect()
    }

    #[test]
    fn condition_words_match_event_words() {
        let words: Vec<_> = every_kind().iter().map(|kind| kind.word().replace(' ', "_")).collect();
        for word in &words {
            assert!(EVENTS.contains(&word.as_str()), "conditions don't know `{word}`");
        }
        // Words reserved for planned events: changes from outside a run.
        let planned = ["reloaded", "edited"];
        for word in EVENTS.iter().filter(|word| !planned.contains(word)) {
            assert!(words.iter().any(|known| known == word), "no event is called `{word}`");
        }
    }
}
