//! Finds the agent that decides the result of a condition.

use crate::id::AgentId;

use super::eval::{Evaluation, Facts};
use super::tree::{Agents, Members, Number, Test, Text, Value};

impl<F: Facts> Evaluation<'_, F> {
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
            &Test::Fact(subject, _)
            | &Test::Is(_, subject, _)
            | &Test::Sees(subject, _)
            | &Test::In(subject, _) => self.id(subject),
            Test::Compare(_, left, right) => {
                self.agent_of_number(left).or_else(|| self.agent_of_number(right))
            }
            Test::Same { left, right, .. } => {
                [left, right].into_iter().find_map(|text| match text {
                    Text::Mode(subject) => self.id(*subject),
                    Text::Literal(_) => None,
                })
            }
            &Test::Exists(agents) => self.agent_among(agents),
            &Test::Touching(first, second) => {
                self.agent_among(first).or_else(|| self.agent_among(second))
            }
            Test::Event(subject, _) => self.id((*subject)?),
            Test::Any(members, part) => self.deciding(*members, part, true),
            Test::All(members, part) => self.deciding(*members, part, false),
            Test::Changed(value) => match value.as_ref() {
                Value::Test(part) => self.agent_of(part),
                Value::Number(part) => self.agent_of_number(part),
                Value::Text(Text::Mode(subject)) => self.id(*subject),
                Value::Text(Text::Literal(_)) => None,
            },
            Test::Constant(_) | Test::Chance { .. } => None,
        }
    }

    /// Returns the first agent that a number depends on. Returns `None` if there is no such agent.
    pub fn agent_of_number(&self, what: &Number) -> Option<AgentId> {
        match what {
            &Number::Quantity(subject, _) | &Number::Distance(subject, _) => self.id(subject),
            &Number::Gap(first, second) => {
                self.agent_among(first).or_else(|| self.agent_among(second))
            }
            Number::Count(members, part) => self.deciding(*members, part, true),
            Number::Fold(_, members, _) => self.agent_among(members.of),
            Number::Arithmetic(first, rest) => {
                let parts = core::iter::once(&**first).chain(rest.iter().map(|(_, part)| part));
                parts.into_iter().find_map(|part| self.agent_of_number(part))
            }
            Number::Negative(part) | Number::Absolute(part) => self.agent_of_number(part),
            Number::Literal(_) | Number::Polarisation(_) | Number::Frame | Number::Time => None,
        }
    }

    fn deciding(&self, members: Members, part: &Test, result: bool) -> Option<AgentId> {
        self.select(members, part, result).first().copied()
    }

    /// Returns the id of a single agent. Returns `None` for a group, or if the agent is not in the
    /// world.
    fn agent_among(&self, agents: Agents) -> Option<AgentId> {
        match agents {
            Agents::One(subject) => self.id(subject),
            Agents::Group(_) => None,
        }
    }
}
