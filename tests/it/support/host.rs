//! A host without files: it opens maps from memory and writes nothing.

use tilewalk::debugger::session::Session;
use tilewalk::files::Options;
use tilewalk::files::read::changed_files::WatcherMessage;
use tilewalk::files::read::file_location::{FileLocation, MapItem};
use tilewalk::scenario::sources::SourceFile;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::{
    GalleryEntry, Host, NewFile, NewMap, Opened, RunPicture, Save, Saved, SavedBreaks,
    SessionRecorder,
};

use super::screen::saved_message;

/// A host whose maps come from a function, and whose writes fail.
#[derive(Debug)]
pub struct FakeHost {
    /// Returns the map with a given id.
    pub map: fn(&str) -> Opened,
    /// The text of the map's file when it is read again.
    pub saved: String,
    /// The paths that exist.
    pub paths: Vec<String>,
    /// Called for each save, which then fails.
    pub on_save: fn(),
    /// Called each time the screen asks for changed files.
    pub on_change: fn(),
}

impl FakeHost {
    /// Returns a host that opens maps with the function `map`.
    pub fn new(map: fn(&str) -> Opened) -> Self {
        Self { map, saved: String::new(), paths: vec![], on_save: || {}, on_change: || {} }
    }
}

const NO_FILES: &str = "no files";

impl Host for FakeHost {
    fn maps(&self) -> Vec<GalleryEntry> {
        vec![]
    }

    fn open(&self, id: &str, _seed: Option<u64>) -> Result<Opened, String> {
        Ok((self.map)(id))
    }

    fn open_pasted(&self, _text: &str) -> Result<Opened, String> {
        Err(NO_FILES.to_owned())
    }

    fn reread(&self, id: &str) -> Option<WatcherMessage> {
        Some(saved_message(id, &self.saved, &Options::default()))
    }

    fn complete_path(&self, text: &str) -> Vec<String> {
        self.paths.iter().filter(|path| path.starts_with(text)).cloned().collect()
    }

    fn locate(&self, _id: &str, _item: &MapItem) -> Result<FileLocation, String> {
        Err(NO_FILES.to_owned())
    }

    fn save(&self, _save: &Save) -> Result<Saved, String> {
        (self.on_save)();
        Err(NO_FILES.to_owned())
    }

    fn save_breaks(&self, _breaks: &SavedBreaks) -> Result<String, String> {
        Err(NO_FILES.to_owned())
    }

    fn write_file(&self, _file: &NewFile) -> Result<String, String> {
        Err(NO_FILES.to_owned())
    }

    fn render(&self, _run: &RunPicture) -> Result<String, String> {
        Err(NO_FILES.to_owned())
    }

    fn new_map(&self, _map: &NewMap) -> Result<String, String> {
        Err(NO_FILES.to_owned())
    }

    fn pattern(&self, _id: &str, _name: &str) -> Result<SourceFile, String> {
        Err(NO_FILES.to_owned())
    }

    fn record(&self, _path: &str, _: &Session) -> Result<Box<dyn SessionRecorder>, String> {
        Err(NO_FILES.to_owned())
    }

    fn share(&self, _path: Option<&str>, _view: &str, _: &Session) -> Result<String, String> {
        Err(NO_FILES.to_owned())
    }

    fn watch(&self, _id: Option<&str>) {}

    fn next_change(&self) -> Option<WatcherMessage> {
        (self.on_change)();
        None
    }

    fn next_warning(&self) -> Option<String> {
        None
    }
}

/// Performs the effects that open or read maps. Returns true if the app quits.
pub fn perform(app: &mut App, effect: Option<Effect>, host: &dyn Host) -> bool {
    match effect {
        Some(Effect::Quit) => return true,
        Some(Effect::Open(id)) => app.opened(host.open(&id, None)),
        Some(Effect::Preview(id)) => app.previewed(host.open(&id, None)),
        Some(Effect::Compare { id, seed }) => app.compared(host.open(&id, seed), seed),
        Some(Effect::Reread(id)) => app.reread(host.reread(&id).expect("a map")),
        _ => {}
    }
    false
}
