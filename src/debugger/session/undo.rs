//! Undo and redo: changed values and edits of the files, in one order.
//!
//! The draft holds the edits. Each changed value holds the number of edits that came before it.

use std::sync::Arc;

use crate::files::edit::Change;
use crate::files::settings::Setting;
use crate::files::tuning;
use crate::scenario::Scenario;

use super::draft::{Incoming, map_text};
use super::{Session, values};

/// The changed values that can be undone or redone, the latest last.
#[derive(Debug, Clone, Default)]
pub(super) struct ValueChanges {
    done: Vec<ValueChange>,
    undone: Vec<ValueChange>,
}

/// A changed value, and the state before the change.
#[derive(Debug, Clone)]
struct ValueChange {
    setting: Setting,
    /// The setting that was replaced, if there was one.
    earlier: Option<Setting>,
    /// The value in the text of the map at that time.
    written: Option<String>,
    /// The value before the change, as written; empty if it was not set.
    before: String,
    /// The number of edits in the draft at that time.
    edits: usize,
}

/// What was undone or redone.
#[derive(Debug)]
pub enum Reverted {
    /// A value, from the next frame on. Holds a message for the user.
    Value(String),
    /// An edit, which leads to another scenario.
    Edit(Incoming, Arc<Change>),
}

impl Session {
    /// Undoes the last change of a value or the last edit. Returns `None` if there is nothing to
    /// undo.
    pub fn undo(&mut self) -> Option<Result<Reverted, String>> {
        let depth = self.files.draft.undo_depth();
        let last = self.changes.done.last();
        if last.is_none_or(|change| change.edits < depth) {
            let (draft, change) = self.files.draft.undo()?;
            let incoming = self.try_draft(draft, String::new());
            return Some(incoming.map(|incoming| Reverted::Edit(incoming, change)));
        }
        if let Err(why) = self.check_arrived() {
            return Some(Err(why));
        }
        let change = self.changes.done.pop()?;
        let tuned = self.value_before(&change);
        self.changes.undone.push(change);
        Some(tuned.and_then(|tuned| self.revert(tuned)))
    }

    /// Redoes what was undone last. Returns `None` if there is nothing to redo.
    pub fn redo(&mut self) -> Option<Result<Reverted, String>> {
        let depth = self.files.draft.undo_depth();
        let last = self.changes.undone.last();
        if last.is_none_or(|change| change.edits > depth)
            && let Some((draft, change)) = self.files.draft.redo()
        {
            let incoming = self.try_draft(draft, String::new());
            return Some(incoming.map(|incoming| Reverted::Edit(incoming, change)));
        }
        if self.changes.undone.is_empty() {
            return None;
        }
        if let Err(why) = self.check_arrived() {
            return Some(Err(why));
        }
        let change = self.changes.undone.pop()?;
        let tuned = tuning::change(&self.latest().sources, &change.setting);
        self.changes.done.push(change);
        Some(tuned.and_then(|tuned| self.revert(tuned)))
    }

    /// Records a changed value. What was undone before cannot be redone then.
    pub(super) fn note_value(&mut self, setting: &Setting, change: &tuning::Change) {
        self.files.draft.forget_undone();
        self.changes.undone.clear();
        self.changes.done.push(ValueChange {
            setting: setting.clone(),
            earlier: change.earlier.clone(),
            written: change.written.clone(),
            before: change.before.clone(),
            edits: self.files.draft.undo_depth(),
        });
    }

    /// Records an edit. Values that were undone before cannot be redone then.
    pub(super) fn note_edit(&mut self) {
        self.changes.undone.clear();
    }

    /// Adapts the order of values and edits after a save by another program has removed edits from
    /// the draft: values then come after the remaining edits.
    pub(super) fn forget_edits(&mut self) {
        let depth = self.files.draft.undo_depth();
        for change in self.changes.done.iter_mut().chain(&mut self.changes.undone) {
            change.edits = change.edits.min(depth);
        }
    }

    /// Returns the scenario at the end of the current run.
    pub(super) fn latest(&self) -> &Arc<Scenario> {
        let run = self.history.run();
        values::scenarios(run).last().unwrap_or(run.start())
    }

    /// Reads the map with the value before a change. Other values are those at the end of the run,
    /// so that an undo at an earlier frame loses none of them.
    fn value_before(&self, change: &ValueChange) -> Result<tuning::Change, String> {
        let sources = &self.latest().sources;
        if let Some(earlier) = &change.earlier {
            return tuning::change(sources, earlier);
        }
        // The text may have changed since, for example because the new value was written.
        let texts = [map_text(sources), Arc::clone(&self.files.text)];
        if texts.iter().all(|text| change.setting.present(text) == change.written) {
            return tuning::unset(sources, &change.setting);
        }
        let path = change.setting.path();
        let before = Setting::of(path, &change.before)
            .map_err(|_| format!("{path} is in the map file now and has no default"))?;
        tuning::change(sources, &before)
    }

    fn revert(&mut self, tuned: tuning::Change) -> Result<Reverted, String> {
        if tuned.before == tuned.after {
            return Err(format!("{} is already {} in this run", tuned.path, tuned.after));
        }
        Ok(Reverted::Value(self.go_on_tuned(tuned)))
    }
}
