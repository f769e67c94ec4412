//! What is laid over the map, layer by layer: the one table of layers, and which are shown.

use crate::event::EventKind;
use crate::tui::glyph;

/// A layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below says what each shows, to people and to readers")]
pub enum Layer {
    Heading,
    Velocity,
    Force,
    Behaviours,
    Feelers,
    Box,
    Wander,
    Targets,
    Predicted,
    Spots,
    Path,
    Neighbours,
    Pattern,
    Trail,
    Events,
    Visits,
    Lines,
    Rulers,
    Minimap,
}

/// Whose visits are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    /// The selected agent's.
    #[default]
    Agent,
    /// Those of the group it belongs to.
    Group,
    /// Everybody's.
    All,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The layer.
    pub layer: Layer,
    /// The key that shows or hides it while the menu is open.
    pub key: char,
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub about: &'static str,
    /// Is it shown at first?
    pub usual: bool,
}

const fn entry(
    layer: Layer,
    key: char,
    name: &'static str,
    usual: bool,
    about: &'static str,
) -> Entry {
    Entry { layer, key, name, about, usual }
}

/// Every layer, in the order of [`Layer`] and of the menu.
#[rustfmt::skip]
pub const TABLE: [Entry; 19] = [
    entry(Layer::Heading, 'h', "heading", true, "where each agent faces"),
    entry(Layer::Velocity, 'v', "velocity", false, "half a second of it"),
    entry(Layer::Force, 'f', "force", false, "what steering came to"),
    entry(Layer::Behaviours, 'b', "behaviours", true, "a vector each"),
    entry(Layer::Feelers, 'e', "feelers", true, "* where they hit"),
    entry(Layer::Box, 'd', "detection box", true, "* on what it avoids"),
    entry(Layer::Wander, 'w', "wander", false, "its circle and point"),
    entry(Layer::Targets, 't', "targets", true, "what steering is about"),
    entry(Layer::Predicted, 'x', "expected", true, "where a target will be"),
    entry(Layer::Spots, 's', "hiding spots", true, "behind each obstacle"),
    entry(Layer::Path, 'y', "path", true, "and its waypoint"),
    entry(Layer::Neighbours, 'n', "neighbours", false, "and their region"),
    entry(Layer::Pattern, 'p', "pattern", true, "its tiles, the next"),
    entry(Layer::Trail, 'l', "trail", false, "5 s, a tick each second"),
    entry(Layer::Events, 'm', "events", true, "of all, for a second"),
    entry(Layer::Visits, 'c', "visits", false, "how often on each tile"),
    entry(Layer::Lines, 'u', "lines", false, "s b y, to a clicked tile"),
    entry(Layer::Rulers, 'r', "rulers", false, "columns and rows"),
    entry(Layer::Minimap, 'i', "minimap", true, "if much is out of view"),
];

/// The word of each event, its sign beside the agent, and its rank: of several of one agent the
/// highest is shown, of equals the latest. Whom somebody sees tells more than that it therefore
/// changed its mode, and that more than a bump, of which there are many.
pub const EVENTS: [(&str, &str, u8); 15] = [
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
    ("quarantined", glyph::QUARANTINED, 4),
];

/// The sign and the rank of an event.
pub fn sign(kind: &EventKind) -> Option<(&'static str, u8)> {
    let word = kind.word();
    EVENTS.iter().find(|&&(known, ..)| known == word).map(|&(_, sign, rank)| (sign, rank))
}

/// Agents that are told about at once.
pub const MOST_AGENTS: usize = 200;

/// Which layers are shown, and of whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlays {
    shown: u32,
    /// Of all agents in view, and not of the selected one alone?
    pub all: bool,
    /// Whose visits are counted.
    pub whose: Whose,
}

impl Default for Overlays {
    fn default() -> Self {
        let usual = TABLE.iter().filter(|entry| entry.usual);
        Self { shown: usual.fold(0, |bits, entry| bits | bit(entry.layer)), ..Self::NONE }
    }
}

fn bit(layer: Layer) -> u32 {
    1 << layer as u16
}

impl Overlays {
    /// No layer at all.
    pub const NONE: Self = Self { shown: 0, all: false, whose: Whose::Agent };

    /// The layers of these names, of the selected agent.
    pub fn named(names: &[&str]) -> Self {
        let shown = TABLE.iter().filter(|entry| names.contains(&entry.name));
        Self { shown: shown.fold(0, |bits, entry| bits | bit(entry.layer)), ..Self::NONE }
    }

    /// Is a layer shown?
    pub fn has(self, layer: Layer) -> bool {
        self.shown & bit(layer) != 0
    }

    /// All but one.
    #[must_use]
    pub fn without(self, layer: Layer) -> Self {
        Self { shown: self.shown & !bit(layer), ..self }
    }

    /// Is a layer shown that tells why somebody moved?
    pub fn need_explanations(self) -> bool {
        let plain = [
            Layer::Heading,
            Layer::Velocity,
            Layer::Pattern,
            Layer::Trail,
            Layer::Events,
            Layer::Visits,
            Layer::Lines,
            Layer::Rulers,
            Layer::Minimap,
        ];
        plain.into_iter().fold(self.shown, |bits, layer| bits & !bit(layer)) != 0
    }

    /// Shows a layer, or hides it.
    pub fn toggle(&mut self, layer: Layer) {
        self.shown ^= bit(layer);
    }

    /// Counts visits of the next set of agents: of the selected one, of its group, of all, of none.
    pub fn next_visits(&mut self) {
        let (shown, whose) = match (self.has(Layer::Visits), self.whose) {
            (false, _) => (true, Whose::Agent),
            (true, Whose::Agent) => (true, Whose::Group),
            (true, Whose::Group) => (true, Whose::All),
            (true, Whose::All) => (false, Whose::Agent),
        };
        if shown != self.has(Layer::Visits) {
            self.toggle(Layer::Visits);
        }
        self.whose = whose;
    }

    /// Shows the layer of a key, or hides it; is there one?
    pub fn toggle_key(&mut self, key: char) -> Option<&'static Entry> {
        let entry = TABLE.iter().find(|entry| entry.key == key)?;
        self.toggle(entry.layer);
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_layers_and_no_two_share_a_key() {
        let mut keys = std::collections::BTreeSet::new();
        for (index, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.layer as usize, index);
            assert!(keys.insert(entry.key), "{} is taken twice", entry.key);
        }
    }

    #[test]
    fn every_event_has_a_sign_of_its_own() {
        let mut signs = std::collections::BTreeSet::new();
        for (word, sign, _) in EVENTS {
            assert!(crate::condition::words::EVENTS.contains(&word.replace(' ', "_").as_str()));
            assert!(signs.insert(sign), "{sign} is taken twice");
            assert_eq!(glyph::safe(sign), sign);
        }
        // All but those of changes from outside, which are to come.
        assert_eq!(EVENTS.len() + 2, crate::condition::words::EVENTS.len());
    }

    #[test]
    fn visits_are_of_one_then_of_more_then_of_nobody() {
        let mut overlays = Overlays::default();
        for expected in [Some(Whose::Agent), Some(Whose::Group), Some(Whose::All), None] {
            overlays.next_visits();
            assert_eq!(overlays.has(Layer::Visits).then_some(overlays.whose), expected);
        }
    }

    #[test]
    fn a_layer_is_shown_and_hidden_by_its_key() {
        let mut overlays = Overlays::default();
        assert!(overlays.has(Layer::Feelers) && !overlays.has(Layer::Trail));
        assert!(overlays.toggle_key('l').is_some() && overlays.has(Layer::Trail));
        assert!(overlays.toggle_key('l').is_some() && !overlays.has(Layer::Trail));
        assert!(overlays.toggle_key('?').is_none());
    }
}
