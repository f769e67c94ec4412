//! Checks the values of a sweep: reads each map with each value.

use std::ops::Range;

use crate::read::loading::{LoadError, Loaded};
use crate::settings::Setting;
use crate::sweep::maps::{BaseMap, numbering, with_settings};
use crate::sweep::vary::Varied;
use crate::text::diagnostic::{Diagnostic, Severity};

/// Maximum number of values to check.
const MOST_VALUES: usize = 1000;

/// Maximum number of bytes of map text to read for the check.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Checks each value with each map, and reports errors at the location of the value. Does not check
/// combinations of values. If there are many values or large maps, checks only the first values.
pub fn values(varied: &[Varied], maps: &[BaseMap], seed: Option<u64>) {
    for map in maps {
        let bytes: usize = map.sources.files.iter().map(|file| file.text.len()).sum();
        let all = (MOST_BYTES / bytes.max(1)).clamp(20, MOST_VALUES);
        let mut left = (all / maps.len()).max(1);
        for each in varied {
            let Some(path) = &each.path else { continue };
            for (value, span) in each.checks.iter().take(left) {
                left -= 1;
                let problem = match Setting::of(path, value.toml()) {
                    Ok(setting) => {
                        let set = [numbering([path]), vec![setting]].concat();
                        first_error(with_settings(&map.sources, seed, set))
                    }
                    Err(error) => Some((error.to_string(), Vec::new())),
                };
                if let Some(problem) = problem {
                    report(each, span.clone(), problem, maps, map);
                }
            }
        }
    }
}

/// Returns the message and advice of the first error of a map; `None` for a map without errors.
fn first_error(loaded: Result<Loaded, LoadError>) -> Option<(String, Vec<String>)> {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return Some((error.to_string(), Vec::new())),
    };
    let mut errors = loaded.report.diagnostics().iter();
    let error = errors.find(|each| each.severity == Severity::Error)?;
    let source = loaded.report.source(error.file);
    let mut help = error.help.clone();
    // An error outside of the setting has its place in the map.
    if error.file.0 == 0 {
        let (line, column) = source.line_column(error.span.start);
        help.push(format!("at {}:{line}:{column}", source.label()));
    }
    Some((error.message.clone(), help))
}

fn report(
    varied: &Varied,
    span: Range<usize>,
    (message, help): (String, Vec<String>),
    maps: &[BaseMap],
    map: &BaseMap,
) {
    let mut problem = Diagnostic::error(span, message);
    problem.help = help;
    varied.entry.issues.push(problem.help(map.among(maps)));
}
