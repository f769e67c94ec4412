//! Clicks, drags and the tile menu on the map screen.

use crate::debugger::session::{Session, Subject};
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::camera::{View, Zoom};
use crate::tui::component::{Component, within};
use crate::tui::draw;
use crate::tui::draw::map::minimap;
use crate::tui::effect::Effect;
use crate::tui::input::Cell;
use crate::tui::layout::{self, Layout};
use crate::tui::map_screen::popup::TileMenu;
use crate::tui::timeline::Scale;
use crate::tui::ui::Ui;

use super::MapScreen;

/// A drag in progress.
#[derive(Debug, Clone)]
pub(super) enum Drag {
    /// Pans the map. The value is the cell from which the next movement is measured.
    Map(Cell),
    /// Moves the current frame along the timeline.
    Time,
    /// Paints a stroke that starts at tile `from`. `begun` is true if the line or rectangle already
    /// had a corner before this drag.
    Paint { from: TilePos, begun: bool },
    /// Moves an agent. `from` is the tile of the agent, and `to` is the tile under the pointer. The
    /// agent is stored by name, because its id can change during the drag.
    Agent { name: String, from: TilePos, to: TilePos },
    /// Moves the view of the map to the pointer's position on the minimap.
    Minimap,
    /// Moves the border between the map and the inspector.
    Border,
}

impl MapScreen {
    /// Returns true if a list, or the pane of paint mode, covers the cell.
    pub(in crate::tui) fn covers(&self, ui: &Ui, cell: Cell) -> bool {
        let pane = self.paint.is_some().then(|| draw::paint::place(&self.layout(ui), ui.screen));
        self.list(ui).is_some_and(|list| list.covers(cell))
            || pane.is_some_and(|pane| within(pane, cell))
    }

    /// Goes to the frame at a cell of the timeline, and ends any seek or search. A cell to the left
    /// of the bar counts as its first cell, a cell to the right as its last one.
    pub(in crate::tui) fn scrub(&mut self, ui: &Ui, cell: Cell) {
        let session = &self.session;
        let bar = draw::timeline::bar(self.layout(ui).timeline);
        let end = session.history().run().end();
        let column = cell.x.clamp(bar.x, bar.right().saturating_sub(1).max(bar.x)) - bar.x;
        self.leave_goal();
        self.go_to(ui, Scale::of(end, bar.width).first(column).min(end));
    }

    /// Continues a drag after the pointer moved to `cell`. Does nothing if no drag is in progress.
    pub(in crate::tui) fn drag(&mut self, ui: &mut Ui, cell: Cell) {
        let from = match &self.drag {
            None => return,
            Some(Drag::Time) => return self.scrub(ui, cell),
            Some(Drag::Paint { .. }) => return self.drag_paint(ui, cell),
            Some(Drag::Agent { name, from, .. }) => {
                let (name, from) = (name.clone(), *from);
                return self.drag_agent(ui, name, from, cell);
            }
            Some(Drag::Minimap) => {
                if let Some(minimap) = self.minimap(ui) {
                    self.look_from(ui, &minimap, cell);
                }
                return;
            }
            Some(Drag::Border) => {
                return self.set_inspector_width(ui, ui.screen.width.saturating_sub(cell.x));
            }
            Some(Drag::Map(from)) => *from,
        };
        let by = (i32::from(from.x) - i32::from(cell.x), i32::from(from.y) - i32::from(cell.y));
        // At square zoom, a tile is two cells wide, and the view moves by whole tiles. The
        // remaining distance counts for the next movement.
        let step = if self.camera.zoom == Zoom::Square { 2 } else { 1 };
        let by = (by.0 / step * step, by.1);
        if by != (0, 0) {
            let x = (i32::from(from.x) - by.0).clamp(0, u16::MAX.into()) as u16;
            self.drag = Some(Drag::Map(Cell { x, y: cell.y }));
            self.pan(ui, by.0, by.1);
        }
    }

    /// Returns the view of the minimap if the minimap is drawn on the cell. Returns `None` if the
    /// cell shows a list or no minimap.
    pub(in crate::tui) fn minimap_at(&self, ui: &Ui, cell: Cell) -> Option<View> {
        let is_here = |map: &View| within(minimap::border(map), cell) && !self.covers(ui, cell);
        self.minimap(ui).filter(is_here)
    }

    /// Handles a click while no popup is open: on a number in the inspector, in paint mode, or on a
    /// pane.
    pub(super) fn click_here(&mut self, ui: &mut Ui, cell: Cell) {
        let Layout { timeline, inspector, .. } = self.layout(ui);
        let is_covered = within(timeline, cell) || self.minimap_at(ui, cell).is_some();
        if self.paint.is_some() && !is_covered && self.click_in_paint(ui, cell) {
            return;
        }
        self.click_pane(ui, cell);
        if within(inspector, cell)
            && !within(timeline, cell)
            && let Some(number) = self.number_at(ui, inspector, cell)
        {
            self.tune_shown(ui, number);
        }
    }

    /// Handles a click on the timeline, the inspector, the minimap, the map or the agents pane.
    pub(in crate::tui) fn click_pane(&mut self, ui: &Ui, cell: Cell) {
        let layout = self.layout(ui);
        if within(layout.timeline, cell) {
            self.drag = Some(Drag::Time);
            self.scrub(ui, cell);
            return;
        }
        let border = layout.inspector.x.saturating_sub(1)..=layout.inspector.x;
        if !layout.map.is_empty()
            && layout.map.right() == layout.inspector.x
            && border.contains(&cell.x)
        {
            self.drag = Some(Drag::Border);
            return;
        }
        if within(layout.inspector, cell) {
            self.click_in_inspector(layout.inspector, cell);
            return;
        }
        if let Some(minimap) = self.minimap_at(ui, cell) {
            self.drag = Some(Drag::Minimap);
            self.look_from(ui, &minimap, cell);
            return;
        }
        self.drag = within(layout.map, cell).then_some(Drag::Map(cell));
        let view = self.view(ui);
        let session = &mut self.session;
        if let Some(tile) = view.tile(cell) {
            match agent_at(session, &view, cell, tile) {
                Some(id) => {
                    session.select(id);
                    let name = session.world().name(id).to_string();
                    self.drag = Some(Drag::Agent { name, from: tile, to: tile });
                }
                None => session.look_at(Some(tile)),
            }
            self.inspector.scroll = 0;
        } else if within(layout::inside(layout.agents), cell) {
            let row = cell.y - layout::inside(layout.agents).y;
            let rows = layout::inside(layout.agents).height;
            if let Some(id) = draw::agents::agent_at_row(session, rows, row) {
                session.select(id);
                self.show_selected(ui);
            }
        }
    }

    /// Continues the drag of an agent from tile `from` to the tile at `cell`. If `cell` is outside
    /// the map, the target is the tile `from`. If the agent is no longer in the world, ends the drag
    /// with a warning.
    pub(in crate::tui) fn drag_agent(
        &mut self,
        ui: &mut Ui,
        name: String,
        from: TilePos,
        cell: Cell,
    ) {
        let view = self.view(ui);
        let to = view.tile(cell).unwrap_or(from);
        if self.present_agent(&name).is_none() {
            self.drag = None;
            return self.warn_absent(ui, &name);
        }
        if to == from {
            ui.answers.message = None;
        } else {
            self.note(ui, format!("release to move {name} to {to}"));
        }
        self.drag = Some(Drag::Agent { name, from, to });
    }

    fn present_agent(&self, name: &str) -> Option<AgentId> {
        self.session.world().find_present(name)
    }

    fn warn_absent(&mut self, ui: &mut Ui, name: &str) {
        self.warn(ui, format!("cannot move {name}: it is not in the world"));
    }

    /// Ends a drag. Moves the dragged agent, or finishes the stroke of paint mode.
    pub(in crate::tui) fn release(&mut self, ui: &mut Ui) -> Option<Effect> {
        match self.drag.take()? {
            Drag::Paint { from, begun } => return self.release_paint(ui, from, begun),
            Drag::Agent { name, from, to } => {
                if from != to {
                    ui.answers.message = None;
                    match self.present_agent(&name) {
                        Some(id) => self.put(ui, id, to),
                        None => self.warn_absent(ui, &name),
                    }
                }
            }
            Drag::Map(_) | Drag::Time | Drag::Minimap | Drag::Border => {}
        }
        None
    }

    /// Moves an agent to a tile, simulates one frame, and ends any seek or search. If the agent is
    /// not in the world, or if its body does not fit on the tile, shows a warning and changes
    /// nothing.
    pub(in crate::tui) fn put(&mut self, ui: &mut Ui, id: AgentId, tile: TilePos) {
        let session = &mut self.session;
        let name = session.world().name(id).to_string();
        // While the menu is open, the frame can change.
        if !session.world().is_present(id) {
            return self.warn_absent(ui, &name);
        }
        if session.put(id, tile) {
            self.late = false;
            self.leave_goal();
            self.note(ui, format!("{name} moved to {tile}"));
            self.report_hit(ui);
            self.keep_in_view(ui);
        } else {
            self.warn(ui, format!("cannot move {name} to {tile}: the body does not fit"));
        }
    }

    /// Handles a right click: opens the menu of the tile at a cell. In paint mode, selects the
    /// brush that matches the tile.
    pub(in crate::tui) fn open_menu_at(&mut self, ui: &mut Ui, cell: Cell) {
        if self.covers(ui, cell) {
            return;
        }
        match self.view(ui).tile(cell) {
            Some(tile) if self.paint.is_some() => self.pick_brush(ui, tile),
            Some(tile) => self.open_menu(tile, cell),
            None => {}
        }
    }

    /// Opens the menu of the selected tile, or of the tile under the selected agent. If nothing is
    /// selected, shows a warning.
    pub(in crate::tui) fn open_menu_here(&mut self, ui: &mut Ui) {
        let session = &self.session;
        let tile = match session.subject() {
            Subject::Tile(tile) => tile,
            Subject::Agent(id) => session.world().tile(id),
            Subject::None => return self.warn(ui, "no tile or agent is selected"),
        };
        let map = layout::inside(self.layout(ui).map);
        let cell = self.view(ui).cell(tile);
        self.open_menu(tile, cell.unwrap_or(Cell { x: map.x, y: map.y }));
    }

    fn open_menu(&mut self, tile: TilePos, at: Cell) {
        self.drag = None;
        self.open(TileMenu::new(&self.session, tile, at));
    }
}

/// Returns the agent drawn on a cell. If no agent is drawn there, returns an agent on the tile. If
/// there are several agents, repeated clicks cycle through them.
fn agent_at(session: &Session, view: &View, cell: Cell, tile: TilePos) -> Option<AgentId> {
    let world = session.world();
    let drawn = |id: &AgentId| view.body(world.tile(*id), world.position(*id)) == Some(cell);
    let here = |id: &AgentId| world.tile(*id) == tile;
    let next = |on: &dyn Fn(&AgentId) -> bool| {
        let after = session.selected().filter(on);
        world.ids().filter(|&id| Some(id) > after).find(on).or_else(|| world.ids().find(on))
    };
    next(&drawn).or_else(|| next(&here))
}
