//! Handles clicks, drags and the mouse wheel.

use ratatui::layout::{Position, Rect};

use crate::tui::camera::Zoom;
use crate::tui::draw;
use crate::tui::input::Cell;
use crate::tui::timeline::Scale;

use super::{App, Drag, Effect};

impl App {
    /// Handles a click with the left button: on the command line, on the list of the current mode,
    /// or on a pane.
    pub(super) fn click(&mut self, cell: Cell) -> Option<Effect> {
        if let Ok(effect) = self.click_list(cell) {
            return effect;
        }
        if self.prompt.palette.is_some() {
            return None;
        }
        self.component().click(self, cell)
    }

    /// Handles a click with the right button. Ignored while the command line is open.
    pub(super) fn right_click(&mut self, cell: Cell) {
        if self.prompt.palette.is_none() {
            self.component().right_click(self, cell);
        }
    }

    /// Handles the mouse wheel over a cell. Zooms the map, or scrolls the pane, list or text page.
    /// `up` is true if the wheel scrolls up.
    pub(super) fn wheel(&mut self, at: Cell, up: bool) -> Option<Effect> {
        let by: isize = if up { -1 } else { 1 };
        if self.prompt.palette.is_some() {
            return self.roll_by(by);
        }
        self.component().wheel(self, at, by)
    }

    /// Returns true if a list, or the pane of paint mode, covers the cell.
    pub(super) fn covers(&self, cell: Cell) -> bool {
        let pane = self.is_painting().then(|| draw::paint::place(&self.layout(), self.screen));
        self.list().is_some_and(|list| list.covers(cell))
            || pane.is_some_and(|pane| within(pane, cell))
    }

    /// Goes to the frame at a cell of the timeline, and ends any seek or search. A cell to the left
    /// of the bar counts as its first cell, a cell to the right as its last one.
    pub(super) fn scrub(&mut self, cell: Cell) {
        let Some(session) = &self.session else { return };
        let bar = draw::timeline::bar(self.layout().timeline);
        let end = session.history().run().end();
        let column = cell.x.clamp(bar.x, bar.right().saturating_sub(1).max(bar.x)) - bar.x;
        self.leave_goal();
        self.go_to(Scale::of(end, bar.width).first(column).min(end));
    }

    /// Continues a drag after the pointer moved to `cell`. Does nothing if no drag is in progress.
    pub(super) fn drag(&mut self, cell: Cell) {
        let from = match &self.map_view.drag {
            None => return,
            Some(Drag::Time) => return self.scrub(cell),
            Some(Drag::Paint { .. }) => return self.drag_paint(cell),
            Some(Drag::Agent { name, from, .. }) => {
                let (name, from) = (name.clone(), *from);
                return self.drag_agent(name, from, cell);
            }
            Some(Drag::Minimap) => {
                if let Some(minimap) = self.minimap() {
                    self.look_from(&minimap, cell);
                }
                return;
            }
            Some(Drag::Map(from)) => *from,
        };
        let by = (i32::from(from.x) - i32::from(cell.x), i32::from(from.y) - i32::from(cell.y));
        // At square zoom, a tile is two cells wide, and the view moves by whole tiles. The
        // remaining distance counts for the next movement.
        let step = if self.map_view.camera.zoom == Zoom::Square { 2 } else { 1 };
        let by = (by.0 / step * step, by.1);
        if by != (0, 0) {
            let x = (i32::from(from.x) - by.0).clamp(0, u16::MAX.into()) as u16;
            self.map_view.drag = Some(Drag::Map(Cell { x, y: cell.y }));
            self.pan(by.0, by.1);
        }
    }
}

pub(super) fn within(area: Rect, cell: Cell) -> bool {
    area.contains(Position::new(cell.x, cell.y))
}
