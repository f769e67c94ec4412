//! The state machine of an agent: its modes, their transitions, and what it remembers.

use crate::agent::{AgentKind, Mode, Rule};
use crate::event::EventKind;
use crate::report::explanation::parts;
use crate::time::Frame;
use crate::tui::draw::facts::{Facts, Phrase, Shown};
use crate::tui::glyph;
use crate::words;
use crate::world::{DriveState, Look};

use super::about::About;
use super::agent;

/// Adds the page of the state machine.
pub fn describe(about: &About, facts: &mut Facts) {
    agent::state(about, facts);
    transitions(about, facts);
    last_change(about, facts);
    modes(about, facts);
    sights(about, facts);
    memory(about, facts);
}

/// Adds the transitions of the current mode. The first one that holds changes the mode in the next frame.
pub fn transitions(about: &About, facts: &mut Facts) {
    for (index, transition) in about.report.rules.iter().enumerate() {
        let theme = facts.theme;
        let style = if transition.holds { theme.good } else { theme.text };
        let mut phrases = vec![(format!("→ {}", transition.to), style)];
        phrases.extend(
            transition
                .parts
                .iter()
                .map(|part| (part.joined_text(), if part.holds { theme.good } else { theme.dim })),
        );
        facts.phrases(if index == 0 { "switch" } else { "" }, phrases);
    }
}

/// Adds the previous mode and the reason for the change.
pub fn previous(about: &About, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(change) = Change::last(about) else { return };
    let mut phrases = vec![(format!("mode {}", change.from), theme.text)];
    phrases.extend(change.reasons(about).into_iter().map(|text| (text, theme.good)));
    facts.aside("previous", phrases);
}

/// Adds the last change of the mode: its frame and its transition.
fn last_change(about: &About, facts: &mut Facts) {
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

/// A change of the mode.
struct Change<'a> {
    /// The first frame in the new mode.
    frame: Frame,
    from: &'a str,
    to: &'a str,
    /// Index of the transition in the previous mode.
    rule: u16,
    held: Option<&'a Rule>,
}

impl<'a> Change<'a> {
    /// Returns the last change up to the current frame.
    fn last(about: &About<'a>) -> Option<Self> {
        let modes = &about.world.kind(about.id).modes;
        let mode = |index: u16| modes.get(usize::from(index));
        let name = |index: u16| mode(index).map_or("?", |mode| mode.name.as_str());
        let mut events = about.events().filter(|_| modes.len() > 1);
        events.find_map(|event| {
            let EventKind::Mode { from, to, rule } = event.kind else { return None };
            Some(Self {
                frame: event.frame,
                from: name(from),
                to: name(to),
                rule,
                held: mode(from).and_then(|mode| mode.rules.get(usize::from(rule))),
            })
        })
    }

    /// Returns the condition that was true; at the frame of the change, its parts with their values.
    fn reasons(&self, about: &About) -> Vec<String> {
        let Some(held) = self.held else { return Vec::new() };
        match about.previous().filter(|_| self.frame == about.world.frame()) {
            Some((before, id)) => {
                let look = Look { rule: self.rule.into(), ..Look::at(before) };
                parts(held, &look, id).iter().map(|part| part.joined_text()).collect()
            }
            None => vec![held.when.text().to_owned()],
        }
    }
}

/// Adds all modes with their transitions; the current mode is marked.
fn modes(about: &About, facts: &mut Facts) {
    let theme = facts.theme;
    let kind = about.world.kind(about.id);
    let current = about.world.mode(about.id);
    for (index, mode) in kind.modes.iter().enumerate() {
        let is_current = core::ptr::eq(mode, current);
        let (sign, style) =
            if is_current { (glyph::MARKER, theme.strong) } else { (" ", theme.text) };
        let label = if index == 0 { "modes" } else { "" };
        facts.phrases(label, [(format!("{sign} {}", mode.name), style), (drive(mode), theme.dim)]);
        for rule in &mode.rules {
            facts.phrases("", [(format!("    {}", transition(rule, kind)), theme.dim)]);
        }
    }
}

/// The drive of a mode and its patterns.
fn drive(mode: &Mode) -> String {
    let names: Vec<&str> = mode.drive.patterns().map(|used| used.name).collect();
    format!("{} {}", mode.drive.word(), names.join(", ")).trim_end().to_owned()
}

fn transition(rule: &Rule, kind: &AgentKind) -> String {
    let to = kind.modes.get(usize::from(rule.to)).map_or("?", |mode| &mode.name);
    format!("→ {to}: {}", rule.when.text())
}

/// Adds the targets that the agent looks for, and where it last saw them.
fn sights(about: &About, facts: &mut Facts) {
    let (world, theme) = (about.world, facts.theme);
    let kind = world.kind(about.id);
    for (index, (&target, sight)) in kind.watched.iter().zip(world.sights(about.id)).enumerate() {
        let (text, style) = match (sight.seen, sight.at) {
            (true, Some(at)) => (format!("visible at {}", words::point(at)), theme.good),
            (false, Some(at)) => (format!("last seen at {}", words::point(at)), theme.text),
            (_, None) => ("never seen".to_owned(), theme.dim),
        };
        let name = words::sighted(target, world.scenario());
        let label = if index == 0 { "sight" } else { "" };
        facts.phrases(label, [(name, theme.text), (text, style)]);
    }
    if !kind.watched.is_empty() && kind.every > 1 {
        let text = format!("checked every {} frames", kind.every);
        facts.phrases("", [Phrase::from((text, theme.dim)).showing(Shown::OfAgent("every"))]);
    }
}

/// Adds the memory of the drive and the saved state of other modes.
fn memory(about: &About, facts: &mut Facts) {
    let (world, theme) = (about.world, facts.theme);
    if let DriveState::Steer(memory) = world.drive_state(about.id) {
        let wander = memory.wander.map(|at| format!("wander point {}", words::point(at)));
        let waypoint = (memory.waypoint > 0).then(|| format!("waypoint {}", memory.waypoint + 1));
        let no_route = memory.no_route.then(|| ("flow: no route".to_owned(), theme.warn));
        let texts = wander.into_iter().chain(waypoint).map(|text| (text, theme.text));
        let phrases: Vec<_> = texts.chain(no_route).collect();
        if !phrases.is_empty() {
            facts.phrases("memory", phrases);
        }
    }
    for (mode, left) in world.left_patterns(about.id) {
        let text = match left {
            Some(left) => format!("{}: resumes on tile {}", mode.name, left.tile),
            None => format!("{}: nothing to resume", mode.name),
        };
        facts.fact("memory", text);
    }
}
