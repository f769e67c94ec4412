//! Finds conditions that hold in every frame or in none.
//!
//! The analysis uses the ranges of numbers and the drive of the agent's mode. It is incomplete: a
//! condition without a certain result may still be impossible. Only warnings use it, for example
//! for a transition that never fires.

use super::test::{Compared, Number, Subject, Test, Text};
use super::words::{Fact, Quantity};
use crate::steering::Target;

/// What is known of the one who asks, whatever the frame.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Key of the mode in which it asks.
    pub mode: u64,
    /// Facts that never hold in that mode.
    pub never: &'a [Fact],
}

/// Does it hold in every frame, or in none? `me` is `None` where anybody may ask.
pub fn certain(test: &Test, me: Option<Known>) -> Option<bool> {
    match test {
        Test::Constant(constant) => Some(*constant),
        Test::Or(parts) => one_settles(parts, true, me),
        Test::And(parts) => one_settles(parts, false, me),
        Test::Not(part) => certain(part, me).map(|holds| !holds),
        Test::Fact(Subject::Me, fact) => me?.never.contains(fact).then_some(false),
        Test::Compare(sign, left, right) => compare(*sign, range(left), range(right)),
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
        // A group has members, and inside it each of them asks.
        Test::Any(_, part) | Test::All(_, part) => certain(part, None),
        Test::Fact(..) | Test::Sees(..) | Test::In(..) | Test::Event(..) | Test::Changed(_) => None,
    }
}

/// Of parts of which one that is `settling` settles all.
fn one_settles(parts: &[Test], settling: bool, me: Option<Known>) -> Option<bool> {
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

/// The numbers that one can be.
#[derive(Debug, Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
    /// Is it less than `most`, rather than at most that?
    open: bool,
    /// May it be missing? Then no comparison holds.
    missing: bool,
}

fn range(number: &Number) -> Range {
    let from_zero = Range { least: 0.0, most: f64::INFINITY, open: false, missing: false };
    match number {
        &Number::Literal(number) => Range { least: number, most: number, ..from_zero },
        Number::Distance(_, Target::LastSeen(_)) => Range { missing: true, ..from_zero },
        Number::Quantity(_, Quantity::Speed | Quantity::TimeInMode)
        | Number::Distance(..)
        | Number::Frame
        | Number::Time => from_zero,
        Number::Quantity(_, Quantity::Heading) => Range { most: 360.0, open: true, ..from_zero },
        Number::Quantity(..) => Range { least: f64::NEG_INFINITY, ..from_zero },
    }
}

fn compare(sign: Compared, left: Range, right: Range) -> Option<bool> {
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

fn less(left: Range, right: Range) -> Option<bool> {
    if left.most < right.least || left.open && left.most == right.least {
        Some(true)
    } else {
        (left.least >= right.most).then_some(false)
    }
}

fn equal(left: Range, right: Range) -> Option<bool> {
    if less(left, right) == Some(true) || less(right, left) == Some(true) {
        return Some(false);
    }
    let is_one = |range: Range| range.least == range.most;
    (is_one(left) && is_one(right) && left.least == right.least).then_some(true)
}
