//! The command line of the screen: commands, arguments, completion, history and errors.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use tilewalk::id::AgentId;
use tilewalk::scenario::Scenario;
use tilewalk::tui::action::{Action, Context, Keymap, Parameter, TABLE, commands};
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::argument::{Argument, ArgumentKind};
use tilewalk::tui::command_line::Scene;
use tilewalk::tui::command_line::complete::suggestions;
use tilewalk::tui::command_line::parse::parse;
use tilewalk::tui::input::{Input, Key};
use tilewalk::world::World;

use crate::support::sample_maps::{gallery, map_screen, opened};
use crate::support::scene;
use crate::support::screen::{Look, command_error, dump, frame, press};

/// Opens the command line and types a text.
fn type_in(app: &mut App, text: &str) {
    press(app, &[Key::Char(':')]);
    press(app, &text.chars().map(Key::Char).collect::<Vec<_>>());
}

/// Types a command and runs it.
fn run(app: &mut App, text: &str) -> Option<Effect> {
    type_in(app, text);
    app.update(Input::Key(Key::Enter))
}

fn line(app: &App) -> &str {
    app.prompt.line.as_ref().expect("an open line").line().text()
}

fn suggested(text: &str, scenario: &Arc<Scenario>) -> Vec<String> {
    let keymap = Keymap::default();
    let world = World::new(Arc::clone(scenario));
    let scene = Scene::new(Context::Map, Some(&world), &keymap);
    suggestions(text, scene).list.into_iter().map(|found| found.text).collect()
}

pub fn scenes() -> Vec<scene::Scene> {
    let plain = |(width, height)| map_screen(width, height);
    let line = |name: &str, text: &'static str, keys: &'static [Key]| {
        let make = move |(width, height)| {
            let mut app = map_screen(width, height);
            type_in(&mut app, text);
            press(&mut app, keys);
            app
        };
        scene::Scene::new(name, (80, 24), make).differing_from(plain)
    };
    vec![
        line("palette", "", &[]),
        line("palette_typed", "st", &[Key::Down, Key::Down]),
        line("palette_argument", "select g", &[]),
        line("palette_wrong", "select gaurd", &[Key::Enter]),
    ]
}

#[test]
fn every_command_without_an_argument_does_what_its_key_does() {
    for context in [Context::Map, Context::Gallery, Context::Overlays, Context::Drive] {
        let scene = || match context {
            Context::Gallery => gallery(80, 24),
            Context::Overlays => paused_after(&[Key::Char('o')]),
            Context::Drive => paused_after(&[Key::Char('i')]),
            _ => paused_after(&[]),
        };
        for entry in commands(context) {
            let (mut typed, mut pressed) = (scene(), scene());
            assert_eq!(typed.context(), context);
            let Some(&key) = entry.keys.first().filter(|_| entry.is_in(context)) else {
                continue;
            };
            let effect = run(&mut typed, entry.name);
            assert_eq!(effect, pressed.update(Input::Key(key)), "{}", entry.name);
            assert_eq!(dump(&typed), dump(&pressed), "{}", entry.name);
        }
    }
}

fn paused_after(keys: &[Key]) -> App {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char(' '), Key::Char('>')]);
    press(&mut app, keys);
    app
}

#[test]
fn key_table_entries_without_a_command_edit_text_or_repeat_a_command() {
    for entry in TABLE.iter().filter(|entry| !entry.is_command()) {
        let text = [
            Context::Search,
            Context::CommandLine,
            Context::Values,
            Context::Value,
            Context::Filter,
        ];
        let is_text_input = |context: &Context| text.contains(context);
        let has_command = TABLE.iter().any(|row| row.action == entry.action && row.is_command());
        let opens = entry.action == Action::CommandLine;
        assert!(
            opens || has_command || entry.contexts().iter().all(is_text_input),
            "{}",
            entry.name
        );
    }
}

#[test]
fn the_commands_speed_and_select_apply_their_argument() {
    let mut app = map_screen(80, 24);
    for (typed, shown) in [("1/4", "×1/4"), ("max", "max"), ("x2", "×2"), ("1", "×1")] {
        run(&mut app, &format!("speed {typed}"));
        assert_eq!(app.map().clock.speed.to_string(), shown);
    }
    assert!(app.map().clock.playing, "playback continues");
    run(&mut app, "sel ogre");
    assert_eq!(app.session().unwrap().selected(), Some(AgentId(1)));
    run(&mut app, "speed 3");
    assert!(command_error(&app).starts_with("`3` is not a speed"), "{}", command_error(&app));
    press(&mut app, &[Key::Backspace, Key::Char('8'), Key::Enter]);
    assert_eq!(
        (app.map().clock.speed.to_string().as_str(), app.prompt.line.is_none()),
        ("×8", true)
    );
}

#[test]
fn a_seek_is_simulated_in_parts_and_ends_at_its_frame() {
    let mut app = map_screen(80, 24);
    run(&mut app, "goto 500");
    assert_eq!((frame(&app), app.until_next()), (0, Some(Duration::ZERO)));
    for _ in 0..100 {
        let mut left = 10;
        app.pass(Duration::from_millis(1), || {
            left -= 1;
            left > 0
        });
    }
    assert_eq!((frame(&app), app.until_next()), (500, None));
    assert!(dump(&app).contains("reached frame 500"), "{}", dump(&app));
    run(&mut app, "goto 20");
    app.pass(Duration::from_millis(1), || true);
    assert_eq!((frame(&app), app.until_next()), (20, None), "backwards");
    run(&mut app, "step 490");
    app.pass(Duration::from_millis(1), || true);
    assert_eq!((frame(&app), app.until_next()), (510, None), "beyond the last simulated frame");
}

#[test]
fn escape_restart_and_space_end_a_seek() {
    let mut app = map_screen(80, 24);
    for (key, answer) in [(Key::Esc, "stopped at frame 1"), (Key::Char('r'), "")] {
        run(&mut app, "goto 90");
        app.pass(Duration::from_millis(1), || false);
        press(&mut app, &[key]);
        assert_eq!(app.until_next(), None);
        assert!(dump(&app).contains(answer), "{}", dump(&app));
    }
    assert_eq!(frame(&app), 0);
    run(&mut app, "goto 90");
    press(&mut app, &[Key::Char(' ')]);
    assert_eq!((app.until_next(), app.map().clock.playing), (None, false), "Space ends the seek");
}

#[test]
fn arrows_go_through_the_command_history() {
    let mut app = map_screen(80, 24);
    for command in ["speed 2", "speed 4", "speed 4", "select ogre"] {
        run(&mut app, command);
    }
    press(&mut app, &[Key::Char(':'), Key::Up]);
    assert_eq!(line(&app), "select ogre");
    press(&mut app, &[Key::Up, Key::Up, Key::Up, Key::Up]);
    assert_eq!(line(&app), "speed 2", "a repeated command is stored once");
    press(&mut app, &[Key::Down]);
    assert_eq!(line(&app), "speed 4");
    press(&mut app, &[Key::Down, Key::Down]);
    assert_eq!(line(&app), "", "an empty line follows the last entry");
    press(&mut app, &[Key::Up, Key::Esc]);
    assert!(app.prompt.line.is_none() && app.is_plain_map());
}

#[test]
fn tab_completes_command_names_and_arguments() {
    let mut app = map_screen(80, 24);
    type_in(&mut app, "sel");
    press(&mut app, &[Key::Tab]);
    assert_eq!(line(&app), "select ");
    press(&mut app, &[Key::Char('v'), Key::Tab, Key::Enter]);
    assert_eq!(app.session().unwrap().selected(), Some(AgentId(3)));
    type_in(&mut app, "s");
    press(&mut app, &[Key::Down, Key::Down, Key::Up]);
    let first = line(&app).to_owned();
    press(&mut app, &[Key::Down, Key::Up]);
    assert_eq!(line(&app), first, "selecting keeps the list");
    press(&mut app, &[Key::Ctrl('u')]);
    assert_eq!(line(&app), "");
    press(&mut app, &[Key::Enter]);
    assert!(app.prompt.line.is_none(), "Enter closes an empty line");
}

#[test]
fn arguments_are_checked_against_the_map() {
    let world = World::new(opened().scenario);
    let read = |kind: ArgumentKind, text: &str| kind.read(text, Some(&world));
    assert_eq!(read(ArgumentKind::Agent, "ogre"), Ok(Argument::Agent(AgentId(1))));
    let error = read(ArgumentKind::Agent, "orge").unwrap_err();
    assert_eq!(error.text, "unknown agent `orge`: did you mean `ogre`?");
    assert!(matches!(read(ArgumentKind::Condition, "ogre.speed > 1"), Ok(Argument::Condition(_))));
    let error = read(ArgumentKind::Condition, "guard.x > 1 and ogre.sped > 1").unwrap_err();
    assert_eq!(error.span, 16..25);
    assert_eq!(error.text, "unknown field `sped`: did you mean `speed`?");
    assert!(matches!(read(ArgumentKind::Field, "guard.mode"), Ok(Argument::Field { .. })));
    let error = read(ArgumentKind::Field, "orge.mode").unwrap_err();
    assert_eq!((error.span.start, error.text.contains("did you mean `ogre`?")), (0, true));
    assert!(read(ArgumentKind::Field, "guard.mode) or (true").is_err());
    assert!(ArgumentKind::Condition.read("true", None).is_err());
    for (kind, text) in
        [(ArgumentKind::Count, "0"), (ArgumentKind::Frame, "-1"), (ArgumentKind::Frame, "1e3")]
    {
        assert!(read(kind, text).is_err(), "{text}");
    }
}

#[test]
fn suggestions_match_the_kind_of_the_argument() {
    let scenario = opened().scenario;
    assert_eq!(suggested("zoom-", &scenario)[..3], ["zoom-in", "zoom-out", "zoom-pane"]);
    assert_eq!(suggested("speed 1/", &scenario), ["1/8", "1/4", "1/2"]);
    assert_eq!(suggested("select o", &scenario)[0], "ogre");
    assert!(suggested("goto 1", &scenario).is_empty());
    assert!(suggested("nonsense 1", &scenario).is_empty());
}

#[test]
fn the_command_line_accepts_a_paste_and_ignores_clicks() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char(':')]);
    app.update(Input::Paste("select vagabond\nquit\n".to_owned()));
    assert_eq!(line(&app), "select vagabond");
    app.update(Input::Click(tilewalk::tui::input::Cell { x: 5, y: 3 }));
    assert_eq!(line(&app), "select vagabond");
    press(&mut app, &[Key::Enter]);
    assert_eq!(app.session().unwrap().selected(), Some(AgentId(3)));
}

#[test]
fn a_missing_required_argument_is_an_error() {
    for entry in TABLE {
        if matches!(entry.parameter, Parameter::Required(_)) {
            let keymap = Keymap::default();
            let scene = Scene::new(entry.contexts()[0], None, &keymap);
            let error = parse(entry.name, scene).unwrap_err();
            assert!(error.text.contains("needs"), "{}", error.text);
        }
    }
}

fn key() -> impl Strategy<Value = Key> {
    let moves = [Key::Tab, Key::Up, Key::Down, Key::Left, Key::Home, Key::Backspace, Key::Enter];
    let pieces = [':', ' ', '.', '/', '(', '"', 'é', '語', '\u{301}', '\u{202e}', '\u{1b}', '🤦'];
    prop_oneof![
        6 => proptest::char::range('a', 'z').prop_map(Key::Char),
        2 => proptest::sample::select(pieces.to_vec()).prop_map(Key::Char),
        3 => proptest::sample::select(moves.to_vec()),
        1 => proptest::sample::select(vec![Key::Ctrl('w'), Key::Ctrl('u'), Key::Delete, Key::End]),
        1 => any::<char>().prop_map(Key::Char),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_keys_in_the_command_line_do_not_panic(keys in prop::collection::vec(key(), 0..60), width in 0u16..90) {
        let mut app = map_screen(width, 24);
        for key in keys {
            if app.prompt.line.is_none() {
                press(&mut app, &[Key::Esc, Key::Char(':')]);
            }
            press(&mut app, &[key]);
            dump(&app);
        }
    }

    #[test]
    fn a_random_argument_is_valid_or_has_an_error_with_a_span(text in "\\PC{0,40}", name in 0..TABLE.len()) {
        let world = World::new(opened().scenario);
        let keymap = Keymap::default();
        let scene = Scene::new(Context::Map, Some(&world), &keymap);
        let kinds = [
            ArgumentKind::Frame,
            ArgumentKind::Count,
            ArgumentKind::Speed,
            ArgumentKind::Agent,
            ArgumentKind::Field,
            ArgumentKind::Condition,
        ];
        for kind in kinds {
            if let Err(error) = kind.read(&text, scene.world) {
                prop_assert!(error.span.start <= error.span.end && error.span.end <= text.len());
            }
        }
        for line in [text.clone(), format!("{} {text}", TABLE[name].name)] {
            suggestions(&line, scene);
            if let Err(error) = parse(&line, scene) {
                prop_assert!(line.get(error.span).is_some() && !error.text.is_empty());
            }
        }
    }
}
