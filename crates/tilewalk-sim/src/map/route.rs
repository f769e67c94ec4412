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
//!
//! Most of the time goes into memory accesses, so the cost, the next step and the state of a tile
//! share a number of 32 bits: a `Label`. The labels are in the order of `Numbering`.

use core::mem;

use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};
use crate::tile::TileKind;

use super::Map;
use super::steps::{Numbering, Shortcuts};

/// The next step of the shortest route from each tile, computed on demand.
#[derive(Debug, Clone)]
pub struct RouteField {
    numbering: Numbering,
    routes: Routes,
}

/// The known routes of a field, by the number of the tile.
#[derive(Debug, Clone)]
enum Routes {
    /// Search labels, which take 4 bytes per tile, or 6 with several goals.
    Labels {
        /// The bits of a `Label` for each tile.
        labels: Vec<u32>,
        /// Number of tiles that the search has reached.
        reached: usize,
        /// `None` when all reachable tiles are settled.
        search: Option<Box<FieldSearch>>,
    },
    /// The next steps only, as in [`Label::next`]. For complete fields that reach much of the map.
    Steps(Vec<u8>),
}

/// The cost of a straight step onto ground of cost 1; a power of two.
const STEP: u32 = 1 << STEP_BITS;

const STEP_BITS: u32 = 16;

/// Maximum number of buckets, each with a cost range of [`STEP`]. The total range exceeds the cost
/// of the most expensive step: a diagonal onto ground of cost 1000.
const MAX_BUCKETS: usize = 1 << 11;

/// Minimum number of tiles that one call settles. Searches on small maps thus finish in one call.
const MIN_BATCH: usize = 4096;

/// A complete field that reaches this share of the tiles keeps only the next steps. It would take
/// too long to look through the whole table for a few tiles.
const COMPACT_SHARE: usize = 8;

/// The route from a tile: its cost, its next step, and whether both are final.
///
/// From the lowest bit: 4 bits for the next step, 1 bit for settled tiles, and 27 bits for the cost
/// in units of 1 / [`STEP`]. The highest bits of a large cost are lost. The costs of all reached but
/// unsettled tiles differ by less than [`MAX_BUCKETS`] × [`STEP`], so the lowest bits suffice to
/// compare them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Label(u32);

impl Label {
    /// No route is known.
    const NONE: Self = Self(0);
    /// The tile is a goal.
    const GOAL: Self = Self(1);
    const SETTLED: Self = Self(1 << 4);
    /// Next step of a tile from which the route leads east. The other directions follow.
    const EAST: u8 = 2;
    const COST_SHIFT: u32 = 5;
    /// Shift to get the number of the bucket, modulo [`MAX_BUCKETS`].
    const BUCKET_SHIFT: u32 = Self::COST_SHIFT + STEP_BITS;

    #[inline]
    fn is_settled(self) -> bool {
        self.0 & Self::SETTLED.0 != 0
    }

    /// Returns the next step: 0 if no route is known, 1 for a goal, or [`Label::EAST`] plus the
    /// index of a direction.
    #[inline]
    fn next(self) -> u8 {
        self.0 as u8 & (Self::SETTLED.0 as u8 - 1)
    }

    /// Returns the cost bits in their place.
    #[inline]
    fn cost(self) -> u32 {
        self.0 >> Self::COST_SHIFT << Self::COST_SHIFT
    }
}

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
        let numbering = Numbering::new(map);
        // Allocated as zeros, which operating systems map page by page on first write. A search near
        // its goals is therefore cheap on maps of any size.
        let mut labels = vec![0; numbering.len()];
        let mut goals_on_map = Vec::new();
        let on_map = |tile| map.resolve(tile).filter(|&tile| map.is_open(tile));
        for tile in goals.filter_map(on_map) {
            let number = numbering.number(tile);
            let label = &mut labels[number as usize];
            if *label == Label::NONE.0 {
                *label = Label::GOAL.0;
                goals_on_map.push(number);
            }
        }
        let reached = goals_on_map.len();
        let search = FieldSearch::new(map, labels.len(), goals_on_map);
        Self { numbering, routes: Routes::Labels { labels, reached, search: Some(search) } }
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
        match &self.routes {
            Routes::Labels { labels, search: Some(_), .. } => {
                let number = self.numbering.checked_number(tile);
                number.is_none_or(|number| Label(labels[number as usize]).is_settled())
            }
            Routes::Labels { search: None, .. } | Routes::Steps(_) => true,
        }
    }

    /// Returns the next step from a tile whose route is known. Returns `None` if no goal is
    /// reachable from the tile, or if the tile is outside the map.
    pub(crate) fn next_step(&self, tile: TilePos) -> Option<NextStep> {
        let number = self.numbering.checked_number(tile)? as usize;
        let next = match &self.routes {
            Routes::Labels { labels, .. } => Label(labels[number]).next(),
            Routes::Steps(steps) => steps[number],
        };
        if next == Label::GOAL.next() {
            return Some(NextStep::Here);
        }
        let direction = next.checked_sub(Label::EAST)?;
        Direction::ALL.get(usize::from(direction)).copied().map(NextStep::Step)
    }

    /// Returns the number of tiles that the search has reached. The memory in use is proportional
    /// to this number. Returns 0 for a field that contains only the next steps.
    pub fn weight(&self) -> usize {
        match &self.routes {
            Routes::Labels { reached, .. } => *reached,
            Routes::Steps(_) => 0,
        }
    }

    /// Settles the tiles of the next bucket. Returns their number; 0 if the search is complete.
    fn settle_next(&mut self, map: &Map) -> usize {
        let Routes::Labels { labels, reached, search } = &mut self.routes else { return 0 };
        let Some(running) = search else { return 0 };
        let settled = running.settle_bucket(map, labels, reached);
        if settled == 0 {
            *search = None;
            if *reached > labels.len() / COMPACT_SHARE {
                let steps = labels.iter().map(|&label| Label(label).next());
                self.routes = Routes::Steps(steps.collect());
            }
        }
        settled
    }
}

/// State of Dijkstra's algorithm.
#[derive(Debug, Clone)]
struct FieldSearch {
    /// Cost of a straight and of a diagonal step that enters a tile, for each kind, in place in a
    /// [`Label`].
    costs: [[u32; 2]; 256],
    shortcuts: Shortcuts,
    /// Ranks of the goals of the known routes. `None` if there is only one goal.
    ranks: Option<Ranks>,
    /// Buckets of unsettled tiles. Bucket n is at index n modulo the number of buckets, which is a
    /// power of two. A tile can be in several buckets if a cheaper route was found later.
    buckets: Vec<Vec<u32>>,
    /// Total number of entries in all buckets.
    count: usize,
    /// Number of the first unsettled bucket. Costs in earlier buckets are final.
    bucket: u32,
}

impl FieldSearch {
    /// `tiles` is the number of labels. `goals` are in order of rank.
    fn new(map: &Map, tiles: usize, goals: Vec<u32>) -> Box<Self> {
        let step_costs = |kind: &TileKind| {
            [1.0, core::f64::consts::SQRT_2].map(|length| {
                let cost = f64::from(kind.cost.clamp(1.0, 1000.0)) * length;
                (cost * f64::from(STEP) + 0.5) as u64
            })
        };
        let kinds = map.legend().iter().map(step_costs);
        let shortcuts = Shortcuts::new(kinds.clone(), Shortcuts::default());
        let longest = kinds.clone().map(|[_, diagonal]| diagonal).max().unwrap_or(0);
        let mut costs = [[0; 2]; 256];
        for (costs, kind) in costs.iter_mut().zip(kinds) {
            *costs = kind.map(|units| (units as u32) << Label::COST_SHIFT);
        }
        let count = goals.len();
        let ranks = (count > 1).then(|| Ranks::new(tiles, &goals));
        // The bucket being settled is not refilled: the cost range of the others exceeds any step.
        let slots = ((longest >> STEP_BITS) as usize + 2).next_power_of_two().min(MAX_BUCKETS);
        let mut buckets = vec![Vec::new(); slots];
        buckets[0] = goals;
        Box::new(Self { costs, shortcuts, ranks, buckets, count, bucket: 0 })
    }

    /// Settles the tiles of the next bucket. Returns their number; 0 if no bucket is left. Adds the
    /// number of newly reached tiles to `reached`.
    fn settle_bucket(&mut self, map: &Map, labels: &mut [u32], reached: &mut usize) -> usize {
        if self.count == 0 {
            return 0;
        }
        let slots = self.buckets.len();
        while self.buckets[self.bucket as usize % slots].is_empty() {
            self.bucket = self.bucket.wrapping_add(1);
        }
        let slot = self.bucket as usize % slots;
        let mut tiles = mem::take(&mut self.buckets[slot]);
        self.count -= tiles.len();
        for &number in &tiles {
            let label = Label(labels[number as usize]);
            if !label.is_settled() {
                labels[number as usize] |= Label::SETTLED.0;
                *reached += self.extend_routes(map, labels, number, label);
            }
        }
        let settled = tiles.len();
        tiles.clear();
        self.buckets[slot] = tiles;
        self.bucket = self.bucket.wrapping_add(1);
        settled
    }

    /// Extends the route of a tile to its predecessors. A step leads from each predecessor to the
    /// tile. Returns the number of newly reached tiles.
    #[inline]
    fn extend_routes(&mut self, map: &Map, labels: &mut [u32], number: u32, label: Label) -> usize {
        let table = map.entering_steps();
        let cell = table.cell(map, number);
        let costs = self.costs[usize::from(cell.kind())];
        let costs = costs.map(|step| label.cost().wrapping_add(step));
        let neighbours = table.numbering.neighbours(number);
        let mut directions = cell.directions();
        if map.steps_are_symmetric() && label.next() != Label::GOAL.next() {
            // Away from the tile to which the route leads.
            let last = label.next().wrapping_sub(Label::EAST).wrapping_add(4);
            directions = self.shortcuts.ahead(cell, last);
        }
        let slots = self.buckets.len();
        // No unsettled tile has a lower cost, so costs are compared by their excess over this cost.
        let least = self.bucket << Label::BUCKET_SHIFT;
        let mut reached = 0;
        while directions != 0 {
            let side = directions.trailing_zeros() as usize % 8;
            directions &= directions - 1;
            let previous = neighbours[side];
            let known = Label(labels[previous as usize]);
            // The step back to the tile has the opposite direction.
            let next = Label::EAST + (side as u8 + 4) % 8;
            let new = Label(costs[side % 2] | u32::from(next));
            let is_new = known == Label::NONE;
            let is_better = !known.is_settled()
                && match &self.ranks {
                    _ if is_new => true,
                    None => new.0.wrapping_sub(least) < known.0.wrapping_sub(least),
                    Some(ranks) => {
                        let excess = [new, known].map(|label| label.cost().wrapping_sub(least));
                        (excess[0], ranks.get(number), new.next())
                            < (excess[1], ranks.get(previous), known.next())
                    }
                };
            if !is_better {
                continue;
            }
            labels[previous as usize] = new.0;
            if let Some(ranks) = &mut self.ranks {
                ranks.set(previous, ranks.get(number));
            }
            reached += usize::from(is_new);
            let bucket = new.0 >> Label::BUCKET_SHIFT;
            if is_new || bucket != known.0 >> Label::BUCKET_SHIFT {
                self.buckets[bucket as usize % slots].push(previous);
                self.count += 1;
            }
        }
        reached
    }
}

/// The rank of the goal of each tile's route. Like the labels, allocated as zeros.
#[derive(Debug, Clone)]
struct Ranks {
    /// The low 16 bits of each rank.
    low: Vec<u16>,
    /// The high 16 bits of each rank. Empty if all are 0.
    high: Vec<u16>,
}

impl Ranks {
    /// `goals` are in order of rank. Tiles without a route have rank 0.
    fn new(tiles: usize, goals: &[u32]) -> Self {
        let high = if goals.len() > 1 << 16 { vec![0; tiles] } else { Vec::new() };
        let mut ranks = Self { low: vec![0; tiles], high };
        for (&goal, rank) in goals.iter().zip(0..) {
            ranks.set(goal, rank);
        }
        ranks
    }

    fn get(&self, number: u32) -> u32 {
        let high = self.high.get(number as usize).copied().unwrap_or(0);
        u32::from(high) << 16 | u32::from(self.low[number as usize])
    }

    fn set(&mut self, number: u32, rank: u32) {
        self.low[number as usize] = rank as u16;
        if let Some(high) = self.high.get_mut(number as usize) {
            *high = (rank >> 16) as u16;
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
