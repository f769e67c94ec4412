//! Panels: the lists over the map that differ only in rows and main command.
//!
//! To add a panel, add a [`Panel`] to this file, and a command that opens the panel to the table of
//! commands.

use crate::debugger::session::Session;
use crate::history::run::RunId;
use crate::tui::action::Context;
use crate::tui::draw::list::List;
use crate::tui::draw::{breaks, layers, markers, problems, runs};
use crate::tui::input::Cell;
use crate::tui::overlays::TABLE;

use super::component::Component;
use super::{App, Effect, Mode};

/// A list over the map whose only state is the selected row.
#[derive(Debug)]
pub struct Panel {
    /// The context whose keys work in this panel.
    pub context: Context,
    /// Function that returns the list with the given row selected.
    pub list: for<'a> fn(&'a App, &'a Session, usize) -> List<'a>,
    /// Function that runs the main command on the given row.
    pub pick: fn(&mut App, usize),
}

impl Component for Panel {
    fn context(&self, _app: &App) -> Context {
        self.context
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        Some((self.list)(app, app.session.as_ref()?, app.row_of(self)?))
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        if let Mode::Panel(_, selected) = &mut app.mode {
            *selected = row;
        }
        None
    }

    fn pick(&self, app: &mut App) -> Option<Effect> {
        if let Some(row) = app.row_of(self) {
            (self.pick)(app, row);
        }
        None
    }

    fn click(&self, app: &mut App, cell: Cell) -> Option<Effect> {
        app.click_pane(cell);
        None
    }
}

pub(super) static RUNS: Panel = Panel {
    context: Context::Runs,
    list: |app, session, row| {
        runs::list(session.history(), row, &app.setup.theme, app.layout().map)
    },
    pick: |app, row| app.switch_run(RunId(row as u32)),
};

pub(super) static BREAKS: Panel = Panel {
    context: Context::Breaks,
    list: |app, session, row| breaks::list(session, row, &app.setup.theme, app.panel_area()),
    pick: App::go_to_last_stop,
};

pub(super) static BOOKMARKS: Panel = Panel {
    context: Context::Markers,
    list: |app, session, row| {
        markers::list(session, row, &app.setup.keymap, &app.setup.theme, app.panel_area())
    },
    pick: App::go_to_marker,
};

pub(super) static OVERLAYS: Panel = Panel {
    context: Context::Overlays,
    list: |app, _, row| {
        layers::list(app.map_view.overlays, row, &app.setup.theme, &app.layout(), app.screen)
    },
    pick: |app, row| app.map_view.overlays.toggle(TABLE[row].layer),
};

pub(super) static PROBLEMS: Panel = Panel {
    context: Context::Problems,
    list: |app, session, row| {
        problems::list(session.problems(), row, &app.setup.theme, app.panel_area())
    },
    pick: |_, _| {},
};
