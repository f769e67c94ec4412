//! Speed, stepping back, and leaving from every mode.

use crate::support::pty::Session;

#[test]
fn speed_is_halved_and_doubled_to_its_ends() {
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
fn events_are_gone_through_forth_and_back() {
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
fn a_moment_is_gone_to_by_its_time() {
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
fn a_long_way_can_be_stopped_and_gone_on() {
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
fn time_runs_backwards_to_the_beginning() {
    let mut session = Session::paused("maps/rectangle.toml", (100, 30));
    session.go_to(40);
    session.send("\u{7f}");
    session.wait_for("playing back");
    session.wait_for_frame(0);
    session.wait_for("paused");
    session.quit();
}

#[test]
fn a_craft_turns_by_its_pattern_and_says_at_which_leg_it_is() {
    let mut session = Session::paused("maps/orbits.toml", (120, 40));
    session.send("r");
    session.wait_for_frame(0);
    session.send("4");
    session.wait_for("[pattern]");
    let before = session.screen();
    session.go_to(200);
    session.wait_until("another row", |screen| screen != before);
    session.quit();
}

#[test]
fn q_or_ctrl_c_leaves_from_every_mode() {
    for (keys, seen, leave) in [
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
        session.send(leave);
        assert_eq!(session.wait_for_end(), 0, "{keys}");
        session.assert_restored();
        let raw = session.raw();
        assert_eq!(raw.matches("[?1049l").count(), 1, "{keys}");
    }
}

#[test]
fn drawings_are_synchronized_and_nothing_is_drawn_outside() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.send("?\u{3}");
    assert_eq!(session.wait_for_end(), 0);
    let raw = session.raw();
    let (begun, ended) = (raw.matches("[?2026h").count(), raw.matches("[?2026l").count());
    // Whoever gives the terminal back ends what may have begun.
    assert_eq!(ended, begun + 1);
    for between in raw.split("[?2026l").skip(1) {
        let outside = between.split("[?2026h").next().unwrap_or_default();
        assert!(!outside.contains("guard"), "{outside:?}");
    }
}
