//! Events: what happened in a frame that users want to know.

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::map::Refusal;
use crate::steering::Sighted;
use crate::time::Frame;

/// Something that happened to an agent on the way to a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The frame it led to.
    pub frame: Frame,
    /// Whom it happened to.
    pub agent: AgentId,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EventKind {
    /// A rule changed the mode.
    Mode {
        /// Index of the mode it left.
        from: u16,
        /// Index of the mode it is in now.
        to: u16,
        /// Index of the rule that held, in the mode it left.
        rule: u16,
    },
    /// It sees somebody it looks out for, whom it did not see before.
    Seen(Sighted),
    /// It no longer sees them.
    Lost(Sighted),
    /// Contact with something solid began.
    Bump(TilePos),
    /// A solid body began to overlap this one; they are moved apart.
    Overlap(AgentId),
    /// A step on tiles was refused, and the last one was not; or a flow has no way.
    Blocked(Obstruction),
    /// A matrix walker had no way left but the one it came by.
    DeadEnd,
    /// One of several patterns ended, and this one of the mode's list is next.
    Pattern {
        /// Its index in the list.
        pick: u16,
    },
    /// It stands where it travelled to.
    Arrived,
    /// It has wanted to get away for three seconds, and has not come half a tile.
    Stuck,
    /// It has turned three whole turns in one direction within two tiles.
    Circling,
    /// The walk to the pattern is over; it stands on one of its tiles.
    Joined,
    /// The pattern has ended for good.
    Finished,
    /// A steps pattern gave the signal of this row.
    Signal {
        /// Index of the row.
        row: u32,
    },
    /// A number was not finite: the body was put back to its last good state and frozen.
    Quarantined {
        /// Index of the steering row that proposed it, if one did.
        row: Option<u32>,
        /// Which term it was.
        term: Term,
    },
}

impl EventKind {
    /// The word for it in logs and conditions.
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
            Self::Joined => "joined",
            Self::Finished => "finished",
            Self::Signal { .. } => "signal",
            Self::Quarantined { .. } => "quarantined",
        }
    }
}

/// Why a step on tiles was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstruction {
    /// The ground refuses it.
    Ground(Refusal),
    /// A solid agent holds the tile.
    Agent(AgentId),
    /// No way leads to the pattern, to where it travels, or to where a flow goes.
    NoRoute,
    /// No way is open at all.
    NoWay,
}

/// A term of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// The steering force.
    Force,
    /// The angular acceleration that steering wishes.
    Turn,
    /// The angular velocity.
    AngularVelocity,
    /// The velocity.
    Velocity,
    /// The position.
    Position,
    /// The heading.
    Heading,
}

impl Term {
    /// The word for it.
    pub fn word(self) -> &'static str {
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

    /// One of each kind. The match is there to remind whoever adds one.
    fn every_kind() -> Vec<EventKind> {
        use EventKind as E;
        let next = |kind: Option<&E>| {
            let nobody = Sighted::Agent(AgentId(0));
            Some(match kind {
                None => E::Mode { from: 0, to: 0, rule: 0 },
                Some(E::Mode { .. }) => E::Seen(nobody),
                Some(E::Seen(_)) => E::Lost(nobody),
                Some(E::Lost(_)) => E::Bump(TilePos::default()),
                Some(E::Bump(_)) => E::Overlap(AgentId(0)),
                Some(E::Overlap(_)) => E::Blocked(Obstruction::NoWay),
                Some(E::Blocked(_)) => E::DeadEnd,
                Some(E::DeadEnd) => E::Pattern { pick: 0 },
                Some(E::Pattern { .. }) => E::Arrived,
                Some(E::Arrived) => E::Stuck,
                Some(E::Stuck) => E::Circling,
                Some(E::Circling) => E::Joined,
                Some(E::Joined) => E::Finished,
                Some(E::Finished) => E::Signal { row: 0 },
                Some(E::Signal { .. }) => E::Quarantined { row: None, term: Term::Force },
                Some(E::Quarantined { .. }) => return None,
            })
        };
        core::iter::successors(next(None), |kind| next(Some(kind))).collect()
    }

    #[test]
    fn conditions_know_the_word_of_every_event_and_no_others() {
        let words: Vec<_> = every_kind().iter().map(|kind| kind.word().replace(' ', "_")).collect();
        for word in &words {
            assert!(EVENTS.contains(&word.as_str()), "conditions don't know `{word}`");
        }
        // Of changes from outside, which are to come.
        let planned = ["reloaded", "edited"];
        for word in EVENTS.iter().filter(|word| !planned.contains(word)) {
            assert!(words.iter().any(|known| known == word), "no event is called `{word}`");
        }
    }
}
