//! Keys after unfinished input and during long work: `q` quits, and ctrl-c ends the program within a second.

use std::process::Command;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

const MAP: &str = "maps/rectangle.toml";

/// The promised time from ctrl-c to the end of the program.
const SECOND: Duration = Duration::from_secs(1);

/// Bytes that begin an escape sequence or a paste, but don't end it.
const UNFINISHED: [&str; 15] = [
    "\x1b",
    "\x1b[",
    "\x1b[?",
    "\x1b[<",
    "\x1b[<0;1",
    "\x1b[<0;1;1",
    "\x1b[M",
    "\x1b[1;",
    "\x1b[200~",
    "\x1b[200~text",
    "\x1bO",
    "\x1bP",
    "\x1b]",
    "\x1b]0;x",
    "\x1b_",
];

/// Asserts that the process exits with `code` within `time`, and restores the terminal.
#[track_caller]
fn assert_ends_within(mut session: Session, time: Duration, code: u32, after: &str) {
    let (ended, took) = session.wait_for_timed_end();
    assert_eq!(ended, code, "{after:?}");
    assert!(took < time, "{after:?}: {took:?}");
    session.assert_restored();
}

/// Asserts that `q` and, in another session, ctrl-c end the program while it computes.
#[track_caller]
fn assert_quits_while_computing(map: &str) {
    for key in ["q", "\x03"] {
        let mut session = Session::start(&[map]);
        session.wait_for("computing");
        session.send(key);
        let time = if key == "q" { 5 * SECOND } else { SECOND };
        assert_ends_within(session, time, 0, key);
    }
}

/// Presses ctrl-c, and asserts that the program ends within a second.
#[track_caller]
fn assert_ends_on_ctrl_c(mut session: Session, after: &str) {
    session.send("\x03");
    assert_ends_within(session, SECOND, 0, after);
}

#[test]
fn q_quits_after_an_unfinished_escape_sequence_or_paste_and_a_pause() {
    for bytes in UNFINISHED {
        let mut session = Session::start(&[MAP]);
        session.wait_for("playing");
        let paste = bytes.contains("200~");
        session.send_and_wait(bytes, Duration::from_millis(if paste { 1200 } else { 150 }));
        session.send("q");
        assert_ends_within(session, Duration::from_secs(5), 0, bytes);
    }
}

/// A read from a terminal returns at most 4,095 bytes on Linux. A paste of this length begins and
/// ends with a marker of 6 bytes, so the first read ends after the escape byte of the end marker.
const SPLIT_PASTE: usize = 4095 - 6 - 1;

/// Returns the bytes that a terminal sends for a pasted text.
fn paste(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}

#[test]
fn keys_and_ctrl_c_work_after_a_paste_whose_end_marker_is_split() {
    for length in SPLIT_PASTE - 2..=SPLIT_PASTE + 8 {
        let mut session = Session::paused(MAP, (80, 24));
        session.go_to(0);
        session.send(&paste(&"x".repeat(length)));
        for frame in 1..=3 {
            session.send(".");
            session.wait_for_frame(frame);
        }
        // In an unfinished paste, ctrl-c is text. Here the paste is finished, so ctrl-c ends the program.
        session.send(&format!("{}\x03.", paste(&"x".repeat(length))));
        assert_ends_within(session, SECOND, 0, &format!("a paste of {length} bytes"));
    }
}

#[test]
fn a_paste_whose_start_marker_is_split_runs_no_commands() {
    let mut session = Session::paused(MAP, (80, 24));
    session.go_to(0);
    for (frame, pause) in (1..).zip([5, 50, 300]) {
        let pasted = paste("q\x03q");
        let (escape, rest) = pasted.split_at(1);
        session.send(escape);
        thread::sleep(Duration::from_millis(pause));
        session.send(rest);
        session.send(".");
        session.wait_for_frame(frame);
    }
    session.quit();
}

/// Focus reports of the terminal fill the first read up to the escape byte of the start marker. They have no
/// effect, and the command line receives the whole paste without an Escape key.
#[test]
fn a_paste_whose_start_marker_is_split_by_a_full_read_is_one_input() {
    let mut session = Session::paused(MAP, (80, 24));
    session.command("goto 20");
    session.wait_for_frame(20);
    session.send(":");
    session.wait_for("╭ command");
    let before = "\x1b[I".repeat(1364);
    session.send(&format!("{before}go{}\r", paste("to 7")));
    session.wait_for_frame(7);
    session.quit();
}

#[test]
fn ctrl_c_ends_the_program_after_an_unfinished_escape_sequence_or_paste() {
    for bytes in UNFINISHED {
        // In the first session, ctrl-c arrives in the same read as the bytes, in the second in a later read.
        let mut session = Session::start(&[MAP]);
        session.wait_for("playing");
        session.send(&format!("{bytes}\x03"));
        assert_ends_within(session, SECOND, 0, bytes);
        let mut session = Session::start(&[MAP]);
        session.wait_for("playing");
        session.send(bytes);
        thread::sleep(Duration::from_millis(20));
        assert_ends_on_ctrl_c(session, bytes);
    }
}

/// A terminal sends `ESC [` for Alt+[, and `ESC O` for Alt+O.
#[test]
fn alt_with_a_bracket_or_an_o_does_not_swallow_the_next_key() {
    let mut session = Session::paused(MAP, (80, 24));
    session.go_to(0);
    for (frame, alt) in (1..).zip(["\x1b[", "\x1bO", "\x1bo"]) {
        session.send_and_wait(alt, Duration::from_millis(150));
        session.send(".");
        session.wait_for_frame(frame);
    }
    session.quit();
}

/// Writes a map of the maximum size, with or without walls that make routes as long as possible.
fn write_largest_map(folder: &TempFolder, walls: bool, agents: &str) -> String {
    let size = 4096;
    let row = |y: usize| match (walls && y % 4 == 2, y % 8 == 2) {
        (false, _) => ".".repeat(size),
        (true, true) => format!("{}.", "#".repeat(size - 1)),
        (true, false) => format!(".{}", "#".repeat(size - 1)),
    };
    let rows: Vec<String> = (0..size).map(row).collect();
    folder.write("maps/largest.toml", &format!("tiles = '''\n{}\n'''\n{agents}", rows.join("\n")))
}

/// An agent that needs a flow field of the whole map.
const FAR: &str =
    "[[agent]]\nname = 'far'\nat = [0, 0]\nsteer = [{ do = 'flow', to = [0, 4095] }]\n";

#[test]
fn keys_work_while_the_flow_field_of_the_largest_map_is_computed() {
    let folder = TempFolder::new();
    let map = write_largest_map(&folder, true, FAR);
    assert_quits_while_computing(&map);
}

#[test]
fn keys_work_while_a_costly_transition_is_evaluated() {
    let folder = TempFolder::new();
    let when = format!("{}x < 0{}", "any(g, ".repeat(12), ")".repeat(12));
    let map = format!(
        "tiles = '....................'\n[[agent]]\nname = 'g'\ncount = 10\nat = 'anywhere'\n\
         [[agent]]\nname = 'a'\nat = [0, 0]\n[[agent.mode]]\nname = 'wait'\n\
         switch = [{{ when = '{when}', to = 'go' }}]\n[[agent.mode]]\nname = 'go'\n"
    );
    let map = folder.write("maps/costly.toml", &map);
    assert_quits_while_computing(&map);
}

#[test]
fn keys_work_during_a_long_seek() {
    for key in ["q", "\x03"] {
        let mut session = Session::paused("maps/castle.toml", (80, 24));
        session.command("goto 1000000");
        session.wait_until("the progress", |screen| screen.contains("1000000"));
        session.send(key);
        let time = if key == "q" { 5 * SECOND } else { SECOND };
        assert_ends_within(session, time, 0, key);
    }
}

#[test]
fn ctrl_c_ends_the_program_while_the_largest_map_is_reloaded() {
    let folder = TempFolder::new();
    let agent = "[[agent]]\nname = 'a'\nat = [0, 0]\n";
    let map = write_largest_map(&folder, false, agent);
    for reload in [true, false] {
        let mut session = Session::start(&[&map]);
        session.wait_for("playing");
        let text = folder.read("maps/largest.toml");
        folder.write("maps/largest.toml", &format!("{text}# saved\n"));
        if reload {
            session.send("R");
        } else {
            thread::sleep(Duration::from_millis(200));
        }
        assert_ends_on_ctrl_c(session, "a save");
    }
}

#[test]
fn ctrl_c_ends_the_program_while_the_largest_map_is_opened() {
    let folder = TempFolder::new();
    let map = write_largest_map(&folder, false, FAR);
    // The command line names the map, and ctrl-c comes at various moments. Before the screen appears,
    // SIGINT ends the process.
    for pause in [100, 600, 1200, 1800] {
        let mut session = Session::start(&[&map]);
        thread::sleep(Duration::from_millis(pause));
        session.send("\x03");
        let (_, took) = session.wait_for_timed_end();
        assert!(took < SECOND, "{pause}: {took:?}");
        session.assert_restored();
    }
    // The map is opened from the gallery, and as a comparison run.
    for (first, pause) in [("", 50), ("", 400), ("\r", 400)] {
        let mut session = Session::start(&[]);
        session.wait_for("choose a map");
        if first.is_empty() {
            session.command(&format!("open {map}"));
        } else {
            session.send(first);
            session.wait_for("playing");
            session.command(&format!("diff {map}"));
        }
        thread::sleep(Duration::from_millis(pause));
        assert_ends_on_ctrl_c(session, "the largest map");
    }
}

/// Opening a FIFO blocks a program until another program writes to it.
#[test]
fn a_fifo_in_place_of_a_map_config_or_pattern_does_not_block_the_program() {
    let folder = TempFolder::castle();
    let fifo = folder.path_text("maps/fifo.toml");
    let status = Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
    assert!(status.success());
    // The FIFO is the map on the command line.
    let mut session = Session::start(&[&fifo]);
    assert_eq!(session.wait_for_end(), 2);
    assert!(session.screen().contains("is a pipe or a device"), "{}", session.screen());
    // The FIFO is the configuration. The defaults are used instead.
    let session = Session::start(&[MAP, "--config", &fifo]);
    session.wait_for("fifo.toml: this is a pipe");
    assert_ends_on_ctrl_c(session, "a configuration");
    // The FIFO is the map of the commands `open` and `diff`.
    let mut session = Session::paused(MAP, (80, 24));
    for command in ["open", "diff"] {
        session.command(&format!("{command} {fifo}"));
        session.wait_for("is a pipe or a device");
        session.escape("is a pipe or a device");
    }
    session.quit();
    // A FIFO is in place of a pattern file.
    std::fs::remove_file(folder.path("patterns/castle_round.toml")).expect("file is removed");
    let pattern = folder.path_text("patterns/castle_round.toml");
    assert!(Command::new("mkfifo").arg(&pattern).status().expect("mkfifo runs").success());
    let mut session = Session::start(&[&folder.path_text("maps/castle.toml")]);
    assert_eq!(session.wait_for_end(), 2);
}

#[test]
fn ctrl_c_ends_a_sleeping_editor_but_not_tilewalk() {
    let folder = TempFolder::new();
    let editor = folder.script("vi", "echo sleeping\nexec sleep 1000");
    let mut session = Session::start_with(&[MAP], &[("VISUAL", &editor)], (80, 24));
    session.pause();
    session.send("e");
    session.wait_for("sleeping");
    // Wait until the shell has started `sleep`, which must receive the signal.
    while !session.group_members().iter().any(|process| process.starts_with("(sleep)")) {
        thread::sleep(Duration::from_millis(10));
    }
    session.send("\x03");
    session.wait_for("vi failed: signal: 2");
    session.quit();
}

/// The editor owns the keys of the terminal, so only a signal reaches tilewalk.
#[test]
fn a_signal_ends_the_program_while_the_editor_ignores_ctrl_c() {
    let folder = TempFolder::new();
    let editor = folder.script("vi", "trap '' INT\necho sleeping\nsleep 1000\nsleep 1000");
    let mut session = Session::start_with(&[MAP], &[("VISUAL", &editor)], (80, 24));
    session.pause();
    session.send("e");
    session.wait_for("sleeping");
    session.signal(Signal::TERM);
    assert_ends_within(session, SECOND, 143, "SIGTERM");
}

/// A terminal that reads nothing blocks the program while it draws.
#[test]
fn ctrl_c_ends_the_program_while_the_terminal_accepts_no_output() {
    let mut session = Session::start_with(&["maps/castle.toml"], &[], (200, 60));
    session.wait_for("playing");
    session.stop_reading();
    // Each resize redraws the whole screen.
    for round in 0..40 {
        session.resize(if round % 2 == 0 { 180 } else { 200 }, 60);
        thread::sleep(Duration::from_millis(40));
    }
    session.send("\x03");
    let (code, took) = session.wait_for_timed_end();
    assert_eq!(code, 0);
    assert!(took < SECOND, "{took:?}");
    session.assert_cooked();
}
