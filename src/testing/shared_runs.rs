//! Runs that several expectations share: those of one map with the same settings and seeds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::judge::{JudgedRun, judge_all};
use crate::rng;
use crate::scenario::Scenario;
use crate::time::Frame;

use super::outcome::Run;
use super::{Case, Cases, RunOutcome};

/// Cases that share their runs. The seeds of each case are the first seeds of the longest list.
#[derive(Debug)]
pub(super) struct Group {
    /// Indices in [`Cases::list`], in ascending order.
    pub cases: Vec<usize>,
    /// The index of the case with the most seeds.
    longest: usize,
}

impl Group {
    /// Returns the seeds of all cases.
    pub fn seeds<'a>(&self, cases: &'a Cases) -> &'a [u64] {
        &cases.list[self.longest].seeds
    }

    /// Adds a case if it can share the runs of this group. Returns true if the case was added.
    fn adopt(&mut self, cases: &Cases, index: usize) -> bool {
        let (known, case) = (&cases.list[self.longest], &cases.list[index]);
        let is_same = match (&known.scenarios, &case.scenarios) {
            (Ok(known), Ok(new)) => Arc::ptr_eq(known, new),
            (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
        };
        let is_longer = case.seeds.starts_with(&known.seeds);
        if !is_same || !(is_longer || known.seeds.starts_with(&case.seeds)) {
            return false;
        }
        self.cases.push(index);
        if is_longer {
            self.longest = index;
        }
        true
    }
}

/// Divides cases into groups, in the order of the first case of each group.
pub(super) fn groups(cases: &Cases) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, case) in cases.list.iter().enumerate() {
        let of_map =
            groups.iter_mut().rev().take_while(|it| cases.list[it.longest].map == case.map);
        if !of_map.into_iter().any(|group| group.adopt(cases, index)) {
            groups.push(Group { cases: vec![index], longest: index });
        }
    }
    groups
}

/// Simulates a map with a seed until the expectations of all given cases are decided. The cases
/// belong to one group. Returns the run of each case, in the order of `cases`. Its time is an equal
/// share of the computation time. The simulation stops when this share exceeds `limit`.
#[expect(clippy::disallowed_methods, reason = "`--times` and `--timeout` need the time")]
pub(super) fn run(cases: &[&Case], seed: u64, limit: Option<Duration>) -> Vec<Run> {
    let started = Instant::now();
    let share = || started.elapsed() / cases.len() as u32;
    let is_late = || limit.is_some_and(|limit| share() > limit);
    rng::take_seed_use();
    let indices: Vec<usize> = cases.iter().map(|case| case.index).collect();
    let mut judged: Vec<_> = cases.iter().map(|_| None).collect();
    let mut is_random = false;
    let scenario = cases[0].scenario(seed);
    if let Ok(scenario) = &scenario {
        judge_all(scenario, &indices, is_late, |index, run| {
            is_random |= rng::take_seed_use();
            let place = indices.iter().position(|&each| each == index);
            judged[place.expect("a judged index")] = Some((run, is_random));
        });
    }
    let time = share();
    let outcome = |run: Option<(JudgedRun, bool)>| match (&scenario, run) {
        (Err(why), _) => (Err(why.clone()), true),
        (Ok(_), None) => (Err("the run was stopped".to_owned()), true),
        (Ok(scenario), Some((run, is_random))) => (Ok(described(scenario, seed, run)), is_random),
    };
    let run = |(outcome, is_random)| Run { seed, outcome, is_random, time };
    judged.into_iter().map(|judged| run(outcome(judged))).collect()
}

fn described(scenario: &Scenario, seed: u64, run: JudgedRun) -> RunOutcome {
    let agent = run.agent.map(|id| scenario.name(id).to_string());
    let seconds = scenario.seconds(Frame(run.verdict.frame));
    let JudgedRun { verdict, why, absent, .. } = run;
    RunOutcome { seed, verdict, seconds, why, agent, absent }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::num::NonZeroUsize;
    use std::ops::ControlFlow;

    use super::*;
    use crate::judge::judge;
    use crate::testing::{Plan, SeedPlan, run as run_all};

    fn plan() -> Plan {
        Plan {
            seeds: SeedPlan::default(),
            jobs: NonZeroUsize::MIN,
            filter: None,
            tags: Vec::new(),
            all_seeds: true,
            allow_inconclusive: false,
            timeout: None,
        }
    }

    /// A wandering dog with 40 expectations. `more` returns further keys of an expectation.
    fn cases(more: impl Fn(usize) -> &'static str) -> (tempfile::TempDir, Cases) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.toml");
        let mut text = "tiles = '''\n........\n........\n'''\n[[agent]]\nname = 'dog'\n\
                        at = 'anywhere'\nsteer = [{ do = 'wander' }]\n"
            .to_owned();
        for index in 0..40 {
            let form = ["never", "eventually", "always"][index % 3];
            let x = index as f64 / 5.0;
            let _ = write!(
                text,
                "[[expect]]\nname = '{index}'\n{form} = 'dog.x > {x}'\nduration = 3\n{}\n",
                more(index)
            );
        }
        std::fs::write(&path, text).unwrap();
        let cases = Cases::read(vec![path], &plan());
        (folder, cases)
    }

    #[test]
    fn expectations_with_the_same_settings_and_seeds_share_their_runs() {
        let sizes = |cases: &Cases| -> Vec<(usize, usize)> {
            groups(cases).iter().map(|it| (it.cases.len(), it.seeds(cases).len())).collect()
        };
        assert_eq!(sizes(&cases(|_| "").1), [(40, 20)]);
        let set = "set = { \"dog.max_speed\" = 3 }";
        assert_eq!(sizes(&cases(|index| ["", set][index % 2]).1), [(20, 20); 2]);
        let lists = cases(|index| ["seeds = 3", "seeds = 30", "seeds = [2, 1]"][index % 3]);
        assert_eq!(sizes(&lists.1), [(27, 30), (13, 2)]);
    }

    #[test]
    fn shared_runs_have_the_same_verdicts_as_separate_runs() {
        let (_folder, cases) = cases(|index| ["", "seeds = 7"][index % 2]);
        let mut next = 0;
        run_all(&cases, &plan(), |tested| {
            assert_eq!(tested.index, next);
            let case = &cases.list[tested.index];
            let runs = case.seeds.iter().map(|&seed| {
                judge(&case.scenario(seed).unwrap(), case.index).unwrap().verdict.outcome
            });
            let passed = runs.filter(|outcome| outcome.word() == "pass").count() as u64;
            assert_eq!((tested.tally.passed, tested.tally.total()), (passed, tested.seeds));
            next += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(next, 40);
    }
}
