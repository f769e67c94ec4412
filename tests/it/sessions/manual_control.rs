//! Manual control in the real program.

use crate::support::pty::Session;

const UP: &str = "\u{1b}[A";

#[test]
fn the_guard_chases_the_thief_that_the_user_controls() {
    let mut session = Session::start(&["maps/thief.toml"]);
    session.wait_for("playing");
    session.send(" r");
    session.wait_for("frame 0");
    session.send("i");
    session.wait_for("driving thief");
    session.wait_for("Esc stop  ? help");
    session.send("d");
    session.wait_for("frame 6");
    session.send(UP);
    session.send(UP);
    session.send("w");
    session.wait_for("frame 24");
    session.wait_for("12,2");
    // The guard sees the thief some frames later, and chases it.
    session.send(">");
    session.wait_for("chase");
    session.send("\t ");
    session.wait_for("playing");
    session.wait_for("caught");
    session.send("\u{1b}");
    session.wait_for("stopped driving thief");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn manual_control_steers_a_ship_while_the_map_plays() {
    let mut session = Session::start(&["maps/dodge.toml"]);
    session.wait_for("playing");
    session.send("i");
    session.wait_for("driving ship");
    session.send("d");
    session.wait_for("E ");
    session.wait_until("another tile", |screen| !screen.contains("on tile (8, 5)"));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}
