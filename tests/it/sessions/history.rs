//! Time travel in a whole session.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::pty::{Session, all_hashes_match};

#[test]
fn what_is_driven_and_gone_back_on_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
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
    let told = String::from_utf8(verify.expect("the binary").stdout).expect("text");
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(all_hashes_match(&told), "{told}");

    let mut session = Session::start_with(&["replay", path, "--frame", "24"], &[], (120, 40));
    session.wait_for("frame 24 ");
    session.wait_for("seed ");
    assert_eq!(hash_on(&session.screen()), hash, "{}", session.screen());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

/// The state hash in the status line.
fn hash_on(screen: &str) -> String {
    let hashes = screen.match_indices('#').filter_map(|(at, _)| screen.get(at + 1..at + 9));
    let mut hashes = hashes.filter(|text| text.chars().all(|c| c.is_ascii_hexdigit()));
    hashes.next().unwrap_or_else(|| panic!("no hash on\n{screen}")).to_owned()
}

/// A castle whose guard steers while he chases, in a folder of its own; says where the map is.
fn castle_with_a_weight(folder: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a shipped file");
    let map = read("maps/castle.toml");
    let steered = "steer = [{ do = \"pursue\", target = \"thief\", weight = 1 }]\n";
    let changed = map.replace("chase  = \"thief\"\npace   = 4\n", steered);
    assert_ne!(map, changed, "the castle's guard does not chase any more");
    for (file, text) in [
        ("maps/castle.toml", changed),
        ("patterns/castle_round.toml", read("patterns/castle_round.toml")),
        ("patterns/look_round.toml", read("patterns/look_round.toml")),
    ] {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::write(to, text).expect("a copy");
    }
    folder.join("maps/castle.toml").display().to_string()
}

#[test]
fn a_person_finds_the_chase_and_tries_another_weight() {
    let folder = tempfile::tempdir().expect("a folder");
    let map = castle_with_a_weight(folder.path());
    let file = folder.path().join("castle.twr");
    let path = file.to_str().expect("a plain path");
    let mut session = Session::start_with(&[&map, "--record", path], &[], (200, 40));
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    // Where does the chase begin, and why there?
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
    // What if he pushed harder? That is another run, and the old one is seen beside it.
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
    session.wait_for("frame 165 ");
    let frame = frame_on(&session.screen());
    let hash = hash_on(&session.screen());
    session.send("q");
    session.wait_for("weight 1 → 0.5");
    session.wait_for("w writes; q again leaves");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();

    let verify = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["verify", path]).output();
    let told = String::from_utf8(verify.expect("the binary").stdout).expect("text");
    assert!(all_hashes_match(&told), "{told}");
    let mut session = Session::start_with(&["replay", path, "--frame", &frame], &[], (200, 40));
    session.wait_for(&format!("frame {frame} "));
    session.wait_for("seed ");
    assert_eq!(hash_on(&session.screen()), hash, "{}", session.screen());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

/// The frame's number in the status line.
fn frame_on(screen: &str) -> String {
    let (_, rest) = screen.rsplit_once("frame ").expect("a frame");
    rest.split_whitespace().next().expect("a number").to_owned()
}
