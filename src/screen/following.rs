//! The thread that reads a run while another program still writes it.
//!
//! The thread appends complete frames to the run that the screen shows, and never waits for the
//! screen. If frames do not fit the scenario, the thread also creates a new scenario.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvError, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tilewalk::cli::args::{TraceArgs, map_origin};
use tilewalk::files::traces::{Follower, TraceOptions};
use tilewalk::files::{self, Loaded, Options, Origin, import, show};
use tilewalk::scenario::Scenario;
use tilewalk::scenario::run::FollowedRun;
use tilewalk::tui::{self, Post};

/// Time between two checks of a file to which a program writes.
const BUSY_POLL: Duration = Duration::from_millis(4);

/// Time between two checks of a file that has not changed for [`QUIET`].
const QUIET_POLL: Duration = Duration::from_millis(25);

/// Time without new bytes after which a file counts as quiet.
const QUIET: Duration = Duration::from_secs(2);

/// Time after which a message says that the run has no complete frame yet.
const PATIENCE: Duration = Duration::from_millis(500);

/// Number of bytes before the current position that show whether a file was rewritten.
const TAIL: usize = 64;

/// Largest number of bytes that are read at once.
const CHUNK: usize = 256 * 1024;

/// A run that another program still writes, and the thread that reads it.
#[derive(Debug)]
pub struct Following {
    updates: Receiver<Update>,
    /// Whether frames were appended since the screen last asked.
    appended: Arc<AtomicBool>,
}

/// A report of the thread.
#[derive(Debug)]
pub enum Update {
    /// A scenario in which agents follow the run.
    Scene(Box<Scene>),
    /// A warning for the user.
    Warning(String),
    /// The run can't be followed. No reports follow.
    Failed(String),
}

/// A scenario in which agents follow the run.
#[derive(Debug)]
pub struct Scene {
    /// The map, which is empty if the run has no map.
    pub origin: Origin,
    /// The run.
    pub run: Arc<FollowedRun>,
    /// The map with the run.
    pub loaded: Loaded,
    /// Whether the program has started again.
    pub restarted: bool,
}

impl Following {
    /// Starts the thread, which calls `post.wake` after each report.
    ///
    /// # Errors
    /// Returns a message for the user if the file can't be read, or if a thread can't be started.
    pub fn start(
        path: &Path,
        args: &TraceArgs,
        options: Options,
        post: Post,
    ) -> Result<Self, String> {
        let label =
            if path == Path::new("-") { "standard input".to_owned() } else { show::path(path) };
        let source = Source::open(path).map_err(|error| format!("{label}: {error}"))?;
        let folder = path.parent().filter(|_| path != Path::new("-")).map(Path::to_owned);
        let asked = args.options();
        let follower =
            Follower::new(label.clone(), folder, &asked).map_err(|error| error.to_string())?;
        let (sender, updates) = mpsc::channel();
        let appended = Arc::new(AtomicBool::new(false));
        let reader = Reader {
            source,
            follower,
            options,
            map: None,
            restarts: 0,
            sender,
            appended: Arc::clone(&appended),
            post,
        };
        thread::Builder::new()
            .name("following".to_owned())
            .spawn(move || reader.run())
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Self { updates, appended })
    }

    /// Waits for the first scenario. Returns it with the warnings so far. Calls `note_waiting` if this
    /// takes more than [`PATIENCE`].
    ///
    /// # Errors
    /// Returns a message for the user if the run can't be followed.
    pub fn first(&self, note_waiting: impl Fn()) -> Result<(Scene, Vec<String>), String> {
        let mut warnings = Vec::new();
        let mut early = match self.updates.recv_timeout(PATIENCE) {
            Err(RecvTimeoutError::Timeout) => {
                note_waiting();
                None
            }
            received => Some(received.map_err(|_| RecvError)),
        };
        loop {
            match early.take().unwrap_or_else(|| self.updates.recv()) {
                Ok(Update::Scene(scene)) => return Ok((*scene, warnings)),
                Ok(Update::Warning(text)) => warnings.push(text),
                Ok(Update::Failed(why)) => return Err(why),
                Err(_) => return Err("the run has no complete frame".to_owned()),
            }
        }
    }

    /// Returns the oldest unread report, if any.
    pub fn next(&self) -> Option<Update> {
        self.updates.try_recv().ok()
    }

    /// Returns true if frames were appended since the last call.
    pub fn take_appended(&self) -> bool {
        self.appended.swap(false, Ordering::AcqRel)
    }
}

/// The input of a run that grows.
enum Source {
    File(GrowingFile),
    /// A pipe.
    Stream(File),
}

/// A file to which another program appends.
struct GrowingFile {
    path: PathBuf,
    file: File,
    identity: (u64, u64),
    at: u64,
    /// The last bytes before `at`.
    tail: Vec<u8>,
}

/// Result of reading from an input.
enum Got {
    /// Number of new bytes.
    Bytes(usize),
    /// No new bytes yet.
    Nothing,
    /// The file was truncated or replaced, and must be read from its start.
    Restart,
    /// The input has ended.
    End,
}

impl Source {
    fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return tui::replace_by_terminal().map(Self::Stream);
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(Self::Stream(file));
        }
        let identity = tui::identity(&metadata);
        Ok(Self::File(GrowingFile {
            path: path.to_owned(),
            file,
            identity,
            at: 0,
            tail: Vec::new(),
        }))
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<Got> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => match stream.read(buffer) {
                Ok(0) => Ok(Got::End),
                Ok(count) => Ok(Got::Bytes(count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(Got::Nothing),
                Err(error) => Err(error),
            },
        }
    }
}

impl GrowingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<Got> {
        // While the file is missing, its former content stays.
        if let Ok(metadata) = fs::metadata(&self.path)
            && tui::identity(&metadata) != self.identity
        {
            self.file = File::open(&self.path)?;
            self.identity = tui::identity(&self.file.metadata()?);
            return Ok(self.restart());
        }
        let length = self.file.metadata()?.len();
        if length < self.at {
            return Ok(self.restart());
        }
        if length == self.at {
            return Ok(Got::Nothing);
        }
        let mut known = vec![0; self.tail.len()];
        self.file.seek(SeekFrom::Start(self.at - known.len() as u64))?;
        if self.file.read_exact(&mut known).is_err() || known != self.tail {
            return Ok(self.restart());
        }
        let count = self.file.read(buffer)?;
        self.at += count as u64;
        self.tail.extend_from_slice(&buffer[..count]);
        self.tail.drain(..self.tail.len().saturating_sub(TAIL));
        Ok(if count == 0 { Got::Nothing } else { Got::Bytes(count) })
    }

    fn restart(&mut self) -> Got {
        self.at = 0;
        self.tail.clear();
        Got::Restart
    }
}

/// The map of a run, without the run.
struct RunMap {
    origin: Origin,
    scenario: Arc<Scenario>,
    /// Size of a tile in the units of the run, if the map has one.
    tile: Option<f64>,
}

/// State of the thread.
struct Reader {
    source: Source,
    follower: Follower,
    /// Options for reading the map.
    options: Options,
    /// The map; `None` before the first table, and if the run has no map.
    map: Option<RunMap>,
    /// Number of restarts that were reported.
    restarts: u32,
    sender: Sender<Update>,
    appended: Arc<AtomicBool>,
    post: Post,
}

#[expect(clippy::disallowed_methods, reason = "following a file depends on real time")]
fn now() -> Instant {
    Instant::now()
}

impl Reader {
    fn run(mut self) {
        if let Err(why) = self.follow() {
            self.send(Update::Failed(why));
        }
    }

    /// Sends a report. Returns false if the screen is closed.
    fn send(&self, update: Update) -> bool {
        let sent = self.sender.send(update).is_ok();
        self.post.wake();
        sent
    }

    fn follow(&mut self) -> Result<(), String> {
        let mut buffer = vec![0; CHUNK];
        let mut changed = now();
        let mut is_reported = true;
        loop {
            let got = self.source.read(&mut buffer).map_err(|error| error.to_string())?;
            let (count, is_behind) = match got {
                Got::Bytes(count) => (count, count == CHUNK),
                Got::Nothing if !is_reported => {
                    is_reported = true;
                    if !self.report()? {
                        return Ok(());
                    }
                    continue;
                }
                Got::Nothing => {
                    let is_quiet = changed.elapsed() > QUIET;
                    thread::sleep(if is_quiet { QUIET_POLL } else { BUSY_POLL });
                    continue;
                }
                Got::Restart => {
                    self.follower.restart();
                    continue;
                }
                Got::End => {
                    self.follower.end();
                    self.report()?;
                    return Ok(());
                }
            };
            changed = now();
            self.follower.feed(&buffer[..count]).map_err(|error| error.to_string())?;
            // A table contains all rows, so it is created after all bytes so far are read.
            is_reported = !is_behind;
            if is_reported && !self.report()? {
                return Ok(());
            }
        }
    }

    /// Reports new frames, scenarios and warnings. Returns false if the screen is closed.
    fn report(&mut self) -> Result<bool, String> {
        if let Some(warning) = self.follower.take_warning() {
            self.send(Update::Warning(warning));
        }
        if self.follower.needs_table() {
            let scene = self.scene()?;
            return Ok(self.send(Update::Scene(Box::new(scene))));
        }
        // The screen asks for all frames at once, so one wake-up is enough.
        if !self.appended.swap(true, Ordering::AcqRel) {
            self.post.wake();
        }
        Ok(true)
    }

    /// Creates a scenario with all frames so far.
    fn scene(&mut self) -> Result<Scene, String> {
        let TraceOptions { map, with, .. } = self.follower.options().clone();
        if let (None, Some(map)) = (&self.map, map) {
            self.map = Some(self.read_map(&map)?);
        }
        let map = self.map.as_ref();
        let table = self.follower.table(map.map(|map| &map.scenario), map.and_then(|map| map.tile));
        let (table, live) = table.map_err(|error| error.to_string())?;
        let origin = match map {
            Some(map) => map.origin.clone(),
            None => Origin::Text { label: table.label.clone(), text: table.map_text(), set: None },
        };
        let run = Arc::new(FollowedRun { with, live: Some(live), ..FollowedRun::new(table) });
        let options = Options { run: Some(Arc::clone(&run)), ..self.options.clone() };
        let loaded = files::load(&origin, &options).map_err(|error| error.to_string())?;
        let restarts = self.follower.restarts();
        let restarted = restarts > self.restarts;
        self.restarts = restarts;
        Ok(Scene { origin, run, loaded, restarted })
    }

    fn read_map(&self, map: &Path) -> Result<RunMap, String> {
        let origin = map_origin(map).map_err(|error| error.to_string())?;
        let options = Options { run: None, ..self.options.clone() };
        let loaded = files::load(&origin, &options).map_err(|error| error.to_string())?;
        let scenario = loaded.scenario.ok_or_else(|| loaded.report.plain())?;
        Ok(RunMap { origin, scenario, tile: import::tile_size(map) })
    }
}
