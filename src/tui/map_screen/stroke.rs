//! Converts strokes of paint mode to edits of the map.

use std::collections::BTreeMap;

use crate::debugger::session::{Reverted, Session};
use crate::files::edit::Edit;
use crate::files::edit::spots::Standing;
use crate::geom::{LineKind, TilePos, line};
use crate::tui::action::{Action, Context};
use crate::tui::draw;
use crate::tui::input::Cell;
use crate::tui::paint::{Canvas, Tool};

use crate::tui::component::within;
use crate::tui::effect::Effect;
use crate::tui::ui::Ui;

use super::MapScreen;
use super::mouse::Drag;

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
                self.note(ui, format!("{verb} {text}"));
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
        let map = &session.scenario().map;
        let on_map = tiles.iter().filter_map(|&tile| map.resolve(tile));
        let edit = match &paint.canvas {
            Canvas::Path(_) => return,
            Canvas::Ground => {
                let Some(kind) = map.legend().get(paint.brush) else { return };
                Edit::Paint(on_map.map(|tile| (tile, kind.glyph.clone())).collect())
            }
            Canvas::Matrix(matrix) => {
                let on = paint.brush == 0;
                let cells = on_map.map(|tile| (tile - matrix.shift, on)).collect();
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
                let name = standing.thing.describe();
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
        let Some(start) = scenario.starts.iter().find(here) else { return String::new() };
        let name = &scenario.kinds[start.kind as usize].name;
        format!("; {name} starts at a random tile; set `at = [x, y]` for a fixed start")
    }

    fn put_down(&mut self, ui: &mut Ui, held: &Standing, tile: TilePos) {
        if let Some(paint) = &mut self.paint {
            paint.cancel();
        }
        if tile == held.tile {
            self.note(ui, format!("the {} was not moved", held.thing.describe()));
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
            let map = &session.scenario().map;
            let end = paint.cursor + map.tile_offset(paint.cursor, tile);
            let tiles = line::tiles(LineKind::Standard, paint.cursor, end);
            paint.stroke.extend(tiles.into_iter().filter_map(|tile| map.resolve(tile)));
        }
        paint.cursor = tile;
        if let Some(held) = paint.held.as_ref().filter(|held| held.tile != tile) {
            let name = held.thing.describe();
            self.note(ui, format!("release to move the {name} to {tile}"));
        }
    }

    /// Ends a stroke or a move that started at tile `from`. While a path is drawn, adds a vertex.
    /// `begun` is true if the line or rectangle already had a corner before this drag.
    pub(in crate::tui) fn release_paint(
        &mut self,
        ui: &mut Ui,
        from: TilePos,
        begun: bool,
    ) -> Option<Effect> {
        let paint = self.paint.as_mut()?;
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
        None
    }
}

/// Describes an edit in a few words, such as `paint wall on 3 tiles`.
pub(in crate::tui) fn description(edit: &Edit, session: &Session) -> String {
    match edit {
        Edit::Paint(cells) => {
            let (what, tiles) = (brush_of(cells, session), where_of(cells.keys().copied()));
            format!("paint {what} on {tiles}")
        }
        Edit::Move { thing, to } => format!("move {} to ({}, {})", thing.describe(), to[0], to[1]),
        Edit::Draw { pattern, .. } => format!("redraw path {pattern}"),
        Edit::Cells { pattern, cells } => {
            format!("paint {} of matrix {pattern}", crate::words::count(cells.len() as u64, "cell"))
        }
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
    let legend = session.scenario().map.legend();
    let kind = legend.iter().find(|kind| Some(&kind.glyph) == glyph);
    kind.map_or_else(|| "tiles".to_owned(), |kind| kind.name.clone())
}
