//! What the mouse does.

use ratatui::layout::{Position, Rect};

use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::camera::{View, Zoom};
use crate::tui::draw;
use crate::tui::draw::map::minimap;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::session::Session;
use crate::tui::timeline::Scale;

use super::{App, Drag, Effect, Mode};

impl App {
    /// A click selects: an agent, a tile, a row of a list.
    pub(super) fn click(&mut self, cell: Cell) -> Option<Effect> {
        if self.palette.is_some() {
            return None;
        }
        if self.click_in_log(cell) || self.click_in_values(cell) {
            return None;
        }
        match self.mode {
            Mode::Gallery => return self.click_in_gallery(cell),
            Mode::Menu(_) => {
                self.click_in_menu(cell);
                return None;
            }
            Mode::Watch | Mode::Overlays(_) | Mode::Runs(_) | Mode::Log(_) => {}
            Mode::Search(_)
            | Mode::Breaks(_)
            | Mode::Markers(_)
            | Mode::Tune(_)
            | Mode::Problems(_)
            | Mode::Saved
            | Mode::Help(_)
            | Mode::Errors(..)
            | Mode::About(_)
            | Mode::Messages(_) => return None,
        }
        let layout = self.layout();
        let minimap = self.minimap().filter(|map| within(minimap::border(map), cell));
        let over_minimap = minimap.is_some();
        if within(layout.timeline, cell) {
            self.drag = Some(Drag::Time);
            self.scrub(cell);
            return None;
        }
        if self.is_painting()
            && matches!(self.mode, Mode::Watch)
            && !over_minimap
            && self.click_in_paint(cell)
        {
            return None;
        }
        if within(layout.inspector, cell) {
            self.click_in_inspector(layout.inspector, cell);
            return None;
        }
        if let Some(minimap) = minimap {
            self.drag = Some(Drag::Minimap);
            self.look_from(&minimap, cell);
            return None;
        }
        self.drag = within(layout.map, cell).then_some(Drag::Map(cell));
        let view = self.view();
        let session = self.session.as_mut()?;
        if let Some((view, tile)) = view.and_then(|view| Some((view, view.tile(cell)?))) {
            match agent_at(session, &view, cell, tile) {
                Some(id) => {
                    session.select(id);
                    self.drag = Some(Drag::Agent { id, from: tile, to: tile });
                }
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
        let list = draw::gallery::rows(layout.list, &self.gallery);
        if within(layout.preview, cell) {
            return self.open_chosen();
        }
        if !within(list, cell) {
            return None;
        }
        let (chosen, count) = (self.gallery.chosen(), self.gallery.listed().len());
        let place = draw::first_shown(chosen, count, list.height) + usize::from(cell.y - list.y);
        match place {
            place if place >= count => None,
            place if place == chosen => self.open_chosen(),
            place => self.choose(place),
        }
    }

    /// Goes to the frame that a column of the timeline stands for.
    fn scrub(&mut self, cell: Cell) {
        let Some(session) = &self.session else { return };
        let bar = draw::timeline::bar(self.layout().timeline);
        let end = session.history().run().end();
        let column = cell.x.clamp(bar.x, bar.right().saturating_sub(1).max(bar.x)) - bar.x;
        self.go_to(Scale::of(end, bar.width).first(column).min(end));
    }

    /// Dragging moves the map or the view over the minimap, or leads through time.
    pub(super) fn drag(&mut self, cell: Cell) {
        let from = match self.drag {
            None => return,
            Some(Drag::Time) => return self.scrub(cell),
            Some(Drag::Paint { .. }) => return self.drag_paint(cell),
            Some(Drag::Agent { id, from, .. }) => return self.drag_agent(id, from, cell),
            Some(Drag::Minimap) => {
                if let Some(minimap) = self.minimap() {
                    self.look_from(&minimap, cell);
                }
                return;
            }
            Some(Drag::Map(from)) => from,
        };
        let by = (i32::from(from.x) - i32::from(cell.x), i32::from(from.y) - i32::from(cell.y));
        // Half a tile can't be moved where they are two columns wide: the rest stays to be dragged.
        let step = if self.camera.zoom == Zoom::Square { 2 } else { 1 };
        let by = (by.0 / step * step, by.1);
        if by != (0, 0) {
            let x = (i32::from(from.x) - by.0).clamp(0, u16::MAX.into()) as u16;
            self.drag = Some(Drag::Map(Cell { x, y: cell.y }));
            self.pan(by.0, by.1);
        }
    }

    /// The wheel zooms the map and scrolls everything else.
    pub(super) fn wheel(&mut self, at: Cell, up: bool) -> Option<Effect> {
        let by: isize = if up { -1 } else { 1 };
        if self.palette.is_none()
            && matches!(self.mode, Mode::Gallery)
            && within(self.gallery_layout().about, at)
        {
            self.scroll_about(by);
            return None;
        }
        if self.palette.is_some() || !matches!(self.mode, Mode::Watch) {
            return self.move_by(by);
        }
        let layout = self.layout();
        if within(layout.map, at) {
            self.zoom(up, Some(at));
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

/// Who is drawn on a cell, else who is on its tile; of several the one after the selected one.
fn agent_at(session: &Session, view: &View, cell: Cell, tile: TilePos) -> Option<AgentId> {
    let world = session.world();
    let drawn = |id: &AgentId| view.body(world.tile(*id), world.position(*id)) == Some(cell);
    let here = |id: &AgentId| world.tile(*id) == tile;
    let next = |on: &dyn Fn(&AgentId) -> bool| {
        let after = session.selected().filter(on).map_or(0, |id| id.index() + 1);
        world.ids().skip(after).find(on).or_else(|| world.ids().find(on))
    };
    next(&drawn).or_else(|| next(&here))
}

pub(super) fn within(area: Rect, cell: Cell) -> bool {
    area.contains(Position::new(cell.x, cell.y))
}
