//! Evaluates conditions at a frame.

use crate::geom::TileRect;
use crate::id::{AgentId, GroupId, Instance};
use crate::locomotion::contacts::TOUCHING;
use crate::steering::Target;

use super::tree::{Agents, Aim, Members, Number, Subject, Test, Text, Value};
use super::words::{Fact, Fold, Operator, Quantity};

/// One agent, or all members of a group. Absent agents are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Several {
    /// A single agent, by its id.
    One(AgentId),
    /// A group of agents, by its id.
    Group(GroupId),
}

/// The state of a frame, as conditions read it.
pub trait Facts: Sized {
    /// Returns the number of the frame.
    fn frame(&self) -> u64;

    /// Returns the time since frame 0, in seconds.
    fn time(&self) -> f32;

    /// Returns the value of a numeric field of an agent, in the unit of the field.
    fn quantity(&self, id: AgentId, quantity: Quantity) -> f64;

    /// Returns the value of a boolean field of an agent.
    fn fact(&self, id: AgentId, fact: Fact) -> bool;

    /// Returns the hash of the name of an agent's current mode.
    fn mode_key(&self, id: AgentId) -> u64;

    /// Returns the distance from an agent to a target, in tiles. Returns `None` if the target is
    /// not in the world or was never seen.
    fn distance(&self, id: AgentId, target: Target) -> Option<f32>;

    /// Returns the heading of an agent as a unit vector: x to the east, y to the south.
    fn heading(&self, id: AgentId) -> [f64; 2];

    /// Returns the smallest distance between the edges of two different bodies, one from each
    /// argument, in tiles. Negative if the bodies overlap. Returns `None` if no such pair is in the
    /// world.
    fn gap(&self, first: Several, second: Several) -> Option<f64>;

    /// Returns true if an agent sees a target. If the agent tracks the visibility of the target,
    /// returns the result of the last check.
    fn sees(&self, id: AgentId, target: Target) -> bool;

    /// Returns true if the tile of an agent is in an area.
    fn is_in(&self, id: AgentId, area: TileRect) -> bool;

    /// Returns true if an event happened to an agent in this frame, or to any agent if `id` is
    /// `None`. `word` names the event, with `_` for spaces.
    fn happened(&self, id: Option<AgentId>, word: &str) -> bool;

    /// Returns true if an event happened to an instance of a template in this frame. The instance
    /// need not be in the world at the end of the frame.
    fn happened_to(&self, instance: Instance, word: &str) -> bool;

    /// Returns true if an agent is in the world.
    fn is_present(&self, id: AgentId) -> bool;

    /// Returns the id of an instance of a template. Returns `None` if the instance is not in the
    /// world.
    fn instance(&self, instance: Instance) -> Option<AgentId>;

    /// Returns a random number in [0, 1). `index` counts the random draws in the condition from 0,
    /// and `id` is the agent that tests the condition.
    fn random(&self, id: AgentId, index: u32) -> f32;

    /// Returns the members of a group, in agent order, including absent ones.
    fn members(&self, group: GroupId) -> &[AgentId];

    /// Returns true if the computation was cancelled. The evaluation then ends at once, and its
    /// result is not used.
    fn is_cancelled(&self) -> bool;

    /// Returns the state of the previous frame. Returns `None` if that frame is not available.
    fn before(&self) -> Option<&Self>;
}

/// A frame on which a condition is evaluated. Also contains the agents to which the fields and
/// names in the condition refer.
pub(super) struct Evaluation<'a, F> {
    facts: &'a F,
    /// Agent to which a field without an agent name refers; `None` if every field needs an agent
    /// name.
    me: Option<AgentId>,
    /// Innermost member with a name; `None` if no member has a name.
    bound: Option<&'a Bound<'a>>,
}

/// A member of a group to which the condition gives a name.
struct Bound<'a> {
    id: AgentId,
    /// Next outer member with a name; `None` for the outermost member.
    outer: Option<&'a Self>,
}

impl<'a, F: Facts> Evaluation<'a, F> {
    /// Creates the evaluation on a frame. A field without an agent name refers to `me`.
    pub fn new(facts: &'a F, me: Option<AgentId>) -> Self {
        Self { facts, me, bound: None }
    }

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
            &Test::Sees(subject, aim) => match (self.id(subject), self.target(aim)) {
                (Some(id), Some(target)) => facts.sees(id, target),
                _ => false,
            },
            &Test::In(subject, area) => self.id(subject).is_some_and(|id| facts.is_in(id, area)),
            &Test::Exists(agents) => self.members(agents).next().is_some(),
            &Test::Touching(first, second) => {
                self.gap(first, second).is_some_and(|gap| gap <= f64::from(TOUCHING))
            }
            &Test::Chance { probability, index } => {
                self.me.is_some_and(|id| facts.random(id, index) < probability)
            }
            &Test::Event(subject, word) => self.happened(subject, word),
            Test::Any(members, part) => {
                self.members(members.of).any(|id| self.with(*members, id, |it| it.test(part)))
            }
            Test::All(members, part) => {
                self.members(members.of).all(|id| self.with(*members, id, |it| it.test(part)))
            }
            Test::Changed(value) => facts.before().is_some_and(|before| {
                let before = Evaluation { facts: before, me: self.me, bound: self.bound };
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
            &Number::Distance(subject, aim) => {
                let (id, target) = (self.id(subject)?, self.target(aim)?);
                facts.distance(id, target).map(f64::from)
            }
            &Number::Gap(first, second) => self.gap(first, second),
            Number::Count(members, part) => {
                let holds = |id: &AgentId| self.with(*members, *id, |it| it.test(part));
                Some(self.members(members.of).filter(holds).count() as f64)
            }
            Number::Fold(fold, members, part) => self.fold(*fold, *members, part),
            &Number::Polarisation(agents) => self.polarisation(agents),
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
            Number::Absolute(part) => self.number(part).map(f64::abs),
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
        }
    }

    /// Combines the numbers of all members, in agent order. Members without a value do not count.
    fn fold(&self, fold: Fold, members: Members, part: &Number) -> Option<f64> {
        let value = |id| self.with(members, id, |it| it.number(part));
        let values = self.members(members.of).filter_map(value);
        match fold {
            Fold::Min => values.reduce(|least, value| if value < least { value } else { least }),
            Fold::Max => values.reduce(|most, value| if value > most { value } else { most }),
            Fold::Sum => Some(values.fold(0.0, |sum, value| sum + value)),
            Fold::Mean => {
                let (count, sum) =
                    values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
                // Without members, 0 / 0 is not a number.
                Some(sum / count)
            }
        }
    }

    fn polarisation(&self, agents: Agents) -> Option<f64> {
        let headings = self.members(agents).map(|id| self.facts.heading(id));
        let (count, x, y) =
            headings.fold((0.0, 0.0, 0.0), |(count, x, y), [hx, hy]| (count + 1.0, x + hx, y + hy));
        // Headings are rounded, so that they can be slightly longer than 1.
        (count > 0.0).then(|| ((x * x + y * y).sqrt() / count).min(1.0))
    }

    fn gap(&self, first: Agents, second: Agents) -> Option<f64> {
        self.facts.gap(self.several(first)?, self.several(second)?)
    }

    fn happened(&self, subject: Option<Subject>, word: &str) -> bool {
        let facts = self.facts;
        if facts.frame() == 0 {
            return false;
        }
        match subject {
            None => facts.happened(None, word),
            Some(Subject::Me) => facts.happened(self.me, word),
            Some(Subject::Bound(_)) => facts.happened(subject.and_then(|it| self.id(it)), word),
            // An event can happen to an agent that leaves in the same frame.
            Some(Subject::Agent(id)) => facts.happened(Some(id), word),
            Some(Subject::Instance(instance)) => facts.happened_to(instance, word),
        }
    }

    /// Evaluates the argument of a function of a group for one member.
    fn with<T>(
        &self,
        members: Members,
        id: AgentId,
        evaluate: impl FnOnce(&Evaluation<'_, F>) -> T,
    ) -> T {
        if members.is_named {
            let bound = Bound { id, outer: self.bound };
            evaluate(&Evaluation { facts: self.facts, me: self.me, bound: Some(&bound) })
        } else {
            evaluate(&Evaluation { facts: self.facts, me: Some(id), bound: self.bound })
        }
    }

    /// Iterates over the agents that are in the world, in agent order.
    fn members(&self, agents: Agents) -> impl Iterator<Item = AgentId> {
        let facts = self.facts;
        let (one, group): (_, &[AgentId]) = match agents {
            Agents::One(subject) => (self.id(subject), &[]),
            Agents::Group(group) => (None, facts.members(group)),
        };
        let present = group.iter().copied().filter(|&id| facts.is_present(id));
        one.into_iter().chain(present).take_while(|_| !facts.is_cancelled())
    }

    fn several(&self, agents: Agents) -> Option<Several> {
        match agents {
            Agents::One(subject) => self.id(subject).map(Several::One),
            Agents::Group(group) => Some(Several::Group(group)),
        }
    }

    fn target(&self, aim: Aim) -> Option<Target> {
        match aim {
            Aim::Target(target) => Some(target),
            Aim::Bound(back) => self.bound(back).map(Target::Agent),
        }
    }

    /// Returns the agent that a subject refers to; `None` if that agent is not in the world.
    pub fn id(&self, subject: Subject) -> Option<AgentId> {
        let id = match subject {
            Subject::Me => self.me,
            Subject::Bound(back) => self.bound(back),
            Subject::Agent(id) => Some(id),
            Subject::Instance(instance) => return self.facts.instance(instance),
        };
        id.filter(|&id| self.facts.is_present(id))
    }

    /// Returns a named member; `None` if it does not exist. `back` counts the names outwards from
    /// the innermost name, which is 0.
    fn bound(&self, back: u8) -> Option<AgentId> {
        let named = core::iter::successors(self.bound, |bound| bound.outer);
        named.map(|bound| bound.id).nth(back.into())
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
