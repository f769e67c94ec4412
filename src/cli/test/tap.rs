//! Test Anything Protocol, version 14.

use core::fmt::Write;

use super::report::TestReport;

/// Returns a document with one test point per expectation, in the order of `tests`.
pub(super) fn document(tests: &[TestReport]) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", tests.len());
    for (index, test) in tests.iter().enumerate() {
        // A known failure is a failure with a directive.
        let todo = test.known_failure().map(escape);
        let ok = if test.is_ok && todo.is_none() { "ok" } else { "not ok" };
        let todo = todo.map_or_else(String::new, |reason| format!(" # TODO {reason}"));
        let _ = writeln!(text, "{ok} {} - {}{todo}", index + 1, escape(&test.id));
        let _ = writeln!(text, "  ---\n  verdict: {}", test.verdict.word());
        let _ = writeln!(text, "  seeds: {}", yaml(&test.shares.text()));
        let at = format!("{}:{}:{}", test.file, test.line, test.column);
        let _ = writeln!(text, "  at: {}", yaml(&at));
        if let Some(reason) = test.reason() {
            let _ = writeln!(text, "  message: {}", yaml(reason));
        }
        if let Some(failure) = &test.failure {
            let _ = writeln!(text, "  seed: {}\n  frame: {}", failure.seed, failure.frame);
            let _ = writeln!(text, "  command: {}", yaml(&failure.command));
        }
        if !test.failing_seeds.is_empty() {
            let _ = writeln!(text, "  failing_seeds: {:?}", test.failing_seeds);
        }
        for (index, warning) in test.warnings.iter().enumerate() {
            let key = if index == 0 { "  warnings:\n" } else { "" };
            let _ = writeln!(text, "{key}    - {}", yaml(warning));
        }
        if let Some(time) = test.time {
            let _ = writeln!(text, "  seconds: {time:.6}");
        }
        text += "  ...\n";
    }
    text
}

/// Escapes the characters of a description that begin a directive or an escape.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#")
}

/// Quotes a text as a double-quoted YAML scalar. YAML accepts all JSON escapes.
fn yaml(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
