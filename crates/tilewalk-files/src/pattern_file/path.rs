//! Path patterns: vertices, and how they become a walk.

use super::{Design, absolute, line};
use crate::diagnostic::Diagnostic;
use crate::reader::TableReader;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::pattern::path::{Ends, PathRules};
use tilewalk_sim::pattern::{MAX_TILES, PathPattern, Pattern};

/// Reads the keys of a path.
pub fn read(table: &mut TableReader) -> Option<Design> {
    let entry = table.require("vertices");
    let closed = table.take("closed").and_then(|value| value.boolean()).unwrap_or(false);
    let ends = table.take("ends");
    if let Some(ends) = ends.as_ref().filter(|_| closed) {
        let help = "remove `ends` or `closed = true`";
        ends.error_with_help("`ends` can't be used with `closed = true`", help);
    }
    let words = [("reverse", Ends::Reverse), ("stop", Ends::Stop)];
    let ends = ends.and_then(|ends| ends.word(&words, &[])).unwrap_or_default();
    let line = line(table);
    let dwell = table.take("dwell").and_then(|value| value.count(0..=1_000_000)).unwrap_or(0);
    let absolute = absolute(table);
    let rules = PathRules { closed, ends, line, dwell };

    let entry = entry?;
    let elements = entry.array()?;
    let count = elements.len();
    if !(2..=MAX_TILES).contains(&count) {
        let range = format!("between 2 and {MAX_TILES}");
        entry.error(format!("a path needs {range} vertices, but has {count}"));
        return None;
    }
    // Every vertex is looked at, so that all mistakes are told at once.
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
