//! Sessions started from a shell: job control, terminal types, hang-ups, and child processes.

use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::build;
use crate::support::pty::Session;
use crate::support::temp_folder::TempFolder;

const TILEWALK: &str = env!("CARGO_BIN_EXE_tilewalk");

/// Starts a shell with the prompt `ready> `.
pub fn shell() -> Session {
    let arguments = ["--norc", "--noprofile", "-i"];
    let session = Session::start_program("bash", &arguments, &[("PS1", "ready> ")], (80, 24));
    session.wait_for("ready>");
    session
}

/// Exits the shell and asserts that it restores the terminal.
pub fn exit_shell(mut session: Session) {
    session.send("exit\r");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn ctrl_z_returns_to_the_shell_and_fg_restores_the_screen() {
    let mut session = shell();
    session.send(&format!("{TILEWALK} maps/castle.toml\r"));
    session.pause();
    session.go_to(77);
    for _ in 0..build::tries(3).min(100) {
        session.send("\u{1a}");
        session.wait_for("Stopped");
        session.send("clear\r");
        session.wait_until_gone("Stopped");
        session.send("jobs\r");
        session.wait_for("Stopped");
        session.send("fg\r");
        session.wait_for_frame(77);
        session.wait_for("╭ guard ─");
    }
    session.send("q");
    session.wait_for("ready>");
    session.send("clear; jobs; echo left $?\r");
    session.wait_for("left 0");
    assert!(!session.screen().contains("tilewalk"), "{}", session.screen());
    exit_shell(session);
}

#[test]
fn a_session_suspended_in_any_mode_resumes_in_that_mode() {
    for (keys, seen) in [
        ("?", "play / pause"),
        (":goto 1", "╭ command"),
        ("/th", "1 found"),
        ("o", "[x] e feelers"),
        ("x", "values of guard"),
        ("L", "following"),
        ("i", "driving guard"),
    ] {
        let mut session = Session::paused("maps/castle.toml", (80, 24));
        session.send(keys);
        session.wait_for(seen);
        session.send("\u{1a}");
        session.wait_for_state("T");
        session.assert_restored();
        session.signal(Signal::CONT);
        session.wait_for(seen);
        session.send("\u{3}");
        assert_eq!(session.wait_for_end(), 0, "{keys}");
        session.assert_restored();
    }
}

#[test]
fn the_program_ends_when_its_terminal_closes_even_if_hang_ups_are_ignored() {
    let script = format!("trap '' HUP; exec {TILEWALK} maps/castle.toml");
    for pauses in [true, false] {
        let mut session = Session::start_program("sh", &["-c", &script], &[], (80, 24));
        session.wait_for("playing");
        if pauses {
            session.pause();
        }
        session.hang_up();
        let (_, took) = session.wait_for_timed_end();
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

#[test]
fn a_suspended_session_ends_when_its_terminal_closes() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.send("\u{1a}");
    session.wait_for_state("T");
    session.hang_up();
    let (_, took) = session.wait_for_timed_end();
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn signals_end_the_program_while_it_computes() {
    for (begin, seen) in [
        (":speed max\r", "playing max"),
        (":goto 90000000\r", "seeking frame 90000000"),
        ("?", "play / pause"),
    ] {
        for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
            let mut session = Session::start(&["maps/flock.toml"]);
            session.wait_for("playing");
            session.send(begin);
            session.wait_for(seen);
            session.signal(signal);
            let (ended, took) = session.wait_for_timed_end();
            assert_eq!(ended, code, "{seen}");
            assert!(took < Duration::from_secs(1), "{took:?}");
            session.assert_restored();
        }
    }
}

#[test]
fn no_child_process_remains_after_the_program_ends() {
    let folder = TempFolder::new();
    let editor = folder.script("code", "sleep 0.2");
    let mut session = Session::start_with(&["maps/castle.toml"], &[("VISUAL", &editor)], (80, 24));
    session.pause();
    session.send("e");
    session.wait_for("opened in code");
    let group = session.group();
    thread::sleep(Duration::from_millis(400));
    // The editor has ended and was reaped, so it is not a zombie.
    assert_eq!(session.group_members().len(), 1, "{:?}", session.group_members());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    assert_eq!(crate::support::process::members(group), Vec::<String>::new());
}

#[test]
fn the_screen_works_with_any_value_of_term() {
    for name in ["", "no-such-terminal", "vt100", "screen", "tmux-256color", "xterm-kitty", "linux"]
    {
        let mut session = Session::start_with(&["maps/castle.toml"], &[("TERM", name)], (80, 24));
        session.wait_for("playing");
        session.send(" ");
        session.wait_for("paused");
        session.wait_for("guard");
        session.quit();
    }
}

#[test]
fn doctor_reports_the_terminal_the_config_path_and_the_map_format() {
    let variables = [("COLORTERM", "truecolor"), ("TILEWALK_CONFIG", "/no/such/config.toml")];
    let mut session = Session::start_with(&["doctor"], &variables, (90, 50));
    session.wait_for_end();
    let screen = session.screen();
    for text in ["xterm-256color", "90", "50", "truecolor", "/no/such/config.toml", "map format 1"]
    {
        assert!(screen.contains(text), "{text} is missing in\n{screen}");
    }
    session.assert_restored();
}

#[test]
fn a_key_that_arrives_with_a_signal_is_not_lost() {
    let mut session = Session::start(&["maps/flock.toml"]);
    session.wait_for("playing");
    // At maximum speed, the key and the signal wait while frames are simulated, and are then handled together.
    session.command("speed max");
    session.wait_for("playing max");
    session.command("select boid.1");
    session.wait_for("╭ boid.1 ");
    for next in 2..=40 {
        session.signal(Signal::WINCH);
        session.send("\t");
        session.wait_for(&format!("╭ boid.{next} "));
    }
    session.quit();
}
