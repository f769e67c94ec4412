//! User files: configurations, edited and invalid maps, recordings.

use std::fs;
use std::process::Command;

use crate::support::pty::{Session, all_hashes_match, frame_on};
use crate::support::temp_folder::TempFolder;

#[test]
fn a_configured_key_works_and_appears_in_hints_and_help() {
    let folder = TempFolder::new();
    folder.write("tilewalk/config.toml", "[keys]\nplay = [\"n\", \"F5\"]\nfollow = []\n");
    let root = folder.path("").display().to_string();
    let config = folder.path_text("tilewalk/config.toml");
    // The configuration is given by the option `--config`, or found in the config directory.
    for (arguments, variables) in [
        (&["maps/castle.toml", "--config", &config][..], &[][..]),
        (&["maps/castle.toml"], &[("XDG_CONFIG_HOME", root.as_str())]),
    ] {
        let mut session = Session::start_with(arguments, variables, (120, 40));
        session.wait_for("playing");
        session.wait_for("n play/pause");
        session.send("n");
        session.wait_for("paused");
        // Neither the default key of `play` nor the key of `follow` does anything.
        let frame = session.frame();
        session.send(" f");
        session.send(".");
        session.wait_for_frame(frame + 1);
        session.wait_until("no follow mode", |screen| !screen.contains("following"));
        session.send("?play / pause");
        session.wait_for("n  F5");
        session.send("\u{3}");
        assert_eq!(session.wait_for_end(), 0);
    }
}

#[test]
fn configuration_errors_are_shown_with_line_and_column() {
    let folder = TempFolder::new();
    let text = "theme = \"light\"\n[keys]\nplay = \"f\"\njump = \"J\"\nfit = \"ctrl-Q!\"\n";
    let config = folder.write("config.toml", text);
    let mut session =
        Session::start_with(&["maps/castle.toml", "--config", &config], &[], (120, 40));
    session.wait_for("configuration has errors; defaults are used");
    for place in ["config.toml:3:", "config.toml:4:1", "config.toml:5:"] {
        session.wait_for(place);
    }
    session.wait_for("jump");
    session.escape("defaults are used");
    session.wait_for("playing");
    session.wait_for("Space play/pause");
    session.quit();
}

#[test]
fn the_theme_command_changes_the_theme_of_the_session() {
    let mut session =
        Session::start_with(&["maps/castle.toml"], &[("COLORTERM", "truecolor")], (80, 24));
    session.pause();
    session.command("theme light");
    session.wait_for("theme light for this session");
    let light = last_background(&session.raw());
    session.command("theme dark");
    session.wait_for("theme dark for this session");
    assert_ne!(last_background(&session.raw()), light);
    let before = session.raw().len();
    session.command("theme mono");
    session.wait_for("theme mono for this session");
    session.send(".");
    session.wait_until("the next frame", |screen| !screen.contains("theme mono"));
    let sent = session.raw()[before..].to_owned();
    assert!(!sent[sent.rfind("theme mono").unwrap()..].contains("48;2"), "exact colours are sent");
    session.command("theme sepia");
    session.wait_for("`sepia` is not a theme (dark, light");
    session.send("\u{3}");
    assert_eq!(session.wait_for_end(), 0);
}

/// Returns the last exact background colour in the output.
fn last_background(raw: &str) -> String {
    let rest = &raw[raw.rfind("48;2;").expect("output sets a background") + 5..];
    rest.split('m').next().unwrap_or_default().to_owned()
}

#[test]
fn errors_of_a_map_are_printed_without_opening_the_screen() {
    let folder = TempFolder::castle();
    folder.replace("maps/castle.toml", "to = \"scold\"", "to = \"scowl\"");
    folder.replace("maps/castle.toml", "range = 9", "range = \"far\"");
    let mut session = Session::start_with(&[&folder.path_text("maps/castle.toml")], &[], (100, 30));
    assert_eq!(session.wait_for_end(), 2);
    let screen = session.screen();
    assert!(
        screen.contains("castle.toml:38:30") && screen.contains("castle.toml:51:42"),
        "{screen}"
    );
    assert!(screen.contains("did you mean `scold`?"), "{screen}");
    assert!(!session.raw().contains("[?1049h"), "the screen was opened");
    session.assert_restored();
}

#[test]
fn opening_a_missing_map_or_folder_prints_an_error_with_its_path() {
    let mut session = Session::start(&["maps/castel.toml"]);
    assert_eq!(session.wait_for_end(), 2);
    assert!(session.screen().contains("maps/castel.toml"), "{}", session.screen());
    let mut session = Session::start(&["mops/"]);
    assert_eq!(session.wait_for_end(), 2);
    assert!(session.screen().contains("mops"), "{}", session.screen());
}

#[test]
fn a_change_saved_in_the_editor_is_applied_when_the_editor_closes() {
    let folder = TempFolder::castle();
    let editor = folder.script("vi", "sed -i 's/^pace    = 5/pace    = 2/' \"$2\"");
    let map = folder.path_text("maps/castle.toml");
    let mut session =
        Session::start_with(&[&map], &[("EDITOR", &editor), ("VISUAL", "")], (120, 40));
    session.pause();
    session.go_to(20);
    session.wait_for("on tile (17, 1)");
    session.send("e");
    session.wait_for("first differs from run 1 at frame");
    // The current frame stays the same. With the shorter pace, the guard is further on its path.
    session.wait_for_frame(20);
    session.wait_for("on tile (23, 1)");
    session.send("a");
    session.wait_for("on tile (17, 1)");
    session.command("after");
    session.wait_for("on tile (23, 1)");
    session.quit();
}

#[test]
fn a_deleted_map_file_is_reported_until_it_is_restored() {
    let folder = TempFolder::castle();
    let text = folder.read("maps/castle.toml");
    let mut session = Session::paused(&folder.path_text("maps/castle.toml"), (120, 40));
    session.go_to(40);
    fs::remove_file(folder.path("maps/castle.toml")).unwrap();
    session.wait_for("D: more");
    session.send("D");
    session.wait_for("╭ 1 error");
    session.escape("╭ 1 error");
    session.send(".");
    session.wait_for_frame(41);
    folder.write("maps/castle.toml", &text);
    session.wait_until_gone("D: more");
    session.wait_for_frame(41);
    session.quit();
}

#[test]
fn the_runs_before_and_after_a_value_edit_can_be_compared() {
    let mut session = Session::paused("maps/flock.toml", (120, 40));
    session.go_to(100);
    let hash = hash_on(&session.screen());
    session.go_to(60);
    session.command("set boid.steer.2.weight=0");
    session.wait_for("boid.steer.2.weight: 2 → 0 from frame 61 on, in a new run");
    session.go_to(100);
    session.wait_until("another state", |screen| hash_on(screen) != hash);
    session.command("before");
    session.wait_until("the state before", |screen| hash_on(screen) == hash);
    session.command("after");
    session.wait_until("the state after", |screen| hash_on(screen) != hash);
    session.command("runs");
    session.wait_for("run 1 at 60");
    session.escape("╭ runs");
    session.send("q");
    session.wait_for("not written: boid.steer.2.weight 2 → 0; w writes; q again leaves");
    session.quit();
}

/// Returns the state hash in the status line.
fn hash_on(screen: &str) -> String {
    let status = screen.lines().rev().nth(1).unwrap_or_default();
    let hash = status.split('#').nth(1).unwrap_or_default();
    hash.chars().take(8).collect()
}

#[test]
fn a_replay_never_changes_the_recording_file() {
    let folder = TempFolder::new();
    let file = folder.path_text("walk.twr");
    let mut session = Session::start_with(&["maps/castle.toml", "--record", &file], &[], (120, 40));
    session.pause();
    session.go_to(150);
    let hash = hash_on(&session.screen());
    session.quit();
    let bytes = fs::read(folder.path("walk.twr")).unwrap();
    let mut session = Session::start_with(&["replay", &file], &[], (120, 40));
    session.wait_for("paused");
    session.go_to(150);
    session.wait_until("the recorded state", |screen| hash_on(screen) == hash);
    session.send("[");
    session.wait_until("the previous event", |screen| frame_on(screen).is_some_and(|it| it < 150));
    session.quit();
    assert_eq!(fs::read(folder.path("walk.twr")).unwrap(), bytes);
    // A second recording with the same name is refused before the screen opens.
    let mut session = Session::start(&["maps/castle.toml", "--record", &file]);
    assert_eq!(session.wait_for_end(), 2);
    assert!(session.screen().contains("walk.twr"), "{}", session.screen());
    assert_eq!(fs::read(folder.path("walk.twr")).unwrap(), bytes);
}

#[test]
fn opening_the_recorded_map_again_stops_the_recording_without_loss() {
    let folder = TempFolder::new();
    let file = folder.path_text("twice.twr");
    let mut session = Session::start_with(&["maps/castle.toml", "--record", &file], &[], (120, 40));
    session.pause();
    session.go_to(300);
    session.command("open maps/castle.toml");
    session.wait_for("recording stopped: the map was opened again");
    session.pause();
    session.go_to(40);
    session.send("\x03");
    // The file contains everything up to the stop, so the exit code is 0.
    assert_eq!(session.wait_for_end(), 0);
    assert!(session.raw().contains("tilewalk: recording stopped: the map was opened again"));
    let output =
        Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(["verify", &file]).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(!output.is_empty() && all_hashes_match(&output), "{output}");
}

#[test]
fn a_truncated_recording_opens_with_a_message() {
    let folder = TempFolder::new();
    let file = folder.path_text("torn.twr");
    let mut session = Session::start_with(&["maps/castle.toml", "--record", &file], &[], (120, 40));
    session.pause();
    session.go_to(150);
    session.quit();
    let bytes = fs::read(folder.path("torn.twr")).unwrap();
    fs::write(folder.path("torn.twr"), &bytes[..bytes.len() - 5]).unwrap();
    let session = Session::start_with(&["replay", &file], &[], (160, 40));
    session.wait_for(" of incomplete data at the end; the recording is valid up to frame ");
    session.wait_for("╭ guard ─");
    session.quit();
}

#[test]
fn control_characters_in_a_map_file_do_not_reach_the_terminal() {
    let folder = TempFolder::castle();
    let escape = "\u{1b}]0;stolen\u{7}\u{9b}31m";
    let map = folder.path_text("maps/castle.toml");
    // The file is changed while the map is open, and opened again afterwards. Both times, an error shows the
    // control characters escaped.
    let mut session = Session::paused(&map, (100, 30));
    folder.replace("maps/castle.toml", "title  = \"Castle", &format!("title  = \"{escape}Castle"));
    session.wait_for("control character U+001B");
    session.send("D");
    session.wait_for("stolen");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    let raw = session.raw();
    assert!(
        !raw.contains("\u{1b}]0;") && !raw.contains('\u{9b}'),
        "an escape sequence reached the terminal"
    );
    let mut session = Session::start(&[&map]);
    assert_eq!(session.wait_for_end(), 2);
    session.wait_for("stolen");
    let raw = session.raw();
    assert!(
        !raw.contains("\u{1b}]0;") && !raw.contains('\u{9b}'),
        "an escape sequence reached the terminal"
    );
}
