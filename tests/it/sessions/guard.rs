//! The terminal guard: after a panic or an error inside, the terminal is restored.
//!
//! To panic on purpose, the tests start this test binary again, in a pseudo-terminal. There it runs only
//! [`show_a_screen_that_panics`], which shows the screen with a library whose callback panics.

use std::io::Write;
use std::sync::Arc;
use std::thread;

use tilewalk::files::config::Config;
use tilewalk::tui::settings::{Asked, Settings};
use tilewalk::tui::{self, Library, Mailbox, Start};

use super::exits::ends;
use crate::support::pty::Session;
use crate::support::stage;

/// Names the thread that panics: `main` or `other`.
const PANICS: &str = "PANICKING_THREAD";

/// Arguments that make this binary run [`show_a_screen_that_panics`] and nothing else.
fn arguments() -> Vec<String> {
    let (_, module) = module_path!().split_once("::").expect("a module of a crate");
    let name = format!("{module}::show_a_screen_that_panics");
    ["--exact", &name, "--ignored", "--nocapture", "--test-threads=1"].map(str::to_owned).to_vec()
}

fn this_binary() -> String {
    std::env::current_exe().expect("a path").display().to_string()
}

/// A library whose screen panics soon after its first drawing.
fn library() -> Library<'static> {
    let thread = std::env::var(PANICS).unwrap_or_default();
    let mut calls = 0;
    Library {
        entries: vec![],
        open: Arc::new(|_, _| Err("not used".to_owned())),
        save_breaks: Box::new(|_| Err("not used".to_owned())),
        write: Box::new(|_| Err("not used".to_owned())),
        new_file: Box::new(|_| Err("not used".to_owned())),
        new_pattern: Box::new(|_| Err("not used".to_owned())),
        paths: |_| vec![],
        locate: Box::new(|_, _| Err("not used".to_owned())),
        follow: Box::new(|_| {}),
        warnings: Box::new(|| None),
        messages: Box::new(move || {
            calls += 1;
            // The first call comes before the first drawing.
            if calls == 3 {
                match thread.as_str() {
                    "main" => panic!("panic in the main thread"),
                    _ => drop(thread::spawn(|| panic!("panic in another thread"))),
                }
            }
            None
        }),
        reread: Arc::new(|_| None),
        record: Box::new(|_, _| Err(String::new())),
        recorder: None,
    }
}

#[test]
#[ignore = "the other tests of this file start it in a pseudo-terminal"]
fn show_a_screen_that_panics() {
    if std::env::var_os(PANICS).is_none() {
        return;
    }
    let settings = Settings::of(&Config::default(), &Asked::default(), None, |_| None);
    let ended = tui::play(library(), Start::Map(stage::opened()), &settings, &Mailbox::default());
    // The other thread ends the process, so this point is never reached.
    writeln!(std::io::stderr(), "the screen ended: {ended:?}").expect("standard error");
}

#[test]
fn a_panic_restores_the_terminal_before_it_is_reported() {
    for (thread, message) in
        [("main", "panic in the main thread"), ("other", "panic in another thread")]
    {
        let arguments = arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let variables = [(PANICS, thread)];
        let session = Session::start_program(&this_binary(), &arguments, &variables, (80, 24));
        ends(session, 101, message);
    }
}

#[test]
fn in_a_shell_the_report_of_a_panic_follows_the_prompt() {
    let mut session = super::shell::shell();
    session.keys(&format!("{PANICS}=other {} {}\r", this_binary(), arguments().join(" ")));
    session.wait_for("panic in another thread");
    session.wait_until("the prompt after it", |screen| {
        screen.split("panic in another").nth(1).is_some_and(|rest| rest.contains("ready>"))
    });
    session.keys("echo code $?\r");
    session.wait_for("code 101");
    super::shell::leave(session);
}

/// With too few file descriptors, starting the screen fails at various points.
#[test]
fn an_error_restores_the_terminal() {
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
            ends(session, 2, "terminal error");
        } else {
            assert_eq!(session.wait_for_end(), 2, "{limit}: {}", session.screen());
        }
    }
    assert!(failed > 0, "no limit makes it fail after it has taken the terminal");
}
