//! Maps that do not load, as results of their own.

use crate::files::show;
use crate::testing::TestedMap;

use super::report::{Shares, TestReport, TestVerdict};

/// Name of the test that a map loads. A map that loads has no such test.
pub(super) const LOADS: &str = "load";

/// Returns an error for each map that does not load.
pub(super) fn reports(maps: &[TestedMap]) -> Vec<TestReport> {
    maps.iter().filter_map(report).collect()
}

fn report(map: &TestedMap) -> Option<TestReport> {
    let path = show::path(&map.path);
    let (place, error) = match &map.problems {
        Ok(report) => {
            let first = report.entries().find(|it| it.severity == "error")?;
            let place = (first.file.to_owned(), first.line, first.column);
            (place, report.plain().trim_end().to_owned())
        }
        Err(error) => {
            let error = show::escaped_except(&error.to_string(), &['\n']);
            ((path.clone(), 1, 1), error)
        }
    };
    let (file, line, column) = place;
    Some(TestReport {
        id: format!("{path}::{LOADS}"),
        file,
        line,
        column,
        verdict: TestVerdict::Error,
        is_ok: false,
        shares: Shares::none(),
        fails: None,
        failing_seeds: Vec::new(),
        warnings: Vec::new(),
        undecided: None,
        failure: None,
        error: Some(error),
        time: None,
    })
}
