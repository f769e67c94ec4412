//! The memory of steering behaviours between frames.
//!
//! Each value is declared once, in this file. The declaration determines its part of the state
//! hash, its name in `diff`, its text in reports, and whether it survives a switch to another
//! scenario.

use crate::geom::Vec2;

/// Declares the values of [`Memory`]. Generates the struct and the functions that visit all values.
macro_rules! memory {
    ($(
        $(#[$about:meta])*
        $field:ident: $Kind:ident($Type:ty), kept $kept:ident,
        diff $name:literal, shown $label:literal $(, packed from bit $bit:literal)?;
    )*) => {
        /// State of an agent's steering behaviours that lasts between frames.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct Memory {
            $($(#[$about])* pub $field: $Type,)*
        }

        impl Memory {
            /// Iterates over all values, in order of declaration.
            #[inline]
            pub(crate) fn values(&self) -> impl Iterator<Item = MemoryValue> {
                [$(MemoryValue {
                    name: $name,
                    label: $label,
                    bit: None$(.or(Some($bit)))?,
                    value: Remembered::$Kind(self.$field),
                },)*].into_iter()
            }

            /// Returns the memory without the values that depend on the paths of the scenario.
            pub(crate) fn on_other_paths(&self) -> Self {
                Self { $($field: KeptMemory::$kept.on_other_paths(self.$field),)* }
            }
        }
    };
}

// To add a value, declare it here:
//     name: Kind(type), kept when, diff "name in `diff`", shown "text in reports";
//
// The first values share a word of the state hash. Each new value adds its own words, and only if
// it is set, so that the hashes of agents without the value stay the same.
memory! {
    /// The wander point on the wander circle, in tiles in the body's frame; `None` until the first
    /// use.
    wander: Point(Option<Vec2>), kept Always,
    diff "wander point", shown "wander point", packed from bit 0;
    /// Index of the current point in the agent's path.
    waypoint: Index(u32), kept OnSamePaths,
    diff "path point index", shown "waypoint", packed from bit 2;
    /// Whether the last query of the flow field found no path.
    no_route: Problem(bool), kept OnSamePaths,
    diff "flow field has no route", shown "flow: no route", packed from bit 1;
}

/// A remembered value, with its declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MemoryValue {
    /// Name of the value in `diff`.
    pub name: &'static str,
    /// Text that precedes the value in reports.
    pub label: &'static str,
    /// First bit of the value in the shared word of the state hash; `None` if the value has words
    /// of its own.
    pub bit: Option<u32>,
    pub value: Remembered,
}

/// The kinds of remembered values. Reports omit values that are not set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Remembered {
    /// A point or a vector, in tiles.
    Point(Option<Vec2>),
    /// An index from 0. Reports add 1 to the index. The index 0 counts as not set.
    Index(u32),
    /// A problem, shown by its label.
    Problem(bool),
}

impl Remembered {
    /// Returns the value's bits for the shared word of the state hash. Returns 0 if the value is
    /// not set.
    #[inline]
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Point(point) => u32::from(point.is_some()),
            Self::Index(index) => index,
            Self::Problem(is_set) => u32::from(is_set),
        }
    }
}

/// Condition under which a value survives a switch to another scenario. In both scenarios, the
/// agent's mode has the same meaning.
enum KeptMemory {
    Always,
    /// The value survives only if the paths of both scenarios are the same.
    OnSamePaths,
}

impl KeptMemory {
    fn on_other_paths<T: Default>(self, value: T) -> T {
        match self {
            Self::Always => value,
            Self::OnSamePaths => T::default(),
        }
    }
}
