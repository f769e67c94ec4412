//! The tree of a condition once its names and types are settled.

use core::ops::Range;

use crate::geom::{TilePos, TileRect};
use crate::id::{AgentId, GroupId};
use crate::steering::{Sighted, Target};

use super::words::{Fact, Quantity};

/// Whose field is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The one who asks: an agent with its own rule, or a member of a group.
    Me,
    /// A certain agent.
    Agent(AgentId),
}

/// Something that holds or not.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// Always, or never.
    Constant(bool),
    /// One of them holds.
    Or(Vec<Self>),
    /// All of them hold.
    And(Vec<Self>),
    /// It does not hold.
    Not(Box<Self>),
    /// A fact about an agent.
    Fact(Subject, Fact),
    /// Two numbers compared.
    Compare(Compared, Number, Number),
    /// Two texts are the same, or are not.
    Same {
        /// Must they be the same?
        equal: bool,
        /// One.
        left: Text,
        /// The other.
        right: Text,
    },
    /// An agent sees a target.
    Sees(Subject, Target),
    /// An agent is on one of these tiles.
    In(Subject, TileRect),
    /// A die, thrown each frame.
    Chance {
        /// How often it holds.
        probability: f32,
        /// Which die of the condition it is.
        index: u32,
    },
    /// Something happened on the way to this frame: to this agent, or to anybody.
    Event(Option<Subject>, &'static str),
    /// It holds for one member.
    Any(GroupId, Box<Self>),
    /// It holds for every member.
    All(GroupId, Box<Self>),
    /// A value is another than the frame before.
    Changed(Box<Value>),
}

/// A number that can be asked for; compared in f64.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// Itself. With a fraction it is rounded to f32, as what it is compared with has been.
    Literal(f64),
    /// A number of an agent.
    Quantity(Subject, Quantity),
    /// From an agent to a target, in tiles, the short way round.
    Distance(Subject, Target),
    /// The frame's number.
    Frame,
    /// Seconds since frame 0.
    Time,
}

/// A text that can be asked for, as its hash.
#[derive(Debug, Clone, PartialEq)]
pub enum Text {
    /// Itself.
    Literal(ModeName),
    /// The name of an agent's mode.
    Mode(Subject),
}

/// The name of a mode in a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ModeName {
    /// The name.
    pub name: String,
    /// Its hash, by which modes are compared.
    pub key: u64,
    /// Whose mode it is compared with.
    pub of: Option<Subject>,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

/// Anything that can be asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Holds or not.
    Test(Test),
    /// A number.
    Number(Number),
    /// A text.
    Text(Text),
}

impl Value {
    /// Its type, in words.
    pub fn type_word(&self) -> &'static str {
        match self {
            Self::Test(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
        }
    }
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
}

impl Compared {
    /// Every comparison with its sign.
    pub const SIGNS: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::Unequal),
        ("<", Self::Less),
        ("<=", Self::AtMost),
        (">", Self::Greater),
        (">=", Self::AtLeast),
    ];

    /// Does it hold?
    pub fn holds(self, left: f64, right: f64) -> bool {
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

/// The rectangle of one tile.
pub(super) fn one(tile: TilePos) -> TileRect {
    TileRect::new(tile, tile)
}

impl Test {
    /// Does it ask for what is over with the frame: an event, or a change?
    pub fn is_momentary(&self) -> bool {
        match self {
            Self::Event(..) | Self::Changed(_) => true,
            Self::Or(parts) | Self::And(parts) => parts.iter().any(Self::is_momentary),
            Self::Not(part) | Self::Any(_, part) | Self::All(_, part) => part.is_momentary(),
            Self::Constant(_)
            | Self::Fact(..)
            | Self::Compare(..)
            | Self::Same { .. }
            | Self::Sees(..)
            | Self::In(..)
            | Self::Chance { .. } => false,
        }
    }

    /// Does it ask whether anybody sees something? The one who asks counts if `myself` is true.
    pub fn asks_who_sees(&self, myself: bool) -> bool {
        match self {
            Self::Or(parts) | Self::And(parts) => {
                parts.iter().any(|part| part.asks_who_sees(myself))
            }
            Self::Not(part) => part.asks_who_sees(myself),
            Self::Sees(subject, _) => myself || *subject != Subject::Me,
            // Within, each of a group is the one who asks.
            Self::Any(_, part) | Self::All(_, part) => part.asks_who_sees(true),
            Self::Changed(value) => {
                matches!(value.as_ref(), Value::Test(test) if test.asks_who_sees(myself))
            }
            Self::Constant(_)
            | Self::Fact(..)
            | Self::Compare(..)
            | Self::Same { .. }
            | Self::In(..)
            | Self::Chance { .. }
            | Self::Event(..) => false,
        }
    }

    /// Calls `visit` with everybody whom the one who asks is asked to see, or to have seen.
    pub fn visit_sights(&self, visit: &mut impl FnMut(Sighted)) {
        match self {
            Self::Or(parts) | Self::And(parts) => {
                for part in parts {
                    part.visit_sights(visit);
                }
            }
            Self::Not(part) => part.visit_sights(visit),
            Self::Sees(Subject::Me, Target::Agent(id)) => visit(Sighted::Agent(*id)),
            Self::Sees(Subject::Me, Target::Group(group)) => visit(Sighted::Group(*group)),
            Self::Compare(_, left, right) => {
                for number in [left, right] {
                    if let Number::Distance(Subject::Me, Target::LastSeen(sighted)) = number {
                        visit(*sighted);
                    }
                }
            }
            // Members of groups look for themselves.
            Self::Any(..)
            | Self::All(..)
            | Self::Constant(_)
            | Self::Fact(..)
            | Self::Same { .. }
            | Self::Sees(..)
            | Self::In(..)
            | Self::Chance { .. }
            | Self::Event(..)
            | Self::Changed(_) => {}
        }
    }

    /// Calls `visit` with every name of a mode that something is compared with.
    pub fn visit_modes(&self, visit: &mut impl FnMut(&ModeName)) {
        match self {
            Self::Or(parts) | Self::And(parts) => {
                for part in parts {
                    part.visit_modes(visit);
                }
            }
            Self::Not(part) | Self::Any(_, part) | Self::All(_, part) => part.visit_modes(visit),
            Self::Same { left, right, .. } => {
                for text in [left, right] {
                    if let Text::Literal(name) = text {
                        visit(name);
                    }
                }
            }
            Self::Changed(value) => {
                if let Value::Test(test) = value.as_ref() {
                    test.visit_modes(visit);
                }
            }
            Self::Constant(_)
            | Self::Fact(..)
            | Self::Compare(..)
            | Self::Sees(..)
            | Self::In(..)
            | Self::Chance { .. }
            | Self::Event(..) => {}
        }
    }
}
