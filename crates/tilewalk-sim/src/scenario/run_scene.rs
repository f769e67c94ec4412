//! Lets the agents of a scenario follow a run.
//!
//! An agent of the map with the same name follows the rows of that name. Other names get an agent
//! of their own, with the body, glyph and modes of an agent of the same group, if the map has one.
//! The other agents of the map are left out, unless [`FollowedRun::with`] names them.

use std::sync::Arc;

use crate::agent::{AgentKind, DEFAULT_PACE, Drive, Mode};
use crate::body::Body;
use crate::geom::Vec2;
use crate::hidden::escaped;
use crate::id::{AgentId, GroupId};
use crate::time::Frame;
use crate::trace::live::LiveAgents;
use crate::trace::{Segment, Trace, TraceEvent, TraceParts};

use super::builder::is_name;
use super::parts::ScenarioParts;
use super::run::{FollowedRun, RunRow, RunTable};
use super::{Group, Scenario, Start, TakenOver, Traced};

impl FollowedRun {
    /// Lets the agents of a scenario follow the run.
    ///
    /// # Errors
    /// Returns a description of the problem if the run does not fit the scenario.
    pub fn apply(&self, parts: ScenarioParts) -> Result<ScenarioParts, String> {
        let scenario = parts.build().map_err(|error| error.to_string())?;
        let mut scene = Scene::new(self, scenario)?;
        scene.place_agents()?;
        scene.place_instances()?;
        scene.reserve_agents()?;
        scene.add_events();
        scene.finish()
    }

    /// Returns the group of an agent of a run that the map does not have. Without a group in the
    /// file, an agent such as `orc.3` belongs to the group `orc`.
    pub fn group_of(name: &str, group: Option<&str>) -> Option<String> {
        let stem = || {
            let (stem, number) = name.rsplit_once('.')?;
            (number.parse::<u32>().is_ok() && is_name(stem)).then_some(stem)
        };
        group.or_else(stem).map(ToOwned::to_owned)
    }
}

/// A scenario whose agents are assigned to the agents of a run.
struct Scene<'a> {
    followed: &'a FollowedRun,
    table: &'a RunTable,
    scenario: Scenario,
    parts: ScenarioParts,
    trace: TraceParts,
    /// The agent of the scenario for each agent of the run.
    ids: Vec<Option<AgentId>>,
    /// For each kind, the index of each mode of the run, if the kind has it.
    modes: Vec<Vec<Option<u16>>>,
}

impl<'a> Scene<'a> {
    fn new(followed: &'a FollowedRun, scenario: Scenario) -> Result<Self, String> {
        let table = &*followed.table;
        let mut parts = scenario.clone().into_parts();
        // The expectations of a map are about its own agents.
        parts.expectations.clear();
        if let Some(tick) = table.tick {
            if !(0.001..=1.0).contains(&tick) {
                return Err(format!(
                    "a frame lasts {tick} s, and must last 0.001 to 1 s: give the frames per second \
                     with --fps"
                ));
            }
            parts.tick = tick;
        }
        let with = &followed.with;
        let known = |name: &String| {
            let is_kind = scenario.kinds().iter().any(|kind| kind.name == *name);
            is_kind || scenario.find(name).is_some()
        };
        if let Some(name) = with.iter().find(|name| !known(name)) {
            return Err(format!("the map has no agent `{}`", escaped(name)));
        }
        for (index, start) in parts.starts.iter_mut().enumerate() {
            let name = scenario.name(AgentId(index as u32)).to_string();
            let kind = &parts.kinds[start.kind as usize].name;
            start.absent |= !with.iter().any(|with| *with == name || with == kind);
        }
        let kept = |kind: u32| with.contains(&parts.kinds[kind as usize].name);
        parts.spawns.retain(|spawn| kept(spawn.kind));
        let trace = TraceParts {
            table: Arc::clone(&followed.table),
            segments: vec![Vec::new(); parts.starts.len()],
            places: places(table, &scenario),
            ..TraceParts::default()
        };
        let modes = vec![Vec::new(); parts.kinds.len()];
        let ids = vec![None; table.agents.len()];
        Ok(Self { followed, table, scenario, parts, trace, ids, modes })
    }

    /// Assigns the agents of the map, and adds agents for the other names.
    fn place_agents(&mut self) -> Result<(), String> {
        let mut added: Vec<usize> = Vec::new();
        for agent in 0..self.table.agents.len() {
            let name = &self.table.agents[agent];
            if let Some(id) = self.scenario.find(name) {
                self.follow(agent, id, 0)?;
            } else if self.scenario.find_instance(name).is_none() {
                added.push(agent);
            }
        }
        for agent in added {
            let id = self.add_agent(agent);
            self.follow(agent, id, 0)?;
        }
        Ok(())
    }

    /// Adds an agent that the map does not have.
    fn add_agent(&mut self, agent: usize) -> AgentId {
        let name = self.table.agents[agent].clone();
        let group = FollowedRun::group_of(&name, self.table.groups[agent].as_deref());
        let id = self.add_kind(&name, group, 1);
        self.parts.starts[id.index()].position =
            self.first_row(agent).map_or(Vec2::ZERO, |row| row.position);
        id
    }

    /// Adds a kind of `count` agents that the map does not have. Returns the first of them.
    fn add_kind(&mut self, name: &str, group_name: Option<String>, count: u32) -> AgentId {
        let model = group_name.as_ref().and_then(|group| {
            let of_group = |kind: &&AgentKind| {
                kind.name == *group
                    || kind.group.is_some_and(|id| self.parts.groups[id.0 as usize].name == *group)
            };
            self.scenario.kinds().iter().find(of_group).cloned()
        });
        let id = AgentId(self.parts.starts.len() as u32);
        let group = group_name.map(|group| self.join(&group, id, count));
        let initial = name.chars().find(char::is_ascii_alphanumeric).unwrap_or('?');
        let own = AgentKind {
            name: String::new(),
            glyph: initial.to_ascii_uppercase().to_string(),
            color: None,
            group: None,
            body: Body::default(),
            modes: Vec::new(),
            watched: Vec::new(),
            every: 1,
            first: id,
            count,
            template: false,
            remove: None,
        };
        let name = name.to_owned();
        let kind =
            AgentKind { name, group, first: id, count, template: false, ..model.unwrap_or(own) };
        let start = Start {
            kind: self.parts.kinds.len() as u32,
            number: 0,
            position: Vec2::ZERO,
            heading: Vec2::X,
            absent: true,
        };
        self.parts.starts.extend((0..count).map(|_| start));
        self.parts.kinds.push(kind);
        self.modes.push(Vec::new());
        self.trace.segments.extend((0..count).map(|_| Vec::new()));
        id
    }

    fn first_row(&self, agent: usize) -> Option<&RunRow> {
        self.table.rows_of(agent).first()
    }

    /// Adds `count` agents to a group.
    fn join(&mut self, name: &str, first: AgentId, count: u32) -> GroupId {
        let groups = &mut self.parts.groups;
        let index = groups.iter().position(|group| group.name == name).unwrap_or_else(|| {
            groups.push(Group { name: name.to_owned(), members: Vec::new() });
            groups.len() - 1
        });
        groups[index].members.extend((first.0..first.0 + count).map(AgentId));
        GroupId(index as u32)
    }

    /// Assigns the rows of an agent of the run to an agent of the scenario.
    fn follow(&mut self, agent: usize, id: AgentId, number: u32) -> Result<(), String> {
        self.ids[agent] = Some(id);
        let mut seen = u16::MAX;
        for (index, row) in (self.table.first_row(agent)..).zip(self.table.rows_of(agent)) {
            if row.mode != seen {
                self.mode(id, row.mode)?;
                seen = row.mode;
            }
            let segments = &mut self.trace.segments[id.index()];
            let starts = index == self.table.first_row(agent);
            match segments.last_mut().filter(|_| !starts) {
                Some(last) if last.first + last.count == row.frame => last.count += 1,
                _ => segments.push(Segment { first: row.frame, count: 1, row: index, number }),
            }
        }
        // Later frames of a growing run can have any mode.
        let modes = if self.followed.live.is_some() { self.table.modes.len().max(1) } else { 0 };
        for mode in 0..modes as u16 {
            self.mode(id, mode)?;
        }
        Ok(())
    }

    /// Adds agents without a name, which agents of later frames occupy.
    fn reserve_agents(&mut self) -> Result<(), String> {
        let Some(live) = &self.followed.live else { return Ok(()) };
        let reserved = AgentId(self.parts.starts.len() as u32);
        for pool in live.pools() {
            let of_pool = |&agent: &usize| {
                let group = self.table.groups[agent].as_deref();
                FollowedRun::group_of(&self.table.agents[agent], group) == pool.group
            };
            let like = (0..self.table.agents.len()).rev().find(of_pool);
            let glyph = like.map_or("?", |agent| self.table.agents[agent].as_str());
            let first = self.add_kind(glyph, pool.group.clone(), pool.count);
            let kind = self.parts.kinds.len() - 1;
            self.parts.kinds[kind].name = String::new();
            if pool.count == 0 {
                continue;
            }
            for mode in 0..self.table.modes.len().max(1) as u16 {
                self.mode(first, mode)?;
            }
        }
        self.trace.live = Some(LiveAgents::new(Arc::clone(live), self.ids.clone(), reserved));
        Ok(())
    }

    /// Returns the index of a mode of the run in the kind of an agent. Adds a mode in which the
    /// agent stands if the kind has no mode with this name.
    fn mode(&mut self, id: AgentId, mode: u16) -> Result<u16, String> {
        let kind = self.parts.starts[id.index()].kind as usize;
        let known = &mut self.modes[kind];
        known.resize(self.table.modes.len().max(1), None);
        if let Some(index) = known[usize::from(mode)] {
            return Ok(index);
        }
        let modes = &mut self.parts.kinds[kind].modes;
        let name = self.table.modes.get(usize::from(mode)).map_or("trace", String::as_str);
        let found = modes.iter().position(|known| known.name == name);
        let unnamed = self.table.modes.is_empty() && !modes.is_empty();
        let index = found.or(unnamed.then_some(0)).unwrap_or_else(|| {
            modes.push(Mode::new(name.to_owned(), DEFAULT_PACE, Drive::Stand));
            modes.len() - 1
        });
        let index =
            u16::try_from(index).map_err(|_| "an agent has more than 65536 modes".to_owned())?;
        known[usize::from(mode)] = Some(index);
        Ok(index)
    }

    /// Assigns the instances of templates to the ids of the template, in order of appearance.
    fn place_instances(&mut self) -> Result<(), String> {
        let mut instances = Vec::new();
        for (agent, name) in self.table.agents.iter().enumerate() {
            let Some(instance) = self.scenario.find_instance(name) else { continue };
            if self.ids[agent].is_none() {
                let first = self.first_row(agent).map_or(0, |row| row.frame);
                instances.push((first, instance.number, instance.kind, agent));
            }
        }
        instances.sort_unstable();
        for (first, number, kind, agent) in instances {
            let template = self.scenario.kinds()[kind as usize].clone();
            let is_free = |id: &AgentId| {
                let last = self.trace.segments[id.index()].last();
                last.is_none_or(|last| last.first + last.count <= first)
            };
            let Some(id) = template.ids().find(is_free) else {
                return Err(format!(
                    "`{}` would be instance {} of `{}` at the same time: raise `max` in the map",
                    escaped(&self.table.agents[agent]),
                    template.count + 1,
                    template.name
                ));
            };
            self.follow(agent, id, number)?;
        }
        Ok(())
    }

    fn add_events(&mut self) {
        let events = self.table.events.iter().filter_map(|&(frame, agent, text)| {
            Some(TraceEvent { frame, agent: self.ids[agent as usize]?, text })
        });
        self.trace.events = events.collect();
        self.trace.events.sort_unstable();
    }

    fn finish(mut self) -> Result<ScenarioParts, String> {
        let known = core::mem::take(&mut self.modes);
        let lists = known.into_iter().map(|modes| -> Arc<[u16]> {
            modes.into_iter().map(Option::unwrap_or_default).collect()
        });
        let lists: Vec<_> = lists.collect();
        let starts = self.parts.starts.iter();
        self.trace.modes = starts.map(|start| Arc::clone(&lists[start.kind as usize])).collect();
        let mut taken_over = Vec::new();
        for (agent, mode) in &self.followed.taken_over {
            taken_over.push(self.take_over(agent, mode)?);
        }
        taken_over.sort_by_key(|taken: &TakenOver| taken.agent);
        let trace = Trace::new(self.trace).map_err(|error| error.to_string())?;
        for (index, start) in self.parts.starts.iter_mut().enumerate() {
            let id = AgentId(index as u32);
            if !trace.moves(id) {
                continue;
            }
            match trace.row(id, Frame(0)) {
                Some(row) => {
                    (start.position, start.heading, start.absent) =
                        (row.position, row.heading, false);
                }
                None => start.absent = true,
            }
        }
        for kind in &mut self.parts.kinds {
            if kind.modes.is_empty() {
                kind.modes.push(Mode::new("trace".to_owned(), DEFAULT_PACE, Drive::Stand));
            }
        }
        self.parts.traced = Some(Traced { trace: Arc::new(trace), taken_over });
        Ok(self.parts)
    }

    /// Finds an agent and its mode.
    fn take_over(&self, agent: &str, mode: &str) -> Result<TakenOver, String> {
        let of_run = self.table.agents.iter().position(|name| name == agent);
        let of_run = of_run.and_then(|index| self.ids[index]);
        let kind = |id: AgentId| &self.parts.kinds[self.parts.starts[id.index()].kind as usize];
        let id = of_run.filter(|&id| !kind(id).template).or_else(|| self.scenario.find(agent));
        let id = id.ok_or_else(|| format!("unknown agent `{}`", escaped(agent)))?;
        let modes = &kind(id).modes;
        let index = modes.iter().position(|known| known.name == mode).ok_or_else(|| {
            let known: Vec<_> = modes.iter().map(|mode| mode.name.as_str()).collect();
            format!(
                "{} has no mode \"{}\"; its modes: {}",
                escaped(agent),
                escaped(mode),
                known.join(", ")
            )
        })?;
        Ok(TakenOver { agent: id, mode: index as u16 })
    }
}

/// Returns the place of the map that each text of a run names. Empty if the run has no names of
/// places.
fn places(table: &RunTable, scenario: &Scenario) -> Vec<Option<Vec2>> {
    if !table.columns.iter().any(|column| ["goal", "wants"].contains(&column.name.as_str())) {
        return Vec::new();
    }
    let named = |text: &String| scenario.places().iter().find(|place| place.name == *text);
    table.texts.iter().map(|text| named(text).map(|place| place.at)).collect()
}
