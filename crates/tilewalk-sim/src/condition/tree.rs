//! The checked tree of a condition: names are resolved and types are correct.

use core::ops::Range;

use super::agents::{Members, Subject};
use super::functions::{Fold, MathFunction, Measure, Predicate};
use super::words::{Fact, Operator, Quantity};

/// A boolean expression of a condition.
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
    /// Holds if a boolean field of an agent is true. Does not hold for an absent agent.
    Fact(Subject, Fact),
    /// Holds if a comparison of two numbers is true. Does not hold if a number is undefined.
    Compare(Compared, Number, Number),
    /// Holds if two texts are equal. If `equal` is false, holds if they differ. Does not hold if a
    /// text is missing, such as the mode of an absent agent.
    Same {
        /// Whether the texts must be equal. Otherwise, the texts must differ.
        equal: bool,
        /// The left operand of the comparison.
        left: Text,
        /// The right operand of the comparison.
        right: Text,
    },
    /// Holds if two agents are the same agent. If the first value is false, holds if they are
    /// different agents. Does not hold if one of them is absent.
    Is(bool, Subject, Subject),
    /// A function that is true or false.
    Predicate(Predicate),
    /// Holds if the condition holds for at least one member of a group.
    Any(Members, Box<Self>),
    /// Holds if the condition holds for all members of a group. Holds for an empty group.
    All(Members, Box<Self>),
    /// Holds if a value differs from its value in the previous frame. Does not hold if the previous
    /// frame is unknown.
    Changed(Box<Value>),
}

/// A numeric expression of a condition. Values are computed and compared as f64.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// A constant. A constant with a fraction is rounded to f32, the precision of the fields.
    Literal(f64),
    /// A numeric field of an agent.
    Quantity(Subject, Quantity),
    /// A number of an agent in a column of the trace. The second field is the index of the column.
    Traced(Subject, u32),
    /// A function whose result is a number.
    Measure(Measure),
    /// The number of members for which a condition holds.
    Count(Members, Box<Test>),
    /// The mean, smallest, largest or total value of a number over all members.
    Fold(Fold, Members, Box<Self>),
    /// Operands of the same precedence, evaluated from left to right. Each operand after the first
    /// is stored with the operator before it.
    Arithmetic(Box<Self>, Vec<(Operator, Self)>),
    /// A number with the opposite sign.
    Negative(Box<Self>),
    /// A function of one number.
    Apply(MathFunction, Box<Self>),
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
    /// A text of an agent in a column of the trace. The second field is the index of the column.
    Traced(Subject, u32),
}

/// The name of a mode, in quotes in a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ModeName {
    /// The name without the quotes.
    pub name: String,
    /// The hash of the name, used for comparisons.
    pub key: u64,
    /// The agent whose mode is compared with this name. `None` stands for each member of a group in
    /// turn.
    pub of: Option<Subject>,
    /// The byte range of the quoted name in the text of the condition.
    pub span: Range<usize>,
}

/// A checked expression of any type: boolean, number or text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An expression that yields true or false.
    Test(Test),
    /// An expression that yields a number.
    Number(Number),
    /// An expression that yields a text.
    Text(Text),
}

impl Value {
    /// Returns the name of the expression's type, for error messages.
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

    /// Returns the symbol of the operator, such as `<=`.
    pub(crate) fn sign(self) -> &'static str {
        Self::SIGNS.into_iter().find(|&(_, known)| known == self).map_or("?", |(sign, _)| sign)
    }

    /// Returns the operator for exchanged operands, such as `>` for `<`. The comparison has the
    /// same result.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::Unequal => Self::Unequal,
            Self::Less => Self::Greater,
            Self::AtMost => Self::AtLeast,
            Self::Greater => Self::Less,
            Self::AtLeast => Self::AtMost,
        }
    }

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
