//! Planted bugs in large maps: `tilewalk test --shrink` finds small maps that fail in the same way.
//!
//! `cargo test --test it planted -- --nocapture` prints the figures.
#![expect(clippy::print_stdout, reason = "long tests print their figures")]
#![expect(clippy::disallowed_methods, reason = "the test prints how long the search takes")]

mod bugs;

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tilewalk::judge::{JudgedRun, Outcome, judge};
use tilewalk::testing::shrink::{self, Limits, Shrunk};
use tilewalk::testing::{self, Cases, Plan, SeedPlan, Tested};

use bugs::{BUGS, Bug};

const LIMITS: Limits = Limits { runs: 2_000, time: Duration::from_secs(60) };

/// Judges the expectations of a map. Returns its test cases and their results.
fn tested(path: &Path) -> (Cases, Vec<Tested>) {
    let plan = Plan {
        seeds: SeedPlan::default(),
        jobs: NonZeroUsize::MIN,
        filter: None,
        tags: Vec::new(),
        all_seeds: false,
        allow_inconclusive: false,
        timeout: None,
    };
    let cases = Cases::read(vec![path.to_owned()], &plan);
    for map in &cases.maps {
        let report = map.problems.as_ref().unwrap();
        assert_eq!(report.errors(), 0, "{}", report.plain());
    }
    let mut tests = Vec::new();
    testing::run(&cases, &plan, |test| {
        tests.push(test);
        ControlFlow::Continue(())
    });
    (cases, tests)
}

/// Shrinks the only failure of a map, and writes the result beside the map. Returns the result, its path, and
/// the judged run of the map.
fn shrunk(map: &Path, passing: Option<&Path>, limits: Limits) -> (Shrunk, PathBuf, JudgedRun) {
    let (cases, tests) = tested(map);
    let [test] = &tests[..] else { panic!("{} expectations", tests.len()) };
    assert_eq!(test.outcome, Outcome::Fail, "{}: {test:?}", map.display());
    let (case, run) = (&cases.list[0], test.shown.as_ref().unwrap());
    let shrunk = shrink::shrink(case, run, passing, limits).unwrap();
    let folder = map.parent().unwrap();
    let path = shrink::write(&shrunk, case, run, folder, "small").unwrap();
    let before = judge(&case.scenario(run.seed).unwrap(), 0).unwrap();
    (shrunk, path, before)
}

/// Writes the map with the bug, and the correct map to the directory `old`. Returns both paths.
fn files(folder: &Path, bug: &Bug, number: usize) -> [PathBuf; 2] {
    fs::create_dir(folder.join("old")).unwrap();
    [("map.toml", true), ("old/map.toml", false)].map(|(name, is_broken)| {
        let path = folder.join(name);
        let (map, pattern) = bugs::texts(bug, number, is_broken);
        fs::write(&path, map).unwrap();
        let pattern = pattern.map(|text| ("scene.toml", text));
        for (name, text) in pattern.into_iter().chain([("lap.toml", bugs::LAP.to_owned())]) {
            fs::write(path.with_file_name(name), text).unwrap();
        }
        path
    })
}

#[test]
fn planted_bugs_are_isolated_in_small_maps() {
    let mut shares = Vec::new();
    for (number, bug) in BUGS.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let [failing, passing] = files(folder.path(), bug, number);
        let (_, old) = tested(&passing);
        assert_eq!(old[0].outcome, Outcome::Pass, "{}: {:?}", bug.name, old[0].shown);
        let started = Instant::now();
        let needed = bug.needs_passing.then_some(passing.as_path());
        let (shrunk, path, before) = shrunk(&failing, needed, LIMITS);
        let seconds = started.elapsed().as_secs_f64();
        let [old, new] = &shrunk.sizes;
        assert!(old.width * old.height >= 6_000 && old.agents >= 30);
        let tiles = (new.width * new.height) as f64 / (old.width * old.height) as f64;
        let agents = new.agents as f64 / old.agents as f64;
        println!(
            "{:32} {:3} × {:2} tiles ({:4.1} %)  {:2} agents ({:4.1} %)  {:4} runs  {seconds:.2} s",
            bug.name,
            new.width,
            new.height,
            tiles * 100.0,
            new.agents,
            agents * 100.0,
            shrunk.runs
        );
        shares.push((tiles, agents));

        // The written file fails without options, and in the same way.
        let (cases, tests) = tested(&path);
        assert_eq!(tests.len(), 1, "{}", bug.name);
        let test = &tests[0];
        assert_eq!(test.outcome, Outcome::Fail, "{}: {}", bug.name, path.display());
        let run = test.shown.as_ref().unwrap();
        let after = judge(&cases.list[0].scenario(run.seed).unwrap(), 0).unwrap();
        assert_eq!(after.operands, before.operands, "{}", bug.name);
        let finding = std::mem::discriminant(&after.verdict.finding);
        assert_eq!(finding, std::mem::discriminant(&before.verdict.finding), "{}", bug.name);
        assert_eq!(run.seed, cases.list[0].seeds[0]);
        let text = fs::read_to_string(&path).unwrap();
        for word in bug.kept {
            assert!(text.contains(word), "{}: no `{word}` in\n{text}", bug.name);
        }
    }
    let median = |mut shares: Vec<f64>| {
        shares.sort_by(f64::total_cmp);
        shares[shares.len() / 2]
    };
    let tiles = median(shares.iter().map(|share| share.0).collect());
    let agents = median(shares.iter().map(|share| share.1).collect());
    println!("median: {:.1} % of tiles, {:.1} % of agents", tiles * 100.0, agents * 100.0);
    assert!(tiles <= 0.05 && agents <= 0.05, "{tiles} {agents}");
}

#[test]
fn shrinking_is_deterministic_and_respects_the_limit_of_runs() {
    let folder = tempfile::tempdir().unwrap();
    let [failing, _] = files(folder.path(), &BUGS[1], 1);
    let texts: Vec<String> = (0..2)
        .map(|_| fs::read_to_string(shrunk(&failing, None, LIMITS).1).unwrap())
        .map(|text| text.replace("small-2", "small"))
        .collect();
    assert_eq!(texts[0], texts[1]);
    for runs in [1, 5, 12] {
        let (shrunk, path, _) = shrunk(&failing, None, Limits { runs, ..LIMITS });
        assert!(shrunk.runs <= runs, "{} of {runs}", shrunk.runs);
        assert!(shrunk.is_out_of_runs);
        assert_eq!(tested(&path).1[0].outcome, Outcome::Fail);
    }
    let none = Limits { time: Duration::ZERO, ..LIMITS };
    assert!(shrunk(&failing, None, none).0.is_out_of_time);
}

/// Without a passing map, shrinking keeps the motion of the agent in the expectation and the frame of the
/// verdict.
#[test]
fn without_a_passing_map_shrinking_removes_only_the_surroundings() {
    let folder = tempfile::tempdir().unwrap();
    let [failing, _] = files(folder.path(), &BUGS[0], 0);
    let (shrunk, path, before) = shrunk(&failing, None, LIMITS);
    let [old, new] = &shrunk.sizes;
    assert!(new.width < old.width / 2 && new.agents == 1, "{new:?}");
    assert_eq!(shrunk.frame, before.verdict.frame);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("travel") && text.contains("goal ="), "{text}");
    assert_eq!(tested(&path).1[0].outcome, Outcome::Fail);
}

#[test]
fn shrinking_never_replaces_existing_files() {
    let folder = tempfile::tempdir().unwrap();
    let [failing, _] = files(folder.path(), &BUGS[3], 3);
    let mine = folder.path().join("small.shrunk.toml");
    fs::write(&mine, "mine").unwrap();
    let (_, path, _) = shrunk(&failing, None, LIMITS);
    assert_eq!(path, folder.path().join("small-2.shrunk.toml"));
    assert_eq!(fs::read_to_string(mine).unwrap(), "mine");
    assert!(folder.path().join("small-2/scene.toml").exists());
}

#[test]
fn a_passing_map_must_pass_and_be_as_large_as_the_failing_map() {
    let folder = tempfile::tempdir().unwrap();
    let [failing, _] = files(folder.path(), &BUGS[0], 0);
    let (cases, tests) = tested(&failing);
    let (case, run) = (&cases.list[0], tests[0].shown.as_ref().unwrap());
    let refused = |passing: &Path| shrink::shrink(case, run, Some(passing), LIMITS).unwrap_err();
    assert_eq!(refused(&failing), "the passing map does not pass");
    let small = folder.path().join("tiny.toml");
    fs::write(&small, "tiles = '...'\n[[agent]]\nname = 'guard'\nat = [0, 0]\n").unwrap();
    assert!(refused(&small).contains("same number of tiles"));
}

/// A candidate that does not fail is not simulated until the end of a long window.
#[test]
fn a_long_window_of_an_expectation_does_not_exhaust_the_time_limit() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("map.toml");
    let text = "tiles = '..#..'\n[[agent]]\nname = 'a'\nat = [0, 0]\n\
                [[agent]]\nname = 'b'\nat = [4, 0]\n\
                [[expect]]\nname = 'it'\nalways = 'sees(a, b)'\nduration = 1_000_000\n";
    fs::write(&map, text).unwrap();
    let started = Instant::now();
    let (shrunk, path, _) = shrunk(&map, None, LIMITS);
    assert!(started.elapsed() < Duration::from_secs(2), "{}", shrunk.summary());
    assert!(fs::read_to_string(path).unwrap().contains('#'));
}
