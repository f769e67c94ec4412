//! Properties of turning bodies, of `track` and of smoothed headings.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Align, Arrive, AvoidWalls, Behaviour, RowState, Target, Track, Turning, Wander,
    WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

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
    build::behaviour(Behaviour::Align(Align { to, ..Align::default() }), None)
}

fn aimed_at_it(behaviour: Behaviour) -> WeightedBehaviour {
    build::behaviour(behaviour, Some(Target::Agent(IT)))
}

/// Returns a world with a standing agent that faces `start` degrees and has the behaviours `rows`.
fn turret(start: f32, body: Body, rows: Vec<WeightedBehaviour>) -> World {
    let mut scenario = open_map(Edges::Wall);
    let list = steer(Combine::Prioritized, rows);
    build::add(&mut scenario, "turret", Vec2::splat(30.5), body, list);
    build::edit(&mut scenario, |parts| parts.starts[0].heading = heading::from_degrees(start));
    build::world(scenario)
}

/// Returns the angle from `a` to `b` in degrees, in (−180, 180].
fn angle_between(a: f32, b: f32) -> f32 {
    let angle = (b - a).rem_euclid(360.0);
    if angle > 180.0 { angle - 360.0 } else { angle }
}

/// Turns an agent from the heading `start` to the heading `goal`. Returns the largest overshoot and the
/// final error, in degrees.
fn overshoot(start: f32, goal: f32) -> (f32, f32) {
    let mut world = turret(start, Body::default(), vec![align(goal)]);
    let side = angle_between(start, goal).signum();
    let mut beyond = 0.0_f32;
    for _ in 0..100 {
        step(&mut world);
        let left = angle_between(world.heading_degrees(ME), goal);
        if left.abs() < 90.0 {
            beyond = beyond.max(-left * side);
        }
    }
    assert!(world.motion(ME).angular_velocity.abs() < 1e-3, "the agent has stopped turning");
    (beyond, angle_between(world.heading_degrees(ME), goal).abs())
}

#[test]
fn align_overshoots_a_turn_of_170_degrees_by_less_than_2_degrees() {
    for (start, goal) in [(0.0, 170.0), (0.0, -170.0), (200.0, 10.0), (77.0, 247.0)] {
        let (beyond, off) = overshoot(start, goal);
        assert!(beyond < 2.0, "{beyond}° beyond {goal}°");
        assert!(off <= 2.0, "the turn ends {off}° off");
    }
}

#[test]
fn a_heading_stays_a_unit_vector_for_a_hundred_thousand_frames() {
    let mut scenario = open_map(Edges::Wall);
    let rows = vec![aimed_at_it(Behaviour::Face(Turning::default()))];
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

    /// The limits apply to the rate and the acceleration of a turn.
    #[test]
    fn turns_respect_their_limits_and_take_the_shorter_direction(
        start in 0.0f32..360.0,
        goal in 0.0f32..360.0,
        rate in proptest::option::of(10.0f32..720.0),
        accel in 10.0f32..3000.0,
    ) {
        let angle = angle_between(start, goal);
        prop_assume!(angle.abs() < 179.0 && angle.abs() > 2.0);
        let body = Body {
            max_turn_rate: rate.map(f32::to_radians),
            max_turn_accel: accel.to_radians(),
            ..Body::default()
        };
        let mut world = turret(start, body, vec![align(goal)]);
        let max_rate = body.top_turn_rate();
        let max_change = body.max_turn_accel * 0.05 * 1.0001 + 1e-5;
        for frame in 0..400 {
            let before = world.motion(ME).angular_velocity;
            step(&mut world);
            let now = world.motion(ME).angular_velocity;
            prop_assert!(now.abs() <= max_rate * 1.000_001, "{now} in frame {frame}");
            prop_assert!((now - before).abs() <= max_change, "{before} to {now}");
            prop_assert!(frame > 0 || now.signum() == angle.signum(), "the longer direction");
        }
    }

    #[test]
    fn align_stops_an_agent_within_2_degrees_of_its_goal_from_any_heading(
        start in 0.0f32..360.0,
        goal in 0.0f32..360.0,
    ) {
        let (_, off) = overshoot(start, goal);
        prop_assert!(off <= 2.0, "{off}° off");
    }

    /// With a mirrored goal, the agent turns by the same angles in the other direction.
    #[test]
    fn a_mirrored_goal_gives_a_mirrored_turn(goal in 1.0f32..179.0) {
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
    fn track_reaches_a_standing_target_and_respects_the_maximum_speed(
        (x, y) in (-8.0f32..8.0, -8.0f32..8.0),
        rate in 0.1f32..1.0,
        seed in 0u64..1000,
    ) {
        let mut scenario = open_map(Edges::Wrap);
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let track = Track { rate, ..Track::default() };
        let at = Vec2::splat(30.5);
        let row = build::behaviour(Behaviour::Track(track), Some(Target::Point(at + Vec2::new(x, y))));
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

    /// Runs with and without smoothing have the same motion. The shown heading is the mean of the last
    /// `smoothing` headings.
    #[test]
    fn smoothing_shows_the_mean_of_the_last_headings_and_changes_no_motion(
        smoothing in 1u32..=100,
        seed in 0u64..1000,
    ) {
        let run = |smoothing| {
            let mut scenario = open_map(Edges::Wrap);
            build::edit(&mut scenario, |parts| parts.seed = seed);
            let restless = Wander { jitter: 60.0, ..Wander::default() };
            let rows = vec![build::behaviour(Behaviour::Wander(restless), None)];
            let body = Body { smoothing, max_speed: 1.0, ..Body::default() };
            let list = steer(Combine::Prioritized, rows);
            build::add(&mut scenario, "first", Vec2::splat(9.5), Body::default(), list.clone());
            build::add(&mut scenario, "moth", Vec2::splat(30.5), body, list);
            build::world(scenario)
        };
        let (mut plain, mut smooth) = (run(0), run(smoothing));
        let mut headings = vec![smooth.heading(IT)];
        let mut stored = smooth.clone();
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
            // A stored frame continues in the same way as the run.
            step(&mut stored);
            prop_assert_eq!(stored.hash(), smooth.hash());
            prop_assert_eq!(stored.shown_heading(IT), smooth.shown_heading(IT));
            let copy = smooth.clone();
            stored.clone_from(&copy);
        }
    }
}

/// Returns a scenario with an agent that has both behaviours that push and behaviours that turn.
fn mixed_behaviours(combine: Combine) -> Scenario {
    let mut scenario = open_map(Edges::Wall);
    let list = vec![
        WeightedBehaviour {
            probability: 0.3,
            ..build::behaviour(Behaviour::AvoidWalls(AvoidWalls::default()), None)
        },
        WeightedBehaviour { weight: 1.4, probability: 0.4, ..align(100.0) },
        WeightedBehaviour { weight: 0.5, ..aimed_at_it(Behaviour::Arrive(Arrive::default())) },
        WeightedBehaviour { enabled: false, ..align(200.0) },
        WeightedBehaviour {
            weight: 0.8,
            probability: 0.5,
            ..aimed_at_it(Behaviour::Face(Turning::default()))
        },
        build::behaviour(Behaviour::Wander(Wander::default()), None),
        WeightedBehaviour {
            weight: 2.0,
            ..build::behaviour(Behaviour::LookAhead(Turning::default()), None)
        },
    ];
    // The maximum turn acceleration is small, so that the behaviours often use it up.
    let body = Body { max_turn_accel: 200.0_f32.to_radians(), ..Body::default() };
    build::add(&mut scenario, "crab", Vec2::splat(30.5), body, steer(combine, list));
    build::add(&mut scenario, "it", Vec2::splat(24.5), Body::default(), build::wander());
    scenario
}

#[test]
fn forces_and_turns_of_mixed_behaviours_add_up_exactly() {
    for (word, combine) in Combine::WORDS {
        let mut world = build::world(mixed_behaviours(combine));
        let (mut pushed, mut turned, mut cut, mut full) = (0, 0, 0, 0);
        for _ in 0..600 {
            let before = world.clone();
            let explanation = explain(&before, ME);
            step(&mut world);
            let (mut force, mut turn) = (Vec2::ZERO, 0.0_f32);
            for row in &explanation.forces.rows[..7] {
                force += row.accepted.force;
                turn += row.accepted.turn;
                assert_eq!((row.total.force, row.total.turn.to_bits()), (force, turn.to_bits()));
                let angular = ["align", "face", "look_ahead"].contains(&row.behaviour);
                assert!(angular || row.accepted.turn == 0.0, "{}", row.behaviour);
                assert!(!angular || row.accepted.force == Vec2::ZERO, "{}", row.behaviour);
                cut += u32::from(row.state == RowState::Cut && angular);
                full += u32::from(row.state == RowState::NoRoom && angular);
            }
            for limit in &explanation.forces.rows[7..] {
                assert_eq!((combine, limit.behaviour), (Combine::Weighted, "limit"));
                force += limit.accepted.force;
                turn += limit.accepted.turn;
                cut += u32::from(limit.accepted.turn != 0.0);
            }
            assert_eq!(
                (force, turn.to_bits()),
                (explanation.output.force, explanation.output.turn.to_bits())
            );
            let most = 200.0_f32.to_radians() * 1.000_01;
            assert!(explanation.output.turn.abs() <= most, "{word}: {}", explanation.output.turn);
            pushed += u32::from(force != Vec2::ZERO);
            turned += u32::from(turn != 0.0);
            // Below the maximum rate, only the turn of the steering output changes the angular velocity.
            let (was, is) = (before.motion(ME).angular_velocity, world.motion(ME).angular_velocity);
            let free = is.abs() < 6.0;
            assert!(!free || ((is - was) / 0.05 - explanation.output.turn).abs() < 1e-3, "{word}");
        }
        assert!(pushed > 20 && turned > 20, "{word}: {pushed} {turned}");
        let alone = matches!(combine, Combine::First | Combine::Dithered);
        assert!(cut > 0, "{word}: no turn was cut");
        assert!(
            full > 0 || !alone && combine != Combine::Prioritized,
            "{word}: the budget was never used up"
        );
    }
}

/// With `first` and `dithered`, a single behaviour acts in each frame.
#[test]
fn with_first_or_dithered_an_agent_is_pushed_or_turned_but_not_both() {
    for combine in [Combine::First, Combine::Dithered] {
        let mut world = build::world(mixed_behaviours(combine));
        let (mut pushed, mut turned) = (0, 0);
        for _ in 0..600 {
            let output = explain(&world, ME).output;
            assert!(output.force == Vec2::ZERO || output.turn == 0.0);
            pushed += u32::from(output.force != Vec2::ZERO);
            turned += u32::from(output.turn != 0.0);
            step(&mut world);
        }
        assert!(pushed > 20 && turned > 20, "{pushed} {turned}");
    }
}
