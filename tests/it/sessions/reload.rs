//! Reloads in the real program: files of the map are saved while a session runs.

#![expect(clippy::disallowed_methods, reason = "a test measures the time until a save is applied")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::pty::{Session, all_hashes_match};
use crate::support::temp_folder::Log;

/// A temporary folder with the castle and its patterns.
struct Castle {
    folder: tempfile::TempDir,
}

impl Castle {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder is created");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in ["maps/castle.toml", "patterns/castle_round.toml", "patterns/look_round.toml"] {
            let to = folder.path().join(file);
            fs::create_dir_all(to.parent().expect("path has a parent")).expect("folder is created");
            fs::copy(root.join(file), to).expect("file is copied");
        }
        Self { folder }
    }

    fn map(&self) -> String {
        self.folder.path().join("maps/castle.toml").display().to_string()
    }

    fn round(&self) -> PathBuf {
        self.folder.path().join("patterns/castle_round.toml")
    }
}

/// Returns the first state hash in a text.
fn hash(screen: &str) -> Option<String> {
    let hashes = screen.match_indices('#').filter_map(|(at, _)| screen.get(at + 1..at + 9));
    hashes.into_iter().find(|text| text.chars().all(|c| c.is_ascii_hexdigit())).map(str::to_owned)
}

/// Returns the status line.
fn status(screen: &str) -> &str {
    screen.lines().rev().nth(1).unwrap_or_default()
}

/// Saves a file by an atomic rename, as editors do.
fn save(path: &Path, text: &str) {
    let temporary = path.with_extension("toml.new");
    fs::write(&temporary, text).expect("file is written");
    fs::rename(&temporary, path).expect("file is renamed");
}

/// Returns the hash of frame 300 of the current run.
fn hash_at_300(session: &mut Session) -> String {
    session.send("\u{1b}[Z\t");
    session.wait_until("frame 300", |screen| {
        status(screen).contains("frame 300 ") && hash(status(screen)).is_some()
    });
    hash(status(&session.screen())).expect("status line shows a hash")
}

#[test]
fn saved_files_start_new_runs_and_files_with_errors_keep_the_current_run() {
    let castle = Castle::new();
    let record = castle.folder.path().join("castle.twr").display().to_string();
    let mut session = Session::start_with(&[&castle.map(), "--record", &record], &[], (200, 60));
    session.wait_for("playing");
    session.send(" :goto 400\r");
    session.wait_for("reached frame 400");
    session.send(":goto 300\r");
    session.wait_until("frame 300", |screen| status(screen).contains("frame 300 "));
    let first = hash_at_300(&mut session);

    // One vertex of the patrol is moved.
    let text = fs::read_to_string(castle.round()).expect("pattern is readable");
    let vertex = text.lines().find(|line| line.starts_with("vertices")).expect("vertices");
    let other = text.replace(vertex, &with_moved_vertex(vertex));
    save(&castle.round(), &other);
    session.wait_for(": castle_round.toml; ghost: run 1");
    session.wait_for("ghost");
    assert!(status(&session.screen()).contains("frame 300 "), "{}", session.screen());
    // The timeline marks the first difference. The inspector shows its frame and both values.
    session.wait_for("≠");
    session.wait_for("differs from run 1 since frame");
    session.wait_for("mode  ghost home  this run look");
    let second = hash_at_300(&mut session);
    assert_ne!(first, second);

    // The runs before and after the edit are shown at the same frame.
    session.send("a\u{1b}[Z\t");
    session.wait_until("run 1 at 300", |screen| {
        status(screen).contains("ghost: run 2") && status(screen).contains("frame 300 ")
    });
    assert_eq!(hash_at_300(&mut session), first);
    session.send(":after\r\u{1b}[Z\t");
    session.wait_until("run 2 at 300", |screen| status(screen).contains("ghost: run 1"));
    assert_eq!(hash_at_300(&mut session), second);

    // After an invalid file is saved, the current run continues.
    save(&castle.round(), &other.replace("closed", "closd"));
    session.wait_for("castle_round.toml:");
    session.wait_for("D: more");
    session.send("D");
    session.wait_for("did you mean `closed`?");
    session.wait_for("^^^^^");
    session.escape("^^^^^");
    session.send(".");
    session.wait_until("the next frame", |screen| status(screen).contains("frame 301 "));
    session.send(",");

    // The error is fixed. Then the original pattern is saved.
    save(&castle.round(), &other);
    session.wait_for("fixed: the files match the running map again");
    session.wait_until("no banner", |screen| !screen.contains("D: more"));
    assert_eq!(hash_at_300(&mut session), second);
    save(&castle.round(), &text);
    session.wait_for("run 3 (same as run 1) first differs from run 2 at frame");
    assert_eq!(hash_at_300(&mut session), first);
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();

    let verify = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["verify", &record]).output();
    let output = String::from_utf8(verify.expect("binary runs").stdout).expect("text");
    assert_eq!(output.lines().count(), 3, "{output}");
    assert!(all_hashes_match(&output), "{output}");
}

/// Returns the line `vertices` with the first vertex moved by one tile.
fn with_moved_vertex(vertices: &str) -> String {
    let begin = vertices.find("[[").expect("vertices") + 2;
    let end = begin + vertices[begin..].find(',').expect("vertex has two numbers");
    let x: i64 = vertices[begin..end].trim().parse().expect("x is a number");
    format!("{}{}{}", &vertices[..begin], x + 1, &vertices[end..])
}

#[test]
fn a_reload_keeps_the_seed_of_the_command_line_and_continues_playback() {
    let castle = Castle::new();
    let mut session = Session::start_with(&[&castle.map(), "--seed", "99"], &[], (120, 40));
    session.wait_for("playing");
    session.wait_for("seed 99");
    let text = fs::read_to_string(castle.map()).expect("map is readable");
    save(Path::new(&castle.map()), &format!("{text}# a comment\n"));
    session.wait_for("run 2 matches run 1 up to frame");
    session.wait_for("playing");
    session.send(" :goto 30\r");
    session.send("\t");
    session.wait_for("seed 99");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn with_on_reload_ask_a_save_asks_how_to_continue() {
    let castle = Castle::new();
    let config = castle.folder.path().join("config.toml");
    fs::write(&config, "on_reload = \"ask\"\n").expect("file is written");
    let config = config.display().to_string();
    let mut session = Session::start_with(&[&castle.map(), "--config", &config], &[], (120, 40));
    session.wait_for("playing");
    session.send(" :goto 50\r");
    session.wait_for("frame 50 ");
    let text = fs::read_to_string(castle.map()).expect("map is readable");
    save(Path::new(&castle.map()), &format!("{text}# one\n"));
    session.wait_for("saved: castle.toml");
    session.send("\u{1b}");
    session.wait_for("R asks again");
    session.send("R");
    session.wait_for("h continue here");
    session.send("h");
    session.wait_for("run 2 matches run 1");
    session.send("\t");
    session.wait_for("frame 51 ");
    save(Path::new(&castle.map()), &format!("{text}# two\n"));
    session.wait_for("saved: castle.toml");
    session.send("r");
    session.wait_for("run 3 matches run 2");
    session.send("\t");
    session.wait_for("frame 0 ");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn a_save_is_applied_within_two_seconds_while_other_files_are_written() {
    let castle = Castle::new();
    let path = |name: &str| castle.folder.path().join("maps").join(name);
    let record = path("castle.twr").display().to_string();
    let _log = Log::start(&path("castle.log"));
    let session = Session::start_with(&[&castle.map(), "--record", &record], &[], (120, 40));
    session.wait_for("playing");
    let text = fs::read_to_string(castle.map()).expect("map is readable");
    for run in 2..=6 {
        let saved = Instant::now();
        save(Path::new(&castle.map()), &format!("{text}# run {run}\n"));
        session.wait_for(&format!("run {run} "));
        assert!(saved.elapsed() < Duration::from_secs(2), "run {run}: {:?}", saved.elapsed());
    }
    session.quit();
}
