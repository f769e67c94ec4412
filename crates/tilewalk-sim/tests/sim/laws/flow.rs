//! Properties of `flow` and `hug_walls`: agents with `flow` reach every goal that has a route, and agents
//! with `hug_walls` never stop.

use proptest::prelude::*;
use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::event::{EventKind, Obstruction};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::{Edges, Map};
use tilewalk_sim::steering::{
    AvoidWalls, Behaviour, Flow, Hand, HugWalls, Note, Target, WeightedBehaviour,
};
use tilewalk_sim::step::{explain, step};
use tilewalk_sim::world::{Flags, World};

use super::paths::{edges, ground, steer};
use crate::support::build;

proptest! {
    #![proptest_config(build::cases(64))]

    #[test]
    fn agents_with_flow_reach_the_goal_and_are_blocked_only_without_a_route(
        rows in ground(3, 1, 2..14),
        wrap in any::<bool>(),
        goal in any::<prop::sample::Index>(),
        predict in prop_oneof![Just(0.0_f32), 0.0_f32..0.3],
        radius in 0.1_f32..0.35,
    ) {
        let mut scenario = build::scenario(build::map(&rows, edges(wrap)));
        let map = scenario.map().clone();
        let tiles: Vec<TilePos> = map.tiles().iter().map(|(tile, _)| tile).collect();
        let open: Vec<TilePos> = tiles.into_iter().filter(|&tile| map.is_open(tile)).collect();
        let goal = *goal.get(&open);
        let reachable = flood(&map, goal);
        for (number, tile) in open.iter().enumerate() {
            let flow = Behaviour::Flow(Flow { predict });
            let rows = vec![build::behaviour(flow, Some(Target::Point(goal.centre())))];
            let body = Body { radius, ..Body::default() };
            build::add(&mut scenario, &format!("a{number}"), tile.centre(), body, steer(rows));
        }
        let mut world = build::world(scenario);
        let mut blocked_events = 0;
        for _ in 0..2000 {
            step(&mut world);
            let blocked = EventKind::Blocked(Obstruction::NoRoute);
            blocked_events += world.events().iter().filter(|event| event.kind == blocked).count();
        }
        for (id, tile) in world.ids().zip(&open) {
            let has_route = reachable.contains(tile);
            prop_assert_eq!(world.tile(id) == goal, has_route, "from {} to {}", tile, goal);
            prop_assert_eq!(world.flags(id).has(Flags::BLOCKED), !has_route);
        }
        prop_assert_eq!(blocked_events, open.len() - reachable.len(), "one event for each blocked agent");
    }

    #[test]
    fn an_agent_with_hug_walls_never_stands_still(
        rows in ground(2, 0, 3..24),
        wrap in any::<bool>(),
        start in any::<prop::sample::Index>(),
        right in any::<bool>(),
        distance in 0.3_f32..2.0,
        speed in 1.0_f32..4.0,
    ) {
        let mut scenario = build::scenario(build::map(&rows, edges(wrap)));
        let map = scenario.map().clone();
        let tiles = map.tiles().iter().map(|(tile, _)| tile);
        // An agent on a tile without an open neighbour cannot leave the tile.
        let has_open_neighbour = |tile: &TilePos| {
            let beside = [(1, 0), (0, 1), (-1, 0), (0, -1)];
            let mut beside = beside.into_iter().map(|(x, y)| *tile + TilePos::new(x, y));
            map.is_open(*tile) && beside.any(|tile| map.is_open(tile))
        };
        let open: Vec<TilePos> = tiles.filter(has_open_neighbour).collect();
        prop_assume!(!open.is_empty());
        let at = start.get(&open).centre();
        let hand = if right { Hand::Right } else { Hand::Left };
        let rows = vec![build::behaviour(Behaviour::HugWalls(HugWalls { distance, hand }), None)];
        let body = Body { max_speed: speed, ..Body::default() };
        let id = build::add(&mut scenario, "mouse", at, body, steer(rows));
        let mut world = build::world(scenario);
        let mut anchor = world.position(id);
        let mut still = 0;
        for _ in 0..1200 {
            step(&mut world);
            if map.offset(anchor, world.position(id)).length() > 0.2 {
                (anchor, still) = (world.position(id), 0);
            }
            still += 1;
            prop_assert!(still < 40, "stands at {} in frame {}", anchor, world.frame());
        }
    }
}

/// Returns the tiles from which a goal can be reached by steps that cut no corners.
fn flood(map: &Map, goal: TilePos) -> Vec<TilePos> {
    let mut found = vec![goal];
    let mut next = 0;
    while next < found.len() {
        for direction in tilewalk_sim::geom::Direction::ALL {
            if let Ok(to) = map.step(found[next], direction, true)
                && !found.contains(&to)
            {
                found.push(to);
            }
        }
        next += 1;
    }
    found
}

/// Returns a world in which eight agents with `flow` chase four agents that wander.
fn chase() -> World {
    let rows: Vec<String> = (0..40)
        .map(|y: usize| (0..60).map(|x| if x % 9 == 0 && y % 5 > 1 { '#' } else { '.' }).collect())
        .collect();
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let quick = Body { max_speed: 8.0, max_force: 60.0, ..Body::default() };
    for number in 0..4 {
        let at = Vec2::new(5.5 + number as f32, 20.5);
        build::add(&mut scenario, &format!("goal{number}"), at, quick, build::wander());
    }
    for number in 0..8 {
        let flow = build::behaviour(
            Behaviour::Flow(Flow::default()),
            Some(Target::Agent(AgentId(number % 4))),
        );
        let at = Vec2::new(50.5, 3.5 + number as f32);
        build::add(&mut scenario, &format!("a{number}"), at, Body::default(), steer(vec![flow]));
    }
    build::world(scenario)
}

/// A copy of an earlier frame and a new world without any flow fields reach the same state.
#[test]
fn flow_fields_are_not_part_of_the_state() {
    let mut world = chase();
    (0..100).for_each(|_| step(&mut world));
    let earlier = world.clone();
    (0..400).for_each(|_| step(&mut world));
    let mut from_copy = earlier.clone();
    let mut from_start = chase();
    (0..400).for_each(|_| step(&mut from_copy));
    (0..500).for_each(|_| step(&mut from_start));
    assert_eq!(from_copy.hash(), world.hash());
    assert_eq!(from_start.hash(), world.hash());
}

#[test]
fn flow_leads_an_agent_out_of_the_tile_of_a_tree() {
    let rows: Vec<String> = ["......", "...T..", "......"].map(ToOwned::to_owned).to_vec();
    for corner in [(3.05, 1.05), (3.95, 1.05), (3.05, 1.95), (3.95, 1.95)] {
        let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
        let goal = Target::Point(Vec2::new(0.5, 1.5));
        let rows = vec![build::behaviour(Behaviour::Flow(Flow::default()), Some(goal))];
        let body = Body { radius: 0.05, ..Body::default() };
        let at = Vec2::new(corner.0, corner.1);
        let id = build::add(&mut scenario, "a", at, body, steer(rows));
        let mut world = build::world(scenario);
        (0..120).for_each(|_| step(&mut world));
        assert_eq!(world.tile(id), TilePos::new(0, 1), "from {at}");
    }
}

#[test]
fn flow_leads_an_agent_to_a_target_on_the_tile_of_a_tree() {
    let rows: Vec<String> = ["......", "...T..", "......"].map(ToOwned::to_owned).to_vec();
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let tiny = Body { radius: 0.05, ..Body::default() };
    let stand = Drive::Stand;
    let it = build::add(&mut scenario, "it", Vec2::new(3.05, 1.05), tiny, stand);
    let rows = vec![build::behaviour(Behaviour::Flow(Flow::default()), Some(Target::Agent(it)))];
    let id = build::add(&mut scenario, "a", Vec2::new(0.5, 1.5), Body::default(), steer(rows));
    let mut world = build::world(scenario);
    (0..200).for_each(|_| step(&mut world));
    let off = (world.position(id) - world.position(it)).length();
    assert!(off < 0.35, "{off}");
    assert!(!world.flags(id).has(Flags::BLOCKED));
}

/// On a large map, no search is needed to decide whether a route exists.
#[test]
fn on_a_large_map_an_enclosed_agent_is_blocked_and_a_free_agent_arrives() {
    let mut rows = vec![".".repeat(300); 300];
    rows[4].replace_range(4..9, "#####");
    rows[5].replace_range(4..9, "#...#");
    rows[6].replace_range(4..9, "#####");
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let goal = Target::Point(Vec2::new(20.5, 12.5));
    for (name, at) in [("in", Vec2::new(6.5, 5.5)), ("out", Vec2::new(6.5, 2.5))] {
        let rows = vec![build::behaviour(Behaviour::Flow(Flow::default()), Some(goal))];
        build::add(&mut scenario, name, at, Body::default(), steer(rows));
    }
    let mut world = build::world(scenario);
    (0..200).for_each(|_| step(&mut world));
    for id in world.ids() {
        let notes = explain(&world, id).forces.notes;
        let target = Note::Target(Vec2::new(20.5, 12.5));
        assert!(notes.iter().any(|&(_, note)| note == target), "the target is noted");
    }
    assert!(world.flags(AgentId(0)).has(Flags::BLOCKED));
    assert_eq!(world.tile(AgentId(0)), TilePos::new(6, 5));
    assert_eq!(world.tile(AgentId(1)), TilePos::new(20, 12));
}

#[test]
fn seek_with_avoid_walls_passes_a_door_one_tile_wide_from_all_30_starts() {
    let mut rows = vec![format!("#{}#", ".".repeat(24)); 15];
    (rows[0], rows[14]) = ("#".repeat(26), "#".repeat(26));
    for (y, row) in rows.iter_mut().enumerate() {
        if y != 7 {
            row.replace_range(14..15, "#");
        }
    }
    let goal = Vec2::new(21.5, 7.5);
    let mut passed = 0;
    for start in 0..30 {
        let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
        let at = Vec2::new(2.5 + (start % 6) as f32 * 2.0, 2.5 + (start / 6) as f32 * 2.5);
        let walls = Behaviour::AvoidWalls(AvoidWalls::default());
        let rows = vec![
            WeightedBehaviour { weight: 10.0, ..build::behaviour(walls, None) },
            build::behaviour(Behaviour::Seek, Some(Target::Point(goal))),
        ];
        let id = build::add(&mut scenario, "seeker", at, Body::default(), steer(rows));
        let mut world = build::world(scenario);
        // The longest route takes 5 s. An agent that passes within 10 s was not stuck.
        let passes = (0..200).any(|_| {
            step(&mut world);
            world.position(id).x > 15.5
        });
        passed += u32::from(passes);
    }
    assert_eq!(passed, 30);
}
