//! Text for people: a line per test, and the reasons of failures.

use crate::words::count;

use super::report::TestReport;

/// Returns the lines of a test, each with a line break.
pub(super) fn lines(test: &TestReport) -> String {
    let word = if test.is_ok { test.verdict.to_owned() } else { test.verdict.to_uppercase() };
    let mut text = format!("{word:<12}  {}  {}", test.id, test.shares.text());
    if let Some(time) = test.time {
        text += &format!("  {time:.3} s");
    }
    if let Some(reason) = test.fails.as_ref().filter(|_| test.is_ok) {
        text += &format!("\n    fails as expected: {reason}");
    }
    for reason in test.reasons().iter().flat_map(|reason| reason.lines()) {
        text += &format!("\n    {reason}");
    }
    text + "\n"
}

/// Returns one line with the number of tests of each verdict.
pub(super) fn summary(tests: &[TestReport]) -> String {
    let number = |of: fn(&&TestReport) -> bool| tests.iter().filter(of).count() as u64;
    let passed = number(|test| test.is_ok);
    let failed = number(|test| !test.is_ok && test.verdict == "fail");
    let inconclusive = number(|test| !test.is_ok && test.verdict == "inconclusive");
    let errors = number(|test| test.error.is_some());
    let mut text = format!("{passed} passed, {failed} failed");
    if inconclusive > 0 {
        text += &format!(", {inconclusive} inconclusive");
    }
    if errors > 0 {
        text += &format!(", {}", count(errors, "error"));
    }
    text
}
