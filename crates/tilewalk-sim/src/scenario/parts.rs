//! The parts of a scenario, before they are checked.
//!
//! The file reader creates scenarios from parts. To create a scenario in code, use the
//! [`Builder`](super::builder::Builder), which also resolves names and conditions.

use std::sync::Arc;

use thiserror::Error;

use crate::agent::AgentKind;
use crate::id::AgentId;
use crate::map::Map;
use crate::steering::SteeringPath;

use super::expectation::Expectation;
use super::sources::Sources;
use super::spawn::Spawn;
use super::{Group, Place, Scenario, Start, Traced};

/// The parts of a [`Scenario`].
#[derive(Debug, Clone)]
pub struct ScenarioParts {
    /// Title of the map, see [`Scenario::title`].
    pub title: String,
    /// Length of a frame, in seconds: 0.001 to 1.
    pub tick: f64,
    /// Seed of all random numbers, below 2⁵³.
    pub seed: u64,
    /// The terrain.
    pub map: Arc<Map>,
    /// Named positions, see [`Scenario::places`].
    pub places: Vec<Place>,
    /// The agent kinds, in the order of the file.
    pub kinds: Vec<AgentKind>,
    /// Kind and initial state of each agent. The agents of a kind are consecutive, in the order of
    /// the kinds.
    pub starts: Vec<Start>,
    /// The groups of agents.
    pub groups: Vec<Group>,
    /// The paths of steering behaviours.
    pub paths: Vec<SteeringPath>,
    /// Rules for the appearance of template instances.
    pub spawns: Vec<Spawn>,
    /// Properties that runs must have.
    pub expectations: Vec<Expectation>,
    /// The source texts of the scenario.
    pub sources: Arc<Sources>,
    /// The trace that agents follow; `None` if all agents move by themselves.
    pub traced: Option<Traced>,
}

/// The reason why parts do not form a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidParts {
    /// The length of a frame is out of range.
    #[error("the length of a frame is out of range")]
    Tick,
    /// The seed is too large.
    #[error("the seed is not below 2^53")]
    Seed,
    /// The starts are not those of the agent kinds, or a kind has no mode.
    #[error("the starts do not match the agent kinds")]
    Starts,
    /// A group has an agent that does not exist, or its members are not in agent order.
    #[error("the members of a group are invalid")]
    Groups,
    /// A spawn rule has an agent kind that does not exist.
    #[error("a spawn rule has an unknown agent kind")]
    Spawns,
    /// A trace has rows for an agent that does not exist, or with a mode that does not exist.
    #[error("the trace does not match the agents")]
    Trace,
}

impl ScenarioParts {
    /// Checks that the ranges and indices of the parts are valid, and creates the scenario. Names,
    /// positions and conditions are not checked again.
    ///
    /// # Errors
    /// Returns the first invalid part.
    pub fn build(self) -> Result<Scenario, InvalidParts> {
        self.check()?;
        let Self { title, tick, seed, map, places, kinds, .. } = self;
        let Self { starts, groups, paths, spawns, expectations, sources, traced, .. } = self;
        let everyone = Group::everyone(starts.len());
        Ok(Scenario {
            title,
            tick,
            seed,
            map,
            places,
            kinds,
            starts,
            groups,
            everyone,
            paths,
            spawns,
            expectations,
            sources,
            traced,
        })
    }

    fn check(&self) -> Result<(), InvalidParts> {
        let valid = |is_valid: bool, error| if is_valid { Ok(()) } else { Err(error) };
        valid((0.001..=1.0).contains(&self.tick), InvalidParts::Tick)?;
        valid(self.seed < 1 << 53, InvalidParts::Seed)?;
        let mut next = 0;
        for (index, kind) in self.kinds.iter().enumerate() {
            let first = kind.first.index();
            let starts = self.starts.get(first..first + kind.count as usize);
            let is_same = |start: &Start| start.kind as usize == index;
            let is_complete = starts.is_some_and(|starts| starts.iter().all(is_same));
            valid(first == next && is_complete && !kind.modes.is_empty(), InvalidParts::Starts)?;
            next += kind.count as usize;
        }
        valid(next == self.starts.len(), InvalidParts::Starts)?;
        for group in &self.groups {
            let is_known = group.members.last().is_none_or(|id| id.index() < self.starts.len());
            valid(is_known && group.members.is_sorted(), InvalidParts::Groups)?;
        }
        let is_known = |spawn: &Spawn| (spawn.kind as usize) < self.kinds.len();
        valid(self.spawns.iter().all(is_known), InvalidParts::Spawns)?;
        let Some(traced) = &self.traced else { return Ok(()) };
        let modes = |id: AgentId| {
            let start = self.starts.get(id.index())?;
            Some(self.kinds[start.kind as usize].modes.len())
        };
        let has_mode = |id, mode: u16| modes(id).is_some_and(|count| usize::from(mode) < count);
        let fits = traced.trace.has_valid_modes(modes)
            && traced.taken_over.iter().all(|taken| has_mode(taken.agent, taken.mode));
        valid(fits, InvalidParts::Trace)
    }
}

impl Scenario {
    /// Returns the parts of the scenario, for example to change them and build another scenario.
    pub fn into_parts(self) -> ScenarioParts {
        let Self { title, tick, seed, map, places, kinds, .. } = self;
        let Self { starts, groups, paths, spawns, expectations, sources, traced, .. } = self;
        ScenarioParts {
            title,
            tick,
            seed,
            map,
            places,
            kinds,
            starts,
            groups,
            paths,
            spawns,
            expectations,
            sources,
            traced,
        }
    }
}
