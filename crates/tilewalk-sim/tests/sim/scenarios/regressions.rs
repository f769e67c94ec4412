//! Regression tests: one for each fixed bug.

use tilewalk_sim::body::Body;
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::matrix::DeadEnd;
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::pattern::steps::{StepsRow, Unit};
use tilewalk_sim::pattern::{MatrixPattern, PathPattern, Pattern, StepsPattern};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step;
use tilewalk_sim::world::{Flags, World};

use crate::support::build;

const FIRST: AgentId = AgentId(0);

fn floor(width: usize, height: usize, edges: Edges) -> Scenario {
    build::scenario(build::map(&vec![".".repeat(width); height], edges))
}

fn path(vertices: &[(i32, i32)]) -> Pattern {
    let vertices: Vec<_> = vertices.iter().map(|&(x, y)| TilePos::new(x, y)).collect();
    Pattern::Path(PathPattern::new(&vertices, PathRules::default()).unwrap())
}

fn matrix(tiles: &[(i32, i32)], diagonal: bool, dead_end: DeadEnd) -> Pattern {
    let tiles = tiles.iter().map(|&(x, y)| TilePos::new(x, y)).collect();
    Pattern::Matrix(MatrixPattern::new(tiles, diagonal, dead_end).unwrap())
}

/// Returns a world with one agent that follows a pattern at one step per frame.
fn walker(mut scenario: Scenario, at: (i32, i32), pattern: Pattern) -> World {
    let at = TilePos::new(at.0, at.1).centre();
    build::add(&mut scenario, "w", at, Body::default(), build::absolute_pattern(pattern));
    build::world(scenario)
}

fn tiles(world: &mut World, frames: usize) -> Vec<TilePos> {
    let mut tiles = vec![world.tile(FIRST)];
    for _ in 0..frames {
        step(world);
        tiles.push(world.tile(FIRST));
    }
    tiles
}

fn degrees(rows: Vec<StepsRow>) -> Pattern {
    Pattern::Steps(StepsPattern { rows, repeat: false, unit: Unit::Degrees })
}

#[test]
fn a_wait_longer_than_u32_max_frames_does_not_overflow() {
    let rows = vec![StepsRow { wait: 1_000_000, pace: Some(10_000), ..StepsRow::default() }];
    let mut world = walker(floor(3, 3, Edges::Wall), (1, 1), degrees(rows));
    tiles(&mut world, 60);
    assert!(!world.flags(FIRST).has(Flags::FINISHED));
}

#[test]
fn a_long_move_of_a_pattern_in_degrees_takes_exactly_its_pace_in_frames() {
    let rows = vec![StepsRow { forward: 300.0, pace: Some(1000), ..StepsRow::default() }];
    let mut world = walker(floor(301, 1, Edges::Wall), (0, 0), degrees(rows));
    tiles(&mut world, 999);
    assert!(!world.flags(FIRST).has(Flags::FINISHED));
    step(&mut world);
    assert!(world.flags(FIRST).has(Flags::FINISHED));
    assert!((world.position(FIRST).x - 300.5).abs() < 1e-3, "{}", world.position(FIRST));
}

/// 200 agents head for a pattern outside a large map. The test takes very long if each of them searches for
/// a route.
#[test]
fn stepping_many_agents_without_a_route_to_their_pattern_is_fast() {
    let mut scenario = floor(1000, 1000, Edges::Wall);
    let far = build::absolute_pattern(path(&[(5000, 0), (5000, 999)]));
    build::edit(&mut scenario, |parts| {
        parts.kinds.clear();
        parts.starts.clear();
    });
    for index in 0..200 {
        let at = Vec2::new(10.5 + (index * 4) as f32, 500.5);
        build::add(&mut scenario, &format!("w{index}"), at, Body::default(), far.clone());
    }
    let mut world = build::world(scenario);
    for _ in 0..8 {
        step(&mut world);
    }
    assert!(world.ids().all(|id| world.flags(id).has(Flags::BLOCKED)));
}

#[test]
fn a_pattern_two_widths_beyond_the_edge_of_a_torus_wraps_around_it() {
    let mut world = walker(floor(10, 5, Edges::Wrap), (2, 2), path(&[(22, 2), (25, 2)]));
    let xs: Vec<_> = tiles(&mut world, 6).iter().map(|tile| tile.x).collect();
    assert_eq!(xs, [2, 3, 4, 5, 4, 3, 2]);
}

#[test]
fn a_walker_reaches_the_end_of_a_matrix_wider_than_its_torus() {
    let row = (0..26).map(|x| (x, 0));
    let all: Vec<_> = row.chain((1..4).map(|y| (25, y))).collect();
    let mut world = walker(floor(10, 5, Edges::Wrap), (0, 0), matrix(&all, true, DeadEnd::Back));
    let walked = tiles(&mut world, 2000);
    assert!(walked.contains(&TilePos::new(5, 3)));
}

#[test]
fn a_matrix_walker_never_steps_back_on_a_torus_two_tiles_high() {
    let all: Vec<_> = (0..12).map(|index| (index % 6, index / 6)).collect();
    let mut world = walker(floor(6, 2, Edges::Wrap), (0, 0), matrix(&all, false, DeadEnd::Back));
    for three in tiles(&mut world, 1000).windows(3) {
        assert_ne!(three[0], three[2], "the walker steps straight back from {}", three[1]);
    }
}

#[test]
fn every_step_of_a_matrix_walker_changes_its_tile_on_a_torus_one_tile_wide() {
    let all: Vec<_> = (0..4).map(|y| (0, y)).collect();
    let mut world = walker(floor(1, 4, Edges::Wrap), (0, 0), matrix(&all, true, DeadEnd::Back));
    for two in tiles(&mut world, 1000).windows(2) {
        assert_ne!(two[0], two[1]);
    }
}

fn count(world: &mut World, frames: usize, wanted: EventKind) -> usize {
    let mut count = 0;
    for _ in 0..frames {
        step(world);
        count += world.events().iter().filter(|event| event.kind == wanted).count();
    }
    count
}

#[test]
fn each_walker_trapped_in_a_dead_end_is_reported_once() {
    let lane = || build::absolute_pattern(matrix(&[(0, 0), (1, 0), (2, 0)], true, DeadEnd::Back));
    let solid = Body { solid: true, ..Body::default() };
    let mut scenario = floor(3, 1, Edges::Wall);
    build::add(&mut scenario, "w", Vec2::new(0.5, 0.5), solid, lane());
    build::add(&mut scenario, "v", Vec2::new(1.5, 0.5), solid, lane());
    build::add(&mut scenario, "u", Vec2::new(2.5, 0.5), solid, lane());
    let mut world = build::world(scenario);
    assert_eq!(count(&mut world, 100, EventKind::DeadEnd), 3);
}

#[test]
fn a_walker_without_a_next_tile_reports_a_dead_end_in_frame_1() {
    let apart = matrix(&[(0, 0), (4, 0)], true, DeadEnd::Stay);
    let mut world = walker(floor(6, 1, Edges::Wall), (0, 0), apart);
    step(&mut world);
    let kinds: Vec<_> = world.events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::DeadEnd, EventKind::Finished]);
}

/// A turn rate limits the angle between the desired force and the heading. In a corner, the walls stop the
/// agent. Before the fix, an agent that stood still kept its heading, so it could never turn away from the
/// corner.
#[test]
fn a_slowly_turning_agent_leaves_a_corner() {
    let corners = [((0.301, 0.301), 225.0), ((11.699, 0.301), 300.0), ((0.301, 7.699), 150.0)];
    for ((x, y), heading) in corners {
        let at = Vec2::new(x, y);
        let mut scenario = floor(12, 8, Edges::Wall);
        let body = Body { max_turn_rate: Some(2.0), ..Body::default() };
        build::add(&mut scenario, "w", at, body, build::seek(Vec2::new(6.0, 4.0)));
        build::edit(&mut scenario, |parts| {
            parts.starts[0].heading = tilewalk_sim::geom::heading::from_degrees(heading);
        });
        let mut world = build::world(scenario);
        let left = (0..100).any(|_| {
            step(&mut world);
            (world.position(FIRST) - at).length() > 1.0
        });
        assert!(left, "the agent is at {} after 5 s", world.position(FIRST));
    }
}
