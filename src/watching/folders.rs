//! Selects and watches the folders that contain the files of a map.
//!
//! Files are never watched directly, because many programs save by replacing the file. Instead,
//! these folders are watched:
//!
//! - the folder of each file
//! - the folder of each file that a link leads to
//! - the parent folder of each file's folder, because that folder can be replaced
//! - the parent folder of each link on the path, because the link can be replaced
//!
//! Other files in these folders do not count, because a program may write them all the time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tilewalk_sim::sort::SmallCollect;

use crate::files::read::changed_files::Contents;

use super::Request;
use super::hints::Hint;

/// Maximum number of links that are followed. Systems refuse longer chains.
const MAX_LINKS: usize = 40;

/// Device number and inode number of a folder, which do not depend on the path.
type Identity = (u64, u64);

/// The set of watched folders.
pub struct Folders {
    /// The system's file watcher, or the reason why there is none.
    watcher: Result<RecommendedWatcher, String>,
    watched: BTreeMap<PathBuf, Identity>,
    /// Files of the map, and all files that they lead to as links. See [`followed`].
    files: BTreeSet<PathBuf>,
    /// Folders that contain `files`.
    with_files: BTreeSet<PathBuf>,
    /// Folders and links on the paths to the files. Replacing such a folder or link may change a
    /// file of the map.
    path_parts: BTreeSet<PathBuf>,
    /// Whether a folder is missing or cannot be watched.
    incomplete: bool,
    /// Reason why a folder cannot be watched. `None` without a failure, and after the reason was
    /// reported.
    failure: Option<String>,
    /// Whether [`Folders::take_failure`] has returned a failure.
    reported: bool,
}

impl Folders {
    /// Creates an empty set. Notifications are sent to `requests`. If `poll` is true, no
    /// notifications are used.
    pub fn new(requests: Sender<Request>, poll: bool) -> Self {
        let handler = move |event| {
            if let Some(hint) = Hint::of(event) {
                let _ = requests.send(Request::Hint(hint));
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
            files: BTreeSet::new(),
            with_files: BTreeSet::new(),
            path_parts: BTreeSet::new(),
            incomplete: false,
            failure: None,
            reported: false,
        }
    }

    /// Returns true if a notification may be about the files of the map.
    pub fn concerns(&self, hint: &Hint) -> bool {
        let relevant = [&self.files, &self.with_files, &self.path_parts];
        let is_relevant = |path: &PathBuf| relevant.iter().any(|paths| paths.contains(path));
        hint.paths.is_empty() || hint.paths.iter().any(is_relevant)
    }

    /// Returns true if notifications do not cover all folders, so the files must be polled.
    pub fn need_polling(&self) -> bool {
        self.incomplete
    }

    /// Returns the reason of the first failure to watch a folder. Returns `None` without a failure,
    /// and on later calls.
    pub fn take_failure(&mut self) -> Option<String> {
        let failure = self.failure.take().filter(|_| !self.reported);
        self.reported |= failure.is_some();
        failure
    }

    /// Watches the folders of the files in `contents`, and stops watching all other folders.
    pub fn watch_files(&mut self, contents: &Contents) {
        self.find_paths(contents);
        let parents =
            self.path_parts.iter().filter_map(|part| part.parent().map(ToOwned::to_owned));
        let wanted: BTreeSet<PathBuf> =
            self.with_files.iter().cloned().chain(parents).small_collect();
        self.failure = self.watcher.as_ref().err().cloned();
        if let Ok(watcher) = &mut self.watcher {
            self.watched.retain(|folder, identity| {
                let is_current = wanted.contains(folder) && identity_of(folder) == Some(*identity);
                if !is_current {
                    // Fails if the system has already noticed that the folder is gone.
                    let _ = watcher.unwatch(folder);
                }
                is_current
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
                    Err(error) => self.failure = Some(error.to_string()),
                }
            }
        }
        self.incomplete |= self.failure.is_some();
    }

    /// Determines the relevant paths, and whether polling is needed.
    fn find_paths(&mut self, contents: &Contents) {
        self.files.clear();
        self.path_parts.clear();
        self.incomplete = false;
        for path in contents.paths() {
            let Some(folder) = parent(path) else { continue };
            let files = followed(path);
            let is_missing = files.is_empty();
            self.files.extend(files);
            self.incomplete |= !self.add_path_parts(folder) && is_missing;
        }
        let folder = |file: &PathBuf| file.parent().map(ToOwned::to_owned);
        self.with_files = self.files.iter().filter_map(folder).small_collect();
    }

    /// Adds `folder` and the links on its path. Returns true if `folder` was added. Its creation is
    /// then noticed.
    fn add_path_parts(&mut self, folder: &Path) -> bool {
        let mut added = false;
        for step in folder.ancestors().filter(|step| step.file_name().is_some()) {
            let is_link = fs::symlink_metadata(step).is_ok_and(|metadata| metadata.is_symlink());
            let Some(parent) = parent(step) else { continue };
            if (step == folder || is_link)
                && let (Ok(parent), Some(name)) = (fs::canonicalize(parent), step.file_name())
            {
                self.path_parts.insert(parent.join(name));
                added |= step == folder;
            }
        }
        added
    }
}

/// Returns the folder that contains a path. Returns `None` for the root.
fn parent(path: &Path) -> Option<&Path> {
    let parent = path.parent()?;
    Some(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })
}

/// Returns a file and, if it is a link, each file that it leads to. The folders of the returned
/// paths are without links. Returns no path if the file's folder does not exist.
fn followed(path: &Path) -> Vec<PathBuf> {
    // File systems that ignore case report the name on the disk.
    let mut files = Vec::from_iter(fs::canonicalize(path));
    let mut next = Some(path.to_owned());
    for _ in 0..MAX_LINKS {
        let Some(path) = next else { break };
        let (Some(Ok(folder)), Some(name)) =
            (parent(&path).map(fs::canonicalize), path.file_name())
        else {
            break;
        };
        let file = folder.join(name);
        next = fs::read_link(&file).ok().map(|target| folder.join(target));
        files.push(file);
    }
    files
}

fn identity_of(folder: &Path) -> Option<Identity> {
    let metadata = fs::metadata(folder).ok().filter(fs::Metadata::is_dir)?;
    Some(crate::unix::identity(&metadata))
}
