//! Files of earlier versions, in `tests/old`, still work: a configuration, a breakpoint file, a
//! recording.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tilewalk::files::config;
use tilewalk::tui::action::Context;
use tilewalk::tui::input::Key;
use tilewalk::tui::overlays::Layer;
use tilewalk::tui::settings::{Asked, Settings, config_schema};

use crate::support::sample_maps::map_screen;
use crate::support::screen::{Look, press};

const CONFIG: &str = "tests/old/config.toml";

/// Runs the program. Returns its exit code, and its output followed by its errors.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn old_names_of_overlays_and_actions_in_a_configuration_still_work() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(CONFIG);
    let read = config::read(&path, &config_schema()).unwrap();
    assert_eq!(read.report.plain(), "", "an old spelling is a warning");
    let mut app = map_screen(80, 24);
    app.set_up(&Settings::of(&read.config, &Asked::default(), None, |_| None));
    assert!(app.map().overlays.has(Layer::Visits) && app.map().overlays.has(Layer::Predicted));
    assert!(!app.map().overlays.has(Layer::Feelers), "default overlays are shown, too");
    press(&mut app, &[Key::Char(' '), Key::F(5)]);
    assert_eq!(app.session().unwrap().bookmarks().len(), 1, "F5 sets no bookmark");
    press(&mut app, &[Key::Char('o'), Key::F(9)]);
    assert!(app.context() == Context::Overlays && app.map().overlays.has(Layer::Feelers));
}

#[test]
fn check_lists_old_spellings_only_with_the_option_deprecated() {
    let (code, output) = run(&["check", CONFIG]);
    assert_eq!((code, output.as_str()), (Some(0), "1 file: no errors, no warnings\n"));
    let (code, output) = run(&["check", "--deprecated", CONFIG]);
    assert_eq!(code, Some(0), "{output}");
    assert!(output.ends_with("1 file: no errors, 6 warnings\n"), "{output}");
    for (place, old, new) in [
        ("2:24", "overlay `visits`", "`heat map`"),
        ("2:34", "overlay `expected`", "`predicted`"),
        ("5:1", "action `mark`", "`bookmark`"),
        ("6:1", "action `run-to-hit`", "`continue`"),
        ("8:1", "action `usual-layers`", "`default-overlays`"),
    ] {
        let warning = format!("{old} is an old spelling\n --> {CONFIG}:{place}\n");
        assert!(output.contains(&warning), "{warning}{output}");
        assert!(output.contains(&format!("write {new} (since ")), "{new}: {output}");
    }
    let (code, _) = run(&["check", "--deprecated", "--strict", CONFIG]);
    assert_eq!(code, Some(1));
    let (code, output) = run(&["check", "--deprecated", "--strict", "maps", "patterns"]);
    assert_eq!(code, Some(0), "shipped files use current words: {output}");
}

#[test]
fn an_old_breakpoint_file_is_valid_and_an_old_recording_can_be_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("maps/castle.toml", "maps/castle.toml"),
        ("patterns/castle_round.toml", "patterns/castle_round.toml"),
        ("patterns/look_round.toml", "patterns/look_round.toml"),
        ("tests/old/castle.breaks.toml", "maps/castle.breaks.toml"),
    ] {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root.join(from), to).unwrap();
    }
    let breaks = folder.path().join("maps/castle.breaks.toml").display().to_string();
    let (code, output) = run(&["check", &breaks]);
    assert_eq!((code, output.as_str()), (Some(0), "1 file: no errors, no warnings\n"));
    // A recording of an older engine can be run, but its state hashes cannot be verified.
    let (code, output) = run(&["verify", "tests/old/castle.twr"]);
    assert_eq!(code, Some(2));
    assert!(output.contains("recorded with engine 1, this is engine"), "{output}");
    let (code, output) = run(&["run", "tests/old/castle.twr"]);
    assert_eq!(code, Some(0));
    assert!(output.contains("frames  200 ") && output.contains("frames may differ"), "{output}");
}
