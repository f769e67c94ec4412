//! Reads a sweep file.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::axis::Axis;
use super::design::{self, DesignKind, PLAIN_PATHS};
use super::maps::{BaseMap, Maps};
use super::measure::{self, Columns};
use super::vary::{self, MAP, Varied};
use super::{FrozenSweep, Sweep, check};
use crate::diagnostic::Issues;
use crate::expect::seeds;
use crate::keys::sweep::{DESIGNS, MAX_POINTS, MAX_RUNS, SWEEP};
use crate::reader::{Entry, TableReader, document};
use crate::show;
use crate::value_path::ValuePath;
use tilewalk_sim::scenario::expectation::Seeds;

/// Reads a sweep and its maps. `label` names the sweep file in messages. Returns `None` after any
/// error.
pub fn read(label: &str, issues: &Issues, maps: &mut Maps) -> Option<Sweep> {
    document(issues.text(), &SWEEP, issues, |table| {
        crate::format(&table);
        let frames = table.integer("frames");
        let seeds = seeds::read(&table);
        let design = read_design(&table);
        let entries = vary::entries(&table);
        let first = match &seeds {
            Some(Seeds::List(list)) => list.first().copied(),
            Some(Seeds::Next(_)) | None => None,
        };
        let bases = read_maps(&table, &entries, first, maps);
        let known = bases.as_deref().unwrap_or_default();
        let mut columns = Columns::new();
        let count = entries.len();
        let read =
            |entry| vary::read(entry, design.unwrap_or(DesignKind::Grid), known, &mut columns);
        let varied: Vec<_> = entries.into_iter().filter_map(read).collect();
        let is_whole = varied.len() == count;
        refuse_same(&varied, known);
        let until = table.take("until").and_then(|entry| measure::condition(&entry, known));
        let measures = measure::read(&table, &mut columns, known);
        check::values(&varied, known, first);
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
    let varied = vary.iter().find(|entry| entry.key == MAP);
    let names = match (table.take("map"), varied) {
        (Some(map), None) => vec![(map.string()?, map)],
        (None, Some(varied)) => vary::map_names(varied),
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
    let paths: Vec<ValuePath> = vary.iter().filter_map(|entry| entry.key.parse().ok()).collect();
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
        let Some(Ok(path)) = each.path.as_ref().map(|path| path.numbered(tree)) else { continue };
        if let Some((_, other)) = known.iter().find(|(other, _)| *other == path) {
            let message = format!("this is the same value as `{}`", show::text(other));
            each.entry.error_at_key(message, "remove one of the paths");
        }
        known.push((path, &each.axis.path));
    }
}
