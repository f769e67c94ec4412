//! The comparison of two runs, and of two agents: the selected agent and a pinned one.
//!
//! A session compares with at most one other run (see [`OtherSide`]). This is the run before an
//! edit or a change in the past, or a run of another map or recording. A new comparison replaces
//! the previous one. The history stores the other run and keeps it at the current frame. The agents
//! of the other run are drawn as ghosts.

use std::sync::Arc;

use crate::debugger::opened::Opened;
use crate::debugger::outcomes::Outcomes;
use crate::debugger::recent::Recent;
use crate::debugger::trail::Trail;
use crate::files::read::tuning;
use crate::files::settings::Setting;
use crate::files::{self, Options, Origin};
use crate::history::diff::Comparison as Differences;
use crate::history::{DEFAULT_BUDGET, History, OtherSide};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::Session;
use super::focus::Inspected;

/// The recent frames of the compared run, and the pinned agent.
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    /// The last seconds of the compared run. Unused if that run comes from another map or
    /// recording.
    pub recent: Recent,
    /// The outcomes of the current run and of the compared run from outside, up to the last frame
    /// of the search for the first difference.
    pub outcomes: Outcomes,
    pub pinned: Option<Inspected>,
}

/// The change that makes a comparison run of the same map.
#[derive(Debug, Clone, PartialEq)]
pub enum RunChange {
    /// Another random seed.
    Seed(u64),
    /// Another value, such as an older one.
    Value(Setting),
}

impl Session {
    /// Compares the current run with another map or recording, and starts the search for the first
    /// difference. `label` is the name shown to the user.
    pub fn compare_with(&mut self, label: String, opened: Opened) {
        let Opened { scenario, recorded, .. } = opened;
        let other = recorded.map_or_else(|| History::new(scenario, DEFAULT_BUDGET), |it| *it);
        self.start_comparison(label, other);
    }

    /// Compares the current run with a run of the same files and values, but with another seed or
    /// with one other value.
    ///
    /// # Errors
    /// Returns a message for the user if the map can't be read with this seed or value.
    pub fn compare_with_change(&mut self, change: &RunChange) -> Result<(), String> {
        let scenario = self.changed_scenario(change)?;
        let label = match change {
            RunChange::Seed(seed) => format!("seed {seed}"),
            RunChange::Value(setting) => setting.to_string(),
        };
        self.start_comparison(label, History::new(scenario, DEFAULT_BUDGET));
        Ok(())
    }

    fn start_comparison(&mut self, label: String, other: History) {
        self.comparison.outcomes = Outcomes::default();
        self.history.compare_with(label, other);
    }

    /// Reads the files of the current frame with another seed or one other value.
    fn changed_scenario(&self, change: &RunChange) -> Result<Arc<Scenario>, String> {
        match change {
            RunChange::Seed(seed) => {
                let sources = self.sources();
                let (set, run) = (sources.set.clone(), sources.run.clone());
                let options = Options { seed: Some(*seed), set, run };
                let loaded = files::load(&Origin::Kept(Arc::clone(sources)), &options);
                let loaded = loaded.map_err(|error| error.to_string())?;
                let report = loaded.report;
                loaded.scenario.ok_or_else(|| report.plain().trim().to_owned())
            }
            RunChange::Value(setting) => {
                tuning::change(self.sources(), setting).map(|change| change.scenario)
            }
        }
    }

    /// Starts a new run at frame 0 with another seed. The old run becomes the ghost.
    ///
    /// # Errors
    /// Returns a message for the user if the map can't be read with this seed.
    pub fn restart_with_seed(&mut self, seed: u64) -> Result<(), String> {
        self.finish_edit();
        let scenario = self.changed_scenario(&RunChange::Seed(seed))?;
        self.restart_from(scenario);
        Ok(())
    }

    /// Returns the table with the outcomes of both runs, up to the last frame of the search for the
    /// first difference.
    pub fn outcome_lines(&self) -> Vec<String> {
        let label = match self.history.other_side() {
            Some(OtherSide::Outside { label, .. }) => label,
            Some(OtherSide::Run { .. }) | None => "comparison run",
        };
        self.comparison.outcomes.lines(["this run", label])
    }

    /// Ends the comparison, and hides the ghosts. A compared run of this map stays available.
    pub fn end_comparison(&mut self) {
        self.history.end_comparison();
    }

    /// Returns the frame that the search for the first difference has reached. Returns `None` if no
    /// search is in progress.
    pub fn searched_difference(&self) -> Option<Frame> {
        match self.history.other_side()? {
            OtherSide::Run { .. } => None,
            OtherSide::Outside { searched, .. } => searched,
        }
    }

    /// Continues the search for the first difference until `in_time` returns false. Returns the
    /// result once, in the call that completes the search. Returns `None` in all other calls.
    pub fn search_difference(&mut self, in_time: impl FnMut() -> bool) -> Option<Differences> {
        let outcomes = &mut self.comparison.outcomes;
        self.history.search_difference(in_time, |worlds| outcomes.observe(worlds))
    }

    /// Ends the search for the first difference early. The comparison continues. Returns the
    /// differences found so far. Returns `None` without a search.
    pub fn stop_difference_search(&mut self) -> Option<Differences> {
        self.history.stop_difference_search()
    }

    /// Returns the frame of the first difference that the search has found so far.
    pub fn found_difference(&self) -> Option<Frame> {
        self.history.found_difference()
    }

    /// Advances the compared run towards the current frame, up to the limit of
    /// [`Session::at_once`].
    pub fn settle(&mut self) {
        let in_time = self.at_once();
        self.history.settle(in_time);
    }

    /// Returns the world of the compared run at the current frame. Also returns the agent in that
    /// world with the same name as agent `id`. Returns `None` if nothing is compared, or if
    /// [`History::comparison_world`] is `None`.
    pub fn counterpart(&self, id: AgentId) -> Option<(&World, Option<AgentId>)> {
        let other = self.history.comparison_world()?;
        Some((other, self.world().same_agent(id, other)))
    }

    /// Returns the trail of the compared run over the last seconds, by the ids of the current frame.
    /// Returns `None` unless the compared run belongs to this map.
    pub fn ghost_trail(&self) -> Option<&Trail> {
        self.history.comparison().map(|_| self.comparison.recent.trail())
    }

    /// Returns the pinned agent. Returns `None` if no agent is pinned, or while it is not in the
    /// world.
    pub fn pinned(&self) -> Option<AgentId> {
        let pinned = self.comparison.pinned.as_ref();
        pinned.filter(|pinned| pinned.is_in(self.world())).map(|pinned| pinned.id)
    }

    /// Returns the selected and the pinned agent. Returns `None` if one is missing, if both are the
    /// same, or if a tile is selected.
    pub fn compared(&self) -> Option<(AgentId, AgentId)> {
        let pair = self.selected().zip(self.pinned());
        pair.filter(|(selected, pinned)| self.focus.tile.is_none() && selected != pinned)
    }

    /// Pins an agent, to compare it with the selected agent. `None` removes the pin.
    pub fn pin(&mut self, agent: Option<AgentId>) {
        self.comparison.pinned = agent.map(|id| Inspected::on(id, self.history.world()));
        self.refresh();
    }
}
