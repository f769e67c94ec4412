//! What the mouse does.

use ratatui::layout::{Position, Rect};

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::camera::Zoom;
use crate::tui::draw;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::timeline::Scale;

use super::{App, Drag, Effect, Mode};

impl App {
    /// A click selects: an agent, a tile, a row of a list.
    pub(super) fn click(&mut self, cell: Cell) -> Option<Effect> {
        if self.palette.is_some() {
            return None;
        }
        match self.mode {
            Mode::Gallery => return self.click_in_gallery(cell),
            Mode::Watch | Mode::Overlays(_) | Mode::Runs(_) => {}
            Mode::Search(_)
            | Mode::Breaks(_)
            | Mode::Tune(_)
            | Mode::Problems(_)
            | Mode::Saved
            | Mode::Help(_)
            | Mode::Errors(..) => return None,
        }
        let layout = self.layout();
        if within(layout.timeline, cell) {
            self.drag = Some(Drag::Time);
            self.scrub(cell);
            return None;
        }
        self.drag = within(layout.map, cell).then_some(Drag::Map(cell));
        let tile = self.view().and_then(|view| view.tile(cell));
        let session = self.session.as_mut()?;
        if let Some(tile) = tile {
            let world = session.world();
            let here = |id: &AgentId| world.tile(*id) == tile;
            // Of several on one tile, a click takes the one after the selected one.
            let after = session.selected().filter(here).map_or(0, |id| id.index() + 1);
            let found = world.ids().skip(after).find(here).or_else(|| world.ids().find(here));
            match found {
                Some(id) => session.select(id),
                None => session.look_at(Some(tile)),
            }
            self.scroll = 0;
        } else if within(layout::inside(layout.agents), cell) {
            let row = cell.y - layout::inside(layout.agents).y;
            let rows = layout::inside(layout.agents).height;
            if let Some(id) = draw::agents::agent_at_row(session, rows, row) {
                session.select(id);
                self.show_selected();
            }
        }
        None
    }

    fn click_in_gallery(&mut self, cell: Cell) -> Option<Effect> {
        let layout = self.gallery_layout();
        let list = layout::inside(layout.list);
        if within(layout.preview, cell) {
            return self.entries.get(self.chosen).map(|entry| Effect::Open(entry.id.clone()));
        }
        if !within(list, cell) {
            return None;
        }
        let first = draw::first_shown(self.chosen, self.entries.len(), list.height);
        let index = first + usize::from(cell.y - list.y);
        let entry = self.entries.get(index)?;
        if index == self.chosen {
            return Some(Effect::Open(entry.id.clone()));
        }
        self.choose(index)
    }

    /// Goes to the frame that a column of the timeline stands for.
    fn scrub(&mut self, cell: Cell) {
        let Some(session) = &self.session else { return };
        let bar = draw::timeline::bar(self.layout().timeline);
        let end = session.history().run().end();
        let column = cell.x.clamp(bar.x, bar.right().saturating_sub(1).max(bar.x)) - bar.x;
        self.go_to(Scale::of(end, bar.width).first(column).min(end));
    }

    /// Dragging moves the map, or leads through time.
    pub(super) fn drag(&mut self, cell: Cell) {
        let from = match self.drag {
            None => return,
            Some(Drag::Time) => return self.scrub(cell),
            Some(Drag::Map(from)) => from,
        };
        let columns = i32::from(self.camera.zoom.columns());
        let by = TilePos::new(
            (i32::from(from.x) - i32::from(cell.x)) / columns,
            i32::from(from.y) - i32::from(cell.y),
        );
        if by != TilePos::default() {
            self.drag = Some(Drag::Map(cell));
            self.pan(by.x, by.y);
        }
    }

    /// The wheel zooms the map and scrolls everything else.
    pub(super) fn wheel(&mut self, at: Cell, up: bool) -> Option<Effect> {
        let by: isize = if up { -1 } else { 1 };
        if self.palette.is_some() || !matches!(self.mode, Mode::Watch) {
            return self.move_by(by);
        }
        let layout = self.layout();
        if within(layout.map, at) {
            self.camera.zoom = if up { Zoom::Square } else { Zoom::Narrow };
            self.keep_in_view();
        } else if within(layout.inspector, at) {
            self.scroll_by(by * 2);
        } else if within(layout.agents, at)
            && let Some(session) = &mut self.session
        {
            session.select_next(if up { -1 } else { 1 });
            self.show_selected();
        }
        None
    }
}

fn within(area: Rect, cell: Cell) -> bool {
    area.contains(Position::new(cell.x, cell.y))
}
