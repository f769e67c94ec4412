//! Fields of shortest routes to the nearest of several goals. Dijkstra's algorithm computes them
//! from the goals outwards.
//!
//! A step costs its length (1, or √2 for a diagonal) times the cost of the tile it enters. Costs
//! are multiples of 1/65,536, so sums are exact.
//!
//! If several goals are equally near, the route leads to the goal with the lowest rank. If several
//! routes to that goal are equally cheap, the first direction clockwise from east decides. A route
//! thus depends only on the map and the goals.
//!
//! Every step costs at least 1, so all tiles within a cost range of 1 can be settled together.
//! Buckets therefore replace the heap (Dial's algorithm).

use core::mem;

use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};
use crate::grid::Grid;

use super::{Corners, Map};

/// The next step of the shortest route from each tile, computed on demand.
#[derive(Debug, Clone)]
pub struct RouteField {
    /// Next step from each tile: [`NONE`], [`HERE`], or [`FIRST`] plus the index of a direction.
    steps: Grid<u8>,
    /// State of the unfinished search. `None` when all reachable tiles are settled.
    search: Option<FieldSearch>,
}

const NONE: u8 = 0;
const HERE: u8 = 1;
const FIRST: u8 = 2;

/// The cost of a straight step onto ground of cost 1; a power of two.
const STEP: u64 = 1 << 16;

/// Number of buckets, each with a cost range of [`STEP`]. The total range exceeds the cost of the
/// most expensive step: a diagonal onto ground of cost 1000.
const BUCKETS: usize = 1 << 11;

/// Minimum number of tiles that one call settles. Searches on small maps thus finish in one call.
const MIN_BATCH: usize = 4096;

/// The next step from a tile of a route field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextStep {
    /// The tile is a goal, so no step is needed.
    Here,
    Step(Direction),
}

/// The tile of a route to which agents can move in a straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WayAhead {
    pub tile: TilePos,
    /// Number of steps of the route after its first step, up to the tile.
    pub steps: u32,
    /// Lowest cost of a tile of the route after the first step, up to the tile.
    pub cheapest: f32,
    /// Whether no later tile can be free. If false, this depends on the position of the agent.
    pub is_final: bool,
}

impl RouteField {
    /// Starts a field in which only the goals are reached. Goals are passed in order of rank.
    /// Ignores goals that cannot be entered.
    pub(crate) fn begun(map: &Map, goals: impl Iterator<Item = TilePos>) -> Self {
        let mut steps = Grid::filled(map.width(), map.height(), NONE);
        let mut search = FieldSearch::new(map.tiles().cells().len());
        for (tile, rank) in goals.zip(0..) {
            let on_map = map.resolve(tile).filter(|&tile| map.is_open(tile));
            if let Some(index) = on_map.and_then(|tile| steps.index(tile)) {
                search.reach(&mut steps, index, RouteLabel { cost: 0, rank, next: HERE });
            }
        }
        Self { steps, search: Some(search) }
    }

    /// Computes the complete field. Goals are passed in order of rank. Ignores goals that cannot be
    /// entered. Returns `None` if cancelled.
    pub fn towards(
        cancel: &Cancel,
        map: &Map,
        goals: impl Iterator<Item = TilePos>,
    ) -> Option<Self> {
        let mut field = Self::begun(map, goals);
        while !cancel.is_requested() {
            if field.settle_next(map) == 0 {
                return Some(field);
            }
        }
        None
    }

    /// Continues the search until the route from a tile is known or about `limit` tiles are
    /// settled. Stops earlier if cancelled.
    pub(crate) fn look_for(&mut self, map: &Map, tile: TilePos, limit: usize, cancel: &Cancel) {
        let mut settled = 0;
        let mut done = self.is_known(tile);
        while !cancel.is_requested()
            && ((!done && settled < limit) || (settled > 0 && settled < MIN_BATCH))
        {
            match self.settle_next(map) {
                0 => return,
                count => settled += count,
            }
            done = done || self.is_known(tile);
        }
    }

    /// Returns true if the search has decided the route from a tile, or decided that no route
    /// exists. Also returns true for tiles outside the map.
    pub(crate) fn is_known(&self, tile: TilePos) -> bool {
        match (&self.search, self.steps.index(tile)) {
            (None, _) | (_, None) => true,
            (Some(search), Some(index)) => {
                self.steps.cells()[index] != NONE && search.costs[index] / STEP <= search.bucket
            }
        }
    }

    /// Returns the next step from a tile whose route is known. Returns `None` if no goal is
    /// reachable from the tile, or if the tile is outside the map.
    pub(crate) fn next_step(&self, tile: TilePos) -> Option<NextStep> {
        match *self.steps.get(tile)? {
            NONE => None,
            HERE => Some(NextStep::Here),
            direction => {
                Direction::ALL.get(usize::from(direction - FIRST)).copied().map(NextStep::Step)
            }
        }
    }

    /// Returns the number of tiles reached by the unfinished search. The memory in use is
    /// proportional to this number. Returns 0 when the search is complete.
    pub fn weight(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.reached)
    }

    /// Settles the tiles of the next bucket. Returns their number; 0 if the search is complete.
    fn settle_next(&mut self, map: &Map) -> usize {
        let Some(search) = &mut self.search else { return 0 };
        let settled = search.settle_bucket(map, &mut self.steps);
        if settled == 0 {
            self.search = None;
        }
        settled
    }
}

/// A route from a tile to a goal. A better route compares as less than a worse route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RouteLabel {
    cost: u64,
    rank: u32,
    next: u8,
}

/// State of Dijkstra's algorithm.
///
/// The tables are allocated as zeros, and operating systems map zeroed memory page by page on first
/// write. A search near its goals is therefore cheap on maps of any size.
#[derive(Debug, Clone)]
struct FieldSearch {
    /// Lowest known cost of a route from each tile to a goal, in units of 1 / [`STEP`]. Only valid
    /// for reached tiles.
    costs: Vec<u64>,
    /// Rank of the goal of the cheapest known route from each tile. Only valid for reached tiles.
    ranks: Vec<u32>,
    /// Buckets of unsettled tiles. Bucket n is at index n modulo [`BUCKETS`]. A tile can be in
    /// several buckets if a cheaper route was found later.
    buckets: Vec<Vec<u32>>,
    /// Total number of entries in all buckets.
    count: usize,
    /// Number of the first unsettled bucket. Costs in earlier buckets are final.
    bucket: u64,
    /// Number of tiles that the search has reached.
    reached: usize,
}

impl FieldSearch {
    fn new(tiles: usize) -> Self {
        let buckets = vec![Vec::new(); BUCKETS];
        Self {
            costs: vec![0; tiles],
            ranks: vec![0; tiles],
            buckets,
            count: 0,
            bucket: 0,
            reached: 0,
        }
    }

    /// Stores a route from a tile if it is better than the known route.
    fn reach(&mut self, steps: &mut Grid<u8>, index: usize, label: RouteLabel) {
        let next = &mut steps.cells_mut()[index];
        let known = RouteLabel { cost: self.costs[index], rank: self.ranks[index], next: *next };
        if *next == NONE {
            self.reached += 1;
        } else if known <= label {
            return;
        }
        *next = label.next;
        self.costs[index] = label.cost;
        self.ranks[index] = label.rank;
        self.buckets[(label.cost / STEP) as usize % BUCKETS].push(index as u32);
        self.count += 1;
    }

    fn settle_bucket(&mut self, map: &Map, steps: &mut Grid<u8>) -> usize {
        if self.count == 0 {
            return 0;
        }
        while self.buckets[self.bucket as usize % BUCKETS].is_empty() {
            self.bucket += 1;
        }
        let slot = self.bucket as usize % BUCKETS;
        let mut tiles = mem::take(&mut self.buckets[slot]);
        self.count -= tiles.len();
        for &index in &tiles {
            if self.costs[index as usize] / STEP == self.bucket {
                self.extend_routes(map, steps, index as usize);
            }
        }
        let settled = tiles.len();
        tiles.clear();
        self.buckets[slot] = tiles;
        self.bucket += 1;
        settled
    }

    /// Extends the route of a tile to its predecessors. A step leads from each predecessor to the
    /// tile.
    fn extend_routes(&mut self, map: &Map, steps: &mut Grid<u8>, index: usize) {
        let width = map.width() as usize;
        let tile = TilePos::new((index % width) as i32, (index / width) as i32);
        let (cost, rank) = (self.costs[index], self.ranks[index]);
        let tile_cost = map.kind(tile).map_or(1.0, |kind| f64::from(kind.cost.clamp(1.0, 1000.0)));
        let units = |length: f64| (tile_cost * length * STEP as f64 + 0.5) as u64;
        let (straight, diagonal) = (units(1.0), units(core::f64::consts::SQRT_2));
        let previous = Direction::ALL.map(|direction| tile - direction.step());
        let open = previous.map(|tile| map.is_open(tile));
        for (number, direction) in Direction::ALL.into_iter().enumerate() {
            let beside = [direction.turned(-1), direction.turned(1)];
            let cuts = map.corners() == Corners::Cut || beside.iter().all(|&n| open[n as usize]);
            let is_barred = map.is_barred(previous[number], direction);
            if !open[number] || is_barred || (direction.is_diagonal() && !cuts) {
                continue;
            }
            let on_map = map.resolve(previous[number]);
            let Some(index) = on_map.and_then(|tile| steps.index(tile)) else { continue };
            let step = if direction.is_diagonal() { diagonal } else { straight };
            self.reach(
                steps,
                index,
                RouteLabel { cost: cost + step, rank, next: direction as u8 + FIRST },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    fn walk(map: &Map, from: (i32, i32), goals: &[(i32, i32)]) -> Option<Vec<(i32, i32)>> {
        let goals = goals.iter().map(|&(x, y)| TilePos::new(x, y));
        let field = RouteField::towards(&Cancel::default(), map, goals).unwrap();
        let mut tile = TilePos::new(from.0, from.1);
        let mut walked = Vec::new();
        while let NextStep::Step(direction) = field.next_step(tile)? {
            tile = map.step(tile, direction, true).unwrap();
            walked.push((tile.x, tile.y));
        }
        Some(walked)
    }

    #[test]
    fn route_avoids_walls_and_corners() {
        let map = drawn(&["....", ".##.", "...."], Edges::Wall);
        let route = walk(&map, (0, 1), &[(3, 0), (3, 1), (3, 2)]);
        assert_eq!(route, Some(vec![(0, 0), (1, 0), (2, 0), (3, 0)]));
    }

    #[test]
    fn lowest_rank_wins_at_equal_distance() {
        let map = drawn(&["....."], Edges::Wall);
        assert_eq!(walk(&map, (2, 0), &[(4, 0), (0, 0)]), Some(vec![(3, 0), (4, 0)]));
        assert_eq!(walk(&map, (2, 0), &[(0, 0), (4, 0)]), Some(vec![(1, 0), (0, 0)]));
        assert_eq!(walk(&map, (4, 0), &[(4, 0)]), Some(vec![]));
        assert_eq!(walk(&map, (2, 0), &[(9, 0)]), None);
    }

    #[test]
    fn first_direction_clockwise_from_east_wins() {
        let map = drawn(&["......"; 3], Edges::Wall);
        let route = walk(&map, (0, 0), &[(4, 2)]);
        assert_eq!(route, Some(vec![(1, 0), (2, 0), (3, 1), (4, 2)]));
    }

    #[test]
    fn route_crosses_the_edge_of_a_torus() {
        let map = drawn(&[".#....."], Edges::Wrap);
        assert_eq!(walk(&map, (0, 0), &[(5, 0)]), Some(vec![(6, 0), (5, 0)]));
    }

    #[test]
    fn partial_queries_match_the_complete_field() {
        let rows: Vec<String> = (0..90)
            .map(|y: usize| {
                (0..90)
                    .map(|x| if (x * 7 + y * y * 3).is_multiple_of(5_usize) { '#' } else { '.' })
                    .collect()
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let map = drawn(&rows, Edges::Wall);
        let goal =
            map.tiles().iter().map(|(tile, _)| tile).find(|&tile| map.is_open(tile)).unwrap();
        let whole = RouteField::towards(&Cancel::default(), &map, core::iter::once(goal)).unwrap();
        let mut partial = RouteField::begun(&map, core::iter::once(goal));
        for number in 0..8100 {
            let number = number * 4099 % 8100;
            let tile = TilePos::new(number % 90, number / 90);
            partial.look_for(&map, tile, usize::MAX, &Cancel::default());
            assert_eq!(partial.next_step(tile), whole.next_step(tile), "{tile}");
        }
    }
}
