//! Checks that every behaviour has documentation, a shipped map, a picture, a property, an oracle, a test
//! of its errors, and notes about what it sensed.
//!
//! A test counts if its code contains the name of the behaviour. The quality of the test is not checked.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use tilewalk_files::Options;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::condition::functions::CALLS;
use tilewalk_sim::condition::words::{EVENTS, FIELDS, WORLD_FIELDS};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::{SPECS, Spec, WeightedBehaviour};
use tilewalk_sim::step::{explain_all, step};
use tilewalk_sim::world::World;
use tilewalk_test_support::builtin;

use crate::scenarios::pictures::load;
use crate::support::workspace;

fn read(path: &str) -> String {
    let path = workspace(path);
    fs::read_to_string(path).expect("a file of the project")
}

/// Returns the name in the code and the word in map files of each behaviour.
fn behaviours() -> Vec<(String, String)> {
    let name = |spec: &Spec| {
        let shown = format!("{:?}", (spec.create)());
        shown.chars().take_while(|c| c.is_alphanumeric()).collect()
    };
    SPECS.iter().map(|spec| (name(spec), spec.word.to_owned())).collect()
}

/// Joins the Rust and TOML files of a folder into one text. Skips files with names that do not start with
/// `beginning`.
fn files(folder: &str, beginning: &str) -> String {
    let path = workspace(folder);
    let names = fs::read_dir(path).expect("a folder");
    let names = names.map(|entry| entry.expect("an entry").file_name().into_string().unwrap());
    let mut names: Vec<_> = names
        .filter(|name| {
            name.starts_with(beginning) && (name.ends_with("rs") || name.ends_with("toml"))
        })
        .collect();
    names.sort();
    assert!(!names.is_empty(), "no {folder}/{beginning}…");
    names.iter().map(|name| read(&format!("{folder}/{name}"))).collect()
}

/// Returns true if a text contains a name. Longer names that start with this name do not count.
fn names(text: &str, name: &str) -> bool {
    let ends = |at: usize| !text[at + name.len()..].starts_with(|c: char| c.is_alphanumeric());
    text.match_indices(name).any(|(at, _)| ends(at))
}

#[test]
fn every_behaviour_has_tests_and_documentation() {
    let all = behaviours();
    assert!(all.len() >= 28, "{} behaviours", all.len());
    let [pictures, laws, oracles] =
        [("scenarios", "pictures"), ("laws", ""), ("oracles", "")].map(|(folder, beginning)| {
            files(&format!("crates/tilewalk-sim/tests/sim/{folder}"), beginning)
        });
    let broken = files("crates/tilewalk-files/tests/broken", "");
    let (docs, readme) = (read("docs/movement.md"), read("README.md"));
    let mut missing = vec![];
    for (name, word) in all {
        let code = format!("Behaviour::{name}");
        let quotes = ["\"", "\\\"", "'"].into_iter();
        let row = quotes
            .map(|quote| format!("do = {quote}{word}{quote}"))
            .any(|row| pictures.contains(&row));
        let has = [
            ("picture", row),
            ("law", names(&laws, &code)),
            ("oracle", names(&oracles, &code)),
            ("row that is refused", broken.contains(&format!("do = \"{word}\""))),
            ("word in the readme", readme.contains(&format!("`{word}`"))),
            ("row in docs/movement.md", docs.contains(&format!("\n| `{word}` | "))),
        ];
        missing
            .extend(has.iter().filter(|has| !has.1).map(|(what, _)| format!("{word}: no {what}")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The forms are read from the schema of map files.
#[test]
fn every_form_of_expectation_has_a_table_row_in_the_docs() {
    let (schema, docs) = (read("docs/schema/map.json"), read("docs/testing.md"));
    let (_, list) = schema.split_once("Exactly one of `eventually`").expect("the forms");
    let list = list.split("is required").next().unwrap_or_default();
    let forms: Vec<&str> = list.split('`').skip(1).step_by(2).chain(["eventually"]).collect();
    assert!(forms.len() >= 9, "{forms:?}");
    let lacks = |form: &&&str| !docs.contains(&format!("\n| `{form} = "));
    assert_eq!(forms.iter().filter(lacks).collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn every_word_of_the_condition_language_has_a_table_row_in_the_docs() {
    let docs = read("docs/conditions.md");
    let cells = docs.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let listed: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let words = FIELDS.iter().map(|(word, _)| *word).chain(WORLD_FIELDS).chain(EVENTS);
    let calls = CALLS.iter().map(|row| format!("{}(", row.name));
    let has = |call: &String| listed.iter().any(|it| it.starts_with(call));
    let missing: Vec<String> = words
        .filter(|word| !listed.contains(word))
        .map(str::to_owned)
        .chain(calls.filter(|call| !has(call)))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

/// Returns every steering behaviour of every agent, in all modes.
fn rows(scenario: &Scenario) -> impl Iterator<Item = &WeightedBehaviour> {
    let modes = scenario.kinds().iter().flat_map(|kind| &kind.modes);
    modes.flat_map(|mode| match &mode.drive {
        Drive::Steer { rows, .. } => rows.as_slice(),
        _ => &[],
    })
}

/// Each behaviour is enabled in at least one shipped map. In the first minute of at least one such map, an
/// explanation has notes about what the behaviour sensed.
#[test]
fn every_behaviour_is_enabled_in_a_shipped_map_and_has_notes_there() {
    let (mut shown, mut noted) = (BTreeSet::new(), BTreeSet::new());
    for map in builtin::maps() {
        let loaded =
            tilewalk_files::load(&builtin::origin(&map.name), &Options::default()).unwrap();
        let scenario = loaded.scenario.unwrap();
        let new = rows(&scenario).any(|row| row.enabled && !noted.contains(row.behaviour.word()));
        shown.extend(rows(&scenario).filter(|row| row.enabled).map(|row| row.behaviour.word()));
        let mut world = World::new(Arc::clone(&scenario));
        for frame in 0..1200 {
            if new && frame % 40 == 0 {
                for explanation in explain_all(&world, world.ids()) {
                    let breakdown = explanation.forces;
                    noted.extend(
                        breakdown.notes.iter().map(|&(row, _)| breakdown.rows[row].behaviour),
                    );
                }
            }
            step(&mut world);
        }
    }
    let words = behaviours().into_iter().map(|(_, word)| word);
    let lacking = |set: &BTreeSet<&str>| {
        words.clone().filter(|word| !set.contains(word.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(lacking(&shown), Vec::<String>::new(), "behaviours that are in no shipped map");
    assert_eq!(
        lacking(&noted),
        Vec::<String>::new(),
        "behaviours without notes in any shipped map"
    );
}

/// Each behaviour with its required keys, its default weight and its default probability.
const DEFAULTS: [(&str, &str, f32, f32); 29] = [
    ("seek", ", target = 'home'", 1.0, 0.8),
    ("flee", ", target = 'home'", 1.0, 0.6),
    ("arrive", ", target = 'home'", 1.0, 0.5),
    ("pursue", ", target = 'home'", 1.0, 0.8),
    ("evade", ", target = 'home'", 1.0, 1.0),
    ("wander", "", 1.0, 0.8),
    ("avoid_obstacles", "", 10.0, 0.5),
    ("avoid_walls", "", 10.0, 0.5),
    ("interpose", ", between = ['home', 'B']", 1.0, 0.8),
    ("hide", ", from = 'home'", 1.0, 0.8),
    ("follow_path", ", points = [[0, 0], [1, 1]]", 1.0, 0.8),
    ("stay_on_path", ", points = [[0, 0], [1, 1]]", 1.0, 0.8),
    ("offset_pursue", ", offset = [1, 1], leader = 'home'", 1.0, 0.8),
    ("separation", "", 1.0, 0.2),
    ("alignment", "", 1.0, 0.3),
    ("cohesion", "", 1.0, 0.6),
    ("track", ", target = 'home'", 1.0, 0.8),
    ("dynamic_seek", ", target = 'home'", 1.0, 0.8),
    ("dynamic_flee", ", target = 'home'", 1.0, 0.8),
    ("dynamic_arrive", ", target = 'home'", 1.0, 0.8),
    ("match_velocity", ", target = 'home'", 1.0, 0.8),
    ("align", ", to = 'B'", 1.0, 0.8),
    ("face", ", target = 'home'", 1.0, 0.8),
    ("look_ahead", "", 1.0, 0.8),
    ("tether", ", radius = 1, to = 'home'", 1.0, 0.8),
    ("hug_walls", "", 1.0, 0.8),
    ("avoid_agents", "", 1.0, 0.8),
    ("avoid_crowd", "", 1.0, 0.8),
    ("flow", ", to = 'home'", 1.0, 0.8),
];

#[test]
fn behaviours_without_weight_or_probability_get_the_default_values() {
    let mut words = BTreeSet::new();
    for (word, keys, weight, probability) in DEFAULTS {
        words.insert(word);
        let rest = format!(
            "[[agent]]\nname = 'A'\nat = @A\nsteer = [{{ do = '{word}'{keys} }}]\n\
             [[agent]]\nname = 'B'\nat = @B\n"
        );
        let world = load("A..B", &rest);
        let read = rows(world.scenario()).next().expect("a row").clone();
        assert_eq!(
            (read.behaviour.word(), read.weight, read.probability),
            (word, weight, probability)
        );
        assert!(read.enabled);
    }
    assert!(behaviours().iter().all(|(_, word)| words.contains(word.as_str())));
}
