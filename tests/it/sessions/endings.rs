//! Sessions with the screen, and the ways they end.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::pty::Session;

const MAP: &str = "maps/rectangle.toml";

/// A map that stands still, paused.
fn paused() -> Session {
    let mut session = Session::start(&[MAP]);
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    session
}

#[test]
fn the_first_screen_says_what_to_press_and_q_leaves() {
    let mut session = Session::start(&[]);
    session.wait_for("choose a map");
    session.wait_for("Enter play this map");
    session.wait_for("? help");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn a_map_of_the_gallery_is_played_and_left_again() {
    let mut session = Session::start(&[]);
    session.wait_for("choose a map");
    session.send("\u{1b}[B\r");
    session.wait_for("playing");
    session.send("G");
    session.wait_for("choose a map");
    session.send("\u{3}");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn stepping_searching_and_help() {
    let mut session = paused();
    session.send("r");
    session.wait_for("frame 0");
    session.send("..>");
    session.wait_for("frame 12");
    session.send(",");
    session.wait_for("frame 11");
    session.send("<");
    session.wait_for("frame 1 ");
    session.send("\u{1b}[F");
    session.wait_for("frame 12");
    session.send("/gu");
    session.wait_for("1 found");
    session.send("\r");
    session.wait_for("(3.500,");
    session.send("?");
    session.wait_for("play / pause");
    session.send("\u{1b}");
    session.wait_until("the map again", |screen| !screen.contains("play / pause"));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn overlays_are_chosen_while_the_map_stays_in_sight() {
    let mut session = Session::start(&["maps/forest.toml"]);
    session.wait_for("playing");
    session.send(" o");
    session.wait_for("[x] e feelers");
    session.send("l");
    session.wait_for("▸[x] l trail");
    session.send(".");
    session.wait_for("Forest");
    session.send("a");
    session.wait_for("a: all agents in view");
    session.send("\u{1b}");
    session.wait_until("the inspector again", |screen| screen.contains("deer.1 ─"));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn a_paused_screen_uses_no_processor_and_sends_nothing() {
    let session = paused();
    thread::sleep(Duration::from_millis(300));
    let (ticks, bytes) = (session.ticks(), session.bytes());
    thread::sleep(Duration::from_secs(1));
    assert_eq!((session.ticks(), session.bytes()), (ticks, bytes));
}

#[test]
fn signals_end_it_with_the_terminal_given_back() {
    let signals =
        [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129), (Signal::QUIT, 131)];
    for (signal, code) in signals {
        for mut session in [Session::start(&[MAP]), paused()] {
            session.wait_for("frame");
            session.signal(signal);
            assert_eq!(session.wait_for_end(), code);
            session.assert_restored();
        }
    }
}

#[test]
fn when_the_terminal_goes_away_the_process_goes_within_a_second() {
    for mut session in [Session::start(&[MAP]), paused()] {
        session.wait_for("frame");
        session.hang_up();
        let (_, took) = session.wait_for_timed_end();
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

/// Stopped one way or another, it gives the terminal back and takes it again.
fn stops_and_comes_back(stop: impl FnOnce(&mut Session)) {
    let mut session = paused();
    stop(&mut session);
    session.wait_for_state("T");
    session.assert_restored();
    session.signal(Signal::CONT);
    session.wait_for("paused");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn ctrl_z_stops_it_and_it_comes_back() {
    stops_and_comes_back(|session| session.send("\u{1a}"));
}

#[test]
fn stopped_from_outside_it_comes_back_too() {
    stops_and_comes_back(|session| session.signal(Signal::TSTP));
}

#[test]
fn any_size_of_terminal_is_survived() {
    let mut session = paused();
    for (columns, rows) in [(20, 5), (1, 1), (300, 100), (39, 12), (40, 12)] {
        session.resize(columns, rows);
        thread::sleep(Duration::from_millis(100));
    }
    session.wait_for("paused");
    session.resize(30, 8);
    session.wait_for("need 40×12");
    session.resize(65535, 65535);
    thread::sleep(Duration::from_millis(300));
    session.resize(80, 24);
    session.wait_for("paused");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn no_color_means_none_and_still_shows_who_is_selected() {
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut session = Session::start_with(&[MAP], &[variable], (80, 24));
        session.wait_for("playing");
        session.send("q");
        session.wait_for_end();
        let raw = session.raw();
        assert!(!raw.contains("[38;") && !raw.contains("[48;"), "{variable:?}");
        assert!(raw.contains("[7m"), "{variable:?}: the selected agent is reversed");
    }
}

#[test]
fn the_mouse_selects_and_can_be_given_back() {
    let mut session = paused();
    // A press and a release of the left button in the middle of the map.
    session.send("\u{1b}[<0;40;6M\u{1b}[<0;40;6m");
    session.wait_for("ground   walkable  transparent");
    session.send("\u{1b}");
    session.wait_for("tile 1 of 34");
    session.send("m");
    session.wait_for("mouse capture off");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

#[test]
fn without_a_terminal_it_says_what_works_instead() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
    command.arg(MAP).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    let output = command.output().expect("binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "{:?}", output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("tilewalk run"), "{said}");
}
