//! Short sessions with the screen, and how they end.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::pty::Session;

const MAP: &str = "maps/rectangle.toml";

/// Opens a map and pauses.
fn paused() -> Session {
    let mut session = Session::start(&[MAP]);
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    session
}

#[test]
fn the_gallery_shows_its_keys_and_q_quits() {
    let mut session = Session::start(&[]);
    session.wait_for("choose a map");
    session.wait_for("Enter play this map");
    session.wait_for("? help");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn the_gallery_opens_a_map_and_g_returns_to_the_gallery() {
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
fn keys_step_frames_find_an_agent_and_open_the_help() {
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
fn overlays_are_selected_while_the_map_stays_visible() {
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
fn a_paused_screen_uses_no_cpu_time_and_writes_no_output() {
    let session = paused();
    // On a busy machine, work that began before the pause can end during the first seconds.
    let is_idle = || {
        let before = (session.ticks(), session.bytes());
        thread::sleep(Duration::from_secs(1));
        (session.ticks(), session.bytes()) == before
    };
    assert!((0..5).any(|_| is_idle()), "the paused screen is never idle for a second");
}

#[test]
fn signals_end_the_program_and_restore_the_terminal() {
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
fn the_process_ends_within_a_second_of_a_hang_up() {
    for mut session in [Session::start(&[MAP]), paused()] {
        session.wait_for("frame");
        session.hang_up();
        let (_, took) = session.wait_for_timed_end();
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

/// Asserts that a suspended session restores the terminal, and that the screen returns afterwards.
fn assert_suspends_and_resumes(stop: impl FnOnce(&mut Session)) {
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
fn ctrl_z_suspends_the_program_and_sigcont_resumes_it() {
    assert_suspends_and_resumes(|session| session.send("\u{1a}"));
}

#[test]
fn sigtstp_suspends_the_program_and_sigcont_resumes_it() {
    assert_suspends_and_resumes(|session| session.signal(Signal::TSTP));
}

#[test]
fn resizing_the_terminal_to_any_size_keeps_the_program_running() {
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
fn without_colours_the_selected_agent_is_in_reverse_video() {
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut session = Session::start_with(&[MAP], &[variable], (80, 24));
        session.wait_for("playing");
        session.send("q");
        session.wait_for_end();
        let raw = session.raw();
        assert!(!raw.contains("[38;") && !raw.contains("[48;"), "{variable:?}");
        assert!(raw.contains("[7m"), "{variable:?}: nothing is reversed");
    }
}

#[test]
fn a_click_selects_a_tile_and_mouse_capture_can_be_turned_off() {
    let mut session = paused();
    // Click the middle of the map with the left button.
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
fn without_a_terminal_an_error_suggests_tilewalk_run() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
    command.arg(MAP).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    let output = command.output().expect("binary starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "{:?}", output.stdout);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("tilewalk run"), "{message}");
}
