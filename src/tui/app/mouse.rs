//! Clicks, drags and the wheel.

use ratatui::layout::{Position, Rect};

use crate::debugger::session::Session;
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::camera::{View, Zoom};
use crate::tui::draw;
use crate::tui::draw::map::minimap;
use crate::tui::input::Cell;
use crate::tui::layout;
use crate::tui::timeline::Scale;

use super::{App, Drag, Effect, Mode};

impl App {
    /// Handles a click on the topmost list, or on a pane if no list covers the cell.
    pub(super) fn click(&mut self, cell: Cell) -> Option<Effect> {
        if let Ok(effect) = self.click_list(cell) {
            return effect;
        }
        if self.prompt.palette.is_some() {
            return None;
        }
        match self.mode {
            Mode::Gallery if within(self.gallery_layout().preview, cell) => self.open_selected(),
            Mode::Watch | Mode::Panel(..) | Mode::Log(_) => {
                self.click_pane(cell);
                None
            }
            Mode::Menu(_) => {
                self.mode = Mode::Watch;
                None
            }
            Mode::Gallery
            | Mode::Search(_)
            | Mode::Values(_)
            | Mode::Saved
            | Mode::Help(_)
            | Mode::Errors(..)
            | Mode::About(_)
            | Mode::Messages(_) => None,
        }
    }

    /// Returns true if a list or the pane of paint mode covers a cell of the map.
    pub(super) fn covers(&self, cell: Cell) -> bool {
        let pane = self.is_painting().then(|| draw::paint::place(&self.layout(), self.screen));
        self.list().is_some_and(|list| list.covers(cell))
            || pane.is_some_and(|pane| within(pane, cell))
    }

    fn click_pane(&mut self, cell: Cell) {
        let layout = self.layout();
        let over_minimap = |map: &View| within(minimap::border(map), cell);
        let minimap = self.minimap().filter(|map| over_minimap(map) && !self.covers(cell));
        if within(layout.timeline, cell) {
            self.map_view.drag = Some(Drag::Time);
            self.scrub(cell);
            return;
        }
        if self.is_painting()
            && matches!(self.mode, Mode::Watch)
            && minimap.is_none()
            && self.click_in_paint(cell)
        {
            return;
        }
        if within(layout.inspector, cell) {
            self.click_in_inspector(layout.inspector, cell);
            return;
        }
        if let Some(minimap) = minimap {
            self.map_view.drag = Some(Drag::Minimap);
            self.look_from(&minimap, cell);
            return;
        }
        self.map_view.drag = within(layout.map, cell).then_some(Drag::Map(cell));
        let view = self.view();
        let Some(session) = &mut self.session else { return };
        if let Some((view, tile)) = view.and_then(|view| Some((view, view.tile(cell)?))) {
            match agent_at(session, &view, cell, tile) {
                Some(id) => {
                    session.select(id);
                    self.map_view.drag = Some(Drag::Agent { id, from: tile, to: tile });
                }
                None => session.look_at(Some(tile)),
            }
            self.reader.scroll = 0;
        } else if within(layout::inside(layout.agents), cell) {
            let row = cell.y - layout::inside(layout.agents).y;
            let rows = layout::inside(layout.agents).height;
            if let Some(id) = draw::agents::agent_at_row(session, rows, row) {
                session.select(id);
                self.show_selected();
            }
        }
    }

    /// Goes to the frame at a cell of the timeline.
    fn scrub(&mut self, cell: Cell) {
        let Some(session) = &self.session else { return };
        let bar = draw::timeline::bar(self.layout().timeline);
        let end = session.history().run().end();
        let column = cell.x.clamp(bar.x, bar.right().saturating_sub(1).max(bar.x)) - bar.x;
        self.go_to(Scale::of(end, bar.width).first(column).min(end));
    }

    /// Continues a drag of the map, the minimap, the timeline, an agent or the brush.
    pub(super) fn drag(&mut self, cell: Cell) {
        let from = match self.map_view.drag {
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
        // The view moves by whole tiles. The rest of the distance is kept for the next event.
        let step = if self.map_view.camera.zoom == Zoom::Square { 2 } else { 1 };
        let by = (by.0 / step * step, by.1);
        if by != (0, 0) {
            let x = (i32::from(from.x) - by.0).clamp(0, u16::MAX.into()) as u16;
            self.map_view.drag = Some(Drag::Map(Cell { x, y: cell.y }));
            self.pan(by.0, by.1);
        }
    }

    /// Handles the mouse wheel: zooms the map, or scrolls the pane, list or page.
    pub(super) fn wheel(&mut self, at: Cell, up: bool) -> Option<Effect> {
        let by: isize = if up { -1 } else { 1 };
        if self.prompt.palette.is_none()
            && matches!(self.mode, Mode::Gallery)
            && within(self.gallery_layout().about, at)
        {
            self.scroll_about(by);
            return None;
        }
        if self.prompt.palette.is_some() || !matches!(self.mode, Mode::Watch) {
            return self.roll_by(by);
        }
        let layout = self.layout();
        if within(layout.map, at) && !self.covers(at) {
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

/// Returns the agent that is drawn on a cell, or else an agent on the tile. Repeated clicks cycle
/// through the agents there.
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
