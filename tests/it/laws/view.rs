//! The view maps cells to tiles and tiles to cells consistently, at every zoom, on maps with and without
//! wrapping. A click selects the agent that is drawn there.

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::debugger::session::{Session, Subject};
use tilewalk::geom::{TilePos, Vec2};
use tilewalk::id::AgentId;
use tilewalk::map::Edges;
use tilewalk::tui::app::App;
use tilewalk::tui::camera::{Camera, Extent, Framing, View, Zoom};
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::overlays::Overlays;
use tilewalk::tui::{Opened, Start};

use crate::support::build;
use crate::support::sample_maps::dark_theme;
use crate::support::screen::Look;

fn zoom() -> impl Strategy<Value = Zoom> {
    prop::sample::select(Zoom::all().collect::<Vec<_>>())
}

fn extent() -> impl Strategy<Value = Extent> {
    let side = || prop_oneof![1..30_i32, 30..300_i32, 3000..4097_i32];
    (side(), side(), any::<bool>()).prop_map(|(width, height, wraps)| Extent {
        width,
        height,
        wraps,
    })
}

fn area() -> impl Strategy<Value = Rect> {
    (0..9_u16, 0..9_u16, 0..90_u16, 0..40_u16).prop_map(|(x, y, w, h)| Rect::new(x, y, w, h))
}

fn view() -> impl Strategy<Value = View> {
    let centre = || -20.0..4200.0_f32;
    (extent(), area(), zoom(), centre(), centre()).prop_map(|(extent, area, zoom, x, y)| {
        Camera { centre: Vec2::new(x, y), zoom, follow: false, framing: Framing::Chosen }
            .view(extent, area)
    })
}

/// Returns true if no tile of a wrapping map is visible twice.
fn is_in_view_once(view: &View) -> bool {
    let (sheet, tile) = (view.extent.sheet(view.zoom), view.zoom.cells());
    let once = |sheet: i32, tile: i32, room: u16| {
        sheet == i32::from(room) || i32::from(room) <= sheet - tile
    };
    once(sheet.0, tile.0, view.area.width) && once(sheet.1, tile.1, view.area.height)
}

proptest! {
    #[test]
    fn the_tile_of_a_cell_is_drawn_on_that_cell(view in view()) {
        let beyond = Cell { x: view.area.right(), y: view.area.y };
        prop_assert_eq!(view.tile(beyond), None);
        for at in view.area.positions() {
            let cell = Cell { x: at.x, y: at.y };
            let tile = view.tile(cell).expect("every cell of the area shows a tile");
            prop_assert!((0..view.extent.width).contains(&tile.x), "{tile}");
            prop_assert!((0..view.extent.height).contains(&tile.y), "{tile}");
            prop_assert_eq!(view.place(view.point(cell)), Some(cell));
            let cells = view.cells(tile);
            if view.zoom.is_far() {
                prop_assert_eq!(cells, Some(Rect::new(cell.x, cell.y, 1, 1)));
                prop_assert_eq!(view.cell(tile), Some(cell));
            } else if !view.extent.wraps || is_in_view_once(&view) {
                let cells = cells.expect("it is in view");
                prop_assert!(cells.contains(Position::new(cell.x, cell.y)), "{cells:?} {cell:?}");
            }
        }
    }

    #[test]
    fn each_cell_on_which_a_tile_is_drawn_maps_to_that_tile(view in view()) {
        if view.zoom.is_far() {
            return Ok(());
        }
        let mut cells_of_all = 0;
        for tile in view.tiles() {
            let cells = view.cells(tile).expect("it is in view");
            cells_of_all += cells.area();
            for at in cells.positions() {
                prop_assert_eq!(view.tile(Cell { x: at.x, y: at.y }), Some(tile));
            }
            if let Some(first) = view.cell(tile) {
                prop_assert_eq!((first.x, first.y), (cells.x, cells.y));
            }
            if let Some(middle) = view.place(tile.centre()) {
                prop_assert_eq!(view.tile(middle), Some(tile));
            }
        }
        if is_in_view_once(&view) {
            prop_assert_eq!(cells_of_all, view.area.area(), "the tiles fill the view");
        }
    }

    /// From any position, the view shows only the map, and as much of it as fits.
    #[test]
    fn a_view_never_leaves_the_map(view in view(), room in area()) {
        let sheet = view.extent.sheet(view.zoom);
        let camera = Camera { centre: view.middle(), zoom: view.zoom, follow: false, framing: Framing::Chosen };
        let seen = camera.view(view.extent, room);
        prop_assert_eq!(seen.area.intersection(room), seen.area);
        let step = if view.zoom == Zoom::Square { 2 } else { 1 };
        prop_assert_eq!(i32::from(seen.area.width), sheet.0.min(i32::from(room.width) / step * step));
        prop_assert_eq!(i32::from(seen.area.height), sheet.1.min(i32::from(room.height)));
        let last = (seen.offset.0 + i32::from(seen.area.width), seen.offset.1 + i32::from(seen.area.height));
        prop_assert!(seen.offset.0 >= 0 && seen.offset.1 >= 0);
        if !seen.extent.wraps {
            prop_assert!(last.0 <= sheet.0 && last.1 <= sheet.1);
        }
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer(
        (x, y) in (0.0..300.0_f32, 0.0..300.0_f32),
        (column, row) in (0..70_u16, 0..20_u16),
        (zoom, nearer) in (zoom(), any::<bool>()),
    ) {
        // On a map that wraps, no edge limits the view.
        let extent = Extent { width: 4096, height: 4096, wraps: true };
        let room = Rect::new(1, 1, 70, 20);
        let mut camera = Camera { centre: Vec2::new(x, y), zoom, follow: false, framing: Framing::Chosen };
        let before = camera.view(extent, room);
        // A map that fits in the view is centred, wherever the pointer is.
        let partly = |view: &View| !view.is_whole() && view.area == room;
        let cell = Cell { x: 1 + column, y: 1 + row };
        let point = before.point(cell);
        let next = if nearer { zoom.nearer() } else { zoom.farther() };
        camera.zoom_to(next, Some(cell), extent, room);
        let after = camera.view(extent, room);
        if !partly(&before) || !partly(&after) {
            return Ok(());
        }
        let Some(now) = after.place(point) else {
            // Positions are rounded to cells, so a point at the rim can leave the view.
            let rim = !(2..68).contains(&column) || !(1..19).contains(&row);
            prop_assert!(rim, "{cell:?} is out of view");
            return Ok(());
        };
        prop_assert!(now.x.abs_diff(cell.x) <= 2 && now.y.abs_diff(cell.y) <= 1, "{now:?} {cell:?}");
    }
}

/// Returns a screen with a map on which each agent is drawn as a letter.
fn crowd(edges: Edges, places: &[(f32, f32)]) -> App {
    let rows = vec![".".repeat(24); 16];
    let mut scenario = build::scenario(build::map(&rows, edges));
    for (index, &(x, y)) in places.iter().enumerate() {
        let at = Vec2::new(x, y);
        build::add(&mut scenario, &format!("a{index}"), at, Body::default(), Drive::Stand);
        let letter = char::from(b'a' + index as u8);
        build::edit(&mut scenario, |parts| {
            parts.kinds.last_mut().expect("just added").glyph = letter.to_string();
        });
    }
    let opened = Opened::new("crowd", "crowd.toml", scenario.into());
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, 60, 30), dark_theme()).0;
    app.map_mut().overlays = Overlays::NONE;
    app.update(Input::Key(Key::Char(' ')));
    app
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn clicks_select_drawn_agents_and_cells_with_several_show_their_number(
        places in prop::collection::vec((0.3..23.7_f32, 0.3..15.7_f32), 1..12),
        zoom in zoom(),
        wraps in any::<bool>(),
        (x, y) in (0.0..24.0_f32, 0.0..16.0_f32),
    ) {
        let mut app = crowd(if wraps { Edges::Wrap } else { Edges::Wall }, &places);
        (app.map_mut().camera.zoom, app.map_mut().camera.centre, app.map_mut().camera.follow) = (zoom, Vec2::new(x, y), false);
        let view = app.view().expect("a map");
        let mut buffer = Buffer::empty(app.ui.screen);
        app.draw(&mut buffer);
        let world = app.session().expect("a map").world().clone();
        let drawn_on = |id: AgentId| view.body(world.tile(id), world.position(id));
        for at in view.area.positions() {
            let cell = Cell { x: at.x, y: at.y };
            let here: Vec<AgentId> = world.ids().filter(|&id| drawn_on(id) == Some(cell)).collect();
            match here.as_slice() {
                [] => {}
                &[only] => prop_assert_eq!(buffer[at].symbol(), &world.kind(only).glyph),
                // The selected agent is drawn above all others.
                several if several.contains(&AgentId(0)) => prop_assert_eq!(buffer[at].symbol(), "a"),
                several => {
                    let number = if several.len() > 9 { "+".to_owned() } else { several.len().to_string() };
                    prop_assert_eq!(buffer[at].symbol(), number);
                }
            }
            let mut clicked = app.clone();
            clicked.update(Input::Click(cell));
            let session = clicked.session().expect("a map");
            let tile = view.tile(cell).expect("a tile");
            match session.subject() {
                Subject::Agent(id) if !here.is_empty() => prop_assert!(here.contains(&id)),
                Subject::Agent(id) => prop_assert_eq!(world.tile(id), tile),
                Subject::Tile(found) => {
                    prop_assert_eq!(found, tile);
                    prop_assert!(here.is_empty() && world.ids().all(|id| world.tile(id) != tile));
                }
                Subject::None => prop_assert!(false, "there are agents"),
            }
        }
    }
}

#[test]
fn repeated_clicks_cycle_through_the_agents_of_a_cell() {
    let mut app = crowd(Edges::Wall, &[(3.5, 3.5), (3.5, 3.5), (3.6, 3.4), (9.5, 3.5)]);
    let cell = app.view().and_then(|view| view.cell(TilePos::new(3, 3))).expect("in view");
    let mut seen = vec![];
    for _ in 0..4 {
        app.update(Input::Click(cell));
        app.update(Input::Release);
        seen.push(app.session().and_then(Session::selected).map(|id| id.0));
    }
    assert_eq!(seen, [Some(1), Some(2), Some(0), Some(1)]);
}
