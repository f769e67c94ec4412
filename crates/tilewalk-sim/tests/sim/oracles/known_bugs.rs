//! Known bugs of other programs and libraries. Each test checks that tilewalk does not have one of them.

use tilewalk_files::Options;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Align, Arrive, AvoidObstacles, AvoidWalls, Behaviour, Target, Wander, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::{DriveState, Flags, World};
use tilewalk_test_support::builtin;

use crate::support::build;
use crate::support::invariants::assert_out_of_walls;

const ME: AgentId = AgentId(0);

fn open(width: usize, height: usize) -> Scenario {
    build::scenario(build::map(&vec![".".repeat(width); height], Edges::Wall))
}

fn alone(
    mut scenario: Scenario,
    at: Vec2,
    body: Body,
    combine: Combine,
    rows: Vec<WeightedBehaviour>,
) -> World {
    build::add(&mut scenario, "me", at, body, Drive::Steer { combine, rows });
    build::world(scenario)
}

/// Millington's code limits only positive angular accelerations, so its bodies turn left without a limit.
#[test]
fn angular_acceleration_is_limited_in_both_directions() {
    let hardest = |degrees: f32| {
        let align = Align { to: Some(heading::from_degrees(degrees)), ..Align::default() };
        let rows = vec![build::behaviour(Behaviour::Align(align), None)];
        let body = Body { max_turn_accel: 2.0, ..Body::default() };
        let at = Vec2::splat(5.5);
        let mut world = alone(open(11, 11), at, body, Combine::Prioritized, rows);
        (0..100).fold(0.0_f32, |hardest, _| {
            let before = world.motion(ME).angular_velocity;
            // Combining limits the applied turn, so the raw output of the behaviour is checked too.
            let raw = explain(&world, ME).forces.rows[0].raw.turn.abs();
            step(&mut world);
            let applied = (world.motion(ME).angular_velocity - before).abs() / 0.05;
            hardest.max(raw).max(applied)
        })
    };
    for degrees in [150.0, -150.0] {
        let hardest = hardest(degrees);
        assert!((hardest - 2.0).abs() < 1e-3, "{hardest} rad/s² towards {degrees}°");
    }
}

fn arriving(from: Vec2, target: Vec2) -> World {
    let rows =
        vec![build::behaviour(Behaviour::Arrive(Arrive::default()), Some(Target::Point(target)))];
    alone(open(40, 20), from, Body::default(), Combine::Prioritized, rows)
}

/// A body that does not slow down overshoots its target again and again, and jitters. A body with `arrive`
/// slows down. It does not jitter even without a tolerance, because it then approaches its target more and
/// more slowly.
#[test]
fn arrive_does_not_jitter_at_its_target() {
    let target = Vec2::new(21.3, 8.7);
    for degrees in (0..360).step_by(15) {
        let ahead = heading::from_degrees(degrees as f32);
        let mut world = arriving(target - ahead * 6.0, target);
        let (mut flips, mut last) = (0, 0.0);
        for frame in 0..400 {
            let (at, heading) = (world.position(ME), world.heading(ME));
            step(&mut world);
            let now = world.velocity(ME).dot(ahead);
            flips += u32::from(now * last < 0.0);
            last = now;
            if frame >= 200 {
                assert!((world.position(ME) - target).length() <= 0.0201, "from {degrees}°");
                assert!((world.position(ME) - at).length() < 1e-4, "it still moves");
                assert_eq!(world.heading(ME), heading, "it still turns");
            }
        }
        assert_eq!(flips, 0, "from {degrees}°");
    }
}

#[test]
fn arrive_from_ten_tiles_away_stops_within_0_02_tiles_of_its_target() {
    let target = Vec2::new(25.5, 9.5);
    for degrees in (0..360).step_by(15) {
        let ahead = heading::from_degrees(degrees as f32);
        let start = Vec2::new(25.5, 9.5) - ahead * 10.0;
        // Some starts are above or below the room, which is only 20 tiles high.
        if !(0.5..19.5).contains(&start.y) {
            continue;
        }
        let mut world = arriving(start, target);
        let mut beyond = 0.0_f32;
        for _ in 0..200 {
            step(&mut world);
            beyond = beyond.max((world.position(ME) - target).dot(ahead));
        }
        assert!(beyond < 0.02, "{beyond} beyond");
        assert!((world.position(ME) - target).length() <= 0.02);
        assert!(world.velocity(ME).length() < 1e-3);
    }
}

/// With dithering, `avoid_walls` acts only in some frames. In the original code, nothing else keeps a body
/// out of walls. In tilewalk, collisions also do: a body that avoids walls in half of the frames never
/// enters a wall and never gets stuck.
#[test]
fn bodies_with_dithered_wall_avoidance_neither_enter_walls_nor_get_stuck() {
    let mut rooms = vec![".".repeat(20); 14];
    rooms[4].replace_range(6..14, "########");
    for row in &mut rooms[8..11] {
        row.replace_range(4..6, "##");
    }
    for seed in 0..10 {
        let mut scenario = build::scenario(build::map(&rooms, Edges::Wall));
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let walls = Behaviour::AvoidWalls(AvoidWalls::default());
        let rows = vec![
            WeightedBehaviour { weight: 10.0, probability: 0.5, ..build::behaviour(walls, None) },
            build::behaviour(Behaviour::Wander(Wander::default()), None),
        ];
        let at = Vec2::new(2.5, 2.5);
        let mut world = alone(scenario, at, Body::default(), Combine::Dithered, rows);
        let (mut anchor, mut since, mut acted) = (at, 0, 0);
        for frame in 0..2400 {
            acted += u32::from(!explain(&world, ME).forces.rows[0].raw.force.length().eq(&0.0));
            step(&mut world);
            assert_out_of_walls(&world);
            if (world.position(ME) - anchor).length() > 0.5 {
                (anchor, since) = (world.position(ME), frame);
            }
            assert!(frame - since < 60, "stuck at {anchor} with seed {seed}");
        }
        assert!(acted > 100, "it never met a wall");
    }
}

/// The published formula `R - ly` pushes *towards* an obstacle on the starboard side.
#[test]
fn avoid_obstacles_pushes_away_from_obstacles_on_both_sides() {
    for side in [-0.6_f32, -0.3, -0.05, 0.05, 0.3, 0.6] {
        for degrees in (0..360).step_by(30) {
            let ahead = heading::from_degrees(degrees as f32);
            let mut rows = vec![".".repeat(21); 21];
            rows[10].replace_range(10..11, "T");
            let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
            let tree = Vec2::splat(10.5);
            let start = tree - ahead * 1.8 + ahead.perp() * side;
            let obstacles = Behaviour::AvoidObstacles(AvoidObstacles::default());
            let drive = Drive::Steer {
                combine: Combine::Prioritized,
                rows: vec![build::behaviour(obstacles, None)],
            };
            build::add(&mut scenario, "me", start, Body::default(), drive);
            build::edit(&mut scenario, |parts| parts.starts[0].heading = ahead);
            let world = build::world(scenario);
            let force = explain(&world, ME).output.force;
            let away = (force.dot(ahead.perp())) * side;
            assert!(away > 0.0, "{force} with the tree {} to the side", -side);
        }
    }
}

/// Returns true if a tile next to the agent is solid.
fn is_next_to_a_wall(world: &World, id: AgentId) -> bool {
    let (map, at) = (world.scenario().map(), world.tile(id));
    let near = (-1..=1).flat_map(|y| (-1..=1).map(move |x| TilePos::new(x, y)));
    near.into_iter().any(|step| map.is_solid(at + step))
}

/// Feelers of equal strength on both sides can hold a body in a corner forever.
///
/// An agent is stuck if it is next to a wall and stays within 0.1 tiles for two seconds, although it steers
/// with more than a tenth of its maximum force. An agent that touches another solid body does not count: in
/// the queues of the evacuation, guests wait for longer.
#[test]
fn no_agent_of_a_shipped_map_is_stuck_at_a_wall_for_two_seconds() {
    let mut agents = 0;
    let mut before = None::<World>;
    for map in builtin::maps() {
        let loaded = tilewalk_files::load(&builtin::origin(&map.name), &Options::default());
        let mut world = World::new(loaded.unwrap().scenario.unwrap());
        let frames = |seconds: f64| (seconds / world.scenario().tick()).ceil() as u64;
        let (minute, two_seconds) = (frames(60.0), frames(2.0));
        let steers = |id: &AgentId| matches!(world.drive_state(*id), DriveState::Steer(_));
        let mut anchors: Vec<_> =
            world.ids().filter(steers).map(|id| (id, world.position(id), 0)).collect();
        agents += anchors.len();
        for frame in 1..=minute {
            before.get_or_insert_with(|| world.clone()).clone_from(&world);
            let before = before.as_ref().unwrap();
            step(&mut world);
            for (id, anchor, since) in &mut anchors {
                let moved = world.scenario().map().offset(*anchor, world.position(*id));
                let force = |id| explain(before, id).output.force.length();
                let queues = world.flags(*id).has(Flags::IN_CONTACT);
                let free = queues || moved.length() > 0.1 || !is_next_to_a_wall(&world, *id);
                // An explanation is slow, so only agents that have not moved for two seconds get one.
                let idle = || {
                    frame - *since >= two_seconds && force(*id) < 0.1 * world.body(*id).max_force
                };
                if free || idle() {
                    (*anchor, *since) = (world.position(*id), frame);
                }
                let name = world.scenario().name(*id);
                assert!(frame - *since <= two_seconds, "{}: {name} is stuck at {anchor}", map.name);
            }
        }
    }
    assert!(agents > 100, "{agents} agents steer");
}

#[test]
fn agents_of_the_wanderers_map_bump_less_than_once_a_minute_on_average() {
    let loaded = tilewalk_files::load(&builtin::origin("wanderers"), &Options::default());
    let mut world = World::new(loaded.unwrap().scenario.unwrap());
    let mut bumps = 0;
    for _ in 0..2400 {
        step(&mut world);
        let bump = |kind: EventKind| matches!(kind, EventKind::Bump(_));
        bumps += world.events().iter().filter(|event| bump(event.kind)).count();
    }
    let minutes = 2.0 * world.len() as f64;
    assert!((bumps as f64) < minutes, "{bumps} bumps in {minutes} minutes");
}
