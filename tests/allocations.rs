//! A frame without events or new routes allocates no memory, and neither does copying the frame. Films need
//! no more memory when they have more frames.
//!
//! This test has a binary of its own, because the counter counts the allocations of the whole process.

use std::alloc::System;
use std::io::{self, Write};
use std::sync::Arc;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tilewalk::files::{self, Options, Origin};
use tilewalk::history::breaks::{Break, Breaks, Trigger};
use tilewalk::render::Format;
use tilewalk::render::run::{Job, Range};
use tilewalk::render::scene::View;
use tilewalk::step::step;
use tilewalk::world::World;

#[global_allocator]
static COUNTER: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A hundred agents follow a flow field to a fixed tile.
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

/// Forty solid bodies crowd around one point.
const PRESSED: &str = r#"
tiles = """
............
............
............
............
............
............
............
............
"""
[[agent]]
name = "p"
at = "anywhere"
count = 40
body = { solid = true }
steer = [{ do = "seek", target = [6, 4] }]
"#;

/// Half of the agents leave the map. All instances of the template exist, so its spawn rule fails in every
/// frame.
const POPULATION: &str = r#"
tiles = """
................................
................................
................................
"""
[[agent]]
name = "staying"
at = "anywhere"
count = 20
steer = [{ do = "separation" }, { do = "wander" }]
[[agent]]
name = "leaving"
at = "anywhere"
count = 20
remove = "time > 1"
[[agent]]
name = "guest"
template = true
max = 3
body = { solid = true }
[[spawn]]
agent = "guest"
at = "anywhere"
every = 0.05
when = "exists(staying) and not exists(guest.9)"
"#;

/// Checks that 100 frames of a map allocate nothing.
fn assert_no_allocations(origin: &Origin) {
    let loaded = files::load(origin, &Options::default()).expect("a map");
    let scenario = loaded.scenario.as_ref().expect("a valid map");
    let mut world = World::new(Arc::clone(scenario));
    let mut kept = world.clone();
    let mut simulate = |frames| {
        for _ in 0..frames {
            step(&mut world);
            kept.clone_from(&world);
        }
    };
    // In these frames, the event lists reach their final capacity. On a map with few collisions, this takes
    // long, because the first bump comes late.
    simulate(1200);
    let region = Region::new(COUNTER);
    simulate(100);
    let change = region.change();
    assert_eq!(change.allocations + change.reallocations, 0, "{origin:?}: {change:?}");
    assert_eq!(kept.hash(), world.hash());
}

/// Checks that testing breakpoints in each of 100 frames allocates nothing. Most of the breakpoints are not
/// hit.
fn assert_breakpoints_allocate_nothing() {
    let origin = tilewalk::builtin::text("crowd.toml", CROWD);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    let scenario = loaded.scenario.expect("a valid map");
    let texts = [
        "any(g, speed > 99)",
        "distance(g.1, g.2) < 99",
        "event(bump)",
        "g.3.x > 0",
        "gap(g, g) < -99",
        "any(a in g, gap(a, g) < -99 or touching(a, a))",
        "count(g, overlapping) + mean(g, speed) > 9999",
        "polarisation(g) > abs(2 - 4)",
    ];
    let read = |text| Break::read(Trigger::Condition, text, &scenario).expect("a condition");
    let watch = Break::read(Trigger::Change, "frame", &scenario).expect("a value");
    let mut breaks: Breaks = texts.into_iter().map(read).chain([watch]).collect();
    let mut world = World::new(Arc::clone(&scenario));
    let mut before = world.clone();
    (0..1200).for_each(|_| step(&mut world));
    // The first check builds the indexes of the groups.
    breaks.stop(&before, &world);
    let region = Region::new(COUNTER);
    for _ in 0..100 {
        before.copy_frame(&world);
        step(&mut world);
        assert!(breaks.stop(&before, &world), "the number of the frame changes");
    }
    let change = region.change();
    assert_eq!(change.allocations + change.reallocations, 0, "{change:?}");
}

/// Writes nothing, and measures the largest amount of allocated memory.
struct Peak<'a> {
    region: &'a Region<'static, System>,
    bytes: usize,
}

impl Write for Peak<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let change = self.region.change();
        self.bytes = self.bytes.max(change.bytes_allocated - change.bytes_deallocated);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Checks that a film of 900 frames needs no more memory than one of 300 frames.
fn assert_films_need_bounded_memory() {
    let origin = tilewalk::builtin::origin("castle");
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    let scenario = loaded.scenario.expect("a valid map");
    for format in [Format::Gif, Format::Y4m, Format::Cast] {
        let view = View { width: Some(100), ..View::default() };
        let peak = |frames: u64| {
            let range = Range { from: 0, to: frames - 1, every: 1 };
            let job = Job { range, ..Job::of(Arc::clone(&scenario), &view, format) };
            let region = Region::new(COUNTER);
            let mut peak = Peak { region: &region, bytes: 0 };
            job.write(&mut peak, None).expect("a film");
            peak.bytes
        };
        let (short, long) = (peak(300), peak(900));
        assert!(long < short + 50_000, "{format:?}: {short} and {long} bytes");
    }
}

#[test]
fn frames_without_events_allocate_no_memory_and_films_a_bounded_amount() {
    assert_films_need_bounded_memory();
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
        "crowd",
        "mouse",
        "flock",
        "predator",
        "slanted_walls",
        "elephant",
    ] {
        assert_no_allocations(&tilewalk::builtin::origin(name));
    }
    assert_no_allocations(&tilewalk::builtin::text("crowd.toml", CROWD));
    assert_no_allocations(&tilewalk::builtin::text("pressed.toml", PRESSED));
    assert_no_allocations(&tilewalk::builtin::text("population.toml", POPULATION));
    assert_breakpoints_allocate_nothing();
}
