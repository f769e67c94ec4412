//! An index of the members of a group, searches in the index, and sums over neighbours.
//!
//! The members are sorted by cell and rank, so that nearby members are stored together. A search
//! finds the nearest member, or all members within a distance.
//!
//! Sums over neighbours are computed for several agents at a time (SIMD). A lane holds one *agent*.
//! The candidates are processed one by one, in the order of the index. Each sum therefore has the
//! same order in every lane. A candidate that is not a neighbour adds exact zeros, which change no
//! bit. The sums therefore depend only on the neighbours.

use core::ops::Range;
use std::sync::Arc;

use crate::geom::Vec2;
use crate::geom::lanes::{Eight, LANES, Lanes, Mask, Simd, short_way, transpose};
use crate::id::AgentId;
use crate::map::{Edges, Map};
use crate::scenario::Scenario;
use crate::steering::senses::Crowd;
use crate::steering::{AvoidAgents, AvoidCrowd, Behaviour, CellBlock, Target};
use crate::world::neighbours::{AgentIndex, SMALL_GROUP, State, present_member, rows};

/// The cell and the place of an absent agent.
const ABSENT: u32 = u32::MAX;

/// Maximum number of cells per member for which a table of all cells is built.
const MAX_CELLS_PER_MEMBER: usize = 8;

/// The members of a group in the order (row, column, rank). The rank of a member is its index in
/// the group. The place of a member is its index in this order.
///
/// Searches visit members in this order, so sums over neighbours do not depend on the search.
#[derive(Debug)]
pub struct Index {
    pub cells: Cells,
    members: Vec<Member>,
    /// The rank of each member, indexed by place.
    ranks: Vec<u32>,
    /// The place of each rank; [`ABSENT`] for absent agents.
    places: Vec<u32>,
    /// Index of the first member of each row. The last entry is the number of members.
    rows: Vec<u32>,
    /// Index of the first member of each cell. Empty if there are too many cells.
    cell_starts: Vec<u32>,
    scratch: Scratch,
}

/// Scratch space for sorting.
#[derive(Debug, Default)]
struct Scratch {
    /// The members by rank. The entries of absent agents are arbitrary.
    members: Vec<Member>,
    keys: Vec<Key>,
    sorted: Vec<Key>,
    columns: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Key {
    column: u16,
    row: u16,
    rank: u32,
}

impl Index {
    pub fn new(cells: Cells) -> Self {
        Self {
            cells,
            members: Vec::new(),
            ranks: Vec::new(),
            places: Vec::new(),
            rows: Vec::new(),
            cell_starts: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Rebuilds the index for the ranks below `count`. `member` returns the member with a given
    /// rank, or `None` for an absent agent.
    pub fn sort(&mut self, count: usize, member: impl Fn(usize) -> Option<Member>) {
        let cells = self.cells.columns as usize * self.cells.rows as usize;
        self.members.clear();
        self.ranks.clear();
        self.places.clear();
        self.rows.clear();
        self.cell_starts.clear();
        if cells > MAX_CELLS_PER_MEMBER * count {
            self.sort_without_table(count, member);
        } else {
            self.sort_with_table(count, cells, member);
        }
    }

    /// Sorts the members with one counting sort by cell. This also computes the start of each cell.
    fn sort_with_table(
        &mut self,
        count: usize,
        cells: usize,
        member: impl Fn(usize) -> Option<Member>,
    ) {
        let Self { cell_starts, members, ranks, places, scratch, .. } = self;
        let Cells { columns, rows, .. } = self.cells;
        // Each cell is counted two entries later, so that the entry after a cell is first the cell's
        // start, and then, when all its members are placed, the start of the next cell.
        cell_starts.resize(cells + 2, 0);
        scratch.members.resize(count, Member::default());
        places.extend(scratch.members.iter_mut().zip(0..).map(|(kept, rank)| {
            let Some(member) = member(rank) else { return ABSENT };
            *kept = member;
            let Member { x, y, .. } = member;
            let cell = self.cells.row(y) * columns + self.cells.column(x);
            cell_starts[cell as usize + 2] += 1;
            cell
        }));
        accumulate(cell_starts);
        ranks.resize(cell_starts[cells + 1] as usize, 0);
        // Up to here, the place of a member is its cell.
        for (place, rank) in places.iter_mut().zip(0..).filter(|(cell, _)| **cell != ABSENT) {
            let next = &mut cell_starts[*place as usize + 1];
            *place = *next;
            ranks[*next as usize] = rank;
            *next += 1;
        }
        // Whole members are read in any order, since writing them in any order takes longer.
        members.extend(ranks.iter().map(|&rank| scratch.members[rank as usize]));
        self.rows.extend((0..=rows).map(|row| cell_starts[(row * columns) as usize]));
    }

    /// Sorts the members with two stable counting sorts, by column and by row. They need no table of
    /// all cells, so a few agents on a huge map cost little.
    fn sort_without_table(&mut self, count: usize, member: impl Fn(usize) -> Option<Member>) {
        let Scratch { keys, sorted, columns, .. } = &mut self.scratch;
        keys.clear();
        columns.clear();
        columns.resize(self.cells.columns as usize + 1, 0);
        self.rows.resize(self.cells.rows as usize + 1, 0);
        keys.extend((0..count).filter_map(|rank| {
            let Member { x, y, .. } = member(rank)?;
            let (column, row) = (self.cells.column(x), self.cells.row(y));
            columns[column as usize + 1] += 1;
            self.rows[row as usize + 1] += 1;
            Some(Key { column: column as u16, row: row as u16, rank: rank as u32 })
        }));
        accumulate(columns);
        accumulate(&mut self.rows);
        sorted.resize(keys.len(), Key::default());
        for &key in keys.iter() {
            place(sorted, &mut columns[usize::from(key.column)], key);
        }
        for &key in sorted.iter() {
            place(keys, &mut self.rows[usize::from(key.row)], key);
        }
        // Sorting advanced the start of each row to the start of the next row.
        self.rows.rotate_right(1);
        self.rows[0] = 0;
        self.ranks.extend(keys.iter().map(|key| key.rank));
        self.members.extend(self.ranks.iter().filter_map(|&rank| member(rank as usize)));
        self.places.resize(count, ABSENT);
        for (&rank, place) in self.ranks.iter().zip(0..) {
            self.places[rank as usize] = place;
        }
    }

    #[inline(always)]
    fn first(&self, row: u32, column: u32) -> usize {
        if !self.cell_starts.is_empty() {
            return self.cell_starts[row as usize * self.cells.columns as usize + column as usize]
                as usize;
        }
        let range = self.row(row);
        let before = |member: &Member| self.cells.column(member.x) < column;
        range.start + self.members[range].partition_point(before)
    }

    #[inline(always)]
    pub fn row(&self, row: u32) -> Range<usize> {
        self.rows[row as usize] as usize..self.rows[row as usize + 1] as usize
    }

    #[inline(always)]
    pub fn range(&self, row: u32, columns: &Range<u32>) -> Range<usize> {
        self.first(row, columns.start)..self.first(row, columns.end)
    }

    #[inline(always)]
    pub fn column(&self, place: usize) -> u32 {
        self.cells.column(self.members[place].x)
    }

    pub fn rank(&self, place: usize) -> u32 {
        self.ranks[place]
    }

    /// Returns the place of each rank. The place of an absent agent is larger than all others.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Calls `visit` with ordered ranges of places. The ranges contain all members within `reach`
    /// columns and rows of a range of columns in one row. The second argument of `visit` is true if
    /// the shortest vector to these members can cross the map edge.
    #[inline(always)]
    pub fn visit_around(
        &self,
        row: u32,
        columns: (u32, u32),
        reach: (u32, u32),
        mut visit: impl FnMut(Range<usize>, bool),
    ) {
        let Cells { wrap, columns: width, rows: height, .. } = self.cells;
        let [across, down] = self.cells.around(row, columns, reach);
        let inside = columns.0 >= reach.0
            && columns.1 + reach.0 < width
            && row >= reach.1
            && row + reach.1 < height;
        for row in down.into_iter().flatten() {
            for columns in across.iter().filter(|columns| !columns.is_empty()) {
                let places = self.range(row, columns);
                if !places.is_empty() {
                    visit(places, wrap && !inside);
                }
            }
        }
    }

    /// Adds the neighbours of a batch of agents to the sums of these agents. All agents of the
    /// batch are in the same row of cells. `columns` are the columns of the leftmost and the
    /// rightmost agent.
    #[inline(always)]
    pub fn add_around<L: Lanes>(
        &self,
        block: &mut Block<L>,
        region: &Region,
        row: u32,
        columns: (u32, u32),
    ) {
        self.visit_around(
            row,
            columns,
            REACH,
            #[inline(always)]
            |places, wrapping| block.add(region, &self.members[places], wrapping),
        );
    }

    /// Returns the neighbour sums of one agent, and the number of members at exactly the agent's
    /// position. The sums exclude these members.
    pub fn crowd(&self, region: &Region, agent: Member) -> (Crowd, f32) {
        let column = self.cells.column(agent.x);
        let row = self.cells.row(agent.y);
        let mut block = Block::<f32>::new((), |_| &agent);
        self.add_around(&mut block, region, row, (column, column));
        block.crowd()
    }
}

/// Replaces each count by the sum of all counts up to and including it. If count `i` is stored at
/// index `i + 1`, the sums are start positions.
fn accumulate(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// Stores `key` at index `next` of `keys`, and increments `next`.
fn place(keys: &mut [Key], next: &mut u32, key: Key) {
    keys[*next as usize] = key;
    *next += 1;
}

/// Ratio of cell size to radius. The margin above 1 covers rounding errors in the cell of a
/// position.
const SLACK: f32 = 1.01;

/// Columns per radius. With narrow columns, a search visits fewer agents that are not neighbours.
const COLUMNS_PER_RADIUS: u32 = 3;

/// Largest distance between an agent's cell and a neighbour's cell, in columns and rows.
pub const REACH: (u32, u32) = (COLUMNS_PER_RADIUS, 1);

/// A grid of equal cells over a map (Buckland's cell-space partitioning). The cells depend only on
/// the map and a radius, not on the agents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cells {
    /// Number of columns, from 1 to 3 · 4096.
    pub columns: u32,
    /// Number of rows, from 1 to 4096.
    pub rows: u32,
    pub wrap: bool,
    /// Width and height of the map, in tiles.
    pub size: Vec2,
    /// Grid cells per tile, along x and y.
    density: Vec2,
}

impl Cells {
    /// Creates a grid for a radius in tiles. The height of a row is at least the radius, and at
    /// least one tile. The width of three columns has the same lower bound.
    pub fn new(map: &Map, radius: f32) -> Self {
        let side = (radius * SLACK).max(1.0);
        let size = Vec2::new(map.width() as f32, map.height() as f32);
        let fitting = |length: f32, side: f32| ((length / side) as u32).max(1);
        let (columns, rows) =
            (fitting(size.x, side / COLUMNS_PER_RADIUS as f32), fitting(size.y, side));
        let density = Vec2::new(columns as f32, rows as f32) / size;
        Self { columns, rows, wrap: map.edges() == Edges::Wrap, size, density }
    }

    /// Returns the largest distance between the cells of two positions, in columns and rows.
    /// `distance` is the largest distance between the positions, in tiles.
    pub fn within(&self, distance: f32) -> (u32, u32) {
        let cells = Vec2::splat(distance * SLACK) * self.density;
        (cells.x as u32 + 1, cells.y as u32 + 1)
    }

    /// Returns the columns and the rows within `reach` of a range of columns in one row. Columns
    /// and rows are each given as two disjoint ranges. `columns` are the first and the last column
    /// of the range.
    #[inline(always)]
    pub fn around(&self, row: u32, columns: (u32, u32), reach: (u32, u32)) -> [[Range<u32>; 2]; 2] {
        let across = ranges(columns.0, columns.1, reach.0, self.columns, self.wrap);
        [across, ranges(row, row, reach.1, self.rows, self.wrap)]
    }

    /// Returns a block of cells, with its corners in tiles and its size in cells.
    pub fn block(&self, columns: &Range<u32>, rows: &Range<u32>) -> CellBlock {
        let corner = |column: u32, row: u32| Vec2::new(column as f32, row as f32) / self.density;
        CellBlock {
            from: corner(columns.start, rows.start),
            to: corner(columns.end, rows.end),
            size: [columns.end - columns.start, rows.end - rows.start],
            grid: [self.columns, self.rows],
        }
    }

    /// Returns the column of the cell that contains an x coordinate in tiles. Coordinates outside
    /// the map are clamped.
    #[inline(always)]
    pub fn column(&self, x: f32) -> u32 {
        ((x * self.density.x) as u32).min(self.columns - 1)
    }

    /// Returns the row of the cell that contains a y coordinate in tiles. Coordinates outside the
    /// map are clamped.
    #[inline(always)]
    pub fn row(&self, y: f32) -> u32 {
        ((y * self.density.y) as u32).min(self.rows - 1)
    }
}

/// Returns the cells of one axis from `reach` before `first` to `reach` after `last`, as two
/// disjoint ranges in ascending order.
///
/// Each range can be empty. On a map that wraps, the ranges continue across the edge and contain
/// each cell at most once.
pub fn ranges(first: u32, last: u32, reach: u32, count: u32, wrap: bool) -> [Range<u32>; 2] {
    let (low, end) = (i64::from(first) - i64::from(reach), last + reach + 1);
    let inside = low.max(0) as u32..end.min(count);
    if !wrap {
        return [inside, 0..0];
    }
    if i64::from(end) - low >= i64::from(count) {
        [0..count, 0..0]
    } else if low < 0 {
        [inside, (low + i64::from(count)) as u32..count]
    } else if end > count {
        [0..end - count, inside]
    } else {
        [inside, 0..0]
    }
}

#[cfg(test)]
mod cells_tests {
    use super::*;
    use crate::map::tests::drawn;

    #[test]
    fn ranges_wrap_without_duplicate_cells() {
        assert_eq!(ranges(0, 0, 1, 9, false), [0..2, 0..0]);
        assert_eq!(ranges(8, 8, 1, 9, false), [7..9, 0..0]);
        assert_eq!(ranges(0, 0, 1, 9, true), [0..2, 8..9]);
        assert_eq!(ranges(7, 8, 1, 9, true), [0..1, 6..9]);
        assert_eq!(ranges(4, 5, 1, 9, true), [3..7, 0..0]);
        for count in 1..=3 {
            assert_eq!(ranges(0, 0, 1, count, true), [0..count, 0..0]);
        }
    }

    #[test]
    fn cells_are_higher_than_the_radius_and_at_least_a_tile() {
        let map = drawn(&[".........."; 10], Edges::Wrap);
        let cells = [0.05, 1.0, 2.5, 4.0, 40.0].map(|radius| Cells::new(&map, radius));
        assert_eq!(cells.map(|cells| cells.rows), [10, 9, 3, 2, 1]);
        assert_eq!(cells.map(|cells| cells.columns), [30, 29, 11, 7, 1]);
    }
}

/// Average number of members in an area of one row by three columns. It affects the order in which
/// members are visited, so another number changes state hashes.
const MEMBERS_PER_CELL: f32 = 2.0;

/// Relative margin for rounding errors in the cell of a position.
const ROUNDING: f32 = 1e-3;

/// An index of a group for searches. The cell size depends on the number of members.
#[derive(Debug)]
pub struct GroupSearch {
    pub(super) agents: Arc<AgentIndex>,
    index: Index,
    /// Highest speed of all members, in tiles/s.
    pub(super) max_speed: f32,
    /// Largest radius of all members, in tiles.
    pub(super) max_radius: f32,
}

impl GroupSearch {
    pub fn new(scenario: &Scenario, agents: AgentIndex) -> Self {
        let map = &scenario.map;
        let radii = (0..agents.len()).map(|rank| scenario.kind(agents.id(rank)).body.radius);
        let max_radius = radii.fold(0.0, f32::max);
        let area = map.width() as f32 * map.height() as f32;
        let room = (area * MEMBERS_PER_CELL / agents.len().max(1) as f32).sqrt();
        let index = Index::new(Cells::new(map, room));
        Self { agents: Arc::new(agents), index, max_speed: 0.0, max_radius }
    }

    /// Returns an index of the same agents without the data of the current frame.
    pub fn fresh(&self) -> Self {
        let (agents, index) = (Arc::clone(&self.agents), Index::new(self.index.cells));
        Self { agents, index, max_speed: 0.0, max_radius: self.max_radius }
    }

    /// Rebuilds the index from the current positions.
    pub fn sort(&mut self, state: &State) {
        let Self { agents, index, max_speed, .. } = self;
        index.sort(agents.len(), |rank| present_member(state, agents.id(rank)));
        let speeds = (0..agents.len()).map(|rank| state.velocity(agents.id(rank).index()));
        *max_speed = speeds.fold(0.0_f32, |most, v| most.max(v.length_squared())).sqrt();
    }

    /// Returns the member nearest to an agent at `at`, except the agent itself. If several are
    /// equally near, returns the first one in agent order. Returns `None` if there is no other
    /// member.
    ///
    /// Searches the rows outward from the agent's row, and each row outward from the agent's
    /// column, until all remaining cells are farther away.
    pub fn nearest(&self, id: AgentId, at: Vec2, map: &Map) -> Option<AgentId> {
        let mut best = Best { squared: f32::INFINITY, rank: u32::MAX };
        let cells = &self.index.cells;
        let (row, rows) = (cells.row(at.y), cells.rows);
        for away in 0..rows {
            if best.is_nearer_than(away, cells.size.y / rows as f32) {
                break;
            }
            let (above, below) = if cells.wrap {
                let below = (row + away) % rows;
                let above = (row + rows - away) % rows;
                (Some(above), Some(below).filter(|&below| below != above))
            } else {
                (row.checked_sub(away), Some(row + away).filter(|&below| below < rows && away > 0))
            };
            for row in [above, below].into_iter().flatten() {
                self.nearest_in_row(row, id, at, map, &mut best);
            }
            if cells.wrap && 2 * away >= rows {
                break;
            }
        }
        (best.rank != u32::MAX).then(|| self.agents.id(best.rank as usize))
    }

    fn nearest_in_row(&self, row: u32, id: AgentId, at: Vec2, map: &Map, best: &mut Best) {
        let Cells { columns, wrap, size, .. } = self.index.cells;
        let places = self.index.row(row);
        let count = places.len();
        let column = self.index.cells.column(at.x);
        let start = self.index.range(row, &(column..columns)).start - places.start;
        let width = size.x / columns as f32;
        let mut look = |place: usize, away: u32| {
            if best.is_nearer_than(away, width) {
                return false;
            }
            let other = &self.index.members()[place];
            let rank = self.index.rank(place);
            let squared = map.offset(at, Vec2::new(other.x, other.y)).length_squared();
            if (squared, rank) < (best.squared, best.rank) && self.agents.id(rank as usize) != id {
                *best = Best { squared, rank };
            }
            true
        };
        let steps = if wrap { count } else { count - start };
        for step in 0..steps {
            let place = places.start + (start + step) % count;
            let away = (self.index.column(place) + columns - column) % columns;
            if !look(place, away) {
                break;
            }
        }
        let steps = if wrap { count } else { start };
        for step in 1..=steps {
            let place = places.start + (start + count - step) % count;
            let away = (column + columns - self.index.column(place)) % columns;
            if !look(place, away) {
                break;
            }
        }
    }

    /// Calls `visit` for all members within a distance of a position, and for some members farther
    /// away. The distance and the position are in tiles.
    pub fn visit_within(&self, at: Vec2, distance: f32, visit: impl FnMut(AgentId)) {
        let Cells { columns, rows, size, .. } = self.index.cells;
        let cells = |length: f32, count: u32| {
            let cells = distance * (1.0 + ROUNDING) * count as f32 / length;
            cells.ceil().min(count as f32) as u32 + 1
        };
        self.visit_cells(at, (cells(size.x, columns), cells(size.y, rows)), visit);
    }

    /// Calls `visit` for all members within a distance of a position, both in tiles. Also visits
    /// some members beyond the distance, but fewer than [`GroupSearch::visit_within`].
    pub fn visit_near(&self, at: Vec2, distance: f32, visit: impl FnMut(AgentId)) {
        self.visit_cells(at, self.index.cells.within(distance), visit);
    }

    /// Calls `visit` for all members in the cells around a position. `reach` is the number of
    /// columns and rows to visit on each side of the position's cell.
    fn visit_cells(&self, at: Vec2, reach: (u32, u32), mut visit: impl FnMut(AgentId)) {
        let column = self.index.cells.column(at.x);
        let row = self.index.cells.row(at.y);
        self.index.visit_around(row, (column, column), reach, |places, _| {
            places.for_each(|place| visit(self.agents.id(self.index.rank(place) as usize)));
        });
    }
}

/// Creates the search indexes that the steering of a scenario needs. They are used for collision
/// courses, for the nearest agents, and for the nearest member of a large group.
pub fn searches(scenario: &Scenario) -> Vec<GroupSearch> {
    let mut searches: Vec<GroupSearch> = Vec::new();
    let many = |target: Target| {
        let Target::Group(group) = target else { return None };
        (scenario.members(group).len() > SMALL_GROUP).then_some(Some(group))
    };
    for row in scenario.kinds.iter().flat_map(|kind| &kind.modes).flat_map(rows) {
        let passing = if let Behaviour::AvoidAgents(AvoidAgents { of, .. })
        | Behaviour::AvoidCrowd(AvoidCrowd { of, .. }) = row.behaviour
        {
            Some(of)
        } else {
            None
        };
        let targets = [row.target, row.other].into_iter().flatten().filter_map(many);
        for of in targets.chain(passing) {
            if !searches.iter().any(|search| search.agents.group == of) {
                searches.push(GroupSearch::new(scenario, AgentIndex::new(scenario, of)));
            }
        }
    }
    searches
}

#[derive(Debug, Clone, Copy)]
struct Best {
    squared: f32,
    rank: u32,
}

impl Best {
    /// Returns true if the best member so far is nearer than any member at least `away` cells away.
    /// `width` is the size of a cell in tiles.
    fn is_nearer_than(self, away: u32, width: f32) -> bool {
        let least = away.saturating_sub(1) as f32 * width * (1.0 - ROUNDING);
        least * least > self.squared
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Member {
    /// X coordinate of the position, in tiles.
    pub x: f32,
    /// Y coordinate of the position, in tiles.
    pub y: f32,
    /// X component of the heading, a unit vector.
    pub hx: f32,
    /// Y component of the heading, a unit vector.
    pub hy: f32,
}

/// The region around an agent that contains the agent's neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// Radius in tiles, exclusive: neighbours are nearer than the radius.
    pub radius: f32,
    /// Smallest cosine of the angle between the heading and the direction to a neighbour. `None` if
    /// neighbours can be in any direction.
    pub cone: Option<f32>,
    /// Size of the map in tiles if the map wraps; otherwise zero.
    pub around: Vec2,
}

impl Region {
    pub fn offset(&self, agent: &Member, other: &Member) -> Vec2 {
        let (dx, dy) = (other.x - agent.x, other.y - agent.y);
        if self.around == Vec2::ZERO {
            return Vec2::new(dx, dy);
        }
        Vec2::new(short_way(dx, self.around.x), short_way(dy, self.around.y))
    }

    /// Returns true if an agent at an offset in tiles is a neighbour. An agent at the same position
    /// is always a neighbour.
    pub fn holds(&self, agent: &Member, offset: Vec2) -> bool {
        let squared = offset.x * offset.x + offset.y * offset.y;
        let ahead = offset.x * agent.hx + offset.y * agent.hy;
        let seen = |cone| squared == 0.0 || ahead >= cone * squared.sqrt();
        squared < self.radius * self.radius && self.cone.is_none_or(seen)
    }
}

/// The agents of a batch, one per lane, and the sums over their neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Block<L> {
    x: L,
    y: L,
    hx: L,
    hy: L,
    count: L,
    same_place: L,
    apart: [L; 2],
    headings: [L; 2],
    offsets: [L; 2],
}

impl<L: Lanes> Block<L> {
    /// Creates a batch of agents with empty sums.
    ///
    /// The components are loaded one by one from the original agents. Loads from fresh copies of
    /// whole agents would have to wait for the writes of these copies.
    #[inline(always)]
    pub fn new<'a>(simd: L::Simd, agent: impl Fn(usize) -> &'a Member) -> Self {
        let zero = L::splat(simd, 0.0);
        Self {
            x: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).x,
            ),
            y: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).y,
            ),
            hx: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).hx,
            ),
            hy: L::from_fn(
                simd,
                #[inline(always)]
                |lane| agent(lane).hy,
            ),
            count: zero,
            same_place: zero,
            apart: [zero; 2],
            headings: [zero; 2],
            offsets: [zero; 2],
        }
    }

    /// Adds the neighbours among the candidates to the sums, in order. `wrapping` is true if the
    /// shortest vector to a candidate can cross the map edge.
    #[inline(always)]
    pub fn add(&mut self, region: &Region, candidates: &[Member], wrapping: bool) {
        match (wrapping, region.cone.is_some()) {
            (false, false) => self.add_all::<false, false>(region, candidates),
            (false, true) => self.add_all::<false, true>(region, candidates),
            (true, false) => self.add_all::<true, false>(region, candidates),
            (true, true) => self.add_all::<true, true>(region, candidates),
        }
    }

    #[inline(always)]
    fn add_all<const WRAP: bool, const CONE: bool>(
        &mut self,
        region: &Region,
        candidates: &[Member],
    ) {
        let simd = self.x.simd();
        let reach = L::splat(simd, region.radius * region.radius);
        let (one, zero) = (L::splat(simd, 1.0), L::splat(simd, 0.0));
        let cone = L::splat(simd, region.cone.unwrap_or(-1.0));
        // A local copy stays in registers during the loop.
        let mut sums = *self;
        for other in candidates {
            let mut dx = L::splat(simd, other.x) - sums.x;
            let mut dy = L::splat(simd, other.y) - sums.y;
            if WRAP {
                dx = short_way(dx, region.around.x);
                dy = short_way(dy, region.around.y);
            }
            let squared = dx * dx + dy * dy;
            let mut near = squared.lt(reach) & squared.gt(zero);
            if CONE {
                let ahead = dx * sums.hx + dy * sums.hy;
                near = near & ahead.ge(cone * squared.sqrt());
            }
            let push = (one / squared).only(near);
            // No sum is ever −0: all begin at +0, and only (−0) + (−0) is −0.
            sums.count = sums.count.plus(one, near);
            sums.same_place = sums.same_place.plus(one, squared.le(zero));
            sums.apart = [sums.apart[0] - dx * push, sums.apart[1] - dy * push];
            let heading = [L::splat(simd, other.hx), L::splat(simd, other.hy)];
            for axis in 0..2 {
                sums.headings[axis] = sums.headings[axis].plus(heading[axis], near);
                sums.offsets[axis] = sums.offsets[axis].plus([dx, dy][axis], near);
            }
        }
        *self = sums;
    }

    /// Returns a mask of the lanes whose agent shares its position with another candidate.
    #[inline(always)]
    pub fn shared_places(&self) -> u32 {
        self.same_place.gt(self.same_place.like(1.0)).bits()
    }
}

impl<S: Simd> Block<Eight<S>> {
    /// Returns the sums of each agent as a row of [`Crowd`]. The sums exclude candidates at exactly the
    /// agent's position.
    #[inline(always)]
    pub fn rows(&self) -> [[f32; LANES]; LANES] {
        let Self { count, apart, headings, offsets, .. } = *self;
        let zero = count.like(0.0);
        let [[ax, ay], [hx, hy], [ox, oy]] = [apart, headings, offsets];
        transpose([count, ax, ay, hx, hy, ox, oy, zero]).map(
            #[inline(always)]
            |row| *row,
        )
    }
}

impl Block<f32> {
    /// Returns the sums of the agent, and the number of candidates at its position, including the agent
    /// itself. The sums exclude these candidates.
    pub fn crowd(&self) -> (Crowd, f32) {
        let crowd = Crowd {
            count: self.count,
            apart: self.apart.into(),
            headings: self.headings.into(),
            offsets: self.offsets.into(),
        };
        (crowd, self.same_place)
    }
}
