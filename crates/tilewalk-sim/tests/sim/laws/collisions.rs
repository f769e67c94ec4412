//! Bodies of any size and speed never enter solid tiles, walls or obstacles.

use proptest::prelude::*;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::map::{Edges, Map};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step;

use crate::support::build;
use crate::support::invariants::assert_out_of_walls;

/// Generates maps of up to 23 × 23 tiles with at least one floor tile.
fn ground() -> impl Strategy<Value = Vec<String>> {
    (2_usize..24, 2_usize..24).prop_flat_map(|(width, height)| {
        let glyph = prop_oneof![6 => Just('.'), 3 => Just('#'), 1 => Just('T')];
        let row = proptest::collection::vec(glyph, width).prop_map(String::from_iter);
        proptest::collection::vec(row, height).prop_map(|mut rows| {
            rows[0].replace_range(0..1, ".");
            rows
        })
    })
}

fn floor_tiles(map: &Map) -> Vec<TilePos> {
    let tiles = map.tiles().iter().map(|(tile, _)| tile);
    tiles.filter(|&tile| map.refusal(tile).is_none()).collect()
}

/// Returns a scenario with bodies on random floor tiles. Some bodies wander, and the others seek points
/// that can be inside walls.
fn scenario(rows: &[String], edges: Edges, bodies: &[(f32, f32, usize)], tick: f64) -> Scenario {
    let mut scenario = build::scenario(build::map(rows, edges));
    build::edit(&mut scenario, |parts| parts.tick = tick);
    let floor = floor_tiles(scenario.map());
    for (index, &(radius, max_speed, place)) in bodies.iter().enumerate() {
        let tile = floor[place % floor.len()];
        if !scenario.map().fits(tile.centre(), radius) {
            continue;
        }
        let body = Body { radius, max_speed, max_force: 60.0 * max_speed, ..Body::default() };
        let drive = if index % 2 == 0 {
            build::wander()
        } else {
            build::seek(Vec2::new((place % 31) as f32, (place % 17) as f32))
        };
        build::add(&mut scenario, &format!("a{index}"), tile.centre(), body, drive);
    }
    scenario
}

proptest! {
    #![proptest_config(build::cases(300))]

    #[test]
    fn bodies_of_any_size_and_speed_never_enter_walls_or_obstacles(
        rows in ground(),
        wrap in any::<bool>(),
        bodies in proptest::collection::vec((0.05_f32..=0.5, 0.1_f32..50.0, any::<usize>()), 1..8),
        tick in 0.005_f64..0.5,
        seed in 0_u64..1000,
    ) {
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        let mut scenario = scenario(&rows, edges, &bodies, tick);
        build::edit(&mut scenario, |parts| parts.seed = seed);
        let mut world = build::world(scenario);
        for _ in 0..200 {
            step(&mut world);
            assert_out_of_walls(&world);
        }
    }
}
