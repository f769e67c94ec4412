//! What an agent is up to: its modes, the rules that change them, what it remembers.

use crate::agent::{AgentKind, Mode, Rule};
use crate::tui::draw::facts::{Facts, Phrase, Shown};
use crate::tui::glyph;
use crate::words;
use crate::world::DriveState;

use super::about::About;
use super::rules::Change;
use super::{agent, rules};

/// The lines of a mind.
pub fn describe(about: About, facts: &mut Facts) {
    agent::state(about, facts);
    rules::describe(about, facts);
    fired(about, facts);
    modes(about, facts);
    sights(about, facts);
    memory(about, facts);
}

/// The last change of mode: when, and by which rule; on its very frame with the values that counted.
fn fired(about: About, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(change) = Change::last(about) else {
        facts.aside("changed", [("never: still in the first mode".to_owned(), theme.dim)]);
        return;
    };
    let mut phrases = vec![
        (format!("frame {}", change.frame), theme.strong),
        (format!("{} → {}", change.from, change.to), theme.text),
        (format!("by transition {}", change.rule + 1), theme.text),
    ];
    phrases.extend(change.reasons(about).into_iter().map(|text| (text, theme.good)));
    facts.aside("changed", phrases);
}

/// All modes, the present one marked, each with its rules.
fn modes(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let kind = world.kind(id);
    let present = world.mode(id);
    for (index, mode) in kind.modes.iter().enumerate() {
        let here = core::ptr::eq(mode, present);
        let (sign, style) = if here { (glyph::MARKER, theme.strong) } else { (" ", theme.text) };
        let label = if index == 0 { "modes" } else { "" };
        let drive = match mode.drive.patterns().count() {
            0 => mode.drive.word().to_owned(),
            _ => drive(mode),
        };
        facts.phrases(label, [(format!("{sign} {}", mode.name), style), (drive, theme.dim)]);
        for rule in &mode.rules {
            facts.phrases("", [(format!("    {}", leads(rule, kind)), theme.dim)]);
        }
    }
}

/// The patterns of a mode.
fn drive(mode: &Mode) -> String {
    let names: Vec<&str> = mode.drive.patterns().map(|used| used.name).collect();
    format!("{} {}", mode.drive.word(), names.join(", "))
}

/// Where a rule leads, and when.
fn leads(rule: &Rule, kind: &AgentKind) -> String {
    let to = kind.modes.get(usize::from(rule.to)).map_or("?", |mode| &mode.name);
    format!("→ {to}: {}", rule.when.text())
}

/// Whom it looks out for, and where it last saw them.
fn sights(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let watched = &world.kind(id).watched;
    for (index, (&whom, sight)) in watched.iter().zip(world.sights(id)).enumerate() {
        let label = if index == 0 { "sight" } else { "" };
        let (told, style) = match (sight.seen, sight.at) {
            (true, Some(at)) => (format!("visible at {}", words::point(at)), theme.good),
            (false, Some(at)) => (format!("last seen at {}", words::point(at)), theme.text),
            (_, None) => ("never seen".to_owned(), theme.dim),
        };
        facts.phrases(label, [(words::sighted(whom, world.scenario()), theme.text), (told, style)]);
    }
    let every = world.kind(id).every;
    if !watched.is_empty() && every > 1 {
        let text = format!("checked every {every} frames");
        facts.phrases("", [Phrase::from((text, theme.dim)).showing(Shown::OfAgent("every"))]);
    }
}

/// What its drive and its other modes keep.
fn memory(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    if let DriveState::Steer(memory) = world.drive_state(id) {
        let mut phrases = Vec::new();
        if let Some(at) = memory.wander {
            phrases.push((format!("wander point {}", words::point(at)), theme.text));
        }
        if memory.waypoint > 0 {
            phrases.push((format!("waypoint {}", memory.waypoint + 1), theme.text));
        }
        if memory.no_route {
            phrases.push(("flow: no route".to_owned(), theme.warn));
        }
        if !phrases.is_empty() {
            facts.phrases("memory", phrases);
        }
    }
    for (mode, left) in world.left_patterns(id) {
        let told = match left {
            Some(left) => format!("{}: resumes on tile {}", mode.name, left.tile),
            None => format!("{}: nothing to resume", mode.name),
        };
        facts.phrases("memory", [(told, theme.text)]);
    }
}
