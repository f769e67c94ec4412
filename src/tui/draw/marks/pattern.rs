//! The overlay `pattern`: the tiles of a pattern or route, the next tile and the previous tile.

use ratatui::buffer::Buffer;

use crate::debugger::session::Session;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::pattern::Pattern;
use crate::pattern::matrix::Candidates;
use crate::tui::draw::canvas::Canvas;
use crate::tui::glyph;
use crate::world::{DriveState, Flags};

/// Maximum number of pattern or route tiles drawn for an agent that is not selected.
const FEW: usize = 500;

/// Maximum number of route tiles drawn for the selected agent.
const AHEAD: usize = 4096;

/// Draws the tiles of an agent's pattern, or the tiles of its route to a target. Marks the next
/// tile.
pub fn draw(session: &Session, id: AgentId, canvas: &Canvas, buffer: &mut Buffer) {
    let world = session.world();
    let most = if session.selected() == Some(id) { AHEAD } else { FEW };
    for (index, tile) in world.ahead(id).take(most).enumerate() {
        let (sign, style) = match index {
            0 => (Some(glyph::NEXT), canvas.theme.next),
            _ => (None, canvas.theme.pattern),
        };
        canvas.tile(tile, sign, style, buffer);
    }
    let Some((pattern, anchor)) = world.pattern(id) else { return };
    if session.selected() == Some(id) || pattern.tiles().len() <= FEW {
        tiles(pattern, anchor, canvas, buffer);
    }
    let idle = Flags::JOINING;
    if !world.flags(id).has(idle) && !world.flags(id).has(Flags::FINISHED) {
        next(session, id, pattern, anchor, canvas, buffer);
    }
}

/// Draws the visible tiles of a pattern. Searches the pattern's tiles or the visible tiles,
/// whichever are fewer.
fn tiles(pattern: &Pattern, anchor: TilePos, canvas: &Canvas, buffer: &mut Buffer) {
    let (tiles, view, style) = (pattern.tiles(), canvas.view, canvas.theme.pattern);
    if view.zoom.is_far() || tiles.len() <= view.area.area() as usize {
        for &tile in tiles {
            canvas.tile(anchor + tile, None, style, buffer);
        }
        return;
    }
    for tile in view.tiles() {
        if pattern.rank_on(canvas.map, anchor, tile).is_some() {
            canvas.tile(tile, None, style, buffer);
        }
    }
}

fn next(
    session: &Session,
    id: AgentId,
    pattern: &Pattern,
    anchor: TilePos,
    canvas: &Canvas,
    buffer: &mut Buffer,
) {
    let (world, theme) = (session.world(), canvas.theme);
    let state = world.drive_state(id);
    if let (DriveState::Path { at, .. }, Pattern::Path(path)) = (state, pattern)
        && let Some(next) = path.next(at)
    {
        canvas.tile(anchor + path.tile(next), Some(glyph::NEXT), theme.next, buffer);
    }
    if let (DriveState::Matrix { at, .. }, Pattern::Matrix(_)) = (state, pattern) {
        let here = world.tile(id);
        if let Some(direction) = at.came_by {
            let from = here.neighbour(direction.turned(4));
            canvas.tile(from, Some(glyph::CAME_FROM), theme.came_from, buffer);
        }
        for &direction in world.candidates(id).iter().flat_map(Candidates::directions) {
            let to = here.neighbour(direction);
            canvas.tile(to, Some(glyph::CANDIDATE), theme.candidate, buffer);
        }
        let coming = session.coming().filter(|_| session.selected() == Some(id));
        if let Some(direction) = coming.and_then(|choice| choice.taken()) {
            canvas.tile(here.neighbour(direction), Some(glyph::NEXT), theme.next, buffer);
        }
    }
}
