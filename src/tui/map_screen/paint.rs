//! Paint mode: a cursor on the map, strokes that become edits, and paths drawn vertex by vertex.
//!
//! Opening and closing a list or the help does not end paint mode.

use std::collections::BTreeMap;

use tilewalk_sim::sort::SmallCollect;

use crate::debugger::session::{Reverted, Session, Subject};
use crate::files::write::edit::starts::{self, Standing};
use crate::files::write::edit::{Edit, path_pattern, tiles};
use crate::geom::{LineKind, TilePos, line};
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::camera::Zoom;
use crate::tui::component::within;
use crate::tui::draw;
use crate::tui::input::Cell;
use crate::tui::layout::Panes;
use crate::tui::paint::{Canvas, Drawing, Paint, Set, Tool};
use crate::tui::ui::Ui;

use super::MapScreen;
use super::mouse::Drag;

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
        if let Err(why) = tiles::check(session.draft().files()) {
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
        let map = session.scenario().map();
        let cursor = map.resolve(cursor).unwrap_or_default();
        // The first brush is the first kind of tile that blocks movement.
        let brush = map.legend().iter().position(|kind| !kind.walk).unwrap_or(0);
        let standing = starts::standing(session.draft().files());
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
        let matrix = match &paint.canvas {
            Canvas::Matrix(matrix) if !matrix.cells.painted.is_empty() => Some(matrix.name.clone()),
            Canvas::Matrix(_) | Canvas::Ground | Canvas::Path(_) => None,
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
        if let Some(name) = matrix {
            self.offer_to_attach(ui, &name);
        }
    }

    pub(in crate::tui) fn move_cursor(&mut self, ui: &Ui, x: i32, y: i32) {
        let (Some(paint), session) = (&mut self.paint, &self.session) else { return };
        let Some(tile) = session.scenario().map().resolve(paint.cursor + TilePos::new(x, y)) else {
            return;
        };
        paint.cursor = tile;
        self.show_cursor(ui);
    }

    /// Returns the number of brushes. This is the number of tile kinds on the map, or 2 for a
    /// matrix.
    fn brushes(&self) -> usize {
        let legend = self.session.scenario().map().legend().len();
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
                let map = session.scenario().map();
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
        self.show_cursor(ui);
    }
}

impl MapScreen {
    /// Applies an edit to the map and to the run. Returns false and shows a message if the edit
    /// fails or changes nothing.
    pub(in crate::tui) fn make_edit(&mut self, ui: &mut Ui, edit: Edit) -> bool {
        let session = &mut self.session;
        let label = description(&edit, session);
        match session.edit(edit, label.clone()) {
            Ok(Some(incoming)) => {
                self.go_on_edited(ui, incoming);
                return true;
            }
            Ok(None) => self.note(ui, format!("{label}: no change")),
            Err(why) => self.warn(ui, format!("{label}: {why}")),
        }
        if let Some(paint) = &mut self.paint {
            paint.cancel();
        }
        false
    }

    pub(in crate::tui) fn undo(&mut self, ui: &mut Ui) {
        if self.warns_of_path(ui) {
            return;
        }
        let session = &mut self.session;
        match session.undo() {
            None => self.note(ui, "nothing to undo"),
            Some(Err(why)) => self.warn(ui, format!("cannot undo: {why}")),
            Some(Ok(reverted)) => self.go_on_reverted(ui, "undid", reverted),
        }
    }

    pub(in crate::tui) fn redo(&mut self, ui: &mut Ui) {
        if self.warns_of_path(ui) {
            return;
        }
        let session = &mut self.session;
        match session.redo() {
            None => self.note(ui, "nothing to redo"),
            Some(Err(why)) => self.warn(ui, format!("cannot redo: {why}")),
            Some(Ok(reverted)) => self.go_on_reverted(ui, "redid", reverted),
        }
    }

    /// While a path is drawn, shows a warning and returns true. Undo and redo are then refused,
    /// because they would revert other edits.
    fn warns_of_path(&mut self, ui: &mut Ui) -> bool {
        let canvas = self.paint.as_ref().map(|paint| &paint.canvas);
        let draws = matches!(canvas, Some(Canvas::Path(_)));
        if draws {
            self.warn_of_path(ui);
        }
        draws
    }

    /// Shows a warning that the user must finish or discard the path first.
    pub(in crate::tui) fn warn_of_path(&mut self, ui: &mut Ui) {
        let key = |action| ui.setup.keymap.named(action, Context::Draw);
        let (write, leave) = (key(Action::FinishPath), key(Action::Close));
        self.warn(ui, format!("finish the path first ({write}: finish, {leave}: discard)"));
    }

    /// Applies the result of undo or redo to the run. `verb` is the first word of the report, such
    /// as `undid`.
    fn go_on_reverted(&mut self, ui: &mut Ui, verb: &str, reverted: Reverted) {
        match reverted {
            Reverted::Value(text) => {
                let offer = if self.session.can_forget_change() {
                    let key = ui.setup.keymap.named(Action::Flip, Context::Map);
                    format!("; {key}: as if never made")
                } else {
                    String::new()
                };
                self.note(ui, format!("{verb} {text}{offer}"));
                self.renew_after_value(ui);
            }
            Reverted::Edit(mut incoming, change) => {
                let session = &self.session;
                incoming.label = format!("{verb} {}", description(&change.edit, session));
                self.go_on_edited(ui, incoming);
            }
        }
    }

    /// Paints the tile at the cursor. The line and rectangle tools first set a corner, and paint in
    /// the second call. If an object is held, puts it down at the cursor.
    pub(in crate::tui) fn paint_here(&mut self, ui: &mut Ui) {
        let Some(paint) = &mut self.paint else { return };
        let cursor = paint.cursor;
        if let Some(held) = paint.held.take() {
            self.put_down(ui, &held, cursor);
        } else if paint.tool != Tool::Point && paint.corner.is_none() {
            paint.corner = Some(cursor);
            let word = paint.tool.word();
            self.note(
                ui,
                format!("{word} from {cursor}; move to the other end and press the key again"),
            );
        } else {
            let tiles = paint.tool.tiles(paint.corner.unwrap_or(cursor), cursor);
            self.paint_tiles(ui, &tiles);
        }
    }

    fn paint_tiles(&mut self, ui: &mut Ui, tiles: &[TilePos]) {
        let (Some(paint), session) = (&mut self.paint, &self.session) else { return };
        paint.cancel();
        if tiles.is_empty() {
            self.warn(ui, "too many tiles to paint at once; choose a smaller area");
            return;
        }
        let map = session.scenario().map();
        let on_map = tiles.iter().filter_map(|&tile| map.resolve(tile));
        let edit = match &paint.canvas {
            Canvas::Path(_) => return,
            Canvas::Ground => {
                let Some(kind) = map.legend().get(paint.brush) else { return };
                Edit::Paint(on_map.map(|tile| (tile, kind.glyph.clone())).small_collect())
            }
            Canvas::Matrix(matrix) => {
                let on = paint.brush == 0;
                let cells = on_map.map(|tile| (tile - matrix.shift, on)).small_collect();
                Edit::Cells { pattern: matrix.name.clone(), cells }
            }
        };
        self.make_edit(ui, edit);
    }

    /// Picks up the start position or place under the cursor. If an object is already held and the
    /// cursor is on another tile, puts the object down there.
    pub(in crate::tui) fn grab(&mut self, ui: &mut Ui) {
        let Some(paint) = &mut self.paint else { return };
        let cursor = paint.cursor;
        let held = paint.held.take();
        let same = held.as_ref().filter(|held| held.tile == cursor);
        if let (Some(held), None) = (&held, same) {
            return self.put_down(ui, held, cursor);
        }
        // If several objects are on the tile, the key picks up the next one.
        let place = |held| paint.standing_on(cursor).position(|other| other == held);
        let passed = same.and_then(place).map_or(0, |place| place + 1);
        let found = paint.standing_on(cursor).nth(passed).cloned();
        match found {
            None if held.is_some() => self.note(ui, "put back on the same tile"),
            Some(standing) => {
                let name = standing.point.describe();
                paint.held = Some(standing);
                self.note(ui, format!("picked up the {name}; press the key again on the new tile"));
            }
            None => {
                self.warn(
                    ui,
                    format!("no start or place to pick up on {cursor}{}", self.why_none(cursor)),
                );
            }
        }
    }

    /// Returns the reason why the agent that starts on this tile can't be picked up. Returns an empty
    /// string if no agent starts on this tile.
    fn why_none(&self, tile: TilePos) -> String {
        let session = &self.session;
        let scenario = session.scenario();
        let here = |start: &&crate::scenario::Start| TilePos::containing(start.position) == tile;
        let Some(start) = scenario.starts().iter().find(here) else { return String::new() };
        let name = &scenario.kinds()[start.kind as usize].name;
        format!("; {name} starts at a random tile; set `at = [x, y]` for a fixed start")
    }

    fn put_down(&mut self, ui: &mut Ui, held: &Standing, tile: TilePos) {
        if let Some(paint) = &mut self.paint {
            paint.cancel();
        }
        if tile == held.tile {
            self.note(ui, format!("the {} was not moved", held.point.describe()));
            return;
        }
        self.make_edit(ui, held.to(tile));
    }

    /// Handles a click in paint mode. Returns false if the cell is outside both the map and the
    /// brush pane.
    pub(in crate::tui) fn click_in_paint(&mut self, ui: &mut Ui, cell: Cell) -> bool {
        let layout = self.layout(ui);
        let pane = draw::paint::place(&layout, ui.screen);
        let (Some(paint), session) = (&self.paint, &self.session) else { return false };
        if within(pane, cell) {
            if let Some(index) = draw::paint::brush_at(paint, session, pane, cell) {
                self.choose_brush(ui, index);
            }
            return true;
        }
        if !within(layout.map, cell) {
            return false;
        }
        let view = self.view(ui);
        let Some(tile) = view.tile(cell) else { return true };
        if view.zoom.is_far() {
            self.warn(ui, "tiles are too small to paint; zoom in");
            return true;
        }
        let Some(paint) = &mut self.paint else { return false };
        paint.cursor = tile;
        let begun = paint.corner.is_some();
        if !matches!(paint.canvas, Canvas::Path(_)) {
            let standing = match paint.canvas {
                Canvas::Ground => paint.standing_on(tile).next().cloned(),
                Canvas::Matrix(_) | Canvas::Path(_) => None,
            };
            if !begun && standing.is_some() && paint.held.is_none() {
                paint.held = standing;
            } else if paint.tool == Tool::Point {
                paint.stroke.insert(tile);
            } else if !begun {
                paint.corner = Some(tile);
            }
        }
        self.drag = Some(Drag::Paint { from: tile, begun });
        true
    }

    /// Continues a stroke, or the move of a held object, to the tile at a cell. Does nothing
    /// outside the map.
    pub(in crate::tui) fn drag_paint(&mut self, ui: &mut Ui, cell: Cell) {
        let Some(tile) = self.view(ui).tile(cell) else { return };
        let (Some(paint), session) = (&mut self.paint, &self.session) else { return };
        if !paint.stroke.is_empty() {
            // A fast pointer skips tiles, so the line between both tiles is painted. On a wrapping
            // map, the line can cross the edge.
            let map = session.scenario().map();
            let end = paint.cursor + map.tile_offset(paint.cursor, tile);
            let tiles = line::tiles(LineKind::Standard, paint.cursor, end);
            paint.stroke.extend(tiles.into_iter().filter_map(|tile| map.resolve(tile)));
        }
        paint.cursor = tile;
        if let Some(held) = paint.held.as_ref().filter(|held| held.tile != tile) {
            let name = held.point.describe();
            self.note(ui, format!("release to move the {name} to {tile}"));
        }
    }

    /// Ends a stroke or a move that started at tile `from`. While a path is drawn, adds a vertex.
    /// `begun` is true if the line or rectangle already had a corner before this drag.
    pub(in crate::tui) fn release_paint(&mut self, ui: &mut Ui, from: TilePos, begun: bool) {
        let Some(paint) = &mut self.paint else { return };
        let cursor = paint.cursor;
        if let Canvas::Path(_) = paint.canvas {
            return self.set_vertex(ui);
        }
        if let Some(held) = paint.held.take() {
            if cursor == held.tile {
                // A drag that ends where it started is a click, which paints the tile.
                self.paint_tiles(ui, &[cursor]);
            } else {
                self.put_down(ui, &held, cursor);
            }
        } else if let Some(corner) = paint.corner {
            if begun || cursor != from {
                let tiles = paint.tool.tiles(corner, cursor);
                self.paint_tiles(ui, &tiles);
            }
        } else if !paint.stroke.is_empty() {
            let tiles = paint.pending();
            self.paint_tiles(ui, &tiles);
        }
    }
}

/// Describes an edit in a few words, such as `paint wall on 3 tiles`.
pub(in crate::tui) fn description(edit: &Edit, session: &Session) -> String {
    match edit {
        Edit::Paint(cells) => {
            let (what, tiles) = (brush_of(cells, session), where_of(cells.keys().copied()));
            format!("paint {what} on {tiles}")
        }
        Edit::Move { point, to } => format!("move {} to ({}, {})", point.describe(), to[0], to[1]),
        Edit::Draw { pattern, .. } => format!("redraw path {pattern}"),
        Edit::Cells { pattern, cells } => {
            format!("paint {} of matrix {pattern}", crate::words::count(cells.len() as u64, "cell"))
        }
        Edit::AddAgent { name, copy_of: Some(copied), .. } => format!("copy {copied} to {name}"),
        Edit::AddAgent { name, copy_of: None, .. } => format!("add agent {name}"),
        Edit::RemoveAgent { name } => format!("remove agent {name}"),
        Edit::RenameAgent { from, to } => format!("rename {from} to {to}"),
        Edit::Attach { agent, pattern, .. } => format!("attach {pattern} to {agent}"),
        Edit::NewPattern { name, .. } => format!("new pattern {name}"),
        Edit::ForgetPattern { name } => format!("remove pattern {name}"),
        Edit::ReplaceAgent { name, .. } => format!("restore agent {name}"),
    }
}

fn where_of(mut tiles: impl ExactSizeIterator<Item = TilePos>) -> String {
    match (tiles.len(), tiles.next()) {
        (1, Some(only)) => only.to_string(),
        (count, _) => crate::words::count(count as u64, "tile"),
    }
}

fn brush_of(cells: &BTreeMap<TilePos, String>, session: &Session) -> String {
    let glyph = cells.values().next();
    let legend = session.scenario().map().legend();
    let kind = legend.iter().find(|kind| Some(&kind.glyph) == glyph);
    kind.map_or_else(|| "tiles".to_owned(), |kind| kind.name.clone())
}

impl MapScreen {
    /// Returns the name of the unfinished path. Returns `None` if no path is drawn, or if the user
    /// has added no vertex yet.
    pub(in crate::tui) fn unfinished_path(&self) -> Option<&str> {
        match &self.paint.as_ref()?.canvas {
            Canvas::Path(drawing) if drawing.is_begun() => Some(drawing.name.as_str()),
            Canvas::Ground | Canvas::Matrix(_) | Canvas::Path(_) => None,
        }
    }

    pub(in crate::tui) fn draw_path(&mut self, ui: &mut Ui, argument: Option<Argument>) {
        if self.unfinished_path().is_some() {
            return self.warn_of_path(ui);
        }
        let session = &self.session;
        let Some(name) = named(argument).or_else(|| session.pattern_of_selected("path")) else {
            self.warn(
                ui,
                "the selected agent has no path pattern; `:draw-path NAME` creates a path",
            );
            return;
        };
        let drawing = match session.drawing(&name) {
            Ok(drawing) => drawing,
            Err(why) => return self.warn(ui, why),
        };
        let verb = if drawing.is_new { "new path" } else { "redraw" };
        let first = drawing.vertices.first().copied();
        self.enter_paint(ui);
        if let Some(paint) = &mut self.paint {
            paint.cancel();
            paint.cursor = first.unwrap_or(paint.cursor);
            paint.canvas = Canvas::Path(drawing);
        }
        self.show_cursor(ui);
        let key = |action| ui.setup.keymap.named(action, Context::Draw);
        let (set, back) = (key(Action::Vertex), key(Action::RemoveVertex));
        let (write, leave) = (key(Action::FinishPath), key(Action::Close));
        self.note(ui, format!(
            "{name} ({verb}); {set} or click: add vertex; {back}: remove last; {write}: finish; \
             {leave}: leave"
        ));
    }

    pub(in crate::tui) fn draw_matrix(&mut self, ui: &mut Ui, argument: Option<Argument>) {
        if self.unfinished_path().is_some() {
            return self.warn_of_path(ui);
        }
        let session = &self.session;
        let Some(name) = named(argument).or_else(|| session.pattern_of_selected("matrix")) else {
            self.warn(
                ui,
                "the selected agent has no matrix pattern; `:draw-matrix NAME` creates a matrix",
            );
            return;
        };
        if let Err(why) = path_pattern::check_name(&name) {
            return self.warn(ui, why);
        }
        if !self.create_matrix(ui, &name) {
            return;
        }
        match self.session.matrix(&name) {
            Ok(matrix) => {
                self.enter_paint(ui);
                if let Some(paint) = &mut self.paint {
                    paint.cancel();
                    paint.brush = 0;
                    paint.canvas = Canvas::Matrix(matrix);
                }
                let key = |action| ui.setup.keymap.named(action, Context::Paint);
                let text = format!(
                    "matrix {name}: {} paints a tile as allowed or closed; {} leaves paint mode",
                    key(Action::PaintHere),
                    key(Action::Close)
                );
                self.note(ui, text);
            }
            Err(why) => self.warn(ui, why),
        }
    }

    /// Adds a vertex to the path at the cursor.
    ///
    /// If the cursor is on the first vertex, closes the path instead. If it is on the last vertex,
    /// finishes the path.
    pub(in crate::tui) fn set_vertex(&mut self, ui: &mut Ui) {
        let Some((drawing, cursor)) = self.drawn() else { return };
        match drawing.set(cursor) {
            Set::Added => {
                let count = drawing.vertices.len() as u64;
                self.note(ui, crate::words::count_with(count, "vertex", "vertices"));
            }
            Set::Closed => {
                let key = ui.setup.keymap.named(Action::FinishPath, Context::Draw);
                self.note(ui, format!("path closed; {key} finishes the path"));
            }
            Set::Done => self.finish_path(ui),
        }
    }

    fn drawn(&mut self) -> Option<(&mut Drawing, TilePos)> {
        let paint = self.paint.as_mut()?;
        match &mut paint.canvas {
            Canvas::Path(drawing) => Some((drawing, paint.cursor)),
            Canvas::Ground | Canvas::Matrix(_) => None,
        }
    }

    pub(in crate::tui) fn take_vertex_back(&mut self, ui: &mut Ui) {
        let Some((drawing, _)) = self.drawn() else { return };
        let last = drawing.vertices.last().copied();
        if !drawing.take_back() {
            let fixed = drawing.fixed > 0;
            self.warn(
                ui,
                if fixed {
                    "the first vertex is fixed at the start of the agent"
                } else {
                    "no vertex to remove"
                },
            );
        } else if let (Some(paint), Some(last)) = (&mut self.paint, last) {
            paint.cursor = last;
            self.show_cursor(ui);
        }
    }

    pub(in crate::tui) fn close_path(&mut self, ui: &mut Ui) {
        let Some((drawing, _)) = self.drawn() else { return };
        drawing.closed = !drawing.closed;
        let text = if drawing.closed {
            "path closed: the last vertex joins the first"
        } else {
            "path open"
        };
        self.note(ui, text);
    }

    /// Finishes the path. A new path becomes a new pattern, and the user can attach it to the
    /// selected agent.
    pub(in crate::tui) fn finish_path(&mut self, ui: &mut Ui) {
        let Some((drawing, _)) = self.drawn() else { return };
        if drawing.vertices.len() < 2 {
            return self.warn(ui, "a path needs at least two vertices");
        }
        let (name, vertices, closed) = (drawing.name.clone(), drawing.written(), drawing.closed);
        let drawing = drawing.clone();
        if let Some(paint) = &mut self.paint {
            paint.canvas = Canvas::Ground;
        }
        let is_done = if drawing.is_new {
            self.add_pattern(ui, &name, path_pattern::text(&vertices, closed))
        } else {
            self.make_edit(ui, Edit::Draw { pattern: name, vertices, closed })
        };
        if !is_done && let Some(paint) = &mut self.paint {
            // The unfinished path stays, so that the user can correct the path.
            paint.canvas = Canvas::Path(drawing);
        }
    }
}

fn named(argument: Option<Argument>) -> Option<String> {
    if let Some(Argument::Text(text)) = argument { Some(text) } else { None }
}
