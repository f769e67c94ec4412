//! Random scripts of keys, mouse events, sizes and commands never break the screen, and the screen shows
//! the frames of a plain run.

use proptest::prelude::*;
use tilewalk::tui::app::App;

use crate::support::build;
use crate::support::sample_maps::{gallery, map_screen};
use crate::support::screen::builtin;
use crate::support::script::{SAVED, play, script};

/// Plays random scripts on a start screen. None may panic, and each must show the frames of a plain run.
/// The scripts are divided among four tests, which can run in parallel.
fn check_scripts(start: impl Fn() -> App) {
    let cases = build::tries(1_000) as u32 / 4;
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    proptest!(config, |(script in script(), saved in proptest::sample::select(SAVED.to_vec()))| {
        play(start(), script, saved);
    });
}

#[test]
fn random_scripts_never_break_the_screen_of_a_small_map() {
    check_scripts(|| map_screen(120, 40));
}

#[test]
fn random_scripts_never_break_the_screen_of_the_castle_map() {
    check_scripts(|| builtin("castle"));
}

#[test]
fn random_scripts_never_break_the_screen_of_the_flock_map() {
    check_scripts(|| builtin("flock"));
}

#[test]
fn random_scripts_never_break_the_gallery() {
    check_scripts(|| gallery(80, 24));
}
