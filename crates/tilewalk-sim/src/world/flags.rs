//! What is true of an agent in a frame, as one byte.

/// A set of yes-or-no facts about an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u8);

impl Flags {
    /// Its last due step on tiles was refused.
    pub const BLOCKED: Self = Self(1);
    /// It stands where it travelled to.
    pub const ARRIVED: Self = Self(1 << 1);
    /// Its pattern has ended for good.
    pub const FINISHED: Self = Self(1 << 2);
    /// It is on its way to its pattern.
    pub const JOINING: Self = Self(1 << 3);
    /// Its body touches something solid.
    pub const COLLIDED: Self = Self(1 << 4);
    /// It has not come from the spot for a while, though it wants to.
    pub const STUCK: Self = Self(1 << 5);
    /// Its numbers went wrong, and it is frozen in its last good state.
    pub const QUARANTINED: Self = Self(1 << 6);
    /// Its solid body overlapped another before they were moved apart.
    pub const OVERLAPPING: Self = Self(1 << 7);

    /// Every flag with its word, in the order they are shown.
    pub const WORDS: [(Self, &'static str); 7] = [
        (Self::QUARANTINED, "quarantined"),
        (Self::STUCK, "stuck"),
        (Self::BLOCKED, "blocked"),
        (Self::COLLIDED, "collided"),
        (Self::JOINING, "joining"),
        (Self::ARRIVED, "arrived"),
        (Self::FINISHED, "finished"),
    ];

    /// Are all of `flags` set?
    pub fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Sets or clears `flags`.
    pub fn set(&mut self, flags: Self, on: bool) {
        if on {
            self.0 |= flags.0;
        } else {
            self.0 &= !flags.0;
        }
    }

    /// The words of those that are set.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().filter(move |&(flag, _)| self.has(flag)).map(|(_, word)| word)
    }

    /// The byte.
    pub fn bits(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_set_and_cleared_alone() {
        let mut flags = Flags::default();
        flags.set(Flags::BLOCKED, true);
        flags.set(Flags::JOINING, true);
        flags.set(Flags::BLOCKED, false);
        assert!(flags.has(Flags::JOINING) && !flags.has(Flags::BLOCKED));
        assert_eq!(flags.words().collect::<Vec<_>>(), ["joining"]);
    }
}
