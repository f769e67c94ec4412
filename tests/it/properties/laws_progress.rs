//! Stuck detector, circling detector and bump counts agree with the run.

use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::event::EventKind;
use tilewalk::geom::{TilePos, Vec2};
use tilewalk::id::AgentId;
use tilewalk::map::Edges;
use tilewalk::pattern::path::PathRules;
use tilewalk::pattern::{PathPattern, Pattern};
use tilewalk::scenario::Scenario;
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{Arrive, Behaviour, Target};
use tilewalk::step::step;
use tilewalk::world::{Flags, World};

use crate::support::build;

const A: AgentId = AgentId(0);

/// An open floor with a wall across.
fn walled() -> Scenario {
    let mut rows = vec![".".repeat(20); 9];
    for row in &mut rows {
        row.replace_range(12..13, "#");
    }
    build::scenario(build::map(&rows, Edges::Wall))
}

fn alone(mut scenario: Scenario, drive: Drive, pace: u32) -> World {
    build::add(&mut scenario, "a", TilePos::new(5, 4).centre(), Body::default(), drive);
    build::edit(&mut scenario, |parts| parts.kinds[0].modes[0].pace = pace);
    build::world(scenario)
}

/// The frames of an agent's events of a kind.
fn frames(world: &mut World, count: u32, kind: EventKind) -> Vec<u64> {
    let mut frames = Vec::new();
    for _ in 0..count {
        step(world);
        let mine = world.events().iter().filter(|event| event.agent == A && event.kind == kind);
        frames.extend(mine.map(|event| event.frame.0));
    }
    frames
}

fn steer(behaviour: Behaviour, at: Vec2) -> Drive {
    let rows = vec![build::row(behaviour, Some(Target::Point(at)))];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

#[test]
fn a_vehicle_at_a_wall_is_stuck_once_and_three_seconds_after_it_came() {
    let mut world = alone(walled(), build::seek(Vec2::new(18.5, 4.5)), 1);
    let mut came = None;
    let mut stuck = Vec::new();
    for _ in 0..400 {
        step(&mut world);
        if world.position(A).x > 11.1 {
            came = came.or(Some(world.frame().0));
        }
        let found = world.events().iter().filter(|event| event.kind == EventKind::Stuck);
        stuck.extend(found.map(|event| event.frame.0));
    }
    let came = came.expect("it comes to the wall");
    assert_eq!(stuck.len(), 1, "{stuck:?}");
    assert!((came + 55..came + 66).contains(&stuck[0]), "came {came}, stuck {stuck:?}");
    assert!(world.flags(A).has(Flags::STUCK));
    let tally = world.tally(A);
    assert_eq!((tally.stuck, tally.bumps), (1, 1));
    assert_eq!(tally.seconds_between_bumps(world.time()), Some(20.0));
}

#[test]
fn who_has_arrived_stands_or_steps_slowly_is_not_stuck() {
    let arrive = steer(Behaviour::Arrive(Arrive::default()), Vec2::new(9.5, 4.5));
    let tiles = [TilePos::new(5, 4), TilePos::new(7, 4)];
    let path = |dwell| {
        let rules = PathRules { dwell, ..PathRules::default() };
        build::absolute(Pattern::Path(PathPattern::new(&tiles, rules).expect("a path")))
    };
    let travel = Drive::Travel { target: Target::Point(Vec2::new(7.5, 4.5)) };
    let chase = Drive::Chase { target: Target::Point(Vec2::new(7.5, 4.5)) };
    let cases =
        [(arrive, 1), (Drive::Stand, 1), (path(0), 200), (path(300), 4), (travel, 4), (chase, 4)];
    for (drive, pace) in cases {
        let word = drive.word();
        let mut world = alone(walled(), drive, pace);
        assert_eq!(frames(&mut world, 1000, EventKind::Stuck), [0; 0], "{word}");
        assert!(!world.flags(A).has(Flags::STUCK));
    }
}

#[test]
fn a_walker_that_is_refused_is_stuck_three_seconds_later_and_free_when_it_moves() {
    let chase = Drive::Chase { target: Target::Point(Vec2::new(18.5, 4.5)) };
    let mut world = alone(walled(), chase, 2);
    // Six steps to the wall; the seventh, at frame 14, is refused, and counts as the first of 60.
    assert_eq!(frames(&mut world, 300, EventKind::Stuck), [73]);
    assert_eq!(world.tally(A).blocked, 1);
}

/// One that turns too slowly to come to its target goes round it, three turns in 12.6 s.
#[test]
fn who_turns_too_slowly_goes_in_circles_and_a_patrol_does_not() {
    let open = || build::scenario(build::map(&vec![".".repeat(20); 9], Edges::Wall));
    let mut scenario = open();
    let body = Body { max_speed: 1.0, max_turn_rate: Some(1.5), ..Body::default() };
    let seek = steer(Behaviour::Seek, Vec2::new(6.0, 5.167));
    build::add(&mut scenario, "a", Vec2::new(6.0, 4.5), body, seek);
    let mut world = build::world(scenario);
    let circles = frames(&mut world, 2000, EventKind::Circling);
    assert!((6..=8).contains(&circles.len()), "{circles:?}");
    assert_eq!(world.tally(A).circling as usize, circles.len());
    let ring: Vec<_> = [(5, 4), (6, 4), (6, 5), (5, 5)].map(|(x, y)| TilePos::new(x, y)).into();
    let rules = PathRules { closed: true, ..PathRules::default() };
    let ring = build::absolute(Pattern::Path(PathPattern::new(&ring, rules).expect("a ring")));
    let mut world = alone(open(), ring, 1);
    assert_eq!(frames(&mut world, 500, EventKind::Circling), [0; 0]);
}

/// Somebody who runs round and round after a small patrol turns three times in twelve steps.
#[test]
fn a_chaser_of_a_small_patrol_goes_in_circles() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(12); 9], Edges::Wall));
    let chase = Drive::Chase { target: Target::Agent(AgentId(1)) };
    build::add(&mut scenario, "a", TilePos::new(5, 5).centre(), Body::default(), chase);
    let ring: Vec<_> = [(5, 4), (6, 4), (6, 5), (5, 5)].map(|(x, y)| TilePos::new(x, y)).into();
    let rules = PathRules { closed: true, ..PathRules::default() };
    let ring = build::absolute(Pattern::Path(PathPattern::new(&ring, rules).expect("a ring")));
    build::add(&mut scenario, "b", TilePos::new(6, 4).centre(), Body::default(), ring);
    let mut world = build::world(scenario);
    let circles = frames(&mut world, 120, EventKind::Circling);
    assert!((8..=10).contains(&circles.len()), "{circles:?}");
}
