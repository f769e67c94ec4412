//! Paint mode: a cursor on the map, and a pane with brushes.
//!
//! Opening and closing a list or the help does not end paint mode.

use crate::debugger::session::Subject;
use crate::files::edit::{ground, spots};
use crate::geom::TilePos;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::camera::Zoom;
use crate::tui::layout::Panes;
use crate::tui::paint::{Canvas, Paint};

use crate::tui::ui::Ui;

use super::MapScreen;

impl MapScreen {
    pub(in crate::tui) fn select_brush(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        if let Some(&Argument::Count(number)) = argument {
            self.choose_brush(ui, number as usize - 1);
        } else {
            self.turn_brush(1);
        }
    }

    pub(in crate::tui) fn pick_brush_at_cursor(&mut self, ui: &mut Ui) {
        if let Some(cursor) = self.paint.as_ref().map(|paint| paint.cursor) {
            self.pick_brush(ui, cursor);
        }
    }

    pub(in crate::tui) fn toggle_paint(&mut self, ui: &mut Ui) {
        if self.paint.is_some() {
            self.leave_paint(ui);
            return;
        }
        self.enter_paint(ui);
        let session = &self.session;
        if let Err(why) = ground::check(session.draft().files()) {
            self.warn(ui, why);
            return;
        }
        let key = |action| ui.setup.keymap.named(action, Context::Paint);
        let text = format!(
            "paint mode ({}: paint, {}: undo, {}: write, {}: leave)",
            key(Action::PaintHere),
            key(Action::Undo),
            ui.setup.keymap.named(Action::Write, Context::Map),
            key(Action::Close)
        );
        self.note(ui, text);
    }

    /// Enters paint mode and pauses the run. The cursor starts at the selected tile or agent.
    pub(in crate::tui) fn enter_paint(&mut self, ui: &Ui) {
        self.leave_goal();
        let session = &mut self.session;
        self.clock.set_playing(false);
        self.panes = Panes::All;
        self.camera.follow = false;
        session.drive(None);
        if self.paint.is_some() {
            return;
        }
        let cursor = match session.subject() {
            Subject::Tile(tile) => tile,
            Subject::Agent(id) => session.world().tile(id),
            Subject::None => TilePos::default(),
        };
        let map = &session.scenario().map;
        let cursor = map.resolve(cursor).unwrap_or_default();
        // The first brush is the first kind of tile that blocks movement.
        let brush = map.legend().iter().position(|kind| !kind.walk).unwrap_or(0);
        let standing = spots::standing(session.draft().files());
        session.look_at(None);
        self.paint = Some(Box::new(Paint::new(cursor, brush, standing)));
        self.show_cursor(ui);
    }

    /// Moves the view so that the cursor is visible. Zooms in if several tiles share a cell.
    pub(in crate::tui) fn show_cursor(&mut self, ui: &Ui) {
        let area = self.map_area(ui);
        let Some(paint) = &self.paint else { return };
        let session = &self.session;
        let (extent, centre) = (session.extent(), paint.cursor.centre());
        if self.camera.zoom.is_far() {
            self.camera.zoom_to(Zoom::Narrow, None, extent, area);
        }
        let view = self.camera.view(extent, area);
        if view.cells(paint.cursor).is_none() {
            self.camera.keep(centre, extent, area);
        }
    }

    /// Cancels the unfinished stroke. Without an unfinished stroke, leaves paint mode and keeps all
    /// edits. The first call with an unfinished path only shows a warning; the next call discards
    /// the path.
    pub(in crate::tui) fn leave_paint(&mut self, ui: &mut Ui) {
        let Some(paint) = &mut self.paint else { return };
        if paint.cancel() {
            ui.answers.message = None;
            return;
        }
        let path = match &mut paint.canvas {
            Canvas::Path(drawing) if drawing.is_begun() && !drawing.warned => {
                drawing.warned = true;
                let key = |action| ui.setup.keymap.named(action, Context::Draw);
                let (write, leave) = (key(Action::FinishPath), key(Action::Close));
                let text = format!("the path is not finished; {write}: finish, {leave}: discard");
                self.warn(ui, text);
                return;
            }
            Canvas::Path(_) => Some("path discarded"),
            Canvas::Ground | Canvas::Matrix(_) => None,
        };
        self.paint = None;
        self.drag = None;
        let unsaved = self.session.draft().unsaved_count();
        let key = ui.setup.keymap.named(Action::Write, Context::Map);
        match (path, unsaved) {
            (Some(text), _) => self.note(ui, text),
            (None, 0) => self.note(ui, "left paint mode"),
            (None, count) => {
                let edits = crate::words::count(count as u64, "edit");
                self.note(ui, format!("left paint mode; {edits} not written; {key}: write"));
            }
        }
    }

    pub(in crate::tui) fn move_cursor(&mut self, ui: &Ui, x: i32, y: i32) {
        let (Some(paint), session) = (&mut self.paint, &self.session) else { return };
        let Some(tile) = session.scenario().map.resolve(paint.cursor + TilePos::new(x, y)) else {
            return;
        };
        paint.cursor = tile;
        self.show_cursor(ui);
    }

    /// Returns the number of brushes. This is the number of tile kinds on the map, or 2 for a
    /// matrix.
    fn brushes(&self) -> usize {
        let legend = self.session.scenario().map.legend().len();
        match self.paint.as_ref().map(|paint| &paint.canvas) {
            Some(Canvas::Matrix(_)) => 2,
            Some(Canvas::Ground | Canvas::Path(_)) | None => legend,
        }
    }

    pub(in crate::tui) fn choose_brush(&mut self, ui: &mut Ui, index: usize) {
        let count = self.brushes();
        if index >= count {
            self.warn(ui, format!("no such brush; choose a brush from 1 to {count}"));
        } else if let Some(paint) = &mut self.paint {
            paint.brush = index;
        }
    }

    pub(in crate::tui) fn turn_brush(&mut self, by: isize) {
        let count = self.brushes();
        if let Some(paint) = &mut self.paint {
            paint.brush = (paint.brush + count).saturating_add_signed(by) % count;
        }
    }

    /// Selects the brush that matches a tile. Does nothing while a path is drawn.
    pub(in crate::tui) fn pick_brush(&mut self, ui: &mut Ui, tile: TilePos) {
        let (Some(paint), session) = (&mut self.paint, &self.session) else { return };
        match &paint.canvas {
            Canvas::Matrix(matrix) => paint.brush = usize::from(!matrix.allows(tile)),
            Canvas::Ground => {
                let map = &session.scenario().map;
                let Some(kind) = map.kind(tile) else { return };
                let index = map.legend().iter().position(|other| other.glyph == kind.glyph);
                paint.brush = index.unwrap_or(paint.brush);
                let name = kind.name.clone();
                self.note(ui, format!("brush: {name}"));
            }
            Canvas::Path(_) => {}
        }
    }

    pub(in crate::tui) fn next_tool(&mut self, ui: &mut Ui) {
        let Some(paint) = &mut self.paint else { return };
        paint.cancel();
        paint.tool = paint.tool.next();
        let word = paint.tool.word();
        self.note(ui, format!("tool: {word}"));
    }

    /// Updates the cursor, the brushes and the edited matrix after the map changed. Cancels the
    /// unfinished stroke.
    pub(in crate::tui) fn renew_paint(&mut self, ui: &Ui) {
        let (Some(paint), session) = (&mut self.paint, &self.session) else { return };
        let map = &session.scenario().map;
        paint.cancel();
        paint.standing = spots::standing(session.draft().files());
        paint.cursor = map.resolve(paint.cursor).unwrap_or_default();
        match &mut paint.canvas {
            Canvas::Ground => paint.brush = paint.brush.min(map.legend().len() - 1),
            Canvas::Path(_) => {}
            Canvas::Matrix(matrix) => match session.matrix(&matrix.name) {
                Ok(renewed) => *matrix = renewed,
                Err(_) => paint.canvas = Canvas::Ground,
            },
        }
        self.show_cursor(ui);
    }
}
