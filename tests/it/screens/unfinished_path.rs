//! An unfinished path, and the warnings of commands that discard it.

use tilewalk::tui::action::Context;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};

use super::painting::click;
use crate::support::screen::{command, dump, press, shipped, shown_message, type_text};

fn key(app: &mut App, c: char) -> Option<Effect> {
    app.update(Input::Key(Key::Char(c)))
}

#[test]
fn an_unfinished_path_is_not_discarded_without_a_warning() {
    let mut app = shipped("castle", (80, 24));
    type_text(&mut app, ":draw-path beat\n");
    // A path without a new vertex can be replaced or discarded without a warning.
    command(&mut app, "draw-path");
    assert_eq!(key(&mut app.clone(), 'q'), Some(Effect::Quit));
    click(&mut app, 29, 1);
    for line in ["draw-path", "draw-matrix"] {
        command(&mut app, line);
        assert!(
            shown_message(&app).starts_with("warning: finish the path first"),
            "{}",
            shown_message(&app)
        );
        assert_eq!(app.context(), Context::Draw);
    }
    assert_eq!(key(&mut app, 'q'), None);
    let expected =
        "warning: not written: unfinished path castle_round; w finishes the path; q again leaves";
    assert!(shown_message(&app).starts_with(expected), "{}", shown_message(&app));
    assert_eq!(key(&mut app, 'q'), Some(Effect::Quit));
    // The warning lists the other unsaved changes too.
    press(&mut app, &[Key::Esc, Key::Esc]);
    command(&mut app, "set guard.patrol.pace=2");
    type_text(&mut app, ":draw-path\n");
    click(&mut app, 29, 1);
    assert_eq!(key(&mut app, 'q'), None);
    let expected = "warning: not written: guard.patrol.pace 5 → 2, unfinished path castle_round; ";
    assert!(shown_message(&app).starts_with(expected), "{}", shown_message(&app));
}

#[test]
fn an_unfinished_path_counts_as_unsaved_until_it_is_discarded() {
    for size in [(80, 24), (120, 40)] {
        let mut app = shipped("castle", size);
        command(&mut app, "draw-path foo");
        assert!(!dump(&app).contains("* unsaved"), "{}", dump(&app));
        click(&mut app, 20, 1);
        click(&mut app, 20, 4);
        assert!(dump(&app).contains("* unsaved"), "{}", dump(&app));
        press(&mut app, &[Key::Esc, Key::Esc]);
        assert_eq!(shown_message(&app), "path discarded");
        assert!(!dump(&app).contains("* unsaved"), "{}", dump(&app));
    }
}

#[test]
fn the_pane_and_the_hints_say_that_a_path_is_finished_and_not_written() {
    for path in ["draw-path foo", "draw-path"] {
        let mut app = shipped("castle", (80, 24));
        command(&mut app, path);
        click(&mut app, 20, 4);
        let shown = dump(&app);
        assert!(shown.contains("w or the same vertex twice: finish"), "{shown}");
        assert!(shown.contains("w finish") && !shown.contains("w done"), "{shown}");
    }
}
