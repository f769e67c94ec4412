//! Properties of chasing, fleeing and travelling on tiles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use proptest::prelude::*;
use tilewalk_sim::agent::{Drive, Mode};
use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{Direction, TilePos};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::search::{PathQuery, PathSearch};
use tilewalk_sim::map::{Corners, Edges, Map};
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::pattern::{PathPattern, Pattern};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::steering::Target;
use tilewalk_sim::step::step;
use tilewalk_sim::tile::TileKind;
use tilewalk_sim::world::{DriveState, Flags, World};

use crate::support::build;

const A: AgentId = AgentId(0);

/// Returns a map of floor, walls and three terrains with higher costs.
fn ground(width: u32, cells: &[u8], edges: Edges, corners: Corners) -> Map {
    let mut wall = TileKind::floor("#", "wall");
    (wall.walk, wall.opaque) = (false, true);
    let rough = |cost| TileKind { cost, ..TileKind::floor(",", "rough") };
    let legend = vec![TileKind::floor(".", "floor"), wall, rough(1.5), rough(2.0), rough(7.3)];
    let tiles = Grid::from_cells(width, cells.to_vec()).expect("whole rows");
    Map::new(tiles, legend, vec![], edges, corners).expect("a map")
}

fn any_map() -> impl Strategy<Value = Map> {
    let edges = prop_oneof![Just(Edges::Wall), Just(Edges::Wrap)];
    let corners = prop_oneof![Just(Corners::Patterns), Just(Corners::Cut), Just(Corners::Block)];
    (3_u32..14, 3_u32..14, edges, corners).prop_flat_map(|(width, height, edges, corners)| {
        let cell =
            prop_oneof![5 => Just(0_u8), 3 => Just(1), 1 => Just(2), 1 => Just(3), 1 => Just(4)];
        proptest::collection::vec(cell, (width * height) as usize)
            .prop_map(move |cells| ground(width, &cells, edges, corners))
    })
}

/// Dijkstra's algorithm in its textbook form, independent of the search under test. Returns the cost of each
/// reachable tile.
fn dijkstra(map: &Map, from: TilePos) -> BTreeMap<TilePos, f64> {
    let (width, height) = (map.width() as i32, map.height() as i32);
    let kind = |x: i32, y: i32| {
        let (x, y) = match map.edges() {
            Edges::Wrap => (x.rem_euclid(width), y.rem_euclid(height)),
            Edges::Wall => (x, y),
        };
        let kind =
            map.tiles().get(TilePos::new(x, y)).map(|&kind| &map.legend()[usize::from(kind)]);
        kind.filter(|kind| kind.walk).map(|kind| (TilePos::new(x, y), f64::from(kind.cost)))
    };
    let mut best = BTreeMap::new();
    let mut open = BinaryHeap::from([Reverse((0_u64, from.x, from.y))]);
    let key = |cost: f64| (cost * 1e9).round() as u64;
    let mut costs = BTreeMap::from([((from.x, from.y), 0.0_f64)]);
    while let Some(Reverse((_, x, y))) = open.pop() {
        if best.contains_key(&TilePos::new(x, y)) {
            continue;
        }
        let here = costs[&(x, y)];
        best.insert(TilePos::new(x, y), here);
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let Some((to, cost)) = kind(x + dx, y + dy) else { continue };
            let beside = [kind(x + dx, y), kind(x, y + dy)];
            let diagonal = dx != 0 && dy != 0;
            if diagonal && map.corners() != Corners::Cut && beside.contains(&None) {
                continue;
            }
            let cost = here + cost * if diagonal { 2.0_f64.sqrt() } else { 1.0 };
            let known = costs.entry((to.x, to.y)).or_insert(f64::INFINITY);
            if cost < *known {
                *known = cost;
                open.push(Reverse((key(cost), to.x, to.y)));
            }
        }
    }
    best
}

/// Follows a route by the rules for steps, without the search under test. Returns the last tile and the cost
/// of the route, or `None` if a step is illegal.
fn route_cost(map: &Map, from: TilePos, steps: &[Direction]) -> Option<(TilePos, f64)> {
    steps.iter().try_fold((from, 0.0), |(tile, cost), &direction| {
        let to = map.step(tile, direction, true).ok()?;
        let length = if direction.is_diagonal() { 2.0_f64.sqrt() } else { 1.0 };
        Some((to, cost + length * f64::from(map.kind(to)?.cost)))
    })
}

pub(super) fn hunter(map: Map, at: TilePos, drive: Drive, pace: u32) -> Scenario {
    let mut scenario = build::scenario(map);
    build::add(&mut scenario, "a", at.centre(), Body::default(), Drive::Stand);
    let mode = Mode::new(drive.word().to_owned(), pace, drive);
    build::edit(&mut scenario, |parts| parts.kinds[0].modes = vec![mode]);
    scenario
}

/// Simulates a new world, which has to plan its routes itself, up to the frame of `world`. Asserts that both
/// have the same state hash, and returns the new world.
fn without_routes(world: &World) -> World {
    let mut fresh = build::world(world.scenario().as_ref().clone());
    for _ in 0..world.frame().0 {
        step(&mut fresh);
    }
    assert_eq!(fresh.hash(), world.hash());
    fresh
}

proptest! {
    #![proptest_config(build::cases(256))]

    #[test]
    fn routes_have_the_lowest_cost(map in any_map(), from in (0_i32..14, 0_i32..14)) {
        let from = TilePos::new(from.0 % map.width() as i32, from.1 % map.height() as i32);
        prop_assume!(map.is_open(from));
        let best = dijkstra(&map, from);
        let mut search = PathSearch::default();
        for (to, _) in map.tiles().iter() {
            let route = search.walk(&map, PathQuery { from, to, held: 0 }, u32::MAX, || true);
            match (route, best.get(&to)) {
                (None, None) => {}
                (Some(route), Some(&cost)) => {
                    prop_assert!((route.cost() - cost).abs() < 1e-6, "{} for {cost}", route.cost());
                    let (end, steps_cost) = route_cost(&map, from, &route.steps).expect("legal steps");
                    prop_assert_eq!(end, to);
                    prop_assert!((steps_cost - cost).abs() < 1e-6);
                }
                (route, cost) => prop_assert!(false, "{route:?} for {cost:?} to {to}"),
            }
        }
    }

    #[test]
    fn travel_reaches_its_target_at_the_lowest_cost(
        map in any_map(),
        from in (0_i32..14, 0_i32..14),
        to in (0_i32..14, 0_i32..14),
    ) {
        let on_map = |(x, y)| TilePos::new(x % map.width() as i32, y % map.height() as i32);
        let (from, to) = (on_map(from), on_map(to));
        prop_assume!(map.is_open(from) && from != to);
        let cost = dijkstra(&map, from).get(&to).copied();
        let drive = Drive::Travel { target: Target::Point(to.centre()) };
        let mut world = build::world(hunter(map.clone(), from, drive, 1));
        let (mut paid, mut at) = (0.0, from);
        let mut arrivals = 0;
        for frame in 0..300 {
            if frame % 97 == 5 {
                // A copy of the frame without planned routes must continue in the same way.
                let mut copy = without_routes(&world);
                copy.clone_from(&world);
                world = copy;
            }
            step(&mut world);
            let now = world.tile(A);
            if now != at {
                let direction = map.direction_between(at, now).expect("one step in a frame");
                prop_assert_eq!(map.step(at, direction, true), Ok(now));
                let length = if direction.is_diagonal() { 2.0_f64.sqrt() } else { 1.0 };
                paid += length * f64::from(map.kind(now).expect("a tile").cost);
                at = now;
            }
            arrivals += world.events().iter().filter(|e| e.kind == EventKind::Arrived).count();
        }
        let flags = world.flags(A);
        if let Some(cost) = cost {
            prop_assert!((paid - cost).abs() < 1e-6, "{paid} paid for {cost}");
            prop_assert_eq!((at, arrivals, flags.has(Flags::ARRIVED)), (to, 1, true));
        } else {
            prop_assert_eq!((at, arrivals), (from, 0));
            let why = world.obstruction(A);
            prop_assert_eq!(why, Some(tilewalk_sim::event::Obstruction::NoRoute));
        }
    }

    /// The target stands still. The line from the target back to the chaser has the same tiles.
    #[test]
    fn a_chaser_follows_the_line_to_its_target_up_to_the_first_blocked_tile(
        map in any_map(),
        from in (0_i32..14, 0_i32..14),
        to in (0_i32..14, 0_i32..14),
    ) {
        let on_map = |(x, y)| TilePos::new(x % map.width() as i32, y % map.height() as i32);
        let (from, to) = (on_map(from), on_map(to));
        prop_assume!(map.is_open(from));
        let drive = Drive::Chase { target: Target::Point(to.centre()) };
        let mut world = build::world(hunter(map.clone(), from, drive, 1));
        let mut walked = vec![from];
        for _ in 0..20 {
            step(&mut world);
            if world.tile(A) != walked[walked.len() - 1] {
                walked.push(world.tile(A));
            }
        }
        let resolved = |line: tilewalk_sim::map::line::Line| -> Vec<_> {
            line.tiles().filter_map(|tile| map.resolve(tile)).collect()
        };
        let line = resolved(map.line(from, to));
        let mut back = resolved(map.line(to, from));
        back.reverse();
        prop_assert_eq!(&line, &back);
        prop_assert_eq!(&line[..walked.len()], &walked);
        let stopped = walked.len() < line.len();
        prop_assert_eq!(world.flags(A).has(Flags::BLOCKED), stopped);
        if stopped {
            let next = line[walked.len()];
            let direction = map.direction_between(walked[walked.len() - 1], next).expect("neighbours");
            prop_assert!(map.step(walked[walked.len() - 1], direction, false).is_err());
        }
    }

    /// A target is visible exactly if no tile between the two ends of the chase line is opaque.
    #[test]
    fn the_chase_line_is_the_line_of_sight(
        map in any_map(),
        from in (0_i32..14, 0_i32..14),
        to in (0_i32..14, 0_i32..14),
    ) {
        let on_map = |(x, y): (i32, i32)| {
            TilePos::new(x % map.width() as i32, y % map.height() as i32)
        };
        let (from, to) = (on_map(from), on_map(to));
        let ahead: Vec<TilePos> = {
            let mut world = World::new(std::sync::Arc::new(hunter(
                map.clone(), from, Drive::Chase { target: Target::Point(to.centre()) }, 1000,
            )));
            step(&mut world);
            world.ahead(A).collect()
        };
        prop_assert_eq!(ahead.last().copied(), (from != to).then_some(to));
        let between = &ahead[..ahead.len().saturating_sub(1)];
        let clear = between.iter().all(|&tile| map.kind(tile).is_some_and(|kind| !kind.opaque));
        prop_assert_eq!(map.sees(from.centre(), to.centre()), clear);
        prop_assert_eq!(map.sees(to.centre(), from.centre()), clear, "sight is symmetric");
    }

    /// If no neighbouring tile is as far from the threat as its own tile, the agent stays.
    #[test]
    fn fleeing_agents_step_to_the_neighbouring_tile_farthest_from_the_threat(
        map in any_map(),
        from in (0_i32..14, 0_i32..14),
        threat in (0_i32..14, 0_i32..14),
    ) {
        let on_map = |(x, y)| TilePos::new(x % map.width() as i32, y % map.height() as i32);
        let (from, threat) = (on_map(from), on_map(threat));
        prop_assume!(map.is_open(from));
        let drive = Drive::FleeTiles { target: Target::Point(threat.centre()) };
        let mut world = build::world(hunter(map.clone(), from, drive, 1));
        for _ in 0..15 {
            let at = world.tile(A);
            step(&mut world);
            let far = |tile: TilePos| map.offset(threat.centre(), tile.centre()).length_squared();
            let open: Vec<_> =
                Direction::ALL.iter().filter_map(|&direction| map.step(at, direction, false).ok()).collect();
            let most = open.iter().map(|&to| far(to)).fold(0.0, f32::max);
            let first = open.iter().copied().find(|&to| far(to) == most);
            let expected = first.filter(|_| most >= far(at)).unwrap_or(at);
            prop_assert_eq!(world.tile(A), expected);
        }
    }

    /// Agents never enter solid tiles, and take at most one step every `pace` frames.
    #[test]
    fn agents_on_tiles_stay_on_walkable_tiles_and_keep_their_pace(
        map in any_map(),
        places in proptest::collection::vec((0_i32..14, 0_i32..14), 4),
        pace in 1_u32..4,
        seed in 0_u64..100,
    ) {
        let on_map = |(x, y)| TilePos::new(x % map.width() as i32, y % map.height() as i32);
        let places: Vec<_> = places.into_iter().map(on_map).filter(|&at| map.is_open(at)).collect();
        prop_assume!(places.len() == 4);
        let mut scenario = build::scenario(map.clone());
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let of = |index| Target::Agent(AgentId(index));
        let drives = [
            Drive::Chase { target: of(1) },
            Drive::FleeTiles { target: of(0) },
            Drive::Travel { target: of(1) },
            Drive::Travel { target: of(0) },
        ];
        for (index, (drive, at)) in drives.into_iter().zip(&places).enumerate() {
            let body = Body { solid: index % 2 == 0 && !places[..index].contains(at), ..Body::default() };
            build::add(&mut scenario, &format!("a{index}"), at.centre(), body, drive);
            build::edit(&mut scenario, |parts| parts.kinds[index].modes[0].pace = pace);
        }
        let mut world = build::world(scenario);
        for frame in 1..=120 {
            let before: Vec<_> = world.ids().map(|id| world.tile(id)).collect();
            step(&mut world);
            for id in world.ids() {
                let (from, to) = (before[id.index()], world.tile(id));
                prop_assert!(map.is_open(to));
                prop_assert!(from == to || map.direction_between(from, to).is_some());
                prop_assert!(from == to || frame % u64::from(pace) == 0, "a step at frame {frame}");
                prop_assert_eq!(world.position(id), to.centre());
            }
        }
        without_routes(&world);
    }
}

#[test]
fn a_traveller_that_arrived_leaves_again_when_its_target_moves_on() {
    let rows = vec![".".repeat(10); 3];
    let drive = Drive::Travel { target: Target::Agent(AgentId(1)) };
    let mut scenario = hunter(build::map(&rows, Edges::Wall), TilePos::new(0, 1), drive, 1);
    let path = PathPattern::new(
        &[TilePos::new(2, 1), TilePos::new(9, 1)],
        PathRules { dwell: 12, ..PathRules::default() },
    );
    let walk = build::absolute_pattern(Pattern::Path(path.unwrap()));
    build::add(&mut scenario, "b", TilePos::new(2, 1).centre(), Body::default(), walk);
    let mut world = build::world(scenario);
    let mut seen = Vec::new();
    for _ in 0..40 {
        step(&mut world);
        for event in world.events().iter().filter(|event| event.agent == A) {
            seen.push((event.frame.0, event.kind.word()));
        }
    }
    assert_eq!(seen, [(9, "arrived"), (28, "arrived")]);
}

#[test]
fn a_copy_of_a_world_plans_the_same_route_again() {
    let rows: Vec<String> = ["..........", ".########.", "..........", ".########.", ".........."]
        .map(String::from)
        .into();
    let drive = Drive::Travel { target: Target::Point(TilePos::new(9, 3).centre()) };
    let scenario = hunter(build::map(&rows, Edges::Wall), TilePos::new(0, 1), drive, 1);
    let mut world = build::world(scenario);
    (0..4).for_each(|_| step(&mut world));
    let mut copy = build::world(world.scenario().as_ref().clone());
    copy.clone_from(&world);
    let mut second_copy = copy.clone();
    for _ in 0..20 {
        for world in [&mut world, &mut copy, &mut second_copy] {
            step(world);
        }
        assert_eq!((world.hash(), world.hash()), (copy.hash(), second_copy.hash()));
    }
    assert!(
        matches!(world.drive_state(A), DriveState::Travel { progress: Some(progress), .. } if progress.done > 5)
    );
}
