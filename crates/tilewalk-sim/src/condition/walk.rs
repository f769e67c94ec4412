//! Searches the nodes of a checked tree for events, `sees`, visibility targets and mode names.

use crate::steering::SightTarget;

use super::agents::{Members, Subject};
use super::tree::{ModeName, Number, Test, Text, Value};

/// A node of a checked tree.
#[derive(Debug, Clone, Copy)]
enum Node<'a> {
    Test(&'a Test),
    Number(&'a Number),
}

impl<'a> Node<'a> {
    /// Calls `visit` with each direct operand of the node.
    fn visit_children(self, visit: &mut dyn FnMut(Node<'a>)) {
        match self {
            Self::Test(test) => match test {
                Test::Or(parts) | Test::And(parts) => {
                    for part in parts {
                        visit(Node::Test(part));
                    }
                }
                Test::Not(part) | Test::Any(_, part) | Test::All(_, part) => {
                    visit(Node::Test(part));
                }
                Test::Compare(_, left, right) => {
                    visit(Node::Number(left));
                    visit(Node::Number(right));
                }
                Test::Changed(value) => match value.as_ref() {
                    Value::Test(part) => visit(Node::Test(part)),
                    Value::Number(part) => visit(Node::Number(part)),
                    Value::Text(_) => {}
                },
                Test::Constant(_)
                | Test::Fact(..)
                | Test::Same { .. }
                | Test::Is(..)
                | Test::Predicate(_) => {}
            },
            Self::Number(number) => match number {
                Number::Count(_, part) => visit(Node::Test(part)),
                Number::Fold(_, _, part) | Number::Negative(part) | Number::Apply(_, part) => {
                    visit(Node::Number(part));
                }
                Number::Arithmetic(first, rest) => {
                    visit(Node::Number(first));
                    for (_, part) in rest {
                        visit(Node::Number(part));
                    }
                }
                Number::Literal(_)
                | Number::Quantity(..)
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
        Node::Test(self).is_momentary()
    }

    /// Returns true if the tree contains `sees`. If `myself` is false, ignores `sees` whose
    /// observer is the agent of the condition.
    pub fn contains_sees(&self, myself: bool) -> bool {
        Node::Test(self).contains_sees(myself)
    }

    /// Calls `visit` with each target whose visibility the agent of the condition must track.
    pub(crate) fn visit_sights(&self, visit: &mut impl FnMut(SightTarget)) {
        Node::Test(self).visit_sights(visit);
    }

    /// Calls `visit` with each mode name that is compared with a mode.
    pub fn visit_modes(&self, visit: &mut impl FnMut(&ModeName)) {
        Node::Test(self).visit_modes(visit);
    }
}

impl Number {
    /// Returns true if the tree contains `event` or `changed`. Both hold for one frame only.
    pub(super) fn is_momentary(&self) -> bool {
        Node::Number(self).is_momentary()
    }
}
