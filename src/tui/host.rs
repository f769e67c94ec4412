//! The interface through which the screen reads and writes maps and files. The screen itself opens no
//! file.

use core::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use crate::files::read::file_location::{FileLocation, MapItem};
use crate::files::write::edit::draft::Draft;
use crate::files::{self, WatcherMessage, text::source};
use crate::history::{History, Log};
use crate::render::Format;
use crate::render::run::Range;
use crate::render::scene::View;
use crate::scenario::Scenario;
use crate::scenario::sources::{FileRole, SourceFile, Sources};

pub use crate::debugger::Opened;
use crate::debugger::Session;

/// Access of the screen to maps and files, which the program provides.
///
/// Reading and writing may take long, so several threads call the methods.
pub trait Host: Debug + Send + Sync {
    /// Returns the maps in the gallery, in display order.
    fn maps(&self) -> Vec<GalleryEntry>;

    /// Opens a map or a recording by the id of its [`GalleryEntry`] or [`Opened`]. The optional
    /// seed replaces the map's seed.
    ///
    /// # Errors
    /// Returns a message of several lines, safe to print.
    fn open(&self, id: &str, seed: Option<u64>) -> Result<Opened, String>;

    /// Opens the recording in a pasted text. Other text may stand around it.
    ///
    /// # Errors
    /// Returns a message of several lines, safe to print.
    fn open_pasted(&self, text: &str) -> Result<Opened, String>;

    /// Reads the files of a map again, without waiting for a change. Returns `None` if the map has
    /// no files.
    fn reread(&self, id: &str) -> Option<WatcherMessage>;

    /// Returns the paths of maps, recordings and directories that start with the given text.
    fn complete_path(&self, text: &str) -> Vec<String>;

    /// Finds the file and line of an item of a map.
    ///
    /// # Errors
    /// Returns a one-line message if the map has no file.
    fn locate(&self, id: &str, item: &MapItem) -> Result<FileLocation, String>;

    /// Writes changed values and edits to files.
    ///
    /// # Errors
    /// Returns a one-line message for the user.
    fn save(&self, save: &Save) -> Result<Saved, String>;

    /// Saves breakpoints and bookmarks beside the map. Returns a message for the user.
    ///
    /// # Errors
    /// Returns a one-line message for the user.
    fn save_breaks(&self, breaks: &SavedBreaks) -> Result<String, String>;

    /// Writes a new file. Returns a message for the user.
    ///
    /// # Errors
    /// Returns a one-line message for the user, for example if the file exists.
    fn write_file(&self, file: &NewFile) -> Result<String, String>;

    /// Writes a picture or a film of a run to a new file. Returns a message for the user.
    ///
    /// # Errors
    /// Returns a one-line message for the user, for example if the file exists.
    fn render(&self, run: &RunPicture) -> Result<String, String>;

    /// Writes a new map to the current directory. Returns the id of the map.
    ///
    /// # Errors
    /// Returns a one-line message for the user, for example if the file exists.
    fn new_map(&self, map: &NewMap) -> Result<String, String>;

    /// Reads a pattern that a map can use but does not use yet.
    ///
    /// # Errors
    /// Returns a one-line message for the user if there is no such pattern.
    fn pattern(&self, id: &str, name: &str) -> Result<SourceFile, String>;

    /// Starts to record a session to a new file.
    ///
    /// # Errors
    /// Returns a one-line message for the user.
    fn record(&self, path: &str, session: &Session) -> Result<Box<dyn SessionRecorder>, String>;

    /// Writes the current run of a session to a new recording with a view. Returns a message with
    /// the command that opens it. `path` is the path of the file; `None` for a free name in the
    /// current directory.
    ///
    /// # Errors
    /// Returns a one-line message for the user, for example if the file exists.
    fn share(&self, path: Option<&str>, view: &str, session: &Session) -> Result<String, String>;

    /// Starts to watch the files of the map with the given id. `None` stops watching.
    fn watch(&self, id: Option<&str>);

    /// Returns the oldest unread change of the watched files, or `None` if all changes are read.
    /// The host calls [`super::Post::wake`] for each change.
    fn next_change(&self) -> Option<WatcherMessage>;

    /// Returns the oldest unread report about the run that another program still writes. The host
    /// calls [`super::Post::wake`] for each report.
    fn next_live(&self) -> Option<LiveNews> {
        None
    }

    /// Returns the oldest unread warning about a written file, or `None` if all warnings are read.
    /// The host calls [`super::Post::wake`] for each warning.
    fn next_warning(&self) -> Option<String>;
}

/// A report about the run that another program still writes.
#[derive(Debug, Clone)]
pub enum LiveNews {
    /// Frames were appended to the run.
    Frames,
    /// The run continues with another scenario, which has all frames so far.
    Grown(Arc<Scenario>),
    /// The program has started again. The scenario is that of its new run.
    Restarted(Arc<Scenario>),
    /// A warning for the user.
    Warning(String),
}

/// Writes the recording of a map while the map is open.
pub trait SessionRecorder: Send {
    /// Returns the id of the recorded map.
    fn id(&self) -> &str;

    /// Appends the frames and changes since the last call to the recording. Called several times
    /// per second, and at the end.
    fn keep(&mut self, history: &History) -> Kept;

    /// Marks the recording as complete.
    ///
    /// # Errors
    /// Returns a message for the user if the recording is incomplete.
    fn finish(self: Box<Self>) -> Result<(), String>;
}

/// Result of updating a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// No message: the recording is still in progress, or had already stopped.
    Same,
    /// The recording continues in another file. The text is a message for the user.
    Moved(String),
    /// The recording has stopped. The text is the reason.
    Failed(String),
}

impl GalleryEntry {
    /// Returns true if the map is a file of the user.
    pub fn is_own(&self) -> bool {
        Path::new(&self.id).extension().is_some_and(|it| it == "toml")
    }

    /// Returns the file name without directories and extension.
    pub fn name(&self) -> &str {
        let name = self.id.rsplit([':', '/']).next().unwrap_or(&self.id);
        name.strip_suffix(".toml").unwrap_or(name)
    }
}

/// A map in the gallery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GalleryEntry {
    /// The id with which [`Host::open`] opens the map.
    pub id: String,
    pub title: String,
    /// The description: the comment at the top of the map file.
    pub comment: String,
    /// The first error of the map. `None` if the map has no errors.
    pub error: Option<String>,
}

impl Session {
    /// Returns the gallery entry of the map. The title is the map's file name, because a built-in
    /// map may have the same title.
    pub fn entry(&self) -> GalleryEntry {
        let (id, title) = (self.id().to_owned(), self.label().to_owned());
        GalleryEntry { id, title, comment: source::top_comment(self.file()), error: None }
    }
}

/// A request to write changed values and edits of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Save {
    /// The id of the map, as for [`Host::open`].
    pub id: String,
    /// The files and settings from which the map was read.
    pub sources: Arc<Sources>,
    /// The contents that tilewalk last read from or wrote to the files.
    pub known: Sources,
    /// The contents of the files with all edits.
    pub draft: Draft,
    pub target: Target,
}

/// A request to save breakpoints and bookmarks beside the map.
#[derive(Debug, Clone)]
pub struct SavedBreaks {
    /// The id of the map, as for [`Host::open`].
    pub id: String,
    pub kept: files::Kept,
    /// The scenario at the start of the run, with which the conditions were read.
    pub scenario: Arc<Scenario>,
}

impl SavedBreaks {
    /// Returns the request for the breakpoints and bookmarks of a session.
    pub fn of(session: &Session) -> Self {
        let scenario = Arc::clone(session.history().run().start());
        Self { id: session.id().to_owned(), kept: session.kept(), scenario }
    }
}

/// A request to write a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The path of the file, as the user typed it.
    pub path: String,
    pub bytes: Vec<u8>,
    /// The files of the map, or `None` if the new file is not a map. The new map may need further
    /// files. Needed files that do not exist at the new location are written too.
    pub map: Option<Arc<Sources>>,
}

/// A request to write a picture or a film of a run.
#[derive(Debug, Clone)]
pub struct RunPicture {
    /// The path of the file, as the user typed it.
    pub path: String,
    pub format: Format,
    pub scenario: Arc<Scenario>,
    pub commands: Log,
    /// First and last frame.
    pub range: Range,
    pub view: View,
}

/// A request to write a new map: a room with a wall around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMap {
    /// The name of the file, without `.toml`.
    pub name: String,
    /// Width and height in tiles, with the wall.
    pub size: (usize, usize),
}

/// Destination of changed values and edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The files of the map, unless another program has changed them.
    File,
    /// The files of the map, even if another program has changed them.
    FileAnyway,
    /// A new file at this path.
    New(String),
}

/// The result of a successful [`Save`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// A message for the user.
    pub message: String,
    /// The new contents of the map files that were written. Empty if a new map was written.
    pub texts: Vec<(FileRole, Arc<str>)>,
    /// The new file, if the map had no file of its own before. `None` for a copy.
    pub moved: Option<NewHome>,
}

/// The file in which a map is from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewHome {
    /// The id of the map, as for [`Host::open`].
    pub id: String,
    /// The files of the map as read from there.
    pub files: Arc<Sources>,
}

/// First view of the screen: the gallery or a map.
#[derive(Debug, Clone)]
pub enum Start {
    Gallery,
    Map(Opened),
}
