//! Commands for drawing paths, and for starting to paint a matrix.

use crate::files::write::edit::{Edit, path_pattern};
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::library::NewPattern;
use crate::tui::paint::drawing::Set;
use crate::tui::paint::{Canvas, Drawing};

use super::{App, Effect};

impl App {
    /// Returns the name of the unfinished path. Returns `None` if no path is drawn, or if the user
    /// has added no vertex yet.
    pub(super) fn unfinished_path(&self) -> Option<&str> {
        match &self.map_view.paint.as_ref()?.canvas {
            Canvas::Path(drawing) if drawing.is_begun() => Some(drawing.name.as_str()),
            Canvas::Ground | Canvas::Matrix(_) | Canvas::Path(_) => None,
        }
    }

    pub(super) fn draw_path(&mut self, argument: Option<Argument>) {
        if self.unfinished_path().is_some() {
            return self.warn_of_path();
        }
        let Some(session) = &self.session else { return };
        let Some(name) = named(argument).or_else(|| session.pattern_of_selected("path")) else {
            self.warn("the selected agent has no path pattern; `:draw-path NAME` creates a path");
            return;
        };
        let drawing = match session.drawing(&name) {
            Ok(drawing) => drawing,
            Err(why) => return self.warn(why),
        };
        if drawing.is_new
            && let Some(file) = session.new_name()
        {
            let text = format!("a new pattern needs a map file; `:write {file}` creates one");
            return self.warn(text);
        }
        let verb = if drawing.is_new { "new path" } else { "redraw" };
        let first = drawing.vertices.first().copied();
        self.enter_paint();
        if let Some(paint) = &mut self.map_view.paint {
            paint.cancel();
            paint.cursor = first.unwrap_or(paint.cursor);
            paint.canvas = Canvas::Path(drawing);
        }
        self.show_cursor();
        let key = |action| self.setup.keymap.named(action, Context::Draw);
        let (set, back) = (key(Action::Vertex), key(Action::RemoveVertex));
        let (write, leave) = (key(Action::FinishPath), key(Action::Close));
        self.note(format!(
            "{name} ({verb}); {set} or click: add vertex; {back}: remove last; {write}: finish; \
             {leave}: leave"
        ));
    }

    pub(super) fn draw_matrix(&mut self, argument: Option<Argument>) {
        if self.unfinished_path().is_some() {
            return self.warn_of_path();
        }
        let Some(session) = &self.session else { return };
        let Some(name) = named(argument).or_else(|| session.pattern_of_selected("matrix")) else {
            self.warn(
                "the selected agent has no matrix pattern; `:draw-matrix NAME` edits a matrix by name",
            );
            return;
        };
        match session.matrix(&name) {
            Ok(matrix) => {
                self.enter_paint();
                if let Some(paint) = &mut self.map_view.paint {
                    paint.cancel();
                    paint.brush = 0;
                    paint.canvas = Canvas::Matrix(matrix);
                }
                let key = |action| self.setup.keymap.named(action, Context::Paint);
                let text = format!(
                    "matrix {name}: {} paints a tile as allowed or closed; {} leaves paint mode",
                    key(Action::PaintHere),
                    key(Action::Close)
                );
                self.note(text);
            }
            Err(why) => self.warn(why),
        }
    }

    /// Adds a vertex to the path at the cursor.
    ///
    /// If the cursor is on the first vertex, closes the path instead. If it is on the last vertex,
    /// finishes the path and returns the effect of [`Self::finish_path`].
    pub(super) fn set_vertex(&mut self) -> Option<Effect> {
        let (drawing, cursor) = self.drawn()?;
        match drawing.set(cursor) {
            Set::Added => {
                let count = drawing.vertices.len() as u64;
                self.note(crate::words::count_with(count, "vertex", "vertices"));
                None
            }
            Set::Closed => {
                let key = self.setup.keymap.named(Action::FinishPath, Context::Draw);
                self.note(format!("path closed; {key} finishes the path"));
                None
            }
            Set::Done => self.finish_path(),
        }
    }

    fn drawn(&mut self) -> Option<(&mut Drawing, crate::geom::TilePos)> {
        let paint = self.map_view.paint.as_mut()?;
        match &mut paint.canvas {
            Canvas::Path(drawing) => Some((drawing, paint.cursor)),
            Canvas::Ground | Canvas::Matrix(_) => None,
        }
    }

    pub(super) fn take_vertex_back(&mut self) {
        let Some((drawing, _)) = self.drawn() else { return };
        let last = drawing.vertices.last().copied();
        if !drawing.take_back() {
            let fixed = drawing.fixed > 0;
            self.warn(if fixed {
                "the first vertex is fixed at the start of the agent"
            } else {
                "no vertex to remove"
            });
        } else if let (Some(paint), Some(last)) = (&mut self.map_view.paint, last) {
            paint.cursor = last;
            self.show_cursor();
        }
    }

    pub(super) fn close_path(&mut self) {
        let Some((drawing, _)) = self.drawn() else { return };
        drawing.closed = !drawing.closed;
        let text = if drawing.closed {
            "path closed: the last vertex joins the first"
        } else {
            "path open"
        };
        self.note(text);
    }

    /// Finishes the path. For a new path, returns the effect that writes it to a file. For an
    /// existing path, edits the map and returns `None`.
    pub(super) fn finish_path(&mut self) -> Option<Effect> {
        let (drawing, _) = self.drawn()?;
        if drawing.vertices.len() < 2 {
            self.warn("a path needs at least two vertices");
            return None;
        }
        let (name, vertices, closed) = (drawing.name.clone(), drawing.written(), drawing.closed);
        if drawing.is_new {
            let text = path_pattern::text(&vertices, closed);
            let id = self.session.as_ref()?.id().to_owned();
            return Some(Effect::NewPattern(NewPattern { id, name, text }));
        }
        let drawing = drawing.clone();
        if let Some(paint) = &mut self.map_view.paint {
            paint.canvas = Canvas::Ground;
        }
        let edit = Edit::Draw { pattern: name, vertices, closed };
        if !self.make_edit(edit)
            && let Some(paint) = &mut self.map_view.paint
        {
            // The unfinished path stays, so that the user can correct the path.
            paint.canvas = Canvas::Path(drawing);
        }
        None
    }

    /// Shows whether a new pattern file was written. If writing failed, the unfinished path stays
    /// open.
    pub fn drawn_pattern(&mut self, result: Result<String, String>) {
        if let (Ok(_), Some(paint)) = (&result, &mut self.map_view.paint) {
            paint.canvas = Canvas::Ground;
        }
        self.report(result);
    }
}

fn named(argument: Option<Argument>) -> Option<String> {
    if let Some(Argument::Text(text)) = argument { Some(text) } else { None }
}
