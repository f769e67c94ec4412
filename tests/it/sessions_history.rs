//! Whole sessions in a pseudo-terminal, about time.

use std::process::Command;

use super::pty::Session;

#[test]
fn what_is_driven_and_gone_back_on_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("dodge.twr");
    let path = file.to_str().expect("a plain path");
    let mut session = Session::start(&["maps/dodge.toml", "--record", path]);
    session.wait_for("playing");
    session.keys(" ");
    session.wait_for("paused");
    session.keys("r>>>");
    session.wait_for("frame 30 ");
    session.keys("<");
    session.wait_for("frame 20 ");
    session.keys("i\u{1b}[A");
    session.wait_for("run 2 from frame 20; run 1 is a ghost");
    for frame in 22..25 {
        session.keys("\u{1b}[A");
        session.wait_for(&format!("frame {frame} "));
    }
    session.keys("\u{1b}");
    session.wait_for("on its own again");
    session.keys("\t");
    session.wait_for("ghost: run 1, branched at 20");
    let hash = hash_on(&session.screen());
    session.keys("q");
    assert_eq!(session.wait_for_end(), 0);

    let verify = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["verify", path]).output();
    let told = String::from_utf8(verify.expect("the binary").stdout).expect("text");
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(told.lines().all(|line| line.ends_with("the same")), "{told}");

    let mut session = Session::start(&["replay", path, "--frame", "24"]);
    session.wait_for("frame 24 ");
    session.wait_for("seed ");
    assert_eq!(hash_on(&session.screen()), hash, "{}", session.screen());
    session.keys("q");
    assert_eq!(session.wait_for_end(), 0);
}

/// The state hash in the status line.
fn hash_on(screen: &str) -> String {
    let hashes = screen.match_indices('#').filter_map(|(at, _)| screen.get(at + 1..at + 9));
    let mut hashes = hashes.filter(|text| text.chars().all(|c| c.is_ascii_hexdigit()));
    hashes.next().unwrap_or_else(|| panic!("no hash on\n{screen}")).to_owned()
}
