//! Tests of the tables and plots of a sweep.

use insta::assert_snapshot;

use super::*;
use crate::judge::Outcome;
use crate::sweep::row::Cell;

/// Formats the results of a sweep with four seeds. `cells` returns the row of a design point and
/// seed.
fn results(
    varied: &[&str],
    points: &[&[&str]],
    columns: &[(&str, Column)],
    layout: Layout,
    cells: impl Fn(usize, usize) -> Vec<Cell>,
) -> String {
    results_of_seeds(4, varied, points, columns, layout, cells)
}

fn results_of_seeds(
    seeds: usize,
    varied: &[&str],
    points: &[&[&str]],
    columns: &[(&str, Column)],
    layout: Layout,
    cells: impl Fn(usize, usize) -> Vec<Cell>,
) -> String {
    let columns: Vec<_> = columns.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
    let mut summary = Summary::new(points.len(), &columns);
    for point in 0..points.len() {
        for seed in 0..seeds {
            summary.add(point, seed, 1000, &cells(point, seed));
        }
    }
    let value = |text: &&str| text.parse().expect("a value");
    let points: Vec<Vec<Value>> =
        points.iter().map(|values| values.iter().map(value).collect()).collect();
    let varied: Vec<String> = varied.iter().map(|path| (*path).to_owned()).collect();
    Results { varied: &varied, points: &points, summary: &summary, layout }.text()
}

const PLAIN: Layout = Layout { width: 60, ascii: true, has_plot: false };
const DRAWN: Layout = Layout { width: 60, ascii: false, has_plot: true };

/// Returns the plot, which follows the tables in `text`.
fn plot_of(text: &str) -> &str {
    text.rsplit_once("\n\n").map_or("", |(_, plot)| plot)
}

fn order(point: usize, seed: usize) -> Cell {
    Cell::Number(
        [0.98, 0.9, 0.5, 0.12, 0.1][point] + seed as f64 * [0.002, 0.01, 0.1, 0.02, 0.01][point],
    )
}

const NOISES: [&[&str]; 5] = [&["0.5"], &["1"], &["1.5"], &["2"], &["4"]];

#[test]
fn tables_have_counts_where_runs_are_missing() {
    let columns =
        [("order", Column::Number), ("settled", Column::First), ("seen", Column::Outcome)];
    let text = results(
        &["boid.steer.wander.weight", "boid.body.max_speed"],
        &[&["0.5", "2"], &["0.5", "4"], &["1", "2"]],
        &columns,
        PLAIN,
        |point, seed| {
            let settled = Cell::Number(400.0 + (point * 10 + seed) as f64);
            let is_settled = point < 2 || seed == 0;
            let outcome = [Outcome::Pass, Outcome::Fail, Outcome::Inconclusive][point.min(seed)];
            vec![
                order(point, seed),
                if is_settled { settled } else { Cell::Empty },
                Cell::Outcome(outcome),
            ]
        },
    );
    assert_snapshot!("tables", text);
}

/// Returns the tables of 50 design points. `value` returns the value of a design point.
fn long_tables(seeds: usize, value: impl Fn(usize) -> f64) -> String {
    let names: Vec<String> = (0..50).map(|number| number.to_string()).collect();
    let points: Vec<Vec<&str>> = names.iter().map(|name| vec![name.as_str()]).collect();
    let points: Vec<&[&str]> = points.iter().map(Vec::as_slice).collect();
    let columns = [("order", Column::Number)];
    let cells = |point, _| vec![Cell::Number(value(point))];
    results_of_seeds(seeds, &["map.tick"], &points, &columns, PLAIN, cells)
}

/// Three equal differences can be a coincidence: each outcome has two possible values.
#[test]
fn equal_differences_are_marked_only_with_enough_seeds() {
    let differs = |text: &str| text.lines().filter(|line| line.ends_with(" yes")).count();
    let value = |point: usize| if point == 0 { 0.0 } else { 1.0 };
    let text = long_tables(3, value);
    assert_eq!(differs(&text), 0, "{text}");
    assert!(text.contains("0          0 to 0 equal\n"), "{text}");
    assert!(text.contains("1.000  1.000 to 1.000 equal      3\n"), "{text}");
    let note = "differs: 3 pairs are too few to show a difference in 49 comparisons (Holm, 5 %)";
    assert!(text.contains(note), "{text}");
    let text = long_tables(12, value);
    assert_eq!(differs(&text), 39, "{text}");
    assert!(text.contains("differs: 49 comparisons, corrected together at 5 % (Holm)"), "{text}");
}

#[test]
fn long_tables_are_truncated() {
    let text = long_tables(4, |_| 1.0);
    assert!(text.ends_with("\n... and 10 more design points\n"), "{text}");
    assert_eq!(text.lines().count(), 2 + 40 + 2 + 2 + 39 + 1 + 1);
}

#[test]
fn a_varied_number_is_plotted_as_a_line_with_a_band() {
    let columns = [("order", Column::Number)];
    let cells = |point, seed| vec![order(point, seed)];
    let text = results(&["boid.noise"], &NOISES, &columns, DRAWN, cells);
    assert_snapshot!("line", plot_of(&text));
    let ascii = Layout { ascii: true, ..DRAWN };
    let text = results(&["boid.noise"], &NOISES, &columns, ascii, cells);
    assert!(text.is_ascii());
    assert_snapshot!("ascii_line", plot_of(&text));
}

#[test]
fn bars_compare_maps_and_mark_censored_means() {
    let points: [&[&str]; 3] = [&["'narrow.toml'"], &["'door.toml'"], &["'wide.toml'"]];
    let text = results(&["map"], &points, &[("empty", Column::First)], DRAWN, |point, seed| {
        let frame = [900.0, 400.0, 350.0][point] + seed as f64 * 40.0;
        vec![if point == 0 && seed == 3 { Cell::Empty } else { Cell::Number(frame) }]
    });
    assert_snapshot!("bars", plot_of(&text));
}

#[test]
fn a_sweep_over_two_values_is_plotted_as_a_heat_map() {
    let points: Vec<[&str; 2]> = ["0.5", "1", "2", "4"]
        .into_iter()
        .flat_map(|weight| ["10", "20", "30"].map(|count| [weight, count]))
        .collect();
    let points: Vec<&[&str]> = points.iter().map(|values| &values[..]).collect();
    let cells = |point: usize, seed: usize| {
        let passes = seed < (point / 3 + point % 3).min(4);
        vec![Cell::Outcome(if passes { Outcome::Pass } else { Outcome::Fail })]
    };
    let columns = [("seen", Column::Outcome)];
    let text = results(&["a.weight", "a.count"], &points, &columns, DRAWN, cells);
    assert_snapshot!("heat_map", plot_of(&text));
    let text = results(&["a.weight", "a.count"], &points[1..], &columns, DRAWN, cells);
    assert!(!text.contains('▒'), "an incomplete grid has no heat map");
}

#[test]
fn names_are_shortened_while_they_differ() {
    let short = |paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        table::short_names(&paths)
    };
    assert_eq!(short(&["a.steer.seek.weight", "a.body.mass"]), ["weight", "mass"]);
    assert_eq!(short(&["a.body.mass", "b.body.mass"]), ["a.body.mass", "b.body.mass"]);
    assert_eq!(
        short(&["a.steer.seek.weight", "a.steer.flee.weight"]),
        ["seek.weight", "flee.weight"]
    );
    assert_eq!(short(&["map", "tick"]), ["map", "tick"]);
}

/// Plots are never wider than their layout, at any width.
#[test]
fn plots_fit_any_width() {
    let columns = [("order", Column::Number)];
    for width in 1..=120 {
        let layout = Layout { width, ascii: false, has_plot: true };
        let text =
            results(&["n"], &NOISES, &columns, layout, |point, seed| vec![order(point, seed)]);
        let plot = plot_of(&text);
        let is_plot = plot.starts_with("mean of order");
        assert_eq!(is_plot, width >= 25, "{width}:\n{plot}");
        let widest = plot.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(!is_plot || widest <= width.min(78), "{width}: {widest}");
    }
}
