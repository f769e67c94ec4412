//! Changed values and edits: restarting, undo and redo, and the questions before quitting and writing.

use tilewalk::files::Options;
use tilewalk::geom::TilePos;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};

use super::painting::click;
use crate::support::scene::Scene;
use crate::support::screen::{
    self, Look, builtin, command, dump, frame, go_to, press, saved_message, shown_message,
    type_text,
};

pub fn scenes() -> Vec<Scene> {
    let castle = |size| screen::shipped("castle", size);
    let flock = |size| screen::shipped("flock", size);
    vec![
        Scene::new("changes", (80, 24), move |size| {
            let mut app = castle(size);
            three_changes(&mut app);
            type_text(&mut app, "w");
            app
        })
        .differing_from(castle),
        Scene::new("changes_leaving", (80, 24), move |size| {
            let mut app = flock(size);
            for (number, key) in ["mass", "max_speed", "max_force", "radius"].iter().enumerate() {
                command(&mut app, &format!("set boid.{key}=0.{}", number + 4));
            }
            type_text(&mut app, "q");
            app
        })
        .differing_from(flock),
    ]
}

/// Changes two values, and paints a wall.
fn three_changes(app: &mut App) {
    command(app, "set guard.patrol.pace=2");
    command(app, "set thief.radius=0.2");
    paint(app, 20, 1);
}

/// Paints a wall, and leaves paint mode.
fn paint(app: &mut App, x: i32, y: i32) {
    type_text(app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(x, y);
    type_text(app, " ");
    press(app, &[Key::Esc]);
}

fn set(app: &App) -> Vec<String> {
    let sources = app.session().expect("a map").sources();
    sources.set.iter().map(ToString::to_string).collect()
}

fn unsaved(app: &App) -> Vec<String> {
    let session = app.session().expect("a map");
    session.unwritten().iter().map(ToString::to_string).collect()
}

fn is_wall(app: &App, x: i32, y: i32) -> bool {
    let map = app.session().expect("a map").scenario().map();
    map.kind(TilePos::new(x, y)).expect("a tile").name == "wall"
}

fn key(app: &mut App, c: char) -> Option<Effect> {
    app.update(Input::Key(Key::Char(c)))
}

#[test]
fn a_restart_keeps_changed_values() {
    let mut app = screen::shipped("flock", (80, 24));
    type_text(&mut app, ":set boid.steer.2.weight=3\n>");
    type_text(&mut app, "xmax_speed\n6\n");
    press(&mut app, &[Key::Esc]);
    type_text(&mut app, "r");
    assert_eq!(frame(&app), 0);
    assert_eq!(shown_message(&app), "restarted at frame 0 with 2 changed values");
    assert_eq!(unsaved(&app), ["boid.steer.2.weight=3", "boid.body.max_speed=6"]);
    // Nothing changes at frame 1: the values hold from the start.
    type_text(&mut app, ".");
    assert_eq!(unsaved(&app).len(), 2);
    assert!(app.session().expect("a map").history().run().log().is_empty());
    // The previous run is kept.
    assert_eq!(app.session().expect("a map").history().runs().len(), 2);
    type_text(&mut app, "r");
    assert_eq!(app.session().expect("a map").history().runs().len(), 2);
    press(&mut app, &[Key::Char('o'), Key::Esc]);
    assert!(dump(&app).contains("* unsaved"));
    // Values that were changed after the current frame are kept too.
    type_text(&mut app, ">:set boid.mass=2\n");
    press(&mut app, &[Key::Home]);
    type_text(&mut app, "r");
    assert_eq!(unsaved(&app).len(), 3);
}

#[test]
fn a_restart_without_changed_values_starts_no_new_run() {
    let mut app = screen::shipped("flock", (80, 24));
    type_text(&mut app, ">r");
    assert_eq!((shown_message(&app).as_str(), frame(&app)), ("restarted at frame 0", 0));
    assert_eq!(app.session().expect("a map").history().runs().len(), 1);
}

#[test]
fn values_kept_by_a_restart_survive_painting_and_a_save_of_the_file() {
    let mut app = screen::shipped("castle", (80, 24));
    type_text(&mut app, ":set guard.patrol.pace=2\n");
    type_text(&mut app, "r>");
    paint(&mut app, 20, 1);
    assert_eq!(unsaved(&app), ["guard.patrol.pace=2"]);
    let text = app.session().expect("a map").file().to_string();
    let saved = |app: &mut App, text: &str| {
        app.receive(saved_message("castle", text, &Options::default()));
        screen::settle(app);
    };
    saved(&mut app, &format!("{text}# theirs\n"));
    assert_eq!(unsaved(&app), ["guard.patrol.pace=2"]);
    assert!(is_wall(&app, 20, 1));
    // A value that is changed in the file takes precedence.
    saved(&mut app, &text.replace("pace    = 5", "pace    = 7"));
    assert!(unsaved(&app).is_empty(), "{:?}", unsaved(&app));
}

#[test]
fn changes_of_values_can_be_undone_and_redone_with_map_keys() {
    let mut app = screen::shipped("flock", (80, 24));
    type_text(&mut app, "u");
    assert_eq!(shown_message(&app), "nothing to undo");
    type_text(&mut app, ":set boid.max_speed=6\n:set boid.max_speed=7\n:set boid.radius=0.4\n");
    type_text(&mut app, "u");
    assert_eq!(
        shown_message(&app),
        "undid boid.body.radius: 0.4 → 0.3 from frame 4 on; a: as if never made"
    );
    type_text(&mut app, "u");
    assert_eq!(
        shown_message(&app),
        "undid boid.body.max_speed: 7 → 6 from frame 5 on; a: as if never made"
    );
    type_text(&mut app, "u");
    assert_eq!(
        shown_message(&app),
        "undid boid.body.max_speed: 6 → 4 from frame 6 on; a: as if never made"
    );
    assert!(set(&app).is_empty() && !dump(&app).contains("* unsaved"));
    type_text(&mut app, "u");
    assert_eq!((shown_message(&app).as_str(), frame(&app)), ("nothing to undo", 6));
    press(&mut app, &[Key::Ctrl('r')]);
    assert_eq!(shown_message(&app), "redid boid.body.max_speed: 4 → 6 from frame 7 on");
    type_text(&mut app, "U");
    assert_eq!(shown_message(&app), "redid boid.body.max_speed: 6 → 7 from frame 8 on");
    // Another change clears the redo history.
    type_text(&mut app, ":set boid.mass=2\nU");
    assert_eq!(shown_message(&app), "nothing to redo");
    // After a restart, undo still works.
    type_text(&mut app, "ruu");
    assert_eq!(
        shown_message(&app),
        "undid boid.body.max_speed: 7 → 6 from frame 2 on; a: as if never made"
    );
    // An undo at an earlier frame starts a new run and keeps the other values.
    type_text(&mut app, ":set boid.mass=3\n");
    press(&mut app, &[Key::Home, Key::Char('u')]);
    assert_eq!(
        shown_message(&app),
        "undid boid.body.mass: 3 → 1 from frame 1 on, in a new run; a: as if never made"
    );
    assert_eq!(unsaved(&app), ["boid.max_speed=6"]);
}

#[test]
fn undo_reverts_values_and_edits_in_reverse_order_of_their_changes() {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    paint(&mut app, 20, 1);
    command(&mut app, "set guard.patrol.pace=3");
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid guard.patrol.pace: 3 → 2"),
        "{}",
        shown_message(&app)
    );
    assert!(is_wall(&app, 20, 1));
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid paint wall on (20, 1)"),
        "{}",
        shown_message(&app)
    );
    assert!(!is_wall(&app, 20, 1));
    assert_eq!(unsaved(&app), ["guard.patrol.pace=2"]);
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid guard.patrol.pace: 2 → 5"),
        "{}",
        shown_message(&app)
    );
    // An edit simulates the run again, and undone values stay undone.
    paint(&mut app, 22, 1);
    assert!(unsaved(&app).is_empty(), "{:?}", unsaved(&app));
    type_text(&mut app, "u");
    command(&mut app, "set guard.patrol.pace=2");
    paint(&mut app, 20, 1);
    type_text(&mut app, "uu");
    press(&mut app, &[Key::Ctrl('r')]);
    assert!(
        shown_message(&app).starts_with("redid guard.patrol.pace: 5 → 2"),
        "{}",
        shown_message(&app)
    );
    press(&mut app, &[Key::Ctrl('r')]);
    assert!(
        shown_message(&app).starts_with("redid paint wall on (20, 1)"),
        "{}",
        shown_message(&app)
    );
    press(&mut app, &[Key::Ctrl('r')]);
    assert_eq!(shown_message(&app), "nothing to redo");
}

#[test]
fn undoing_a_written_value_leaves_an_unsaved_change() {
    let mut app = screen::shipped("flock", (80, 24));
    command(&mut app, "set boid.max_speed=6");
    let session = &mut app.map_mut().session;
    let text = tilewalk::files::read::tuning::text_with(session.sources(), session.unwritten());
    session.written(text.expect("a map").into());
    assert!(unsaved(&app).is_empty());
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid boid.body.max_speed: 6 → 4"),
        "{}",
        shown_message(&app)
    );
    assert_eq!(unsaved(&app), ["boid.body.max_speed=4"]);
    type_text(&mut app, "U");
    assert!(unsaved(&app).is_empty());
}

#[test]
fn the_quit_warning_lists_changed_values_and_unsaved_edits() {
    let mut app = screen::shipped("castle", (120, 40));
    three_changes(&mut app);
    assert_eq!(key(&mut app, 'q'), None);
    let list = "guard.patrol.pace 5 → 2, thief.body.radius 0.3 → 0.2, paint wall on (20, 1)";
    assert_eq!(
        shown_message(&app),
        format!("warning: not written: {list}; w writes; q again leaves without writing")
    );
    command(&mut app, "open flock.toml");
    assert!(shown_message(&app).contains(list) || dump(&app).contains("guard.patrol.pace 5"));
    // On a small screen, the warning shows one change and the number of the others.
    let mut app = screen::shipped("castle", (40, 16));
    three_changes(&mut app);
    for x in 22..30 {
        paint(&mut app, x, 1);
    }
    assert_eq!(key(&mut app, 'q'), None);
    assert!(
        shown_message(&app).contains("guard.patrol.pace 5 → 2 and 10 more; w writes"),
        "{}",
        shown_message(&app)
    );
    assert!(shown_message(&app).chars().count() < 3 * 40, "{}", shown_message(&app));
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
        let Some(Effect::Write(save)) = app.update(Input::Key(confirm)) else { panic!("no write") };
        assert_eq!(save.sources.set.len(), 2);
        assert!(app.is_plain_map());
    }
    // `:write!` and `:write` with a new file never ask.
    for text in [":write!\n", ":write new.toml\n"] {
        let keys: Vec<_> = text.chars().collect();
        let (last, first) = keys.split_last().expect("keys");
        type_text(&mut app, &first.iter().collect::<String>());
        assert_eq!(*last, '\n');
        assert!(matches!(app.update(Input::Key(Key::Enter)), Some(Effect::Write(_))), "{text}");
    }
    // The list also opens in paint mode, and closing it returns to paint mode.
    type_text(&mut app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(20, 1);
    type_text(&mut app, " w");
    let shown = dump(&app);
    assert!(shown.contains("paint wall on (20, 1)"), "{shown}");
    press(&mut app, &[Key::Esc]);
    assert_eq!(app.context(), Context::Paint);
}

#[test]
fn writing_several_changes_of_a_built_in_map_asks_for_a_file_name() {
    let mut app = builtin("castle");
    three_changes(&mut app);
    type_text(&mut app, "w");
    assert!(
        shown_message(&app).contains("built-in maps are read-only; save a copy"),
        "{}",
        shown_message(&app)
    );
    press(&mut app, &[Key::Esc]);
    go_to(&mut app, 9);
    assert_eq!(frame(&app), 9);
}

/// A castle whose run is being simulated again up to frame 30,000, because of a painted wall.
fn resimulating() -> App {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    go_to(&mut app, 30_000);
    type_text(&mut app, "p");
    app.map_mut().paint.as_mut().expect("paint mode").cursor = TilePos::new(20, 1);
    key(&mut app, ' ');
    key(&mut app, 'p');
    assert!(app.session().expect("a map").is_resimulating());
    app
}

#[test]
fn changing_or_undoing_a_value_is_refused_during_a_resimulation() {
    let mut app = resimulating();
    let run = app.session().expect("a map").history().present();
    let setting = tilewalk::files::settings::parse("guard.patrol.pace=3").expect("a setting");
    let session = &mut app.map_mut().session;
    let refused = session.change(&setting).expect_err("a seek");
    assert_eq!(refused, "values can change after frame 30000 is reached");
    // The first undo removes the wall. The second is refused while the run is simulated again.
    key(&mut app, 'u');
    key(&mut app, 'u');
    let session = app.session().expect("a map");
    assert_eq!(
        shown_message(&app),
        "warning: cannot undo: values can change after frame 30000 is reached"
    );
    assert_ne!(session.history().present(), run);
    screen::settle(&mut app);
    assert_eq!((frame(&app), unsaved(&app).len()), (30_000, 1));
    assert!(!is_wall(&app, 20, 1));
    type_text(&mut app, "u");
    assert!(shown_message(&app).contains("2 → 5 from frame 30001 on"), "{}", shown_message(&app));
}

#[test]
fn a_restart_ends_the_resimulation_that_an_edit_started() {
    let mut app = resimulating();
    key(&mut app, 'r');
    assert_eq!(shown_message(&app), "restarted at frame 0 with 1 changed value");
    screen::settle(&mut app);
    assert_eq!(shown_message(&app), "restarted at frame 0 with 1 changed value");
    assert!(is_wall(&app, 20, 1));
    // Esc has nothing to cancel.
    press(&mut app, &[Key::Esc]);
    assert!(is_wall(&app, 20, 1));
}

#[test]
fn undo_keeps_its_order_when_another_program_saves_the_file() {
    let mut app = screen::shipped("castle", (80, 24));
    paint(&mut app, 20, 1);
    paint(&mut app, 22, 1);
    command(&mut app, "set guard.patrol.pace=2");
    let session = app.session().expect("a map");
    // The file of the other program contains the first wall, so only the second wall is an edit.
    let first = session.draft().undo().expect("an edit").0;
    let place = tilewalk::scenario::sources::FileRole::Map;
    let text = format!("{}# theirs\n", first.files().file(&place).expect("the map").text);
    app.receive(saved_message("castle", &text, &Options::default()));
    screen::settle(&mut app);
    assert_eq!(app.session().expect("a map").draft().undo_depth(), 1);
    paint(&mut app, 24, 1);
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid paint wall on (24, 1)"),
        "{}",
        shown_message(&app)
    );
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid guard.patrol.pace: 2 → 5"),
        "{}",
        shown_message(&app)
    );
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid paint wall on (22, 1)"),
        "{}",
        shown_message(&app)
    );
}

#[test]
fn quitting_warns_again_after_another_change() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "set guard.patrol.pace=2");
    assert_eq!(key(&mut app, 'q'), None);
    type_text(&mut app, "p");
    // A tile is painted after the first warning, so there is another warning.
    click(&mut app, 20, 1);
    assert_eq!(key(&mut app, 'q'), None);
    assert!(shown_message(&app).contains("paint wall on (20, 1)"), "{}", shown_message(&app));
    assert_eq!(key(&mut app, 'q'), Some(Effect::Quit));
}

#[test]
fn an_empty_gallery_cannot_be_opened() {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    type_text(&mut app, "G");
    assert_eq!(shown_message(&app), "warning: the gallery has no maps");
}

#[test]
fn opening_a_map_with_unsaved_changes_warns_and_enter_opens_it_anyway() {
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
    type_text(&mut app, "u");
    type_text(&mut app, ":draw-path\n");
    type_text(&mut app, "U");
    assert!(
        shown_message(&app).starts_with("warning: finish the path first"),
        "{}",
        shown_message(&app)
    );
    assert!(!is_wall(&app, 20, 1));
}

#[test]
fn a_map_without_a_file_is_not_left_by_write_quit() {
    let mut app = builtin("castle");
    command(&mut app, "set guard.patrol.pace=2");
    for _ in 0..2 {
        type_text(&mut app, ":wq");
        assert_eq!(app.update(Input::Key(Key::Enter)), None);
        let expected = "warning: not written: guard.patrol.pace 5 → 2; :write FILE saves a copy; \
                        q leaves without writing";
        assert_eq!(shown_message(&app), expected);
    }
    assert_eq!(key(&mut app, 'q'), Some(Effect::Quit));
}

#[test]
fn the_quit_warning_names_the_pressed_key() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "set guard.patrol.pace=2");
    let ctrl_c = Input::Key(Key::Ctrl('c'));
    assert_eq!(app.update(ctrl_c.clone()), None);
    assert!(
        shown_message(&app).ends_with("; ctrl-c again leaves without writing"),
        "{}",
        shown_message(&app)
    );
    assert_eq!(app.update(ctrl_c.clone()), Some(Effect::Quit));
    // The same in the command line, where ctrl-c is another command.
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "set guard.patrol.pace=2");
    type_text(&mut app, ":");
    assert_eq!(app.update(ctrl_c), None);
    assert!(dump(&app).contains("ctrl-c again leaves without writing"), "{}", dump(&app));
    // A typed command has no key. The first key does the same.
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "set guard.patrol.pace=2");
    command(&mut app, "q");
    assert!(shown_message(&app).ends_with("; q again leaves without writing"));
}

#[test]
fn unsaved_changes_stay_visible_beside_a_message() {
    let mut app = screen::shipped("castle", (80, 24));
    command(&mut app, "set guard.patrol.pace=2");
    let status = |app: &App| screen::rows(app)[22].clone();
    assert!(shown_message(&app).starts_with("guard.patrol.pace: 5 → 2"));
    assert!(status(&app).contains("* unsaved"), "{}", dump(&app));
    // A long message takes more rows.
    press(&mut app, &[Key::Esc]);
    type_text(&mut app, "q");
    assert!(shown_message(&app).starts_with("warning: not written: "), "{}", shown_message(&app));
    assert!(status(&app).contains("* unsaved"), "{}", dump(&app));
    // The errors of a file leave room, too.
    app.receive(saved_message("castle", "tiles = 5", &Options::default()));
    app.ui.answers.message = None;
    let shown = status(&app);
    assert!(shown.contains("* unsaved") && shown.contains("castle.toml:1"), "{shown}");
}
