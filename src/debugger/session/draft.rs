//! The files of the map, and edits made in the program.
//!
//! Edited files are parsed like saved files. An edit is kept only if the map is still valid.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::debugger::problems::Problems;
use crate::files::settings::Setting;
use crate::files::write::edit::draft::Draft;
use crate::files::write::edit::{Edit, agents};
use crate::files::{Loaded, Options, Severity, reload, show};
use crate::history::History;
use crate::history::run::RunId;
use crate::scenario::Scenario;
use crate::scenario::sources::{FileRole, SourceFile, Sources};

use super::{Session, values};

/// The files of the map: their texts, problems, edits and settings.
#[derive(Debug, Clone)]
pub(super) struct Files {
    /// The text of the map file, as last read or written.
    pub text: Arc<str>,
    /// The files and settings at frame 0 of the first run.
    pub first: Arc<Sources>,
    /// All files of the map, as last read without errors.
    pub known: Arc<Sources>,
    /// Errors and warnings in the files, as last read.
    pub problems: Problems,
    /// File contents that the program wrote and that the file watcher has not reported yet, and those
    /// before the first of these writes, oldest first.
    pub own: Vec<Sources>,
    /// The files of the map with all edits made in the program.
    pub draft: Box<Draft>,
    /// Settings of the current frame that the map file does not contain.
    pub unwritten: Vec<Setting>,
    /// Settings that need no saving, as the user would type them. They came with the map or
    /// recording, or were written to another file.
    pub kept: BTreeSet<String>,
    /// Saves and edits that started a run, oldest first.
    pub edits: Vec<super::Edit>,
    /// Reason why the files cannot be edited now. `None` if they can be edited.
    locked: Option<&'static str>,
}

impl Files {
    pub fn new(scenario: &Scenario, history: &History) -> Self {
        Self {
            text: map_text(scenario.sources()),
            first: Arc::clone(history.runs()[RunId(0)].start().sources()),
            known: Arc::clone(scenario.sources()),
            problems: Problems::default(),
            own: Vec::new(),
            draft: Box::new(Draft::new(Arc::clone(scenario.sources()))),
            unwritten: Vec::new(),
            kept: values::settings_of(history),
            edits: Vec::new(),
            locked: None,
        }
    }
}

/// A scenario that is about to replace the current one.
#[derive(Debug, Clone)]
pub struct Incoming {
    pub scenario: Arc<Scenario>,
    /// Description of the edit, or names of the saved files.
    pub label: String,
    /// Whether the scenario comes from an edit made in the program rather than from saved files.
    pub is_screen_edit: bool,
    /// Text of the map file before the change.
    pub old: Arc<str>,
}

impl Session {
    /// Returns the files of the map with all edits made in the program.
    pub fn draft(&self) -> &Draft {
        &self.files.draft
    }

    /// Refuses edits of the files for a reason. `None` allows edits again.
    pub fn lock_draft(&mut self, why: Option<&'static str>) {
        self.files.locked = why;
    }

    /// Applies an edit to the files in memory. Returns the changed scenario, or `None` if the edit
    /// changes nothing. `label` describes the edit.
    ///
    /// # Errors
    /// Returns a message for the user if the edited map would be invalid. Nothing changes then.
    pub fn edit(&mut self, edit: Edit, label: String) -> Result<Option<Incoming>, String> {
        // Values that were written are settings of the run and in the file, but not in the draft. The
        // settings end with the name of their agent, so the draft must have the values.
        let is_set =
            |agent: &str| self.sources().set.iter().any(|it| it.path().agent() == Some(agent));
        let mut written = None;
        if edit.gone_agent().is_some_and(is_set) {
            written = Some(self.files.draft.rebased(&Arc::new(self.known()))?);
        }
        let base = written.as_ref().unwrap_or(&self.files.draft);
        let old = map_text(base.files());
        let depth = written.as_ref().map(Draft::undo_depth);
        let made = edit.clone();
        let Some(draft) = base.with(edit)? else { return Ok(None) };
        let incoming = self.try_draft(draft, label, old)?;
        self.rename_in_breaks(&made, &incoming.scenario);
        if let Some(depth) = depth {
            self.forget_edits(depth);
        }
        self.note_edit();
        Ok(Some(incoming))
    }

    /// Parses edited files. Keeps `draft` if the map is valid, otherwise returns an error message.
    /// `old` is the text of the map file before the edit.
    pub(super) fn try_draft(
        &mut self,
        draft: Draft,
        label: String,
        old: Arc<str>,
    ) -> Result<Incoming, String> {
        if let Some(why) = self.files.locked {
            return Err(why.to_owned());
        }
        let start = self.history.run().start().sources();
        let mut options = Options::of(start);
        // The edit can have removed or renamed agents that settings name.
        options.set.retain(|setting| {
            setting.path().agent().is_none_or(|agent| agents::exists(agent, draft.files()))
        });
        let loaded = reload(draft.files(), &options).map_err(|error| error.to_string())?;
        let Some(scenario) = loaded.scenario.clone() else { return Err(complaint(&loaded)) };
        *self.files.draft = draft;
        // An edit in the program does not fix errors in the files on disk.
        if self.files.problems.errors() == 0 {
            self.files.problems = Problems::of(&loaded.report);
        }
        Ok(Incoming { scenario, label, is_screen_edit: true, old })
    }

    /// Accepts files that were saved on disk, and applies the unsaved edits to them. Returns the
    /// resulting scenario.
    ///
    /// # Errors
    /// Returns a message for the user if the edits conflict with the saved files. Nothing changes
    /// then.
    pub fn take_in(&mut self, saved: &Arc<Scenario>) -> Result<Incoming, String> {
        let draft = self.files.draft.rebased(saved.sources())?;
        let knows_more = draft.files().files.len() > saved.sources().files.len();
        let scenario = if draft.is_unsaved() || knows_more {
            let options = Options::of(saved.sources());
            let loaded = reload(draft.files(), &options).map_err(|error| error.to_string())?;
            loaded.scenario.clone().ok_or_else(|| complaint(&loaded))?
        } else {
            Arc::clone(saved)
        };
        // A restart moves changed values to the start of a run.
        let changed = (&*self.files.first, self.history.run().start().sources().as_ref());
        let scenario = values::with_values(scenario, changed, &self.files.text);
        let label = self.saved(saved.sources());
        let old = core::mem::replace(&mut self.files.text, map_text(saved.sources()));
        self.files.known = with_patterns_of(saved.sources(), &self.files.known);
        *self.files.draft = draft;
        self.forget_edits(self.files.draft.undo_depth());
        Ok(Incoming { scenario, label, is_screen_edit: false, old })
    }

    /// Adds a pattern that the map can use but does not use yet, or its new text on disk. A pattern
    /// with unsaved edits keeps them.
    pub fn learn(&mut self, file: &SourceFile) {
        let draft = &mut self.files.draft;
        let is_edited = draft.unsaved_files().any(|edited| edited.place == file.place);
        if is_edited || self.scenario_uses(&file.place) {
            return;
        }
        self.files.draft.learn(file);
        let known = Arc::make_mut(&mut self.files.known);
        known.files.retain(|other| other.place != file.place);
        known.files.push(file.clone());
    }

    /// Returns true if the map that was opened or saved last uses this file.
    fn scenario_uses(&self, place: &FileRole) -> bool {
        self.scenario().sources().file(place).is_some()
    }

    /// Returns true if the session has the file of the pattern `name`.
    pub fn has_pattern(&self, name: &str) -> bool {
        self.files.draft.files().file(&FileRole::Pattern(name.to_owned())).is_some()
    }

    /// Returns files and settings together with all patterns that the session has.
    pub(super) fn with_patterns(&self, sources: &Arc<Sources>) -> Arc<Sources> {
        with_patterns_of(sources, self.files.draft.files())
    }

    /// Returns all files of the map, as last read or written.
    pub fn known(&self) -> Sources {
        let mut known = Sources::clone(&self.files.known);
        for file in known.files.iter_mut().filter(|file| file.place == FileRole::Map) {
            file.text = Arc::clone(&self.files.text);
        }
        known
    }

    /// Records that the program has written all edits to the files of the map. `texts` are the new
    /// contents.
    pub fn wrote(&mut self, texts: Vec<(FileRole, Arc<str>)>) {
        if self.files.own.is_empty() {
            // The file watcher may have read the files just before, and reports them afterwards.
            self.files.own.push(self.known());
        }
        let mut known = Sources::clone(&self.files.known);
        for (place, text) in texts {
            if let Some(file) = known.files.iter_mut().find(|file| file.place == place) {
                file.text = Arc::clone(&text);
            } else if let Some(new) = self.files.draft.files().file(&place) {
                known.files.push(new.clone());
            }
            if place == FileRole::Map {
                self.written(text);
            }
        }
        self.files.known = Arc::new(known);
        let known = self.known();
        self.files.own.push(known);
        self.files.draft.saved();
    }

    /// Records that the program has written the map with all edits to a new file, which is the file
    /// of the map from now on. `disk` are the files as read from there.
    pub fn moved_to(&mut self, id: String, disk: &Arc<Sources>) {
        self.identity.label = show::text(&id);
        (self.identity.id, self.identity.new_name) = (id, None);
        self.files.draft.saved();
        let moved = self.files.draft.rebased(disk);
        *self.files.draft = moved.unwrap_or_else(|_| Draft::new(Arc::clone(disk)));
        self.files.known = with_patterns_of(disk, &self.files.known);
        self.written(map_text(disk));
        // The file watcher reports the new file when it begins to watch it.
        self.files.own.push(self.known());
    }

    /// Records that the program has written the map with all edits to another file.
    pub fn wrote_to_new_file(&mut self) {
        self.files.draft.kept();
        self.keep_settings();
    }

    /// Returns the name of one of the map's files, without directories. Empty if the map has no
    /// such file.
    pub fn file_name(&self, place: &FileRole) -> &str {
        self.files.known.file(place).map_or("", |file| short(&file.label))
    }

    /// Returns the names of the files with unsaved edits, joined with "and". Empty if there are
    /// none.
    pub fn unsaved_files(&self) -> String {
        let name = |file: &SourceFile| short(&file.label).to_owned();
        self.files.draft.unsaved_files().map(name).collect::<Vec<_>>().join(" and ")
    }
}

/// Returns files and settings together with the patterns of `other` that they lack.
fn with_patterns_of(sources: &Arc<Sources>, other: &Sources) -> Arc<Sources> {
    let is_missing = |file: &&SourceFile| {
        matches!(file.place, FileRole::Pattern(_)) && sources.file(&file.place).is_none()
    };
    let mut missing = other.files.iter().filter(is_missing).peekable();
    if missing.peek().is_none() {
        return Arc::clone(sources);
    }
    let mut all = Sources::clone(sources);
    let missing: Vec<_> = missing.cloned().collect();
    all.files.extend(missing);
    Arc::new(all)
}

pub(super) fn map_text(files: &Sources) -> Arc<str> {
    files.file(&FileRole::Map).map_or_else(|| "".into(), |file| Arc::clone(&file.text))
}

/// Returns the last component of a path.
pub(super) fn short(label: &str) -> &str {
    label.rsplit('/').next().unwrap_or(label)
}

/// Maximum number of characters of a line that is shown with an error. A longer line, such as a list of
/// vertices, would hide the message.
const LONGEST_LINE: usize = 60;

/// Returns the message of the first error in edited files, with its line, safe to print.
fn complaint(loaded: &Loaded) -> String {
    let mut errors = loaded.report.diagnostics().iter();
    let first = errors.find(|each| each.severity == Severity::Error);
    let Some(error) = first else { return "the edited map cannot be loaded".to_owned() };
    let source = loaded.report.source(error.file);
    let line = source.text()[source.line_range(error.span.start)].trim();
    let message = show::line(&error.message);
    if line.is_empty() || line.chars().count() > LONGEST_LINE {
        return message;
    }
    format!("{message}, in the line {}", show::line(line))
}
