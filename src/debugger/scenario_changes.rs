//! Describes the changes between two scenarios of a map: agents and map size.

use std::collections::BTreeSet;

use tilewalk_sim::sort::SmallCollect;

use crate::id::AgentId;
use crate::scenario::Scenario;

/// Returns one phrase for each kind of change: removed, added or renamed agents, and a new map
/// size. Empty if agents and size are the same.
pub fn between(old: &Scenario, new: &Scenario) -> Vec<String> {
    let mut phrases = Vec::new();
    let (removed, added) = (only(old, new), only(new, old));
    match (removed.as_slice(), added.as_slice()) {
        (&[was], &[is]) if was == is && old.starts().len() == new.starts().len() => {
            phrases.push(format!("{} renamed to {}", old.name(was), new.name(is)));
        }
        _ => {
            phrases.extend(phrase(old, &removed, "removed"));
            phrases.extend(phrase(new, &added, "added"));
        }
    }
    let sizes = [old, new].map(|scenario| (scenario.map().width(), scenario.map().height()));
    if let [was, is] = sizes
        && was != is
    {
        phrases.push(format!("map size {}×{}, was {}×{}", is.0, is.1, was.0, was.1));
    }
    phrases
}

/// Returns the agents of `one` that do not exist in `other`, matched by name.
fn only(one: &Scenario, other: &Scenario) -> Vec<AgentId> {
    let same = one.kinds().len() == other.kinds().len()
        && one
            .kinds()
            .iter()
            .zip(other.kinds())
            .all(|(a, b)| (&a.name, a.count) == (&b.name, b.count));
    if same {
        return Vec::new();
    }
    let name = |scenario: &Scenario, id: AgentId| scenario.name(id).to_string();
    let names: BTreeSet<_> = others(other).map(|id| name(other, id)).small_collect();
    others(one).filter(|&id| !names.contains(&name(one, id))).collect()
}

/// Iterates over the agents that are not instances of templates.
fn others(scenario: &Scenario) -> impl Iterator<Item = AgentId> {
    let ids = (0..scenario.starts().len() as u32).map(AgentId);
    ids.filter(|&id| !scenario.kind(id).template)
}

fn phrase(scenario: &Scenario, agents: &[AgentId], what: &str) -> Option<String> {
    let (&first, rest) = agents.split_first()?;
    let name = scenario.name(first);
    Some(match rest.len() {
        0 => format!("{name} {what}"),
        more => format!("{name} and {more} more {what}"),
    })
}
