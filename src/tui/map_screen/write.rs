//! Writes changes to files, and warns about unsaved changes.

use std::path::Path;
use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

use crate::debugger::session::Session;
use crate::files::read::tuning::ValueDifference;
use crate::files::settings::Setting;
use crate::render::Format;
use crate::render::run::Range;
use crate::render::scene::View;
use crate::time::Frame;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::effect::Effect;
use crate::tui::host::{NewHome, RunPicture, Save, Saved, Target};
use crate::tui::map_screen::popup::changes::PendingChanges;
use crate::tui::ui::Ui;
use crate::words;

use super::MapScreen;
use super::paint::description;

const HEAD: &str = "not written: ";

/// Message while a file is being written.
pub const STILL_WRITING: &str = "still writing a file; try again when it is written";

/// Maximum number of rows of a warning about unsaved changes. If changes do not fit, the warning
/// only contains their number.
const ROWS: usize = 3;

impl MapScreen {
    pub(in crate::tui) fn write(&mut self, ui: &mut Ui, target: Target) -> Option<Effect> {
        let session = &self.session;
        let changed = !session.unwritten().is_empty() || session.draft().is_unsaved();
        let is_new = matches!(target, Target::New(_));
        if !changed && !is_new && !session.is_imported() {
            let key = |action| ui.setup.keymap.named(action, Context::Map);
            let (tune, paint) = (key(Action::EditValues), key(Action::Paint));
            let text = format!("nothing to write; {tune} edits values, {paint} paints tiles");
            self.note(ui, text);
            return None;
        }
        if let (Some(name), false) = (session.new_name(), is_new) {
            let line = format!("write {name}");
            let text = if session.is_imported() {
                "the imported map has no file yet; Enter writes it"
            } else if session.is_replay() {
                "recordings are read-only; save a new map"
            } else {
                "built-in maps are read-only; save a copy"
            };
            ui.open_command_line_with(&line);
            self.warn(ui, text);
            return None;
        }
        let (sources, known) = (session.sources().clone(), session.known());
        let (id, draft) = (session.id().to_owned(), session.draft().clone());
        let (values, edits) = (session.unwritten().len(), draft.unsaved_edits().count());
        let asks = target == Target::File && values > 0 && values + edits > 1;
        let save = Save { id, sources, known, draft, target };
        if asks {
            self.open(PendingChanges::new(save, &self.session));
            return None;
        }
        Some(Effect::Write(save))
    }

    /// Returns the effect that writes the changes without listing them, and then quits.
    pub(in crate::tui) fn write_and_quit(&mut self, ui: &mut Ui) -> Option<Effect> {
        let session = &self.session;
        if lost_changes(session).is_empty() && self.unfinished_path().is_none() {
            return Some(Effect::Quit);
        }
        if session.new_name().is_some() || self.unfinished_path().is_some() {
            // There is no file to write to, or a path must be finished first. After this warning, the
            // key that quits leaves at once.
            let key = ui.setup.keymap.named(Action::Quit, Context::Map);
            self.may_leave_by(ui, Action::Quit, &key);
            return None;
        }
        let (sources, known) = (session.sources().clone(), session.known());
        let (id, draft) = (session.id().to_owned(), session.draft().clone());
        Some(Effect::WriteAndQuit(Save { id, sources, known, draft, target: Target::File }))
    }

    /// Returns the effect that writes a picture of this frame, or a film of the frames since the last
    /// bookmark before it. The file extension selects the format.
    pub(in crate::tui) fn render(
        &mut self,
        ui: &mut Ui,
        argument: Option<&Argument>,
    ) -> Option<Effect> {
        let Some(Argument::File(path)) = argument else { return None };
        let Some(format) = Format::of(Path::new(path)) else {
            self.warn(ui, format!("the file name must end in {}", Format::endings()));
            return None;
        };
        let frame = self.session.world().frame();
        let bookmark = self.session.bookmarks().near(frame, false).filter(|_| format.is_film());
        let first = if format.is_film() { Frame(0) } else { frame };
        let from = bookmark.map_or(first, |bookmark| bookmark.frame).0;
        Some(Effect::Render { path: path.clone(), format, from })
    }

    /// Returns the request for a picture of this frame, or a film that ends with it.
    pub(in crate::tui) fn run_picture(
        &self,
        path: String,
        format: Format,
        from: u64,
    ) -> RunPicture {
        let history = self.session.history();
        let run = history.run();
        let to = history.frame().0;
        let agent = self.session.selected().map(|id| history.world().name(id).to_string());
        let view = View { agents: agent.into_iter().collect(), ..View::default() };
        let range = Range { from: from.min(to), to, every: 1 };
        let (scenario, commands) = (Arc::clone(run.start()), run.log().clone());
        RunPicture { path, format, scenario, commands, range, view }
    }

    /// Marks values and edits as saved, and shows the message of the save.
    pub(in crate::tui) fn wrote(&mut self, ui: &mut Ui, saved: Saved) {
        match saved.moved {
            Some(NewHome { id, files }) => self.session.moved_to(id, &files),
            None if saved.texts.is_empty() => self.session.wrote_to_new_file(),
            None => self.session.wrote(saved.texts),
        }
        self.note(ui, saved.message);
    }

    /// Returns a message that lists the unsaved changes that are lost when the map closes. Returns
    /// `None` if no change is lost.
    pub(in crate::tui) fn unwritten(&self) -> Option<String> {
        let session = &self.session;
        let mut lost: Vec<_> = session.lost_settings().iter().map(Setting::to_string).collect();
        if session.draft().would_be_lost() {
            let count = session.draft().unsaved_count();
            lost.push(words::count(count as u64, "edit"));
        }
        let label = session.label();
        (!lost.is_empty()).then(|| format!("not written to {label}: {}", lost.join(", ")))
    }

    /// Returns true if `action` may close the map. If there are unsaved changes or an unfinished
    /// path, the first call shows a warning and returns false. A second call with the same action
    /// and the same changes returns true.
    pub(in crate::tui) fn may_leave(&mut self, ui: &mut Ui, action: Action) -> bool {
        let key = ui.setup.keymap.named(action, Context::Map);
        let again = match (key.as_str(), action) {
            ("", Action::NewMap) => ":new".to_owned(),
            ("", _) => ":open".to_owned(),
            _ => key,
        };
        self.may_leave_by(ui, action, &format!("{again} again"))
    }

    /// Decides about leaving the map as [`MapScreen::may_leave`] does. `how` names what the user does
    /// to leave without writing, such as `q again`.
    pub(in crate::tui) fn may_leave_by(&mut self, ui: &mut Ui, action: Action, how: &str) -> bool {
        let session = &self.session;
        let mut lost = lost_changes(session);
        let saves = if lost.is_empty() {
            let key = ui.setup.keymap.named(Action::FinishPath, Context::Draw);
            format!("{key} finishes the path")
        } else {
            Self::how_to_write(ui, session)
        };
        lost.extend(self.unfinished_path().map(|name| format!("unfinished path {name}")));
        let warned = self.leaving.as_ref().map(|(action, lost)| (*action, lost));
        if lost.is_empty() || warned == Some((action, &lost)) {
            return true;
        }
        let rest = format!("; {saves}; {how} leaves without writing");
        let room = ROWS * usize::from(ui.screen.width.saturating_sub(2));
        let named = shortened(&lost, room.saturating_sub(HEAD.width() + rest.width()));
        self.leaving = Some((action, lost));
        self.warn(ui, format!("{HEAD}{named}{rest}"));
        false
    }

    /// Describes the keys that write the changes.
    fn how_to_write(ui: &Ui, session: &Session) -> String {
        let key = |action| ui.setup.keymap.named(action, Context::Map);
        let writes = match session.new_name() {
            Some(_) => ":write FILE saves a copy".to_owned(),
            None => format!("{} writes", key(Action::Write)),
        };
        // Settings of later frames can only be saved at the last frame.
        if session.is_unsaved() {
            return writes;
        }
        format!("{} goes to the last frame; {writes}", key(Action::Last))
    }
}

/// Describes each unsaved change that is lost when the map closes. Changed values come first, each
/// with its old and new value. Edits follow.
fn lost_changes(session: &Session) -> Vec<String> {
    let value = |ValueDifference { path, before, after, .. }| {
        let before = if before.is_empty() { "not set" } else { &before };
        format!("{path} {before} → {after}")
    };
    let values = session.differences(&session.lost_settings());
    let mut lost: Vec<_> = values.into_iter().map(value).collect();
    if session.draft().would_be_lost() {
        lost.extend(session.draft().unsaved_edits().map(|(edit, _)| description(edit, session)));
    }
    lost
}

/// Joins as many items as fit into `room` terminal columns, but at least one. Appends the number of
/// items left out.
fn shortened(items: &[String], room: usize) -> String {
    let first = |count: usize| {
        let named = items[..count].join(", ");
        match items.len() - count {
            0 => named,
            more => format!("{named} and {more} more"),
        }
    };
    let fitting = (1..=items.len()).rev().map(first).find(|text| text.width() <= room);
    fitting.unwrap_or_else(|| first(items.len().min(1)))
}
