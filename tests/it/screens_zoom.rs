//! Maps near and far, text and styles: zoom levels, minimap, rulers, visits, lines; also without colours
//! and in ASCII.

use ratatui::layout::Rect;
use tilewalk::files::{self, Options};
use tilewalk::tui::app::App;
use tilewalk::tui::camera::Zoom;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::overlays::{Layer, Overlays};
use tilewalk::tui::session::{Session, Subject};
use tilewalk::tui::theme::{MONO, Theme};
use tilewalk::tui::{Opened, Start};

use crate::stage::{colors, dump, press};

fn builtin(name: &str, (width, height): (u16, u16), theme: Theme) -> App {
    let loaded = files::load(&tilewalk::builtin::origin(name), &Options::default());
    let scenario = loaded.expect("a map").scenario.expect("a map in order");
    let opened = Opened::new(name, name, scenario);
    let mut app = App::new(vec![], Start::Map(opened), Rect::new(0, 0, width, height), theme).0;
    app.update(Input::Key(Key::Char(' ')));
    app
}

fn check(name: &str, app: &App) {
    let (width, height) = (app.screen.width, app.screen.height);
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(format!("zoom_{name}_{width}x{height}"), dump(app));
    });
}

/// Each in colours, and without them in ASCII.
fn check_both(name: &str, scene: impl Fn(Theme) -> App) {
    check(name, &scene(colors()));
    let mut app = scene(MONO);
    app.setup.ascii = true;
    check(&format!("{name}_ascii"), &app);
    let text = dump(&app);
    assert!(text.is_ascii() && !text.contains("fg "), "{text}");
}

/// The castle, some seconds on, the map alone.
fn castle(size: (u16, u16), zoom: Zoom, theme: Theme) -> App {
    let mut app = builtin("castle", size, theme);
    press(&mut app, &[Key::Char('>'); 4]);
    press(&mut app, &[Key::Char('t')]);
    while app.map_view.camera.zoom != zoom {
        let nearer = Zoom::all()
            .take_while(|&each| each != app.map_view.camera.zoom)
            .any(|each| each == zoom);
        press(&mut app, &[Key::Char(if nearer { 'z' } else { 'Z' })]);
    }
    app
}

#[test]
fn every_zoom_of_a_small_map() {
    for (zoom, name, size) in [
        (Zoom::Huge, "huge", (120, 40)),
        (Zoom::Huge, "huge", (40, 12)),
        (Zoom::Large, "large", (80, 24)),
        (Zoom::Narrow, "narrow", (40, 12)),
        (Zoom::Halves, "halves", (80, 24)),
        (Zoom::Dots(0), "dots", (80, 24)),
    ] {
        check_both(name, |theme| castle(size, zoom, theme));
    }
}

#[test]
fn a_country_with_a_minimap_and_fitted() {
    for size in [(80, 24), (120, 40), (200, 60), (40, 12)] {
        check("country", &builtin("big", size, colors()));
    }
    for size in [(80, 24), (200, 60)] {
        check_both("fitted", |theme| {
            let mut app = builtin("big", size, theme);
            press(&mut app, &[Key::Char('F')]);
            app
        });
    }
}

#[test]
fn rulers_near_and_far() {
    for (size, zoom) in
        [((80, 24), Zoom::Square), ((120, 40), Zoom::Large), ((40, 12), Zoom::Halves)]
    {
        let mut app = castle(size, zoom, colors());
        app.map_view.overlays.toggle(Layer::Rulers);
        press(&mut app, &[Key::Char('k'), Key::Char('j')]);
        check("rulers", &app);
    }
}

#[test]
fn visits_of_a_random_walk() {
    for (size, zoom) in
        [((80, 24), Zoom::Square), ((120, 40), Zoom::Huge), ((80, 24), Zoom::Halves)]
    {
        let name = if zoom == Zoom::Halves { "visits_far" } else { "visits" };
        check_both(name, |theme| {
            let mut app = builtin("matrix", size, theme);
            app.session.as_mut().expect("a map").run(3000, || true);
            press(&mut app, &[Key::Char('H'), Key::Char('.'), Key::Char('t')]);
            (app.map_view.camera.zoom, app.map_view.camera.follow) = (zoom, true);
            press(&mut app, &[Key::Char(',')]);
            app
        });
    }
}

#[test]
fn three_lines_to_a_clicked_tile() {
    for zoom in [Zoom::Square, Zoom::Narrow] {
        let name = if zoom == Zoom::Square { "lines" } else { "lines_narrow" };
        let mut app = castle((80, 24), zoom, colors());
        app.map_view.overlays = Overlays::NONE;
        app.map_view.overlays.toggle(Layer::Lines);
        let view = app.view().expect("a map");
        let at = Cell { x: view.area.right() - 4 * view.zoom.cells().0 as u16, y: view.area.y + 2 };
        app.update(Input::Click(at));
        assert!(matches!(app.session.as_ref().map(Session::subject), Some(Subject::Tile(_))));
        check(name, &app);
    }
}

#[test]
fn a_click_and_a_drag_on_the_minimap_lead_there() {
    let mut app = builtin("big", (120, 40), colors());
    let map = app.minimap().expect("a country is larger than the view");
    for (x, y) in [(map.area.x, map.area.y), (map.area.right() - 1, map.area.bottom() - 1)] {
        app.update(Input::Click(Cell { x, y }));
        let view = app.view().expect("a map");
        let seen = view.tile(Cell { x: view.area.x, y: view.area.y }).expect("a tile");
        let first = x == map.area.x;
        assert_eq!((seen.x == 0, seen.y == 0), (first, first), "{seen}");
        assert!(!app.map_view.camera.follow);
        app.update(Input::Release);
    }
    let before = app.view();
    app.update(Input::Click(Cell { x: map.area.x, y: map.area.y }));
    let middle = Cell { x: map.area.x + map.area.width / 2, y: map.area.y + map.area.height / 2 };
    app.update(Input::Drag(middle));
    let view = app.view().expect("a map");
    assert!(Some(view) != before && view.cell(map.tile(middle).expect("a tile")).is_some());
}

/// Farther than all of the map leads nowhere, nearer than the nearest neither, and both say so.
#[test]
fn the_ladder_of_zooms_has_two_ends() {
    let mut app = builtin("castle", (80, 24), colors());
    press(&mut app, &[Key::Char('z'); 6]);
    assert_eq!(app.map_view.camera.zoom, Zoom::Huge);
    assert!(dump(&app).contains("largest zoom"));
    press(&mut app, &[Key::Char('Z'); 9]);
    assert_eq!(app.map_view.camera.zoom, Zoom::Dots(0));
    assert!(dump(&app).contains("the whole map is in view"));
}
