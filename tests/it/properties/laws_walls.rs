//! No body enters a solid tile, whatever its size and speed.

use proptest::prelude::*;
use tilewalk::body::Body;
use tilewalk::geom::{TilePos, Vec2};
use tilewalk::map::{Edges, Map};
use tilewalk::scenario::Scenario;
use tilewalk::step::step;

use crate::support::build;
use crate::support::sound::assert_out_of_walls;

/// Random ground of at most 24 × 24 tiles with a floor tile at least.
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

/// Bodies on random floor tiles: some wander, some push straight at a point in the walls.
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
    fn no_body_is_ever_in_a_wall(
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
