//! Compares two runs: the first frame, agent and field that differ, and the next differences.
//!
//! Both sides are passed in frame by frame as [`Moment`]s: a world, or the rows of a trace. Only
//! the differences are kept. Two worlds are compared by their whole saved state, whether the screen
//! shows it or not. Rows of a trace are compared by column. Agents are matched by name.

mod facts;
mod memory;
pub mod row;
pub mod value;

use std::collections::BTreeMap;

use crate::id::AgentId;
use crate::time::Frame;
use crate::world::World;

use facts::{Depth, Fact, Field};
use row::Row;
pub use value::Value;

/// So many differences are kept: the first one and the next ten.
pub const KEPT: usize = 11;

/// One frame of one side.
#[derive(Debug, Clone, Copy)]
pub enum Moment<'a> {
    /// All there is.
    World(&'a World),
    /// What a trace tells.
    Rows(Frame, &'a [Row]),
}

impl<'a> Moment<'a> {
    /// Its number.
    pub fn frame(self) -> Frame {
        match self {
            Self::World(world) => world.frame(),
            Self::Rows(frame, _) => frame,
        }
    }

    fn len(self) -> usize {
        match self {
            Self::World(world) => world.len(),
            Self::Rows(_, rows) => rows.len(),
        }
    }

    /// The hash of an agent's name, by which it is found on the other side.
    fn key(self, index: usize) -> u64 {
        match self {
            Self::World(world) => world.names[index],
            Self::Rows(_, rows) => rows[index].key(),
        }
    }

    fn name(self, index: usize) -> String {
        match self {
            Self::World(world) => world.scenario().name(AgentId(index as u32)).to_string(),
            Self::Rows(_, rows) => rows[index].agent().to_owned(),
        }
    }

    fn facts(self, index: usize, depth: Depth, facts: &mut Vec<Fact<'a>>) {
        facts.clear();
        match self {
            Self::World(world) => facts::of(world, AgentId(index as u32), depth, facts),
            Self::Rows(_, rows) => rows[index].columns().tell(facts),
        }
    }
}

/// A field of an agent that is not the same on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// In which frame.
    pub frame: Frame,
    /// Whose, by name.
    pub agent: String,
    /// What it is, in words.
    pub field: String,
    /// Its value on the first side.
    pub a: Value<'static>,
    /// Its value on the second side.
    pub b: Value<'static>,
}

/// What has been found so far.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// How far numbers may be apart; 0 asks for the same bits.
    tolerance: f32,
    frames: u64,
    /// How often an agent has been found on both sides.
    pairs: u64,
    differences: Vec<Difference>,
    only: [BTreeMap<String, Frame>; 2],
}

impl Comparison {
    /// Nothing has been compared yet. Numbers that are no farther apart than `tolerance` count as
    /// equal.
    pub fn new(tolerance: f32) -> Self {
        Self { tolerance, ..Self::default() }
    }

    /// Compares another frame of both sides.
    pub fn add(&mut self, a: Moment, b: Moment) {
        let frame = a.frame();
        self.frames += 1;
        let whole = matches!((a, b), (Moment::World(_), Moment::World(_)));
        let depth = if whole { Depth::Whole } else { Depth::Columns };
        let others = Places::of(b);
        let (mut its, mut the_others) = (Vec::new(), Vec::new());
        let mut paired = 0;
        for index in 0..a.len() {
            let Some(other) = others.find(a.key(index), index) else {
                self.only[0].entry(a.name(index)).or_insert(frame);
                continue;
            };
            paired += 1;
            if self.is_full() {
                continue;
            }
            a.facts(index, depth, &mut its);
            b.facts(other, depth, &mut the_others);
            self.compare(frame, || a.name(index), &its, &the_others);
        }
        self.pairs += paired as u64;
        if paired < b.len() {
            let here = Places::of(a);
            for index in (0..b.len()).filter(|&index| here.find(b.key(index), index).is_none()) {
                self.only[1].entry(b.name(index)).or_insert(frame);
            }
        }
    }

    fn compare(&mut self, frame: Frame, agent: impl Fn() -> String, a: &[Fact], b: &[Fact]) {
        for (index, fact) in a.iter().enumerate() {
            let other = find(b, &fact.field, index);
            if other.is_none() && fact.field.is_detail() {
                continue;
            }
            let other = other.map_or(&Value::Nothing, |other| &other.value);
            let derived = self.tolerance > 0.0 && fact.field.is_derived();
            if !derived && !fact.value.is(other, self.tolerance) {
                self.note(frame, agent(), &fact.field, &fact.value, other);
            }
        }
        for (index, fact) in b.iter().enumerate() {
            if !fact.field.is_detail() && find(a, &fact.field, index).is_none() {
                self.note(frame, agent(), &fact.field, &Value::Nothing, &fact.value);
            }
        }
    }

    fn note(&mut self, frame: Frame, agent: String, field: &Field, a: &Value, b: &Value) {
        if !self.is_full() {
            let (a, b) = (a.owned(), b.owned());
            self.differences.push(Difference { frame, agent, field: field.to_string(), a, b });
        }
    }

    /// Have as many differences been found as are kept?
    pub fn is_full(&self) -> bool {
        self.differences.len() >= KEPT
    }

    /// How many frames have been compared.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Has any agent been on both sides?
    pub fn has_shared(&self) -> bool {
        self.pairs > 0
    }

    /// The first differences: by frame, then in the order of the first side's agents, then by field.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// The agents that only one side has (0 the first, 1 the second), and since when.
    pub fn only(&self, side: usize) -> &BTreeMap<String, Frame> {
        &self.only[side]
    }

    /// Was nothing found?
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && self.only.iter().all(BTreeMap::is_empty)
    }

    /// The first frame in which anything differs.
    pub fn first(&self) -> Option<Frame> {
        let found = self.differences.first().map(|difference| difference.frame);
        found.into_iter().chain(self.only.iter().flat_map(BTreeMap::values).copied()).min()
    }
}

/// The first field of an agent that is not the same in two worlds of one frame, if there is one.
pub fn first_difference(
    (a, agent): (&World, AgentId),
    (b, other): (&World, AgentId),
) -> Option<Difference> {
    differences((a, agent), (b, other)).into_iter().next()
}

/// The first fields of an agent that are not the same in two worlds of one frame, at most [`KEPT`].
pub fn differences(
    (a, agent): (&World, AgentId),
    (b, other): (&World, AgentId),
) -> Vec<Difference> {
    let (mut its, mut the_others) = (Vec::new(), Vec::new());
    facts::of(a, agent, Depth::Whole, &mut its);
    facts::of(b, other, Depth::Whole, &mut the_others);
    let mut comparison = Comparison::new(0.0);
    let name = || a.scenario().name(agent).to_string();
    comparison.compare(a.frame(), name, &its, &the_others);
    comparison.differences
}

/// A fact of a list; most are at the same place as in the other one.
fn find<'a, 'b>(facts: &'b [Fact<'a>], field: &Field, index: usize) -> Option<&'b Fact<'a>> {
    let near = facts.get(index).filter(|fact| fact.field == *field);
    near.or_else(|| facts.iter().find(|fact| fact.field == *field))
}

/// Where everyone is in a moment, by the hash of their name. It is only put in order when somebody is
/// not at the place they have on the other side.
struct Places<'a> {
    moment: Moment<'a>,
    sorted: core::cell::OnceCell<Vec<(u64, usize)>>,
}

impl<'a> Places<'a> {
    fn of(moment: Moment<'a>) -> Self {
        Self { moment, sorted: core::cell::OnceCell::new() }
    }

    fn find(&self, key: u64, near: usize) -> Option<usize> {
        if near < self.moment.len() && self.moment.key(near) == key {
            return Some(near);
        }
        let sorted = self.sorted.get_or_init(|| {
            let keys = (0..self.moment.len()).map(|index| (self.moment.key(index), index));
            let mut sorted: Vec<_> = keys.collect();
            sorted.sort_unstable();
            sorted
        });
        let place = sorted.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(sorted[place].1)
    }
}
