//! Bounds the cost of a condition: the number of comparisons that one evaluation can take.
//!
//! A function of a group multiplies the cost of its argument by the largest number of members.
//!
//! The gap of a large group is found with an index, which is built once per frame. A search in the
//! index takes few comparisons, as measured in the tests of `world/neighbours/gaps.rs` for 1,000
//! and 4,000 agents:
//!
//! - 14 per agent if the agents are spread evenly
//! - 102 per agent if they flock in a tenth of the map
//! - 1 to 20 per agent for the nearest pair of two groups
//!
//! Only a crowd of many bodies in the same place can take more.

use core::cell::Cell;

use crate::id::GroupId;

use super::functions::{Costs, SEARCH};
use super::tree::{Number, Test, Value};
use super::words::Fact;

/// Returns the largest number of comparisons that one evaluation of a test can take.
pub(super) fn of_test(test: &Test, size: &dyn Fn(GroupId) -> usize) -> u64 {
    let costs = Costs { size, indexed: Cell::new(0) };
    costs.test(test).saturating_add(costs.indexed.get())
}

/// Returns the largest number of comparisons that one evaluation of a number can take.
pub(super) fn of_number(number: &Number, size: &dyn Fn(GroupId) -> usize) -> u64 {
    let costs = Costs { size, indexed: Cell::new(0) };
    costs.number(number).saturating_add(costs.indexed.get())
}

impl Costs<'_> {
    fn test(&self, test: &Test) -> u64 {
        let all =
            |parts: &[Test]| parts.iter().map(|part| self.test(part)).fold(1, u64::saturating_add);
        match test {
            Test::Or(parts) | Test::And(parts) => all(parts),
            Test::Not(part) => self.test(part).saturating_add(1),
            Test::Any(members, part) | Test::All(members, part) => {
                self.test(part).saturating_mul(self.agents(members.of))
            }
            Test::Changed(value) => match value.as_ref() {
                Value::Test(part) => self.test(part).saturating_mul(2),
                Value::Number(part) => self.number(part).saturating_mul(2),
                Value::Text(_) => 2,
            },
            Test::Predicate(predicate) => predicate.cost(self),
            Test::Compare(_, left, right) => self.number(left).saturating_add(self.number(right)),
            Test::Fact(_, Fact::Overlapping) => SEARCH,
            Test::Constant(_) | Test::Fact(..) | Test::Same { .. } | Test::Is(..) => 1,
        }
    }

    fn number(&self, number: &Number) -> u64 {
        match number {
            Number::Measure(measure) => measure.cost(self),
            Number::Count(members, part) => self.test(part).saturating_mul(self.agents(members.of)),
            Number::Fold(_, members, part) => {
                self.number(part).saturating_mul(self.agents(members.of))
            }
            Number::Arithmetic(first, rest) => {
                let rest = rest.iter().map(|(_, part)| self.number(part));
                rest.fold(self.number(first), u64::saturating_add)
            }
            Number::Negative(part) | Number::Apply(_, part) => self.number(part),
            Number::Literal(_) | Number::Quantity(..) | Number::Frame | Number::Time => 1,
        }
    }
}
