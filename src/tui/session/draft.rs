//! Edits of the map's files on the screen. Each edit becomes a run, like a saved file.
//!
//! The edited files are read like saved files. An edit is kept only if the map can still be played.

use std::sync::Arc;

use crate::files::edit::draft::Draft;
use crate::files::edit::{Change, Edit};
use crate::files::{Loaded, Options, Severity, reload, show};
use crate::scenario::Scenario;
use crate::scenario::sources::{Place, SourceFile, Sources};
use crate::tui::problems::Problems;

use super::Session;

/// A scenario that is to take the place of the present one.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The map with everything on it.
    pub scenario: Arc<Scenario>,
    /// What was done, or which files were saved.
    pub label: String,
    /// Was it done here, and not by a save?
    pub by_hand: bool,
    /// The text of the map's file before.
    pub old: Arc<str>,
}

impl Session {
    /// The map's files with all edits.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// Makes an edit; nothing if it changes nothing.
    ///
    /// # Errors
    /// Why it can't be, in a line for people.
    pub fn edit(&mut self, edit: Edit, label: String) -> Result<Option<Incoming>, String> {
        let Some(draft) = self.draft.with(edit)? else { return Ok(None) };
        self.try_draft(draft, label).map(Some)
    }

    /// Takes the last edit back; `None` when there is none.
    pub fn undo(&mut self) -> Option<Result<(Incoming, Arc<Change>), String>> {
        let (draft, change) = self.draft.undo()?;
        Some(self.try_draft(draft, String::new()).map(|incoming| (incoming, change)))
    }

    /// Makes the edit again that was taken back last; `None` when there is none.
    pub fn redo(&mut self) -> Option<Result<(Incoming, Arc<Change>), String>> {
        let (draft, change) = self.draft.redo()?;
        Some(self.try_draft(draft, String::new()).map(|incoming| (incoming, change)))
    }

    /// Reads the edited files; only what can be played is kept.
    fn try_draft(&mut self, draft: Draft, label: String) -> Result<Incoming, String> {
        let options = self.options()?;
        let loaded = reload(draft.files(), &options).map_err(|error| error.to_string())?;
        let Some(scenario) = loaded.scenario.clone() else { return Err(complaint(&loaded)) };
        let old = map_text(self.draft.files());
        *self.draft = draft;
        // What is wrong with the files on the disk is not mended by an edit here.
        if self.live.problems.errors() == 0 {
            self.live.problems = Problems::of(&loaded.report);
        }
        Ok(Incoming { scenario, label, by_hand: true, old })
    }

    /// What the run that is looked at was begun with.
    fn options(&self) -> Result<Options, String> {
        Options::of(&self.history.run().start().sources).map_err(|error| error.to_string())
    }

    /// Takes in what somebody saved, with the edits on top of it.
    ///
    /// # Errors
    /// Why they don't fit, in a line for people; nothing is taken in then.
    pub fn take_in(&mut self, saved: &Arc<Scenario>) -> Result<Incoming, String> {
        let draft = self.draft.rebased(&saved.sources)?;
        let scenario = if draft.is_unsaved() {
            let options = Options::of(&saved.sources).map_err(|error| error.to_string())?;
            let loaded = reload(draft.files(), &options).map_err(|error| error.to_string())?;
            loaded.scenario.clone().ok_or_else(|| complaint(&loaded))?
        } else {
            Arc::clone(saved)
        };
        let label = self.saved(&saved.sources);
        let old = core::mem::replace(&mut self.file, map_text(&saved.sources));
        self.live.known = Arc::clone(&saved.sources);
        *self.draft = draft;
        Ok(Incoming { scenario, label, by_hand: false, old })
    }

    /// The texts that the files have, as far as is known.
    pub fn known(&self) -> Sources {
        let mut known = Sources::clone(&self.live.known);
        for file in known.files.iter_mut().filter(|file| file.place == Place::Map) {
            file.text = Arc::clone(&self.file);
        }
        known
    }

    /// The files have these texts now, with all that was changed here.
    pub fn wrote(&mut self, texts: Vec<(Place, Arc<str>)>) {
        let mut known = Sources::clone(&self.live.known);
        for (place, text) in texts {
            if let Some(file) = known.files.iter_mut().find(|file| file.place == place) {
                file.text = Arc::clone(&text);
            }
            if place == Place::Map {
                self.written(text);
            }
        }
        self.live.known = Arc::new(known);
        self.live.own.push(self.known());
        self.draft.saved();
    }

    /// The map was written into a new file with all edits.
    pub fn wrote_elsewhere(&mut self) {
        self.draft.kept();
        self.keep_settings();
    }

    /// The files with edits that are not saved, in words.
    pub fn unsaved_files(&self) -> String {
        let name = |file: &SourceFile| super::reload::short(&file.label).to_owned();
        self.draft.unsaved_files().map(name).collect::<Vec<_>>().join(" and ")
    }
}

fn map_text(files: &Sources) -> Arc<str> {
    files.file(&Place::Map).map_or_else(|| "".into(), |file| Arc::clone(&file.text))
}

/// The first thing that is wrong with edited files.
fn complaint(loaded: &Loaded) -> String {
    let errors = loaded.report.diagnostics().iter();
    let first = errors.filter(|each| each.severity == Severity::Error).map(|it| &it.message).next();
    first.map_or_else(|| "the edited map cannot be loaded".to_owned(), |text| show::line(text))
}
