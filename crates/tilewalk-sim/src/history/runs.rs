//! The runs of a history, by id.
//!
//! Old runs can be dropped to free memory. An id always refers to the same run, and the runs that
//! branched off from a dropped run stay connected with each other.

use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

use crate::time::Frame;

use super::run::{Branch, Run, RunId};

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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::history::log::Log;
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
