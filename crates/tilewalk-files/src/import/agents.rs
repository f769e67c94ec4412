//! Writes the agents of a Tiled map: objects of the class `agent`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::{Content, Texts};
use crate::formats::tiled::DrawnAgent;
use crate::import::values::{pattern_name, position, quoted};
use crate::keys::agent::{AGENT, BODY, DRIVES, VIEW};
use crate::keys::table::{Key, ValueKind};
use crate::read::loading::{Options, reload};
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::text::name::word;
use crate::text::report::Report;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};

/// Appends all agents to a map. Returns the byte range of each agent in the text. Agents that
/// follow an imported path are commented out if `patterns` is false.
pub(super) fn write(text: &mut String, content: &Content, patterns: bool) -> Vec<Range<usize>> {
    let mut written = |agent: &DrawnAgent| {
        let start = text.len();
        let table = table(agent, content);
        let follows = content.drawing.paths.iter().any(|path| {
            table.contains(&format!("pattern = \"{}\"\n", pattern_name(content, path)))
        });
        let _ = writeln!(text, "\n# {}", show::text(&agent.label));
        let mark = if follows && !patterns { "# " } else { "" };
        if !mark.is_empty() {
            text.push_str("# Commented out: first save the pattern below.\n");
        }
        for line in table.lines() {
            let _ = writeln!(text, "{mark}{line}");
        }
        start..text.len()
    };
    content.drawing.agents.iter().map(&mut written).collect()
}

/// Formats an agent as an `[[agent]]` table in TOML.
fn table(agent: &DrawnAgent, content: &Content) -> String {
    let mut text = format!("[[agent]]\nname = \"{}\"\n", agent.name);
    let at = match agent.area {
        Some(area) => {
            let (min, max) = (area.min, area.max);
            format!("{{ within = [{}, {}, {}, {}] }}", min.x, min.y, max.x, max.y)
        }
        None => position(agent.at),
    };
    let _ = writeln!(text, "at = {at}");
    let (mut body, mut moves) = (Vec::new(), false);
    let mut seen = BTreeSet::new();
    for (name, raw) in &agent.properties {
        // A key can be in a table only once.
        if !seen.insert(name) {
            continue;
        }
        let in_view = name.strip_prefix("view.").and_then(|name| VIEW.key(name));
        if let Some(key) = AGENT.key(name).filter(|_| name != "name" && name != "at") {
            moves |= DRIVES.contains(&name.as_str());
            let _ = writeln!(text, "{name} = {}", own_value(key, raw, content));
        } else if let Some(key) = BODY.key(name).or(in_view) {
            body.push(format!("{name} = {}", value(key, raw)));
        }
    }
    if !body.is_empty() {
        let _ = writeln!(text, "body = {{ {} }}", body.join(", "));
    }
    if !moves {
        text.push_str("steer = [ { do = \"avoid_walls\" }, { do = \"wander\" } ]\n");
    }
    text
}

/// Converts the value of an `[[agent]]` key to TOML. Replaces labels of paths and places by their
/// names in the generated map.
fn own_value(key: &Key, raw: &str, content: &Content) -> String {
    let paths = &content.drawing.paths;
    match key.name {
        "pattern" => {
            let named = paths.iter().find(|path| path.label == raw || path.name == word(raw));
            named.map_or_else(|| quoted(raw), |path| quoted(&pattern_name(content, path)))
        }
        "steer" => {
            let rows: Vec<_> =
                raw.split(',').map(|row| format!("{{ do = {} }}", quoted(row.trim()))).collect();
            format!("[ {} ]", rows.join(", "))
        }
        "travel" | "chase" | "flee_tiles" => {
            let places = &content.drawing.places;
            let named = places.iter().find(|place| place.label == raw);
            quoted(named.map_or(raw, |place| &place.name))
        }
        _ => value(key, raw),
    }
}

/// Formats the value of a key in TOML. The value is unquoted if the key expects a number or boolean
/// and `raw` is one.
fn value(key: &Key, raw: &str) -> String {
    let is_bare = match key.kind {
        ValueKind::Float(_)
        | ValueKind::Integer(_)
        | ValueKind::OneOf(_)
        | ValueKind::FloatOrWord(..)
        | ValueKind::Heading(_) => raw.parse::<f64>().is_ok_and(f64::is_finite),
        ValueKind::Flag | ValueKind::True => matches!(raw, "true" | "false"),
        ValueKind::Text
        | ValueKind::Condition
        | ValueKind::Line
        | ValueKind::Words(_)
        | ValueKind::Vector(_)
        | ValueKind::Defined(_)
        | ValueKind::Array(..)
        | ValueKind::Map(..)
        | ValueKind::Other(_) => false,
    };
    if is_bare { raw.to_owned() } else { quoted(raw) }
}

/// Loads the generated map, and comments out each agent with a problem. Adds a warning for each of
/// these agents to `report`.
pub(super) fn check(texts: &mut Texts, agents: &[Range<usize>], report: &mut Report) {
    if agents.is_empty() {
        return;
    }
    let file = |place, text: &str| SourceFile { place, label: "map".into(), text: text.into() };
    let mut files = vec![file(FileRole::Map, &texts.map)];
    files.extend(
        texts.patterns.iter().map(|(name, text)| file(FileRole::Pattern(name.clone()), text)),
    );
    let sources = Arc::new(Sources { files, ..Sources::default() });
    let Ok(loaded) = reload(&sources, &Options::default()) else { return };
    let mut warnings = Vec::new();
    for agent in agents.iter().rev() {
        let problems = loaded.report.diagnostics().iter();
        let own = { problems }.find(|it| it.file.0 == 0 && agent.contains(&it.span.start));
        let Some(problem) = own else { continue };
        let table = texts.map[agent.clone()].to_owned();
        let label = table.lines().nth(1).unwrap_or_default().trim_start_matches("# ").to_owned();
        let message = format!("the agent `{label}` is commented out: {}", problem.message);
        let help = "change the properties of the object in Tiled, or the agent in the map";
        warnings.push(Diagnostic::warning(0..0, message).help(help));
        texts.map.replace_range(agent.clone(), &commented(&table));
        texts.map_alone = texts.map_alone.replace(&table, &commented(&table));
    }
    warnings.reverse();
    report.extend(warnings);
}

/// Comments out all lines of a text, except blank lines and comments.
fn commented(text: &str) -> String {
    let line = |line: &str| {
        let is_bare = line.trim().is_empty() || line.starts_with('#');
        format!("{}{line}", if is_bare { "" } else { "# " })
    };
    text.split_inclusive('\n').map(line).collect()
}
