//! The list of changes to write. It opens before several changes are written at once.

use crate::debugger::session::Session;
use crate::scenario::sources::Place;
use crate::tui::action::Context;
use crate::tui::draw;
use crate::tui::draw::list::List;
use crate::tui::library::Save;

use super::component::Component;
use super::stroke::description;
use super::{App, Effect, Mode};

/// The changes that wait to be written, and the selected row.
#[derive(Debug, Clone)]
pub struct PendingChanges {
    save: Save,
    /// The changes in the list.
    pub changes: Vec<PendingChange>,
    /// The index of the selected change.
    pub selected: usize,
}

/// A change of a map's files.
#[derive(Debug, Clone)]
pub struct PendingChange {
    /// The name of a value, or the description of an edit.
    pub what: String,
    /// The old and the new value; `None` for an edit.
    pub values: Option<(String, String)>,
    /// The name of the file, with the line of a value.
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
    /// Lists the changes that would be written.
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

/// Returns all changes that `w` writes: values first, then edits.
fn pending(session: &Session) -> Vec<PendingChange> {
    let map = session.file_name(&Place::Map);
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
