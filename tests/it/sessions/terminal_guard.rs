//! The terminal guard: after an internal panic or error, the terminal is restored.
//!
//! To provoke a fault, the tests start this test binary again, in a pseudo-terminal. There it runs
//! only [`show_a_screen_with_a_fault`], which shows the screen with a host that has the fault.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use tilewalk::files::config::Config;
use tilewalk::files::{self, Options, Origin};
use tilewalk::tui::settings::{Asked, Settings};
use tilewalk::tui::{self, Host, Mailbox, Opened, Start};

use super::exits::assert_ends;
use crate::support::host::FakeHost;
use crate::support::pty::Session;

/// The environment variable that names the fault: `main` or `other` is the thread that panics, and
/// `writing` is a file system that does not respond.
const FAULT: &str = "SCREEN_FAULT";

/// Returns the arguments that make this binary run only [`show_a_screen_with_a_fault`].
fn arguments() -> Vec<String> {
    let (_, module) = module_path!().split_once("::").expect("module path has a crate");
    let name = format!("{module}::show_a_screen_with_a_fault");
    ["--exact", &name, "--ignored", "--nocapture", "--test-threads=1"].map(str::to_owned).to_vec()
}

fn this_binary() -> String {
    std::env::current_exe().expect("binary has a path").display().to_string()
}

/// Returns a host with the fault. If the fault is a panic, it happens soon after the first drawing.
fn host() -> Arc<dyn Host> {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let on_change = || {
        // The first call comes before the first drawing.
        if CALLS.fetch_add(1, Ordering::Relaxed) == 2 {
            match std::env::var(FAULT).unwrap_or_default().as_str() {
                "main" => panic!("panic in the main thread"),
                "other" => drop(thread::spawn(|| panic!("panic in another thread"))),
                _ => {}
            }
        }
    };
    let on_save = || {
        loop {
            thread::park();
        }
    };
    Arc::new(FakeHost { on_save, on_change, ..FakeHost::new(|_| unreachable!("not used")) })
}

#[test]
#[ignore = "the other tests of this file start it in a pseudo-terminal"]
fn show_a_screen_with_a_fault() {
    if std::env::var_os(FAULT).is_none() {
        return;
    }
    let settings = Settings::of(&Config::default(), &Asked::default(), None, |_| None);
    let loaded = files::load(&Origin::Disk("maps/castle.toml".into()), &Options::default());
    let scenario = loaded.expect("map is readable").scenario.expect("map has no errors");
    let opened = Opened::new("maps/castle.toml", "castle.toml", scenario);
    let ended = tui::play(&host(), None, Start::Map(opened), &settings, &Mailbox::default());
    // After a panic in the other thread, the process ends before this line.
    writeln!(std::io::stderr(), "the screen ended: {ended:?}").expect("standard error is writable");
}

/// Starts the screen with a fault in a pseudo-terminal.
pub fn with_fault(fault: &str) -> Session {
    let arguments = arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Session::start_program(&this_binary(), &arguments, &[(FAULT, fault)], (80, 24))
}

#[test]
fn a_panic_restores_the_terminal_before_it_is_reported() {
    for (thread, message) in
        [("main", "panic in the main thread"), ("other", "panic in another thread")]
    {
        assert_ends(with_fault(thread), 101, message);
    }
}

#[test]
fn after_a_panic_the_shell_prompt_follows_the_message() {
    let mut session = super::shell::shell();
    session.send(&format!("{FAULT}=other {} {}\r", this_binary(), arguments().join(" ")));
    session.wait_for("panic in another thread");
    session.wait_until("the prompt after it", |screen| {
        screen.split("panic in another").nth(1).is_some_and(|rest| rest.contains("ready>"))
    });
    session.send("echo code $?\r");
    session.wait_for("code 101");
    super::shell::exit_shell(session);
}

/// With too few file descriptors, starting the screen fails at various points.
#[test]
fn an_error_while_the_screen_starts_restores_the_terminal() {
    let mut failed = 0;
    for limit in 4..64 {
        let tilewalk = env!("CARGO_BIN_EXE_tilewalk");
        let script = format!("ulimit -n {limit}; exec {tilewalk} maps/rectangle.toml");
        let mut session = Session::start_program("sh", &["-c", &script], &[], (80, 24));
        session.wait_until("the screen or an error", |screen| {
            ["playing", "error", "cannot"].iter().any(|text| screen.contains(text))
        });
        if session.screen().contains("playing") {
            session.quit();
            break;
        }
        if session.raw().contains("[?1049h") {
            failed += 1;
            assert_ends(session, 2, "terminal error");
        } else {
            assert_eq!(session.wait_for_end(), 2, "{limit}: {}", session.screen());
        }
    }
    assert!(failed > 0, "no limit fails after the terminal setup");
}
