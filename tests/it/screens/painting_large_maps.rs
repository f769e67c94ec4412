//! Paint mode on a map that is wider and higher than 256 tiles, and on a map that wraps.

use ratatui::layout::Rect;
use tilewalk::builtin;
use tilewalk::files::{self, Options};
use tilewalk::geom::TilePos;
use tilewalk::scenario::sources::FileRole;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Input;
use tilewalk::tui::{Opened, Start};

use super::painting::move_cursor;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::{Look, shown_message, type_text};

/// A map of 700 × 300 tiles in paint mode.
fn large_map() -> App {
    let rows = format!("{}\n", ".".repeat(700)).repeat(300);
    opened(format!("tiles = '''\n{rows}'''\n[[agent]]\nname = 'a'\nat = [650, 280]\n"))
}

/// Opens a map in paint mode.
fn opened(map: String) -> App {
    let loaded = files::load(&builtin::text("wide.toml", map), &Options::default()).unwrap();
    let opened = Opened::new("wide", "wide.toml", loaded.scenario.unwrap());
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, 80, 24), dark_theme()).0;
    type_text(&mut app, " p");
    app
}

/// Returns the walls in the text of the map, in reading order.
fn walls(app: &App) -> Vec<(usize, usize)> {
    let text = &app.session().unwrap().draft().files().file(&FileRole::Map).unwrap().text;
    let rows = text.lines().skip(1).enumerate();
    let walls = |(y, row): (usize, &str)| -> Vec<_> {
        row.char_indices().filter(|(_, glyph)| *glyph == '#').map(|(x, _)| (x, y)).collect()
    };
    rows.flat_map(walls).collect()
}

#[test]
fn tiles_beyond_column_and_row_255_can_be_painted() {
    let mut app = large_map();
    move_cursor(&mut app, 699, 299);
    type_text(&mut app, " ");
    assert!(shown_message(&app).starts_with("paint wall on (699, 299)"), "{}", shown_message(&app));
    assert_eq!(walls(&app), [(699, 299)]);
    type_text(&mut app, "ut");
    move_cursor(&mut app, 250, 257);
    type_text(&mut app, " ");
    move_cursor(&mut app, 699, 257);
    type_text(&mut app, " ");
    assert_eq!(walls(&app), (250..700).map(|x| (x, 257)).collect::<Vec<_>>());
    type_text(&mut app, "ut");
    move_cursor(&mut app, 257, 257);
    type_text(&mut app, " ");
    move_cursor(&mut app, 254, 255);
    type_text(&mut app, " ");
    let square = (255..258).flat_map(|y| (254..258).map(move |x| (x, y)));
    assert_eq!(walls(&app), square.collect::<Vec<_>>());
    // The mouse draws from column 252 to column 260, across 255, the maximum of a byte.
    type_text(&mut app, "ut");
    move_cursor(&mut app, 256, 256);
    type_text(&mut app, "l");
    let view = app.view().unwrap();
    let [from, to] = [252, 260].map(|x| view.cell(TilePos::new(x, 256)).expect("in view"));
    app.update(Input::Click(from));
    app.update(Input::Drag(to));
    app.update(Input::Release);
    assert_eq!(walls(&app), (252..261).map(|x| (x, 256)).collect::<Vec<_>>());
}

#[test]
fn a_stroke_across_the_edge_of_a_wrapping_map_takes_the_short_way() {
    let rows = format!("{}\n", ".".repeat(16)).repeat(5);
    let mut app = opened(format!("tiles = '''\n{rows}'''\nedges = 'wrap'\n"));
    let view = app.view().unwrap();
    let [from, middle, to] =
        [(1, 2), (14, 2), (13, 4)].map(|(x, y)| view.cell(TilePos::new(x, y)).expect("in view"));
    app.update(Input::Click(from));
    app.update(Input::Drag(middle));
    app.update(Input::Drag(to));
    app.update(Input::Release);
    let row = [(0, 2), (1, 2), (14, 2), (15, 2)];
    let mut found = walls(&app);
    assert!(found.contains(&(13, 4)), "{found:?}");
    found.retain(|&(_, y)| y == 2);
    assert_eq!(found, row);
}
