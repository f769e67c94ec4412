//! What the comments of the maps with crafts promise.

use std::path::PathBuf;

use tilewalk::event::EventKind;
use tilewalk::files::{self, Options};
use tilewalk::geom::{Vec2, heading};
use tilewalk::id::AgentId;
use tilewalk::step::step;
use tilewalk::world::{DriveState, World};

const CRAFT: AgentId = AgentId(0);

fn open(name: &str, settings: &[&str]) -> World {
    let set = settings.iter().map(|text| text.parse().expect("a setting")).collect();
    let options = Options { set, ..Options::default() };
    let loaded = files::load(&tilewalk::builtin::origin(name), &options).expect("a built-in map");
    World::new(loaded.scenario.expect("a valid map"))
}

fn leg(world: &World) -> u32 {
    match world.drive_state(CRAFT) {
        DriveState::Thrust { at } => at.leg,
        other => panic!("no craft but {other:?}"),
    }
}

fn is_on_wake(world: &World) -> bool {
    let map = world.scenario().map();
    map.kind(world.tile(CRAFT)).is_some_and(|kind| kind.name == "wake")
}

fn bumps(world: &World) -> usize {
    world.events().iter().filter(|event| matches!(event.kind, EventKind::Bump(_))).count()
}

/// Where each of so many laps ended, and whether the craft was always on its wake.
fn laps(world: &mut World, count: usize) -> (Vec<Vec2>, bool) {
    let (mut ends, mut on_wake) = (vec![], true);
    while ends.len() < count && world.frame().0 < 50_000 {
        let before = leg(world);
        step(world);
        on_wake &= is_on_wake(world);
        if leg(world) < before {
            ends.push(world.position(CRAFT));
        }
    }
    assert_eq!(ends.len(), count);
    (ends, on_wake)
}

/// What a body's keys are when the `body` line is taken out.
const PLAIN: [&str; 4] =
    ["craft.thrust=3", "craft.side_thrust=4", "craft.inertia=0.05", "craft.angular_drag=0.5"];

#[test]
fn the_square_keeps_to_its_wake_for_twenty_laps_and_a_plain_craft_does_not() {
    let (ends, on_wake) = laps(&mut open("square", &[]), 20);
    assert!(on_wake);
    assert!((ends[19] - ends[1]).length() < 0.5, "{ends:?}");
    let plain = &mut open("square", &PLAIN);
    let (ends, on_wake) = laps(plain, 10);
    assert!(!on_wake);
    let way = |lap: usize| heading::to_degrees(ends[lap + 1] - ends[lap]);
    let by = (way(5) - way(4)).rem_euclid(360.0);
    assert!((17.0..20.0).contains(&by), "it goes round by {by} degrees a lap");
}

#[test]
fn two_rounds_of_the_spool_close() {
    let mut world = open("spool", &[]);
    let (ends, on_wake) = laps(&mut world, 20);
    assert!(on_wake);
    assert!((ends[19] - ends[1]).length() < 0.5, "{ends:?}");
    assert!((ends[1] - ends[0]).length() > 8.0, "one round leads elsewhere");
}

#[test]
fn the_zigzag_comes_back_into_its_wake_and_touches_no_bank() {
    let mut world = open("zigzag", &[]);
    for _ in 0..3000 {
        step(&mut world);
        assert!(is_on_wake(&world), "on {} in frame {}", world.tile(CRAFT), world.frame());
        assert_eq!(bumps(&world), 0);
    }
    let mut astray = open("zigzag", &["craft.heading=0"]);
    let bumped = (0..1000).any(|_| {
        step(&mut astray);
        bumps(&astray) > 0
    });
    assert!(bumped && world.position(CRAFT).y < 6.0);
}

#[test]
fn the_shipped_patterns_have_no_warnings() {
    let paths =
        ["square", "zigzag", "spool"].map(|name| PathBuf::from(format!("patterns/{name}.toml")));
    assert_eq!(files::check(&paths, None).expect("readable files").plain(), "");
}
