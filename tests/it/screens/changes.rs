//! Changed values and edits: restarting, undo and redo, and the questions before leaving and writing.

use tilewalk::files::Options;
use tilewalk::geom::TilePos;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};

use super::painting::click;
use crate::support::scene::Scene;
use crate::support::screen::Look;
use crate::support::screen::{
    self, builtin, command, dump, frame, go_to, message_of, press, said, typed,
};

pub fn scenes() -> Vec<Scene> {
    let castle = |size| screen::shipped("castle", size);
    let flock = |size| screen::shipped("flock", size);
    vec![
        Scene::new("changes", (80, 24), move |size| {
            let mut app = castle(size);
            three_changes(&mut app);
            typed(&mut app, "w");
            app
        })
        .beside(castle),
        Scene::new("changes_leaving", (80, 24), move |size| {
            let mut app = flock(size);
            for (number, key) in ["mass", "max_speed", "max_force", "radius"].iter().enumerate() {
                command(&mut app, &format!("set boid.{key}=0.{}", number + 4));
            }
            typed(&mut app, "q");
            app
        })
        .beside(flock),
    ]
}

/// Two changed values and a wall.
fn three_changes(app: &mut App) {
    command(app, "set guard.patrol.pace=2");
    command(app, "set thief.radius=0.2");
    paint(app, 20, 1);
}

/// Paints a wall, and leaves paint mode.
fn paint(app: &mut App, x: i32, y: i32) {
    typed(app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(x, y);
    typed(app, " ");
    press(app, &[Key::Esc]);
}

fn set(app: &App) -> Vec<String> {
    app.session().expect("a map").sources().set.clone()
}

fn unsaved(app: &App) -> Vec<String> {
    let session = app.session().expect("a map");
    session.unwritten().iter().map(ToString::to_string).collect()
}

fn wall(app: &App, x: i32, y: i32) -> bool {
    let map = &app.session().expect("a map").scenario().map;
    map.kind(TilePos::new(x, y)).expect("a tile").name == "wall"
}

fn key(app: &mut App, c: char) -> Option<Effect> {
    app.update(Input::Key(Key::Char(c)))
}

#[test]
fn a_restart_keeps_changed_values() {
    let mut app = screen::shipped("flock", (80, 24));
    typed(&mut app, ":set boid.steer.2.weight=3\n>");
    typed(&mut app, "xmax_speed\n6\n");
    press(&mut app, &[Key::Esc]);
    typed(&mut app, "r");
    assert_eq!(frame(&app), 0);
    assert_eq!(said(&app), "restarted at frame 0 with 2 changed values");
    assert_eq!(unsaved(&app), ["boid.steer.2.weight=3", "boid.body.max_speed=6"]);
    // Nothing changes at frame 1: the values hold from the start.
    typed(&mut app, ".");
    assert_eq!(unsaved(&app).len(), 2);
    assert!(app.session().expect("a map").history().run().log().is_empty());
    // The run before remains.
    assert_eq!(app.session().expect("a map").history().runs().len(), 2);
    typed(&mut app, "r");
    assert_eq!(app.session().expect("a map").history().runs().len(), 2);
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(dump(&app).contains("* unsaved"));
    // Values that were changed after the current frame are kept too.
    typed(&mut app, ">:set boid.mass=2\n");
    press(&mut app, &[Key::Home]);
    typed(&mut app, "r");
    assert_eq!(unsaved(&app).len(), 3);
}

#[test]
fn a_restart_without_changed_values_is_as_before() {
    let mut app = screen::shipped("flock", (80, 24));
    typed(&mut app, ">r");
    assert_eq!((said(&app).as_str(), frame(&app)), ("restarted at frame 0", 0));
    assert_eq!(app.session().expect("a map").history().runs().len(), 1);
}

#[test]
fn values_of_before_a_restart_stay_when_files_are_saved_or_painted() {
    let mut app = screen::shipped("castle", (80, 24));
    typed(&mut app, ":set guard.patrol.pace=2\n");
    typed(&mut app, "r>");
    paint(&mut app, 20, 1);
    assert_eq!(unsaved(&app), ["guard.patrol.pace=2"]);
    let text = app.session().expect("a map").file().to_string();
    let saved = |app: &mut App, text: &str| {
        app.receive(message_of("castle", text, &Options::default()));
        screen::settle(app);
    };
    saved(&mut app, &format!("{text}# theirs\n"));
    assert_eq!(unsaved(&app), ["guard.patrol.pace=2"]);
    assert!(wall(&app, 20, 1));
    // What is changed in the file takes precedence.
    saved(&mut app, &text.replace("pace    = 5", "pace    = 7"));
    assert!(unsaved(&app).is_empty(), "{:?}", unsaved(&app));
}

#[test]
fn values_are_undone_and_redone_on_the_map() {
    let mut app = screen::shipped("flock", (80, 24));
    typed(&mut app, "u");
    assert_eq!(said(&app), "nothing to undo");
    typed(&mut app, ":set boid.max_speed=6\n:set boid.max_speed=7\n:set boid.radius=0.4\n");
    typed(&mut app, "u");
    assert_eq!(said(&app), "undid boid.body.radius: 0.4 → 0.3 from frame 4 on");
    typed(&mut app, "u");
    assert_eq!(said(&app), "undid boid.body.max_speed: 7 → 6 from frame 5 on");
    typed(&mut app, "u");
    assert_eq!(said(&app), "undid boid.body.max_speed: 6 → 4 from frame 6 on");
    assert!(set(&app).is_empty() && !dump(&app).contains("* unsaved"));
    typed(&mut app, "u");
    assert_eq!((said(&app).as_str(), frame(&app)), ("nothing to undo", 6));
    press(&mut app, &[Key::Ctrl('r')]);
    assert_eq!(said(&app), "redid boid.body.max_speed: 4 → 6 from frame 7 on");
    typed(&mut app, "U");
    assert_eq!(said(&app), "redid boid.body.max_speed: 6 → 7 from frame 8 on");
    // Another change ends what can be redone.
    typed(&mut app, ":set boid.mass=2\nU");
    assert_eq!(said(&app), "nothing to redo");
    // After a restart, undo still works.
    typed(&mut app, "ruu");
    assert_eq!(said(&app), "undid boid.body.max_speed: 7 → 6 from frame 2 on");
    // In the past, a new run begins; no other value is lost.
    typed(&mut app, ":set boid.mass=3\n");
    press(&mut app, &[Key::Home, Key::Char('u')]);
    assert_eq!(said(&app), "undid boid.body.mass: 3 → 1 from frame 1 on, in a new run");
    assert_eq!(unsaved(&app), ["boid.max_speed=6"]);
}

#[test]
fn values_and_edits_are_undone_in_one_order() {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    paint(&mut app, 20, 1);
    command(&mut app, "set guard.patrol.pace=3");
    typed(&mut app, "u");
    assert!(said(&app).starts_with("undid guard.patrol.pace: 3 → 2"), "{}", said(&app));
    assert!(wall(&app, 20, 1));
    typed(&mut app, "u");
    assert!(said(&app).starts_with("undid paint wall on (20, 1)"), "{}", said(&app));
    assert!(!wall(&app, 20, 1));
    assert_eq!(unsaved(&app), ["guard.patrol.pace=2"]);
    typed(&mut app, "u");
    assert!(said(&app).starts_with("undid guard.patrol.pace: 2 → 5"), "{}", said(&app));
    // The run is simulated again with an edit; what was undone stays undone.
    paint(&mut app, 22, 1);
    assert!(unsaved(&app).is_empty(), "{:?}", unsaved(&app));
    typed(&mut app, "u");
    command(&mut app, "set guard.patrol.pace=2");
    paint(&mut app, 20, 1);
    typed(&mut app, "uu");
    press(&mut app, &[Key::Ctrl('r')]);
    assert!(said(&app).starts_with("redid guard.patrol.pace: 5 → 2"), "{}", said(&app));
    press(&mut app, &[Key::Ctrl('r')]);
    assert!(said(&app).starts_with("redid paint wall on (20, 1)"), "{}", said(&app));
    press(&mut app, &[Key::Ctrl('r')]);
    assert_eq!(said(&app), "nothing to redo");
}

#[test]
fn an_undone_value_that_was_written_is_to_be_written_again() {
    let mut app = screen::shipped("flock", (80, 24));
    command(&mut app, "set boid.max_speed=6");
    let session = &mut app.map_mut().session;
    let text = tilewalk::files::tuning::text_with(session.sources(), session.unwritten());
    session.written(text.expect("a map").into());
    assert!(unsaved(&app).is_empty());
    typed(&mut app, "u");
    assert!(said(&app).starts_with("undid boid.body.max_speed: 6 → 4"), "{}", said(&app));
    assert_eq!(unsaved(&app), ["boid.body.max_speed=4"]);
    typed(&mut app, "U");
    assert!(unsaved(&app).is_empty());
}

#[test]
fn leaving_names_the_values_and_edits() {
    let mut app = screen::shipped("castle", (120, 40));
    three_changes(&mut app);
    assert_eq!(key(&mut app, 'q'), None);
    let list = "guard.patrol.pace 5 → 2, thief.body.radius 0.3 → 0.2, paint wall on (20, 1)";
    assert_eq!(
        said(&app),
        format!("warning: not written: {list}; w writes; q again leaves without writing")
    );
    command(&mut app, "open flock.toml");
    assert!(said(&app).contains(list) || dump(&app).contains("guard.patrol.pace 5"));
    // On a small screen, the rest is counted.
    let mut app = screen::shipped("castle", (40, 16));
    three_changes(&mut app);
    for x in 22..30 {
        paint(&mut app, x, 1);
    }
    assert_eq!(key(&mut app, 'q'), None);
    assert!(said(&app).contains("guard.patrol.pace 5 → 2 and 10 more; w writes"), "{}", said(&app));
    assert!(said(&app).chars().count() < 3 * 40, "{}", said(&app));
}

#[test]
fn several_changes_are_listed_before_they_are_written() {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    assert!(matches!(key(&mut app, 'w'), Some(Effect::Write(_))), "one change is written at once");
    command(&mut app, "set thief.radius=0.2");
    assert_eq!(key(&mut app, 'w'), None);
    let shown = dump(&app);
    assert!(shown.contains("guard.patrol.pace") && shown.contains("5 → 2"), "{shown}");
    assert!(shown.contains("thief.body.radius") && shown.contains("→ 0.2"), "{shown}");
    assert!(shown.contains("castle.toml:"), "{shown}");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    assert_eq!(unsaved(&app).len(), 2);
    for confirm in [Key::Enter, Key::Char('w')] {
        assert_eq!(key(&mut app, 'w'), None);
        let Some(Effect::Write(save)) = app.update(Input::Key(confirm)) else { panic!("no") };
        assert_eq!(save.sources.set.len(), 2);
        assert!(app.is_plain_map());
    }
    // `:write!` never asks, nor does a new file.
    for text in [":write!\n", ":write new.toml\n"] {
        let keys: Vec<_> = text.chars().collect();
        let (last, first) = keys.split_last().expect("keys");
        typed(&mut app, &first.iter().collect::<String>());
        assert_eq!(*last, '\n');
        assert!(matches!(app.update(Input::Key(Key::Enter)), Some(Effect::Write(_))), "{text}");
    }
    // In paint mode, too; the mode is there again afterwards.
    typed(&mut app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(20, 1);
    typed(&mut app, " w");
    let shown = dump(&app);
    assert!(shown.contains("paint wall on (20, 1)"), "{shown}");
    press(&mut app, &[Key::Esc]);
    assert_eq!(app.context(), Context::Paint);
}

#[test]
fn a_built_in_map_still_asks_for_a_name() {
    let mut app = builtin("castle");
    three_changes(&mut app);
    typed(&mut app, "w");
    assert!(said(&app).contains("built-in maps are read-only; save a copy"), "{}", said(&app));
    press(&mut app, &[Key::Esc]);
    go_to(&mut app, 9);
    assert_eq!(frame(&app), 9);
}

/// A castle whose run is being simulated again up to frame 30,000, because of a painted wall.
fn resimulating() -> App {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    go_to(&mut app, 30_000);
    typed(&mut app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(20, 1);
    key(&mut app, ' ');
    key(&mut app, 'p');
    assert!(app.session().expect("a map").is_resimulating());
    app
}

#[test]
fn values_do_not_change_during_a_seek() {
    let mut app = resimulating();
    let run = app.session().expect("a map").history().present();
    let set = tilewalk::files::settings::Setting::of;
    let setting = set(&"guard.patrol.pace".parse().expect("a path"), "3").expect("a setting");
    let session = &mut app.map_mut().session;
    let refused = session.change(&setting).expect_err("a seek");
    assert_eq!(refused, "values can change after frame 30000 is reached");
    // The wall is undone; the value stays, because its run is being simulated again.
    key(&mut app, 'u');
    key(&mut app, 'u');
    let session = app.session().expect("a map");
    assert_eq!(said(&app), "warning: cannot undo: values can change after frame 30000 is reached");
    assert_ne!(session.history().present(), run);
    screen::settle(&mut app);
    assert_eq!((frame(&app), unsaved(&app).len()), (30_000, 1));
    assert!(!wall(&app, 20, 1));
    typed(&mut app, "u");
    assert!(said(&app).contains("2 → 5 from frame 30001 on"), "{}", said(&app));
}

#[test]
fn a_restart_ends_the_simulation_after_an_edit() {
    let mut app = resimulating();
    key(&mut app, 'r');
    assert_eq!(said(&app), "restarted at frame 0 with 1 changed value");
    screen::settle(&mut app);
    assert_eq!(said(&app), "restarted at frame 0 with 1 changed value");
    assert!(wall(&app, 20, 1));
    // Nothing is left to cancel.
    press(&mut app, &[Key::Esc]);
    assert!(wall(&app, 20, 1));
}

#[test]
fn undo_keeps_its_order_when_another_program_saves_the_file() {
    let mut app = screen::shipped("castle", (80, 24));
    paint(&mut app, 20, 1);
    paint(&mut app, 22, 1);
    command(&mut app, "set guard.patrol.pace=2");
    let session = app.session().expect("a map");
    // The other program has the first wall too, so one edit is left.
    let first = session.draft().undo().expect("an edit").0;
    let place = tilewalk::scenario::sources::FileRole::Map;
    let text = format!("{}# theirs\n", first.files().file(&place).expect("the map").text);
    app.receive(message_of("castle", &text, &Options::default()));
    screen::settle(&mut app);
    assert_eq!(app.session().expect("a map").draft().undo_depth(), 1);
    paint(&mut app, 24, 1);
    typed(&mut app, "u");
    assert!(said(&app).starts_with("undid paint wall on (24, 1)"), "{}", said(&app));
    typed(&mut app, "u");
    assert!(said(&app).starts_with("undid guard.patrol.pace: 2 → 5"), "{}", said(&app));
    typed(&mut app, "u");
    assert!(said(&app).starts_with("undid paint wall on (22, 1)"), "{}", said(&app));
}

#[test]
fn leaving_warns_again_after_more_changes() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "set guard.patrol.pace=2");
    assert_eq!(key(&mut app, 'q'), None);
    typed(&mut app, "p");
    // Clicks are no commands.
    click(&mut app, 20, 1);
    assert_eq!(key(&mut app, 'q'), None);
    assert!(said(&app).contains("paint wall on (20, 1)"), "{}", said(&app));
    assert_eq!(key(&mut app, 'q'), Some(Effect::Quit));
}

#[test]
fn leaving_for_the_gallery_needs_a_gallery() {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    typed(&mut app, "G");
    assert_eq!(said(&app), "warning: the gallery has no maps");
}

#[test]
fn a_warning_about_unsaved_changes_is_no_error_of_the_command() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "set guard.patrol.pace=2");
    command(&mut app, "open flock.toml");
    let line = app.prompt.line.as_ref().and_then(|line| line.complaint()).expect("a warning");
    assert_eq!(line.0, None);
    assert!(line.1.starts_with("not written: guard.patrol.pace 5 → 2"), "{}", line.1);
    assert!(!dump(&app).contains("column"));
    let effect = app.update(Input::Key(Key::Enter));
    assert_eq!(effect, Some(Effect::Open("flock.toml".to_owned())));
}

#[test]
fn edits_are_not_redone_while_a_path_is_drawn() {
    let mut app = screen::shipped("castle", (80, 24));
    paint(&mut app, 20, 1);
    typed(&mut app, "u");
    typed(&mut app, ":draw-path\n");
    typed(&mut app, "U");
    assert!(said(&app).starts_with("warning: finish the path first"), "{}", said(&app));
    assert!(!wall(&app, 20, 1));
}
