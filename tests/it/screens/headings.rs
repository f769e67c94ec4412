//! Headings of agents at each size of the screen, the width of the panes, and the zoom chosen for them.

use ratatui::buffer::Buffer;
use tilewalk::agent::Drive;
use tilewalk::tui::app::App;
use tilewalk::tui::camera::Zoom;
use tilewalk::tui::input::{Cell, Input, Key};

use crate::support::screen::{self, Look, drawn, press, type_text};

const SIZES: [(u16, u16); 3] = [(100, 30), (120, 40), (200, 60)];

const ARROWS: [&str; 8] = ["→", "←", "↑", "↓", "↗", "↖", "↘", "↙"];

/// Returns the number of arrows in the visible part of the map.
fn arrows(app: &App, buffer: &Buffer) -> usize {
    let area = app.view().expect("a map").area;
    area.positions().filter(|&at| ARROWS.contains(&buffer[at].symbol())).count()
}

/// Returns whether an agent that can move is in view, is not the selected one, and is alone in its cell.
fn has_moving_agents(app: &App) -> bool {
    let session = &app.map().session;
    let (world, view) = (session.world(), app.view().expect("a map"));
    let cell = |id| view.body(world.tile(id), world.position(id));
    world.ids().any(|id| {
        Some(id) != session.selected()
            && !matches!(world.mode(id).drive, Drive::Stand)
            && cell(id).is_some()
            && world.ids().all(|other| other == id || cell(other) != cell(id))
    })
}

#[test]
fn every_shipped_map_shows_headings() {
    for listing in tilewalk::builtin::maps() {
        let name = &listing.name;
        for size in SIZES {
            let mut app = screen::shipped(name, size);
            let zoom = app.map().camera.zoom;
            assert!(!zoom.is_far(), "{name} at {size:?}: {zoom:?}");
            // Signs of events and other agents hide an arrow for some time.
            let is_shown = (0..5).any(|_| {
                type_text(&mut app, ">");
                let needed = zoom.has_room_beside() || has_moving_agents(&app);
                !needed || arrows(&app, &drawn(&app)) > 0
            });
            assert!(is_shown, "{name} at {size:?}: no headings\n{}", screen::dump(&app));
        }
    }
}

#[test]
fn at_one_cell_per_tile_only_the_selected_agent_has_a_letter() {
    let mut app = screen::shipped("yard", (80, 24));
    app.map_mut().camera.zoom = Zoom::Narrow;
    let view = app.view().expect("a map");
    let buffer = drawn(&app);
    let session = &app.map().session;
    let world = session.world();
    for id in world.ids() {
        let Some(cell) = view.body(world.tile(id), world.position(id)) else { continue };
        let symbol = buffer[(cell.x, cell.y)].symbol();
        let is_letter = Some(id) == session.selected();
        let moves = !matches!(world.mode(id).drive, Drive::Stand);
        assert_eq!(ARROWS.contains(&symbol), moves && !is_letter, "{}", world.name(id));
    }
}

#[test]
fn keys_and_the_mouse_move_the_border_between_the_panes() {
    let mut app = screen::shipped("yard", (120, 40));
    let width = |app: &App| app.layout().inspector.width;
    let before = width(&app);
    press(&mut app, &[Key::Char('(')]);
    assert_eq!(width(&app), before + 4);
    type_text(&mut app, "))");
    assert_eq!(width(&app), (before - 4).max(42));
    let border = app.layout().inspector.x;
    app.update(Input::Click(Cell { x: border, y: 10 }));
    app.update(Input::Drag(Cell { x: 60, y: 11 }));
    app.update(Input::Release);
    assert_eq!(width(&app), 60);
    for _ in 0..40 {
        press(&mut app, &[Key::Char('(')]);
    }
    assert_eq!(app.layout().map.width, 24, "the map keeps 24 columns");
}

#[test]
fn the_zoom_is_chosen_again_for_a_new_size_until_the_user_changes_the_view() {
    let mut app = screen::shipped("yard", (80, 24));
    let zoom = |app: &App| app.map().camera.zoom;
    let resize = |app: &mut App, width, height| {
        app.update(Input::Resize { width, height });
    };
    let small = zoom(&app);
    resize(&mut app, 220, 60);
    assert_eq!(zoom(&app), Zoom::Large);
    resize(&mut app, 80, 24);
    assert_eq!(zoom(&app), small);
    type_text(&mut app, "Z");
    let chosen = zoom(&app);
    resize(&mut app, 200, 60);
    assert_eq!(zoom(&app), chosen);
}

#[test]
fn titles_fit_into_the_gallery_at_100_columns() {
    for listing in tilewalk::builtin::maps() {
        assert!(listing.title.chars().count() <= 36, "{}", listing.title);
    }
}
