//! Finds conditions that hold in every frame, and conditions that hold in no frame.
//!
//! The analysis uses the ranges of numbers and the drive of the agent's mode. It is incomplete: a
//! condition without a constant result may still be impossible. Only warnings use the analysis, for
//! example the warning about a transition that is never taken.

use super::agents::{Members, Subject};
use super::functions::NumberRange;
use super::tree::{Compared, Number, Test, Text};
use super::words::{Fact, Quantity};

/// Known properties of the agent to which fields without an agent name refer. They hold in every
/// frame of one mode.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Hash of the name of the agent's current mode.
    pub mode: u64,
    /// Fields that are false in every frame of this mode.
    pub never: &'a [Fact],
}

/// Returns the result of a test if the result is the same in every frame. Returns `None` if the
/// result can vary or is unknown. A field without an agent name refers to `me`; `None` if this
/// agent is unknown.
pub fn constant_result(test: &Test, me: Option<Known>) -> Option<bool> {
    match test {
        Test::Constant(constant) => Some(*constant),
        Test::Or(parts) => combine(parts, true, me),
        Test::And(parts) => combine(parts, false, me),
        Test::Not(part) => constant_result(part, me).map(|holds| !holds),
        Test::Fact(Subject::Me, fact) => me?.never.contains(fact).then_some(false),
        Test::Compare(sign, left, right) => compare(*sign, interval(left), interval(right)),
        Test::Same { equal, left, right } => match (left, right) {
            (Text::Mode(Subject::Me), Text::Literal(name))
            | (Text::Literal(name), Text::Mode(Subject::Me)) => {
                Some((me?.mode == name.key) == *equal)
            }
            _ => None,
        },
        Test::Predicate(predicate) => predicate.constant(),
        // The group can be empty.
        Test::Any(members, part) => {
            constant_result(part, outside(*members, me)).filter(|holds| !*holds)
        }
        Test::All(members, part) => {
            constant_result(part, outside(*members, me)).filter(|holds| *holds)
        }
        Test::Fact(..) | Test::Is(..) | Test::Changed(_) => None,
    }
}

/// Returns the known properties that apply inside a function of a group. If the members have a
/// name, these are the properties of `me`. Otherwise, returns `None`, because fields without an
/// agent name then refer to the members.
fn outside(members: Members, me: Option<Known>) -> Option<Known> {
    me.filter(|_| members.is_named)
}

/// Combines the operands of `and` or `or`. A single operand with the result `settling` determines
/// the combined result.
fn combine(parts: &[Test], settling: bool, me: Option<Known>) -> Option<bool> {
    let mut all_known = true;
    for part in parts {
        match constant_result(part, me) {
            Some(holds) if holds == settling => return Some(settling),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!settling)
}

fn interval(number: &Number) -> NumberRange {
    match number {
        &Number::Literal(number) => {
            NumberRange { min: number, max: number, ..NumberRange::from_zero(false) }
        }
        Number::Measure(measure) => measure.range(),
        Number::Count(..) | Number::Frame | Number::Time => NumberRange::from_zero(false),
        Number::Apply(function, _) => function.range(),
        &Number::Quantity(subject, quantity) => {
            // Any agent but that of the condition can be absent.
            let missing = subject != Subject::Me;
            if quantity == Quantity::Heading {
                NumberRange { max: 360.0, open: true, ..NumberRange::from_zero(missing) }
            } else if quantity.is_never_negative() {
                NumberRange::from_zero(missing)
            } else {
                NumberRange::any(missing)
            }
        }
        Number::Fold(..) | Number::Arithmetic(..) | Number::Negative(_) | Number::Traced(..) => {
            NumberRange::any(true)
        }
    }
}

fn compare(sign: Compared, left: NumberRange, right: NumberRange) -> Option<bool> {
    let holds = match sign {
        Compared::Less => less(left, right),
        Compared::Greater => less(right, left),
        Compared::AtLeast => less(left, right).map(|holds| !holds),
        Compared::AtMost => less(right, left).map(|holds| !holds),
        Compared::Equal => equal(left, right),
        Compared::Unequal => equal(left, right).map(|holds| !holds),
    };
    holds.filter(|holds| !(*holds && (left.missing || right.missing)))
}

fn less(left: NumberRange, right: NumberRange) -> Option<bool> {
    if left.max < right.min || left.open && left.max == right.min {
        Some(true)
    } else {
        (left.min >= right.max).then_some(false)
    }
}

fn equal(left: NumberRange, right: NumberRange) -> Option<bool> {
    if less(left, right) == Some(true) || less(right, left) == Some(true) {
        return Some(false);
    }
    let is_one = |interval: NumberRange| interval.min == interval.max;
    (is_one(left) && is_one(right) && left.min == right.min).then_some(true)
}
