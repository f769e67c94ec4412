//! `tilewalk diff`: output, exit codes, errors in broken traces.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

const HEADER: &str = "frame,time,agent,mode,x,y,vx,vy,heading,tile_x,tile_y";

/// Runs `tilewalk diff` in a folder. Returns the exit code, standard output and standard error.
fn diff(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let output = command.current_dir(folder).arg("diff").args(args).output().expect("the output");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (out, err) = (text(output.stdout), text(output.stderr));
    (output.status.code().expect("a code"), out, err)
}

fn record(folder: &Path, map: &str, frames: u32, name: &str) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let map = format!("{}/maps/{map}.toml", env!("CARGO_MANIFEST_DIR"));
    let frames = frames.to_string();
    command.current_dir(folder).args(["run", &map, "--frames", &frames, "--trace", name]);
    command.assert().success();
}

/// Creates a folder with maps and traces. Commands run in it, so that all paths in the output are relative.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let maps = Path::new(env!("CARGO_MANIFEST_DIR"));
    for map in ["yard", "castle", "torus"] {
        let file = format!("{map}.toml");
        fs::copy(maps.join("maps").join(&file), path.join(&file)).expect("a map");
    }
    fs::create_dir(path.join("patterns")).expect("a folder");
    for entry in fs::read_dir(maps.join("patterns")).expect("patterns") {
        let entry = entry.expect("a pattern");
        fs::copy(entry.path(), path.join(entry.file_name())).expect("a pattern");
    }
    record(path, "yard", 50, "yard.csv");
    record(path, "yard", 50, "yard.ndjson");
    record(path, "yard", 40, "short.csv");
    record(path, "castle", 50, "castle.csv");
    let text = fs::read_to_string(path.join("yard.csv")).expect("a trace");
    let frame_of = |line: &str| line.split(',').next().and_then(|frame| frame.parse::<u32>().ok());
    let lines = text
        .lines()
        .filter(|line| !line.contains(",moth,") || frame_of(line).is_some_and(|frame| frame < 12));
    let without_moth: String = lines.flat_map(|line| [line, "\n"]).collect();
    fs::write(path.join("lost.csv"), without_moth).expect("a trace");
    folder
}

#[test]
fn diff_prints_the_first_difference_of_two_runs() {
    let cases: [(i32, &[&str]); 14] = [
        (0, &["yard.toml", "yard.toml"]),
        (0, &["yard.toml", "yard.csv"]),
        (0, &["yard.ndjson", "yard.csv"]),
        (0, &["yard.ndjson", "short.csv", "--frames", "40"]),
        (0, &["castle.toml", "castle.toml", "--frames", "0", "--seed-b", "9"]),
        (1, &["yard.toml", "yard.toml", "--seed-b", "8"]),
        (1, &["castle.toml", "castle.toml", "--seed-b", "9"]),
        (1, &["yard.csv", "short.csv"]),
        (1, &["short.csv", "yard.toml", "--frames", "45"]),
        (1, &["yard.toml", "lost.csv"]),
        (1, &["yard.csv", "castle.csv"]),
        (1, &["yard.csv", "yard.toml", "--seed-b", "8", "--tolerance", "0.02"]),
        (1, &["torus.toml", "yard.toml", "--json", "--frames", "10"]),
        (1, &["yard.csv", "yard.toml", "--set-b", "hound.max_speed=5", "--json"]),
    ];
    let folder = folder();
    let mut answers = String::new();
    for (code, args) in cases {
        let (exit_code, out, err) = diff(folder.path(), args);
        assert_eq!((exit_code, err.as_str()), (code, ""), "{args:?}: {out}");
        writeln!(answers, "$ tilewalk diff {}\n{out}exit {exit_code}\n", args.join(" "))
            .expect("a string");
    }
    insta::assert_snapshot!(answers);
}

#[test]
fn diff_compares_a_recording_like_a_map() {
    let folder = folder();
    let path = folder.path();
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    command.current_dir(path).args(["run", "yard.toml", "--frames", "50", "--record", "yard.twr"]);
    command.assert().success();
    for other in ["yard.toml", "yard.csv", "yard.twr"] {
        let (code, out, err) = diff(path, &["yard.twr", other]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.contains("no differences in 51 frames"), "{out}");
    }
    let (code, out, _) = diff(path, &["yard.twr", "short.csv"]);
    assert!(code == 1 && out.contains("B ends at frame 40; A continues"), "{out}");
    let (code, out, _) = diff(path, &["yard.twr", "yard.toml", "--seed-b", "8"]);
    assert!(code == 1 && out.contains("first difference: frame 1, hare, x"), "{out}");
    fs::write(path.join("bad.twr"), "not one").expect("a file");
    assert_eq!(diff(path, &["bad.twr", "yard.toml"]).0, 2);
}

#[test]
fn diff_reports_a_broken_trace_with_file_and_line() {
    let row = |frame: u32, name: &str| format!("{frame},0,{name},steer,1,1,0,0,0,1,1\n");
    let good = format!("{HEADER}\n{}{}", row(0, "a"), row(1, "a"));
    let json = r#"{"frame":0,"time":0,"agent":"a","mode":"steer","x":1,"y":1,"vx":0,"vy":0,"heading":0,"tile_x":1,"tile_y":1}"#;
    let cases: [(&str, &str, String); 17] = [
        ("csv", "1: a trace must begin with the line", String::new()),
        ("csv", "1: a trace must begin with the line", good.replace("time,", "")),
        (
            "csv",
            "3: missing column `vx`",
            good.replace("1,0,a,steer,1,1,0,0,0,1,1", "1,0,a,steer,1,1"),
        ),
        (
            "csv",
            "3: `x` must be a number, not `one`",
            good.replace("1,0,a,steer,1,", "1,0,a,steer,one,"),
        ),
        ("csv", "2: `y` must be a number, not `NaN`", good.replace("steer,1,1", "steer,1,NaN")),
        ("csv", "2: `tile_x` must be an integer, not `1.5`", good.replace(",1,1\n", ",1.5,1\n")),
        ("csv", "2: `frame` must be an integer, not `-1`", good.replace("\n0,", "\n-1,")),
        ("csv", "2: a trace must begin with frame 0", good.replace("\n0,", "\n1,")),
        ("csv", "3: expected frame 1, found frame 5", good.replace("\n1,", "\n5,")),
        ("csv", "frame 0 lists `a` twice", good.replace("\n1,", "\n0,")),
        ("csv", "3: the last line is incomplete", good.trim_end().to_owned()),
        ("csv", "2: the line is too long", format!("{HEADER}\n{}", "0".repeat(1 << 17))),
        (
            "csv",
            r"2: `agent` must be a name, not `\u{1b}[31m`",
            good.replace(",a,", ",\u{1b}[31m,"),
        ),
        ("ndjson", "1: column 1: expected value", "x\n".to_owned()),
        (
            "ndjson",
            "1: column 107: missing field `x`",
            format!("{}\n", json.replace("\"x\"", "\"z\"")),
        ),
        ("ndjson", "2: the last line is incomplete", format!("{json}\n{json}")),
        (
            "ndjson",
            "1: `x` must be a number, not `\"1\"`",
            format!("{}\n", json.replace("\"x\":1", "\"x\":\"1\"")),
        ),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("good.csv"), &good).expect("a file");
    for (ending, expected, text) in cases {
        let name = format!("bad.{ending}");
        fs::write(folder.path().join(&name), text).expect("a file");
        let (code, out, err) = diff(folder.path(), &["good.csv", &name]);
        assert_eq!((code, out.as_str()), (2, ""), "{expected}: {err}");
        assert!(err.contains(expected) && err.contains(&name), "{expected}: {err}");
    }
    fs::write(folder.path().join("bad.csv"), b"\xFF\n").expect("a file");
    let (code, _, err) = diff(folder.path(), &["bad.csv", "good.csv"]);
    assert_eq!((code, err.as_str()), (2, "tilewalk: bad.csv:1: the line is not valid UTF-8\n"));
}

#[test]
fn diff_refuses_inputs_that_cannot_be_compared() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("bad.toml"), "tiles = 3\n").expect("a file");
    let cases: [(&[&str], &str); 6] = [
        (&["yard.toml", "none.csv"], "none.csv: no such file"),
        (&["yard.toml", "none.toml"], "none.toml: no such file"),
        (&["patterns", "yard.csv"], "patterns: this is a directory"),
        (&["bad.toml", "yard.csv"], "bad.toml:1:9"),
        (&["yard.csv", "yard.csv", "--seed-a", "3"], "yard.csv is not a map"),
        (&["yard.csv", "yard.csv", "--tolerance=-1"], "expected a non-negative number"),
    ];
    for (args, expected) in cases {
        let (code, out, err) = diff(path, args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
}

/// Compares a trace of 40 MB with itself under a memory limit of 32 MiB.
#[cfg(target_os = "linux")]
#[test]
fn diff_does_not_load_whole_traces_into_memory() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.csv");
    let mut file = std::io::BufWriter::new(fs::File::create(&path).expect("a file"));
    writeln!(file, "{HEADER}").expect("a line");
    for frame in 0..200_000 {
        for agent in 1..=4 {
            let row = format!("{frame},0.5,agent.{agent},steer,12.345678,1.25,0.5,0,90.12345,12,1");
            writeln!(file, "{row}").expect("a line");
        }
    }
    file.into_inner().expect("a file that is written");
    assert!(fs::metadata(&path).expect("a file").len() > 40_000_000);
    let binary = assert_cmd::cargo::cargo_bin("tilewalk");
    let mut command = Command::new("sh");
    let script = "ulimit -v 32768; exec \"$0\" diff long.csv long.csv";
    command.current_dir(folder.path()).args(["-c", script]).arg(binary);
    let assert = command.assert().success();
    let out = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(out.contains("no differences in 200000 frames"), "{out}");
}
