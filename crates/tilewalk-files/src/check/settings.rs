//! Checks the values in `set` of expectations: each expectation must be able to run with its values.

use std::ops::Range;

use crate::read::loading::{Loaded, Options, reload};
use crate::show;
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::report::Report;
use crate::text::span_tree::{PathStep, SpanTree};
use tilewalk_sim::scenario::expectation::Expectation;
use tilewalk_sim::scenario::setting::Setting;

/// Returns the problems of a map, and those that its expectations cause with their values.
pub fn checked(loaded: Loaded) -> Report {
    let Loaded { scenario, mut report, .. } = loaded;
    let Some(scenario) = scenario else { return report };
    let mut found = Vec::new();
    let mut known: Vec<&[Setting]> = Vec::new();
    let mut numbers = vec![0; report.sources().len()];
    for expectation in scenario.expectations() {
        let number = &mut numbers[expectation.place.file];
        *number += 1;
        let set = &expectation.set[..];
        if set.is_empty() || known.contains(&set) {
            continue;
        }
        known.push(set);
        let options = Options { set: set.to_vec(), ..Options::default() };
        let source = &report.sources()[expectation.place.file];
        let mut add = |setting: &Setting, message: &str, help: &str| {
            let span = span(source.text(), *number, setting);
            let file = FileId(expectation.place.file as u32);
            found.push(Diagnostic { file, ..Diagnostic::error(span, message).help(help) });
        };
        match reload(scenario.sources(), &options) {
            Err(error) => add(&set[0], &error.to_string(), ""),
            Ok(other) if other.scenario.is_none() => {
                for problem in other.report.entries().filter(|it| it.severity == "error") {
                    if let Some(setting) = of_label(expectation, problem.file) {
                        add(setting, problem.message, &problem.help);
                    } else {
                        let message = format!("with these values: {}", problem.message);
                        add(&set[0], &message, &problem.help);
                    }
                }
            }
            Ok(_) => {}
        }
    }
    report.extend(found);
    report
}

/// Returns the setting whose problems have this label as their file.
fn of_label<'a>(expectation: &'a Expectation, label: &str) -> Option<&'a Setting> {
    let is_of = |it: &&Setting| format!("--set {}", show::text(&it.to_string())) == label;
    expectation.set.iter().find(is_of)
}

/// Returns the byte range of the value of a setting in the text of a file. `number` is the number of
/// the expectation in the file. For a value that cannot be found, returns the range of the table.
fn span(text: &str, number: usize, setting: &Setting) -> Range<usize> {
    let Some(tree) = SpanTree::parse(text) else { return 0..0 };
    let typed = setting.to_string();
    let path = typed.split_once('=').map_or("", |(path, _)| path);
    // The key can omit the `body` of its agent.
    let short = path.replacen(".body.", ".", 1);
    let set = [PathStep::Key("expect"), PathStep::Row(number), PathStep::Key("set")];
    let value = [path, &short]
        .into_iter()
        .find_map(|key| tree.get(&[&set[..], &[PathStep::Key(key)]].concat()));
    let Some(value) = value.or_else(|| tree.get(&set)) else { return 0..0 };
    let start = value.as_ptr() as usize - tree.text().as_ptr() as usize;
    start..start + value.len()
}
