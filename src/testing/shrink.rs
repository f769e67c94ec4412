//! Reduces the map of a failure to a small map that fails in the same way.

mod ddmin;
mod goal;
mod output;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tilewalk_sim::sort::SmallCollect;
use xxhash_rust::xxh3::Xxh3Default;

use crate::files::write::shrink::{
    DraftText, ExpectTable, Freeze, MapDifference, Part, PartKind, ShrinkDraft, Side, expect_table,
};
use crate::files::{self, Options, Origin};
use crate::geom::Vec2;
use crate::judge::{Outcome, judge};
use crate::scenario::Scenario;
use crate::scenario::expectation::Form;

use super::{Case, RunOutcome};
use ddmin::ddmin;
use goal::{Goal, Likeness, judge_until};
pub use output::write;

/// Limits of the search for a small map.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum number of runs of the failing map. The same limit applies to the passing map.
    pub runs: u64,
    /// Maximum computation time of the search.
    pub time: Duration,
}

/// A reduced map that still fails, and the effort of the search.
#[derive(Debug)]
pub struct Shrunk {
    draft: ShrinkDraft,
    /// Frame at which the reduced map fails.
    pub frame: u64,
    /// The sizes of the original map and of the reduced map, in this order.
    pub sizes: [Size; 2],
    /// Number of runs of the failing map.
    pub runs: u64,
    /// Whether the limit of runs ended the search early.
    pub is_out_of_runs: bool,
    /// Whether the time limit ended the search early.
    pub is_out_of_time: bool,
    /// The reason why the small map may show another bug: it fails at another frame, or another
    /// agent fails. Always `None` with a passing map.
    pub warning: Option<String>,
    /// If there is a warning, a larger map that fails like the original. `None` if there is no such
    /// map.
    pub close: Option<Box<Shrunk>>,
}

/// The size of a map in tiles, and the number of its agents and parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Number of tile columns.
    pub width: usize,
    /// Number of tile rows.
    pub height: usize,
    /// Number of agents. Each possible instance of a template counts.
    pub agents: usize,
    /// Number of parts of each kind, such as modes or walls.
    pub parts: BTreeMap<PartKind, usize>,
}

/// Reduces the map of a failed run to a smaller map that fails in the same way. `passing` is the
/// path of a similar map that passes. The same deletions are applied to it, and it must still pass.
///
/// # Errors
/// Returns the reason if the run did not fail, or if a map has errors. Also returns an error if the
/// form of the expectation cannot be shrunk.
pub fn shrink(
    case: &Case,
    run: &RunOutcome,
    passing: Option<&Path>,
    limits: Limits,
) -> Result<Shrunk, String> {
    if run.verdict.outcome != Outcome::Fail || case.expectation.fails.is_some() {
        return Err("only failed runs can be shrunk".to_owned());
    }
    if let Form::Golden(_) = case.expectation.form {
        return Err("a golden fails after any deletion, so it cannot be shrunk".to_owned());
    }
    let scenario = case.scenario(run.seed)?;
    let table = expect_table(&scenario, case.index, run.seed)?;
    let passing = passing.map(|path| {
        let options = Options::of(scenario.sources());
        let loaded = files::load(&Origin::Disk(path.to_owned()), &options);
        let loaded = loaded.map_err(|error| error.to_string())?;
        loaded.scenario.ok_or_else(|| loaded.report.plain())
    });
    let passing = passing.transpose()?;
    let keeps_motion = passing.is_none() && case.expectation.form.is_liveness();
    let mut reason = String::new();
    for freeze in [Freeze::All, Freeze::Single] {
        match ShrinkSearch::new(&scenario, passing.as_ref(), &table, freeze, keeps_motion, limits) {
            Ok(search) => return Ok(search.run()),
            Err(why) => reason = why,
        }
    }
    Err(reason)
}

/// The failing map, and optionally a similar map that passes.
#[derive(Debug, Clone)]
struct Pair {
    failing: ShrinkDraft,
    passing: Option<ShrinkDraft>,
}

impl Pair {
    /// Applies a deletion to both maps. Returns `None` if the deletion is impossible in either map.
    fn map(&self, delete: impl Fn(&ShrinkDraft) -> Option<ShrinkDraft>) -> Option<Self> {
        let failing = delete(&self.failing)?;
        let passing = match &self.passing {
            Some(passing) => Some(delete(passing)?),
            None => None,
        };
        Some(Self { failing, passing })
    }
}

struct ShrinkSearch {
    goal: Goal,
    /// The smallest map so far that fails in the same way.
    best: Pair,
    /// The failure of this map. `None` if nothing was removed.
    likeness: Option<Likeness>,
    /// The last map whose failure was close to the original failure. Only without a passing map.
    close: Option<ShrinkDraft>,
    /// The difference of both original maps.
    difference: Option<MapDifference>,
    before: Size,
    /// Hashes of the texts of candidates that do not fail in the same way.
    refused: BTreeSet<u128>,
    limits: Limits,
    started: Instant,
    runs: u64,
    is_out_of_runs: bool,
    is_out_of_time: bool,
}

impl ShrinkSearch {
    #[expect(clippy::disallowed_methods, reason = "the limit of time needs a clock")]
    fn new(
        scenario: &Arc<Scenario>,
        passing: Option<&Arc<Scenario>>,
        table: &ExpectTable,
        freeze: Freeze,
        keeps_motion: bool,
        limits: Limits,
    ) -> Result<Self, String> {
        let started = Instant::now();
        let draft = |scenario| ShrinkDraft::new(scenario, table, freeze);
        let failing = draft(scenario)?;
        let passing = passing.map(draft).transpose()?;
        if passing.as_ref().is_some_and(|passing| passing.size() != failing.size()) {
            return Err("the map and the passing map must have the same number of tiles".to_owned());
        }
        let load = |draft: &ShrinkDraft| draft.text(None).and_then(|text| ShrinkDraft::load(&text));
        let frozen = load(&failing).ok_or("the map with frozen starts has errors")?;
        let goal = Goal::of(&frozen, &failing, keeps_motion)
            .ok_or("the map does not fail with frozen starts")?;
        if let Some(passing) = &passing {
            let frozen = load(passing).ok_or("the passing map has errors with this expectation")?;
            if judge(&frozen, 0).is_none_or(|run| run.verdict.outcome != Outcome::Pass) {
                return Err("the passing map does not pass".to_owned());
            }
        }
        let before = size(&failing, scenario);
        Ok(Self {
            goal,
            difference: passing.as_ref().map(|passing| MapDifference::of(&failing, passing)),
            best: Pair { failing, passing },
            likeness: None,
            close: None,
            before,
            refused: BTreeSet::new(),
            limits,
            started,
            runs: 1,
            is_out_of_runs: false,
            is_out_of_time: false,
        })
    }

    /// Reduces the map until no deletion is possible, or until a limit is reached.
    fn run(mut self) -> Shrunk {
        while self.pass() == Some(true) {}
        self.finish()
    }

    /// Tries all kinds of deletions once. Returns true if the map became smaller. Returns `None` if
    /// a limit is reached during the deletions.
    fn pass(&mut self) -> Option<bool> {
        let before = self.best.failing.text(None);
        self.drop_parts(&[PartKind::Agent])?;
        self.crop()?;
        self.lower_counts()?;
        self.drop_parts(&[PartKind::SpawnRule, PartKind::Obstacle, PartKind::Wall])?;
        self.drop_parts(&[PartKind::Place])?;
        if !self.goal.keeps_motion() {
            for kind in [PartKind::Mode, PartKind::Behaviour, PartKind::Transition] {
                self.drop_parts(&[kind])?;
            }
            self.drop_parts(&[PartKind::Step])?;
            self.drop_parts(&[PartKind::Key])?;
            self.clear_tiles()?;
        }
        Some(self.best.failing.text(None) != before)
    }

    fn finish(self) -> Shrunk {
        let warning = self.likeness.as_ref().filter(|_| self.best.passing.is_none());
        let warning = warning.and_then(|it| self.warning(it));
        let close = self.close.as_ref().filter(|_| warning.is_some());
        let close = close.map(|draft| Box::new(self.result(draft.clone(), None, None)));
        self.result(self.best.failing.clone(), warning, close)
    }

    /// Returns the warning about a failure that differs from the original failure.
    fn warning(&self, likeness: &Likeness) -> Option<String> {
        let (before, now) = (self.goal.frame(), likeness.frame);
        let agent = if likeness.has_same_agent { "" } else { ", with another agent" };
        (before != now || !likeness.has_same_agent)
            .then(|| format!("failed at frame {before}, now {now}{agent}: the reason may differ"))
    }

    fn result(
        &self,
        draft: ShrinkDraft,
        warning: Option<String>,
        close: Option<Box<Shrunk>>,
    ) -> Shrunk {
        let text = draft.text(None).unwrap_or_default();
        let scenario = ShrinkDraft::load(&text);
        let run = scenario.as_ref().and_then(|scenario| judge(scenario, 0));
        let after = scenario.map_or_else(|| self.before.clone(), |it| size(&draft, &it));
        Shrunk {
            draft,
            frame: run.map_or(0, |run| run.verdict.frame),
            sizes: [self.before.clone(), after],
            runs: self.runs,
            is_out_of_runs: self.is_out_of_runs,
            is_out_of_time: self.is_out_of_time,
            warning,
            close,
        }
    }

    /// Removes as many parts of the given kinds as possible. Returns `None` if a limit is reached.
    fn drop_parts(&mut self, kinds: &[PartKind]) -> Option<()> {
        let start = self.best.clone();
        let keeps_motion = self.goal.keeps_motion();
        // A part that only one of the maps has can be the reason for the failure.
        let is_shared = |part: &Part| start.passing.as_ref().is_none_or(|it| it.has(part));
        let is_wanted = |part: &Part| {
            kinds.contains(&part.kind)
                && is_shared(part)
                && !(keeps_motion && start.failing.is_about(part))
        };
        let parts: Vec<Part> = start.failing.parts().into_iter().filter(is_wanted).collect();
        let numbers: Vec<usize> = (0..parts.len()).collect();
        ddmin(&numbers, |kept| {
            self.check_limits()?;
            let kept: BTreeSet<_> = kept.iter().copied().small_collect();
            let gone = numbers.iter().filter(|number| !kept.contains(number));
            let gone: Vec<Part> = gone.map(|&number| parts[number].clone()).collect();
            Some(self.accepts(start.map(|draft| Some(draft.without(&gone)))))
        })?;
        Some(())
    }

    /// Replaces as many obstructed tiles as possible with floor. Returns `None` if a limit is
    /// reached.
    fn clear_tiles(&mut self) -> Option<()> {
        let start = self.best.clone();
        let tiles = start.failing.obstructed();
        ddmin(&tiles, |kept| {
            self.check_limits()?;
            let kept: BTreeSet<_> = kept.iter().copied().small_collect();
            let gone: Vec<_> = tiles.iter().filter(|tile| !kept.contains(tile)).copied().collect();
            Some(self.accepts(start.map(|draft| Some(draft.cleared(&gone)))))
        })?;
        Some(())
    }

    /// Removes columns and rows at the sides of the map. Starts with half the map size at once, and
    /// ends with single columns and rows. Returns `None` if a limit is reached.
    fn crop(&mut self) -> Option<()> {
        let (width, height) = self.best.failing.size();
        let mut step = width.max(height) / 2;
        while step > 0 {
            for side in Side::ALL {
                self.check_limits()?;
                while self.accepts(self.best.map(|draft| draft.cropped(side, step))) {
                    self.check_limits()?;
                }
            }
            step /= 2;
        }
        Some(())
    }

    /// Reduces the number of agents in each group. Returns `None` if a limit is reached.
    fn lower_counts(&mut self) -> Option<()> {
        for (group, mut count) in self.best.failing.groups() {
            let mut gone = count - 1;
            while gone > 0 {
                self.check_limits()?;
                let lower = count - gone;
                let is_lower = lower > 0
                    && self.accepts(self.best.map(|draft| Some(draft.with_count(&group, lower))));
                if is_lower {
                    count = lower;
                    gone = gone.min(count - 1);
                } else {
                    gone /= 2;
                }
            }
        }
        Some(())
    }

    /// Tests a candidate map, and keeps the map if it fails in the same way. Returns true if the
    /// map is kept.
    fn accepts(&mut self, candidate: Option<Pair>) -> bool {
        let Some(candidate) = candidate else { return false };
        let Some(text) = candidate.failing.text(None) else { return false };
        let hash = hash(&text);
        if self.refused.contains(&hash) {
            return false;
        }
        let likeness = self.likeness_of(&candidate, &text);
        let fails_alike = likeness.is_some();
        if let Some(likeness) = likeness {
            if likeness.is_close && candidate.passing.is_none() {
                self.close = Some(candidate.failing.clone());
            }
            (self.best, self.likeness) = (candidate, Some(likeness));
        } else {
            self.refused.insert(hash);
        }
        fails_alike
    }

    /// Compares the failure of a candidate with that of the original map. Returns `None` if the
    /// candidate is not acceptable.
    fn likeness_of(&mut self, candidate: &Pair, text: &DraftText) -> Option<Likeness> {
        // The reason for the failure is somewhere in the difference of the maps.
        if let (Some(passing), Some(difference)) = (&candidate.passing, &self.difference)
            && MapDifference::of(&candidate.failing, passing) != *difference
        {
            return None;
        }
        let scenario = ShrinkDraft::load(text)?;
        let keeps = |draft: &ShrinkDraft| {
            draft.contains_all_coordinates() && draft.has_same_named_agents(&self.best.failing)
        };
        if self.goal.keeps_motion() && !keeps(&candidate.failing) {
            return None;
        }
        self.runs += 1;
        let [x, y, ..] = candidate.failing.crop();
        let (started, longest) = (self.started, self.limits.time);
        let is_over = || started.elapsed() >= longest;
        let corner = Vec2::new(x as f32, y as f32);
        let Some(likeness) = self.goal.fails_alike(&scenario, corner, is_over) else {
            self.is_out_of_time |= is_over();
            return None;
        };
        let Some(passing) = &candidate.passing else { return Some(likeness) };
        let scenario = passing.text(None).and_then(|text| ShrinkDraft::load(&text));
        let run = scenario.and_then(|it| judge_until(&it, u64::MAX, |_| !is_over()));
        run.filter(|run| run.verdict.outcome == Outcome::Pass).map(|_| likeness)
    }

    /// Checks the limits on runs and time. Returns `None` if a limit is reached. Must be called
    /// before a candidate is built, because building can take longer than running it.
    fn check_limits(&mut self) -> Option<()> {
        self.is_out_of_runs |= self.runs >= self.limits.runs;
        self.is_out_of_time |= self.started.elapsed() >= self.limits.time;
        (!self.is_out_of_runs && !self.is_out_of_time).then_some(())
    }
}

fn hash(text: &DraftText) -> u128 {
    let mut hasher = Xxh3Default::new();
    text.hash(&mut hasher);
    hasher.digest128()
}

fn size(draft: &ShrinkDraft, scenario: &Scenario) -> Size {
    let (width, height) = draft.size();
    Size { width, height, agents: scenario.starts().len(), parts: draft.counts() }
}
