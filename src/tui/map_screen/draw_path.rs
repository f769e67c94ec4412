//! Commands for drawing paths, and for starting to paint a matrix.

use crate::files::edit::{Edit, route};
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::host::NewPattern;
use crate::tui::paint::drawing::Set;
use crate::tui::paint::{Canvas, Drawing};

use crate::tui::effect::Effect;
use crate::tui::ui::Ui;

use super::MapScreen;

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
        if drawing.is_new
            && let Some(file) = session.new_name()
        {
            let text = format!("a new pattern needs a map file; `:write {file}` creates one");
            return self.warn(ui, text);
        }
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
            self.warn(ui,
                "the selected agent has no matrix pattern; `:draw-matrix NAME` edits a matrix by name",
            );
            return;
        };
        match session.matrix(&name) {
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
    /// finishes the path and returns the effect of [`Self::finish_path`].
    pub(in crate::tui) fn set_vertex(&mut self, ui: &mut Ui) -> Option<Effect> {
        let (drawing, cursor) = self.drawn()?;
        match drawing.set(cursor) {
            Set::Added => {
                let count = drawing.vertices.len() as u64;
                self.note(ui, crate::words::count_with(count, "vertex", "vertices"));
                None
            }
            Set::Closed => {
                let key = ui.setup.keymap.named(Action::FinishPath, Context::Draw);
                self.note(ui, format!("path closed; {key} finishes the path"));
                None
            }
            Set::Done => self.finish_path(ui),
        }
    }

    fn drawn(&mut self) -> Option<(&mut Drawing, crate::geom::TilePos)> {
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

    /// Finishes the path. For a new path, returns the effect that writes it to a file. For an
    /// existing path, edits the map and returns `None`.
    pub(in crate::tui) fn finish_path(&mut self, ui: &mut Ui) -> Option<Effect> {
        let (drawing, _) = self.drawn()?;
        if drawing.vertices.len() < 2 {
            self.warn(ui, "a path needs at least two vertices");
            return None;
        }
        let (name, vertices, closed) = (drawing.name.clone(), drawing.written(), drawing.closed);
        if drawing.is_new {
            let text = route::text(&vertices, closed);
            let id = self.session.id().to_owned();
            return Some(Effect::NewPattern(NewPattern { id, name, text }));
        }
        let drawing = drawing.clone();
        if let Some(paint) = &mut self.paint {
            paint.canvas = Canvas::Ground;
        }
        let edit = Edit::Draw { pattern: name, vertices, closed };
        if !self.make_edit(ui, edit)
            && let Some(paint) = &mut self.paint
        {
            // The unfinished path stays, so that the user can correct the path.
            paint.canvas = Canvas::Path(drawing);
        }
        None
    }

    /// Ends drawing after the new pattern file was written.
    pub(in crate::tui) fn drew_pattern(&mut self) {
        if let Some(paint) = &mut self.paint {
            paint.canvas = Canvas::Ground;
        }
    }
}

fn named(argument: Option<Argument>) -> Option<String> {
    if let Some(Argument::Text(text)) = argument { Some(text) } else { None }
}
