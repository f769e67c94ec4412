//! Bookmarks and other marked frames of a session.

use std::collections::BTreeSet;

use crate::debugger::marks::{Mark, MarkKind};
use crate::history::bookmarks::{Bookmark, Bookmarks};
use crate::history::run::RunId;
use crate::time::Frame;

use super::Session;

/// Bookmarks, and the frames at which breakpoints paused the runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    bookmarks: Bookmarks,
    stops: BTreeSet<(RunId, Frame)>,
}

impl Session {
    /// Returns the bookmarks of the map, ordered by frame.
    pub fn bookmarks(&self) -> &Bookmarks {
        &self.marks.bookmarks
    }

    /// Sets a bookmark at the current frame, or renames it. An empty `name` is replaced by a
    /// number.
    pub fn mark(&mut self, name: &str) -> Bookmark {
        let frame = self.world().frame();
        self.marks.bookmarks.set(frame, name).clone()
    }

    /// Removes the bookmark at an index of the list, which is ordered by frame. Returns `None` if
    /// the index is out of range.
    pub fn unmark(&mut self, index: usize) -> Option<Bookmark> {
        let frame = self.marks.bookmarks.get(index)?.frame;
        self.marks.bookmarks.remove(frame)
    }

    pub(super) fn set_bookmarks(&mut self, bookmarks: Bookmarks) {
        self.marks.bookmarks = bookmarks;
    }

    /// Marks the current frame as a frame at which a breakpoint paused the run.
    pub(super) fn mark_stop(&mut self) {
        self.marks.stops.insert((self.history.present(), self.world().frame()));
    }

    /// Forgets the frames at which breakpoints paused dropped runs.
    pub(super) fn forget_dropped_stops(&mut self) {
        self.marks.stops.retain(|&(run, _)| self.history.runs().contains(run));
    }

    /// Returns all marks on the timeline, ascending by frame: hits, bookmarks, edits and verdicts.
    pub fn marks(&self) -> Vec<Mark> {
        let run = self.history.present();
        let stops = self.marks.stops.range((run, Frame(0))..=(run, Frame(u64::MAX)));
        let mut marks: Vec<Mark> =
            stops.map(|&(_, frame)| Mark { frame, kind: MarkKind::Stop }).collect();
        let bookmark = |each: &Bookmark| Mark { frame: each.frame, kind: MarkKind::Bookmark };
        marks.extend(self.marks.bookmarks.iter().map(bookmark));
        marks.extend(self.edit_marks());
        marks.extend(self.decision_marks());
        marks.sort_unstable();
        marks
    }
}
