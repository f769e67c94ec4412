//! Reads `[vary]`: the paths to vary, and their values.

use std::ops::Range as Span;

use toml::de::DeValue;

use super::axis::{Axis, Range, Scale, Values};
use super::design::DesignKind;
use super::maps::BaseMap;
use super::measure::Columns;
use super::value::Value;
use crate::diagnostic::Diagnostic;
use crate::keys::sweep::{MAX_PATHS, MAX_POINTS, RANGE, SCALES, VARY};
use crate::keys::{Key, ValueKind};
use crate::reader::{Entry, TableReader};
use crate::settings::Setting;
use crate::show;
use crate::value_keys;
use crate::value_path::{self, ValuePath};

/// Path that stands for the map itself.
pub const MAP: &str = "map";

/// A varied path with its location in the sweep file.
#[derive(Debug)]
pub struct Varied<'a> {
    pub entry: Entry<'a>,
    pub axis: Axis,
    /// The parsed path; `None` for the map.
    pub path: Option<ValuePath>,
    /// Values to check with the maps, and their locations in the sweep file: each value of a list,
    /// or both ends of a range.
    pub checks: Vec<(Value, Span<usize>)>,
}

/// Returns the entries of `[vary]` in file order. Reports a table with too many entries and returns
/// an empty list.
pub fn entries<'a>(table: &TableReader<'a>) -> Vec<Entry<'a>> {
    let Some(entry) = table.take("vary") else { return Vec::new() };
    let Some(vary) = entry.table(&VARY) else { return Vec::new() };
    let entries = vary.into_entries();
    if entries.len() > MAX_PATHS {
        entry.error(format!("a sweep varies at most {MAX_PATHS} values"));
        return Vec::new();
    }
    entries.into_iter().map(|(_, _, entry)| entry).collect()
}

/// Returns each map name in the list `entry`, the value of the key `map`. Each name comes with its
/// own entry.
pub fn map_names<'a>(entry: &Entry<'a>) -> Vec<(&'a str, Entry<'a>)> {
    let names = entry.array().into_iter().flatten();
    names.filter_map(|name| Some((name.string()?, name))).collect()
}

/// Reads a path and its values. Returns `None` after any error.
pub fn read<'a>(
    entry: Entry<'a>,
    design: DesignKind,
    maps: &[BaseMap],
    columns: &mut Columns,
) -> Option<Varied<'a>> {
    let is_new = columns.claim(&entry, entry.key_span.clone());
    let (path, key) = if entry.key == MAP {
        (None, None)
    } else {
        let (path, key) = read_path(&entry, maps)?;
        (Some(path), key)
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other TOML types are errors")]
    let (values, checks) = match entry.get() {
        DeValue::Array(_) => read_list(&entry, design)?,
        DeValue::Table(_) if path.is_some() => read_range(&entry, design, key)?,
        _ if path.is_none() => return entry.wrong_type("an array of map files"),
        _ => return entry.wrong_type("an array of values or a range `{ from, to, steps }`"),
    };
    let axis = Axis { path: entry.key.to_owned(), values };
    is_new.then_some(Varied { entry, axis, path, checks })
}

/// Reads a path that all maps must have. Also returns the description of the path's key; `None` if
/// the key is unknown.
fn read_path(entry: &Entry, maps: &[BaseMap]) -> Option<(ValuePath, Option<&'static Key>)> {
    let refuse = |message: String, help: &str| {
        entry.issues.push(Diagnostic::error(entry.key_span.clone(), message).help(help));
    };
    let Ok(path) = entry.key.parse::<ValuePath>() else {
        let what =
            if matches!(entry.get(), DeValue::Table(_)) { "in quotes" } else { "of a value" };
        let example = || format!("write the path {what}, as in `\"boid.body.max_speed\" = [1, 2]`");
        let known = value_path::map_keys().chain([MAP]);
        let help = entry.issues.suggestion(&entry.key_span, entry.key, known, example);
        refuse(format!("invalid path `{}`", show::text(entry.key)), &help);
        return None;
    };
    let mut known = None;
    for map in maps {
        let place = map.among(maps);
        let mut tree = map.tree.clone()?;
        let setting = Setting::of(&path, "0").ok()?;
        if let Err(error) = setting.put_in(&mut tree) {
            refuse(error.to_string(), &place);
            return None;
        }
        match value_keys::find(&path, map.scenario.kinds()) {
            Ok(key) => known = known.or(key),
            Err(unknown) => {
                let problem = Diagnostic::error(entry.key_span.clone(), unknown.message);
                entry.issues.push(problem.help(unknown.help).help(place));
                return None;
            }
        }
    }
    Some((path, known))
}

type Checked = (Values, Vec<(Value, Span<usize>)>);

fn read_list(entry: &Entry, design: DesignKind) -> Option<Checked> {
    let entries = entry.array()?;
    let count = entries.len();
    if count == 0 || count > MAX_POINTS as usize {
        entry.error(format!("a list has between 1 and {MAX_POINTS} values, but has {count}"));
        return None;
    }
    let mut known = std::collections::BTreeSet::new();
    let read = |value: Entry| {
        let Ok(read) = value.written().parse::<Value>() else {
            value.error("not a value on one line");
            return None;
        };
        // The results have one line for each run.
        if read.text().contains(['\n', '\r']) {
            value.error("a value can't contain a line break");
            return None;
        }
        if design == DesignKind::Grid && !known.insert(read.clone()) {
            value.error(format!("the value {} is listed twice", show::text(read.toml())));
        }
        Some((read, value.span()))
    };
    let values: Option<Vec<_>> = entries.map(read).collect();
    let values = values?;
    let list = values.iter().map(|(value, _)| value.clone()).collect();
    Some((Values::List(list), values))
}

fn read_range(entry: &Entry, design: DesignKind, key: Option<&Key>) -> Option<Checked> {
    let table = entry.table(&RANGE)?;
    let (from, to) = (table.double("from"), table.double("to"));
    let scale = match table.take("scale") {
        Some(scale) => scale.word(&SCALES),
        None => Some(Scale::Linear),
    };
    let steps = read_steps(&table, design);
    let ends = [table.take("from"), table.take("to")];
    table.finish();
    let (from, to, scale, steps) = (from?, to?, scale?, steps?);
    let [Some(first), Some(last)] = ends else { return None };
    if from >= to {
        last.error("`to` must be greater than `from`");
        return None;
    }
    if scale == Scale::Log && from <= 0.0 {
        first.error("with `scale = \"log\"`, `from` must be greater than 0");
        return None;
    }
    let whole = key.is_some_and(|key| matches!(key.kind, ValueKind::Integer(_)));
    if let Some(end) =
        [(from, &first), (to, &last)].iter().find(|(end, _)| whole && end.fract() != 0.0)
    {
        end.1.wrong_type::<()>("an integer, like the value to vary");
        return None;
    }
    let range = Range { from, to, steps, scale, whole };
    let [low, high] = range.ends();
    if !design.is_sampled() && range.has_duplicates() {
        entry.error(format!("the range has fewer than {steps} different integers"));
        return None;
    }
    Some((Values::Range(range), vec![(low, first.span()), (high, last.span())]))
}

/// Reads `steps`, the number of values of a range. Returns `None` if the number is missing or
/// invalid. Designs with `points` need no steps: for them, the function reports the key and returns
/// 2.
fn read_steps(table: &TableReader, design: DesignKind) -> Option<usize> {
    if design.is_sampled() {
        if let Some(steps) = table.take("steps") {
            steps
                .error_at_key("this design draws values between `from` and `to`", "remove `steps`");
        }
        return Some(2);
    }
    table.require("steps")?;
    table.integer("steps").map(|steps| steps as usize)
}
