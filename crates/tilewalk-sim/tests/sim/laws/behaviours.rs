//! Properties of `wander`, `avoid_walls`, `face`, `look_ahead`, `alignment` and `cohesion`, and of runs
//! on mirrored maps.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Alignment, Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, Behaviour, Cohesion, DynamicArrive,
    Evade, Flee, Hand, Hide, HugWalls, MatchVelocity, Neighbourhood, Note, OffsetPursue, Pursue,
    Separation, Target, Tether, Turning, Wander, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use super::paths::{edges, ground, steer};
use crate::support::build;

/// The agent under test.
const ME: AgentId = AgentId(0);

/// The second agent, usually the target.
const IT: AgentId = AgentId(1);

/// Largest push of a wall, as a multiple of the maximum force. The push is the sum of a vector of length 1
/// along the wall's normal and a vector of length 0.6 perpendicular to the heading. The cosine of the angle
/// between the two vectors is at most √(1 − 0.7²), so the length of their sum is at most
/// √(1 + 0.6² + 2 · 0.6 · √(1 − 0.7²)).
const MAX_PUSH: f32 = 1.49;

proptest! {
    #![proptest_config(build::cases(64))]

    #[test]
    fn wander_steers_to_a_point_on_a_circle_ahead(
        radius in 0.1f32..4.0,
        distance in 0.0f32..4.0,
        jitter in 0.0f32..100.0,
        strength in 0.1f32..3.0,
        seed in 0u64..1000,
    ) {
        let mut scenario = build::scenario(build::map(&vec![".".repeat(40); 40], Edges::Wrap));
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let wander = Wander { radius, distance, jitter, strength };
        let rows = vec![build::behaviour(Behaviour::Wander(wander), None)];
        let body = Body { max_force: 100.0, ..Body::default() };
        build::add(&mut scenario, "me", Vec2::splat(20.5), body, steer(rows));
        let mut world = build::world(scenario);
        for _ in 0..100 {
            let pull = explain(&world, ME).forces.rows[0].raw.force / strength;
            let ahead = world.heading(ME);
            let to_centre = (pull - ahead * distance).length();
            prop_assert!((to_centre - radius).abs() < 1e-3, "{to_centre} from the centre of the circle");
            step(&mut world);
            prop_assert!(world.velocity(ME).length() < 4.001);
        }
    }

    /// The push is at most [`MAX_PUSH`] times the maximum force.
    #[test]
    fn avoid_walls_pushes_away_only_from_the_nearest_wall_that_a_feeler_hits(
        rows in ground(4, 0, 6..24),
        wrap in any::<bool>(),
        start in any::<prop::sample::Index>(),
        speed in 0.5f32..6.0,
        seed in 0u64..1000,
    ) {
        let mut scenario = build::scenario(build::map(&rows, edges(wrap)));
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let tiles = scenario.map().tiles().iter().map(|(tile, _)| tile);
        let open: Vec<_> = tiles.filter(|&tile| scenario.map().is_open(tile)).collect();
        prop_assume!(!open.is_empty());
        let at = start.get(&open).centre();
        let body = Body { max_speed: speed, ..Body::default() };
        build::add(&mut scenario, "me", at, body, build::wander());
        let mut world = build::world(scenario);
        for _ in 0..200 {
            let forces = explain(&world, ME).forces;
            let feelers = forces.notes.iter().filter_map(|(_, note)| match note {
                Note::Feeler { from, to, hit, .. } => Some((*from, *to, *hit)),
                _ => None,
            });
            let touched: Vec<_> = feelers.clone().filter_map(|(from, _, hit)| Some(hit? - from)).collect();
            prop_assert_eq!(feelers.clone().count(), 3);
            let push = forces.rows[0].raw.force;
            // A wall exactly at the tip of a feeler does not push.
            let is_past = |(from, to, hit): (Vec2, Vec2, Option<Vec2>)| {
                hit.is_some_and(|hit| (to - from).length() > (hit - from).length() + 1e-5)
            };
            prop_assert!(push == Vec2::ZERO || !touched.is_empty(), "{push}");
            let least = touched.iter().map(|offset| offset.length()).fold(f32::INFINITY, f32::min);
            if push == Vec2::ZERO {
                // Only the nearest wall pushes, even if another feeler reaches further into a wall.
                let is_nearest = |(from, _, hit): &(Vec2, Vec2, Option<Vec2>)| {
                    hit.is_some_and(|hit| (hit - *from).length() < least + 1e-3)
                };
                let tip = feelers.clone().filter(is_nearest).any(|feeler| !is_past(feeler));
                prop_assert!(touched.is_empty() || tip, "{touched:?}");
                step(&mut world);
                continue;
            }
            prop_assert!(push.length() <= 12.0 * MAX_PUSH, "{push}");
            // If several walls are equally near except for rounding, any of them can push.
            let mut nearest = touched.iter().filter(|offset| offset.length() < least + 1e-3);
            // The push points away from the hit, along the x axis or along the y axis.
            let is_away = |offset: &Vec2| push.x * offset.x < 0.0 || push.y * offset.y < 0.0;
            prop_assert!(nearest.any(is_away), "{push} from {touched:?}");
            step(&mut world);
        }
    }

    #[test]
    fn face_turns_to_the_target_and_look_ahead_turns_to_the_velocity(
        start in 0.0f32..360.0,
        goal in 0.0f32..360.0,
        rate in proptest::option::of(60.0f32..720.0),
    ) {
        let mut scenario = build::scenario(build::map(&vec![".".repeat(80); 80], Edges::Wall));
        let at = Vec2::splat(40.5);
        let place = Target::Point(at + heading::from_degrees(goal) * 30.0);
        let body = Body { max_turn_rate: rate.map(f32::to_radians), max_speed: 1.0, ..Body::default() };
        let face = vec![build::behaviour(Behaviour::Face(Turning::default()), Some(place))];
        let seek = build::behaviour(Behaviour::Seek, Some(place));
        let look = vec![seek, build::behaviour(Behaviour::LookAhead(Turning::default()), None)];
        for rows in [face, look] {
            build::add(&mut scenario, if rows.len() == 1 { "a" } else { "b" }, at, body, steer(rows));
        }
        build::edit(&mut scenario, |parts| {
            parts.starts.iter_mut().for_each(|it| it.heading = heading::from_degrees(start));
        });
        let mut world = build::world(scenario);
        (0..300).for_each(|_| step(&mut world));
        for id in [ME, IT] {
            let error = world.heading(id).perp_dot(heading::from_degrees(goal)).abs();
            prop_assert!(error < 0.036, "sine of the error: {error}");
            prop_assert!(world.heading(id).dot(heading::from_degrees(goal)) > 0.0);
            prop_assert!(world.motion(id).angular_velocity.abs() < 1e-3);
        }
    }

    /// All agents are at rest with the same heading. Cohesion pulls each agent towards the mean
    /// position of its neighbours.
    #[test]
    fn alignment_of_equal_headings_is_zero_and_cohesion_equals_the_gain(
        places in prop::collection::vec((1.0f32..19.0, 1.0f32..19.0), 2..12),
        degrees in 0.0f32..360.0,
        gain in 1.0f32..20.0,
        wrap in any::<bool>(),
    ) {
        let mut scenario = build::scenario(build::map(&vec![".".repeat(20); 20], edges(wrap)));
        let neighbourhood = Neighbourhood { radius: 6.0, angle: None, of: None, by_edges: false };
        let rows = vec![
            build::behaviour(Behaviour::Alignment(Alignment(neighbourhood)), None),
            build::behaviour(Behaviour::Cohesion(Cohesion(neighbourhood)), None),
        ];
        let body = Body { gain, ..Body::default() };
        for (index, &(x, y)) in places.iter().enumerate() {
            let drive = Drive::Steer { combine: Combine::Weighted, rows: rows.clone() };
            build::add(&mut scenario, &format!("a{index}"), Vec2::new(x, y), body, drive);
        }
        build::edit(&mut scenario, |parts| {
            parts.starts.iter_mut().for_each(|it| it.heading = heading::from_degrees(degrees));
        });
        let world = build::world(scenario);
        for id in world.ids() {
            let forces = explain(&world, id).forces;
            let others = world.ids().filter(|&other| other != id);
            let map = world.scenario().map();
            let offsets = others.map(|other| map.offset(world.position(id), world.position(other)));
            let near: Vec<Vec2> = offsets.filter(|offset| offset.length() < 6.0).collect();
            prop_assert!(forces.rows[0].raw.force.length() < 1e-4 * gain, "all headings are equal");
            let pull = forces.rows[1].raw.force;
            let middle = near.iter().sum::<Vec2>() / near.len().max(1) as f32;
            prop_assume!(near.is_empty() || middle.length() > 1e-3);
            let expected = if near.is_empty() { 0.0 } else { gain };
            prop_assert!((pull.length() - expected).abs() < 1e-4 * gain, "{pull}");
            prop_assert!(near.is_empty() || pull.dot(middle) > 0.0);
        }
    }
}

/// Returns all behaviours without random draws, with [`IT`] as their target. `hand` and `side` select
/// the plain or the mirrored version.
fn mirrorable_behaviours(hand: Hand, side: f32) -> Vec<(Behaviour, Option<Target>)> {
    let it = Some(Target::Agent(IT));
    let neighbourhood = Neighbourhood { radius: 9.0, angle: Some(4.0), of: None, by_edges: false };
    vec![
        (Behaviour::Seek, it),
        (Behaviour::Flee(Flee { panic: Some(9.0) }), it),
        (Behaviour::Arrive(Arrive::default()), it),
        (Behaviour::Pursue(Pursue { turn_time: 0.3, ..Pursue::default() }), it),
        (Behaviour::Evade(Evade { threat: Some(12.0) }), it),
        (Behaviour::Interpose, it),
        (Behaviour::OffsetPursue(OffsetPursue { offset: Vec2::new(-1.0, 2.0 * side) }), it),
        (Behaviour::DynamicSeek, it),
        (Behaviour::DynamicFlee, it),
        (Behaviour::DynamicArrive(DynamicArrive::default()), it),
        (Behaviour::MatchVelocity(MatchVelocity::default()), it),
        (Behaviour::Tether(Tether { radius: 4.0 }), it),
        (Behaviour::Hide(Hide::default()), it),
        (Behaviour::HugWalls(HugWalls { hand, ..HugWalls::default() }), None),
        (Behaviour::AvoidObstacles(AvoidObstacles::default()), None),
        (Behaviour::AvoidWalls(AvoidWalls::default()), None),
        (Behaviour::AvoidAgents(AvoidAgents { lead: 3.0, of: None }), None),
        (Behaviour::Separation(Separation(neighbourhood)), None),
        (Behaviour::Alignment(Alignment(neighbourhood)), None),
        (Behaviour::Cohesion(Cohesion(neighbourhood)), None),
        (Behaviour::Face(Turning::default()), it),
        (Behaviour::LookAhead(Turning::default()), None),
    ]
}

proptest! {
    // The seed is fixed because about one case in several thousand is so close to a tie that rounding
    // decides the result.
    #![proptest_config(Config { rng_seed: RngSeed::Fixed(1), ..build::cases(400) })]

    /// The test excludes behaviours with random draws, and `flow`, because compass order decides between
    /// routes of equal length. The runs last one second, because rounding errors grow quickly near a target.
    #[test]
    fn a_run_on_a_mirrored_map_is_mirrored(
        which in 0usize..22,
        tiles in prop::collection::vec((0usize..30, 0usize..30, any::<bool>()), 0..16),
        (me, it, other) in ((8.0f32..22.0, 8.0f32..22.0), (4.0f32..26.0, 4.0f32..26.0), (4.0f32..26.0, 4.0f32..26.0)),
        (degrees, travel_degrees) in (0.0f32..360.0, (0.0f32..360.0, 0.0f32..360.0)),
        speed in 0.5f32..3.0,
    ) {
        let mut rows = vec![".".repeat(30); 30];
        for (x, y, wall) in tiles {
            let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let near = [me, it, other].into_iter().any(|(x, y)| (Vec2::new(x, y) - middle).length() < 1.5);
            if !near {
                rows[y].replace_range(x..=x, if wall { "#" } else { "T" });
            }
        }
        let gap = |a: (f32, f32), b: (f32, f32)| (Vec2::new(a.0, a.1) - Vec2::new(b.0, b.1)).length();
        prop_assume!(gap(me, it) > 2.0 && gap(me, other) > 2.0);
        let run = |mirrored: bool| -> World {
            let side = if mirrored { -1.0 } else { 1.0 };
            let mut ground = rows.clone();
            if mirrored {
                ground.reverse();
            }
            let hand = if mirrored { Hand::Right } else { Hand::Left };
            let flip = |(x, y): (f32, f32)| Vec2::new(x, 15.0 + (y - 15.0) * side);
            let (behaviour, target) = mirrorable_behaviours(hand, side)[which];
            let row = WeightedBehaviour {
                other: Some(Target::Agent(AgentId(2))),
                ..build::behaviour(behaviour, target)
            };
            let seek = build::behaviour(Behaviour::Seek, Some(Target::Point(flip((3.3, 25.7)))));
            // Most behaviours are combined with `seek`, so that the agent moves.
            let mut list = vec![WeightedBehaviour { weight: 3.0, ..row }, seek];
            if matches!(behaviour, Behaviour::Flee(_) | Behaviour::Evade(_) | Behaviour::Tether(_)) {
                // These behaviours have a limited range. `seek` keeps the agent at its limit, where rounding
                // decides whether they act.
                list.pop();
            }
            let drive = Drive::Steer { combine: Combine::Weighted, rows: list };
            let mut scenario = build::scenario(build::map(&ground, Edges::Wall));
            build::add(&mut scenario, "me", flip(me), Body::default(), drive);
            for (name, at, travel) in [("it", it, travel_degrees.0), ("other", other, travel_degrees.1)] {
                let goal = flip(at) + heading::from_degrees(travel * side) * 1000.0;
                let body = Body { max_speed: speed, ..Body::default() };
                build::add(&mut scenario, name, flip(at), body, build::seek(goal));
            }
            build::edit(&mut scenario, |parts| parts.starts[0].heading = heading::from_degrees(degrees * side));
            build::world(scenario)
        };
        let (mut plain, mut mirrored) = (run(false), run(true));
        for frame in 1..=20 {
            // Runs with contacts are excluded, because rounding decides whether an agent just touches a wall.
            let free = |world: &World| world.ids().all(|id| world.touches(id).is_none());
            prop_assume!(free(&plain) && free(&mirrored));
            step(&mut plain);
            step(&mut mirrored);
            let (a, b) = (plain.motion(ME), mirrored.motion(ME));
            let distance = (a.position - Vec2::new(b.position.x, 30.0 - b.position.y)).length();
            let word = mirrorable_behaviours(Hand::Left, 1.0)[which].0.word();
            prop_assert!(distance < 1e-3, "{word}: {distance} in frame {frame}");
            let turn = (a.heading - Vec2::new(b.heading.x, -b.heading.y)).length();
            prop_assert!(turn < 1e-2, "{word}: heading off by {turn} in frame {frame}");
        }
    }
}
