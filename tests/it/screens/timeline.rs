//! The timeline, ghosts and the list of runs: marks, seeking with the mouse, and what ends a seek or a search.

use std::time::Duration;

use tilewalk::geom::TilePos;
use tilewalk::time::Frame;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::draw;
use tilewalk::tui::input::{Cell, Input, Key};
use tilewalk::tui::timeline::MarkKind;

use crate::support::sample_maps::map_screen;
use crate::support::scene::Scene;
use crate::support::screen::{Look, command, dump, frame, go_to, press, settle, shipped};

/// Returns the map after the given number of frames, paused, with the vagabond selected.
fn after(width: u16, height: u16, frames: u32) -> App {
    let mut app = map_screen(width, height);
    press(&mut app, &[Key::Char(' '), Key::BackTab]);
    app.map_mut().session.run(frames, || true);
    settle(&mut app);
    app
}

/// Returns a screen with the vagabond under manual control from frame 90 on. The old run is the ghost.
fn with_ghost(width: u16, height: u16) -> App {
    let mut app = after(width, height, 120);
    press(&mut app, &[Key::Char('<'), Key::Char('<'), Key::Char('<'), Key::Char('i')]);
    press(&mut app, &[Key::Up; 12]);
    app
}

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("timeline", (80, 24), |(width, height)| {
            let mut app = after(width, height, 420);
            go_to(&mut app, 60);
            command(&mut app, "bookmark");
            go_to(&mut app, 290);
            command(&mut app, "break frame == 300");
            press(&mut app, &[Key::Char('c')]);
            go_to(&mut app, 250);
            // Keys that change nothing close the message.
            press(&mut app, &[Key::Char('o'), Key::Esc]);
            app
        }),
        Scene::new("ghost", (80, 24), |(width, height)| with_ghost(width, height)),
        Scene::new("runs", (80, 24), |(width, height)| {
            let mut app = with_ghost(width, height);
            press(&mut app, &[Key::Esc]);
            command(&mut app, "runs");
            press(&mut app, &[Key::Up]);
            app
        }),
    ]
}

/// Returns the frames that the timeline marks as stops at breakpoints.
fn stops(app: &App) -> Vec<u64> {
    let marks = app.session().expect("a map").marks().into_iter();
    marks.filter(|mark| mark.kind == MarkKind::Stop).map(|mark| mark.frame.0).collect()
}

#[test]
fn stops_at_breakpoints_are_marked_on_the_timeline() {
    let mut app = after(80, 24, 10);
    command(&mut app, "break frame == 30 or frame == 50");
    press(&mut app, &[Key::Char('c')]);
    assert_eq!((frame(&app), stops(&app)), (30, vec![30]));
    press(&mut app, &[Key::Char('c')]);
    go_to(&mut app, 100);
    assert_eq!(stops(&app), [30, 50], "a seek does not stop at breakpoints");
    press(&mut app, &[Key::Char('C'), Key::Char('C')]);
    assert_eq!((frame(&app), stops(&app)), (30, vec![30, 50]));
    // A key of manual control at frame 30 starts a run without these stops.
    press(&mut app, &[Key::Char('i'), Key::Up]);
    assert!(stops(&app).is_empty());
}

#[test]
fn a_long_seek_shows_its_progress_and_can_be_stopped() {
    let mut app = after(80, 24, 90);
    press(&mut app, &":goto 100000".chars().map(Key::Char).collect::<Vec<_>>());
    app.update(Input::Key(Key::Enter));
    app.pass(Duration::from_millis(60), || false);
    assert!(!dump(&app).contains("seeking"), "a short seek shows no progress");
    app.pass(Duration::from_millis(60), || false);
    assert!(dump(&app).contains("seeking frame 100000: at 92, 0%; Esc stops"));
    press(&mut app, &[Key::Esc]);
    assert_eq!(frame(&app), 92);
    assert!(dump(&app).contains("stopped at frame 92"));
}

#[test]
fn the_command_goto_accepts_a_time_instead_of_a_frame() {
    let mut app = after(80, 24, 90);
    press(&mut app, &":goto 1.5s".chars().map(Key::Char).collect::<Vec<_>>());
    press(&mut app, &[Key::Enter]);
    assert_eq!(frame(&app), 30);
}

#[test]
fn clicks_and_drags_on_the_timeline_seek_within_the_run() {
    let mut app = after(80, 24, 150);
    let bar = draw::timeline::bar(app.layout().timeline);
    let at = |x: u16| Cell { x: bar.x + x, y: bar.y };
    app.update(Input::Click(at(35)));
    assert_eq!(frame(&app), 100, "the middle of a bar of 200 frames");
    app.update(Input::Drag(at(0)));
    assert_eq!(frame(&app), 0);
    app.update(Input::Drag(Cell { x: 79, y: 0 }));
    assert_eq!(frame(&app), 150, "a drag stops at the end of the run");
    app.update(Input::Release);
    app.update(Input::Drag(at(0)));
    assert_eq!(frame(&app), 150);
    assert_eq!(app.session().expect("a map").history().run().end(), Frame(150));
}

/// Enters keys, and does not wait for a seek or search that they start.
fn keys(app: &mut App, text: &str) {
    for c in text.chars() {
        app.update(Input::Key(if c == '\n' { Key::Enter } else { Key::Char(c) }));
    }
}

/// Passes enough time for an unfinished seek or search to continue.
fn wait(app: &mut App) {
    for _ in 0..20 {
        let mut left = 2000;
        app.pass(Duration::from_millis(30), || {
            left -= 1;
            left > 0
        });
    }
}

#[test]
fn a_click_on_the_timeline_ends_a_seek_or_a_search() {
    let mut app = after(80, 24, 12_000);
    let bar = draw::timeline::bar(app.layout().timeline);
    let first = Cell { x: bar.x, y: bar.y };
    command(&mut app, "break frame == 3");
    keys(&mut app, "C");
    assert!(dump(&app).contains("searching backwards"));
    app.update(Input::Click(first));
    wait(&mut app);
    assert_eq!((frame(&app), app.until_next()), (0, None));
    app.update(Input::Release);
    keys(&mut app, ":goto 100000\n");
    app.update(Input::Click(first));
    wait(&mut app);
    assert_eq!((frame(&app), app.until_next()), (0, None));
}

#[test]
fn going_to_the_last_hit_in_the_breakpoint_list_ends_a_seek() {
    let mut app = after(80, 24, 10);
    command(&mut app, "break frame == 30");
    press(&mut app, &[Key::Char('c')]);
    keys(&mut app, ":goto 100000\nB\n");
    wait(&mut app);
    assert_eq!((frame(&app), app.until_next()), (30, None));
}

/// Drags the vagabond to a tile.
fn drag_vagabond(app: &mut App, to: TilePos) {
    let session = app.session().expect("a map");
    let id = session.scenario().find("vagabond").expect("an agent");
    let from = session.world().tile(id);
    let view = app.view().expect("a map");
    let cell = |tile| view.cell(tile).expect("a tile in view");
    app.update(Input::Click(cell(from)));
    app.update(Input::Drag(cell(to)));
    app.update(Input::Release);
}

#[test]
fn dragging_an_agent_ends_a_seek_or_a_search() {
    let mut app = after(120, 40, 12_000);
    keys(&mut app, ":goto 100000\n");
    drag_vagabond(&mut app, TilePos::new(9, 9));
    let now = frame(&app);
    wait(&mut app);
    assert_eq!((frame(&app), app.until_next()), (now, None));
    command(&mut app, "break frame == 3");
    keys(&mut app, "C");
    assert!(dump(&app).contains("searching backwards"));
    drag_vagabond(&mut app, TilePos::new(6, 9));
    wait(&mut app);
    assert_eq!((frame(&app), app.until_next()), (now + 1, None));
}

#[test]
fn changing_a_value_ends_a_search() {
    let mut app = shipped("castle", (120, 40));
    go_to(&mut app, 25_000);
    command(&mut app, "break frame == 3");
    keys(&mut app, "C");
    assert!(dump(&app).contains("searching backwards"));
    keys(&mut app, ":set guard.patrol.pace=2\n");
    wait(&mut app);
    assert_eq!((frame(&app), app.until_next()), (25_001, None));
}

#[test]
fn escape_hides_the_ghost_only_after_closing_panes_and_keeps_its_run() {
    let mut app = after(120, 40, 120);
    press(&mut app, &[Key::Char('<'), Key::Char('<'), Key::Char('<'), Key::Char('i'), Key::Up]);
    assert!(dump(&app).contains("run 2 branches at frame 90; ghost: run 1 (:hide-ghost hides it)"));
    press(&mut app, &[Key::Up; 12]);
    press(&mut app, &[Key::Esc]);
    assert!(app.driven().is_none());
    press(&mut app, &[Key::Char('.')]);
    assert!(dump(&app).contains("ghost: run 1, branched at 90"));
    press(&mut app, &[Key::Enter, Key::Esc]);
    assert!(dump(&app).contains("ghost: run 1"), "Esc closes the pane first");
    press(&mut app, &[Key::Esc]);
    press(&mut app, &[Key::Char('.')]);
    assert!(!dump(&app).contains("ghost"));
    press(&mut app, &":runs".chars().map(Key::Char).collect::<Vec<_>>());
    press(&mut app, &[Key::Enter]);
    assert!((app.context(), app.list().and_then(|list| list.selected)) == (Context::Runs, Some(1)));
    press(&mut app, &[Key::Up, Key::Enter, Key::End]);
    assert_eq!(frame(&app), 120);
    assert!(dump(&app).contains("ghost: run 2, ended at 105"));
}
