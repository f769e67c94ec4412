//! The visible part of the map: panes, zoom, panning, following and the minimap.

use crate::debugger::session::Session;
use crate::debugger::session::Subject;
use crate::geom::Vec2;
use crate::tui::camera::{Camera, Extent, View, Zoom};
use crate::tui::draw::map::{minimap, rulers};
use crate::tui::input::Cell;
use crate::tui::layout::{self, Panes};
use crate::tui::overlays::{HeatMapScope, Layer, Overlays};
use crate::tui::paint::Paint;

use ratatui::layout::Rect;

use super::{App, Drag};

/// Distance that a pan key moves the view, in terminal cells along x and y.
pub(super) const PAN: (i32, i32) = (8, 4);

/// The view of the map screen, and the state of paint mode.
#[derive(Debug, Clone)]
pub struct MapView {
    /// The camera, which determines the visible part of the map.
    pub camera: Camera,
    /// The visible panes: only the map, only the inspector, or all panes.
    pub panes: Panes,
    /// The overlays drawn on the map, and the agents to which they apply.
    pub overlays: Overlays,
    /// The drag in progress. `None` unless the left button is held down.
    pub(super) drag: Option<Drag>,
    /// The state of paint mode. `None` outside paint mode.
    pub paint: Option<Box<Paint>>,
}

impl MapView {
    pub(super) fn new(screen: Rect) -> Self {
        Self {
            camera: Camera::opening(Extent { width: 1, height: 1, wraps: false }, screen),
            panes: Panes::All,
            overlays: Overlays::default(),
            drag: None,
            paint: None,
        }
    }
}

impl App {
    /// Runs a command that changes the view. Then moves the view back to the agent that it follows.
    pub(super) fn on_view(&mut self, act: impl FnOnce(&mut Self)) {
        act(self);
        self.keep_in_view();
    }

    pub(super) fn enlarge_inspector(&mut self) {
        match (self.map_view.panes, self.subject()) {
            (Panes::Inspector, Subject::Agent(_)) => self.tune(),
            (Panes::Inspector, _) => self.map_view.panes = Panes::All,
            (Panes::All | Panes::Map, _) => self.map_view.panes = Panes::Inspector,
        }
    }

    pub(super) fn zoom_pane(&mut self) {
        self.map_view.panes = match self.map_view.panes {
            Panes::All => Panes::Map,
            Panes::Map => Panes::Inspector,
            Panes::Inspector => Panes::All,
        };
    }

    pub(super) fn fit(&mut self) {
        if let Some(session) = &self.session {
            self.map_view.camera = Camera::fitting(session.extent(), self.map_area());
        }
    }

    /// Returns the area in which the map is drawn, without borders and rulers.
    pub(super) fn map_area(&self) -> Rect {
        let area = layout::inside(self.layout().map);
        match &self.session {
            Some(session) if self.map_view.overlays.has(Layer::Rulers) => {
                rulers::room(area, session.extent())
            }
            _ => area,
        }
    }

    /// Returns the visible part of the map. Returns `None` if no map is open.
    pub fn view(&self) -> Option<View> {
        let session = self.session.as_ref()?;
        Some(self.map_view.camera.view(session.extent(), self.map_area()))
    }

    /// Returns the minimap's view of the whole map. Returns `None` if the minimap is not visible.
    pub fn minimap(&self) -> Option<View> {
        let shown = self.map_view.overlays.has(Layer::Minimap);
        let view = self.view().filter(|_| shown)?;
        minimap::place(self.session.as_ref()?, &view)
    }

    /// Returns the cell of the selected agent or tile. Returns `None` if nothing is selected, or if
    /// the cell is out of view.
    pub(super) fn subject_cell(&self) -> Option<Cell> {
        let (view, session) = (self.view()?, self.session.as_ref()?);
        match session.subject() {
            Subject::Nobody => None,
            Subject::Tile(tile) => view.body(tile, tile.centre()),
            Subject::Agent(id) => view.body(session.world().tile(id), session.world().position(id)),
        }
    }

    /// Zooms in if `nearer` is true, otherwise out. The point of the map under the cell `fixed`
    /// stays there. If `fixed` is `None`, the centre of the view stays.
    pub(super) fn zoom(&mut self, nearer: bool, fixed: Option<Cell>) {
        let area = self.map_area();
        let Some(session) = &self.session else { return };
        let extent = session.extent();
        let next = self.map_view.camera.next_zoom(nearer, extent, area);
        if next == self.map_view.camera.zoom {
            self.note(if nearer { "largest zoom" } else { "the whole map is in view" });
            return;
        }
        self.map_view.camera.zoom_to(next, fixed, extent, area);
        if next != Zoom::Square {
            self.note(next.to_string());
        }
    }

    /// Moves the view by `x` and `y` terminal cells. A map that does not wrap limits the view to
    /// its edges. Stops following the selected agent.
    pub(super) fn pan(&mut self, x: i32, y: i32) {
        self.map_view.camera.follow = false;
        let area = self.map_area();
        if let Some(session) = &self.session {
            self.map_view.camera.pan((x, y), session.extent(), area);
        }
    }

    /// Centres the view on the point of the map that a cell of the minimap shows. Stops following
    /// the selected agent.
    pub(super) fn look_from(&mut self, minimap: &View, cell: Cell) {
        self.map_view.camera.follow = false;
        let area = self.map_area();
        let within = Cell {
            x: cell.x.clamp(minimap.area.left(), minimap.area.right().saturating_sub(1)),
            y: cell.y.clamp(minimap.area.top(), minimap.area.bottom().saturating_sub(1)),
        };
        if let Some(session) = &self.session {
            self.map_view.camera.aim(minimap.point(within), session.extent(), area);
        }
    }

    pub(super) fn toggle_follow(&mut self) {
        let Some(session) = &self.session else { return };
        match session.selected().map(|id| session.world().name(id).to_string()) {
            None => {
                let text = format!("no agent to follow: {}", session.why_no_agent());
                self.warn(text);
            }
            Some(name) => {
                self.map_view.camera.follow = !self.map_view.camera.follow;
                let verb =
                    if self.map_view.camera.follow { "following" } else { "stopped following" };
                self.note(format!("{verb} {name}"));
            }
        }
    }

    pub(super) fn keep_in_view(&mut self) {
        let area = self.map_area();
        let Some(session) = &self.session else { return };
        if let (true, Some(id)) = (self.map_view.camera.follow, session.selected()) {
            self.map_view.camera.keep(where_drawn(session.world(), id), session.extent(), area);
        }
    }

    /// Moves the view so that the selected agent is visible. Scrolls the inspector to its first
    /// line.
    pub(super) fn show_selected(&mut self) {
        self.reader.scroll = 0;
        let (area, view) = (self.map_area(), self.view());
        let Some(session) = &self.session else { return };
        let Some(id) = session.selected() else { return };
        let (tile, position) = (session.world().tile(id), session.world().position(id));
        if view.is_some_and(|view| view.body(tile, position).is_none()) {
            self.map_view.camera.keep(where_drawn(session.world(), id), session.extent(), area);
        }
        self.keep_in_view();
    }

    /// Starts or stops counting visits, depending on whether the heat map is visible.
    pub(super) fn count_visits(&mut self) {
        let whose =
            self.map_view.overlays.has(Layer::Visits).then_some(self.map_view.overlays.whose);
        if let Some(session) = &mut self.session {
            session.count_visits(whose);
        }
    }

    pub(super) fn report_heat_map(&mut self) {
        self.count_visits();
        let counted = self.session.as_ref().and_then(|session| session.visits());
        let text = match (counted, self.map_view.overlays.whose) {
            _ if !self.map_view.overlays.has(Layer::Visits) => "heat map off".to_owned(),
            (None, _) => {
                let why = self.session.as_ref().map_or_else(String::new, Session::why_no_agent);
                format!("no heat map: {why}")
            }
            (Some(_), HeatMapScope::All) => "heat map of all agents".to_owned(),
            (Some(visits), HeatMapScope::Group) => {
                format!("heat map of group {}", visits.whom().name())
            }
            (Some(visits), HeatMapScope::Agent) => format!("heat map of {}", visits.whom().name()),
        };
        self.note(text);
    }
}

/// Returns the point at which an agent is drawn, in tiles. If the agent's position is not finite,
/// returns the centre of its tile.
fn where_drawn(world: &crate::world::World, id: crate::id::AgentId) -> Vec2 {
    let (tile, position) = (world.tile(id), world.position(id));
    if position.is_finite() { position } else { tile.centre() }
}
