//! Compares fields, routes and components with plain searches on random maps.
//!
//! The searches of this file know no tables and no shortcuts: they ask [`Map::step`] for each step, and
//! a heap sorts the tiles. Their tie rules are those of the documentation of the modules under test.

use core::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::components::Components;
use super::route::{NextStep, RouteField};
use super::search::{PathQuery, PathSearch, bit};
use super::walls::tests::{Draws, cases, wall};
use super::{Corners, Edges, Map};
use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};
use crate::grid::Grid;
use crate::tile::TileKind;

fn below(draws: &mut Draws, count: usize) -> usize {
    ((draws.share() * count as f64) as usize).min(count - 1)
}

/// Returns a map with random tiles, costs, edges, corner rules and free walls.
fn random_map(draws: &mut Draws) -> Map {
    let most = if draws.share() < 0.1 { 80 } else { 12 };
    let (width, height) = (1 + below(draws, most), 1 + below(draws, most));
    let closed = TileKind { walk: false, ..TileKind::floor("#", "wall") };
    let dear = [1.5, 3.0, 7.3, 1000.0][below(draws, 4)];
    let rough = |cost| TileKind { cost, ..TileKind::floor(",", "rough") };
    let legend = vec![TileKind::floor(".", "floor"), closed, rough(1.2), rough(dear)];
    let walls = draws.share() * 0.5;
    let kinds = 1 + below(draws, 3);
    let cell = |draws: &mut Draws| match below(draws, kinds) {
        _ if draws.share() < walls => 1,
        0 => 0,
        rough => rough as u8 + 1,
    };
    let cells = (0..width * height).map(|_| cell(draws)).collect();
    let tiles = Grid::from_cells(width as u32, cells).unwrap();
    let edges = [Edges::Wall, Edges::Wrap][below(draws, 2)];
    let corners = [Corners::Patterns, Corners::Cut, Corners::Block][below(draws, 3)];
    let map = Map::new(tiles, legend, vec![], edges, corners).unwrap();
    let count = if draws.share() < 0.4 { below(draws, 8) } else { 0 };
    let end = |draws: &mut Draws| {
        // Half of the walls end at borders or centres of tiles, where ties occur.
        let half = draws.share() < 0.5;
        let mut along = |side: usize| {
            let at = (draws.share() * side as f64) as f32;
            if half { (at * 2.0).round() / 2.0 } else { at }
        };
        crate::geom::Vec2::new(along(width), along(height))
    };
    let walls = (0..count).map(|_| {
        let one_sided = draws.share() < 0.5;
        super::Wall { one_sided, ..wall(end(draws), end(draws)) }
    });
    let walls = walls.collect();
    map.with_walls(walls, vec![String::new()])
}

fn random_tile(draws: &mut Draws, map: &Map) -> TilePos {
    let (width, height) = (map.width() as usize, map.height() as usize);
    TilePos::new(below(draws, width) as i32, below(draws, height) as i32)
}

/// Returns the steps that leave a tile, in the order of the directions.
fn steps(map: &Map, from: TilePos) -> impl Iterator<Item = (Direction, TilePos)> {
    Direction::ALL
        .into_iter()
        .filter_map(move |direction| map.step(from, direction, true).ok().map(|to| (direction, to)))
}

fn length(direction: Direction) -> f64 {
    if direction.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 }
}

/// Returns the cost, the rank of the goal and the next step of the best route from each tile.
type Labels = BTreeMap<TilePos, (u64, usize, Option<Direction>)>;

fn labels(map: &Map, goals: &[TilePos]) -> Labels {
    let mut back: BTreeMap<TilePos, Vec<(TilePos, Direction)>> = BTreeMap::new();
    for (from, _) in map.tiles().iter().filter(|&(tile, _)| map.is_open(tile)) {
        for (direction, to) in steps(map, from) {
            back.entry(to).or_default().push((from, direction));
        }
    }
    let open = goals.iter().enumerate().filter_map(|(rank, &goal)| {
        map.resolve(goal).filter(|&goal| map.is_open(goal)).map(|goal| (0, rank, None, goal))
    });
    let mut open: BinaryHeap<_> = open.map(Reverse).collect();
    let mut best = Labels::new();
    while let Some(Reverse((cost, rank, next, tile))) = open.pop() {
        if best.contains_key(&tile) {
            continue;
        }
        best.insert(tile, (cost, rank, next));
        for &(from, direction) in back.get(&tile).into_iter().flatten() {
            let tile_cost = f64::from(map.kind(tile).unwrap().cost);
            let step = (tile_cost * length(direction) * 65536.0 + 0.5) as u64;
            open.push(Reverse((cost + step, rank, Some(direction), from)));
        }
    }
    best
}

/// Finds a route by A* as the documentation of the search describes it. `left` estimates the cost to
/// the goal, `avoids` returns true for tiles that the route must avoid, and `is_goal` ends the search.
/// Returns the steps, or `None` without a route or after `limit` expanded tiles.
fn a_star(
    map: &Map,
    from: TilePos,
    limit: usize,
    left: impl Fn(TilePos) -> u64,
    avoids: impl Fn(TilePos) -> bool,
    mut is_goal: impl FnMut(TilePos, u64) -> Option<TilePos>,
) -> Option<Vec<Direction>> {
    let mut reached: BTreeMap<TilePos, (u64, Option<(TilePos, Direction)>)> = BTreeMap::new();
    let mut expanded = BTreeSet::new();
    reached.insert(from, (0, None));
    let mut open = BinaryHeap::from([(Reverse(left(from)), 0_u64, Reverse(from))]);
    let mut end = None;
    while let Some((_, cost, Reverse(tile))) = open.pop() {
        if reached[&tile].0 != cost || !expanded.insert(tile) {
            continue;
        }
        end = is_goal(tile, cost);
        if end.is_some() || expanded.len() >= limit {
            break;
        }
        for (direction, to) in steps(map, tile).filter(|&(_, to)| !avoids(to)) {
            let unit = if direction.is_diagonal() { 379_625_062.0 } else { 268_435_456.0 };
            let cost = cost + (f64::from(map.kind(to).unwrap().cost) * unit) as u64;
            if reached.get(&to).is_none_or(|&(known, _)| cost < known) {
                reached.insert(to, (cost, Some((tile, direction))));
                open.push((Reverse(cost + left(to)), cost, Reverse(to)));
            }
        }
    }
    let mut end = end.or_else(|| is_goal(from, u64::MAX))?;
    let mut route = Vec::new();
    while let (_, Some((before, direction))) = reached[&end] {
        route.push(direction);
        end = before;
    }
    route.reverse();
    Some(route)
}

fn octile(map: &Map, from: TilePos, to: TilePos) -> u64 {
    let offset = map.tile_offset(from, to);
    let (x, y) = (u64::from(offset.x.unsigned_abs()), u64::from(offset.y.unsigned_abs()));
    x.min(y) * 379_625_062 + (x.max(y) - x.min(y)) * 268_435_456
}

#[test]
fn fields_lead_along_the_routes_of_a_plain_search() {
    let mut draws = Draws(0xf1e1d);
    let mut several = 0;
    for _ in 0..cases(400) {
        let map = random_map(&mut draws);
        let count = [1, 1, 2, 5, 20][below(&mut draws, 5)];
        let goals: Vec<_> = (0..count).map(|_| random_tile(&mut draws, &map)).collect();
        let best = labels(&map, &goals);
        let field = RouteField::towards(&Cancel::default(), &map, goals.iter().copied()).unwrap();
        let mut partial = RouteField::begun(&map, goals.iter().copied());
        for (tile, _) in map.tiles().iter() {
            let expected = best.get(&tile).map(|&(_, _, next)| match next {
                None => NextStep::Here,
                Some(direction) => NextStep::Step(direction),
            });
            assert_eq!(field.next_step(tile), expected, "{tile} to {goals:?}");
            partial.look_for(&map, tile, usize::MAX, &Cancel::default());
            assert!(partial.is_known(tile) || expected.is_none());
            assert_eq!(partial.next_step(tile), expected, "{tile} to {goals:?}");
        }
        let ranks: BTreeSet<_> = best.values().map(|&(_, rank, _)| rank).collect();
        several += usize::from(ranks.len() > 1);
    }
    assert!(several > 20, "{several}");
}

#[test]
fn routes_are_the_routes_of_a_plain_search() {
    let mut draws = Draws(0xa57a4);
    let mut search = PathSearch::default();
    let (mut found, mut stopped) = (0, 0);
    for _ in 0..cases(400) {
        let map = random_map(&mut draws);
        for _ in 0..10 {
            let [from, to] = [0; 2].map(|_| random_tile(&mut draws, &map));
            let held = if draws.share() < 0.5 { 0 } else { below(&mut draws, 256) as u8 };
            let limit = [3, 30, usize::MAX][below(&mut draws, 3)];
            let query = PathQuery { from, to, held };
            let stop = u32::try_from(limit).unwrap_or(u32::MAX);
            let route = search.walk(&map, query, stop, || false).map(|route| route.steps);
            let avoids = |tile| {
                let between = map.direction_between(from, tile);
                between.is_some_and(|direction| held & bit(direction) != 0)
            };
            let can_end = (from == to || map.is_open(to)) && !avoids(to);
            let left = |tile| octile(&map, tile, to);
            let is_goal = |tile, cost| (tile == to && cost < u64::MAX).then_some(tile);
            let expected =
                can_end.then(|| a_star(&map, from, limit, left, avoids, is_goal)).flatten();
            assert_eq!(route, expected, "{from} to {to}, held {held:#b}");
            found += usize::from(route.is_some_and(|route| route.len() > 2));
            stopped += usize::from(limit < usize::MAX);
        }
    }
    assert!(found > 500 && stopped > 500, "{found} {stopped}");
}

#[test]
fn routes_to_the_nearest_goal_are_the_routes_of_a_plain_search() {
    let mut draws = Draws(0x9ea4);
    let mut search = PathSearch::default();
    let mut found = 0;
    for _ in 0..cases(400) {
        let map = random_map(&mut draws);
        let from = random_tile(&mut draws, &map);
        let goals: Vec<_> = (0..4).map(|_| random_tile(&mut draws, &map)).collect();
        let rank = |tile| goals.iter().position(|&goal| goal == tile);
        let route = search.walk_to_nearest(&map, from, rank).map(|route| route.steps);
        // The search continues while another goal can be equally near.
        let mut nearest: Option<(u64, usize, TilePos)> = None;
        let is_goal = |tile, cost| {
            if nearest.is_some_and(|(least, _, _)| cost > least) {
                return nearest.map(|(_, _, tile)| tile);
            }
            if let Some(rank) = rank(tile).filter(|_| cost < u64::MAX)
                && nearest.is_none_or(|(_, lowest, _)| rank < lowest)
            {
                nearest = Some((cost, rank, tile));
            }
            None
        };
        let expected = a_star(&map, from, usize::MAX, |_| 0, |_| false, is_goal);
        assert_eq!(route, expected, "{from} to {goals:?}");
        found += usize::from(route.is_some());
    }
    assert!(found > 100, "{found}");
}

#[test]
fn components_are_the_tiles_that_steps_connect() {
    let mut draws = Draws(0xc0);
    let (mut joined, mut separate) = (0, 0);
    for _ in 0..cases(400) {
        let map = random_map(&mut draws);
        let components = Components::of(&map, &Cancel::default()).unwrap();
        let open = |tile: &TilePos| map.is_open(*tile);
        let mut adjacent: BTreeMap<TilePos, Vec<TilePos>> = BTreeMap::new();
        for tile in map.tiles().iter().map(|(tile, _)| tile).filter(open) {
            for (_, to) in steps(&map, tile) {
                adjacent.entry(tile).or_default().push(to);
                adjacent.entry(to).or_default().push(tile);
            }
        }
        let from = random_tile(&mut draws, &map);
        let mut island: BTreeSet<_> = [from].into_iter().filter(open).collect();
        let mut frontier: Vec<_> = island.iter().copied().collect();
        while let Some(tile) = frontier.pop() {
            let next = adjacent.get(&tile).into_iter().flatten();
            frontier.extend(next.copied().filter(|&to| island.insert(to)));
        }
        for (tile, _) in map.tiles().iter() {
            assert_eq!(components.joins(from, tile), island.contains(&tile), "{from} to {tile}");
            let count = if island.contains(&tile) { &mut joined } else { &mut separate };
            *count += usize::from(map.is_open(tile) && map.is_open(from));
        }
    }
    assert!(joined > 500 && separate > 500, "{joined} {separate}");
}
