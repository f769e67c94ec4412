//! Evaluates the facts in conditions, such as positions, flags and events, at a frame.

use crate::condition::functions::Glance;
use crate::condition::words::{Fact, Quantity};
use crate::condition::{Facts, Several};
use crate::event::{Event, EventKind};
use crate::geom::TileRect;
use crate::id::{AgentId, GroupId, Instance};
use crate::rng::{RngKey, Use, name_hash};
use crate::steering::Target;

use super::{Flags, World};

/// A frame on which a condition is evaluated, and the frame before it.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// The world at the frame on which the condition is evaluated.
    pub now: &'a World,
    /// The previous frame; `None` if it is unknown.
    pub before: Option<&'a Self>,
    /// Number of the evaluated condition within its mode. Each number has its own random numbers.
    pub rule: u32,
    /// Index of the spawn rule whose condition is evaluated; `None` for other conditions.
    pub spawn: Option<u32>,
}

impl<'a> Look<'a> {
    /// Creates a view of a frame whose previous frame is unknown.
    pub fn at(now: &'a World) -> Self {
        Self { now, before: None, rule: 0, spawn: None }
    }

    /// Iterates over the agents in the world to which an event happened in this frame. `word` names
    /// the event, with `_` for spaces.
    pub(crate) fn agents_of_event(&self, word: &str) -> impl Iterator<Item = AgentId> {
        let is_here = |event: &&Event| self.now.is_present_as(event.agent, event.number);
        let called = self.now.events().iter().filter(move |event| is_called(&event.kind, word));
        called.filter(is_here).map(|event| event.agent)
    }
}

impl Facts for Look<'_> {
    fn frame(&self) -> u64 {
        self.now.frame().0
    }

    fn time(&self) -> f32 {
        self.now.time()
    }

    fn quantity(&self, id: AgentId, quantity: Quantity) -> f64 {
        let world = self.now;
        match quantity {
            Quantity::X => f64::from(world.position(id).x),
            Quantity::Y => f64::from(world.position(id).y),
            Quantity::TileX => f64::from(world.tile(id).x),
            Quantity::TileY => f64::from(world.tile(id).y),
            Quantity::Vx => f64::from(world.velocity(id).x),
            Quantity::Vy => f64::from(world.velocity(id).y),
            Quantity::Speed => f64::from(world.velocity(id).length()),
            Quantity::Heading => f64::from(world.heading_degrees(id)),
            Quantity::TimeInMode => f64::from(world.seconds_in_mode(id)),
        }
    }

    fn fact(&self, id: AgentId, fact: Fact) -> bool {
        let flag = match fact {
            Fact::Blocked => Flags::BLOCKED,
            Fact::Arrived => Flags::ARRIVED,
            Fact::Finished => Flags::FINISHED,
            Fact::Joining => Flags::JOINING,
            Fact::Collided => Flags::COLLIDED,
            Fact::Stuck => Flags::STUCK,
            Fact::Oscillating => Flags::OSCILLATING,
            Fact::Deadlocked => Flags::DEADLOCKED,
            Fact::Quarantined => Flags::QUARANTINED,
            Fact::Overlapping => return self.now.is_overlapping(id),
        };
        self.now.flags(id).has(flag)
    }

    fn mode_key(&self, id: AgentId) -> u64 {
        self.now.mode(id).key
    }

    fn traced_number(&self, id: AgentId, column: u32) -> Option<f64> {
        let traced = self.now.scenario().traced.as_ref()?;
        traced.trace.number_in(id, self.now.frame(), column as usize).map(f64::from)
    }

    fn traced_text(&self, id: AgentId, column: u32) -> Option<u64> {
        let traced = self.now.scenario().traced.as_ref()?;
        traced.trace.text_key(id, self.now.frame(), column as usize)
    }

    fn distance(&self, id: AgentId, target: Target) -> Option<f32> {
        self.now.see(id, target).map(|seen| seen.offset.length())
    }

    fn heading(&self, id: AgentId) -> [f64; 2] {
        let heading = self.now.heading(id);
        [f64::from(heading.x), f64::from(heading.y)]
    }

    fn gap(&self, first: Several, second: Several) -> Option<f64> {
        self.now.gap(first, second).map(|pair| pair.gap)
    }

    fn sees(&self, id: AgentId, target: Target, glance: Glance) -> bool {
        let last = || {
            let sight = target.as_sight_target().and_then(|sighted| self.now.sight(id, sighted));
            sight.map(|sight| sight.seen)
        };
        match glance {
            Glance::Now => self.now.sees(id, target),
            Glance::LastOrNow => last().unwrap_or_else(|| self.now.sees(id, target)),
            Glance::Last => last().unwrap_or(false),
        }
    }

    fn is_in(&self, id: AgentId, area: TileRect) -> bool {
        area.contains(self.now.tile(id))
    }

    fn happened(&self, id: Option<AgentId>, word: &str) -> bool {
        // Another instance can have had the same id earlier in the frame.
        let is_of = |event: &Event, id| event.agent == id && event.number == self.now.number(id);
        self.now
            .events()
            .iter()
            .any(|event| id.is_none_or(|id| is_of(event, id)) && is_called(&event.kind, word))
    }

    fn agent_of_event(&self, word: &str) -> Option<AgentId> {
        self.agents_of_event(word).next()
    }

    fn nearest(&self, first: Several, second: Several) -> Option<AgentId> {
        self.now.gap(first, second).map(|pair| pair.first)
    }

    fn happened_to(&self, instance: Instance, word: &str) -> bool {
        let Instance { kind, number } = instance;
        let starts = &self.now.scenario().starts;
        let kind_of = |event: &Event| starts[event.agent.index()].kind;
        let is_of = |event: &Event| event.number == number && kind_of(event) == kind;
        self.now.events().iter().any(|event| is_of(event) && is_called(&event.kind, word))
    }

    fn is_present(&self, id: AgentId) -> bool {
        self.now.is_present(id)
    }

    fn instance(&self, instance: Instance) -> Option<AgentId> {
        self.now.instance(instance)
    }

    fn random(&self, id: Option<AgentId>, index: u32) -> Option<f32> {
        let scenario = self.now.scenario();
        let (agent, mode, rule) = match (id, self.spawn) {
            (Some(id), _) => (self.now.names[id.index()], self.now.mode(id).key, self.rule),
            // Rules of other templates do not affect the random numbers of a rule.
            (None, Some(rule)) => {
                let (earlier, rest) = scenario.spawns.split_at(rule as usize);
                let kind = rest.first()?.kind;
                let same = earlier.iter().filter(|it| it.kind == kind && it.clock().is_some());
                (name_hash(&scenario.kinds[kind as usize].name), 0, same.count() as u32)
            }
            (None, None) => return None,
        };
        let rng_key = RngKey {
            seed: scenario.seed,
            // Conditions of the next step use the random numbers of the next frame.
            frame: self.now.frame().0 + 1,
            agent,
            mode,
            behaviour: rule << 16 | index,
        };
        Some(rng_key.stream(Use::Chance).unit())
    }

    fn members(&self, group: GroupId) -> &[AgentId] {
        self.now.scenario().members(group)
    }

    fn is_cancelled(&self) -> bool {
        self.now.cancel().is_requested()
    }

    fn before(&self) -> Option<&Self> {
        self.before
    }
}

/// Returns true if `word` is the word of an event kind, with `_` instead of spaces.
fn is_called(kind: &EventKind, word: &str) -> bool {
    kind.word().bytes().map(|b| if b == b' ' { b'_' } else { b }).eq(word.bytes())
}
