//! Manual control on the screen: pressed keys, selection, restarts and reloads.

use std::time::Duration;

use tilewalk::geom::TilePos;
use tilewalk::id::AgentId;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::input::{Input, Key};

use crate::support::build;
use crate::support::sample_maps::map_screen;
use crate::support::scene::Scene;
use crate::support::screen::{Look, dump, frame, press};

const SPACE: Key = Key::Char(' ');
const DRIVE: Key = Key::Char('i');

/// Returns a paused screen. The agent with the given index is under manual control.
fn driving(width: u16, height: u16, agent: usize) -> App {
    let mut app = map_screen(width, height);
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
fn a_manual_move_while_paused_simulates_the_frames_that_it_takes() {
    let mut app = driving(80, 24, 0);
    // The agent's next pattern step is due in the next frame.
    press(&mut app, &[Key::Char('.'); 3]);
    press(&mut app, &[Key::Right]);
    assert_eq!((frame(&app), tile(&app, 0)), (7, (4, 2)), "a step of four frames");
    press(&mut app, &[Key::Char('w')]);
    assert_eq!((frame(&app), tile(&app, 0)), (11, (4, 1)));
    press(&mut app, &[Key::Up]);
    assert_eq!((frame(&app), tile(&app, 0)), (12, (4, 1)), "refused after one frame");
    assert!(dump(&app).contains("blocked: wall (4, 0)"), "the reason is shown:\n{}", dump(&app));
    press(&mut app, &[Key::Tab, Key::Tab, Key::Tab, DRIVE, Key::Down]);
    assert_eq!((frame(&app), app.driven()), (13, Some(AgentId(3))), "a vehicle: one frame");
    let explanation = app.session().unwrap().explanation().unwrap();
    assert_eq!(explanation.forces.rows[0].behaviour, "keys");
    assert!(!app.map().clock.playing);
}

#[test]
fn during_playback_the_last_direction_key_takes_effect_at_the_next_step() {
    let mut app = driving(80, 24, 0);
    press(&mut app, &[SPACE, Key::Right, Key::Right, Key::Right]);
    let mut tiles = vec![];
    for _ in 0..8 {
        app.pass(Duration::from_millis(50), || true);
        tiles.push(tile(&app, 0).0);
    }
    assert_eq!(tiles, [3, 3, 3, 4, 4, 4, 4, 4], "only the last press before the step counts");
    press(&mut app, &[Key::Right]);
    app.pass(Duration::from_millis(50), || true);
    press(&mut app, &[Key::Right]);
    (0..8).for_each(|_| {
        app.pass(Duration::from_millis(50), || true);
    });
    assert_eq!(tile(&app, 0).0, 6, "the second press waited for the next step");
}

#[test]
fn an_arrow_key_pushes_a_vehicle_for_the_same_real_time_at_any_speed() {
    for (keys, frames) in [("", 6), ("+", 12), ("-", 3)] {
        let mut app = driving(80, 24, 3);
        press(&mut app, &keys.chars().map(Key::Char).collect::<Vec<_>>());
        press(&mut app, &[SPACE, Key::Left]);
        let mut pushed = 0;
        for _ in 0..40 {
            let before = frame(&app);
            app.pass(Duration::from_millis(50), || true);
            let explanation = app.session().unwrap().explanation();
            let direction = explanation.and_then(|it| it.held).and_then(|held| held.direction);
            pushed += if direction.is_some() { frame(&app) - before } else { 0 };
        }
        assert_eq!(pushed, frames, "at the speed after `{keys}`");
    }
}

#[test]
fn manual_control_stays_when_another_agent_is_selected() {
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
    assert_eq!(app.driven(), Some(AgentId(1)), "another agent is driven");
    press(&mut app, &[DRIVE]);
    assert_eq!((app.driven(), app.context()), (None, Context::Map), "the key ends manual control");
    press(&mut app, &[Key::Right]);
    assert_eq!(tile(&app, 0), (4, 2), "the arrow steps a frame again");
}

#[test]
fn escape_ends_manual_control_with_a_message() {
    let mut app = driving(80, 24, 0);
    assert!(dump(&app).contains("driving guard: arrows or wasd, Esc stops"), "{}", dump(&app));
    assert_eq!(app.update(Input::Key(Key::Esc)), None);
    assert_eq!(app.driven(), None);
    assert!(dump(&app).contains("stopped driving guard"), "{}", dump(&app));
}

#[test]
fn a_restart_and_a_reload_keep_manual_control_but_drop_pressed_keys() {
    let mut app = driving(80, 24, 0);
    press(&mut app, &[SPACE, Key::Right, Key::Char('r')]);
    assert_eq!((frame(&app), app.driven()), (0, Some(AgentId(0))));
    app.pass(Duration::from_millis(200), || true);
    assert_eq!(tile(&app, 0), (3, 2));
    app.opened(Ok(crate::support::sample_maps::opened()));
    assert_eq!((frame(&app), app.driven()), (0, Some(AgentId(0))));
    let mut opened = crate::support::sample_maps::opened();
    let mut scenario = (*opened.scenario).clone();
    build::edit(&mut scenario, |parts| parts.kinds[0].name = "warden".to_owned());
    opened.scenario = scenario.into();
    app.opened(Ok(opened));
    assert_eq!((app.driven(), app.context()), (None, Context::Map), "no agent of that name");
    press(&mut app, &[DRIVE, Key::Char('G')]);
    assert_eq!((app.driven(), app.context()), (None, Context::Gallery));
}
