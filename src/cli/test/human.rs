//! Text for people: a line per test, and the reasons of failures.

use crate::words::count;

use super::report::TestReport;

/// Returns the lines of a test, each with a line break.
pub(super) fn lines(test: &TestReport) -> String {
    let word = if test.is_ok { test.verdict.to_owned() } else { test.verdict.to_uppercase() };
    let time = test.time.map_or_else(String::new, |time| format!("  {time:.3} s"));
    let mut lines = vec![format!("{word:<12}  {}  {}{time}", test.id, test.shares.text())];
    if let Some(reason) = test.fails.as_ref().filter(|_| test.is_ok) {
        lines.push(format!("    fails as expected: {reason}"));
    }
    let reasons = test.reasons();
    let reasons = reasons.iter().flat_map(|reason| reason.lines());
    lines.extend(reasons.map(|reason| format!("    {reason}")));
    lines.join("\n") + "\n"
}

/// Returns one line with the number of tests of each verdict.
pub(super) fn summary(tests: &[TestReport]) -> String {
    let number = |of: fn(&&TestReport) -> bool| tests.iter().filter(of).count() as u64;
    let passed = number(|test| test.is_ok);
    let failed = number(|test| !test.is_ok && test.verdict == "fail");
    let inconclusive = number(|test| !test.is_ok && test.verdict == "inconclusive");
    let errors = number(|test| test.error.is_some());
    let mut counts = vec![format!("{passed} passed"), format!("{failed} failed")];
    if inconclusive > 0 {
        counts.push(format!("{inconclusive} inconclusive"));
    }
    if errors > 0 {
        counts.push(count(errors, "error"));
    }
    counts.join(", ")
}
