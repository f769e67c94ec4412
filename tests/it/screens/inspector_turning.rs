//! The inspector shows turning bodies and smoothed headings.

use ratatui::layout::Rect;
use tilewalk::files::{self, Options};
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;
use tilewalk::tui::{Opened, Start};

use crate::support::sample_maps::dark_theme;
use crate::support::screen::{dump, press};

/// Returns the screen of a built-in map after `frames` frames, with the agent at `index` selected.
fn screen_after(name: &str, index: usize, frames: usize) -> String {
    let loaded = files::load(&tilewalk::builtin::origin(name), &Options::default()).unwrap();
    let scenario = loaded.scenario.unwrap();
    let opened = Opened::new(name, name, scenario);
    let screen = Rect::new(0, 0, 150, 42);
    let mut app = App::new(vec![], Start::Map(opened), screen, dark_theme()).0;
    press(&mut app, &vec![Key::Tab; index]);
    press(&mut app, &vec![Key::Char('.'); frames]);
    dump(&app)
}

#[track_caller]
fn assert_shows(screen: &str, words: &[&str]) {
    for word in words {
        assert!(screen.contains(word), "`{word}` is not shown:\n{screen}");
    }
}

#[test]
fn the_inspector_shows_turn_limits_only_for_turning_bodies() {
    let heavy = screen_after("turning", 3, 3);
    assert_shows(
        &heavy,
        &["╭ heavy", "turn rate ≤ 60°/s", "turn accel ≤ 60°/s²", "of 60°/s² left", "face"],
    );
    assert_shows(&heavy, &["rotation•9.0°/s left", "accepted"]);
    let guard = screen_after("turning", 1, 3);
    assert!(!guard.contains("°/s"), "a walker on tiles has no turn rate:\n{guard}");
    let kite = screen_after("missile", 0, 3);
    assert!(!kite.contains("°/s"), "an agent that faces its velocity has no turn rate:\n{kite}");
}

#[test]
fn the_inspector_shows_smoothed_headings_only_for_agents_with_smoothing() {
    assert_shows(&screen_after("missile", 5, 20), &["╭ mole", "smoothed "]);
    assert!(!screen_after("missile", 2, 20).contains("smoothed "));
}
