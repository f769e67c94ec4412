//! The comparison run: `:diff` on the screen.

use std::sync::Arc;
use std::time::Duration;

use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::tui::Opened;
use tilewalk::tui::app::{App, Effect};
use tilewalk::tui::input::{Input, Key};
use tilewalk::world::World;

use crate::support::scene::Scene;
use crate::support::screen::{dump, frame, message, press};
use crate::support::stage;

/// The stage with another seed: only the vagabond and the ogre roll dice.
fn other_seed() -> Opened {
    let opened = stage::opened();
    let mut scenario = Scenario::clone(&opened.scenario);
    scenario.seed = 8;
    Opened { scenario: Arc::new(scenario), ..opened }
}

fn command(app: &mut App, text: &str) -> Option<Effect> {
    press(app, &[Key::Char(':')]);
    text.chars().for_each(|c| press(app, &[Key::Char(c)]));
    app.update(Input::Key(Key::Enter))
}

/// Lets time pass until nothing more is on its way, a little at a time.
fn settle(app: &mut App) -> u32 {
    for turn in 0..100_000 {
        if app.until_next().is_none() {
            return turn;
        }
        let mut left = 3;
        app.pass(Duration::from_millis(10), || {
            left -= 1;
            left > 0
        });
    }
    panic!("it never ends");
}

/// The first frame in which the worlds have other hashes.
fn parted(a: &Opened, b: &Opened) -> u64 {
    let [mut a, mut b] = [a, b].map(|opened| World::new(Arc::clone(&opened.scenario)));
    while a.hash() == b.hash() {
        step(&mut a);
        step(&mut b);
    }
    a.frame().0
}

pub fn scenes() -> Vec<Scene> {
    vec![Scene::new("rival", (120, 40), |(width, height)| {
        let mut app = stage::watching(width, height);
        press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('>')]);
        app.compared(Ok(other_seed()), Some(8));
        settle(&mut app);
        press(&mut app, &[Key::Char('>'); 6]);
        settle(&mut app);
        app
    })]
}

#[test]
fn the_other_run_is_shown_at_the_first_difference_and_follows_through_time() {
    let mut app = stage::watching(120, 40);
    press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('>')]);
    let asked = command(&mut app, "diff seed 8");
    assert_eq!(asked, Some(Effect::Compare { id: "stage".to_owned(), seed: Some(8) }));
    app.compared(Ok(other_seed()), Some(8));
    settle(&mut app);
    assert_eq!(frame(&app), parted(&stage::opened(), &other_seed()));
    assert!(
        message(&app).starts_with(&format!("first difference: frame {}, ", frame(&app))),
        "{}",
        message(&app)
    );
    for keys in [&[Key::Char('>'); 4][..], &[Key::Char(','); 7], &[Key::Home], &[Key::End]] {
        press(&mut app, keys);
        settle(&mut app);
        let mut truth = World::new(other_seed().scenario);
        while truth.frame().0 < frame(&app) {
            step(&mut truth);
        }
        let session = app.session().expect("a map");
        let rival = session.history().ghost_world().expect("the other run");
        assert_eq!(rival.hash(), truth.hash(), "frame {}", frame(&app));
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
fn where_they_part_stays_to_be_read_though_that_frame_has_to_be_made() {
    let mut app = stage::watching(80, 24);
    press(&mut app, &[Key::Char(' ')]);
    app.compared(Ok(other_seed()), Some(8));
    settle(&mut app);
    assert_eq!(frame(&app), parted(&stage::opened(), &other_seed()));
    assert!(message(&app).starts_with("first difference: frame "), "{}", message(&app));
    command(&mut app, "goto 900");
    settle(&mut app);
    assert_eq!(message(&app), "reached frame 900");
}

#[test]
fn a_run_that_is_the_same_is_said_to_be_and_the_frame_stays() {
    let mut app = stage::watching(80, 24);
    press(&mut app, &[Key::Char(' '), Key::Char('>')]);
    let before = frame(&app);
    app.compared(Ok(stage::opened()), None);
    settle(&mut app);
    assert_eq!((message(&app), frame(&app)), ("no differences in 1001 frames", before));
}

#[test]
fn what_was_done_by_hand_is_compared_too() {
    let mut app = stage::watching(80, 24);
    press(&mut app, &[Key::Char(' '), Key::Char('>'), Key::Char('i'), Key::Left, Key::Esc]);
    let made = frame(&app);
    app.compared(Ok(stage::opened()), None);
    settle(&mut app);
    assert!(message(&app).contains("guard"), "{}", message(&app));
    assert!((11..=made).contains(&frame(&app)), "{} of {made}", frame(&app));
}

#[test]
fn one_run_is_compared_at_a_time_and_the_latest_replaces_the_one_before() {
    let mut app = stage::watching(120, 40);
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
fn a_search_can_be_stopped_and_a_map_that_is_wrong_is_told() {
    let mut app = stage::watching(80, 24);
    press(&mut app, &[Key::Char(' ')]);
    app.compared(Ok(stage::opened()), None);
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
fn the_close_key_ends_a_comparison_with_another_map() {
    for close in ["esc", "hide-ghost", "diff"] {
        let mut app = stage::watching(80, 24);
        press(&mut app, &[Key::Char(' ')]);
        app.compared(Ok(stage::opened()), None);
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
