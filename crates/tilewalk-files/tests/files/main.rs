//! The tests of the files: reading, checking, editing and writing maps and patterns.

#![expect(clippy::unwrap_used, reason = "a failed test names the place")]
#![expect(clippy::wildcard_enum_match_arm, reason = "a test may handle only some variants")]

mod broken;
mod edits;
mod expectations;
mod frame_to_map;
mod frame_to_map_home;
mod heavy;
mod laws_crop;
mod laws_edits;
mod loading;
mod loading_turning;
mod races;
mod schema;
mod usage;

use tilewalk_test_support as support;
