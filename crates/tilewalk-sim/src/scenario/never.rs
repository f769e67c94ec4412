//! Finds conditions that can never hold on a map, such as `event(overlap)` without solid agents, and
//! names a condition that can.
//!
//! The analysis uses the agent kinds of the scenario. It is incomplete: a condition without a
//! finding may still be impossible. A finding is certain for the scenario as it is.

use crate::agent::{AgentKind, Drive, Mode};
use crate::condition::constant_conditions::constant_result;
use crate::condition::functions::Predicate;
use crate::condition::words::{FIELDS, Fact, Field};
use crate::condition::{Agents, Condition, Subject, Test};
use crate::pattern::Pattern;
use crate::steering::{Behaviour, WeightedBehaviour};

use super::Scenario;

/// The reason why a condition can never hold, and a condition to use instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeverTrue {
    /// The reason, such as `no two agents of this map are solid`.
    pub why: String,
    /// A similar condition that can hold. `None` if no condition is similar.
    pub instead: Option<String>,
}

impl Scenario {
    /// Returns the reason why a condition outside of agents can never hold in this scenario.
    /// Returns `None` if the condition can hold, or if the analysis can't decide.
    pub fn never_true(&self, condition: &Condition) -> Option<NeverTrue> {
        never(self, condition.test(), None)
    }

    /// Iterates over the kinds of the agents that a subject can be. `me` are the members of the
    /// enclosing function of a group.
    fn kinds_of(&self, subject: Option<Subject>, me: Option<Agents>) -> Vec<&AgentKind> {
        match subject {
            Some(Subject::Agent(id)) => vec![self.kind(id)],
            Some(Subject::Instance(instance)) => {
                self.kinds.get(instance.kind as usize).into_iter().collect()
            }
            Some(Subject::Me) => match me {
                Some(Agents::One(subject)) if subject != Subject::Me => {
                    self.kinds_of(Some(subject), None)
                }
                Some(Agents::Group(group)) => {
                    let members = self.members(group);
                    let is_member = |kind: &&AgentKind| members.binary_search(&kind.first).is_ok();
                    self.kinds.iter().filter(is_member).collect()
                }
                Some(Agents::One(_)) | None => self.kinds.iter().collect(),
            },
            Some(Subject::Bound(_)) | None => self.kinds.iter().collect(),
        }
    }

    /// Returns the name of a subject, such as `guard`. Returns `None` for several agents.
    fn subject_name(&self, subject: Option<Subject>) -> Option<String> {
        match subject? {
            Subject::Agent(id) => Some(self.name(id).to_string()),
            Subject::Instance(instance) => Some(self.instance_name(instance)),
            Subject::Me | Subject::Bound(_) => None,
        }
    }
}

/// Finds out why a test can never hold. `me` are the members of the enclosing function of a group.
fn never(scenario: &Scenario, test: &Test, me: Option<Agents>) -> Option<NeverTrue> {
    match test {
        Test::And(parts) => parts.iter().find_map(|part| never(scenario, part, me)),
        Test::Or(parts) => {
            let mut reasons = parts.iter().map(|part| never(scenario, part, me));
            let first = reasons.next()??;
            reasons.all(|reason| reason.is_some()).then_some(first)
        }
        Test::Any(members, part) => {
            never(scenario, part, if members.is_named { me } else { Some(members.of) })
        }
        &Test::Fact(subject, fact) => fact_never(scenario, Some(subject), fact, me),
        &Test::Predicate(Predicate::Event(subject, word)) => {
            event_never(scenario, subject, word, me)
        }
        Test::Constant(_)
        | Test::Not(_)
        | Test::Compare(..)
        | Test::Same { .. }
        | Test::Is(..)
        | Test::Predicate(_)
        | Test::All(..)
        | Test::Changed(_) => {
            let is_false = constant_result(test, None) == Some(false);
            let why = "its values are the same in each frame".to_owned();
            is_false.then_some(NeverTrue { why, instead: None })
        }
    }
}

/// Finds out why a field of agents can never be true. A reason of a mode applies to all modes.
fn fact_never(
    scenario: &Scenario,
    subject: Option<Subject>,
    fact: Fact,
    me: Option<Agents>,
) -> Option<NeverTrue> {
    let kinds = scenario.kinds_of(subject, me);
    let name = scenario.subject_name(subject);
    let all = |test: fn(&Mode) -> bool| kinds.iter().flat_map(|kind| &kind.modes).all(test);
    let of = |word: &str| match &name {
        Some(name) => format!("{name}.{word}"),
        None => format!("any(everyone, {word})"),
    };
    if fact == Fact::Overlapping {
        return no_overlap(scenario, subject, me);
    }
    // The trace of another program can set the other fields.
    if scenario.traced.is_some() {
        return None;
    }
    let (why, instead) = match fact {
        Fact::Deadlocked if scenario.starts.len() < 2 => {
            ("a deadlock needs two agents".to_owned(), of("stuck"))
        }
        Fact::Blocked if all(|mode| cannot_be_blocked(&mode.drive)) => {
            let who = name.as_deref().unwrap_or("each agent");
            (format!("{who} steers, and only steps on tiles are blocked"), of("collided"))
        }
        Fact::Arrived if all(|mode| mode.drive.impossible_facts().contains(&Fact::Arrived)) => {
            ("no mode has `travel`".to_owned(), of("stuck"))
        }
        Fact::Finished if all(|mode| mode.drive.impossible_facts().contains(&Fact::Finished)) => {
            ("no mode has a pattern that ends".to_owned(), of("stuck"))
        }
        Fact::Joining if all(|mode| mode.drive.impossible_facts().contains(&Fact::Joining)) => {
            ("no mode has a path or a matrix".to_owned(), of("stuck"))
        }
        Fact::Blocked
        | Fact::Arrived
        | Fact::Finished
        | Fact::Joining
        | Fact::Collided
        | Fact::Overlapping
        | Fact::Stuck
        | Fact::Oscillating
        | Fact::Deadlocked
        | Fact::Quarantined => return None,
    };
    Some(NeverTrue { why, instead: Some(instead) })
}

/// Returns true if an agent with this drive is never blocked. Manual control moves a standing agent
/// in a way that is not known here.
fn cannot_be_blocked(drive: &Drive) -> bool {
    let is_flow = |row: &WeightedBehaviour| matches!(row.behaviour, Behaviour::Flow(_));
    matches!(drive, Drive::Steer { rows, .. } if !rows.iter().any(is_flow))
}

/// Finds out why no solid bodies can overlap.
fn no_overlap(
    scenario: &Scenario,
    subject: Option<Subject>,
    me: Option<Agents>,
) -> Option<NeverTrue> {
    let kinds = scenario.kinds_of(subject, me);
    let name = scenario.subject_name(subject);
    let solid = scenario.kinds.iter().filter(|kind| kind.body.solid);
    let count: u32 = solid.map(|kind| kind.count).sum();
    let why = match &name {
        Some(name) if !kinds.iter().any(|kind| kind.body.solid) => format!("{name} is not solid"),
        _ if count < 2 => "no two agents of this map are solid".to_owned(),
        _ if !kinds.iter().any(|kind| kind.body.solid) => "none of the agents is solid".to_owned(),
        _ => return None,
    };
    let instead = match name {
        Some(name) => format!("touching({name}, everyone)"),
        None => "touching(everyone)".to_owned(),
    };
    Some(NeverTrue { why, instead: Some(instead) })
}

/// Finds out why an event can never happen.
fn event_never(
    scenario: &Scenario,
    subject: Option<Subject>,
    word: &str,
    me: Option<Agents>,
) -> Option<NeverTrue> {
    if matches!(word, "reloaded" | "edited") {
        let why = "nothing causes this event".to_owned();
        return Some(NeverTrue { why, instead: None });
    }
    if word == "overlap" {
        return no_overlap(scenario, subject, me);
    }
    if scenario.traced.is_some() {
        return None;
    }
    let same_fact = match word {
        "joined" => Some("joining"),
        "arrived" | "finished" | "blocked" | "deadlocked" => Some(word),
        _ => None,
    };
    let fact = same_fact.and_then(|word| FIELDS.iter().find(|(field, _)| *field == word));
    if let Some(&(_, Field::Fact(fact))) = fact {
        return fact_never(scenario, subject, fact, me);
    }
    let kinds = scenario.kinds_of(subject, me);
    let modes = || kinds.iter().flat_map(|kind| &kind.modes);
    let is_matrix = |mode: &Mode| {
        let patterns = mode.drive.patterns();
        patterns.into_iter().any(|used| matches!(used.pattern.as_ref(), Pattern::Matrix(_)))
    };
    let has_several = |mode: &Mode| matches!(mode.drive, Drive::Patterns { .. });
    let leaves = |kind: &&AgentKind| {
        let index = scenario.kinds.iter().position(|each| core::ptr::eq(each, *kind));
        let mut spawns = scenario.spawns.iter();
        let lives = spawns.any(|it| Some(it.kind as usize) == index && it.lifetime.is_some());
        kind.can_leave() || lives
    };
    let why = match word {
        "mode" if kinds.iter().all(|kind| !kind.has_rules()) => "no mode has transitions",
        "pattern" if !modes().any(has_several) => "no mode has several patterns",
        "dead_end" if !modes().any(is_matrix) => "no mode has a matrix",
        "signal" if modes().all(|mode| mode.signals().next().is_none()) => "no mode sends signals",
        "seen" | "lost" if kinds.iter().all(|kind| kind.watched.is_empty()) => {
            "no transition looks for a target with `sees`"
        }
        "spawned" if scenario.spawns.is_empty() => "this map has no spawn rules",
        "removed" if !kinds.iter().any(leaves) => "nothing removes agents",
        "trace" => "this is not the run of another program",
        _ => return None,
    };
    let instead = match word {
        "seen" | "lost" => a_sight(scenario, subject),
        _ => None,
    };
    Some(NeverTrue {
        why: why.to_owned(),
        instead: instead.or_else(|| Some("event(stuck)".to_owned())),
    })
}

/// Returns the condition that an agent sees another agent. Returns `None` without another agent.
fn a_sight(scenario: &Scenario, subject: Option<Subject>) -> Option<String> {
    let first = scenario.kinds.first()?.first;
    let name = scenario.subject_name(subject).unwrap_or_else(|| scenario.name(first).to_string());
    (scenario.starts.len() > 1).then(|| format!("sees({name}, everyone)"))
}
