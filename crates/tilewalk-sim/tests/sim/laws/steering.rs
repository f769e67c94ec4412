//! Properties of steering behaviours and of their combination.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    AvoidObstacles, AvoidWalls, Behaviour, Evade, OffsetPursue, Pursue, RowState, Target, Wander,
    WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};

use crate::support::build;

fn open_map(width: usize, height: usize) -> Scenario {
    build::scenario(build::map(&vec![".".repeat(width); height], Edges::Wall))
}

fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Prioritized, rows }
}

fn obstacles_first(last: WeightedBehaviour) -> Vec<WeightedBehaviour> {
    let obstacles = Behaviour::AvoidObstacles(AvoidObstacles::default());
    let walls = Behaviour::AvoidWalls(AvoidWalls::default());
    let heavy = |behaviour| WeightedBehaviour { weight: 10.0, ..build::behaviour(behaviour, None) };
    vec![heavy(obstacles), heavy(walls), last]
}

/// Returns the number of frames until a hunter with this behaviour is within half a tile of a runner that
/// moves in a straight line, or `None` if that takes more than 600 frames.
fn frames_to_meet(behaviour: Behaviour, offset: Vec2, direction: f32, speed: f32) -> Option<u32> {
    let mut scenario = open_map(300, 300);
    let start = Vec2::splat(150.0);
    let goal = start + heading::from_degrees(direction) * 1000.0;
    let body = Body { max_speed: speed, max_force: 1e4, ..Body::default() };
    let runner = build::add(&mut scenario, "runner", start, body, build::seek(goal));
    let rows = vec![build::behaviour(behaviour, Some(Target::Agent(runner)))];
    let hunter = build::add(&mut scenario, "hunter", start + offset, Body::default(), steer(rows));
    let mut world = build::world(scenario);
    (1..=600).find(|_| {
        step(&mut world);
        (world.position(hunter) - world.position(runner)).length() < 0.5
    })
}

proptest! {
    #![proptest_config(build::cases(48))]

    #[test]
    fn pursue_meets_a_runner_on_a_straight_line_no_later_than_seek(
        (x, y) in (-12.0f32..12.0, -12.0f32..12.0),
        direction in 0.0f32..360.0,
        speed in 0.5f32..3.2,
    ) {
        let offset = Vec2::new(x, y);
        prop_assume!(offset.length() > 1.0);
        let sought = frames_to_meet(Behaviour::Seek, offset, direction, speed);
        let pursue = Behaviour::Pursue(Pursue::default());
        let pursued = frames_to_meet(pursue, offset, direction, speed);
        prop_assert!(pursued.is_some(), "never met");
        // The times are whole frames, so a difference of one frame is allowed.
        let late = sought.is_some_and(|sought| pursued.is_some_and(|met| met > sought + 1));
        prop_assert!(!late, "pursued {:?} frames, sought {:?}", pursued, sought);
    }

    #[test]
    fn avoid_obstacles_keeps_a_gap_of_0_05_tiles_to_a_tree_ahead(
        side in -1.2f32..1.2,
        degrees in 0.0f32..360.0,
        speed in 0.5f32..=3.0,
        seed in 0u64..1000,
    ) {
        let mut rows = vec![".".repeat(41); 41];
        rows[20].replace_range(20..21, "T");
        let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let ahead = heading::from_degrees(degrees);
        let tree = Vec2::splat(20.5);
        let start = tree - ahead * 9.0 + ahead.perp() * side;
        let goal = tree + ahead * 9.0 + ahead.perp() * side;
        let body = Body { max_speed: speed, ..Body::default() };
        let then = build::behaviour(Behaviour::Seek, Some(Target::Point(goal)));
        let deer = build::add(&mut scenario, "deer", start, body, steer(obstacles_first(then)));
        let mut world = build::world(scenario);
        let mut nearest = f32::INFINITY;
        let mut passed = false;
        for _ in 0..900 {
            step(&mut world);
            nearest = nearest.min((world.position(deer) - tree).length() - 0.35 - 0.3);
            passed |= (world.position(deer) - tree).dot(ahead) > 2.0;
        }
        prop_assert!(nearest >= 0.05, "a gap of {nearest}");
        prop_assert!(passed, "it never passed the tree");
    }
}

#[test]
fn avoid_obstacles_keeps_wandering_bodies_0_05_tiles_from_every_tree() {
    let mut rows = vec![".".repeat(36); 24];
    let trees: Vec<(usize, usize)> =
        (0..24).map(|n| (3 + n % 6 * 6 + n / 6 % 2 * 2, 3 + n / 6 * 6)).collect();
    for &(x, y) in trees.iter().filter(|&&(x, _)| x < 36) {
        rows[y].replace_range(x..=x, "T");
    }
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let trees: Vec<Vec2> = rows
        .iter()
        .enumerate()
        .flat_map(|(y, row)| row.match_indices('T').map(move |(x, _)| (x, y)).collect::<Vec<_>>())
        .map(|(x, y)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5))
        .collect();
    let body = Body { max_speed: 3.0, ..Body::default() };
    for index in 0..20 {
        let at = Vec2::new(1.5 + (index % 5) as f32 * 6.0, 0.5 + (index / 5) as f32 * 6.0);
        let then = build::behaviour(Behaviour::Wander(Wander::default()), None);
        let rows = steer(obstacles_first(then));
        build::add(&mut scenario, &format!("deer{index}"), at, body, rows);
    }
    let mut world = build::world(scenario);
    let mut nearest = f32::INFINITY;
    for _ in 0..3000 {
        step(&mut world);
        for id in world.ids() {
            let gaps = trees.iter().map(|&tree| (world.position(id) - tree).length() - 0.65);
            nearest = gaps.fold(nearest, f32::min);
        }
    }
    assert!(nearest >= 0.05, "a gap of {nearest}");
}

/// Returns a scenario with an agent that has seven behaviours, and with two wandering agents.
fn many_behaviours(combine: Combine) -> Scenario {
    let mut rows = vec![".".repeat(24); 16];
    rows[5].replace_range(8..9, "T");
    rows[9].replace_range(14..16, "##");
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let target = Some(Target::Agent(AgentId(1)));
    let between = WeightedBehaviour {
        other: Some(Target::Agent(AgentId(2))),
        weight: 0.4,
        ..build::behaviour(Behaviour::Interpose, target)
    };
    let place = OffsetPursue { offset: Vec2::new(-1.0, 0.5) };
    let list = vec![
        WeightedBehaviour {
            probability: 0.3,
            ..build::behaviour(Behaviour::AvoidWalls(AvoidWalls::default()), None)
        },
        build::behaviour(Behaviour::AvoidObstacles(AvoidObstacles::default()), None),
        WeightedBehaviour {
            weight: 0.3,
            ..build::behaviour(Behaviour::Evade(Evade { threat: Some(3.0) }), target)
        },
        WeightedBehaviour { enabled: false, ..build::behaviour(Behaviour::Seek, target) },
        between,
        WeightedBehaviour {
            weight: 0.2,
            ..build::behaviour(Behaviour::OffsetPursue(place), target)
        },
        build::behaviour(Behaviour::Wander(Wander::default()), None),
    ];
    let drive = Drive::Steer { combine, rows: list };
    build::add(&mut scenario, "busy", Vec2::new(3.5, 3.5), Body::default(), drive);
    for (name, at) in [("one", Vec2::new(12.5, 6.5)), ("two", Vec2::new(6.5, 12.5))] {
        build::add(&mut scenario, name, at, Body::default(), build::wander());
    }
    scenario
}

#[test]
fn the_force_breakdown_adds_up_exactly_for_every_value_of_combine() {
    for (word, combine) in Combine::WORDS {
        let mut world = build::world(many_behaviours(combine));
        let (mut limited, mut dithered) = (0, 0);
        for _ in 0..600 {
            let before = world.clone();
            let explanation = explain(&before, AgentId(0));
            assert_eq!(before.hash(), world.hash());
            step(&mut world);
            let rows = &explanation.forces.rows;
            let mut total = Vec2::ZERO;
            for row in &rows[..7] {
                total += row.accepted.force;
                assert_eq!(
                    row.total.force.to_array().map(f32::to_bits),
                    total.to_array().map(f32::to_bits)
                );
            }
            if let Some(limit) = rows.get(7) {
                assert_eq!(
                    (combine, limit.behaviour, limit.raw.force),
                    (Combine::Weighted, "limit", total)
                );
                total += limit.accepted.force;
                limited += 1;
            }
            let bits = |force: Vec2| force.to_array().map(f32::to_bits);
            assert_eq!(bits(total), bits(explanation.output.force), "{word}");
            assert!(
                explanation.output.force.length() <= 12.0 * 1.000_001,
                "{word}: {}",
                explanation.output.force
            );
            let is_dithered_out = |state| matches!(state, RowState::DitheredOut { .. });
            dithered += rows.iter().filter(|row| is_dithered_out(row.state)).count();
            // Away from walls and below the maximum speed, only the force changes the velocity.
            let change = (world.velocity(AgentId(0)) - before.velocity(AgentId(0))) / 0.05;
            let free =
                world.touches(AgentId(0)).is_none() && world.velocity(AgentId(0)).length() < 3.9;
            assert!(!free || (change - explanation.output.force).length() < 2e-3, "{word}");
        }
        assert_eq!(limited > 0, combine == Combine::Weighted, "{word}");
        assert_eq!(dithered > 0, combine == Combine::Dithered, "{word}");
    }
}

/// Returns the smallest and the largest distance of a comet from the sun, in tiles, in each period of 200
/// frames. The first 100 frames, in which a push starts the orbit, are left out.
fn orbit(drag: f32) -> Vec<(f32, f32)> {
    let mut scenario = open_map(60, 60);
    let sun = Vec2::splat(30.0);
    let tug = build::add(
        &mut scenario,
        "tug",
        sun + Vec2::new(5.0, 0.0),
        Body::default(),
        build::seek(sun + Vec2::new(29.0, 0.0)),
    );
    let push = Behaviour::Flee(tilewalk_sim::steering::Flee { panic: Some(2.0) });
    let rows = vec![
        build::behaviour(push, Some(Target::Agent(tug))),
        build::behaviour(Behaviour::DynamicSeek, Some(Target::Point(sun))),
    ];
    // At the maximum speed V, the force F holds a comet of mass m on a circle of radius V²·m/F = 25 tiles.
    // This orbit is much smaller, so that the maximum speed does not limit it.
    let body = Body { max_speed: 10.0, max_force: 4.0, drag, ..Body::default() };
    let comet = build::add(&mut scenario, "comet", sun + Vec2::new(5.0, 1.0), body, steer(rows));
    let mut world = build::world(scenario);
    (0..100).for_each(|_| step(&mut world));
    let distance = |world: &tilewalk_sim::world::World| (world.position(comet) - sun).length();
    (0..10)
        .map(|_| {
            (0..200).fold((f32::INFINITY, 0.0_f32), |(least, most), _| {
                step(&mut world);
                let now = distance(&world);
                (least.min(now), most.max(now))
            })
        })
        .collect()
}

#[test]
fn an_orbit_shrinks_with_drag_and_keeps_its_size_without_drag() {
    let free = orbit(0.0);
    assert!(free[0].0 > 1.0, "not an orbit: {free:?}");
    for &(least, most) in &free {
        assert!((least - free[0].0).abs() < 0.05 && (most - free[0].1).abs() < 0.05, "{free:?}");
    }
    let slowed = orbit(0.1);
    for pair in slowed.windows(2).take(5) {
        assert!(pair[1].1 < 0.8 * pair[0].1, "{slowed:?}");
    }
}
