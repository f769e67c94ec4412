//! Benchmark of route planning: `cargo bench --bench travel`.

use std::fmt::Write as _;

use divan::Bencher;
use tilewalk::cancel::Cancel;
use tilewalk::files::{self, Options};
use tilewalk::geom::TilePos;
use tilewalk::grid::Grid;
use tilewalk::map::components::Components;
use tilewalk::map::route::RouteField;
use tilewalk::map::search::{PathQuery, PathSearch};
use tilewalk::map::{Corners, Edges, Map};
use tilewalk::step::step;
use tilewalk::tile::TileKind;
use tilewalk::world::World;

fn main() {
    divan::main();
}

/// Returns a square map with random walls (one tile in five) and mud (one in five).
fn random_map(side: u32) -> Map {
    let mut wall = TileKind::floor("#", "wall");
    wall.walk = false;
    let mud = TileKind { cost: 3.0, ..TileKind::floor(",", "mud") };
    let mut state = 7_u64;
    let mut cell = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        [0, 0, 0, 1, 2][(state >> 33) as usize % 5]
    };
    let mut cells: Vec<u8> = (0..side * side).map(|_| cell()).collect();
    for corner in [0, cells.len() - 1] {
        cells[corner] = 0;
    }
    let tiles = Grid::from_cells(side, cells).expect("whole rows");
    let legend = vec![TileKind::floor(".", "floor"), wall, mud];
    Map::new(tiles, legend, vec![], Edges::Wall, Corners::default()).expect("a map")
}

/// Returns the end points of a route: `tiles` apart in the middle row, or opposite corners if `tiles` is
/// `None`.
fn end_points(map: &Map, tiles: Option<i32>) -> PathQuery {
    let last = map.width() as i32 - 1;
    let (from, to) = match tiles {
        None => (TilePos::new(0, 0), TilePos::new(last, last)),
        Some(tiles) => {
            let open = |from: i32| {
                (from..last).map(|x| TilePos::new(x, last / 2)).find(|&tile| map.is_open(tile))
            };
            let start = open(last / 2).expect("open ground");
            (start, open(start.x + tiles).expect("open ground"))
        }
    };
    PathQuery { from, to, held: 0 }
}

#[divan::bench(args = [128, 1024, 4096], sample_count = 5)]
fn from_corner_to_corner(bencher: Bencher, side: u32) {
    let map = random_map(side);
    let query = end_points(&map, None);
    let mut search = PathSearch::default();
    bencher.bench_local(|| search.walk(&map, query, u32::MAX, || true).map(|path| path.cost()));
}

#[divan::bench(args = [10, 100, 1000], sample_count = 20)]
fn short_route_on_the_largest_map(bencher: Bencher, tiles: i32) {
    let map = random_map(4096);
    let query = end_points(&map, Some(tiles));
    let mut search = PathSearch::default();
    bencher.bench_local(|| search.walk(&map, query, u32::MAX, || true).map(|path| path.cost()));
}

#[divan::bench(args = [4096], sample_count = 5)]
fn islands(bencher: Bencher, side: u32) {
    let map = random_map(side);
    bencher.bench_local(|| Components::of(&map, &Cancel::default()));
}

/// Computes the flow field of a whole map with random walls and mud.
#[divan::bench(args = [1024, 4096], sample_count = 5)]
fn whole_flow_field(bencher: Bencher, side: u32) {
    let map = random_map(side);
    let goal = TilePos::new(0, 0);
    bencher.bench_local(|| RouteField::towards(&Cancel::default(), &map, core::iter::once(goal)));
}

/// Returns a city of `side` × `side` tiles in blocks of 16. A block has a house, and one block in six
/// has a park with rough ground. `count` travellers follow one of them, which walks at random.
fn city(side: usize, count: usize) -> World {
    let mut text = String::from("tiles = '''\n");
    for y in 0..side {
        let glyph = |x: usize| {
            let is_park = (x / 16 * 7 + y / 16 * 5).is_multiple_of(6);
            match (x % 16 < 12 && y % 16 < 12, is_park) {
                (false, _) => '.',
                (true, true) => ',',
                (true, false) => '#',
            }
        };
        let row: String = (0..side).map(glyph).collect();
        let _ = writeln!(text, "{row}");
    }
    let middle = side / 2 + 13;
    let _ = write!(
        text,
        "'''\n[[agent]]\nname = \"it\"\nat = [{middle}, {middle}]\nsteer = [{{ do = \"wander\" }}]\n\
         [[agent]]\nname = \"w\"\ncount = {count}\nat = \"anywhere\"\n\
         travel = \"it\"\npace = 1\n"
    );
    let origin = tilewalk::builtin::text("bench.toml", text);
    let loaded = files::load(&origin, &Options::default()).expect("a map");
    World::new(loaded.scenario.expect("a map without errors"))
}

/// Measures the steps until the target enters another tile. All travellers then plan new routes.
#[divan::bench(args = [500], sample_count = 10)]
fn travellers_replan(bencher: Bencher, count: usize) {
    let mut world = city(1024, count);
    let it = tilewalk::id::AgentId(0);
    bencher.bench_local(|| {
        let before = world.tile(it);
        while world.tile(it) == before {
            step(&mut world);
        }
    });
}
