//! Colours and symbols that reach a terminal, depending on its name, the environment and the options.

use std::fs;

use crate::support::pty::Session;

const MAP: &str = "maps/forest.toml";

/// Opens, pauses and quits a map. Returns the output.
fn output(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut arguments = arguments.to_vec();
    arguments.push(MAP);
    let mut session = Session::start_with(&arguments, variables, (80, 24));
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
    session.raw()
}

/// Returns whether an output has 16, 256 or exact colours.
fn colours(output: &str) -> (bool, bool, bool) {
    let (mut sixteen, mut indexed, mut exact) = (false, false, false);
    for escape in output.split("\u{1b}[").skip(1) {
        let Some((codes, _)) = escape.split_once('m') else { continue };
        if !codes.chars().all(|c| c.is_ascii_digit() || c == ';') {
            continue;
        }
        let codes: Vec<u16> = codes.split(';').filter_map(|code| code.parse().ok()).collect();
        // One escape sequence may set both the colour of the text and that of the background.
        for (at, _) in codes.iter().enumerate().filter(|(_, code)| matches!(code, 38 | 48)) {
            match codes[at + 1..] {
                [5, 0..16, ..] => sixteen = true,
                [5, ..] => indexed = true,
                [2, ..] => exact = true,
                _ => {}
            }
        }
    }
    (sixteen, indexed, exact)
}

const NONE: (bool, bool, bool) = (false, false, false);

#[test]
fn the_number_of_colours_depends_on_the_terminal() {
    let of = |variables: &[(&str, &str)]| colours(&output(&[], variables));
    assert_eq!(of(&[]), (false, true, false), "xterm-256color");
    assert_eq!(of(&[("TERM", "xterm")]), (true, false, false));
    assert_eq!(of(&[("COLORTERM", "truecolor")]), (false, false, true));
    assert_eq!(of(&[("TERM", "dumb")]), NONE);
    assert_eq!(of(&[("TERM", "linux")]), (true, false, false));
}

#[test]
fn options_and_the_variable_no_color_set_the_number_of_colours() {
    let with = |option: &str| colours(&output(&[option], &[]));
    assert_eq!(with("--color=never"), NONE);
    assert_eq!(with("--color=16"), (true, false, false));
    assert_eq!(with("--color=truecolor"), (false, false, true));
    assert_eq!(with("--theme=mono"), NONE);
    assert_eq!(colours(&output(&[], &[("NO_COLOR", "1")])), NONE);
    let always = output(&["--color=always"], &[("NO_COLOR", "1")]);
    assert_eq!(colours(&always), (false, true, false));
}

/// Opens a map, and returns the background colour and the text of the screen. If `answers`, the terminal answers all
/// questions: its background is white, and symbols are two columns wide.
fn shown(arguments: &[&str], answers: bool) -> (String, String) {
    let mut session = Session::start_with(&[arguments, &[MAP]].concat(), &[], (80, 24));
    session.wait_until("a question", |_| session.raw().contains("\u{1b}]11;?\u{1b}\\"));
    if answers {
        session.send("\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[2;3R\u{1b}[?62;22c");
    }
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    let shown = (session.background(), session.screen());
    session.quit();
    shown
}

/// Answers count for 0.2 s after the start, so a slow machine needs several attempts.
#[test]
fn theme_and_symbols_follow_the_answers_of_the_terminal() {
    let (light, _) = shown(&["--theme=light"], false);
    let (dark, unicode) = shown(&[], false);
    assert!(dark != light && unicode.contains('│'));
    let is_adapted =
        |(background, screen): (String, String)| background == light && screen.is_ascii();
    assert!((0..20).any(|_| is_adapted(shown(&[], true))), "no change in 20 attempts");
    assert_eq!(shown(&["--theme=dark"], true).0, dark, "the theme of the command line stays");
}

#[test]
fn late_answers_change_nothing_and_run_no_commands() {
    let mut session = Session::start_with(&[MAP], &[], (80, 24));
    session.wait_for("playing");
    session.send(" ");
    session.wait_for("paused");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let before = session.raw().len();
    session
        .send("\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[2;3R\u{1b}[?62;22c\u{1b}_Gi=1;q\u{1b}\\");
    let frame = session.frame();
    session.send(".");
    session.wait_for_frame(frame + 1);
    assert!(session.screen().contains('│'), "symbols changed");
    assert!(!session.raw()[before..].contains("\u{1b}[?1049l"), "it has ended");
    session.quit();
}

#[test]
fn a_letter_of_another_alphabet_is_explained_once() {
    let mut session = Session::paused(MAP, (80, 24));
    session.send("ф");
    session.wait_for("this layout sends ф; tilewalk's keys are Latin letters");
    session.send(".");
    session.wait_until_gone("this layout sends");
    session.send("ы");
    session.wait_for("ы does nothing here");
    assert!(!session.screen().contains("this layout sends"));
    session.quit();
}

/// Bold and reverse video show which agent is selected.
#[test]
fn bold_and_reverse_video_remain_without_colours() {
    for output in [output(&[], &[("NO_COLOR", "1")]), output(&[], &[("TERM", "dumb")])] {
        assert!(output.contains("\u{1b}[7m") && output.contains("\u{1b}[1m"), "no reverse or bold");
    }
}

#[test]
fn only_ascii_is_sent_if_the_terminal_may_not_support_utf_8() {
    for (arguments, variables) in [
        (&["--ascii"][..], &[][..]),
        (&[], &[("LC_ALL", "C")]),
        (&[], &[("LANG", "de_DE.ISO-8859-1")]),
        (&[], &[("TERM", "linux")]),
    ] {
        let output = output(arguments, variables);
        assert!(output.is_ascii(), "{arguments:?} {variables:?}");
    }
    assert!(output(&[], &[("LANG", "C.UTF-8")]).contains('╭'));
}

#[test]
fn a_configuration_is_used_and_its_errors_are_shown() {
    let folder = tempfile::tempdir().expect("folder is created");
    let path = folder.path().join("mine.toml");
    let name = path.display().to_string();
    fs::write(&path, "ascii = true\nspeed = 4\n").expect("file is written");
    let mut session = Session::start_with(&[MAP], &[("TILEWALK_CONFIG", &name)], (80, 24));
    session.wait_for("playing x4");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    fs::write(&path, "ascii = true\ntheem = \"dark\"\n").expect("file is written");
    let mut session = Session::start(&[MAP, "--config", &name]);
    session.wait_for("configuration has errors; defaults are used");
    session.wait_for("mine.toml:2:1");
    session.wait_for("did you mean `theme`?");
    session.send("\u{1b}");
    // Wait before the next key, because Escape directly followed by a key is that key with Alt.
    session.wait_until("the map", |screen| !screen.contains("defaults are used"));
    session.wait_for("playing ×1");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    let mut session = Session::start(&["--config", "/nowhere/to/be.toml"]);
    session.wait_for("no such file");
    session.send("\u{1b}");
    session.wait_until("the gallery", |screen| !screen.contains("no such file"));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}
