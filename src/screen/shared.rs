//! Opens recordings at the view they contain, and writes the current view to a new recording.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tilewalk::cli::args::AskedArgs;
use tilewalk::cli::recording_refused;
use tilewalk::debugger::ShownRecording;
use tilewalk::debugger::session::Session;
use tilewalk::files::disk::output_file;
use tilewalk::files::read::recorded::{self, ENDING, Recorded};
use tilewalk::files::read::recording_block;
use tilewalk::files::{show, write};
use tilewalk::history::shared::shared;
use tilewalk::scenario::Scenario;
use tilewalk::tui::Opened;
use xxhash_rust::xxh3::xxh3_64;

use super::{load_breaks, locked, suggested_name, sweep_run};

/// Prefix of the ids of pasted recordings. An id continues with a hash of the recording.
const PREFIX: &str = "pasted:";

/// The pasted recordings of this process, with their ids. They have no files.
#[derive(Debug, Default)]
pub(super) struct PastedRecordings(Mutex<Vec<(String, Arc<Recorded>)>>);

impl PastedRecordings {
    /// Adds a recording, and returns its id.
    ///
    /// # Errors
    /// Returns a message for the user if the bytes are not a readable recording.
    pub fn add(&self, bytes: &[u8]) -> Result<String, String> {
        let id = format!("{PREFIX}{:016x}", xxh3_64(bytes));
        let recorded = recorded::from_bytes("pasted recording".to_owned(), bytes, Path::new(""));
        let recorded = Arc::new(recorded.map_err(|error| error.to_string())?);
        let mut all = locked(&self.0);
        if all.iter().all(|(known, _)| *known != id) {
            all.push((id.clone(), recorded));
        }
        Ok(id)
    }

    /// Adds the recording in a pasted text, and opens it.
    ///
    /// # Errors
    /// Returns a message for the user if the text contains no readable recording.
    pub fn open_text(&self, text: &str) -> Result<Opened, String> {
        let bytes = recording_block::decode(text).map_err(|error| error.to_string())?;
        self.open(&self.add(&bytes)?)
    }

    /// Opens a recording that was pasted earlier.
    ///
    /// # Errors
    /// Returns a message for the user if there is no such recording.
    pub fn open(&self, id: &str) -> Result<Opened, String> {
        let known = locked(&self.0).iter().find(|(known, _)| known == id).map(|(_, it)| it.clone());
        let recorded = known.ok_or("this recording was not pasted in this session")?;
        open(id, &recorded, &AskedArgs::default())
    }
}

/// Returns true if `id` is the id of a pasted recording.
pub(super) fn is_pasted(id: &str) -> bool {
    id.starts_with(PREFIX)
}

/// Opens a recording at the requested view. The view in the recording supplies the rest. Loads
/// breakpoints and bookmarks beside the file of the recording.
///
/// # Errors
/// Returns a message for the user if the recording has no such run or agent.
pub(super) fn open(id: &str, recorded: &Recorded, asked: &AskedArgs) -> Result<Opened, String> {
    let ShownRecording { history, view, warning } = asked.open(recorded)?;
    let scenario = Arc::clone(history.world().scenario());
    let (kept, mut warnings) = load_breaks(id, &scenario);
    warnings.extend(recorded::remarks(&recorded.recording));
    warnings.extend(warning);
    Ok(Opened {
        id: id.to_owned(),
        label: recorded.label.clone(),
        scenario,
        warnings,
        kept,
        recorded: Some(Box::new(history)),
        new_name: Some(suggested_name(&stem(id, recorded))),
        first: Some(Box::new(view.into())),
    })
}

/// Returns the file name of a recording without its ending. A pasted recording has that of its map.
fn stem(id: &str, recorded: &Recorded) -> String {
    let map = recorded.scenarios.first().map_or("", |scenario| map_label(scenario));
    let path = if is_pasted(id) { map } else { id };
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn map_label(scenario: &Scenario) -> &str {
    scenario.sources().files.first().map_or("", |file| &file.label)
}

/// Writes the current run of a session to a new recording with a view. Returns a message with the
/// command that opens it. Without `path`, selects a free name in the current directory.
///
/// # Errors
/// Returns a message for the user, for example if the file exists.
pub(super) fn write(path: Option<&str>, view: &str, session: &Session) -> Result<String, String> {
    let path = match path {
        Some(path) => PathBuf::from(path),
        None => free_path(session).ok_or("all file names are taken; use `:share FILE.twr`")?,
    };
    if path.extension().is_none_or(|ending| ending != ENDING) {
        return Err(format!("the file name of a recording must end in .{ENDING}"));
    }
    let bytes = shared(session.history(), view).map_err(|error| error.to_string())?;
    output_file::create(&path, &bytes)
        .map_err(|error| recording_refused(&path, error).to_string())?;
    let path = show::path(&path);
    Ok(format!("`tilewalk {path}` opens this view; `tilewalk share {path}` prints it as text"))
}

/// Returns the path `MAP-FRAME.twr` in the current directory, or with a number if it exists.
fn free_path(session: &Session) -> Option<PathBuf> {
    let name = match session.new_name() {
        // The label of a sweep run names the file of the results.
        Some(name) if sweep_run::is(session.id()) => name,
        _ if is_pasted(session.id()) => map_label(session.history().run().start()),
        _ => session.label(),
    };
    let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    // The name of the map of a pasted recording can contain any characters.
    let stem: String = stem.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
    let stem =
        format!("{}-{}", if stem.is_empty() { "map" } else { &stem }, session.world().frame());
    let path = |stem: &str| PathBuf::from(format!("{stem}.{ENDING}"));
    let is_free = |stem: &str| std::fs::symlink_metadata(path(stem)).is_err();
    write::free_stem(&stem, is_free).map(|stem| path(&stem))
}
