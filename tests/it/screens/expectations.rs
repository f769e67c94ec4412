//! Expectations on the screen: the list, the status line, the timeline, going to verdicts, reloads.

use std::time::Duration;

use ratatui::layout::Rect;
use tilewalk::files::Options;
use tilewalk::files::config::OnReload;
use tilewalk::judge::Outcome;
use tilewalk::tui::Start;
use tilewalk::tui::action::Context;
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;

use crate::support::sample_maps::dark_theme;
use crate::support::scene::Scene;
use crate::support::screen::{
    Look, Size, command, dump, frame, go_to, message, opened, press, rows, saved_message, settle,
    type_text,
};

/// A cat that walks east, four frames per tile, a dog at rest, and their expectations.
const MAP: &str = r#"
seed = 7
tiles = """
............
............
"""
[[agent]]
name = "dog"
at = [0, 1]
[[agent]]
name = "cat"
at = [1, 0]
pace = 4
travel = [11, 0]

[[expect]]
name = "the cat arrives"
eventually = 'cat.tile_x == 9'
within = 5.0

[[expect]]
name = "the cat stays near"
never = 'cat.tile_x > 5'
within = 3.0

[[expect]]
name = "the dog runs"
eventually = 'dog.tile_x > 0'
within = 1.0
fails = "the dog is lazy"
seeds = 20

[[expect]]
name = "the cat barks"
when = 'cat.tile_x > 20'
then = 'dog.tile_x > 0'
within = 1.0
duration = 2.0
set = { "cat.pace" = 2 }
"#;

/// Returns a map, paused at frame 0.
fn paused_map(text: &str, (width, height): Size) -> App {
    let screen = Rect::new(0, 0, width, height);
    let mut app =
        App::new(vec![], Start::Map(opened(text, &Options::default())), screen, dark_theme()).0;
    type_text(&mut app, " ");
    app
}

/// Returns [`MAP`] at a frame, with the list of expectations open.
fn listed(at: u64, size: Size) -> App {
    let mut app = paused_map(MAP, size);
    go_to(&mut app, at);
    type_text(&mut app, "E");
    app
}

/// Returns the outcomes at the current frame, each with the frame of its verdict.
fn outcomes(app: &App) -> Vec<Option<(Outcome, u64)>> {
    let session = app.session().expect("a map");
    let outcome = |each: tilewalk::debugger::expectations::Judged| {
        each.outcome().zip(each.decided().map(|it| it.verdict.frame))
    };
    session.expectations().map(outcome).collect()
}

const ARRIVED: Option<(Outcome, u64)> = Some((Outcome::Pass, 32));
const STRAYED: Option<(Outcome, u64)> = Some((Outcome::Fail, 20));
const LAZY: Option<(Outcome, u64)> = Some((Outcome::Pass, 20));
const SILENT: Option<(Outcome, u64)> = Some((Outcome::Inconclusive, 40));

pub fn scenes() -> Vec<Scene> {
    let at = |name, size, frame| Scene::new(name, size, move |size| listed(frame, size));
    let lower = |size| {
        let mut app = listed(50, size);
        press(&mut app, &[Key::Down]);
        app
    };
    vec![
        at("expectations_start", (80, 24), 10),
        at("expectations_violated", (80, 24), 25),
        Scene::new("expectations_decided", (120, 40), lower),
        at("expectations_wide", (200, 60), 50),
    ]
}

#[test]
fn seeking_in_both_directions_shows_each_verdict_from_its_frame_on() {
    let mut app = paused_map(MAP, (120, 40));
    for (at, expected) in [
        (0, [None, None, None, None]),
        (19, [None, None, None, None]),
        (20, [None, STRAYED, LAZY, None]),
        (31, [None, STRAYED, LAZY, None]),
        (32, [ARRIVED, STRAYED, LAZY, None]),
        (40, [ARRIVED, STRAYED, LAZY, SILENT]),
        (31, [None, STRAYED, LAZY, None]),
        (19, [None, None, None, None]),
        (60, [ARRIVED, STRAYED, LAZY, SILENT]),
    ] {
        go_to(&mut app, at);
        assert_eq!(outcomes(&app), expected, "frame {at}");
    }
    press(&mut app, &[Key::Home]);
    press(&mut app, &[Key::Char('>'), Key::Char('>')]);
    assert_eq!(outcomes(&app), [None, STRAYED, LAZY, None]);
    // The step keys also work while the list is open.
    type_text(&mut app, "E,");
    assert_eq!(outcomes(&app), [None; 4]);
    assert!(dump(&app).contains("fail at frame 20"), "{}", dump(&app));
}

#[test]
fn the_status_line_counts_verdicts_and_shows_the_first_violation() {
    let mut app = paused_map(MAP, (200, 60));
    let status = |app: &App| rows(app).into_iter().rev().nth(1).expect("a status line");
    press(&mut app, &[Key::Char('>'), Key::Esc]);
    assert!(status(&app).contains("0 of 4 expectations met  "), "{}", status(&app));
    go_to(&mut app, 50);
    press(&mut app, &[Key::Char('.')]);
    let expected = "2 of 4 expectations met, 1 violated at frame 20, 1 inconclusive";
    assert!(status(&app).contains(expected), "{}", status(&app));
    app.update(tilewalk::tui::input::Input::Resize { width: 80, height: 24 });
    assert!(status(&app).contains("✓2/4 ✗1 at 20 ?1"), "{}", status(&app));
    let plain = MAP.split("[[expect]]").next().expect("a map");
    assert!(!dump(&paused_map(plain, (120, 40))).contains("met"));
}

#[test]
fn the_timeline_marks_violated_and_met_expectations() {
    let mut app = paused_map(MAP, (120, 40));
    go_to(&mut app, 60);
    press(&mut app, &[Key::Char('.')]);
    let bar = rows(&app).into_iter().rev().nth(2).expect("a timeline");
    assert_eq!((bar.matches('✗').count(), bar.matches('✓').count()), (1, 1), "{bar}");
    // The marks stay after a seek to an earlier frame.
    go_to(&mut app, 5);
    press(&mut app, &[Key::Char('.')]);
    let bar = rows(&app).into_iter().rev().nth(2).expect("a timeline");
    assert!(bar.contains('✗'), "{bar}");
    app.ui.setup.ascii = true;
    let bar = rows(&app).into_iter().rev().nth(2).expect("a timeline");
    assert!(bar.contains('X') && bar.contains('v') && bar.is_ascii(), "{bar}");
}

#[test]
fn enter_in_the_expectation_list_goes_to_the_frame_of_the_verdict() {
    let mut app = listed(50, (120, 40));
    // When the list opens, it selects the first violated expectation.
    assert_eq!(app.context(), Context::Expectations);
    press(&mut app, &[Key::Enter]);
    assert_eq!(frame(&app), 20);
    assert!(app.is_plain_map());
    let session = app.session().expect("a map");
    let selected = session.selected().map(|id| session.world().name(id).to_string());
    assert_eq!(selected.as_deref(), Some("cat"));
    assert!(
        message(&app).starts_with("the cat stays near: `cat.tile_x > 5` held"),
        "{}",
        message(&app)
    );
    type_text(&mut app, "E");
    press(&mut app, &[Key::Home, Key::Enter]);
    assert_eq!(frame(&app), 32, "a known verdict ahead");
    let mut app = listed(10, (120, 40));
    press(&mut app, &[Key::Enter]);
    assert_eq!(frame(&app), 10);
    assert!(message(&app).starts_with("the cat arrives: undecided"), "{}", message(&app));
    press(&mut app, &[Key::Esc]);
    command(&mut app, "expect");
    assert_eq!(app.context(), Context::Expectations);
    type_text(&mut app, "E");
    assert!(app.is_plain_map());
}

#[test]
fn a_reload_judges_the_expectations_again() {
    let mut app = listed(50, (120, 40));
    let save = |app: &mut App, text: &str| {
        app.receive(saved_message("map", text, &Options::default()));
        settle(app);
    };
    save(&mut app, &MAP.replace("cat.tile_x > 5", "cat.tile_x > 8"));
    assert_eq!(outcomes(&app)[1], Some((Outcome::Fail, 32)));
    assert_eq!((frame(&app), app.context()), (50, Context::Expectations), "the list stays open");
    save(&mut app, &MAP.replace("at = [1, 0]", "at = [11, 0]"));
    assert_eq!(outcomes(&app)[1], Some((Outcome::Fail, 0)));
    let shorter = MAP.split("[[expect]]\nname = \"the cat stays").next().expect("a map");
    press(&mut app, &[Key::End]);
    save(&mut app, shorter);
    assert_eq!(outcomes(&app), [ARRIVED]);
    press(&mut app, &[Key::Enter]);
    assert_eq!(frame(&app), 32, "the last row of a shorter list");
    type_text(&mut app, "E");
    save(&mut app, MAP.split("[[expect]]").next().expect("a map"));
    assert!(dump(&app).contains("none; add [[expect]]"), "{}", dump(&app));
    press(&mut app, &[Key::Enter]);
    assert_eq!(app.context(), Context::Expectations);
}

#[test]
fn a_reload_from_the_current_frame_on_uses_new_expectations_from_there_on() {
    let mut app = paused_map(MAP, (120, 40));
    app.wish_on_reload(OnReload::FromHere);
    go_to(&mut app, 25);
    let text = MAP.replace("cat.tile_x > 5", "cat.tile_x > 8");
    app.receive(saved_message("map", &text, &Options::default()));
    settle(&mut app);
    go_to(&mut app, 50);
    assert_eq!(outcomes(&app)[..2], [ARRIVED, Some((Outcome::Fail, 32))]);
    // Before the change, the old expectation applies.
    go_to(&mut app, 24);
    assert_eq!(outcomes(&app)[..2], [None, STRAYED]);
}

#[test]
fn expectations_are_judged_again_in_a_branch_of_the_run() {
    let mut app = paused_map(MAP, (120, 40));
    go_to(&mut app, 60);
    go_to(&mut app, 10);
    // Manual control moves the cat back west, in a new run.
    command(&mut app, "select cat");
    type_text(&mut app, "i");
    for _ in 0..30 {
        press(&mut app, &[Key::Left]);
    }
    assert!(frame(&app) > 32, "{}", frame(&app));
    assert_eq!(outcomes(&app)[..2], [None, None]);
    press(&mut app, &[Key::Esc]);
    // A changed value starts a new run too.
    let mut app = paused_map(MAP, (120, 40));
    go_to(&mut app, 60);
    go_to(&mut app, 10);
    command(&mut app, "set cat.pace=2");
    go_to(&mut app, 60);
    let judged = outcomes(&app);
    assert!(
        judged[1].is_some_and(|(outcome, at)| outcome == Outcome::Fail && at < 20),
        "{judged:?}"
    );
    type_text(&mut app, "a");
    assert_eq!(outcomes(&app)[1], STRAYED, "the run before the change");
}

#[test]
fn a_long_run_is_judged_again_in_slices_after_a_reload() {
    let mut app = paused_map(MAP, (120, 40));
    go_to(&mut app, 15_000);
    type_text(&mut app, "E");
    let late = "[[expect]]\nname = \"late\"\neventually = 'frame == 14990'\nwithin = 1000.0\n";
    app.receive(saved_message("map", &format!("{MAP}{late}"), &Options::default()));
    let (mut slices, mut shown) = (0, 0);
    while app.until_next().is_some() {
        let mut left = 100;
        app.pass(Duration::ZERO, || {
            left -= 1;
            left > 0
        });
        shown += usize::from(dump(&app).contains(", judging "));
        slices += 1;
        assert!(slices < 1_000, "the screen is never idle");
    }
    assert!(shown > 20, "{shown} of {slices}");
    assert_eq!(outcomes(&app), [ARRIVED, STRAYED, LAZY, SILENT, Some((Outcome::Pass, 14_990))]);
}
