//! Reads the transitions of a mode (`switch`), and the conditions in other files.

use std::ops::Range;
use std::sync::Arc;

use crate::keys::agent::{MAX_TRANSITIONS, TRANSITION};
use crate::read::target::Targets;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::Entry;
use crate::text::report::{Report, read_source};
use crate::text::source::Source;
use tilewalk_sim::agent::Rule;
use tilewalk_sim::condition::{COST_HELP, Condition, ConditionContext, ConditionError, HIGH_COST};
use tilewalk_sim::history::breaks::{Break, Trigger};
use tilewalk_sim::scenario::Scenario;

/// Reads `switch`. `modes` are the names of the agent's modes, in order. Returns each transition
/// with the byte range of its condition, including the quotes.
pub fn read(entry: &Entry, modes: &[Option<&str>], targets: &Targets) -> Vec<(Rule, Range<usize>)> {
    let tables = entry.tables(&TRANSITION);
    if !(1..=MAX_TRANSITIONS).contains(&tables.len()) && entry.array().is_some() {
        let count = tables.len();
        entry.error(format!(
            "`switch` needs between 1 and {MAX_TRANSITIONS} transitions, but has {count}"
        ));
    }
    let read = |table: crate::text::reader::TableReader| {
        let when = table.require("when");
        let to = table.require("to").and_then(|to| read_mode(&to, modes));
        let span = when.as_ref().map_or(table.span(), Entry::span);
        let read = |text: &str| Condition::read(text, targets, ConditionContext::Rule);
        let when = when.and_then(|when| in_string(&when, read));
        let signal = table.take("signal").and_then(|signal| signal.line().map(ToOwned::to_owned));
        table.finish();
        Some((Rule { when: when?, to: to?, signal }, span))
    };
    tables.into_iter().filter_map(read).collect()
}

/// Reads `remove`, the condition that removes an agent. Returns the condition with its byte range.
/// Returns `None` for an invalid condition.
pub fn removal(entry: &Entry, targets: &Targets) -> Option<(Condition, Range<usize>)> {
    let read = |text: &str| Condition::read(text, targets, ConditionContext::Rule);
    Some((in_string(entry, read)?, entry.span()))
}

/// Returns the index of the mode that a transition names. Reports an unknown mode and returns
/// `None`.
fn read_mode(entry: &Entry, modes: &[Option<&str>]) -> Option<u16> {
    let name = entry.string()?;
    let index = modes.iter().position(|mode| *mode == Some(name));
    if index.is_none() && !entry.issues.is_partial() {
        let known = || modes.iter().copied().flatten();
        let all = || format!("known modes: {}", show::list(known()));
        let help = entry.suggestion(name, known(), all);
        let message = format!("the agent has no mode `{}`", show::text(name));
        entry.error_with_help(message, help);
    }
    index.map(|index| index as u16)
}

/// Reads a string in the condition language. Reports an error at its location in the string, and
/// returns `None`.
pub fn in_string<T>(
    entry: &Entry,
    read: impl FnOnce(&str) -> Result<T, ConditionError>,
) -> Option<T> {
    in_string_about(entry, "", read)
}

/// Reads a string in the condition language, like [`in_string`]. `about` is a line of advice for
/// all errors, or empty.
pub fn in_string_about<T>(
    entry: &Entry,
    about: &str,
    read: impl FnOnce(&str) -> Result<T, ConditionError>,
) -> Option<T> {
    match read(entry.string()?) {
        Ok(read) => Some(read),
        // The name may be defined in the unreadable part of the file.
        Err(error) if error.unknown.is_some() && entry.issues.is_partial() => None,
        Err(error) => {
            let span = entry.locate(error.span.start)..entry.locate(error.span.end);
            entry.issues.push(diagnostic(&error, span, entry.issues).help(about));
            None
        }
    }
}

/// Reads a condition about the agents of a scenario. `label` names the condition in messages. The
/// result is `None` for an invalid condition. The report contains the error of an invalid
/// condition, or a warning about a slow condition.
pub fn condition(label: &str, text: &str, scenario: &Arc<Scenario>) -> (Option<Break>, Report) {
    let mut report = Report::default();
    let source = Source::new(label.to_owned(), None, text);
    let read = |issues: &Issues| match Break::read(Trigger::Condition, text, scenario) {
        Ok(condition) => {
            warn_cost(condition.cost(), &(0..text.len()), issues);
            warn_notes(condition.notes(), |span| span, issues);
            Some(condition)
        }
        Err(error) => {
            issues.push(diagnostic(&error, error.span.clone(), issues));
            None
        }
    };
    let condition = read_source(&mut report, source, Vec::new(), read);
    (condition, report)
}

/// Warns about a condition with a high cost. The cost is in comparisons per frame.
pub fn warn_cost(cost: u64, span: &Range<usize>, issues: &Issues) {
    if cost > HIGH_COST {
        let message = format!("the condition can take {cost} comparisons per frame");
        issues.push(Diagnostic::warning(span.clone(), message).help(COST_HELP));
    }
}

/// Warns about valid parts of a condition that are probably a mistake. `place` converts a byte range
/// in the condition to a byte range in the file.
pub fn warn_notes(
    notes: &[ConditionError],
    place: impl Fn(Range<usize>) -> Range<usize>,
    issues: &Issues,
) {
    for note in notes {
        let warning = Diagnostic::warning(place(note.span.clone()), show::text(&note.message));
        issues.push(warning.help(show::text(&note.help)));
    }
}

/// Warns about a condition in the string of an entry: about its cost, and about parts that are
/// probably a mistake.
pub fn warn_in(entry: &Entry, cost: u64, notes: &[ConditionError]) {
    warn_cost(cost, &entry.span(), entry.issues);
    let place = |span: Range<usize>| entry.locate(span.start)..entry.locate(span.end);
    warn_notes(notes, place, entry.issues);
}

/// Converts an error in a condition to a diagnostic that is safe to print.
pub fn diagnostic(error: &ConditionError, span: Range<usize>, issues: &Issues) -> Diagnostic {
    let mut problem = Diagnostic::error(span.clone(), show::text(&error.message));
    if let Some((word, known)) = &error.unknown {
        let known = || known.iter().map(String::as_str);
        let all = || show::known_names(known());
        problem = problem.help(issues.suggestion(&span, word, known(), all));
    }
    problem.help(show::text(&error.help))
}
