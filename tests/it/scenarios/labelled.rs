//! Labelled scenes for the detectors of stuck, oscillating and deadlocked agents.
//!
//! The scenes are text files in `labelled/`. They were labelled by what the agents want and do,
//! before the detectors were written. A third of them is held out: no constant was chosen by them.
//!
//! A scene is a picture and lines of map keys. A capital letter in the picture is floor, and `@A`
//! is its tile. `A: …` defines agent A, `A/go: …` its mode `go`, and `pattern p: …` a pattern; ` ; `
//! separates keys.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tilewalk::files::{self, Options, Origin};
use tilewalk::world::World;

/// A scene, and the expected class of each agent that is not `none`.
struct Scene {
    name: &'static str,
    /// Class by agent, in order of the label.
    expected: BTreeMap<&'static str, &'static str>,
    keys: Vec<(&'static str, &'static str)>,
    picture: Vec<&'static str>,
}

/// The files of the scenes: those that constants were chosen by, and those held out.
const TUNING: [(&str, &str); 4] = [
    ("stuck", include_str!("labelled/stuck.txt")),
    ("oscillating", include_str!("labelled/oscillating.txt")),
    ("deadlocked", include_str!("labelled/deadlocked.txt")),
    ("none", include_str!("labelled/moving.txt")),
];
const HELD_OUT: [(&str, &str); 4] = [
    ("stuck", include_str!("labelled/stuck_held_out.txt")),
    ("oscillating", include_str!("labelled/oscillating_held_out.txt")),
    ("deadlocked", include_str!("labelled/deadlocked_held_out.txt")),
    ("none", include_str!("labelled/moving_held_out.txt")),
];

impl Scene {
    fn read(text: &'static str) -> Self {
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

    /// Replaces `@A` by the tile of A in the picture.
    fn placed(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (y, row) in self.picture.iter().enumerate() {
            for (x, glyph) in row.chars().enumerate() {
                text = text.replace(&format!("@{glyph}"), &format!("[{x}, {y}]"));
            }
        }
        text.replace(" ; ", "\n")
    }

    /// The map file. Patterns become files in `folder`.
    fn map(&self, folder: &Path) -> String {
        let is_mark = |glyph: char| glyph.is_ascii_uppercase() && !matches!(glyph, 'O' | 'T');
        let floor = |glyph| if is_mark(glyph) { '.' } else { glyph };
        let tiles: Vec<String> =
            self.picture.iter().map(|row| row.chars().map(floor).collect()).collect();
        let legend = self.key("legend").unwrap_or_default();
        let mut text = format!(
            "{}\nlegend = {{ {legend} }}\ntiles = '''\n{}\n'''\n",
            self.placed(self.key("map").unwrap_or_default()),
            tiles.join("\n")
        );
        let mut last = "";
        for (key, value) in &self.keys {
            let value = self.placed(value);
            if let Some(name) = key.strip_prefix("pattern ") {
                fs::write(folder.join(name).with_extension("toml"), value).expect("a pattern");
                continue;
            }
            let (agent, mode) = key.split_once('/').unwrap_or((key, ""));
            if agent.len() > 1 {
                continue;
            }
            if agent != last {
                text += &format!("[[agent]]\nname = '{agent}'\n");
                if !value.lines().any(|line| line.starts_with("at = ")) {
                    text += &format!("at = {}\n", self.placed(&format!("@{agent}")));
                }
                last = agent;
            }
            if !mode.is_empty() {
                text += &format!("[[agent.mode]]\nname = '{mode}'\n");
            }
            text += &(value + "\n");
        }
        text
    }

    fn world(&self) -> World {
        let folder = tempfile::tempdir().expect("a folder");
        let map = folder.path().join("scene.toml");
        fs::write(&map, self.map(folder.path())).expect("a map");
        let loaded = files::load(&Origin::Disk(map), &Options::default()).expect("readable files");
        let report = loaded.report.plain();
        World::new(loaded.scenario.unwrap_or_else(|| panic!("{}: {report}", self.name)))
    }
}

fn scenes(text: &'static str) -> impl Iterator<Item = Scene> {
    text.split("=== ").skip(1).map(Scene::read)
}

#[test]
fn every_class_has_twenty_scenes_and_a_third_is_held_out() {
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
        let [tuning, held_out] = counts;
        assert!(tuning + held_out >= 20, "{class}: {tuning} and {held_out}");
        assert!(held_out * 2 >= tuning, "{class}: {tuning} and {held_out}");
    }
}
