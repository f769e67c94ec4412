//! The watched folders of a map.
//!
//! A file itself is never watched, because many programs save by replacing it. Instead, these
//! folders are watched: the folder of each file, the folder of each link's target, and every folder
//! above in which a folder or a link on the path may be replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::files::news::Contents;

use super::Word;
use super::hints::Hint;

/// Which folder it is, whatever it is called: the device and its number there.
type Identity = (u64, u64);

/// What is watched.
pub struct Folders {
    /// Why there is none, in words.
    watcher: Result<RecommendedWatcher, String>,
    watched: BTreeMap<PathBuf, Identity>,
    /// In these anything may matter.
    homes: BTreeSet<PathBuf>,
    /// Folders and links on the way to them.
    ways: BTreeSet<PathBuf>,
    /// Is a folder missing that should be watched, or does the system not tell of it?
    incomplete: bool,
    /// Why the system does not tell of some folder, in words, once.
    trouble: Option<String>,
    excused: bool,
}

impl Folders {
    /// None yet; what happens in them is told to `words`, unless one looks by oneself.
    pub fn new(words: Sender<Word>, poll: bool) -> Self {
        let handler = move |event| {
            if let Some(hint) = Hint::of(event) {
                let _ = words.send(Word::Hint(hint));
            }
        };
        let watcher = if poll {
            Err("polling is enabled in the configuration".to_owned())
        } else {
            notify::recommended_watcher(handler).map_err(|error| error.to_string())
        };
        Self {
            watcher,
            watched: BTreeMap::new(),
            homes: BTreeSet::new(),
            ways: BTreeSet::new(),
            incomplete: false,
            trouble: None,
            excused: false,
        }
    }

    /// May a hint be about the files?
    pub fn concern(&self, hint: &Hint) -> bool {
        let matters = |path: &PathBuf| {
            let home = path.parent().is_some_and(|folder| self.homes.contains(folder));
            home || self.homes.contains(path) || self.ways.contains(path)
        };
        hint.paths.is_empty() || hint.paths.iter().any(matters)
    }

    /// Has to be looked by oneself now and then?
    pub fn are_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Why the system does not tell of some folder, in words; said once.
    pub fn take_trouble(&mut self) -> Option<String> {
        let trouble = self.trouble.take().filter(|_| !self.excused);
        self.excused |= trouble.is_some();
        trouble
    }

    /// Watches the folders of these files, and no others.
    pub fn arm(&mut self, contents: &Contents) {
        self.find(contents);
        let above = self.ways.iter().filter_map(|way| way.parent().map(ToOwned::to_owned));
        let wanted: BTreeSet<PathBuf> = self.homes.iter().cloned().chain(above).collect();
        self.trouble = self.watcher.as_ref().err().cloned();
        if let Ok(watcher) = &mut self.watcher {
            self.watched.retain(|folder, identity| {
                let kept = wanted.contains(folder) && identity_of(folder) == Some(*identity);
                if !kept {
                    // Of one that is gone the system may know already.
                    let _ = watcher.unwatch(folder);
                }
                kept
            });
            for folder in wanted {
                let Some(identity) = identity_of(&folder) else { continue };
                if self.watched.contains_key(&folder) {
                    continue;
                }
                match watcher.watch(&folder, RecursiveMode::NonRecursive) {
                    Ok(()) => {
                        self.watched.insert(folder, identity);
                    }
                    Err(error) => self.trouble = Some(error.to_string()),
                }
            }
        }
        self.incomplete |= self.trouble.is_some();
    }

    /// Finds out which folders matter.
    fn find(&mut self, contents: &Contents) {
        self.homes.clear();
        self.ways.clear();
        self.incomplete = false;
        for path in contents.paths() {
            let folder = match path.parent() {
                None => continue,
                Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
                Some(folder) => folder,
            };
            let real = [fs::canonicalize(folder).ok(), home_of(path)];
            let gone = real[0].is_none();
            self.homes.extend(real.into_iter().flatten());
            self.incomplete |= !self.note_ways(folder) && gone;
        }
    }

    /// Notes the folder itself, and the links on the way to it; is there a place to wait for it?
    fn note_ways(&mut self, folder: &Path) -> bool {
        let mut noted = false;
        for step in folder.ancestors().filter(|step| step.file_name().is_some()) {
            let is_link = fs::symlink_metadata(step).is_ok_and(|about| about.is_symlink());
            let above = match step.parent() {
                Some(above) if above.as_os_str().is_empty() => Path::new("."),
                Some(above) => above,
                None => continue,
            };
            if (step == folder || is_link)
                && let (Ok(above), Some(name)) = (fs::canonicalize(above), step.file_name())
            {
                self.ways.insert(above.join(name));
                noted |= step == folder;
            }
        }
        noted
    }
}

/// The folder of the file that a path leads to in the end.
fn home_of(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(path).ok()?.parent()?.to_owned())
}

fn identity_of(folder: &Path) -> Option<Identity> {
    let about = fs::metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    Some(crate::unix::identity(&about))
}
