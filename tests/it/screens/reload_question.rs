//! The question after a save, with `on_reload = "ask"`.

use ratatui::layout::Rect;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::{Opened, Start};

use crate::support::maps;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::{
    self, Look, frame, go_to, press, saved_message, settle, shown_message, type_text,
};

const MAP: &str = "tiles = '........'\n[[agent]]\nname = 'cat'\nat = [1, 0]\n";

/// Returns the map, paused at frame 5. Each save opens the question.
fn paused_map() -> App {
    let opened = screen::opened(MAP, &Options::default());
    let screen = Rect::new(0, 0, 120, 40);
    let mut app = App::new(vec![], Start::Map(opened), screen, dark_theme()).0;
    app.wish_on_reload(OnReload::Ask);
    press(&mut app, &[Key::Char(' ')]);
    go_to(&mut app, 5);
    app
}

fn save(app: &mut App, text: &str) {
    app.receive(saved_message("map", text, &Options::default()));
    settle(app);
}

/// The map with the cat on another tile.
fn changed() -> String {
    MAP.replace("[1, 0]", "[3, 0]")
}

fn runs(app: &App) -> usize {
    app.session().unwrap().history().runs().len()
}

#[test]
fn the_question_closes_when_the_files_match_the_running_map_again() {
    let mut app = paused_map();
    save(&mut app, &changed());
    assert!(app.context() == Context::Saved);
    assert_eq!(shown_message(&app), "saved: map.toml");
    save(&mut app, MAP);
    assert!(app.is_plain_map());
    assert_eq!(shown_message(&app), "the files match the running map again");
    assert_eq!(runs(&app), 1);
    // After Esc has closed the question, a save of the old contents shows no message.
    save(&mut app, &changed());
    press(&mut app, &[Key::Esc]);
    app.ui.answers.message = None;
    save(&mut app, MAP);
    assert_eq!((shown_message(&app).as_str(), runs(&app)), ("", 1));
    // The answer `s` starts a run with the saved file, and keeps the frame.
    save(&mut app, &changed());
    type_text(&mut app, "s");
    assert_eq!((runs(&app), frame(&app)), (2, 5));
}

#[test]
fn the_question_waits_until_lists_and_the_command_line_are_closed() {
    let mut app = paused_map();
    type_text(&mut app, "o");
    save(&mut app, &changed());
    assert!(app.list().is_some());
    type_text(&mut app, "o");
    assert!(app.context() == Context::Saved);
    assert_eq!(shown_message(&app), "saved: map.toml");
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    type_text(&mut app, ".");
    assert!(app.is_plain_map(), "the question does not open twice");
    // A command that is being typed runs first.
    let mut app = paused_map();
    type_text(&mut app, ":goto 9");
    save(&mut app, &changed());
    assert!(app.is_plain_map() && app.prompt.line.is_some());
    press(&mut app, &[Key::Enter]);
    assert_eq!((frame(&app), runs(&app)), (9, 1));
    assert!(app.context() == Context::Saved && app.prompt.line.is_none());
    type_text(&mut app, "h");
    assert_eq!((frame(&app), runs(&app)), (10, 2));
    // The question is dropped when another map opens.
    let mut app = paused_map();
    type_text(&mut app, "o");
    save(&mut app, &changed());
    app.opened(Ok(Opened::new("b", "b.toml", maps::scenario("castle"))));
    app.update(Input::Key(Key::Char(' ')));
    assert!(app.is_plain_map());
}
