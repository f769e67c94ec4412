//! The visible part of the map: panes, zoom, panning, following and the minimap.

use ratatui::layout::Rect;

use crate::debugger::session::Subject;
use crate::geom::Vec2;
use crate::tui::camera::{Camera, Framing, View, Zoom};
use crate::tui::draw::map::{minimap, rulers};
use crate::tui::input::Cell;
use crate::tui::layout::{self, Layout, Panes};
use crate::tui::overlays::{HeatMapScope, Layer};
use crate::tui::ui::Ui;

use super::MapScreen;

/// Distance that a pan key moves the view, in terminal cells along x and y.
pub(in crate::tui) const PAN: (i32, i32) = (8, 4);

impl MapScreen {
    /// Runs a command that changes the view. Then moves the view back to the agent that it follows.
    pub(in crate::tui) fn on_view(&mut self, ui: &mut Ui, act: impl FnOnce(&mut Self, &mut Ui)) {
        act(self, ui);
        self.keep_in_view(ui);
    }

    pub(in crate::tui) fn enlarge_inspector(&mut self, ui: &mut Ui) {
        match (self.panes, self.session.subject()) {
            (Panes::Inspector, Subject::Agent(_)) => self.tune(ui),
            (Panes::Inspector, _) => self.panes = Panes::All,
            (Panes::All | Panes::Map, _) => self.panes = Panes::Inspector,
        }
        self.refit(ui);
    }

    pub(in crate::tui) fn zoom_pane(&mut self, ui: &Ui) {
        self.panes = match self.panes {
            Panes::All => Panes::Map,
            Panes::Map => Panes::Inspector,
            Panes::Inspector => Panes::All,
        };
        self.refit(ui);
    }

    /// Moves the border between the map and the inspector to the right by a number of columns.
    pub(in crate::tui) fn move_border(&mut self, ui: &mut Ui, by: i16) {
        let Layout { map, inspector, .. } = self.layout(ui);
        if map.is_empty() || inspector.x <= map.x {
            self.warn(ui, "there is no border to move: the panes are not side by side");
            return;
        }
        self.set_inspector_width(ui, inspector.width.saturating_add_signed(-by));
    }

    pub(super) fn set_inspector_width(&mut self, ui: &Ui, width: u16) {
        self.inspector.width = Some(layout::limited_width(width, ui.screen.width));
        self.refit(ui);
    }

    /// Adapts the view to a changed size of the map pane, unless the user has chosen the view.
    pub(in crate::tui) fn refit(&mut self, ui: &Ui) {
        let (extent, area) = (self.session.extent(), self.map_area(ui));
        self.camera.refit(extent, area);
        // As in the first view of a map, the camera follows if only a part of the map is visible.
        // While the user paints, it stays in place.
        self.camera.follow |= self.camera.framing == Framing::Opening
            && !self.camera.view(extent, area).is_whole()
            && self.paint.is_none();
        self.keep_in_view(ui);
    }

    pub(in crate::tui) fn fit(&mut self, ui: &Ui) {
        self.camera = Camera::fitting(self.session.extent(), self.map_area(ui));
    }

    /// Returns the area in which the map is drawn, without borders and rulers.
    pub(in crate::tui) fn map_area(&self, ui: &Ui) -> Rect {
        let area = layout::inside(self.layout(ui).map);
        if self.overlays.has(Layer::Rulers) {
            rulers::room(area, self.session.extent())
        } else {
            area
        }
    }

    /// Returns the visible part of the map.
    pub fn view(&self, ui: &Ui) -> View {
        self.camera.view(self.session.extent(), self.map_area(ui))
    }

    /// Returns the minimap's view of the whole map. Returns `None` if the minimap is not visible.
    pub fn minimap(&self, ui: &Ui) -> Option<View> {
        let is_shown = self.overlays.has(Layer::Minimap);
        if is_shown { minimap::place(&self.session, &self.view(ui)) } else { None }
    }

    /// Returns the cell of the selected agent or tile. Returns `None` if nothing is selected, or if
    /// the cell is out of view.
    pub(in crate::tui) fn subject_cell(&self, ui: &Ui) -> Option<Cell> {
        let (view, session) = (self.view(ui), &self.session);
        match session.subject() {
            Subject::None => None,
            Subject::Tile(tile) => view.body(tile, tile.centre()),
            Subject::Agent(id) => view.body(session.world().tile(id), session.world().position(id)),
        }
    }

    /// Zooms in if `nearer` is true, otherwise out. The point of the map under the cell `fixed`
    /// stays there. If `fixed` is `None`, the centre of the view stays.
    pub(in crate::tui) fn zoom(&mut self, ui: &mut Ui, nearer: bool, fixed: Option<Cell>) {
        let area = self.map_area(ui);
        let session = &self.session;
        let extent = session.extent();
        let next = self.camera.next_zoom(nearer, extent, area);
        if next == self.camera.zoom {
            self.note(ui, if nearer { "largest zoom" } else { "the whole map is in view" });
            return;
        }
        self.camera.zoom_to(next, fixed, extent, area);
        if next != Zoom::Square {
            self.note(ui, next.to_string());
        }
    }

    /// Moves the view by `x` and `y` terminal cells. A map that does not wrap limits the view to
    /// its edges. Stops following the selected agent.
    pub(in crate::tui) fn pan(&mut self, ui: &Ui, x: i32, y: i32) {
        self.camera.follow = false;
        let area = self.map_area(ui);
        self.camera.pan((x, y), self.session.extent(), area);
    }

    /// Centres the view on the point of the map that a cell of the minimap shows. Stops following
    /// the selected agent.
    pub(in crate::tui) fn look_from(&mut self, ui: &Ui, minimap: &View, cell: Cell) {
        self.camera.follow = false;
        let area = self.map_area(ui);
        let within = Cell {
            x: cell.x.clamp(minimap.area.left(), minimap.area.right().saturating_sub(1)),
            y: cell.y.clamp(minimap.area.top(), minimap.area.bottom().saturating_sub(1)),
        };
        self.camera.aim(minimap.point(within), self.session.extent(), area);
    }

    pub(in crate::tui) fn toggle_follow(&mut self, ui: &mut Ui) {
        let session = &self.session;
        match session.selected().map(|id| session.world().name(id).to_string()) {
            None => {
                let text = format!("no agent to follow: {}", session.why_no_agent());
                self.warn(ui, text);
            }
            Some(name) => {
                self.camera.follow = !self.camera.follow;
                let verb = if self.camera.follow { "following" } else { "stopped following" };
                self.note(ui, format!("{verb} {name}"));
            }
        }
    }

    pub(in crate::tui) fn keep_in_view(&mut self, ui: &Ui) {
        let area = self.map_area(ui);
        let session = &self.session;
        if let (true, Some(id)) = (self.camera.follow, session.selected()) {
            self.camera.keep(where_drawn(session.world(), id), session.extent(), area);
        }
    }

    /// Moves the view so that the selected agent is visible. Scrolls the inspector to its first
    /// line.
    pub(in crate::tui) fn show_selected(&mut self, ui: &Ui) {
        self.inspector.scroll = 0;
        let (area, view) = (self.map_area(ui), self.view(ui));
        let session = &self.session;
        let Some(id) = session.selected() else { return };
        let (tile, position) = (session.world().tile(id), session.world().position(id));
        if view.body(tile, position).is_none() {
            self.camera.keep(where_drawn(session.world(), id), session.extent(), area);
        }
        self.keep_in_view(ui);
    }

    /// Starts or stops counting visits, depending on whether the heat map is visible.
    pub(in crate::tui) fn count_visits(&mut self) {
        let scope = self.overlays.has(Layer::Visits).then_some(self.overlays.whose);
        self.session.count_visits(scope);
    }

    pub(in crate::tui) fn report_heat_map(&mut self, ui: &mut Ui) {
        self.count_visits();
        let counted = self.session.visits();
        let text = match (counted, self.overlays.whose) {
            _ if !self.overlays.has(Layer::Visits) => "heat map off".to_owned(),
            (None, _) => {
                format!("no heat map: {}", self.session.why_no_agent())
            }
            (Some(_), HeatMapScope::All) => "heat map of all agents".to_owned(),
            (Some(visits), HeatMapScope::Group) => {
                format!("heat map of group {}", visits.counted().name())
            }
            (Some(visits), HeatMapScope::Agent) => {
                format!("heat map of {}", visits.counted().name())
            }
        };
        self.note(ui, text);
    }
}

/// Returns the point at which an agent is drawn, in tiles. If the agent's position is not finite,
/// returns the centre of its tile.
fn where_drawn(world: &crate::world::World, id: crate::id::AgentId) -> Vec2 {
    let (tile, position) = (world.tile(id), world.position(id));
    if position.is_finite() { position } else { tile.centre() }
}
