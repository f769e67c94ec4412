//! Reads `[measure]`: the quantities that a sweep measures in each run.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::keys::sweep::{MAX_MEASURES, MEASURE, MEASURES, TAKES, Take};
use crate::read::expect::short;
use crate::read::rule;
use crate::show;
use crate::sweep::maps::BaseMap;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::{Entry, TableReader};
use tilewalk_sim::condition::{Condition, ConditionContext, NumberCondition};
use tilewalk_sim::sort::SmallSort;

/// A column of results.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Name of the column in the output.
    pub name: String,
    /// Quantity that is measured for the column.
    pub kind: MeasureKind,
    /// First measured time, in seconds.
    pub from: f64,
}

/// Quantity that is measured in each run. Conditions and expressions are stored as written.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasureKind {
    /// A number in each frame. `take` combines the numbers of a run.
    Value {
        /// Numeric expression, as written in the sweep file.
        text: String,
        /// Rule that combines the numbers of all frames.
        take: Take,
    },
    /// Number of frames in which a condition holds.
    Count(String),
    /// First frame in which a condition holds; empty if there is none.
    First(String),
    /// Verdict of the expectation with this name.
    Expect(String),
}

/// Names of the output columns that every sweep has.
const COLUMNS: [&str; 5] = ["run", "seed", "frames", "end", "hash"];

/// The column names in use, to find duplicates.
#[derive(Debug)]
pub struct Columns(BTreeSet<String>);

impl Columns {
    pub fn new() -> Self {
        Self(COLUMNS.map(str::to_owned).into())
    }

    /// Adds a column. Reports a name that is already used, and returns false.
    pub fn claim(&mut self, entry: &Entry, span: Range<usize>) -> bool {
        let is_new = self.0.insert(entry.key.to_owned());
        if !is_new {
            let name = show::text(entry.key);
            let message = if COLUMNS.contains(&entry.key) {
                format!("every sweep has a column `{name}`")
            } else {
                format!("the column `{name}` already exists")
            };
            entry.issues.push(Diagnostic::error(span, message).help("choose another name"));
        }
        is_new
    }
}

/// Reads all measures. Reports conditions that do not fit the maps. Returns `None` after any error.
pub fn read(
    table: &TableReader,
    columns: &mut Columns,
    maps: &[BaseMap],
    frames: Option<i64>,
) -> Option<Vec<Measure>> {
    let entry = table.require("measure")?;
    let entries = entry.table(&MEASURES)?.into_entries();
    if entries.is_empty() || entries.len() > MAX_MEASURES {
        let count = entries.len();
        entry.error(format!("a sweep has between 1 and {MAX_MEASURES} measures, but has {count}"));
        return None;
    }
    let read = |(name, span, entry): (&str, Range<usize>, Entry)| {
        let is_name = check_name(name, &span, &entry) && columns.claim(&entry, span);
        let table = entry.table(&MEASURE)?;
        let from = read_from(&table, maps, frames);
        let kind = read_one(table, maps)?;
        Some(Measure { name: name.to_owned(), kind, from: from? }).filter(|_| is_name)
    };
    let measures: Vec<_> = entries.into_iter().map(read).collect();
    measures.into_iter().collect()
}

fn check_name(name: &str, span: &Range<usize>, entry: &Entry) -> bool {
    let is_valid = !name.trim().is_empty() && name.len() <= 80 && !name.contains(show::is_hidden);
    if !is_valid {
        let message = format!("invalid column name `{}`", show::text(name));
        let help = "use 1 to 80 visible characters";
        entry.issues.push(Diagnostic::error(span.clone(), message).help(help));
    }
    is_valid
}

/// Reads `from`, the first measured time. Reports a time after the last frame, and returns `None`.
fn read_from(table: &TableReader, maps: &[BaseMap], frames: Option<i64>) -> Option<f64> {
    let Some(entry) = table.take("from") else { return Some(0.0) };
    let from = table.double("from")?;
    let ends = maps.iter().map(|map| frames.unwrap_or(i64::MAX) as f64 * map.scenario.tick());
    if let Some(end) = ends.reduce(f64::min).filter(|end| from > *end) {
        entry.error(format!("`from` is after the last frame of the runs, {end} s"));
        return None;
    }
    Some(from)
}

fn read_one(table: TableReader, maps: &[BaseMap]) -> Option<MeasureKind> {
    let forms = ["value", "count", "first", "expect"];
    let mut named: Vec<_> = forms.iter().filter_map(|form| table.take(form)).collect();
    named.small_sort_by_key(|entry| entry.key_span.start);
    let take = table.take("take");
    for (key, entry) in [("take", &take), ("quantile", &table.take("quantile"))] {
        if let Some(entry) = entry.as_ref().filter(|_| !table.has("value")) {
            entry.error_at_key(format!("`{key}` needs `value`"), "");
        }
    }
    if let Some(from) = table.take("from").filter(|_| table.has("expect")) {
        from.error_at_key("`from` and `expect` can't be used together", "");
    }
    let take = match (take, table.take("quantile")) {
        (Some(take), Some(_)) => {
            take.error_at_key("`take` and `quantile` can't be used together", "use two measures");
            None
        }
        (Some(take), None) => take.word(&TAKES),
        (None, Some(_)) => table.double("quantile").map(Take::Quantile),
        (None, None) => Some(Take::Last),
    };
    let kind = match &named[..] {
        [] => {
            if !table.issues.is_partial() {
                let forms = show::list(forms);
                table.issues.error(table.span(), format!("a measure needs one of {forms}"));
            }
            None
        }
        [entry] => match entry.key {
            "value" => {
                number(entry, maps).zip(take).map(|(text, take)| MeasureKind::Value { text, take })
            }
            "count" => condition(entry, maps).map(MeasureKind::Count),
            "first" => condition(entry, maps).map(MeasureKind::First),
            _ => expectation(entry, maps).map(MeasureKind::Expect),
        },
        [first, rest @ ..] => {
            for entry in rest {
                let message = format!("`{}` and `{}` can't be used together", entry.key, first.key);
                entry.error_at_key(message, "use two measures");
            }
            None
        }
    };
    table.finish();
    kind
}

/// Reads a condition, and returns the condition as written. Reports a condition that does not fit
/// one of the maps and returns `None`.
pub fn condition(entry: &Entry, maps: &[BaseMap]) -> Option<String> {
    for map in maps {
        let read = |text: &str| Condition::read(text, &*map.scenario, ConditionContext::Global);
        let condition = rule::in_string_about(entry, &map.among(maps), read)?;
        rule::warn_in(entry, condition.cost(), condition.notes());
    }
    entry.string().map(ToOwned::to_owned)
}

fn number(entry: &Entry, maps: &[BaseMap]) -> Option<String> {
    for map in maps {
        let scope = &*map.scenario;
        let read = |text: &str| NumberCondition::read(text, scope, ConditionContext::Global);
        let number = rule::in_string_about(entry, &map.among(maps), read)?;
        rule::warn_in(entry, number.cost(), number.notes());
    }
    entry.string().map(ToOwned::to_owned)
}

/// Reads the name of an expectation that all maps have. Reports any other name and returns `None`.
fn expectation(entry: &Entry, maps: &[BaseMap]) -> Option<String> {
    let name = short(entry)?;
    for map in maps {
        let expectations = map.scenario.expectations();
        let Some(found) = expectations.iter().find(|each| each.name == name) else {
            let names = || expectations.iter().map(|each| each.name.as_str());
            let help = entry.suggestion(name, names(), || show::known_names(names()));
            let message = format!(
                "the map `{}` has no expectation `{}`",
                show::text(&map.name),
                show::text(name)
            );
            entry.error_with_help(message, help);
            return None;
        };
        if !found.set.is_empty() {
            let message = format!("the expectation `{}` has values of its own", show::text(name));
            entry.error_with_help(message, "measure an expectation without `set`");
            return None;
        }
    }
    Some(name.to_owned())
}
