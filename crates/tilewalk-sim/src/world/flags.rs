//! The flags of an agent in a frame, packed into two bytes.

/// A set of an agent's status flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u16);

impl Flags {
    /// The agent is blocked: it could not take its last step on tiles, or has no route.
    pub const BLOCKED: Self = Self(1);
    /// The agent has arrived at its travel target.
    pub const ARRIVED: Self = Self(1 << 1);
    /// The pattern of the mode has ended. Never set for a list of patterns, which starts over.
    pub const FINISHED: Self = Self(1 << 2);
    /// The agent is returning to its pattern.
    pub const JOINING: Self = Self(1 << 3);
    /// The agent's body touches a solid tile, an obstacle or a wall.
    pub(crate) const COLLIDED: Self = Self(1 << 4);
    /// The agent wants to move, but has made no headway for 3 s.
    pub const STUCK: Self = Self(1 << 5);
    /// A value was not finite, so the NaN guard froze the agent in its last valid state.
    pub const QUARANTINED: Self = Self(1 << 6);
    /// The agent's solid body met another solid body. Without the contact, the bodies would
    /// overlap.
    pub const OVERLAPPING: Self = Self(1 << 7);

    /// The agent moves back and forth without coming closer to its destination.
    pub const OSCILLATING: Self = Self(1 << 8);
    /// The agent is in a cycle in which each agent waits for the tile of the next agent.
    pub const DEADLOCKED: Self = Self(1 << 9);

    /// The flags shown to the user and their words, in display order.
    pub const WORDS: [(Self, &'static str); 9] = [
        (Self::QUARANTINED, "quarantined"),
        (Self::STUCK, "stuck"),
        (Self::BLOCKED, "blocked"),
        (Self::COLLIDED, "collided"),
        (Self::JOINING, "joining"),
        (Self::ARRIVED, "arrived"),
        (Self::FINISHED, "finished"),
        (Self::OSCILLATING, "oscillating"),
        (Self::DEADLOCKED, "deadlocked"),
    ];

    /// Returns true if all of `flags` are set.
    pub fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Sets or clears `flags`.
    pub(crate) fn set(&mut self, flags: Self, on: bool) {
        if on {
            self.0 |= flags.0;
        } else {
            self.0 &= !flags.0;
        }
    }

    /// Iterates over the words of the flags that are set, in display order.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().filter(move |&(flag, _)| self.has(flag)).map(|(_, word)| word)
    }

    /// Returns the set as a number with one bit per flag, for the state hash.
    pub(crate) fn bits(self) -> u16 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_a_flag_keeps_the_others() {
        let mut flags = Flags::default();
        flags.set(Flags::BLOCKED, true);
        flags.set(Flags::JOINING, true);
        flags.set(Flags::BLOCKED, false);
        assert!(flags.has(Flags::JOINING) && !flags.has(Flags::BLOCKED));
        assert_eq!(flags.words().collect::<Vec<_>>(), ["joining"]);
    }
}
