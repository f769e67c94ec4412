//! Plain text for users: a line per test, and the reasons for failures.

use crate::words::count;

use super::report::{TestReport, TestVerdict};

/// Returns the lines of a test, each with a line break.
pub(super) fn lines(test: &TestReport) -> String {
    let word = test.verdict.word();
    let word = if test.is_ok { word.to_owned() } else { word.to_uppercase() };
    let time = test.time.map_or_else(String::new, |time| format!("  {time:.3} s"));
    let mut lines = vec![format!("{word:<12}  {}  {}{time}", test.id, test.shares.text())];
    if let Some(reason) = test.known_failure() {
        lines.push(format!("    fails as expected: {reason}"));
    }
    lines.extend(test.warnings.iter().map(|warning| format!("    warning: {warning}")));
    let reasons = test.reasons();
    let reasons = reasons.iter().flat_map(|reason| reason.lines());
    lines.extend(reasons.map(|reason| format!("    {reason}")));
    lines.join("\n") + "\n"
}

/// Returns one line with the number of tests of each verdict.
pub(super) fn summary(tests: &[TestReport]) -> String {
    let number = |of| tests.iter().filter(|test| test.verdict == of).count() as u64;
    let [passed, failed] = [TestVerdict::Pass, TestVerdict::Fail].map(number);
    let [inconclusive, errors] = [TestVerdict::Inconclusive, TestVerdict::Error].map(number);
    let late = number(TestVerdict::Timeout);
    let mut counts = vec![format!("{passed} passed"), format!("{failed} failed")];
    if inconclusive > 0 {
        counts.push(format!("{inconclusive} inconclusive"));
    }
    if errors > 0 {
        counts.push(count(errors, "error"));
    }
    if late > 0 {
        counts.push(count(late, "timeout"));
    }
    counts.join(", ")
}
