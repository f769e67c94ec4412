//! Writes the texts of an imported map and its patterns.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use super::{Content, Texts};
use crate::formats::tiled::{DrawnPath, DrawnPlace, DrawnWall};
use crate::import::values::{pattern_name, point, position, quoted};
use crate::show;
use crate::write::edit::route::new_path;
use tilewalk_sim::color::{Color, WORDS};
use tilewalk_sim::geom::{TilePos, TileRect};
use tilewalk_sim::tile::TileKind;

/// Returns the texts of all generated files, and the byte range of each imported agent in the map
/// text.
pub(super) fn write(content: &Content) -> (Texts, Vec<Range<usize>>) {
    let (map, agents) = map(content, true);
    let map_alone =
        if content.drawing.paths.is_empty() { map.clone() } else { self::map(content, false).0 };
    let pattern = |path| (pattern_name(content, path), pattern(content, path));
    let patterns = content.drawing.paths.iter().map(pattern).collect();
    (Texts { map, map_alone, patterns }, agents)
}

fn map(content: &Content, patterns: bool) -> (String, Vec<Range<usize>>) {
    let mut text = String::with_capacity(content.drawing.tiles.cells().len() * 2);
    head(&mut text, content);
    tiles(&mut text, content);
    legend(&mut text, &content.kinds);
    places(&mut text, content);
    walls(&mut text, content);
    agents(&mut text, content, patterns);
    let imported = crate::import::agents::write(&mut text, content, patterns);
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

fn head(text: &mut String, content: &Content) {
    let (file, tiles) = (show::text(content.file), &content.drawing.tiles);
    let _ = writeln!(
        text,
        "# Imported from {file}: {} × {} tiles.\n\
         # Start by editing the agents at the end of this file.\n\
         format = 1\n\
         title  = {}\n",
        tiles.width(),
        tiles.height(),
        quoted(&content.stem),
    );
}

fn tiles(text: &mut String, content: &Content) {
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

pub(crate) fn legend(text: &mut String, kinds: &[TileKind]) {
    if !kinds.is_empty() {
        text.push_str("\n[legend]\n");
    }
    for kind in kinds {
        let mut keys = vec![format!("name = {}", quoted(&kind.name))];
        if !kind.walk {
            keys.push("walk = false".to_owned());
        }
        if kind.opaque {
            keys.push("opaque = true".to_owned());
        }
        if kind.cost != 1.0 {
            keys.push(format!("cost = {:?}", kind.cost));
        }
        if kind.drawn != kind.glyph {
            keys.push(format!("glyph = {}", quoted(&kind.drawn)));
        }
        match kind.color {
            Some(Color::Ansi(number)) => {
                let word = WORDS.get(usize::from(number)).unwrap_or(&"white");
                keys.push(format!("color = \"{word}\""));
            }
            Some(Color::Rgb(r, g, b)) => keys.push(format!("color = \"#{r:02x}{g:02x}{b:02x}\"")),
            None => {}
        }
        let _ = writeln!(text, "{} = {{ {} }}", quoted(&kind.glyph), keys.join(", "));
    }
}

fn places(text: &mut String, content: &Content) {
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

fn walls(text: &mut String, content: &Content) {
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

fn agents(text: &mut String, content: &Content, patterns: bool) {
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
fn travellers(text: &mut String, content: &Content, taken: &mut BTreeSet<String>) {
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

fn pattern(content: &Content, path: &DrawnPath) -> String {
    let (label, file) = (show::text(&path.label), show::text(content.file));
    let what = if path.path.is_closed() { "polygon" } else { "polyline" };
    let comment = format!("Imported from {file}: {what} {label}.");
    new_path(&comment, path.path.corners(), path.path.is_closed())
}
