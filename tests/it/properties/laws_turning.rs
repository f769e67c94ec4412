//! Properties of turning bodies, of `track` and of smoothed headings.

use proptest::prelude::*;
use tilewalk::agent::Drive;
use tilewalk::body::Body;
use tilewalk::geom::{Vec2, heading};
use tilewalk::id::AgentId;
use tilewalk::map::Edges;
use tilewalk::scenario::Scenario;
use tilewalk::steering::combine::Combine;
use tilewalk::steering::{
    Align, Arrive, AvoidWalls, Behaviour, RowState, Target, Track, Turning, Wander,
    WeightedBehaviour,
};
use tilewalk::step::{explain, step};
use tilewalk::world::World;

use crate::support::build;

const ME: AgentId = AgentId(0);
const IT: AgentId = AgentId(1);

fn open_map(edges: Edges) -> Scenario {
    build::scenario(build::map(&vec![".".repeat(60); 60], edges))
}

fn steer(combine: Combine, rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine, rows }
}

fn align(degrees: f32) -> WeightedBehaviour {
    let to = Some(heading::from_degrees(degrees));
    build::row(Behaviour::Align(Align { to, ..Align::default() }), None)
}

fn about_it(behaviour: Behaviour) -> WeightedBehaviour {
    build::row(behaviour, Some(Target::Agent(IT)))
}

/// A body that stands, faces `start` degrees and carries out `rows`.
fn turret(start: f32, body: Body, rows: Vec<WeightedBehaviour>) -> World {
    let mut scenario = open_map(Edges::Wall);
    let list = steer(Combine::Prioritized, rows);
    build::add(&mut scenario, "turret", Vec2::splat(30.5), body, list);
    build::edit(&mut scenario, |parts| parts.starts[0].heading = heading::from_degrees(start));
    build::world(scenario)
}

/// From `a` to `b` in degrees, in (−180, 180].
fn between(a: f32, b: f32) -> f32 {
    let angle = (b - a).rem_euclid(360.0);
    if angle > 180.0 { angle - 360.0 } else { angle }
}

/// How far a turn goes beyond its goal, and how far off it ends, in degrees.
fn overshoot(start: f32, goal: f32) -> (f32, f32) {
    let mut world = turret(start, Body::default(), vec![align(goal)]);
    let side = between(start, goal).signum();
    let mut beyond = 0.0_f32;
    for _ in 0..100 {
        step(&mut world);
        let left = between(world.heading_degrees(ME), goal);
        if left.abs() < 90.0 {
            beyond = beyond.max(-left * side);
        }
    }
    assert!(world.motion(ME).angular_velocity.abs() < 1e-3, "it has stopped");
    (beyond, between(world.heading_degrees(ME), goal).abs())
}

#[test]
fn align_by_170_degrees_overshoots_by_less_than_two() {
    for (start, goal) in [(0.0, 170.0), (0.0, -170.0), (200.0, 10.0), (77.0, 247.0)] {
        let (beyond, off) = overshoot(start, goal);
        assert!(beyond < 2.0, "{beyond}° beyond {goal}°");
        assert!(off <= 2.0, "it stands {off}° off");
    }
}

#[test]
fn a_heading_stays_a_unit_vector_for_a_hundred_thousand_frames() {
    let mut scenario = open_map(Edges::Wall);
    let rows = vec![about_it(Behaviour::Face(Turning::default()))];
    let drive = steer(Combine::Prioritized, rows);
    build::add(&mut scenario, "turret", Vec2::splat(30.5), Body::default(), drive);
    build::add(&mut scenario, "it", Vec2::splat(20.5), Body::default(), build::wander());
    let mut world = build::world(scenario);
    let mut turned = 0.0_f32;
    for _ in 0..100_000 {
        let before = world.heading(ME);
        step(&mut world);
        turned += (world.heading(ME) - before).length();
        let length = world.heading(ME).length();
        assert!((length - 1.0).abs() < 1e-6, "{length} in frame {}", world.frame());
    }
    assert!(turned > 100.0, "it turned by {turned} radians in all");
}

proptest! {
    #![proptest_config(build::cases(64))]

    /// Never faster than the rate, never harder than the acceleration, and the shorter way.
    #[test]
    fn limits_hold_and_the_way_is_the_shorter_one(
        start in 0.0f32..360.0,
        goal in 0.0f32..360.0,
        rate in proptest::option::of(10.0f32..720.0),
        accel in 10.0f32..3000.0,
    ) {
        let way = between(start, goal);
        prop_assume!(way.abs() < 179.0 && way.abs() > 2.0);
        let body = Body {
            max_turn_rate: rate.map(f32::to_radians),
            max_turn_accel: accel.to_radians(),
            ..Body::default()
        };
        let mut world = turret(start, body, vec![align(goal)]);
        let most = body.top_turn_rate();
        let hardest = body.max_turn_accel * 0.05 * 1.0001 + 1e-5;
        for frame in 0..400 {
            let before = world.motion(ME).angular_velocity;
            step(&mut world);
            let now = world.motion(ME).angular_velocity;
            prop_assert!(now.abs() <= most * 1.000_001, "{now} in frame {frame}");
            prop_assert!((now - before).abs() <= hardest, "{before} to {now}");
            prop_assert!(frame > 0 || now.signum() == way.signum(), "the longer way");
        }
    }

    #[test]
    fn whatever_the_start_align_ends_within_two_degrees_and_stops(
        start in 0.0f32..360.0,
        goal in 0.0f32..360.0,
    ) {
        let (_, off) = overshoot(start, goal);
        prop_assert!(off <= 2.0, "{off}° off");
    }

    /// A turned world is a turned run; a mirrored one turns the other way.
    #[test]
    fn mirror_the_goal_and_the_turn_is_mirrored(goal in 1.0f32..179.0) {
        let mut right = turret(0.0, Body::default(), vec![align(goal)]);
        let mut left = turret(0.0, Body::default(), vec![align(-goal)]);
        for _ in 0..60 {
            step(&mut right);
            step(&mut left);
            let (a, b) = (right.heading(ME), left.heading(ME));
            prop_assert!((a - Vec2::new(b.x, -b.y)).length() < 1e-3, "{a} and {b}");
        }
    }

    #[test]
    fn a_missile_reaches_what_stands_in_range_and_keeps_about_its_speed(
        (x, y) in (-8.0f32..8.0, -8.0f32..8.0),
        rate in 0.1f32..1.0,
        seed in 0u64..1000,
    ) {
        let mut scenario = open_map(Edges::Wrap);
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let track = Track { rate, ..Track::default() };
        let at = Vec2::splat(30.5);
        let row = build::row(Behaviour::Track(track), Some(Target::Point(at + Vec2::new(x, y))));
        let list = steer(Combine::Prioritized, vec![row]);
        build::add(&mut scenario, "missile", at, Body::default(), list);
        let mut world = build::world(scenario);
        let mut nearest = f32::INFINITY;
        for _ in 0..600 {
            step(&mut world);
            nearest = nearest.min((world.position(ME) - at - Vec2::new(x, y)).length());
            let speed = world.velocity(ME).length();
            prop_assert!(speed <= 4.0001, "{speed}");
        }
        prop_assert!(nearest < 1.5, "never nearer than {nearest}");
    }

    /// Any list that shows smoothed headings runs as it does without, and shows the mean.
    #[test]
    fn the_shown_heading_is_the_mean_of_the_last_ones_and_changes_no_motion(
        smoothing in 1u32..=100,
        seed in 0u64..1000,
    ) {
        let run = |smoothing| {
            let mut scenario = open_map(Edges::Wrap);
            build::edit(&mut scenario, |parts| parts.seed = seed);
            let restless = Wander { jitter: 60.0, ..Wander::default() };
            let rows = vec![build::row(Behaviour::Wander(restless), None)];
            let body = Body { smoothing, max_speed: 1.0, ..Body::default() };
            let list = steer(Combine::Prioritized, rows);
            build::add(&mut scenario, "first", Vec2::splat(9.5), Body::default(), list.clone());
            build::add(&mut scenario, "moth", Vec2::splat(30.5), body, list);
            build::world(scenario)
        };
        let (mut plain, mut smooth) = (run(0), run(smoothing));
        let mut headings = vec![smooth.heading(IT)];
        let mut kept = smooth.clone();
        for _ in 0..150 {
            step(&mut plain);
            step(&mut smooth);
            prop_assert_eq!(plain.motion(IT), smooth.motion(IT));
            prop_assert_eq!(plain.shown_heading(IT), plain.heading(IT));
            prop_assert_eq!(smooth.shown_heading(ME), smooth.heading(ME));
            headings.push(smooth.heading(IT));
            let last = headings.iter().rev().take(smoothing as usize);
            let mean = last.fold((0.0, 0.0), |sum, h| (sum.0 + f64::from(h.x), sum.1 + f64::from(h.y)));
            let length = mean.0.hypot(mean.1);
            prop_assume!(length > 0.01);
            let mean = Vec2::new((mean.0 / length) as f32, (mean.1 / length) as f32);
            prop_assert!((smooth.shown_heading(IT) - mean).length() < 1e-3);
            // Stepping back is never having stepped: a kept frame goes on as the run did.
            step(&mut kept);
            prop_assert_eq!(kept.hash(), smooth.hash());
            prop_assert_eq!(kept.shown_heading(IT), smooth.shown_heading(IT));
            let copy = smooth.clone();
            kept.clone_from(&copy);
        }
    }
}

/// Someone whose list mixes rows that push with rows that turn.
fn crab(combine: Combine) -> Scenario {
    let mut scenario = open_map(Edges::Wall);
    let list = vec![
        WeightedBehaviour {
            probability: 0.3,
            ..build::row(Behaviour::AvoidWalls(AvoidWalls::default()), None)
        },
        WeightedBehaviour { weight: 1.4, probability: 0.4, ..align(100.0) },
        WeightedBehaviour { weight: 0.5, ..about_it(Behaviour::Arrive(Arrive::default())) },
        WeightedBehaviour { enabled: false, ..align(200.0) },
        WeightedBehaviour {
            weight: 0.8,
            probability: 0.5,
            ..about_it(Behaviour::Face(Turning::default()))
        },
        build::row(Behaviour::Wander(Wander::default()), None),
        WeightedBehaviour {
            weight: 2.0,
            ..build::row(Behaviour::LookAhead(Turning::default()), None)
        },
    ];
    // With a small budget for turns it is often spent.
    let body = Body { max_turn_accel: 200.0_f32.to_radians(), ..Body::default() };
    build::add(&mut scenario, "crab", Vec2::splat(30.5), body, steer(combine, list));
    build::add(&mut scenario, "it", Vec2::splat(24.5), Body::default(), build::wander());
    scenario
}

#[test]
fn forces_and_turns_of_a_mixed_list_add_up_to_the_bit() {
    for (word, combine) in Combine::WORDS {
        let mut world = build::world(crab(combine));
        let (mut pushed, mut turned, mut cut, mut full) = (0, 0, 0, 0);
        for _ in 0..600 {
            let before = world.clone();
            let told = explain(&before, ME);
            step(&mut world);
            let (mut force, mut turn) = (Vec2::ZERO, 0.0_f32);
            for row in &told.forces.rows[..7] {
                force += row.accepted.force;
                turn += row.accepted.turn;
                assert_eq!((row.total.force, row.total.turn.to_bits()), (force, turn.to_bits()));
                let angular = ["align", "face", "look_ahead"].contains(&row.behaviour);
                assert!(angular || row.accepted.turn == 0.0, "{}", row.behaviour);
                assert!(!angular || row.accepted.force == Vec2::ZERO, "{}", row.behaviour);
                cut += u32::from(row.state == RowState::Cut && angular);
                full += u32::from(row.state == RowState::NoRoom && angular);
            }
            for limit in &told.forces.rows[7..] {
                assert_eq!((combine, limit.behaviour), (Combine::Weighted, "limit"));
                force += limit.accepted.force;
                turn += limit.accepted.turn;
                cut += u32::from(limit.accepted.turn != 0.0);
            }
            assert_eq!((force, turn.to_bits()), (told.output.force, told.output.turn.to_bits()));
            let most = 200.0_f32.to_radians() * 1.000_01;
            assert!(told.output.turn.abs() <= most, "{word}: {}", told.output.turn);
            pushed += u32::from(force != Vec2::ZERO);
            turned += u32::from(turn != 0.0);
            // Below the top rate, the turn is what the angular velocity changed by.
            let (was, is) = (before.motion(ME).angular_velocity, world.motion(ME).angular_velocity);
            let free = is.abs() < 6.0;
            assert!(!free || ((is - was) / 0.05 - told.output.turn).abs() < 1e-3, "{word}");
        }
        assert!(pushed > 20 && turned > 20, "{word}: {pushed} {turned}");
        let alone = matches!(combine, Combine::First | Combine::Dithered);
        assert!(cut > 0, "{word}: no turn was cut");
        assert!(full > 0 || !alone && combine != Combine::Prioritized, "{word}: there was room");
    }
}

/// What acts alone is one row, be it one that pushes or one that turns.
#[test]
fn who_acts_alone_pushes_or_turns_and_never_both() {
    for combine in [Combine::First, Combine::Dithered] {
        let mut world = build::world(crab(combine));
        let (mut pushed, mut turned) = (0, 0);
        for _ in 0..600 {
            let wish = explain(&world, ME).output;
            assert!(wish.force == Vec2::ZERO || wish.turn == 0.0);
            pushed += u32::from(wish.force != Vec2::ZERO);
            turned += u32::from(wish.turn != 0.0);
            step(&mut world);
        }
        assert!(pushed > 20 && turned > 20, "{pushed} {turned}");
    }
}
