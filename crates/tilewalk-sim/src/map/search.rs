//! Shortest routes between two tiles by A* (Hart, Nilsson & Raphael 1968).
//!
//! A step costs its length (1, or √2 for a diagonal) times the cost of the tile it enters. Routes
//! cut corners only on maps with [`Corners::Cut`](super::Corners::Cut). The heuristic is the cost
//! over open floor of cost 1. It is admissible, since no tile costs less.
//!
//! Costs are multiples of 2⁻²⁸, so sums are exact, and the largest route cost still fits 64 bits.
//! If tiles have equal estimates, the tile farthest from the start is expanded first. The lowest y
//! and then the lowest x break further ties. Of equally cheap routes to a tile, the route over the
//! tile that was expanded first is kept.
//!
//! The search reads and writes one `Page` for each square of tiles that it enters. The open tiles
//! are in a `Queue`: only the tiles with the lowest estimates are sorted.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};

use super::steps::{SQUARE, SQUARE_BITS, Shortcuts, StepCell};
use super::{Edges, Map};

/// The cost of a straight step onto floor of cost 1.
const UNIT: u64 = 1 << 28;

/// The cost of a diagonal step: √2, rounded.
const DIAGONAL: u64 = 379_625_062;

/// Maximum number of pages kept between searches. They take 12 MB.
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

    /// Iterates over the tiles on the map that the route must avoid.
    fn held_tiles(self, map: &Map) -> impl Iterator<Item = TilePos> {
        let around = Direction::ALL.into_iter().map(move |step| self.from.neighbour(step));
        let on_map = around.filter_map(|tile| map.resolve(tile));
        on_map.filter(move |&tile| self.holds(map, tile))
    }
}

pub(crate) fn bit(direction: Direction) -> u8 {
    1 << direction as u8
}

/// Memory for searches, reused from search to search. A result does not depend on earlier searches.
#[derive(Debug, Default)]
pub struct PathSearch {
    pages: Pages,
    open: Queue,
    /// Cost of a straight and of a diagonal step that enters a tile of each kind, in units of
    /// 1 / [`UNIT`].
    costs: Vec<[u64; 2]>,
    shortcuts: Shortcuts,
    /// Flag that stops a running search. A stopped search has no valid result.
    pub cancel: Cancel,
}

/// The pages of a search, allocated when the search first enters their squares.
#[derive(Debug, Default)]
struct Pages {
    /// For each square of the map, 0 if it has no page, otherwise 1 plus the index of its page. All 0
    /// between searches.
    index: Vec<u32>,
    list: Vec<Box<Page>>,
    /// The squares of the pages in use.
    used: Vec<u32>,
}

/// Search data of a square of tiles.
type Page = [Cell; SQUARE];

/// Search data of a tile. Packed, so that the neighbours of a tile are on few cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(C, packed(4))]
struct Cell {
    /// Lowest known cost of a route from the start to the tile, in units of 1 / [`UNIT`].
    cost: u64,
    /// A copy of the steps that leave the tile.
    steps: StepCell,
    /// How the cheapest known route reaches the tile.
    arrival: Arrival,
}

/// How a route reaches a tile: the last step, [`Arrival::START`], or [`Arrival::EXPANDED`] with
/// either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Arrival(u8);

impl Arrival {
    /// The route starts at the tile.
    const START: Self = Self(1 << 3);
    /// The route has been extended from the tile.
    const EXPANDED: u8 = 1 << 4;

    fn is_expanded(self) -> bool {
        self.0 & Self::EXPANDED != 0
    }

    fn is_start(self) -> bool {
        self.0 & Self::START.0 != 0
    }

    /// Returns the last step. Returns east for the start.
    fn direction(self) -> Direction {
        Direction::ALL[usize::from(self.0 % 8)]
    }
}

/// A tile that the search expands next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenTile {
    tile: TilePos,
    number: u32,
    /// Cost of the route from the start to the tile, in units of 1 / [`UNIT`].
    cost: u64,
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
        let on_map = [query.from, query.to].iter().all(|&tile| map.tiles().contains(tile));
        let enters = query.from == query.to || map.is_open(query.to);
        if !on_map || !enters || query.holds(map, query.to) {
            return None;
        }
        let estimate = Estimate::towards(map, query.to);
        self.begin(map, query.from, estimate);
        for tile in query.held_tiles(map) {
            self.pages.block(map, tile);
        }
        let mut keep_going = Some(keep_going);
        let mut expanded = 0;
        let mut route = None;
        while let Some(node) = self.next(map, estimate) {
            if node.tile == query.to {
                route = Some(self.route_to(map, node));
                break;
            }
            expanded += 1;
            if expanded >= limit && keep_going.take().is_some_and(|keep_going| !keep_going()) {
                break;
            }
            self.expand(map, node, estimate);
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
        self.begin(map, from, Estimate::NONE);
        let mut nearest: Option<(usize, OpenTile)> = None;
        while let Some(node) = self.next(map, Estimate::NONE) {
            if nearest.is_some_and(|(_, nearest)| nearest.cost < node.cost) {
                break;
            }
            if let Some(rank) = rank(node.tile)
                && nearest.is_none_or(|(lower, _)| rank < lower)
            {
                nearest = Some((rank, node));
            }
            self.expand(map, node, Estimate::NONE);
        }
        let route = nearest.map(|(_, node)| self.route_to(map, node));
        self.end();
        route
    }

    fn begin(&mut self, map: &Map, from: TilePos, estimate: Estimate) {
        self.costs.clear();
        self.costs.extend(map.legend().iter().map(|kind| step_costs(kind.cost)));
        let dearest = self.costs.iter().map(|costs| costs[1]).max().unwrap_or_default();
        let shortcuts = core::mem::take(&mut self.shortcuts);
        self.shortcuts = Shortcuts::new(self.costs.iter().copied(), shortcuts);
        self.pages.begin(map);
        let left = estimate.left(from);
        // A step adds at most its own cost and the cost of a step on open floor to the estimate.
        self.open.begin(left, dearest + DIAGONAL);
        let cell = self.pages.of(map, map.leaving_steps().numbering.number(from));
        cell.cost = 0;
        cell.arrival = Arrival::START;
        self.open.sort_in(from, 0, left);
    }

    /// Ends a search, and frees memory that only searches on huge maps need.
    fn end(&mut self) {
        self.open.end(self.pages.used.len() > KEPT_PAGES);
        self.pages.end();
    }

    /// Removes and returns the tile with the lowest estimate from the open tiles. Returns `None` if
    /// there is none or the search is cancelled.
    fn next(&mut self, map: &Map, estimate: Estimate) -> Option<OpenTile> {
        let numbering = &map.leaving_steps().numbering;
        loop {
            if self.cancel.is_requested() {
                return None;
            }
            let Some((tile, cost)) = self.open.pop() else {
                let pages = &mut self.pages;
                let has_bucket = self.open.next_bucket(|number| {
                    let cell = *pages.of(map, number);
                    let tile = numbering.tile(number);
                    let is_open = !cell.arrival.is_expanded();
                    is_open.then(|| key(tile, cell.cost, estimate.left(tile)))
                });
                if !has_bucket {
                    return None;
                }
                continue;
            };
            let number = numbering.number(tile);
            let cell = self.pages.of(map, number);
            // If the costs differ, a cheaper route was found later, and the tile has already been
            // expanded.
            if cell.cost == cost && !cell.arrival.is_expanded() {
                cell.arrival.0 |= Arrival::EXPANDED;
                return Some(OpenTile { tile, number, cost });
            }
        }
    }

    /// Extends the route from a tile to its neighbours.
    fn expand(&mut self, map: &Map, from: OpenTile, estimate: Estimate) {
        let numbering = &map.leaving_steps().numbering;
        let Cell { steps: tile, arrival, .. } = *self.pages.of(map, from.number);
        let mut directions = tile.directions();
        if map.steps_are_symmetric() && !arrival.is_start() {
            directions = self.shortcuts.ahead(tile, arrival.direction() as u8);
        }
        let neighbours = numbering.neighbours(from.number);
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize % 8;
            directions &= directions - 1;
            let number = neighbours[direction];
            let cell = self.pages.of(map, number);
            let step = self.costs[usize::from(cell.steps.kind())][direction % 2];
            let cost = from.cost + step;
            if cost < cell.cost {
                cell.cost = cost;
                cell.arrival = Arrival(direction as u8);
                let tile = numbering.tile(number);
                self.open.push(tile, number, cost, estimate.left(tile));
            }
        }
    }

    /// Returns the route from the start to a tile that the search has reached.
    fn route_to(&mut self, map: &Map, goal: OpenTile) -> FoundPath {
        let mut steps = Vec::new();
        let (mut number, mut cost) = (goal.number, goal.cost);
        while cost > 0 {
            let cell = *self.pages.of(map, number);
            let direction = cell.arrival.direction();
            steps.push(direction);
            cost -= self.costs[usize::from(cell.steps.kind())][direction as usize % 2];
            let back = direction.turned(4) as usize;
            number = map.leaving_steps().numbering.neighbours(number)[back];
        }
        steps.reverse();
        FoundPath { steps, cost: goal.cost }
    }
}

impl Pages {
    fn begin(&mut self, map: &Map) {
        let squares = map.leaving_steps().numbering.len() / SQUARE;
        if self.index.len() != squares {
            self.index = vec![0; squares];
        }
    }

    fn end(&mut self) {
        for square in self.used.drain(..) {
            self.index[square as usize] = 0;
        }
        self.list.truncate(KEPT_PAGES);
    }

    /// Returns the data of a tile. Prepares its page on first use.
    #[inline]
    fn of(&mut self, map: &Map, number: u32) -> &mut Cell {
        let square = number >> SQUARE_BITS;
        let mut slot = self.index[square as usize];
        if slot == 0 {
            slot = self.prepare(map, square);
        }
        &mut self.list[slot as usize - 1][number as usize % SQUARE]
    }

    #[cold]
    fn prepare(&mut self, map: &Map, square: u32) -> u32 {
        let tiles = map.leaving_steps().square(map, square);
        if self.list.len() == self.used.len() {
            self.list.push(Box::new([Cell::unreached(StepCell::default()); SQUARE]));
        }
        let page = &mut self.list[self.used.len()];
        for (cell, &steps) in page.iter_mut().zip(tiles) {
            *cell = Cell::unreached(steps);
        }
        self.used.push(square);
        let slot = self.used.len() as u32;
        self.index[square as usize] = slot;
        slot
    }

    /// Closes the steps to a tile, for this search only.
    fn block(&mut self, map: &Map, tile: TilePos) {
        let numbering = &map.leaving_steps().numbering;
        let neighbours = numbering.neighbours(numbering.number(tile));
        for (direction, number) in Direction::ALL.into_iter().zip(neighbours) {
            let cell = self.of(map, number);
            cell.steps = cell.steps.without(direction.turned(4));
        }
    }
}

impl Cell {
    fn unreached(steps: StepCell) -> Self {
        Self { cost: u64::MAX, steps, arrival: Arrival::START }
    }
}

/// The open tiles of a search.
///
/// Tiles are first put into buckets by their estimate. When the search reaches a bucket, its tiles are
/// sorted. A heap sorts the tiles that are added to this bucket later.
#[derive(Debug, Default)]
struct Queue {
    /// Tiles of the current bucket, as [`key`]s, from the highest to the lowest.
    sorted: Vec<u128>,
    /// More open tiles of the current bucket and of earlier buckets, as [`key`]s.
    heap: BinaryHeap<Reverse<u128>>,
    /// The numbers of the open tiles of later buckets. Bucket n is at index n modulo [`BUCKETS`]. A
    /// tile can be in several buckets if a cheaper route was found later.
    buckets: Vec<Vec<u32>>,
    /// Total number of entries in all buckets.
    count: usize,
    /// Number of the current bucket.
    bucket: u64,
    /// Logarithm of the cost range of a bucket.
    shift: u32,
}

/// Number of buckets of a [`Queue`].
const BUCKETS: usize = 512;

/// Logarithm of the smallest cost range of a bucket: a 32nd of a tile.
const MIN_SHIFT: u32 = UNIT.ilog2() - 5;

impl Queue {
    /// Prepares a search. `first` is the lowest estimate, and `range` the largest difference between
    /// a tile's estimate and the estimates of its neighbours.
    fn begin(&mut self, first: u64, range: u64) {
        self.buckets.resize_with(BUCKETS, Vec::new);
        self.shift = MIN_SHIFT;
        while range >> self.shift >= BUCKETS as u64 - 1 {
            self.shift += 1;
        }
        self.bucket = first >> self.shift;
    }

    fn end(&mut self, free_memory: bool) {
        self.sorted.clear();
        self.heap.clear();
        while self.count > 0 {
            self.bucket += 1;
            let bucket = &mut self.buckets[self.bucket as usize % BUCKETS];
            self.count -= bucket.len();
            bucket.clear();
        }
        if free_memory {
            *self = Self::default();
        }
    }

    /// Adds a tile with the cost of the route to it and the estimated cost that is left.
    #[inline]
    fn push(&mut self, tile: TilePos, number: u32, cost: u64, left: u64) {
        let bucket = (cost + left) >> self.shift;
        if bucket <= self.bucket {
            self.sort_in(tile, cost, left);
        } else {
            self.buckets[bucket as usize % BUCKETS].push(number);
            self.count += 1;
        }
    }

    /// Adds a tile of the current bucket.
    #[inline]
    fn sort_in(&mut self, tile: TilePos, cost: u64, left: u64) {
        self.heap.push(Reverse(key(tile, cost, left)));
    }

    /// Removes and returns the first tile of the current bucket, with the cost of the route to it.
    #[inline]
    fn pop(&mut self) -> Option<(TilePos, u64)> {
        let key = match (self.sorted.last(), self.heap.peek()) {
            (Some(&sorted), Some(&Reverse(added))) if added < sorted => self.heap.pop()?.0,
            (None, _) => self.heap.pop()?.0,
            (Some(_), _) => self.sorted.pop()?,
        };
        let (bound, low) = ((key >> 64) as u64, key as u64);
        let tile = TilePos::new((low % SIDE) as i32, (low / SIDE % SIDE) as i32);
        Some((tile, bound - low / (SIDE * SIDE) * 2))
    }

    /// Moves on to the next bucket with tiles. `key` returns the key of a tile by its number; `None` if
    /// the tile has been expanded already. Returns false if no bucket is left.
    fn next_bucket(&mut self, key: impl FnMut(u32) -> Option<u128>) -> bool {
        if self.count == 0 {
            return false;
        }
        loop {
            self.bucket += 1;
            let bucket = &mut self.buckets[self.bucket as usize % BUCKETS];
            if !bucket.is_empty() {
                self.count -= bucket.len();
                self.sorted.extend(bucket.drain(..).filter_map(key));
                self.sorted.sort_unstable_by_key(|&key| Reverse(key));
                return true;
            }
        }
    }
}

const SIDE: u64 = Map::MAX_SIDE as u64;

/// Returns a number that is lower for tiles that are expanded earlier: by the lowest estimate, then
/// the highest cost, then in reading order.
///
/// With equal estimates, the cost is highest where the least cost is left. That number is even and
/// at most 4095 × [`DIAGONAL`], so its half fits in 40 bits beside the two coordinates.
#[inline]
fn key(tile: TilePos, cost: u64, left: u64) -> u128 {
    const { assert!((SIDE - 1) * DIAGONAL / 2 < 1 << 40 && SIDE * SIDE == 1 << 24) };
    let low = (left / 2 * SIDE + tile.y as u64) * SIDE + tile.x as u64;
    u128::from(cost + left) << 64 | u128::from(low)
}

/// A lower bound for the cost of a route from any tile to a goal.
#[derive(Debug, Clone, Copy)]
struct Estimate {
    to: TilePos,
    /// Width and height of a torus, in tiles. Larger than all distances on other maps.
    around: [u32; 2],
    /// Cost of a straight and of a diagonal step, in units of 1 / [`UNIT`].
    costs: [u64; 2],
}

impl Estimate {
    /// The estimate 0, which makes the search Dijkstra's algorithm.
    const NONE: Self = Self { to: TilePos::new(0, 0), around: [u32::MAX; 2], costs: [0; 2] };

    fn towards(map: &Map, to: TilePos) -> Self {
        let around = match map.edges() {
            Edges::Wall => [u32::MAX; 2],
            Edges::Wrap => [map.width(), map.height()],
        };
        Self { to, around, costs: [UNIT, DIAGONAL] }
    }

    /// Returns a lower bound for the cost of a route from a tile, in units of 1 / [`UNIT`].
    #[inline]
    fn left(self, tile: TilePos) -> u64 {
        let shorter = |from: i32, to: i32, around: u32| {
            let direct = from.abs_diff(to);
            u64::from(direct.min(around.wrapping_sub(direct)))
        };
        let x = shorter(tile.x, self.to.x, self.around[0]);
        let y = shorter(tile.y, self.to.y, self.around[1]);
        let (diagonal, straight) = (x.min(y), x.max(y) - x.min(y));
        diagonal * self.costs[1] + straight * self.costs[0]
    }
}

/// Returns the costs of a straight and of a diagonal step that enters a tile of cost `tile_cost`, in
/// units of 1 / [`UNIT`].
fn step_costs(tile_cost: f32) -> [u64; 2] {
    // The product is exact before the cast: an f32 times a 29-bit number fits an f64.
    [UNIT, DIAGONAL].map(|length| (f64::from(tile_cost) * length as f64) as u64)
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
