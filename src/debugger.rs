//! The debugger: everything about a running map that needs no terminal.
//!
//! A [`Session`] holds the history of one map, the selected agent and the explanation of its
//! motion. It also holds breakpoints, bookmarks, a comparison, and edits of the map's files. Front
//! ends draw a session and call its methods. A session opens no file and reads no clock. For a long
//! computation, the caller passes a callback that returns false at the time limit. The caller then
//! calls the method again until the computation is complete.

pub mod control;
pub mod event_filter;
pub mod expectations;
pub mod marks;
pub mod mip_levels;
pub mod opened;
pub mod outcomes;
pub mod past_event;
pub mod plots;
pub mod problems;
pub mod recent;
mod samples;
pub mod scenario_changes;
pub mod session;
pub mod shared_view;
pub mod trail;
mod translation;
pub mod visits;

pub use opened::{FirstView, Opened};
pub use session::{Session, Subject};
pub use shared_view::{AskedView, SharedScreen, SharedView, ShownRecording};
