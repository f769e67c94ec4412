//! Finding causes: the overlay of sight, refused agents on the tile page, events of all agents, and the
//! meaning of states.

use ratatui::layout::Rect;
use tilewalk::debugger::session::Subject;
use tilewalk::files::Options;
use tilewalk::geom::TilePos;
use tilewalk::tui::Start;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;
use tilewalk::tui::overlays::Layer;

use crate::support::sample_maps::dark_theme;
use crate::support::screen::{Look, command, dump, go_to, message, opened, press, settle, shipped};

fn app_of(text: &str) -> App {
    let area = Rect::new(0, 0, 120, 40);
    let start = Start::Map(opened(text, &Options::default()));
    let (mut app, _) = App::new(vec![], start, area, dark_theme());
    app.map_mut().clock.playing = false;
    app
}

/// The wall hides the thief and a part of the row from the guard.
const WALL: &str = r#"
tiles = """
..........
..........
....#.....
..........
"""
[[agent]]
name = "guard"
at = [1, 2]
body = { view = { range = 6, angle = 90 } }
[[agent.mode]]
name = "watch"
switch = [{ when = "sees(thief)", to = "chase" }]
[[agent.mode]]
name = "chase"
[[agent]]
name = "thief"
at = [6, 2]
"#;

#[test]
fn the_sight_overlay_shows_the_view_the_hidden_tiles_and_what_blocks() {
    let mut app = app_of(WALL);
    let before = dump(&app);
    assert!(!before.contains('░'), "{before}");
    press(&mut app, &[Key::Char('V')]);
    assert!(app.map().overlays.has(Layer::Sight));
    assert_eq!(message(&app), "overlay sight: shown");
    let shown = dump(&app);
    // The tiles behind the wall are shaded, and the wall has the sign of a hit.
    let row = shown.lines().find(|row| row.contains('░')).expect("hidden tiles");
    assert!(row.contains('*'), "{shown}");
    let dots = |text: &str| text.chars().filter(|c| ('\u{2801}'..='\u{28ff}').contains(c)).count();
    assert!(dots(&shown) > dots(&before) + 10, "the border of the view is drawn: {shown}");
    press(&mut app, &[Key::Char('V')]);
    assert!(!dump(&app).contains('░'));
    command(&mut app, "overlay sight");
    assert!(app.map().overlays.has(Layer::Sight));
}

/// The walker's steps lead into the wall.
const REFUSED: &str = r#"
tiles = """
....
####
"""
[places]
gold = [3, 0]
[[agent]]
name = "cart"
at = [2, 0]
body = { solid = true }
[[agent]]
name = "herald"
at = [0, 0]
body = { solid = true }
travel = "gold"
"#;

#[test]
fn the_tile_page_lists_the_agents_that_it_refuses() {
    let mut app = app_of(REFUSED);
    go_to(&mut app, 40);
    app.map_mut().session.look_at(Some(TilePos::new(2, 0)));
    let shown = dump(&app);
    assert!(shown.contains("refused  herald •retries in 4 frames"), "{shown}");
    assert!(shown.contains("cost     1 to enter"), "{shown}");
    app.map_mut().session.look_at(Some(TilePos::new(3, 1)));
    let shown = dump(&app);
    assert!(shown.contains("not walkable") && !shown.contains("to enter"), "{shown}");
}

#[test]
fn an_event_of_any_agent_selects_that_agent_and_keeps_the_tile_page() {
    let mut app = shipped("castle", (120, 40));
    go_to(&mut app, 0);
    app.map_mut().session.look_at(Some(TilePos::new(12, 1)));
    press(&mut app, &[Key::Char(']')]);
    settle(&mut app);
    let session = &app.map().session;
    let event = session.world().events().first().expect("an event at the frame");
    assert_eq!(session.selected(), Some(event.agent), "{}", dump(&app));
    assert_eq!(session.subject(), Subject::Tile(TilePos::new(12, 1)));
}

#[test]
fn the_body_page_explains_each_state_of_the_agent() {
    let mut app = app_of(REFUSED);
    go_to(&mut app, 40);
    command(&mut app, "select herald");
    press(&mut app, &[Key::Char('2')]);
    let shown = dump(&app);
    assert!(shown.contains("blocked: could not make its last"), "{shown}");
}

#[test]
fn the_body_page_does_not_call_bodies_that_only_meet_overlapping() {
    let meeting = "tiles = '''\n########\n#......#\n########\n'''\nplaces = { east = [6, 1], west = [1, 1] }\n\
        [[agent]]\nname = 'a'\nat = [1.5, 1.5]\nbody = { solid = true }\nsteer = [{ do = 'seek', target = 'east' }]\n\
        [[agent]]\nname = 'b'\nat = [6.5, 1.5]\nbody = { solid = true }\nsteer = [{ do = 'seek', target = 'west' }]\n";
    let mut app = app_of(meeting);
    go_to(&mut app, 100);
    let session = app.session().expect("a map");
    let events: Vec<_> = session.events().map(|event| event.kind.word()).collect();
    assert!(events.contains(&"overlap"), "the bodies never met: {events:?}");
    press(&mut app, &[Key::Char('2')]);
    let shown = dump(&app);
    assert!(shown.contains("overlapping no"), "{shown}");
}

#[test]
fn the_modes_page_names_what_would_allow_or_prevent_a_transition() {
    let mut app = app_of(WALL);
    press(&mut app, &[Key::Char('5')]);
    let shown = dump(&app);
    assert!(shown.contains("needs sees(thief)"), "{shown}");
    let mut app = shipped("castle", (120, 40));
    go_to(&mut app, 252);
    press(&mut app, &[Key::Char('5')]);
    let shown = dump(&app);
    assert!(shown.contains("prevented by not arrived"), "{shown}");
    assert!(shown.contains("or by sees(thief) → chase"), "{shown}");
    assert!(shown.contains("→ home (travel home)"), "{shown}");
}
