//! Draws the symbols of recent events next to the agents on the map.

use ratatui::buffer::Buffer;

use crate::debugger::past_event;
use crate::debugger::session::Session;
use crate::geom::{TilePos, Vec2};
use crate::id::AgentId;
use crate::tui::camera::View;
use crate::tui::overlays;
use crate::tui::theme::Theme;
use tilewalk_sim::sort::SmallSort;

/// Time for which an event symbol is shown, in seconds of simulated time.
const LASTS: f64 = 1.0;

/// Draws one event symbol for each visible agent with events in the last second. The most important
/// event determines the symbol.
pub fn draw(session: &Session, view: View, theme: &Theme, buffer: &mut Buffer) {
    let world = session.world();
    let frames = (LASTS / world.scenario().tick()) as u64;
    let lately = session.events().take_while(|event| event.frame.0 + frames > world.frame().0);
    let mut signs: Vec<(AgentId, u8, &str)> = Vec::new();
    for event in lately {
        let agent = past_event::agent(event, session.history());
        if let (Some(agent), Some((sign, rank))) = (agent, overlays::sign(&event.kind)) {
            signs.push((agent, rank, sign));
        }
    }
    // Events come latest first, and the sort is stable, so the latest event of the highest rank is
    // kept.
    signs.small_sort_by_key(|&(agent, rank, _)| (agent, core::cmp::Reverse(rank)));
    signs.dedup_by_key(|&mut (agent, ..)| agent);
    for (agent, _, sign) in signs {
        if let Some((x, y)) = place(view, world.tile(agent), world.position(agent)) {
            buffer[(x, y)].set_symbol(sign).set_style(theme.event);
        }
    }
}

/// Returns the cell for an event symbol. It is to the right of the agent's glyph, or above the
/// glyph if tiles are one cell wide. Returns `None` if that cell is outside the view.
fn place(view: View, tile: TilePos, position: Vec2) -> Option<(u16, u16)> {
    let cell = view.body(tile, position)?;
    if view.zoom.has_room_beside() {
        return (cell.x + 1 < view.area.right()).then(|| (cell.x + 1, cell.y));
    }
    (cell.y > view.area.y).then(|| (cell.x, cell.y - 1))
}
