//! `tilewalk render`: output, exit codes, errors. No command has a terminal.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use super::formats::{gif, png};

/// Runs a command in a folder without a terminal. Returns the exit code, standard output and standard error.
pub fn run(folder: &Path, args: &[&str]) -> (i32, Vec<u8>, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("the binary");
    let output = command.current_dir(folder).env_remove("TERM").args(args).output();
    let output = output.expect("the output");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code().expect("a code"), output.stdout, err)
}

pub fn map(name: &str) -> String {
    format!("{}/maps/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn maps_recordings_and_traces_become_pictures_without_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let castle = map("castle");
    let record = ["run", &castle, "--frames", "40", "--record", "a.twr", "--trace", "a.csv"];
    assert_eq!(run(folder.path(), &record).0, 0);
    for (file, more) in [(&*castle, &[][..]), ("a.twr", &[]), ("a.csv", &["--map", &castle])] {
        let args = ["render", file, "--frame", "40", "--output", "a.png", "--width", "400"];
        let (code, out, err) = run(folder.path(), &[&args, more].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{file}");
        assert_eq!(out, b"wrote a.png (1 frame)\n");
        let (width, _, pixels) = png(&fs::read(folder.path().join("a.png")).expect("a picture"));
        assert_eq!(width, 400);
        assert!(pixels.iter().any(|channel| *channel < 100));
    }
    // Positions of the recording and of the trace are those of the map's run.
    let svg = |file: &str, more: &[&str]| {
        let args = ["render", file, "--frame", "40", "--output", "a.svg", "--overlays", "none"];
        assert_eq!(run(folder.path(), &[&args, more].concat()).0, 0);
        let text = fs::read_to_string(folder.path().join("a.svg")).expect("a picture");
        let discs = text.lines().filter(|line| line.contains("data-agent="));
        discs.map(|line| line.split(" r=").next().unwrap_or(line).to_owned()).collect::<Vec<_>>()
    };
    let discs = svg(&castle, &[]);
    assert_eq!(discs.len(), 2);
    assert_eq!(svg("a.twr", &[]), discs);
}

#[test]
fn a_recording_is_a_film_up_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = ["run", &map("castle"), "--frames", "30", "--record", "a.twr"];
    assert_eq!(run(folder.path(), &record).0, 0);
    let args = ["render", "a.twr", "--output", "a.gif", "--every", "10", "--width", "300"];
    assert_eq!(run(folder.path(), &args).0, 0);
    let (_, frames) = gif(&fs::read(folder.path().join("a.gif")).expect("a film"));
    assert_eq!(frames.len(), 4);
    assert_eq!(frames.iter().map(|(_, delay)| delay).sum::<u16>(), 200);
    let fast = ["--speed", "2", "--fps", "5"];
    assert_eq!(run(folder.path(), &[&args[..], &fast].concat()).0, 0);
    let (_, frames) = gif(&fs::read(folder.path().join("a.gif")).expect("a film"));
    assert_eq!(frames.iter().map(|(_, delay)| delay).sum::<u16>(), 40);
}

#[test]
fn until_ends_a_film_and_selects_the_frame_of_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let castle = map("castle");
    let until = ["render", &castle, "--until", "guard.mode == \"chase\"", "--to", "400"];
    let film = [&until[..], &["--every", "40", "--output", "a.gif", "--width", "300"]].concat();
    assert_eq!(run(folder.path(), &film).0, 0);
    let (_, frames) = gif(&fs::read(folder.path().join("a.gif")).expect("a film"));
    assert_eq!(frames.len(), 5, "frames 0, 40, 80, 120 and 146");
    let picture = [&until[..], &["--output", "a.svg"]].concat();
    assert_eq!(run(folder.path(), &picture).0, 0);
    let text = fs::read_to_string(folder.path().join("a.svg")).expect("a picture");
    assert!(text.contains("frame 146   7.30 s"));
    let never = ["render", &castle, "--until", "guard.x > 900", "--to", "9", "--output", "b.svg"];
    let (code, _, err) = run(folder.path(), &never);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("never true"), "{err}");
    assert!(!folder.path().join("b.svg").exists());
}

#[test]
fn bad_requests_are_refused_and_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let castle = map("castle");
    assert_eq!(run(folder.path(), &["run", &castle, "--frames", "9", "--record", "a.twr"]).0, 0);
    fs::write(folder.path().join("old.svg"), "old").expect("a file");
    let cases: [(&[&str], &str); 16] = [
        (
            &["--output", "a.jpg"],
            "the file name must end in .svg, .pdf, .png, .txt, .gif, .cast or .y4m",
        ),
        (&["--output", "a"], "the file name must end in"),
        (&["--output", "-"], "--output - needs --format"),
        (&["--output", "no/where.svg"], "cannot write no/where.svg: No such file or directory"),
        (&["--output", "/dev/full", "--format", "png"], "cannot write /dev/full: No space left"),
        (
            &["--output", "a.svg", "--crop", "0,0,1000000,1000000"],
            "is not on the map, which is 0,0,35,10",
        ),
        (&["--output", "old.svg", "--crop", "5,5,5,9"], "is not on the map"),
        (&["--output", "a.svg", "--crop", "1,2,3"], "expected four numbers"),
        (&["--output", "a.png", "--width", "1000000"], "expected a width from 64 to 8192 pixels"),
        (&["--output", "a.gif"], "missing option --to <B>: a map has no last frame"),
        (&["--output", "a.svg", "--to", "9"], "a .svg file has one frame: use --frame N"),
        (
            &["--output", "a.gif", "--to", "9", "--from", "10"],
            "--from 10 is after the last frame 9",
        ),
        (
            &["--output", "a.gif", "--to", "9", "--fps", "60"],
            "a GIF has at most 50 frames per second",
        ),
        (
            &["--output", "old.svg", "--agent", "gaurd"],
            "unknown agent `gaurd`: did you mean `guard`?",
        ),
        (&["--output", "a.svg", "--overlays", "trial"], "unknown overlay `trial`"),
        (
            &["--output", "a.svg", "--overlays", "minimap"],
            "only --look screen shows the overlay `minimap`",
        ),
    ];
    for (args, expected) in cases {
        let (code, out, err) = run(folder.path(), &[&["render", &castle], args].concat());
        assert_eq!((code, out.len()), (2, 0), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
    let late = ["render", "a.twr", "--frame", "10", "--output", "a.svg"];
    let (code, _, err) = run(folder.path(), &late);
    assert_eq!((code, err.as_str()), (2, "tilewalk: no frame 10: the last frame is 9\n"));
    assert_eq!(names(folder.path()), ["a.twr", "old.svg"], "nothing was written");
    assert_eq!(fs::read_to_string(folder.path().join("old.svg")).expect("a file"), "old");
}

#[test]
fn raw_frames_are_streamed_to_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let args =
        ["render", &map("yard"), "--to", "4", "--output", "-", "--format", "y4m", "--width", "201"];
    let (code, out, err) = run(folder.path(), &args);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with(b"YUV4MPEG2 W202 H"), "the width is even");
    assert_eq!(out.windows(6).filter(|part| part == b"FRAME\n").count(), 5);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(feature = "tui")]
#[test]
fn the_screen_becomes_pictures_and_films_without_a_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let castle = map("castle");
    let screen = ["render", &castle, "--look", "screen", "--agent", "thief", "--size", "100x30"];
    let text = [&screen[..], &["--frame", "146", "--output", "a.txt"]].concat();
    assert_eq!(run(folder.path(), &text).0, 0);
    let text = fs::read_to_string(folder.path().join("a.txt")).expect("a text");
    assert_eq!(text.lines().count(), 30);
    assert!(text.contains("frame 146") && text.contains("Castle: patrol"), "{text}");
    for file in ["a.cast", "a.gif"] {
        let film = [&screen[..], &["--to", "20", "--every", "10", "--output", file]].concat();
        let film = [&film[..], &["--width", "500"]].concat();
        let (code, out, err) = run(folder.path(), &film);
        assert_eq!((code, err.as_str()), (0, ""));
        assert_eq!(out, format!("wrote {file} (3 frames)\n").into_bytes());
    }
    let cast = fs::read_to_string(folder.path().join("a.cast")).expect("a film");
    assert!(cast.starts_with("{\"version\":3,\"term\":{\"cols\":100,\"rows\":30}"), "{cast}");
    let (size, frames) = gif(&fs::read(folder.path().join("a.gif")).expect("a film"));
    assert_eq!((size[0], frames.len()), (500, 3));
}

/// The pictures of failed expectations have the same bytes for any number of threads. The results name them.
#[test]
fn failed_expectations_have_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "tiles = \"\"\"\n.....\n.....\n\"\"\"\n\
                agent = [{ name = \"cat\", at = [1, 0] }]\n\
                expect = [{ name = \"flies\", never = \"cat.x < 9\", duration = 1 }, { name = \"waits\", never = \"frame == 3\", duration = 1 }]\n";
    fs::write(folder.path().join("m.toml"), text).expect("a map");
    let pictures: Vec<_> = ["1", "4"]
        .map(|jobs| {
            let kept = format!("kept{jobs}");
            let args = ["test", "m.toml", "--keep", &kept, "--jobs", jobs, "--format", "junit"];
            let (code, out, err) = run(folder.path(), &args);
            let out = String::from_utf8(out).expect("UTF-8");
            assert_eq!(code, 1, "{out} {err}");
            let path = folder.path().join(&kept);
            let files: Vec<String> =
                names(&path).into_iter().filter(|name| name.contains(".svg")).collect();
            assert_eq!(files.len(), 2, "{err}");
            for file in &files {
                assert!(out.contains(&format!("picture: {kept}/{file}")), "{out}");
            }
            files
                .iter()
                .map(|file| fs::read(path.join(file)).expect("a picture"))
                .collect::<Vec<_>>()
        })
        .into_iter()
        .collect();
    assert!(pictures[0] == pictures[1]);
    let waits = String::from_utf8(pictures[0][1].clone()).expect("text");
    assert!(waits.contains("frame 3 "), "the picture shows the failing frame");
}
