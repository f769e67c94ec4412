//! Generates the tables of keys in the pages about files: docs/maps.md, docs/movement.md,
//! docs/imports.md and docs/runs.md.

use std::ops::RangeInclusive;

use tilewalk_sim::body::Needs;
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::steering::{ParameterShape, SPECS, Spec, TargetKeys};

use crate::formats::{FORMATS, TilesFormat};
use crate::keys::agent::{AGENT, BODY, DRIVES, MODE, TRANSITION, VIEW, drive};
use crate::keys::expect::EXPECT;
use crate::keys::map::{
    BREAK, BREAKS_FILE, LEGEND_ENTRY, MAP, MARKER, OBSTACLE, ON, SPAWN, TILED, WALL,
};
use crate::keys::pattern::{LEG, MATRIX, PATH, STEPS, STEPS_ROW, THRUST, common};
use crate::keys::steer;
use crate::keys::sweep::{MEASURE, RANGE, SWEEP};
use crate::keys::table::{DefaultValue, Key, Usage, ValueKind};

/// The pages of the directory `docs` with generated tables, and the names of their tables in the
/// order of the page. Each table is on one page.
#[rustfmt::skip]
pub const PAGES: [(&str, &[&str]); 4] = [
    (
        "maps.md",
        &[
            "map", "tiles-files", "legend", "obstacle", "wall", "agent", "body", "view", "craft",
            "spawn", "on",
        ],
    ),
    (
        "movement.md",
        &[
            "movement", "mode", "transition", "behaviour", "behaviours", "parameters",
            "behaviour-path", "pattern", "path", "matrix", "steps", "steps-row", "thrust", "leg",
        ],
    ),
    ("imports.md", &["tiled"]),
    ("runs.md", &["expect", "sweep", "sweep-range", "measure", "breakpoints"]),
];

/// Returns the table `name` of the page `page` as Markdown, for example the table `legend` of
/// `maps.md`. Returns `None` if the page has no such table.
pub fn table(page: &str, name: &str) -> Option<String> {
    let (_, names) = PAGES.iter().find(|(other, _)| *other == page)?;
    let text = names.contains(&name).then(|| content(name))??;
    Some(text.replace(&format!("]({page}#"), "](#"))
}

/// Returns a table. Its links name a page even if the heading is on the page of the table.
fn content(name: &str) -> Option<String> {
    let is_drive = |key: &&Key| DRIVES.contains(&key.name);
    let is_craft = |key: &&Key| key.usage == Usage::Body(Needs::Thrust);
    Some(match name {
        "map" => keys(&MAP.keys),
        "legend" => keys(&LEGEND_ENTRY.keys),
        "obstacle" => keys(&OBSTACLE.keys),
        "spawn" => keys(&SPAWN.keys),
        "on" => keys(&ON.keys),
        "wall" => keys(&WALL.keys),
        "expect" => keys(&EXPECT.keys),
        "tiled" => keys(&TILED.keys),
        "agent" => {
            let of_mode = drive();
            let is_own = |key: &&Key| of_mode.iter().all(|other| other.name != key.name);
            keys(AGENT.keys.iter().filter(is_own))
        }
        "body" => keys(BODY.keys.iter().filter(|key| !is_craft(key))),
        "view" => keys(&VIEW.keys),
        "craft" => keys(BODY.keys.iter().filter(is_craft)),
        "movement" => keys(MODE.keys.iter().filter(is_drive)),
        "mode" => keys(MODE.keys.iter().filter(|key| !is_drive(key))),
        "transition" => keys(&TRANSITION.keys),
        "behaviour" => behaviour(),
        "behaviours" => behaviours(),
        "parameters" => parameters(),
        "behaviour-path" => keys(&steer::path()),
        "pattern" => keys(&common(&["path", "matrix", "steps", "thrust"])),
        "path" => pattern(&PATH.keys),
        "matrix" => pattern(&MATRIX.keys),
        "steps" => pattern(&STEPS.keys),
        "steps-row" => keys(&STEPS_ROW.keys),
        "thrust" => pattern(&THRUST.keys),
        "leg" => keys(&LEG.keys),
        "sweep" => keys(SWEEP.keys.iter().filter(|key| key.name != "format")),
        "sweep-range" => keys(&RANGE.keys),
        "measure" => keys(&MEASURE.keys),
        "breakpoints" => {
            let own = BREAKS_FILE.keys.iter().filter(|key| key.name != "format");
            keys(own.chain(&BREAK.keys).chain(&MARKER.keys))
        }
        "tiles-files" => {
            let cells = |format: &TilesFormat| {
                vec![code(&format!(".{}", format.extension)), format.about.to_owned()]
            };
            render(
                &["file name extension", "file contents"],
                &FORMATS.iter().rev().map(cells).collect::<Vec<_>>(),
            )
        }
        _ => return None,
    })
}

fn pattern(list: &[Key]) -> String {
    keys(list.iter().filter(|key| !["kind", "format"].contains(&key.name)))
}

/// Returns a table with a row for each key. Columns without content are left out.
fn keys<'a>(list: impl IntoIterator<Item = &'a Key>) -> String {
    let list: Vec<_> = list.into_iter().collect();
    let has_default = list.iter().any(|key| key.default != DefaultValue::Nothing);
    let has_place = list.iter().any(|key| !key.valid_in.is_empty());
    let mut head = vec!["key", "type, range"];
    head.extend(has_default.then_some("default"));
    head.push("meaning");
    head.extend(has_place.then_some("valid in"));
    let row = |key: &&Key| {
        let name = if key.header.is_empty() { key.name } else { key.header };
        let mut cells = vec![code(name), kind(key)];
        cells.extend(has_default.then(|| default(key)));
        cells.push(meaning(key));
        let place = if key.valid_in.is_empty() { "all modes" } else { key.valid_in };
        cells.extend(has_place.then(|| place.to_owned()));
        cells
    };
    let rows: Vec<_> = list.iter().map(row).collect();
    render(&head, &rows)
}

fn render(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<_> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    let rows: String = rows.iter().map(|cells| line(cells)).collect();
    line(&head) + &rule + &rows
}

/// Returns the table of the keys that all behaviours have. The table contains the defaults of each
/// behaviour.
fn behaviour() -> String {
    let cells = |key: Key| {
        let default = match key.name {
            "weight" => defaults(|spec| spec.weight),
            "probability" => defaults(|spec| spec.probability),
            _ => default(&key),
        };
        vec![code(key.name), kind(&key), default, meaning(&key)]
    };
    let rows: Vec<_> = steer::common(SPECS[0]).into_iter().map(cells).collect();
    render(&["key", "type, range", "default", "meaning"], &rows)
}

/// Lists each value with the behaviours that have it. The most common value comes first, without
/// behaviour names.
fn defaults(value: fn(&Spec) -> f32) -> String {
    let mut groups: Vec<(f32, Vec<String>)> = Vec::new();
    for spec in SPECS {
        match groups.iter_mut().find(|(each, _)| *each == value(spec)) {
            Some((_, words)) => words.push(code(spec.word)),
            None => groups.push((value(spec), vec![code(spec.word)])),
        }
    }
    groups.small_sort_by_key(|(_, words)| std::cmp::Reverse(words.len()));
    let usual = groups[0].0.to_string();
    let others = groups[1..].iter().map(|(value, words)| format!("{}: {value}", words.join(", ")));
    std::iter::once(usual).chain(others).collect::<Vec<_>>().join("; ")
}

fn behaviours() -> String {
    let row = |spec: &&Spec| {
        let key = match spec.subject {
            TargetKeys::Nothing => "–".to_owned(),
            TargetKeys::Target(key) => code(key),
            TargetKeys::Heading(key, _) => {
                let (least, most) =
                    (number(*steer::HEADING.start()), number(*steer::HEADING.end()));
                let what = "or an agent or a group whose heading is matched";
                format!("`{key}`: degrees ({least} to {most}), {what}")
            }
            TargetKeys::Pair(key) => format!("`{key} = [a, b]`"),
        };
        vec![code(spec.word), spec.effect.to_owned(), key]
    };
    render(&["`do`", "effect", "target key"], &SPECS.iter().map(row).collect::<Vec<_>>())
}

/// Returns the table of all parameters. Equal parameters of several behaviours share a row.
fn parameters() -> String {
    let mut rows: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for spec in SPECS {
        let own = spec.parameters.iter().filter(|it| !matches!(it.shape, ParameterShape::Path));
        for key in own.flat_map(|it| steer::parameter(spec, it)) {
            let cells = vec![code(key.name), kind(&key), default(&key), meaning(&key)];
            match rows.iter_mut().find(|(_, other)| *other == cells) {
                Some((words, _)) => words.push(code(spec.word)),
                None => rows.push((vec![code(spec.word)], cells)),
            }
        }
    }
    let rows = rows.into_iter().map(|(words, cells)| [vec![words.join(", ")], cells].concat());
    render(&["`do`", "key", "type, range", "default", "meaning"], &rows.collect::<Vec<_>>())
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Returns the description of a key and its details. The description starts with a lower-case
/// letter and does not contain the unit.
fn meaning(key: &Key) -> String {
    let mut chars = key.about.chars();
    let first = chars.next().map_or_else(String::new, |first| first.to_lowercase().collect());
    let about = first + chars.as_str();
    if key.details.is_empty() { about } else { format!("{about}. {}", key.details) }
}

fn default(key: &Key) -> String {
    match key.default {
        DefaultValue::Nothing => "none".to_owned(),
        DefaultValue::Alternative => "–".to_owned(),
        DefaultValue::Required => "required".to_owned(),
        DefaultValue::Number(value) => number(value),
        DefaultValue::Flag(flag) => flag.to_string(),
        DefaultValue::Word(word) => format!("`\"{word}\"`"),
        DefaultValue::Text(text) => text.to_owned(),
    }
}

fn kind(key: &Key) -> String {
    if !key.shown_kind.is_empty() {
        return key.shown_kind.to_owned();
    }
    let unit = unit(if key.unit.is_empty() { key.shown_unit } else { key.unit });
    match &key.kind {
        ValueKind::Float(values) => format!("float, {}{unit}", range(values)),
        ValueKind::Integer(_) => format!("integer, {}{unit}", range(&key.range())),
        ValueKind::OneOf(numbers) => {
            numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
        }
        ValueKind::Flag => "boolean".to_owned(),
        ValueKind::True => "`true`".to_owned(),
        ValueKind::Text => "string".to_owned(),
        ValueKind::Condition => "[condition](conditions.md)".to_owned(),
        ValueKind::Line => "string, one line, up to 200 characters".to_owned(),
        ValueKind::Words(known) => quoted(known.iter().copied()),
        ValueKind::FloatOrWord(values, known) => {
            format!("{} or {}{unit}", quoted(known.iter().map(|(word, _)| *word)), range(values))
        }
        ValueKind::Heading(values) => {
            format!("{}{unit}, a list of two, or `\"random\"`", range(values))
        }
        ValueKind::Vector(values) => format!("two numbers, {}{unit}", range(values)),
        ValueKind::Defined("color") => "colour".to_owned(),
        ValueKind::Defined("pair") => "position".to_owned(),
        ValueKind::Defined("target") => "[target](movement.md#targets)".to_owned(),
        ValueKind::Defined("at") => "see [Start](maps.md#start)".to_owned(),
        ValueKind::Defined(name @ ("tile" | "glyph" | "name")) => (*name).to_owned(),
        ValueKind::Defined(_) | ValueKind::Map(..) => "table".to_owned(),
        ValueKind::Array(..) | ValueKind::Other(_) => "array".to_owned(),
    }
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
}

fn unit(unit: &str) -> String {
    match unit.strip_suffix("·m") {
        _ if unit.is_empty() => String::new(),
        _ if unit.starts_with("1/") => format!(", in {unit}"),
        Some(rest) => format!(" {rest} · mass"),
        None => format!(" {}", unit.replace('·', " · ")),
    }
}

fn range(range: &RangeInclusive<f64>) -> String {
    let (least, most) = (number(*range.start()), number(*range.end()));
    let between = if *range.start() < 0.0 { " to " } else { "–" };
    format!("{least}{between}{most}")
}

/// Formats a number with thousands separators from 10,000 on.
fn number(value: f64) -> String {
    let text = value.abs().to_string();
    let (whole, fraction) = text.split_once('.').map_or((&*text, None), |(a, b)| (a, Some(b)));
    let mut shown = if value < 0.0 { "−".to_owned() } else { String::new() };
    for (index, digit) in whole.chars().enumerate() {
        let rest = whole.len() - index;
        if whole.len() > 4 && index > 0 && rest.is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    fraction.map_or(shown.clone(), |fraction| format!("{shown}.{fraction}"))
}
