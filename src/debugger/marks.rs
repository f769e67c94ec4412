//! Frames that are marked on the timeline.

use crate::time::Frame;

/// A frame with a mark on the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub frame: Frame,
    pub kind: MarkKind,
}

/// The reason why a frame is marked. Several marks on one frame are sorted in the order of the
/// variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A breakpoint paused the run at the frame.
    Stop,
    /// An expectation is violated at the frame.
    Violated,
    /// The frame has a bookmark.
    Bookmark,
    /// A value or a file was changed at the frame.
    Edit,
    /// The first frame at which the run differs from another run.
    Parts,
    /// An expectation passes at the frame.
    Met,
}
