//! The frames of a session that a person marked.

use crate::history::markers::{Marker, Markers};
use crate::tui::timeline::{Mark, MarkKind};

use super::Session;

impl Session {
    /// Frames that the person marked.
    pub fn markers(&self) -> &Markers {
        &self.markers
    }

    /// Marks the frame that is looked at; without a name it gets a number. Says which it is now.
    pub fn mark(&mut self, name: &str) -> Marker {
        let frame = self.world().frame();
        let marker = self.markers.set(frame, name).clone();
        self.show_markers();
        marker
    }

    /// Takes the marker of a place in the list away.
    pub fn unmark(&mut self, place: usize) -> Option<Marker> {
        let frame = self.markers.get(place)?.frame;
        let removed = self.markers.remove(frame);
        self.show_markers();
        removed
    }

    /// The markers of another session of the same map.
    pub(super) fn set_markers(&mut self, markers: Markers) {
        self.markers = markers;
        self.show_markers();
    }

    /// Shows them on the timeline, beside what else is marked there.
    fn show_markers(&mut self) {
        let mut marks = core::mem::take(&mut self.marks);
        marks.retain(|mark| mark.kind != MarkKind::Marker);
        let mark = |marker: &Marker| Mark { frame: marker.frame, kind: MarkKind::Marker };
        marks.extend(self.markers.iter().map(mark));
        self.set_marks(marks);
    }
}
