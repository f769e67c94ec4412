//! Finds conditions that hold in every frame, and conditions that hold in no frame.
//!
//! The analysis uses the ranges of numbers and the drive of the agent's mode. It is incomplete: a
//! condition without a certain result may still be impossible. Only warnings use the analysis, for
//! example the warning about a transition that is never taken.

use super::tree::{Agents, Aim, Compared, Members, Number, Subject, Test, Text};
use super::words::{Fact, Quantity};
use crate::steering::Target;

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
pub fn certain(test: &Test, me: Option<Known>) -> Option<bool> {
    match test {
        Test::Constant(constant) => Some(*constant),
        Test::Or(parts) => combine(parts, true, me),
        Test::And(parts) => combine(parts, false, me),
        Test::Not(part) => certain(part, me).map(|holds| !holds),
        Test::Fact(Subject::Me, fact) => me?.never.contains(fact).then_some(false),
        Test::Compare(sign, left, right) => compare(*sign, interval(left), interval(right)),
        Test::Same { equal, left, right } => match (left, right) {
            (Text::Mode(Subject::Me), Text::Literal(name))
            | (Text::Literal(name), Text::Mode(Subject::Me)) => {
                Some((me?.mode == name.key) == *equal)
            }
            _ => None,
        },
        Test::Chance { probability, .. } => match *probability {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        // The group can be empty.
        Test::Any(members, part) => certain(part, outside(*members, me)).filter(|holds| !*holds),
        Test::All(members, part) => certain(part, outside(*members, me)).filter(|holds| *holds),
        // An agent is not compared with itself.
        Test::Touching(Agents::One(first), Agents::One(second)) if first == second => Some(false),
        Test::Fact(..)
        | Test::Is(..)
        | Test::Sees(..)
        | Test::Touching(..)
        | Test::In(..)
        | Test::Exists(_)
        | Test::Event(..)
        | Test::Changed(_) => None,
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
        match certain(part, me) {
            Some(holds) if holds == settling => return Some(settling),
            Some(_) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(!settling)
}

#[derive(Debug, Clone, Copy)]
struct Interval {
    min: f64,
    max: f64,
    /// Whether `max` itself is excluded.
    open: bool,
    /// Whether the number can be undefined, such as the distance to a target that was never seen. A
    /// comparison with an undefined number does not hold.
    missing: bool,
}

fn interval(number: &Number) -> Interval {
    let missing = match number {
        Number::Gap(..)
        | Number::Fold(..)
        | Number::Polarisation(_)
        | Number::Arithmetic(..)
        | Number::Negative(_)
        | Number::Absolute(_) => true,
        // Any agent but that of the condition can be absent.
        Number::Distance(subject, aim) => *subject != Subject::Me || can_be_absent(*aim),
        Number::Quantity(subject, _) => *subject != Subject::Me,
        Number::Literal(_) | Number::Count(..) | Number::Frame | Number::Time => false,
    };
    let from_zero = Interval { min: 0.0, max: f64::INFINITY, open: false, missing };
    match number {
        &Number::Literal(number) => Interval { min: number, max: number, ..from_zero },
        Number::Distance(..)
        | Number::Count(..)
        | Number::Absolute(_)
        | Number::Frame
        | Number::Time => from_zero,
        Number::Polarisation(_) => Interval { max: 1.0, ..from_zero },
        Number::Quantity(_, Quantity::Heading) => Interval { max: 360.0, open: true, ..from_zero },
        Number::Quantity(_, quantity) if quantity.is_never_negative() => from_zero,
        Number::Quantity(..)
        | Number::Gap(..)
        | Number::Fold(..)
        | Number::Arithmetic(..)
        | Number::Negative(_) => Interval { min: f64::NEG_INFINITY, ..from_zero },
    }
}

/// Returns true if a target can be missing while the agent of the condition is in the world.
fn can_be_absent(aim: Aim) -> bool {
    match aim {
        Aim::Target(Target::Point(_) | Target::Home) => false,
        Aim::Target(
            Target::Agent(_) | Target::Instance(_) | Target::Group(_) | Target::LastSeen(_),
        )
        | Aim::Bound(_) => true,
    }
}

fn compare(sign: Compared, left: Interval, right: Interval) -> Option<bool> {
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

fn less(left: Interval, right: Interval) -> Option<bool> {
    if left.max < right.min || left.open && left.max == right.min {
        Some(true)
    } else {
        (left.min >= right.max).then_some(false)
    }
}

fn equal(left: Interval, right: Interval) -> Option<bool> {
    if less(left, right) == Some(true) || less(right, left) == Some(true) {
        return Some(false);
    }
    let is_one = |interval: Interval| interval.min == interval.max;
    (is_one(left) && is_one(right) && left.min == right.min).then_some(true)
}
