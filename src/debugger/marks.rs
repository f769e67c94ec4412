//! Marked frames on the timeline.

use crate::time::Frame;

/// A marked frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub frame: Frame,
    /// Reason for the mark.
    pub kind: MarkKind,
}

/// Reason why a frame is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A breakpoint paused the run.
    Stop,
    /// An expectation is violated.
    Violated,
    /// A bookmark.
    Marker,
    /// A value or a file changed.
    Edit,
    /// The first difference from another run.
    Parts,
    /// An expectation is met.
    Met,
}
