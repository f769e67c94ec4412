//! Steering lists: the rows of `steer = [ … ]`, and `combine`.
//!
//! What all rows share is read here; the parameters of each behaviour in `behaviour` and `turning`.

mod behaviour;
mod course;
pub mod parameters;
mod turning;

use std::ops::RangeInclusive;

use super::diagnostic::Diagnostic;
use super::reader::TableReader;
use super::target::Targets;
use super::value::Entry;
pub use behaviour::{About, Context, FORMS};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Behaviour, Row, Target};

/// The most rows in one list.
const MAX_ROWS: usize = 100;

/// Weights.
const WEIGHT: RangeInclusive<f64> = 0.0..=1e6;

/// Chances that can come true; a row that never shall is `enabled = false`.
pub const PROBABILITY: RangeInclusive<f64> = 0.001..=1.0;

/// Reads `steer` of what settings call `path`.
pub fn read(entry: &Entry, path: &str, context: &mut Context) -> Vec<Row> {
    let rows = entry.tables("a behaviour");
    let count = entry.array().map_or(1, |rows| rows.len());
    if !(1..=MAX_ROWS).contains(&count) {
        entry.error(format!("`steer` needs between 1 and {MAX_ROWS} behaviours, but has {count}"));
    }
    let mut follows = false;
    let mut read = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        let (span, issues) = (row.span(), row.issues);
        let row = row.at(format!("{path}.steer.{}", index + 1));
        let Some(row) = read_row(row, context) else { continue };
        if count > 1 && matches!(row.behaviour, Behaviour::Track(_)) {
            let message = format!("`track` must be the only behaviour, but this list has {count}");
            let help = "remove the other behaviours: `track` sets the velocity directly";
            issues.push(Diagnostic::error(span.clone(), message).help(help));
        }
        let another = matches!(row.behaviour, Behaviour::FollowPath(_));
        if another && core::mem::replace(&mut follows, true) {
            let help = "use two modes: a mode can follow only one path";
            let message = "more than one `follow_path` in a list";
            issues.push(Diagnostic::error(span, message).help(help));
        }
        read.push(row);
    }
    read
}

/// Reads `combine`.
pub fn combine(entry: &Entry) -> Option<Combine> {
    entry.word(&Combine::WORDS, &[])
}

fn read_row(mut table: TableReader, context: &mut Context) -> Option<Row> {
    let form = table.require("do")?.word(&FORMS, &[])?;
    table.describe(form.row);
    let weight = table.take("weight");
    let weight_span = weight.as_ref().map(Entry::span);
    let weight = weight.and_then(|value| value.float(WEIGHT));
    let probability = table.float("probability", PROBABILITY);
    let enabled = table.take("enabled").and_then(|value| value.boolean()).unwrap_or(true);
    let (target, other) = read_targets(&mut table, form.about, context.targets);
    let behaviour = (form.read)(&mut table, context);
    if let (Some(0.0), Some(span), true) = (weight, weight_span, enabled) {
        let message = format!("`{}` has no effect: its weight is 0", behaviour.word());
        let help = "remove the behaviour, or set `enabled = false`";
        table.issues.push(Diagnostic::warning(span, message).help(help));
    }
    let (usual, likely) = (default_weight(&behaviour), default_probability(&behaviour));
    table.offer("weight", WEIGHT, Some(usual), "");
    table.offer("probability", PROBABILITY, Some(likely), "");
    table.finish(&["every"]);
    Some(Row {
        target,
        other,
        weight: weight.unwrap_or(usual),
        probability: probability.unwrap_or(likely),
        enabled,
        behaviour,
    })
}

/// Reads whom or what a row is about, by the key its behaviour has for it.
fn read_targets(
    table: &mut TableReader,
    about: About,
    targets: &Targets,
) -> (Option<Target>, Option<Target>) {
    match about {
        About::Nothing => (None, None),
        About::Heading(key) => {
            let entry = table.require(key).filter(|entry| !entry.is_number());
            (entry.and_then(|entry| targets.read_facing(&entry)), None)
        }
        About::One(key) => (table.require(key).and_then(|entry| targets.read(&entry)), None),
        About::Two => {
            let both = table.require("between").and_then(|entry| read_between(&entry, targets));
            (both.map(|both| both[0]), both.map(|both| both[1]))
        }
    }
}

/// `between = [a, b]`: two targets.
fn read_between(entry: &Entry, targets: &Targets) -> Option<[Target; 2]> {
    let [a, b] = entry.two("a pair `[a, b]` of targets")?;
    let (a, b) = (targets.read(&a), targets.read(&b));
    Some([a?, b?])
}

/// The weight of a row that gives none: what keeps bodies whole outweighs the rest.
fn default_weight(behaviour: &Behaviour) -> f32 {
    match behaviour {
        Behaviour::AvoidWalls(_) | Behaviour::AvoidObstacles(_) => 10.0,
        _ => 1.0,
    }
}

/// The probability of a row that gives none; the parameters of Buckland's code, and 0.8 where it
/// has no such behaviour.
fn default_probability(behaviour: &Behaviour) -> f32 {
    match behaviour {
        Behaviour::AvoidWalls(_) | Behaviour::AvoidObstacles(_) | Behaviour::Arrive(_) => 0.5,
        Behaviour::Flee(_) | Behaviour::Cohesion(_) => 0.6,
        Behaviour::Evade(_) => 1.0,
        Behaviour::Separation(_) => 0.2,
        Behaviour::Alignment(_) => 0.3,
        _ => 0.8,
    }
}
