//! A frame without events or re-planning allocates nothing, and neither does keeping it.
//!
//! A binary of its own, as the counter counts the whole process.

use std::alloc::System;
use std::sync::Arc;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tilewalk::files::{self, Options, Origin};
use tilewalk::step::step;
use tilewalk::world::World;

#[global_allocator]
static COUNTER: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A hundred agents flow to a gate that stays where it is.
const CROWD: &str = r#"
tiles = """
....................#...........
.......#............#...........
.......#......#.................
.......#......#.....#...........
"""
[[agent]]
name = "g"
at = "anywhere"
count = 100
steer = [{ do = "flow", to = [31, 3] }]
"#;

fn assert_quiet(origin: &Origin) {
    let loaded = files::load(origin, &Options::default()).expect("a map");
    let scenario = loaded.scenario.as_ref().expect("a valid map");
    let mut world = World::new(Arc::clone(scenario));
    let mut kept = world.clone();
    let mut go = |frames| {
        for _ in 0..frames {
            step(&mut world);
            kept.clone_from(&world);
        }
    };
    // The lists of events grow once to what they need: in a calm map the first bump comes late.
    go(1200);
    let region = Region::new(COUNTER);
    go(100);
    let change = region.change();
    assert_eq!(change.allocations + change.reallocations, 0, "{origin:?}: {change:?}");
    assert_eq!(kept.hash(), world.hash());
}

#[test]
fn a_frame_of_the_big_map_allocates_nothing() {
    for name in [
        "big",
        "matrix",
        "why_blocked",
        "steps_degrees",
        "tile_chase",
        "rota",
        "square",
        "turning",
        "missile",
        "paths",
        "hide",
        "crossing",
        "mouse",
        "flock",
        "predator",
    ] {
        assert_quiet(&Origin::Builtin(name.to_owned()));
    }
    assert_quiet(&Origin::Text { label: "crowd.toml".to_owned(), text: CROWD.to_owned() });
}
