//! Renaming, copying and removing agents: written values and breakpoints.

use tilewalk::files::settings;
use tilewalk::scenario::sources::FileRole;
use tilewalk::tui::Saved;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};

use crate::support::screen::{self, command, command_error, press, shown_message, type_text};

/// Writes the changes as the program does, without a file.
fn write(app: &mut App) {
    let Some(Effect::Write(save)) = app.update(Input::Key(Key::Char('w'))) else {
        panic!("{}", shown_message(app))
    };
    let merged = save.draft.merged(&save.known).expect("edits fit");
    let map = &merged.file(&FileRole::Map).expect("a map").text;
    let text = settings::apply(map, &save.sources.set).expect("values fit");
    let texts = vec![(FileRole::Map, text.into())];
    app.saved(Ok(Saved { message: "wrote".to_owned(), texts, moved: None }));
    screen::settle(app);
}

fn map_text(app: &App) -> String {
    let files = app.session().expect("a map").draft().files();
    files.file(&FileRole::Map).expect("a map").text.to_string()
}

/// Returns the pace of the first mode of the first agent.
fn pace(app: &App) -> u32 {
    app.session().expect("a map").scenario().kinds()[0].modes[0].pace
}

fn breaks(app: &App) -> Vec<String> {
    let breaks = app.session().expect("a map").breaks();
    breaks.iter().map(|each| each.text().to_owned()).collect()
}

#[test]
fn an_agent_with_written_values_can_be_renamed() {
    for restarts in [false, true] {
        let mut app = screen::shipped("castle", (120, 40));
        type_text(&mut app, ":goto 20\n");
        command(&mut app, "set guard.patrol.pace=6");
        if restarts {
            type_text(&mut app, "r");
        }
        command(&mut app, "rename-agent chief");
        let refused = "guard has changed values: write or undo them first";
        assert_eq!(command_error(&app), refused);
        press(&mut app, &[Key::Esc]);
        write(&mut app);
        command(&mut app, "rename-agent chief");
        assert!(
            shown_message(&app).starts_with("rename guard to chief: run "),
            "{}",
            shown_message(&app)
        );
        assert_eq!(pace(&app), 6);
        let session = app.session().expect("a map");
        assert!(session.unwritten().is_empty(), "{:?}", session.unwritten());
        assert_eq!(session.draft().unsaved_count(), 1);
        let text = map_text(&app);
        assert!(text.contains("\"chief\"") && text.contains("pace    = 6"), "{text}");
        type_text(&mut app, "u");
        assert!(
            shown_message(&app).starts_with("undid rename guard to chief: run "),
            "{}",
            shown_message(&app)
        );
        assert_eq!(pace(&app), 6);
        assert!(!app.session().expect("a map").is_unsaved());
        // The value can still be undone.
        type_text(&mut app, "u");
        assert!(
            shown_message(&app).starts_with("undid guard.patrol.pace: 6 → 5"),
            "{}",
            shown_message(&app)
        );
    }
}

#[test]
fn an_agent_with_written_values_can_be_removed() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "add-agent extra 20,1");
    write(&mut app);
    command(&mut app, "set extra.mass=2");
    command(&mut app, "remove-agent extra");
    assert_eq!(command_error(&app), "extra has changed values: write or undo them first");
    press(&mut app, &[Key::Esc]);
    write(&mut app);
    command(&mut app, "remove-agent extra");
    assert!(shown_message(&app).starts_with("remove agent extra: run "), "{}", shown_message(&app));
    assert!(!map_text(&app).contains("extra"));
    type_text(&mut app, "u");
    let session = app.session().expect("a map");
    let extra = session.scenario().kinds().iter().find(|kind| kind.name == "extra");
    assert_eq!(extra.map(|kind| kind.body.mass), Some(2.0));
    assert!(!session.is_unsaved());
}

#[test]
fn a_rename_changes_breakpoints_and_watchpoints() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "break guard.mode == \"chase\" and sees(guard, thief)");
    command(&mut app, "watch guard.mode");
    command(&mut app, "break event(thief, bump)");
    type_text(&mut app, "ccB ");
    press(&mut app, &[Key::Esc]);
    let before = app.session().expect("a map").breaks().clone();
    let hits = |app: &App| {
        let breaks = app.session().expect("a map").breaks();
        breaks.iter().map(|each| (each.enabled, each.hits(), each.last())).collect::<Vec<_>>()
    };
    let hits_before = hits(&app);
    command(&mut app, "rename-agent boss");
    assert_eq!(
        breaks(&app),
        ["boss.mode == \"chase\" and sees(boss, thief)", "boss.mode", "event(thief, bump)"]
    );
    assert_eq!(hits(&app), hits_before);
    let frame = screen::frame(&app);
    type_text(&mut app, "c");
    assert!(screen::frame(&app) > frame);
    assert!(shown_message(&app).contains("boss.mode: "), "{}", shown_message(&app));
    type_text(&mut app, "u");
    let texts: Vec<_> = before.iter().map(|each| each.text().to_owned()).collect();
    assert_eq!(breaks(&app), texts);
    press(&mut app, &[Key::Ctrl('r')]);
    assert_eq!(breaks(&app)[1], "boss.mode");
}

#[test]
fn continuing_is_refused_if_no_breakpoint_is_valid() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "add-agent extra 20,1");
    command(&mut app, "break extra.x > 100");
    command(&mut app, "remove-agent extra");
    for key in ["c", "C"] {
        type_text(&mut app, key);
        let expected = "warning: breakpoint 1 is not valid: unknown name `extra`";
        assert!(shown_message(&app).starts_with(expected), "{}", shown_message(&app));
        assert_eq!(screen::frame(&app), 0);
    }
    // One valid breakpoint is enough.
    command(&mut app, "break guard.mode == \"chase\"");
    type_text(&mut app, "c");
    assert!(shown_message(&app).contains("breakpoint 2: "), "{}", shown_message(&app));
}

#[test]
fn the_message_of_a_copy_says_so() {
    let mut app = screen::shipped("castle", (120, 40));
    command(&mut app, "copy-agent pup 20,1");
    assert!(shown_message(&app).starts_with("copy guard to pup: run "), "{}", shown_message(&app));
    type_text(&mut app, "u");
    assert!(shown_message(&app).starts_with("undid copy guard to pup"), "{}", shown_message(&app));
}
