//! Checks the size of bodies and obstacles that are wider than a tile.

use crate::read::agent::AgentDraft;
use crate::text::diagnostic::{Diagnostic, Issues};
use tilewalk_sim::map::{Edges, Map, TILE_RADIUS};

/// Advice for a body or obstacle that is too large for a map that wraps.
pub const WRAP_HELP: &str =
    "on a map that wraps, a diameter must be less than half of each side; use a larger map";

/// Reports bodies with a radius above `TILE_RADIUS` that move on tiles. Also reports bodies that
/// are too large for a map that wraps.
pub fn check(drafts: &[AgentDraft], map: &Map, issues: &Issues) {
    for draft in drafts.iter().filter(|draft| draft.kind.body.radius > TILE_RADIUS) {
        let (name, radius) = (&draft.kind.name, draft.kind.body.radius);
        if let Some(most) = largest(map.width(), map.height(), map.edges(), radius) {
            let error = Diagnostic::error(draft.radius_span.clone(), too_large(radius, most));
            issues.push(error.help(WRAP_HELP));
        }
        if let Some(mode) = draft.kind.modes.iter().find(|mode| mode.may_walk()) {
            let message = format!(
                "`{name}` moves on tiles in the mode `{}`, but its radius is {radius}",
                mode.name
            );
            let help = "bodies that move on tiles have a radius of at most 0.5; larger bodies find \
                        their way with `steer` and the behaviour `flow`";
            issues.push(Diagnostic::error(draft.radius_span.clone(), message).help(help));
        }
    }
}

/// Returns the upper limit for radii in tiles if `radius` reaches it. Returns `None` for a radius
/// that fits. Only maps that wrap have a limit, and only for radii above `TILE_RADIUS`.
pub fn largest(width: u32, height: u32, edges: Edges, radius: f32) -> Option<f32> {
    let limit = width.min(height) as f32 / 4.0;
    let is_too_large = edges == Edges::Wrap && radius > TILE_RADIUS && radius >= limit;
    is_too_large.then_some(limit)
}

/// Returns the error message for a radius that is too large. `most` is the limit in tiles; the
/// radius must be below it.
pub fn too_large(radius: f32, most: f32) -> String {
    format!("`radius` must be less than {most} on this map, but is {radius}")
}
