//! Tables with a row per design point: the varied values, then means and intervals.

use crate::statistics::Interval;
use crate::sweep::comparisons::Comparisons;
use crate::sweep::row::Column as Kind;
use crate::sweep::summary::Doubt;
use crate::words::count;

use super::{Results, labels};

/// Maximum number of design points in a table.
const MOST_ROWS: usize = 40;

/// Spaces between two columns.
const GAP: usize = 2;

/// A column of a table, with one cell for each row.
struct TextColumn {
    heading: &'static str,
    cells: Vec<String>,
    is_left_aligned: bool,
}

/// A set of columns with a common title. A group is never split between two tables.
struct Group {
    title: String,
    columns: Vec<TextColumn>,
}

/// Returns the tables of estimates and the tables of differences from the first design point.
pub(super) fn tables(results: &Results) -> String {
    let rows = results.points.len().min(MOST_ROWS);
    let measures = 0..results.summary.columns().len();
    let mut text = String::new();
    let estimates = measures.clone().map(|measure| estimates(results, rows, measure)).collect();
    text += &laid_out(results, 0..rows, estimates);
    if rows > 1 {
        text += "\nDifference from the first design point, over runs with the same seed:\n";
        let comparisons = Comparisons::of(results.summary);
        let differences =
            measures.map(|measure| differences(results, rows, measure, &comparisons)).collect();
        text += &laid_out(results, 1..rows, differences);
        text += &note(&comparisons);
    }
    if results.points.len() > rows {
        let more = count((results.points.len() - rows) as u64, "more design point");
        let dots = if results.layout.ascii { "..." } else { "…" };
        text += &super::joined([format!("{dots} and {more}")]);
    }
    text
}

/// Explains the column of marks.
fn note(comparisons: &Comparisons) -> String {
    let number = count(comparisons.count() as u64, "comparison");
    let pairs = count(comparisons.pairs, "pair");
    super::joined([if comparisons.can_mark {
        format!("differs: {number}, corrected together at 5 % (Holm)")
    } else {
        format!("differs: {pairs} are too few to show a difference in {number} (Holm, 5 %)")
    }])
}

/// Returns the mean, interval and count of a measure for the first `rows` design points.
fn estimates(results: &Results, rows: usize, measure: usize) -> Group {
    let kind = results.summary.columns()[measure].1;
    let all: Vec<_> = (0..rows).map(|point| results.summary.estimate(point, measure)).collect();
    let number = |value: f64| results.number(measure, value);
    let means = all.iter().map(|each| each.mean.map_or_else(String::new, number)).collect();
    let intervals =
        all.iter().map(|each| interval(results, measure, each.interval, each.doubt)).collect();
    let counts = all.iter().map(|each| match each.inconclusive {
        0 => format!("{} of {}", each.count, each.runs),
        number => format!("{} of {} ({number} inconclusive)", each.count, each.runs),
    });
    let counted = match kind {
        Kind::Number => "defined",
        Kind::First => "happened",
        Kind::Outcome => "passed",
    };
    let is_counted = kind != Kind::Number || all.iter().any(|each| each.count < each.runs);
    let heading = if kind == Kind::Outcome { "share" } else { "mean" };
    let mut columns = vec![column(heading, means), column("95 % interval", intervals)];
    if is_counted {
        columns.push(column(counted, counts.collect()));
    }
    Group { title: results.name(measure), columns }
}

/// Returns the differences of a measure between the first design point and each of the next points.
fn differences(results: &Results, rows: usize, measure: usize, comparisons: &Comparisons) -> Group {
    let all: Vec<_> = (1..rows).map(|point| results.summary.difference(point, measure)).collect();
    let number = |value: f64| results.number(measure, value);
    let mean = |each: &Option<_>| each.map_or_else(String::new, number);
    let means = all.iter().map(|each| mean(&each.map(|each| each.mean))).collect();
    let intervals = all.iter().map(|each| match each {
        Some(it) => interval(results, measure, it.interval, it.doubt),
        None => String::new(),
    });
    let mark = |point| if comparisons.differs(point, measure) { "yes" } else { "" }.to_owned();
    let marks = (1..rows).map(mark);
    let pairs = all.iter().map(|each| each.map_or(0, |each| each.pairs).to_string());
    let columns = vec![
        column("mean", means),
        column("95 % interval", intervals.collect()),
        column("pairs", pairs.collect()),
        column("differs", marks.collect()),
    ];
    Group { title: results.name(measure), columns }
}

fn column(heading: &'static str, cells: Vec<String>) -> TextColumn {
    TextColumn { heading, cells, is_left_aligned: false }
}

fn interval(
    results: &Results,
    measure: usize,
    interval: Option<Interval>,
    doubt: Option<Doubt>,
) -> String {
    let text = |Interval { lower, upper }| {
        let [lower, upper] = [lower, upper].map(|end| results.number(measure, end));
        let mark = doubt.map_or_else(String::new, |doubt| format!(" {}", doubt.word()));
        format!("{lower} to {upper}{mark}")
    };
    interval.map_or_else(String::new, text)
}

/// Returns the tables, each with the varied values on the left. A new table starts when a group
/// does not fit into the layout.
fn laid_out(results: &Results, rows: core::ops::Range<usize>, groups: Vec<Group>) -> String {
    let varied = varied(results, rows);
    let left = width(&varied);
    let mut tables: Vec<Vec<Group>> = vec![];
    let mut used = 0;
    for group in groups {
        let needed = width(core::slice::from_ref(&group)) + GAP;
        match tables.last_mut() {
            Some(table) if used + needed <= results.layout.width => table.push(group),
            Some(_) | None => {
                tables.push(vec![group]);
                used = left;
            }
        }
        used += needed;
    }
    let tables = tables.iter().map(|table| lines(&varied, table));
    tables.collect::<Vec<_>>().join("\n")
}

/// Returns one group for each varied path. The title is the shortened path.
fn varied(results: &Results, rows: core::ops::Range<usize>) -> Vec<Group> {
    let names = short_names(results.varied);
    let group = |(index, title): (usize, String)| {
        let points = &results.points[rows.clone()];
        let is_left_aligned = points.iter().any(|values| values[index].number().is_none());
        // The rows of all tables have the same labels.
        let all: Vec<_> = results.points.iter().take(MOST_ROWS).map(|it| &it[index]).collect();
        let cells = labels(&all)[rows.clone()].to_vec();
        Group { title, columns: vec![TextColumn { heading: "", cells, is_left_aligned }] }
    };
    names.into_iter().enumerate().map(group).collect()
}

/// Returns a short name for each dotted path: the shortest end of the path that no other path
/// shares. Keeps the order of `paths`.
pub(super) fn short_names(paths: &[String]) -> Vec<String> {
    let end = |path: &str, length: usize| {
        let parts: Vec<&str> = path.split('.').collect();
        parts[parts.len() - length.min(parts.len())..].join(".")
    };
    let longest = paths.iter().map(|path| path.split('.').count()).max().unwrap_or(1);
    let name = |path: &String| {
        let is_unique = |length: &usize| {
            paths.iter().filter(|other| end(other, *length) == end(path, *length)).count() == 1
        };
        end(path, (1..longest).find(is_unique).unwrap_or(longest))
    };
    paths.iter().map(name).collect()
}

/// Returns the width of groups side by side, in columns of characters.
fn width(groups: &[Group]) -> usize {
    let gaps = groups.len().saturating_sub(1) * GAP;
    groups.iter().map(|group| widths(group).iter().sum::<usize>()).sum::<usize>()
        + gaps
        + groups.iter().map(|group| (group.columns.len() - 1) * GAP).sum::<usize>()
}

/// Returns the widths of the columns of a group. The last column is widened for a long title.
fn widths(group: &Group) -> Vec<usize> {
    let column = |column: &TextColumn| {
        let cells = column.cells.iter().map(|cell| cell.chars().count());
        cells.chain([column.heading.len()]).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = group.columns.iter().map(column).collect();
    let total = widths.iter().sum::<usize>() + (widths.len() - 1) * GAP;
    if let Some(last) = widths.last_mut() {
        *last += group.title.chars().count().saturating_sub(total);
    }
    widths
}

/// Returns the text of a table: a line of titles, a line of headings, then the rows.
fn lines(varied: &[Group], groups: &[Group]) -> String {
    let all = || varied.iter().chain(groups);
    let rows = varied.iter().chain(groups).map(|group| group.columns[0].cells.len()).min();
    let mut lines = vec![String::new(); 2 + rows.unwrap_or(0)];
    for group in all() {
        let widths = widths(group);
        let total = widths.iter().sum::<usize>() + (widths.len() - 1) * GAP;
        push(&mut lines[0], &group.title, total, true);
        for (column, width) in group.columns.iter().zip(widths) {
            push(&mut lines[1], column.heading, width, column.is_left_aligned);
            for (line, cell) in lines[2..].iter_mut().zip(&column.cells) {
                push(line, cell, width, column.is_left_aligned);
            }
        }
    }
    super::joined(lines)
}

fn push(line: &mut String, cell: &str, width: usize, is_left_aligned: bool) {
    if !line.is_empty() {
        *line += &" ".repeat(GAP);
    }
    let padding = " ".repeat(width - cell.chars().count().min(width));
    let parts = if is_left_aligned { [cell, &padding] } else { [&padding, cell] };
    line.extend(parts);
}
