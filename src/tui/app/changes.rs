//! The list of unsaved changes. It opens before several changes are written at once.

use crate::debugger::session::Session;
use crate::scenario::sources::FileRole;
use crate::tui::action::Context;
use crate::tui::draw;
use crate::tui::draw::list::List;
use crate::tui::library::Save;

use super::component::Component;
use super::stroke::description;
use super::{App, Effect, Mode};

/// The unsaved changes in the list, and the save request that waits for confirmation.
#[derive(Debug, Clone)]
pub struct PendingChanges {
    save: Save,
    /// Changes in display order: values first, then edits.
    pub changes: Vec<PendingChange>,
    /// Index of the selected change in `changes`.
    pub selected: usize,
}

/// A change that is not written to the map's files.
#[derive(Debug, Clone)]
pub struct PendingChange {
    /// Path of the value, such as `guard.body.mass`. For an edit, its description.
    pub what: String,
    /// Text of the old and of the new value. `None` for an edit.
    pub values: Option<(String, String)>,
    /// Name of the file that will change. If the file contains the value, the line number follows.
    pub place: String,
}

pub(super) struct ChangeList;

impl Component for ChangeList {
    fn context(&self, _app: &App) -> Context {
        Context::Changes
    }

    fn list<'a>(&self, app: &'a App) -> Option<List<'a>> {
        let Mode::Changes(pending) = &app.mode else { return None };
        Some(draw::changes::list(pending, &app.setup.theme, app.panel_area()))
    }

    fn select(&self, app: &mut App, row: usize) -> Option<Effect> {
        if let Mode::Changes(pending) = &mut app.mode {
            pending.selected = row;
        }
        None
    }

    fn close(&self, app: &mut App) -> Option<Effect> {
        app.mode = Mode::Watch;
        app.note("nothing written");
        None
    }
}

impl App {
    /// Opens the list of unsaved changes. `save` writes them when the user confirms.
    pub(super) fn list_changes(&mut self, save: Save) {
        let Some(session) = &self.session else { return };
        let changes = pending(session);
        self.mode = Mode::Changes(Box::new(PendingChanges { save, changes, selected: 0 }));
    }

    pub(super) fn write_listed(&mut self) -> Option<Effect> {
        let mode = core::mem::replace(&mut self.mode, Mode::Watch);
        let Mode::Changes(pending) = mode else {
            self.mode = mode;
            return None;
        };
        Some(Effect::Write(pending.save))
    }
}

fn pending(session: &Session) -> Vec<PendingChange> {
    let map = session.file_name(&FileRole::Map);
    let values = session.differences(session.unwritten()).into_iter().map(|value| PendingChange {
        place: value.line.map_or_else(|| map.to_owned(), |line| format!("{map}:{line}")),
        what: value.path.to_string(),
        values: Some((value.before, value.after)),
    });
    let edits = session.draft().unsaved_edits().map(|(edit, place)| PendingChange {
        what: description(edit, session),
        values: None,
        place: session.file_name(place).to_owned(),
    });
    values.chain(edits).collect()
}
