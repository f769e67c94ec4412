//! Commands without the screen: output, exit codes, errors.

mod command_line;
mod diff;
mod doctor;
mod explaining;
#[cfg(feature = "tui")]
mod manual;
mod recorded_runs;
mod recordings;
mod shrink;
mod testing;
mod unsafe_text;
