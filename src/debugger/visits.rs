//! The heat map: how often agents entered each tile, from frame 0 to the current frame.
//!
//! The counts always belong to one frame. New frames are counted as they are simulated. After a
//! seek forwards, the skipped frames are replayed and counted. After a seek backwards, the skipped
//! frames are replayed and subtracted, unless a new count is shorter.
//!
//! A new count replays the run from frame 0. It is also needed after a switch to another run or to
//! other agents. All replays run in time slices. The heat map is drawn only when the counts match
//! the current frame. While the heat map is off, nothing is counted.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewalk_sim::sort::SmallCollect;

use crate::command::Command;
use crate::geom::TilePos;
use crate::grid::Grid;
use crate::history::run::RunId;
use crate::history::{History, ReplayRange};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

/// The agents whose visits are counted, by name. Names stay valid when the map changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountedAgents {
    /// A single agent, by its name.
    Agent(String),
    /// All members of a group, by the name of the group.
    Group(String),
    /// All agents of the map.
    All,
}

impl CountedAgents {
    /// Returns the ids of the counted agents, in agent order. Empty if the scenario has no agent or
    /// group of this name.
    fn members(&self, scenario: &Scenario) -> Vec<AgentId> {
        match self {
            Self::Agent(name) => scenario.find(name).into_iter().collect(),
            Self::Group(name) => {
                let group = scenario.groups().iter().find(|group| group.name == *name);
                group.map_or_else(Vec::new, |group| group.members.clone())
            }
            Self::All => (0..scenario.starts().len() as u32).map(AgentId).collect(),
        }
    }

    /// Returns the name of the agent or group, or `all`.
    pub fn name(&self) -> &str {
        match self {
            Self::Agent(name) | Self::Group(name) => name,
            Self::All => "all",
        }
    }
}

/// Visit counts, and the replay that brings them to the current frame.
#[derive(Debug, Clone)]
pub struct Visits {
    counted: CountedAgents,
    /// The counted run, and the value of [`History::turns`] at the start of the count.
    of: (RunId, u64),
    tally: Tally,
    /// The subtraction in progress, after a seek backwards.
    back: Option<Subtraction>,
    /// The current or last replay. Kept between replays to reuse its memory.
    replay: Option<ReplayRange>,
    /// Whether the replay is still running.
    under_way: bool,
}

/// The visit counts of all tiles up to one frame.
#[derive(Debug, Clone)]
pub struct Tally {
    counts: Grid<u32>,
    /// Tiles with a count above zero, in the order of their first visit.
    visited: Vec<TilePos>,
    /// The last counted frame. `None` if no frame is counted.
    until: Option<Frame>,
    /// The counted agents, with their tiles in frame `until`. `None` for absent agents.
    places: Vec<(AgentId, Option<TilePos>)>,
    /// The scenario of frame `until`.
    scenario: Arc<Scenario>,
}

/// A subtraction in progress, which removes all visits after frame `to`.
#[derive(Debug, Clone)]
struct Subtraction {
    to: Frame,
    /// The counted agents, with their tiles in frame `to`. `None` for absent agents.
    target: Vec<(AgentId, Option<TilePos>)>,
    /// The counted agents, with their tiles in the last replayed frame. `None` for absent agents.
    last: Vec<(AgentId, Option<TilePos>)>,
    scenario: Arc<Scenario>,
    /// Whether the scenario changes after frame `to`. The count must then restart from frame 0.
    invalid: bool,
}

impl Tally {
    fn new(scenario: &Arc<Scenario>) -> Self {
        let map = scenario.map();
        Self {
            counts: Grid::filled(map.width(), map.height(), 0),
            visited: Vec::new(),
            until: None,
            places: Vec::new(),
            scenario: Arc::clone(scenario),
        }
    }

    /// Returns how often agents entered a tile. Returns 0 for a tile outside the map.
    pub fn count(&self, tile: TilePos) -> u32 {
        self.counts.get(tile).copied().unwrap_or(0)
    }

    /// Returns all tiles with at least one visit, in the order of their first visit.
    pub fn visited(&self) -> &[TilePos] {
        &self.visited
    }

    /// Returns the highest visit count of any tile, or 0 without visits.
    pub fn most(&self) -> u32 {
        self.visited.iter().map(|&tile| self.count(tile)).max().unwrap_or(0)
    }

    fn add(&mut self, tile: Option<TilePos>) {
        let Some(tile) = tile else { return };
        if let Some(count) = self.counts.get_mut(tile) {
            if *count == 0 {
                self.visited.push(tile);
            }
            *count = count.saturating_add(1);
        }
    }

    /// Counts a frame if it directly follows the last counted frame.
    fn note(&mut self, world: &World, counted: &CountedAgents) {
        let frame = world.frame();
        if frame != self.until.map_or(Frame(0), Frame::next) {
            return;
        }
        if self.until.is_none() || !Arc::ptr_eq(&self.scenario, world.scenario()) {
            self.adopt(world, counted);
        } else {
            for index in 0..self.places.len() {
                let (id, before) = self.places[index];
                let tile = tile_of(world, id);
                if tile != before {
                    self.add(tile);
                    self.places[index].1 = tile;
                }
            }
        }
        self.until = Some(frame);
    }

    /// Counts the first frame of a new scenario. Agents are matched by name with those of the
    /// previous scenario. An agent counts as a new visit unless it is still on the same tile. If
    /// the map size changes, the count restarts.
    fn adopt(&mut self, world: &World, counted: &CountedAgents) {
        let scenario = world.scenario();
        let size = |scenario: &Scenario| (scenario.map().width(), scenario.map().height());
        let mut before = core::mem::take(&mut self.places);
        if size(scenario) != size(&self.scenario) {
            *self = Self::new(scenario);
            before.clear();
        }
        let named = |&(id, tile): &(AgentId, _)| (self.scenario.name(id).to_string(), tile);
        let old: BTreeMap<String, Option<TilePos>> = before.iter().map(named).small_collect();
        for id in counted.members(scenario) {
            let tile = tile_of(world, id);
            if old.get(&scenario.name(id).to_string()) != Some(&tile) {
                self.add(tile);
            }
            self.places.push((id, tile));
        }
        self.scenario = Arc::clone(scenario);
    }

    /// Subtracts the visits counted in the frame of `world`.
    fn subtract(&mut self, back: &mut Subtraction, world: &World) {
        for (id, before) in &mut back.last {
            let tile = tile_of(world, *id);
            if tile != *before
                && let Some(count) = tile.and_then(|tile| self.counts.get_mut(tile))
            {
                *count = count.saturating_sub(1);
            }
            *before = tile;
        }
    }
}

/// Returns the tile of an agent. Returns `None` if the agent is not in the world.
fn tile_of(world: &World, id: AgentId) -> Option<TilePos> {
    world.is_present(id).then(|| world.tile(id))
}

impl Visits {
    /// Creates a heat map without counts for the current run.
    pub fn new(counted: CountedAgents, history: &History) -> Self {
        Self {
            counted,
            of: (history.present(), history.turns()),
            tally: Tally::new(history.run().start()),
            back: None,
            replay: None,
            under_way: false,
        }
    }

    /// Returns the agents whose visits are counted.
    pub fn counted(&self) -> &CountedAgents {
        &self.counted
    }

    /// Returns the visit counts up to a frame. Returns `None` if the counts belong to another
    /// frame, or if a subtraction is in progress.
    pub fn at(&self, frame: Frame) -> Option<&Tally> {
        Some(&self.tally).filter(|tally| self.back.is_none() && tally.until == Some(frame))
    }

    /// Returns the progress of the count up to `frame`, in percent of the frames. Returns 0 while
    /// visits are subtracted.
    pub fn percent(&self, frame: Frame) -> u64 {
        let until = self.tally.until.map_or(0, |until| until.0);
        if self.back.is_some() { 0 } else { until.min(frame.0) * 100 / frame.0.max(1) }
    }

    /// Counts a newly simulated frame, if it directly follows the last counted frame.
    pub fn note(&mut self, world: &World) {
        if self.back.is_none() {
            self.tally.note(world, &self.counted);
        }
    }

    /// Counts visits up to the current frame until `in_time` returns false. Returns true if the
    /// counts match the current frame.
    pub fn recall(&mut self, history: &History, mut in_time: impl FnMut() -> bool) -> bool {
        let of = (history.present(), history.turns());
        if self.of != of {
            *self = Self::new(self.counted.clone(), history);
        }
        let frame = history.frame();
        while self.back.is_some() || self.tally.until != Some(frame) {
            if !self.under_way {
                self.start_replay(frame, history);
            }
            if !in_time() {
                return false;
            }
            let Some(mut replay) = self.replay.take() else { return true };
            let last = replay.last();
            let seen = |world: &World, _: &[Command]| self.see(world);
            self.under_way = !replay.resume(history.run(), seen, &mut in_time);
            self.replay = Some(replay);
            if !self.under_way {
                self.finish_replay(last);
            }
        }
        true
    }

    /// Starts the shortest replay that brings the counts to `frame`.
    fn start_replay(&mut self, frame: Frame, history: &History) {
        let (first, last) = match self.tally.until {
            Some(until) if until > frame && until.0 - frame.0 <= frame.0 => {
                self.back = Some(Subtraction {
                    to: frame,
                    target: Vec::new(),
                    last: Vec::new(),
                    scenario: Arc::clone(&self.tally.scenario),
                    invalid: false,
                });
                (frame, until)
            }
            Some(until) if until <= frame => (until, frame),
            _ => {
                self.tally = Tally::new(history.run().start());
                (Frame(0), frame)
            }
        };
        let run = history.run();
        let reused = self.replay.take();
        self.replay = Some(ReplayRange::between(first, last, run, reused));
        self.under_way = true;
    }

    fn see(&mut self, world: &World) {
        let Some(back) = &mut self.back else { return self.tally.note(world, &self.counted) };
        if world.frame() < back.to {
            return;
        }
        // Agent ids differ between scenarios.
        back.invalid |= !Arc::ptr_eq(&back.scenario, world.scenario());
        if back.invalid {
            return;
        }
        if world.frame() == back.to {
            let ids = self.tally.places.iter().map(|&(id, _)| id);
            back.target = ids.map(|id| (id, tile_of(world, id))).collect();
            back.last.clone_from(&back.target);
        } else {
            self.tally.subtract(back, world);
        }
    }

    /// Updates the counts after the replay has reached its last frame.
    fn finish_replay(&mut self, last: Frame) {
        match self.back.take() {
            Some(back) if back.invalid => self.tally = Tally::new(&back.scenario),
            Some(back) => {
                self.tally.places = back.target;
                self.tally.until = Some(back.to);
                let counts = &self.tally.counts;
                let counted = |tile: &TilePos| counts.get(*tile).is_some_and(|&count| count > 0);
                self.tally.visited.retain(counted);
            }
            // The replay ended before its last frame, so count again from frame 0.
            None if self.tally.until.is_none_or(|until| until < last) => self.tally.until = None,
            None => {}
        }
    }
}
