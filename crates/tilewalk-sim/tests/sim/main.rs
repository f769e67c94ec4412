//! Tests of the simulator: conditions, properties on random input, oracles and scenarios.

#![expect(clippy::unwrap_used, reason = "a failed test names the place")]
#![expect(clippy::wildcard_enum_match_arm, reason = "a test may handle only some variants")]

mod behaviour_coverage;
mod conditions;
mod costly_conditions;
mod laws;
mod oracles;
mod scenarios;

use tilewalk_test_support as support;
