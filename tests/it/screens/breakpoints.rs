//! Breakpoints on the screen: setting them, hitting them, and searching backwards.

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;
use tilewalk::files::{self, Kept, Options};
use tilewalk::history::breaks::{Break, Breaks, Trigger};
use tilewalk::history::run::RunId;
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};
use tilewalk::tui::{Opened, Start};
use tilewalk::world::World;

use crate::support::sample_maps::dark_theme;
use crate::support::scene::Scene;
use crate::support::screen::{self, Look, Size, frame, message, press, type_text};

const CHASE: &str = "guard.mode == \"chase\"";

fn scenario() -> Arc<Scenario> {
    let origin = tilewalk::builtin::origin("castle");
    files::load(&origin, &Options::default()).expect("a map").scenario.expect("a valid map")
}

/// Returns the castle, paused at frame 0.
fn castle(width: u16, height: u16, breaks: Breaks) -> App {
    let kept = Kept { breaks, ..Kept::default() };
    let opened = Opened { kept, ..Opened::new("castle", "castle.toml", scenario()) };
    let mut app =
        App::new(vec![], Start::Map(opened), Rect::new(0, 0, width, height), dark_theme()).0;
    press(&mut app, &[Key::Char(' ')]);
    app
}

fn run(app: &mut App, command: &str) -> Option<Effect> {
    press(app, &[Key::Char(':')]);
    press(app, &command.chars().map(Key::Char).collect::<Vec<_>>());
    app.update(Input::Key(Key::Enter))
}

/// Lets time pass until the screen is idle.
fn settle(app: &mut App) {
    while app.until_next().is_some() {
        app.pass(Duration::from_millis(30), || true);
    }
}

fn hits(app: &App) -> Vec<u64> {
    app.session().expect("a map").breaks().iter().map(Break::hits).collect()
}

/// Returns the frames, among the first `frames`, at which the guard starts to chase.
fn chase_starts(frames: u64) -> Vec<u64> {
    let mut world = World::new(scenario());
    let guard = world.scenario().find("guard").expect("a guard");
    let mut found = Vec::new();
    for _ in 0..frames {
        let before = world.mode(guard).name.clone();
        step(&mut world);
        if world.mode(guard).name == "chase" && before != "chase" {
            found.push(world.frame().0);
        }
    }
    found
}

#[test]
fn playback_pauses_at_the_exact_frame_of_a_hit_at_any_speed() {
    let first = chase_starts(2000)[0];
    for speed in ["1", "64", "max"] {
        let mut app = castle(80, 24, Breaks::default());
        run(&mut app, &format!("break {CHASE}"));
        run(&mut app, &format!("speed {speed}"));
        type_text(&mut app, " ");
        for _ in 0..5000 {
            app.pass(Duration::from_millis(240), || true);
        }
        assert!(!app.map().clock.playing, "×{speed}");
        assert_eq!((frame(&app), hits(&app)), (first, vec![1]), "×{speed}");
        assert_eq!(message(&app), format!("● frame {first}: breakpoint 1: {CHASE}"));
        // Playback continues from the frame of the hit.
        type_text(&mut app, " ");
        app.pass(Duration::from_millis(240), || true);
        assert!(frame(&app) > first, "×{speed}");
    }
}

#[test]
fn continue_and_reverse_continue_go_to_the_next_and_previous_hit() {
    let chase_starts = chase_starts(6000);
    let mut app = castle(80, 24, Breaks::default());
    type_text(&mut app, "c");
    assert!(message(&app).contains("no active breakpoint"), "{}", message(&app));
    run(&mut app, &format!("break {CHASE}"));
    assert_eq!(message(&app), format!("breakpoint 1: {CHASE}; c: next hit, C: previous hit"));
    type_text(&mut app, "c");
    assert_eq!((frame(&app), hits(&app)), (chase_starts[0], vec![1]));
    type_text(&mut app, "c");
    assert_eq!((frame(&app), hits(&app)), (chase_starts[1], vec![2]));
    type_text(&mut app, ",,,");
    assert_eq!(frame(&app), chase_starts[1] - 3);
    type_text(&mut app, "C");
    assert_eq!((frame(&app), hits(&app)), (chase_starts[0], vec![3]));
    assert_eq!(message(&app), format!("● frame {}: breakpoint 1: {CHASE}", chase_starts[0]));
    type_text(&mut app, "C");
    assert_eq!(message(&app), format!("no breakpoint hit before frame {}", chase_starts[0]));
    assert_eq!(frame(&app), chase_starts[0]);
    // `c` first searches the frames that are already simulated, and then simulates new ones. Setting
    // the same breakpoint again has no effect.
    run(&mut app, &format!("break {CHASE}"));
    type_text(&mut app, "cc");
    assert_eq!((frame(&app), hits(&app)), (chase_starts[2], vec![5]));
    run(&mut app, "last guard.mode");
    assert!(frame(&app) < chase_starts[2] && frame(&app) >= chase_starts[1], "{}", frame(&app));
    let start = format!("frame {}: guard.mode: ", frame(&app));
    assert!(
        message(&app).starts_with(&start) && message(&app).contains(" → "),
        "{}",
        message(&app)
    );
}

#[test]
fn a_watchpoint_hit_shows_the_old_and_the_new_value() {
    let mut app = castle(80, 24, Breaks::default());
    run(&mut app, "watch guard.tile_x");
    type_text(&mut app, "c");
    let (moved, text) = (frame(&app), message(&app).to_owned());
    assert!(
        text.starts_with(&format!("● frame {moved}: watchpoint 1: guard.tile_x: 13 → 1")),
        "{text}"
    );
    // A single step to that frame also shows the message. A seek does not stop at the watchpoint.
    type_text(&mut app, ",.");
    assert_eq!(message(&app), text);
    run(&mut app, "goto 500");
    settle(&mut app);
    assert_eq!(frame(&app), 500);
    run(&mut app, "delete-break 2");
    let complaint = app.prompt.line.as_ref().and_then(|line| line.complaint());
    assert_eq!(
        complaint,
        Some((Some(13..14), "no breakpoint 2; :breakpoints lists all breakpoints"))
    );
    press(&mut app, &[Key::Esc]);
    run(&mut app, "delete-break 1");
    assert_eq!(hits(&app), [0u64; 0]);
}

#[test]
fn bracket_keys_go_to_the_previous_and_next_event_of_the_selected_agent() {
    let mut app = castle(80, 24, Breaks::default());
    run(&mut app, "goto 1500");
    settle(&mut app);
    let session = app.session().expect("a map");
    let mine = session.history().run().events().iter().filter(|event| event.agent.0 == 0);
    let mut frames: Vec<u64> = mine.map(|event| event.frame.0).collect();
    frames.dedup();
    assert!(frames.len() > 3);
    let mut found = Vec::new();
    for _ in &frames {
        type_text(&mut app, "[");
        found.push(frame(&app));
    }
    found.reverse();
    assert_eq!(found, frames);
    type_text(&mut app, "[");
    assert_eq!(message(&app), format!("no earlier event of guard; still at frame {}", frames[0]));
    type_text(&mut app, "]");
    assert_eq!(frame(&app), frames[1]);
    run(&mut app, "break event arrived");
    type_text(&mut app, "c");
    assert!(message(&app).ends_with("breakpoint 1: event(arrived)"), "{}", message(&app));
}

#[test]
fn a_command_with_an_invalid_condition_stays_open_and_shows_the_error() {
    let mut app = castle(80, 24, Breaks::default());
    for (text, column, expected) in [
        ("break guard.mode == ", 20, "unexpected end of the condition"),
        ("break event bumb", 13, "unknown event `bumb`"),
        ("break guard.mode == 'chsae'", 21, "guard has no mode \"chsae\": did you mean `chase`?"),
        ("watch guard.tile_z", 7, "unknown field `tile_z`"),
    ] {
        run(&mut app, text);
        let palette = app.prompt.line.as_ref().expect("the line is still open");
        let (span, error) = palette.complaint().expect("a complaint");
        assert_eq!(span.map(|it| it.start + 1), Some(column), "{text}: {error}");
        assert!(error.starts_with(expected), "{error}");
        press(&mut app, &[Key::Esc]);
    }
    type_text(&mut app, "b");
    let proposed = app.prompt.line.as_ref().expect("an open line").line().text().to_owned();
    assert_eq!(proposed, format!("break {CHASE}"));
}

#[test]
fn a_backward_search_can_be_stopped_and_restarted() {
    let mut app = castle(80, 24, Breaks::default());
    run(&mut app, "goto 25000");
    settle(&mut app);
    run(&mut app, "break guard.x < 0");
    app.update(Input::Key(Key::Char('C')));
    assert!(message(&app).starts_with("searching backwards: frame "), "{}", message(&app));
    press(&mut app, &[Key::Esc]);
    assert_eq!(message(&app), "stopped at frame 25000");
    assert_eq!(app.until_next(), None);
    app.update(Input::Key(Key::Char('C')));
    // Let the search run to its end, in slices.
    while app.until_next().is_some() {
        let mut left = 999;
        app.pass(Duration::from_millis(30), || {
            left -= 1;
            left > 0
        });
    }
    assert_eq!(message(&app), "no breakpoint hit before frame 25000");
    run(&mut app, "break frame == 40");
    type_text(&mut app, "C");
    settle(&mut app);
    assert_eq!((frame(&app), hits(&app)), (40, vec![0, 1]));
}

/// Presses a key without waiting for a running search.
fn key(app: &mut App, key: Key) {
    app.update(Input::Key(key));
}

/// A name, and an action that shows another run or changes the map.
type Action = (&'static str, fn(&mut App));

const ACTIONS: [Action; 6] = [
    ("flip", |app| key(app, Key::Char('a'))),
    ("paint", |app| key(app, Key::Char('p'))),
    ("runs", |app| {
        key(app, Key::Up);
        key(app, Key::Enter);
    }),
    ("diff", |app| app.compared(Ok(Opened::new("b", "b.toml", scenario())), None)),
    ("reload", |app| {
        app.receive(screen::saved_message("castle", "tiles = '...'\n", &Options::default()));
    }),
    ("session", |app| app.map_mut().session.switch_run(RunId(0))),
];

#[test]
fn a_backward_search_ends_when_another_run_is_shown_or_started() {
    let mut app = castle(80, 24, Breaks::default());
    run(&mut app, "goto 25000");
    settle(&mut app);
    type_text(&mut app, ",");
    run(&mut app, "set guard.patrol.pace=2");
    settle(&mut app);
    run(&mut app, "break guard.x < 0");
    let is_searching = |app: &App| app.session().expect("a map").is_searching_back();
    for (name, action) in ACTIONS {
        let mut app = app.clone();
        if name == "runs" {
            run(&mut app, "runs");
        }
        let session = &mut app.map_mut().session;
        let breaks = session.breaks().clone();
        session.search_back(breaks);
        assert!(is_searching(&app), "{name}");
        action(&mut app);
        assert!(!is_searching(&app), "{name}");
    }
    // Showing the other run ends the search and keeps the current frame.
    key(&mut app, Key::Char('C'));
    assert!(message(&app).starts_with("searching backwards: frame "), "{}", message(&app));
    key(&mut app, Key::Char('a'));
    assert_eq!(message(&app), "showing run 1");
    settle(&mut app);
    assert_eq!((frame(&app), message(&app)), (25_000, "showing run 1"));
}

/// Returns a screen with the open breakpoint list. One of its three breakpoints is disabled.
fn listed((width, height): Size) -> App {
    let read = |trigger, text| Break::read(trigger, text, &scenario()).expect("a condition");
    let breaks = [
        read(Trigger::Condition, CHASE),
        read(Trigger::Change, "thief.tile_x"),
        read(Trigger::Condition, "distance(guard, thief) < 2 and not guard.blocked"),
    ];
    let mut app = castle(width, height, breaks.into_iter().collect());
    type_text(&mut app, "cccB");
    press(&mut app, &[Key::Down, Key::Down, Key::Char(' '), Key::Up]);
    app
}

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("breaks", (120, 40), listed)
            .differing_from(|size| screen::shipped("castle", size)),
    ]
}

#[test]
fn d_deletes_the_selected_breakpoint_and_keeps_the_frame() {
    let mut app = listed((80, 24));
    let here = frame(&app);
    type_text(&mut app, "d");
    assert_eq!((app.session().expect("a map").breaks().len(), frame(&app)), (2, here));
    press(&mut app, &[Key::Esc]);
    assert!(app.is_plain_map());
}

#[test]
fn the_save_breaks_command_returns_an_effect_and_shows_the_written_file() {
    let mut app = castle(80, 24, Breaks::default());
    assert_eq!(run(&mut app, "save-breaks"), Some(Effect::SaveBreaks));
    app.saved_breaks(Ok("maps/castle.breaks.toml".to_owned()));
    assert_eq!(message(&app), "breakpoints and bookmarks written to maps/castle.breaks.toml");
}

#[test]
fn changing_a_value_steps_one_frame_and_updates_the_breakpoint_hits() {
    let mut app = castle(80, 24, Breaks::default());
    let hits = |app: &App| app.session().expect("a map").hits().to_vec();
    run(&mut app, "break frame == 30 or frame == 32");
    type_text(&mut app, "c");
    assert_eq!((frame(&app), hits(&app)), (30, vec![0]));
    run(&mut app, "set guard.patrol.pace=2");
    assert_eq!((frame(&app), hits(&app)), (31, vec![]));
    run(&mut app, "set guard.patrol.pace=3");
    assert_eq!((frame(&app), hits(&app)), (32, vec![0]));
    type_text(&mut app, "u");
    assert_eq!((frame(&app), hits(&app)), (33, vec![]));
}
