//! The file watcher, which reports when files of the map are saved. Only this module names
//! notify.
//!
//! A thread sleeps until the system reports a change in a watched folder. A report is only a hint.
//! When the folder is quiet and no program has one of the files open for writing, the thread
//! compares the contents with the known ones and reads the map again if they differ. It therefore
//! does not matter how a program saves. A map that changes while it is read is discarded and read
//! again. A missing or empty file gets a moment to come back.
//!
//! If the system reports nothing, the thread checks the files several times a second. The thread
//! wakes the main loop of the screen, which passes the news to `App::heard`.

mod folders;
mod hints;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::files::Options;
use crate::files::news::{self, Contents, News, What};

use folders::Folders;
use hints::{Hint, Writers};

/// A folder is quiet when so long nothing has happened in it.
const QUIET: Duration = Duration::from_millis(20);

/// So long somebody who writes is waited for, as long as there is no word of an end.
const PATIENCE: Duration = Duration::from_millis(600);

/// A file that is missing or empty is given so long to be there again.
const GRACE: Duration = Duration::from_millis(300);

/// A folder that is gone is looked for so often, and so are files the system tells nothing about.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A map to be watched.
#[derive(Debug, Clone)]
pub struct Map {
    /// What those who are told know it by.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// What is changed of it before it is read.
    pub options: Options,
}

/// What the thread is told.
#[derive(Debug)]
enum Word {
    Watch(Option<Box<Map>>),
    Hint(Hint),
    End,
}

/// Watches the files of one map at a time; dropped, it ends.
#[derive(Debug)]
pub struct Watching {
    words: Sender<Word>,
    news: Receiver<News>,
}

impl Watching {
    /// Begins with no map. `wake` is called from another thread whenever there is news; with `poll`
    /// the system isn't asked to tell of saves.
    ///
    /// # Errors
    /// When there can be no thread.
    pub fn start(poll: bool, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (words, heard) = mpsc::channel();
        let (told, news) = mpsc::channel();
        let hints = words.clone();
        thread::Builder::new().name("watching".to_owned()).spawn(move || {
            let folders = Folders::new(hints, poll);
            Watcher { heard, told, wake, folders, writers: Writers::default() }.run();
        })?;
        Ok(Self { words, news })
    }

    /// Watches another map from now on, or none. The first news of it is what is in it now.
    pub fn watch(&self, map: Option<Map>) {
        // When the thread is gone, there is no news any more: nothing else is lost.
        let _ = self.words.send(Word::Watch(map.map(Box::new)));
    }

    /// What is new, the oldest first.
    pub fn news(&self) -> Option<News> {
        self.news.try_recv().ok()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Whoever tells of hints holds the other end, too: the thread would wait for ever.
        let _ = self.words.send(Word::End);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a folder is quiet is a matter of real time"
)]
fn now() -> Instant {
    Instant::now()
}

/// The thread.
struct Watcher<F> {
    heard: Receiver<Word>,
    told: Sender<News>,
    wake: F,
    folders: Folders,
    /// Who has a file open.
    writers: Writers,
}

/// How a wait ended.
enum Settled {
    /// Nothing happens any more, or not for long.
    Quiet,
    /// Another map is to be watched, or none.
    Map(Option<Box<Map>>),
    /// Nobody listens any more.
    End,
}

/// What is known of the map that is watched.
struct Watched {
    map: Map,
    /// What was in its files when they were read last.
    known: Contents,
    /// Since when a file is missing or empty.
    lacking: Option<Instant>,
    /// What was in them at the last look.
    looked: Contents,
}

impl<F: Fn()> Watcher<F> {
    fn run(mut self) {
        let mut watched = None;
        loop {
            let word = match self.wait(watched.as_ref()) {
                None => self.heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wait) => self.heard.recv_timeout(wait),
            };
            match word {
                Ok(Word::Watch(map)) => watched = map.map(|map| self.begin(*map)),
                Ok(Word::Hint(hint)) => {
                    if !self.folders.concern(&hint) {
                        continue;
                    }
                    self.writers.note(&hint, now());
                    match self.settle() {
                        Settled::Quiet => {}
                        Settled::Map(map) => watched = map.map(|map| self.begin(*map)),
                        Settled::End => return,
                    }
                    self.look(watched.as_mut());
                }
                Err(RecvTimeoutError::Timeout) => self.look(watched.as_mut()),
                Ok(Word::End) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// How long nothing has to be done by itself; `None` for ever.
    fn wait(&self, watched: Option<&Watched>) -> Option<Duration> {
        let watched = watched?;
        let open = self.writers.is_any(now(), PATIENCE);
        let soon = (open || watched.lacking.is_some()).then_some(QUIET);
        let now_and_then = self.folders.are_incomplete().then_some(LOOK_EVERY);
        soon.or(now_and_then)
    }

    fn begin(&mut self, map: Map) -> Watched {
        self.writers = Writers::default();
        let mut watched =
            Watched { map, known: Contents::default(), lacking: None, looked: Contents::default() };
        self.look(Some(&mut watched));
        watched
    }

    /// Waits until nothing happens any more for a moment.
    fn settle(&mut self) -> Settled {
        let begin = now();
        while begin.elapsed() < PATIENCE {
            match self.heard.recv_timeout(QUIET) {
                Ok(Word::Watch(map)) => return Settled::Map(map),
                Ok(Word::Hint(hint)) if self.folders.concern(&hint) => {
                    self.writers.note(&hint, now());
                }
                Ok(Word::Hint(_)) => {}
                Err(RecvTimeoutError::Timeout) => break,
                Ok(Word::End) | Err(RecvTimeoutError::Disconnected) => return Settled::End,
            }
        }
        Settled::Quiet
    }

    /// Reads what is there, and tells of it if it is new and whole.
    fn look(&mut self, watched: Option<&mut Watched>) {
        let Some(watched) = watched else { return };
        if self.writers.is_any(now(), PATIENCE) {
            return;
        }
        let first = watched.known == Contents::default();
        let seen = watched.known.now();
        if !first && seen == watched.known {
            watched.lacking = None;
            self.folders.arm(&watched.known);
            return;
        }
        let still = watched.looked == seen;
        watched.looked.clone_from(&seen);
        if !first && !still && self.folders.are_incomplete() {
            // Nobody tells when a file is closed: what stays as it is a moment later will do.
            watched.lacking = Some(watched.lacking.unwrap_or_else(now));
            return;
        }
        if !first && seen.is_lacking(&watched.known) {
            let since = *watched.lacking.get_or_insert_with(now);
            if since.elapsed() < GRACE {
                self.folders.arm(&watched.known);
                return;
            }
        }
        let (mut result, mut paths) = news::read(&watched.map.path, &watched.map.options);
        if result.as_ref().map_or(true, |loaded| loaded.scenario.is_none()) {
            // What it named before, it will likely name again.
            paths.extend(watched.known.paths().map(ToOwned::to_owned));
            paths.sort();
            paths.dedup();
        }
        let read = Contents::of(paths.iter().map(PathBuf::as_path));
        // Whoever writes from now on is heard of.
        self.folders.arm(&read);
        if !read.paths().eq(watched.known.paths()) {
            // Of what is in files that were not known before, only this is certain.
            result = news::read(&watched.map.path, &watched.map.options).0;
        }
        if read != read.now() || !first && seen != watched.known.now() {
            watched.lacking = Some(watched.lacking.unwrap_or_else(now));
            return;
        }
        watched.lacking = None;
        watched.known = read;
        self.tell(watched, What::Read(result));
        if let Some(why) = self.folders.take_trouble() {
            self.tell(watched, What::Polled(why));
        }
    }

    fn tell(&self, watched: &Watched, what: What) {
        let id = watched.map.id.clone();
        // When nobody listens any more, the end is near.
        let _ = self.told.send(News { id, what });
        (self.wake)();
    }
}
