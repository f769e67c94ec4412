//! Every exit restores the terminal exactly once, and messages follow below the prompt.

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

/// How often the alternate screen was entered and left.
fn turns(session: &Session) -> (usize, usize) {
    let raw = session.raw();
    let count = |text| raw.matches(text).count();
    for (on, off) in [("[?1002h", "[?1002l"), ("[?2004h", "[?2004l"), ("[?25l", "[?25h")] {
        assert!(count(on) > 0 && raw.rfind(off) > raw.rfind(on), "{off} comes last");
    }
    (count("[?1049h"), count("[?1049l"))
}

/// Ends with a code; all is turned off once, and `said` comes after that.
#[track_caller]
pub fn ends(mut session: Session, code: u32, said: &str) {
    assert_eq!(session.wait_for_end(), code);
    session.assert_restored();
    assert_eq!(turns(&session), (1, 1), "{code}");
    let raw = session.raw();
    let left = raw.rfind("[?1049l").expect("it was left");
    assert!(raw[left..].contains(said), "{said} is told below the prompt");
    let over = said.is_empty() || !raw[..left].contains(said);
    assert!(over, "{said} is not printed over the screen");
}

#[test]
fn every_way_out_turns_everything_off_exactly_once() {
    for (keys, code) in [("q", 0), ("\u{3}", 0), (":quit\r", 0), ("?\u{3}", 0), ("/gu\u{3}", 0)] {
        let mut session = paused(&[]);
        session.send(keys);
        ends(session, code, "");
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
        place.map_or_else(|| word.parse().expect("a signal"), |place| place as u32 + 1)
    };
    let range = |part: &str| match part.split_once(" to ") {
        Some((first, last)) => number(first)..=number(last),
        None => number(part)..=number(part),
    };
    text.split(", ").flat_map(range).collect()
}

/// Returns the table of signals of the documentation: the effect of each signal, by number.
fn documented_signals() -> BTreeMap<u32, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reliability.md");
    let text = fs::read_to_string(path).expect("the documentation");
    let (_, table) = text.split_once("| signals | effect |\n|---|---|\n").expect("the table");
    let rows = table.lines().map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let mut documented = BTreeMap::new();
    for (signals, effect) in rows.map(|row| row.split_once(" | ").expect("two cells")) {
        for number in signal_numbers(signals) {
            let before = documented.insert(number, effect.to_owned());
            assert_eq!(before, None, "signal {number} is listed twice");
        }
    }
    documented
}

/// Sends any signal.
fn send(session: &Session, number: u32) {
    let pid = session.group().to_string();
    let sent = Command::new("sh").args(["-c", &format!("kill -{number} {pid}")]).status();
    assert!(sent.expect("a shell").success(), "signal {number}");
}

#[test]
fn each_signal_has_the_documented_effect() {
    let documented = documented_signals();
    assert!(documented.keys().copied().eq(1..=LAST_SIGNAL), "{documented:?}");
    let handled: Vec<_> =
        documented.iter().filter(|(_, effect)| !effect.starts_with("not handled")).collect();
    // Sessions that run at the same time start faster, but too many are slow.
    for some in handled.chunks(8) {
        let sessions: Vec<_> = some.iter().map(|_| paused(&[])).collect();
        for ((number, effect), mut session) in some.iter().zip(sessions) {
            let frame = session.frame();
            send(&session, **number);
            if effect.starts_with("ends the program") {
                ends(session, 128 + *number, "");
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
fn stopped_again_and_again_it_comes_back_each_time() {
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
    assert_eq!(turns(&session), (times + 1, times + 1));
}

#[test]
fn piped_it_says_what_works_instead() {
    for arguments in [&[][..], &[MAP], &["play", MAP, "--theme", "light"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
        command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
        let output = command.output().expect("binary starts");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("tilewalk run") && !said.contains('\u{1b}'), "{said}");
    }
}

#[test]
fn values_that_were_not_written_are_told_below_the_prompt() {
    let mut session = Session::start(&["maps/flock.toml", "--set", "boid.max_speed=3"]);
    session.wait_for("playing");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    assert!(!session.raw().contains("not written"), "who sets them there knows");
    let mut session = Session::start(&["maps/flock.toml"]);
    session.wait_for("playing");
    session.send(" :set boid.steer.1.weight=3\r");
    session.wait_for("1 → 3");
    session.send("q");
    session.wait_for("not written: boid.steer.1.weight 1 → 3; w writes; q again leaves");
    session.send("q");
    ends(session, 0, "not written to maps/flock.toml: boid.steer.1.weight=3");
}

/// An editor that is a script.
fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("script becomes executable");
    path
}

#[test]
fn the_editor_gets_the_terminal_and_gives_it_back_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let editor = script(folder.path(), "vi", "echo \"editing $*\"\nread x\nexit 0");
    let mut session = paused(&[("VISUAL", ""), ("EDITOR", editor.to_str().unwrap())]);
    session.send("e");
    session.wait_for("editing +");
    session.assert_restored();
    assert!(session.screen().contains(MAP), "{}", session.screen());
    assert_eq!(turns(&session), (1, 1));
    session.send("\r");
    session.wait_for("vi closed");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
    assert_eq!(turns(&session), (2, 2));
}

#[test]
fn what_interrupts_the_editor_leaves_the_screen_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "trap 'echo interrupted; stty raw -echo; exit 3' INT\necho editing\nread x\nread x";
    let editor = script(folder.path(), "ed", text);
    let mut session = paused(&[("VISUAL", ""), ("EDITOR", editor.to_str().unwrap())]);
    session.send("e");
    session.wait_for("editing");
    session.send("\u{3}");
    session.wait_for("ed failed: exit status: 3");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    // Though the editor left the terminal raw.
    session.assert_restored();
}

#[test]
fn an_editor_with_a_window_needs_no_terminal_and_one_that_is_missing_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = folder.path().join("said");
    let editor = script(folder.path(), "code", &format!("echo \"$*\" > {}", said.display()));
    let wait = format!("{} --wait", editor.display());
    let mut session = paused(&[("VISUAL", &wait)]);
    session.send("e");
    session.wait_for("opened in code");
    while fs::read_to_string(&said).unwrap_or_default().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    session.send("q");
    ends(session, 0, "");
    let said = fs::read_to_string(said).expect("it was started");
    assert!(said.starts_with("--wait -g maps/rectangle.toml:"), "{said}");
    for (visual, answer) in [("/no/such", "cannot start such"), ("", "set VISUAL or EDITOR")] {
        let mut session = paused(&[("VISUAL", visual), ("EDITOR", "")]);
        session.send("e");
        session.wait_for(answer);
    }
}

#[test]
fn a_frame_is_saved_as_a_map_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut session = Session::start_with(&["maps/castle.toml"], &[], (120, 40));
    session.wait_for("playing");
    session.send(" >");
    for (command, name) in [("save", "a.svg"), ("save", "a.txt"), ("save-map", "b.toml")] {
        session.send(&format!(":{command} {}\r", there(name)));
        session.wait_for(name);
        session.wait_for("wrote ");
        let written = fs::read_to_string(there(name)).expect("it was written");
        session.send(&format!("f:{command} {}\r", there(name)));
        session.wait_until("a refusal", |screen| {
            screen.contains("is there") || screen.contains("nothing")
        });
        assert_eq!(fs::read_to_string(there(name)).expect("it is there still"), written);
        session.escape("╭ command");
    }
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}
