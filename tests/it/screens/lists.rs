//! The behaviour of all lists with the mouse and the cursor keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tilewalk::condition::{Condition, ConditionContext};
use tilewalk::debugger::session::Subject;
use tilewalk::scenario::Scenario;
use tilewalk::scenario::expectation::{Expectation, Form};
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::{Opened, Start};

use crate::support::build;
use crate::support::maps;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::{Look, dump, go_to, press, type_text};

/// Each list: the keys that open it, and its title.
const LISTS: [(&str, &str); 8] = [
    (":runs\n", "runs"),
    ("B", "breakpoints"),
    (":bookmarks\n", "bookmarks"),
    ("o", "overlays"),
    ("E", "expectations"),
    ("L", "events"),
    ("x", "values of"),
    ("/", "find an agent"),
];

/// Returns the castle, paused at frame 300, with some entries for each list.
fn castle() -> App {
    let mut scenario = Scenario::clone(&maps::scenario("castle"));
    for frame in [5, 10, 900] {
        let text = format!("frame == {frame}");
        let read = Condition::read(&text, &scenario, ConditionContext::Global);
        let form = Form::Eventually(read.expect("a condition"));
        build::edit(&mut scenario, |parts| parts.expectations.push(Expectation::new(text, form)));
    }
    let opened = Opened::new("castle", "castle.toml", scenario.into());
    let screen = Rect::new(0, 0, 120, 40);
    let mut app = App::new(vec![], Start::Map(opened), screen, dark_theme()).0;
    type_text(&mut app, " :break frame == 500\n:break frame == 600\n:break frame == 700\n");
    go_to(&mut app, 300);
    type_text(&mut app, "M>M>M");
    // Zoom in until the map fills its pane.
    type_text(&mut app, "zz");
    app
}

/// Returns the area of the panel with this title, including its border.
fn panel(app: &App, title: &str) -> Rect {
    let text = dump(app);
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let head: Vec<char> = format!("╭ {title}").chars().collect();
    let (y, x) = lines
        .iter()
        .enumerate()
        .find_map(|(y, line)| Some((y, line.windows(head.len()).position(|it| it == head)?)))
        .unwrap_or_else(|| panic!("no {title}:\n{text}"));
    let width = lines[y][x..].iter().position(|&c| c == '╮').expect("a corner") + 1;
    let rows = lines[y..].iter().position(|line| line.get(x) == Some(&'╰')).expect("a corner") + 1;
    Rect::new(x as u16, y as u16, width as u16, rows as u16)
}

/// Returns the state that clicks on the map and on the panes change.
fn state_behind(app: &App) -> (Subject, u64, String) {
    let frame = app.session().expect("a map").world().frame().0;
    (
        app.subject(),
        frame,
        format!("{:?} {:?} {:?}", app.map().inspector.tab, app.map().panes, app.map().camera),
    )
}

#[test]
fn a_click_on_a_list_does_not_reach_the_map_behind_it() {
    for (open, title) in LISTS {
        let mut app = castle();
        type_text(&mut app, open);
        let (area, before) = (panel(&app, title), state_behind(&app));
        let selected = dump(&app).lines().position(|line| line.contains('▸'));
        // A click on the selected row runs its command, so this row is left out.
        for position in area.positions().filter(|it| Some(usize::from(it.y)) != selected) {
            let mut app = app.clone();
            app.update(Input::Click(Cell { x: position.x, y: position.y }));
            app.update(Input::Release);
            assert_eq!(state_behind(&app).0, before.0, "{title}: {position}");
            app.update(Input::RightClick(Cell { x: position.x, y: position.y }));
            assert_eq!(state_behind(&app).0, before.0, "{title}: {position}");
        }
    }
}

#[test]
fn arrow_keys_wrap_at_the_ends_of_a_list_but_wheel_and_page_keys_do_not() {
    for (open, title) in LISTS {
        let mut app = castle();
        type_text(&mut app, open);
        let selection = |app: &App| app.list().and_then(|list| list.selected);
        let last = app.list().expect("a list").count - 1;
        press(&mut app, &[Key::PageUp; 40]);
        if matches!(open, "/") {
            press(&mut app, &[Key::Up]);
            assert_eq!(selection(&app), Some(last), "{title}");
            continue;
        }
        let at = Cell { x: 1, y: 1 };
        app.update(Input::Wheel { at, up: true });
        assert_eq!(selection(&app), Some(0), "{title}");
        press(&mut app, &[Key::Up]);
        assert_eq!(selection(&app), Some(last), "{title}");
        app.update(Input::Wheel { at, up: false });
        assert_eq!(selection(&app), Some(last), "{title}");
        press(&mut app, &[Key::PageDown]);
        assert_eq!(selection(&app), Some(last), "{title}");
        press(&mut app, &[Key::Down]);
        assert_eq!(selection(&app), Some(0), "{title}");
        press(&mut app, &[Key::End]);
        assert_eq!(selection(&app), Some(last), "{title}");
        press(&mut app, &[Key::Home]);
        assert_eq!(selection(&app), Some(0), "{title}");
    }
}

#[test]
fn the_selected_row_looks_the_same_in_every_list() {
    for (open, title) in LISTS {
        let mut app = castle();
        type_text(&mut app, open);
        press(&mut app, &[Key::Up]);
        let text = dump(&app);
        let list = app.list().expect("a list");
        let row = list.selected.expect("a selected row");
        let area = list.area;
        let cell = (area.top()..area.bottom()).find_map(|y| {
            let cell = Cell { x: area.x + 1, y };
            (list.row_at(cell) == Some(row)).then_some(cell)
        });
        let cell = cell.unwrap_or_else(|| panic!("{title} hides its selected row:\n{text}"));
        let mut buffer = Buffer::empty(app.ui.screen);
        app.draw(&mut buffer);
        let sign = &buffer[(cell.x, cell.y)];
        assert_eq!(sign.symbol(), "▸", "{title}");
        let chosen = app.ui.setup.theme.text.patch(app.ui.setup.theme.chosen);
        assert_eq!(Some(sign.bg), chosen.bg, "{title}");
        assert_eq!(sign.bg, buffer[(cell.x + 3, cell.y)].bg, "{title}");
    }
}

#[test]
fn a_click_selects_a_suggestion_and_another_click_runs_it() {
    let mut app = castle();
    let before = state_behind(&app);
    type_text(&mut app, ":breakp");
    let area = panel(&app, "command");
    let at = Cell { x: area.x + 4, y: area.y + 1 };
    app.update(Input::Click(at));
    assert_eq!(app.list().and_then(|list| list.selected), Some(0));
    assert_eq!(state_behind(&app), before);
    app.update(Input::Click(at));
    assert_eq!(app.context(), Context::Breaks);
}
