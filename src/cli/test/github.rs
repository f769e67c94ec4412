//! Annotations of GitHub Actions: workflow commands that mark the line of an expectation.

use core::fmt::Write;

use super::report::TestReport;

/// Returns an `::error` line for each test that is not met, and a `::warning` line for each warning.
pub(super) fn annotations(tests: &[TestReport]) -> String {
    let mut text = String::new();
    for test in tests {
        let file = property(&test.file);
        let (line, column, title) = (test.line, test.column, property(test.parts().1));
        let reasons = (!test.is_ok).then(|| ("error", test.reasons().join("\n")));
        let warnings = test.warnings.iter().map(|warning| ("warning", warning.clone()));
        for (word, message) in reasons.into_iter().chain(warnings) {
            let message = data(&message);
            let _ = writeln!(
                text,
                "::{word} file={file},line={line},col={column},title={title}::{message}"
            );
        }
    }
    text
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
