//! Searches for a feature by keywords, in the help and in the command palette.

use ratatui::layout::Rect;
use tilewalk::debugger::session::Session;
use tilewalk::files::keys::old_names;
use tilewalk::tui::action::{Context, Keymap, TABLE};
use tilewalk::tui::app::App;
use tilewalk::tui::command_line::Scene;
use tilewalk::tui::command_line::complete::suggestions;
use tilewalk::tui::command_line::parse::parse;
use tilewalk::tui::draw::help;
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::overlays::Layer;
use tilewalk::tui::page::Page;

use crate::support::sample_maps::{gallery, map_screen};
use crate::support::screen::{Look, command_error, dump, press, settle};

/// Keywords, each with the command that the help and the palette must show for it.
const WORDS: [(&str, &str); 54] = [
    ("pause", "play"),
    ("play", "play"),
    ("stop", "pause"),
    ("rewind", "first"),
    ("back", "step-back"),
    ("reset", "restart"),
    ("restart", "restart"),
    ("search", "find"),
    ("find", "find"),
    ("record", "tilewalk play MAP --record FILE.twr"),
    ("replay", "tilewalk replay FILE.twr"),
    ("csv", "tilewalk run MAP --frames N --trace FILE.csv"),
    ("export", "tilewalk run MAP --frames N --trace FILE.csv"),
    ("trace", "tilewalk run MAP --frames N --trace FILE.csv"),
    ("screenshot", "screenshot"),
    ("picture", "screenshot"),
    ("vision", "overlay lines"),
    ("sight", "overlay lines"),
    ("legend", "paint"),
    ("wall", "paint"),
    ("collision", "log"),
    ("touch", "log"),
    ("random", "tilewalk run MAP --frames N --seed S"),
    ("seed", "diff"),
    ("flock", "overlay neighbours"),
    ("vector", "overlay force"),
    ("force", "forces"),
    ("plot", "plots"),
    ("chart", "plots"),
    ("graph", "plots"),
    ("minimap", "overlay minimap"),
    ("trail", "overlay trail"),
    ("heat map", "heat-map"),
    ("heat", "overlay heat map"),
    ("undo", "flip"),
    ("compare", "diff"),
    ("jump", "goto"),
    ("goto", "goto"),
    ("bookmark", "bookmark"),
    ("save", "write"),
    ("new", "tilewalk new NAME"),
    ("quit", "quit"),
    ("breakpoint", "break"),
    ("watchpoint", "watch"),
    ("speed", "speed"),
    ("camera", "follow"),
    ("manual", "drive"),
    ("state machine", "modes"),
    ("clipboard", "copy"),
    ("colours", "theme"),
    ("errors", "problems"),
    ("history", "runs"),
    ("exit", "quit"),
    ("visits", "heat-map"),
];

fn type_keys(app: &mut App, text: &str) {
    press(app, &text.chars().map(Key::Char).collect::<Vec<_>>());
}

/// Returns all lines of the open help, including those outside the screen.
pub fn page(app: &App) -> Vec<String> {
    let Some(open) = app.page.as_ref().and_then(Page::as_help) else { panic!("the help is open") };
    let page = help::page(
        open.context,
        &open.filter,
        &app.ui.setup.keymap,
        Rect { height: 3, ..app.ui.screen },
        &app.ui.setup.theme,
    );
    page.lines.iter().map(ToString::to_string).collect()
}

fn help_for(text: &str) -> Vec<String> {
    let mut app = map_screen(120, 40);
    press(&mut app, &[Key::Char('?')]);
    type_keys(&mut app, text);
    page(&app)
}

#[test]
fn every_keyword_finds_its_feature_in_the_help() {
    for (word, wanted) in WORDS {
        let lines = help_for(word);
        let name = format!(":{wanted}");
        let found = lines.iter().any(|line| {
            line.split_whitespace().any(|part| part == name)
                || line.ends_with(&name)
                || line.contains(&format!("{name} "))
                || (wanted.starts_with("tilewalk ") && line.contains(wanted))
        });
        assert!(found, "{word}: {}", lines.join("\n"));
        assert!(!lines[0].starts_with("no match"), "{word}");
    }
}

#[test]
fn every_keyword_finds_its_feature_in_the_palette() {
    let app = map_screen(120, 40);
    let world = app.session().map(Session::world);
    for (word, wanted) in WORDS.into_iter().filter(|(word, _)| !word.contains(' ')) {
        let keymap = Keymap::default();
        let found = suggestions(word, Scene::new(Context::Map, world, &keymap));
        let texts: Vec<_> = found.list.iter().map(|each| each.text.as_str()).collect();
        assert!(texts.contains(&wanted), "{word}: {texts:?}");
        assert!(texts.iter().position(|text| *text == wanted) < Some(20), "{word}: {texts:?}");
    }
}

#[test]
fn a_mistyped_word_suggests_the_nearest_one() {
    let lines = help_for("puase");
    assert_eq!(lines[0], "no match for \"puase\"; nearest: pause");
    assert!(lines.iter().any(|line| line.ends_with(":play")), "{}", lines.join("\n"));
    assert_eq!(help_for("qqqqqqqqqq")[0], "no match for \"qqqqqqqqqq\"");
    let keymap = Keymap::default();
    let scene = Scene::new(Context::Map, None, &keymap);
    let found = suggestions("puase", scene).list;
    assert!(found.iter().any(|each| each.text == "play"));
    let error_of = |text| parse(text, scene).unwrap_err().text;
    assert_eq!(error_of("puase"), "no command `puase`: did you mean `pause`?");
    assert_eq!(
        error_of("rewind"),
        "no command `rewind`; try `step-back`, `step-back-ten`, `first`, `reverse`"
    );
    assert_eq!(
        error_of("csv"),
        "no command `csv`; in a shell: tilewalk run MAP --frames N --trace FILE.csv"
    );
}

#[test]
fn a_keyword_that_belongs_to_one_command_runs_that_command() {
    let mut app = map_screen(80, 24);
    assert!(app.map().clock.playing);
    for word in ["stop", "halt", "pause"] {
        press(&mut app, &[Key::Char(':')]);
        type_keys(&mut app, word);
        press(&mut app, &[Key::Enter]);
        assert!(!app.map().clock.playing && app.prompt.line.is_none(), "{word}");
    }
}

#[test]
fn entering_a_number_goes_to_that_frame_and_seconds_to_that_time() {
    let mut app = map_screen(80, 24);
    let frame = |app: &App| app.session().map(|session| session.world().frame().0);
    for (line, wanted) in [("100", 100), ("1.5s", 30), (":7", 7)] {
        press(&mut app, &[Key::Char(':')]);
        type_keys(&mut app, line);
        press(&mut app, &[Key::Enter]);
        settle(&mut app);
        assert_eq!(frame(&app), Some(wanted), "{line}");
    }
    let mut gallery = gallery(80, 24);
    press(&mut gallery, &[Key::Char(':')]);
    type_keys(&mut gallery, "100");
    press(&mut gallery, &[Key::Enter]);
    assert!(command_error(&gallery).contains("no command `100`"), "{}", command_error(&gallery));
}

#[test]
fn the_overlay_command_toggles_the_overlay_with_a_name() {
    let mut app = map_screen(80, 24);
    assert!(!app.map().overlays.has(Layer::Trail));
    for (line, shown) in [("overlay trail", true), ("overlay trail", false)] {
        press(&mut app, &[Key::Char(':')]);
        type_keys(&mut app, line);
        press(&mut app, &[Key::Enter]);
        assert_eq!(app.map().overlays.has(Layer::Trail), shown);
    }
    for (name, layer) in [("heat map", Layer::Visits), ("visits", Layer::Visits)] {
        let before = app.map().overlays.has(layer);
        press(&mut app, &[Key::Char(':')]);
        type_keys(&mut app, &format!("overlay {name}"));
        press(&mut app, &[Key::Enter]);
        assert_ne!(app.map().overlays.has(layer), before, "{name}");
    }
    press(&mut app, &[Key::Char(':')]);
    type_keys(&mut app, "overlay trial");
    press(&mut app, &[Key::Enter]);
    assert_eq!(command_error(&app), "unknown overlay `trial`: did you mean `trail`?");
}

#[test]
fn the_help_opens_at_the_section_for_the_current_mode() {
    for (keys, title) in [
        (&[][..], "Map: time"),
        (&[Key::Char('p')], "Paint mode (other keys as on a map)"),
        (&[Key::Char('i')], "Manual control (other keys as on a map)"),
        (&[Key::Char('o')], "Overlay menu"),
        (&[Key::Char('B')], "Breakpoint list"),
        (&[Key::Char('L')], "Event log"),
    ] {
        let mut app = map_screen(120, 40);
        press(&mut app, keys);
        let before = app.context();
        press(&mut app, &[Key::Char('?')]);
        assert_eq!(page(&app)[0], title);
        press(&mut app, &[Key::Esc]);
        assert_eq!(app.context(), before, "closing the help returns there");
    }
    let mut app = gallery(120, 40);
    press(&mut app, &[Key::Char('?')]);
    assert_eq!(page(&app)[0], "Gallery");
}

#[test]
fn the_help_has_at_most_300_lines_and_page_down_keeps_one_line_in_view() {
    for keys in [&[][..], &[Key::Char('p')], &[Key::Char('L')]] {
        let mut app = map_screen(120, 40);
        press(&mut app, keys);
        press(&mut app, &[Key::Char('?')]);
        let lines = page(&app).len();
        assert!(lines <= 300, "{lines} lines");
    }
    let mut app = map_screen(120, 40);
    press(&mut app, &[Key::Char('?')]);
    let shown = |app: &App| {
        let inside = |line: &str| line.chars().skip(13).take(94).collect::<String>();
        dump(app).lines().skip(1).take(37).map(inside).collect::<Vec<_>>()
    };
    let last = shown(&app).pop();
    press(&mut app, &[Key::PageDown]);
    let first = shown(&app).into_iter().next();
    assert_eq!(first, last, "the last line of a page is the first of the next");
}

#[test]
fn a_search_in_the_help_also_finds_rare_commands() {
    let all = help_for("");
    for entry in TABLE {
        let listed = |lines: &[String]| lines.iter().any(|line| line.contains(entry.about));
        assert!(listed(&help_for(entry.name)), "{}", entry.name);
        if !entry.is_rare {
            assert!(listed(&all), "{}", entry.name);
        }
    }
}

#[test]
fn old_names_of_commands_still_work() {
    let keymap = Keymap::default();
    for old in old_names::TABLE.iter().filter(|alias| alias.kind == old_names::AliasKind::Action) {
        let entry = TABLE.iter().find(|entry| entry.name == old.new);
        let entry = entry
            .unwrap_or_else(|| panic!("{} is an alias of {}, which is missing", old.old, old.new));
        for context in entry.contexts().into_iter().filter(|_| entry.is_command()) {
            let scene = Scene::new(context, None, &keymap);
            let result_of = |name: &str| format!("{:?}", parse(name, scene));
            // Spans of errors depend on the length of the name, so they are not compared.
            let strip = |text: String| text.split("span").next().unwrap_or_default().to_owned();
            assert_eq!(
                strip(result_of(old.old)),
                strip(result_of(old.new)),
                "{} in {context:?}",
                old.old
            );
        }
    }
}

#[test]
fn the_help_is_searched_for_pasted_text() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char('?')]);
    app.update(Input::Paste("heat map".into()));
    assert!(dump(&app).contains(":heat-map"), "{}", dump(&app));
}
