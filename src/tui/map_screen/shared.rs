//! Views that are handed over to other people: how this screen shows its map, and how it restores
//! the view of another screen.

use crate::debugger::session::Subject;
use crate::debugger::{FirstView, SharedScreen, SharedView};
use crate::geom::{TilePos, Vec2};
use crate::tui::argument::Argument;
use crate::tui::camera::{Camera, Framing, Zoom};
use crate::tui::effect::Effect;
use crate::tui::layout::Panes;
use crate::tui::overlays::{HeatMapScope, Overlays, TABLE};
use crate::tui::tab::Tab;
use crate::tui::ui::Ui;

use super::MapScreen;

/// The panes of a view, and their names.
const PANES: [(Panes, &str); 3] =
    [(Panes::All, "all"), (Panes::Map, "map"), (Panes::Inspector, "inspector")];

/// The scopes of the heat map in a view, and their names.
const SCOPES: [(HeatMapScope, &str); 3] =
    [(HeatMapScope::Agent, "agent"), (HeatMapScope::Group, "group"), (HeatMapScope::All, "all")];

/// The framings of a view, and their names.
const FRAMINGS: [(Framing, &str); 3] =
    [(Framing::Opening, "opening"), (Framing::Whole, "whole"), (Framing::Chosen, "chosen")];

/// Returns the value with a name. Returns `None` if the name is unknown.
fn value<T: Copy>(named: &[(T, &str)], name: &str) -> Option<T> {
    named.iter().find(|&&(_, known)| known == name).map(|&(value, _)| value)
}

/// Returns the name of a value.
fn name<T: Copy + PartialEq>(named: &[(T, &str)], value: T) -> String {
    named.iter().find(|&&(known, _)| known == value).map_or("", |&(_, name)| name).to_owned()
}

impl MapScreen {
    /// Returns the effect that writes the current view to a new recording.
    pub(in crate::tui) fn share(&mut self, ui: &Ui, argument: Option<&Argument>) -> Effect {
        self.clock.set_playing(false);
        let path =
            if let Some(Argument::File(path)) = argument { Some(path.clone()) } else { None };
        Effect::Share { path, view: self.shared_view(ui).text() }
    }

    /// Returns what the screen shows now.
    fn shared_view(&self, ui: &Ui) -> SharedView {
        let session = &self.session;
        // A part of the map stays the same part on a screen of another size.
        let is_whole = self.view(ui).is_whole();
        let framing = if is_whole { self.camera.framing } else { Framing::Chosen };
        let (world, view) = (session.world(), SharedView::of(session.history()));
        let tile = match session.subject() {
            Subject::Tile(TilePos { x, y }) => Some([x, y]),
            Subject::None | Subject::Agent(_) => None,
        };
        let overlays = TABLE.iter().filter(|entry| self.overlays.has(entry.layer));
        let screen = SharedScreen {
            centre: self.camera.centre.to_array(),
            zoom: self.camera.zoom.word(),
            follow: self.camera.follow,
            framing: name(&FRAMINGS, framing),
            overlays: overlays.map(|entry| entry.name.to_owned()).collect(),
            all_agents: self.overlays.all,
            heat_map: name(&SCOPES, self.overlays.whose),
            page: self.inspector.tab.word().to_owned(),
            panes: name(&PANES, self.panes),
        };
        let agent = session.selected().map(|id| world.name(id).to_string());
        SharedView { agent, tile, screen: Some(screen), ..view }
    }

    /// Shows what a view asks for, and goes to its frame. The selection and the camera follow when
    /// the frame is reached.
    pub(in crate::tui) fn show_first(&mut self, first: FirstView, ui: &Ui) {
        if let Some(screen) = &first.screen {
            self.show_like(screen);
        }
        let FirstView { frame, agent, plays, tile, screen } = first;
        (self.seek.select, self.seek.restored) = (agent, Some((tile, screen)));
        match frame {
            Some(frame) => {
                self.go_to_and_report(ui, frame);
                if plays {
                    self.clock.set_playing(true);
                    self.seek.follows = true;
                }
            }
            None => self.select_at_destination(ui),
        }
    }

    /// Shows the overlays, the page and the panes of another screen. Keeps those whose names are
    /// unknown.
    fn show_like(&mut self, screen: &SharedScreen) {
        let names: Vec<&str> = screen.overlays.iter().map(String::as_str).collect();
        let whose = value(&SCOPES, &screen.heat_map).unwrap_or(self.overlays.whose);
        self.overlays = Overlays::named(&names);
        (self.overlays.all, self.overlays.whose) = (screen.all_agents, whose);
        let page = Tab::ALL.into_iter().find(|tab| tab.word() == screen.page);
        self.inspector.tab = page.unwrap_or(self.inspector.tab);
        self.panes = value(&PANES, &screen.panes).unwrap_or(self.panes);
        self.is_shared = true;
        self.count_visits();
    }

    /// Selects the tile and moves the camera as the first view asks for. Does nothing if this was
    /// done earlier.
    pub(super) fn restore_view(&mut self, ui: &Ui) {
        let Some((tile, screen)) = self.seek.restored.take() else { return };
        let tiles = self.session.scenario().map().tiles();
        let tile = tile.map(|[x, y]| TilePos::new(x, y)).filter(|&tile| tiles.contains(tile));
        if tile.is_some() {
            self.session.look_at(tile);
        }
        let Some(screen) = screen else { return };
        let [x, y] = screen.centre;
        let zoom = Zoom::all().find(|level| level.word() == screen.zoom);
        let zoom = zoom.unwrap_or(self.camera.zoom);
        self.camera = Camera { zoom, follow: screen.follow, ..self.camera };
        if x.is_finite() && y.is_finite() {
            let (extent, area) = (self.session.extent(), self.map_area(ui));
            self.camera.aim(Vec2::new(x, y), extent, area);
        }
        self.camera.framing = value(&FRAMINGS, &screen.framing).unwrap_or_default();
        self.refit(ui);
    }
}
