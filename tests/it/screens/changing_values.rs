//! Values changed while a map runs, on the screen and in the map file.

use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use ratatui::layout::Rect;
use tilewalk::builtin;
use tilewalk::command;
use tilewalk::files::read::tuning;
use tilewalk::files::settings::{self, Setting};
use tilewalk::files::write::{self, WriteError};
use tilewalk::files::{self, Options};
use tilewalk::id::AgentId;
use tilewalk::scenario::sources::FileRole;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::map_screen::popup::values::ValueList;
use tilewalk::tui::{Opened, Saved, Start};

use crate::support::maps;
use crate::support::pty::Session;
use crate::support::sample_maps::dark_theme;
use crate::support::scene::Scene;
use crate::support::screen::{
    self, Look, dump, frame, press, saved_message, shown_message, type_text,
};

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("values", (80, 24), |size| {
            let mut app = screen::shipped("flock", size);
            type_text(&mut app, ":set boid.steer.2.weight=3\nx");
            press(&mut app, &[Key::Down, Key::Down]);
            app
        })
        .differing_from(|size| screen::shipped("flock", size)),
        Scene::new("values_line", (80, 24), |size| {
            let mut app = screen::shipped("castle", size);
            type_text(&mut app, "xpace\n+++\n+");
            app
        })
        .differing_from(|size| screen::shipped("castle", size)),
        Scene::new("values_changed", (120, 40), |size| {
            let mut app = screen::shipped("flock", size);
            type_text(&mut app, ":set boid.steer.2.weight=3\n:set boid.max_speed=6\n\n");
            app
        })
        .inspector(),
    ]
}

#[test]
fn a_value_set_by_name_applies_from_the_next_frame_on() {
    let mut app = screen::shipped("flock", (80, 24));
    type_text(&mut app, ">>:set boid.steer.2.weight=3\n");
    assert_eq!(shown_message(&app), "boid.steer.2.weight: 2 → 3 from frame 21 on");
    assert_eq!(frame(&app), 21);
    type_text(&mut app, ":set boid.steer.2.weight=3\n");
    assert_eq!(
        (shown_message(&app).as_str(), frame(&app)),
        ("boid.steer.2.weight is already 3", 21)
    );
    for (setting, expected) in [
        ("boid.steer.2.weigth=3", "did you mean `weight`?"),
        ("boid.max_speed=-4", "between 0 and 1000"),
        ("bird.max_speed=4", "unknown agent `bird`"),
    ] {
        type_text(&mut app, &format!(":set {setting}\n"));
        let complaint = app.prompt.line.as_ref().and_then(|line| line.complaint());
        assert!(complaint.is_some_and(|(_, text)| text.contains(expected)), "{setting}");
        press(&mut app, &[Key::Esc]);
        assert_eq!(frame(&app), 21);
    }
    // A change at an earlier frame starts a new run and keeps the old run.
    type_text(&mut app, "<:set boid.max_speed=6\n");
    assert_eq!(shown_message(&app), "boid.body.max_speed: 4 → 6 from frame 12 on, in a new run");
    let history = app.session().expect("a map").history();
    assert_eq!((history.runs().len(), history.comparison().is_some()), (2, true));
}

#[test]
fn shrinking_a_group_selects_another_agent_if_the_selected_one_is_gone() {
    let mut app = screen::shipped("flock", (120, 40));
    press(&mut app, &[Key::BackTab]);
    type_text(&mut app, ">o*a");
    press(&mut app, &[Key::Esc]);
    let selected = |app: &App| {
        let session = app.session().expect("a map");
        session.scenario().name(session.selected().expect("a selected agent")).to_string()
    };
    assert_eq!(selected(&app), "boid.60");
    type_text(&mut app, ":set boid.count=5\n");
    assert_eq!(selected(&app), "boid.1");
    dump(&app);
    type_text(&mut app, ":set boid.count=90\n");
    press(&mut app, &[Key::BackTab]);
    assert_eq!(selected(&app), "boid.90");
    dump(&app);
    for _ in 0..4 {
        type_text(&mut app, ",");
        dump(&app);
    }
    for _ in 0..4 {
        type_text(&mut app, ".");
        dump(&app);
    }
}

#[test]
fn the_value_list_filters_values_edits_one_and_closes_with_esc() {
    let mut app = screen::shipped("flock", (80, 24));
    type_text(&mut app, "xsteer.2.w");
    let Some(values) = app.map().popup::<ValueList>() else { panic!("no list") };
    assert_eq!(
        values.selected_tunable().map(|tunable| tunable.path.to_string()),
        Some("boid.steer.2.weight".to_owned())
    );
    // `+` and `-` apply at once. The old value is beside the new one.
    type_text(&mut app, "++-");
    assert_eq!(shown_message(&app), "boid.steer.2.weight: 2.2 → 2.1 from frame 3 on");
    assert!(dump(&app).contains("2.1 was 2 "), "{}", dump(&app));
    // In the editor, `+`, `-` and the arrow keys change the number, and `Enter` applies it.
    type_text(&mut app, "\n+");
    press(&mut app, &[Key::Up]);
    type_text(&mut app, "-\n");
    assert_eq!(shown_message(&app), "boid.steer.2.weight: 2.1 → 2.2 from frame 4 on");
    type_text(&mut app, "\n");
    press(&mut app, &[Key::Backspace; 3]);
    type_text(&mut app, "-1e-2\n");
    let Some(values) = app.map().popup::<ValueList>() else { panic!("no list") };
    let error = values.error().unwrap_or_default();
    assert_eq!(error, "`weight` must be between 0 and 1000000, but is -1e-2");
    press(&mut app, &[Key::Esc]);
    assert!(app.map().popup::<ValueList>().is_some_and(|values| values.editor().is_none()));
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
}

#[test]
fn behaviours_are_listed_by_their_words_and_found_by_word_or_number() {
    let mut app = screen::shipped("flock", (80, 24));
    let names = |app: &App| -> Vec<String> {
        let values = app.map().popup::<ValueList>().expect("a list");
        values.listed_names().map(str::to_owned).collect()
    };
    let parts = ["radius", "angle", "weight", "probability"];
    let separation = parts.map(|part| format!("steer.separation.{part}"));
    for typed in ["sep", "separation", "steer.1."] {
        type_text(&mut app, &format!("x{typed}"));
        assert_eq!(names(&app), separation, "{typed}");
        press(&mut app, &[Key::Esc]);
    }
    type_text(&mut app, "xview.r");
    assert_eq!(names(&app), ["body.view.range"]);
    press(&mut app, &[Key::Esc]);
    type_text(&mut app, ":set boid.view.range=5\n");
    assert!(shown_message(&app).starts_with("boid.body.view.range: "), "{}", shown_message(&app));
    // The list leaves the force breakdown visible.
    for size in [(80, 24), (120, 40)] {
        let mut app = screen::shipped("flock", size);
        type_text(&mut app, ">x");
        assert!(dump(&app).contains("1 separation"), "{}", dump(&app));
    }
}

#[test]
fn after_an_undo_the_run_is_shown_as_if_the_value_was_never_changed() {
    for from in [60, 40] {
        let mut app = screen::shipped("flock", (120, 40));
        screen::go_to(&mut app, 90);
        let clean = app.session().expect("a map").world().hash();
        let mut app = screen::shipped("flock", (120, 40));
        type_text(&mut app, "a");
        assert_eq!(
            shown_message(&app),
            "warning: no other run: edit at an earlier frame to compare"
        );
        screen::go_to(&mut app, 60);
        screen::go_to(&mut app, from);
        type_text(&mut app, ":set boid.steer.separation.weight=8\n");
        screen::go_to(&mut app, 80);
        type_text(&mut app, "u");
        let message = shown_message(&app);
        assert!(message.ends_with("from frame 81 on; a: as if never made"), "{message}");
        type_text(&mut app, "a");
        assert_eq!(frame(&app), 81);
        screen::go_to(&mut app, 90);
        assert_eq!(app.session().expect("a map").world().hash(), clean);
    }
}

#[test]
fn the_preview_shows_the_next_positions_of_an_edited_agent_and_of_a_craft() {
    for (map, edits, expected) in
        [("castle", "", false), ("castle", "x", true), ("square", "", true)]
    {
        let mut app = screen::shipped(map, (80, 24));
        screen::go_to(&mut app, 10);
        type_text(&mut app, edits);
        let session = app.session().expect("a map");
        let track = session.preview_track().to_vec();
        assert_eq!(track.len() > 50, expected, "{map} {edits}");
        let id = session.selected().expect("an agent");
        press(&mut app, &[Key::Esc]);
        for position in track.into_iter().take(20) {
            assert_eq!(app.session().expect("a map").world().position(id), position);
            type_text(&mut app, ".");
        }
    }
}

#[test]
fn changed_values_are_unsaved_until_they_are_written() {
    let mut app = screen::shipped("flock", (80, 24));
    app.update(Input::Key(Key::Char('w')));
    assert!(
        shown_message(&app).contains("nothing to write; x edits values"),
        "{}",
        shown_message(&app)
    );
    type_text(&mut app, ":set boid.steer.2.weight=3\n");
    let session = app.session().expect("a map");
    let text = tuning::text_with(session.sources(), session.unwritten()).expect("a map");
    let Some(Effect::Write(save)) = app.update(Input::Key(Key::Char('w'))) else {
        panic!("no write")
    };
    assert_eq!(save.sources.set, set());
    app.saved(Ok(Saved {
        message: "wrote it".to_owned(),
        texts: vec![(FileRole::Map, text.into())],
        moved: None,
    }));
    assert!(app.session().expect("a map").unwritten().is_empty());
    // The old value differs from the value in the written file, so setting it is an unsaved change.
    type_text(&mut app, ":set boid.steer.2.weight=2\n");
    assert_eq!(app.session().expect("a map").unwritten().len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Changes a value of a built-in map, with LF or CRLF line ends.
    #[test]
    fn setting_a_value_keeps_every_byte_of_the_file_outside_the_value(
        map in 0..64_usize, kind in 0..8_usize, tunable in 0..999_usize, up: bool, crlf: bool,
    ) {
        let maps = builtin::maps();
        let scenario = maps::scenario(&maps[map % maps.len()].name);
        let kind = &scenario.kinds()[kind % scenario.kinds().len()].name;
        let tunables = tuning::tunables(scenario.sources(), kind).expect("a valid map");
        let tunable = &tunables[tunable % tunables.len()];
        let Some(value) = tunable.nudged(&tunable.present(), up) else { return Ok(()) };
        let text = scenario.sources().files[0].text.to_string();
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let setting = settings::with_text(&tunable.path, &value).expect("a setting");
        let after = settings::apply(&text, std::slice::from_ref(&setting)).expect("a place");
        prop_assert_eq!(settings::present(&setting, &after), Some(value.clone()));
        let begin = text.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
        let end = text.bytes().rev().zip(after.bytes().rev()).take_while(|(a, b)| a == b).count();
        let end = end.min(text.len().min(after.len()) - begin);
        let removed = &text[begin..text.len() - end];
        if let Some(old) = &tunable.value {
            // `removed` does not contain the digits that the old and the new value share.
            prop_assert!(old.contains(removed), "{removed:?} is removed by {setting}");
            let back = settings::with_text(&tunable.path, old).expect("a setting");
            prop_assert_eq!(settings::apply(&after, &[back]).expect("a place"), text);
        } else {
            prop_assert!(removed.trim().is_empty(), "{removed:?} is removed by {setting}");
            prop_assert!(after[begin..after.len() - end].contains(&value));
        }
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn set() -> Vec<Setting> {
    vec![settings::parse("boid.steer.2.weight=3").expect("a setting")]
}

const MAP: &str = "[[agent]]\nname = \"boid\"\nsteer = [{ do = \"wander\" }, { do = \"cohesion\", weight = 2 }]\n";

#[test]
fn writing_values_keeps_symlinks_byte_order_mark_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    let (real, link) = (folder.path().join("real.toml"), folder.path().join("link.toml"));
    fs::write(&real, format!("\u{FEFF}{MAP}")).expect("a file");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink("real.toml", &link).expect("a link");
    let after = write::settings(&link, MAP, &set(), false).expect("written");
    assert_eq!(after, MAP.replace("weight = 2", "weight = 3"));
    assert_eq!(fs::read_to_string(&real).expect("a file"), format!("\u{FEFF}{after}"));
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(fs::metadata(&real).expect("a file").permissions().mode() & 0o777, 0o640);
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        2,
        "no temporary file is left"
    );
}

#[test]
fn a_value_is_written_to_a_file_changed_by_another_program_only_if_forced() {
    let folder = folder();
    let path = folder.path().join("map.toml");
    let theirs = format!("# theirs\n{MAP}");
    fs::write(&path, &theirs).expect("a file");
    let refused = write::settings(&path, MAP, &set(), false);
    assert!(matches!(refused, Err(WriteError::Changed(_))), "{refused:?}");
    assert_eq!(fs::read_to_string(&path).expect("a file"), theirs);
    let after = write::settings(&path, MAP, &set(), true).expect("written");
    assert_eq!(after, theirs.replace("weight = 2", "weight = 3"));
    fs::write(&path, "half [").expect("a file");
    assert!(matches!(write::settings(&path, MAP, &set(), true), Err(WriteError::NotToml(_))));
    assert_eq!(fs::read_to_string(&path).expect("a file"), "half [");
    let missing = write::settings(Path::new("/nowhere/map.toml"), MAP, &set(), true);
    assert!(matches!(missing, Err(WriteError::Io { .. })));
    assert!(matches!(write::new(&path, MAP), Err(WriteError::Exists(_))));
    write::new(&folder.path().join("new.toml"), MAP).expect("a new file");
}

/// Changes a value at an earlier frame, writes it to the file, and verifies the recording of the session.
#[test]
fn w_writes_a_changed_value_to_the_map_file() {
    let folder = folder();
    let path = folder.path().join("flock.toml");
    let text = maps::scenario("flock").sources().files[0].text.to_string();
    fs::write(&path, &text).expect("a file");
    let name = path.to_str().expect("a path");
    let recording = folder.path().join("run.twr");
    let twr = recording.to_str().expect("a path");
    let mut session = Session::start_with(&["--record", twr, name], &[], (120, 40));
    session.wait_for("playing");
    session.send(" :goto 60\r");
    session.wait_for("reached frame 60");
    session.send("<xsteer.2.weight");
    session.wait_for("1 listed");
    session.send("\r\u{15}3\r");
    session.wait_for("boid.steer.2.weight: 2 → 3 from frame 51 on, in a new run");
    session.wait_for("* steer.2.weight = 3");
    session.escape("values of boid");
    session.send("w");
    session.wait_for("wrote 1 value to");
    session.wait_until("no mark", |screen| !screen.contains("* steer.2.weight"));
    let expected = text.replace("\"alignment\", weight = 2", "\"alignment\", weight = 3");
    assert_eq!(fs::read_to_string(&path).expect("a file"), expected);
    // Another program adds a comment to the file in the meantime. `:write!` keeps this comment.
    session.send(":set boid.steer.2.weight=4\r");
    session.wait_for("weight: 3 → 4");
    fs::write(&path, format!("# theirs\n{expected}")).expect("a file");
    session.send(":write!\r");
    let expected = expected.replace("\"alignment\", weight = 3", "\"alignment\", weight = 4");
    let expected = format!("# theirs\n{expected}");
    session.wait_until("both changes", |_| fs::read_to_string(&path).unwrap() == expected);
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
    session.assert_restored();
    // The recording contains all changed values, so its hashes match.
    let mut verify = Command::new(env!("CARGO_BIN_EXE_tilewalk"));
    assert!(verify.args(["verify", twr]).status().expect("it runs").success());
}

#[test]
fn a_changed_built_in_map_is_written_only_to_a_new_file() {
    let folder = folder();
    let path = folder.path().join("mine.toml");
    let mut session = Session::start(&[]);
    session.wait_for("choose a map");
    session.send("\r");
    session.wait_for("playing");
    session.send(" xradius\r+\r");
    session.wait_for("radius: 0.3 → 0.31");
    session.send("\u{1b}");
    session.wait_until("the map again", |screen| !screen.contains("values of"));
    session.send("w");
    session.wait_for("built-in maps are read-only; save a copy");
    session.send(&format!("\u{15}write {}\r", path.display()));
    session.wait_for("wrote the map to");
    assert!(fs::read_to_string(&path).expect("a file").contains("radius"));
    session.send(&format!(":write {}\r", path.display()));
    session.wait_for("already exists");
    session.escape("╭ command");
    session.send("q");
    assert_eq!(session.wait_for_end(), 0);
}

/// Returns a room with a guard. `more` can add a wall beside the guard.
fn room(more: &str) -> String {
    format!(
        "tiles = '''\n.....\n.....\n'''\n[[agent]]\nname = 'guard'\nat = [1, 0]\n\
         body = {{ radius = 0.3 }}\n{more}"
    )
}

#[test]
fn a_failed_undo_or_redo_can_be_repeated() {
    const WALL: &str = "[[wall]]\nfrom = [1.18, 0.0]\nto = [1.18, 2.0]\n";
    let origin = builtin::text("room.toml", room(""));
    let loaded = files::load(&origin, &Options::default()).unwrap();
    let opened = Opened::new("room", "room.toml", loaded.scenario.unwrap());
    let screen = Rect::new(0, 0, 80, 24);
    let mut app = App::new(vec![], Start::Map(opened), screen, dark_theme()).0;
    let saved = |app: &mut App, more: &str| {
        app.receive(saved_message("room", &room(more), &Options::default()));
        screen::settle(app);
    };
    type_text(&mut app, " :set guard.radius=0.35\n:set guard.radius=0.1\n");
    // A body with a radius of 0.35 does not fit beside the wall.
    saved(&mut app, WALL);
    type_text(&mut app, "u");
    let failed = shown_message(&app);
    assert!(failed.starts_with("warning: cannot undo: "), "{failed}");
    type_text(&mut app, "u");
    assert_eq!(shown_message(&app), failed);
    saved(&mut app, "");
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid guard.body.radius: 0.1 → 0.35"),
        "{}",
        shown_message(&app)
    );
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid guard.body.radius: 0.35 → 0.3"),
        "{}",
        shown_message(&app)
    );
    saved(&mut app, WALL);
    type_text(&mut app, "U");
    let failed = shown_message(&app);
    assert!(failed.starts_with("warning: cannot redo: "), "{failed}");
    type_text(&mut app, "U");
    assert_eq!(shown_message(&app), failed);
    saved(&mut app, "");
    type_text(&mut app, "U");
    assert!(
        shown_message(&app).starts_with("redid guard.body.radius: 0.3 → 0.35"),
        "{}",
        shown_message(&app)
    );
}

/// In the frame of a change, the command that drives an agent uses the agent's id after the change.
#[test]
fn an_agent_stays_under_manual_control_when_its_id_changes() {
    let text = "tiles = '''\n............\n............\n............\n'''\n\
                [[agent]]\nname = \"boid\"\ncount = 2\nat = \"anywhere\"\n\
                [[agent]]\nname = \"ship\"\nat = [5, 1]\n";
    let opened = screen::opened(text, &Options::default());
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, 120, 40), dark_theme()).0;
    type_text(&mut app, " ");
    press(&mut app, &[Key::BackTab, Key::Char('i')]);
    type_text(&mut app, ":set boid.count=4\n");
    let session = app.session().expect("a map");
    assert_eq!(session.scenario().name(AgentId(4)).to_string(), "ship");
    let driven: Vec<_> = session.history().commands().iter().filter_map(driven_agent).collect();
    assert_eq!(driven, [AgentId(4)]);
}

fn driven_agent(command: &command::Command) -> Option<AgentId> {
    match command {
        command::Command::Drive { agent, .. } => Some(*agent),
        command::Command::Place { .. } | command::Command::Reload(_) => None,
    }
}
