//! Labelled scenes of crowds and vehicles for the detectors of stuck, oscillating and deadlocked agents.
//!
//! The labels were written from the definitions of the detectors alone. Half of the scenes is held out: these
//! scenes are not used to develop the detectors. `stuck_detectors.rs` describes the format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::stuck_detectors::{Scene, scenes};

/// Scenes that are used to develop the detectors. Each entry is a class and the text of its file.
pub const DEVELOP: [(&str, &str); 4] = [
    ("stuck", include_str!("stuck_detectors/crowd_stuck.txt")),
    ("oscillating", include_str!("stuck_detectors/crowd_oscillating.txt")),
    ("deadlocked", include_str!("stuck_detectors/crowd_deadlocked.txt")),
    ("none", include_str!("stuck_detectors/crowd_none.txt")),
];

/// Scenes that are not used to develop the detectors.
pub const HELD_OUT: [(&str, &str); 4] = [
    ("stuck", include_str!("stuck_detectors/crowd_stuck_held_out.txt")),
    ("oscillating", include_str!("stuck_detectors/crowd_oscillating_held_out.txt")),
    ("deadlocked", include_str!("stuck_detectors/crowd_deadlocked_held_out.txt")),
    ("none", include_str!("stuck_detectors/crowd_none_held_out.txt")),
];

/// Number of scenes in each half.
const SCENES: usize = 40;

/// Smallest number of scenes of each class in each half.
const SCENES_PER_CLASS: usize = 8;

fn all_scenes(half: [(&str, &'static str); 4]) -> impl Iterator<Item = Scene> {
    half.into_iter().flat_map(|(_, text)| scenes(text))
}

fn join<N: AsRef<str>, C: AsRef<str>>(classes: &BTreeMap<N, C>) -> String {
    let words =
        classes.iter().map(|(agent, class)| format!("{} {}", class.as_ref(), agent.as_ref()));
    let words: Vec<_> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// Returns the number of scenes whose agents all have their labels, and a line for each other scene.
fn correct_scenes(half: [(&str, &'static str); 4]) -> (usize, String) {
    let mut correct = 0;
    let mut wrong = String::new();
    for scene in all_scenes(half) {
        let (expected, found) = (join(&scene.expected), join(&scene.found()));
        if expected == found {
            correct += 1;
        } else {
            let _ = writeln!(wrong, "{}: expected {expected}, found {found}", scene.name);
        }
    }
    (correct, wrong)
}

#[test]
fn all_40_develop_scenes_get_their_labels() {
    let (correct, wrong) = correct_scenes(DEVELOP);
    assert_eq!(correct, SCENES, "{correct} of {SCENES} scenes are correct:\n{wrong}");
}

#[test]
fn at_least_38_of_40_held_out_scenes_get_their_labels() {
    let (correct, wrong) = correct_scenes(HELD_OUT);
    assert!(correct >= 38, "{correct} of {SCENES} scenes are correct:\n{wrong}");
}

#[test]
fn scenes_are_complete() {
    for half in [DEVELOP, HELD_OUT] {
        assert_eq!(all_scenes(half).count(), SCENES);
        for (class, text) in half {
            assert!(scenes(text).count() >= SCENES_PER_CLASS, "{class}");
            for scene in scenes(text) {
                let has_class = scene.expected.values().any(|expected| *expected == class);
                assert!(has_class || class == "none", "{} has no {class} agent", scene.name);
                assert!(class != "none" || scene.expected.is_empty(), "{} has a label", scene.name);
            }
        }
    }
}

#[test]
fn scenes_load_without_errors_and_warnings() {
    for scene in all_scenes(DEVELOP).chain(all_scenes(HELD_OUT)) {
        let report = scene.load().report;
        // Scenes of jitter have the weights that `check` warns about.
        let problems = report.entries().filter(|entry| !entry.message.contains("can jitter"));
        let problems = problems.count();
        assert_eq!(problems, 0, "{}:\n{}", scene.name, report.plain());
        let world = scene.world();
        for agent in scene.expected.keys() {
            let is_known = world.scenario().find(agent).is_some();
            assert!(is_known, "{} has no agent {agent}", scene.name);
        }
    }
}
