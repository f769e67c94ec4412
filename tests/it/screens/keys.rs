//! Manual control on the screen.

use std::time::Duration;

use tilewalk::geom::TilePos;
use tilewalk::id::AgentId;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Input, Key};

use crate::support::scene::Scene;
use crate::support::screen::Look;
use crate::support::screen::{dump, frame, press};
use crate::support::stage::watching;

const SPACE: Key = Key::Char(' ');
const DRIVE: Key = Key::Char('i');

/// A paused screen with the agent so many places further in hand.
fn driving(width: u16, height: u16, agent: usize) -> App {
    let mut app = watching(width, height);
    press(&mut app, &[SPACE]);
    press(&mut app, &vec![Key::Tab; agent]);
    press(&mut app, &[DRIVE]);
    app
}

fn tile(app: &App, agent: u32) -> (i32, i32) {
    let TilePos { x, y } = app.session().unwrap().world().tile(AgentId(agent));
    (x, y)
}

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("driven_walker", (80, 24), |(width, height)| {
            let mut app = driving(width, height, 0);
            press(&mut app, &[Key::Up, Key::Char('a'), Key::Up]);
            app
        }),
        Scene::new("driven_vehicle", (80, 24), |(width, height)| {
            let mut app = driving(width, height, 3);
            press(&mut app, &[Key::Left, Key::Left, Key::Char('w'), Key::Char('w')]);
            app
        }),
    ]
}

#[test]
fn paused_a_press_makes_the_frames_it_is_about() {
    let mut app = driving(80, 24, 0);
    // Its pattern would let it step in the next frame.
    press(&mut app, &[Key::Char('.'); 3]);
    press(&mut app, &[Key::Right]);
    assert_eq!((frame(&app), tile(&app, 0)), (7, (4, 2)), "a step of four frames");
    press(&mut app, &[Key::Char('w')]);
    assert_eq!((frame(&app), tile(&app, 0)), (11, (4, 1)));
    press(&mut app, &[Key::Up]);
    assert_eq!((frame(&app), tile(&app, 0)), (12, (4, 1)), "refused after one frame");
    assert!(dump(&app).contains("blocked: wall (4, 0)"), "and one sees why:\n{}", dump(&app));
    press(&mut app, &[Key::Tab, Key::Tab, Key::Tab, DRIVE, Key::Down]);
    assert_eq!((frame(&app), app.driven()), (13, Some(AgentId(3))), "a vehicle: one frame");
    let told = app.session().unwrap().explanation().unwrap();
    assert_eq!(told.forces.rows[0].behaviour, "keys");
    assert!(!app.map().clock.playing);
}

#[test]
fn while_time_runs_a_press_is_a_step_and_one_is_kept() {
    let mut app = driving(80, 24, 0);
    press(&mut app, &[SPACE, Key::Right, Key::Right, Key::Right]);
    let mut tiles = vec![];
    for _ in 0..8 {
        app.pass(Duration::from_millis(50), || true);
        tiles.push(tile(&app, 0).0);
    }
    assert_eq!(
        tiles,
        [3, 3, 3, 4, 4, 4, 4, 4],
        "pressed before it could step: the last one counts"
    );
    press(&mut app, &[Key::Right]);
    app.pass(Duration::from_millis(50), || true);
    press(&mut app, &[Key::Right]);
    (0..8).for_each(|_| {
        app.pass(Duration::from_millis(50), || true);
    });
    assert_eq!(tile(&app, 0).0, 6, "the second was kept until it was due");
}

#[test]
fn an_arrow_pushes_a_vehicle_for_a_while_of_real_time() {
    for (keys, frames) in [("", 6), ("+", 12), ("-", 3)] {
        let mut app = driving(80, 24, 3);
        press(&mut app, &keys.chars().map(Key::Char).collect::<Vec<_>>());
        press(&mut app, &[SPACE, Key::Left]);
        let mut pushed = 0;
        for _ in 0..40 {
            let before = frame(&app);
            app.pass(Duration::from_millis(50), || true);
            let told = app.session().unwrap().explanation();
            let way = told.and_then(|told| told.held).and_then(|held| held.direction);
            pushed += if way.is_some() { frame(&app) - before } else { 0 };
        }
        assert_eq!(pushed, frames, "at the speed after `{keys}`");
    }
}

#[test]
fn whoever_is_driven_stays_so_while_one_looks_elsewhere() {
    let mut app = driving(80, 24, 0);
    press(&mut app, &[Key::Tab]);
    assert_eq!(app.driven(), Some(AgentId(0)));
    assert_eq!(app.session().unwrap().selected(), Some(AgentId(1)));
    press(&mut app, &[Key::Right]);
    assert_eq!(tile(&app, 0), (4, 2));
    press(&mut app, &[Key::Char('o'), Key::Right, Key::Esc]);
    assert_eq!((app.context(), app.driven()), (Context::Drive, Some(AgentId(0))));
    press(&mut app, &[Key::Char('/'), Key::Char('w'), Key::Esc, Key::Char('?'), Key::Esc]);
    assert_eq!(app.driven(), Some(AgentId(0)));
    press(&mut app, &[DRIVE]);
    assert_eq!(app.driven(), Some(AgentId(1)), "another one");
    press(&mut app, &[DRIVE]);
    assert_eq!((app.driven(), app.context()), (None, Context::Map), "the same lets go");
    press(&mut app, &[Key::Right]);
    assert_eq!(tile(&app, 0), (4, 2), "the arrow is a step of time again");
}

#[test]
fn escape_lets_go_and_says_so() {
    let mut app = driving(80, 24, 0);
    assert!(dump(&app).contains("driving guard: arrows or wasd, Esc stops"), "{}", dump(&app));
    assert_eq!(app.update(Input::Key(Key::Esc)), None);
    assert_eq!(app.driven(), None);
    assert!(dump(&app).contains("stopped driving guard"), "{}", dump(&app));
}

#[test]
fn a_restart_and_a_reload_keep_who_is_driven_with_no_key_pressed() {
    let mut app = driving(80, 24, 0);
    press(&mut app, &[SPACE, Key::Right, Key::Char('r')]);
    assert_eq!((frame(&app), app.driven()), (0, Some(AgentId(0))));
    app.pass(Duration::from_millis(200), || true);
    assert_eq!(tile(&app, 0), (3, 2));
    app.opened(Ok(crate::support::stage::opened()));
    assert_eq!((frame(&app), app.driven()), (0, Some(AgentId(0))));
    let mut opened = crate::support::stage::opened();
    let mut scenario = (*opened.scenario).clone();
    scenario.kinds[0].name = "warden".to_owned();
    opened.scenario = scenario.into();
    app.opened(Ok(opened));
    assert_eq!((app.driven(), app.context()), (None, Context::Map), "no agent of that name");
    press(&mut app, &[DRIVE, Key::Char('G')]);
    assert_eq!((app.driven(), app.context()), (None, Context::Gallery));
}
