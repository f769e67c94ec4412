//! Another run beside the present one, one that was left or one to compare with: hollow agents, and the way of the selected one.

use ratatui::buffer::Buffer;

use crate::tui::camera::View;
use crate::tui::glyph;
use crate::tui::session::Session;
use crate::tui::theme::Theme;
use crate::world::World;

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

/// Hollow agents, where those of another run are not where those of the present one are. Agents are
/// one if they bear the same name; who is in the other run alone is drawn, too.
pub fn agents(world: &World, other: &World, view: &View, theme: &Theme, buffer: &mut Buffer) {
    for id in other.ids() {
        let tile = other.tile(id);
        let Some(cell) = view.body(tile, other.position(id)) else { continue };
        let (scenario, its) = (world.scenario(), other.scenario());
        // Most often both have the same agents, in the same order.
        let same = id.index() < world.len() && scenario.name(id) == its.name(id);
        let here = if same { Some(id) } else { scenario.find(&its.name(id).to_string()) };
        if here.is_none_or(|here| world.tile(here) != tile) {
            buffer[(cell.x, cell.y)].set_symbol(glyph::GHOST).set_style(theme.dim);
        }
    }
}
