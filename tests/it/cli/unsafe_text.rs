//! Invisible characters and characters that change the text direction never reach the terminal.

use std::fs::{self, OpenOptions};
use std::process::Command;

use tilewalk::files::show::is_hidden;

fn tilewalk(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Runs a command, and asserts that its output is safe and contains `expected`.
fn assert_safe(arguments: &[&str], expected: &str) {
    let output = tilewalk(arguments).output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    let unsafe_character = text.chars().find(|&c| is_hidden(c) && c != '\n');
    assert_eq!(unsafe_character, None, "{text:?}");
    assert!(text.contains(expected), "{text}");
}

#[test]
fn hidden_characters_in_conditions_of_a_map_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("map.toml");
    let text = "tiles = '...'\n[[agent]]\nname = 'a'\nat = [0, 0]\n[[agent.mode]]\nname = 'm'\n\
                switch = [{ when = \"x > 0 and mode != 'q\\u202E\\u200B'\", to = 'n' }]\n\
                [[agent.mode]]\nname = 'n'\n";
    fs::write(&map, text).unwrap();
    let map = map.to_str().unwrap();
    let escaped = "q\\u{202e}\\u{200b}";
    assert_safe(&["check", map], escaped);
    assert_safe(&["explain", map, "--frame", "1", "--agent", "a"], escaped);
    let escaped = "q\\\\u{202e}\\\\u{200b}";
    assert_safe(&["explain", map, "--frame", "1", "--agent", "a", "--json"], escaped);
    assert_safe(&["diff", map, map, "--set-b", "a.max_speed=2"], "");
}

#[test]
fn hidden_characters_in_arguments_are_escaped_in_messages() {
    let map = "maps/castle.toml";
    assert_safe(&["run", map, "--frames", "1", "--set", "gu\u{202e}ard.x=1"], "gu\\u{202e}ard");
    assert_safe(&["run", map, "--frames", "\u{2066}1"], "\\u{2066}1");
    assert_safe(&["explain", map, "--frame", "1", "--agent", "gu\u{200b}ard"], "gu\\u{200b}ard");
    assert_safe(&["run", "no\u{202e}.toml", "--frames", "1"], "no\\u{202e}.toml");
    assert_safe(&["play", "no\u{202e}.toml", "x"], "");
}

#[test]
fn printing_to_a_full_disk_is_an_error() {
    for arguments in [&["help"][..], &["--help"], &["--version"], &["run", "--help"], &["man"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = tilewalk(arguments).stdout(full).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors.contains("cannot write standard output"), "{errors}");
    }
}

#[test]
fn file_level_problems_have_a_location() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("map.toml");
    fs::write(&map, "title = 'x'\n").unwrap();
    assert_safe(&["check", map.to_str().unwrap()], "map.toml:1:1");
}
