//! Compares two runs, and stores the first difference and up to ten more.
//!
//! The caller passes both sides frame by frame as [`Moment`]s. A moment is a world, or the rows of
//! a trace. Two worlds are compared by their whole saved state, including state that the screen
//! does not show. For this, the state of an agent is collected as a list of facts: fields with
//! their values. Rows of a trace are compared by column. Agents are matched by name.

mod facts;

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::event::Obstruction;
use crate::geom::{TilePos, Vec2};
use crate::history::diff::facts::{Columns, Depth};
use crate::id::AgentId;
use crate::map::StepError;
use crate::rng::name_hash;
use crate::steering::memory::{Memory, Remembered};
use crate::time::Frame;
use crate::trace::DerivedMotion;
use crate::world::saved::{SavedPart, SavedVisitor};
use crate::world::{Flags, World};

/// Maximum number of stored differences: the first difference and ten more.
pub(crate) const MAX_DIFFERENCES: usize = 11;

/// One side of a comparison at one frame.
#[derive(Debug, Clone, Copy)]
pub enum Moment<'a> {
    /// A world, with its complete state.
    World(&'a World),
    /// A frame number, and the rows of a trace at that frame.
    Rows(Frame, &'a [TraceRow]),
}

impl<'a> Moment<'a> {
    pub(crate) fn frame(self) -> Frame {
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

    /// Iterates over the indices of the agents in the world.
    fn indices(self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |&index| self.has(index))
    }

    /// Returns true if an agent with this index is in the world.
    fn has(self, index: usize) -> bool {
        match self {
            Self::World(world) => world.is_present(AgentId(index as u32)),
            Self::Rows(_, rows) => index < rows.len(),
        }
    }

    /// Returns the hash of an agent's name. Agents with the same hash on both sides are compared.
    fn key(self, index: usize) -> u64 {
        match self {
            Self::World(world) => world.names[index],
            Self::Rows(_, rows) => rows[index].key(),
        }
    }

    fn name(self, index: usize) -> String {
        match self {
            Self::World(world) => world.name(AgentId(index as u32)).to_string(),
            Self::Rows(_, rows) => rows[index].agent().to_owned(),
        }
    }

    /// Returns the parts of an agent's motion that the run of another program does not contain.
    fn derived(self, index: usize) -> DerivedMotion {
        match self {
            Self::World(world) => {
                let trace = world.scenario().trace_of(AgentId(index as u32));
                trace.map_or_else(DerivedMotion::default, |trace| trace.units().derived)
            }
            Self::Rows(_, _) => DerivedMotion::default(),
        }
    }

    fn facts(self, index: usize, depth: Depth, facts: &mut Vec<StateFact<'a>>) {
        facts.clear();
        match self {
            Self::World(world) => facts::of(world, AgentId(index as u32), depth, facts),
            Self::Rows(_, rows) => rows[index].columns().append(facts),
        }
    }
}

/// A field of an agent with different values on the two sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The frame in which the values differ.
    pub frame: Frame,
    /// Name of the agent. For a spawn rule, a text such as `spawn 2 of boid`.
    pub agent: String,
    /// Name of the field, as comparisons print it.
    pub field: String,
    /// Value on the first side; [`StateValue::Nothing`] if that side does not have the field.
    pub a: StateValue<'static>,
    /// Value on the second side; [`StateValue::Nothing`] if that side does not have the field.
    pub b: StateValue<'static>,
}

/// An unfinished comparison of two runs.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Largest difference of numbers that count as equal. With 0, their bits must match.
    tolerance: f32,
    /// Whether worlds are compared by the columns of a trace instead of their whole state.
    by_columns: bool,
    frames: u64,
    /// Number of agents found on both sides, added up over all frames.
    pairs: u64,
    differences: Vec<Difference>,
    only: [BTreeMap<String, Frame>; 2],
}

impl Comparison {
    /// Starts a comparison without frames. Numbers count as equal if they differ by at most
    /// `tolerance`. With 0, their bits must match.
    pub fn new(tolerance: f32) -> Self {
        Self { tolerance, ..Self::default() }
    }

    /// Compares worlds by the columns of a trace, because one of them has no further state.
    #[must_use]
    pub(crate) fn by_columns(self) -> Self {
        Self { by_columns: true, ..self }
    }

    /// Compares both sides at one frame. The frame number is taken from `a`.
    pub fn add(&mut self, a: Moment, b: Moment) {
        let frame = a.frame();
        self.frames += 1;
        let are_worlds = matches!((a, b), (Moment::World(_), Moment::World(_)));
        let whole = are_worlds && !self.by_columns;
        let depth = if whole { Depth::Whole } else { Depth::Columns };
        let index_b = NameIndex::of(b);
        let (mut facts_a, mut facts_b) = (Vec::new(), Vec::new());
        let mut paired = 0;
        for index in a.indices() {
            let Some(other) = index_b.find(a.key(index), index) else {
                self.only[0].entry(a.name(index)).or_insert(frame);
                continue;
            };
            paired += 1;
            if self.is_full() {
                continue;
            }
            a.facts(index, depth, &mut facts_a);
            b.facts(other, depth, &mut facts_b);
            let [of_a, of_b] = [a.derived(index), b.derived(other)];
            let derived = DerivedMotion {
                velocity: of_a.velocity && of_b.velocity,
                heading: of_a.heading && of_b.heading,
            };
            self.compare(frame, || a.name(index), [&facts_a, &facts_b], derived);
        }
        self.pairs += paired as u64;
        if let (Moment::World(a), Moment::World(b)) = (a, b) {
            self.compare_rules(a, b);
        }
        if paired < b.indices().count() {
            let index_a = NameIndex::of(a);
            for index in b.indices().filter(|&index| index_a.find(b.key(index), index).is_none()) {
                self.only[1].entry(b.name(index)).or_insert(frame);
            }
        }
    }

    /// Compares the states of spawn rules with the same index.
    fn compare_rules(&mut self, a: &World, b: &World) {
        for rule in 0..a.spawners().len().min(b.spawners().len()) {
            let name = |world: &World| {
                let scenario = world.scenario();
                let kind = scenario.spawns[rule].kind as usize;
                format!("spawn {} of {}", rule + 1, scenario.kinds[kind].name)
            };
            if a.spawners()[rule] != b.spawners()[rule] && name(a) == name(b) && !self.is_full() {
                let [facts_a, facts_b] = [a, b].map(|world| facts::of_rule(world, rule));
                let facts = [&*facts_a, &*facts_b];
                self.compare(a.frame(), || name(a), facts, DerivedMotion::default());
            }
        }
    }

    /// Compares the facts of an agent on both sides. With a tolerance, parts of the motion that both
    /// sides derive are left out.
    fn compare(
        &mut self,
        frame: Frame,
        agent: impl Fn() -> String,
        [a, b]: [&[StateFact]; 2],
        derived: DerivedMotion,
    ) {
        for (index, fact) in a.iter().enumerate() {
            let other = find(b, &fact.field, index);
            if other.is_none() && fact.field.is_detail() {
                continue;
            }
            let other = other.map_or(&StateValue::Nothing, |other| &other.value);
            let is_left_out = self.tolerance > 0.0 && fact.field.is_derived(derived);
            if !is_left_out && !fact.value.is(other, self.tolerance) {
                self.note(frame, agent(), &fact.field, &fact.value, other);
            }
        }
        for (index, fact) in b.iter().enumerate() {
            if !fact.field.is_detail() && find(a, &fact.field, index).is_none() {
                self.note(frame, agent(), &fact.field, &StateValue::Nothing, &fact.value);
            }
        }
    }

    fn note(
        &mut self,
        frame: Frame,
        agent: String,
        field: &StateField,
        a: &StateValue,
        b: &StateValue,
    ) {
        if !self.is_full() {
            let (a, b) = (a.owned(), b.owned());
            self.differences.push(Difference { frame, agent, field: field.to_string(), a, b });
        }
    }

    /// Returns true if 11 differences are stored. Later differences are not stored.
    pub fn is_full(&self) -> bool {
        self.differences.len() >= MAX_DIFFERENCES
    }

    /// Returns the number of frames compared so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns true if at least one agent was found on both sides in the same frame.
    pub fn has_shared(&self) -> bool {
        self.pairs > 0
    }

    /// Returns the first differences, at most 11. They are ordered by frame, then by the agent's
    /// index on the first side, then by field.
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Returns the agents that exist only on one side, by name. The value is the first frame in
    /// which only this side has the agent. `side` is 0 for the first side and 1 for the second.
    pub fn only(&self, side: usize) -> &BTreeMap<String, Frame> {
        &self.only[side]
    }

    /// Returns true if no field differs and no agent is missing on either side.
    pub fn is_same(&self) -> bool {
        self.differences.is_empty() && self.only.iter().all(BTreeMap::is_empty)
    }

    /// Returns the first frame in which a field differs or an agent is missing on one side. Returns
    /// `None` if the sides are the same.
    pub fn first(&self) -> Option<Frame> {
        let found = self.differences.first().map(|difference| difference.frame);
        found.into_iter().chain(self.only.iter().flat_map(BTreeMap::values).copied()).min()
    }
}

/// Returns the first field of an agent that differs between two worlds of the same frame.
pub(crate) fn first_difference(
    (a, agent): (&World, AgentId),
    (b, other): (&World, AgentId),
) -> Option<Difference> {
    differences((a, agent), (b, other)).into_iter().next()
}

/// Returns the difference of an agent that is only in one of two worlds. `world` is any world that
/// knows the agent's name, and `present` says for each of both worlds whether it has the agent.
pub(super) fn presence_difference(world: &World, agent: AgentId, present: [bool; 2]) -> Difference {
    let (frame, agent) = (world.frame(), world.name(agent).to_string());
    let [a, b] = present.map(StateValue::Yes);
    Difference { frame, agent, field: "in the world".to_owned(), a, b }
}

/// Returns the fields of an agent that differ between two worlds of the same frame, at most 11.
pub fn differences(
    (a, agent): (&World, AgentId),
    (b, other): (&World, AgentId),
) -> Vec<Difference> {
    if a.is_present(agent) != b.is_present(other) {
        let present = [a.is_present(agent), b.is_present(other)];
        return vec![presence_difference(a, agent, present)];
    }
    if !a.is_present(agent) {
        return Vec::new();
    }
    let (mut facts_a, mut facts_b) = (Vec::new(), Vec::new());
    facts::of(a, agent, Depth::Whole, &mut facts_a);
    facts::of(b, other, Depth::Whole, &mut facts_b);
    let mut comparison = Comparison::new(0.0);
    let name = || a.name(agent).to_string();
    comparison.compare(a.frame(), name, [&facts_a, &facts_b], DerivedMotion::default());
    comparison.differences
}

/// Returns the fact with a given field. Checks the fact at `index` first, and then searches.
fn find<'a, 'b>(
    facts: &'b [StateFact<'a>],
    field: &StateField,
    index: usize,
) -> Option<&'b StateFact<'a>> {
    let near = facts.get(index).filter(|fact| fact.field == *field);
    near.or_else(|| facts.iter().find(|fact| fact.field == *field))
}

/// An index of agents by the hash of their names. Built only if the two sides list the agents at
/// different indices.
struct NameIndex<'a> {
    moment: Moment<'a>,
    sorted: core::cell::OnceCell<Vec<(u64, usize)>>,
}

impl<'a> NameIndex<'a> {
    fn of(moment: Moment<'a>) -> Self {
        Self { moment, sorted: core::cell::OnceCell::new() }
    }

    fn find(&self, key: u64, near: usize) -> Option<usize> {
        if self.moment.has(near) && self.moment.key(near) == key {
            return Some(near);
        }
        let sorted = self.sorted.get_or_init(|| {
            let keys = self.moment.indices().map(|index| (self.moment.key(index), index));
            let mut sorted: Vec<_> = keys.collect();
            sorted.sort_unstable();
            sorted
        });
        let place = sorted.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(sorted[place].1)
    }
}

/// The name of a field, and the part of the state that the field belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct StateField<'a> {
    word: &'static str,
    of: Of<'a>,
    /// Whether the field exists only for some values of the previous field.
    detail: bool,
}

/// The part of the state that a field belongs to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Of<'a> {
    Agent,
    /// The saved pattern of the mode with the given name.
    Mode(&'a str),
    /// The perceived target with the given name.
    Target(Cow<'a, str>),
    /// The slot with the given index in the list of recent headings.
    Slot(usize),
    /// The value of another program with the given name.
    Value(&'a str),
}

impl StateField<'_> {
    /// Creates a field that every agent has.
    pub(super) fn plain(word: &'static str) -> Self {
        Self { word, of: Of::Agent, detail: false }
    }

    /// Returns true if the field exists only for some values of the previous field.
    pub fn is_detail(&self) -> bool {
        self.detail
    }

    /// Returns true if the field is computed from other fields. A derived field can jump while the
    /// others change slowly. `motion` has the parts of the motion that are derived.
    fn is_derived(&self, motion: DerivedMotion) -> bool {
        let is_derived = match self.word {
            TILE_X | TILE_Y => true,
            VX | VY => motion.velocity,
            HEADING | HEADING_VECTOR => motion.heading,
            _ => false,
        };
        is_derived && self.of == Of::Agent
    }
}

impl fmt::Display for StateField<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Of::Agent => f.write_str(self.word),
            Of::Mode(mode) => write!(f, "{} (saved for mode {mode})", self.word),
            Of::Target(target) => write!(f, "{} {target}", self.word),
            Of::Slot(slot) => write!(f, "{} {slot}", self.word),
            Of::Value(name) => f.write_str(name),
        }
    }
}

/// A field of an agent's state, with the value.
#[derive(Debug, Clone, PartialEq)]
pub struct StateFact<'a> {
    /// The field, with the part of the agent that it belongs to.
    pub field: StateField<'a>,
    /// The value of the field.
    pub value: StateValue<'a>,
}

pub(super) const TILE_X: &str = "tile_x";
pub(super) const TILE_Y: &str = "tile_y";
pub(super) const VX: &str = "vx";
pub(super) const VY: &str = "vy";
pub(super) const HEADING: &str = "heading";
pub(super) const HEADING_VECTOR: &str = "heading vector";

/// Appends facts whose fields all belong to `of`.
pub(super) struct FactWriter<'a, 'b> {
    pub facts: &'b mut Vec<StateFact<'a>>,
    pub of: Of<'a>,
    pub world: &'a World,
}

impl<'a> FactWriter<'a, '_> {
    fn push(&mut self, word: &'static str, value: StateValue<'a>, detail: bool) {
        let field = StateField { word, of: self.of.clone(), detail };
        self.facts.push(StateFact { field, value });
    }
}

impl SavedVisitor for FactWriter<'_, '_> {
    const VISITS_MISSING: bool = false;

    fn part(&mut self, name: &'static str, part: SavedPart) {
        self.push(name, part.into(), false);
    }

    fn detail(&mut self, name: &'static str, part: SavedPart) {
        self.push(name, part.into(), true);
    }

    fn memory(&mut self, memory: &Memory) {
        for each in memory.values() {
            let part = match each.value {
                Remembered::Point(point) => SavedPart::MaybePoint(point),
                Remembered::Index(index) => SavedPart::Count(index),
                Remembered::Problem(is_set) => SavedPart::Yes(is_set),
            };
            self.detail(each.name, part);
        }
    }

    fn obstruction(&mut self, name: &'static str, reason: Option<Obstruction>) {
        let (word, tile) = match reason {
            None => ("none", None),
            Some(Obstruction::Ground(StepError::Edge)) => ("map edge", None),
            Some(Obstruction::Ground(StepError::Wall(at))) => ("wall", Some(at)),
            Some(Obstruction::Ground(StepError::Obstacle(at))) => ("obstacle", Some(at)),
            Some(Obstruction::Ground(StepError::FreeWall(at, _))) => ("free wall", Some(at)),
            Some(Obstruction::Ground(StepError::Corner(at))) => ("corner", Some(at)),
            Some(Obstruction::Agent(_)) => ("agent", None),
            Some(Obstruction::NoRoute) => ("no route", None),
            Some(Obstruction::NoWay) => ("no open tile", None),
        };
        self.push(name, StateValue::Word(word.into()), false);
        self.detail("blocking tile", SavedPart::MaybeTile(tile));
        if let Some(Obstruction::Agent(id)) = reason {
            let agent = self.world.name(id).to_string();
            self.push("blocking agent", StateValue::Word(agent.into()), true);
        }
    }
}

impl From<SavedPart> for StateValue<'_> {
    fn from(part: SavedPart) -> Self {
        match part {
            SavedPart::Word(_, word) => Self::Word(word.into()),
            SavedPart::Count(count) => Self::Whole(count.into()),
            SavedPart::Yes(yes) => Self::Yes(yes),
            SavedPart::Flags(flags) => Self::Flags(flags),
            SavedPart::Number(number) => Self::Number(number),
            SavedPart::Point(point) | SavedPart::MaybePoint(Some(point)) => Self::Point(point),
            SavedPart::Tile(tile) | SavedPart::MaybeTile(Some(tile)) => Self::Tile(tile),
            SavedPart::MaybePoint(None) | SavedPart::MaybeTile(None) => Self::Nothing,
        }
    }
}

/// The value of a field, as comparisons store and print it.
#[derive(Debug, Clone, PartialEq)]
pub enum StateValue<'a> {
    /// No value, or the field does not exist.
    Nothing,
    /// A name, or one of a fixed set of words.
    Word(Cow<'a, str>),
    /// A number, in the unit of its field.
    Number(f32),
    /// An angle in degrees. Compared around the circle: 359 is near 1.
    Degrees(f32),
    /// A count or index.
    Whole(i64),
    /// A boolean, shown as `yes` or `no`.
    Yes(bool),
    /// A position in tiles, or a vector in the unit of its field.
    Point(Vec2),
    /// Column and row of a tile.
    Tile(TilePos),
    /// The flags of an agent that are set.
    Flags(Flags),
}

impl StateValue<'_> {
    /// Returns true if two values are equal. Numbers, angles and coordinates count as equal if they
    /// differ by at most `tolerance`. With 0, their bits must match, except that −0 equals 0.
    pub(crate) fn is(&self, other: &StateValue, tolerance: f32) -> bool {
        let near =
            |a: f32, b: f32| same_bits(a, b) || (a - b).abs() <= tolerance && tolerance > 0.0;
        match (self, other) {
            (Self::Number(a), StateValue::Number(b)) => near(*a, *b),
            (Self::Degrees(a), StateValue::Degrees(b)) => {
                let apart = (a - b).abs();
                same_bits(*a, *b) || tolerance > 0.0 && apart.min(360.0 - apart) <= tolerance
            }
            (Self::Point(a), StateValue::Point(b)) => near(a.x, b.x) && near(a.y, b.y),
            _ => self == other,
        }
    }

    /// Returns a copy without borrowed data.
    pub(crate) fn owned(&self) -> StateValue<'static> {
        match *self {
            Self::Nothing => StateValue::Nothing,
            Self::Word(ref word) => StateValue::Word(Cow::Owned(word.clone().into_owned())),
            Self::Number(number) => StateValue::Number(number),
            Self::Degrees(degrees) => StateValue::Degrees(degrees),
            Self::Whole(whole) => StateValue::Whole(whole),
            Self::Yes(yes) => StateValue::Yes(yes),
            Self::Point(at) => StateValue::Point(at),
            Self::Tile(tile) => StateValue::Tile(tile),
            Self::Flags(flags) => StateValue::Flags(flags),
        }
    }
}

/// Returns the names of all set flags, including flags that are not shown on screen.
pub fn words_of(flags: Flags) -> Vec<&'static str> {
    let contact = flags.has(Flags::IN_CONTACT).then_some("in contact");
    flags.words().chain(contact).collect()
}

fn same_bits(a: f32, b: f32) -> bool {
    (a + 0.0).to_bits() == (b + 0.0).to_bits()
}

impl fmt::Display for StateValue<'_> {
    /// Writes numbers with enough digits to read back the same value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("none"),
            Self::Word(word) => f.write_str(word),
            Self::Number(number) | Self::Degrees(number) => (number + 0.0).fmt(f),
            Self::Whole(whole) => whole.fmt(f),
            Self::Yes(yes) => f.write_str(if *yes { "yes" } else { "no" }),
            Self::Point(at) => write!(f, "({}, {})", at.x + 0.0, at.y + 0.0),
            Self::Tile(tile) => tile.fmt(f),
            Self::Flags(flags) => {
                let words = words_of(*flags);
                f.write_str(&if words.is_empty() { "none".to_owned() } else { words.join(" ") })
            }
        }
    }
}

/// A row of a trace: the state of one agent at one frame, without the frame number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TraceRow {
    agent: String,
    key: u64,
    /// Time since frame 0, in seconds.
    pub time: f32,
    /// Name of the agent's current mode.
    pub mode: String,
    /// Position, in tiles.
    pub position: Vec2,
    /// Velocity, in tiles/s.
    pub velocity: Vec2,
    /// Heading in degrees, clockwise from east.
    pub heading: f32,
    /// Tile that contains the agent's position.
    pub tile: TilePos,
}

impl TraceRow {
    /// Returns the name of the agent. Empty in a default row.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Sets the name of the agent and updates the hash. Reuses the allocation of the old name.
    pub fn set_agent(&mut self, name: &str) {
        if self.agent != name {
            self.agent.clear();
            self.agent.push_str(name);
            self.key = name_hash(name);
        }
    }

    /// Returns the hash of the agent's name, by which rows are matched.
    pub fn key(&self) -> u64 {
        self.key
    }

    fn columns(&self) -> Columns<'_> {
        let Self { agent: _, key: _, time, ref mode, position, velocity, heading, tile } = *self;
        Columns { mode, position, velocity, heading, tile, time }
    }
}

#[cfg(test)]
mod value_tests {
    use super::*;

    #[test]
    fn numbers_are_compared_bitwise_without_a_tolerance() {
        let next = f32::from_bits(1.0_f32.to_bits() + 1);
        assert!(!StateValue::Number(1.0).is(&StateValue::Number(next), 0.0));
        assert!(StateValue::Number(1.0).is(&StateValue::Number(next), 1e-6));
        assert!(StateValue::Number(0.0).is(&StateValue::Number(-0.0), 0.0));
        let near = |a, b| StateValue::Degrees(a).is(&StateValue::Degrees(b), 1.0);
        assert!(near(359.5, 0.25) && near(0.25, 359.5) && !near(359.0, 1.0));
        let point = |x| StateValue::Point(Vec2::new(1.0, x));
        assert!(point(2.0).is(&point(2.5), 0.5) && !point(2.0).is(&point(2.5), 0.25));
        assert!(!StateValue::Whole(1).is(&StateValue::Whole(2), 10.0), "what is counted is exact");
    }
}
