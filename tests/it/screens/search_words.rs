//! Words that new users search for, with the row that must answer. The words were written down
//! before reading the help.

use tilewalk::debugger::session::Session;
use tilewalk::tui::action::{Context, Keymap};
use tilewalk::tui::command_line::Scene;
use tilewalk::tui::command_line::complete::suggestions;
use tilewalk::tui::input::Key;

use super::keyword_search::page;
use crate::support::sample_maps::map_screen;
use crate::support::screen::{dump, press};

/// Where a search leads.
#[derive(Clone, Copy)]
enum Answer {
    /// To a command of the screen or of a shell.
    Row(&'static str),
    /// To nothing, so the search names this feature as the nearest one, and shows it.
    Nearest(&'static str),
}

use Answer::{Nearest, Row};

const WORDS: [(&str, Answer); 79] = [
    ("blocked", Row("break any(everyone, blocked)")),
    ("blocker", Row("blocker")),
    ("gif", Row("render")),
    ("fov", Row("overlay sight")),
    ("symbols", Row("help")),
    ("statistics", Row("body")),
    ("stuck", Row("break any(everyone, stuck)")),
    ("hitbox", Row("body")),
    ("kill", Row("remove-agent")),
    ("add agent", Row("add-agent")),
    ("new map", Row("new")),
    ("colleague", Row("share")),
    ("command line", Row("command")),
    ("spawn", Row("break event(spawned)")),
    ("png", Row("screenshot")),
    ("movie", Row("record")),
    ("test", Row("expectations")),
    ("share", Row("share")),
    ("touching", Row("break touching(everyone)")),
    ("save", Row("write")),
    ("w", Row("write")),
    ("q", Row("quit")),
    ("wq", Row("write-quit")),
    ("pause", Row("pause")),
    ("speed up", Row("faster")),
    ("slow motion", Row("slower")),
    ("fast forward", Row("faster")),
    ("rewind", Row("first")),
    ("screenshot", Row("screenshot")),
    ("video", Row("render")),
    ("record", Row("record")),
    ("field of view", Row("overlay sight")),
    ("line of sight", Row("overlay sight")),
    ("vision", Row("overlay sight")),
    ("raycast", Row("overlay lines")),
    ("collision", Row("break any(everyone, collided)")),
    ("debug", Row("break")),
    ("history", Row("runs")),
    ("revert", Row("undo")),
    ("exit", Row("quit")),
    ("log", Row("log")),
    ("colours", Row("theme")),
    ("dark mode", Row("theme")),
    ("legend", Row("help")),
    ("fps", Row("speed")),
    ("camera", Row("follow")),
    ("random", Row("tilewalk run MAP --frames N --seed S")),
    ("compare", Row("diff")),
    ("config", Row("tilewalk doctor")),
    ("parameters", Row("edit")),
    ("weight", Row("edit")),
    ("wall", Row("paint")),
    ("erase", Row("paint")),
    ("waypoint", Row("draw-path")),
    ("velocity", Row("overlay velocity")),
    ("graph", Row("plots")),
    ("chart", Row("plots")),
    ("mouse", Row("mouse")),
    ("fullscreen", Row("zoom-pane")),
    ("coordinates", Row("overlay rulers")),
    ("sound", Nearest("log")),
    ("clone", Row("copy-agent")),
    ("delete", Row("delete-breakpoint")),
    ("jump", Row("goto")),
    ("open file", Row("open")),
    ("error", Row("problems")),
    ("path", Row("overlay path")),
    ("trail", Row("overlay trail")),
    ("reset", Row("restart")),
    ("watch", Row("watch")),
    ("tutorial", Row("about")),
    ("hide", Row("overlay")),
    ("seen", Row("break event(seen)")),
    ("deadlock", Row("break any(everyone, deadlocked)")),
    ("heatmap", Row("heat-map")),
    ("copy", Row("copy")),
    ("export csv", Row("tilewalk run MAP --frames N --trace FILE.csv")),
    ("variables", Row("edit")),
    ("multiplayer", Nearest("drive")),
];

/// The suggestions that a user sees without scrolling.
const IN_SIGHT: usize = 10;

fn type_text(app: &mut tilewalk::tui::app::App, text: &str) {
    press(app, &text.chars().map(Key::Char).collect::<Vec<_>>());
}

#[test]
fn each_word_leads_to_its_row_in_the_help_or_names_the_nearest() {
    let mut wrong = Vec::new();
    for (word, answer) in WORDS {
        let mut app = map_screen(120, 40);
        press(&mut app, &[Key::Char('?')]);
        type_text(&mut app, word);
        let lines = page(&app);
        let (name, head) = match answer {
            Row(name) => (name, None),
            Nearest(name) => (name, Some(format!("no match for \"{word}\"; nearest: {name}"))),
        };
        let shown = if name == "command" {
            // The command line has only a key.
            "type a command".to_owned()
        } else if name.starts_with("tilewalk ") {
            name.to_owned()
        } else {
            format!(":{name}")
        };
        let is_row = |line: &String| {
            let at = line.find(&shown).map(|at| &line[at + shown.len()..]);
            at.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let heading = match &head {
            Some(head) => lines[0] == *head,
            None => !lines[0].starts_with("no match"),
        };
        if !lines.iter().any(is_row) || !heading {
            wrong.push(format!("{word}: {name} is not in\n{}", lines.join("\n").trim_end()));
        }
    }
    assert!(wrong.is_empty(), "{} words:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn each_word_leads_to_its_row_in_the_command_line_or_names_the_nearest() {
    let app = map_screen(120, 40);
    let world = app.session().map(Session::world);
    let keymap = Keymap::default();
    let mut wrong = Vec::new();
    for (word, answer) in WORDS {
        let found = suggestions(word, Scene::new(Context::Map, world, &keymap));
        let texts: Vec<_> = found.list.iter().map(|each| each.text.as_str()).collect();
        let (name, nearest) = match answer {
            // The command line itself is open already.
            Row("command") => continue,
            Row(name) => (name, None),
            Nearest(name) => (name, Some(name)),
        };
        let place = texts.iter().position(|text| *text == name);
        // The words are the command and its argument, whose form is in sight.
        let is_command = found.entry.is_some_and(|entry| entry.name == name);
        let is_in_sight = place.is_some_and(|place| place < IN_SIGHT) || is_command;
        if !is_in_sight || found.nearest != nearest {
            wrong.push(format!("{word}: {name} is not in {texts:?}, nearest {:?}", found.nearest));
        }
    }
    assert!(wrong.is_empty(), "{} words:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_are_not_corrected_to_other_words() {
    for (word, other) in [
        ("spawn", "pan"),
        ("png", "pan-right"),
        ("movie", "delete-breakpoint"),
        ("test", "last"),
        ("share", "restart"),
    ] {
        let keymap = Keymap::default();
        let found = suggestions(word, Scene::new(Context::Map, None, &keymap)).list;
        let texts: Vec<_> = found.iter().map(|each| each.text.as_str()).collect();
        assert!(!texts.contains(&other), "{word}: {texts:?}");
    }
}

#[test]
fn the_command_line_says_when_no_command_matches() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char(':')]);
    type_text(&mut app, "jpg");
    assert!(dump(&app).contains("no match for \"jpg\"; nearest: screenshot"), "{}", dump(&app));
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char(':')]);
    type_text(&mut app, "qqqqqq");
    assert!(dump(&app).contains("no match for \"qqqqqq\""), "{}", dump(&app));
    press(&mut app, &[Key::Enter]);
    assert!(dump(&app).contains("no command `qqqqqq`; `?` searches the help"), "{}", dump(&app));
}

#[test]
fn a_state_leads_to_its_break_command() {
    let mut app = map_screen(120, 40);
    press(&mut app, &[Key::Char(':')]);
    type_text(&mut app, "stuck");
    press(&mut app, &[Key::Down, Key::Enter]);
    assert!(dump(&app).contains("breakpoint 1: any(everyone, stuck)"), "{}", dump(&app));
}
