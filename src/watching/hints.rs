//! What the system tells of a folder, freed of its many words.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind};

/// Something may have happened to some files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Which; none when it is not known.
    pub paths: Vec<PathBuf>,
    /// What was going on.
    pub what: Deed,
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Somebody who has it open wrote to it.
    Written,
    /// Somebody who wrote to it has closed it.
    Closed,
    /// Anything else: it is there, or gone, or has another name.
    Other,
}

impl Hint {
    /// What an event means; `None` when it means nothing here. Our own reading is an event, too.
    pub fn of(event: notify::Result<Event>) -> Option<Self> {
        let Ok(event) = event else { return Some(Self { paths: Vec::new(), what: Deed::Other }) };
        let what = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => Deed::Closed,
            EventKind::Access(_) => return None,
            EventKind::Modify(notify::event::ModifyKind::Data(_)) => Deed::Written,
            _ => Deed::Other,
        };
        Some(Self { paths: event.paths, what })
    }
}

/// The files that somebody is writing, as far as the system tells.
#[derive(Debug, Default)]
pub struct Writers(BTreeMap<PathBuf, Instant>);

impl Writers {
    /// Takes in a hint that came just now.
    pub fn note(&mut self, hint: &Hint, now: Instant) {
        for path in &hint.paths {
            if hint.what == Deed::Written && cfg!(target_os = "linux") {
                self.0.insert(path.clone(), now);
            } else {
                self.0.remove(path);
            }
        }
    }

    /// Is there anybody who has written not long ago and has not closed the file since?
    pub fn is_any(&self, now: Instant, patience: Duration) -> bool {
        self.0.values().any(|&last| now.saturating_duration_since(last) < patience)
    }
}
