//! `tilewalk test`: output formats, exit codes, and the files it writes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use roxmltree::Node;
use tempfile::TempDir;

/// A cat that arrives, and a dog that wanders.
const MAP: &str = r#"tiles = """
.........
..~~~....
.........
"""
seed = 4

[[agent]]
name = "cat"
at = [1, 0]
steer = [{ do = "arrive", target = [7, 0] }]

[[agent]]
name = "dog"
at = "anywhere"
steer = [{ do = "wander" }]
"#;

/// An expectation for each verdict.
const EXPECTATIONS: &str = r#"
[[expect]]
name = "the cat arrives"
eventually = "distance(cat, [7, 0]) < 0.2"

[[expect]]
name = "the cat avoids the \"dog\" & <all>, #1: 100%"
never = "gap(cat, dog) < 0.5 and cat.x > 1"
seeds = 40
tags = ["dogs"]

[[expect]]
name = "the dog stays west"
always = "dog.x < 8.9"
seeds = 60
at_least = 0.5
confidence = 0.95

[[expect]]
name = "the cat is slow"
value = "cat.speed"
below = 1
set = { "cat.max_speed" = 2 }
fails = "cats run"

[[expect]]
name = "the cat stops for the dog"
when = "cat.speed > 100"
then = "cat.speed < 1"
within = 1
"#;

pub(super) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn cats() -> TempDir {
    folder(&[("cats.toml", &format!("{MAP}{EXPECTATIONS}"))])
}

/// Runs `tilewalk test` in a folder. Returns exit code, standard output and standard error.
pub(super) fn test(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let output = command.current_dir(folder).arg("test").args(arguments).output().expect("a run");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn output_in_each_format_matches_its_snapshot_with_any_number_of_jobs() {
    let folder = cats();
    for format in ["human", "json", "junit", "tap", "github"] {
        let run = |jobs| test(folder.path(), &["cats.toml", "--format", format, "--jobs", jobs]);
        let (code, printed, errors) = run("1");
        assert_eq!((code, errors.as_str()), (1, ""), "{format}");
        assert_eq!(run("8"), run("1"), "{format}");
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("test_{format}"), printed);
        });
    }
}

/// Name of an element, its possible parents, required attributes, optional attributes.
type Rule =
    (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// Checks an element against the schema `junit-10.xsd` of the xunit plugin.
fn check_junit(node: Node, parent: &str) {
    let rules: [Rule; 7] = [
        ("testsuites", &[""], &[], &["name", "time", "tests", "failures", "errors", "disabled"]),
        (
            "testsuite",
            &["testsuites"],
            &["name"],
            &[
                "tests",
                "failures",
                "errors",
                "group",
                "time",
                "skipped",
                "timestamp",
                "hostname",
                "id",
                "package",
                "file",
                "log",
                "url",
                "version",
            ],
        ),
        (
            "testcase",
            &["testsuite"],
            &["name"],
            &["classname", "time", "group", "assertions", "status", "class", "file", "line", "url"],
        ),
        ("failure", &["testcase"], &[], &["message", "type"]),
        ("error", &["testcase"], &[], &["message", "type"]),
        ("skipped", &["testcase"], &[], &["message", "type"]),
        ("system-out", &["testcase"], &[], &[]),
    ];
    let name = node.tag_name().name();
    let rule = rules.iter().find(|rule| rule.0 == name).expect("a known element");
    assert!(rule.1.contains(&parent), "{name} in {parent}");
    assert!(rule.2.iter().all(|required| node.has_attribute(*required)), "{name}");
    for attribute in node.attributes() {
        let known = rule.2.contains(&attribute.name()) || rule.3.contains(&attribute.name());
        assert!(known, "{name} {}", attribute.name());
    }
    let is_mixed = matches!(name, "failure" | "error" | "skipped" | "system-out");
    for child in node.children() {
        if child.is_element() {
            check_junit(child, name);
        } else {
            assert!(is_mixed || child.text().is_none_or(|text| text.trim().is_empty()));
        }
    }
}

#[test]
fn junit_output_is_valid_and_has_the_counts_and_names_of_the_tests() {
    let folder = cats();
    let (_, printed, _) = test(folder.path(), &["cats.toml", "--format", "junit", "--times"]);
    let document = roxmltree::Document::parse(&printed).expect("XML");
    check_junit(document.root_element(), "");
    let suite = document.root_element().first_element_child().expect("a suite");
    let cases: Vec<_> = suite.children().filter(Node::is_element).collect();
    let has = |word: &str| {
        let child = |case: &&Node| case.children().any(|child| child.has_tag_name(word));
        cases.iter().filter(child).count()
    };
    let (failed, known) = (has("failure"), has("skipped"));
    assert_eq!(suite.attribute("tests"), Some(cases.len().to_string().as_str()));
    assert_eq!(suite.attribute("failures"), Some(failed.to_string().as_str()));
    assert_eq!(suite.attribute("skipped"), Some(known.to_string().as_str()));
    assert_eq!((cases.len(), failed, known), (5, 2, 1));
    let name = "the cat avoids the \"dog\" & <all>, #1: 100%";
    assert_eq!(cases[1].attribute("name"), Some(name));
    assert!(cases.iter().all(|case| case.attribute("time").is_some()));
}

#[test]
fn exit_codes_differ_for_unmet_expectations_and_invalid_maps() {
    let good = format!("{MAP}\n[[expect]]\nname = \"fine\"\nnever = \"cat.x > 9\"\n");
    let broken = good.replace("cat.x", "cow.x");
    let unclear =
        format!("{MAP}\n[[expect]]\nname = \"no\"\nfrom = \"cat.x > 9\"\nalways = \"true\"\n");
    let files = [("good.toml", good.as_str()), ("broken.toml", &broken), ("none.toml", MAP)];
    let maps = folder(&[&files[..], &[("unclear.toml", &unclear)]].concat());
    let code = |arguments: &[&str]| test(maps.path(), arguments).0;
    assert_eq!(code(&["good.toml"]), 0);
    assert_eq!(code(&["none.toml"]), 2);
    assert_eq!(code(&["none.toml", "--allow-none"]), 0);
    assert_eq!(code(&["good.toml", "--filter", "nothing"]), 2);
    assert_eq!(code(&["missing.toml"]), 2);
    assert_eq!(code(&["unclear.toml"]), 1);
    assert_eq!(code(&["unclear.toml", "--allow-inconclusive"]), 0);
    // An invalid map does not prevent the tests of the other maps.
    let (code, printed, errors) = test(maps.path(), &["."]);
    assert_eq!(code, 2);
    assert!(printed.contains("pass          ./good.toml::fine"), "{printed}");
    assert!(errors.contains("unknown name `cow`"), "{errors}");
    assert!(errors.contains("broken.toml:20:10"), "{errors}");
}

#[test]
fn options_select_expectations_and_seeds() {
    let folder = cats();
    let run = |arguments: &[&str]| test(folder.path(), &[&["cats.toml"], arguments].concat());
    let (code, listed, _) = run(&["--list"]);
    assert_eq!((code, listed.lines().count()), (0, 5));
    assert_eq!(run(&["--list", "--tag", "dogs"]).1.lines().count(), 1);
    let (code, printed, _) = run(&["--filter", "::the cat arrives", "--seeds", "7"]);
    assert_eq!((code, printed.contains("7 of 7 seeds")), (0, true), "{printed}");
    let (code, printed, _) = run(&["--fail-fast"]);
    assert_eq!((code, printed.contains("1 passed, 1 failed")), (1, true), "{printed}");
    let (_, printed, _) = run(&["--all-seeds", "--filter", "west"]);
    assert!(printed.contains("of 60 seeds") && printed.contains("exact: "), "{printed}");
}

#[test]
fn the_recording_of_a_failure_ends_at_the_reported_frame() {
    let folder = cats();
    let (_, printed, _) = test(folder.path(), &["cats.toml", "--tag", "dogs", "--keep", "kept"]);
    let frame = printed.split("frame ").nth(1).and_then(|rest| rest.split(' ').next());
    // Beside the recording is the picture of its last frame.
    let mut kept: Vec<_> = fs::read_dir(folder.path().join("kept")).expect("a folder").collect();
    kept.sort_by_key(|entry| entry.as_ref().map(fs::DirEntry::file_name).ok());
    assert!(kept.remove(0).expect("a file").path().extension().is_some_and(|it| it == "svg"));
    let path = kept[0].as_ref().expect("a file").path();
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!((kept.len(), name.as_str()), (1, "cats-the-cat-avoids-the-dog-all-1-100-4.twr"));
    let mut verify = Command::cargo_bin("tilewalk").expect("the binary");
    let verified = verify.arg("run").arg(&path).output().expect("a run");
    let summary = String::from_utf8(verified.stdout).expect("UTF-8");
    let frames = format!("frames  {} ", frame.expect("a frame"));
    assert!(summary.contains(&frames), "{printed}\n{summary}");
}

#[test]
fn bless_writes_golden_values_and_keeps_all_other_bytes() {
    let text = format!("{MAP}\n# Kept.\n[[expect]]  # kept\nname = 'end'\r\ngolden = ''  # kept\n");
    let beside = "expect = [{ name = 'later', golden = \"1:00000000000000ff\", duration = 3 }]";
    let folder = folder(&[("cats.toml", &text), ("cats.expect.toml", beside)]);
    assert_eq!(test(folder.path(), &["cats.toml"]).0, 1);
    let (code, printed, errors) = test(folder.path(), &["cats.toml", "--bless"]);
    assert_eq!((code, errors.as_str()), (0, ""), "{printed}");
    let state = |name: &str| {
        let line = printed.lines().find(|line| line.contains(name)).expect("a line");
        line.split(": ").nth(1).expect("a state").trim_end_matches(", written").to_owned()
    };
    let read = |name| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(read("cats.toml"), text.replace("''", &format!("\"{}\"", state("::end"))));
    let later = format!("\"{}\"", state("::later"));
    assert_eq!(read("cats.expect.toml"), beside.replace("\"1:00000000000000ff\"", &later));
    assert_eq!(test(folder.path(), &["cats.toml"]).0, 0);
}

/// Only the maps in a directory are tested, not their `.expect.toml` and `.breaks.toml` files or other
/// TOML files.
#[test]
fn a_directory_with_other_files_is_tested_without_errors() {
    let expect = "[[expect]]\nname = \"fine\"\nnever = \"cat.x > 9\"\n";
    let files = [
        ("cats.toml", MAP),
        ("cats.expect.toml", expect),
        ("cats.breaks.toml", ""),
        ("config.toml", "theme = \"dark\"\n"),
        ("sweep.toml", "map = \"cats.toml\"\nframes = 10\n"),
        ("lap.toml", "kind = \"path\"\nvertices = [[0, 0], [1, 0]]\n"),
    ];
    let folder = folder(&files);
    let passed = "pass          ./cats.toml::fine  20 of 20 seeds: a failure rate above 14 % is unlikely\n1 passed, 0 failed\n";
    assert_eq!(test(folder.path(), &["."]), (0, passed.to_owned(), String::new()));
    assert_eq!(test(folder.path(), &[".", "./cats.toml"]).1, passed);
    fs::write(folder.path().join("broken.toml"), "tiles = \"").expect("a file");
    assert_eq!(test(folder.path(), &["."]).0, 2);
}

/// Creates a folder with a map that has one expectation, `it`.
fn cats_expecting(expectation: &str) -> TempDir {
    folder(&[("cats.toml", &format!("{MAP}\n[[expect]]\nname = \"it\"\n{expectation}"))])
}

#[test]
fn a_condition_of_several_lines_is_printed_in_one() {
    let folder = cats_expecting("never = \"\"\"\ncat.x > 0\n\tand cat.y > 0\"\"\"");
    let (code, printed, _) = test(folder.path(), &["cats.toml"]);
    assert!(code == 1 && printed.contains("`cat.x > 0  and cat.y > 0` held"), "{printed}");
}

#[test]
fn an_undecided_expectation_is_not_met() {
    let folder =
        cats_expecting("always = \"cat.x < 9\"\nseeds = 158\nat_least = 0.95\nconfidence = 0.95");
    let few = ["cats.toml", "--seeds", "20", "--allow-inconclusive", "--keep", "kept"];
    let (code, printed, _) = test(folder.path(), &few);
    let reason = "undecided: 73.9 % to 100.0 % contains 95.0 %; judge more seeds";
    assert_eq!((code, printed.contains(reason)), (1, true), "{printed}");
    assert!(printed.contains("0 passed, 0 failed, 1 inconclusive"), "{printed}");
    assert!(!printed.contains("recording") && !printed.contains("did not hold"), "{printed}");
    assert!(!folder.path().join("kept").exists());
}

#[test]
fn allowed_inconclusive_tests_are_neither_passed_nor_known_failures() {
    let folder = cats_expecting("from = \"cat.x > 9\"\nalways = \"true\"\nfails = \"why\"");
    let (code, printed, _) = test(folder.path(), &["cats.toml", "--allow-inconclusive"]);
    assert_eq!((code, printed.contains("fails as expected")), (0, false), "{printed}");
    assert!(printed.contains("0 passed, 0 failed, 1 inconclusive"), "{printed}");
}

#[test]
fn an_error_of_a_later_seed_is_not_reported_as_a_failure_of_an_earlier_one() {
    let map = "tiles = '..#'\nagent = [{ name = 'a', at = { within = [0, 0, 1, 0] } }, \
               { name = 'b', at = { within = [0, 0, 0, 0] } }]\n\
               expect = [{ name = 'it', never = 'a.x > 100', seeds = 20 }]\n";
    let folder = folder(&[("map.toml", map)]);
    let run = |format| test(folder.path(), &["map.toml", "--format", format, "--keep", "kept"]);
    let (code, printed, _) = run("tap");
    assert_eq!((code, printed.matches("message:").count()), (2, 1), "{printed}");
    assert!(printed.contains("no free tile for `b`") && !printed.contains("seed: "), "{printed}");
    assert!(run("json").1.contains("\"error\"") && !run("json").1.contains("\"failure\""));
    assert!(!folder.path().join("kept").exists());
}

#[test]
fn an_expected_failure_that_does_not_occur_shows_a_seed_that_passed() {
    let folder = cats_expecting(
        "always = \"dog.x < 5\"\nduration = 1\nseeds = 40\nat_least = 0.2\nfails = \"why\"",
    );
    let (code, printed, _) = test(folder.path(), &["cats.toml", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!((code, report[0]["verdict"].as_str()), (1, Some("fail")), "{printed}");
    assert!(report[0]["shares"]["failed"].as_u64() > Some(0), "{printed}");
    let seed = report[0]["failure"]["seed"].to_string();
    let alone = cats_expecting("always = \"dog.x < 5\"\nduration = 1\nseeds = 1");
    let map = alone.path().join("cats.toml");
    let text = fs::read_to_string(&map).expect("the map");
    fs::write(&map, text.replace("seed = 4", &format!("seed = {seed}"))).expect("a file");
    assert_eq!(test(alone.path(), &["cats.toml"]).0, 0, "seed {seed}");
}

/// The command does not open a pipe, because opening it would wait for a writer.
#[test]
#[cfg(unix)]
fn a_pipe_among_the_maps_is_reported_and_the_other_maps_are_tested() {
    let folder = cats();
    let pipe = folder.path().join("pipe.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    command.current_dir(folder.path()).args(["test", "."]).timeout(Duration::from_secs(60));
    let output = command.output().expect("a run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("pipe.toml: this is a pipe or a device"), "{errors}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("the cat arrives"), "the other maps are tested: {printed}");
}

/// Long names of recordings are shortened, and an error while writing a recording does not end the tests.
#[test]
fn all_expectations_are_tested_even_if_a_recording_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = folder.path().join("a".repeat(150)).join("b".repeat(150));
    fs::create_dir_all(&long).expect("folders");
    fs::write(long.join("cats.toml"), format!("{MAP}{EXPECTATIONS}")).expect("a map");
    let (code, printed, errors) = test(folder.path(), &[".", "--keep", "kept"]);
    assert_eq!((code, errors.as_str()), (1, ""));
    assert!(printed.contains("recording: kept/aaa") && printed.contains("3 passed"), "{printed}");
    fs::write(folder.path().join("file"), "").expect("a file");
    let (code, printed, errors) = test(folder.path(), &[".", "--keep", "file"]);
    assert!(errors.contains("not recorded: ") && printed.contains("3 passed"), "{errors}");
    assert_eq!(code, 1);
}
