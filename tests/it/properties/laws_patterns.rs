//! Properties of patterns on tiles.

use proptest::prelude::*;
use tilewalk::body::Body;
use tilewalk::geom::line::{self, LineKind};
use tilewalk::geom::{Direction, TilePos};
use tilewalk::id::AgentId;
use tilewalk::map::Edges;
use tilewalk::pattern::matrix::DeadEnd;
use tilewalk::pattern::{MatrixPattern, Pattern};
use tilewalk::scenario::Scenario;
use tilewalk::step::step;
use tilewalk::world::World;

use crate::support::build;

/// The book's matrix of 47 tiles on an open floor, walked by one agent at pace 1.
fn example_3_11(seed: u64) -> Scenario {
    let segments = [
        ((2, 3), (2, 16)),
        ((2, 16), (11, 16)),
        ((11, 16), (11, 9)),
        ((11, 9), (2, 9)),
        ((2, 9), (6, 3)),
        ((6, 3), (2, 3)),
    ];
    let tile = |(x, y)| TilePos::new(x, y);
    let tiles =
        segments.iter().flat_map(|&(a, b)| line::tiles(LineKind::Book, tile(a), tile(b))).collect();
    walker(tiles, DeadEnd::Back, TilePos::new(2, 3), seed)
}

fn walker(tiles: Vec<TilePos>, dead_end: DeadEnd, at: TilePos, seed: u64) -> Scenario {
    let rows = vec![".".repeat(20); 20];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    build::edit(&mut scenario, |parts| parts.seed = seed);
    let matrix = MatrixPattern::new(tiles, true, dead_end).expect("a matrix");
    let drive = build::absolute(Pattern::Matrix(matrix));
    build::add(&mut scenario, "ogre", at.centre(), Body::default(), drive);
    scenario
}

const OGRE: AgentId = AgentId(0);

fn matrix_of(world: &World) -> MatrixPattern {
    match world.pattern(OGRE) {
        Some((Pattern::Matrix(matrix), _)) => matrix.clone(),
        other => panic!("no matrix but {other:?}"),
    }
}

/// The tiles of a walk, one a frame.
fn walk(world: &mut World, frames: usize) -> Vec<TilePos> {
    let mut tiles = vec![world.tile(OGRE)];
    for _ in 0..frames {
        step(world);
        tiles.push(world.tile(OGRE));
    }
    tiles
}

#[test]
fn a_matrix_walker_never_leaves_its_tiles_and_never_turns_straight_back() {
    let mut world = build::world(example_3_11(4));
    let matrix = matrix_of(&world);
    let tiles = walk(&mut world, 20_000);
    for &tile in &tiles {
        assert!(matrix.rank(tile).is_some(), "{tile} is not of the matrix");
    }
    for three in tiles.windows(3) {
        assert_eq!(three[0].king_distance(three[1]), 1);
        let ways =
            Direction::ALL.iter().filter(|&&way| matrix.rank(three[1].neighbour(way)).is_some());
        assert!(three[0] != three[2] || ways.count() == 1, "straight back at {}", three[1]);
    }
}

/// For every junction and every way into it, the ways out are equally likely: Pearson's χ², summed
/// over all of them, against its distribution (normal approximation for many degrees of freedom).
#[test]
fn a_matrix_walker_chooses_uniformly_at_junctions() {
    let mut world = build::world(example_3_11(9));
    let matrix = matrix_of(&world);
    let tiles = walk(&mut world, 400_000);
    let mut counts = std::collections::BTreeMap::<(TilePos, TilePos), [u32; 8]>::new();
    for three in tiles.windows(3) {
        let out = Direction::of_step(three[2] - three[1]).expect("a step");
        counts.entry((three[0], three[1])).or_default()[out as usize] += 1;
    }
    let (mut chi2, mut freedom) = (0.0, 0.0);
    for ((from, at), outs) in counts {
        let open = |way: Direction| {
            let to = at.neighbour(way);
            to != from && matrix.rank(to).is_some()
        };
        let ways: Vec<_> = Direction::ALL.into_iter().filter(|&way| open(way)).collect();
        let total: u32 = outs.iter().sum();
        let expected = f64::from(total) / ways.len() as f64;
        if ways.len() < 2 || expected < 5.0 {
            continue;
        }
        freedom += ways.len() as f64 - 1.0;
        for way in ways {
            let off = f64::from(outs[way as usize]) - expected;
            chi2 += off * off / expected;
        }
    }
    assert!(freedom >= 20.0, "junctions were visited: {freedom}");
    // p ≈ 0.001: the mean of χ² is its freedom, its variance twice that.
    let limit = freedom + 3.1 * (2.0 * freedom).sqrt();
    assert!(chi2 < limit, "χ² = {chi2:.1} with {freedom} degrees of freedom, limit {limit:.1}");
}

#[test]
fn a_dead_end_sends_back_or_ends_the_walk() {
    let corridor = || (3..8).map(|x| TilePos::new(x, 5)).collect::<Vec<_>>();
    let xs = |dead_end| -> Vec<i32> {
        let mut world = build::world(walker(corridor(), dead_end, TilePos::new(3, 5), 1));
        walk(&mut world, 10).iter().map(|tile| tile.x).collect()
    };
    assert_eq!(xs(DeadEnd::Back), [3, 4, 5, 6, 7, 6, 5, 4, 3, 4, 5]);
    assert_eq!(xs(DeadEnd::Stay), [3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7]);
}

#[test]
fn who_starts_off_the_matrix_travels_to_its_nearest_tile() {
    let corridor = (3..8).map(|x| TilePos::new(x, 5)).collect();
    let mut world = build::world(walker(corridor, DeadEnd::Back, TilePos::new(12, 9), 1));
    let joined = (0..20).find(|_| {
        step(&mut world);
        world.events().iter().any(|event| event.kind.word() == "joined")
    });
    assert_eq!((joined, world.tile(OGRE)), (Some(4), TilePos::new(7, 5)));
}

proptest! {
    #![proptest_config(build::cases(64))]

    #[test]
    fn a_walk_moves_at_most_one_step_a_frame(
        cells in proptest::collection::vec((0_i32..20, 0_i32..20), 2..120),
        seed in 0_u64..1000,
        start in (0_i32..20, 0_i32..20),
    ) {
        let tiles: Vec<_> = cells.iter().map(|&(x, y)| TilePos::new(x, y)).collect();
        prop_assume!(tiles.iter().any(|&tile| tile != tiles[0]));
        let at = TilePos::new(start.0, start.1);
        let mut world = build::world(walker(tiles.clone(), DeadEnd::Back, at, seed));
        for pair in walk(&mut world, 300).windows(2) {
            prop_assert!(pair[0].king_distance(pair[1]) <= 1);
        }
        let joined = world.flags(OGRE).words().all(|word| word != "joining");
        prop_assert!(joined && tiles.contains(&world.tile(OGRE)));
    }
}
