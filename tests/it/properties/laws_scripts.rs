//! Random scripts of keys, mouse, sizes and commands never break the screen, and it shows the frames of
//! a plain run.

use proptest::prelude::*;
use tilewalk::tui::app::App;

use crate::support::build;
use crate::support::screen::builtin;
use crate::support::script::{SAVED, play, script};
use crate::support::stage::{gallery, map_screen};

/// Any script, begun on this screen, is survived and shows what a plain run gives. The scripts are
/// shared by four tests, so that a machine with several cores is through sooner.
fn any_script_holds(begun: impl Fn() -> App) {
    let cases = build::tries(1_000) as u32 / 4;
    let config = ProptestConfig { cases, ..ProptestConfig::default() };
    proptest!(config, |(script in script(), saved in proptest::sample::select(SAVED.to_vec()))| {
        play(begun(), script, saved);
    });
}

#[test]
fn any_script_on_a_small_map_holds() {
    any_script_holds(|| map_screen(120, 40));
}

#[test]
fn any_script_in_the_castle_holds() {
    any_script_holds(|| builtin("castle"));
}

#[test]
fn any_script_on_a_flock_holds() {
    any_script_holds(|| builtin("flock"));
}

#[test]
fn any_script_in_the_gallery_holds() {
    any_script_holds(|| gallery(80, 24));
}
