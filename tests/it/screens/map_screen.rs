//! The whole screen: scenes with each kind of agent, keys, the mouse, playback and reloads.

use std::time::Duration;

use ratatui::layout::Rect;
use tilewalk::tui::app::{App, Effect, Message};
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::map_screen::popup::search::AgentFinder;
use tilewalk::tui::recording::Recording;
use tilewalk::tui::theme::MONO;
use tilewalk::tui::{Opened, Start};

use crate::support::build;
use crate::support::sample_maps::{craft, dark_theme, deer, gallery, map_screen};
use crate::support::scene::Scene;
use crate::support::screen::{Look, dump, press, type_text};

pub fn scenes() -> Vec<Scene> {
    let with_agent = |name: &str, agent| {
        Scene::new(name, (80, 24), move |(width, height)| {
            let mut app = map_screen(width, height);
            press(&mut app, &vec![Key::Tab; agent]);
            type_text(&mut app, ">..");
            app
        })
    };
    let with_map = |opened: fn() -> Opened, keys: &'static str| {
        move |(width, height)| {
            let screen = Rect::new(0, 0, width, height);
            let mut app = App::new(vec![], Start::Map(opened()), screen, dark_theme()).0;
            type_text(&mut app, keys);
            app
        }
    };
    vec![
        Scene::new("gallery", (80, 24), |(width, height)| gallery(width, height)),
        with_agent("path", 0),
        with_agent("matrix", 1),
        with_agent("steps", 2),
        with_agent("steering", 3),
        Scene::new("obstacle", (80, 24), with_map(deer, ".......")),
        Scene::new("thrust", (80, 24), with_map(craft, ">>>>........")),
        Scene::new("errors", (80, 24), |(width, height)| {
            let mut app = gallery(width, height);
            let text = "error: unknown key `sped`\n  --> broken.toml:3:1\n   |\n 3 | sped\t= 1\n   | ^^^^\n";
            app.opened(Err(text.to_owned()));
            app
        }),
    ]
}

#[test]
fn escape_closes_one_layer_and_never_quits() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Enter, Key::Char('/')]);
    assert_eq!(app.update(Input::Key(Key::Esc)), None);
    assert!(app.is_plain_map());
    let zoomed = app.map().panes;
    assert_eq!(app.update(Input::Key(Key::Esc)), None);
    assert_ne!(app.map().panes, zoomed);
    for _ in 0..5 {
        assert_eq!(app.update(Input::Key(Key::Esc)), None);
    }
    assert_eq!(app.update(Input::Key(Key::Char('q'))), Some(Effect::Quit));
}

#[test]
fn keys_typed_into_the_agent_search_are_text_and_run_no_commands() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char('/'), Key::Char('q'), Key::Char(' '), Key::Char('?')]);
    let Some(search) = app.map().popup::<AgentFinder>() else { panic!("the search is closed") };
    assert_eq!(search.line().text(), "q ?");
    assert!(app.map().clock.playing);
}

#[test]
fn a_click_selects_an_agent_or_tile_and_a_drag_moves_the_map() {
    let mut app = map_screen(80, 24);
    let click = |app: &mut App, tile: (i32, i32)| {
        let view = app.view().expect("a map");
        let tile = tilewalk::geom::TilePos::new(tile.0, tile.1);
        let cell = view.cell(tile).expect("in view");
        app.update(Input::Click(cell));
        app.update(Input::Release);
        cell
    };
    click(&mut app, (4, 8));
    let name = |app: &App| {
        let session = app.session().expect("a map");
        session.scenario().name(session.selected().expect("an agent")).to_string()
    };
    assert_eq!(name(&app), "ploughman");
    let cell = click(&mut app, (9, 9));
    assert!(dump(&app).contains("tile (9, 9)"));
    let before = app.view().expect("a map").offset;
    app.update(Input::Click(cell));
    app.update(Input::Drag(Cell { x: cell.x, y: cell.y - 1 }));
    assert_ne!(app.view().expect("a map").offset, before);
}

#[test]
fn a_reload_keeps_the_selected_agent_and_the_view() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Tab, Key::Tab, Key::Char('>'), Key::Char('j'), Key::Char('j')]);
    let view = app.view();
    let effect = app.update(Input::Key(Key::Char('R')));
    assert_eq!(effect, Some(Effect::Reread("stage".to_owned())));
    app.opened(Ok(crate::support::sample_maps::opened()));
    let session = app.session().expect("a map");
    assert_eq!((session.world().frame().0, session.selected().map(|id| id.0)), (0, Some(2)));
    assert_eq!(app.view(), view);
}

#[test]
fn control_characters_in_titles_glyphs_and_names_are_not_drawn() {
    let mut opened = crate::support::sample_maps::opened();
    let mut scenario = (*opened.scenario).clone();
    build::edit(&mut scenario, |parts| parts.title = "a\u{1b}[31mb\u{202e}".to_owned());
    build::edit(&mut scenario, |parts| parts.kinds[0].glyph = "\u{1b}".to_owned());
    build::edit(&mut scenario, |parts| parts.kinds[1].name = "o\u{9b}gre".to_owned());
    opened.scenario = scenario.into();
    let screen = Rect::new(0, 0, 80, 24);
    let app = App::new(vec![], Start::Map(opened), screen, MONO).0;
    let text = dump(&app);
    assert!(text.contains(" a[31mb "), "{text}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text}");
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn frames_are_simulated_only_during_playback_and_dropped_time_is_reported() {
    let mut app = map_screen(80, 24);
    let tenth = Duration::from_millis(100);
    assert!(app.pass(tenth, || true));
    let frame = |app: &App| app.session().map(|session| session.world().frame().0);
    assert_eq!(frame(&app), Some(2));
    assert!(app.pass(tenth, || false));
    assert_eq!(
        (frame(&app), app.map().late),
        (Some(3), true),
        "one frame is stepped and the missed time is dropped"
    );
    press(&mut app, &[Key::Char(' ')]);
    assert!(!app.pass(tenth, || true));
    assert_eq!((frame(&app), app.until_next()), (Some(3), None));
    press(&mut app, &[Key::Char(' '), Key::Char('?')]);
    assert_eq!(app.until_next(), None, "the help pauses playback");
}

#[test]
fn the_screen_shows_that_recording_runs_or_why_it_stopped() {
    let mut app = map_screen(120, 40);
    let id = app.session().expect("a map").id().to_owned();
    app.recording = Some(Recording::of(id));
    assert!(dump(&app).contains("playing ×1  ● rec  frame 0"), "{}", dump(&app));
    app.recording_stopped("no space left on device", false);
    let expected = "recording stopped: no space left on device";
    assert!(dump(&app).contains("rec stopped"), "{}", dump(&app));
    assert_eq!(app.ui.answers.message, Some(Message::Warning(expected.to_owned())));
    press(&mut app, &[Key::Char('.')]);
    assert!(dump(&app).contains("▮▮ paused ×1  rec stopped  frame 1"), "{}", dump(&app));
    app.recording = Some(Recording::of("another map".to_owned()));
    assert!(!dump(&app).contains("  ● rec  "), "{}", dump(&app));
}
