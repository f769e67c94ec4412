//! The shortest walk over tiles to the nearest of several goals (Dijkstra, terrain costs).
//!
//! A step costs its length (1, or √2 for a diagonal) times the cost of the tile it enters. Ties are
//! broken by reading order, so a route never depends on anything but the map.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::geom::{Notch, TilePos};

use super::Map;

/// The steps from `from` to the nearest tile for which `goal` gives a rank; of several at the same
/// distance, the one of the lowest rank.
///
/// Returns `None` when no goal can be reached, and no steps when `from` is one.
pub fn to_nearest(
    map: &Map,
    from: TilePos,
    goal: impl Fn(TilePos) -> Option<usize>,
) -> Option<Vec<TilePos>> {
    let tiles = map.tiles();
    // Zeroed memory is lent by the system page by page, so a short route on a huge map is cheap.
    let mut came_by = vec![0_u8; tiles.cells().len()];
    let mut costs = vec![0_f64; tiles.cells().len()];
    let mut closed = vec![false; tiles.cells().len()];
    let mut open = BinaryHeap::new();
    let mut best: Option<(f64, usize, TilePos)> = None;
    open.push(Reverse(Visit { cost: 0.0, tile: from }));
    while let Some(Reverse(Visit { cost, tile })) = open.pop() {
        if best.is_some_and(|(nearest, ..)| cost > nearest) {
            break;
        }
        let index = tiles.index(tile)?;
        if core::mem::replace(&mut closed[index], true) {
            continue;
        }
        if let Some(rank) = goal(tile)
            && best.is_none_or(|(_, lowest, _)| rank < lowest)
        {
            best = Some((cost, rank, tile));
        }
        for notch in Notch::ALL {
            let Ok(next) = map.step(tile, notch, true) else { continue };
            let Some(at) = tiles.index(next) else { continue };
            let length = if notch.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 };
            let next_cost = cost + length * map.kind(next).map_or(1.0, |kind| f64::from(kind.cost));
            if next != from && (came_by[at] == 0 || next_cost < costs[at]) {
                came_by[at] = notch as u8 + 1;
                costs[at] = next_cost;
                open.push(Reverse(Visit { cost: next_cost, tile: next }));
            }
        }
    }
    let (.., end) = best?;
    Some(walked_back(map, from, end, &came_by))
}

/// The tiles from `from` (left out) to `end`, by the steps that led to each.
fn walked_back(map: &Map, from: TilePos, end: TilePos, came_by: &[u8]) -> Vec<TilePos> {
    let mut route = Vec::new();
    let mut tile = end;
    while tile != from {
        route.push(tile);
        let step = map.tiles().index(tile).map_or(0, |index| came_by[index]);
        let Some(back) = Notch::ALL.get(usize::from(step).wrapping_sub(1)) else { break };
        let before = tile - back.step();
        tile = map.resolve(before).unwrap_or(before);
    }
    route.reverse();
    route
}

/// A tile to look at, nearest first, then in reading order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Visit {
    cost: f64,
    tile: TilePos,
}

impl Eq for Visit {}

impl Ord for Visit {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.cost.total_cmp(&other.cost).then(self.tile.cmp(&other.tile))
    }
}

impl PartialOrd for Visit {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    #[test]
    fn a_route_goes_round_walls_without_cutting_corners() {
        let map = drawn(&["....", ".##.", "...."], Edges::Wall);
        let route = to_nearest(&map, TilePos::new(0, 1), |tile| (tile.x == 3).then_some(0));
        let route: Vec<_> = route.unwrap().iter().map(|tile| (tile.x, tile.y)).collect();
        assert_eq!(route, [(0, 0), (1, 0), (2, 0), (3, 0)]);
    }

    #[test]
    fn equal_distances_go_to_the_lower_rank() {
        let map = drawn(&["....."], Edges::Wall);
        let goal = |tile: TilePos| [4, 0].iter().position(|&x| x == tile.x);
        assert_eq!(to_nearest(&map, TilePos::new(2, 0), goal).unwrap()[1], TilePos::new(4, 0));
        assert_eq!(to_nearest(&map, TilePos::new(4, 0), goal), Some(vec![]));
        assert_eq!(to_nearest(&map, TilePos::new(2, 0), |_| None), None);
    }

    #[test]
    fn a_torus_is_crossed_over_its_edge() {
        let map = drawn(&[".#....."], Edges::Wrap);
        let route = to_nearest(&map, TilePos::new(0, 0), |tile| (tile.x == 5).then_some(0));
        assert_eq!(route, Some(vec![TilePos::new(6, 0), TilePos::new(5, 0)]));
    }
}
