//! The first page of the inspector: a summary of an agent's position, mode, drive, events and body.

use crate::debugger::past_event;
use crate::report::summary::Totals;
use crate::tui::draw::facts::{self, Facts};
use crate::tui::draw::pane;
use crate::words;

use super::about::About;
use super::{body, drive, edit, modes};

/// Maximum number of events on the first page.
const EVENTS: usize = 6;

/// Adds the lines of the first page.
pub fn describe(about: &About, facts: &mut Facts) {
    body::motion(about, false, facts);
    modes::current(about, facts);
    modes::previous(about, facts);
    edit::since(about, facts);
    modes::transitions(about, facts);
    drive::describe(about, drive::LISTED, facts);
    if let Some(behaviour) = &about.report.jitter {
        facts.aside("jitter", [(format!("caused by {behaviour}"), facts.theme.warn)]);
    }
    edit::describe(about, facts);
    if about.report.frame == 0 {
        facts.fact("step", "none: frame 0 is the initial state");
    }
    changed(about, facts);
    events(about, facts);
    totals(about, facts);
    body::describe(about, facts);
}

/// Adds the changed values of the agent's kind that are not yet written to the map file.
fn changed(about: &About, facts: &mut Facts) {
    let kind = &about.world.kind(about.id).name;
    let mine = about.session.unwritten().iter().filter_map(|setting| {
        let path = Some(setting.path()).filter(|path| path.agent() == Some(kind))?;
        Some(format!("* {} = {}", path.within_agent(), setting.value_text()))
    });
    for (index, text) in mine.enumerate() {
        let style = facts.theme.warn;
        facts.aside(if index == 0 { "changed" } else { "" }, [(text, style)]);
    }
}

/// Adds the counts of bumps, of blocked steps, and of each progress detector, such as `stuck`.
/// Counts of 0 are omitted.
fn totals(about: &About, facts: &mut Facts) {
    let totals = Totals::of(about.world, about.id);
    let theme = facts.theme;
    let counts = [
        (totals.bumps, "bump", "bumps"),
        (totals.blocked, "time blocked", "times blocked"),
        (totals.stuck, "time stuck", "times stuck"),
        (totals.circling, "time circling", "times circling"),
        (totals.oscillating, "time oscillating", "times oscillating"),
        (totals.deadlocked, "time deadlocked", "times deadlocked"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let mut phrases: Vec<_> = counts
        .map(|(count, one, many)| (words::count_with(count.into(), one, many), theme.text))
        .collect();
    if let Some(seconds) = totals.seconds_between_bumps {
        phrases.push((format!("{seconds:.1} s per bump"), theme.dim));
    }
    if !phrases.is_empty() {
        facts.phrases("totals", phrases);
    }
}

fn events(about: &About, facts: &mut Facts) {
    let theme = facts.theme;
    for (index, event) in about.events().take(EVENTS).enumerate() {
        let mut label = if index == 0 { "events" } else { "" };
        let mut number = format!("{:>5}", event.frame);
        let room = facts.width().saturating_sub(facts::LABEL + number.len() + 2);
        for text in pane::wrapped(&past_event::text(event, about.session.history()), room) {
            facts.aside(label, [(number.clone(), theme.dim), (text, theme.text)]);
            (label, number) = ("", " ".repeat(number.len()));
        }
    }
}
