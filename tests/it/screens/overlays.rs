//! Overlays: the menu, each layer, overlays of all agents, trails, signs of events, and the heat map.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::geom::Vec2;
use tilewalk::id::AgentId;
use tilewalk::map::Edges;
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{
    AvoidObstacles, AvoidWalls, Behaviour, Pursue, Target, Wander, WeightedBehaviour,
};
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::camera::Zoom;
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::overlays::{Layer, MOST_AGENTS, Overlays, TABLE};
use tilewalk::tui::theme::{MONO, Theme};
use tilewalk::tui::{Opened, Start};

use crate::support::build;
use crate::support::sample_maps::{dark_theme, map_screen};
use crate::support::scene::Scene;
use crate::support::screen::{Look, dump, go_to, press, settle, shipped, type_text};

fn opened(scenario: tilewalk::scenario::Scenario) -> Opened {
    let scenario = Arc::new(scenario);
    Opened::new("hunt", "hunt.toml", scenario)
}

/// A hunter among trees pursues a hare that runs east. Each behaviour contributes to the hunter's steering.
fn hunt() -> Opened {
    let rows = [
        "####################",
        "#..................#",
        "#......T...........#",
        "#..................#",
        "#...............T..#",
        "#..................#",
        "####################",
    ];
    let mut scenario = build::scenario(build::map(&rows.map(str::to_owned), Edges::Wall));
    build::edit(&mut scenario, |parts| parts.title = "Hunt".into());
    let hare = AgentId(1);
    let list = vec![
        build::behaviour(Behaviour::AvoidObstacles(AvoidObstacles::default()), None),
        build::behaviour(Behaviour::AvoidWalls(AvoidWalls::default()), None),
        WeightedBehaviour {
            weight: 0.5,
            ..build::behaviour(Behaviour::Pursue(Pursue::default()), Some(Target::Agent(hare)))
        },
        build::behaviour(Behaviour::Wander(Wander::default()), None),
    ];
    let drive = Drive::Steer { combine: Combine::Prioritized, rows: list };
    build::add(&mut scenario, "hunter", Vec2::new(2.5, 1.6), Body::default(), drive);
    let run = build::seek(Vec2::new(18.5, 3.5));
    build::add(&mut scenario, "rabbit", Vec2::new(9.5, 3.5), Body::default(), run);
    opened(scenario)
}

/// The hunt after the given number of frames, with only the given layers.
fn hunting(size: (u16, u16), frames: usize, layers: &[Layer], theme: Theme) -> App {
    let screen = Rect::new(0, 0, size.0, size.1);
    let mut app = App::new(vec![], Start::Map(hunt()), screen, theme).0;
    app.map_mut().overlays = Overlays::NONE;
    for &layer in layers {
        app.map_mut().overlays.toggle(layer);
    }
    press(&mut app, &vec![Key::Char('.'); frames]);
    app
}

pub fn scenes() -> Vec<Scene> {
    use Layer::{
        Behaviours, Box, Feelers, Force, Heading, Predicted, Targets, Trail, Velocity, Wander,
    };
    let layers =
        [Heading, Velocity, Force, Behaviours, Feelers, Box, Wander, Targets, Predicted, Trail];
    let mut scenes: Vec<Scene> = layers
        .into_iter()
        .map(|layer| {
            let name = format!("layer_{}", TABLE[layer as usize].name.replace(' ', "_"));
            Scene::new(&name, (80, 24), move |size| hunting(size, 24, &[layer], dark_theme())).map()
        })
        .collect();
    scenes.extend([
        Scene::new("overlays", (80, 24), |(width, height)| {
            let mut app = map_screen(width, height);
            type_text(&mut app, " ojl");
            app
        }),
        Scene::new("layer_pattern", (80, 24), |(width, height)| {
            let mut app = map_screen(width, height);
            app.map_mut().overlays = Overlays::NONE;
            app.map_mut().overlays.toggle(Layer::Pattern);
            press(&mut app, &[Key::Tab, Key::Char('>')]);
            app
        }),
        // The guard sees the thief at frame 145.
        Scene::new("castle_events", (80, 24), |size| {
            let mut app = shipped("castle", size);
            type_text(&mut app, "t");
            go_to(&mut app, 148);
            app
        }),
    ]);
    scenes
}

#[test]
fn without_colours_layers_are_drawn_with_their_own_signs() {
    let signs = [
        (Layer::Behaviours, "³"),
        (Layer::Targets, "+"),
        (Layer::Predicted, "◎"),
        (Layer::Wander, "◦"),
        (Layer::Box, "*"),
        (Layer::Trail, "•"),
        (Layer::Force, "→"),
    ];
    for (layer, sign) in signs {
        let mut app = hunting((120, 40), 24, &[layer], MONO);
        press(&mut app, &[Key::Char('t')]);
        app.map_mut().camera.zoom = Zoom::Square;
        let text = dump(&app);
        assert!(!text.contains("fg ") && !text.contains("bg "), "{text}");
        let map: Vec<&str> = text.lines().filter(|line| line.starts_with('│')).collect();
        assert!(map.concat().contains(sign), "{sign} is missing:\n{text}");
    }
}

/// With all layers on, every agent in view is visible.
#[test]
fn no_layer_hides_an_agent() {
    let all: Vec<Layer> = TABLE.iter().map(|entry| entry.layer).collect();
    for frames in 0..60 {
        let mut app = hunting((80, 24), frames, &all, dark_theme());
        press(&mut app, &[Key::Char('t')]);
        let view = app.view().expect("a map");
        let mut buffer = Buffer::empty(app.ui.screen);
        app.draw(&mut buffer);
        let session = app.session().expect("a map");
        for id in session.world().ids() {
            let cell = view.cell(session.world().tile(id)).expect("in view");
            assert_eq!(buffer[(cell.x, cell.y)].symbol(), "A", "frame {frames}");
        }
    }
}

#[test]
fn the_overlay_menu_opens_toggles_layers_and_closes() {
    let mut app = map_screen(80, 24);
    press(&mut app, &[Key::Char('o')]);
    assert!(
        (app.context(), app.list().and_then(|list| list.selected)) == (Context::Overlays, Some(0))
    );
    press(&mut app, &[Key::Char('l')]);
    assert!(
        app.map().overlays.has(Layer::Trail)
            && (app.context(), app.list().and_then(|list| list.selected))
                == (Context::Overlays, Some(Layer::Trail as usize))
    );
    press(&mut app, &vec![Key::Down; TABLE.len() - Layer::Trail as usize]);
    press(&mut app, &[Key::Char(' ')]);
    assert!(!app.map().overlays.has(Layer::Heading), "the selection wraps around");
    press(&mut app, &[Key::Char('a'), Key::Char('0')]);
    assert!(
        app.map().overlays.all && app.map().overlays.has(Layer::Heading),
        "0 restores the default layers"
    );
    assert!(!app.map().overlays.has(Layer::Trail));
    let frame = |app: &App| app.session().map(|session| session.world().frame().0);
    press(&mut app, &[Key::Char('.')]);
    assert_eq!(frame(&app), Some(1), "steps work while the menu is open");
    assert_eq!(app.update(Input::Key(Key::Esc)), None);
    assert!(app.is_plain_map());
    press(&mut app, &[Key::Char('o'), Key::Char('o')]);
    assert!(app.is_plain_map());
}

/// A meadow with the given number of wanderers.
fn crowd(count: u32) -> App {
    let rows = vec![".".repeat(60); 30];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wrap));
    for number in 0..count {
        let at = Vec2::new((number % 60) as f32 + 0.5, (number / 60 % 30) as f32 + 0.5);
        build::add(&mut scenario, &format!("w{number}"), at, Body::default(), build::wander());
    }
    let screen = Rect::new(0, 0, 200, 60);
    App::new(vec![], Start::Map(opened(scenario)), screen, dark_theme()).0
}

#[test]
fn overlays_of_all_agents_cover_at_most_200_agents_and_show_the_limit() {
    let mut app = crowd(300);
    press(&mut app, &[Key::Char('.'), Key::Char('o'), Key::Char('a')]);
    let session = app.session().expect("a map");
    assert_eq!((session.observed().len(), session.left_out()), (MOST_AGENTS, 100));
    assert!(dump(&app).contains("overlays: 200 of 300"));
    for &id in session.observed() {
        let explanation = session.explanation_of(id).expect("an explanation");
        assert_eq!((explanation.agent, explanation.frame), (id, session.world().frame()));
        assert_eq!(explanation, &tilewalk::step::explain(session.before(), id));
    }
    press(&mut app, &[Key::Char('a')]);
    assert!(app.session().expect("a map").observed().is_empty());
    let mut few = crowd(30);
    press(&mut few, &[Key::Char('o'), Key::Char('a')]);
    assert!(dump(&few).contains("overlays: all"));
}

#[test]
fn trails_do_not_cross_a_wrapping_map_and_a_restart_deletes_them() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 5], Edges::Wrap));
    let body = Body::default();
    build::add(
        &mut scenario,
        "runner",
        Vec2::new(17.5, 2.5),
        body,
        build::seek(Vec2::new(3.5, 2.5)),
    );
    let screen = Rect::new(0, 0, 80, 24);
    let mut app = App::new(vec![], Start::Map(opened(scenario)), screen, dark_theme()).0;
    app.map_mut().overlays = Overlays::NONE;
    app.map_mut().overlays.toggle(Layer::Trail);
    press(&mut app, &vec![Key::Char('.'); 28]);
    let braille = |app: &App| {
        let text = dump(app);
        let row = text.lines().find(|line| line.contains('⠤')).unwrap_or_default().to_owned();
        row.chars()
            .map(|c| if ('\u{2801}'..='\u{28ff}').contains(&c) { '#' } else { c })
            .collect::<String>()
    };
    let row = braille(&app);
    let (left, right) = (row.find('#').expect("a trail"), row.rfind('#').expect("a trail"));
    assert!(row[left..right].contains("· · · · · ·"), "the trail does not cross the map: {row}");
    press(&mut app, &[Key::Char('r')]);
    assert!(!braille(&app).contains('#'));
}

/// The guard of the castle sees the thief. The sign of the event disappears after a second.
#[test]
fn events_show_a_sign_beside_the_agent_for_a_second() {
    let castle = |size, theme| {
        let screen = Rect::new(0, 0, size, 24);
        let origin = tilewalk::builtin::origin("castle");
        let loaded = tilewalk::files::load(&origin, &tilewalk::files::Options::default());
        let scenario = loaded.expect("a map").scenario.expect("a valid map");
        let opened = Opened::new("castle", "castle", scenario);
        App::new(vec![], Start::Map(opened), screen, theme).0
    };
    // The sign is beside the guard, or above the guard if a tile is one column wide.
    for (theme, narrow) in [(dark_theme(), false), (MONO, false), (dark_theme(), true)] {
        let mut app = castle(80, theme.clone());
        app.map_mut().overlays = Overlays::NONE;
        app.map_mut().overlays.toggle(Layer::Events);
        press(&mut app, &[Key::Char('t')]);
        if narrow {
            press(&mut app, &[Key::Char('Z')]);
        }
        let cell = |app: &App| {
            let (world, view) = (app.session().expect("a map").world(), app.view());
            let cell = view.expect("a map").cell(world.tile(AgentId(0))).expect("in view");
            let mut buffer = Buffer::empty(app.ui.screen);
            app.draw(&mut buffer);
            let place = if narrow { (cell.x, cell.y - 1) } else { (cell.x + 1, cell.y) };
            buffer[place].clone()
        };
        let sees = |app: &App| {
            let events = app.session().expect("a map").world().events();
            events.iter().any(|event| event.kind.word() == "seen" && event.agent == AgentId(0))
        };
        while !sees(&app) {
            press(&mut app, &[Key::Char('.')]);
        }
        let mut signs = vec![];
        for _ in 0..20 {
            let cell = cell(&app);
            assert_eq!(cell.style().fg, theme.event.fg.or(Some(ratatui::style::Color::Reset)));
            assert!(cell.style().add_modifier.contains(Modifier::BOLD));
            signs.push(cell.symbol().to_owned());
            press(&mut app, &[Key::Char('.')]);
        }
        // The mode change that follows does not hide the sign.
        assert_eq!(signs, vec!["!"; 20]);
        assert_ne!(cell(&app).symbol(), "!", "the sign disappears after a second");
        app.map_mut().overlays.toggle(Layer::Events);
    }
}

#[test]
fn the_selected_layer_is_visible_in_the_menu_at_every_screen_size() {
    for size in [(80, 24), (72, 16), (50, 20), (120, 40)] {
        let mut app = map_screen(size.0, size.1);
        press(&mut app, &[Key::Char('o')]);
        for entry in TABLE {
            let shown = dump(&app);
            let selected_row = shown.lines().find(|line| line.contains("▸["));
            let selected_row =
                selected_row.unwrap_or_else(|| panic!("{} at {size:?}:\n{shown}", entry.name));
            let label = selected_row.split("▸[").nth(1).expect("a label");
            assert!(
                label[2..].trim_start_matches([' ', ']']).contains(entry.name),
                "{selected_row}"
            );
            press(&mut app, &[Key::Down]);
        }
    }
}

/// On the heat map, agents keep the background of the screen, and visited tiles of a
/// pattern are underlined.
#[test]
fn agents_and_patterns_stay_visible_on_the_heat_map() {
    let mut app = map_screen(120, 40);
    press(&mut app, &[Key::Char('>'), Key::Char('>'), Key::Char('H')]);
    settle(&mut app);
    let mut buffer = Buffer::empty(app.ui.screen);
    app.draw(&mut buffer);
    let session = app.session().unwrap();
    let view = app.view().unwrap();
    let world = session.world();
    let selected = session.selected().unwrap();
    let others = world.ids().filter(|&id| id != selected);
    for tile in others.map(|id| world.tile(id)) {
        let cell = view.cell(tile).unwrap();
        assert_eq!(buffer[(cell.x, cell.y)].bg, app.ui.setup.theme.screen.bg.unwrap(), "{tile}");
    }
    let (pattern, anchor) = world.pattern(selected).unwrap();
    let tally = session.visits().unwrap().at(world.frame()).unwrap();
    let visited = pattern.tiles().iter().map(|&tile| anchor + tile);
    let visited: Vec<_> = visited
        .filter(|&tile| tally.count(tile) > 0 && world.ids().all(|id| world.tile(id) != tile))
        .collect();
    assert!(!visited.is_empty());
    for tile in visited {
        let cell = view.cell(tile).unwrap();
        let cell = &buffer[(cell.x, cell.y)];
        assert_ne!(Some(cell.bg), app.ui.setup.theme.pattern.bg, "{tile}");
        assert_ne!(Some(cell.bg), app.ui.setup.theme.screen.bg, "{tile}");
        assert!(cell.modifier.contains(Modifier::UNDERLINED), "{tile}");
    }
}
