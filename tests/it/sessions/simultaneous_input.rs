//! Keys that arrive together with a signal or a saved file, after unfinished input, or during a slow frame.

use std::fs;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::pty::{Session, frame_on};
use crate::support::temp_folder::TempFolder;

/// The key must not wait for further input.
#[test]
fn a_key_that_arrives_with_a_resize_takes_effect_at_once() {
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

/// The resize must not wait for further input.
#[test]
fn a_resize_that_arrives_with_a_key_takes_effect_at_once() {
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

/// The key arrives together with the file watcher's message.
#[test]
fn a_key_that_arrives_with_a_saved_file_takes_effect_at_once() {
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

/// Writes a map whose frame 1 takes more than a second, because a flow field fills a long corridor. Returns
/// the path of the map.
fn write_long_corridor(folder: &TempFolder) -> String {
    let size = 3200;
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
fn keys_work_while_a_slow_frame_is_computed() {
    let folder = TempFolder::new();
    let mut session = Session::start(&[&write_long_corridor(&folder)]);
    session.wait_for("computing");
    session.send("?");
    session.wait_for("type to search");
    session.escape("type to search");
    assert_eq!(session.frame(), 0, "the step is already complete");
    // Without further keys, the frame is completed.
    session.wait_until("a later frame", |screen| frame_on(screen).is_some_and(|frame| frame > 0));
    session.quit();
}

#[test]
fn ctrl_c_ends_the_program_while_a_slow_frame_is_computed() {
    let folder = TempFolder::new();
    let mut session = Session::start(&[&write_long_corridor(&folder)]);
    session.wait_for("computing");
    session.send("\x03");
    assert_eq!(session.wait_for_end(), 0);
}
