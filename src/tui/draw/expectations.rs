//! Draws expectations: the list with verdicts, and the counts in the status line.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::debugger::expectations::{Decision, Judged};
use crate::debugger::session::Session;
use crate::judge::Outcome;
use crate::scenario::Scenario;
use crate::scenario::expectation::{Expectation, Seeds};
use crate::scenario::setting::Setting;
use crate::tui::glyph;
use crate::tui::theme::Theme;
use crate::words;

use super::list::{List, ListRow, Spans};
use super::pane;

/// Maximum number of visible lines, without the border.
const ROWS: u16 = 16;

/// Maximum width of the list in terminal columns. Longer lines are hard to read.
const WIDTH: u16 = 140;

/// Width of the column with the verdicts, in terminal columns.
const VERDICT: usize = 15;

/// Indentation of the details, in terminal columns.
const INDENT: usize = 3;

/// Returns the list of expectations, placed in the lowest rows of `area`. `selected` is the index
/// of the expectation whose details are shown.
pub fn list<'a>(session: &'a Session, selected: usize, theme: &'a Theme, area: Rect) -> List<'a> {
    let all: Vec<Judged> = session.expectations().collect();
    let count = all.len();
    let selected = selected.min(count.saturating_sub(1));
    let width = usize::from(area.width.min(WIDTH)).saturating_sub(INDENT + 3);
    let details: Spans =
        all.get(selected).map_or_else(Vec::new, |judged| details(session, judged, width, theme));
    let lines = (count + details.len()).max(1) as u16;
    let area = pane::at_bottom(lines.min(ROWS).saturating_add(2), WIDTH, area);
    let scenario = session.scenario();
    let row = move |index: usize| row(&all[index], index == selected, scenario, theme);
    List {
        right: summary(session, true, theme).map_or_else(String::new, |it| it.text),
        details,
        empty: "none; add [[expect]] to the map file or to MAP.expect.toml".to_owned(),
        ..List::new("expectations", area, count, Some(selected), theme, row)
    }
}

/// Returns the symbol, the word and the style for a verdict. `None` stands for an undecided
/// expectation.
fn verdict(
    judged: &Judged,
    decision: Option<&Decision>,
    theme: &Theme,
) -> (&'static str, &'static str, Style) {
    let Some(decision) = decision else { return (glyph::UNDECIDED, "undecided", theme.dim) };
    let outcome = judged.meaning(decision);
    let word = match outcome {
        Outcome::Pass if judged.expectation.fails.is_some() => "expected fail",
        Outcome::Fail if judged.expectation.fails.is_some() => "unexpected pass",
        Outcome::Pass | Outcome::Fail | Outcome::Inconclusive => outcome.word(),
    };
    match outcome {
        Outcome::Pass => (glyph::MET, word, theme.good),
        Outcome::Fail => (glyph::VIOLATED, word, theme.bad),
        Outcome::Inconclusive => (glyph::INCONCLUSIVE, word, theme.warn),
    }
}

/// Returns the list row of an expectation. The selected row does not contain the reason, because
/// the details contain it.
fn row(judged: &Judged, is_selected: bool, scenario: &Scenario, theme: &Theme) -> ListRow {
    let decided = judged.decided();
    let (sign, word, style) = verdict(judged, decided, theme);
    let frame = decided.map_or_else(String::new, |it| it.frame().to_string());
    let mut spans = vec![
        (format!("{sign} {word:<VERDICT$}"), style),
        (format!(" {frame:>7}  "), theme.dim),
        (judged.expectation.name.clone(), theme.text),
    ];
    if let Some(decision) = decided.filter(|_| !is_selected) {
        spans.push((format!("  {}", decision.why), theme.dim));
    }
    let later = later(judged, theme).map(|later| format!("{later} "));
    let right = later.or_else(|| {
        let marks = [
            missing_settings(judged.expectation, scenario),
            other_seeds(judged.expectation, scenario),
        ];
        let marks: Vec<&str> = marks
            .iter()
            .zip(["set", "seeds"])
            .filter_map(|(it, mark)| it.is_some().then_some(mark))
            .collect();
        (!marks.is_empty()).then(|| format!("{} ", marks.join(", ")))
    });
    ListRow { spans, right: right.map(|text| (text, theme.dim)) }
}

/// Describes a verdict that is reached at a later frame. Returns `None` if the verdict is already
/// reached at the current frame, or is not known.
fn later(judged: &Judged, theme: &Theme) -> Option<String> {
    let decision = judged.decision.filter(|_| judged.decided().is_none())?;
    let (_, word, _) = verdict(judged, Some(decision), theme);
    Some(format!("{word} at frame {}", decision.frame()))
}

/// Returns the lines below the selected row. They contain the reason, the progress of judging, and
/// the missing settings or seeds.
fn details(session: &Session, judged: &Judged, width: usize, theme: &Theme) -> Spans {
    let (expectation, scenario) = (judged.expectation, session.scenario());
    let reason = judged.decided().map(|decision| (decision.why.clone(), theme.text));
    let waiting = || session.judged_until().filter(|_| judged.decision.is_none());
    let waits = waiting().map(|until| (format!("judged up to frame {until} so far"), theme.warn));
    let fails = expectation.fails.as_ref().map(|why| (format!("known to fail: {why}"), theme.text));
    let notes = [missing_settings(expectation, scenario), other_seeds(expectation, scenario)];
    let notes = notes.into_iter().flatten().map(|note| (note, theme.dim));
    let all = reason.into_iter().chain(waits).chain(fails).chain(notes);
    let lines = all.flat_map(|(text, style)| {
        let lines = pane::wrapped(&text, width).into_iter();
        lines.map(move |line| (format!("{:INDENT$}{line}", ""), style))
    });
    lines.collect()
}

/// Describes settings that an expectation requires but the current run does not have. Returns
/// `None` if no setting is missing.
fn missing_settings(expectation: &Expectation, scenario: &Scenario) -> Option<String> {
    let set = &scenario.sources().set;
    let missing = expectation.set.iter().filter(|it| !set.contains(it));
    let missing: Vec<_> = missing.map(Setting::to_string).collect();
    let settings = missing.join(", ");
    (!missing.is_empty()).then(|| format!("needs set {settings}: judged with the shown values"))
}

/// Describes the seeds that an expectation requires. Returns `None` if the current run's seed is
/// the only one required.
fn other_seeds(expectation: &Expectation, scenario: &Scenario) -> Option<String> {
    let shown = scenario.seed();
    match &expectation.seeds {
        Seeds::Next(1) => None,
        Seeds::List(seeds) if *seeds == [shown] => None,
        Seeds::Next(count) => Some(format!("needs {count} seeds: judged with seed {shown}")),
        Seeds::List(seeds) => {
            let seeds = words::count(seeds.len() as u64, "listed seed");
            Some(format!("needs {seeds}: judged with seed {shown}"))
        }
    }
}

/// The counts of met, violated and inconclusive expectations, as text for a title or the status
/// line.
#[derive(Debug)]
pub struct Summary {
    pub text: String,
    pub style: Style,
    /// Whether the current run violates at least one expectation.
    pub is_violated: bool,
}

/// Counts the verdicts at the current frame. The text contains words if `is_long` is true,
/// otherwise symbols. Returns `None` if the map has no expectations.
pub fn summary(session: &Session, is_long: bool, theme: &Theme) -> Option<Summary> {
    let all = session.expectations();
    let count = all.len() as u64;
    if count == 0 {
        return None;
    }
    let (mut met, mut violated, mut inconclusive) = (0_u64, 0_u64, 0_u64);
    let mut first = None;
    for each in all {
        match each.outcome() {
            Some(Outcome::Pass) => met += 1,
            Some(Outcome::Fail) => {
                violated += 1;
                let frame = each.decided().map(Decision::frame);
                first = [first, frame].into_iter().flatten().min();
            }
            Some(Outcome::Inconclusive) => inconclusive += 1,
            None => {}
        }
    }
    let mut parts = if is_long {
        let mut parts = vec![format!("{met} of {} met", words::count(count, "expectation"))];
        let at = if violated == 1 { " at" } else { ", first at" };
        parts.extend(first.map(|first| format!("{violated} violated{at} frame {first}")));
        parts.extend((inconclusive > 0).then(|| format!("{inconclusive} inconclusive")));
        parts
    } else {
        let mut signs = vec![format!("{}{met}/{count}", glyph::MET)];
        signs.extend(first.map(|first| format!("{}{violated} at {first}", glyph::VIOLATED)));
        signs.extend((inconclusive > 0).then(|| format!("{}{inconclusive}", glyph::INCONCLUSIVE)));
        vec![signs.join(" ")]
    };
    if let Some(until) = session.judged_until() {
        parts.push(format!("judging {}%", until.0 * 100 / session.world().frame().0.max(1)));
    }
    let style = match (violated, inconclusive) {
        (1.., _) => theme.bad,
        (0, 1..) => theme.warn,
        (0, 0) if met == count => theme.good,
        (0, 0) => theme.text,
    };
    Some(Summary { text: parts.join(", "), style, is_violated: violated > 0 })
}
