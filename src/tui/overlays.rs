//! What overlays show on the screen: the signs of events, and whose visits the heat map counts.

use crate::debugger::Session;
use crate::debugger::visits::CountedAgents;
use crate::event::EventKind;
use crate::id::AgentId;
use crate::tui::glyph;

pub use crate::overlays::{HeatMapScope, Layer, MOST_AGENTS, Overlay, Overlays, TABLE};

/// Word, symbol and rank of each kind of event. If an agent has several events, the event with the
/// highest rank is shown. Among equal ranks, the latest event is shown. Frequent events have low
/// ranks.
pub const EVENTS: [(&str, &str, u8); 20] = [
    ("seen", "!", 3),
    ("lost", "?", 3),
    ("mode", "»", 2),
    ("bump", "¤", 1),
    ("overlap", "&", 1),
    ("blocked", "¬", 1),
    ("dead end", "┤", 1),
    ("joined", "├", 1),
    ("pattern", "›", 1),
    ("arrived", "⚑", 3),
    ("finished", "■", 3),
    ("signal", "♪", 3),
    ("stuck", "‡", 3),
    ("circling", "↻", 3),
    ("oscillating", "⇄", 3),
    ("deadlocked", "⊗", 4),
    ("quarantined", glyph::QUARANTINED, 4),
    ("spawned", "+", 2),
    ("removed", "-", 2),
    ("trace", "•", 3),
];

/// Returns the symbol and the rank of an event. Returns `None` if the event has no symbol.
pub fn sign(kind: &EventKind) -> Option<(&'static str, u8)> {
    let word = kind.word();
    EVENTS.iter().find(|&&(known, ..)| known == word).map(|&(_, sign, rank)| (sign, rank))
}

impl Session {
    /// Sets the agents whose visits the heat map counts. `None` stops counting.
    pub fn count_visits(&mut self, whose: Option<HeatMapScope>) {
        let counted = whose.and_then(|whose| self.counted_agents(whose));
        self.count_visits_of(counted);
    }

    fn counted_agents(&self, whose: HeatMapScope) -> Option<CountedAgents> {
        let scenario = self.scenario();
        let agent = |id: AgentId| {
            let kind = scenario.kind(id);
            // An instance shares its id with other instances of its template.
            if kind.template {
                return CountedAgents::Group(kind.name.clone());
            }
            CountedAgents::Agent(scenario.name(id).to_string())
        };
        match whose {
            HeatMapScope::All => (!self.world().is_empty()).then_some(CountedAgents::All),
            HeatMapScope::Agent => self.selected().map(agent),
            HeatMapScope::Group => {
                let id = self.selected()?;
                let group = scenario.groups().iter().find(|group| group.members.contains(&id));
                Some(
                    group.map_or_else(
                        || agent(id),
                        |group| CountedAgents::Group(group.name.clone()),
                    ),
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_a_unique_symbol() {
        let mut signs = std::collections::BTreeSet::new();
        for (word, sign, _) in EVENTS {
            assert!(crate::condition::words::EVENTS.contains(&word.replace(' ', "_").as_str()));
            assert!(signs.insert(sign), "{sign} is taken twice");
            assert_eq!(glyph::safe(sign), sign);
        }
        // Two events have no symbol.
        assert_eq!(EVENTS.len() + 2, crate::condition::words::EVENTS.len());
    }
}
