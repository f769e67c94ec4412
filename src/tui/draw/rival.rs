//! The agents of another run, hollow, where they are not where those of this one are.

use ratatui::buffer::Buffer;

use crate::tui::camera::View;
use crate::tui::glyph;
use crate::tui::theme::Theme;
use crate::world::World;

/// Draws them. Agents are one if they bear the same name; who is in the other run alone is drawn,
/// too.
pub fn agents(world: &World, other: &World, view: &View, theme: &Theme, buffer: &mut Buffer) {
    for id in other.ids() {
        let tile = other.tile(id);
        let Some(cell) = view.cell(tile) else { continue };
        let (scenario, its) = (world.scenario(), other.scenario());
        // Most often both have the same agents, in the same order.
        let same = id.index() < world.len() && scenario.name(id) == its.name(id);
        let here = if same { Some(id) } else { scenario.find(&its.name(id).to_string()) };
        if here.is_none_or(|here| world.tile(here) != tile) {
            buffer[(cell.x, cell.y)].set_symbol(glyph::OTHER_RUN).set_style(theme.dim);
        }
    }
}
