//! Comparing a run with one that has another seed or map, using the command `:diff`.

use std::sync::Arc;
use std::time::Duration;

use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::tui::Opened;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};
use tilewalk::world::World;

use crate::support::build;
use crate::support::sample_maps;
use crate::support::scene::Scene;
use crate::support::screen::{dump, frame, message, press};

/// Returns the sample map with another seed, which changes only the motion of the vagabond and the ogre.
fn other_seed() -> Opened {
    let opened = sample_maps::opened();
    let mut scenario = Scenario::clone(&opened.scenario);
    build::edit(&mut scenario, |parts| parts.seed = 8);
    Opened { scenario: Arc::new(scenario), ..opened }
}

fn command(app: &mut App, text: &str) -> Option<Effect> {
    press(app, &[Key::Char(':')]);
    text.chars().for_each(|c| press(app, &[Key::Char(c)]));
    app.update(Input::Key(Key::Enter))
}

/// Lets time pass in slices until the screen is idle. Returns the number of slices.
fn settle(app: &mut App) -> u32 {
    for slice in 0..100_000 {
        if app.until_next().is_none() {
            return slice;
        }
        let mut left = 3;
        app.pass(Duration::from_millis(10), || {
            left -= 1;
            left > 0
        });
    }
    panic!("the screen is never idle");
}

/// Returns the first frame in which the hashes of the worlds differ.
fn first_difference(a: &Opened, b: &Opened) -> u64 {
    let [mut a, mut b] = [a, b].map(|opened| World::new(Arc::clone(&opened.scenario)));
    while a.hash() == b.hash() {
        step(&mut a);
        step(&mut b);
    }
    a.frame().0
}

pub fn scenes() -> Vec<Scene> {
    vec![Scene::new("rival", (120, 40), |(width, height)| {
        let mut app = sample_maps::map_screen(width, height);
        press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('>')]);
        app.compared(Ok(other_seed()), Some(8));
        settle(&mut app);
        press(&mut app, &[Key::Char('>'); 6]);
        settle(&mut app);
        app
    })]
}

#[test]
fn a_comparison_goes_to_the_first_difference_and_follows_later_seeks() {
    let mut app = sample_maps::map_screen(120, 40);
    press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('>')]);
    app.compared(Ok(other_seed()), Some(8));
    settle(&mut app);
    assert_eq!(frame(&app), first_difference(&sample_maps::opened(), &other_seed()));
    let last = message(&app).lines().last().unwrap_or_default();
    assert!(
        last.starts_with(&format!("first difference: frame {}, ", frame(&app))),
        "{}",
        message(&app)
    );
    assert!(message(&app).contains("arrived"), "{}", message(&app));
    for keys in [&[Key::Char('>'); 4][..], &[Key::Char(','); 7], &[Key::Home], &[Key::End]] {
        press(&mut app, keys);
        settle(&mut app);
        let mut expected = World::new(other_seed().scenario);
        while expected.frame().0 < frame(&app) {
            step(&mut expected);
        }
        let session = app.session().expect("a map");
        let compared = session.history().comparison_world().expect("the other run");
        assert_eq!(compared.hash(), expected.hash(), "frame {}", frame(&app));
    }
    press(&mut app, &[Key::Char('>'); 6]);
    settle(&mut app);
    let screen = dump(&app);
    assert!(screen.contains('◌') && screen.contains("vs stage.toml (seed 8)"), "{screen}");
    command(&mut app, "diff");
    let screen = dump(&app);
    assert!(!screen.contains('◌') && !screen.contains("vs stage"), "{screen}");
}

#[test]
fn the_message_about_the_first_difference_stays_after_the_seek_to_it() {
    let mut app = sample_maps::map_screen(80, 24);
    press(&mut app, &[Key::Char(' ')]);
    app.compared(Ok(other_seed()), Some(8));
    settle(&mut app);
    assert_eq!(frame(&app), first_difference(&sample_maps::opened(), &other_seed()));
    let last = message(&app).lines().last().unwrap_or_default();
    assert!(last.starts_with("first difference: frame "), "{}", message(&app));
    command(&mut app, "goto 900");
    settle(&mut app);
    assert_eq!(message(&app), "reached frame 900");
}

#[test]
fn comparing_equal_runs_shows_a_message_and_keeps_the_current_frame() {
    let mut app = sample_maps::map_screen(80, 24);
    press(&mut app, &[Key::Char(' '), Key::Char('>')]);
    let before = frame(&app);
    app.compared(Ok(sample_maps::opened()), None);
    settle(&mut app);
    assert_eq!((message(&app), frame(&app)), ("no differences in 1001 frames", before));
}

#[test]
fn a_comparison_finds_differences_caused_by_manual_control() {
    let mut app = sample_maps::map_screen(80, 24);
    press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('i'), Key::Left, Key::Esc]);
    let last_frame = frame(&app);
    app.compared(Ok(sample_maps::opened()), None);
    settle(&mut app);
    assert!(message(&app).contains("guard"), "{}", message(&app));
    assert!((11..=last_frame).contains(&frame(&app)), "{} of {last_frame}", frame(&app));
}

#[test]
fn a_new_ghost_replaces_the_previous_one() {
    let mut app = sample_maps::map_screen(120, 40);
    press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('>')]);
    app.compared(Ok(other_seed()), Some(8));
    settle(&mut app);
    press(&mut app, &[Key::Home, Key::Char('i'), Key::Left, Key::Esc]);
    settle(&mut app);
    let screen = dump(&app);
    assert!(screen.contains("ghost: run 1") && !screen.contains("vs stage"), "{screen}");
    app.compared(Ok(other_seed()), Some(8));
    settle(&mut app);
    let screen = dump(&app);
    assert!(!screen.contains("ghost: run 1") && screen.contains("vs stage"), "{screen}");
}

#[test]
fn a_comparison_can_be_stopped_and_its_errors_are_shown() {
    let mut app = sample_maps::map_screen(80, 24);
    press(&mut app, &[Key::Char(' ')]);
    app.compared(Ok(sample_maps::opened()), None);
    for _ in 0..5 {
        app.pass(Duration::from_millis(10), || false);
    }
    press(&mut app, &[Key::Esc]);
    assert_eq!((app.until_next(), frame(&app)), (None, 0));
    assert!(message(&app).starts_with("stopped"), "{}", message(&app));
    app.compared(Err("no such map".to_owned()), None);
    assert!(dump(&app).contains("no such map"));
    press(&mut app, &[Key::Esc]);
    assert_eq!(command(&mut app, "diff seed x"), None);
    let complaint = app.prompt.line.as_ref().and_then(|line| line.complaint());
    assert_eq!(complaint, Some((Some(5..11), "the seed must be a whole number below 2^53")));
}

#[test]
fn esc_hide_ghost_and_diff_all_close_the_comparison_run() {
    for close in ["esc", "hide-ghost", "diff"] {
        let mut app = sample_maps::map_screen(80, 24);
        press(&mut app, &[Key::Char(' ')]);
        app.compared(Ok(sample_maps::opened()), None);
        settle(&mut app);
        if close == "esc" {
            press(&mut app, &[Key::Esc]);
        } else {
            command(&mut app, close);
        }
        assert_eq!(message(&app), "comparison run closed", "{close}");
        let session = app.session().expect("a map");
        assert!(session.history().other_side().is_none());
    }
}
