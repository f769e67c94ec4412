//! Commands that accept a recording instead of a map.

use std::fs;
use std::path::Path;
use std::process;

use tilewalk::command::Command;
use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::{Direction, Vec2};
use tilewalk::history::History;
use tilewalk::history::recorder::Recorder;
use tilewalk::id::AgentId;
use tilewalk::time::Frame;

const MAP: &str = "maps/castle.toml";

/// Runs a command. Returns the exit code, standard output and standard error.
fn tilewalk(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_tilewalk"));
    let output = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Records 300 frames of the castle. Returns the name of the recording.
fn record(folder: &Path) -> String {
    let file = folder.join("castle.twr").display().to_string();
    let (code, ..) = tilewalk(&["run", MAP, "--frames", "300", "--record", &file]);
    assert_eq!(code, Some(0));
    file
}

#[test]
fn commands_print_the_same_output_for_a_recording_as_for_its_map() {
    let folder = tempfile::tempdir().unwrap();
    let file = record(folder.path());
    let until = "guard.mode == \"chase\"";
    let frames = ["--frames", "300"];
    for options in [
        &["run"][..],
        &["run", "--until", until],
        &["run", "--hash-every", "50"],
        &["run", "--trace", "-", "--agent", "thief"],
    ] {
        let of_map = tilewalk(&[options, &[MAP], &frames].concat());
        assert_eq!(tilewalk(&[options, &[&file]].concat()), of_map, "{options:?}");
    }
    let explain = ["explain", "--frame", "146", "--agent", "guard"];
    let (_, of_map, _) = tilewalk(&[&explain[..], &[MAP]].concat());
    let (_, of_recording, _) = tilewalk(&[&explain[..], &[&file]].concat());
    assert_eq!(of_recording, of_map.replace(MAP, &file));
    let (code, out, _) = tilewalk(&["diff", MAP, &file]);
    assert_eq!(code, Some(0), "{out}");
}

#[test]
fn each_run_of_a_recording_can_be_replayed() {
    let origin = Origin::Disk(Path::new(env!("CARGO_MANIFEST_DIR")).join(MAP));
    let map = files::load(&origin, &Options::default()).unwrap().scenario.unwrap();
    let mut history = History::new(map, 1 << 20);
    (0..50).for_each(|_| history.step(&[]));
    history.seek(Frame(20));
    while !history.pursue(|| true) {}
    // Run 2 contains manual control.
    let push = Command::Drive { agent: AgentId(0), direction: Some(Direction::East) };
    (0..40).for_each(|_| history.step(std::slice::from_ref(&push)));
    let mut recorder = Recorder::begin(Vec::new()).unwrap();
    recorder.update(&history).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = &folder.path().join("two.twr").display().to_string();
    fs::write(file, recorder.finish().unwrap()).unwrap();
    let (code, verified, _) = tilewalk(&["verify", file]);
    assert_eq!(code, Some(0));
    assert_eq!(verified.lines().count(), 2);
    for (index, line) in verified.lines().enumerate() {
        let run = (index + 1).to_string();
        let frames = line.split(' ').nth(2).unwrap();
        let (code, out, _) = tilewalk(&["run", file, "--run", &run]);
        assert_eq!(code, Some(0));
        assert!(out.starts_with(&format!("frames  {frames} ")), "{out}{line}");
    }
    let (code, _, errors) = tilewalk(&["run", file, "--run", "99"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("no run 99; the recording has "), "{errors}");
}

#[test]
fn conditions_of_until_follow_agents_by_name_through_a_reload() {
    let load = |agents: &[&str]| {
        let text = format!("tiles = '.......'\n{}", agents.concat());
        let origin = tilewalk::builtin::text("moved.toml", text);
        files::load(&origin, &Options::default()).unwrap().scenario.unwrap()
    };
    let a = "[[agent]]\nname = 'a'\nat = [0, 0]\n";
    let b = "[[agent]]\nname = 'b'\nat = [2, 0]\n";
    let c = "[[agent]]\nname = 'c'\nat = [4, 0]\n";
    let new = load(&[c, a, b]);
    let mut history = History::new(load(&[a, b, c, "group = 'g'\n"]), 1 << 20);
    let agent = new.find("a").unwrap();
    let reload = Command::Reload(new);
    let place = Command::Place { agent, at: Vec2::new(6.5, 0.5) };
    for (frames, command) in [(4, reload), (3, place)] {
        (0..frames).for_each(|_| history.step(&[]));
        history.step(&[command]);
    }
    let mut recorder = Recorder::begin(Vec::new()).unwrap();
    recorder.update(&history).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = &folder.path().join("moved.twr").display().to_string();
    fs::write(file, recorder.finish().unwrap()).unwrap();
    for (until, code, expected) in [
        ("a.x > 3", 0, "until   true at frame 9\n"),
        ("changed(a.x)", 0, "until   true at frame 9\n"),
        ("any(g, x > 100)", 1, "until   never true\n"),
    ] {
        let (found, out, errors) = tilewalk(&["run", file, "--until", until]);
        assert_eq!(found, Some(code), "{until}: {errors}");
        assert!(out.contains(expected), "{until}: {out}");
    }
}

#[test]
fn invalid_options_for_recordings_and_maps_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = record(folder.path());
    let fresh = folder.path().join("b.twr").display().to_string();
    for (arguments, message) in [
        (&["run", &file, "--seed", "3"][..], "is not a map: only maps accept seeds and settings"),
        (&["run", &file, "--record", &fresh], "a recording cannot be recorded again"),
        (&["explain", &file, "--frame", "301", "--agent", "guard"], "the run ends at frame 300"),
        (&["run", MAP], "missing option --frames"),
        (&["run", MAP, "--frames", "9", "--run", "1"], "is not a recording: it has no runs"),
        (&["run", MAP, "--frames", "9", "--trace", "-", "--json"], "--json would print"),
        (&["run", MAP, "--frames", "9", "--trace", "-", "--agent", "x"], "unknown agent `x`"),
    ] {
        let (code, _, errors) = tilewalk(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(errors.contains(message), "{errors}");
    }
    assert!(!Path::new(&fresh).exists());
}

#[test]
fn a_trace_can_be_limited_to_agents_and_groups() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.csv").display().to_string();
    let trace = |agents: &[&str]| {
        let arguments = ["run", "maps/flock.toml", "--frames", "1", "--trace", &file];
        let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
        let arguments: Vec<_> = arguments.into_iter().chain(agents).collect();
        assert_eq!(tilewalk(&arguments).0, Some(0));
        fs::read_to_string(&file).unwrap().lines().count()
    };
    let all = trace(&[]);
    assert_eq!(trace(&["boid.3"]), 3, "a header, and a row for each of two frames");
    assert_eq!(trace(&["boid.3", "boid.7"]), 5);
    assert_eq!(trace(&["boid"]), all);
}

#[test]
fn check_covers_a_recording_and_the_files_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = record(folder.path());
    let (code, out, _) = tilewalk(&["check", "--strict", &file]);
    assert_eq!((code, out.as_str()), (Some(0), "4 files: no errors, no warnings\n"));
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 5]).unwrap();
    let (code, out, _) = tilewalk(&["check", "--strict", &file]);
    assert_eq!(code, Some(1));
    assert!(
        out.contains("castle.twr:1:1") && out.contains(" of incomplete data at the end"),
        "{out}"
    );
    fs::write(&file, "no recording").unwrap();
    let (code, out, _) = tilewalk(&["check", &file]);
    assert_eq!(code, Some(1));
    assert!(out.contains("error: the file is not a recording"), "{out}");
}
