//! Speed, seeking, backward playback, and quitting from every mode.

use crate::support::pty::Session;

#[test]
fn keys_halve_and_double_the_speed_up_to_the_maximum() {
    let mut session = Session::start(&["maps/rectangle.toml"]);
    session.wait_for("playing ×1");
    session.send("----");
    session.wait_for("playing ×1/8");
    session.send("+");
    session.wait_for("playing ×1/4");
    session.send("========");
    session.wait_for("playing ×64");
    session.send("=");
    session.wait_for("playing max");
    session.send(" ");
    session.wait_for("paused max");
    session.quit();
}

#[test]
fn keys_go_to_the_previous_and_the_next_event() {
    let mut session = Session::paused("maps/castle.toml", (120, 40));
    session.go_to(200);
    session.send("r");
    session.wait_for_frame(0);
    session.send("\u{1b}[F");
    session.wait_for_frame(200);
    for frame in [199, 197, 196, 188, 187, 146, 145] {
        session.send("[");
        session.wait_for_frame(frame);
    }
    session.send("]");
    session.wait_for_frame(146);
    session.send("\t[");
    session.wait_for_frame(36);
    session.wait_for("hide → creep");
    session.quit();
}

#[test]
fn goto_accepts_frames_and_seconds() {
    let mut session = Session::paused("maps/castle.toml", (100, 30));
    session.command("goto 2.5s");
    session.wait_for_frame(50);
    session.wait_for("2.50 s");
    session.command("goto 12");
    session.wait_for_frame(12);
    session.command("goto -1");
    session.wait_for("column 6");
    session.send("\u{3}");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn a_long_seek_can_be_stopped() {
    let mut session = Session::paused("maps/flock.toml", (100, 30));
    session.command("goto 5000000");
    session.wait_for("seeking frame 5000000");
    session.send("\u{1b}");
    session.wait_for("stopped at frame");
    let stopped = session.frame();
    assert!(stopped < 5_000_000);
    session.send(",");
    session.wait_for_frame(stopped - 1);
    session.quit();
}

#[test]
fn backward_playback_pauses_at_frame_0() {
    let mut session = Session::paused("maps/rectangle.toml", (100, 30));
    session.go_to(40);
    session.send("\u{7f}");
    session.wait_for("playing back");
    session.wait_for_frame(0);
    session.wait_for("paused");
    session.quit();
}

#[test]
fn the_pattern_page_shows_the_current_leg_of_the_craft() {
    let mut session = Session::paused("maps/orbits.toml", (120, 40));
    session.send("r");
    session.wait_for_frame(0);
    session.send("4");
    session.wait_for("[pattern]");
    let before = session.screen();
    session.go_to(200);
    session.wait_until("a changed pattern page", |screen| screen != before);
    session.quit();
}

#[test]
fn q_or_ctrl_c_quits_from_every_mode() {
    for (keys, seen, quit_key) in [
        ("", "paused", "q"),
        ("o", "[x] e feelers", "q"),
        (":runs\r", "╭ runs", "q"),
        (":break guard.x > 30\rB", "Enter go to", "q"),
        ("L", "following", "q"),
        ("M:markers\r", "╭ bookmarks", "q"),
        (":tile-menu\r", "inspect tile", "q"),
        ("D", "paused", "q"),
        ("i", "driving guard", "q"),
        ("\r", "[why]", "q"),
        ("/q", "found", "\u{3}"),
        (":q", "╭ command", "\u{3}"),
        ("x", "values of guard", "\u{3}"),
        ("?q", "q", "\u{3}"),
        ("L/q", "/ q", "\u{3}"),
        ("G", "choose a map", "q"),
    ] {
        let mut session = Session::paused("maps/castle.toml", (100, 30));
        session.send(keys);
        session.wait_for(seen);
        session.send(quit_key);
        assert_eq!(session.wait_for_end(), 0, "{keys}");
        session.assert_restored();
        let raw = session.raw();
        assert_eq!(raw.matches("[?1049l").count(), 1, "{keys}");
    }
}

#[test]
fn all_drawing_happens_in_synchronized_updates() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.send("?\u{3}");
    assert_eq!(session.wait_for_end(), 0);
    let raw = session.raw();
    let (begun, ended) = (raw.matches("[?2026h").count(), raw.matches("[?2026l").count());
    // Restoring the terminal sends one more end, in case an update is open.
    assert_eq!(ended, begun + 1);
    for between in raw.split("[?2026l").skip(1) {
        let outside = between.split("[?2026h").next().unwrap_or_default();
        assert!(!outside.contains("guard"), "{outside:?}");
    }
}
