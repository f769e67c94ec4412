//! Draws free walls as lines of Braille dots. A one-sided wall has a stub in its middle, in the
//! direction of its normal.

use ratatui::style::Style;

use super::canvas::Canvas;
use super::strokes::Dash;

/// Length of the stub of a one-sided wall, in tiles.
const STUB: f32 = 0.6;

/// Adds all walls of the map to the canvas. Overlays added later are drawn over the walls.
pub fn draw(canvas: &mut Canvas) {
    let map = canvas.map;
    let style = Style { bg: None, ..canvas.theme.wall };
    for wall in map.walls().list() {
        let (from, to) = (wall.from, map.wall_end(wall));
        canvas.strokes.line(from, to, Dash::Solid, style);
        if wall.one_sided {
            let middle = (from + to) / 2.0;
            let tip = middle + map.wall_normal(wall) * STUB;
            canvas.strokes.line(middle, tip, Dash::Solid, style);
        }
    }
}
