//! Bookmarks and other marked frames of a session.

use crate::debugger::marks::{Mark, MarkKind};
use crate::history::markers::{Marker, Markers};

use super::Session;

/// The bookmarks, and the marks on the timeline.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    bookmarks: Markers,
    /// Marks on the timeline, ascending. Includes bookmarks, but neither edits nor expectations.
    timeline: Vec<Mark>,
}

impl Session {
    /// Returns the bookmarks of the map, ordered by frame.
    pub fn markers(&self) -> &Markers {
        &self.marks.bookmarks
    }

    /// Sets a bookmark at the current frame, or renames it. An empty `name` is replaced by a
    /// number.
    pub fn mark(&mut self, name: &str) -> Marker {
        let frame = self.world().frame();
        let bookmark = self.marks.bookmarks.set(frame, name).clone();
        self.marks.show_bookmarks();
        bookmark
    }

    /// Removes the bookmark at an index of the list, which is ordered by frame. Returns `None` if
    /// the index is out of range.
    pub fn unmark(&mut self, index: usize) -> Option<Marker> {
        let frame = self.marks.bookmarks.get(index)?.frame;
        let removed = self.marks.bookmarks.remove(frame);
        self.marks.show_bookmarks();
        removed
    }

    pub(super) fn set_markers(&mut self, bookmarks: Markers) {
        self.marks.bookmarks = bookmarks;
        self.marks.show_bookmarks();
    }

    /// Returns all marks on the timeline, ascending by frame: hits, bookmarks, edits and verdicts.
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks = self.marks.timeline.clone();
        marks.extend(self.edit_marks());
        marks.extend(self.decision_marks());
        marks.sort_unstable();
        marks
    }

    /// Replaces the marks on the timeline, except those of edits and verdicts.
    pub fn set_marks(&mut self, mut marks: Vec<Mark>) {
        marks.sort_unstable();
        self.marks.timeline = marks;
    }
}

impl Marks {
    /// Replaces the bookmarks among the marks on the timeline.
    fn show_bookmarks(&mut self) {
        self.timeline.retain(|mark| mark.kind != MarkKind::Marker);
        let mark = |bookmark: &Marker| Mark { frame: bookmark.frame, kind: MarkKind::Marker };
        self.timeline.extend(self.bookmarks.iter().map(mark));
        self.timeline.sort_unstable();
    }
}
