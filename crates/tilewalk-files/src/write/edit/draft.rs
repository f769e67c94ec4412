//! Files of a map with unsaved edits.
//!
//! A draft holds the edited texts and a journal of unsaved edits. It also holds the edits that can
//! be undone or redone. If another program saves the files, the draft applies the edits of the
//! journal to the new files.

use std::sync::Arc;

use super::{Edit, EditChange, UNFIT, all};
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};

/// The edited files of a map, with undo and redo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    files: Arc<Sources>,
    /// Files before all unsaved edits.
    base: Arc<Sources>,
    done: Vec<Arc<EditChange>>,
    undone: Vec<Arc<EditChange>>,
    /// Unsaved edits in order.
    journal: Vec<JournalEntry>,
    /// Files when they were last saved under another name; `None` if they never were.
    kept: Option<Arc<Sources>>,
    unsaved: bool,
}

/// A change that was applied or undone.
#[derive(Debug, Clone, PartialEq, Eq)]
struct JournalEntry {
    change: Arc<EditChange>,
    back: bool,
}

impl JournalEntry {
    fn edit(&self) -> &Edit {
        if self.back { &self.change.back } else { &self.change.edit }
    }
}

impl Draft {
    /// Creates a draft of saved files, without edits.
    pub fn new(files: Arc<Sources>) -> Self {
        Self {
            base: Arc::clone(&files),
            files,
            done: Vec::new(),
            undone: Vec::new(),
            journal: Vec::new(),
            kept: None,
            unsaved: false,
        }
    }

    /// Returns the files with all edits.
    pub fn files(&self) -> &Arc<Sources> {
        &self.files
    }

    /// Adds a pattern that the map does not use yet, or its new text on disk.
    pub fn learn(&mut self, file: &SourceFile) {
        for files in [&mut self.files, &mut self.base] {
            let files = Arc::make_mut(files);
            files.files.retain(|other| other.place != file.place);
            files.files.push(file.clone());
        }
    }

    /// Returns true if the files differ from the saved files.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// Returns true if discarding the draft loses edits that no file contains.
    pub fn would_be_lost(&self) -> bool {
        self.unsaved && self.kept.as_ref() != Some(&self.files)
    }

    /// Returns the number of edits in [`Draft::unsaved_edits`].
    pub fn unsaved_count(&self) -> usize {
        self.unsaved_edits().count()
    }

    /// Returns the unsaved edits in order, each with the file that it changes. If the user undoes a
    /// saved edit, the list contains the reverse edit.
    pub fn unsaved_edits(&self) -> impl Iterator<Item = (&Edit, &FileRole)> {
        let journal = if self.unsaved { self.journal.as_slice() } else { &[] };
        journal.iter().map(|entry| (entry.edit(), &entry.change.place))
    }

    /// Returns the number of edits that can be undone.
    pub fn undo_depth(&self) -> usize {
        self.done.len()
    }

    /// Forgets the undone edits, so that they cannot be redone.
    pub fn forget_undone(&mut self) {
        self.undone.clear();
    }

    /// Returns the files that differ from their saved versions.
    pub fn unsaved_files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.files.iter().filter(|file| self.base.file(&file.place) != Some(file))
    }

    /// Returns a copy of the draft with one more edit. Returns `None` if the edit changes nothing.
    ///
    /// # Errors
    /// Returns the reason if the edit is impossible, in a line that is safe to print.
    pub fn with(&self, edit: Edit) -> Result<Option<Self>, String> {
        let Some(change) = EditChange::of(edit, &self.files)? else { return Ok(None) };
        let files = change.apply(&self.files).ok_or(UNFIT)?;
        let change = Arc::new(change);
        let mut next = self.clone();
        next.journal.push(JournalEntry { change: Arc::clone(&change), back: false });
        next.done.push(change);
        next.undone.clear();
        Ok(Some(next.holding(files)))
    }

    /// Returns a copy of the draft without its last edit, and the undone change. Returns `None` if
    /// there is no edit to undo.
    pub fn undo(&self) -> Option<(Self, Arc<EditChange>)> {
        let mut next = self.clone();
        let change = next.done.pop()?;
        let files = change.undo(&self.files)?;
        next.undone.push(Arc::clone(&change));
        next.note(&change, true);
        Some((next.holding(files), change))
    }

    /// Returns a copy of the draft with the last undone edit applied again, and the redone change.
    /// Returns `None` if no edit can be redone.
    pub fn redo(&self) -> Option<(Self, Arc<EditChange>)> {
        let mut next = self.clone();
        let change = next.undone.pop()?;
        let files = change.apply(&self.files)?;
        next.done.push(Arc::clone(&change));
        next.note(&change, false);
        Some((next.holding(files), change))
    }

    fn note(&mut self, change: &Arc<EditChange>, back: bool) {
        let undoes = |last: &JournalEntry| last.back != back && Arc::ptr_eq(&last.change, change);
        if self.journal.last().is_some_and(undoes) {
            self.journal.pop();
        } else {
            self.journal.push(JournalEntry { change: Arc::clone(change), back });
        }
    }

    fn holding(mut self, files: Sources) -> Self {
        // A new pattern that was undone leaves nothing to save.
        self.unsaved = files.files.iter().any(|file| self.base.file(&file.place) != Some(file));
        self.files = Arc::new(files);
        self
    }

    /// Records that all files were saved under their own names.
    pub fn saved(&mut self) {
        self.base = Arc::clone(&self.files);
        self.journal.clear();
        self.unsaved = false;
    }

    /// Records that all files were saved under another name. The draft still counts as unsaved.
    pub fn kept(&mut self) {
        self.kept = Some(Arc::clone(&self.files));
    }

    /// Returns a draft of files that another program saved, with the unsaved edits applied.
    ///
    /// # Errors
    /// Returns the reason if an edit can't be applied to these files, in a line that is safe to
    /// print.
    pub fn rebased(&self, disk: &Arc<Sources>) -> Result<Self, String> {
        let mut disk = Arc::clone(disk);
        for file in &self.base.files {
            // The map on disk does not use the patterns that only an edit uses.
            if matches!(file.place, FileRole::Pattern(_)) && disk.file(&file.place).is_none() {
                Arc::make_mut(&mut disk).files.push(file.clone());
            }
        }
        let disk = &disk;
        // An undone edit can be in the journal alone: undoing a saved edit is an unsaved change.
        let journal = self.journal.iter().map(|entry| &entry.change);
        let changes: Vec<_> = self.done.iter().chain(&self.undone).chain(journal).collect();
        let touched = |file: &SourceFile| changes.iter().any(|change| change.place == file.place);
        let same =
            |file: &&SourceFile| disk.file(&file.place).map(|it| &it.text) == Some(&file.text);
        if self.base.files.iter().filter(|file| touched(file)).all(|file| same(&file)) {
            let mut files = Sources::clone(disk);
            for file in &mut files.files {
                if let Some(mine) = self.files.file(&file.place).filter(|mine| touched(mine)) {
                    file.text = Arc::clone(&mine.text);
                }
            }
            let next = Self { base: Arc::clone(disk), ..self.clone() };
            return Ok(next.holding(files));
        }
        let mut next = Self::new(Arc::clone(disk));
        if self.unsaved {
            for entry in &self.journal {
                next = next.with(entry.edit().clone())?.unwrap_or(next);
            }
        }
        Ok(next)
    }

    /// Applies all unsaved edits to `disk`, the files currently on disk.
    ///
    /// # Errors
    /// Returns the reason if an edit can't be applied to these files, in a line that is safe to
    /// print.
    pub fn merged(&self, disk: &Sources) -> Result<Sources, String> {
        if self.base.files.iter().all(|file| disk.file(&file.place) == Some(file)) {
            return Ok(Sources::clone(&self.files));
        }
        let edits: Vec<_> = self.journal.iter().map(|entry| entry.edit().clone()).collect();
        all(&edits, disk)
    }
}
