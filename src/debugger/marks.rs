//! Frames that are marked on the timeline.

use crate::time::Frame;

/// A frame with a mark on the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub frame: Frame,
    pub kind: MarkKind,
}

/// The reason why a frame is marked. If a frame has several marks, the first kind in this list
/// comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A breakpoint paused the run.
    Stop,
    /// An expectation is violated.
    Violated,
    /// The frame has a bookmark.
    Marker,
    /// A value or a file was changed at the frame.
    Edit,
    /// The frame is the first one that differs from another run.
    Parts,
    /// An expectation passes at the frame.
    Met,
}
