//! Plans of path planners on the command line: conflicts, exit codes, errors, and other commands.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const ROOM: &str = "height 3\nwidth 4\nmap\n....\n.@@.\n....\n";

/// Two agents that exchange their tiles in frame 2. Agent 1 walks on a wall in frame 3.
const PLAN: &str = "starts=(0,0),(2,1),\nsolution=\n0:(0,0),(3,0),\n1:(1,0),(2,0),\n2:(2,0),(1,0),\n3:(3,0),(1,1),\n";

/// Runs `tilewalk` in a folder. Returns the exit code, standard output and standard error.
fn tilewalk(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let output = command.current_dir(folder).args(args).output().expect("the output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    (output.status.code().expect("a code"), out, err)
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

#[test]
fn check_prints_the_conflicts_of_a_plan() {
    let folder = folder(&[("plan.txt", PLAN), ("room.map", ROOM)]);
    let (code, out, err) = tilewalk(folder.path(), &["check", "plan.txt", "--map", "room.map"]);
    assert_eq!(code, 1, "{err}");
    let expected = "\
plan.txt: frame 0: agent 1: starts at (3, 0) instead of (2, 1)
plan.txt: frame 2: agents 0, 1: edge conflict between (1, 0) and (2, 0)
plan.txt: frame 3: agent 1: on a wall at (1, 1)
plan.txt: 2 agents, 4 frames: 1 wrong start, 1 position on walls, 1 edge conflict
";
    assert_eq!(out, expected);
}

#[test]
fn check_prints_conflicts_as_json() {
    let folder = folder(&[("plan.result", PLAN), ("room.map", ROOM)]);
    let args = ["check", "plan.result", "--map", "room.map", "--json"];
    let (code, out, err) = tilewalk(folder.path(), &args);
    assert_eq!(code, 1, "{err}");
    let json: Value = serde_json::from_str(&out).expect("JSON");
    let plan = &json[0];
    assert_eq!(plan["notation"], "steps");
    assert_eq!(plan["counts"]["edge"], 1);
    assert_eq!(plan["conflicts"][1]["agents"], serde_json::json!(["0", "1"]));
    assert_eq!(plan["conflicts"][1]["frame"], 2);
    assert_eq!(plan["conflicts"][1]["tile"], serde_json::json!([1, 0]));
    assert_eq!(plan["conflicts"][1]["other"], serde_json::json!([2, 0]));
}

#[test]
fn a_plan_without_conflicts_ends_with_code_0() {
    let folder = folder(&[("plan.txt", "Agent 0: (0,0)->(0,1)->\n"), ("room.map", ROOM)]);
    let (code, out, _) = tilewalk(folder.path(), &["check", "plan.txt", "--map", "room.map"]);
    assert_eq!((code, out.as_str()), (0, "plan.txt: 1 agent, 2 frames: no conflicts\n"));
    // Without a map, no tile is a wall.
    let (code, out, _) = tilewalk(folder.path(), &["check", "plan.txt"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("plan.txt: walls are not checked: name the map with --map\n"), "{out}");
}

#[test]
fn a_plan_names_its_map_beside_it() {
    let plan = format!("map_file=../maps/room.map\n{PLAN}");
    let folder = folder(&[("plan.txt", &plan), ("room.map", ROOM)]);
    let (code, out, _) = tilewalk(folder.path(), &["check", "plan.txt"]);
    assert_eq!(code, 1);
    assert!(out.contains("on a wall at (1, 1)"), "{out}");
}

#[test]
fn plans_that_cannot_be_checked_end_with_code_2() {
    let folder = folder(&[
        ("broken.txt", "0:(1,2),\n1:(1,y),\n"),
        ("plan.txt", PLAN),
        ("room.map", "height 1\nwidth 1\nmap\n..\n"),
    ]);
    for (args, message) in [
        (&["broken.txt"][..], "broken.txt:2:6: expected a number, found `y),`"),
        (&["plan.txt", "--map", "none.map"], "none.map"),
        (&["plan.txt", "--map", "room.map"], "the header gives width 1"),
        (&["plan.txt", "--paths", "planner"], "no paths of a planner"),
        (&["plan.txt", "--paths", "other"], "expected planner or actual"),
        (&["room.map", "--map", "room.map"], "none of the files is a plan"),
    ] {
        let args = [&["check"], args].concat();
        let (code, _, err) = tilewalk(folder.path(), &args);
        assert_eq!(code, 2, "{args:?}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
}

#[test]
fn run_and_explain_follow_a_plan() {
    let folder = folder(&[("plan.txt", PLAN), ("room.map", ROOM)]);
    let args = ["run", "plan.txt", "--map", "room.map", "--frames", "3", "--trace", "out.csv"];
    let (code, _, err) = tilewalk(folder.path(), &args);
    assert_eq!(code, 0, "{err}");
    let trace = fs::read_to_string(folder.path().join("out.csv")).expect("a trace");
    let last = trace.lines().rfind(|line| line.starts_with("3,")).expect("a row");
    assert!(last.contains(",1.5,1.5,"), "{last}");
    let args = ["explain", "plan.txt", "--map", "room.map", "--frame", "2", "--agent", "1"];
    let (code, _, err) = tilewalk(folder.path(), &args);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn new_writes_expectations_about_plans() {
    let folder = folder(&[]);
    let (code, out, err) = tilewalk(folder.path(), &["new", "--template", "mapf"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("created mapf.expect.toml"), "{out}");
    let text = fs::read_to_string(folder.path().join("mapf.expect.toml")).expect("a file");
    assert_eq!(text.matches("[[expect]]").count(), 4);
    let (code, _, err) = tilewalk(folder.path(), &["new", "--template", "mapf"]);
    assert_eq!(code, 2);
    assert!(err.contains("mapf.expect.toml already exists"), "{err}");
}

/// Each expectation of the template fails exactly if the plan has a conflict of its kind.
#[test]
fn expectations_of_the_template_find_the_conflicts() {
    let folder = folder(&[("room.map", ROOM)]);
    tilewalk(folder.path(), &["new", "--template", "mapf"]);
    let names = [
        "no two agents are on the same tile",
        "no two agents exchange their tiles",
        "no agent is on a wall",
        "no agent jumps",
    ];
    for (plan, broken) in [
        ("0:(0,0),(3,0),\n1:(1,0),(3,0),\n2:(1,0),(2,0),\n", None),
        ("0:(0,0),(2,0),\n1:(1,0),(1,0),\n", Some(names[0])),
        ("0:(0,0),(1,0),\n1:(1,0),(0,0),\n", Some(names[1])),
        ("0:(0,0),(1,0),\n1:(0,0),(1,1),\n", Some(names[2])),
        ("0:(0,0),(3,0),\n1:(0,0),(3,2),\n", Some(names[3])),
    ] {
        fs::write(folder.path().join("plan.txt"), plan).expect("a plan");
        let args = ["test", "plan.txt", "--map", "room.map", "--expect", "mapf.expect.toml"];
        let (code, out, err) = tilewalk(folder.path(), &args);
        assert_eq!(code, i32::from(broken.is_some()), "{plan}{out}{err}");
        for name in names {
            let line = out.lines().find(|line| line.contains(name)).expect("a verdict");
            assert_eq!(line.starts_with("FAIL"), broken == Some(name), "{plan}{out}");
        }
    }
}

#[test]
fn other_text_and_json_files_are_no_plans() {
    let folder = folder(&[("cave.txt", "###\n#.#\n###\n"), ("map.json", "{\"layers\":[]}\n")]);
    let (_, out, err) = tilewalk(folder.path(), &["check", "cave.txt"]);
    assert!(out.contains("1 file: no errors"), "{out}{err}");
    let (code, _, _) = tilewalk(folder.path(), &["check", "map.json"]);
    assert_eq!(code, 1);
}
