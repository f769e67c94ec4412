//! `tilewalk test` in continuous integration: broken maps, known failures, failing seeds, warnings about
//! empty passes, and the options for large suites.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt;
use tempfile::TempDir;

use tilewalk::files::settings;

/// Two solid agents that block each other in a corridor.
const PAIR: &str = "tiles = '''\n##########\n#........#\n##########\n'''\n\
    [[agent]]\nname = 'a'\nat = [1, 1]\nbody = { solid = true }\ntravel = [8, 1]\npace = 2\n\
    [[agent]]\nname = 'b'\nat = [8, 1]\nbody = { solid = true }\ntravel = [1, 1]\npace = 2\n";

/// An agent with a random start in a room of nine tiles.
const ROOM: &str = "tiles = '''\n.........\n'''\n[[agent]]\nname = 'cat'\nat = 'anywhere'\n\
    [[agent]]\nname = 'ghost'\ntemplate = true\nmax = 2\n";

fn expectation(name: &str, lines: &str) -> String {
    format!("[[expect]]\nname = '{name}'\nduration = 10\n{lines}\n")
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// Returns a folder with one map of each kind.
fn suite() -> TempDir {
    let pass = format!("{PAIR}{}", expectation("stays", "never = 'a.x > 90'"));
    let fail = format!("{PAIR}{}", expectation("arrives", "eventually = 'a.arrived'"));
    let known = fail.replace("duration", "fails = 'a # \"narrow\" corridor'\nduration");
    let broken = pass.replace("a.x", "cow.x");
    folder(&[
        ("pass.toml", &pass),
        ("fail.toml", &fail),
        ("known.toml", &known),
        ("broken.toml", &broken),
    ])
}

/// Runs tilewalk in a folder, with the cache directory in this folder. Returns exit code, standard output
/// and standard error.
fn tilewalk(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    command.env("XDG_CACHE_HOME", folder.join("cache")).current_dir(folder).args(arguments);
    let output = command.output().expect("a run");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn test(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    tilewalk(folder, &[&["test"], arguments].concat())
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let (_, printed, _) = test(folder, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&printed).expect("JSON")
}

/// Returns the reason for the failure of the only expectation of a map.
fn why(map: &str, lines: &str) -> String {
    let folder = folder(&[("map.toml", &format!("{map}{}", expectation("it", lines)))]);
    let report = json(folder.path(), &["map.toml"]);
    let failure = &report[0]["failure"];
    format!("{} | {}", failure["why"].as_str().unwrap_or("none"), failure["agent"])
}

const MAPS: [&str; 4] = ["broken.toml", "fail.toml", "known.toml", "pass.toml"];

#[test]
fn a_broken_map_is_an_error_in_all_formats() {
    let folder = suite();
    for format in ["json", "junit", "tap", "github", "human"] {
        let (code, printed, errors) =
            test(folder.path(), &[&MAPS[..], &["--format", format]].concat());
        assert_eq!(code, 2, "{format}");
        assert!(errors.contains("unknown name `cow`"), "{errors}");
        let alone = test(folder.path(), &["broken.toml", "--format", format]);
        assert!(!alone.2.contains("nothing to test"), "{}", alone.2);
        for printed in [&printed, &alone.1] {
            match format {
                "human" => assert!(printed.contains("1 error"), "{printed}"),
                _ => assert!(printed.contains("unknown name `cow`"), "{format}: {printed}"),
            }
        }
    }
}

#[test]
fn json_results_are_valid_against_their_schema() {
    let folder = suite();
    let schema = fs::read_to_string("docs/schema/results.json").expect("the schema");
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let report = json(folder.path(), &[&MAPS[..], &["--times", "--keep", "kept"]].concat());
    let errors: Vec<_> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let verdicts = report.as_array().expect("an array").iter().map(|it| it["verdict"].clone());
    assert_eq!(verdicts.collect::<Vec<_>>(), ["error", "fail", "pass", "pass"]);
    assert!(
        !validator.is_valid(&serde_json::json!([{ "id": "a::b" }])),
        "the schema requires keys"
    );
}

/// Other programs read the same tests and results from the `JUnit` and TAP output.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn independent_readers_find_the_same_results() {
    let folder = suite();
    let python = std::env::var("TILEWALK_RESULTS").unwrap_or_else(|_| "python3".to_owned());
    for format in ["junit", "tap"] {
        let (_, printed, _) = test(folder.path(), &[&MAPS[..], &["--format", format]].concat());
        let file = folder.path().join(format);
        fs::write(&file, printed).expect("a file");
        let output =
            Command::new(&python).args(["tests/results/read.py", format]).arg(&file).output();
        let Ok(output) = output else {
            println!("skipped: no {python}");
            return;
        };
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        if message.starts_with("skipped: ") {
            println!("{message}");
            return;
        }
        assert!(output.status.success(), "{message}");
        let read = String::from_utf8(output.stdout).expect("UTF-8");
        let expected = [
            "broken.toml::load: error",
            "fail.toml::arrives: fail",
            "known.toml::arrives: known",
            "pass.toml::stays: pass",
        ];
        assert_eq!(read.lines().collect::<Vec<_>>(), expected, "{format}");
    }
}

/// Each of the nine starts of the cat fails or passes.
#[test]
fn all_failing_seeds_are_listed() {
    let lines = "always = 'cat.x > 5'\nseeds = 60\nat_least = 0.99";
    let folder = folder(&[("map.toml", &format!("{ROOM}{}", expectation("it", lines)))]);
    let report = json(folder.path(), &["map.toml", "--all-seeds"]);
    let seeds = report[0]["failing_seeds"].as_array().expect("seeds").clone();
    assert_eq!(Some(seeds.len() as u64), report[0]["shares"]["failed"].as_u64());
    assert!(seeds.len() > 10, "{seeds:?}");
    for seed in 0..60 {
        let alone = format!(
            "{ROOM}{}",
            expectation("it", &format!("always = 'cat.x > 5'\nseeds = [{seed}]"))
        );
        fs::write(folder.path().join("one.toml"), alone).expect("a file");
        let failed = test(folder.path(), &["one.toml"]).0 == 1;
        assert_eq!(failed, seeds.contains(&serde_json::json!(seed)), "{seed}");
    }
    let (_, printed, _) = test(folder.path(), &["map.toml", "--all-seeds"]);
    let listed = seeds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    assert!(printed.contains(&format!("{} failing seeds: {listed}\n", seeds.len())), "{printed}");
}

#[test]
fn partitions_judge_each_expectation_once() {
    let all: String = (0..7).map(|n| expectation(&format!("e{n}"), "never = 'a.x > 90'")).collect();
    let folder = folder(&[("map.toml", &format!("{PAIR}{all}"))]);
    let mut names = Vec::new();
    for part in 1..=3 {
        let (code, listed, _) =
            test(folder.path(), &["map.toml", "--list", "--partition", &format!("{part}/3")]);
        assert_eq!(code, 0);
        names.extend(listed.lines().map(str::to_owned));
    }
    names.sort();
    let expected: Vec<_> = (0..7).map(|n| format!("map.toml::e{n}")).collect();
    assert_eq!(names, expected);
    // A part without expectations is not a failure.
    assert_eq!(test(folder.path(), &["map.toml", "--partition", "8/8"]).0, 0);
    for wrong in ["0/3", "4/3", "1", "1/0", "a/b"] {
        let (code, _, errors) = test(folder.path(), &["map.toml", "--partition", wrong]);
        assert!(code == 2 && errors.contains("such as 1/4"), "{errors}");
    }
}

#[test]
fn the_test_stops_after_the_given_number_of_failures() {
    let all: String = (0..5).map(|n| expectation(&format!("e{n}"), "never = 'a.x > 0'")).collect();
    let folder = folder(&[("map.toml", &format!("{PAIR}{all}"))]);
    for most in [1, 3, 9] {
        let (code, printed, _) =
            test(folder.path(), &["map.toml", "--max-failures", &most.to_string()]);
        let expected = format!("0 passed, {} failed", most.min(5));
        assert!(code == 1 && printed.contains(&expected), "{printed}");
    }
}

/// An expectation that takes too long is neither passed nor failed, also if it is known to fail.
#[test]
fn a_timeout_is_a_result_of_its_own() {
    let long = "never = 'a.x > 90'\nfails = 'why'".to_owned();
    let text = format!("{PAIR}{}", expectation("it", &long))
        .replace("duration = 10", "duration = 1_000_000");
    let folder = folder(&[("map.toml", &text)]);
    let run = |format| test(folder.path(), &["map.toml", "--timeout", "0.2", "--format", format]);
    for format in ["json", "junit", "tap", "github", "human"] {
        let (code, printed, _) = run(format);
        assert_eq!(code, 2, "{printed}");
        assert!(printed.contains("timeout: the runs took longer than 0.2 s"), "{printed}");
    }
    let report: serde_json::Value = serde_json::from_str(&run("json").1).expect("JSON");
    assert_eq!((&report[0]["verdict"], &report[0]["is_ok"]), (&"timeout".into(), &false.into()));
    assert!(run("human").1.contains("0 passed, 0 failed, 1 timeout"));
}

#[test]
fn last_failed_judges_the_expectations_that_were_not_met() {
    let folder = suite();
    let judged = |arguments: &[&str]| -> Vec<String> {
        let report = json(folder.path(), &[&MAPS[1..], arguments].concat());
        let ids = report.as_array().expect("an array").iter();
        ids.map(|it| it["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(judged(&["--last-failed"]).len(), 3, "without a list, all are judged");
    assert_eq!(judged(&["--last-failed"]), ["fail.toml::arrives"]);
    let (_, _, errors) = test(folder.path(), &["fail.toml", "--last-failed"]);
    assert!(errors.contains("cache/tilewalk/last-failed/"), "{errors}");
    // The expectations of a map that did not load count as failed.
    let broken = fs::read_to_string(folder.path().join("broken.toml")).expect("the map");
    assert_eq!(test(folder.path(), &["broken.toml"]).0, 2);
    fs::write(folder.path().join("broken.toml"), broken.replace("cow.x", "a.x")).expect("a file");
    let fixed = json(folder.path(), &["broken.toml", "pass.toml", "--last-failed"]);
    assert_eq!(fixed.as_array().map(Vec::len), Some(1));
    assert_eq!(fixed[0]["id"], "broken.toml::stays");
}

#[test]
fn an_expectation_without_its_agents_passes_with_a_warning() {
    let expectations = [
        expectation("one", "never = 'ghost.1.x > 3'"),
        expectation("group", "always = 'all(ghost, x > 3)'\nseeds = 5"),
        expectation("here", "never = 'cat.x > 90'"),
        // This is about the existence of the ghost.
        expectation("none", "never = 'exists(ghost)'"),
    ];
    let folder = folder(&[("map.toml", &format!("{ROOM}{}", expectations.concat()))]);
    let report = json(folder.path(), &["map.toml"]);
    let warnings: Vec<_> = (0..4).map(|at| report[at]["warnings"][0].as_str()).collect();
    let text = |name| {
        format!("`{name}` never existed in these runs, so the expectation says nothing about it")
    };
    let (one, group) = (text("ghost.1"), text("ghost"));
    assert_eq!(warnings, [Some(one.as_str()), Some(group.as_str()), None, None]);
    for format in ["human", "junit", "tap", "github"] {
        let (code, printed, _) = test(folder.path(), &["map.toml", "--format", format]);
        assert!(code == 0 && printed.contains("`ghost.1` never existed"), "{format}: {printed}");
    }
}

#[test]
fn a_failure_names_its_agent() {
    let event = why(PAIR, "never = 'event(blocked)'");
    assert_eq!(event, "`event(blocked)` held: event(blocked) is true: a and 1 more | \"a\"");
    let least = why(PAIR, "always = 'min(everyone, x) > 4'");
    assert!(least.contains("min(everyone, x) = 1.5 (a), needs > 4 | \"a\""), "{least}");
    let greatest = why(PAIR, "always = 'max(everyone, x) < 4'");
    assert!(greatest.contains("max(everyone, x) = 8.5 (b), needs < 4 | \"b\""), "{greatest}");
    for lines in [
        "always = 'mean(everyone, x) > 90'",
        "always = 'polarisation(everyone) > 2'",
        "always = 'gap(everyone, everyone) > 1'",
        "eventually = 'any(everyone, x > 90)'",
        "never = 'all(everyone, x > 1)'",
    ] {
        let reason = why(PAIR, lines);
        assert!(reason.ends_with("| \"a\""), "{lines}: {reason}");
    }
    let folder = folder(&[(
        "map.toml",
        &format!("{PAIR}{}", expectation("it", "always = 'mean(everyone, x) > 90'")),
    )]);
    let (_, printed, _) = test(folder.path(), &["map.toml"]);
    assert!(printed.contains("tilewalk map.toml --seed 0 --goto 0 --agent a"), "{printed}");
}

#[test]
fn a_missing_event_has_a_reason() {
    let reason = why(PAIR, "eventually = 'a.arrived'");
    let (since, rest) =
        reason.split_once("a is stuck since frame ").expect(&reason).1.split_once(": ").unwrap();
    assert_eq!(rest, "waits for b, b for a | \"a\"");
    let stuck = why(PAIR, "never = 'a.stuck'");
    let frame =
        folder(&[("map.toml", &format!("{PAIR}{}", expectation("it", "never = 'a.stuck'")))]);
    let frame = json(frame.path(), &["map.toml"])[0]["failure"]["frame"].to_string();
    assert_eq!(since, frame, "{stuck}");
    let group = why(PAIR, "eventually = 'all(everyone, arrived)'");
    assert!(group.contains("a is stuck since frame"), "{group}");
}

#[test]
fn points_and_areas_outside_the_map_are_warnings_with_columns() {
    let lines = [
        ("never = 'in(a, [9, 4, 2, 1])'", "9:16", "the corners of the area are reversed"),
        (
            "never = 'a.x > 3 and in(a, [12, 0, 14, 2])'",
            "9:28",
            "the area is outside the map of 10 × 3 tiles",
        ),
        (
            "always = 'distance(a, [40, 4]) > 1'",
            "9:23",
            "the point is outside the map of 10 × 3 tiles",
        ),
        (
            "value = 'distance(a, [-1.5, 4])'\nbelow = 3",
            "9:22",
            "the point is outside the map of 10 × 3 tiles",
        ),
    ];
    for (lines, place, message) in lines {
        let folder = folder(&[("map.toml", &format!("{PAIR}{}", expectation("it", lines)))]);
        let (code, printed, _) = tilewalk(folder.path(), &["check", "map.toml"]);
        let line = PAIR.lines().count() + 4;
        let place = place.replace("9:", &format!("map.toml:{line}:"));
        assert_eq!(code, 0, "{printed}");
        assert!(printed.contains(&format!("warning: {message}")), "{printed}");
        assert!(printed.contains(&place), "{place}: {printed}");
    }
    let folder = folder(&[("map.toml", PAIR)]);
    let run = ["run", "map.toml", "--frames", "3", "--until", "in(a, [12, 0, 14, 2])"];
    let (_, _, errors) = tilewalk(folder.path(), &run);
    assert!(errors.contains("the area is outside the map"), "{errors}");
}

#[test]
fn check_reports_invalid_values_of_expectations() {
    let lines = "never = 'a.x > 90'\nset = { 'a.pace' = 3, \"a.body.radius\" = -3 }";
    let folder = folder(&[("map.toml", &format!("{PAIR}{}", expectation("it", lines)))]);
    let (code, printed, _) = tilewalk(folder.path(), &["check", "map.toml"]);
    let line = PAIR.lines().count() + 5;
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("`radius` must be between 0.05 and 8, but is -3"), "{printed}");
    assert!(printed.contains(&format!("map.toml:{line}:41")), "{printed}");
    let good =
        fs::read_to_string(folder.path().join("map.toml")).expect("the map").replace("-3", "0.2");
    fs::write(folder.path().join("map.toml"), good).expect("a file");
    let (code, printed, _) = tilewalk(folder.path(), &["check", "map.toml"]);
    assert_eq!((code, printed.as_str()), (0, "1 file: no errors, no warnings\n"));
}

#[test]
fn a_setting_with_spaces_needs_quotes() {
    let folder = folder(&[("map.toml", PAIR)]);
    for (typed, whole) in [
        (&["a.body.radius", "=", "0.2"][..], "a.body.radius = 0.2"),
        (&["a.at=[1,", "1]"], "a.at=[1, 1]"),
        (&["a.remove=sees(b)", "and", "blocked"], "a.remove=sees(b) and blocked"),
    ] {
        for command in [&["run", "map.toml", "--frames", "3"][..], &["map.toml"]] {
            let (code, _, errors) = tilewalk(folder.path(), &[command, &["--set"], typed].concat());
            assert_eq!(code, 2, "{errors}");
            let advice = format!(
                "the value of `--set` has spaces, so it needs quotes: write --set '{whole}'"
            );
            assert!(errors.contains(&advice), "{errors}");
        }
    }
    assert!(settings::parse("a.body.radius = 0.2").is_ok(), "the advice works");
}

/// A measure that is true at frame 0 in all runs is a warning; other measures are not.
#[test]
fn a_measure_that_is_true_at_the_start_is_a_warning() {
    let sweep = |condition: &str| {
        format!(
            "map = 'map.toml'\nframes = 20\nseeds = 3\n[vary]\n'a.pace' = [2, 3]\n[measure]\nm = {{ first = '{condition}' }}\n"
        )
    };
    for (condition, expected) in [("a.x < 5", true), ("a.x > 3", false), ("a.x > 90", false)] {
        let folder = folder(&[("map.toml", PAIR), ("sweep.toml", &sweep(condition))]);
        let (code, _, errors) = tilewalk(folder.path(), &["sweep", "sweep.toml"]);
        let warned = errors.contains("the measure `m` is true at frame 0 in all runs");
        assert_eq!((code, warned), (0, expected), "{condition}: {errors}");
    }
}
