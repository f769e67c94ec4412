//! Configured keys, the filter of the help, the menu of a tile, dragging of agents, screenshots, and
//! frames saved as maps.

use std::path::Path;

use tilewalk::files::config;
use tilewalk::geom::TilePos;
use tilewalk::id::AgentId;
use tilewalk::render::Format;
use tilewalk::tui::action::{Context, Keymap, TABLE, commands};
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::layout::Panes;
use tilewalk::tui::map_screen::popup::values::ValueList;
use tilewalk::tui::settings::{Asked, Settings, config_schema};

use crate::screens::keyword_search::page;
use crate::support::sample_maps::{gallery, map_screen};
use crate::support::screen::{self, Look, dump, frame, press, settle};

/// Types a command and runs it.
fn run(app: &mut App, text: &str) -> Option<Effect> {
    press(app, &[Key::Char(':')]);
    press(app, &text.chars().map(Key::Char).collect::<Vec<_>>());
    app.update(Input::Key(Key::Enter))
}

/// Returns the settings from a configuration file with this text.
fn configured(text: &str) -> Settings {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    std::fs::write(&path, text).expect("a file");
    let read = config::read(&path, &config_schema()).expect("a readable file");
    assert_eq!(read.report.errors(), 0, "{}", read.report.plain());
    Settings::of(&read.config, &Asked::default(), None, |_| None)
}

#[test]
fn configured_keys_work_and_are_shown_in_footer_help_and_palette() {
    let mut app = map_screen(120, 40);
    app.set_up(&configured("[keys]\nplay = \"F9\"\nhelp = \"F2\"\nstep = [\"F10\", \"Right\"]\n"));
    assert!(app.map().clock.playing);
    press(&mut app, &[Key::Char(' ')]);
    assert!(app.map().clock.playing, "Space is no longer bound");
    press(&mut app, &[Key::F(9)]);
    assert!(!app.map().clock.playing);
    press(&mut app, &[Key::F(10), Key::Right]);
    assert_eq!(app.session().unwrap().world().frame().0, 2);
    let screen = dump(&app);
    assert!(screen.contains("F9 play/pause") && screen.contains("F2 help"), "{screen}");
    press(&mut app, &[Key::Char(':'), Key::Char('p'), Key::Char('l'), Key::Char('a')]);
    let row = |app: &App, name: &str| {
        dump(app).lines().find(|line| line.contains(name)).unwrap_or_default().to_owned()
    };
    assert!(row(&app, " play ").contains("  F9 "), "{}", dump(&app));
    press(&mut app, &[Key::Esc, Key::F(2)]);
    assert!(row(&app, "play / pause").contains(" F9 "), "{}", dump(&app));
}

#[test]
fn hints_show_the_configured_keys() {
    let mut app = screen::builtin("castle");
    app.set_up(&configured(
        "[keys]\npin = \"F5\"\nmark = \"F6\"\nclose-zoom = [\"F7\", \"Esc\"]\nclose = [\"F8\", \"Esc\"]\n\
         page-down = \"F9\"\n",
    ));
    press(&mut app, &[Key::F(5)]);
    assert!(dump(&app).contains("F5: unpin"), "{}", dump(&app));
    run(&mut app, "next-marker");
    assert!(dump(&app).contains("F6 bookmarks frame"), "{}", dump(&app));
    run(&mut app, "markers");
    assert!(dump(&app).contains("none; F6 or :bookmark NAME"), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    run(&mut app, "goto 300");
    settle(&mut app);
    run(&mut app, "log no such thing");
    assert!(dump(&app).contains("F8 clears the filter"), "{}", dump(&app));
    press(&mut app, &[Key::Esc, Key::Esc]);
    app.update(Input::Click(Cell { x: 30, y: 18 }));
    assert!(dump(&app).contains("F7: back"), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    app.update(Input::Resize { width: 80, height: 24 });
    assert!(dump(&app).contains("F9: "), "{}", dump(&app));
}

#[test]
fn enter_opens_the_inspector_then_the_value_list_and_esc_closes_each() {
    let mut app = screen::builtin("castle");
    press(&mut app, &[Key::Enter]);
    assert_eq!(app.map().panes, Panes::Inspector);
    press(&mut app, &[Key::Enter]);
    assert!(app.map().popup::<ValueList>().is_some(), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map() && app.map().panes == Panes::Inspector);
    press(&mut app, &[Key::Esc]);
    assert_eq!(app.map().panes, Panes::All);
}

#[test]
fn the_welcome_hint_is_shown_until_the_first_key() {
    let mut app = map_screen(80, 24);
    app.set_up(&configured("[keys]\nplay = \"F9\"\n"));
    assert!(
        dump(&app).contains("F9 pauses; A describes the map; click an agent"),
        "{}",
        dump(&app)
    );
    press(&mut app, &[Key::Char('.')]);
    assert!(!dump(&app).contains("click an agent"));
}

#[test]
fn every_action_has_a_key_or_a_command_and_is_in_the_help() {
    for entry in TABLE {
        for base in [map_screen, gallery] {
            let mut app = base(120, 40);
            press(&mut app, &[Key::Char('?')]);
            app.update(Input::Paste(entry.about.to_owned()));
            let lines = page(&app);
            assert!(lines.iter().any(|line| line.contains(entry.about)), "{}", entry.name);
        }
        let has_keys = entry.contexts().iter().all(|&context| {
            let is_bound = |&key| Keymap::default().bound(key, context) == Some(entry.action);
            !entry.keys.is_empty() && entry.keys.iter().all(is_bound)
        });
        let has_command =
            |&context: &Context| commands(context).iter().any(|row| row.action == entry.action);
        assert!(
            has_keys || entry.contexts().iter().any(has_command),
            "{} has no key and no command",
            entry.name
        );
    }
}

#[test]
fn the_help_is_filtered_while_typing_and_esc_clears_the_filter() {
    let mut app = map_screen(120, 40);
    press(&mut app, &[Key::Char('?')]);
    press(&mut app, &"play BACK".chars().map(Key::Char).collect::<Vec<_>>());
    let screen = dump(&app);
    assert!(screen.contains("help: play BACK_"), "{screen}");
    assert!(screen.contains(":reverse") && !screen.contains(":follow"), "{screen}");
    press(&mut app, &"zzz".chars().map(Key::Char).collect::<Vec<_>>());
    assert!(dump(&app).contains("no match for \"play BACKzzz\""), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    assert!(dump(&app).contains(":play") && app.context() == Context::Help);
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    press(&mut app, &[Key::Char('?'), Key::Char('?')]);
    assert!(app.is_plain_map(), "the key that opens it closes it");
}

#[test]
fn the_theme_command_changes_the_theme_of_maps_and_gallery() {
    for base in [map_screen, gallery] {
        let mut app = base(120, 40);
        app.set_up(&Settings::of(
            &config::Config::default(),
            &Asked { color: "256".parse().ok(), ..Asked::default() },
            None,
            |_| None,
        ));
        let dark = app.ui.setup.theme.clone();
        assert_eq!(run(&mut app, "theme light"), None);
        assert_ne!(app.ui.setup.theme, dark);
        run(&mut app, "theme dark");
        assert_eq!(app.ui.setup.theme, dark);
        run(&mut app, "theme drak");
        let complaint = app.prompt.line.as_ref().unwrap().complaint().unwrap().1;
        assert!(complaint.starts_with("`drak` is not a theme"), "{complaint}");
    }
}

/// Returns the screen cell of a tile.
fn cell(app: &App, tile: (i32, i32)) -> Cell {
    app.view().unwrap().cell(TilePos::new(tile.0, tile.1)).expect("a tile in view")
}

fn tile_of(app: &App, agent: u32) -> TilePos {
    app.session().unwrap().world().tile(AgentId(agent))
}

#[test]
fn the_right_mouse_button_opens_the_menu_of_a_tile() {
    let mut app = map_screen(120, 40);
    press(&mut app, &[Key::Char(' ')]);
    let at = cell(&app, (6, 6));
    app.update(Input::RightClick(at));
    let screen = dump(&app);
    assert!(screen.contains("tile (6, 6)") && screen.contains("inspect tile"), "{screen}");
    assert!(screen.contains("break when guard comes here"), "{screen}");
    press(&mut app, &[Key::Down, Key::Down, Key::Enter]);
    assert!(app.is_plain_map());
    assert_eq!((tile_of(&app, 0), frame(&app)), (TilePos::new(6, 6), 1));
    // On the agent's own tile, the menu offers to select the agent.
    app.update(Input::RightClick(at));
    assert!(dump(&app).contains("select guard") && !dump(&app).contains("move guard"));
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
    run(&mut app, "tile-menu");
    assert!(app.context() == Context::Menu);
    press(&mut app, &[Key::Up, Key::Enter]);
    assert_eq!(app.session().unwrap().breaks().len(), 1);
}

#[test]
fn items_of_the_tile_menu_can_be_clicked_at_every_edge_of_the_map() {
    for (width, height) in [(40, 12), (80, 24), (200, 60)] {
        let mut app = map_screen(width, height);
        press(&mut app, &[Key::Char(' ')]);
        for (x, y) in [(1, 1), (16, 1), (16, 11), (1, 11)] {
            let Some(at) = app.view().unwrap().cell(TilePos::new(x, y)) else { continue };
            app.update(Input::RightClick(at));
            let lines: Vec<String> = dump(&app).lines().map(ToOwned::to_owned).collect();
            let row = lines.iter().position(|line| line.contains("inspect tile")).unwrap();
            let column = lines[row].chars().collect::<String>();
            let column = column.split("inspect").next().unwrap().chars().count();
            app.update(Input::Click(Cell { x: column as u16, y: row as u16 }));
            let subject = app.subject();
            assert_eq!(subject, tilewalk::debugger::session::Subject::Tile(TilePos::new(x, y)));
        }
    }
}

#[test]
fn dragging_an_agent_to_another_tile_starts_a_new_run() {
    let mut app = map_screen(120, 40);
    press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('>'), Key::Home]);
    let (from, to) = (cell(&app, (3, 2)), cell(&app, (9, 6)));
    app.update(Input::Click(from));
    app.update(Input::Drag(to));
    assert!(dump(&app).contains("release to move guard to (9, 6)"), "{}", dump(&app));
    assert_eq!(frame(&app), 0, "the agent has not moved yet");
    app.update(Input::Release);
    assert_eq!((tile_of(&app, 0), frame(&app)), (TilePos::new(9, 6), 1));
    let session = app.session().unwrap();
    assert_eq!((session.history().runs().len(), session.history().run().end().0), (2, 1));
    // A drop on water is refused.
    let (from, to) = (cell(&app, (9, 6)), cell(&app, (12, 5)));
    for input in [Input::Click(from), Input::Drag(to), Input::Release] {
        app.update(input);
    }
    assert_eq!(frame(&app), 1);
    assert!(dump(&app).contains("does not fit"), "{}", dump(&app));
    // A click without a drag moves no agent.
    app.update(Input::Click(from));
    app.update(Input::Release);
    assert_eq!((frame(&app), app.session().unwrap().history().runs().len()), (1, 2));
}

#[test]
fn screenshots_do_not_show_the_command_line() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char(' ')]);
    let screen = dump(&app);
    let Some(Effect::NewFile(file)) = run(&mut app, "save a.txt") else { panic!("no file") };
    assert_eq!((file.path.as_str(), file.map), ("a.txt", None));
    assert_eq!(String::from_utf8_lossy(&file.bytes), screen.split("---\n").next().unwrap());
    let Some(Effect::NewFile(file)) = run(&mut app, "save a.SVG") else { panic!("no file") };
    let svg = String::from_utf8_lossy(&file.bytes);
    let parsed = roxmltree::Document::parse(&svg).expect("proper XML");
    let text: String = parsed.descendants().filter_map(|node| node.text()).collect();
    assert!(text.contains("Stage: one of every sort"), "{text}");
    let Some(Effect::NewFile(file)) = run(&mut app, "save a.png") else { panic!("no file") };
    assert!(file.bytes.starts_with(b"\x89PNG"));
    assert_eq!(run(&mut app, "save a.jpg"), None);
    assert!(dump(&app).contains("use .svg, .png, .pdf or .txt; :write FILE saves the map"));
}

#[test]
fn render_draws_this_frame_or_a_film_since_the_last_bookmark() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char(' '), Key::Char('.'), Key::Char('.')]);
    let marked = frame(&app);
    let render = |app: &mut App, file: &str| match run(app, &format!("render {file}")) {
        Some(Effect::Render { path, format, from }) => Some((path == file, format, from)),
        _ => None,
    };
    assert_eq!(render(&mut app, "a.gif"), Some((true, Format::Gif, 0)));
    run(&mut app, "bookmark");
    press(&mut app, &[Key::Char('.'), Key::Char('.'), Key::Char('.')]);
    assert_eq!(render(&mut app, "a.svg"), Some((true, Format::Svg, marked + 3)));
    assert_eq!(render(&mut app, "a.gif"), Some((true, Format::Gif, marked)));
    assert_eq!(render(&mut app, "a.jpg"), None);
    assert!(dump(&app).contains("the file name must end in .svg"), "{}", dump(&app));
}

#[test]
fn y_copies_the_text_of_the_inspector_without_styles() {
    let mut app = screen::builtin("forest");
    press(&mut app, &[Key::Char('>')]);
    let Some(Effect::Copy(text)) = app.update(Input::Key(Key::Char('y'))) else {
        panic!("no text")
    };
    assert!(text.starts_with("forest, frame 10 (0.50 s), seed"), "{text}");
    assert!(text.contains("avoid_obstacles") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn maps_are_saved_only_with_the_toml_extension() {
    let mut app = screen::builtin("castle");
    assert_eq!(run(&mut app, "save-map frame.txt"), None);
    assert!(dump(&app).contains("the file name must end in .toml"), "{}", dump(&app));
    press(&mut app, &[Key::Esc]);
    let Some(Effect::NewFile(file)) = run(&mut app, "save-map frame.toml") else {
        panic!("no map")
    };
    assert!(file.map.is_some() && Path::new(&file.path).ends_with("frame.toml"));
}
