//! Commands without the screen: output, exit codes, errors.

mod command_line;
mod diff;
mod doctor;
mod explain;
#[cfg(feature = "tui")]
mod manual_page;
mod plans;
mod recorded_runs;
mod recordings;
mod runs_of_other_programs;
mod rust_recipe;
mod seeds;
mod sharing;
mod shrink;
mod shrink_differences;
mod test_command;
mod test_results;
mod unsafe_text;
