//! Benchmark of route planning: `cargo bench --bench travel`.

use divan::Bencher;
use tilewalk::cancel::Cancel;
use tilewalk::geom::TilePos;
use tilewalk::grid::Grid;
use tilewalk::map::components::Components;
use tilewalk::map::search::{PathQuery, PathSearch};
use tilewalk::map::{Corners, Edges, Map};
use tilewalk::tile::TileKind;

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
