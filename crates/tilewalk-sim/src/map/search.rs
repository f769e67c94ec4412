//! Shortest routes between two tiles by A* (Hart, Nilsson & Raphael 1968).
//!
//! A step costs its length (1, or √2 for a diagonal) times the cost of the tile it enters. Routes
//! cut corners only on maps with [`Corners::Cut`]. The heuristic is the cost over open floor of
//! cost 1. It is admissible, since no tile costs less.
//!
//! Costs are multiples of 2⁻²⁸, so sums are exact, and the largest route cost still fits 64 bits.
//! If tiles have equal estimates, the tile farthest from the start is expanded first. The lowest y
//! and then the lowest x break further ties.

use core::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};

use super::{Corners, Map};

/// The cost of a straight step onto floor of cost 1.
const UNIT: u64 = 1 << 28;

/// The cost of a diagonal step: √2, rounded.
const DIAGONAL: u64 = 379_625_062;

/// Side length of a [`Page`], in tiles.
const PAGE_SIDE: u32 = 32;

/// Maximum number of pages kept between searches. They take 9 MB.
const KEPT_PAGES: usize = 1024;

/// A route over tiles with its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPath {
    /// Directions of the steps, from the start to the goal. Empty if the start is the goal.
    pub steps: Vec<Direction>,
    /// Cost of the steps, in units of 1 / [`UNIT`].
    cost: u64,
}

impl FoundPath {
    /// Returns the cost of the route: the sum of the costs of its steps. A step costs its length in
    /// tiles times the cost of the tile it enters.
    pub fn cost(&self) -> f64 {
        self.cost as f64 / UNIT as f64
    }
}

/// Start, goal and blocked neighbours of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathQuery {
    /// The tile where the route starts. The tile may be closed.
    pub from: TilePos,
    /// The tile where the route ends. The tile must be open unless it is the start.
    pub to: TilePos,
    /// Neighbours of the start that the whole route must avoid, one bit per direction. Bit 0 is
    /// east, and the other bits follow clockwise.
    pub held: u8,
}

impl PathQuery {
    /// Returns true if the route must avoid a tile because of `held`.
    fn holds(&self, map: &Map, tile: TilePos) -> bool {
        let is_held = |direction| self.held & bit(direction) != 0;
        self.held != 0 && map.direction_between(self.from, tile).is_some_and(is_held)
    }
}

pub(crate) fn bit(direction: Direction) -> u8 {
    1 << direction as u8
}

/// Memory for searches, reused from search to search. A result does not depend on earlier searches.
#[derive(Debug, Default)]
pub struct PathSearch {
    open: BinaryHeap<OpenTile>,
    /// For each page of the map, 0 if the page is unused, otherwise 1 plus its index in `pages`.
    index: Vec<u32>,
    pages: Vec<Box<Page>>,
    /// Number of pages used by the current search.
    used: usize,
    /// Number of pages along the width of the map.
    pages_per_row: u32,
    /// Flag that stops a running search. A stopped search has no valid result.
    pub cancel: Cancel,
}

/// Search data of a square of [`PAGE_SIDE`] × [`PAGE_SIDE`] tiles.
#[derive(Debug)]
struct Page {
    /// Lowest known cost of a route from the start to each tile, in units of 1 / [`UNIT`].
    costs: [u64; (PAGE_SIDE * PAGE_SIDE) as usize],
    /// Last step of the cheapest known route to each tile.
    last_steps: [Direction; (PAGE_SIDE * PAGE_SIDE) as usize],
}

impl PathSearch {
    /// Returns the cheapest route from start to goal. Returns `None` if the goal is unreachable or
    /// the search is stopped.
    ///
    /// After `limit` expanded tiles, calls `keep_going` once. Stops if `keep_going` returns false.
    pub fn walk(
        &mut self,
        map: &Map,
        query: PathQuery,
        limit: u32,
        keep_going: impl FnOnce() -> bool,
    ) -> Option<FoundPath> {
        if !map.is_open(query.to) && query.from != query.to || query.holds(map, query.to) {
            return None;
        }
        self.begin(map, query.from, |tile| estimate(map, tile, query.to));
        let mut keep_going = Some(keep_going);
        let mut expanded = 0;
        let mut route = None;
        while let Some(node) = self.next(map) {
            if node.tile == query.to {
                route = Some(self.route_to(map, node));
                break;
            }
            expanded += 1;
            if expanded >= limit && keep_going.take().is_some_and(|keep_going| !keep_going()) {
                break;
            }
            self.expand(map, node, |tile| {
                (!query.holds(map, tile)).then(|| estimate(map, tile, query.to))
            });
        }
        self.end();
        route
    }

    /// Returns the cheapest route to the nearest goal. Returns `None` if no goal is reachable or
    /// the search is stopped.
    ///
    /// `rank` returns the rank of a goal tile, and `None` for other tiles. If several goals are
    /// equally near, the route leads to the goal with the lowest rank.
    pub(crate) fn walk_to_nearest(
        &mut self,
        map: &Map,
        from: TilePos,
        rank: impl Fn(TilePos) -> Option<usize>,
    ) -> Option<FoundPath> {
        self.begin(map, from, |_| 0);
        let mut nearest: Option<(usize, OpenTile)> = None;
        while let Some(node) = self.next(map) {
            if nearest.is_some_and(|(_, nearest)| nearest.cost < node.cost) {
                break;
            }
            if let Some(rank) = rank(node.tile)
                && nearest.is_none_or(|(lower, _)| rank < lower)
            {
                nearest = Some((rank, node));
            }
            self.expand(map, node, |_| Some(0));
        }
        let route = nearest.map(|(_, node)| self.route_to(map, node));
        self.end();
        route
    }

    /// Ends a search, and frees memory that only searches on huge maps need.
    fn end(&mut self) {
        self.pages.truncate(KEPT_PAGES);
        self.open.clear();
        self.open.shrink_to(KEPT_PAGES * PAGE_SIDE as usize);
    }

    fn begin(&mut self, map: &Map, from: TilePos, estimate: impl Fn(TilePos) -> u64) {
        self.pages_per_row = map.width().div_ceil(PAGE_SIDE);
        self.index.clear();
        self.index.resize((self.pages_per_row * map.height().div_ceil(PAGE_SIDE)) as usize, 0);
        self.used = 0;
        self.reach(OpenTile { bound: estimate(from), cost: 0, tile: from }, Direction::East);
    }

    /// Removes and returns the tile with the lowest estimate from the open list. Returns `None` if
    /// the list is empty or the search is cancelled.
    fn next(&mut self, map: &Map) -> Option<OpenTile> {
        loop {
            if self.cancel.is_requested() {
                return None;
            }
            let node = self.open.pop()?;
            debug_assert!(map.tiles().contains(node.tile), "only tiles of the map are reached");
            let (page, cell) = self.slot(node.tile);
            // If the costs differ, a cheaper route was found later, and the tile has already been
            // expanded.
            if page.costs[cell] == node.cost {
                return Some(node);
            }
        }
    }

    /// Extends the route from a tile to its neighbours. `left` returns the estimated cost from a
    /// tile to the goal, or `None` for blocked tiles.
    fn expand(&mut self, map: &Map, from: OpenTile, left: impl Fn(TilePos) -> Option<u64>) {
        for direction in map.open_directions(from.tile) {
            let next = from.tile.neighbour(direction);
            let next = map.resolve(next).unwrap_or(next);
            let cost = from.cost + step_cost(map, next, direction);
            let (page, cell) = self.slot(next);
            if cost < page.costs[cell]
                && let Some(left) = left(next)
            {
                self.reach(OpenTile { bound: cost + left, cost, tile: next }, direction);
            }
        }
    }

    fn reach(&mut self, node: OpenTile, direction: Direction) {
        let (page, cell) = self.slot(node.tile);
        page.costs[cell] = node.cost;
        page.last_steps[cell] = direction;
        self.open.push(node);
    }

    /// Returns the page of a tile and the index of the tile within the page. Allocates the page on
    /// first use.
    fn slot(&mut self, tile: TilePos) -> (&mut Page, usize) {
        let (x, y) = (tile.x as u32, tile.y as u32);
        let slot = &mut self.index[(y / PAGE_SIDE * self.pages_per_row + x / PAGE_SIDE) as usize];
        if *slot == 0 {
            if self.used == self.pages.len() {
                self.pages.push(Box::new(Page::EMPTY));
            } else {
                self.pages[self.used].costs.fill(u64::MAX);
            }
            self.used += 1;
            *slot = self.used as u32;
        }
        (&mut self.pages[*slot as usize - 1], (y % PAGE_SIDE * PAGE_SIDE + x % PAGE_SIDE) as usize)
    }

    /// Returns the route from the start to a tile that the search has reached.
    fn route_to(&mut self, map: &Map, goal: OpenTile) -> FoundPath {
        let mut steps = Vec::new();
        let (mut tile, mut cost) = (goal.tile, goal.cost);
        while cost > 0 {
            let (page, cell) = self.slot(tile);
            let direction = page.last_steps[cell];
            steps.push(direction);
            let before = tile - direction.step();
            cost -= step_cost(map, tile, direction);
            tile = map.resolve(before).unwrap_or(before);
        }
        steps.reverse();
        FoundPath { steps, cost: goal.cost }
    }
}

impl Page {
    const EMPTY: Self = Self {
        costs: [u64::MAX; (PAGE_SIDE * PAGE_SIDE) as usize],
        last_steps: [Direction::East; (PAGE_SIDE * PAGE_SIDE) as usize],
    };
}

/// Returns the cost of a step that enters `tile`, in units of 1 / [`UNIT`].
fn step_cost(map: &Map, tile: TilePos, direction: Direction) -> u64 {
    let length = if direction.is_diagonal() { DIAGONAL } else { UNIT };
    let tile_cost = map.kind(tile).map_or(1.0, |kind| kind.cost);
    if tile_cost == 1.0 {
        length
    } else {
        // The product is exact before the cast: an f32 times a 29-bit number fits an f64.
        (f64::from(tile_cost) * length as f64) as u64
    }
}

/// Returns a lower bound for the cost of a route between two tiles, in units of 1 / [`UNIT`].
fn estimate(map: &Map, tile: TilePos, to: TilePos) -> u64 {
    let offset = map.tile_offset(tile, to);
    let (x, y) = (u64::from(offset.x.unsigned_abs()), u64::from(offset.y.unsigned_abs()));
    let (diagonal, straight) = (x.min(y), x.max(y) - x.min(y));
    diagonal * DIAGONAL + straight * UNIT
}

impl Map {
    /// Iterates over the directions in which routes can leave a tile, clockwise from east. The tile
    /// itself may be closed.
    pub(crate) fn open_directions(&self, tile: TilePos) -> impl Iterator<Item = Direction> + use<> {
        let mut open = 0;
        for direction in Direction::ALL {
            if self.is_open(tile.neighbour(direction)) {
                open |= bit(direction);
            }
        }
        let barred = self.barred_directions(tile);
        let can_cut = self.corners == Corners::Cut;
        Direction::ALL.into_iter().filter(move |direction| {
            let beside = bit(direction.turned(-1)) | bit(direction.turned(1));
            open & !barred & bit(*direction) != 0
                && (can_cut || !direction.is_diagonal() || open & beside == beside)
        })
    }
}

/// A tile in the open list of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenTile {
    /// Lower bound for the cost of all routes through the tile, in units of 1 / [`UNIT`].
    bound: u64,
    /// Cost of the route from the start to the tile, in units of 1 / [`UNIT`].
    cost: u64,
    tile: TilePos,
}

impl Ord for OpenTile {
    /// Orders tiles for the heap, which pops the greatest tile first. The greatest tile has the
    /// lowest bound, then the highest cost, then the first position in reading order.
    fn cmp(&self, other: &Self) -> Ordering {
        let bound = other.bound.cmp(&self.bound);
        bound.then(self.cost.cmp(&other.cost)).then(other.tile.cmp(&self.tile))
    }
}

impl PartialOrd for OpenTile {
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
        let query = PathQuery { from, to: TilePos::new(to.0, to.1), held };
        let route = PathSearch::default().walk(map, query, 10, || true)?;
        let walked = route.steps.iter().scan(from, |tile, &direction| {
            *tile = map.resolve(tile.neighbour(direction))?;
            Some((tile.x, tile.y))
        });
        Some(walked.collect())
    }

    #[test]
    fn route_avoids_walls_and_corners() {
        let map = drawn(&["....", ".##.", "...."], Edges::Wall);
        let over = walk(&map, (0, 1), (3, 1), 0);
        assert_eq!(over, Some(vec![(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)]), "the lower y");
        assert_eq!(walk(&map, (0, 1), (0, 1), 0), Some(vec![]));
        assert_eq!(walk(&map, (0, 1), (1, 1), 0), None);
        assert_eq!(walk(&map, (0, 1), (9, 1), 0), None);
    }

    #[test]
    fn route_avoids_blocked_neighbours() {
        let map = drawn(&["...", "...", "..."], Edges::Wall);
        assert_eq!(walk(&map, (0, 1), (2, 1), 0), Some(vec![(1, 1), (2, 1)]));
        let held = bit(Direction::East);
        assert_eq!(walk(&map, (0, 1), (2, 1), held), Some(vec![(1, 0), (2, 1)]));
        assert_eq!(walk(&map, (0, 1), (1, 1), held), None);
    }

    #[test]
    fn route_crosses_a_torus_edge_and_search_can_give_up() {
        let map = drawn(&[".#.....", "......."], Edges::Wrap);
        assert_eq!(walk(&map, (0, 0), (5, 0), 0), Some(vec![(6, 0), (5, 0)]));
        let query = PathQuery { from: TilePos::new(0, 0), to: TilePos::new(3, 1), held: 0 };
        assert_eq!(PathSearch::default().walk(&map, query, 1, || false), None);
    }

    #[test]
    fn lowest_rank_wins_at_equal_distance() {
        let map = drawn(&["....."], Edges::Wall);
        let goals = |ranks: [(i32, usize); 2]| {
            let rank = move |tile: TilePos| {
                ranks.iter().find(|(x, _)| *x == tile.x).map(|(_, rank)| *rank)
            };
            PathSearch::default().walk_to_nearest(&map, TilePos::new(2, 0), rank).unwrap().steps
        };
        assert_eq!(goals([(0, 1), (4, 0)]), [Direction::East; 2]);
        assert_eq!(goals([(0, 0), (4, 1)]), [Direction::West; 2]);
    }
}
