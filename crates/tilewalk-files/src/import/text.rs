//! Writes the texts of an imported map, with its agents, and of its patterns.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::{ImportContent, Texts};
use crate::formats::tiled::{DrawnAgent, DrawnPath, DrawnPlace, DrawnWall};
use crate::keys::agent::{AGENT, BODY, DRIVES, VIEW};
use crate::keys::table::{Key, ValueKind};
use crate::read::loading::{Options, reload};
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::text::name::word;
use crate::text::report::Report;
use crate::text::span_tree::quoted;
use crate::tiles::legend::write_legend;
use crate::write::edit::path_pattern::new_path;

use tilewalk_sim::geom::{TilePos, TileRect, Vec2};
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};

/// Returns the texts of all generated files, and the byte range of each imported agent in the map
/// text.
pub(super) fn write(content: &ImportContent) -> (Texts, Vec<Range<usize>>) {
    let (map, agents) = map(content, true);
    let map_alone =
        if content.drawing.paths.is_empty() { map.clone() } else { self::map(content, false).0 };
    let pattern = |path| (pattern_name(content, path), pattern(content, path));
    let patterns = content.drawing.paths.iter().map(pattern).collect();
    (Texts { map, map_alone, patterns }, agents)
}

fn map(content: &ImportContent, patterns: bool) -> (String, Vec<Range<usize>>) {
    let mut text = String::with_capacity(content.drawing.tiles.cells().len() * 2);
    head(&mut text, content);
    tiles(&mut text, content);
    write_legend(&mut text, &content.kinds);
    places(&mut text, content);
    walls(&mut text, content);
    agents(&mut text, content, patterns);
    let imported = write_agents(&mut text, content, patterns);
    if !patterns {
        for path in &content.drawing.paths {
            let name = pattern_name(content, path);
            let _ = writeln!(text, "\n# Save the following lines as patterns/{name}.toml:");
            for line in pattern(content, path).lines() {
                let _ = writeln!(text, "#   {line}");
            }
        }
    }
    (text, imported)
}

fn head(text: &mut String, content: &ImportContent) {
    let (file, tiles) = (show::text(content.file), &content.drawing.tiles);
    let _ = writeln!(
        text,
        "# Imported from {file}: {} × {} tiles.\n\
         # Start by editing the agents at the end of this file.\n\
         format = 1\n\
         title  = {}\n",
        tiles.width(),
        tiles.height(),
        quoted(title(&content.stem)),
    );
}

/// Returns the title of a map. Names can't begin with a digit, but titles can.
fn title(stem: &str) -> &str {
    let plain =
        stem.strip_prefix('_').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    plain.unwrap_or(stem)
}

fn tiles(text: &mut String, content: &ImportContent) {
    let tiles = &content.drawing.tiles;
    let kinds = content.legend.kinds();
    let mut rows = String::with_capacity(tiles.cells().len() + tiles.height() as usize);
    for row in tiles.cells().chunks(tiles.width() as usize) {
        for &kind in row {
            rows.push_str(&kinds[usize::from(kind)].glyph);
        }
        rows.push('\n');
    }
    let _ = writeln!(text, "tiles = {}", literal(&rows));
}

/// Formats rows of glyphs as a multi-line TOML string. `rows` must end with a line break.
pub(super) fn literal(rows: &str) -> String {
    // Three single quotes would end the string.
    if rows.contains("'''") {
        let rows = rows.replace('\\', "\\\\").replace('"', "\\\"");
        return format!("\"\"\"\n{rows}\"\"\"");
    }
    format!("'''\n{rows}'''")
}

fn places(text: &mut String, content: &ImportContent) {
    let places = || content.drawing.places.iter().filter(|place| !place.is_hidden);
    if places().next().is_some() {
        text.push_str(
            "\n# Places to use as targets, for example of `seek` or `travel`.\n[places]\n",
        );
    }
    for DrawnPlace { name, at, area, label, .. } in places() {
        let inside = content.drawing.tiles.contains(TilePos::containing(*at));
        let (mark, why) = if inside { ("", "") } else { ("# ", ", outside the map") };
        let area = area.map_or_else(String::new, |TileRect { min, max }| {
            let corners = format!("{}, {}, {}, {}", min.x, min.y, max.x, max.y);
            format!("; its area: at = {{ within = [{corners}] }}")
        });
        let at = position(*at);
        let _ = writeln!(text, "{mark}{name} = {at}  # {}{why}{area}", show::text(label));
    }
}

fn walls(text: &mut String, content: &ImportContent) {
    for DrawnWall { label, points, one_sided, opaque } in &content.drawing.walls {
        let points: Vec<_> = points.iter().map(|at| point(*at)).collect();
        let _ = writeln!(text, "\n[[wall]]\nname = {}", quoted(&show::text(label)));
        let _ = writeln!(text, "points = [{}]", points.join(", "));
        if *one_sided {
            text.push_str("one_sided = true\n");
        }
        if !opaque {
            text.push_str("opaque = false\n");
        }
    }
}

fn agents(text: &mut String, content: &ImportContent, patterns: bool) {
    let mut taken = BTreeSet::new();
    if !content.queries.is_empty() {
        travellers(text, content, &mut taken);
    } else if content.has_room() {
        let name = content.agent_name("wanderer", &mut taken);
        let _ = write!(
            text,
            "\n# A sample agent that wanders around the map.\n\
             [[agent]]\n\
             name  = \"{name}\"\n\
             at    = \"anywhere\"\n\
             color = \"yellow\"\n\
             steer = [ {{ do = \"avoid_walls\" }}, {{ do = \"wander\" }} ]\n"
        );
    } else {
        text.push_str("\n# No agents yet: no tile of this map has room for an agent.\n");
    }
    for path in &content.drawing.paths {
        let closed = path.path.tiles().iter().find(|&&tile| !content.map.is_open(tile));
        let name = content.agent_name(&path.name, &mut taken);
        let _ = write!(text, "\n# Follows {}.", show::text(&path.label));
        let mark = match closed {
            Some(tile) => {
                let _ = writeln!(text, " Commented out: {tile} is not walkable.");
                "# "
            }
            None if !patterns => {
                text.push_str(" Commented out: first save the pattern below.\n");
                "# "
            }
            None => {
                text.push('\n');
                ""
            }
        };
        let start = path.path.tiles()[0];
        let _ = write!(
            text,
            "{mark}[[agent]]\n\
             {mark}name    = \"{name}\"\n\
             {mark}at      = [{}, {}]\n\
             {mark}pattern = \"{}\"\n",
            start.x,
            start.y,
            pattern_name(content, path),
        );
    }
}

/// Writes an agent for each query. The agent travels from the start to the goal of the query.
fn travellers(text: &mut String, content: &ImportContent, taken: &mut BTreeSet<String>) {
    for query in &content.queries {
        let name = content.agent_name(&format!("query_{}", query.number), taken);
        let closed = [query.from, query.to].into_iter().find(|&tile| !content.map.is_open(tile));
        let _ = write!(text, "\n# Query {}: optimal length {}.", query.number, query.length);
        let mark = if let Some(tile) = closed {
            let _ = writeln!(text, " Commented out: {tile} is not walkable.");
            "# "
        } else {
            text.push('\n');
            ""
        };
        let (from, to) = (query.from, query.to);
        let _ = write!(
            text,
            "{mark}[[agent]]\n\
             {mark}name   = \"{name}\"\n\
             {mark}at     = [{}, {}]\n\
             {mark}travel = [{}, {}]\n",
            from.x, from.y, to.x, to.y,
        );
    }
}

fn pattern(content: &ImportContent, path: &DrawnPath) -> String {
    let (label, file) = (show::text(&path.label), show::text(content.file));
    let what = if path.path.is_closed() { "polygon" } else { "polyline" };
    let comment = format!("Imported from {file}: {what} {label}.");
    new_path(&comment, path.path.corners(), path.path.is_closed())
}

/// Appends all agents to a map. Returns the byte range of each agent in the text. Agents that
/// follow an imported path are commented out if `patterns` is false.
fn write_agents(text: &mut String, content: &ImportContent, patterns: bool) -> Vec<Range<usize>> {
    let mut written = |agent: &DrawnAgent| {
        let start = text.len();
        let table = agent_table(agent, content);
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
fn agent_table(agent: &DrawnAgent, content: &ImportContent) -> String {
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
            body.push(format!("{name} = {}", value_text(key, raw)));
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
fn own_value(key: &Key, raw: &str, content: &ImportContent) -> String {
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
        _ => value_text(key, raw),
    }
}

/// Formats the value of a key in TOML. The value is unquoted if the key expects a number or boolean
/// and `raw` is one.
fn value_text(key: &Key, raw: &str) -> String {
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
pub(super) fn check_agents(texts: &mut Texts, agents: &[Range<usize>], report: &mut Report) {
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

/// Formats a position in TOML: the centre of a tile as integers, any other position as floats.
pub(super) fn position(at: Vec2) -> String {
    let tile = TilePos::containing(at);
    if tile.centre() == at {
        return format!("[{}, {}]", tile.x, tile.y);
    }
    point(at)
}

/// Formats a point in TOML, rounded to a thousandth of a tile.
pub(super) fn point(at: Vec2) -> String {
    let number = |number: f32| {
        // A thousandth of a tile is smaller than any pixel.
        let rounded = format!("{:.3}", f64::from(number));
        let short = rounded.trim_end_matches('0');
        if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
    };
    format!("[{}, {}]", number(at.x), number(at.y))
}

/// Returns the name of the pattern that is generated from a path.
pub(super) fn pattern_name(content: &ImportContent, path: &DrawnPath) -> String {
    format!("{}_{}", content.stem, path.name)
}
