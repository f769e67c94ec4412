//! The command line: exit codes, summaries, traces.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;

fn tilewalk(args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).assert()
}

fn output_text(assert: &assert_cmd::assert::Assert) -> (String, String) {
    let output = assert.get_output();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn trace(folder: &Path, map: &str, frames: u64, ending: &str) -> PathBuf {
    let path = folder.join(format!("trace.{ending}"));
    let shown = path.display().to_string();
    tilewalk(&["run", map, "--frames", &frames.to_string(), "--trace", &shown]).success();
    path
}

/// The guard visits the 34 tiles of the rectangle in order, one every `pace` frames.
#[test]
fn the_guard_of_the_rectangle_map_walks_its_path_in_a_loop() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = fs::read_to_string(trace(folder.path(), "maps/rectangle.toml", 200, "csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("frame,time,agent,mode,x,y,vx,vy,heading,tile_x,tile_y,smoothed_heading,hx,hy")
    );
    let tiles: Vec<(i32, i32)> = lines
        .map(|line| {
            let columns: Vec<&str> = line.split(',').collect();
            assert_eq!((columns[2], columns[3]), ("guard", "path"));
            (columns[9].parse().unwrap(), columns[10].parse().unwrap())
        })
        .collect();
    assert_eq!(tiles.len(), 201);
    let side = |from: (i32, i32), step: (i32, i32), count| {
        (0..count).map(move |i| (from.0 + step.0 * i, from.1 + step.1 * i))
    };
    let lap: Vec<_> = side((3, 2), (0, 1), 8)
        .chain(side((3, 10), (1, 0), 9))
        .chain(side((12, 10), (0, -1), 8))
        .chain(side((12, 2), (-1, 0), 9))
        .collect();
    assert_eq!(lap.iter().collect::<BTreeSet<_>>().len(), 34);
    for (frame, &tile) in tiles.iter().enumerate() {
        assert_eq!(tile, lap[frame / 4 % 34], "frame {frame}");
    }
}

#[test]
fn csv_and_ndjson_traces_have_the_same_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let csv = fs::read_to_string(trace(folder.path(), "maps/yard.toml", 30, "csv")).unwrap();
    let json = fs::read_to_string(trace(folder.path(), "maps/yard.toml", 30, "ndjson")).unwrap();
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(csv.lines().count() - 1, json.lines().count());
    for (row, object) in csv.lines().skip(1).zip(json.lines()) {
        let object: serde_json::Value = serde_json::from_str(object).expect("JSON");
        for (name, value) in names.iter().zip(row.split(',')) {
            match &object[*name] {
                serde_json::Value::String(text) => assert_eq!(text, value),
                number => assert_eq!(number.as_f64(), value.parse().ok(), "{name}"),
            }
        }
    }
}

#[test]
fn trace_numbers_round_trip_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = trace(folder.path(), "maps/torus.toml", 50, "csv");
    let text = fs::read_to_string(path).unwrap();
    for number in text.lines().skip(1).flat_map(|line| line.split(',').skip(4).take(5)) {
        let value: f32 = number.parse().expect("a number");
        assert_eq!(value.to_string(), number);
        assert!(value.is_finite() && number != "-0");
    }
}

#[test]
fn run_prints_its_summary_as_text_or_json() {
    let human = tilewalk(&["run", "maps/snake.toml", "--frames", "400", "--hash-every", "200"]);
    let (out, err) = output_text(&human.success());
    assert!(out.contains("frames  400 (20 s)") && out.contains("signal 2"), "{out}");
    assert_eq!((out.matches("hash").count(), err.as_str()), (4, ""));
    let json = tilewalk(&["run", "maps/snake.toml", "--frames", "400", "--json"]).success();
    let summary: serde_json::Value = serde_json::from_str(&output_text(&json).0).expect("JSON");
    assert_eq!(summary["frames"], 400);
    assert_eq!(summary["agents"], 1);
    assert!(out.contains(summary["hash"].as_str().unwrap()));
}

#[test]
fn the_json_summary_of_run_lists_each_agent() {
    let json = tilewalk(&["run", "maps/couriers.toml", "--frames", "400", "--json"]).success();
    let summary: serde_json::Value = serde_json::from_str(&output_text(&json).0).expect("JSON");
    let pilgrim = summary["per_agent"].as_array().unwrap().iter().find(|a| a["agent"] == "pilgrim");
    let pilgrim = pilgrim.expect("the pilgrim");
    assert_eq!((pilgrim["blocked"].as_u64(), pilgrim["stuck"].as_u64()), (Some(1), Some(1)));
    assert!(pilgrim["seconds_between_bumps"].is_null());
    let json = tilewalk(&["run", "maps/yard.toml", "--frames", "2000", "--json"]).success();
    let summary: serde_json::Value = serde_json::from_str(&output_text(&json).0).expect("JSON");
    let agents = summary["per_agent"].as_array().unwrap();
    let bumps: u64 = agents.iter().map(|agent| agent["bumps"].as_u64().unwrap()).sum();
    assert_eq!(summary["events"]["bump"].as_u64(), Some(bumps));
    for agent in agents.iter().filter(|agent| agent["bumps"] != 0) {
        let seconds = agent["seconds_between_bumps"].as_f64().unwrap();
        assert!((seconds * agent["bumps"].as_f64().unwrap() - 100.0).abs() < 1e-3);
    }
}

#[test]
fn settings_and_seeds_change_the_run() {
    let hash = |args: &[&str]| {
        let all = [&["run", "maps/yard.toml", "--frames", "100"], args].concat();
        output_text(&tilewalk(&all).success()).0.lines().last().unwrap().to_owned()
    };
    assert_eq!(hash(&[]), hash(&[]));
    assert_ne!(hash(&[]), hash(&["--seed", "9"]));
    assert_ne!(hash(&[]), hash(&["--set", "hound.max_speed=5"]));
    assert_eq!(hash(&[]), hash(&["--set", "hound.max_speed=3.5"]));
}

#[test]
fn exit_codes_of_check_and_run_are_as_documented() {
    tilewalk(&["check", "maps", "patterns", "--strict"]).code(0);
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("broken.toml");
    fs::write(&broken, "tils = 'x'\n").unwrap();
    let broken = broken.display().to_string();
    tilewalk(&["check", &broken]).code(1);
    let (out, err) = output_text(&tilewalk(&["run", &broken, "--frames", "1"]).code(2));
    assert!(out.is_empty() && err.contains("did you mean `tiles`?"), "{err}");
    tilewalk(&["check", "nowhere.toml"]).code(2);
    tilewalk(&["run", "nowhere.toml", "--frames", "1"]).code(2);
    tilewalk(&["run", "maps/yard.toml"]).code(2);
    tilewalk(&["run", "maps/yard.toml", "--frames", "1", "--trace", "x.xls"]).code(2);
    tilewalk(&["run", "maps/yard.toml", "--frames", "1", "--set", "nobody.pace=2"]).code(2);
    for (typed, advice) in [
        ("chek", "did you mean the command `check`?"),
        ("castle", "did you mean `maps/castle.toml`?"),
        ("maps/castle", "did you mean `maps/castle.toml`?"),
        ("frobnicate", "run `tilewalk --help` to list the commands"),
    ] {
        let (_, err) = output_text(&tilewalk(&[typed]).code(2));
        assert!(err.contains(advice) || !cfg!(feature = "tui"), "{err}");
    }
    let rows = folder.path().join("rows.txt");
    fs::write(&rows, "....\n").unwrap();
    let rows = rows.display().to_string();
    // A map of another program runs without a conversion.
    tilewalk(&["run", &rows, "--frames", "1"]).code(0);
    tilewalk(&["--help"]).code(0);
}

#[test]
fn play_without_a_terminal_suggests_run() {
    for args in [&[][..], &["maps/yard.toml"], &["play", "maps/yard.toml"]] {
        let (out, err) = output_text(&tilewalk(args).code(2));
        assert!(out.is_empty() && err.contains("tilewalk run"), "{err}");
    }
}

#[test]
fn check_prints_problems_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("broken.toml");
    fs::write(&broken, "tiles = '..'\ntick = 2\nedges = 'wrp'\n").unwrap();
    let path = broken.display().to_string();
    let json = output_text(&tilewalk(&["check", &path, "--format", "json"]).code(1)).0;
    let found: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let lines: Vec<_> =
        found.as_array().unwrap().iter().map(|each| each["line"].as_u64()).collect();
    assert_eq!(lines, [Some(2), Some(3)]);
}

#[cfg(feature = "tui")]
#[test]
fn the_error_for_a_built_in_map_name_points_to_the_gallery() {
    let folder = tempfile::tempdir().expect("a folder");
    for (typed, name) in [
        ("castle", "castle"),
        ("maps/castle.toml", "castle"),
        ("big.toml", "big"),
        ("why_blocked", "why_blocked"),
    ] {
        let mut command = Command::cargo_bin("tilewalk").expect("the binary");
        let (_, err) = output_text(&command.current_dir(folder.path()).arg(typed).assert().code(2));
        let advice =
            format!("`{name}` is a built-in map: run `tilewalk` and choose the map in the");
        assert!(err.contains(&advice) || !cfg!(feature = "tui"), "{err}");
        assert!(err.contains("no such file"), "{err}");
    }
}

/// The arguments after a mistyped command are not reported as errors of their own.
#[test]
fn errors_name_a_mistyped_command_but_not_its_arguments() {
    for (typed, advice) in [
        (&["paly", "maps/castle.toml"][..], "paly: no such file"),
        (&["paly", "maps/castle.toml"], "did you mean the command `play`?"),
        (&["chek", "maps"], "did you mean the command `check`?"),
        (&["rn", "maps/castle.toml", "--frames", "9"], "did you mean the command `run`?"),
        (&["castle", "--seed", "x"], "did you mean `maps/castle.toml`?"),
        (&["no/such.toml", "maps/castle.toml"], "no/such.toml: no such file"),
        (&["maps/castle.toml", "maps/yard.toml"], "only one map can be opened"),
        (&["run", "maps/castle.toml"], "--frames <N>"),
        (&["--sed", "4"], "a similar argument exists: '--seed'"),
    ] {
        let (out, err) = output_text(&tilewalk(typed).code(2));
        assert!(out.is_empty() && err.contains(advice), "{typed:?}: {err}");
        assert!(!err.contains("subcommand"), "{typed:?}: {err}");
    }
}

#[test]
fn an_error_in_a_setting_points_to_the_command_line_and_not_to_the_map() {
    let run = ["run", "maps/castle.toml", "--frames", "1", "--set", "guard.speed=3"];
    let (_, err) = output_text(&tilewalk(&run).code(2));
    assert!(err.contains("--> --set guard.speed=3:1:7"), "{err}");
    assert!(err.contains("did you mean `max_speed`?") && !err.contains("castle.toml"), "{err}");
}

#[test]
fn play_and_run_do_not_overwrite_an_existing_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.twr");
    fs::write(&path, "mine").unwrap();
    let shown = path.display().to_string();
    let play = ["play", "maps/yard.toml", "--record", &shown];
    let run = ["run", "maps/yard.toml", "--frames", "1", "--record", &shown];
    for typed in [&run[..], &play[..]] {
        if typed[0] == "play" && cfg!(not(feature = "tui")) {
            continue;
        }
        let (_, err) = output_text(&tilewalk(typed).code(2));
        let expected = "a.twr already exists: choose another name, or open the file with";
        assert!(err.contains(expected) && !err.contains("os error"), "{err}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    }
}

/// A pattern is searched for in the map's folder, in its subfolder `patterns`, and in `../patterns`.
#[test]
fn patterns_are_searched_in_three_folders_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("maps/patterns")).unwrap();
    fs::create_dir_all(folder.path().join("patterns")).unwrap();
    let map = "tiles = '.....'\nagent = [{ name = 'a', at = [1, 0], pattern = 'go' }]\n";
    fs::write(folder.path().join("maps/a.toml"), map).unwrap();
    let check = |inside: &str, path: &str| {
        let mut command = Command::cargo_bin("tilewalk").expect("the binary");
        let checked = command.current_dir(folder.path().join(inside)).args(["check", path]);
        output_text(&checked.assert()).0
    };
    let missing = check("", "maps/a.toml");
    let searched = "searched in `maps`, `maps/patterns` and `patterns`";
    assert!(missing.contains("unknown pattern `go`") && missing.contains(searched), "{missing}");
    let missing = check("maps", "a.toml");
    assert!(missing.contains("searched in `.`, `patterns` and `../patterns`"), "{missing}");
    // Each folder takes precedence over the previous ones in this list.
    for (place, fault) in [("patterns", "x"), ("maps/patterns", "y"), ("maps", "z")] {
        let text = format!("kind = 'path'\nvertices = [[0, 0], [2, 0]]\n{fault} = 1\n");
        fs::write(folder.path().join(place).join("go.toml"), text).unwrap();
        let found = check("", "maps/a.toml");
        assert!(found.contains(&format!("unknown key `{fault}`")), "{place}: {found}");
    }
}

#[test]
fn the_option_until_refuses_a_condition_that_takes_too_long() {
    let condition = "any(boid, ".repeat(12) + "x < 0" + &")".repeat(12);
    let mut tool = Command::cargo_bin("tilewalk").expect("the binary");
    tool.args(["run", "maps/flock.toml", "--frames", "10", "--until", &condition]);
    let output = tool.timeout(Duration::from_secs(20)).assert().code(2);
    let errors = output_text(&output).1;
    assert!(errors.contains("comparisons per frame") && errors.contains("--until:1:1"), "{errors}");
}

#[test]
fn schema_prints_the_committed_schemas() {
    for name in ["map", "pattern", "sweep"] {
        let schema = fs::read_to_string(format!("docs/schema/{name}.json")).unwrap();
        tilewalk(&["schema", name]).success().stdout(schema);
    }
}
