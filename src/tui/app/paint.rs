//! Paint mode: a cursor on the map, and a pane with brushes.
//!
//! Opening and closing a list or the help does not end paint mode.

use crate::debugger::session::Subject;
use crate::files::write::edit::{starts, tiles};
use crate::geom::TilePos;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::camera::Zoom;
use crate::tui::input::Cell;
use crate::tui::layout::Panes;
use crate::tui::paint::{Canvas, Paint};

use super::component::Component;
use super::mouse::within;
use super::watch::MapScreen;
use super::{App, Effect};

/// The component of the map screen in paint mode. [`Paint`] holds its state.
pub(super) struct PaintScreen;

impl Component for PaintScreen {
    fn context(&self, app: &App) -> Context {
        match app.map_view.paint.as_ref().map(|paint| &paint.canvas) {
            Some(Canvas::Path(_)) => Context::Draw,
            Some(Canvas::Ground | Canvas::Matrix(_)) => Context::Paint,
            None => Context::Watch,
        }
    }

    fn close(&self, app: &mut App) -> Option<Effect> {
        if app.is_under_way() {
            app.stop_on_the_way();
        } else {
            app.leave_paint();
        }
        None
    }

    fn click(&self, app: &mut App, cell: Cell) -> Option<Effect> {
        let is_covered = within(app.layout().timeline, cell) || app.minimap_at(cell).is_some();
        if !is_covered && app.click_in_paint(cell) {
            return None;
        }
        MapScreen.click(app, cell)
    }

    fn right_click(&self, app: &mut App, cell: Cell) {
        app.open_menu_at(cell);
    }

    fn wheel(&self, app: &mut App, at: Cell, by: isize) -> Option<Effect> {
        MapScreen.wheel(app, at, by)
    }
}

impl App {
    pub(super) fn select_brush(&mut self, argument: Option<&Argument>) {
        if let Some(&Argument::Count(number)) = argument {
            self.choose_brush(number as usize - 1);
        } else {
            self.turn_brush(1);
        }
    }

    pub(super) fn pick_brush_at_cursor(&mut self) {
        if let Some(cursor) = self.map_view.paint.as_ref().map(|paint| paint.cursor) {
            self.pick_brush(cursor);
        }
    }

    pub(super) fn toggle_paint(&mut self) {
        if self.map_view.paint.is_some() {
            self.leave_paint();
            return;
        }
        self.enter_paint();
        let Some(session) = &self.session else { return };
        if let Err(why) = tiles::check(session.draft().files()) {
            self.warn(why);
            return;
        }
        let key = |action| self.setup.keymap.named(action, Context::Paint);
        let text = format!(
            "paint mode ({}: paint, {}: undo, {}: write, {}: leave)",
            key(Action::PaintHere),
            key(Action::Undo),
            self.setup.keymap.named(Action::Write, Context::Watch),
            key(Action::Close)
        );
        self.note(text);
    }

    /// Enters paint mode and pauses the run. The cursor starts at the selected tile or agent.
    pub(super) fn enter_paint(&mut self) {
        self.leave_goal();
        let Some(session) = &mut self.session else { return };
        self.clock.set_playing(false);
        self.map_view.panes = Panes::All;
        self.map_view.camera.follow = false;
        session.drive(None);
        if self.map_view.paint.is_some() {
            return;
        }
        let cursor = match session.subject() {
            Subject::Tile(tile) => tile,
            Subject::Agent(id) => session.world().tile(id),
            Subject::Nobody => TilePos::default(),
        };
        let map = session.scenario().map();
        let cursor = map.resolve(cursor).unwrap_or_default();
        // The first brush is the first kind of tile that blocks movement.
        let brush = map.legend().iter().position(|kind| !kind.walk).unwrap_or(0);
        let standing = starts::standing(session.draft().files());
        session.look_at(None);
        self.map_view.paint = Some(Box::new(Paint::new(cursor, brush, standing)));
        self.show_cursor();
    }

    /// Moves the view so that the cursor is visible. Zooms in if several tiles share a cell.
    pub(super) fn show_cursor(&mut self) {
        let area = self.map_area();
        let (Some(paint), Some(session)) = (&self.map_view.paint, &self.session) else { return };
        let (extent, centre) = (session.extent(), paint.cursor.centre());
        if self.map_view.camera.zoom.is_far() {
            self.map_view.camera.zoom_to(Zoom::Narrow, None, extent, area);
        }
        let view = self.map_view.camera.view(extent, area);
        if view.cells(paint.cursor).is_none() {
            self.map_view.camera.keep(centre, extent, area);
        }
    }

    /// Returns true if a map is open in paint mode.
    pub fn is_painting(&self) -> bool {
        self.map_view.paint.is_some() && self.session.is_some()
    }

    /// Cancels the unfinished stroke. Without an unfinished stroke, leaves paint mode and keeps all
    /// edits. The first call with an unfinished path only shows a warning; the next call discards
    /// the path.
    pub(super) fn leave_paint(&mut self) {
        let Some(paint) = &mut self.map_view.paint else { return };
        if paint.cancel() {
            self.answers.message = None;
            return;
        }
        let path = match &mut paint.canvas {
            Canvas::Path(drawing) if drawing.is_begun() && !drawing.warned => {
                drawing.warned = true;
                let key = |action| self.setup.keymap.named(action, Context::Draw);
                let (write, leave) = (key(Action::FinishPath), key(Action::Close));
                let text = format!("the path is not finished; {write}: finish, {leave}: discard");
                self.warn(text);
                return;
            }
            Canvas::Path(_) => Some("path discarded"),
            Canvas::Ground | Canvas::Matrix(_) => None,
        };
        self.map_view.paint = None;
        self.map_view.drag = None;
        let unsaved = self.session.as_ref().map_or(0, |it| it.draft().unsaved_count());
        let key = self.setup.keymap.named(Action::Write, Context::Watch);
        match (path, unsaved) {
            (Some(text), _) => self.note(text),
            (None, 0) => self.note("left paint mode"),
            (None, count) => {
                let edits = crate::words::count(count as u64, "edit");
                self.note(format!("left paint mode; {edits} not written; {key}: write"));
            }
        }
    }

    pub(super) fn move_cursor(&mut self, x: i32, y: i32) {
        let (Some(paint), Some(session)) = (&mut self.map_view.paint, &self.session) else {
            return;
        };
        let Some(tile) = session.scenario().map().resolve(paint.cursor + TilePos::new(x, y)) else {
            return;
        };
        paint.cursor = tile;
        self.show_cursor();
    }

    /// Returns the number of brushes. This is the number of tile kinds on the map, or 2 for a
    /// matrix.
    fn brushes(&self) -> usize {
        let legend = self.session.as_ref().map_or(1, |it| it.scenario().map().legend().len());
        match self.map_view.paint.as_ref().map(|paint| &paint.canvas) {
            Some(Canvas::Matrix(_)) => 2,
            Some(Canvas::Ground | Canvas::Path(_)) | None => legend,
        }
    }

    pub(super) fn choose_brush(&mut self, index: usize) {
        let count = self.brushes();
        if index >= count {
            self.warn(format!("no such brush; choose a brush from 1 to {count}"));
        } else if let Some(paint) = &mut self.map_view.paint {
            paint.brush = index;
        }
    }

    pub(super) fn turn_brush(&mut self, by: isize) {
        let count = self.brushes();
        if let Some(paint) = &mut self.map_view.paint {
            paint.brush = (paint.brush + count).saturating_add_signed(by) % count;
        }
    }

    /// Selects the brush that matches a tile. Does nothing while a path is drawn.
    pub(super) fn pick_brush(&mut self, tile: TilePos) {
        let (Some(paint), Some(session)) = (&mut self.map_view.paint, &self.session) else {
            return;
        };
        match &paint.canvas {
            Canvas::Matrix(matrix) => paint.brush = usize::from(!matrix.allows(tile)),
            Canvas::Ground => {
                let map = session.scenario().map();
                let Some(kind) = map.kind(tile) else { return };
                let index = map.legend().iter().position(|other| other.glyph == kind.glyph);
                paint.brush = index.unwrap_or(paint.brush);
                let name = kind.name.clone();
                self.note(format!("brush: {name}"));
            }
            Canvas::Path(_) => {}
        }
    }

    pub(super) fn next_tool(&mut self) {
        let Some(paint) = &mut self.map_view.paint else { return };
        paint.cancel();
        paint.tool = paint.tool.next();
        let word = paint.tool.word();
        self.note(format!("tool: {word}"));
    }

    /// Updates the cursor, the brushes and the edited matrix after the map changed. Cancels the
    /// unfinished stroke.
    pub(super) fn renew_paint(&mut self) {
        let (Some(paint), Some(session)) = (&mut self.map_view.paint, &self.session) else {
            return;
        };
        let map = session.scenario().map();
        paint.cancel();
        paint.standing = starts::standing(session.draft().files());
        paint.cursor = map.resolve(paint.cursor).unwrap_or_default();
        match &mut paint.canvas {
            Canvas::Ground => paint.brush = paint.brush.min(map.legend().len() - 1),
            Canvas::Path(_) => {}
            Canvas::Matrix(matrix) => match session.matrix(&matrix.name) {
                Ok(renewed) => *matrix = renewed,
                Err(_) => paint.canvas = Canvas::Ground,
            },
        }
        self.show_cursor();
    }
}
