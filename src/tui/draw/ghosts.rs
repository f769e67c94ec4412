//! Draws ghosts: the agents of a comparison run, and the trail of the selected agent's ghost.

use ratatui::buffer::Buffer;

use crate::debugger::session::Session;
use crate::history::OtherSide;
use crate::tui::camera::View;
use crate::tui::glyph;
use crate::tui::theme::Theme;
use crate::world::World;

use super::canvas::Canvas;
use super::strokes::Dash;

/// Draws the trail of the selected agent's ghost since the runs diverged. Draws nothing if the
/// comparison run is from another map or seed.
pub fn trail(session: &Session, canvas: &mut Canvas) {
    let other = session.history().other_side();
    let Some(OtherSide::Run { parted, .. }) = other else { return };
    let Some((id, trail)) = session.selected().zip(session.ghost_trail()) else { return };
    let points = trail.of(id, session.world().number(id)).filter(|point| point.frame >= parted);
    let map = session.world().scenario().map();
    let mut last = None;
    for point in points {
        if let Some(from) = last {
            let to = from + map.offset(from, point.at);
            canvas.strokes.line(from, to, Dash::Dotted, canvas.theme.trail);
        }
        last = Some(point.at);
    }
}

/// Draws the agents of the comparison run `other` as ghosts.
///
/// Agents are matched by name. A ghost is drawn if its agent in `world` is on another tile or does
/// not exist.
pub fn agents(world: &World, other: &World, view: &View, theme: &Theme, buffer: &mut Buffer) {
    for id in other.ids() {
        let tile = other.tile(id);
        let Some(cell) = view.body(tile, other.position(id)) else { continue };
        let here = other.same_agent(id, world);
        if here.is_none_or(|here| world.tile(here) != tile) {
            buffer[(cell.x, cell.y)].set_symbol(glyph::GHOST).set_style(theme.dim);
        }
    }
}
