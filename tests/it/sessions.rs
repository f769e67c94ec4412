//! The real program in a pseudo-terminal.

mod answers;
mod breaks;
mod endings;
mod exits;
mod figures;
mod files;
mod heard;
mod history;
pub mod inspector;
mod keys;
mod looks;
mod map;
mod mouse;
mod paint;
mod palette;
mod places;
pub mod reload;
mod shell;
mod tasks;
mod time;
mod timeline;
