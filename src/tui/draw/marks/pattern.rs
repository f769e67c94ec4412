//! A pattern on the map: its tiles, where it leads next, and whence the walker came.

use ratatui::buffer::Buffer;

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::pattern::Pattern;
use crate::pattern::matrix::Candidates;
use crate::tui::draw::canvas::Canvas;
use crate::tui::glyph;
use crate::tui::session::Session;
use crate::world::{DriveState, Flags};

/// Tiles of a pattern that are marked for an agent that is not selected.
const FEW: usize = 500;

/// Tiles of the way ahead that are marked.
const AHEAD: usize = 4096;

/// The tiles of an agent's pattern, or of its way to a target, and its next ones.
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

/// The tiles of a pattern that are in view, by the shorter way: all its tiles, or all in view.
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
    match (world.drive_state(id), pattern) {
        (DriveState::Path { at, .. }, Pattern::Path(path)) => {
            if let Some(next) = path.next(at) {
                canvas.tile(anchor + path.tile(next), Some(glyph::NEXT), theme.next, buffer);
            }
        }
        (DriveState::Matrix { at, .. }, Pattern::Matrix(_)) => {
            let here = world.tile(id);
            if let Some(way) = at.came_by {
                let from = here.neighbour(way.turned(4));
                canvas.tile(from, Some(glyph::CAME_FROM), theme.came_from, buffer);
            }
            for &way in world.candidates(id).iter().flat_map(Candidates::ways) {
                let to = here.neighbour(way);
                canvas.tile(to, Some(glyph::CANDIDATE), theme.candidate, buffer);
            }
            let coming = session.coming().filter(|_| session.selected() == Some(id));
            if let Some(way) = coming.and_then(|choice| choice.taken()) {
                canvas.tile(here.neighbour(way), Some(glyph::NEXT), theme.next, buffer);
            }
        }
        _ => {}
    }
}
