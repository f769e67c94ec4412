//! The overlay `lines`: three kinds of tile lines from the selected tile to the selected agent.
//!
//! Where the lines differ, a letter marks each line. The tile or wall that blocks sight is marked
//! too.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;

use crate::debugger::session::{Session, Subject};
use crate::geom::TilePos;
use crate::geom::line::{LineKind, tiles};
use crate::tui::draw::canvas::Canvas;
use crate::tui::glyph;

/// Letters of the lines, in the order of [`LineKind::WORDS`].
const LETTERS: [&str; 3] = ["s", "b", "y"];

/// Draws the lines from the selected tile to the selected agent. Draws nothing unless both are
/// selected.
pub fn draw(session: &Session, canvas: &Canvas, buffer: &mut Buffer) {
    let (Subject::Tile(from), Some(id)) = (session.subject(), session.selected()) else { return };
    let (map, theme) = (canvas.map, canvas.theme);
    // On a torus, all lines take the shortest path, so the last tile may be beyond the edge.
    let sight: Vec<TilePos> = map.line(from, session.world().tile(id)).tiles().collect();
    let Some(&to) = sight.last() else { return };
    let mut on: BTreeMap<TilePos, [bool; 3]> = BTreeMap::new();
    for (index, (_, kind)) in LineKind::WORDS.into_iter().enumerate() {
        // The symmetric line is the line of sight, which the map computes.
        let line = if kind == LineKind::Symmetric { sight.clone() } else { tiles(kind, from, to) };
        for tile in line {
            on.entry(tile).or_default()[index] = true;
        }
    }
    for (tile, lines) in on {
        let mut letters =
            lines.iter().zip(LETTERS).filter(|(on, _)| **on).map(|(_, letter)| letter);
        let (first, second) = if lines == [true; 3] {
            (glyph::ON_LINE, None)
        } else {
            (letters.next().unwrap_or(glyph::ON_LINE), letters.next())
        };
        letters_on(tile, (first, second), canvas, buffer);
    }
    let between = sight.iter().take(sight.len() - 1).skip(1);
    for &hides in between.filter(|&&tile| map.is_opaque(tile)) {
        canvas.tile(hides, Some(glyph::HIT), theme.hit, buffer);
    }
    if let Some(hit) = map.sight_hit(from.centre(), session.world().position(id)) {
        canvas.tile(TilePos::containing(hit), Some(glyph::HIT), theme.hit, buffer);
    }
}

/// Draws a symbol on a tile, and an optional second symbol in the next cell. The second symbol is
/// omitted if tiles are one cell wide.
fn letters_on(
    tile: TilePos,
    (first, second): (&'static str, Option<&'static str>),
    canvas: &Canvas,
    buffer: &mut Buffer,
) {
    let Some(tile) = canvas.map.resolve(tile) else { return };
    let Some(cell) = canvas.view.body(tile, tile.centre()) else { return };
    buffer[(cell.x, cell.y)].set_symbol(first).set_style(canvas.theme.path);
    let beside = cell.x + 1;
    if let Some(second) = second
        && canvas.view.zoom.has_room_beside()
        && beside < canvas.view.area.right()
    {
        buffer[(beside, cell.y)].set_symbol(second).set_style(canvas.theme.path);
    }
}
