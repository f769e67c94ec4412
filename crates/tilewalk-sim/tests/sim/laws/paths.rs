//! Properties of `follow_path`, `stay_on_path`, `hide` and lines of sight.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::{AgentId, SteeringPathId};
use tilewalk_sim::map::Edges;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::path::PlacedPath;
use tilewalk_sim::steering::{
    Behaviour, FollowPath, Hide, Note, StayOnPath, SteeringPath, Target, Wander, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::World;

use crate::support::build;

pub(super) fn steer(rows: Vec<WeightedBehaviour>) -> Drive {
    Drive::Steer { combine: Combine::Prioritized, rows }
}

pub(super) fn edges(wrap: bool) -> Edges {
    if wrap { Edges::Wrap } else { Edges::Wall }
}

/// Generates the rows of random maps with floor, walls and trees. About `walls` tenths of the tiles are
/// walls, and `trees` tenths are trees. The first tile is floor.
pub(super) fn ground(
    walls: u32,
    trees: u32,
    sides: core::ops::Range<usize>,
) -> BoxedStrategy<Vec<String>> {
    (sides.clone(), sides)
        .prop_flat_map(move |(width, height)| {
            let glyph = (0_u32..10).prop_map(move |number| match number {
                number if number < walls => '#',
                number if number < walls + trees => 'T',
                _ => '.',
            });
            let row = proptest::collection::vec(glyph, width).prop_map(String::from_iter);
            proptest::collection::vec(row, height).prop_map(|mut rows| {
                rows[0].replace_range(0..1, ".");
                rows
            })
        })
        .boxed()
}

fn points() -> impl Strategy<Value = Vec<(f32, f32)>> {
    proptest::collection::vec((0.5_f32..23.5, 0.5_f32..23.5), 2..7)
}

fn path(points: &[(f32, f32)], closed: bool) -> SteeringPath {
    let points = points.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
    SteeringPath { points, closed, at_home: false }
}

fn open_map(wrap: bool) -> Scenario {
    build::scenario(build::map(&vec![".".repeat(24); 24], edges(wrap)))
}

proptest! {
    #![proptest_config(build::cases(64))]

    #[test]
    fn follow_path_reaches_the_points_of_its_path_in_order(
        points in points(),
        closed in any::<bool>(),
        wrap in any::<bool>(),
    ) {
        let mut scenario = open_map(wrap);
        build::edit(&mut scenario, |parts| parts.paths.push(path(&points, closed)));
        let follow = Behaviour::FollowPath(FollowPath { path: SteeringPathId(0), reach: 0.8 });
        let rows = vec![build::behaviour(follow, None)];
        let body = Body { max_speed: 2.0, ..Body::default() };
        let id = build::add(&mut scenario, "a", Vec2::splat(12.5), body, steer(rows));
        let mut world = build::world(scenario);
        let count = points.len();
        let expected = if closed { 2 * count + 1 } else { count };
        let mut reached = 0;
        for _ in 0..9000 {
            // Steering reads the state before the step, so the distance is measured before the step.
            let (x, y) = points[reached % count];
            let offset = world.scenario().map().offset(world.position(id), Vec2::new(x, y));
            reached += usize::from(offset.length() <= 0.8);
            if reached == expected {
                break;
            }
            step(&mut world);
        }
        prop_assert_eq!(reached, expected, "points of a path of {}", count);
        if !closed {
            (0..200).for_each(|_| step(&mut world));
            let (x, y) = points[count - 1];
            let offset = world.scenario().map().offset(world.position(id), Vec2::new(x, y));
            prop_assert!(offset.length() < 0.1, "the agent stops {} from the end", offset);
        }
    }

    #[test]
    fn the_nearest_point_of_a_path_agrees_with_a_sampled_search(
        points in points(),
        closed in any::<bool>(),
        wrap in any::<bool>(),
        (x, y) in (0.0_f32..24.0, 0.0_f32..24.0),
    ) {
        let map = build::map(&vec![".".repeat(24); 24], edges(wrap));
        let path = path(&points, closed);
        let placed = PlacedPath { path: &path, origin: Vec2::ZERO };
        let from = Vec2::new(x, y);
        let found = placed.nearest(&map, from).length();
        let mut least = f32::INFINITY;
        for (start, along) in placed.segments(&map) {
            for share in 0..=1000 {
                let point = start + along * (share as f32 / 1000.0);
                least = least.min(map.offset(from, point).length());
            }
        }
        prop_assert!(found <= least + 1e-4 && least <= found + 0.02, "{} and {}", found, least);
    }

    #[test]
    fn stay_on_path_keeps_a_wandering_agent_near_its_path(
        points in points(),
        closed in any::<bool>(),
        wrap in any::<bool>(),
        seed in 0_u64..1000,
    ) {
        let mut scenario = open_map(wrap);
        build::edit(&mut scenario, |parts| parts.seed = seed);
        build::edit(&mut scenario, |parts| parts.paths.push(path(&points, closed)));
        let stay = StayOnPath { path: SteeringPathId(0), width: 0.5, predict: 0.5 };
        let rows = vec![
            build::behaviour(Behaviour::StayOnPath(stay), None),
            build::behaviour(Behaviour::Wander(Wander::default()), None),
        ];
        let start = Vec2::new(points[0].0, points[0].1);
        let body = Body { max_speed: 2.0, ..Body::default() };
        let id = build::add(&mut scenario, "a", start, body, steer(rows));
        let mut world = build::world(scenario);
        for _ in 0..600 {
            step(&mut world);
            let placed = world.path(id, SteeringPathId(0)).unwrap();
            let distance = placed.nearest(world.scenario().map(), world.position(id)).length();
            prop_assert!(distance < 1.0, "{} tiles away in frame {}", distance, world.frame());
        }
    }

    #[test]
    fn hide_chooses_the_nearest_hiding_spot(
        rows in ground(1, 2, 3..30),
        wrap in any::<bool>(),
        (start, hunter_start) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        distance in 0.0_f32..3.0,
    ) {
        let mut scenario = build::scenario(build::map(&rows, edges(wrap)));
        let map = scenario.map().clone();
        let tiles: Vec<TilePos> = map.tiles().iter().map(|(tile, _)| tile).collect();
        let open: Vec<_> = tiles.iter().filter(|&&tile| map.is_open(tile)).collect();
        let (me, hunter) = (start.get(&open).centre(), hunter_start.get(&open).centre());
        let hide = Behaviour::Hide(Hide { distance, ..Hide::default() });
        let rows = vec![build::behaviour(hide, Some(Target::Point(hunter)))];
        let id = build::add(&mut scenario, "a", me, Body::default(), steer(rows));
        let explanation = explain(&build::world(scenario), id);
        let chosen = explanation.forces.notes.iter().find_map(|(_, note)| match note {
            Note::HidingSpot { at, chosen: true, .. } => Some((*at - me).length()),
            _ => None,
        });
        // Brute force: the hiding spot behind each tree, unless that spot is on a solid tile.
        let trees = tiles.iter().filter(|&&tile| map.kind(tile).unwrap().obstacle.is_some());
        let spots = trees.filter_map(|tile| {
            let behind = map.offset(hunter, tile.centre());
            let spot = tile.centre() + behind.normalize_or_zero() * (0.35 + distance);
            (!map.is_solid(TilePos::containing(spot))).then(|| map.offset(me, spot).length())
        });
        let least = spots.reduce(f32::min);
        prop_assert_eq!(chosen.is_some(), least.is_some());
        if let (Some(chosen), Some(least)) = (chosen, least) {
            prop_assert!((chosen - least).abs() < 1e-4, "{} and {}", chosen, least);
        }
    }

    #[test]
    fn sight_between_two_points_of_a_map_is_symmetric(
        rows in ground(3, 1, 2..20),
        wrap in any::<bool>(),
        ends in proptest::collection::vec((0.0_f32..1.0, 0.0_f32..1.0), 2..20),
    ) {
        let map = build::map(&rows, edges(wrap));
        let size = Vec2::new(map.width() as f32, map.height() as f32) * 0.999;
        let ends: Vec<Vec2> = ends.iter().map(|&(x, y)| Vec2::new(x, y) * size).collect();
        for &a in &ends {
            for &b in &ends {
                prop_assert_eq!(map.sees(a, b), map.sees(b, a), "{} {}", a, b);
            }
        }
    }
}

#[test]
fn follow_path_uses_the_closing_segment_of_a_closed_path() {
    let mut scenario = open_map(false);
    let square = [(4.5, 4.5), (14.5, 4.5), (14.5, 14.5), (4.5, 14.5)];
    build::edit(&mut scenario, |parts| parts.paths.push(path(&square, true)));
    let follow = Behaviour::FollowPath(FollowPath { path: SteeringPathId(0), reach: 0.6 });
    let rows = vec![build::behaviour(follow, None)];
    let id = build::add(&mut scenario, "a", Vec2::splat(4.5), Body::default(), steer(rows));
    let mut world = build::world(scenario);
    let mut laps = 0;
    let mut was_there = false;
    for _ in 0..1200 {
        step(&mut world);
        let at = world.position(id);
        // Halfway along the closing segment, which runs north from the last point to the first.
        let is_there = (at.x - 4.5).abs() < 0.5 && (8.0..11.0).contains(&at.y);
        assert!(!is_there || world.velocity(id).y < 0.0, "the agent moves backwards");
        laps += u32::from(is_there && !was_there);
        was_there = is_there;
    }
    assert!(laps >= 4, "the agent used the closing segment {laps} times in a minute");
}

#[test]
fn hide_evades_on_a_map_without_hiding_spots() {
    let mut scenario = open_map(false);
    let seek = vec![build::behaviour(Behaviour::Seek, Some(Target::Agent(AgentId(1))))];
    let slow = Body { max_speed: 1.0, ..Body::default() };
    build::add(&mut scenario, "hunter", Vec2::splat(4.5), slow, steer(seek));
    let hide = Behaviour::Hide(Hide::default());
    let rows = vec![build::behaviour(hide, Some(Target::Agent(AgentId(0))))];
    let hare = build::add(&mut scenario, "hare", Vec2::splat(7.5), Body::default(), steer(rows));
    let mut world = build::world(scenario);
    let gap = |world: &World| (world.position(AgentId(0)) - world.position(hare)).length();
    let before = gap(&world);
    (0..40).for_each(|_| step(&mut world));
    assert!(gap(&world) > before + 1.0, "{} tiles, {before} at first", gap(&world));
}
