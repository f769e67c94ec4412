//! Checks replaced files for two seconds. An editor that opened a file before tilewalk replaced it
//! may still write into the old file. In that case, the old file is restored.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tilewalk::files::show;
use tilewalk::files::write::atomic_replace::SwappedOut;
use tilewalk::files::write::saved_meanwhile;
use tilewalk::tui::Post;

/// Time between two checks of an old file.
const CHECK_EVERY: Duration = Duration::from_millis(100);

/// Number of checks of an old file while the program runs.
const CHECKS: u32 = 20;

/// Number of checks of an old file after the user quits.
const CHECKS_AT_EXIT: u32 = 8;

/// Maximum time that the program waits for the last checks when the user quits. The limit matters
/// if a disk has stopped.
const PATIENCE: Duration = Duration::from_millis(1200);

/// A thread that checks replaced files for late changes.
#[derive(Debug)]
pub struct ReplacedFiles {
    files: Sender<SwappedOut>,
    /// Messages for the user about restored files. The thread closes the channel when it ends.
    messages: Receiver<String>,
}

impl ReplacedFiles {
    /// Starts the thread. Each message wakes the main loop.
    pub fn start(post: Post) -> io::Result<Self> {
        let (files, received) = mpsc::channel();
        let (sender, messages) = mpsc::channel();
        thread::Builder::new().name("replaced files".to_owned()).spawn(move || {
            watch(&received, |message| {
                // After the end of the main loop, the message has no reader.
                let _ = sender.send(message);
                post.wake();
            });
        })?;
        Ok(Self { files, messages })
    }

    /// Returns the sender to which files that were just replaced are sent.
    pub fn sender(&self) -> Sender<SwappedOut> {
        self.files.clone()
    }

    /// Returns the oldest unread message; `None` if all messages are read.
    pub fn message(&self) -> Option<String> {
        self.messages.try_recv().ok()
    }

    /// Checks the files for the last time, and returns the unread messages. Waits for [`PATIENCE`]
    /// at most.
    pub fn finish(self) -> Vec<String> {
        drop(self.files);
        let mut messages = Vec::new();
        let end = now() + PATIENCE;
        while let Ok(message) = self.messages.recv_timeout(end.saturating_duration_since(now())) {
            messages.push(message);
        }
        messages
    }
}

/// Checks files until the channel is closed and the checks of all files are complete.
fn watch(files: &Receiver<SwappedOut>, report: impl Fn(String)) {
    let mut watched: Vec<(SwappedOut, u32)> = Vec::new();
    let mut checks = CHECKS;
    loop {
        let received = if watched.is_empty() {
            files.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            files.recv_timeout(CHECK_EVERY)
        };
        match received {
            Ok(file) => {
                watched.push((file, 0));
                continue;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) if watched.is_empty() => return,
            Err(RecvTimeoutError::Disconnected) => {
                checks = CHECKS_AT_EXIT;
                thread::sleep(CHECK_EVERY);
            }
        }
        for (file, count) in core::mem::take(&mut watched) {
            if file.is_changed() {
                report(put_back(file));
            } else if count + 1 < checks {
                watched.push((file, count + 1));
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the wait at the end is limited in real time")]
fn now() -> Instant {
    Instant::now()
}

/// Restores an old file that another program has changed. Returns a message for the user.
fn put_back(file: SwappedOut) -> String {
    let label = show::path(file.path());
    match file.restore() {
        Ok(kept) => saved_meanwhile(&label, kept.as_deref()),
        Err(error) => format!("another program saved {label} at the same time: {error}"),
    }
}
