//! Reads a sweep file, with `[vary]`: the paths to vary, and their values.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use toml::de::DeValue;

use super::{FrozenSweep, Sweep};
use crate::keys::sweep::{
    DESIGNS, DesignKind, MAX_PATHS, MAX_POINTS, MAX_RUNS, RANGE, SCALES, SWEEP, Scale, VARY,
};
use crate::keys::table::{Key, ValueKind};
use crate::read::expect;
use crate::read::loading::{LoadError, Loaded};
use crate::settings;
use crate::show;
use crate::sweep::axis::{Axis, AxisValues, ValueRange};
use crate::sweep::design::{self, PLAIN_PATHS};
use crate::sweep::maps::{self, BaseMap, Maps};
use crate::sweep::measure::{self, Columns};
use crate::text::diagnostic::{Diagnostic, Issues, Severity};
use crate::text::reader::{Entry, TableReader, document};
use crate::values::Value;
use crate::values::{self, ValuePath};
use tilewalk_sim::scenario::expectation::Seeds;
use tilewalk_sim::sort::SmallCollect;

/// Reads a sweep and its maps. `label` names the sweep file in messages. Returns `None` after any
/// error.
pub fn read(label: &str, issues: &Issues, maps: &mut Maps) -> Option<Sweep> {
    document(issues.text(), &SWEEP, issues, |table| {
        crate::text::reader::check_format(&table);
        let frames = table.integer("frames");
        let seeds = expect::read_seeds(&table, 1);
        let design = read_design(&table);
        let entries = varied_entries(&table);
        let first = match &seeds {
            Some(Seeds::List(list)) => list.first().copied(),
            Some(Seeds::Next(_)) | None => None,
        };
        let bases = read_maps(&table, &entries, first, maps);
        let known = bases.as_deref().unwrap_or_default();
        let mut columns = Columns::new();
        let count = entries.len();
        let read =
            |entry| read_varied(entry, design.unwrap_or(DesignKind::Grid), known, &mut columns);
        let varied: Vec<_> = entries.into_iter().filter_map(read).collect();
        let is_whole = varied.len() == count;
        refuse_same(&varied, known);
        let until = table.take("until").and_then(|entry| measure::condition(&entry, known));
        let measures = measure::read(&table, &mut columns, known, frames);
        check_values(&varied, known, first);
        let size = design.and_then(|design| read_size(&table, design, &varied));
        let runs = |seeds: &Seeds| seeds.list(known.first().map_or(0, |map| map.scenario.seed()));
        let seeds = seeds.as_ref().map(runs);
        if let (Some(size), Some(seeds)) = (&size, &seeds) {
            check_runs(&table, size.points, seeds.len());
        }
        table.finish();
        let (seeds, size, bases) = (seeds?, size?, bases?);
        if !is_whole || !issues.is_sound() || issues.is_partial() {
            return None;
        }
        let (paths, axes): (Vec<_>, Vec<Axis>) =
            varied.into_iter().map(|each| (each.path, each.axis)).unzip();
        let points = design::points(design?, &axes, size.points, size.seed);
        let maps = bases.into_iter().map(|base| (base.name, base.sources)).collect();
        let text = Arc::from(issues.text());
        Some(Sweep {
            frozen: Arc::new(FrozenSweep { label: label.to_owned(), text, maps }),
            frames: frames?.cast_unsigned(),
            seeds,
            varied: axes.into_iter().map(|axis| axis.path).collect(),
            points,
            measures: measures?,
            until,
            paths,
        })
    })
}

/// Reads the kind of design. The default is a grid. Returns `None` for an unknown word.
fn read_design(table: &TableReader) -> Option<DesignKind> {
    match table.take("design") {
        Some(entry) => entry.word(&DESIGNS),
        None => Some(DesignKind::Grid),
    }
}

/// Reads all maps of a sweep; `None` if a map has errors. `seed` replaces the seeds of the maps.
fn read_maps(
    table: &TableReader,
    vary: &[Entry],
    seed: Option<u64>,
    maps: &mut Maps,
) -> Option<Vec<BaseMap>> {
    let varied = vary.iter().find(|entry| entry.key == MAP_PATH);
    let names = match (table.take("map"), varied) {
        (Some(map), None) => vec![(map.string()?, map)],
        (None, Some(varied)) => map_names(varied),
        (Some(map), Some(_)) => {
            map.error_at_key("`map` is also in `[vary]`", "remove one of them");
            return None;
        }
        (None, None) => {
            if !table.issues.is_partial() {
                table.issues.error(table.span(), "missing key `map` in a sweep");
            }
            return None;
        }
    };
    let paths: Vec<ValuePath> =
        vary.iter().filter_map(|entry| values::parse_path(entry.key).ok()).small_collect();
    let mut known = BTreeSet::new();
    let mut bases = Vec::with_capacity(names.len());
    for (name, entry) in &names {
        if !known.insert(*name) {
            continue;
        }
        match maps.read(name, seed, &paths) {
            Ok(base) => bases.push(base),
            Err(reason) => {
                entry.error(format!("can't read the map: {reason}"));
                bases.push(None);
            }
        }
    }
    let bases: Option<Vec<_>> = bases.into_iter().collect();
    bases.filter(|bases| !bases.is_empty())
}

/// Number of points of a design, and the seed of its random numbers.
struct Size {
    points: usize,
    /// Seed of the random numbers of the design.
    seed: u64,
}

/// Reads the number of design points and the seed of the design. Reports keys that the design does
/// not use. Returns `None` if the number is missing or too large.
fn read_size(table: &TableReader, design: DesignKind, varied: &[Varied]) -> Option<Size> {
    let scrambles = design == DesignKind::Halton && varied.len() > PLAIN_PATHS;
    let uses_seed = scrambles || matches!(design, DesignKind::Random | DesignKind::Latin);
    if let Some(entry) = table.take("design_seed").filter(|_| !uses_seed) {
        entry.error_at_key("`design_seed` has no effect: this design has no random numbers", "");
    }
    let seed = table.integer("design_seed").unwrap_or(0).cast_unsigned();
    if design.is_sampled() {
        if let Some(entry) = table.take("design").filter(|_| varied.is_empty()) {
            entry.error_with_help("this design needs paths", "write the paths in `[vary]`");
        }
        table.require("points")?;
        return table.integer("points").map(|points| Size { points: points as usize, seed });
    }
    table.integer("points");
    if let Some(entry) = table.take("points") {
        let help = "use `design = \"latin\"`, `halton` or `random`, or remove `points`";
        entry.error_at_key("the values of `[vary]` determine the number of points", help);
    }
    let counts = varied.iter().map(|each| each.axis.values.count());
    let points = match design {
        DesignKind::Zip => zip_length(varied),
        DesignKind::Grid | DesignKind::Random | DesignKind::Halton | DesignKind::Latin => {
            counts.fold(1, usize::saturating_mul)
        }
    };
    if points > MAX_POINTS as usize {
        let span = varied.first().map_or(table.span(), |each| each.entry.key_span.clone());
        let message = format!("the sweep has {points} design points; the limit is {MAX_POINTS}");
        table.issues.error(span, message);
        return None;
    }
    Some(Size { points, seed })
}

/// Returns the common number of values of all paths. Reports paths with another number.
fn zip_length(varied: &[Varied]) -> usize {
    let Some((first, others)) = varied.split_first() else { return 1 };
    let count = first.axis.values.count();
    for other in others {
        let own = other.axis.values.count();
        if own != count {
            let message = format!(
                "with `zip`, all paths need the same number of values: `{}` has {count}, but this \
                 has {own}",
                show::text(&first.axis.path)
            );
            other.entry.error(message);
        }
    }
    count
}

/// Reports an error if the sweep has too many runs.
fn check_runs(table: &TableReader, points: usize, seeds: usize) {
    let runs = points as u64 * seeds as u64;
    if runs > MAX_RUNS {
        let span = table.take("seeds").map_or(table.span(), |entry| entry.span());
        let message = format!(
            "the sweep has {runs} runs ({points} design points, {seeds} seeds); the limit is \
             {MAX_RUNS}"
        );
        table.issues.error(span, message);
    }
}

/// Reports an error for two paths that name the same value in different ways.
fn refuse_same(varied: &[Varied], maps: &[BaseMap]) {
    let Some(tree) = maps.first().and_then(|map| map.tree.as_ref()) else { return };
    let mut known: Vec<(ValuePath, &str)> = Vec::with_capacity(varied.len());
    for each in varied {
        let Some(Ok(path)) = each.path.as_ref().map(|path| settings::numbered_path(path, tree))
        else {
            continue;
        };
        if let Some((_, other)) = known.iter().find(|(other, _)| *other == path) {
            let message = format!("this is the same value as `{}`", show::text(other));
            each.entry.error_at_key(message, "remove one of the paths");
        }
        known.push((path, &each.axis.path));
    }
}

/// Path that stands for the map itself.
const MAP_PATH: &str = "map";

/// A varied path with its location in the sweep file.
#[derive(Debug)]
pub struct Varied<'a> {
    pub entry: Entry<'a>,
    pub axis: Axis,
    /// The parsed path; `None` for the map.
    pub path: Option<ValuePath>,
    /// Values to check with the maps, and their locations in the sweep file: each value of a list,
    /// or both ends of a range.
    pub checks: Vec<(Value, Range<usize>)>,
}

/// Returns the entries of `[vary]` in file order. Reports a table with too many entries and returns
/// an empty list.
fn varied_entries<'a>(table: &TableReader<'a>) -> Vec<Entry<'a>> {
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
fn map_names<'a>(entry: &Entry<'a>) -> Vec<(&'a str, Entry<'a>)> {
    let names = entry.array().into_iter().flatten();
    names.filter_map(|name| Some((name.string()?, name))).small_collect()
}

/// Reads a path and its values. Returns `None` after any error.
fn read_varied<'a>(
    entry: Entry<'a>,
    design: DesignKind,
    maps: &[BaseMap],
    columns: &mut Columns,
) -> Option<Varied<'a>> {
    let is_new = columns.claim(&entry, entry.key_span.clone());
    let (path, key) = if entry.key == MAP_PATH {
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
    let Ok(path) = values::parse_path(entry.key) else {
        let what =
            if matches!(entry.get(), DeValue::Table(_)) { "in quotes" } else { "of a value" };
        let example = || format!("write the path {what}, as in `\"boid.body.max_speed\" = [1, 2]`");
        let known = values::map_keys().chain([MAP_PATH]);
        let help = entry.issues.suggestion(&entry.key_span, entry.key, known, example);
        refuse(format!("invalid path `{}`", show::text(entry.key)), &help);
        return None;
    };
    let mut known = None;
    for map in maps {
        let place = map.among(maps);
        let mut tree = map.tree.clone()?;
        let setting = settings::with_value(&path, &Value::of_integer(0));
        if let Err(error) = settings::put_in(&setting, &mut tree) {
            refuse(error.to_string(), &place);
            return None;
        }
        match settings::key_of_path(&path, map.scenario.kinds()) {
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

type Checked = (AxisValues, Vec<(Value, Range<usize>)>);

fn read_list(entry: &Entry, design: DesignKind) -> Option<Checked> {
    let entries = entry.array()?;
    let count = entries.len();
    if count == 0 || count > MAX_POINTS as usize {
        entry.error(format!("a list has between 1 and {MAX_POINTS} values, but has {count}"));
        return None;
    }
    let mut known = BTreeSet::new();
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
    Some((AxisValues::List(list), values))
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
    let range = ValueRange { from, to, steps, scale, whole };
    let [low, high] = range.ends();
    if !design.is_sampled() && range.has_duplicates() {
        entry.error(format!("the range has fewer than {steps} different integers"));
        return None;
    }
    Some((AxisValues::Range(range), vec![(low, first.span()), (high, last.span())]))
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

/// Maximum number of values to check.
const MOST_VALUES: usize = 1000;

/// Maximum number of bytes of map text to read for the check.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Checks each value with each map, and reports errors at the location of the value. Does not check
/// combinations of values. If there are many values or large maps, checks only the first values.
fn check_values(varied: &[Varied], maps: &[BaseMap], seed: Option<u64>) {
    for map in maps {
        let bytes: usize = map.sources.files.iter().map(|file| file.text.len()).sum();
        let all = (MOST_BYTES / bytes.max(1)).clamp(20, MOST_VALUES);
        let mut left = (all / maps.len()).max(1);
        for each in varied {
            let Some(path) = &each.path else { continue };
            for (value, span) in each.checks.iter().take(left) {
                left -= 1;
                let setting = settings::with_value(path, value);
                let set = [maps::numbering([path]), vec![setting]].concat();
                let loaded = maps::with_settings(&map.sources, seed, set);
                if let Some(problem) = first_error(loaded) {
                    report_value(each, span.clone(), problem, maps, map);
                }
            }
        }
    }
}

/// Returns the message and advice of the first error of a map; `None` for a map without errors.
fn first_error(loaded: Result<Loaded, LoadError>) -> Option<(String, Vec<String>)> {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return Some((error.to_string(), Vec::new())),
    };
    let mut errors = loaded.report.diagnostics().iter();
    let error = errors.find(|each| each.severity == Severity::Error)?;
    let source = loaded.report.source(error.file);
    let mut help = error.help.clone();
    // An error outside of the setting has its place in the map.
    if error.file.0 == 0 {
        let (line, column) = source.line_column(error.span.start);
        help.push(format!("at {}:{line}:{column}", source.label()));
    }
    Some((error.message.clone(), help))
}

fn report_value(
    varied: &Varied,
    span: Range<usize>,
    (message, help): (String, Vec<String>),
    maps: &[BaseMap],
    map: &BaseMap,
) {
    let mut problem = Diagnostic::error(span, message);
    problem.help = help;
    varied.entry.issues.push(problem.help(map.among(maps)));
}
