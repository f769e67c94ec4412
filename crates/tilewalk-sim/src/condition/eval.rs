//! Evaluates conditions on the data of a frame.

use crate::geom::TileRect;
use crate::id::{AgentId, GroupId, Instance};
use crate::steering::Target;

use super::tree::{Number, Subject, Test, Text, Value};
use super::words::{Fact, Quantity};

/// The data of a frame that conditions read.
pub trait Facts: Sized {
    /// Returns the frame number.
    fn frame(&self) -> u64;

    /// Returns the seconds since frame 0.
    fn time(&self) -> f32;

    /// Returns a numeric field of an agent.
    fn quantity(&self, id: AgentId, quantity: Quantity) -> f64;

    /// Returns a boolean field of an agent.
    fn fact(&self, id: AgentId, fact: Fact) -> bool;

    /// Returns the hash of the name of an agent's mode.
    fn mode_key(&self, id: AgentId) -> u64;

    /// Returns the distance from an agent to a target, in tiles. `None` if the target does not
    /// exist.
    fn distance(&self, id: AgentId, target: Target) -> Option<f32>;

    /// Returns true if an agent sees a target.
    fn sees(&self, id: AgentId, target: Target) -> bool;

    /// Returns true if an agent is in an area.
    fn is_in(&self, id: AgentId, area: TileRect) -> bool;

    /// Returns true if an event happened to an agent in this frame, or to any agent if `id` is
    /// `None`. `word` names the event, with `_` for spaces.
    fn happened(&self, id: Option<AgentId>, word: &str) -> bool;

    /// Returns true if an event happened to an instance of a template in this frame. The instance
    /// need not be in the world at the end of the frame.
    fn happened_to(&self, instance: Instance, word: &str) -> bool;

    /// Returns true if an agent is in the world.
    fn is_present(&self, id: AgentId) -> bool;

    /// Returns the id of an instance; `None` if the instance is not in the world.
    fn instance(&self, instance: Instance) -> Option<AgentId>;

    /// Returns a random number in [0, 1). `index` is the number of the draw within the condition of
    /// the agent `id`.
    fn die(&self, id: AgentId, index: u32) -> f32;

    /// Returns the members of a group, in agent order, including absent ones.
    fn members(&self, group: GroupId) -> &[AgentId];

    /// Returns true if the result will not be used, so that the evaluation can end at once.
    fn is_cancelled(&self) -> bool;

    /// Returns the data of the previous frame; `None` if that frame is not available.
    fn before(&self) -> Option<&Self>;
}

/// Returns true if a condition holds. `me` is the agent of fields without a name.
pub(super) fn test(what: &Test, facts: &impl Facts, me: Option<AgentId>) -> bool {
    let ask = |part: &Test| test(part, facts, me);
    match what {
        Test::Constant(constant) => *constant,
        Test::Or(parts) => parts.iter().any(ask),
        Test::And(parts) => parts.iter().all(ask),
        Test::Not(part) => !ask(part),
        &Test::Fact(subject, fact) => {
            subject_id(subject, facts, me).is_some_and(|id| facts.fact(id, fact))
        }
        Test::Compare(sign, left, right) => {
            match (number(left, facts, me), number(right, facts, me)) {
                (Some(left), Some(right)) => sign.holds(left, right),
                // Comparisons with a missing number do not hold.
                _ => false,
            }
        }
        Test::Same { equal, left, right } => {
            match (text(left, facts, me), text(right, facts, me)) {
                (Some(left), Some(right)) => (left == right) == *equal,
                // Nor do comparisons with a missing text.
                _ => false,
            }
        }
        &Test::Sees(subject, target) => {
            subject_id(subject, facts, me).is_some_and(|id| facts.sees(id, target))
        }
        &Test::In(subject, area) => {
            subject_id(subject, facts, me).is_some_and(|id| facts.is_in(id, area))
        }
        &Test::Exists(target) => exists(target, facts),
        &Test::Chance { probability, index } => {
            me.is_some_and(|id| facts.die(id, index) < probability)
        }
        &Test::Event(subject, word) => match subject {
            None => facts.happened(None, word),
            Some(Subject::Me) => facts.happened(me, word),
            // An event can happen to an agent that leaves in the same frame.
            Some(Subject::Agent(id)) => facts.happened(Some(id), word),
            Some(Subject::Instance(instance)) => facts.happened_to(instance, word),
        },
        Test::Any(group, part) => members(facts, *group).any(|id| test(part, facts, Some(id))),
        Test::All(group, part) => members(facts, *group).all(|id| test(part, facts, Some(id))),
        Test::Changed(value) => facts.before().is_some_and(|before| match value.as_ref() {
            Value::Test(part) => ask(part) != test(part, before, me),
            Value::Number(part) => number(part, facts, me) != number(part, before, me),
            Value::Text(part) => text(part, facts, me) != text(part, before, me),
        }),
    }
}

impl Value {
    /// Returns the value of a boolean expression; `None` for other types.
    pub(crate) fn holds(&self, facts: &impl Facts) -> Option<bool> {
        let Self::Test(part) = self else { return None };
        Some(test(part, facts, None))
    }

    /// Returns the value of a numeric expression; `None` if the value is missing, and for other
    /// types.
    pub(crate) fn measured(&self, facts: &impl Facts) -> Option<f64> {
        let Self::Number(part) = self else { return None };
        number(part, facts, None)
    }
}

/// Returns the value of the side of a comparison that is not a literal. If neither side is a
/// literal, returns the value of the left side.
pub(super) fn measured(what: &Test, facts: &impl Facts, me: Option<AgentId>) -> Option<f64> {
    match what {
        Test::Not(part) => measured(part, facts, me),
        Test::Compare(_, Number::Literal(_), right) => number(right, facts, me),
        Test::Compare(_, left, _) => number(left, facts, me),
        _ => None,
    }
}

/// Iterates over the members of a group that are in the world, in agent order.
fn members(facts: &impl Facts, group: GroupId) -> impl Iterator<Item = AgentId> {
    let all = facts.members(group).iter().copied();
    all.take_while(|_| !facts.is_cancelled()).filter(|&id| facts.is_present(id))
}

fn exists(target: Target, facts: &impl Facts) -> bool {
    match target {
        Target::Agent(id) => facts.is_present(id),
        Target::Instance(instance) => facts.instance(instance).is_some(),
        Target::Group(group) => members(facts, group).next().is_some(),
        Target::Point(_) | Target::Home | Target::LastSeen(_) => false,
    }
}

/// Returns the agent that a subject refers to; `None` if that agent is not in the world.
fn subject_id(subject: Subject, facts: &impl Facts, me: Option<AgentId>) -> Option<AgentId> {
    let id = match subject {
        Subject::Me => me,
        Subject::Agent(id) => Some(id),
        Subject::Instance(instance) => return facts.instance(instance),
    };
    id.filter(|&id| facts.is_present(id))
}

fn number(what: &Number, facts: &impl Facts, me: Option<AgentId>) -> Option<f64> {
    match *what {
        Number::Literal(number) => Some(number),
        Number::Quantity(subject, quantity) => {
            subject_id(subject, facts, me).map(|id| facts.quantity(id, quantity))
        }
        Number::Distance(subject, target) => {
            subject_id(subject, facts, me).and_then(|id| facts.distance(id, target)).map(f64::from)
        }
        Number::Frame => Some(facts.frame() as f64),
        Number::Time => Some(f64::from(facts.time())),
    }
}

fn text(what: &Text, facts: &impl Facts, me: Option<AgentId>) -> Option<u64> {
    match what {
        Text::Literal(name) => Some(name.key),
        Text::Mode(subject) => subject_id(*subject, facts, me).map(|id| facts.mode_key(id)),
    }
}
