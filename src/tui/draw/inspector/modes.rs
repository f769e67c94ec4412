//! The state machine page of the inspector: modes, transitions, sights and memory of an agent.

use crate::report::modes::{MemoryFact, ModeChangeReport, StateMachine};
use crate::report::pattern::{Pattern, Several};
use crate::tui::draw::facts::{Facts, Phrase, Shown};
use crate::tui::glyph;

use crate::words;

use super::about::About;

/// Adds the lines of the state machine page.
pub fn describe(about: &About, facts: &mut Facts) {
    let machine = StateMachine::of(about.world, about.id);
    current(about, facts);
    switches(about, true, facts);
    last_change(about, facts);
    modes(&machine, facts);
    sights(&machine, facts);
    memory(&machine, facts);
}

/// Adds the transitions of the current mode with their conditions. Conditions that hold are
/// highlighted. The first transition that holds changes the mode in the next frame.
pub fn transitions(about: &About, facts: &mut Facts) {
    switches(about, false, facts);
}

/// Adds the transitions of the current mode. If `decided` is true, also adds the terms that would
/// allow or prevent each transition.
fn switches(about: &About, decided: bool, facts: &mut Facts) {
    for (index, transition) in about.report.rules.iter().enumerate() {
        let theme = facts.theme;
        let style = if transition.holds { theme.good } else { theme.text };
        let mut phrases = vec![(format!("→ {}", transition.target_text()), style)];
        phrases.extend(
            transition
                .parts
                .iter()
                .map(|part| (part.joined_text(), if part.holds { theme.good } else { theme.dim })),
        );
        if decided {
            phrases.push((transition.decides.clone(), theme.dim));
        }
        facts.phrases(if index == 0 { "switch" } else { "" }, phrases);
    }
}

/// Adds the previous mode, and the conditions that ended that mode. Adds nothing before the first
/// change of mode.
pub fn previous(about: &About, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(change) = change(about) else { return };
    let mut phrases = vec![(format!("mode {}", change.from), theme.text)];
    phrases.extend(change.reasons.into_iter().map(|text| (text, theme.good)));
    facts.aside("previous", phrases);
}

/// Adds the frame of the last mode change, the transition, and the conditions that held.
fn last_change(about: &About, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(change) = change(about) else {
        facts.aside("changed", [("never: still in the first mode".to_owned(), theme.dim)]);
        return;
    };
    let mut phrases = vec![
        (format!("frame {}", change.frame), theme.strong),
        (format!("{} → {}", change.from, change.to), theme.text),
        match change.transition {
            Some(number) => (format!("by transition {number}"), theme.text),
            None => ("by the trace".to_owned(), theme.text),
        },
    ];
    phrases.extend(change.reasons.into_iter().map(|text| (text, theme.good)));
    facts.aside("changed", phrases);
    for text in change.prevented {
        facts.aside("", [(text, theme.dim)]);
    }
}

/// Returns the last mode change up to the current frame. Returns `None` for agents with one mode,
/// and before the first change.
fn change(about: &About) -> Option<ModeChangeReport> {
    let mut events = about.events().filter(|_| about.world.kind(about.id).modes.len() > 1);
    events.find_map(|event| {
        let scenario = about.session.history().run().scenario_at(event.frame);
        let before = about.previous().filter(|_| event.frame == about.world.frame());
        ModeChangeReport::of(event, scenario, before)
    })
}

/// Adds all modes with their transitions. The current mode is marked.
fn modes(machine: &StateMachine, facts: &mut Facts) {
    let theme = facts.theme;
    for (index, mode) in machine.modes.iter().enumerate() {
        let (sign, style) =
            if mode.is_current { (glyph::MARKER, theme.strong) } else { (" ", theme.text) };
        let name = format!("{sign} {}", mode.name);
        let label = if index == 0 { "modes" } else { "" };
        facts.phrases(label, [(name, style), (mode.drive.clone(), theme.dim)]);
        for transition in &mode.transitions {
            facts.phrases("", [(format!("    {transition}"), theme.dim)]);
        }
    }
}

/// Adds the targets that the agent looks for, and the position where the agent last saw each
/// target.
fn sights(machine: &StateMachine, facts: &mut Facts) {
    let theme = facts.theme;
    for (index, sight) in machine.sights.iter().enumerate() {
        let style = match (sight.seen, sight.at) {
            (true, Some(_)) => theme.good,
            (false, Some(_)) => theme.text,
            (_, None) => theme.dim,
        };
        let label = if index == 0 { "sight" } else { "" };
        facts.phrases(label, [(sight.target.clone(), theme.text), (sight.text(), style)]);
    }
    if !machine.sights.is_empty() && machine.look_every > 1 {
        let text = format!("checked every {} frames", machine.look_every);
        facts.phrases("", [Phrase::from((text, theme.dim)).showing(Shown::OfAgent("every"))]);
    }
}

/// Adds the memory of the drive, and the saved patterns of other modes.
fn memory(machine: &StateMachine, facts: &mut Facts) {
    let theme = facts.theme;
    if !machine.memory.is_empty() {
        let style = |fact: &MemoryFact| if fact.is_problem { theme.warn } else { theme.text };
        let phrase = |fact: &MemoryFact| (fact.text.clone(), style(fact));
        facts.phrases("memory", machine.memory.iter().map(phrase));
    }
    for text in &machine.saved {
        facts.fact("memory", text);
    }
}

/// Adds the current mode with its duration, and the agent's flags.
pub fn current(about: &About, facts: &mut Facts) {
    let (report, theme) = (&about.report, facts.theme);
    let frames = words::count(report.frames_in_mode.into(), "frame");
    let mut phrases = vec![
        (report.mode.clone(), theme.text),
        (format!("{frames}, {:.2} s", report.time_in_mode), theme.dim),
    ];
    match &report.pattern {
        Some(Pattern { name, several, .. }) => {
            phrases.push((name.clone(), theme.text));
            phrases.extend(several.as_ref().map(|Several { index, patterns, order, .. }| {
                (format!("{} of {patterns}, {order}", index + 1), theme.dim)
            }));
        }
        None if report.drive != report.mode => phrases.push((report.drive.to_owned(), theme.text)),
        None => {}
    }
    if about.is_driven() {
        phrases.push(("manual control".to_owned(), theme.key));
    }
    facts.phrases("mode", phrases);
    let mut phrases: Vec<_> =
        report.flags.iter().map(|word| ((*word).to_owned(), theme.warn)).collect();
    if let (true, Some(reason)) = (report.flags.contains(&"blocked"), &report.obstruction) {
        phrases.retain(|(word, _)| word != "blocked");
        phrases.insert(0, (format!("blocked: {}", reason.line()), theme.warn));
    }
    if let Some(touch) = about.world.touches(about.id) {
        let text = match touch.wall {
            Some(wall) => words::wall(about.world.scenario().map(), wall),
            None => touch.tile.to_string(),
        };
        phrases.push((format!("touches {text}"), theme.text));
    }
    if !phrases.is_empty() {
        facts.phrases("flags", phrases);
    }
}
