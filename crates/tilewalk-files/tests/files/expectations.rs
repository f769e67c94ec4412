//! Reading expectations from maps and from expectation files beside them.

use std::fs;
use std::path::{Path, PathBuf};

use tilewalk_files::{Loaded, Options, Origin, settings, write};
use tilewalk_sim::judge::{Outcome, judge};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::expectation::{Expectation, Form, Golden, Seeds, WindowStart};
use tilewalk_sim::scenario::sources::FileRole;
use tilewalk_test_support::builtin;

const MAP: &str = "\
tiles = '''
..........
..........
'''
tick = 0.1
[[agent]]
name = \"cat\"
at = [1, 0]
steer = [{ do = \"seek\", target = \"dog\" }]
[[agent]]
name = \"dog\"
at = [8, 0]
";

fn load(text: &str) -> Loaded {
    tilewalk_files::load(&builtin::text("m.toml", text), &Options::default())
        .expect("map is readable")
}

/// Returns the expectation that has these lines after its name. Asserts that the map has no problems.
#[track_caller]
fn expectation(lines: &str) -> Expectation {
    let loaded = load(&format!("{MAP}[[expect]]\nname = \"e\"\n{lines}"));
    assert_eq!(loaded.report.plain(), "", "{lines}");
    loaded.scenario.expect("map is valid").expectations()[0].clone()
}

/// Returns the messages about an expectation, each with its line, counted from the line after the name.
fn problems(lines: &str) -> Vec<(usize, String)> {
    let loaded = load(&format!("{MAP}[[expect]]\nname = \"e\"\n{lines}"));
    let before = MAP.lines().count() + 2;
    loaded.report.entries().map(|each| (each.line - before, each.message.to_owned())).collect()
}

/// Describes a form in one line, with its numbers of frames and the texts of its conditions.
fn form(form: &Form) -> String {
    match form {
        Form::Eventually(c) | Form::Never(c) | Form::Always(c) => {
            format!("{} {}", form.word(), c.text())
        }
        Form::Response { when, then, within } => {
            format!("when {} then {} within {within}", when.text(), then.text())
        }
        Form::Precedence { first, before } => {
            format!("first {} before {}", first.text(), before.text())
        }
        Form::Settles { condition, hold } => format!("settles {} for {hold}", condition.text()),
        Form::Repeats { condition, every } => format!("repeats {} every {every}", condition.text()),
        Form::Bounds { value, below, above } => {
            format!("value {} below {below:?} above {above:?}", value.text())
        }
        Form::Golden(golden) => format!("golden {golden:?}"),
    }
}

#[test]
fn every_form_of_expectation_is_read() {
    let state = Golden { engine: 2, hash: 0x9f };
    for (lines, expected) in [
        ("eventually = 'frame > 3'", "eventually frame > 3".to_owned()),
        ("never = 'frame > 3'", "never frame > 3".to_owned()),
        ("always = 'frame > 3'", "always frame > 3".to_owned()),
        (
            "when = 'cat.x > 3'\nthen = 'cat.x > 4'\nwithin = 0.5",
            "when cat.x > 3 then cat.x > 4 within 5".to_owned(),
        ),
        (
            "first = 'cat.x > 3'\nbefore = 'cat.x > 4'",
            "first cat.x > 3 before cat.x > 4".to_owned(),
        ),
        ("settles = 'cat.x > 3'\nfor = 3", "settles cat.x > 3 for 30".to_owned()),
        ("repeats = 'cat.x > 3'\nevery = 0.3", "repeats cat.x > 3 every 3".to_owned()),
        (
            "value = 'cat.x + 1'\nbelow = 12",
            "value cat.x + 1 below Some(12.0) above None".to_owned(),
        ),
        ("value = 'cat.x'\nabove = -1.5", "value cat.x below None above Some(-1.5)".to_owned()),
        ("golden = ''", "golden None".to_owned()),
        ("golden = '2:000000000000009f'", format!("golden {:?}", Some(state))),
    ] {
        assert_eq!(form(&expectation(lines).form), expected, "{lines}");
    }
}

#[test]
fn missing_keys_of_an_expectation_have_defaults() {
    let read = expectation("always = 'frame >= 0'");
    assert!(matches!(read.from, WindowStart::Frame(0)));
    assert_eq!((read.duration, read.seeds, read.at_least), (600, Seeds::Next(20), 1.0));
    assert_eq!((read.confidence, read.fails), (None, None));
    assert_eq!((read.set.len(), read.tags.len()), (0, 0));
    assert_eq!((read.place.file, read.place.column), (0, 1));
    assert_eq!(read.place.line, MAP.lines().count() + 1);
}

#[test]
fn all_keys_of_an_expectation_are_read() {
    let read = expectation(
        "eventually = 'cat.x > 7'
duration = 2.55
from = 'cat.x > 2'
start_by = 4
seeds = [7, 3]
at_least = 0.5
set = { 'cat.max_speed' = 3.0, 'cat.steer.1.weight' = 2, 'dog.at' = [6, 1] }
fails = 'too slow'
tags = ['slow', 'cat']",
    );
    let WindowStart::When { condition, by } = &read.from else { panic!("{:?}", read.from) };
    assert_eq!((condition.text(), *by), ("cat.x > 2", 40));
    assert_eq!((read.duration, read.at_least), (25, 0.5));
    assert_eq!(read.seeds, Seeds::List(vec![7, 3]));
    let set = ["cat.body.max_speed=3.0", "cat.steer.1.weight=2", "dog.at=[6, 1]"];
    assert_eq!(read.set.iter().map(ToString::to_string).collect::<Vec<_>>(), set);
    assert_eq!(read.fails.as_deref(), Some("too slow"));
    assert_eq!(read.tags, ["slow", "cat"]);
    let read = expectation(
        "never = 'cat.x > 9'\nwithin = 3\nfrom = 1.25\nseeds = 158\nat_least = 0.95\n\
         confidence = 0.95",
    );
    assert!(matches!(read.from, WindowStart::Frame(12)));
    assert_eq!((read.duration, read.seeds, read.confidence), (30, Seeds::Next(158), Some(0.95)));
}

/// The quotient of a duration and a tick is often slightly below a whole number.
#[test]
fn durations_of_whole_frames_are_not_rounded_down() {
    for tick in ["0.1", "0.05", "0.02", "0.001", "0.3", "0.7"] {
        let text = MAP.replace("0.1", tick);
        let frames: u64 = 3 * 7;
        let seconds = frames as f64 * tick.parse::<f64>().expect("tick is a number");
        let loaded = load(&format!(
            "{text}[[expect]]\nname = 'e'\nalways = 'frame >= 0'\nduration = {seconds:.4}\n"
        ));
        let scenario = loaded.scenario.expect("map is valid");
        assert_eq!(scenario.expectations()[0].duration, frames, "{tick}");
    }
}

#[test]
fn settings_of_an_expectation_can_depend_on_other_settings() {
    let set = "set = { 'cat.steer' = [{ do = 'wander' }, { do = 'arrive', target = 'dog' }], \
               'cat.steer.2.weight' = 2 }";
    assert_eq!(expectation(&format!("always = 'frame >= 0'\n{set}")).set.len(), 2);
    let problems = problems("always = 'frame >= 0'\nset = { 'cat.max_sped' = 3 }");
    assert_eq!(problems, [(2, "unknown key `max_sped` of an agent".to_owned())]);
}

#[test]
fn errors_in_conditions_of_expectations_are_reported_with_their_line() {
    let unknown = "always = 'frame >= 0'\nfrom = 'dog.mode == \"run\"'";
    assert_eq!(problems(unknown), [(2, "dog has no mode \"run\"".to_owned())]);
    let unknown = "when = 'cat.x > 1'\nwithin = 1\nthen = \"\"\"\ncat.x > 1 and\nfog.x > 1\"\"\"";
    assert_eq!(problems(unknown), [(5, "unknown name `fog`".to_owned())]);
    let member = MAP.replace("at = [8, 0]", "at = 'anywhere'\ncount = 2");
    let text = format!("{member}[[expect]]\nname = 'e'\nnever = 'dog.2.mode == \"run\"'\n");
    let report = load(&text).report;
    assert_eq!(report.entries().next().map(|it| it.message), Some("dog.2 has no mode \"run\""));
    let never = "eventually = 'cat.speed < 0'";
    assert_eq!(problems(never), [(1, "this condition is never true".to_owned())]);
}

/// Creates a folder with a map and an expectation file.
fn folder(beside: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("folder is created");
    let map = folder.path().join("m.toml");
    let own = "[[expect]]\nname = 'first'\nalways = 'frame >= 0'\n";
    fs::write(&map, format!("{MAP}{own}")).expect("map is written");
    fs::write(map.with_extension("expect.toml"), beside).expect("file is written");
    (folder, map)
}

fn from_disk(map: &Path, options: &Options) -> Loaded {
    tilewalk_files::load(&Origin::Disk(map.to_owned()), options).expect("map is readable")
}

const BESIDE: &str = "# Theirs.\n\n[[expect]]\nname = 'second'\nnever = 'cat.x > dog.x'\n";

fn places(scenario: &Scenario) -> Vec<(&str, usize, usize)> {
    let each = scenario.expectations().iter();
    each.map(|it| (it.name.as_str(), it.place.file, it.place.line)).collect()
}

#[test]
fn an_expectation_file_beside_the_map_adds_expectations() {
    let (_folder, map) = folder(BESIDE);
    let loaded = from_disk(&map, &Options::default());
    assert_eq!(loaded.report.plain(), "");
    assert!(loaded.paths.contains(&map.with_extension("expect.toml")));
    let scenario = loaded.scenario.expect("map is valid");
    assert_eq!(places(&scenario), [("first", 0, 13), ("second", 1, 3)]);
    let file = &scenario.sources().files[1];
    assert_eq!(file.place, FileRole::Beside("m.expect.toml".to_owned()));
    // The map can be read again from its stored files alone.
    let again =
        tilewalk_files::reload(scenario.sources(), &Options::default()).expect("map is readable");
    let again = again.scenario.expect("map is valid");
    assert_eq!(format!("{again:?}"), format!("{scenario:?}"));
    // A setting that adds lines to the map does not change the line numbers of its expectations.
    let set = vec![settings::parse("cat.heading=90").expect("setting is valid")];
    let options = Options { set, ..Options::default() };
    let scenario = from_disk(&map, &options).scenario.expect("map is valid");
    assert_eq!(places(&scenario), [("first", 0, 13), ("second", 1, 3)]);
}

#[test]
fn the_path_of_a_missing_expectation_file_is_watched() {
    let (_folder, map) = folder("");
    let path = map.with_extension("expect.toml");
    fs::remove_file(&path).expect("file is removed");
    let loaded = from_disk(&map, &Options::default());
    assert!(loaded.paths.contains(&path));
    assert_eq!(loaded.report.sources().len(), 1);
}

#[test]
fn problems_in_an_expectation_file_are_reported_with_its_lines() {
    let (folder, map) = folder(&BESIDE.replace("second", "first").replace("dog.x", "fog.x"));
    let loaded = from_disk(&map, &Options::default());
    assert!(loaded.scenario.is_none());
    let problems: Vec<_> =
        loaded.report.entries().map(|it| (it.line, it.message.to_owned())).collect();
    let twice = "the name `first` is already used by another expectation";
    assert_eq!(problems, [(4, twice.to_owned()), (5, "unknown name `fog`".to_owned())]);
    assert!(loaded.report.entries().all(|it| it.file.ends_with("m.expect.toml")));
    // Checking the folder, the map or the expectation file reports the same problems.
    for path in [folder.path(), &map, &map.with_extension("expect.toml")] {
        let report = tilewalk_files::check(&[path.to_owned()], None).expect("paths are valid");
        assert_eq!(report.diagnostics().len(), 2, "{}", path.display());
        assert_eq!(report.sources().len(), 2, "{}", path.display());
    }
}

#[test]
fn loading_an_expectation_file_as_a_map_is_an_error() {
    let (_folder, map) = folder(BESIDE);
    let path = map.with_extension("expect.toml");
    let error = tilewalk_files::load(&Origin::Disk(path.clone()), &Options::default())
        .expect_err("file is not a map");
    assert!(error.to_string().contains("a file of expectations, not a map"), "{error}");
    fs::remove_file(&map).expect("map is removed");
    let report = tilewalk_files::check(&[path], None).expect("path is valid");
    assert!(report.plain().contains("can't read the map for these expectations"));
}

/// The starter map is the map that `tilewalk new` writes.
#[test]
fn agents_of_the_starter_map_meet_its_expectation() {
    let folder = tempfile::tempdir().expect("folder is created");
    let starter = write::new_map::starter("attic");
    let map = folder.path().join("attic.toml");
    fs::write(&map, starter.map).expect("map is written");
    let pattern = folder.path().join(starter.pattern_name).with_extension("toml");
    fs::write(pattern, starter.pattern).expect("pattern is written");
    let loaded = from_disk(&map, &Options::default());
    assert_eq!(loaded.report.plain(), "");
    let seeded = loaded.seeded().expect("map is valid");
    for seed in 1..=20 {
        let scenario = seeded.scenario(seed).expect("agents have starts");
        let run = judge(&scenario, 0).expect("run is not cancelled");
        assert_eq!(run.verdict.outcome, Outcome::Pass, "seed {seed}");
    }
}

#[test]
fn a_copied_map_keeps_its_expectations() {
    let (folder, map) = folder(BESIDE);
    let scenario = from_disk(&map, &Options::default()).scenario.expect("map is valid");
    let copy = folder.path().join("copy.toml");
    let text = &scenario.sources().files[0].text;
    assert_eq!(
        write::map(&copy, text, scenario.sources()).expect("file is copied"),
        ["copy.expect.toml"]
    );
    let copied = from_disk(&copy, &Options::default()).scenario.expect("map is valid");
    assert_eq!(places(&copied), places(&scenario));
}
