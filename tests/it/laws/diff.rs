//! A comparison of runs or traces reports exactly the values that differ.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assert_cmd::Command;
use proptest::prelude::*;
use tilewalk::files::read::trace::{COLUMNS, Trace, TraceFormat};
use tilewalk::files::{self, Options};
use tilewalk::history::diff::{Comparison, Moment};
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::world::World;

use crate::support::build;

/// Runs a built-in map. Returns the rows of the trace, each with its cells in the order of the columns.
fn rows(map: &str, frames: u64) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.csv");
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let (map, frames) = (format!("maps/{map}.toml"), frames.to_string());
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(["run", &map, "--frames", &frames, "--trace"]).arg(&path).assert().success();
    let text = fs::read_to_string(path).expect("a trace");
    text.lines().skip(1).map(|line| line.split(',').map(String::from).collect()).collect()
}

/// Writes a trace as CSV or NDJSON, according to the extension of `name`.
fn write(folder: &Path, name: &str, rows: &[Vec<String>]) -> PathBuf {
    let path = folder.join(name);
    let mut text = String::new();
    if TraceFormat::of(&path) == Some(TraceFormat::Csv) {
        text = COLUMNS.join(",") + "\n";
        for row in rows {
            text += &(row.join(",") + "\n");
        }
    } else {
        for row in rows {
            let cell = |(name, cell): (&str, &String)| match name {
                "agent" | "mode" => format!("\"{name}\":\"{cell}\""),
                _ => format!("\"{name}\":{cell}"),
            };
            let cells: Vec<_> = COLUMNS.into_iter().zip(row).map(cell).collect();
            writeln!(text, "{{{}}}", cells.join(",")).expect("a string");
        }
    }
    fs::write(&path, text).expect("a file");
    path
}

fn compare(a: &Path, b: &Path) -> Comparison {
    let open = |path: &Path| Trace::open(path, TraceFormat::of(path).expect("an ending"));
    let (mut a, mut b) = (open(a).expect("a trace"), open(b).expect("a trace"));
    let mut comparison = Comparison::new(0.0);
    while a.advance().expect("a frame") & b.advance().expect("a frame") {
        let ((frame, rows), (other, others)) = (a.rows(), b.rows());
        comparison.add(Moment::Rows(frame, rows), Moment::Rows(other, others));
    }
    comparison
}

/// Returns another value of a cell, as close to the old one as possible.
fn changed(column: &str, cell: &str) -> String {
    match column {
        "mode" => format!("{cell}_"),
        "tile_x" | "tile_y" => (cell.parse::<i32>().expect("a tile") + 1).to_string(),
        _ => {
            let bits = cell.parse::<f32>().expect("a number").to_bits();
            f32::from_bits(bits ^ 1).to_string()
        }
    }
}

#[test]
fn a_comparison_of_traces_reports_exactly_the_changed_value() {
    let rows = rows("castle", 60);
    let folder = tempfile::tempdir().expect("a folder");
    let columns = COLUMNS.iter().filter(|column| !matches!(**column, "frame" | "agent"));
    let original = write(folder.path(), "truth.csv", &rows);
    assert!(compare(&original, &write(folder.path(), "same.ndjson", &rows)).is_same());
    for (round, column) in columns.cycle().take(180).enumerate() {
        let index = round * 7919 % rows.len();
        let column_index = COLUMNS.iter().position(|name| name == column).expect("a column");
        let mut other = rows.clone();
        other[index][column_index] = changed(column, &rows[index][column_index]);
        let ending = if round % 2 == 0 { "csv" } else { "ndjson" };
        let other_path = write(folder.path(), &format!("other.{ending}"), &other);
        let comparison = compare(&original, &other_path);
        let [found] = comparison.differences() else { panic!("{column}: {comparison:?}") };
        assert_eq!(found.frame.0.to_string(), rows[index][0]);
        assert_eq!((&found.agent, found.field.as_str()), (&rows[index][2], *column));
        let values = (found.a.to_string(), found.b.to_string());
        assert_eq!(values, (rows[index][column_index].clone(), other[index][column_index].clone()));
    }
}

#[test]
fn agents_in_only_one_trace_are_reported_but_the_order_of_agents_is_not() {
    let rows = rows("yard", 20);
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    for path in [&a, &b] {
        fs::create_dir(path).expect("a folder");
    }
    let mut reordered: Vec<_> =
        rows.chunks(4).flat_map(|frame| frame.iter().rev()).cloned().collect();
    let original = write(&a, "t.csv", &rows);
    assert!(compare(&original, &write(&b, "t.csv", &reordered)).is_same());
    reordered.retain(|row| row[2] != "moth" || row[0].parse::<u64>().expect("a frame") < 7);
    let comparison = compare(&original, &write(&b, "t.csv", &reordered));
    let only: Vec<_> =
        comparison.only(0).iter().map(|(name, from)| (name.as_str(), from.0)).collect();
    assert_eq!((only, comparison.only(1).len()), (vec![("moth", 7)], 0));
    assert!(comparison.differences().is_empty() && !comparison.is_same());
}

/// Returns both worlds at the first frame with different hashes, or `None` if all hashes are equal.
fn first_divergence(a: &Arc<Scenario>, b: &Arc<Scenario>, frames: u64) -> Option<(World, World)> {
    let (mut a, mut b) = (World::new(Arc::clone(a)), World::new(Arc::clone(b)));
    for _ in 0..=frames {
        if a.hash() != b.hash() {
            return Some((a, b));
        }
        step(&mut a);
        step(&mut b);
    }
    None
}

/// Returns the first agent and motion field that differ, or `None` if other state differs first.
fn first_difference(a: &World, b: &World) -> Option<(String, &'static str)> {
    for id in a.ids() {
        let numbers = |world: &World| {
            let (at, velocity) = (world.position(id), world.velocity(id));
            [at.x, at.y, velocity.x, velocity.y, world.heading_degrees(id)]
                .map(|n| (n + 0.0).to_bits())
        };
        let (left, right) = (numbers(a), numbers(b));
        if let Some(index) = (0..5).find(|&index| left[index] != right[index]) {
            let field = ["x", "y", "vx", "vy", "heading"][index];
            return Some((a.scenario().name(id).to_string(), field));
        }
        if a.hash() != b.hash() && a.drive_state(id) != b.drive_state(id) {
            return None;
        }
    }
    None
}

proptest! {
    #![proptest_config(build::cases(48))]

    #[test]
    fn the_first_difference_of_two_worlds_equals_that_of_a_brute_force_search(
        map in prop::sample::select(vec!["yard", "castle", "predator", "flock", "couriers", "rota"]),
        seed in 0_u64..1000,
        which in 0_usize..100,
        tweak in 0_u8..3,
    ) {
        let origin = tilewalk::builtin::origin(map);
        let options = Options { seed: Some(seed), ..Options::default() };
        let one = files::load(&origin, &options).expect("a map").scenario.expect("a valid map");
        let mut other = Scenario::clone(&one);
        let which = which % other.kinds().len();
        match tweak {
            0 => build::edit(&mut other, |it| it.kinds[which].body.max_speed *= 0.9),
            1 => build::edit(&mut other, |it| it.kinds[which].modes[0].pace += 1),
            _ => build::edit(&mut other, |parts| parts.seed += 1),
        }
        let other = Arc::new(other);
        let mut comparison = Comparison::new(0.0);
        let (mut a, mut b) = (World::new(Arc::clone(&one)), World::new(Arc::clone(&other)));
        for frame in 0..=100 {
            if frame > 0 {
                step(&mut a);
                step(&mut b);
            }
            comparison.add(Moment::World(&a), Moment::World(&b));
        }
        match first_divergence(&one, &other, 100) {
            None => prop_assert!(comparison.is_same(), "{comparison:?}"),
            Some((a, b)) => {
                prop_assert_eq!(comparison.first(), Some(a.frame()));
                let first = &comparison.differences()[0];
                if let Some((agent, field)) = first_difference(&a, &b) {
                    prop_assert_eq!((&first.agent, first.field.as_str()), (&agent, field));
                }
            }
        }
    }
}
