//! Free walls: lines of Braille dots, with a stub in the middle of a one-sided wall that points in
//! the direction of its normal.

use ratatui::style::Style;

use super::canvas::Canvas;
use super::strokes::Dash;

/// Length of the stub, in tiles.
const STUB: f32 = 0.6;

/// Draws all walls of the map onto the canvas. Overlays are drawn over them.
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
