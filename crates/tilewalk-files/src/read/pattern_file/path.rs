//! Reads `path` patterns.

use super::Design;
use crate::keys::words::ENDS;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::TableReader;
use tilewalk_sim::geom::{LineKind, TilePos};
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::pattern::{MAX_TILES, PathPattern, Pattern};

pub fn read(table: &TableReader) -> Option<Design> {
    let entry = table.require("vertices");
    let closed = table.flag("closed");
    let ends = table.take("ends");
    if let Some(ends) = ends.as_ref().filter(|_| closed) {
        let help = "remove `ends` or `closed = true`";
        ends.error_with_help("`ends` can't be used with `closed = true`", help);
    }
    let ends = ends.and_then(|ends| ends.word(&ENDS)).unwrap_or_default();
    let line = table.word("line", &LineKind::WORDS).unwrap_or_default();
    let dwell = table.count("dwell");
    let absolute = table.flag("absolute");
    let rules = PathRules { closed, ends, line, dwell };

    let entry = entry?;
    let elements = entry.array()?;
    let count = elements.len();
    if !(2..=MAX_TILES).contains(&count) {
        let range = format!("between 2 and {MAX_TILES}");
        entry.error(format!("a path needs {range} vertices, but has {count}"));
        return None;
    }
    // All vertices are read, so that all problems are reported at once.
    let vertices: Vec<Option<TilePos>> = elements.map(|element| element.tile()).collect();
    let vertices: Vec<TilePos> = vertices.into_iter().collect::<Option<_>>()?;
    if closed && count > 2 && vertices.first() == vertices.last() {
        let message = "the last vertex of this closed path repeats the first";
        let help = "remove the last vertex: `closed = true` joins the two ends";
        table.issues.push(Diagnostic::warning(entry.span(), message).help(help));
    }
    match PathPattern::new(&vertices, rules) {
        Ok(path) => {
            let path = if absolute { path } else { path.normalised() };
            Some(Design { pattern: Pattern::Path(path), absolute })
        }
        Err(error) => {
            entry.error(error.to_string());
            None
        }
    }
}
