//! The detectors of stuck and circling agents, and the counts of bumps and blocked steps.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::pattern::{PathPattern, Pattern};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{Arrive, Behaviour, Target};
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use crate::support::build;

const A: AgentId = AgentId(0);

/// Returns an open map with a wall from top to bottom.
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

/// Steps `count` frames. Returns the numbers of the frames in which the agent has an event of the given
/// kind.
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
    let rows = vec![build::behaviour(behaviour, Some(Target::Point(at)))];
    Drive::Steer { combine: Combine::Prioritized, rows }
}

#[test]
fn a_vehicle_at_a_wall_is_reported_stuck_once_three_seconds_after_arriving() {
    let mut world = alone(walled(), build::seek(Vec2::new(18.5, 4.5)), 1);
    let mut arrived = None;
    let mut stuck = Vec::new();
    for _ in 0..400 {
        step(&mut world);
        if world.position(A).x > 11.1 {
            arrived = arrived.or(Some(world.frame().0));
        }
        let found = world.events().iter().filter(|event| event.kind == EventKind::Stuck);
        stuck.extend(found.map(|event| event.frame.0));
    }
    let arrived = arrived.expect("the vehicle reaches the wall");
    assert_eq!(stuck.len(), 1, "{stuck:?}");
    assert!((arrived + 55..arrived + 66).contains(&stuck[0]), "arrived {arrived}, stuck {stuck:?}");
    assert!(world.flags(A).has(Flags::STUCK));
    let tally = world.tally(A);
    assert_eq!((tally.stuck, tally.bumps), (1, 1));
    assert_eq!(tally.seconds_between_bumps(world.time()), Some(20.0));
}

#[test]
fn arrived_standing_and_slowly_stepping_agents_are_not_stuck() {
    let arrive = steer(Behaviour::Arrive(Arrive::default()), Vec2::new(9.5, 4.5));
    let tiles = [TilePos::new(5, 4), TilePos::new(7, 4)];
    let path = |dwell| {
        let rules = PathRules { dwell, ..PathRules::default() };
        build::absolute_pattern(Pattern::Path(PathPattern::new(&tiles, rules).expect("a path")))
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
fn a_blocked_walker_is_stuck_after_three_seconds() {
    let chase = Drive::Chase { target: Target::Point(Vec2::new(18.5, 4.5)) };
    let mut world = alone(walled(), chase, 2);
    // The walker takes six steps to the wall. The seventh, in frame 14, is blocked. Frame 14 is the first of
    // the 60 frames (3 s) after which the walker is stuck.
    assert_eq!(frames(&mut world, 300, EventKind::Stuck), [73]);
    assert_eq!(world.tally(A).blocked, 1);
}

/// An agent that turns too slowly to reach its target moves around it, three times in 12.6 s.
#[test]
fn an_agent_that_turns_too_slowly_is_reported_as_circling_and_a_patrol_is_not() {
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
    let ring =
        build::absolute_pattern(Pattern::Path(PathPattern::new(&ring, rules).expect("a ring")));
    let mut world = alone(open(), ring, 1);
    assert_eq!(frames(&mut world, 500, EventKind::Circling), [0; 0]);
}

/// The patrol and its chaser go round four tiles, three times in twelve steps.
#[test]
fn a_chaser_that_follows_a_small_patrol_is_reported_as_circling() {
    let mut scenario = build::scenario(build::map(&vec![".".repeat(12); 9], Edges::Wall));
    let chase = Drive::Chase { target: Target::Agent(AgentId(1)) };
    build::add(&mut scenario, "a", TilePos::new(5, 5).centre(), Body::default(), chase);
    let ring: Vec<_> = [(5, 4), (6, 4), (6, 5), (5, 5)].map(|(x, y)| TilePos::new(x, y)).into();
    let rules = PathRules { closed: true, ..PathRules::default() };
    let ring =
        build::absolute_pattern(Pattern::Path(PathPattern::new(&ring, rules).expect("a ring")));
    build::add(&mut scenario, "b", TilePos::new(6, 4).centre(), Body::default(), ring);
    let mut world = build::world(scenario);
    let circles = frames(&mut world, 120, EventKind::Circling);
    assert!((8..=10).contains(&circles.len()), "{circles:?}");
}
