//! Records the current map to a file. After a write error, the recording continues in a new file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tilewalk::cli::{CliError, recording_refused};
use tilewalk::debugger::session::Session;
use tilewalk::files::read::recorded::{ENDING, Recorded};
use tilewalk::files::show;
use tilewalk::history::History;
use tilewalk::history::recorder::Recorder;
use tilewalk::recording_file::{self, RecordingFile};
use tilewalk::tui::{Kept, Post, SessionRecorder};

/// Maximum time that the program waits for the disk when the user quits.
const PATIENCE: Duration = Duration::from_millis(700);

/// Maximum number of times that a recording continues in a new file. Without a limit, new files
/// could fill a disk that is almost full.
const MAX_MOVES: u32 = 4;

/// Records the history of one map. If the file is deleted or cannot be written, the recording
/// continues in a new file next to the old one.
pub struct ScreenRecorder {
    id: String,
    path: PathBuf,
    /// `None` if writing failed and no new file could be created.
    recorder: Option<Recorder<RecordingFile>>,
    /// Number of files that could not be written completely.
    failures: u32,
    post: Post,
}

impl ScreenRecorder {
    /// Starts a recording of all runs of `history` in a new file. `id` is the id of the recorded
    /// map.
    ///
    /// # Errors
    /// Returns an error if the file exists or cannot be written.
    pub fn create(id: &str, path: &Path, history: &History, post: Post) -> Result<Self, CliError> {
        let recorder =
            begin(path, history, &post).map_err(|error| recording_refused(path, error))?;
        Ok(Self {
            id: id.to_owned(),
            path: path.to_owned(),
            recorder: Some(recorder),
            failures: 0,
            post,
        })
    }

    /// Continues a recording that was opened from `path`.
    ///
    /// If appending to the file would lose data, the file stays unchanged, and the recording
    /// continues in a new file. In this case, the returned message names both files.
    ///
    /// # Errors
    /// Returns an error if the file is in use or cannot be written.
    pub fn resume(
        path: &Path,
        recorded: &Recorded,
        history: &History,
        post: Post,
    ) -> Result<(Self, Option<String>), CliError> {
        let id = path.to_string_lossy().into_owned();
        let Some(at) = recorded.recording.resume_at() else {
            let new = recording_file::continuation(path);
            let message =
                format!("recording to {}; {} stays unchanged", show::path(&new), show::path(path));
            return Ok((Self::create(&id, &new, history, post)?, Some(message)));
        };
        let file = RecordingFile::open(path, recorded.length, at, notify(&post));
        let file = file.map_err(|error| recording_refused(path, error))?;
        let recorder = Some(Recorder::resume(file, &recorded.recording));
        Ok((Self { id, path: path.to_owned(), recorder, failures: 0, post }, None))
    }

    /// Writes the whole history to a new file, where the recording continues.
    fn move_on(&mut self, history: &History) -> std::io::Result<()> {
        let path = recording_file::continuation(&self.path);
        self.recorder = Some(begin(&path, history, &self.post)?);
        self.path = path;
        Ok(())
    }
}

impl SessionRecorder for ScreenRecorder {
    fn id(&self) -> &str {
        &self.id
    }

    fn keep(&mut self, history: &History) -> Kept {
        let Some(recorder) = &mut self.recorder else { return Kept::Same };
        let updated = recorder.update(history);
        let why = match (recorder.get_ref().failure(), updated) {
            (None, Ok(())) => return Kept::Same,
            (Some(why), _) => why.to_owned(),
            (None, Err(error)) => error.to_string(),
        };
        let why = format!("{}: {why}", show::path(&self.path));
        self.recorder = None;
        self.failures += 1;
        if self.failures > MAX_MOVES || self.move_on(history).is_err() {
            return Kept::Failed(why);
        }
        Kept::Moved(format!("{why}; recording continues in {}", show::path(&self.path)))
    }

    fn finish(self: Box<Self>) -> Result<(), String> {
        let path = show::path(&self.path);
        let Some(recorder) = self.recorder else {
            return Err(format!("{path}: the recording is incomplete"));
        };
        let finished = recorder.finish().and_then(|file| file.close(Some(PATIENCE)));
        finished.map_err(|error| format!("{path}: {error}"))
    }
}

/// Starts recording a session to a new file, including all its runs so far.
///
/// # Errors
/// Returns a message for the user if the recording cannot start, for example if `path` already
/// exists or does not end in `.twr`.
pub fn start(
    path: &str,
    session: &Session,
    post: Post,
) -> Result<Box<dyn SessionRecorder>, String> {
    let path = Path::new(path);
    if path.extension().is_none_or(|ending| ending != ENDING) {
        return Err(format!("the file name of a recording must end in .{ENDING}"));
    }
    match ScreenRecorder::create(session.id(), path, session.history(), post) {
        Ok(recorder) => Ok(Box::new(recorder)),
        Err(error) => Err(error.to_string()),
    }
}

fn begin(path: &Path, history: &History, post: &Post) -> std::io::Result<Recorder<RecordingFile>> {
    let sources = history.run().start().sources();
    recording_file::begin(path, sources, notify(post), |recorder| recorder.update(history))
}

/// Returns a function that wakes the main loop, so that the user sees a failure immediately.
fn notify(post: &Post) -> recording_file::Notify {
    let post = post.clone();
    Box::new(move || post.wake())
}
