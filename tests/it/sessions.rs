//! The real program in a pseudo-terminal.

mod answers;
mod breaks;
mod changes;
mod endings;
pub mod exits;
mod expectations;
mod figures;
mod files;
mod guard;
mod heard;
mod history;
pub mod inspector;
mod keys;
mod leaving;
mod looks;
mod map;
mod mouse;
mod paint;
mod palette;
mod places;
mod recordings;
pub mod reload;
pub mod shell;
mod sweep_runs;
mod tasks;
mod time;
mod timeline;
