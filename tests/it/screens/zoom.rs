//! Scenes at each zoom level, with rulers, the heat map and lines. Tests of the minimap and of zoom limits.

use tilewalk::debugger::session::{Session, Subject};
use tilewalk::tui::app::App;
use tilewalk::tui::camera::Zoom;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::overlays::{Layer, Overlays};

use crate::support::scene::Scene;
use crate::support::screen::{Look, Size, dump, press, shipped, type_text};

/// The castle after 40 frames, with only the map pane.
fn castle(size: Size, zoom: Zoom) -> App {
    let mut app = shipped("castle", size);
    press(&mut app, &[Key::Char('>'); 4]);
    press(&mut app, &[Key::Char('t')]);
    while app.map().camera.zoom != zoom {
        let nearer =
            Zoom::all().take_while(|&each| each != app.map().camera.zoom).any(|each| each == zoom);
        press(&mut app, &[Key::Char(if nearer { 'z' } else { 'Z' })]);
    }
    app
}

/// A clicked tile near the right edge, with the three lines that lead to it.
fn lines(size: Size, zoom: Zoom) -> App {
    let mut app = castle(size, zoom);
    app.map_mut().overlays = Overlays::NONE;
    app.map_mut().overlays.toggle(Layer::Lines);
    let view = app.view().expect("a map");
    let at = Cell { x: view.area.right() - 4 * view.zoom.cells().0 as u16, y: view.area.y + 2 };
    app.update(Input::Click(at));
    assert!(matches!(app.session().map(Session::subject), Some(Subject::Tile(_))));
    app
}

/// Slanted walls, with only the map pane.
fn walls(size: Size, zoom: Zoom) -> App {
    let mut app = shipped("slanted_walls", size);
    press(&mut app, &[Key::Char('t')]);
    (app.map_mut().camera.zoom, app.map_mut().overlays) = (zoom, Overlays::NONE);
    app
}

/// The heat map of a random walk.
fn visits(size: Size, zoom: Zoom) -> App {
    let mut app = shipped("matrix", size);
    app.map_mut().session.run(3000, || true);
    type_text(&mut app, "H.t");
    (app.map_mut().camera.zoom, app.map_mut().camera.follow) = (zoom, true);
    type_text(&mut app, ",");
    app
}

pub fn scenes() -> Vec<Scene> {
    let zooms = [
        ("zoom_huge", (120, 40), Zoom::Huge),
        ("zoom_large", (80, 24), Zoom::Large),
        ("zoom_narrow", (40, 12), Zoom::Narrow),
        ("zoom_halves", (80, 24), Zoom::Halves),
        ("zoom_dots", (80, 24), Zoom::Dots(0)),
    ];
    let mut scenes: Vec<Scene> = zooms
        .into_iter()
        .map(|(name, size, zoom)| Scene::new(name, size, move |size| castle(size, zoom)))
        .collect();
    scenes.extend([
        Scene::new("zoom_country", (80, 24), |size| shipped("big", size)),
        Scene::new("zoom_fitted", (80, 24), |size| {
            let mut app = shipped("big", size);
            type_text(&mut app, "F");
            app
        }),
        Scene::new("zoom_rulers", (80, 24), |size| {
            let mut app = castle(size, Zoom::Square);
            app.map_mut().overlays.toggle(Layer::Rulers);
            type_text(&mut app, "kj");
            app
        }),
        Scene::new("zoom_visits", (80, 24), |size| visits(size, Zoom::Square)),
        Scene::new("zoom_visits_far", (80, 24), |size| visits(size, Zoom::Halves)),
        Scene::new("zoom_walls", (80, 24), |size| walls(size, Zoom::Square)),
        Scene::new("zoom_walls_far", (80, 24), |size| walls(size, Zoom::Halves)),
        Scene::new("zoom_lines", (80, 24), |size| lines(size, Zoom::Square)).min_size((40, 12)),
        Scene::new("zoom_lines_narrow", (80, 24), |size| lines(size, Zoom::Narrow))
            .min_size((40, 12)),
    ]);
    scenes
}

#[test]
fn clicks_and_drags_on_the_minimap_move_the_view() {
    let mut app = shipped("big", (120, 40));
    let map = app.minimap().expect("the map is larger than the view");
    for (x, y) in [(map.area.x, map.area.y), (map.area.right() - 1, map.area.bottom() - 1)] {
        app.update(Input::Click(Cell { x, y }));
        let view = app.view().expect("a map");
        let seen = view.tile(Cell { x: view.area.x, y: view.area.y }).expect("a tile");
        let first = x == map.area.x;
        assert_eq!((seen.x == 0, seen.y == 0), (first, first), "{seen}");
        assert!(!app.map().camera.follow);
        app.update(Input::Release);
    }
    let before = app.view();
    app.update(Input::Click(Cell { x: map.area.x, y: map.area.y }));
    let middle = Cell { x: map.area.x + map.area.width / 2, y: map.area.y + map.area.height / 2 };
    app.update(Input::Drag(middle));
    let view = app.view().expect("a map");
    assert!(Some(view) != before && view.cell(map.tile(middle).expect("a tile")).is_some());
}

#[test]
fn zooming_past_the_largest_or_smallest_zoom_only_shows_a_message() {
    let mut app = shipped("castle", (80, 24));
    press(&mut app, &[Key::Char('z'); 6]);
    assert_eq!(app.map().camera.zoom, Zoom::Huge);
    assert!(dump(&app).contains("largest zoom"));
    press(&mut app, &[Key::Char('Z'); 9]);
    assert_eq!(app.map().camera.zoom, Zoom::Dots(0));
    assert!(dump(&app).contains("the whole map is in view"));
}
