//! The component of the map screen, while no list or page is open.

use crate::debugger::session::{Session, Subject};
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::tui::action::{Action, Context};
use crate::tui::camera::View;
use crate::tui::draw;
use crate::tui::draw::map::minimap;
use crate::tui::input::Cell;
use crate::tui::layout::{self, Panes};

use super::component::Component;
use super::mouse::within;
use super::{App, Drag, Effect};

/// The component of the map screen without lists or pages. [`MapView`](super::MapView) holds its
/// state.
pub(super) struct MapScreen;

impl Component for MapScreen {
    fn context(&self, app: &App) -> Context {
        if app.driven().is_some() { Context::Drive } else { Context::Watch }
    }

    /// Stops a seek, shows all panes, deselects the tile, or hides the ghost. Performs only the
    /// first of these actions that applies.
    fn close(&self, app: &mut App) -> Option<Effect> {
        if app.is_under_way() {
            app.stop_on_the_way();
        } else if app.map_view.panes != Panes::All {
            app.map_view.panes = Panes::All;
        } else if let (Subject::Tile(_), Some(session)) = (app.subject(), &mut app.session) {
            session.look_at(None);
        } else if !app.end_comparison() && !app.gallery.maps.all().is_empty() {
            let key = app.setup.keymap.named(Action::ToGallery, Context::Watch);
            app.note(format!("nothing to close; {key} opens the gallery"));
        }
        None
    }

    fn click(&self, app: &mut App, cell: Cell) -> Option<Effect> {
        app.click_pane(cell);
        None
    }

    fn right_click(&self, app: &mut App, cell: Cell) {
        app.open_menu_at(cell);
    }

    fn wheel(&self, app: &mut App, at: Cell, by: isize) -> Option<Effect> {
        let layout = app.layout();
        if within(layout.map, at) && !app.covers(at) {
            app.zoom(by < 0, Some(at));
            app.keep_in_view();
        } else if within(layout.inspector, at) {
            app.scroll_by(by * 2);
        } else if within(layout.agents, at)
            && let Some(session) = &mut app.session
        {
            session.select_next(if by < 0 { -1 } else { 1 });
            app.show_selected();
        }
        None
    }
}

impl App {
    /// Returns the view of the minimap if the minimap is drawn on the cell. Returns `None` if the
    /// cell shows a list or no minimap.
    pub(super) fn minimap_at(&self, cell: Cell) -> Option<View> {
        let is_here = |map: &View| within(minimap::border(map), cell) && !self.covers(cell);
        self.minimap().filter(is_here)
    }

    /// Handles a click on the timeline, the inspector, the minimap, the map or the agents pane.
    pub(super) fn click_pane(&mut self, cell: Cell) {
        let layout = self.layout();
        if within(layout.timeline, cell) {
            self.map_view.drag = Some(Drag::Time);
            self.scrub(cell);
            return;
        }
        if within(layout.inspector, cell) {
            self.click_in_inspector(layout.inspector, cell);
            return;
        }
        if let Some(minimap) = self.minimap_at(cell) {
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
                    let name = session.world().name(id).to_string();
                    self.map_view.drag = Some(Drag::Agent { name, from: tile, to: tile });
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
