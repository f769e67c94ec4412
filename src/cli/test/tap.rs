//! Test Anything Protocol, version 14.

use core::fmt::Write;

use super::report::TestReport;

/// Returns a document with one test point per expectation, in the order of `tests`.
pub(super) fn document(tests: &[TestReport]) -> String {
    let mut text = format!("TAP version 14\n1..{}\n", tests.len());
    for (index, test) in tests.iter().enumerate() {
        let ok = if test.is_ok { "ok" } else { "not ok" };
        let _ = writeln!(text, "{ok} {} - {}", index + 1, escape(&test.id));
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
