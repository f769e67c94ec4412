//! Steering lists: the rows of `steer = [ … ]`.

use super::diagnostic::Diagnostic;
use super::reader::TableReader;
use super::target::Targets;
use super::value::Entry;
use crate::steering::combine::Combine;
use crate::steering::{Arrive, AvoidWalls, Behaviour, Flee, Row, Wander};

/// Behaviours that are planned.
const LATER: &[&str] = &[
    "pursue",
    "evade",
    "avoid_obstacles",
    "interpose",
    "hide",
    "follow_path",
    "stay_on_path",
    "offset_pursue",
    "separation",
    "alignment",
    "cohesion",
    "track",
    "dynamic_seek",
    "dynamic_flee",
    "dynamic_arrive",
    "match_velocity",
    "align",
    "face",
    "look_ahead",
    "hug_walls",
    "tether",
    "avoid_agents",
    "flow",
];

/// The most rows in one list.
const MAX_ROWS: usize = 100;

/// Lengths in tiles that must be more than nothing.
const LENGTH: std::ops::RangeInclusive<f64> = 0.001..=10_000.0;

/// A behaviour by its word.
#[derive(Debug, Clone, Copy)]
enum Word {
    Seek,
    Flee,
    Arrive,
    Wander,
    AvoidWalls,
}

/// Reads `steer`.
pub fn read(entry: &Entry, targets: &Targets) -> Vec<Row> {
    let rows = entry.tables("a steering row");
    let count = entry.array().map_or(1, |rows| rows.len());
    if !(1..=MAX_ROWS).contains(&count) {
        entry.error(format!("`steer` needs between 1 and {MAX_ROWS} rows, but has {count}"));
    }
    rows.into_iter().filter_map(|row| read_row(row, targets)).collect()
}

/// Reads `combine`.
pub fn combine(entry: &Entry) -> Option<Combine> {
    let words = [(Combine::Prioritized.word(), Combine::Prioritized)];
    entry.word(&words, &["weighted", "dithered", "first"])
}

fn read_row(mut table: TableReader, targets: &Targets) -> Option<Row> {
    let words = [
        ("seek", Word::Seek),
        ("flee", Word::Flee),
        ("arrive", Word::Arrive),
        ("wander", Word::Wander),
        ("avoid_walls", Word::AvoidWalls),
    ];
    let word = table.require("do")?.word(&words, LATER)?;
    table.describe(match word {
        Word::Seek => "a `seek` row",
        Word::Flee => "a `flee` row",
        Word::Arrive => "an `arrive` row",
        Word::Wander => "a `wander` row",
        Word::AvoidWalls => "an `avoid_walls` row",
    });
    let weight = table.take("weight");
    let weight_span = weight.as_ref().map(Entry::span);
    let weight = weight.and_then(|value| value.float(0.0..=1e6));
    let enabled = table.take("enabled").and_then(|value| value.boolean()).unwrap_or(true);
    let target = match word {
        Word::Seek | Word::Flee | Word::Arrive => {
            table.require("target").and_then(|entry| targets.read(&entry))
        }
        Word::Wander | Word::AvoidWalls => None,
    };
    let (behaviour, default_weight) = match word {
        Word::Seek => (Behaviour::Seek, 1.0),
        Word::Flee => (Behaviour::Flee(flee(&mut table)), 1.0),
        Word::Arrive => (Behaviour::Arrive(arrive(&mut table)), 1.0),
        Word::Wander => (Behaviour::Wander(wander(&mut table)), 1.0),
        Word::AvoidWalls => (Behaviour::AvoidWalls(avoid_walls(&mut table)), 10.0),
    };
    if let (Some(0.0), Some(span), true) = (weight, weight_span, enabled) {
        let message = format!("a weight of 0: `{}` has no effect", behaviour.word());
        let help = "leave it out, or write `enabled = false`";
        table.issues.push(Diagnostic::warning(span, message).help(help));
    }
    table.finish(&["probability", "every"]);
    Some(Row { behaviour, target, weight: weight.unwrap_or(default_weight), enabled })
}

fn flee(table: &mut TableReader) -> Flee {
    Flee { panic: table.take("panic").and_then(|value| value.float(LENGTH)) }
}

fn arrive(table: &mut TableReader) -> Arrive {
    let default = Arrive::default();
    let words = [("slow", 3.0), ("normal", 2.0), ("fast", 1.0)];
    let deceleration = table.take("deceleration").and_then(|value| match value.get() {
        toml::de::DeValue::String(_) => value.word(&words, &[]),
        _ => value.float(0.001..=1000.0),
    });
    Arrive {
        deceleration: deceleration.unwrap_or(default.deceleration),
        tweak: table.float("tweak", 0.001..=1000.0).unwrap_or(default.tweak),
        tolerance: table.float("tolerance", 0.0..=1000.0).unwrap_or(default.tolerance),
    }
}

fn wander(table: &mut TableReader) -> Wander {
    let default = Wander::default();
    Wander {
        radius: table.float("radius", LENGTH).unwrap_or(default.radius),
        distance: table.float("distance", 0.0..=10_000.0).unwrap_or(default.distance),
        jitter: table.float("jitter", 0.0..=10_000.0).unwrap_or(default.jitter),
        strength: table.float("strength", 0.001..=10_000.0).unwrap_or(default.strength),
    }
}

fn avoid_walls(table: &mut TableReader) -> AvoidWalls {
    let default = AvoidWalls::default();
    let angle = table.float("angle", 0.0..=180.0).map(f32::to_radians);
    AvoidWalls {
        // A feeler looks at every tile it crosses, in every frame.
        feeler: table.float("feeler", 0.001..=1000.0).unwrap_or(default.feeler),
        side: table.float("side", 0.001..=1.0).unwrap_or(default.side),
        angle: angle.unwrap_or(default.angle),
    }
}
