//! Converts file system events to hints: which files may have changed, and which are being written.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind};

/// A notification that files may have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Affected paths; empty if unknown.
    pub paths: Vec<PathBuf>,
    pub kind: ChangeKind,
}

/// Kind of change to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// A program wrote to the file and may still have it open.
    Written,
    /// A program closed the file after writing.
    Closed,
    /// Other changes: creation, deletion, renaming, metadata.
    Other,
}

impl Hint {
    /// Converts an event. Returns `None` for read access, because the watcher itself reads the
    /// files.
    pub fn of(event: notify::Result<Event>) -> Option<Self> {
        let Ok(event) = event else {
            return Some(Self { paths: Vec::new(), kind: ChangeKind::Other });
        };
        #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: all others are `Other`")]
        let kind = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => ChangeKind::Closed,
            EventKind::Access(_) => return None,
            EventKind::Modify(notify::event::ModifyKind::Data(_)) => ChangeKind::Written,
            _ => ChangeKind::Other,
        };
        Some(Self { paths: event.paths, kind })
    }
}

/// Files that programs have open for writing, with the time of the last write.
///
/// Only Linux reports when a file is closed, so the map stays empty on other systems.
#[derive(Debug, Default)]
pub struct Writers(BTreeMap<PathBuf, Instant>);

impl Writers {
    /// Updates the open files with a hint that arrived at the time `now`.
    pub fn record(&mut self, hint: &Hint, now: Instant) {
        for path in &hint.paths {
            if hint.kind == ChangeKind::Written && cfg!(target_os = "linux") {
                self.0.insert(path.clone(), now);
            } else {
                self.0.remove(path);
            }
        }
    }

    /// Returns true if a program wrote to a file less than `timeout` ago and has not closed the
    /// file since.
    pub fn any_active(&self, now: Instant, timeout: Duration) -> bool {
        self.0.values().any(|&last| now.saturating_duration_since(last) < timeout)
    }
}
