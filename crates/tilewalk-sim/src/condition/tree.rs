//! The checked tree of a condition: names are resolved and types are correct.

use core::ops::Range;
use core::slice;

use crate::geom::{TilePos, TileRect};
use crate::id::{AgentId, GroupId, Instance};
use crate::steering::{SightTarget, Target};

use super::words::{Fact, Quantity};

/// The agent that a field belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The agent of a transition, or the current member inside `any` or `all`.
    Me,
    /// An agent that the condition names.
    Agent(AgentId),
    /// An instance of a template that the condition names. It need not be in the world.
    Instance(Instance),
}

/// A boolean expression, called a test.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// A constant: `true` or `false`.
    Constant(bool),
    /// Holds if at least one operand holds.
    Or(Vec<Self>),
    /// Holds if all operands hold.
    And(Vec<Self>),
    /// Holds if the operand does not hold.
    Not(Box<Self>),
    /// Holds if a boolean field of an agent is true.
    Fact(Subject, Fact),
    /// Holds if a comparison of two numbers is true.
    Compare(Compared, Number, Number),
    /// Holds if two texts are equal or, if `equal` is false, different.
    Same {
        /// Whether the texts must be equal. Otherwise, the texts must differ.
        equal: bool,
        /// The left operand of the comparison.
        left: Text,
        /// The right operand of the comparison.
        right: Text,
    },
    /// Holds if an agent sees a target.
    Sees(Subject, Target),
    /// Holds if an agent is in an area.
    In(Subject, TileRect),
    /// Holds at random, with a new draw in each frame.
    Chance {
        /// The probability that the test holds, from 0 to 1.
        probability: f32,
        /// Index of the random draw within the condition.
        index: u32,
    },
    /// Holds if an agent, or a member of a group, is in the world.
    Exists(Target),
    /// Holds if an event happened to an agent in this frame, or to any agent for `None`.
    Event(Option<Subject>, &'static str),
    /// Holds if the condition holds for at least one member of a group.
    Any(GroupId, Box<Self>),
    /// Holds if the condition holds for all members of a group.
    All(GroupId, Box<Self>),
    /// Holds if a value differs from the previous frame.
    Changed(Box<Value>),
}

/// A numeric expression. Comparisons use f64.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// A constant. A constant with a fraction is rounded to f32, the precision of the fields.
    Literal(f64),
    /// A numeric field of an agent.
    Quantity(Subject, Quantity),
    /// The shortest distance from an agent to a target, in tiles.
    Distance(Subject, Target),
    /// The number of the current frame.
    Frame,
    /// Seconds from frame 0 to the current frame.
    Time,
}

/// A text expression. Texts are compared by hash.
#[derive(Debug, Clone, PartialEq)]
pub enum Text {
    /// The name of a mode in quotes.
    Literal(ModeName),
    /// The name of an agent's current mode.
    Mode(Subject),
}

/// The name of a mode in a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ModeName {
    /// The name as written in the condition.
    pub name: String,
    /// The hash of the name, used for comparisons.
    pub key: u64,
    /// The agent whose mode the name is compared with, if any.
    pub of: Option<Subject>,
    /// The byte range in the text of the condition.
    pub span: Range<usize>,
}

/// A checked expression of any type.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An expression that yields true or false.
    Test(Test),
    /// A numeric expression.
    Number(Number),
    /// An expression that yields a text.
    Text(Text),
}

impl Value {
    /// Returns the name of the type for error messages.
    pub(crate) fn type_word(&self) -> &'static str {
        match self {
            Self::Test(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
        }
    }
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// Equal to: `==`.
    Equal,
    /// Not equal to: `!=`.
    Unequal,
    /// Less than: `<`.
    Less,
    /// Less than or equal to: `<=`.
    AtMost,
    /// Greater than: `>`.
    Greater,
    /// Greater than or equal to: `>=`.
    AtLeast,
}

impl Compared {
    /// All comparison operators with their symbols.
    pub(crate) const SIGNS: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::Unequal),
        ("<", Self::Less),
        ("<=", Self::AtMost),
        (">", Self::Greater),
        (">=", Self::AtLeast),
    ];

    pub(crate) fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

/// Returns the area that consists of one tile.
pub(super) fn one(tile: TilePos) -> TileRect {
    TileRect::new(tile, tile)
}

impl Test {
    fn children(&self) -> &[Self] {
        match self {
            Self::Or(parts) | Self::And(parts) => parts,
            Self::Not(part) | Self::Any(_, part) | Self::All(_, part) => slice::from_ref(part),
            Self::Changed(value) => match value.as_ref() {
                Value::Test(part) => slice::from_ref(part),
                Value::Number(_) | Value::Text(_) => &[],
            },
            Self::Constant(_)
            | Self::Fact(..)
            | Self::Compare(..)
            | Self::Same { .. }
            | Self::Sees(..)
            | Self::In(..)
            | Self::Exists(_)
            | Self::Chance { .. }
            | Self::Event(..) => &[],
        }
    }

    /// Returns the largest number of comparisons, including those with the members of groups, that
    /// one evaluation can take. `size` returns the number of members of a group.
    pub(super) fn cost(&self, size: &impl Fn(GroupId) -> usize) -> u64 {
        let members = |group: &GroupId| size(*group) as u64;
        let target = |target: &Target| match target {
            Target::Group(group) => members(group),
            Target::Agent(_)
            | Target::Instance(_)
            | Target::LastSeen(_)
            | Target::Point(_)
            | Target::Home => 1,
        };
        let number = |number: &Number| match number {
            Number::Distance(_, to) => target(to),
            Number::Literal(_) | Number::Quantity(..) | Number::Frame | Number::Time => 1,
        };
        let children = self.children().iter().map(|part| part.cost(size));
        let children = children.fold(0, u64::saturating_add);
        match self {
            Self::Any(group, _) | Self::All(group, _) => children.saturating_mul(members(group)),
            Self::Changed(value) => match value.as_ref() {
                Value::Test(_) => children.saturating_mul(2),
                Value::Number(part) => 2 * number(part),
                Value::Text(_) => 2,
            },
            Self::Sees(_, to) | Self::Exists(to) => target(to),
            Self::Compare(_, left, right) => number(left) + number(right),
            Self::Or(_)
            | Self::And(_)
            | Self::Not(_)
            | Self::Constant(_)
            | Self::Fact(..)
            | Self::Same { .. }
            | Self::In(..)
            | Self::Chance { .. }
            | Self::Event(..) => children.saturating_add(1),
        }
    }

    /// Returns true if the tree contains `any` or `all`, except inside `changed`.
    pub(super) fn is_about_groups(&self) -> bool {
        let children = || self.children().iter().any(Self::is_about_groups);
        matches!(self, Self::Any(..) | Self::All(..))
            || !matches!(self, Self::Changed(_)) && children()
    }

    /// Returns true if the tree contains an event or a change, which hold for one frame only.
    pub(crate) fn is_momentary(&self) -> bool {
        matches!(self, Self::Event(..) | Self::Changed(_))
            || self.children().iter().any(Self::is_momentary)
    }

    /// Returns true if the tree contains `sees`. `sees` without an agent counts only if `myself` is
    /// true.
    pub fn contains_sees(&self, myself: bool) -> bool {
        if let Self::Sees(subject, _) = self {
            return myself || *subject != Subject::Me;
        }
        // Inside a group, each member is the agent of the condition.
        let myself = myself || matches!(self, Self::Any(..) | Self::All(..));
        self.children().iter().any(|part| part.contains_sees(myself))
    }

    /// Calls `visit` with each target whose visibility the agent of the condition must track.
    pub(crate) fn visit_sights(&self, visit: &mut impl FnMut(SightTarget)) {
        if let Self::Sees(Subject::Me, Target::Agent(id)) = self {
            visit(SightTarget::Agent(*id));
        }
        if let Self::Sees(Subject::Me, Target::Group(group)) = self {
            visit(SightTarget::Group(*group));
        }
        if let Self::Compare(_, left, right) = self {
            for number in [left, right] {
                if let Number::Distance(Subject::Me, Target::LastSeen(sighted)) = number {
                    visit(*sighted);
                }
            }
        }
        // The members of groups have their own checks, and changes store no targets.
        if !matches!(self, Self::Any(..) | Self::All(..) | Self::Changed(_)) {
            self.children().iter().for_each(|part| part.visit_sights(visit));
        }
    }

    /// Calls `visit` with each mode name that is compared with a mode.
    pub fn visit_modes(&self, visit: &mut impl FnMut(&ModeName)) {
        if let Self::Same { left, right, .. } = self {
            for text in [left, right] {
                if let Text::Literal(name) = text {
                    visit(name);
                }
            }
        }
        self.children().iter().for_each(|part| part.visit_modes(visit));
    }
}
