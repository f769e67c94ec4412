//! Properties of matrix patterns: walkers stay on the matrix and choose exits uniformly.

use proptest::prelude::*;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::line::{self, LineKind};
use tilewalk_sim::geom::{Direction, TilePos};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::matrix::DeadEnd;
use tilewalk_sim::pattern::{MatrixPattern, Pattern};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use crate::support::build;

/// Returns an open floor with a walker on the matrix of 47 tiles of the book's example 3-11.
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

/// Returns an open floor with a walker at `at` that follows a matrix of tiles.
fn walker(tiles: Vec<TilePos>, dead_end: DeadEnd, at: TilePos, seed: u64) -> Scenario {
    let rows = vec![".".repeat(20); 20];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    build::edit(&mut scenario, |parts| parts.seed = seed);
    let matrix = MatrixPattern::new(tiles, true, dead_end).expect("a matrix");
    let drive = build::absolute_pattern(Pattern::Matrix(matrix));
    build::add(&mut scenario, "ogre", at.centre(), Body::default(), drive);
    scenario
}

const OGRE: AgentId = AgentId(0);

fn matrix_of(world: &World) -> MatrixPattern {
    match world.pattern(OGRE) {
        Some((Pattern::Matrix(matrix), _)) => matrix.clone(),
        other => panic!("expected a matrix, found {other:?}"),
    }
}

/// Simulates `frames` frames. Returns the walker's tile at each frame.
fn walk(world: &mut World, frames: usize) -> Vec<TilePos> {
    let mut tiles = vec![world.tile(OGRE)];
    for _ in 0..frames {
        step(world);
        tiles.push(world.tile(OGRE));
    }
    tiles
}

#[test]
fn matrix_walkers_stay_on_the_matrix_and_turn_back_only_at_dead_ends() {
    let mut world = build::world(example_3_11(4));
    let matrix = matrix_of(&world);
    let tiles = walk(&mut world, 20_000);
    for &tile in &tiles {
        assert!(matrix.rank(tile).is_some(), "{tile} is not in the matrix");
    }
    for visited in tiles.windows(3) {
        assert_eq!(visited[0].king_distance(visited[1]), 1);
        let exits = Direction::ALL
            .iter()
            .filter(|&&direction| matrix.rank(visited[1].neighbour(direction)).is_some());
        assert!(visited[0] != visited[2] || exits.count() == 1, "turned back at {}", visited[1]);
    }
}

/// At every junction, and for every direction of arrival, all exits except the way back are equally likely.
/// The test sums Pearson's χ² over all junctions and directions, and compares the sum with its distribution
/// (normal approximation for many degrees of freedom).
#[test]
fn a_matrix_walker_chooses_exits_uniformly_at_junctions() {
    let mut world = build::world(example_3_11(9));
    let matrix = matrix_of(&world);
    let tiles = walk(&mut world, 400_000);
    let mut counts = std::collections::BTreeMap::<(TilePos, TilePos), [u32; 8]>::new();
    for visited in tiles.windows(3) {
        let exit = Direction::of_step(visited[2] - visited[1]).expect("a step");
        counts.entry((visited[0], visited[1])).or_default()[exit as usize] += 1;
    }
    let (mut chi2, mut freedom) = (0.0, 0.0);
    for ((from, at), exit_counts) in counts {
        let is_exit = |direction: Direction| {
            let to = at.neighbour(direction);
            to != from && matrix.rank(to).is_some()
        };
        let exits: Vec<_> =
            Direction::ALL.into_iter().filter(|&direction| is_exit(direction)).collect();
        let total: u32 = exit_counts.iter().sum();
        let expected = f64::from(total) / exits.len() as f64;
        if exits.len() < 2 || expected < 5.0 {
            continue;
        }
        freedom += exits.len() as f64 - 1.0;
        for exit in exits {
            let difference = f64::from(exit_counts[exit as usize]) - expected;
            chi2 += difference * difference / expected;
        }
    }
    assert!(freedom >= 20.0, "only {freedom} degrees of freedom");
    // The mean of χ² is the number of degrees of freedom, and its variance is twice this number. At the
    // limit, p ≈ 0.001.
    let limit = freedom + 3.1 * (2.0 * freedom).sqrt();
    assert!(chi2 < limit, "χ² = {chi2:.1} with {freedom} degrees of freedom, limit {limit:.1}");
}

#[test]
fn at_a_dead_end_a_walker_turns_back_or_stays_as_configured() {
    let corridor = || (3..8).map(|x| TilePos::new(x, 5)).collect::<Vec<_>>();
    let xs = |dead_end| -> Vec<i32> {
        let mut world = build::world(walker(corridor(), dead_end, TilePos::new(3, 5), 1));
        walk(&mut world, 10).iter().map(|tile| tile.x).collect()
    };
    assert_eq!(xs(DeadEnd::Back), [3, 4, 5, 6, 7, 6, 5, 4, 3, 4, 5]);
    assert_eq!(xs(DeadEnd::Stay), [3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7]);
}

#[test]
fn a_walker_outside_the_matrix_travels_to_the_nearest_tile_of_the_matrix() {
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
    fn a_matrix_walker_moves_at_most_one_tile_per_frame_and_joins_the_matrix(
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
