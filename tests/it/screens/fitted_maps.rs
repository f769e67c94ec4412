//! Large maps that are fitted to the screen: which dots of a cell are drawn, and thin walls and corridors.

use ratatui::layout::Rect;
use tilewalk::files::{self, Options};
use tilewalk::geom::TilePos;
use tilewalk::map::Map;
use tilewalk::tui::app::App;
use tilewalk::tui::camera::{View, Zoom};
use tilewalk::tui::overlays::Overlays;
use tilewalk::tui::{Opened, Start};

use crate::support::dungeon;
use crate::support::sample_maps::dark_theme;
use crate::support::scene::Scene;
use crate::support::screen::{Look, Size, drawn, type_text};

/// Returns a map without agents and overlays, fitted to the screen.
fn fitted(tiles: &str, (width, height): Size) -> App {
    let text = format!("title = \"Far\"\ntiles = '''\n{tiles}'''\n");
    let origin = tilewalk::builtin::text("far.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    let opened = Opened::new("far", "far.toml", loaded.scenario.expect("a valid map"));
    let screen = Rect::new(0, 0, width, height);
    let mut app = App::new(vec![], Start::Map(opened), screen, dark_theme()).0;
    type_text(&mut app, " F");
    app.map_mut().overlays = Overlays::NONE;
    app
}

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("far_dungeon", (80, 24), |size| fitted(&dungeon::rows(300, 180), size)).map(),
        Scene::new("far_large_dungeon", (80, 24), |size| fitted(&dungeon::rows(1200, 700), size))
            .map(),
    ]
}

/// Returns the number of passable tiles and the number of all tiles in a screen cell, counted one by one.
fn count_tiles(map: &Map, view: &View, (x, y): (u16, u16)) -> (u32, u32) {
    let (column, row) = (view.column(x), view.row(y));
    let mut counts = (0, 0);
    for tile in (row.first..=row.last)
        .flat_map(|y| (column.first..=column.last).map(move |x| TilePos::new(x, y)))
    {
        counts.0 += u32::from(map.is_open(tile));
        counts.1 += 1;
    }
    counts
}

/// Returns the number of dots in a cell and the number of dots that the cell has if it is filled. At the
/// edges of the map, a filled cell has fewer dots.
fn dots(view: &View, (x, y): (u16, u16), symbol: &str) -> (u32, u32) {
    let dot_count = |first: i32, last: i32, count: i32, length: i32| {
        ((last - first) / (length / count) + 1).cast_unsigned()
    };
    let (across, down) = view.zoom.tiles();
    let (column, row) = (view.column(x), view.row(y));
    let all =
        dot_count(column.first, column.last, 2, across) * dot_count(row.first, row.last, 4, down);
    let code = u32::from(symbol.chars().next().expect("a symbol"));
    let drawn =
        if symbol == " " { 0 } else { code.checked_sub(0x2800).expect("dots").count_ones() };
    (drawn, all)
}

#[test]
fn cells_of_a_fitted_map_are_filled_only_if_none_of_their_tiles_is_passable() {
    let hollow = |width: usize, height: usize| {
        let (wall, open) = ("#".repeat(width), format!("#{}#", ".".repeat(width - 2)));
        (0..height).map(|y| if y % 40 == 0 { &wall } else { &open }.clone() + "\n").collect()
    };
    let maps: [String; 5] = [
        dungeon::rows(300, 180),
        dungeon::rows(1201, 703),
        dungeon::rows(4096, 4096),
        hollow(500, 301),
        "##.#\n".repeat(1000),
    ];
    for (index, tiles) in maps.iter().enumerate() {
        for size in [(80, 24), (120, 40), (200, 60)] {
            let app = fitted(tiles, size);
            let (view, buffer) = (app.view().expect("a map"), drawn(&app));
            assert!(view.is_whole() && matches!(view.zoom, Zoom::Dots(_)), "{index} {size:?}");
            let map = app.session().expect("a map").scenario().map();
            for (y, x) in
                (0..view.area.height).flat_map(|y| (0..view.area.width).map(move |x| (y, x)))
            {
                let (open, tiles) = count_tiles(map, &view, (x, y));
                let symbol = buffer[(view.area.x + x, view.area.y + y)].symbol();
                let (drawn, all) = dots(&view, (x, y), symbol);
                let place =
                    format!("map {index} at {size:?}, cell {x}, {y}: {open} of {tiles} open");
                // A cell at the edge may be only partly on the map. The outer wall may fill that part.
                let is_edge = all < 8 && open * 2 >= tiles;
                assert!(is_edge || (drawn == all) == (open == 0), "{place}: {drawn} of {all} dots");
                assert!(open != tiles || drawn == 0, "{place}: {drawn} dots");
            }
        }
    }
}

#[test]
fn thin_walls_and_corridors_are_lines_on_a_fitted_map() {
    for zoom in 1..=4_usize {
        let (width, height) = (150 << zoom, 40 << zoom);
        for (line, ground) in [("#", "."), (".", "#")] {
            let tiles: String = (0..height)
                .map(|y| if y == height / 2 { line } else { ground }.repeat(width) + "\n")
                .collect();
            let app = fitted(&tiles, (200, 60));
            let (view, buffer) = (app.view().expect("a map"), drawn(&app));
            let row = (0..view.area.height)
                .find(|&y| (view.row(y).first..=view.row(y).last).contains(&(height / 2)))
                .expect("the row of the line");
            for x in 0..view.area.width {
                let (drawn, all) =
                    dots(&view, (x, row), buffer[(view.area.x + x, view.area.y + row)].symbol());
                let columns = if all % 8 == 0 { 2 } else { 1 };
                let expected = if line == "#" { columns } else { all - columns };
                assert_eq!(drawn, expected, "{line} at {:?}, column {x}", view.zoom);
            }
        }
    }
}
