//! Seeking, branching and replaying in whole sessions.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::pty::{Session, all_hashes_match};

#[test]
fn a_run_branched_by_manual_control_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("folder is created");
    let file = folder.path().join("dodge.twr");
    let path = file.to_str().expect("a plain path");
    let mut session = Session::start_with(&["maps/dodge.toml", "--record", path], &[], (120, 40));
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    session.send("r>>>");
    session.wait_for("frame 30 ");
    session.send("<");
    session.wait_for("frame 20 ");
    session.send("i\u{1b}[A");
    session.wait_for("run 2 branches at frame 20; ghost: run 1");
    for frame in 22..25 {
        session.send("\u{1b}[A");
        session.wait_for(&format!("frame {frame} "));
    }
    session.send("\u{1b}");
    session.wait_for("stopped driving");
    session.send("\t");
    session.wait_for("ghost: run 1, branched at 20");
    let hash = hash_on(&session.screen());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);

    let verify = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["verify", path]).output();
    let output = String::from_utf8(verify.expect("binary runs").stdout).expect("text");
    assert_eq!(output.lines().count(), 2, "{output}");
    assert!(all_hashes_match(&output), "{output}");

    let mut session = Session::start_with(&["replay", path, "--frame", "24"], &[], (120, 40));
    session.wait_for("frame 24 ");
    session.wait_for("seed ");
    assert_eq!(hash_on(&session.screen()), hash, "{}", session.screen());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

/// Returns the first state hash on the screen.
fn hash_on(screen: &str) -> String {
    let hashes = screen.match_indices('#').filter_map(|(at, _)| screen.get(at + 1..at + 9));
    let mut hashes = hashes.filter(|text| text.chars().all(|c| c.is_ascii_hexdigit()));
    hashes.next().unwrap_or_else(|| panic!("no hash on\n{screen}")).to_owned()
}

/// Writes a copy of the castle into a folder. In the copy, the guard chases by steering, so the chase has a
/// weight. Returns the path of the map.
fn write_castle_with_a_weight(folder: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a shipped file");
    let map = read("maps/castle.toml");
    let steered = "steer = [{ do = \"pursue\", target = \"thief\", weight = 1 }]\n";
    let changed = map.replace("chase  = \"thief\"\npace   = 4\n", steered);
    assert_ne!(map, changed, "the castle's guard has no chase to replace");
    for (file, text) in [
        ("maps/castle.toml", changed),
        ("patterns/castle_round.toml", read("patterns/castle_round.toml")),
        ("patterns/look_round.toml", read("patterns/look_round.toml")),
    ] {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("path has a parent")).expect("folder is created");
        fs::write(to, text).expect("file is copied");
    }
    folder.join("maps/castle.toml").display().to_string()
}

#[test]
fn a_breakpoint_finds_a_chase_and_another_weight_starts_a_new_run() {
    let folder = tempfile::tempdir().expect("folder is created");
    let map = write_castle_with_a_weight(folder.path());
    let file = folder.path().join("castle.twr");
    let path = file.to_str().expect("a plain path");
    let mut session = Session::start_with(&[&map, "--record", path], &[], (200, 40));
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    // Find the start of the chase and its cause.
    session.send("r:break guard.mode == \"chase\"\r");
    session.wait_for("c: next hit");
    session.send("c");
    session.wait_for("frame 146: breakpoint 1");
    session.wait_for("patrol → chase: sees(thief)");
    session.send(",,,");
    session.wait_for("frame 143 ");
    session.wait_for("sees(thief): no");
    session.send(".");
    session.wait_for("frame 144 ");
    session.wait_for("sees(thief): no");
    session.send(".");
    session.wait_for("frame 145 ");
    session.wait_for("sees(thief): yes");
    // A lower weight starts a new run. The old run is shown as a ghost.
    session.send(">");
    session.wait_for("frame 146: breakpoint 1");
    session.send(">");
    session.wait_for("frame 156 ");
    session.send(",,,");
    session.wait_for("frame 153 ");
    session.send(":set guard.chase.steer.1.weight=0.5\r");
    session.wait_for("guard.chase.steer.1.weight: 1 → 0.5 from frame 154 on, in a new run");
    session.send(".");
    session.wait_for("ghost: run 1, branched at 153");
    session.send(">");
    // A message can name the frame before the status line shows it.
    session.wait_for("frame 165  8.25 s");
    let screen = session.screen();
    let (frame, hash) = (frame_on(&screen), hash_on(&screen));
    session.send("q");
    session.wait_for("weight 1 → 0.5");
    session.wait_for("w writes; q again leaves");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();

    let verify = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["verify", path]).output();
    let output = String::from_utf8(verify.expect("binary runs").stdout).expect("text");
    assert!(all_hashes_match(&output), "{output}");
    let mut session = Session::start_with(&["replay", path, "--frame", &frame], &[], (200, 40));
    session.wait_for(&format!("frame {frame} "));
    session.wait_for("seed ");
    assert_eq!(hash_on(&session.screen()), hash, "{}", session.screen());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

/// Returns the last frame number on the screen.
fn frame_on(screen: &str) -> String {
    let (_, rest) = screen.rsplit_once("frame ").expect("a frame");
    rest.split_whitespace().next().expect("a number").to_owned()
}
