//! The summary of a run.
#![expect(missing_docs, reason = "docs/output.md describes the JSON object")]

use std::collections::BTreeMap;

use serde::Serialize;

use crate::event::{Event, EventKind};
use crate::id::AgentId;
use crate::words;
use crate::world::World;

/// A summary of a run. The fields have the same names as in `tilewalk run --json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Path of the map file. Empty if the caller sets none.
    pub file: String,
    pub title: String,
    pub frames: u64,
    pub seconds: f32,
    pub seed: u64,
    pub agents: usize,
    pub events: BTreeMap<&'static str, u64>,
    /// Event counts of each agent in the world at the last frame, in agent order.
    pub per_agent: Vec<Totals>,
    /// One sentence for each event of the NaN guard. Empty if the NaN guard froze no agent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<String>,
    /// Whether the stop condition was true at the last frame. `None` without a stop condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<bool>,
    /// State hashes of single frames. Empty unless the caller collects hashes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hashes: Vec<FrameHash>,
    /// State hash of the last frame, as 16 hexadecimal digits.
    pub hash: String,
}

/// Event counts of an agent since frame 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Totals {
    pub agent: String,
    pub bumps: u32,
    /// Mean time between bumps, in seconds. `None` if the agent never bumped.
    pub seconds_between_bumps: Option<f32>,
    pub blocked: u32,
    pub stuck: u32,
    pub circling: u32,
    pub oscillating: u32,
    pub deadlocked: u32,
}

/// A frame number and the state hash of the world at that frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameHash {
    pub frame: u64,
    /// State hash as 16 hexadecimal digits.
    pub hash: String,
}

impl FrameHash {
    /// Computes the state hash of a world at its current frame.
    pub fn of(world: &World) -> Self {
        Self { frame: world.frame().0, hash: hex(world.hash()) }
    }
}

impl Summary {
    /// Adds the events of the world's current frame to the event counts.
    pub(crate) fn count(&mut self, world: &World) {
        for event in world.events() {
            *self.events.entry(event.kind.word()).or_insert(0) += 1;
            self.quarantined.extend(nan_guard(event, world));
        }
    }

    /// Fills in all fields that describe the last frame.
    pub(crate) fn finish(&mut self, world: &World) {
        let FrameHash { frame, hash } = FrameHash::of(world);
        (self.frames, self.hash) = (frame, hash);
        self.title.clone_from(&world.scenario().title);
        self.seed = world.scenario().seed;
        self.seconds = world.time();
        self.agents = world.population();
        self.per_agent = world.ids().map(|id| Totals::of(world, id)).collect();
    }
}

impl Totals {
    /// Returns the event counts of an agent since frame 0.
    pub fn of(world: &World, id: AgentId) -> Self {
        let tally = world.tally(id);
        Self {
            agent: world.name(id).to_string(),
            bumps: tally.bumps,
            seconds_between_bumps: tally.seconds_between_bumps(world.time()),
            blocked: tally.blocked,
            stuck: tally.stuck,
            circling: tally.circling,
            oscillating: tally.oscillating,
            deadlocked: tally.deadlocked,
        }
    }
}

fn nan_guard(event: &Event, world: &World) -> Option<String> {
    let EventKind::Quarantined { .. } = event.kind else { return None };
    let name = world.scenario().numbered(event.agent, event.number);
    Some(format!(
        "frame {}, {name}: {}",
        world.frame(),
        words::event(event, world.scenario(), world)
    ))
}

/// Formats a state hash as 16 hexadecimal digits.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::Drive;
    use crate::event::Term;
    use crate::geom::Vec2;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::{Agent, Builder};
    use crate::steering::combine::Combine;
    use crate::steering::{Behaviour, Target, WeightedBehaviour};

    #[test]
    fn the_nan_guard_is_reported_with_agent_behaviour_and_term() {
        let mut builder = Builder::new(Map::drawn(&["...."], Edges::Wall).expect("a map"));
        let target = Target::Point(Vec2::new(3.5, 0.5));
        let rows = vec![WeightedBehaviour::new(Behaviour::Seek, target); 2];
        let drive = Drive::Steer { combine: Combine::Weighted, rows };
        let agent = builder.add(Agent::new("cat", Vec2::new(0.5, 0.5)).drive(drive));
        let world = World::new(Arc::new(builder.build().expect("a valid scenario")));
        let kind = EventKind::Quarantined { row: Some(1), term: Term::Force };
        let event = Event { frame: world.frame(), kind, agent, number: 0, mode: 0 };
        let text = "frame 0, cat: quarantined: non-finite force from seek (behaviour 2)";
        assert_eq!(nan_guard(&event, &world).as_deref(), Some(text));
        let event = Event { kind: EventKind::Finished, ..event };
        assert_eq!(nan_guard(&event, &world), None);
    }
}
