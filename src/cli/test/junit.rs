//! `JUnit` XML for Jenkins (xunit plugin) and other build servers.

use core::fmt::Write;

use super::report::TestReport;

/// Returns a document with one test suite per map.
pub(super) fn document(tests: &[TestReport]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let is_same_map = |a: &TestReport, b: &TestReport| a.parts().0 == b.parts().0;
    for suite in tests.chunk_by(is_same_map) {
        let map = attribute(suite[0].parts().0);
        let failures = suite.iter().filter(|test| !test.is_ok && test.error.is_none()).count();
        let errors = suite.iter().filter(|test| test.error.is_some()).count();
        let skipped = suite.iter().filter(|test| test.known_failure().is_some()).count();
        let (count, time) =
            (suite.len(), time(suite.iter().filter_map(|test| test.time).reduce(|a, b| a + b)));
        let _ = writeln!(
            text,
            "  <testsuite name=\"{map}\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"{time}>"
        );
        for test in suite {
            case(&mut text, test);
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn case(text: &mut String, test: &TestReport) {
    let (map, name) = test.parts();
    let (map, name, time) = (attribute(map), attribute(name), time(test.time));
    let _ = write!(text, "    <testcase classname=\"{map}\" name=\"{name}\"{time}");
    let reasons = test.reasons();
    let known = test.known_failure();
    if reasons.is_empty() && known.is_none() && test.warnings.is_empty() {
        text.push_str("/>\n");
        return;
    }
    text.push_str(">\n");
    if let Some(known) = known {
        let known = attribute(&format!("known failure: {known}"));
        let _ = writeln!(text, "      <skipped message=\"{known}\"/>");
    }
    failure(text, test, &reasons);
    if !test.warnings.is_empty() {
        let warnings = escape(&test.warnings.join("\n"));
        let _ = writeln!(text, "      <system-out>{warnings}</system-out>");
    }
    text.push_str("    </testcase>\n");
}

/// Adds the reasons for a failure or an error, if any.
fn failure(text: &mut String, test: &TestReport, reasons: &[String]) {
    if reasons.is_empty() {
        return;
    }
    let word = if test.error.is_some() { "error" } else { "failure" };
    let message = attribute(test.reason().unwrap_or_default());
    let kind = attribute(test.verdict.word());
    let body = escape(&reasons.join("\n"));
    let _ = writeln!(text, "      <{word} message=\"{message}\" type=\"{kind}\">{body}</{word}>");
}

fn time(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |seconds| format!(" time=\"{seconds:.6}\""))
}

/// Escapes the text of an element. Removes control characters, which XML does not allow.
fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.chars().filter(|c| !c.is_control() || *c == '\n').collect()
}

/// Escapes the value of an attribute.
fn attribute(text: &str) -> String {
    escape(text).replace('"', "&quot;").replace('\n', "&#10;")
}
