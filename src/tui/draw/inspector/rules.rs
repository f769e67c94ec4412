//! The rules of an agent's mode: where each leads, and what its condition says now; and the one that
//! led here.

use crate::agent::Rule;
use crate::event::EventKind;
use crate::time::Frame;
use crate::tui::draw::facts::Facts;
use crate::words;
use crate::world::Look;

use super::about::About;

/// A line or more for each rule: the first that holds will change the mode in the next frame.
pub fn describe(about: About, facts: &mut Facts) {
    let (world, id) = (about.world, about.id);
    let kind = world.kind(id);
    for (index, rule) in world.mode(id).rules.iter().enumerate() {
        let theme = facts.theme;
        let look = Look { rule: index as u32, ..Look::at(world) };
        let holds = rule.when.holds(&look, Some(id));
        let to = kind.modes.get(usize::from(rule.to)).map_or("?", |mode| &mode.name);
        let style = if holds { theme.good } else { theme.text };
        let mut phrases = vec![(format!("→ {to}"), style)];
        phrases.extend(
            words::rule_parts(rule, &look, id)
                .into_iter()
                .map(|(text, holds)| (text, if holds { theme.good } else { theme.dim })),
        );
        facts.phrases(if index == 0 { "switch" } else { "" }, phrases);
    }
}

/// Which mode it came from, and why; nothing in its first mode.
pub fn came(about: About, facts: &mut Facts) {
    let theme = facts.theme;
    let Some(change) = Change::last(about) else { return };
    let mut phrases = vec![(format!("mode {}", change.from), theme.text)];
    phrases.extend(change.reasons(about).into_iter().map(|text| (text, theme.good)));
    facts.aside("previous", phrases);
}

/// A change of mode.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    /// The frame of which it is in the new mode.
    pub frame: Frame,
    /// The mode before.
    pub from: &'a str,
    /// The new one.
    pub to: &'a str,
    /// Which rule of the mode before held, from 0.
    pub rule: u16,
    held: Option<&'a Rule>,
}

impl<'a> Change<'a> {
    /// The last one up to the frame that is looked at.
    pub fn last(about: About<'a>) -> Option<Self> {
        let kind = about.world.kind(about.id);
        if kind.modes.len() < 2 {
            return None;
        }
        let mode = |index: u16| kind.modes.get(usize::from(index));
        let name = |index: u16| mode(index).map_or("?", |mode| mode.name.as_str());
        about.events().find_map(|event| match event.kind {
            EventKind::Mode { from, to, rule } => Some(Self {
                frame: event.frame,
                from: name(from),
                to: name(to),
                rule,
                held: mode(from).and_then(|mode| mode.rules.get(usize::from(rule))),
            }),
            _ => None,
        })
    }

    /// What held: on the very frame with the values that counted.
    pub fn reasons(self, about: About) -> Vec<String> {
        let Some(held) = self.held else { return Vec::new() };
        match about.before().filter(|_| self.frame == about.world.frame()) {
            Some(before) => {
                let look = Look { rule: self.rule.into(), ..Look::at(before.world) };
                let parts = words::rule_parts(held, &look, before.id);
                parts.into_iter().map(|(text, _)| text).collect()
            }
            None => vec![held.when.text().to_owned()],
        }
    }
}
