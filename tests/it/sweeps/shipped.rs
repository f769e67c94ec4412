//! Runs the shipped sweeps with fewer seeds and design points, and checks their results.

use std::fs;
use std::path::{Path, PathBuf};

use tilewalk::files::sweep::{self, Sweep, SweepOrigin};
use tilewalk::files::{Options, Origin, load};
use tilewalk::sweep::Runs;
use tilewalk::sweep::plan::Plan;
use tilewalk::sweep::row::{End, columns};
use tilewalk::sweep::summary::{Estimate, Summary};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

fn read(path: &Path) -> Sweep {
    let loaded = sweep::load(&SweepOrigin::Disk(path.to_owned())).expect("a readable file");
    assert_eq!(loaded.report.plain(), "", "{}", path.display());
    loaded.sweep.expect("a sweep without errors")
}

/// Runs a shipped sweep with its first `seeds` seeds, at the design points whose only varied value
/// has one of the given texts. Returns the plan and the summary.
fn run<const N: usize>(name: &str, seeds: usize, values: [&str; N]) -> (Plan, Summary) {
    let mut sweep = read(&folder().join(name).with_extension("toml"));
    sweep.seeds.truncate(seeds);
    sweep.points.retain(|point| values.contains(&point[0].text().as_str()));
    assert_eq!(sweep.points.len(), N, "{name}");
    let plan = Plan::new(sweep, 1);
    let mut summary = Summary::new(N, &columns(&plan.sweep));
    let runs = Runs::new(&plan);
    for run in 0..plan.runs() {
        let row = runs.simulate(run).row;
        assert_ne!(row.end, End::Error);
        summary.add(row.point, row.seed, row.frames, &row.cells);
    }
    (plan, summary)
}

/// Returns the estimates of a measure at each design point.
fn estimates((plan, summary): &(Plan, Summary), measure: &str) -> Vec<Estimate> {
    let column = plan.sweep.measures.iter().position(|each| each.name == measure);
    let column = column.expect("a measure of that name");
    (0..summary.points()).map(|point| summary.estimate(point, column)).collect()
}

#[test]
fn shipped_sweeps_and_their_maps_have_no_problems() {
    let sweeps = files(&folder());
    assert!(sweeps.len() >= 4, "{sweeps:?}");
    for path in sweeps {
        let sweep = read(&path);
        assert!(sweep.points.len() > 1, "{}", path.display());
    }
    for path in files(&folder().join("doors")) {
        let loaded = load(&Origin::Disk(path.clone()), &Options::default()).expect("a file");
        assert_eq!(loaded.report.plain(), "", "{}", path.display());
    }
}

/// Vicsek et al. (1995) show this in figure 2.
#[test]
fn order_decreases_with_noise_in_the_vicsek_sweep() {
    let swept = run("vicsek", 2, ["0.25", "1", "2"]);
    let order = estimates(&swept, "order");
    let order: Vec<f64> = order.iter().map(|order| order.mean.expect("a mean")).collect();
    assert!(order[0] > 0.9 && order[2] < 0.3, "{order:?}");
    assert!(order[0] > order[1] && order[1] > order[2], "{order:?}");
    for speed in estimates(&swept, "speed") {
        let speed = speed.mean.expect("a mean");
        assert!((1.9..=2.0001).contains(&speed), "the speed is nearly constant: {speed}");
    }
}

#[test]
fn people_leave_sooner_through_wider_doors() {
    let swept = run("doors", 3, ["doors/1.toml", "doors/2.toml", "doors/5.toml"]);
    let empty = estimates(&swept, "empty");
    let [narrow, double, wide] = [0, 1, 2].map(|point: usize| empty[point]);
    assert_eq!((double.count, wide.count), (3, 3));
    let mean = |estimate: Estimate| estimate.mean.expect("a mean");
    assert!(mean(double) > 1.1 * mean(wide), "{empty:?}");
    assert_eq!(narrow.count, 3, "no crowd blocks the narrow door: {empty:?}");
    assert!(mean(narrow) > 1.5 * mean(double), "{empty:?}");
}

#[test]
fn pursue_catches_a_faster_hare_more_often_than_seek() {
    let swept = run("pursuit", 20, ["1", "4"]);
    let [pursuer, seeker] = ["pursue_at", "seek_at"].map(|measure| estimates(&swept, measure));
    assert_eq!((pursuer[0].count, seeker[0].count), (20, 20));
    assert!(pursuer[1].count < 20, "{pursuer:?}");
    assert!(seeker[1].count + 3 <= pursuer[1].count, "{seeker:?} {pursuer:?}");
    // The expectation of the map counts the same runs.
    let expected: Vec<u64> = estimates(&swept, "pursuer").iter().map(|each| each.count).collect();
    let found: Vec<u64> = pursuer.iter().map(|each| each.count).collect();
    assert_eq!(expected, found);
}
