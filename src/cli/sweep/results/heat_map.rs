//! A heat map: shades of a measure over two varied values.

use std::collections::BTreeMap;

use crate::files::values::Value;
use crate::sweep::row::Column;

use super::scale::Scale;
use super::{Results, labels};
use tilewalk_sim::sort::{SmallCollect, SmallSort};

/// Largest number of columns of a heat map.
const WIDTH: usize = 78;

/// Largest number of rows of a heat map.
const MOST_ROWS: usize = 20;

/// Shades from low to high, with their ASCII replacements.
const SHADES: [(char, char); 5] = [('·', '.'), ('░', ':'), ('▒', '+'), ('▓', '%'), ('█', '#')];

/// Character of a design point without a mean.
const UNKNOWN: char = '?';

/// Returns the heat map of a measure. The x axis shows the first varied value, the y axis the
/// second.
///
/// Returns `None` unless the design is a complete grid that fits into the layout.
pub(super) fn heat_map(results: &Results, measure: usize) -> Option<String> {
    let (across, up, points) = grid(results)?;
    let [below, beside] = [labels(&across), labels(&up)];
    let left = beside.iter().map(|label| label.chars().count()).max()?;
    let widest = below.iter().map(|label| label.chars().count()).max()? + 1;
    let room = results.layout.width.min(WIDTH).checked_sub(left + 2)?;
    let cell = widest.min(room / across.len());
    if up.len() > MOST_ROWS || cell == 0 || across.len() * up.len() < 2 {
        return None;
    }
    let mean = |point: &usize| results.mean(*point, measure).map(|(mean, _)| mean);
    let scale = match results.summary.columns()[measure].1 {
        Column::Number | Column::First => Scale::around(points.iter().flatten().filter_map(mean))?,
        Column::Outcome => Scale { lower: 0.0, upper: 1.0, step: 0.25 },
    };
    let [side, corner, floor] =
        [('│', '|'), ('└', '+'), ('─', '-')].map(|(unicode, ascii)| results.symbol(unicode, ascii));
    let row = |(points, label): (&Vec<usize>, &String)| {
        let symbol = |point: &usize| {
            mean(point).map_or(UNKNOWN, |mean| shade(results, scale.position(mean)))
        };
        let shades = points.iter().flat_map(|point| core::iter::repeat_n(symbol(point), cell));
        format!("{:>left$} {side}{}", label, shades.collect::<String>())
    };
    let width = cell * across.len();
    let floor: String = core::iter::repeat_n(floor, width).collect();
    let title = format!("{}, by {} (upwards)", results.title(measure), results.varied[1]);
    let lines = [title].into_iter().chain(points.iter().zip(&beside).rev().map(row)).chain([
        format!("{:left$} {corner}{floor}", ""),
        format!("{:left$}  {}", "", labels_below(&below, cell)),
        format!("{:left$}  {:^width$}", "", results.varied[0]),
        legend(results, measure, &scale),
    ]);
    Some(super::joined(lines))
}

/// The values of both axes of a grid, and the design points by row, from the bottom.
type GridPoints<'a> = (Vec<&'a Value>, Vec<&'a Value>, Vec<Vec<usize>>);

/// Returns the design points as a grid over the first two varied values. Returns `None` unless the design is
/// a complete grid.
pub(super) fn grid<'a>(results: &Results<'a>) -> Option<GridPoints<'a>> {
    let [across, up] = [0, 1].map(|index| axis(results, index));
    let points: BTreeMap<(&Value, &Value), usize> = (results.points.iter().enumerate())
        .map(|(point, values)| ((&values[0], &values[1]), point))
        .small_collect();
    let is_grid = points.len() == results.points.len() && points.len() == across.len() * up.len();
    if !is_grid {
        return None;
    }
    let row = |value: &&Value| {
        across.iter().filter_map(|other| points.get(&(*other, *value)).copied()).collect()
    };
    let rows = up.iter().map(row).collect();
    Some((across, up, rows))
}

/// Returns the distinct values of a varied path. Numbers are sorted; other values stay in plan
/// order.
fn axis<'a>(results: &Results<'a>, index: usize) -> Vec<&'a Value> {
    let mut values: Vec<&Value> = vec![];
    for point in results.points {
        if !values.contains(&&point[index]) {
            values.push(&point[index]);
        }
    }
    if values.iter().all(|value| value.number().is_some()) {
        values.small_sort_by(|a, b| {
            a.number().partial_cmp(&b.number()).unwrap_or(core::cmp::Ordering::Equal)
        });
    }
    values
}

/// Returns the shade for a position on the scale. `position` is between 0 and 1.
fn shade(results: &Results, position: f64) -> char {
    let index = (position * SHADES.len() as f64) as usize;
    let (unicode, ascii) = SHADES[index.min(SHADES.len() - 1)];
    results.symbol(unicode, ascii)
}

/// Returns the line of labels below the columns. Labels that do not fit are omitted.
fn labels_below(labels: &[String], cell: usize) -> String {
    let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let every = (widest + 1).div_ceil(cell);
    let shown = labels.iter().step_by(every);
    let cells = shown.map(|label| format!("{label:^width$}", width = cell * every));
    cells.collect::<Vec<_>>().concat()
}

/// Returns a line that shows the range of each shade.
fn legend(results: &Results, measure: usize, scale: &Scale) -> String {
    let steps = SHADES.len() as f64;
    let end = |index: usize| {
        let share = index as f64 / steps;
        results.tick(measure, scale.lower + share * (scale.upper - scale.lower))
    };
    let range = |(index, (unicode, ascii)): (usize, &(char, char))| {
        let start = if index == 0 { format!("{} ", end(0)) } else { String::new() };
        format!("{} {start}to {}", results.symbol(*unicode, *ascii), end(index + 1))
    };
    let ranges: Vec<String> = SHADES.iter().enumerate().map(range).collect();
    ranges.join("  ")
}
