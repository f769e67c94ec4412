//! Unsaved values that a saved file or an edit leaves no place for.

use ratatui::layout::Rect;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::tui::Start;
use tilewalk::tui::app::{App, Message};

use crate::support::sample_maps::dark_theme;
use crate::support::screen::{
    Look, command, command_error, dump, opened, saved_message, settle, shown_message, type_text,
};

const MAP: &str = r#"
tiles = """
................
................
.....##.........
................
................
"""
[[agent]]
name = "guard"
at = [1, 1]
steer = [{ do = "avoid_walls" }, { do = "wander" }]
[[agent]]
name = "thief"
at = [14, 3]
pattern = "rectangle"
pace = 4
"#;

/// Returns the map, paused at frame 5.
fn paused(how: OnReload) -> App {
    let screen = Rect::new(0, 0, 120, 40);
    let start = Start::Map(opened(MAP, &Options::default()));
    let mut app = App::new(vec![], start, screen, dark_theme()).0;
    app.wish_on_reload(how);
    type_text(&mut app, " :goto 5\n");
    app
}

/// Saves the file of the map in another program.
fn save(app: &mut App, text: &str) {
    app.receive(saved_message("map", text, &Options::default()));
    settle(app);
}

fn unsaved(app: &App) -> Vec<String> {
    let session = app.session().expect("a map");
    session.unwritten().iter().map(ToString::to_string).collect()
}

/// The map without the second behaviour of the guard.
fn without_wander() -> String {
    MAP.replace(", { do = \"wander\" }", "")
}

/// The map whose thief steers instead of following its pattern.
fn steering_thief() -> String {
    MAP.replace("pattern = \"rectangle\"\npace = 4", "steer = [{ do = \"wander\" }]")
}

#[test]
fn a_reload_names_the_values_that_no_longer_apply() {
    let lost = "guard.steer.2.weight = 3 no longer applies and was dropped; ";
    for how in [OnReload::Resimulate, OnReload::FromHere, OnReload::Restart] {
        let mut app = paused(how);
        command(&mut app, "set guard.steer.2.weight=3");
        assert!(dump(&app).contains("* unsaved"));
        save(&mut app, &without_wander());
        assert!(
            shown_message(&app).starts_with(&format!("warning: {lost}")),
            "{how:?}: {}",
            shown_message(&app)
        );
        assert!(unsaved(&app).is_empty());
        // The message log has it once, although the report was updated.
        let log = app.ui.answers.log.newest_first().filter(|it| match &it.message {
            Message::Warning(text) | Message::Note(text) => text.contains("no longer applies"),
        });
        assert_eq!(log.count(), 1);
    }
}

#[test]
fn a_value_that_no_longer_applies_does_not_take_others_along() {
    for how in [OnReload::Resimulate, OnReload::FromHere, OnReload::Restart] {
        for restarts in [false, true] {
            let mut app = paused(how);
            for line in ["set guard.mass=2", "set thief.pace=7", "set guard.max_speed=2"] {
                command(&mut app, line);
            }
            if restarts {
                type_text(&mut app, "r.");
            }
            save(&mut app, &steering_thief());
            let message = shown_message(&app);
            assert!(
                message.starts_with("warning: thief.pace = 7 no longer applies and was dropped; "),
                "{how:?}: {message}"
            );
            assert_eq!(message.matches("dropped").count(), 1, "{message}");
            assert_eq!(unsaved(&app), ["guard.mass=2", "guard.max_speed=2"], "{how:?}");
        }
    }
}

#[test]
fn an_edit_that_drops_a_value_closes_the_command_line() {
    let mut app = paused(OnReload::Resimulate);
    type_text(&mut app, "]");
    command(&mut app, "set guard.steer.2.weight=3");
    command(&mut app, "attach rectangle");
    settle(&mut app);
    assert!(app.prompt.line.is_none(), "{}", command_error(&app));
    let lost =
        "warning: guard.steer.2.weight = 3 no longer applies and was dropped; attach rectangle";
    assert!(shown_message(&app).starts_with(lost), "{}", shown_message(&app));
}

#[test]
fn a_reload_names_the_values_that_the_file_replaces() {
    let mut app = paused(OnReload::Resimulate);
    command(&mut app, "set thief.pace=7");
    save(&mut app, &MAP.replace("pace = 4", "pace = 6"));
    let expected = "warning: thief.pace = 7 was dropped, because the file now has 6; ";
    assert!(shown_message(&app).starts_with(expected), "{}", shown_message(&app));
    // A file with the same value drops nothing.
    let mut app = paused(OnReload::Resimulate);
    command(&mut app, "set thief.pace=7");
    save(&mut app, &MAP.replace("pace = 4", "pace = 7"));
    assert!(!shown_message(&app).contains("dropped"), "{}", shown_message(&app));
    assert!(unsaved(&app).is_empty());
}

#[test]
fn undo_skips_values_that_no_longer_apply() {
    let mut app = paused(OnReload::Resimulate);
    command(&mut app, "set guard.mass=2");
    command(&mut app, "set guard.steer.2.weight=3");
    save(&mut app, &without_wander());
    type_text(&mut app, "u");
    assert!(
        shown_message(&app).starts_with("undid guard.body.mass: 2 → 1"),
        "{}",
        shown_message(&app)
    );
    type_text(&mut app, "u");
    assert_eq!(shown_message(&app), "nothing to undo");
}
