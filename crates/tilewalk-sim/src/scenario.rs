//! A scenario: a validated map with its agents, ready to run.
//!
//! A [`Scenario`] contains validated data in private fields: every name is resolved, every number
//! is in range, and every agent starts where its body fits. Scenarios are read from files or built
//! in code. A world is created from a scenario.

pub mod builder;
pub mod expectation;
pub mod limits;
pub mod never;
pub mod parts;
pub mod run;
mod run_scene;
pub mod setting;
pub mod sources;
pub mod spawn;

use core::fmt;
use std::sync::Arc;

use crate::agent::AgentKind;
use crate::condition::{Named, Scope};
use crate::geom::Vec2;
use crate::id::{AgentId, EVERYONE, GroupId, Instance};
use crate::map::Map;
use crate::steering::{SightTarget, SteeringPath};
use crate::time::Frame;
use crate::trace::{Trace, ValueColumn};

use expectation::Expectation;
use sources::Sources;
use spawn::Spawn;

/// The input of a run, except for commands.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub(crate) title: String,
    pub(crate) tick: f64,
    pub(crate) seed: u64,
    pub(crate) map: Arc<Map>,
    pub(crate) places: Vec<Place>,
    pub(crate) kinds: Vec<AgentKind>,
    pub(crate) starts: Vec<Start>,
    pub(crate) groups: Vec<Group>,
    /// The built-in group of all agents.
    pub(crate) everyone: Group,
    pub(crate) paths: Vec<SteeringPath>,
    pub(crate) spawns: Vec<Spawn>,
    pub(crate) expectations: Vec<Expectation>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) traced: Option<Traced>,
}

/// The trace that agents of a scenario follow.
#[derive(Debug, Clone, PartialEq)]
pub struct Traced {
    /// Motions and values of the agents.
    pub trace: Arc<Trace>,
    /// The agents that no longer follow the trace, in agent order.
    pub taken_over: Vec<TakenOver>,
}

/// An agent with rows in a trace that one of its modes drives instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenOver {
    /// The agent.
    pub agent: AgentId,
    /// Index of the mode that the agent enters, in the list of its kind.
    pub mode: u16,
}

/// A named position for use in conditions and targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Name of the place in conditions and targets.
    pub name: String,
    /// Position of the place, in tiles.
    pub at: Vec2,
}

/// The kind and the initial state of an agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// Index of the agent kind in [`Scenario::kinds`].
    pub kind: u32,
    /// Number of the agent within its kind, from 1; 0 for an agent that is not in a numbered group.
    pub number: u32,
    /// Position at frame 0, in tiles.
    pub position: Vec2,
    /// Heading at frame 0, a unit vector.
    pub heading: Vec2,
    /// Whether the agent is absent at frame 0. The position of an absent agent has no meaning.
    pub absent: bool,
}

/// A named set of agents for use in behaviours, conditions and targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Name of the group in conditions and targets.
    pub name: String,
    /// The members of the group, in agent order.
    pub members: Vec<AgentId>,
}

impl Group {
    /// Returns the built-in group of all agents of a scenario with `count` agents.
    fn everyone(count: usize) -> Self {
        Self { name: EVERYONE.to_owned(), members: (0..count as u32).map(AgentId).collect() }
    }
}

impl Traced {
    /// Returns the entry of an agent that no longer follows the trace.
    fn taken_over(&self, id: AgentId) -> Option<TakenOver> {
        self.taken_over.iter().copied().find(|taken| taken.agent == id)
    }
}

impl Scenario {
    /// Returns the title of the map, for display. A recording identifies the scenario by its title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the length of a frame, in seconds: 0.001 to 1.
    #[inline]
    pub fn tick(&self) -> f64 {
        self.tick
    }

    /// Returns the seed of all random numbers, below 2⁵³.
    #[inline]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the terrain. Scenarios with equal maps can share one map.
    #[inline]
    pub fn map(&self) -> &Arc<Map> {
        &self.map
    }

    /// Returns the named positions for use in conditions and targets.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the agent kinds, in the order of the file.
    pub fn kinds(&self) -> &[AgentKind] {
        &self.kinds
    }

    /// Returns the kind and the initial state of each agent, indexed by [`AgentId`].
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// Returns the groups of agents, indexed by [`GroupId`].
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Returns the paths that steering behaviours follow, indexed by `SteeringPathId`.
    pub fn paths(&self) -> &[SteeringPath] {
        &self.paths
    }

    /// Returns the rules for the appearance of template instances, in the order in which they are
    /// applied.
    pub fn spawns(&self) -> &[Spawn] {
        &self.spawns
    }

    /// Returns the trace that agents follow, if any.
    pub fn traced(&self) -> Option<&Traced> {
        self.traced.as_ref()
    }

    /// Returns the trace that an agent follows. Returns `None` for an agent that moves by itself.
    #[inline]
    pub(crate) fn trace_of(&self, id: AgentId) -> Option<&Trace> {
        let traced = self.traced.as_ref()?;
        let moves = traced.trace.moves(id) && traced.taken_over(id).is_none();
        moves.then_some(&*traced.trace)
    }

    /// Returns the mode that drives an agent with rows in the trace. Returns `None` if the agent
    /// follows the trace, or has no rows.
    pub(crate) fn taken_over(&self, id: AgentId) -> Option<u16> {
        Some(self.traced.as_ref()?.taken_over(id)?.mode)
    }

    /// Returns true if agents of a kind have a place to reach: in a mode, or in the trace that they
    /// follow.
    pub(crate) fn has_goal(&self, kind: &AgentKind) -> bool {
        let traced = self.traced.as_ref().filter(|traced| traced.trace.has_goals());
        kind.has_goal() || traced.is_some_and(|traced| kind.ids().any(|id| traced.trace.moves(id)))
    }

    /// Returns true if an agent follows a trace.
    #[inline]
    pub fn is_traced(&self, id: AgentId) -> bool {
        self.trace_of(id).is_some()
    }

    /// Returns the last frame of the trace so far. Returns `None` without a trace: the run has no end.
    pub fn end(&self) -> Option<Frame> {
        self.traced.as_ref().map(|traced| traced.trace.end())
    }

    /// Returns true if another program still writes the run that agents follow, so that
    /// [`Scenario::end`] can grow.
    pub fn is_growing(&self) -> bool {
        self.traced.as_ref().is_some_and(|traced| traced.trace.is_growing())
    }

    /// Returns the text of an event of the trace.
    pub(crate) fn traced_text(&self, index: u32) -> &str {
        self.traced.as_ref().map_or("", |traced| traced.trace.text(index))
    }

    /// Returns the properties that runs of the scenario must have. Expectations do not affect a
    /// run.
    pub fn expectations(&self) -> &[Expectation] {
        &self.expectations
    }

    /// Adds a property that runs of the scenario must have. Its conditions must have been read for
    /// this scenario.
    pub fn add_expectation(&mut self, expectation: Expectation) {
        self.expectations.push(expectation);
    }

    /// Returns the source texts from which the scenario can be read again. If the scenario was
    /// built in code, there are no source files.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Returns the length of a frame in seconds, rounded to `f32`, the precision of the simulation.
    pub fn dt(&self) -> f32 {
        self.tick as f32
    }

    /// Returns the seconds from frame 0 to a frame.
    pub fn seconds(&self, frame: Frame) -> f32 {
        let traced = self.traced.as_ref().and_then(|traced| traced.trace.seconds(frame));
        traced.unwrap_or_else(|| frame.seconds(self.tick))
    }

    /// Returns the seconds from a frame to a later one. Times of a trace are rounded to `f32`, so their
    /// difference is rounded to microseconds.
    pub(crate) fn seconds_between(&self, from: Frame, to: Frame) -> f32 {
        let trace = self.traced.as_ref().map(|traced| &traced.trace);
        match trace.and_then(|trace| trace.seconds(to).zip(trace.seconds(from))) {
            Some((to, from)) => {
                let seconds = f64::from(to) - f64::from(from);
                ((seconds * 1e6).round() / 1e6) as f32
            }
            None => Frame(to.0 - from.0).seconds(self.tick),
        }
    }

    /// Returns the kind of an agent. Panics if the scenario has no agent with this id.
    #[inline]
    pub fn kind(&self, id: AgentId) -> &AgentKind {
        &self.kinds[self.starts[id.index()].kind as usize]
    }

    /// Returns the members of a group in agent order, including absent ones. Panics if the scenario
    /// has no such group.
    pub fn members(&self, group: GroupId) -> &[AgentId] {
        &self.group(group).members
    }

    /// Returns a group of the map, or the built-in group of all agents. Panics if the scenario has
    /// no such group.
    pub(crate) fn group(&self, group: GroupId) -> &Group {
        if group == GroupId::EVERYONE { &self.everyone } else { &self.groups[group.0 as usize] }
    }

    /// Returns the scenario with the parts of another scenario that are equal: the map, or at least
    /// its tiles, and the texts of the files. This saves up to four bytes of memory per tile.
    #[must_use]
    pub fn sharing(self: Arc<Self>, other: &Self) -> Arc<Self> {
        let mut scenario = self;
        if !Arc::ptr_eq(&scenario.map, &other.map) && scenario.map == other.map {
            Arc::make_mut(&mut scenario).map = Arc::clone(&other.map);
        } else if scenario.map.could_share_tiles(&other.map) {
            Arc::make_mut(&mut Arc::make_mut(&mut scenario).map).share_tiles(&other.map);
        }
        if scenario.sources.could_share_texts(&other.sources) {
            Arc::make_mut(&mut Arc::make_mut(&mut scenario).sources).share_texts(&other.sources);
        }
        scenario
    }

    /// Calls `part` with the address and the size of each part, in bytes. Scenarios share parts.
    /// The sizes are estimates.
    pub(crate) fn each_part(&self, mut part: impl FnMut(usize, usize)) {
        let members: usize = self.groups.iter().map(|group| group.members.len()).sum();
        let own = size_of::<Self>()
            + size_of_val(&*self.kinds)
            + size_of_val(&*self.starts)
            + members * size_of::<AgentId>();
        part(core::ptr::from_ref(self).addr(), own);
        part(Arc::as_ptr(&self.map).addr(), self.map.bytes());
        let (tiles, bytes) = self.map.tiles_part();
        part(tiles, bytes);
        if let Some(traced) = &self.traced {
            part(Arc::as_ptr(&traced.trace).addr(), traced.trace.bytes());
            traced.trace.each_shared_part(&mut part);
        }
        for file in &self.sources.files {
            part(file.text.as_ptr().addr(), file.text.len());
        }
    }

    /// Returns the name of an agent as a value that implements `Display`. For the agents of a
    /// template, use [`World::name`](crate::world::World::name), because their names depend on the
    /// frame. An unknown agent has the name `?`. For example, events before a reload can contain
    /// agents that the new scenario does not have.
    pub fn name(&self, id: AgentId) -> AgentName<'_> {
        self.numbered(id, 0)
    }

    /// Returns the name of an instance of a template with the given number, such as `missile.7`. If
    /// the number is 0, returns the same as [`Scenario::name`].
    pub fn numbered(&self, id: AgentId, number: u32) -> AgentName<'_> {
        let reserved = self.traced.as_ref().and_then(|traced| traced.trace.reserved_name(id));
        match self.starts.get(id.index()) {
            Some(_) if reserved.is_some() => AgentName { kind: reserved.unwrap_or("?"), number: 0 },
            Some(start) => AgentName {
                kind: &self.kinds[start.kind as usize].name,
                number: start.number.max(number),
            },
            None => AgentName { kind: "?", number: 0 },
        }
    }

    /// Returns true if the agents of a kind have numbers, such as `boid.1`.
    pub fn is_numbered(&self, kind: &AgentKind) -> bool {
        kind.template || self.starts[kind.first.index()].number > 0
    }

    /// Returns the length of a per-kind column for template data. This is the number of kinds, or 0
    /// if no kind is a template.
    pub(crate) fn templates(&self) -> usize {
        if self.kinds.iter().any(|kind| kind.template) { self.kinds.len() } else { 0 }
    }

    /// Returns the index of the template with a name in [`Scenario::kinds`].
    pub(crate) fn template(&self, name: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.template && kind.name == name)
    }

    /// Returns true if all agents of another scenario have the same ids and names.
    pub fn has_agents_of(&self, other: &Self) -> bool {
        fn key(kind: &AgentKind) -> (&str, u32, bool) {
            (&kind.name, kind.count, kind.template)
        }
        self.kinds.iter().map(key).eq(other.kinds.iter().map(key))
    }

    /// Returns the agent of another scenario that corresponds to an agent of this scenario, if any.
    ///
    /// Agents with the same name correspond. Agents of templates correspond if they have the same
    /// index and their templates have the same name.
    pub fn counterpart(&self, id: AgentId, other: &Self) -> Option<AgentId> {
        if id.index() >= self.starts.len() {
            return None;
        }
        let kind = self.kind(id);
        if !kind.template {
            return other.find(&self.name(id).to_string());
        }
        let same = &other.kinds[other.template(&kind.name)?];
        let place = id.0 - kind.first.0;
        (place < same.count).then_some(AgentId(same.first.0 + place))
    }

    /// Returns the instance with a name, such as `missile.3`. The instance need not exist in any
    /// frame. Returns `None` if no template has that name or the number is invalid.
    pub fn find_instance(&self, name: &str) -> Option<Instance> {
        let (stem, digits) = name.rsplit_once('.')?;
        instance(self.template(stem)?, digits)
    }

    /// Returns the name of an instance, such as `missile.3`. An unknown template has the name `?`.
    pub fn instance_name(&self, instance: Instance) -> String {
        let kind = self.kinds.get(instance.kind as usize).map_or("?", |kind| &kind.name);
        format!("{kind}.{}", instance.number)
    }

    /// Returns the name of a target that agents can perceive. An unknown target has the name `?`.
    pub fn sight_name(&self, target: SightTarget) -> String {
        match target {
            SightTarget::Agent(id) => self.name(id).to_string(),
            SightTarget::Group(GroupId::EVERYONE) => EVERYONE.to_owned(),
            SightTarget::Group(group) => {
                let group = self.groups.get(group.0 as usize);
                group.map_or("?", |group| group.name.as_str()).to_owned()
            }
        }
    }

    /// Returns the agent with a name, such as `guard` or `boid.3`, if any. Never returns an
    /// instance of a template, because its id depends on the frame.
    pub fn find(&self, name: &str) -> Option<AgentId> {
        // The names of agents in traces can have any form.
        let literal = |kind: &&AgentKind| kind.name == name && kind.count == 1 && !kind.template;
        if let Some(kind) = self.kinds.iter().find(literal)
            && self.starts[kind.first.index()].number == 0
        {
            return Some(kind.first);
        }
        let reserved = self.traced.as_ref().and_then(|traced| traced.trace.find_reserved(name));
        if reserved.is_some() {
            return reserved;
        }
        let (stem, number) = name.rsplit_once('.')?;
        let number = number.parse::<u32>().ok()?;
        let kind = self.kinds.iter().find(|kind| kind.name == stem && !kind.template)?;
        let numbered = self.starts[kind.first.index()].number > 0;
        let index = if numbered { number.checked_sub(1)? } else { number };
        let id = AgentId(kind.first.0 + index);
        (index < kind.count && self.name(id).to_string() == name).then_some(id)
    }
}

impl Scenario {
    /// Returns the indices of the kinds of an agent or of the members of a group.
    fn kinds_named(&self, of: Named) -> Vec<usize> {
        let mut kinds: Vec<usize> = match of {
            Named::Agent(id) => vec![self.starts[id.index()].kind as usize],
            Named::Instance(instance) => vec![instance.kind as usize],
            Named::Group(group) => {
                self.members(group).iter().map(|id| self.starts[id.index()].kind as usize).collect()
            }
            Named::Place(_) => Vec::new(),
        };
        kinds.dedup();
        kinds
    }
}

impl Scope for Scenario {
    fn find(&self, name: &str) -> Option<Named> {
        if let Some(place) = self.places.iter().find(|place| place.name == name) {
            return Some(Named::Place(place.at));
        }
        if let Some(group) = self.groups.iter().position(|group| group.name == name) {
            return Some(Named::Group(GroupId(group as u32)));
        }
        let found = Scenario::find(self, name).map(Named::Agent);
        found.or_else(|| (name == EVERYONE).then_some(Named::Group(GroupId::EVERYONE)))
    }

    fn member(&self, group: &str, number: &str) -> Option<Named> {
        let name = format!("{group}.{number}");
        let instance = || self.find_instance(&name).map(Named::Instance);
        Scenario::find(self, &name).map(Named::Agent).or_else(instance)
    }

    fn size(&self, group: GroupId) -> usize {
        self.members(group).len()
    }

    fn names(&self) -> Vec<&str> {
        let places = self.places.iter().map(|place| place.name.as_str());
        let groups = self.groups.iter().map(|group| group.name.as_str());
        // Reserved agents have no names.
        let is_single = |kind: &&AgentKind| !self.is_numbered(kind) && !kind.name.is_empty();
        let single = self.kinds.iter().filter(is_single);
        places.chain(groups).chain(single.map(|kind| kind.name.as_str())).collect()
    }

    fn modes(&self, of: Named) -> Option<Vec<&str>> {
        let modes = self.kinds_named(of).into_iter().flat_map(|kind| &self.kinds[kind].modes);
        Some(modes.map(|mode| mode.name.as_str()).collect())
    }

    fn watches(&self, observer: Named, target: SightTarget) -> Option<bool> {
        let mut kinds = self.kinds_named(observer).into_iter();
        Some(kinds.any(|kind| self.kinds[kind].watched.contains(&target)))
    }

    fn map(&self) -> Option<&Map> {
        // The map of the run of another program can be a guess.
        self.traced.is_none().then_some(&*self.map)
    }

    fn columns(&self) -> &[ValueColumn] {
        self.traced.as_ref().map_or(&[], |traced| traced.trace.columns())
    }

    fn name(&self, of: Named) -> String {
        match of {
            Named::Agent(id) => Scenario::name(self, id).to_string(),
            Named::Instance(instance) => self.instance_name(instance),
            Named::Group(group) => self.group(group).name.clone(),
            Named::Place(_) => "a place".to_owned(),
        }
    }
}

/// Returns an instance of the template at index `kind` of [`Scenario::kinds`]. `digits` is the
/// number of the instance as text. Returns `None` for 0, leading zeros or other text.
pub fn instance(kind: usize, digits: &str) -> Option<Instance> {
    let number: u32 = digits.parse().ok()?;
    let named = number > 0 && number.to_string() == digits;
    named.then_some(Instance { kind: kind as u32, number })
}

/// The name of an agent. Formatting the name without a width does not allocate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentName<'a> {
    kind: &'a str,
    number: u32,
}

impl fmt::Display for AgentName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            0 => f.pad(self.kind),
            number if f.width().is_none() => write!(f, "{}.{number}", self.kind),
            number => f.pad(&format!("{}.{number}", self.kind)),
        }
    }
}
