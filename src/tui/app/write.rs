//! Saving changes, and warnings about unsaved changes.

use crate::tui::action::{Action, Context};
use crate::tui::library::{Save, Saved, Target};
use crate::words;

use super::{App, Effect};

/// Maximum number of settings that a warning names.
const NAMED: usize = 3;

impl App {
    pub(super) fn write(&mut self, target: Target) -> Option<Effect> {
        let session = self.session.as_ref()?;
        let changed = !session.unwritten().is_empty() || session.draft().is_unsaved();
        let is_new = matches!(target, Target::New(_));
        if !changed && !is_new {
            let key = |action| self.setup.keymap.named(action, Context::Watch);
            let (tune, paint) = (key(Action::EditValues), key(Action::Paint));
            let text = format!("nothing to write; {tune} edits values, {paint} paints tiles");
            self.note(text);
            return None;
        }
        if let (Some(name), false) = (session.new_name(), is_new) {
            let (line, replay) = (format!("write {name}"), session.is_replay());
            self.open_palette_with(&line);
            self.warn(if replay {
                "recordings are read-only; save a new map"
            } else {
                "built-in maps are read-only; save a copy"
            });
            return None;
        }
        let (sources, known) = (session.sources().clone(), session.known());
        let (id, draft) = (session.id().to_owned(), session.draft().clone());
        Some(Effect::Write(Save { id, sources, known, draft, target }))
    }

    /// Reports that values and edits were saved, or why they could not be saved.
    pub fn saved(&mut self, result: Result<Saved, String>) {
        match result {
            Ok(Saved { told, texts }) => {
                match &mut self.session {
                    Some(session) if texts.is_empty() => session.wrote_to_new_file(),
                    Some(session) => session.wrote(texts),
                    None => {}
                }
                self.note(told);
            }
            Err(why) => self.refuse(why),
        }
    }

    /// Returns a message about unsaved changes, if there are any.
    pub fn unwritten(&self) -> Option<String> {
        let session = self.session.as_ref()?;
        let mut lost = session.lost_settings();
        if session.draft().would_be_lost() {
            let count = session.draft().unsaved_count();
            lost.push(words::count(count as u64, "edit"));
        }
        let label = session.label();
        (!lost.is_empty()).then(|| format!("not written to {label}: {}", lost.join(", ")))
    }

    /// Returns true if an action may leave the map. If changes are unsaved, the first call warns
    /// and returns false.
    pub(super) fn may_leave(&mut self, action: Action) -> bool {
        let Some((lost, writes)) = self.would_lose() else { return true };
        if self.leaving == Some(action) {
            return true;
        }
        self.leaving = Some(action);
        let again = self.setup.keymap.named(action, Context::Watch);
        let again = if again.is_empty() { ":open".to_owned() } else { again };
        self.warn(format!("not written: {lost}; {writes}; {again} again leaves without writing"));
        false
    }

    /// Returns texts that name the changes that would be lost and how to save them. Returns `None`
    /// if nothing would be lost.
    fn would_lose(&self) -> Option<(String, String)> {
        let session = self.session.as_ref()?;
        let edited = session.draft().would_be_lost();
        let mut lost: Vec<_> = edited.then(|| session.unsaved_files()).into_iter().collect();
        let settings = session.lost_settings();
        let more = settings.len().saturating_sub(NAMED);
        lost.extend(settings.into_iter().take(NAMED));
        if lost.is_empty() {
            return None;
        }
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let key = |action| self.setup.keymap.named(action, Context::Watch);
        let writes = match session.new_name() {
            Some(_) => ":write FILE saves a copy".to_owned(),
            None => format!("{} writes", key(Action::Write)),
        };
        // Settings of later frames can only be saved at the last frame.
        let first = if session.is_unsaved() {
            String::new()
        } else {
            format!("{} goes to the last frame; ", key(Action::Last))
        };
        Some((format!("{}{more}", lost.join(", ")), format!("{first}{writes}")))
    }
}
