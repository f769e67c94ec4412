//! The functions of conditions: names, arguments, results, costs and reasons.
//!
//! A new function needs a row in [`CALLS`] and a variant of one of these types:
//!
//! - [`Predicate`] or [`Measure`] for a function of agents. Their methods evaluate the function and
//!   describe it to the other parts of conditions.
//! - [`Fold`] for a function that combines the numbers of a group.
//! - [`MathFunction`] for a function of one number.
//!
//! If the function needs a new fact about the world, add a method to [`Facts`] and compute the fact
//! in `world/facts.rs`.

use core::cell::Cell;

use crate::geom::TileRect;
use crate::id::{AgentId, GroupId, Instance};
use crate::locomotion::contacts::TOUCHING;
use crate::steering::{SightTarget, Target};

use super::agents::{Agents, Aim, Members, Several, Subject};
use super::words::{FIELDS, Fact, KEYWORDS, PLACES, Quantity, UNRESERVED_FIELDS, WORLD_FIELDS};

/// The arguments of a function, and how to create the function from them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arguments {
    /// An agent, which can be omitted, and a target.
    AgentAim(fn(Subject, Aim) -> Function),
    /// Two targets, of which at least one is an agent. With one target, the agent is omitted.
    AimPair(fn(Subject, Aim) -> Function),
    /// An agent, which can be omitted, and an area.
    AgentArea(fn(Subject, TileRect) -> Function),
    /// An agent or a group.
    Agents(fn(Agents) -> Function),
    /// Two agents or groups. With one argument, the other is the omitted agent.
    AgentsPair(fn(Agents, Agents) -> Function),
    /// Two agents or groups. With one group, both arguments are the group. With one agent, the
    /// other is the omitted agent.
    AgentsPairOrGroup(fn(Agents, Agents) -> Function),
    /// A probability. The second parameter of the function is the index of the random draw.
    Probability(fn(f32, u32) -> Function),
    /// An agent, which can be omitted, and an event. Without an agent, any agent counts.
    AgentEvent(fn(Option<Subject>, &'static str) -> Function),
    /// A group and a condition: [`Test::Any`](super::Test::Any).
    Any,
    /// A group and a condition: [`Test::All`](super::Test::All).
    All,
    /// A group and a condition: [`Number::Count`](super::Number::Count).
    Count,
    /// A group and a number.
    Fold(Fold),
    /// A number.
    Apply(MathFunction),
    /// A value of any type: [`Test::Changed`](super::Test::Changed).
    Changed,
}

/// A function whose arguments are known.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function {
    Predicate(Predicate),
    Measure(Measure),
}

const fn predicate(predicate: Predicate) -> Function {
    Function::Predicate(predicate)
}

const fn measure(measure: Measure) -> Function {
    Function::Measure(measure)
}

/// A row of the table of functions.
#[derive(Debug)]
pub struct FunctionRow {
    /// Name of the function in conditions.
    pub name: &'static str,
    /// Usage text for error messages.
    pub(super) usage: &'static str,
    pub(super) arguments: Arguments,
    /// Whether the name cannot be the name of an agent, a group or a place.
    ///
    /// Functions that were added later are not reserved, because maps may already use their names.
    /// A word before `(` is always a function, so conditions stay unambiguous.
    pub(super) is_reserved: bool,
}

const fn reserved(name: &'static str, usage: &'static str, arguments: Arguments) -> FunctionRow {
    FunctionRow { name, usage, arguments, is_reserved: true }
}

const fn unreserved(name: &'static str, usage: &'static str, arguments: Arguments) -> FunctionRow {
    FunctionRow { name, usage, arguments, is_reserved: false }
}

/// All functions of the condition language.
#[rustfmt::skip]
pub const CALLS: [FunctionRow; 20] = [
    reserved("sees", "sees(target) or sees(agent, target)", Arguments::AgentAim(|agent, target| predicate(Predicate::Sees(agent, target, Glance::Now)))),
    unreserved("noticed", "noticed(target) or noticed(agent, target)", Arguments::AgentAim(|agent, target| predicate(Predicate::Sees(agent, target, Glance::Last)))),
    reserved("distance", "distance(target) or distance(agent, target)", Arguments::AimPair(|agent, target| measure(Measure::Distance(agent, target)))),
    reserved("in", "in(place), in([x0, y0, x1, y1]), or in(agent, …)", Arguments::AgentArea(|agent, area| predicate(Predicate::In(agent, area)))),
    unreserved("exists", "exists(agent) or exists(group)", Arguments::Agents(|agents| predicate(Predicate::Exists(agents)))),
    reserved("chance", "chance(0.1)", Arguments::Probability(|probability, index| predicate(Predicate::Chance { probability, index }))),
    reserved("event", "event(bump) or event(agent, bump)", Arguments::AgentEvent(|agent, word| predicate(Predicate::Event(agent, word)))),
    reserved("any", "any(group, condition) or any(a in group, condition)", Arguments::Any),
    reserved("all", "all(group, condition) or all(a in group, condition)", Arguments::All),
    reserved("changed", "changed(guard.mode)", Arguments::Changed),
    unreserved("gap", "gap(agent) or gap(agent, agent)", Arguments::AgentsPair(|first, second| measure(Measure::Gap(first, second)))),
    unreserved("touching", "touching(agent, agent) or touching(group)", Arguments::AgentsPairOrGroup(|first, second| predicate(Predicate::Touching(first, second)))),
    unreserved("count", "count(group, condition)", Arguments::Count),
    unreserved("mean", "mean(group, number)", Arguments::Fold(Fold::Mean)),
    unreserved("min", "min(group, number)", Arguments::Fold(Fold::Min)),
    unreserved("max", "max(group, number)", Arguments::Fold(Fold::Max)),
    unreserved("sum", "sum(group, number)", Arguments::Fold(Fold::Sum)),
    unreserved("polarisation", "polarisation(group)", Arguments::Agents(|agents| measure(Measure::Polarisation(agents)))),
    unreserved("polarization", "polarization(group)", Arguments::Agents(|agents| measure(Measure::Polarisation(agents)))),
    unreserved("abs", "abs(number)", Arguments::Apply(MathFunction::Absolute)),
];

/// Names of similar functions in other languages. Each entry has the foreign name and the function
/// to suggest.
pub(super) const FOREIGN_NAMES: [(&str, &str); 12] = [
    ("dist", "distance"),
    ("avg", "mean"),
    ("average", "mean"),
    ("total", "sum"),
    ("some", "any"),
    ("every", "all"),
    ("each", "all"),
    ("inside", "in"),
    ("within", "in"),
    ("overlaps", "touching"),
    ("collides", "touching"),
    ("alive", "exists"),
];

/// Returns true if a word cannot be the name of an agent, a group or a place.
pub fn is_reserved(word: &str) -> bool {
    FIELDS.iter().any(|&(field, _)| field == word && !UNRESERVED_FIELDS.contains(&field))
        || CALLS.iter().any(|call| call.name == word && call.is_reserved)
        || [&WORLD_FIELDS[..], &KEYWORDS, &PLACES].iter().any(|words| words.contains(&word))
}

/// A function that combines one number of each member of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// The mean of the numbers; undefined without members.
    Mean,
    /// The smallest number; undefined without members.
    Min,
    /// The largest number; undefined without members.
    Max,
    /// The sum of the numbers; 0 without members.
    Sum,
}

/// A function that is true or false. It has no conditions or numbers as arguments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Predicate {
    /// Holds if an agent sees a target, now or at its last check.
    Sees(Subject, Aim, Glance),
    /// Holds if the tile of an agent is in an area.
    In(Subject, TileRect),
    /// Holds at random, with a new draw in each frame.
    Chance {
        /// The probability that the test holds, from 0 to 1.
        probability: f32,
        /// Index of the random draw within the condition.
        index: u32,
    },
    /// Holds if an agent, or a member of a group, is in the world.
    Exists(Agents),
    /// Holds if two different bodies, one from each operand, touch or overlap.
    Touching(Agents, Agents),
    /// Holds if an event happened to an agent in this frame. `None` stands for any agent.
    Event(Option<Subject>, &'static str),
}

/// Time at which an agent looks at a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glance {
    /// In the frame of the condition: `sees` outside of agents.
    Now,
    /// At the last check, or in the frame of the condition if the agent does not watch the target:
    /// `sees` in transitions, in `remove` and in spawn rules.
    LastOrNow,
    /// At the last check: `noticed`. Never holds if the agent does not watch the target.
    Last,
}

/// A function whose result is a number. It has no conditions or numbers as arguments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// The shortest distance from an agent to a target, in tiles.
    Distance(Subject, Aim),
    /// The smallest distance between the edges of the bodies of two different agents, in tiles.
    /// Negative if the bodies overlap.
    Gap(Agents, Agents),
    /// The length of the mean heading vector of all members, from 0 to 1.
    Polarisation(Agents),
}

/// A function of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MathFunction {
    /// The absolute value.
    Absolute,
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

    /// Returns the number of an agent in a column of the trace. Returns `None` for a missing value.
    fn traced_number(&self, id: AgentId, column: u32) -> Option<f64>;

    /// Returns the hash of the text of an agent in a column of the trace. Returns `None` for a
    /// missing value.
    fn traced_text(&self, id: AgentId, column: u32) -> Option<u64>;

    /// Returns the distance from an agent to a target, in tiles. Returns `None` if the target is
    /// not in the world or was never seen.
    fn distance(&self, id: AgentId, target: Target) -> Option<f32>;

    /// Returns the heading of an agent as a unit vector: x to the east, y to the south.
    fn heading(&self, id: AgentId) -> [f64; 2];

    /// Returns the smallest distance between the edges of two different bodies, one from each
    /// argument, in tiles. Negative if the bodies overlap. Returns `None` if no such pair is in the
    /// world.
    fn gap(&self, first: Several, second: Several) -> Option<f64>;

    /// Returns true if an agent sees a target, now or at its last check.
    fn sees(&self, id: AgentId, target: Target, glance: Glance) -> bool;

    /// Returns true if the tile of an agent is in an area.
    fn is_in(&self, id: AgentId, area: TileRect) -> bool;

    /// Returns true if an event happened to an agent in this frame, or to any agent if `id` is
    /// `None`. `word` names the event, with `_` for spaces.
    fn happened(&self, id: Option<AgentId>, word: &str) -> bool;

    /// Returns the first agent in the world to which an event happened in this frame.
    fn agent_of_event(&self, word: &str) -> Option<AgentId>;

    /// Returns the agent of the pair with the smallest gap that belongs to the first argument.
    /// Returns `None` if no such pair is in the world.
    fn nearest(&self, first: Several, second: Several) -> Option<AgentId>;

    /// Returns true if an event happened to an instance of a template in this frame. The instance
    /// need not be in the world at the end of the frame.
    fn happened_to(&self, instance: Instance, word: &str) -> bool;

    /// Returns true if an agent is in the world.
    fn is_present(&self, id: AgentId) -> bool;

    /// Returns the id of an instance of a template. Returns `None` if the instance is not in the
    /// world.
    fn instance(&self, instance: Instance) -> Option<AgentId>;

    /// Returns a random number in [0, 1). `index` counts the random draws in the condition from 0,
    /// and `id` is the agent that tests the condition; `None` for the condition of a spawn rule.
    /// Returns `None` for other conditions without an agent, which can't draw random numbers.
    fn random(&self, id: Option<AgentId>, index: u32) -> Option<f32>;

    /// Returns the members of a group, in agent order, including absent ones.
    fn members(&self, group: GroupId) -> &[AgentId];

    /// Returns true if the computation was cancelled. The evaluation then ends at once, and its
    /// result is not used.
    fn is_cancelled(&self) -> bool;

    /// Returns the state of the previous frame. Returns `None` if that frame is not available.
    fn before(&self) -> Option<&Self>;
}

impl Predicate {
    /// Returns true if the predicate holds.
    pub(super) fn holds<F: Facts>(self, on: &Evaluation<'_, F>) -> bool {
        match self {
            Self::Sees(subject, aim, glance) => match (on.id(subject), on.target(aim)) {
                (Some(id), Some(target)) => on.facts.sees(id, target, glance),
                _ => false,
            },
            Self::In(subject, area) => on.id(subject).is_some_and(|id| on.facts.is_in(id, area)),
            Self::Exists(agents) => on.members(agents).next().is_some(),
            Self::Touching(first, second) => {
                on.gap(first, second).is_some_and(|gap| gap <= f64::from(TOUCHING))
            }
            Self::Chance { probability, index } => {
                on.facts.random(on.me, index).is_some_and(|random| random < probability)
            }
            Self::Event(subject, word) => on.happened(subject, word),
        }
    }

    /// Returns the first agent that decides the result.
    pub(super) fn agent<F: Facts>(self, on: &Evaluation<'_, F>) -> Option<AgentId> {
        match self {
            Self::Sees(subject, ..) | Self::In(subject, _) | Self::Event(Some(subject), _) => {
                on.id(subject)
            }
            Self::Exists(agents) => on.single_agent(agents),
            Self::Touching(first, second) => on.nearest(first, second),
            Self::Event(None, word) => on.facts.agent_of_event(word),
            Self::Chance { .. } => None,
        }
    }

    /// Returns the largest number of comparisons of one evaluation.
    pub(super) fn cost(self, costs: &Costs) -> u64 {
        match self {
            Self::Sees(_, to, _) => costs.aim(to),
            Self::Exists(agents) => costs.agents(agents),
            Self::Touching(first, second) => costs.gap(first, second),
            Self::In(..) | Self::Chance { .. } | Self::Event(..) => 1,
        }
    }

    /// Returns the result if it is the same in every frame.
    pub(super) fn constant(self) -> Option<bool> {
        match self {
            Self::Chance { probability: 0.0, .. } => Some(false),
            Self::Chance { probability: 1.0, .. } => Some(true),
            // An agent is not compared with itself.
            Self::Touching(Agents::One(first), Agents::One(second)) if first == second => {
                Some(false)
            }
            Self::Sees(..)
            | Self::In(..)
            | Self::Chance { .. }
            | Self::Exists(_)
            | Self::Touching(..)
            | Self::Event(..) => None,
        }
    }

    /// Returns true for events, which last for only one frame.
    pub(super) fn is_momentary(self) -> bool {
        matches!(self, Self::Event(..))
    }

    /// Calls `visit` with the agents and groups that the predicate is about. A predicate about the
    /// existence of an agent is not about that agent.
    pub(super) fn visit_agents(self, visit: &mut dyn FnMut(Agents)) {
        match self {
            Self::Sees(subject, aim, _) => {
                visit(Agents::One(subject));
                aim.agents().into_iter().for_each(visit);
            }
            Self::In(subject, _) => visit(Agents::One(subject)),
            Self::Touching(first, second) => [first, second].into_iter().for_each(visit),
            Self::Event(Some(subject), word) if !["spawned", "removed"].contains(&word) => {
                visit(Agents::One(subject));
            }
            Self::Event(..) | Self::Exists(_) | Self::Chance { .. } => {}
        }
    }

    /// Returns the agent that must look at a target for the result.
    pub(super) fn observer(self) -> Option<Subject> {
        if let Self::Sees(subject, ..) = self { Some(subject) } else { None }
    }

    /// Returns the target whose visibility the agent of the condition must track.
    pub(super) fn tracked(self) -> Option<SightTarget> {
        let Self::Sees(Subject::Me, Aim::Target(target), _) = self else { return None };
        target.as_sight_target()
    }

    /// Returns what explains the result in reports; `None` if the result needs no explanation.
    pub(crate) fn reason(self) -> Option<FunctionReason> {
        match self {
            Self::Sees(subject, Aim::Target(target), glance) => {
                Some(FunctionReason::Sight(subject, target, glance))
            }
            Self::In(subject, _) => Some(FunctionReason::Tile(subject)),
            Self::Touching(first, second) => {
                Some(FunctionReason::Pair { first, second, gap: true })
            }
            Self::Event(None, word) => Some(FunctionReason::Event(word)),
            Self::Sees(_, Aim::Bound(_), _)
            | Self::Chance { .. }
            | Self::Exists(_)
            | Self::Event(Some(_), _) => None,
        }
    }
}

impl Measure {
    /// Returns the value; `None` if it is undefined.
    pub(super) fn value<F: Facts>(self, on: &Evaluation<'_, F>) -> Option<f64> {
        match self {
            Self::Distance(subject, aim) => {
                let (id, target) = (on.id(subject)?, on.target(aim)?);
                on.facts.distance(id, target).map(f64::from)
            }
            Self::Gap(first, second) => on.gap(first, second),
            Self::Polarisation(agents) => on.polarisation(agents),
        }
    }

    /// Returns the first agent that the value depends on.
    pub(super) fn agent<F: Facts>(self, on: &Evaluation<'_, F>) -> Option<AgentId> {
        match self {
            Self::Distance(subject, _) => on.id(subject),
            Self::Gap(first, second) => on.nearest(first, second),
            Self::Polarisation(_) => None,
        }
    }

    /// Calls `visit` with the agents and groups that the value is about.
    pub(super) fn visit_agents(self, visit: &mut dyn FnMut(Agents)) {
        match self {
            Self::Distance(subject, aim) => {
                visit(Agents::One(subject));
                aim.agents().into_iter().for_each(visit);
            }
            Self::Gap(first, second) => [first, second].into_iter().for_each(visit),
            Self::Polarisation(agents) => visit(agents),
        }
    }

    /// Returns the largest number of comparisons of one evaluation.
    pub(super) fn cost(self, costs: &Costs) -> u64 {
        match self {
            Self::Distance(_, to) => costs.aim(to),
            Self::Gap(first, second) => costs.gap(first, second),
            Self::Polarisation(agents) => costs.agents(agents),
        }
    }

    /// Returns the range of the value.
    pub(super) fn range(self) -> NumberRange {
        match self {
            // Any agent but that of the condition can be absent.
            Self::Distance(subject, aim) => {
                NumberRange::from_zero(subject != Subject::Me || aim.can_be_absent())
            }
            Self::Gap(..) => NumberRange::any(true),
            Self::Polarisation(_) => NumberRange { max: 1.0, ..NumberRange::from_zero(true) },
        }
    }

    /// Returns the target whose visibility the agent of the condition must track.
    pub(super) fn tracked(self) -> Option<SightTarget> {
        let Self::Distance(Subject::Me, Aim::Target(Target::LastSeen(target))) = self else {
            return None;
        };
        Some(target)
    }

    /// Returns what explains the value in reports; `None` if it needs no explanation.
    pub(crate) fn reason(self) -> Option<FunctionReason> {
        match self {
            Self::Gap(first, second) => Some(FunctionReason::Pair { first, second, gap: false }),
            Self::Distance(..) | Self::Polarisation(_) => None,
        }
    }
}

impl MathFunction {
    pub(super) fn apply(self, number: f64) -> f64 {
        match self {
            Self::Absolute => number.abs(),
        }
    }

    /// Returns the range of the result.
    pub(super) fn range(self) -> NumberRange {
        match self {
            Self::Absolute => NumberRange::from_zero(true),
        }
    }
}

impl Fold {
    /// Combines the numbers of all members, in agent order.
    pub(super) fn combine(self, values: impl Iterator<Item = f64>) -> Option<f64> {
        match self {
            Self::Min => values.reduce(|least, value| if value < least { value } else { least }),
            Self::Max => values.reduce(|most, value| if value > most { value } else { most }),
            Self::Sum => Some(values.fold(0.0, |sum, value| sum + value)),
            Self::Mean => {
                let (count, sum) =
                    values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
                // Without members, 0 / 0 is not a number.
                Some(sum / count)
            }
        }
    }
}

/// What explains the result of a function in reports.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FunctionReason {
    /// How an agent sees a target.
    Sight(Subject, Target, Glance),
    /// The tile of an agent.
    Tile(Subject),
    /// The agents to which an event happened.
    Event(&'static str),
    /// The nearest pair of bodies, with their gap if `gap` is true.
    Pair { first: Agents, second: Agents, gap: bool },
}

/// Estimated number of comparisons to find the body nearest to one agent.
pub(super) const SEARCH: u64 = 128;

/// Estimated number of comparisons per agent to find the nearest pair of two groups.
const PAIR_SEARCH: u64 = 32;

/// The numbers of members of all groups, and the cost of building indexes.
pub(super) struct Costs<'a> {
    pub size: &'a dyn Fn(GroupId) -> usize,
    /// Total number of members in all indexes. Each index is built once per frame.
    pub indexed: Cell<u64>,
}

impl Costs<'_> {
    fn members(&self, group: GroupId) -> u64 {
        (self.size)(group) as u64
    }

    pub fn agents(&self, agents: Agents) -> u64 {
        match agents {
            Agents::One(_) => 1,
            Agents::Group(group) => self.members(group),
        }
    }

    pub fn aim(&self, aim: Aim) -> u64 {
        match aim {
            Aim::Target(Target::Group(group)) => self.members(group),
            Aim::Target(
                Target::Agent(_)
                | Target::Instance(_)
                | Target::LastSeen(_)
                | Target::Point(_)
                | Target::Home,
            )
            | Aim::Bound(_) => 1,
        }
    }

    pub fn gap(&self, first: Agents, second: Agents) -> u64 {
        let (first, second) = (self.agents(first), self.agents(second));
        let (few, many) = (first.min(second), first.max(second));
        let search = if few > 1 { PAIR_SEARCH } else { SEARCH };
        if many > search {
            self.indexed.set(self.indexed.get().saturating_add(many));
        }
        few.saturating_mul(many.min(search))
    }
}

/// The range of a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberRange {
    pub min: f64,
    pub max: f64,
    /// Whether `max` itself is excluded.
    pub open: bool,
    /// Whether the number can be undefined, such as the distance to a target that was never seen. A
    /// comparison with an undefined number does not hold.
    pub missing: bool,
}

impl NumberRange {
    /// Returns the range of all numbers from 0 on.
    pub fn from_zero(missing: bool) -> Self {
        Self { min: 0.0, max: f64::INFINITY, open: false, missing }
    }

    /// Returns the range of all numbers.
    pub fn any(missing: bool) -> Self {
        Self { min: f64::NEG_INFINITY, ..Self::from_zero(missing) }
    }
}

/// A frame on which a condition is evaluated. Also contains the agents to which the fields and
/// names in the condition refer.
pub(super) struct Evaluation<'a, F> {
    pub facts: &'a F,
    /// Agent to which a field without an agent name refers; `None` if every field needs an agent
    /// name.
    pub me: Option<AgentId>,
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

    /// Returns the evaluation of the same agents at another frame.
    pub fn at(&self, facts: &'a F) -> Self {
        Self { facts, ..*self }
    }

    pub fn polarisation(&self, agents: Agents) -> Option<f64> {
        let headings = self.members(agents).map(|id| self.facts.heading(id));
        let (count, x, y) =
            headings.fold((0.0, 0.0, 0.0), |(count, x, y), [hx, hy]| (count + 1.0, x + hx, y + hy));
        // Headings are rounded, so that they can be slightly longer than 1.
        (count > 0.0).then(|| ((x * x + y * y).sqrt() / count).min(1.0))
    }

    pub fn gap(&self, first: Agents, second: Agents) -> Option<f64> {
        self.facts.gap(self.several(first)?, self.several(second)?)
    }

    /// Returns a single agent, or the agent of the nearest pair that belongs to the first argument.
    fn nearest(&self, first: Agents, second: Agents) -> Option<AgentId> {
        let single = self.single_agent(first).or_else(|| self.single_agent(second));
        single.or_else(|| self.facts.nearest(self.several(first)?, self.several(second)?))
    }

    pub fn happened(&self, subject: Option<Subject>, word: &str) -> bool {
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
    pub fn with<T>(
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
    pub fn members(&self, agents: Agents) -> impl Iterator<Item = AgentId> {
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

    pub fn target(&self, aim: Aim) -> Option<Target> {
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

    /// Returns the id of a single agent. Returns `None` for a group, or if the agent is not in the
    /// world.
    pub fn single_agent(&self, agents: Agents) -> Option<AgentId> {
        match agents {
            Agents::One(subject) => self.id(subject),
            Agents::Group(_) => None,
        }
    }
}
