//! Warnings about what is allowed and hardly meant.

use std::ops::Range;

use super::agent::Draft;
use super::diagnostic::{Diagnostic, Issues};
use crate::agent::Drive;
use crate::geom::TilePos;
use crate::map::{Map, Refusal};
use crate::pattern::{PathPattern, Pattern};
use crate::scenario::Start;

/// Tiles that are looked at in one map: a million agents may share a path of a million tiles.
const MOST_TILES: usize = 20_000_000;

/// Warns of paths that lead over tiles nobody can enter: for the first agent of each lot, as the
/// others may have other homes and the same path.
pub fn paths(drafts: &[Draft], starts: &[Start], map: &Map, issues: &Issues) {
    let mut looked_at = 0;
    for (index, draft) in drafts.iter().enumerate() {
        // Without a start, or with one where nobody can be, there is an error already.
        let start = starts.get(draft.kind.first.index());
        let start = start.filter(|start| start.kind as usize == index && !issues.is_full());
        let home = start.map(|start| TilePos::containing(start.position));
        let Some(home) = home.filter(|&home| map.refusal(home).is_none()) else { continue };
        for (mode, spans) in draft.kind.modes.iter().zip(&draft.patterns) {
            for (used, span) in mode.drive.patterns().zip(spans) {
                let Pattern::Path(path) = used.pattern.as_ref() else { continue };
                looked_at += path.tiles().len();
                if looked_at > MOST_TILES {
                    return;
                }
                let anchor = used.placement.anchor(home);
                if let Some(warning) = walled(used.name, path, anchor, map, span) {
                    issues.push(warning);
                }
            }
        }
    }
}

/// Warns of patterns without an end among several: none ever follows them.
pub fn endless(drafts: &[Draft], issues: &Issues) {
    for draft in drafts {
        for (mode, spans) in
            draft.kind.modes.iter().zip(&draft.patterns).filter(|_| !issues.is_full())
        {
            let Drive::Patterns { list, .. } = &mode.drive else { continue };
            let endless = list.iter().zip(spans).filter(|(used, _)| !used.pattern.ends());
            for (used, span) in endless.filter(|_| list.len() > 1) {
                let message = format!("the pattern `{}` never ends: none follows it", used.name);
                let help = match used.pattern.as_ref() {
                    Pattern::Path(_) => {
                        "a closed path has no end: leave `closed` out and repeat the first vertex"
                    }
                    _ => "a matrix ends only at a dead end, with `dead_end = \"stay\"`",
                };
                issues.push(Diagnostic::warning(span.clone(), message).help(help));
            }
        }
    }
}

fn walled(
    name: &str,
    path: &PathPattern,
    anchor: TilePos,
    map: &Map,
    span: &Range<usize>,
) -> Option<Diagnostic> {
    let tiles = path.tiles().iter().map(|&tile| anchor + tile);
    let mut refusals = tiles.filter_map(|tile| Some((tile, map.refusal(tile)?)));
    let (tile, why) = refusals.next()?;
    let why = match why {
        Refusal::Edge => "the map ends there".to_owned(),
        Refusal::Obstacle(_) => "an obstacle stands there".to_owned(),
        Refusal::Wall(_) | Refusal::Corner(_) => {
            let kind = map.kind(tile).map_or("solid", |kind| kind.name.as_str());
            format!("it is {kind}")
        }
    };
    let more = match refusals.count() {
        0 => String::new(),
        1 => ", nor 1 more tile".to_owned(),
        count => format!(", nor {count} more tiles"),
    };
    let message = format!("the path `{name}` can't enter {tile}{more}: {why}");
    let first = anchor + path.tiles()[0];
    let help = format!("its first vertex stands on {first}");
    Some(Diagnostic::warning(span.clone(), message).help(help))
}
