//! Keys that arrive together with a signal or a saved file, after unfinished input, or during a long step.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::pty::{Session, frame_on};
use crate::support::temp_folder::TempFolder;

/// A key and a resize arrive together. A faulty terminal backend would delay one of them.
#[test]
fn a_key_works_during_a_resize() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.go_to(0);
    session.wait_for_frame(0);
    for frame in 1..=150 {
        session.signal(Signal::WINCH);
        session.send(".");
        session.wait_for_frame(frame);
    }
    session.quit();
}

/// The other way round: the resize is handled although a key arrives, without further input.
#[test]
fn a_resize_works_while_a_key_is_pressed() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    for round in 0..60 {
        let (cols, rows) = if round % 2 == 0 { (30, 10) } else { (80, 24) };
        session.send("m");
        session.resize(cols, rows);
        session.wait_until(&format!("{cols}x{rows}"), |screen| {
            screen.contains("need 40×12") == (cols == 30)
        });
    }
    session.quit();
}

/// A key and a message of the file watcher arrive together.
#[test]
fn a_key_works_while_a_file_is_saved() {
    let folder = TempFolder::castle();
    let mut session = Session::paused(&folder.path_text("maps/castle.toml"), (80, 24));
    session.go_to(0);
    session.wait_for_frame(0);
    let text = folder.read("maps/castle.toml");
    for frame in 1..=100 {
        fs::write(folder.path("maps/castle.toml"), format!("{text}# {frame}\n"))
            .expect("file is written");
        session.send(".");
        session.wait_for_frame(frame);
    }
    session.quit();
}

/// A terminal or a slow connection can leave an escape sequence or a paste unfinished.
#[test]
fn an_unfinished_escape_sequence_swallows_no_later_keys() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.go_to(0);
    session.wait_for_frame(0);
    let unfinished =
        ["\x1b[", "\x1bO", "\x1b[?", "\x1b[<0;1", "\x1b[1;", "\x1b]0;", "\x1bP", "\x1b[200~text"];
    for (frame, bytes) in (1..).zip(unfinished) {
        let pause = if bytes.ends_with("text") { 1200 } else { 150 };
        session.send_and_wait(bytes, Duration::from_millis(pause));
        session.send(".");
        session.wait_for_frame(frame);
    }
    session.quit();
}

/// Writes a map whose first step searches a long corridor for more than a second. Returns its path.
fn write_long_corridor(folder: &TempFolder) -> String {
    let size = 1600;
    let row = |y: usize| match (y % 4 == 2, y % 8 == 2) {
        (false, _) => ".".repeat(size),
        (true, true) => format!("{}.", "#".repeat(size - 1)),
        (true, false) => format!(".{}", "#".repeat(size - 1)),
    };
    let rows: Vec<String> = (0..size).map(row).collect();
    let map = format!(
        "tiles = '''\n{}\n'''\n[[agent]]\nname = 'far'\nat = [0, 0]\n\
         steer = [{{ do = 'flow', to = [0, {}] }}]\n",
        rows.join("\n"),
        size - 1,
    );
    folder.write("maps/corridor.toml", &map)
}

#[test]
fn a_key_works_while_a_long_step_is_computed() {
    let folder = TempFolder::new();
    let mut session = Session::start(&[&write_long_corridor(&folder)]);
    session.wait_for("computing");
    session.send("?");
    session.wait_for("type to search");
    session.escape("type to search");
    assert_eq!(session.frame(), 0, "the step is already complete");
    // Without another key, the step is simulated.
    session.wait_until("a later frame", |screen| frame_on(screen).is_some_and(|frame| frame > 0));
    session.quit();
}

#[test]
fn ctrl_c_ends_the_program_while_a_long_step_is_computed() {
    let folder = TempFolder::new();
    let mut session = Session::start(&[&write_long_corridor(&folder)]);
    session.wait_for("computing");
    session.send("\x03");
    assert_eq!(session.wait_for_end(), 0);
}
