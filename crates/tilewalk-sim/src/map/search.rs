//! The cheapest walk from one tile to another, by A* (Hart, Nilsson & Raphael 1968).
//!
//! A step costs its length (1, or √2 for a diagonal) times the cost of the tile it enters; corners
//! of closed tiles are cut only on maps where routes may. The estimate of what is left is the
//! walk over open floor of cost 1, which is never too high, as no tile costs less.
//!
//! Costs are whole multiples of 2⁻²⁸: their sums are exact, so equal ways are equal, and the dearest
//! way over the largest map still fits 64 bits. Of tiles equally promising the one farther from the
//! start is looked at first, then the lower y, then the lower x.

use core::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::geom::{Notch, TilePos};

use super::{Corners, Map};

/// One step over floor of cost 1.
const UNIT: u64 = 1 << 28;

/// One diagonal step over it: √2, rounded.
const DIAGONAL: u64 = 379_625_062;

/// Tiles along the side of a page.
const SIDE: u32 = 32;

/// Pages that are kept for the next search: 9 MB.
const KEPT: usize = 1024;

/// A way over the tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Its steps.
    pub steps: Vec<Notch>,
    /// What it costs.
    cost: u64,
}

impl Way {
    /// What it costs: each step's length times the cost of the tile it enters.
    pub fn cost(&self) -> f64 {
        self.cost as f64 / UNIT as f64
    }
}

/// What a search is for, and how far it may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Errand {
    /// Where the walk begins.
    pub from: TilePos,
    /// Where it ends.
    pub to: TilePos,
    /// Neighbours of the beginning that are held, one bit a notch; they are closed to the whole walk.
    pub held: u8,
}

impl Errand {
    /// Is the tile one of the held ones?
    fn holds(&self, map: &Map, tile: TilePos) -> bool {
        let beside = |()| map.notch_between(self.from, tile);
        (self.held != 0).then_some(()).and_then(beside).is_some_and(|way| self.held & bit(way) != 0)
    }
}

/// The bit of a direction.
pub(crate) fn bit(way: Notch) -> u8 {
    1 << way as u8
}

/// The room a search works in, to be used again. What it holds between searches says nothing.
#[derive(Debug, Default)]
pub struct Search {
    open: BinaryHeap<Visit>,
    /// For each page of the map one more than its place in `pages`, or 0.
    index: Vec<u32>,
    pages: Vec<Box<Page>>,
    /// Pages in use.
    used: usize,
    /// Pages along the width of the map.
    across: u32,
}

/// A square of tiles that has been reached.
#[derive(Debug)]
struct Page {
    /// What the best way to each tile costs, so far.
    costs: [u64; (SIDE * SIDE) as usize],
    /// Its last step.
    ways: [Notch; (SIDE * SIDE) as usize],
}

impl Search {
    /// The cheapest way, the steps of it; `None` when there is none.
    ///
    /// After `most` tiles it asks once whether the search is worth while, and gives up if not.
    pub fn walk(
        &mut self,
        map: &Map,
        errand: Errand,
        most: u32,
        worth: impl FnOnce() -> bool,
    ) -> Option<Way> {
        if !map.is_open(errand.to) && errand.from != errand.to || errand.holds(map, errand.to) {
            return None;
        }
        self.begin(map, errand.from, |tile| estimate(map, tile, errand.to));
        let way = self.reach_goal(map, errand, most, worth);
        self.end();
        way
    }

    fn reach_goal(
        &mut self,
        map: &Map,
        errand: Errand,
        most: u32,
        worth: impl FnOnce() -> bool,
    ) -> Option<Way> {
        let mut worth = Some(worth);
        let mut looked_at = 0;
        while let Some(visit) = self.next(map) {
            if visit.tile == errand.to {
                return Some(self.way_to(map, visit));
            }
            looked_at += 1;
            if looked_at >= most && worth.take().is_some_and(|worth| !worth()) {
                break;
            }
            self.expand(map, visit, |tile| {
                (!errand.holds(map, tile)).then(|| estimate(map, tile, errand.to))
            });
        }
        None
    }

    /// The cheapest way to a goal, of goals equally far to the one of the lowest rank; `None` when
    /// no way leads to any. `rank` says of a tile which goal it is.
    pub(crate) fn walk_to_nearest(
        &mut self,
        map: &Map,
        from: TilePos,
        rank: impl Fn(TilePos) -> Option<usize>,
    ) -> Option<Way> {
        self.begin(map, from, |_| 0);
        let mut nearest: Option<(usize, Visit)> = None;
        while let Some(visit) = self.next(map) {
            if nearest.is_some_and(|(_, nearest)| nearest.cost < visit.cost) {
                break;
            }
            if let Some(rank) = rank(visit.tile)
                && nearest.is_none_or(|(lower, _)| rank < lower)
            {
                nearest = Some((rank, visit));
            }
            self.expand(map, visit, |_| Some(0));
        }
        let way = nearest.map(|(_, visit)| self.way_to(map, visit));
        self.end();
        way
    }

    /// Gives back the room that only a search over a huge map takes.
    fn end(&mut self) {
        self.pages.truncate(KEPT);
        self.open.clear();
        self.open.shrink_to(KEPT * SIDE as usize);
    }

    fn begin(&mut self, map: &Map, from: TilePos, estimate: impl Fn(TilePos) -> u64) {
        self.across = map.width().div_ceil(SIDE);
        self.index.clear();
        self.index.resize((self.across * map.height().div_ceil(SIDE)) as usize, 0);
        self.used = 0;
        self.reach(Visit { promise: estimate(from), cost: 0, tile: from }, Notch::East);
    }

    /// The most promising tile that has not been looked at.
    fn next(&mut self, map: &Map) -> Option<Visit> {
        loop {
            let visit = self.open.pop()?;
            debug_assert!(map.tiles().contains(visit.tile), "only tiles of the map are reached");
            let (page, cell) = self.slot(visit.tile);
            // Reached more cheaply since, it has been looked at already.
            if page.costs[cell] == visit.cost {
                return Some(visit);
            }
        }
    }

    /// Reaches the neighbours of a tile. `left` estimates what is left, of tiles that may be entered.
    fn expand(&mut self, map: &Map, from: Visit, left: impl Fn(TilePos) -> Option<u64>) {
        for way in map.open_ways(from.tile) {
            let next = from.tile.neighbour(way);
            let next = map.resolve(next).unwrap_or(next);
            let cost = from.cost + step_cost(map, next, way);
            let (page, cell) = self.slot(next);
            if cost < page.costs[cell]
                && let Some(left) = left(next)
            {
                self.reach(Visit { promise: cost + left, cost, tile: next }, way);
            }
        }
    }

    fn reach(&mut self, visit: Visit, way: Notch) {
        let (page, cell) = self.slot(visit.tile);
        page.costs[cell] = visit.cost;
        page.ways[cell] = way;
        self.open.push(visit);
    }

    /// The page of a tile of the map, made when it is first asked for, and the tile's place in it.
    fn slot(&mut self, tile: TilePos) -> (&mut Page, usize) {
        let (x, y) = (tile.x as u32, tile.y as u32);
        let slot = &mut self.index[(y / SIDE * self.across + x / SIDE) as usize];
        if *slot == 0 {
            if self.used == self.pages.len() {
                self.pages.push(Box::new(Page::EMPTY));
            } else {
                self.pages[self.used].costs.fill(u64::MAX);
            }
            self.used += 1;
            *slot = self.used as u32;
        }
        (&mut self.pages[*slot as usize - 1], (y % SIDE * SIDE + x % SIDE) as usize)
    }

    /// The steps that led to a tile.
    fn way_to(&mut self, map: &Map, goal: Visit) -> Way {
        let mut steps = Vec::new();
        let (mut tile, mut cost) = (goal.tile, goal.cost);
        while cost > 0 {
            let (page, cell) = self.slot(tile);
            let way = page.ways[cell];
            steps.push(way);
            let before = tile - way.step();
            cost -= step_cost(map, tile, way);
            tile = map.resolve(before).unwrap_or(before);
        }
        steps.reverse();
        Way { steps, cost: goal.cost }
    }
}

impl Page {
    const EMPTY: Self = Self {
        costs: [u64::MAX; (SIDE * SIDE) as usize],
        ways: [Notch::East; (SIDE * SIDE) as usize],
    };
}

/// What a step costs that enters a tile.
fn step_cost(map: &Map, tile: TilePos, way: Notch) -> u64 {
    let length = if way.is_diagonal() { DIAGONAL } else { UNIT };
    let ground = map.kind(tile).map_or(1.0, |kind| kind.cost);
    if ground == 1.0 {
        length
    } else {
        // Exact up to the cast: an f32 times a number of 29 bits fits an f64.
        (f64::from(ground) * length as f64) as u64
    }
}

/// What is left from a tile to another, at least.
fn estimate(map: &Map, tile: TilePos, to: TilePos) -> u64 {
    let offset = map.tile_offset(tile, to);
    let (x, y) = (u64::from(offset.x.unsigned_abs()), u64::from(offset.y.unsigned_abs()));
    let (diagonal, straight) = (x.min(y), x.max(y) - x.min(y));
    diagonal * DIAGONAL + straight * UNIT
}

impl Map {
    /// The directions in which routes may step from a tile, clockwise from east.
    pub(crate) fn open_ways(&self, tile: TilePos) -> impl Iterator<Item = Notch> + use<> {
        let mut open = 0;
        for way in Notch::ALL {
            if self.is_open(tile.neighbour(way)) {
                open |= bit(way);
            }
        }
        let cuts = self.corners == Corners::Cut;
        Notch::ALL.into_iter().filter(move |way| {
            let beside = bit(way.turned(-1)) | bit(way.turned(1));
            open & bit(*way) != 0 && (cuts || !way.is_diagonal() || open & beside == beside)
        })
    }
}

/// A tile to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Visit {
    /// What the way over it will cost, at least.
    promise: u64,
    /// What the way to it costs.
    cost: u64,
    tile: TilePos,
}

impl Ord for Visit {
    /// The heap takes the greatest first: the lowest promise, the highest cost, the first tile in
    /// reading order.
    fn cmp(&self, other: &Self) -> Ordering {
        let promise = other.promise.cmp(&self.promise);
        promise.then(self.cost.cmp(&other.cost)).then(other.tile.cmp(&self.tile))
    }
}

impl PartialOrd for Visit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    fn walk(map: &Map, from: (i32, i32), to: (i32, i32), held: u8) -> Option<Vec<(i32, i32)>> {
        let from = TilePos::new(from.0, from.1);
        let errand = Errand { from, to: TilePos::new(to.0, to.1), held };
        let way = Search::default().walk(map, errand, 10, || true)?;
        let walked = way.steps.iter().scan(from, |tile, &way| {
            *tile = map.resolve(tile.neighbour(way))?;
            Some((tile.x, tile.y))
        });
        Some(walked.collect())
    }

    #[test]
    fn the_way_goes_round_walls_and_cuts_no_corner() {
        let map = drawn(&["....", ".##.", "...."], Edges::Wall);
        let over = walk(&map, (0, 1), (3, 1), 0);
        assert_eq!(over, Some(vec![(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)]), "the lower y");
        assert_eq!(walk(&map, (0, 1), (0, 1), 0), Some(vec![]));
        assert_eq!(walk(&map, (0, 1), (1, 1), 0), None);
        assert_eq!(walk(&map, (0, 1), (9, 1), 0), None);
    }

    #[test]
    fn held_neighbours_are_gone_round() {
        let map = drawn(&["...", "...", "..."], Edges::Wall);
        assert_eq!(walk(&map, (0, 1), (2, 1), 0), Some(vec![(1, 1), (2, 1)]));
        let held = bit(Notch::East);
        assert_eq!(walk(&map, (0, 1), (2, 1), held), Some(vec![(1, 0), (2, 1)]));
        assert_eq!(walk(&map, (0, 1), (1, 1), held), None);
    }

    #[test]
    fn a_torus_is_crossed_over_its_edge_and_a_search_gives_up_when_told() {
        let map = drawn(&[".#.....", "......."], Edges::Wrap);
        assert_eq!(walk(&map, (0, 0), (5, 0), 0), Some(vec![(6, 0), (5, 0)]));
        let errand = Errand { from: TilePos::new(0, 0), to: TilePos::new(3, 1), held: 0 };
        assert_eq!(Search::default().walk(&map, errand, 1, || false), None);
    }

    #[test]
    fn of_goals_equally_far_the_lowest_rank_is_walked_to() {
        let map = drawn(&["....."], Edges::Wall);
        let goals = |ranks: [(i32, usize); 2]| {
            let rank = move |tile: TilePos| {
                ranks.iter().find(|(x, _)| *x == tile.x).map(|(_, rank)| *rank)
            };
            Search::default().walk_to_nearest(&map, TilePos::new(2, 0), rank).unwrap().steps
        };
        assert_eq!(goals([(0, 1), (4, 0)]), [Notch::East; 2]);
        assert_eq!(goals([(0, 0), (4, 1)]), [Notch::West; 2]);
    }
}
