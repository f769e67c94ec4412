//! Claims in the comments of the shipped maps with thrust patterns.

use tilewalk_files::{Options, settings};
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{DriveState, World};

use crate::support::workspace;

const CRAFT: AgentId = AgentId(0);

fn open(name: &str, settings: &[&str]) -> World {
    let set = settings.iter().map(|text| settings::parse(text).expect("a setting")).collect();
    let options = Options { set, ..Options::default() };
    let loaded = tilewalk_files::load(&tilewalk_test_support::builtin::origin(name), &options)
        .expect("a built-in map");
    World::new(loaded.scenario.expect("a valid map"))
}

fn leg(world: &World) -> u32 {
    match world.drive_state(CRAFT) {
        DriveState::Thrust { at } => at.leg,
        other => panic!("no thrust pattern: {other:?}"),
    }
}

fn is_on_wake(world: &World) -> bool {
    let map = world.scenario().map();
    map.kind(world.tile(CRAFT)).is_some_and(|kind| kind.name == "wake")
}

fn bumps(world: &World) -> usize {
    world.events().iter().filter(|event| matches!(event.kind, EventKind::Bump(_))).count()
}

/// Returns the position at the end of each of `count` laps, and whether the craft was always on a tile of
/// kind `wake`.
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

/// Settings that give the craft the default values of the keys in its `body` line.
const DEFAULTS: [&str; 4] =
    ["craft.thrust=3", "craft.side_thrust=4", "craft.inertia=0.05", "craft.angular_drag=0.5"];

#[test]
fn the_square_craft_repeats_its_track_only_with_the_body_of_its_map() {
    let (ends, on_wake) = laps(&mut open("square", &[]), 20);
    assert!(on_wake);
    assert!((ends[19] - ends[1]).length() < 0.5, "{ends:?}");
    let default = &mut open("square", &DEFAULTS);
    let (ends, on_wake) = laps(default, 10);
    assert!(!on_wake);
    let direction = |lap: usize| heading::to_degrees(ends[lap + 1] - ends[lap]);
    let turn = (direction(5) - direction(4)).rem_euclid(360.0);
    assert!((17.0..20.0).contains(&turn), "the track turns by {turn} degrees per lap");
}

#[test]
fn the_track_of_the_spool_craft_closes_after_two_laps() {
    let mut world = open("spool", &[]);
    let (ends, on_wake) = laps(&mut world, 20);
    assert!(on_wake);
    assert!((ends[19] - ends[1]).length() < 0.5, "{ends:?}");
    assert!((ends[1] - ends[0]).length() > 8.0, "one lap does not close");
}

#[test]
fn the_zigzag_craft_stays_on_its_wake_and_never_bumps() {
    let mut world = open("zigzag", &[]);
    for _ in 0..3000 {
        step(&mut world);
        assert!(is_on_wake(&world), "on {} in frame {}", world.tile(CRAFT), world.frame());
        assert_eq!(bumps(&world), 0);
    }
    let mut bumping = open("zigzag", &["craft.heading=0"]);
    let bumped = (0..1000).any(|_| {
        step(&mut bumping);
        bumps(&bumping) > 0
    });
    assert!(bumped && world.position(CRAFT).y < 6.0);
}

#[test]
fn the_shipped_thrust_patterns_have_no_warnings() {
    let paths =
        ["square", "zigzag", "spool"].map(|name| workspace(&format!("patterns/{name}.toml")));
    assert_eq!(tilewalk_files::check(&paths, None).expect("readable files").plain(), "");
}
