//! The value list: editing, order, keys and errors. Also clicks on values in the inspector.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tilewalk::files::Options;
use tilewalk::files::settings::{self, Setting};
use tilewalk::id::AgentId;
use tilewalk::tui::app::App;
use tilewalk::tui::draw::facts::Shown;
use tilewalk::tui::draw::inspector;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::map_screen::popup::values::ValueList;
use tilewalk::tui::tab::Tab;
use tilewalk::tui::{Opened, Start};

use crate::support::maps;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::{Look, press, shown_message, type_text};

/// Returns a built-in map, paused at frame 0.
fn paused_map(name: &str) -> App {
    paused_map_with(name, vec![])
}

/// Returns a built-in map with changed values, paused at frame 0.
fn paused_map_with(name: &str, set: Vec<Setting>) -> App {
    let options = Options { set, ..Options::default() };
    let scenario = maps::scenario_with(name, &options);
    let opened = Opened::new(name, &format!("{name}.toml"), scenario);
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, 80, 24), dark_theme()).0;
    press(&mut app, &[Key::Char(' ')]);
    app
}

fn values(app: &App) -> &ValueList {
    let Some(values) = app.map().popup::<ValueList>() else { panic!("no list of values") };
    values
}

fn editor(app: &App) -> &str {
    values(app).editor().map_or("", |line| line.text())
}

fn selected_path(app: &App) -> String {
    values(app).selected_tunable().map_or_else(String::new, |tunable| tunable.path.to_string())
}

/// Returns the names in the list, in order.
fn listed(app: &App) -> Vec<String> {
    values(app).listed_names().map(str::to_owned).collect()
}

fn screen(app: &App) -> String {
    let mut buffer = Buffer::empty(app.ui.screen);
    app.draw(&mut buffer);
    let row = |y| (0..app.ui.screen.width).map(move |x| (x, y));
    let text = |y| row(y).map(|at| buffer[at].symbol()).collect::<String>().trim_end().to_owned();
    (0..app.ui.screen.height).map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn typing_in_the_value_editor_replaces_the_selected_number() {
    let mut app = paused_map("castle");
    type_text(&mut app, "xchase.pace\n");
    assert_eq!((&*selected_path(&app), editor(&app)), ("guard.chase.pace", "4"));
    assert!(screen(&app).contains(" = [4]"), "{}", screen(&app));
    type_text(&mut app, "5\n");
    assert_eq!(shown_message(&app), "guard.chase.pace: 4 → 5 from frame 1 on");
    // Typing also replaces a nudged number.
    type_text(&mut app, "\n+");
    assert_eq!(editor(&app), "6");
    type_text(&mut app, "12");
    assert_eq!(editor(&app), "12");
    assert!(!screen(&app).contains(" = ["), "{}", screen(&app));
    press(&mut app, &[Key::Esc]);
    for (key, text) in [
        (Key::Backspace, "7"),
        (Key::Left, "75"),
        (Key::Right, "57"),
        (Key::Home, "75"),
        (Key::End, "57"),
    ] {
        press(&mut app, &[Key::Enter, key, Key::Char('7')]);
        assert_eq!(editor(&app), text, "{key}");
        press(&mut app, &[Key::Esc]);
    }
}

#[test]
fn values_in_use_are_listed_first_and_unused_values_last() {
    let mut app = paused_map("castle");
    type_text(&mut app, "x");
    let names = listed(&app);
    assert_eq!(names[0], "patrol.pace", "{names:?}");
    let position = |name: &str| names.iter().position(|each| each == name).expect(name);
    assert!(position("chase.pace") < position("body.radius"));
    assert!(position("body.view.range") < position("body.mass"));
    let text = screen(&app);
    assert!(text.contains("▸ patrol.pace"), "{text}");
    assert!(!text.contains("body.mass"), "{text}");
    type_text(&mut app, "max_speed");
    let text = screen(&app);
    assert!(text.contains("body.max_speed") && text.contains("not used by a walker"), "{text}");
    type_text(&mut app, "\n9\n");
    let expected = "guard.body.max_speed: 4 → 9, not used by a walker, from frame 1 on";
    assert_eq!(shown_message(&app), expected);
}

#[test]
fn vehicle_values_are_in_use_during_manual_control() {
    let mut app = paused_map("square");
    type_text(&mut app, "x");
    assert!(listed(&app).iter().position(|name| name == "body.thrust") < Some(9));
    press(&mut app, &[Key::Esc]);
    let unused = |app: &mut App| {
        type_text(app, "xmax_force");
        let unused = values(app).selected_value().and_then(|value| value.unused()).is_some();
        press(app, &[Key::Esc]);
        unused
    };
    assert!(unused(&mut app));
    type_text(&mut app, "i");
    assert!(!unused(&mut app));
}

#[test]
fn page_keys_home_and_end_move_in_the_value_list() {
    let mut app = paused_map("castle");
    type_text(&mut app, "x");
    let (names, position) = (listed(&app), |app: &App| values(app).selected());
    press(&mut app, &[Key::PageDown]);
    let page = position(&app);
    assert!((3..=8).contains(&page), "{page}");
    assert!(screen(&app).contains(&names[page]), "{}", screen(&app));
    press(&mut app, &[Key::End]);
    assert_eq!(position(&app), names.len() - 1);
    press(&mut app, &[Key::PageDown]);
    assert_eq!(position(&app), names.len() - 1);
    press(&mut app, &[Key::PageUp, Key::Home]);
    assert_eq!(position(&app), 0);
    press(&mut app, &[Key::PageUp]);
    assert_eq!(position(&app), 0);
}

#[test]
fn home_and_end_work_in_every_list() {
    let mut app = paused_map("castle");
    type_text(&mut app, ":break frame == 500\n:break frame == 600\n:break frame == 700\n");
    for (open, count) in [("B", 3), ("o", tilewalk::tui::overlays::TABLE.len())] {
        type_text(&mut app, open);
        let position = |app: &App| app.list().and_then(|list| list.selected).expect("a list");
        press(&mut app, &[Key::End]);
        assert_eq!(position(&app), count - 1);
        press(&mut app, &[Key::Home]);
        assert_eq!(position(&app), 0);
        press(&mut app, &[Key::PageDown]);
        assert_eq!(position(&app), (count - 1).min(8));
        press(&mut app, &[Key::Esc]);
    }
    let scrolled = |app: &App| app.page.as_ref().expect("the help").scroll();
    type_text(&mut app, "?");
    press(&mut app, &[Key::End]);
    assert!(scrolled(&app) > 50, "{}", scrolled(&app));
    press(&mut app, &[Key::Home]);
    assert_eq!(scrolled(&app), 0);
}

#[test]
fn the_footer_shows_the_keys_of_the_value_list() {
    let mut app = paused_map("castle");
    type_text(&mut app, "x");
    let footer = |app: &App| screen(app).lines().last().unwrap_or_default().trim().to_owned();
    assert!(
        footer(&app).starts_with("Enter change  + - nudge  type to filter"),
        "{}",
        footer(&app)
    );
    press(&mut app, &[Key::Enter]);
    assert!(footer(&app).starts_with("Enter apply"), "{}", footer(&app));
    assert!(footer(&app).ends_with("Esc cancel"), "{}", footer(&app));
}

#[test]
fn the_error_for_an_invalid_value_is_shown_above_it() {
    let mut app = paused_map("castle");
    type_text(&mut app, "xpatrol.pace\nabc\n");
    assert_eq!((editor(&app), shown_message(&app).as_str()), ("abc", ""));
    let text = screen(&app);
    let line = text.lines().position(|line| line.contains(" = abc")).expect("the line");
    let error = text.lines().nth(line - 1).unwrap_or_default();
    assert!(error.contains("`pace` must be an integer, but is a string"), "{text}");
    press(&mut app, &[Key::Backspace]);
    assert!(!screen(&app).contains("must be"));
    press(&mut app, &[Key::Ctrl('u'), Key::Enter]);
    assert!(screen(&app).contains("not a number"), "{}", screen(&app));
    type_text(&mut app, "0\n");
    assert!(screen(&app).contains("`pace` must be between 1 and"), "{}", screen(&app));
    // Esc closes the editor and removes the error.
    press(&mut app, &[Key::Esc]);
    assert!(values(&app).editor().is_none() && values(&app).error().is_none());
}

/// Returns the values of the map file that an inspector page shows, each as its path and the shown text.
fn shown(app: &mut App, tab: Tab) -> Vec<(String, String)> {
    let session = app.session().expect("a map");
    let id = session.selected().expect("a selected agent");
    let (kind, mode) = (&session.scenario().kind(id).name, &session.world().mode(id).name);
    let (_, values) = session.tunables().expect("values");
    let path_of = |shown: Shown| {
        let inside = match shown {
            Shown::OfAgent(key) | Shown::OfMode(key) => key.to_owned(),
            Shown::OfBody(key) => format!("body.{key}"),
            Shown::OfRow(row, key) => format!("steer.{}.{key}", row + 1),
        };
        let paths = [format!("{kind}.{mode}.{inside}"), format!("{kind}.{inside}")];
        let exists =
            |path: &&String| values.iter().any(|value| value.tunable.path.to_string() == **path);
        paths.iter().find(exists).unwrap_or_else(|| panic!("no value {paths:?}")).clone()
    };
    let rows = inspector::rows(session, tab, &app.ui.setup.theme, Rect::new(0, 0, 100, 400));
    let mut found = Vec::new();
    for row in rows {
        let text: Vec<char> = row.line.to_string().chars().collect();
        for spot in row.spots {
            let end = spot.columns.end.min(text.len());
            found.push((path_of(spot.shows), text[spot.columns.start..end].iter().collect()));
        }
    }
    found
}

/// Maps that together contain every kind of agent.
const MAPS: [&str; 6] = ["castle", "flock", "square", "turning", "dithering", "steps_degrees"];

fn agents(app: &App) -> Vec<AgentId> {
    let session = app.session().expect("a map");
    session.scenario().kinds().iter().map(|kind| kind.first).collect()
}

fn select(app: &mut App, id: AgentId) {
    app.map_mut().session.select(id);
}

/// Changing a value changes exactly the texts that are linked to it.
#[test]
fn the_inspector_links_each_shown_number_to_its_value() {
    let mut tried = std::collections::BTreeSet::new();
    for map in MAPS {
        let mut app = paused_map(map);
        for id in agents(&app) {
            select(&mut app, id);
            let (_, values) = app.session().expect("a map").tunables().expect("values");
            for tab in [Tab::Why, Tab::Body, Tab::ForceBreakdown, Tab::Pattern, Tab::Modes] {
                let before = shown(&mut app, tab);
                let mut paths: Vec<_> = before.iter().map(|(path, _)| path).collect();
                paths.dedup();
                for path in paths {
                    let value = values.iter().find(|value| value.tunable.path.to_string() == *path);
                    let tunable = &value.expect("a value").tunable;
                    let present = tunable.present();
                    let other = |up| tunable.nudged(&present, up).filter(|text| *text != present);
                    let number = other(true).or_else(|| other(false)).unwrap_or("90".to_owned());
                    let set = vec![settings::with_text(&tunable.path, &number).expect("a setting")];
                    let mut other = paused_map_with(map, set);
                    select(&mut other, id);
                    let after = shown(&mut other, tab);
                    for (this, text) in &before {
                        let same = after.contains(&(this.clone(), text.clone()));
                        assert_eq!(same, this != path, "{map} {tab:?}: {text} by {path}");
                    }
                    tried.insert(tunable.key);
                }
            }
        }
    }
    for key in ["mass", "max_speed", "range", "keel", "weight", "probability", "pace"] {
        assert!(tried.contains(key), "{key} is shown nowhere: {tried:?}");
    }
}

#[test]
fn weights_in_the_force_breakdown_link_to_the_value_of_their_behaviour() {
    for map in ["flock", "turning", "dithering"] {
        let mut app = paused_map(map);
        type_text(&mut app, ".");
        for id in agents(&app) {
            select(&mut app, id);
            let (_, values) = app.session().expect("a map").tunables().expect("values");
            for (path, text) in shown(&mut app, Tab::ForceBreakdown) {
                let row = text.split_whitespace().nth(1).unwrap_or_default();
                let tunable = values.iter().find(|value| value.tunable.path.to_string() == path);
                let what = tunable.expect("a value").tunable.what;
                if text.starts_with(|c: char| c.is_ascii_digit()) {
                    assert!(what.contains(&format!("`{row}`")), "{map}: {text} is {what}");
                }
            }
        }
    }
}

/// Returns the cell of the first character of a text.
fn cell_of(app: &App, text: &str) -> Cell {
    let screen = screen(app);
    let (y, line) = screen
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(text))
        .expect("a line with the text");
    let x = line[..line.find(text).expect("there")].chars().count();
    Cell { x: x as u16, y: y as u16 }
}

#[test]
fn a_click_on_a_number_in_the_inspector_opens_its_editor() {
    for (page, text, path, number) in [
        ("2", "speed ≤ 4", "boid.body.max_speed", "4"),
        ("3", "2 alignment", "boid.steer.2.weight", "2"),
        ("3", "weight 2", "boid.steer.2.weight", "2"),
    ] {
        let mut app = paused_map("flock");
        type_text(&mut app, ".\n");
        type_text(&mut app, page);
        let cell = cell_of(&app, text);
        app.update(Input::Click(cell));
        assert_eq!((&*selected_path(&app), editor(&app)), (path, number), "{text}");
        type_text(&mut app, "3\n");
        assert!(
            shown_message(&app).contains(&format!("{path}: {number} → 3")),
            "{}",
            shown_message(&app)
        );
    }
    let mut app = paused_map("castle");
    type_text(&mut app, "\n4");
    let cell = cell_of(&app, "5 frames per step");
    app.update(Input::Click(cell));
    assert_eq!((&*selected_path(&app), editor(&app)), ("guard.patrol.pace", "5"));
    // A click on other text has no effect.
    press(&mut app, &[Key::Esc, Key::Esc]);
    let cell = cell_of(&app, "castle_round");
    app.update(Input::Click(cell));
    assert!(app.is_plain_map());
}

#[test]
fn a_click_selects_a_value_and_another_click_opens_its_editor() {
    let mut app = paused_map("castle");
    type_text(&mut app, "x");
    let cell = cell_of(&app, "search.pace");
    app.update(Input::Click(cell));
    assert_eq!((&*selected_path(&app), editor(&app)), ("guard.search.pace", ""));
    let cell = cell_of(&app, "search.pace");
    app.update(Input::Click(cell));
    assert_eq!((&*selected_path(&app), editor(&app)), ("guard.search.pace", "4"));
    // A click on the same row keeps the typed text. A click on another row discards it.
    type_text(&mut app, "7");
    app.update(Input::Click(cell_of(&app, "▸ search.pace")));
    assert_eq!(editor(&app), "7");
    app.update(Input::Click(cell_of(&app, "chase.pace")));
    assert_eq!((&*selected_path(&app), editor(&app)), ("guard.chase.pace", ""));
}
