//! The rules of an agent's mode: where each leads, and what its condition says now.

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
        facts.phrases(if index == 0 { "rules" } else { "" }, phrases);
    }
}
