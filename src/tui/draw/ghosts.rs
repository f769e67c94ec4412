//! The run that was left, beside the present one: hollow agents, and the way of the selected one.

use ratatui::buffer::Buffer;

use crate::tui::camera::View;
use crate::tui::glyph;
use crate::tui::session::Session;
use crate::tui::theme::Theme;

use super::canvas::Canvas;
use super::strokes::Dash;

/// The way of the selected agent's ghost, since the runs parted.
pub fn trail(session: &Session, canvas: &mut Canvas) {
    let history = session.history();
    let (Some(ghost), Some(trail)) = (history.ghost(), session.ghost_trail()) else { return };
    let Some(id) = session.selected() else { return };
    let parted = history.parted(ghost, history.present());
    let points = trail.of(id).filter(|point| point.frame >= parted);
    let map = &session.world().scenario().map;
    let mut last = None;
    for point in points {
        if let Some(from) = last {
            let to = from + map.offset(from, point.at);
            canvas.strokes.line(from, to, Dash::Dotted, canvas.theme.trail);
        }
        last = Some(point.at);
    }
}

/// Hollow agents, where those of the ghost are elsewhere than the present ones.
pub fn agents(session: &Session, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let Some(ghost) = session.history().ghost_world() else { return };
    let world = session.world();
    for id in ghost.ids() {
        let tile = ghost.tile(id);
        if id.index() < world.len() && world.tile(id) == tile {
            continue;
        }
        if let Some(cell) = view.cell(tile) {
            buffer[(cell.x, cell.y)].set_symbol(glyph::GHOST).set_style(theme.dim);
        }
    }
}
