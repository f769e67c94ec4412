//! The file of a recording in progress. A separate thread writes the file. A slow or stopped disk
//! therefore blocks neither the simulation nor the screen.
//!
//! - A new file gets its name only after its first records are written. If the program is killed
//!   earlier, no unreadable file takes the name.
//! - The file is locked, so that no other tilewalk process can write to it.
//! - The thread detects within half a second that the file was deleted, replaced or truncated, or
//!   that the disk is full. From then on, every write fails.
//! - The data is passed to the disk (fsync) every five seconds, and at the end.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::files::disk::output_file::NewFile;
use crate::files::{show, write};
use crate::history::recorder::Recorder;
use crate::scenario::sources::Sources;

/// Time between two checks of the file.
const CHECK_EVERY: Duration = Duration::from_millis(500);

/// Time between two fsyncs while new data arrives.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// A recording file, written by its own thread. Dropping the value ends the thread.
#[derive(Debug)]
pub struct RecordingFile {
    /// Data since the last flush.
    buffer: Vec<u8>,
    jobs: Sender<Job>,
    failure: Arc<OnceLock<String>>,
    ended: Receiver<()>,
}

/// A command to the writing thread.
enum Job {
    Write(Vec<u8>),
    /// Gives a new file its name, then sends the result.
    Publish(PathBuf, Sender<io::Result<()>>),
}

/// Function that the writing thread calls once, as soon as the file can no longer be written.
pub type Notify = Box<dyn Fn() + Send>;

impl RecordingFile {
    /// Creates a file in the directory of `path` and starts its thread. The file has no name before
    /// [`RecordingFile::publish`]. `notify` is called if a write fails later.
    ///
    /// # Errors
    /// Returns an error if a file called `path` exists, or if the directory is not writable.
    pub fn create(path: &Path, notify: Notify) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = NewFile::beside(path)?;
        file.file().lock()?;
        Self::start(Name::None(file), 0, notify)
    }

    /// Opens an existing file to continue at byte offset `at`. Data after `at` is overwritten.
    ///
    /// # Errors
    /// Returns an error if the file is not writable, if its length is not `length` bytes, or if
    /// another program is recording to it.
    pub fn open(path: &Path, length: u64, at: u64, notify: Notify) -> io::Result<Self> {
        let mut file = File::options().write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let other = || "another program is recording to this file".to_owned();
                return Err(io::Error::other(user(path).unwrap_or_else(other)));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if file.metadata()?.len() != length {
            return Err(io::Error::other("the file has just been changed by another program"));
        }
        file.seek(SeekFrom::Start(at))?;
        Self::start(Name::Path(file, path.to_owned()), length, notify)
    }

    fn start(name: Name, length: u64, notify: Notify) -> io::Result<Self> {
        let (jobs, received) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let failure = Arc::new(OnceLock::new());
        let mut writer =
            Writer { at: name.file().stream_position()?, name, length, unsynced: false };
        let failed = Arc::clone(&failure);
        thread::Builder::new().name("recording".to_owned()).spawn(move || {
            if let Err(why) = writer.work(&received) {
                // Only this thread sets the failure, and only once.
                let _ = failed.set(why);
                notify();
            }
            // The receiver may have given up waiting.
            let _ = end.send(());
        })?;
        Ok(Self { buffer: Vec::new(), jobs, failure, ended })
    }

    /// Gives a new file the name `path`, after all flushed data is written. Does nothing if the
    /// file already has a name.
    ///
    /// # Errors
    /// Returns an error if another file called `path` exists, or if an earlier write failed.
    pub fn publish(&self, path: &Path) -> io::Result<()> {
        let (answer, answered) = mpsc::channel();
        // If the thread has ended, no answer arrives.
        let _ = self.jobs.send(Job::Publish(path.to_owned(), answer));
        answered.recv().unwrap_or_else(|_| Err(self.error()))
    }

    /// Returns the reason why the file can no longer be written. Returns `None` while writing
    /// works.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Waits until all flushed data is on the disk. Waits no longer than `patience`, or without a
    /// limit if `patience` is `None`.
    ///
    /// # Errors
    /// Returns an error if writing failed, or if the disk does not respond in time.
    pub fn close(self, patience: Option<Duration>) -> io::Result<()> {
        let Self { jobs, failure, ended, .. } = self;
        drop(jobs);
        let in_time = match patience {
            Some(patience) => ended.recv_timeout(patience).is_ok(),
            None => ended.recv().is_ok(),
        };
        match failure.get() {
            Some(why) => Err(io::Error::other(why.clone())),
            None if in_time => Ok(()),
            None => Err(io::Error::other("the disk does not respond")),
        }
    }

    fn error(&self) -> io::Error {
        io::Error::other(self.failure().unwrap_or("the recording thread has ended").to_owned())
    }
}

impl Write for RecordingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Passes the buffered data to the thread, which writes it later. Returns an error if an
    /// earlier write failed.
    fn flush(&mut self) -> io::Result<()> {
        if self.failure().is_some() {
            return Err(self.error());
        }
        let data = core::mem::take(&mut self.buffer);
        self.jobs.send(Job::Write(data)).map_err(|_| self.error())
    }
}

/// State of the writing thread.
struct Writer {
    name: Name,
    /// Expected length of the file, in bytes.
    length: u64,
    /// Byte offset of the next write.
    at: u64,
    /// Whether data was written since the last fsync.
    unsynced: bool,
}

/// Whether a new file still has a temporary name or already has its final name.
enum Name {
    None(NewFile),
    Path(File, PathBuf),
}

impl Name {
    fn file(&self) -> &File {
        match self {
            Self::None(file) => file.file(),
            Self::Path(file, _) => file,
        }
    }
}

impl Writer {
    /// Performs jobs until the channel is closed, then syncs the file. Returns an error message if
    /// the file can no longer be written.
    fn work(&mut self, jobs: &Receiver<Job>) -> Result<(), String> {
        let (mut checked, mut synced) = (now(), now());
        loop {
            match jobs.recv_timeout(CHECK_EVERY) {
                Ok(Job::Write(data)) => self.write(&data).map_err(|error| error.to_string())?,
                Ok(Job::Publish(path, answer)) => {
                    // A requester that has gone needs no answer.
                    let _ = answer.send(self.publish(&path));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.check()?;
                    return self.sync().map_err(|error| error.to_string());
                }
            }
            if checked.elapsed() >= CHECK_EVERY {
                checked = now();
                self.check()?;
            }
            if synced.elapsed() >= SYNC_EVERY {
                synced = now();
                self.sync().map_err(|error| error.to_string())?;
            }
        }
    }

    fn write(&mut self, data: &[u8]) -> io::Result<()> {
        self.name.file().write_all(data)?;
        self.at += data.len() as u64;
        self.length = self.length.max(self.at);
        self.unsynced = true;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        if core::mem::take(&mut self.unsynced) { self.name.file().sync_data() } else { Ok(()) }
    }

    fn publish(&mut self, path: &Path) -> io::Result<()> {
        let Name::None(file) = &self.name else { return Ok(()) };
        let named = File::try_clone(file.file())?;
        let Name::None(file) =
            core::mem::replace(&mut self.name, Name::Path(named, path.to_owned()))
        else {
            return Ok(());
        };
        file.publish(path).map_err(|(error, file)| {
            self.name = Name::None(file);
            error
        })
    }

    /// Checks that the file still has its name and the expected length. Returns no error for a file
    /// without a name.
    fn check(&self) -> Result<(), String> {
        let Name::Path(file, path) = &self.name else { return Ok(()) };
        let found = file.metadata().map_err(|error| error.to_string())?;
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err("the file was deleted or renamed".to_owned());
            }
            Err(error) => return Err(error.to_string()),
            #[cfg(unix)]
            Ok(named) if crate::unix::identity(&named) != crate::unix::identity(&found) => {
                return Err("the file was replaced".to_owned());
            }
            Ok(_) => {}
        }
        if found.len() == self.length {
            Ok(())
        } else {
            Err("the file was changed by another program".to_owned())
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "files are checked at intervals of real time")]
fn now() -> Instant {
    Instant::now()
}

/// Starts a recording in a new file. `first` writes the records that make the file readable. After
/// that, the file gets the name `path`.
///
/// # Errors
/// Returns an error if a file called `path` exists, or if writing failed.
pub fn begin(
    path: &Path,
    sources: &Sources,
    notify: Notify,
    first: impl FnOnce(&mut Recorder<RecordingFile>) -> io::Result<()>,
) -> io::Result<Recorder<RecordingFile>> {
    let mut recorder = Recorder::begin_for(RecordingFile::create(path, notify)?, sources)?;
    first(&mut recorder)?;
    recorder.get_ref().publish(path)?;
    Ok(recorder)
}

/// Returns the path of a new file in which the recording `path` can continue. This is the first of
/// `NAME-2.twr`, `NAME-3.twr`, … that does not exist. Returns `path` if all names are taken.
pub fn continuation(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    // A continuation of `NAME-2.twr` is called `NAME-3.twr`, if it continues `NAME.twr`.
    let stem = match stem.rsplit_once('-') {
        Some((first, number))
            if number.parse::<u32>().is_ok()
                && path.with_file_name(format!("{first}.{ending}")).exists() =>
        {
            first
        }
        _ => &stem,
    };
    let name = |new: &str| path.with_file_name(format!("{new}.{ending}"));
    let is_free = |new: &str| new != stem && fs::symlink_metadata(name(new)).is_err();
    write::free_stem(stem, is_free).map_or_else(|| path.to_owned(), |stem| name(&stem))
}

/// Returns an error message if another process is recording to the file at `path`. Returns `None` if
/// there is no such process, or if the system does not name it.
pub fn user(path: &Path) -> Option<String> {
    #[cfg(unix)]
    if let Some((id, name)) = crate::unix::lock_holder(&fs::metadata(path).ok()?) {
        return Some(format!("process {id} ({}) is recording to this file", show::text(&name)));
    }
    None
}
