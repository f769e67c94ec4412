//! The table of overlays, and the set of visible overlays, for the screen and for pictures.

/// The agents whose visits the heat map counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HeatMapScope {
    /// Only the selected agent.
    #[default]
    Agent,
    /// All agents in the selected agent's group.
    Group,
    /// All agents of the map.
    All,
}

/// An overlay: one row of [`TABLE`].
#[derive(Debug, Clone, Copy)]
pub struct Overlay {
    pub layer: Layer,
    /// The key that toggles the overlay in the overlay menu.
    pub key: char,
    /// The name, for the command line and the configuration.
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// Other words that users search for, separated by spaces.
    pub keywords: &'static str,
    /// Whether the overlay is shown by default.
    pub usual: bool,
    /// Whether the overlay needs the explanation of a step.
    pub explains: bool,
}

/// Declares [`Layer`] and [`TABLE`].
///
/// Each row has a layer, a key, a name, a description, two flags and keywords. The first flag is
/// true if the overlay is shown by default. The second is true if the overlay needs the explanation
/// of a step.
macro_rules! overlays {
    ($($layer:ident($key:literal, $name:literal, $about:literal, $usual:literal, $explains:literal, $words:literal);)*) => {
        /// Identifier of an overlay in [`TABLE`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Layer {
            $(#[doc = $about] $layer,)*
        }

        /// All overlays, in the order of [`Layer`] and of the menu.
        pub const TABLE: [Overlay; [$(Layer::$layer),*].len()] = [$(Overlay {
            layer: Layer::$layer,
            key: $key,
            name: $name,
            about: $about,
            keywords: $words,
            usual: $usual,
            explains: $explains,
        },)*];
    };
}

// Descriptions have at most 22 characters, because the menu has no room for more beside the
// inspector.
overlays! {
    Heading('h', "heading", "facing direction", true, false, "direction arrow");
    Velocity('v', "velocity", "motion over 0.5 s", false, false, "vector speed arrow direction");
    Force('f', "force", "total steering force", false, true, "vector arrow");
    Behaviours('b', "behaviours", "force per behaviour", true, true, "vector arrow steering");
    Feelers('e', "feelers", "feelers; * marks hits", true, true, "wall avoid whiskers rays");
    Box('d', "detection box", "box; * marks obstacles", true, true, "obstacle avoid collision");
    Planes('z', "half-planes", "velocities of crowds", false, true, "avoid_crowd orca collision velocity");
    Wander('w', "wander", "wander circle, target", false, true, "random");
    Targets('t', "targets", "steering targets", true, true, "seek goal");
    Predicted('x', "predicted", "where targets will be", true, true, "pursue future expected");
    Spots('s', "hiding spots", "spots behind obstacles", true, true, "hide cover");
    Path('y', "path", "path, current waypoint", true, true, "route waypoints follow");
    Neighbours('n', "neighbours", "neighbours and radius", false, true, "flock separation alignment cohesion boids");
    Cells('g', "cells", "cells searched", false, true, "grid partition candidates neighbours flock");
    Pattern('p', "pattern", "pattern and next tile", true, false, "patrol matrix path");
    Trail('l', "trail", "path of the last 5 s", false, false, "history past track");
    Preview('P', "preview", "next 3 s of motion", true, false, "future track forecast predict edit");
    Events('m', "events", "event signs for 1 s", true, false, "bump collision touch signs");
    Visits('c', "heat map", "visits per tile", false, false, "visits density traffic count");
    Lines('u', "lines", "lines to selected tile", false, false, "sight vision visibility bresenham line raycast ray los");
    Sight('V', "sight", "view and what hides", false, false, "fov field of view line of sight vision cone visibility hidden range");
    Rulers('r', "rulers", "column and row numbers", false, false, "coordinates axes grid");
    Minimap('i', "minimap", "overview of large maps", true, false, "overview navigation");
}

/// Maximum number of agents whose steps are explained at the same time.
pub const MOST_AGENTS: usize = 200;

/// A set of visible overlays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlays {
    shown: u32,
    /// Whether the overlays show all agents in view rather than only the selected agent.
    pub all: bool,
    /// The agents whose visits the heat map counts.
    pub whose: HeatMapScope,
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
    /// The set in which no overlay is visible.
    pub const NONE: Self = Self { shown: 0, all: false, whose: HeatMapScope::Agent };

    /// Returns the overlays with these names, shown for the selected agent. Unknown names are
    /// ignored.
    pub fn named(names: &[&str]) -> Self {
        let shown = TABLE.iter().filter(|entry| names.contains(&entry.name));
        Self { shown: shown.fold(0, |bits, entry| bits | bit(entry.layer)), ..Self::NONE }
    }

    /// Returns true if an overlay is visible.
    pub fn has(self, layer: Layer) -> bool {
        self.shown & bit(layer) != 0
    }

    /// Returns the set without the overlay `layer`.
    #[must_use]
    pub fn without(self, layer: Layer) -> Self {
        Self { shown: self.shown & !bit(layer), ..self }
    }

    /// Returns true if a visible overlay needs the explanation of a step.
    pub fn need_explanations(self) -> bool {
        TABLE.iter().any(|entry| entry.explains && self.has(entry.layer))
    }

    /// Shows a hidden overlay, or hides a visible one.
    pub fn toggle(&mut self, layer: Layer) {
        self.shown ^= bit(layer);
    }

    /// Switches the heat map to the next scope: selected agent, its group, all agents, off.
    pub fn next_visits(&mut self) {
        let (shown, whose) = match (self.has(Layer::Visits), self.whose) {
            (false, _) => (true, HeatMapScope::Agent),
            (true, HeatMapScope::Agent) => (true, HeatMapScope::Group),
            (true, HeatMapScope::Group) => (true, HeatMapScope::All),
            (true, HeatMapScope::All) => (false, HeatMapScope::Agent),
        };
        if shown != self.has(Layer::Visits) {
            self.toggle(Layer::Visits);
        }
        self.whose = whose;
    }

    /// Toggles the overlay with this name. Returns true if the overlay is now visible, and `None`
    /// if the name is unknown.
    pub fn toggle_named(&mut self, name: &str) -> Option<bool> {
        let entry = TABLE.iter().find(|entry| entry.name == name)?;
        self.toggle(entry.layer);
        Some(self.has(entry.layer))
    }

    /// Toggles the overlay with this key and returns the overlay. Returns `None` if no overlay has
    /// this key.
    pub fn toggle_key(&mut self, key: char) -> Option<&'static Overlay> {
        let entry = TABLE.iter().find(|entry| entry.key == key)?;
        self.toggle(entry.layer);
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlays_are_in_layer_order_and_have_different_keys() {
        let mut keys = std::collections::BTreeSet::new();
        for (index, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.layer as usize, index);
            assert!(keys.insert(entry.key), "{} is taken twice", entry.key);
        }
    }

    #[test]
    fn the_heat_map_cycles_through_agent_group_all_and_off() {
        let mut overlays = Overlays::default();
        for expected in
            [Some(HeatMapScope::Agent), Some(HeatMapScope::Group), Some(HeatMapScope::All), None]
        {
            overlays.next_visits();
            assert_eq!(overlays.has(Layer::Visits).then_some(overlays.whose), expected);
        }
    }

    #[test]
    fn a_key_toggles_its_overlay() {
        let mut overlays = Overlays::default();
        assert!(overlays.has(Layer::Feelers) && !overlays.has(Layer::Trail));
        assert!(overlays.toggle_key('l').is_some() && overlays.has(Layer::Trail));
        assert!(overlays.toggle_key('l').is_some() && !overlays.has(Layer::Trail));
        assert!(overlays.toggle_key('?').is_none());
    }
}
