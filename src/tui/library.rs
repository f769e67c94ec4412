//! What the screen can show, handed to it from outside: the screen reads no file.

use core::fmt;
use std::sync::Arc;

use crate::files::edit::draft::Draft;
use crate::files::spot::{FileLocation, Spot};
use crate::files::{News, comment};
use crate::history::History;
use crate::scenario::sources::{Place, Sources};

pub use crate::debugger::Opened;
use crate::debugger::Session;

/// Opens a map by its id, perhaps with a seed in place of its own.
pub type Opener<'a> = Box<dyn FnMut(&str, Option<u64>) -> Result<Opened, String> + 'a>;

/// Keeps what stops time on the map of a session, and its markers; says where, or why it can't.
pub type BreaksSaver<'a> = Box<dyn FnMut(&Session) -> Result<String, String> + 'a>;

/// Writes the values and edits of a map.
pub type Writer<'a> = Box<dyn FnMut(&Save) -> Result<Saved, String> + 'a>;

/// Writes a new file; says so, or why it can't.
pub type NewWriter<'a> = Box<dyn FnMut(&NewFile) -> Result<String, String> + 'a>;

/// Writes a new pattern; says so, or why it can't.
pub type PatternWriter<'a> = Box<dyn FnMut(&NewPattern) -> Result<String, String> + 'a>;

/// Finds where a thing of a map stands, by the id of the map.
pub type Locator<'a> = Box<dyn FnMut(&str, &Spot) -> Result<FileLocation, String> + 'a>;

/// Watches the files of a map from now on, by its id, or none.
pub type Follower<'a> = Box<dyn FnMut(Option<&str>) + 'a>;

/// What is new about these files, the oldest first.
pub type NewsReceiver<'a> = Box<dyn FnMut() -> Option<News> + 'a>;

/// Reads the files of a map again, if it has any.
pub type Reader<'a> = Box<dyn FnMut(&str) -> Option<News> + 'a>;

/// Writes down what is new in a history; an error is a text for people.
pub type Keep<'a> = Box<dyn FnMut(&History) -> Result<(), String> + 'a>;

/// A recording that is written while a map is watched.
pub struct RecorderHook<'a> {
    /// The id of the map that is recorded.
    pub id: String,
    /// Called now and then, and at the end.
    pub keep: Keep<'a>,
}

/// The maps there are, and how to open one.
pub struct Library<'a> {
    /// The maps of the gallery, in its order.
    pub entries: Vec<Entry>,
    /// Opens a map by the id of its [`Entry`] or of [`Opened`]; called again for a reload.
    ///
    /// An error is a finished text for people, several lines, without escape sequences.
    pub open: Opener<'a>,
    /// Keeps what stops time and the markers beside the map.
    pub save_breaks: BreaksSaver<'a>,
    /// Writes the values that were set into a file. An error is a line for people.
    pub write: Writer<'a>,
    /// Writes a file that isn't there yet. Both answers are lines for people.
    pub new_file: NewWriter<'a>,
    /// Writes a pattern that isn't there yet. Both answers are lines for people.
    pub new_pattern: PatternWriter<'a>,
    /// The paths of maps that begin with a text.
    pub paths: fn(&str) -> Vec<String>,
    /// Finds where a thing of a map stands. An error is a line for people.
    pub locate: Locator<'a>,
    /// Watches the files of the map that is watched.
    pub follow: Follower<'a>,
    /// Returns the oldest news. The file watcher calls [`super::Post::wake`] if there is some.
    pub news: NewsReceiver<'a>,
    /// Reads the files at once, and not when they were saved.
    pub reread: Reader<'a>,
    /// The recording, if there is one.
    pub keeper: Option<RecorderHook<'a>>,
}

impl Entry {
    /// The name of its file, without folders and ending.
    pub fn name(&self) -> &str {
        let name = self.id.rsplit([':', '/']).next().unwrap_or(&self.id);
        name.strip_suffix(".toml").unwrap_or(name)
    }
}

impl fmt::Debug for Library<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("entries", &self.entries).finish_non_exhaustive()
    }
}

/// A map of the gallery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What [`Library::open`] knows it by.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What to watch: the comment at the head of the file, line by line.
    pub comment: String,
}

impl Session {
    /// Describes the map in the gallery. The label is the file name: a built-in map may have the same
    /// title.
    pub fn entry(&self) -> Entry {
        let (id, title) = (self.id().to_owned(), self.label().to_owned());
        Entry { id, title, comment: comment::top(self.file()) }
    }
}

/// A map whose values and edits are to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Save {
    /// What [`Library::open`] knows it by.
    pub id: String,
    /// What it was read from, with the settings.
    pub sources: Arc<Sources>,
    /// The texts its files should have.
    pub known: Sources,
    /// Its files with all edits.
    pub draft: Draft,
    /// Where to.
    pub target: Target,
}

/// A file to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Its path, as it was typed.
    pub path: String,
    /// What is in it.
    pub text: String,
    /// Of a map, its files as they are: those that it names and that are not found where it is written come
    /// beside it.
    pub map: Option<Arc<Sources>>,
}

/// A pattern to be made beside a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPattern {
    /// What [`Library::open`] knows the map by.
    pub id: String,
    /// The name of the pattern, as maps spell it.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Where values are written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The map's own file, if nobody else has changed it.
    File,
    /// The map's own file, whatever is in it now.
    FileAnyway,
    /// A new file, by its path.
    New(String),
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// A line for people.
    pub told: String,
    /// The texts that the map's own files have now, if it was those.
    pub texts: Vec<(Place, Arc<str>)>,
}

/// What is on the screen first.
#[derive(Debug, Clone)]
pub enum Start {
    /// The list of maps.
    Gallery,
    /// A map.
    Map(Opened),
}
