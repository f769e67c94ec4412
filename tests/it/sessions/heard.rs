//! Sessions in which a signal arrives together with a key.

use std::fs;

use rustix::process::Signal;

use crate::support::desk::Desk;
use crate::support::pty::Session;

/// A key and a change of size come together: crossterm forgets one of them until the next comes.
#[test]
fn a_key_is_heard_while_the_window_changes_its_size() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.go_to(0);
    session.wait_for_frame(0);
    for frame in 1..=150 {
        session.signal(Signal::WINCH);
        session.keys(".");
        session.wait_for_frame(frame);
    }
    session.quit();
}

/// The other way round: the size is seen though a key is pressed, without another thing happening.
#[test]
fn a_change_of_size_is_seen_while_a_key_is_pressed() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    for round in 0..60 {
        let (cols, rows) = if round % 2 == 0 { (30, 10) } else { (80, 24) };
        session.keys("m");
        session.resize(cols, rows);
        session.wait_until(&format!("{cols}x{rows}"), |screen| {
            screen.contains("need 40×12") == (cols == 30)
        });
    }
    session.quit();
}

/// And so do a key and news of a file.
#[test]
fn a_key_is_heard_while_a_file_is_saved() {
    let desk = Desk::castle();
    let mut session = Session::paused(&desk.name("maps/castle.toml"), (80, 24));
    session.go_to(0);
    session.wait_for_frame(0);
    let text = desk.read("maps/castle.toml");
    for frame in 1..=100 {
        fs::write(desk.path("maps/castle.toml"), format!("{text}# {frame}\n")).expect("a save");
        session.keys(".");
        session.wait_for_frame(frame);
    }
    session.quit();
}
