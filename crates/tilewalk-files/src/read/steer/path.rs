//! Reads the path of `follow_path` and `stay_on_path`: points, or the vertices of a path pattern.

use super::Context;
use crate::read::library::Shared;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::Entry;
use crate::text::reader::TableReader;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::SteeringPathId;
use tilewalk_sim::map::{Edges, Map};
use tilewalk_sim::pattern::Pattern;
use tilewalk_sim::steering::SteeringPath;
use tilewalk_sim::steering::path::MAX_POINTS;

/// Reads `points` or `pattern`, and the keys that belong to either. Adds the path to
/// `context.paths` and returns its id. After an error, the id is arbitrary. The map is then
/// rejected, so the id is never used.
pub fn read(table: &TableReader, context: &mut Context) -> SteeringPathId {
    let points = table.take("points");
    let pattern = table.take("pattern");
    let closed = table.take("loop");
    let offset = table.take("offset");
    let path = match (points, pattern) {
        (Some(_), Some(pattern)) => {
            let message = "`points` and `pattern` can't be used together";
            pattern.error_at_key(message, "");
            None
        }
        (Some(points), None) => {
            if let Some(offset) = offset {
                let help = "remove `offset`: `points` are map positions";
                offset.error_at_key("`offset` needs a `pattern`", help);
            }
            let closed = closed.and_then(|closed| closed.boolean()).unwrap_or(false);
            read_points(&points, closed, context.map)
        }
        (None, Some(pattern)) => {
            if let Some(closed) = closed {
                let help = "set `closed = true` in the pattern instead";
                closed.error_at_key("`loop` needs `points`", help);
            }
            read_pattern(&pattern, offset.as_ref(), context)
        }
        (None, None) => {
            if !table.issues.is_partial() {
                let message = "missing `points` or `pattern`";
                table.issues.error(table.span(), message);
            }
            None
        }
    };
    if let Some(path) = path {
        context.paths.push(path);
    }
    SteeringPathId((context.paths.len() as u32).saturating_sub(1))
}

fn read_points(entry: &Entry, closed: bool, map: Option<&Map>) -> Option<SteeringPath> {
    let elements = entry.array()?;
    let count = elements.len();
    if !(2..=MAX_POINTS).contains(&count) {
        entry.error(format!("a path needs between 2 and {MAX_POINTS} points, but has {count}"));
        return None;
    }
    let mut points = Vec::with_capacity(count);
    for element in elements {
        let Some(pair) = element.pair() else { continue };
        warn_outside(&element, pair.tile(), map);
        points.push(pair.point());
    }
    // All points are read, so that all problems are reported at once.
    (points.len() == count).then(|| SteeringPath { points: points.into(), closed, at_home: false })
}

/// Warns about a point outside the map. A wrapping map has no outside.
fn warn_outside(entry: &Entry, tile: TilePos, map: Option<&Map>) {
    let outside = |map: &Map| map.edges() == Edges::Wall && !map.tiles().contains(tile);
    if map.is_some_and(outside) {
        let message = format!("{tile} is outside the map");
        entry.issues.push(Diagnostic::warning(entry.span(), message));
    }
}

fn read_pattern(
    entry: &Entry,
    offset: Option<&Entry>,
    context: &mut Context,
) -> Option<SteeringPath> {
    let anchor = offset.and_then(Entry::tile);
    let (name, Shared { pattern, absolute }) = context.library.pattern(entry)?;
    let Pattern::Path(path) = pattern.as_ref() else {
        let word = pattern.word();
        let message = format!("`{name}` is a {word} pattern, not a path");
        entry.error_with_help(message, "use a pattern with `kind = \"path\"`");
        return None;
    };
    if let Some(offset) = offset.filter(|_| absolute) {
        offset.error_at_key("`offset` can't be used with an `absolute` pattern", "");
    }
    let count = path.corners().count();
    if count > MAX_POINTS {
        let message =
            format!("`{name}` has {count} vertices; the limit for steering is {MAX_POINTS}");
        entry.error(message);
        return None;
    }
    let at_home = anchor.is_none() && !absolute;
    let corner = anchor.unwrap_or_default();
    let corners = path.corners().map(|tile| corner + tile);
    if !at_home {
        corners.clone().for_each(|tile| warn_outside(entry, tile, context.map));
    }
    let points: Vec<Vec2> = corners.map(TilePos::centre).collect();
    Some(SteeringPath { points: points.into(), closed: path.rules().closed, at_home })
}
