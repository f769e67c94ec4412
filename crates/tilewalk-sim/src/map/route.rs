//! The shortest walk over tiles to the nearest of several goals: a field of directions, made by
//! Dijkstra's algorithm from the goals outward, that any number of walkers follow.
//!
//! A step costs its length (1, or √2 for a diagonal) times the cost of the tile it enters. Costs are
//! whole numbers of 1/65,536, so sums are exact, and ways that look equally long are. Of goals
//! equally far the one of the lowest rank is taken, and of equal ways the first clockwise from east,
//! so a route never depends on anything but the map.
//!
//! No step costs less than 1. So tiles can be looked at in lots that lie less than 1 apart: none of a
//! lot can be on the way of another, and no heap is needed (Dial's algorithm).

use core::mem;

use crate::geom::{Notch, TilePos};
use crate::grid::Grid;

use super::{Corners, Map};

/// Which way is nearest from every tile that has been asked about.
#[derive(Debug, Clone)]
pub struct RouteField {
    /// [`NONE`], [`HERE`], or the number of the notch plus [`FIRST`].
    leads: Grid<u8>,
    /// What is needed to go on; nothing once all is found that can be.
    search: Option<Search>,
}

const NONE: u8 = 0;
const HERE: u8 = 1;
const FIRST: u8 = 2;

/// The cost of one straight step over plain ground; a power of two.
const STEP: u64 = 1 << 16;

/// Lots in waiting: more than the dearest step (a diagonal over ground of cost 1000) reaches ahead.
const LOTS: usize = 1 << 11;

/// Tiles that are looked at in one go, so that a small map is done with at once.
const GO: usize = 4096;

/// What to do on a tile to reach a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lead {
    /// It is one.
    Here,
    /// Step this way.
    Step(Notch),
}

impl RouteField {
    /// The whole field towards `goals`, lower ranks first; goals that can't be entered are left out.
    pub fn towards(map: &Map, goals: impl Iterator<Item = TilePos>) -> Self {
        let mut field = Self::begun(map, goals);
        while field.go_on(map) > 0 {}
        field
    }

    /// The field towards `goals` before it has been asked about anything.
    pub(crate) fn begun(map: &Map, goals: impl Iterator<Item = TilePos>) -> Self {
        let mut leads = Grid::filled(map.width(), map.height(), NONE);
        let mut search = Search::new(map.tiles().cells().len());
        for (tile, rank) in goals.zip(0..) {
            let on_map = map.resolve(tile).filter(|&tile| map.is_open(tile));
            if let Some(index) = on_map.and_then(|tile| leads.index(tile)) {
                search.reach(&mut leads, index, Way { cost: 0, rank, lead: HERE });
            }
        }
        Self { leads, search: Some(search) }
    }

    /// Looks for the way from a tile of the map, unless it is known, and gives up after so many
    /// tiles.
    pub(crate) fn look_for(&mut self, map: &Map, tile: TilePos, most: usize) {
        let mut seen = 0;
        let mut done = self.is_known(tile);
        while (!done && seen < most) || (seen > 0 && seen < GO) {
            match self.go_on(map) {
                0 => return,
                more => seen += more,
            }
            done = done || self.is_known(tile);
        }
    }

    /// Has the way from a tile been found, or that there is none?
    pub(crate) fn is_known(&self, tile: TilePos) -> bool {
        match (&self.search, self.leads.index(tile)) {
            (None, _) | (_, None) => true,
            (Some(search), Some(index)) => {
                self.leads.cells()[index] != NONE && search.costs[index] / STEP <= search.lot
            }
        }
    }

    /// What to do on a tile of the map; `None` when no goal can be reached from it. It must be known.
    pub(crate) fn lead(&self, tile: TilePos) -> Option<Lead> {
        match *self.leads.get(tile)? {
            NONE => None,
            HERE => Some(Lead::Here),
            notch => Notch::ALL.get(usize::from(notch - FIRST)).copied().map(Lead::Step),
        }
    }

    /// How many tiles it holds in memory that have been written to.
    pub fn weight(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.reached)
    }

    /// Looks at the next lot; returns how many tiles were in it, 0 when all is done.
    fn go_on(&mut self, map: &Map) -> usize {
        let Some(search) = &mut self.search else { return 0 };
        let seen = search.next_lot(map, &mut self.leads);
        if seen == 0 {
            self.search = None;
        }
        seen
    }
}

/// A way from a tile to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    cost: u64,
    rank: u32,
    lead: u8,
}

/// What Dijkstra's algorithm knows on its way.
///
/// Memory is asked for as zeros, which systems hand out page by page as it is written to: a search
/// that stays near its goals is cheap on any map.
#[derive(Debug, Clone)]
struct Search {
    /// Cost to the nearest goal, where there is a lead.
    costs: Vec<u64>,
    /// The rank of that goal.
    ranks: Vec<u32>,
    /// Tiles to look at: those of the lot with number n wait in n modulo [`LOTS`]. One that was
    /// reached again at less cost waits twice.
    waiting: Vec<Vec<u32>>,
    /// How many wait.
    count: usize,
    /// The first lot that has not been looked at. Whatever belongs to it or to those before is
    /// final.
    lot: u64,
    /// Tiles that have been reached at all.
    reached: usize,
}

impl Search {
    fn new(tiles: usize) -> Self {
        let waiting = vec![Vec::new(); LOTS];
        Self { costs: vec![0; tiles], ranks: vec![0; tiles], waiting, count: 0, lot: 0, reached: 0 }
    }

    /// Notes a way to a goal, if it is the best so far.
    fn reach(&mut self, leads: &mut Grid<u8>, index: usize, way: Way) {
        let lead = &mut leads.cells_mut()[index];
        let known = Way { cost: self.costs[index], rank: self.ranks[index], lead: *lead };
        if *lead == NONE {
            self.reached += 1;
        } else if known <= way {
            return;
        }
        *lead = way.lead;
        self.costs[index] = way.cost;
        self.ranks[index] = way.rank;
        self.waiting[(way.cost / STEP) as usize % LOTS].push(index as u32);
        self.count += 1;
    }

    fn next_lot(&mut self, map: &Map, leads: &mut Grid<u8>) -> usize {
        if self.count == 0 {
            return 0;
        }
        while self.waiting[self.lot as usize % LOTS].is_empty() {
            self.lot += 1;
        }
        let slot = self.lot as usize % LOTS;
        let mut tiles = mem::take(&mut self.waiting[slot]);
        self.count -= tiles.len();
        for &index in &tiles {
            if self.costs[index as usize] / STEP == self.lot {
                self.look_around(map, leads, index as usize);
            }
        }
        let seen = tiles.len();
        tiles.clear();
        self.waiting[slot] = tiles;
        self.lot += 1;
        seen
    }

    /// Looks at all tiles from which one step leads to this one.
    fn look_around(&mut self, map: &Map, leads: &mut Grid<u8>, index: usize) {
        let width = map.width() as usize;
        let tile = TilePos::new((index % width) as i32, (index / width) as i32);
        let (cost, rank) = (self.costs[index], self.ranks[index]);
        let ground = map.kind(tile).map_or(1.0, |kind| f64::from(kind.cost.clamp(1.0, 1000.0)));
        let units = |length: f64| (ground * length * STEP as f64 + 0.5) as u64;
        let (straight, diagonal) = (units(1.0), units(core::f64::consts::SQRT_2));
        let before = Notch::ALL.map(|notch| tile - notch.step());
        let open = before.map(|tile| map.is_open(tile));
        for (number, notch) in Notch::ALL.into_iter().enumerate() {
            let beside = [notch.turned(-1), notch.turned(1)];
            let cuts = map.corners() == Corners::Cut || beside.iter().all(|&n| open[n as usize]);
            if !open[number] || (notch.is_diagonal() && !cuts) {
                continue;
            }
            let on_map = map.resolve(before[number]);
            let Some(index) = on_map.and_then(|tile| leads.index(tile)) else { continue };
            let step = if notch.is_diagonal() { diagonal } else { straight };
            self.reach(leads, index, Way { cost: cost + step, rank, lead: notch as u8 + FIRST });
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
    fn of_equal_ways_the_first_clockwise_from_east_is_taken() {
        let map = drawn(&["......"; 3], Edges::Wall);
        let route = walk(&map, (0, 0), &[(4, 2)]);
        assert_eq!(route, Some(vec![(1, 0), (2, 0), (3, 1), (4, 2)]));
    }

    #[test]
    fn a_torus_is_crossed_over_its_edge() {
        let map = drawn(&[".#....."], Edges::Wrap);
        assert_eq!(walk(&map, (0, 0), &[(5, 0)]), Some(vec![(6, 0), (5, 0)]));
    }

    #[test]
    fn a_field_that_is_asked_bit_by_bit_is_the_whole_one() {
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
        let whole = RouteField::towards(&map, core::iter::once(goal));
        let mut asked = RouteField::begun(&map, core::iter::once(goal));
        for number in 0..8100 {
            let number = number * 4099 % 8100;
            let tile = TilePos::new(number % 90, number / 90);
            asked.look_for(&map, tile, usize::MAX);
            assert_eq!(asked.lead(tile), whole.lead(tile), "{tile}");
        }
    }
}
