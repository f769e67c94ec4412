//! The list of unsaved changes. It opens before several changes are written at once.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use crate::debugger::session::Session;
use crate::scenario::sources::FileRole;
use crate::tui::action::Context;
use crate::tui::draw::list::{List, ListRow};
use crate::tui::draw::pane;
use crate::tui::effect::Effect;
use crate::tui::host::Save;
use crate::tui::map_screen::{MapScreen, description};
use crate::tui::theme::Theme;
use crate::tui::ui::Ui;
use crate::words;

use super::{Change, Next, Popup};

/// Maximum number of visible changes. Longer lists scroll.
const ROWS: u16 = 12;

/// Maximum width of the panel in terminal columns. Longer lines are hard to read.
const COLUMNS: u16 = 110;

/// The unsaved changes in the list, and the save request that waits for confirmation.
#[derive(Debug, Clone)]
pub struct PendingChanges {
    save: Save,
    /// Changes in display order: values first, then edits.
    changes: Vec<PendingChange>,
    /// Index of the selected change in `changes`.
    selected: usize,
}

/// A change that is not written to the map's files.
#[derive(Debug, Clone)]
struct PendingChange {
    /// Path of the value, such as `guard.body.mass`. For an edit, its description.
    what: String,
    /// Text of the old and of the new value. `None` for an edit.
    values: Option<(String, String)>,
    /// Name of the file that will change. If the file contains the value, the line number follows.
    place: String,
}

impl PendingChanges {
    /// Lists the unsaved changes of a session. `save` writes them when the user confirms.
    pub(in crate::tui) fn new(save: Save, session: &Session) -> Self {
        Self { save, changes: pending(session), selected: 0 }
    }

    /// Returns the effect that writes all listed changes.
    pub(in crate::tui) fn write(&self) -> Effect {
        Effect::Write(self.save.clone())
    }
}

impl Popup for PendingChanges {
    fn context(&self) -> Context {
        Context::Changes
    }

    fn list<'a>(&'a self, map: &'a MapScreen, ui: &'a Ui) -> Option<List<'a>> {
        Some(list(self, &ui.setup.theme, map.list_area(ui)))
    }

    fn select(&mut self, row: usize) {
        self.selected = row;
    }

    /// Does nothing, so that a click on the selected row writes no file.
    fn pick(&mut self, _map: &mut MapScreen, _ui: &mut Ui) -> Next {
        Next::Stay
    }

    fn close(&mut self, map: &mut MapScreen, ui: &mut Ui) -> Next {
        map.note(ui, "nothing written");
        Next::Close
    }

    /// Closes the list after a reload, because the list is then out of date.
    fn renew(&mut self, change: Change, _session: &Session) -> Next {
        if change == Change::Scenario { Next::Close } else { Next::Stay }
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

/// Returns the list of changes, placed in the lowest rows of `area`.
fn list<'a>(pending: &'a PendingChanges, theme: &'a Theme, area: Rect) -> List<'a> {
    let changes = &pending.changes;
    let count = changes.len();
    let area = pane::at_bottom((count as u16).min(ROWS) + 2, COLUMNS, area);
    let hidden = count.saturating_sub(usize::from(area.height.saturating_sub(2)));
    let values = changes.iter().filter(|change| change.values.is_some());
    let width = values.map(|change| change.what.width()).max().unwrap_or(0);
    let title = format!("write {}?", words::count(count as u64, "change"));
    let row = move |index| row(&changes[index], width, theme);
    List {
        right: if hidden > 0 { format!("{hidden} more") } else { String::new() },
        ..List::new(title, area, count, Some(pending.selected), theme, row)
    }
}

fn row(change: &PendingChange, width: usize, theme: &Theme) -> ListRow {
    let mut spans = vec![(format!(" {}", change.what), theme.text)];
    if let Some((before, after)) = &change.values {
        let before = if before.is_empty() { "not set" } else { before };
        spans[0].0 = format!(" {:<width$}  ", change.what);
        spans.push((format!("{before} → "), theme.dim));
        spans.push((after.clone(), theme.strong));
    }
    ListRow { spans, right: Some((format!(" {} ", change.place), theme.dim)) }
}
