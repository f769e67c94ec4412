//! Every exit restores the terminal exactly once. Messages are printed afterwards, on the normal screen.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;

use crate::support::build;
use crate::support::pty::Session;

const MAP: &str = "maps/rectangle.toml";

fn paused(variables: &[(&str, &str)]) -> Session {
    let mut session = Session::start_with(&[MAP], variables, (80, 24));
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    session
}

/// Returns how often the alternate screen was entered and left. Asserts that mouse capture, bracketed paste and
/// the hidden cursor are off at the end.
fn alternate_screen_counts(session: &Session) -> (usize, usize) {
    let raw = session.raw();
    let count = |text| raw.matches(text).count();
    for (on, off) in [("[?1002h", "[?1002l"), ("[?2004h", "[?2004l"), ("[?25l", "[?25h")] {
        assert!(count(on) > 0 && raw.rfind(off) > raw.rfind(on), "{off} is not last");
    }
    (count("[?1049h"), count("[?1049l"))
}

/// Asserts that the program exits with a code, restores the terminal once, and then prints `message`.
#[track_caller]
pub fn assert_ends(mut session: Session, code: u32, message: &str) {
    assert_eq!(session.wait_for_end(), code);
    session.assert_restored();
    assert_eq!(alternate_screen_counts(&session), (1, 1), "{code}");
    let raw = session.raw();
    let left = raw.rfind("[?1049l").expect("alternate screen was left");
    assert!(raw[left..].contains(message), "{message} is not printed after the alternate screen");
    let is_after = message.is_empty() || !raw[..left].contains(message);
    assert!(is_after, "{message} is printed over the alternate screen");
}

#[test]
fn every_way_to_quit_restores_the_terminal_exactly_once() {
    for (keys, code) in [("q", 0), ("\u{3}", 0), (":quit\r", 0), ("?\u{3}", 0), ("/gu\u{3}", 0)] {
        let mut session = paused(&[]);
        session.send(keys);
        assert_ends(session, code, "");
    }
}

/// Names of the signals 1 to 31 of Linux.
const NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
    "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

/// Number of the last signal of Linux.
const LAST_SIGNAL: u32 = 64;

/// Returns the numbers of signals in a text such as `INT, TERM, 34 to 64`.
fn signal_numbers(text: &str) -> Vec<u32> {
    let number = |word: &str| {
        let place = NAMES.iter().position(|name| *name == word);
        place.map_or_else(
            || word.parse().expect("part is a signal number"),
            |place| place as u32 + 1,
        )
    };
    let range = |part: &str| match part.split_once(" to ") {
        Some((first, last)) => number(first)..=number(last),
        None => number(part)..=number(part),
    };
    text.split(", ").flat_map(range).collect()
}

/// Returns the documented effect of each signal, by the number of the signal.
fn documented_signals() -> BTreeMap<u32, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reliability.md");
    let text = fs::read_to_string(path).expect("documentation is readable");
    let (_, table) =
        text.split_once("| signals | effect |\n|---|---|\n").expect("documentation has the table");
    let rows = table.lines().map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let mut documented = BTreeMap::new();
    for (signals, effect) in rows.map(|row| row.split_once(" | ").expect("row has two cells")) {
        for number in signal_numbers(signals) {
            let before = documented.insert(number, effect.to_owned());
            assert_eq!(before, None, "signal {number} is listed twice");
        }
    }
    documented
}

/// Sends the signal with this number to the program.
fn send_signal(session: &Session, number: u32) {
    let pid = session.group().to_string();
    let sent = Command::new("sh").args(["-c", &format!("kill -{number} {pid}")]).status();
    assert!(sent.expect("shell runs").success(), "signal {number}");
}

#[test]
fn each_signal_has_the_documented_effect() {
    let documented = documented_signals();
    assert!(documented.keys().copied().eq(1..=LAST_SIGNAL), "{documented:?}");
    let handled: Vec<_> =
        documented.iter().filter(|(_, effect)| !effect.starts_with("not handled")).collect();
    // Starting several sessions in parallel saves time, but too many at once slow each other down.
    for some in handled.chunks(8) {
        let sessions: Vec<_> = some.iter().map(|_| paused(&[])).collect();
        for ((number, effect), mut session) in some.iter().zip(sessions) {
            let frame = session.frame();
            send_signal(&session, **number);
            if effect.starts_with("ends the program") {
                assert_ends(session, 128 + *number, "");
                continue;
            }
            if effect.starts_with("suspends the program") {
                session.wait_for_state("T");
                session.assert_restored();
                session.signal(Signal::CONT);
            } else {
                assert!(effect.starts_with("redraws") || effect.starts_with("no effect"));
            }
            session.wait_for("paused");
            session.send(".");
            session.wait_for_frame(frame + 1);
            session.quit();
        }
    }
}

#[test]
fn the_screen_returns_after_every_suspension() {
    let times = build::tries(6).min(100);
    let mut session = paused(&[]);
    for time in 0..times {
        if time % 2 == 0 {
            session.send("\u{1a}");
        } else {
            session.signal(Signal::TSTP);
        }
        session.wait_for_state("T");
        session.assert_restored();
        session.signal(Signal::CONT);
        session.wait_for("paused");
    }
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
    assert_eq!(alternate_screen_counts(&session), (times + 1, times + 1));
}

#[test]
fn without_a_terminal_an_error_suggests_tilewalk_run() {
    for arguments in [&[][..], &[MAP], &["play", MAP, "--theme", "light"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
        command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
        let output = command.output().expect("binary starts");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("tilewalk run") && !message.contains('\u{1b}'), "{message}");
    }
}

#[test]
fn unsaved_values_are_printed_after_the_screen_closes() {
    let mut session = Session::start(&["maps/flock.toml", "--set", "boid.max_speed=3"]);
    session.wait_for("playing");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    assert!(!session.raw().contains("not written"), "values of `--set` count as unsaved");
    let mut session = Session::start(&["maps/flock.toml"]);
    session.wait_for("playing");
    session.send(" :set boid.steer.1.weight=3\r");
    session.wait_for("1 → 3");
    session.send("q");
    session.wait_for("not written: boid.steer.1.weight 1 → 3; w writes; q again leaves");
    session.send("q");
    assert_ends(session, 0, "not written to maps/flock.toml: boid.steer.1.weight=3");
}

/// Saves a shell script that serves as an editor. Returns its path.
fn write_editor(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
        .expect("script becomes executable");
    path
}

#[test]
fn the_editor_uses_the_restored_terminal_and_the_screen_returns_afterwards() {
    let folder = tempfile::tempdir().expect("folder is created");
    let editor = write_editor(folder.path(), "vi", "echo \"editing $*\"\nread x\nexit 0");
    let mut session = paused(&[("VISUAL", ""), ("EDITOR", editor.to_str().unwrap())]);
    session.send("e");
    session.wait_for("editing +");
    session.assert_restored();
    assert!(session.screen().contains(MAP), "{}", session.screen());
    assert_eq!(alternate_screen_counts(&session), (1, 1));
    session.send("\r");
    session.wait_for("vi closed");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
    assert_eq!(alternate_screen_counts(&session), (2, 2));
}

#[test]
fn ctrl_c_in_the_editor_does_not_end_the_program() {
    let folder = tempfile::tempdir().expect("folder is created");
    let text = "trap 'echo interrupted; stty raw -echo; exit 3' INT\necho editing\nread x\nread x";
    let editor = write_editor(folder.path(), "ed", text);
    let mut session = paused(&[("VISUAL", ""), ("EDITOR", editor.to_str().unwrap())]);
    session.send("e");
    session.wait_for("editing");
    session.send("\u{3}");
    session.wait_for("ed failed: exit status: 3");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    // The editor left the terminal in raw mode, but quitting still restores it.
    session.assert_restored();
}

#[test]
fn a_graphical_editor_needs_no_terminal_and_a_missing_editor_is_an_error() {
    let folder = tempfile::tempdir().expect("folder is created");
    let log = folder.path().join("said");
    let editor = write_editor(folder.path(), "code", &format!("echo \"$*\" > {}", log.display()));
    let wait = format!("{} --wait", editor.display());
    let mut session = paused(&[("VISUAL", &wait)]);
    session.send("e");
    session.wait_for("opened in code");
    while fs::read_to_string(&log).unwrap_or_default().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    session.send("q");
    assert_ends(session, 0, "");
    let arguments = fs::read_to_string(log).expect("editor was started");
    assert!(arguments.starts_with("--wait -g maps/rectangle.toml:"), "{arguments}");
    for (visual, answer) in [("/no/such", "cannot start such"), ("", "set VISUAL or EDITOR")] {
        let mut session = paused(&[("VISUAL", visual), ("EDITOR", "")]);
        session.send("e");
        session.wait_for(answer);
    }
}

#[test]
fn saving_a_screenshot_or_a_map_never_overwrites_an_existing_file() {
    let folder = tempfile::tempdir().expect("folder is created");
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut session = Session::start_with(&["maps/castle.toml"], &[], (120, 40));
    session.wait_for("playing");
    session.send(" >");
    for (command, name) in [("save", "a.svg"), ("save", "a.txt"), ("save-map", "b.toml")] {
        session.send(&format!(":{command} {}\r", path(name)));
        session.wait_for(name);
        session.wait_for("wrote ");
        let written = fs::read_to_string(path(name)).expect("file was written");
        session.send(&format!("f:{command} {}\r", path(name)));
        session.wait_until("a refusal", |screen| {
            screen.contains("is there") || screen.contains("nothing")
        });
        assert_eq!(fs::read_to_string(path(name)).expect("file still exists"), written);
        session.escape("╭ command");
    }
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}
