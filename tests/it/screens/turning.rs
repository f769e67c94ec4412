//! The inspector shows turning bodies and smoothed headings.

use ratatui::layout::Rect;
use tilewalk::files::{self, Options};
use tilewalk::tui::app::App;
use tilewalk::tui::input::Key;
use tilewalk::tui::{Opened, Start};

use crate::support::screen::{dump, press};
use crate::support::stage::dark_theme;

/// The screen of a shipped map after so many frames, its agent `index` selected.
fn watching(name: &str, index: usize, frames: usize) -> String {
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
fn assert_told(screen: &str, words: &[&str]) {
    for word in words {
        assert!(screen.contains(word), "`{word}` is not told:\n{screen}");
    }
}

#[test]
fn the_inspector_tells_how_a_body_turns() {
    let heavy = watching("turning", 3, 3);
    assert_told(
        &heavy,
        &["╭ heavy", "turn rate ≤ 60°/s", "turn accel ≤ 60°/s²", "of 60°/s² left", "face"],
    );
    assert_told(&heavy, &["rotation•9.0°/s left", "accepted"]);
    let guard = watching("turning", 1, 3);
    assert!(!guard.contains("°/s"), "a walker on tiles doesn't turn by itself:\n{guard}");
    let kite = watching("missile", 0, 3);
    assert!(!kite.contains("°/s"), "nor does who faces where it goes:\n{kite}");
}

#[test]
fn the_inspector_tells_the_heading_that_is_shown() {
    assert_told(&watching("missile", 5, 20), &["╭ mole", "smoothed "]);
    assert!(!watching("missile", 2, 20).contains("smoothed "));
}
