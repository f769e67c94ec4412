//! Warnings about runs of other programs: what is probably not meant.

use std::collections::BTreeSet;

use tilewalk_sim::condition::lexer::{TokenKind, tokens};
use tilewalk_sim::condition::words::FIELDS;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::run::RunTable;
use tilewalk_sim::sort::SmallCollect;
use tilewalk_sim::trace::{NO_TEXT, ReadWarning, Trace, Values};

use crate::show;

/// Largest change of the length of a frame without a warning, as a share of the usual length.
const UNEVEN: f32 = 0.1;

/// The fields and events that need to know where an agent wants to go.
const DETECTORS: [&str; 3] = ["stuck", "oscillating", "deadlocked"];

/// A warning about a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunWarning {
    /// The kind of the warning for output.
    pub kind: &'static str,
    /// Line and column in the file, both from 1. `None` if the warning is not about a line.
    pub place: Option<(u32, u32)>,
    /// Description of the problem, safe to print.
    pub text: String,
}

impl RunWarning {
    /// Returns the warning as a line of text. `label` is the name of the file.
    pub fn line(&self, label: &str) -> String {
        match self.place {
            Some((line, column)) => format!("{label}:{line}:{column}: {}", self.text),
            None => format!("{label}: {}", self.text),
        }
    }
}

/// Returns the warnings about what the reader of a run ignored or rounded.
pub fn of_reading(table: &RunTable) -> Vec<RunWarning> {
    let warnings = table.file.warnings.iter().cloned();
    let warning = |ReadWarning { kind, place, text }| RunWarning { kind, place, text };
    warnings.map(warning).collect()
}

/// Returns the warnings about a run whose agents are in a scenario.
pub fn find(table: &RunTable, scenario: &Scenario) -> Vec<RunWarning> {
    let mut found = of_reading(table);
    for column in &table.columns {
        let name = column.name.as_str();
        if FIELDS.iter().any(|(field, _)| *field == name) {
            let text = format!(
                "the value `{name}` has the name of a field: in conditions, `{name}` means the field"
            );
            found.push(RunWarning { kind: "field", place: None, text });
        }
    }
    found.extend(uneven(table));
    for word in ["goal", "wants"] {
        found.extend(unknown_names(table, word, "place", |name| {
            scenario.places().iter().any(|place| place.name == name)
        }));
    }
    found.extend(unknown_names(table, "target", "agent", |name| {
        scenario.find(name).is_some() || table.agents.iter().any(|agent| agent == name)
    }));
    found
}

/// Returns a warning if a frame is more than 10 % longer or shorter than the usual frame.
fn uneven(table: &RunTable) -> Option<RunWarning> {
    let (times, tick) = (table.times.as_ref()?, table.tick? as f32);
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    // Times are rounded to single precision.
    let differs =
        |step: f32, time: f32| (step - tick).abs() > UNEVEN * tick + 4.0 * f32::EPSILON * time;
    let mut uneven = (1..).zip(steps.zip(times)).filter(|(_, (step, time))| differs(*step, **time));
    let (frame, (step, _)) = uneven.next()?;
    let others = uneven.count();
    let more =
        if others == 0 { String::new() } else { format!(", and {others} others differ, too") };
    let text = format!(
        "frame {frame} takes {step:.3} s instead of {tick:.3} s{more}: durations in conditions count \
         {tick:.3} s for each frame"
    );
    Some(RunWarning { kind: "uneven", place: None, text })
}

/// Returns a warning if a column of texts contains names that `is_known` refuses.
fn unknown_names(
    table: &RunTable,
    column: &str,
    noun: &str,
    is_known: impl Fn(&str) -> bool,
) -> Option<RunWarning> {
    let Values::Texts(texts) = &table.columns.iter().find(|it| it.name == column)?.values else {
        return None;
    };
    let used: BTreeSet<u32> = texts.iter().copied().filter(|&text| text != NO_TEXT).small_collect();
    let names = used.iter().filter_map(|&text| table.texts.get(text as usize));
    let unknown: Vec<_> = names.filter(|name| !is_known(name)).collect();
    let first = show::text(unknown.first()?);
    let more = match unknown.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    let text = format!("the column `{column}` names no {noun}: `{first}`{more}");
    Some(RunWarning { kind: "name", place: None, text })
}

/// Returns a warning for each detector in the texts of conditions, if the trace does not tell where
/// agents want to go. `what` describes the conditions.
pub fn detectors<'a>(
    trace: &Trace,
    what: &str,
    conditions: impl Iterator<Item = &'a str>,
) -> Vec<RunWarning> {
    if trace.has_aims() {
        return Vec::new();
    }
    let mut used = BTreeSet::new();
    for text in conditions {
        for token in tokens(text).unwrap_or_default() {
            let TokenKind::Word(word) = token.kind else { continue };
            used.extend(DETECTORS.into_iter().filter(|detector| *detector == word));
        }
    }
    let warning = |detector: &str| RunWarning {
        kind: "detector",
        place: None,
        text: format!(
            "{what} use `{detector}`, which is always false: the run has no column `goal` or `wants`"
        ),
    };
    used.into_iter().map(warning).collect()
}
