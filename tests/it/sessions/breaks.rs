//! Breakpoints in the real program: finding hits, saving breakpoints and loading them again.

use std::fs;
use std::path::Path;

use crate::support::pty::Session;

/// Copies the castle and its patterns into a folder. Returns the path of the map.
fn copy_castle(folder: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["maps/castle.toml", "patterns/castle_round.toml", "patterns/look_round.toml"] {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("path has a parent")).expect("folder is created");
        fs::copy(root.join(file), to).expect("file is copied");
    }
    folder.join("maps/castle.toml").display().to_string()
}

/// Returns the frame in the status line of a paused map.
fn frame(screen: &str) -> Option<u64> {
    let (_, rest) = screen.rsplit_once("paused")?.1.split_once("frame ")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[test]
fn breakpoints_find_a_chase_in_both_directions_and_are_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("folder is created");
    let map = copy_castle(folder.path());
    let mut session = Session::start_with(&[&map], &[], (120, 40));
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    session.send("r:break guard.mode == \"chase\"\r");
    session.wait_for("c: next hit");
    session.send("c");
    session.wait_until("a break at the chase", |screen| {
        screen.contains("breakpoint 1: guard.mode == \"chase\"") && !screen.contains("c: next hit")
    });
    let first = frame(&session.screen()).expect("a frame");
    session.send("c");
    session.wait_until("the second chase", |screen| frame(screen).is_some_and(|it| it > first));
    let second = frame(&session.screen()).expect("a frame");
    session.send(",,,");
    session.wait_until("three frames earlier", |screen| frame(screen) == Some(second - 3));
    session.send("C");
    session.wait_until("the first chase", |screen| frame(screen) == Some(first));
    session.send("B");
    session.wait_for("3 hits, last at");
    session.send("\u{1b}");
    session.wait_until("the map again", |screen| !screen.contains("3 hits"));
    session.send(":save-breaks\r");
    session.wait_for("castle.breaks.toml");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);

    let breaks_file = Path::new(&map).with_extension("breaks.toml");
    let text = fs::read_to_string(&breaks_file).expect("file is readable");
    assert!(text.contains("when = 'guard.mode == \"chase\"'"), "{text}");
    let mut session = Session::start_with(&[&map], &[], (120, 40));
    session.wait_for("playing");
    session.send(" rc");
    session.wait_until("the first chase again", |screen| frame(screen) == Some(first));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);

    fs::write(&breaks_file, "[[break]]\nwhen = 'gard.mode == \"chase\"'\n")
        .expect("file is written");
    let mut session = Session::start_with(&[&map], &[], (120, 40));
    session.wait_for("castle.breaks.toml:2:9: unknown name");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}
