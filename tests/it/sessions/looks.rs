//! Colours and symbols that reach a terminal, depending on its name, the environment and the options.

use std::fs;

use crate::support::pty::Session;

const MAP: &str = "maps/forest.toml";

/// All that was sent until the map was paused and left again.
fn sent(arguments: &[&str], variables: &[(&str, &str)]) -> String {
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

/// Which sorts of colours are in an output: sixteen, 256, exact.
fn colours(sent: &str) -> (bool, bool, bool) {
    let (mut sixteen, mut indexed, mut exact) = (false, false, false);
    for escape in sent.split("\u{1b}[").skip(1) {
        let Some((codes, _)) = escape.split_once('m') else { continue };
        if !codes.chars().all(|c| c.is_ascii_digit() || c == ';') {
            continue;
        }
        let codes: Vec<u16> = codes.split(';').filter_map(|code| code.parse().ok()).collect();
        // One escape may set the colours of text and ground.
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
fn colours_are_those_of_the_terminal() {
    let of = |variables: &[(&str, &str)]| colours(&sent(&[], variables));
    assert_eq!(of(&[]), (false, true, false), "xterm-256color");
    assert_eq!(of(&[("TERM", "xterm")]), (true, false, false));
    assert_eq!(of(&[("COLORTERM", "truecolor")]), (false, false, true));
    assert_eq!(of(&[("TERM", "dumb")]), NONE);
    assert_eq!(of(&[("TERM", "linux")]), (true, false, false));
}

#[test]
fn colours_are_those_that_were_asked_for() {
    let with = |option: &str| colours(&sent(&[option], &[]));
    assert_eq!(with("--color=never"), NONE);
    assert_eq!(with("--color=16"), (true, false, false));
    assert_eq!(with("--color=truecolor"), (false, false, true));
    assert_eq!(with("--theme=mono"), NONE);
    assert_eq!(colours(&sent(&[], &[("NO_COLOR", "1")])), NONE);
    let always = sent(&["--color=always"], &[("NO_COLOR", "1")]);
    assert_eq!(colours(&always), (false, true, false));
}

/// Without colours weight and reverse remain: the selected agent is seen.
#[test]
fn no_color_takes_away_colours_alone() {
    for sent in [sent(&[], &[("NO_COLOR", "1")]), sent(&[], &[("TERM", "dumb")])] {
        assert!(sent.contains("\u{1b}[7m") && sent.contains("\u{1b}[1m"), "reversed and bold");
    }
}

#[test]
fn ascii_is_all_that_is_sent_where_nothing_else_is_known() {
    for (arguments, variables) in [
        (&["--ascii"][..], &[][..]),
        (&[], &[("LC_ALL", "C")]),
        (&[], &[("LANG", "de_DE.ISO-8859-1")]),
        (&[], &[("TERM", "linux")]),
    ] {
        let sent = sent(arguments, variables);
        assert!(sent.is_ascii(), "{arguments:?} {variables:?}");
    }
    assert!(sent(&[], &[("LANG", "C.UTF-8")]).contains('╭'));
}

#[test]
fn a_configuration_is_used_and_its_errors_are_shown_over_the_usual_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    let name = path.display().to_string();
    fs::write(&path, "ascii = true\nspeed = 4\n").expect("a file");
    let mut session = Session::start_with(&[MAP], &[("TILEWALK_CONFIG", &name)], (80, 24));
    session.wait_for("playing x4");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    fs::write(&path, "ascii = true\ntheem = \"dark\"\n").expect("a file");
    let mut session = Session::start(&[MAP, "--config", &name]);
    session.wait_for("configuration has errors; defaults are used");
    session.wait_for("mine.toml:2:1");
    session.wait_for("did you mean `theme`?");
    session.send("\u{1b}");
    // An escape and a key in one go would be a key with Alt.
    session.wait_until("the map", |screen| !screen.contains("defaults are used"));
    session.wait_for("playing ×1");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    let mut session = Session::start(&["--config", "/nowhere/to/be.toml"]);
    session.wait_for("no such file");
    session.send("\u{1b}");
    session.wait_until("the list of maps", |screen| !screen.contains("no such file"));
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}
