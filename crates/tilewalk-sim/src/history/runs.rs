//! The runs of a history, by id, and the limit on their memory.
//!
//! Old runs can be dropped to free memory. An id always refers to the same run, and the runs that
//! branched off from a dropped run stay connected with each other.
//!
//! The budget of a history covers the stored frames of all runs, and everything that only old runs
//! need: their maps, the texts of their files, their commands and events. If this exceeds the
//! budget, the oldest runs are dropped. Never dropped are the current run, the run that is compared
//! with it, and the runs of an opened recording.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use crate::history::History;
use crate::history::run::{Branch, Run, RunId};
use crate::scenario::Scenario;
use crate::time::Frame;

/// The runs of a history that were not dropped.
#[derive(Debug, Clone, Default)]
pub struct Runs {
    kept: BTreeMap<RunId, Run>,
    /// Number of runs that were ever added, which is the id of the next run.
    created: u32,
}

impl Runs {
    /// Creates the runs of a recording. Their ids are their indices in the recording.
    pub(super) fn of(runs: impl IntoIterator<Item = Run>) -> Self {
        let mut all = Self::default();
        for run in runs {
            all.add(run);
        }
        all
    }

    /// Adds a run, and returns its id.
    pub(super) fn add(&mut self, run: Run) -> RunId {
        let id = RunId(self.created);
        self.created += 1;
        self.kept.insert(id, run);
        id
    }

    /// Returns the number of runs that were ever created. Ids are below this number.
    pub fn created(&self) -> u32 {
        self.created
    }

    /// Returns the number of runs that were not dropped, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a history always has a run")]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Returns a run. Returns `None` if the run was dropped or never existed.
    pub fn get(&self, id: RunId) -> Option<&Run> {
        self.kept.get(&id)
    }

    /// Returns true if a run exists and was not dropped.
    pub fn contains(&self, id: RunId) -> bool {
        self.kept.contains_key(&id)
    }

    /// Iterates over the runs with their ids, in the order in which they were created.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (RunId, &Run)> {
        self.kept.iter().map(|(&id, run)| (id, run))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Run> {
        self.kept.values_mut()
    }

    /// Removes a run. The runs that branched off from it become branches of each other and of its
    /// parent, so that any two runs still share the same frames.
    pub(super) fn take(&mut self, id: RunId) -> Option<Run> {
        let dropped = self.kept.remove(&id)?;
        // Each branch of the dropped run is attached to the earlier run in this list that follows
        // the dropped run longest.
        let mut followers: Vec<Branch> = dropped.branch().into_iter().collect();
        for (&other, run) in &mut self.kept {
            let Some(branch) = run.branch().filter(|branch| branch.parent == id) else { continue };
            let longest = followers.iter().rev().max_by_key(|follower| follower.at);
            run.set_branch(
                longest.map(|&Branch { parent, at }| Branch { parent, at: at.min(branch.at) }),
            );
            followers.push(Branch { parent: other, at: branch.at });
        }
        Some(dropped)
    }

    /// Returns the last frame that two runs share. Returns frame 0 if the runs have no common
    /// ancestor.
    pub(super) fn parted(&self, one: RunId, other: RunId) -> Frame {
        let (mut one, mut other) = (one, other);
        let mut shared = self[one].end().min(self[other].end());
        // A run is always newer than its parent.
        while one != other {
            let younger = if one > other { &mut one } else { &mut other };
            let Some(branch) = self[*younger].branch() else { return Frame(0) };
            *younger = branch.parent;
            shared = shared.min(branch.at);
        }
        shared
    }
}

impl Index<RunId> for Runs {
    type Output = Run;

    /// Returns a run.
    ///
    /// # Panics
    /// Panics if the run was dropped or never existed.
    fn index(&self, id: RunId) -> &Run {
        &self.kept[&id]
    }
}

impl IndexMut<RunId> for Runs {
    fn index_mut(&mut self, id: RunId) -> &mut Run {
        self.kept.get_mut(&id).expect("the run was not dropped")
    }
}

/// Counts memory that several runs share only once.
#[derive(Default)]
struct Counted {
    /// The addresses of the counted parts.
    parts: BTreeSet<usize>,
}

impl Counted {
    /// Returns the memory of a run without the parts that were counted earlier, in bytes.
    fn add(&mut self, run: &Run) -> usize {
        let scenarios: usize = run.scenarios().map(|scenario| self.add_scenario(scenario)).sum();
        let mut frames = 0;
        run.snapshots().each(|part, bytes| frames += self.add_part(part, bytes));
        size_of::<Run>() + scenarios + frames + run.log().bytes() + run.events().bytes()
    }

    fn add_scenario(&mut self, scenario: &Scenario) -> usize {
        let mut bytes = 0;
        scenario.each_part(|part, size| bytes += self.add_part(part, size));
        bytes
    }

    /// Returns the size of a part if it was not counted earlier, otherwise 0. `part` is the address
    /// of the part.
    fn add_part(&mut self, part: usize, bytes: usize) -> usize {
        if self.parts.insert(part) { bytes } else { 0 }
    }
}

impl History {
    /// Drops the oldest runs until the others fit the budget. Returns the ids of the dropped runs,
    /// oldest first. Callers must forget these ids.
    pub fn drop_old_runs(&mut self) -> Vec<RunId> {
        let quarter = self.budget / 4;
        let comparison = self.comparison();
        let stays = |id: RunId, run: &Run| {
            id == self.present || Some(id) == comparison || run.recorded_end().is_some()
        };
        let mut counted = Counted::default();
        for (_, run) in self.runs.iter().filter(|&(id, run)| stays(id, run)) {
            counted.add(run);
        }
        let frames: usize = [Some(self.present), comparison]
            .into_iter()
            .flatten()
            .map(|id| self.runs[id].snapshots().bytes())
            .sum();
        // The stored frames make room for a quarter of the budget.
        let limit = self.budget.saturating_sub(frames).max(quarter);
        let (mut used, mut dropped) = (0, Vec::new());
        for (id, run) in self.runs.iter().rev().filter(|&(id, run)| !stays(id, run)) {
            let bytes = counted.add(run);
            if !dropped.is_empty() || used + bytes > limit {
                dropped.push(id);
            } else {
                used += bytes;
            }
        }
        dropped.reverse();
        for &id in &dropped {
            self.runs.take(id);
        }
        let budget = self.budget - quarter - used.min(quarter);
        self.runs[self.present].set_budget(budget);
        dropped
    }

    /// Drops a run that another run has replaced. Does nothing if the run is the current run or the
    /// comparison run.
    pub fn drop_run(&mut self, id: RunId) {
        if id != self.present && Some(id) != self.comparison() {
            self.runs.take(id);
        }
    }

    /// Returns a scenario that shares equal maps and texts with the scenarios of the runs.
    #[must_use]
    pub fn share(&self, scenario: Arc<Scenario>) -> Arc<Scenario> {
        let latest = self.runs.iter().rev().map(|(_, run)| run.scenario_at(run.end()));
        let others = core::iter::once(self.world.scenario()).chain(latest);
        let mut shared = scenario;
        for other in others {
            shared = shared.sharing(other);
            if Arc::ptr_eq(&shared.map, &other.map) {
                break;
            }
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::history::run::Log;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::Builder;

    proptest! {
        /// Random trees of runs, of which some are dropped in random order.
        #[test]
        fn the_remaining_runs_share_the_same_frames(
            branches in proptest::collection::vec((any::<proptest::sample::Index>(), 0_u64..20), 1..12),
            drops in proptest::collection::vec(any::<proptest::sample::Index>(), 1..12),
        ) {
            let map = Map::drawn(&["."], Edges::Wall).unwrap();
            let scenario = Arc::new(Builder::new(map).build().unwrap());
            let mut runs = Runs::default();
            let run = |branch| {
                Run::recorded(Arc::clone(&scenario), branch, Log::default(), Frame(20), vec![], 0)
            };
            runs.add(run(None));
            for (parent, at) in branches {
                let parent = RunId(parent.index(runs.created() as usize) as u32);
                runs.add(run(Some(Branch { parent, at: Frame(at) })));
            }
            let whole = runs.clone();
            for drop in drops.iter().take(runs.len() - 1) {
                let (id, _) = runs.iter().nth(drop.index(runs.len())).unwrap();
                runs.take(id);
                for (one, _) in runs.iter() {
                    for (other, _) in runs.iter() {
                        prop_assert_eq!(runs.parted(one, other), whole.parted(one, other));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod old_runs_tests {
    use super::*;
    use crate::command::Command;
    use crate::geom::Vec2;
    use crate::id::AgentId;
    use crate::map::{Edges, Map};
    use crate::scenario::builder::{Agent, Builder};
    use crate::scenario::sources::{FileRole, SourceFile, Sources};
    use crate::time::Frame;

    /// A scenario with a text of 1 MB that contains a number.
    fn scenario(number: u32) -> Arc<Scenario> {
        let mut builder = Builder::new(Map::drawn(&["....", "...."], Edges::Wall).unwrap());
        builder.add(Agent::new("a", Vec2::new(0.5, 0.5)));
        let mut scenario = builder.build().unwrap();
        let text = format!("{number}{}", " ".repeat(1_000_000)).into();
        let file = SourceFile { place: FileRole::Map, label: "a.toml".to_owned(), text };
        scenario.sources = Arc::new(Sources { files: vec![file], ..Sources::default() });
        Arc::new(scenario)
    }

    fn ids(history: &History) -> Vec<u32> {
        history.runs().iter().map(|(id, _)| id.0).collect()
    }

    #[test]
    fn the_oldest_runs_are_dropped_and_the_current_run_and_the_ghost_stay() {
        let mut history = History::new(scenario(0), 4 << 20);
        let mut dropped = Vec::new();
        for number in 1..=10 {
            history.reload(scenario(number));
            dropped.extend(history.drop_old_runs().into_iter().map(|id| id.0));
        }
        // Four texts of 1 MB fit 4 MiB beside the current run and the comparison run.
        assert_eq!((ids(&history), dropped), (vec![5, 6, 7, 8, 9, 10], vec![0, 1, 2, 3, 4]));
        assert_eq!(history.comparison(), Some(RunId(9)));
        history.switch_run(RunId(5));
        assert_eq!((history.present(), history.comparison()), (RunId(5), Some(RunId(10))));
        history.reload(scenario(11));
        assert_eq!(history.present(), RunId(11), "an id is never used again");
        assert_eq!(history.drop_old_runs(), [RunId(6)]);
    }

    #[test]
    fn the_only_run_is_never_dropped() {
        let mut history = History::new(scenario(0), 0);
        assert!(history.drop_old_runs().is_empty());
        history.reload(scenario(1));
        assert!(history.drop_old_runs().is_empty());
        history.end_comparison();
        assert_eq!(history.drop_old_runs(), [RunId(0)]);
        assert_eq!((ids(&history), history.run().branch()), (vec![1], None));
    }

    #[test]
    fn runs_that_share_a_scenario_count_it_once() {
        let mut history = History::new(scenario(0), 4 << 20);
        for _ in 0..50 {
            history.go_to(Frame(8));
            history.go_to(Frame(3));
            history.step(&[Command::Place { agent: AgentId(0), at: Vec2::new(1.5, 1.5) }]);
            assert!(history.drop_old_runs().is_empty());
        }
        assert_eq!(history.runs().len(), 51);
    }

    #[test]
    fn equal_maps_and_texts_are_shared() {
        let mut history = History::new(scenario(0), 4 << 20);
        history.reload(scenario(1));
        history.reload(scenario(0));
        let runs: Vec<_> = history.runs().iter().map(|(_, run)| run.start()).collect();
        assert!(Arc::ptr_eq(&runs[0].map, &runs[1].map));
        assert!(Arc::ptr_eq(&runs[0].map, &runs[2].map));
        assert!(!Arc::ptr_eq(&runs[0].sources.files[0].text, &runs[1].sources.files[0].text));
        // Another legend has equal tiles.
        let mut other = Scenario::clone(&scenario(2));
        let map = &other.map;
        let mut legend = map.legend().to_vec();
        legend[0].drag = 1.0;
        let (edges, corners) = (map.edges(), map.corners());
        let map = Map::new(map.tiles().clone(), legend, vec![], edges, corners).unwrap();
        other.map = Arc::new(map);
        let shared = history.share(Arc::new(other));
        assert!(!Arc::ptr_eq(&shared.map, &runs[0].map));
        assert!(core::ptr::eq(shared.map.tiles(), runs[0].map.tiles()));
    }
}
