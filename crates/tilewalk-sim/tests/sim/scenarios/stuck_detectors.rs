//! Labelled scenes for the detectors of stuck, oscillating and deadlocked agents.
//!
//! The scenes are in text files in `stuck_detectors/`. Their labels describe what the agents want and do,
//! and were written before the detectors. A third of the scenes is held out: these scenes were not used to
//! choose the constants of the detectors.
//!
//! A scene is a picture and lines of map keys. A capital letter in the picture is floor, and `@A`
//! is its tile. `A: …` defines agent A, `A/go: …` its mode `go`, and `pattern p: …` a pattern; ` ; `
//! separates keys.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tilewalk_files::{Loaded, Options, Origin};
use tilewalk_sim::event::EventKind;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

use super::crowd_detectors;

pub struct Scene {
    pub name: &'static str,
    /// Expected class of each agent whose class is not `none`.
    pub expected: BTreeMap<&'static str, &'static str>,
    keys: Vec<(&'static str, &'static str)>,
    picture: Vec<&'static str>,
}

/// Scenes that were used to choose the constants of the detectors. Each entry is a class and the text of
/// its file.
const TUNING: [(&str, &str); 4] = [
    ("stuck", include_str!("stuck_detectors/stuck.txt")),
    ("oscillating", include_str!("stuck_detectors/oscillating.txt")),
    ("deadlocked", include_str!("stuck_detectors/deadlocked.txt")),
    ("none", include_str!("stuck_detectors/moving.txt")),
];

/// Scenes that were not used to choose constants.
const HELD_OUT: [(&str, &str); 4] = [
    ("stuck", include_str!("stuck_detectors/stuck_held_out.txt")),
    ("oscillating", include_str!("stuck_detectors/oscillating_held_out.txt")),
    ("deadlocked", include_str!("stuck_detectors/deadlocked_held_out.txt")),
    ("none", include_str!("stuck_detectors/moving_held_out.txt")),
];

impl Scene {
    pub fn read(text: &'static str) -> Self {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let name = lines.next().expect("a name").trim();
        let is_key = |line: &&str| line.contains(": ") || line.ends_with(':');
        let (keys, picture): (Vec<_>, Vec<_>) = lines.partition(is_key);
        let keys: Vec<_> = keys.into_iter().filter_map(|line| line.split_once(':')).collect();
        let keys = keys.into_iter().map(|(key, value)| (key, value.trim())).collect();
        let mut scene = Self { name, expected: BTreeMap::new(), keys, picture };
        let expect = scene.key("expect").expect("a label");
        assert!(scene.key("why").is_some(), "{name} has no reason");
        let labels = expect.split(", ").filter(|label| *label != "none");
        scene.expected = labels
            .map(|label| label.split_once(' ').map(|(class, agent)| (agent, class)))
            .map(|label| label.expect("a class and an agent"))
            .collect();
        scene
    }

    fn key(&self, key: &str) -> Option<&'static str> {
        self.keys.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Replaces `@A` with the tile of A in the picture, and ` ; ` with a line break.
    fn with_tiles(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (y, row) in self.picture.iter().enumerate() {
            for (x, glyph) in row.chars().enumerate() {
                text = text.replace(&format!("@{glyph}"), &format!("[{x}, {y}]"));
            }
        }
        text.replace(" ; ", "\n")
    }

    /// Returns the text of the map file. Writes the patterns to files in `folder`.
    fn map(&self, folder: &Path) -> String {
        let is_marker = |glyph: char| glyph.is_ascii_uppercase() && !matches!(glyph, 'O' | 'T');
        let floor = |glyph| if is_marker(glyph) { '.' } else { glyph };
        let tiles: Vec<String> =
            self.picture.iter().map(|row| row.chars().map(floor).collect()).collect();
        let legend = self.key("legend").unwrap_or_default();
        let mut text = format!(
            "{}\nlegend = {{ {legend} }}\ntiles = '''\n{}\n'''\n",
            self.with_tiles(self.key("map").unwrap_or_default()),
            tiles.join("\n")
        );
        let mut last = "";
        for (key, value) in &self.keys {
            let value = self.with_tiles(value);
            if let Some(name) = key.strip_prefix("pattern ") {
                fs::write(folder.join(name).with_extension("toml"), value).expect("a pattern");
                continue;
            }
            let (agent, mode) = key.split_once('/').unwrap_or((key, ""));
            if agent.len() > 1 {
                continue;
            }
            if agent != last {
                let _ = writeln!(text, "[[agent]]\nname = '{agent}'");
                if !value.lines().any(|line| line.starts_with("at = ")) {
                    let _ = writeln!(text, "at = {}", self.with_tiles(&format!("@{agent}")));
                }
                last = agent;
            }
            if !mode.is_empty() {
                let _ = writeln!(text, "[[agent.mode]]\nname = '{mode}'");
            }
            text += &(value + "\n");
        }
        text
    }

    /// Reads the map of the scene.
    pub fn load(&self) -> Loaded {
        let folder = tempfile::tempdir().expect("a folder");
        let map = folder.path().join("scene.toml");
        fs::write(&map, self.map(folder.path())).expect("a map");
        tilewalk_files::load(&Origin::Disk(map), &Options::default()).expect("readable files")
    }

    /// Returns frame 0 of the scene.
    pub fn world(&self) -> World {
        let loaded = self.load();
        let report = loaded.report.plain();
        World::new(loaded.scenario.unwrap_or_else(|| panic!("{}: {report}", self.name)))
    }
}

/// Duration of a scene, in seconds.
pub const DURATION: f64 = 40.0;

impl Scene {
    /// Runs the scene. Returns the class of each agent whose class is not `none`.
    pub fn found(&self) -> BTreeMap<String, String> {
        let mut world = self.world();
        let mut words: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for _ in 0..(DURATION / world.scenario().tick()).round() as u32 {
            step(&mut world);
            for event in world.events() {
                if let EventKind::Stuck | EventKind::Oscillating { .. } | EventKind::Deadlocked(_) =
                    event.kind
                {
                    let name = world.scenario().name(event.agent).to_string();
                    words.entry(name).or_default().insert(event.kind.word());
                }
            }
        }
        let class = |mut words: BTreeSet<&str>| {
            // A deadlocked agent is stuck, too.
            if words.contains("deadlocked") {
                words.remove("stuck");
            }
            words.into_iter().collect::<Vec<_>>().join(" and ")
        };
        words.into_iter().map(|(name, words)| (name, class(words))).collect()
    }

    /// Returns the label and the result of the first agent whose result differs from its label.
    fn mismatch(&self) -> Option<(String, String)> {
        let found = self.found();
        let names = found.keys().map(String::as_str).chain(self.expected.keys().copied());
        let class = |class: Option<&str>| class.unwrap_or("none").to_owned();
        names
            .map(|name| {
                let found = class(found.get(name).map(String::as_str));
                (class(self.expected.get(name).copied()), found)
            })
            .find(|(expected, found)| expected != found)
    }
}

/// Returns the confusion table of a set of scenes, and the share of scenes in which every agent has
/// the class of its label.
fn confusion(sets: [(&'static str, &'static str); 4]) -> (String, f64) {
    let classes = sets.map(|(class, _)| class);
    let mut table = format!("{:<14}{:>8}", "label", "scenes");
    for class in classes {
        let _ = write!(table, "{class:>14}");
    }
    let (mut correct, mut all) = (0, 0);
    let mut mismatches = String::new();
    for (class, text) in sets {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for scene in scenes(text) {
            all += 1;
            let result = match scene.mismatch() {
                None => {
                    correct += 1;
                    class.to_owned()
                }
                Some((expected, found)) => {
                    let _ = write!(mismatches, "\n{class}: {}: {expected} is {found}", scene.name);
                    found
                }
            };
            *counts.entry(result).or_default() += 1;
        }
        let _ = write!(table, "\n{class:<14}{:>8}", counts.values().sum::<u32>());
        for class in classes {
            let _ = write!(table, "{:>14}", counts.get(class).copied().unwrap_or(0));
        }
    }
    let share = f64::from(correct) / f64::from(all);
    (format!("{table}\n{correct} of {all} correct, {:.1} %{mismatches}\n", share * 100.0), share)
}

#[expect(clippy::print_stdout, reason = "the table is a figure of the documentation")]
fn assert_accuracy(sets: [(&'static str, &'static str); 4]) {
    let (table, share) = confusion(sets);
    println!("{table}");
    assert!(share >= 0.95, "\n{table}");
}

#[test]
fn at_least_95_percent_of_the_tuning_scenes_get_their_labels() {
    assert_accuracy(TUNING);
}

#[test]
fn at_least_95_percent_of_the_held_out_scenes_get_their_labels() {
    assert_accuracy(HELD_OUT);
}

#[test]
fn an_agent_beside_its_occupied_hiding_spot_is_detected_as_stuck() {
    let scene = all_scenes().find(|scene| scene.name == "hiding_spot_is_taken");
    assert_eq!(scene.expect("a scene").mismatch(), None);
}

/// All scenes, tuning and held out.
pub fn all_scenes() -> impl Iterator<Item = Scene> {
    TUNING.into_iter().chain(HELD_OUT).flat_map(|(_, text)| scenes(text))
}

pub fn scenes(text: &'static str) -> impl Iterator<Item = Scene> {
    text.split("=== ").skip(1).map(Scene::read)
}

#[test]
fn every_class_has_twenty_scenes_with_at_least_a_third_held_out() {
    for ((class, tuning), (same, held_out)) in TUNING.into_iter().zip(HELD_OUT) {
        assert_eq!(class, same);
        let mut counts = [0, 0];
        for (count, text) in counts.iter_mut().zip([tuning, held_out]) {
            for scene in scenes(text) {
                let world = scene.world();
                let names: Vec<_> =
                    world.ids().map(|id| world.scenario().name(id).to_string()).collect();
                for agent in scene.expected.keys() {
                    assert!(names.iter().any(|name| name == agent), "{}: {agent}", scene.name);
                }
                let has_class = scene.expected.values().any(|label| *label == class);
                assert_eq!(has_class, class != "none", "{}", scene.name);
                *count += 1;
            }
        }
        // The scenes of crowds have a held-out half.
        let crowds = [crowd_detectors::DEVELOP, crowd_detectors::HELD_OUT].map(|half| {
            let of_class = half.into_iter().filter(|(other, _)| *other == class);
            of_class.map(|(_, text)| scenes(text).count()).sum::<usize>()
        });
        let [tuning, held_out] = [counts[0] + crowds[0], counts[1] + crowds[1]];
        assert!(tuning + held_out >= 20, "{class}: {tuning} and {held_out}");
        assert!(held_out * 2 >= tuning, "{class}: {tuning} and {held_out}");
    }
}

/// The agents of shipped maps that are stuck, oscillating or deadlocked in the first 4,000 frames,
/// as intended by the comments of the maps.
const INTENDED: [(&str, &str); 9] = [
    // No route leads to the island.
    ("couriers", "pilgrim stuck"),
    // The missiles cannot brake, so they fly to and fro around the ship that stands.
    ("dodge", "missile.1 oscillating"),
    ("dodge", "missile.2 oscillating"),
    // No route into the barn is wide enough for the bull.
    ("elephant", "bull stuck"),
    // The captive is walled in.
    ("evacuation", "captive stuck"),
    // In the tip of the wedge, a feeler on each side touches a wall. Two beetles get stuck there.
    ("slanted_walls", "beetle.3 stuck"),
    ("slanted_walls", "beetle.5 stuck"),
    // The cart stands in the lane of the carrier and the porter.
    ("why_blocked", "carrier stuck"),
    ("why_blocked", "porter stuck"),
];

#[test]
fn shipped_maps_are_free_of_stuck_agents_except_where_intended() {
    let mut found = BTreeSet::new();
    for map in builtin::maps() {
        let loaded = tilewalk_files::load(&builtin::origin(&map.name), &Options::default());
        let mut world = World::new(loaded.expect("a map").scenario.expect("a valid map"));
        for _ in 0..4000 {
            step(&mut world);
            for event in world.events() {
                if let EventKind::Stuck | EventKind::Oscillating { .. } | EventKind::Deadlocked(_) =
                    event.kind
                {
                    let agent = world.scenario().name(event.agent);
                    found.insert((map.name.clone(), format!("{agent} {}", event.kind.word())));
                }
            }
        }
    }
    let intended = INTENDED.map(|(map, what)| (map.to_owned(), what.to_owned())).into();
    assert_eq!(found, intended);
}
