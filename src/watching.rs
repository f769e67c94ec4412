//! The file watcher, which reports when files of the map are saved. Only this module uses the
//! `notify` crate.
//!
//! A thread sleeps until the system reports a change of one of the files. Changes of other files in
//! the same folders have no effect. A notification only triggers a check. The thread waits until the
//! files are quiet and no program has one of them open for writing. Then it compares the file
//! contents with the last known contents. If the contents differ, the thread reads the map again.
//!
//! This works for every way of saving a file. If a map changes while it is being read, the result
//! is discarded and the map is read again. A missing or empty file gets a short time to reappear.
//!
//! If notifications are not available, the thread checks the files several times per second. The
//! thread wakes the main loop of the screen, which fetches the result.

mod folders;
mod hints;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::files::Options;
use crate::files::read::changed_files::{self, Contents, ReadMap, WatcherEvent, WatcherMessage};

use folders::Folders;
use hints::{Hint, Writers};
use tilewalk_sim::sort::SmallSort;

/// Time without notifications after which the files count as quiet.
const QUIET: Duration = Duration::from_millis(20);

/// Maximum time to wait for a program that writes a file without closing it.
const WRITE_TIMEOUT: Duration = Duration::from_millis(600);

/// Time for a missing or empty file to reappear.
const MISSING_GRACE: Duration = Duration::from_millis(300);

/// Interval between checks of missing folders, and of files without notifications.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A map whose files are watched.
#[derive(Debug, Clone)]
pub struct Map {
    /// Id of the map, which each [`WatcherMessage`] contains.
    pub id: String,
    pub path: PathBuf,
    /// Options for reading the map, such as `--set` values.
    pub options: Options,
    /// Function that reads the map.
    pub read: ReadMap,
}

/// A message to the watcher thread.
#[derive(Debug)]
enum Request {
    Watch(Option<Box<Map>>),
    Hint(Hint),
    End,
}

/// File watcher for one map at a time. Dropping the watcher stops its thread.
#[derive(Debug)]
pub struct Watching {
    requests: Sender<Request>,
    messages: Receiver<WatcherMessage>,
}

impl Watching {
    /// Starts the watcher thread, without a map. The thread calls `wake` after each new message. If
    /// `poll` is true, the watcher does not use file-system notifications.
    ///
    /// # Errors
    /// Returns an error if the system can't start a thread.
    pub fn start(poll: bool, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let (outbox, messages) = mpsc::channel();
        let hints = requests.clone();
        thread::Builder::new().name("watching".to_owned()).spawn(move || {
            let folders = Folders::new(hints, poll);
            Watcher { inbox, outbox, wake, folders, writers: Writers::default() }.run();
        })?;
        Ok(Self { requests, messages })
    }

    /// Replaces the watched map. `None` stops watching. The first message about a new map contains
    /// the current state of the map.
    pub fn watch(&self, map: Option<Map>) {
        // If the thread has ended, the only effect is that no more messages arrive.
        let _ = self.requests.send(Request::Watch(map.map(Box::new)));
    }

    /// Removes and returns the oldest unread message. Returns `None` at once if no message is
    /// waiting.
    pub fn next_message(&self) -> Option<WatcherMessage> {
        self.messages.try_recv().ok()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // The notification handler also holds a sender, so the channel alone would never close.
        let _ = self.requests.send(Request::End);
    }
}

#[expect(clippy::disallowed_methods, reason = "file watching depends on real time")]
fn now() -> Instant {
    Instant::now()
}

/// State of the watcher thread.
struct Watcher<F> {
    inbox: Receiver<Request>,
    outbox: Sender<WatcherMessage>,
    wake: F,
    folders: Folders,
    writers: Writers,
}

/// Result of waiting until the files are quiet.
enum Settled {
    /// The files are quiet, or the maximum wait is over.
    Quiet,
    /// The caller replaced the watched map. `None` stops watching.
    Map(Option<Box<Map>>),
    /// The watcher was dropped.
    End,
}

/// Known state of the watched map.
struct Watched {
    map: Map,
    /// File contents of the last reported map.
    known: Contents,
    /// Time when a file was first found missing, empty or unstable. `None` while all files are
    /// stable.
    unsettled_since: Option<Instant>,
    /// File contents at the last check.
    last_seen: Contents,
}

impl<F: Fn()> Watcher<F> {
    fn run(mut self) {
        let mut watched = None;
        loop {
            match self.receive(self.wait(watched.as_ref())) {
                Ok(Request::Watch(map)) => watched = map.map(|map| self.begin(*map)),
                Ok(Request::Hint(hint)) => {
                    self.writers.record(&hint, now());
                    match self.settle() {
                        Settled::Quiet => {}
                        Settled::Map(map) => watched = map.map(|map| self.begin(*map)),
                        Settled::End => return,
                    }
                    self.check(watched.as_mut());
                }
                Err(RecvTimeoutError::Timeout) => self.check(watched.as_mut()),
                Ok(Request::End) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Returns the time until the next check. Returns `None` if the thread only waits for requests.
    fn wait(&self, watched: Option<&Watched>) -> Option<Duration> {
        let watched = watched?;
        let open = self.writers.any_active(now(), WRITE_TIMEOUT);
        let retry = (open || watched.unsettled_since.is_some()).then_some(QUIET);
        let poll = self.folders.need_polling().then_some(POLL_INTERVAL);
        retry.or(poll)
    }

    /// Waits for the next request, but no longer than `wait`. `None` waits without a limit. Ignores
    /// hints about other files. These hints do not extend the wait.
    fn receive(&self, wait: Option<Duration>) -> Result<Request, RecvTimeoutError> {
        let deadline = wait.map(|wait| now() + wait);
        loop {
            let request = match deadline {
                None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)?,
                Some(time) => self.inbox.recv_timeout(time.saturating_duration_since(now()))?,
            };
            match request {
                Request::Hint(hint) if !self.folders.concerns(&hint) => {
                    // Other files may change faster than their hints are received.
                    if deadline.is_some_and(|time| time <= now()) {
                        return Err(RecvTimeoutError::Timeout);
                    }
                }
                Request::Watch(_) | Request::Hint(_) | Request::End => return Ok(request),
            }
        }
    }

    /// Starts to watch a map, and reports the current state of the map.
    fn begin(&mut self, map: Map) -> Watched {
        self.writers = Writers::default();
        let mut watched = Watched {
            map,
            known: Contents::default(),
            unsettled_since: None,
            last_seen: Contents::default(),
        };
        self.check(Some(&mut watched));
        watched
    }

    /// Waits until the files are quiet, but no longer than [`WRITE_TIMEOUT`].
    fn settle(&mut self) -> Settled {
        let begin = now();
        while begin.elapsed() < WRITE_TIMEOUT {
            match self.receive(Some(QUIET)) {
                Ok(Request::Watch(map)) => return Settled::Map(map),
                Ok(Request::Hint(hint)) => self.writers.record(&hint, now()),
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Request::End) | Err(RecvTimeoutError::Disconnected) => return Settled::End,
            }
        }
        Settled::Quiet
    }

    /// Checks the files. Reports the map if the file contents are new and stable.
    fn check(&mut self, watched: Option<&mut Watched>) {
        let Some(watched) = watched else { return };
        if self.writers.any_active(now(), WRITE_TIMEOUT) {
            return;
        }
        let first = watched.known == Contents::default();
        let seen = watched.known.now();
        if !first && seen == watched.known {
            watched.unsettled_since = None;
            self.folders.watch_files(&watched.known);
            return;
        }
        let stable = watched.last_seen == seen;
        watched.last_seen.clone_from(&seen);
        if !first && !stable && self.folders.need_polling() {
            // No notification reports that a file was closed. Wait for two equal checks instead.
            watched.unsettled_since = Some(watched.unsettled_since.unwrap_or_else(now));
            return;
        }
        if !first && seen.is_lacking(&watched.known) {
            let since = *watched.unsettled_since.get_or_insert_with(now);
            if since.elapsed() < MISSING_GRACE {
                self.folders.watch_files(&watched.known);
                return;
            }
        }
        let Map { path, options, read, .. } = &watched.map;
        let (mut result, mut paths) = changed_files::read(path, options, *read);
        if result.as_ref().map_or(true, |loaded| loaded.scenario.is_none()) {
            // An invalid map names no files. Keep watching the files of the last valid map.
            paths.extend(watched.known.paths().map(ToOwned::to_owned));
            paths.small_sort();
            paths.dedup();
        }
        let contents = Contents::of(paths.iter().map(PathBuf::as_path));
        // From here on, notifications report further changes.
        self.folders.watch_files(&contents);
        if !contents.paths().eq(watched.known.paths()) {
            // Files named for the first time were not watched during the first read, so read the
            // map again.
            result = changed_files::read(path, options, *read).0;
        }
        if contents != contents.now() || !first && seen != watched.known.now() {
            watched.unsettled_since = Some(watched.unsettled_since.unwrap_or_else(now));
            return;
        }
        watched.unsettled_since = None;
        watched.known = contents;
        self.report(watched, WatcherEvent::Read(result));
        if let Some(why) = self.folders.take_failure() {
            self.report(watched, WatcherEvent::Polled(why));
        }
    }

    fn report(&self, watched: &Watched, event: WatcherEvent) {
        let id = watched.map.id.clone();
        // A failure means that the watcher was dropped, so the thread ends soon.
        let _ = self.outbox.send(WatcherMessage { id, event });
        (self.wake)();
    }
}
