//! The command line of the screen.

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

use crate::support::scene;
use crate::support::screen::Look;
use crate::support::screen::{complaint, dump, frame, press};
use crate::support::stage::{gallery, opened, watching};

/// Types a text into the line, opening it first.
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

fn words(text: &str, scenario: &Arc<Scenario>) -> Vec<String> {
    let keymap = Keymap::default();
    let world = World::new(Arc::clone(scenario));
    let scene = Scene::new(Context::Map, Some(&world), &keymap);
    suggestions(text, scene).list.into_iter().map(|found| found.text).collect()
}

pub fn scenes() -> Vec<scene::Scene> {
    let plain = |(width, height)| watching(width, height);
    let line = |name: &str, text: &'static str, keys: &'static [Key]| {
        let make = move |(width, height)| {
            let mut app = watching(width, height);
            type_in(&mut app, text);
            press(&mut app, keys);
            app
        };
        scene::Scene::new(name, (80, 24), make).beside(plain)
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
            Context::Overlays => with(&[Key::Char('o')]),
            Context::Drive => with(&[Key::Char('i')]),
            _ => with(&[]),
        };
        for entry in commands(context) {
            let (mut typed, mut pressed) = (scene(), scene());
            assert_eq!(typed.context(), context);
            let Some(&key) = entry.keys.first().filter(|_| entry.is_in(context)) else {
                continue;
            };
            let told = run(&mut typed, entry.name);
            assert_eq!(told, pressed.update(Input::Key(key)), "{}", entry.name);
            assert_eq!(dump(&typed), dump(&pressed), "{}", entry.name);
        }
    }
}

fn with(keys: &[Key]) -> App {
    let mut app = watching(80, 24);
    press(&mut app, &[Key::Char(' '), Key::Char('>')]);
    press(&mut app, keys);
    app
}

#[test]
fn every_row_with_a_key_only_is_one_where_letters_are_text_or_doubles_another() {
    for entry in TABLE.iter().filter(|entry| !entry.is_command()) {
        let text = [
            Context::Search,
            Context::CommandLine,
            Context::Values,
            Context::Value,
            Context::Filter,
        ];
        let typing = |context: &Context| text.contains(context);
        let doubled = TABLE.iter().any(|row| row.action == entry.action && row.is_command());
        let opens = entry.action == Action::CommandLine;
        assert!(opens || doubled || entry.contexts().iter().all(typing), "{}", entry.name);
    }
}

#[test]
fn speed_and_selection() {
    let mut app = watching(80, 24);
    for (typed, told) in [("1/4", "×1/4"), ("max", "max"), ("x2", "×2"), ("1", "×1")] {
        run(&mut app, &format!("speed {typed}"));
        assert_eq!(app.map().clock.speed.to_string(), told);
    }
    assert!(app.map().clock.playing, "time runs on");
    run(&mut app, "sel ogre");
    assert_eq!(app.session().unwrap().selected(), Some(AgentId(1)));
    run(&mut app, "speed 3");
    assert!(complaint(&app).starts_with("`3` is not a speed"), "{}", complaint(&app));
    press(&mut app, &[Key::Backspace, Key::Char('8'), Key::Enter]);
    assert_eq!(
        (app.map().clock.speed.to_string().as_str(), app.prompt.line.is_none()),
        ("×8", true)
    );
}

#[test]
fn time_runs_to_a_frame_bit_by_bit_and_stops_there() {
    let mut app = watching(80, 24);
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
    assert_eq!((frame(&app), app.until_next()), (20, None), "and back");
    run(&mut app, "step 490");
    app.pass(Duration::from_millis(1), || true);
    assert_eq!((frame(&app), app.until_next()), (510, None), "beyond the last frame made");
}

#[test]
fn on_the_way_to_a_frame_escape_stops_and_a_restart_forgets_it() {
    let mut app = watching(80, 24);
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
    assert_eq!((app.until_next(), app.map().clock.playing), (None, false), "Space stops it");
}

#[test]
fn the_history_comes_back_with_the_arrows() {
    let mut app = watching(80, 24);
    for command in ["speed 2", "speed 4", "speed 4", "select ogre"] {
        run(&mut app, command);
    }
    press(&mut app, &[Key::Char(':'), Key::Up]);
    assert_eq!(line(&app), "select ogre");
    press(&mut app, &[Key::Up, Key::Up, Key::Up, Key::Up]);
    assert_eq!(line(&app), "speed 2", "twice the same is one");
    press(&mut app, &[Key::Down]);
    assert_eq!(line(&app), "speed 4");
    press(&mut app, &[Key::Down, Key::Down]);
    assert_eq!(line(&app), "", "behind the last there is the empty line");
    press(&mut app, &[Key::Up, Key::Esc]);
    assert!(app.prompt.line.is_none() && app.is_plain_map());
}

#[test]
fn tab_completes_names_and_arguments() {
    let mut app = watching(80, 24);
    type_in(&mut app, "sel");
    press(&mut app, &[Key::Tab]);
    assert_eq!(line(&app), "select ");
    press(&mut app, &[Key::Char('v'), Key::Tab, Key::Enter]);
    assert_eq!(app.session().unwrap().selected(), Some(AgentId(3)));
    type_in(&mut app, "s");
    press(&mut app, &[Key::Down, Key::Down, Key::Up]);
    let first = line(&app).to_owned();
    press(&mut app, &[Key::Down, Key::Up]);
    assert_eq!(line(&app), first, "choosing keeps the list");
    press(&mut app, &[Key::Ctrl('u')]);
    assert_eq!(line(&app), "");
    press(&mut app, &[Key::Enter]);
    assert!(app.prompt.line.is_none(), "an empty line just closes");
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
fn suggestions_are_of_the_kind_that_is_wanted() {
    let scenario = opened().scenario;
    assert_eq!(words("zoom-", &scenario)[..3], ["zoom-in", "zoom-out", "zoom-pane"]);
    assert_eq!(words("speed 1/", &scenario), ["1/8", "1/4", "1/2"]);
    assert_eq!(words("select o", &scenario)[0], "ogre");
    assert!(words("goto 1", &scenario).is_empty());
    assert!(words("nonsense 1", &scenario).is_empty());
}

#[test]
fn a_paste_is_typed_and_the_mouse_leaves_the_line_alone() {
    let mut app = watching(80, 24);
    press(&mut app, &[Key::Char(':')]);
    app.update(Input::Paste("select vagabond\nquit\n".to_owned()));
    assert_eq!(line(&app), "select vagabond");
    app.update(Input::Click(tilewalk::tui::input::Cell { x: 5, y: 3 }));
    assert_eq!(line(&app), "select vagabond");
    press(&mut app, &[Key::Enter]);
    assert_eq!(app.session().unwrap().selected(), Some(AgentId(3)));
}

#[test]
fn no_row_of_the_table_is_left_without_its_argument() {
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
    fn whatever_is_typed_is_survived(keys in prop::collection::vec(key(), 0..60), width in 0u16..90) {
        let mut app = watching(width, 24);
        for key in keys {
            if app.prompt.line.is_none() {
                press(&mut app, &[Key::Esc, Key::Char(':')]);
            }
            press(&mut app, &[key]);
            dump(&app);
        }
    }

    #[test]
    fn any_argument_is_read_or_told_where_it_is_wrong(text in "\\PC{0,40}", name in 0..TABLE.len()) {
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
