//! The draft: the files of a map with the user's unsaved edits.
//!
//! A draft holds the edited texts, the edits that can be undone or redone, and a journal of the
//! edits that are not saved. If another program saves the files meanwhile, the edits of the journal
//! are applied again to the new bytes.

use std::sync::Arc;

use super::{Change, Edit, UNFIT, all};
use tilewalk_sim::scenario::sources::{SourceFile, Sources};

/// Edited files, and the way back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    files: Arc<Sources>,
    /// What they were before all that is not saved.
    base: Arc<Sources>,
    done: Vec<Arc<Change>>,
    undone: Vec<Arc<Change>>,
    /// What leads from the base to the files.
    journal: Vec<Entry>,
    /// Files that were written elsewhere.
    kept: Option<Arc<Sources>>,
    unsaved: bool,
}

/// A change that was made, or taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    change: Arc<Change>,
    back: bool,
}

impl Entry {
    fn edit(&self) -> Edit {
        if self.back { self.change.back.clone() } else { self.change.edit.clone() }
    }
}

impl Draft {
    /// Files as they were read.
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

    /// The files with all edits.
    pub fn files(&self) -> &Arc<Sources> {
        &self.files
    }

    /// Is there anything that the files on the disk don't have?
    pub fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// Would anything be lost that is written nowhere?
    pub fn would_be_lost(&self) -> bool {
        self.unsaved && self.kept.as_ref() != Some(&self.files)
    }

    /// How many edits are not saved.
    pub fn unsaved_count(&self) -> usize {
        self.journal.len()
    }

    /// The files that differ from those on the disk.
    pub fn unsaved_files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.files.iter().filter(|file| self.base.file(&file.place) != Some(file))
    }

    /// The same with one more edit; nothing if it changes nothing.
    ///
    /// # Errors
    /// Why it can't be made, in a line that is safe to print.
    pub fn with(&self, edit: Edit) -> Result<Option<Self>, String> {
        let Some(change) = Change::of(edit, &self.files)? else { return Ok(None) };
        let files = change.apply(&self.files).ok_or(UNFIT)?;
        let change = Arc::new(change);
        let mut next = self.clone();
        next.journal.push(Entry { change: Arc::clone(&change), back: false });
        next.done.push(change);
        next.undone.clear();
        Ok(Some(next.holding(files)))
    }

    /// The same without the last edit, and that; `None` when there is none.
    pub fn undo(&self) -> Option<(Self, Arc<Change>)> {
        let mut next = self.clone();
        let change = next.done.pop()?;
        let files = change.undo(&self.files)?;
        next.undone.push(Arc::clone(&change));
        next.note(&change, true);
        Some((next.holding(files), change))
    }

    /// The same with the edit that was taken back last, and that; `None` when there is none.
    pub fn redo(&self) -> Option<(Self, Arc<Change>)> {
        let mut next = self.clone();
        let change = next.undone.pop()?;
        let files = change.apply(&self.files)?;
        next.done.push(Arc::clone(&change));
        next.note(&change, false);
        Some((next.holding(files), change))
    }

    fn note(&mut self, change: &Arc<Change>, back: bool) {
        let undoes = |last: &Entry| last.back != back && Arc::ptr_eq(&last.change, change);
        if self.journal.last().is_some_and(undoes) {
            self.journal.pop();
        } else {
            self.journal.push(Entry { change: Arc::clone(change), back });
        }
    }

    fn holding(mut self, files: Sources) -> Self {
        self.unsaved = files.files != self.base.files;
        self.files = Arc::new(files);
        self
    }

    /// All is written.
    pub fn saved(&mut self) {
        self.base = Arc::clone(&self.files);
        self.journal.clear();
        self.unsaved = false;
    }

    /// All is written somewhere else.
    pub fn kept(&mut self) {
        self.kept = Some(Arc::clone(&self.files));
    }

    /// The same edits on top of what somebody saved.
    ///
    /// # Errors
    /// Why they don't fit, in a line that is safe to print.
    pub fn rebased(&self, disk: &Arc<Sources>) -> Result<Self, String> {
        let touched = |file: &SourceFile| {
            self.done.iter().chain(&self.undone).any(|change| change.place == file.place)
        };
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
                next = next.with(entry.edit())?.unwrap_or(next);
            }
        }
        Ok(next)
    }

    /// The files as they are to be written over others: these with all that is not saved.
    ///
    /// # Errors
    /// Why the edits don't fit, in a line that is safe to print.
    pub fn merged(&self, disk: &Sources) -> Result<Sources, String> {
        if disk.files == self.base.files {
            return Ok(Sources::clone(&self.files));
        }
        let edits: Vec<_> = self.journal.iter().map(Entry::edit).collect();
        all(&edits, disk)
    }
}
