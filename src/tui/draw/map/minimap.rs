//! Draws the minimap: the whole map in a corner of the view, with the visible part and the selected
//! agent. Other agents are drawn if the map has at most one agent per four cells of the minimap.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};

use crate::debugger::session::{Session, Subject};
use crate::tui::camera::{Extent, Stretch, View, Zoom};
use crate::tui::draw::{pane, tiles};
use crate::tui::glyph;
use crate::tui::theme::Theme;

/// Minimum size of a view with a minimap, in columns and rows.
const SMALLEST: (u16, u16) = (30, 9);

/// Maximum size of the minimap without its border, in columns and rows.
const LARGEST: (u16, u16) = (32, 14);

/// Minimum size of the minimap without its border, in columns and rows.
const LEAST: (u16, u16) = (8, 3);

/// Returns the minimap's view of the whole map, without the border.
///
/// Returns `None` if at least half of the map is visible, or if the minimap has no room in `view`.
///
/// The minimap is in the upper right corner. If it would cover the selected agent or tile there, it
/// is in the lower right corner.
pub fn place(session: &Session, view: &View) -> Option<View> {
    let area = view.area;
    let sheet = view.extent.sheet(view.zoom);
    let all = i64::from(sheet.0) * i64::from(sheet.1);
    if i64::from(area.area()) * 2 >= all || area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return None;
    }
    let (width, height) = ((area.width / 4).min(LARGEST.0), (area.height / 3).min(LARGEST.1));
    let room = Rect { width, height, ..area };
    let zoom = (0..=Zoom::FARTHEST).map(Zoom::Dots).find(|&zoom| {
        let (columns, rows) = view.extent.sheet(zoom);
        columns <= i32::from(width) && rows <= i32::from(height)
    })?;
    let mut map = View::whole(view.extent, zoom, room);
    if map.area.width < LEAST.0 || map.area.height < LEAST.1 {
        return None;
    }
    map.area.x = area.right() - 1 - map.area.width;
    map.area.y = area.y + 1;
    let world = session.world();
    let subject = match session.subject() {
        Subject::None => None,
        Subject::Tile(tile) => view.cell(tile),
        Subject::Agent(id) => view.body(world.tile(id), world.position(id)),
    };
    if subject.is_some_and(|cell| border(&map).contains(Position::new(cell.x, cell.y))) {
        map.area.y = area.bottom() - 1 - map.area.height;
    }
    Some(map)
}

/// Returns the area of the minimap including its border. `map` is the view of the minimap.
pub fn border(map: &View) -> Rect {
    let Rect { x, y, width, height } = map.area;
    Rect { x: x - 1, y: y - 1, width: width + 2, height: height + 2 }
}

/// Draws the minimap into a corner of `view`. Draws nothing if [`place`] returns `None`.
pub fn draw(session: &Session, view: &View, theme: &Theme, buffer: &mut Buffer) {
    let Some(map) = place(session, view) else { return };
    let covered = border(&map);
    Clear.render(covered, buffer);
    pane::frame("", "", theme, covered, buffer);
    let world = session.world();
    tiles::draw(world.scenario().map(), session.mip_levels(), &map, theme, buffer);
    // Many agents would hide the map.
    let few = world.len() * 4 <= map.area.area() as usize;
    for id in world.ids().filter(|_| few) {
        if let Some(cell) = map.cell(world.tile(id)) {
            let index = world.scenario().starts()[id.index()].kind as usize;
            let style = theme.agents(&world.scenario().kinds()[index], index);
            buffer[(cell.x, cell.y)].set_symbol(glyph::TICK).set_style(style);
        }
    }
    let Extent { width, height, .. } = view.extent;
    for cell in map.area.positions() {
        let column = map.column(cell.x - map.area.x);
        let row = map.row(cell.y - map.area.y);
        let seen = |at: Stretch, first: Stretch, last: Stretch, around: i32| {
            let long = (last.last - first.first).rem_euclid(around);
            (at.first - first.first).rem_euclid(around) <= long
                || (first.first - at.first).rem_euclid(around) <= at.last - at.first
        };
        let across = seen(column, view.column(0), view.column(view.area.width - 1), width);
        let down = seen(row, view.row(0), view.row(view.area.height - 1), height);
        if across && down {
            buffer[cell].set_style(theme.chosen);
        }
    }
    let selected = session.selected();
    if let Some((id, cell)) = selected.and_then(|id| Some((id, map.cell(world.tile(id))?))) {
        let sign = glyph::safe(&world.kind(id).glyph);
        buffer[(cell.x, cell.y)].set_symbol(sign).set_style(theme.strong);
    }
}
