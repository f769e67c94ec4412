//! Undo and redo of changed values and of file edits, in one common order.
//!
//! The draft stores the file edits. Each changed value stores the number of file edits made before
//! it.

use std::sync::Arc;

use crate::files::read::tuning;
use crate::files::settings::{self, Setting};
use crate::files::write::edit::draft::Draft;
use crate::files::write::edit::{Edit, EditChange};
use crate::history::run::RunId;
use crate::scenario::Scenario;
use crate::time::Frame;

use super::Session;
use super::draft::{Incoming, map_text};

/// The changed values that can be undone or redone. The latest change is last in each list.
#[derive(Debug, Clone, Default)]
pub(super) struct ValueChanges {
    done: Vec<ValueChange>,
    undone: Vec<ValueChange>,
    /// The change that was undone last, if the run that continues without it can still be shown.
    /// Also holds the run in which it was undone.
    forgettable: Option<(MadeAt, RunId)>,
}

/// A changed value, with the state before the change.
#[derive(Debug, Clone)]
struct ValueChange {
    setting: Setting,
    /// The setting of the same value that applied before the change. `None` if no setting applied.
    earlier: Option<Setting>,
    /// The value in the map file before the change. `None` if the file did not contain it.
    written: Option<String>,
    /// The value before the change, in TOML notation. Empty if it was not set.
    before: String,
    /// The number of edits in the draft before the change.
    edits: usize,
    at: MadeAt,
}

/// Where a value was changed.
#[derive(Debug, Clone, Copy)]
struct MadeAt {
    /// The run before the change.
    run: RunId,
    /// The last frame without the change.
    frame: Frame,
    /// Whether the change started a new run, so that `run` continues without it.
    branches: bool,
}

impl ValueChanges {
    /// Forgets the changes of the value that `setting` sets.
    pub fn forget(&mut self, setting: &Setting) {
        for list in [&mut self.done, &mut self.undone] {
            list.retain(|change| change.setting.path() != setting.path());
        }
    }
}

/// The result of an undo or a redo.
#[derive(Debug)]
pub enum Reverted {
    /// A changed value, which applies from the next frame on. The text is a message for the user.
    Value(String),
    /// A file edit that was undone or redone, with the resulting scenario.
    Edit(Incoming, Arc<EditChange>),
}

impl Session {
    /// Undoes the latest change of a value or the latest file edit, whichever was made last.
    /// Returns `None` if nothing can be undone. Returns a message for the user as the error if the
    /// undo is impossible now. The undo can then be tried again later.
    pub fn undo(&mut self) -> Option<Result<Reverted, String>> {
        let depth = self.files.draft.undo_depth();
        let last = self.changes.done.last();
        if last.is_none_or(|change| change.edits < depth) {
            let (draft, change) = self.files.draft.undo()?;
            let reverted = self.revert_edit(draft, change, |change| &change.back);
            return Some(reverted);
        }
        if let Err(why) = self.check_arrived() {
            return Some(Err(why));
        }
        let tuned = match self.value_before(last?) {
            Ok(tuned) => tuned,
            Err(why) => return Some(Err(why)),
        };
        let undone = self.changes.done.pop();
        let at = undone.as_ref().map(|change| change.at);
        self.changes.undone.extend(undone);
        let reverted = self.revert(tuned);
        let present = self.history.present();
        self.changes.forgettable = at.filter(|_| reverted.is_ok()).map(|at| (at, present));
        Some(reverted)
    }

    /// Returns true if [`Session::forget_change`] can show the run without the change that was
    /// undone last.
    pub fn can_forget_change(&self) -> bool {
        let runs = self.history.runs();
        let present = self.history.present();
        self.changes.forgettable.is_some_and(|(at, run)| run == present && runs.contains(at.run))
    }

    /// Shows the current frame of the run as if the change that was undone last was never made. Returns
    /// the id of that run. Returns `None` if that is impossible.
    pub fn forget_change(&mut self) -> Option<RunId> {
        if !self.can_forget_change() {
            return None;
        }
        let (at, _) = self.changes.forgettable.take()?;
        let now = self.history.frame();
        self.switch_run(at.run);
        if !at.branches {
            self.history.go_to(at.frame);
            let scenario = Arc::clone(self.history.world().scenario());
            self.history.reload_from_here(scenario);
            self.arrive();
        }
        self.go_to(now);
        Some(self.history.present())
    }

    /// Redoes the latest undone change or edit. Returns `None` if nothing can be redone. Returns a
    /// message for the user as the error if the redo is impossible now. The redo can then be tried
    /// again later.
    pub fn redo(&mut self) -> Option<Result<Reverted, String>> {
        let depth = self.files.draft.undo_depth();
        let last = self.changes.undone.last();
        if last.is_none_or(|change| change.edits > depth)
            && let Some((draft, change)) = self.files.draft.redo()
        {
            let reverted = self.revert_edit(draft, change, |change| &change.edit);
            return Some(reverted);
        }
        let setting = &self.changes.undone.last()?.setting;
        if let Err(why) = self.check_arrived() {
            return Some(Err(why));
        }
        let sources = self.with_patterns(self.latest().sources());
        let tuned = match tuning::change(&sources, setting) {
            Ok(tuned) => tuned,
            Err(why) => return Some(Err(why)),
        };
        let at = self.made_at(&tuned);
        let redone = self.changes.undone.pop();
        self.changes.done.extend(redone.map(|change| ValueChange { at, ..change }));
        self.changes.forgettable = None;
        Some(self.revert(tuned))
    }

    /// Records a changed value. Discards all undone changes and edits, so that they can no longer
    /// be redone.
    pub(super) fn note_value(&mut self, setting: &Setting, change: &tuning::TuningChange) {
        self.files.draft.forget_undone();
        self.changes.undone.clear();
        self.changes.forgettable = None;
        let at = self.made_at(change);
        self.changes.done.push(ValueChange {
            at,
            setting: setting.clone(),
            earlier: change.earlier.clone(),
            written: change.written.clone(),
            before: change.before.clone(),
            edits: self.files.draft.undo_depth(),
        });
    }

    /// Returns where a value is changed if it is changed now.
    fn made_at(&self, change: &tuning::TuningChange) -> MadeAt {
        let frame = self.history.frame();
        let branches = frame < self.history.run().end() || self.changes_tick(&change.scenario);
        MadeAt { run: self.history.present(), frame, branches }
    }

    /// Records a file edit. Discards all undone value changes, so that they can no longer be
    /// redone.
    pub(super) fn note_edit(&mut self) {
        self.changes.undone.clear();
        self.changes.forgettable = None;
    }

    /// Adapts the recorded value changes after edits were removed from the draft, for example by a
    /// save in another program. The changes are then ordered after the `depth` remaining edits.
    pub(super) fn forget_edits(&mut self, depth: usize) {
        for change in self.changes.done.iter_mut().chain(&mut self.changes.undone) {
            change.edits = change.edits.min(depth);
        }
    }

    /// Returns the scenario at the end of the current run.
    pub(super) fn latest(&self) -> &Arc<Scenario> {
        let run = self.history.run();
        run.scenario_at(run.end())
    }

    /// Builds a scenario in which one value has its state before `change`. All other values are
    /// those at the end of the run, so that an undo at an earlier frame keeps them.
    fn value_before(&self, change: &ValueChange) -> Result<tuning::TuningChange, String> {
        let sources = &self.with_patterns(self.latest().sources());
        if let Some(earlier) = &change.earlier {
            return tuning::change(sources, earlier);
        }
        // The text may have changed since, for example because the new value was written.
        let texts = [map_text(sources), Arc::clone(&self.files.text)];
        if texts.iter().all(|text| settings::present(&change.setting, text) == change.written) {
            return tuning::unset(sources, &change.setting);
        }
        let path = change.setting.path();
        let before = settings::with_text(path, &change.before)
            .map_err(|_| format!("{path} is in the map file now and has no default"))?;
        tuning::change(sources, &before)
    }

    /// Applies an undo or a redo of an edit. `draft` are the files after it, and `made` returns the
    /// edit that leads to them.
    fn revert_edit(
        &mut self,
        draft: Draft,
        change: Arc<EditChange>,
        made: fn(&EditChange) -> &Edit,
    ) -> Result<Reverted, String> {
        let old = map_text(self.files.draft.files());
        let incoming = self.try_draft(draft, String::new(), old)?;
        self.rename_in_breaks(made(&change), &incoming.scenario);
        Ok(Reverted::Edit(incoming, change))
    }

    /// Applies an undo or a redo. Returns a message for the user as the error if the run already
    /// has the value.
    fn revert(&mut self, tuned: tuning::TuningChange) -> Result<Reverted, String> {
        if tuned.before == tuned.after {
            return Err(format!("{} is already {} in this run", tuned.path, tuned.after));
        }
        Ok(Reverted::Value(self.go_on_tuned(tuned)))
    }
}
