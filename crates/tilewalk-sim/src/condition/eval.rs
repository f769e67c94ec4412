//! Evaluates conditions at a frame, and finds the agent that decides the result.

use crate::id::AgentId;

use super::agents::Members;
use super::functions::{Evaluation, Facts, Fold};
use super::tree::{Number, Test, Text, Value};
use super::words::Operator;

impl<F: Facts> Evaluation<'_, F> {
    /// Returns true if a test holds.
    pub fn test(&self, what: &Test) -> bool {
        let facts = self.facts;
        match what {
            Test::Constant(constant) => *constant,
            Test::Or(parts) => parts.iter().any(|part| self.test(part)),
            Test::And(parts) => parts.iter().all(|part| self.test(part)),
            Test::Not(part) => !self.test(part),
            &Test::Fact(subject, fact) => self.id(subject).is_some_and(|id| facts.fact(id, fact)),
            Test::Compare(sign, left, right) => match (self.number(left), self.number(right)) {
                (Some(left), Some(right)) => sign.holds(left, right),
                // Comparisons with a missing number do not hold.
                _ => false,
            },
            Test::Same { equal, left, right } => match (self.text(left), self.text(right)) {
                (Some(left), Some(right)) => (left == right) == *equal,
                // Comparisons with a missing text do not hold, either.
                _ => false,
            },
            &Test::Is(equal, left, right) => match (self.id(left), self.id(right)) {
                (Some(left), Some(right)) => (left == right) == equal,
                _ => false,
            },
            Test::Predicate(predicate) => predicate.holds(self),
            Test::Any(members, part) => {
                self.members(members.of).any(|id| self.with(*members, id, |it| it.test(part)))
            }
            Test::All(members, part) => {
                self.members(members.of).all(|id| self.with(*members, id, |it| it.test(part)))
            }
            Test::Changed(value) => facts.before().is_some_and(|before| {
                let before = self.at(before);
                match value.as_ref() {
                    Value::Test(part) => self.test(part) != before.test(part),
                    Value::Number(part) => self.number(part) != before.number(part),
                    Value::Text(part) => self.text(part) != before.text(part),
                }
            }),
        }
    }

    /// Returns the value of a numeric expression. Returns `None` if the value is missing or not
    /// finite.
    pub fn number(&self, what: &Number) -> Option<f64> {
        self.raw(what).filter(|number| number.is_finite())
    }

    fn raw(&self, what: &Number) -> Option<f64> {
        let facts = self.facts;
        match what {
            Number::Literal(number) => Some(*number),
            &Number::Quantity(subject, quantity) => {
                self.id(subject).map(|id| facts.quantity(id, quantity))
            }
            &Number::Traced(subject, column) => {
                self.id(subject).and_then(|id| facts.traced_number(id, column))
            }
            Number::Measure(measure) => measure.value(self),
            Number::Count(members, part) => {
                let holds = |id: &AgentId| self.with(*members, *id, |it| it.test(part));
                Some(self.members(members.of).filter(holds).count() as f64)
            }
            Number::Fold(fold, members, part) => {
                // Members without a value do not count.
                let value = |id| self.with(*members, id, |it| it.number(part));
                fold.combine(self.members(members.of).filter_map(value))
            }
            Number::Arithmetic(first, rest) => {
                rest.iter().try_fold(self.number(first)?, |left, (operator, right)| {
                    let right = self.number(right)?;
                    Some(match operator {
                        Operator::Add => left + right,
                        Operator::Subtract => left - right,
                        Operator::Multiply => left * right,
                        Operator::Divide => left / right,
                    })
                    .filter(|number| number.is_finite())
                })
            }
            Number::Negative(part) => self.number(part).map(|number| -number),
            Number::Apply(function, part) => self.number(part).map(|number| function.apply(number)),
            Number::Frame => Some(facts.frame() as f64),
            Number::Time => Some(f64::from(facts.time())),
        }
    }

    /// Returns the members, in agent order, for which `part` has the result `result`.
    pub fn select(&self, members: Members, part: &Test, result: bool) -> Vec<AgentId> {
        let has = |id: &AgentId| self.with(members, *id, |it| it.test(part)) == result;
        self.members(members.of).filter(has).collect()
    }

    fn text(&self, what: &Text) -> Option<u64> {
        match what {
            Text::Literal(name) => Some(name.key),
            Text::Mode(subject) => self.id(*subject).map(|id| self.facts.mode_key(id)),
            &Text::Traced(subject, column) => {
                self.id(subject).and_then(|id| self.facts.traced_text(id, column))
            }
        }
    }

    /// Returns the first agent that decides the result of a test. For a function of a group, this
    /// is the first deciding member. Returns `None` if no agent decides the result.
    pub fn agent_of(&self, what: &Test) -> Option<AgentId> {
        match what {
            Test::Or(parts) | Test::And(parts) => {
                let result = self.test(what);
                let deciding = parts.iter().filter(|part| self.test(part) == result);
                deciding.chain(parts).find_map(|part| self.agent_of(part))
            }
            Test::Not(part) => self.agent_of(part),
            &Test::Fact(subject, _) | &Test::Is(_, subject, _) => self.id(subject),
            Test::Predicate(predicate) => predicate.agent(self),
            Test::Compare(_, left, right) => {
                self.agent_of_number(left).or_else(|| self.agent_of_number(right))
            }
            Test::Same { left, right, .. } => {
                [left, right].into_iter().find_map(|text| match text {
                    Text::Mode(subject) | Text::Traced(subject, _) => self.id(*subject),
                    Text::Literal(_) => None,
                })
            }
            Test::Any(members, part) => self.deciding(*members, part, true),
            Test::All(members, part) => self.deciding(*members, part, false),
            Test::Changed(value) => match value.as_ref() {
                Value::Test(part) => self.agent_of(part),
                Value::Number(part) => self.agent_of_number(part),
                Value::Text(Text::Mode(subject) | Text::Traced(subject, _)) => self.id(*subject),
                Value::Text(Text::Literal(_)) => None,
            },
            Test::Constant(_) => None,
        }
    }

    /// Returns the first agent that a number depends on. Returns `None` if there is no such agent.
    pub fn agent_of_number(&self, what: &Number) -> Option<AgentId> {
        match what {
            &Number::Quantity(subject, _) | &Number::Traced(subject, _) => self.id(subject),
            Number::Measure(measure) => measure.agent(self),
            Number::Count(members, part) => self.deciding(*members, part, true),
            Number::Fold(fold @ (Fold::Min | Fold::Max), members, part) => {
                let value = |id| self.with(*members, id, |it| it.number(part));
                let extreme = fold.combine(self.members(members.of).filter_map(value))?;
                self.members(members.of).find(|&id| value(id) == Some(extreme))
            }
            Number::Fold(Fold::Mean | Fold::Sum, members, _) => self.single_agent(members.of),
            Number::Arithmetic(first, rest) => {
                let parts = core::iter::once(&**first).chain(rest.iter().map(|(_, part)| part));
                parts.into_iter().find_map(|part| self.agent_of_number(part))
            }
            Number::Negative(part) | Number::Apply(_, part) => self.agent_of_number(part),
            Number::Literal(_) | Number::Frame | Number::Time => None,
        }
    }

    fn deciding(&self, members: Members, part: &Test, result: bool) -> Option<AgentId> {
        self.select(members, part, result).first().copied()
    }
}

impl Value {
    /// Returns the value of a boolean expression; `None` for other types.
    pub(crate) fn holds(&self, facts: &impl Facts) -> Option<bool> {
        let Self::Test(part) = self else { return None };
        Some(Evaluation::new(facts, None).test(part))
    }

    /// Returns the value of a numeric expression; `None` if the value is missing, and for other
    /// types.
    pub(crate) fn measured(&self, facts: &impl Facts) -> Option<f64> {
        let Self::Number(part) = self else { return None };
        Evaluation::new(facts, None).number(part)
    }
}
