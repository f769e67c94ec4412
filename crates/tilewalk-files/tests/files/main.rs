//! Tests of reading, checking, editing and writing maps and patterns.

#![expect(clippy::unwrap_used, reason = "a failed test names the place")]
#![expect(clippy::wildcard_enum_match_arm, reason = "a test may handle only some variants")]

mod aims;
mod concurrent_saves;
mod edit_agents;
mod edit_laws;
mod edits;
mod expectations;
mod invalid_files;
mod loading;
mod loading_turning;
mod memory_limits;
mod noticed;
mod parameter_usage;
mod plans;
mod run_precision;
mod runs;
mod saved_frames;
mod saved_frames_home;
mod schema;
mod shrink_laws;

use tilewalk_test_support as support;
