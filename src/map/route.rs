//! The shortest walk over tiles to the nearest of several goals: a field of directions, made once by
//! Dijkstra's algorithm from the goals outward, that any number of walkers follow.
//!
//! A step costs its length (1, or √2 for a diagonal) times the cost of the tile it enters. Of goals
//! equally far the one of the lowest rank is taken, and of equal ways the first clockwise from east,
//! so a route never depends on anything but the map.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::geom::{Notch, TilePos};
use crate::grid::Grid;

use super::Map;

/// Which way is nearest from every tile.
#[derive(Debug, Clone)]
pub struct RouteField {
    /// [`NONE`], [`HERE`], or the number of the notch plus [`FIRST`].
    leads: Grid<u8>,
}

const NONE: u8 = 0;
const HERE: u8 = 1;
const FIRST: u8 = 2;

/// What to do on a tile to reach a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead {
    /// It is one.
    Here,
    /// Step this way.
    Step(Notch),
}

impl RouteField {
    /// The field towards `goals`, lower ranks first; goals that can't be entered are left out.
    pub fn towards(map: &Map, goals: impl Iterator<Item = TilePos>) -> Self {
        let mut search = Search {
            map,
            field: Self { leads: Grid::filled(map.width(), map.height(), NONE) },
            costs: vec![(f64::INFINITY, u32::MAX); map.tiles().cells().len()],
            open: BinaryHeap::new(),
        };
        for (tile, rank) in goals.zip(0..) {
            let on_map = map.resolve(tile).filter(|&tile| map.refusal(tile).is_none());
            if let Some(tile) = on_map {
                search.reach(Visit { cost: 0.0, rank, tile }, HERE);
            }
        }
        while let Some(Reverse(visit)) = search.open.pop() {
            search.expand(visit);
        }
        search.field
    }

    /// What to do on a tile; `None` when no goal can be reached from it.
    pub fn lead(&self, tile: TilePos) -> Option<Lead> {
        match *self.leads.get(tile)? {
            NONE => None,
            HERE => Some(Lead::Here),
            notch => Notch::ALL.get(usize::from(notch - FIRST)).copied().map(Lead::Step),
        }
    }
}

struct Search<'a> {
    map: &'a Map,
    field: RouteField,
    /// Cost to the nearest goal and its rank.
    costs: Vec<(f64, u32)>,
    open: BinaryHeap<Reverse<Visit>>,
}

impl Search<'_> {
    /// Notes a way to a goal, if it is the best so far.
    fn reach(&mut self, visit: Visit, lead: u8) {
        let Some(index) = self.map.tiles().index(visit.tile) else { return };
        if (visit.cost, visit.rank) < self.costs[index] {
            self.costs[index] = (visit.cost, visit.rank);
            if let Some(slot) = self.field.leads.get_mut(visit.tile) {
                *slot = lead;
            }
            self.open.push(Reverse(visit));
        }
    }

    /// Looks at all tiles from which one step leads to this one.
    fn expand(&mut self, Visit { cost, rank, tile }: Visit) {
        let index = self.map.tiles().index(tile);
        if index.is_none_or(|index| self.costs[index] != (cost, rank)) {
            return;
        }
        let ground = self.map.kind(tile).map_or(1.0, |kind| f64::from(kind.cost));
        for notch in Notch::ALL {
            let Some(before) = self.map.resolve(tile - notch.step()) else { continue };
            let enterable = self.map.refusal(before).is_none();
            if enterable && self.map.step(before, notch, true) == Ok(tile) {
                let length = if notch.is_diagonal() { core::f64::consts::SQRT_2 } else { 1.0 };
                let visit = Visit { cost: cost + length * ground, rank, tile: before };
                self.reach(visit, notch as u8 + FIRST);
            }
        }
    }
}

/// A tile to look at: nearest first, then the lower rank, then reading order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Visit {
    cost: f64,
    rank: u32,
    tile: TilePos,
}

impl Eq for Visit {}

impl Ord for Visit {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        let ranks = self.rank.cmp(&other.rank);
        self.cost.total_cmp(&other.cost).then(ranks).then(self.tile.cmp(&other.tile))
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

    fn walk(map: &Map, from: (i32, i32), goals: &[(i32, i32)]) -> Option<Vec<(i32, i32)>> {
        let goals = goals.iter().map(|&(x, y)| TilePos::new(x, y));
        let field = RouteField::towards(map, goals);
        let mut tile = TilePos::new(from.0, from.1);
        let mut walked = Vec::new();
        while let Lead::Step(way) = field.lead(tile)? {
            tile = map.step(tile, way, true).unwrap();
            walked.push((tile.x, tile.y));
        }
        Some(walked)
    }

    #[test]
    fn a_route_goes_round_walls_without_cutting_corners() {
        let map = drawn(&["....", ".##.", "...."], Edges::Wall);
        let route = walk(&map, (0, 1), &[(3, 0), (3, 1), (3, 2)]);
        assert_eq!(route, Some(vec![(0, 0), (1, 0), (2, 0), (3, 0)]));
    }

    #[test]
    fn equal_distances_go_to_the_lower_rank() {
        let map = drawn(&["....."], Edges::Wall);
        assert_eq!(walk(&map, (2, 0), &[(4, 0), (0, 0)]), Some(vec![(3, 0), (4, 0)]));
        assert_eq!(walk(&map, (2, 0), &[(0, 0), (4, 0)]), Some(vec![(1, 0), (0, 0)]));
        assert_eq!(walk(&map, (4, 0), &[(4, 0)]), Some(vec![]));
        assert_eq!(walk(&map, (2, 0), &[(9, 0)]), None);
    }

    #[test]
    fn a_torus_is_crossed_over_its_edge() {
        let map = drawn(&[".#....."], Edges::Wrap);
        assert_eq!(walk(&map, (0, 0), &[(5, 0)]), Some(vec![(6, 0), (5, 0)]));
    }
}
