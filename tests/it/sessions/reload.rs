//! Sessions in which files are saved.

#![expect(clippy::disallowed_methods, reason = "a test measures the time until a save is applied")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::desk::Log;
use crate::support::pty::{Session, all_hashes_match};

/// The castle and its patterns in a folder of their own.
struct Castle {
    folder: tempfile::TempDir,
}

impl Castle {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in ["maps/castle.toml", "patterns/castle_round.toml", "patterns/look_round.toml"] {
            let to = folder.path().join(file);
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
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

/// The state hash in the status line.
fn hash(screen: &str) -> Option<String> {
    let hashes = screen.match_indices('#').filter_map(|(at, _)| screen.get(at + 1..at + 9));
    hashes.into_iter().find(|text| text.chars().all(|c| c.is_ascii_hexdigit())).map(str::to_owned)
}

/// What the status line says.
fn status(screen: &str) -> &str {
    screen.lines().rev().nth(1).unwrap_or_default()
}

fn save(path: &Path, text: &str) {
    let fresh = path.with_extension("toml.new");
    fs::write(&fresh, text).expect("file is written");
    fs::rename(&fresh, path).expect("file is renamed");
}

/// The hash of frame 300 of the run that is looked at.
fn hash_at_300(session: &mut Session) -> String {
    session.send("\u{1b}[Z\t");
    session.wait_until("frame 300", |screen| {
        status(screen).contains("frame 300 ") && hash(status(screen)).is_some()
    });
    hash(status(&session.screen())).expect("a hash")
}

#[test]
fn a_patrol_is_changed_broken_mended_and_undone_while_it_is_watched() {
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
    let text = fs::read_to_string(castle.round()).expect("the patrol");
    let vertex = text.lines().find(|line| line.starts_with("vertices")).expect("vertices");
    let other = text.replace(vertex, &edited(vertex));
    save(&castle.round(), &other);
    session.wait_for(": castle_round.toml; ghost: run 1");
    session.wait_for("ghost");
    assert!(status(&session.screen()).contains("frame 300 "), "{}", session.screen());
    // The timeline tells where they part, the inspector since when and both values.
    session.wait_for("≠");
    session.wait_for("differs from run 1 since frame");
    session.wait_for("mode  ghost home  this run look");
    let second = hash_at_300(&mut session);
    assert_ne!(first, second);

    // Before and after, at the same frame.
    session.send("a\u{1b}[Z\t");
    session.wait_until("run 1 at 300", |screen| {
        status(screen).contains("ghost: run 2") && status(screen).contains("frame 300 ")
    });
    assert_eq!(hash_at_300(&mut session), first);
    session.send(":after\r\u{1b}[Z\t");
    session.wait_until("run 2 at 300", |screen| status(screen).contains("ghost: run 1"));
    assert_eq!(hash_at_300(&mut session), second);

    // Broken: what is there goes on.
    save(&castle.round(), &other.replace("closed", "closd"));
    session.wait_for("castle_round.toml:");
    session.wait_for("D: more");
    session.send("D");
    session.wait_for("did you mean `closed`?");
    session.wait_for("^^^^^");
    session.send("\u{1b}");
    session.wait_until("the map", |screen| !screen.contains("did you mean"));
    session.send(".");
    session.wait_until("time goes on", |screen| status(screen).contains("frame 301 "));
    session.send(",");

    // Mended, then undone.
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
    let told = String::from_utf8(verify.expect("binary runs").stdout).expect("text");
    assert_eq!(told.lines().count(), 3, "{told}");
    assert!(all_hashes_match(&told), "{told}");
}

/// The line with the first vertex moved by a tile.
fn edited(vertices: &str) -> String {
    let begin = vertices.find("[[").expect("vertices") + 2;
    let end = begin + vertices[begin..].find(',').expect("two numbers");
    let x: i64 = vertices[begin..end].trim().parse().expect("a number");
    format!("{}{}{}", &vertices[..begin], x + 1, &vertices[end..])
}

#[test]
fn a_seed_of_the_command_line_stays_and_so_does_time() {
    let castle = Castle::new();
    let mut session = Session::start_with(&[&castle.map(), "--seed", "99"], &[], (120, 40));
    session.wait_for("playing");
    session.wait_for("seed 99");
    let text = fs::read_to_string(castle.map()).expect("the map");
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
fn the_person_is_asked_if_that_is_the_wish() {
    let castle = Castle::new();
    let config = castle.folder.path().join("config.toml");
    fs::write(&config, "on_reload = \"ask\"\n").expect("file is written");
    let config = config.display().to_string();
    let mut session = Session::start_with(&[&castle.map(), "--config", &config], &[], (120, 40));
    session.wait_for("playing");
    session.send(" :goto 50\r");
    session.wait_for("frame 50 ");
    let text = fs::read_to_string(castle.map()).expect("the map");
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
fn a_save_is_applied_within_two_seconds_while_other_files_of_the_folder_are_written() {
    let castle = Castle::new();
    let beside = |name: &str| castle.folder.path().join("maps").join(name);
    let record = beside("castle.twr").display().to_string();
    let _log = Log::start(&beside("castle.log"));
    let session = Session::start_with(&[&castle.map(), "--record", &record], &[], (120, 40));
    session.wait_for("playing");
    let text = fs::read_to_string(castle.map()).expect("the map");
    for run in 2..=6 {
        let saved = Instant::now();
        save(Path::new(&castle.map()), &format!("{text}# run {run}\n"));
        session.wait_for(&format!("run {run} "));
        assert!(saved.elapsed() < Duration::from_secs(2), "run {run}: {:?}", saved.elapsed());
    }
    session.quit();
}
