//! Walks the nodes of a checked tree: finds events, `sees`, visibility targets and mode names, and
//! bounds the cost of a condition.
//!
//! The cost is the number of comparisons that one evaluation can take. A function of a group
//! multiplies the cost of its argument by the largest number of members.
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

use crate::condition::agents::{Agents, Members, Subject};
use crate::condition::functions::{Costs, Glance, Predicate, SEARCH};
use crate::condition::tree::{ModeName, Number, Test, Text, Value};
use crate::condition::words::Fact;
use crate::id::GroupId;
use crate::steering::SightTarget;

/// A node of a checked tree.
#[derive(Debug, Clone, Copy)]
enum TreeNode<'a> {
    Test(&'a Test),
    Number(&'a Number),
}

impl<'a> TreeNode<'a> {
    /// Calls `visit` with each direct operand of the node.
    fn visit_children(self, visit: &mut dyn FnMut(TreeNode<'a>)) {
        match self {
            Self::Test(test) => match test {
                Test::Or(parts) | Test::And(parts) => {
                    for part in parts {
                        visit(TreeNode::Test(part));
                    }
                }
                Test::Not(part) | Test::Any(_, part) | Test::All(_, part) => {
                    visit(TreeNode::Test(part));
                }
                Test::Compare(_, left, right) => {
                    visit(TreeNode::Number(left));
                    visit(TreeNode::Number(right));
                }
                Test::Changed(value) => match value.as_ref() {
                    Value::Test(part) => visit(TreeNode::Test(part)),
                    Value::Number(part) => visit(TreeNode::Number(part)),
                    Value::Text(_) => {}
                },
                Test::Constant(_)
                | Test::Fact(..)
                | Test::Same { .. }
                | Test::Is(..)
                | Test::Predicate(_) => {}
            },
            Self::Number(number) => match number {
                Number::Count(_, part) => visit(TreeNode::Test(part)),
                Number::Fold(_, _, part) | Number::Negative(part) | Number::Apply(_, part) => {
                    visit(TreeNode::Number(part));
                }
                Number::Arithmetic(first, rest) => {
                    visit(TreeNode::Number(first));
                    for (_, part) in rest {
                        visit(TreeNode::Number(part));
                    }
                }
                Number::Literal(_)
                | Number::Quantity(..)
                | Number::Traced(..)
                | Number::Measure(_)
                | Number::Frame
                | Number::Time => {}
            },
        }
    }

    /// Returns the group members for which the node evaluates its operand. Returns `None` if the
    /// node is not a group function.
    fn members(self) -> Option<Members> {
        match self {
            Self::Test(Test::Any(members, _) | Test::All(members, _))
            | Self::Number(Number::Count(members, _) | Number::Fold(_, members, _)) => {
                Some(*members)
            }
            Self::Test(_) | Self::Number(_) => None,
        }
    }

    /// Returns true if the operand is evaluated with each member as the agent of the condition.
    fn replaces_agent(self) -> bool {
        self.members().is_some_and(|members| !members.is_named)
    }

    fn is_momentary(self) -> bool {
        let mut found = match self {
            Self::Test(Test::Predicate(predicate)) => predicate.is_momentary(),
            Self::Test(test) => matches!(test, Test::Changed(_)),
            Self::Number(_) => false,
        };
        self.visit_children(&mut |part| found = found || part.is_momentary());
        found
    }

    fn contains_sees(self, myself: bool) -> bool {
        if let Self::Test(Test::Predicate(predicate)) = self {
            let observer = predicate.observer();
            return observer.is_some_and(|subject| myself || subject != Subject::Me);
        }
        let myself = myself || self.replaces_agent();
        let mut found = false;
        self.visit_children(&mut |part| found = found || part.contains_sees(myself));
        found
    }

    fn contains_glance(self, glance: Glance) -> bool {
        if let Self::Test(Test::Predicate(Predicate::Sees(.., used))) = self {
            return *used == glance;
        }
        let mut found = false;
        self.visit_children(&mut |part| found = found || part.contains_glance(glance));
        found
    }

    fn visit_agents(self, visit: &mut dyn FnMut(Agents)) {
        let mut one = |subject: Subject| visit(Agents::One(subject));
        match self {
            Self::Test(test) => match test {
                &Test::Fact(subject, _) => one(subject),
                &Test::Is(_, left, right) => [left, right].into_iter().for_each(one),
                Test::Same { left, right, .. } => {
                    [left, right].into_iter().filter_map(Text::subject).for_each(one);
                }
                Test::Predicate(predicate) => predicate.visit_agents(visit),
                Test::Changed(value) => {
                    if let Value::Text(text) = value.as_ref() {
                        text.subject().into_iter().for_each(one);
                    }
                }
                Test::Any(members, _) | Test::All(members, _) => visit(members.of),
                Test::Constant(_)
                | Test::Or(_)
                | Test::And(_)
                | Test::Not(_)
                | Test::Compare(..) => {}
            },
            Self::Number(number) => match number {
                &Number::Quantity(subject, _) | &Number::Traced(subject, _) => one(subject),
                Number::Measure(measure) => measure.visit_agents(visit),
                Number::Count(members, _) | Number::Fold(_, members, _) => visit(members.of),
                Number::Literal(_)
                | Number::Arithmetic(..)
                | Number::Negative(_)
                | Number::Apply(..)
                | Number::Frame
                | Number::Time => {}
            },
        }
        self.visit_children(&mut |part| part.visit_agents(visit));
    }

    fn visit_sights(self, visit: &mut dyn FnMut(SightTarget)) {
        match self {
            Self::Test(Test::Predicate(predicate)) => {
                predicate.tracked().into_iter().for_each(visit);
            }
            Self::Number(Number::Measure(measure)) => measure.tracked().into_iter().for_each(visit),
            // The members of groups have their own checks, and changes store no targets.
            _ if self.replaces_agent() || matches!(self, Self::Test(Test::Changed(_))) => {}
            Self::Test(_) | Self::Number(_) => {
                self.visit_children(&mut |part| part.visit_sights(visit));
            }
        }
    }

    fn visit_modes(self, visit: &mut dyn FnMut(&ModeName)) {
        if let Self::Test(Test::Same { left, right, .. }) = self {
            for text in [left, right] {
                if let Text::Literal(name) = text {
                    visit(name);
                }
            }
        }
        self.visit_children(&mut |part| part.visit_modes(visit));
    }
}

impl Test {
    /// Returns true if the tree contains `event` or `changed`. Both hold for one frame only.
    pub(crate) fn is_momentary(&self) -> bool {
        TreeNode::Test(self).is_momentary()
    }

    /// Returns true if the tree contains `sees`. If `myself` is false, ignores `sees` whose
    /// observer is the agent of the condition.
    pub fn contains_sees(&self, myself: bool) -> bool {
        TreeNode::Test(self).contains_sees(myself)
    }

    /// Returns true if the tree tests what an agent sees at this time.
    pub fn contains_glance(&self, glance: Glance) -> bool {
        TreeNode::Test(self).contains_glance(glance)
    }

    /// Calls `visit` with each target whose visibility the agent of the condition must track.
    pub(crate) fn visit_sights(&self, visit: &mut impl FnMut(SightTarget)) {
        TreeNode::Test(self).visit_sights(visit);
    }

    /// Calls `visit` with each agent and group that the tree is about. An operand of `exists` and the
    /// members of groups are not visited.
    pub(crate) fn visit_agents(&self, visit: &mut dyn FnMut(Agents)) {
        TreeNode::Test(self).visit_agents(visit);
    }

    /// Calls `visit` with each mode name that is compared with a mode.
    pub fn visit_modes(&self, visit: &mut impl FnMut(&ModeName)) {
        TreeNode::Test(self).visit_modes(visit);
    }
}

impl Number {
    /// Calls `visit` with each agent and group that the tree is about.
    pub(crate) fn visit_agents(&self, visit: &mut dyn FnMut(Agents)) {
        TreeNode::Number(self).visit_agents(visit);
    }

    /// Returns true if the tree contains `event` or `changed`. Both hold for one frame only.
    pub(super) fn is_momentary(&self) -> bool {
        TreeNode::Number(self).is_momentary()
    }
}

impl Text {
    fn subject(&self) -> Option<Subject> {
        match self {
            Self::Mode(subject) | Self::Traced(subject, _) => Some(*subject),
            Self::Literal(_) => None,
        }
    }
}

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
            Number::Literal(_)
            | Number::Quantity(..)
            | Number::Traced(..)
            | Number::Frame
            | Number::Time => 1,
        }
    }
}
