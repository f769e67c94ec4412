//! In a shell: job control, unusual terminals, ignored hang-ups, no processes left.

use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::build;
use crate::support::desk::TempFolder;
use crate::support::pty::Session;

const TILEWALK: &str = env!("CARGO_BIN_EXE_tilewalk");

/// A shell that shows `$ ` when it waits for a command.
pub fn shell() -> Session {
    let arguments = ["--norc", "--noprofile", "-i"];
    let session = Session::start_program("bash", &arguments, &[("PS1", "ready> ")], (80, 24));
    session.wait_for("ready>");
    session
}

/// Commands of the shell before it ends.
pub fn leave(mut session: Session) {
    session.send("exit\r");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
}

#[test]
fn ctrl_z_gives_the_shell_back_and_fg_the_very_screen() {
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
    leave(session);
}

#[test]
fn a_stop_in_any_mode_comes_back_to_that_mode() {
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
fn where_hang_ups_are_ignored_it_goes_with_its_terminal_all_the_same() {
    let script = format!("trap '' HUP; exec {TILEWALK} maps/castle.toml");
    for pauses in [true, false] {
        let mut session = Session::start_program("sh", &["-c", &script], &[], (80, 24));
        session.wait_for("playing");
        if pauses {
            session.pause();
        }
        session.hang_up();
        let (_, took) = session.wait_for_exit();
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}

#[test]
fn a_terminal_that_goes_while_it_is_stopped_takes_it_along() {
    let mut session = Session::paused("maps/castle.toml", (80, 24));
    session.send("\u{1a}");
    session.wait_for_state("T");
    session.hang_up();
    let (_, took) = session.wait_for_exit();
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn signals_are_heard_while_it_is_busy() {
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
            let (ended, took) = session.wait_for_exit();
            assert_eq!(ended, code, "{seen}");
            assert!(took < Duration::from_secs(1), "{took:?}");
            session.assert_restored();
        }
    }
}

#[test]
fn nobody_is_left_behind() {
    let folder = TempFolder::new();
    let editor = folder.script("code", "sleep 0.2");
    let mut session = Session::start_with(&["maps/castle.toml"], &[("VISUAL", &editor)], (80, 24));
    session.pause();
    session.send("e");
    session.wait_for("opened in code");
    let group = session.group();
    thread::sleep(Duration::from_millis(400));
    // The editor has ended, and somebody has heard of it: no zombie is kept.
    assert_eq!(session.group_members().len(), 1, "{:?}", session.group_members());
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    assert_eq!(crate::support::process::members(group), Vec::<String>::new());
}

#[test]
fn any_name_of_a_terminal_will_do() {
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
fn doctor_tells_the_terminal_it_stands_in() {
    let variables = [("COLORTERM", "truecolor"), ("TILEWALK_CONFIG", "/no/such/config.toml")];
    let mut session = Session::start_with(&["doctor"], &variables, (90, 50));
    session.wait_for_end();
    let screen = session.screen();
    for said in ["xterm-256color", "90", "50", "truecolor", "/no/such/config.toml", "map format 1"]
    {
        assert!(screen.contains(said), "{said} in\n{screen}");
    }
    session.assert_restored();
}

#[test]
fn no_key_is_lost_when_a_signal_comes_with_it() {
    let mut session = Session::start(&["maps/flock.toml"]);
    session.wait_for("playing");
    // While frames are made both wait to be heard, and are heard in one go.
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
