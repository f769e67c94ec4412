//! Functions of the program that give the screen access to maps and files. The screen itself reads
//! no file.

use std::sync::Arc;

use crate::files::read::file_location::{FileLocation, MapItem};
use crate::files::write::edit::draft::Draft;
use crate::files::{self, WatcherMessage, text::source};
use crate::history::History;
use crate::scenario::Scenario;
use crate::scenario::sources::{FileRole, Sources};

pub use crate::debugger::Opened;
use crate::debugger::Session;

/// Function that opens a map or a recording by its id. The optional seed replaces the map's seed.
pub type Opener = Arc<dyn Fn(&str, Option<u64>) -> Result<Opened, String> + Send + Sync>;

/// Function that reads the files of a map again. The argument is the id of the map. Returns `None`
/// for a map without files.
pub type Rereader = Arc<dyn Fn(&str) -> Option<WatcherMessage> + Send + Sync>;

/// A function that writes files. Called on another thread, because a file system may not answer.
pub type Writer<Request, Answer> = Arc<dyn Fn(&Request) -> Result<Answer, String> + Send + Sync>;

/// Function that finds the position of an item in a map file. The arguments are the id of the map
/// and the item. Called on another thread.
pub type Locator = fn(&str, &MapItem) -> Result<FileLocation, String>;

/// Function that starts to watch the files of a map, given its id. `None` stops watching.
pub type Follower<'a> = Box<dyn FnMut(Option<&str>) + 'a>;

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

/// Function that starts to record a session to a new file at the given path. Called on another
/// thread.
pub type RecordingStarter =
    Arc<dyn Fn(&str, &Session) -> Result<Box<dyn SessionRecorder>, String> + Send + Sync>;

/// Functions that open, read and write maps and files for the screen.
pub struct Library<'a> {
    /// The maps in the gallery, in display order.
    pub entries: Vec<GalleryEntry>,
    /// Opens a map or a recording by the id of its [`GalleryEntry`] or [`Opened`]. The optional
    /// seed replaces the map's seed.
    ///
    /// The error is a message of several lines, safe to print. Called on another thread, because
    /// reading may take long.
    pub open: Opener,
    /// Saves breakpoints and bookmarks beside the map. Returns a message for the user.
    pub save_breaks: Writer<SavedBreaks, String>,
    /// Writes changed values and edits to files. The error is a one-line message.
    pub write: Writer<Save, Saved>,
    /// Writes a new file. Fails if the file exists. Returns a message for the user.
    pub new_file: Writer<NewFile, String>,
    /// Writes a new pattern. Fails if the pattern exists. Returns a message for the user.
    pub new_pattern: Writer<NewPattern, String>,
    /// Returns the paths of maps, recordings and directories that start with the given text.
    pub paths: fn(&str) -> Vec<String>,
    /// Finds the file and line of an item of a map. The error is a one-line message.
    pub locate: Locator,
    /// Starts to watch the files of the map with the given id. `None` stops watching.
    pub follow: Follower<'a>,
    /// Returns the oldest unread change of the watched files, or `None` if all changes are read.
    /// The file watcher calls [`super::Post::wake`] for each change.
    pub messages: Box<dyn FnMut() -> Option<WatcherMessage> + 'a>,
    /// Returns the oldest unread warning about a written file, or `None` if all warnings are read.
    /// [`super::Post::wake`] is called for each warning.
    pub warnings: Box<dyn FnMut() -> Option<String> + 'a>,
    /// Reads the files of a map again, without waiting for a change. Returns `None` if the map has
    /// no files. Called on another thread.
    pub reread: Rereader,
    /// Starts to record a session to a new file. The error is a one-line message.
    pub record: RecordingStarter,
    /// The recording of the open map; `None` if the map is not recorded.
    pub recorder: Option<Box<dyn SessionRecorder>>,
}

impl GalleryEntry {
    /// Returns the file name without directories and extension.
    pub fn name(&self) -> &str {
        let name = self.id.rsplit([':', '/']).next().unwrap_or(&self.id);
        name.strip_suffix(".toml").unwrap_or(name)
    }
}

/// A map in the gallery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GalleryEntry {
    /// The id with which [`Library::open`] opens the map.
    pub id: String,
    pub title: String,
    /// The description: the comment at the top of the map file.
    pub comment: String,
}

impl Session {
    /// Returns the gallery entry of the map. The title is the map's file name, because a built-in
    /// map may have the same title.
    pub fn entry(&self) -> GalleryEntry {
        let (id, title) = (self.id().to_owned(), self.label().to_owned());
        GalleryEntry { id, title, comment: source::top_comment(self.file()) }
    }
}

/// A request to write changed values and edits of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Save {
    /// The id of the map, as for [`Library::open`].
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
    /// The id of the map, as for [`Library::open`].
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
    pub text: String,
    /// The files of the map, or `None` if the new file is not a map. The new map may need further
    /// files. Needed files that do not exist at the new location are written too.
    pub map: Option<Arc<Sources>>,
}

/// A request to write a new pattern beside a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPattern {
    /// The id of the map, as for [`Library::open`].
    pub id: String,
    /// The name of the pattern, as in map files.
    pub name: String,
    pub text: String,
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
}

/// First view of the screen: the gallery or a map.
#[derive(Debug, Clone)]
pub enum Start {
    Gallery,
    Map(Opened),
}
