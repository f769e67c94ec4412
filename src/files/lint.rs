//! Warnings about what is allowed and hardly meant.

use super::agent::Draft;
use super::diagnostic::{Diagnostic, Issues};
use crate::agent::Drive;
use crate::geom::TilePos;
use crate::map::{Map, Refusal};
use crate::pattern::Pattern;
use crate::scenario::Start;

/// Warns of paths that lead over tiles nobody can enter: for the first agent of each lot, as the
/// others may have other homes and the same path.
pub fn paths(drafts: &[Draft], starts: &[Start], map: &Map, issues: &Issues) {
    for draft in drafts {
        let start = starts.get(draft.kind.first.index());
        let (Some(start), false) = (start, issues.is_full()) else { continue };
        let home = TilePos::containing(start.position);
        if map.refusal(home).is_some() {
            // An error already, and the path has no good place to be.
            continue;
        }
        for (mode, span) in draft.kind.modes.iter().zip(&draft.patterns) {
            let Drive::Pattern { name, pattern, placement } = &mode.drive else { continue };
            let (Pattern::Path(path), Some(span)) = (pattern.as_ref(), span) else { continue };
            let anchor = placement.anchor(home);
            let tiles = path.tiles().iter().map(|&tile| anchor + tile);
            let mut refusals = tiles.filter_map(|tile| Some((tile, map.refusal(tile)?)));
            let Some((tile, why)) = refusals.next() else { continue };
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
            let help = format!("its first vertex stands on {anchor}");
            issues.push(Diagnostic::warning(span.clone(), message).help(help));
        }
    }
}
