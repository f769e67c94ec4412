//! An index of the members of a group, sorted by cell and rank, so that nearby members are stored
//! together.

use core::ops::Range;

use crate::geom::lanes::LANES;
use crate::steering::crowd::Crowd;

use super::cells::{Cells, REACH};
use super::kernel::{Block, Member, Region};

/// Entry of [`Index::places`] for an absent agent.
pub const ABSENT: u32 = u32::MAX;

/// Maximum number of cells per member for which a table of all cells is built.
const MAX_CELLS_PER_MEMBER: usize = 8;

/// The members of a group in the order (row, column, rank). The rank of a member is its index in
/// the group. The place of a member is its index in this order.
///
/// Searches visit members in this order, so sums over neighbours do not depend on the search.
#[derive(Debug)]
pub struct Index {
    pub cells: Cells,
    keys: Vec<Key>,
    spare: Vec<Key>,
    /// Index of the first member of each row. The last entry is the number of members.
    rows: Vec<u32>,
    /// Index of the first member of each cell. The last entry is the number of members. Empty if
    /// there are too many cells.
    cell_starts: Vec<u32>,
    /// Scratch space for counting the members of each column.
    counts: Vec<u32>,
    members: Vec<Member>,
    places: Vec<u32>,
    /// The members, indexed by rank; `None` for absent agents. Reading a member takes one memory
    /// access.
    by_rank: Vec<Option<Member>>,
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
            keys: Vec::new(),
            spare: Vec::new(),
            rows: Vec::new(),
            cell_starts: Vec::new(),
            counts: Vec::new(),
            members: Vec::new(),
            places: Vec::new(),
            by_rank: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Rebuilds the index for the ranks below `count`. `member` returns the member with a given
    /// rank, or `None` for an absent agent.
    ///
    /// Two stable counting sorts, by column and by row, need no table of all cells. A few agents on
    /// a huge map therefore cost little.
    pub fn sort(&mut self, count: usize, member: impl Fn(usize) -> Option<Member>) {
        let Self { cells, keys, spare, rows, counts, by_rank, .. } = self;
        spare.clear();
        counts.clear();
        counts.resize(cells.columns as usize + 1, 0);
        rows.clear();
        rows.resize(cells.rows as usize + 1, 0);
        by_rank.clear();
        by_rank.extend((0..count).map(member));
        spare.extend(by_rank.iter().zip(0..).filter_map(|(member, rank)| {
            let Member { x, y, .. } = (*member)?;
            let (column, row) = (cells.column(x), cells.row(y));
            counts[column as usize + 1] += 1;
            rows[row as usize + 1] += 1;
            Some(Key { column: column as u16, row: row as u16, rank })
        }));
        accumulate(counts);
        accumulate(rows);
        keys.resize(spare.len(), Key::default());
        for &key in spare.iter() {
            place(keys, &mut counts[usize::from(key.column)], key);
        }
        for &key in keys.iter() {
            place(spare, &mut rows[usize::from(key.row)], key);
        }
        // Sorting advanced the start of each row to the start of the next row.
        rows.rotate_right(1);
        rows[0] = 0;
        self.members.clear();
        self.members.extend(self.spare.iter().filter_map(|key| self.by_rank[key.rank as usize]));
        self.places.clear();
        self.places.resize(count, ABSENT);
        for (key, place) in self.spare.iter().zip(0..) {
            self.places[key.rank as usize] = place;
        }
        self.build_cell_starts();
    }

    /// Builds the table of cell starts, unless there are too many cells.
    fn build_cell_starts(&mut self) {
        self.cell_starts.clear();
        let count = self.cells.columns as usize * self.cells.rows as usize;
        if count > MAX_CELLS_PER_MEMBER * self.len() {
            return;
        }
        self.cell_starts.resize(count + 1, self.len() as u32);
        let mut next = 0;
        for (place, key) in self.spare.iter().enumerate() {
            let cell = usize::from(key.row) * self.cells.columns as usize + usize::from(key.column);
            while next <= cell {
                self.cell_starts[next] = place as u32;
                next += 1;
            }
        }
    }

    #[inline]
    fn first(&self, row: u32, column: u32) -> usize {
        if !self.cell_starts.is_empty() {
            return self.cell_starts[row as usize * self.cells.columns as usize + column as usize]
                as usize;
        }
        let range = self.row(row);
        let before = |key: &Key| u32::from(key.column) < column;
        range.start + self.spare[range].partition_point(before)
    }

    #[inline]
    pub fn row(&self, row: u32) -> Range<usize> {
        self.rows[row as usize] as usize..self.rows[row as usize + 1] as usize
    }

    #[inline]
    pub fn range(&self, row: u32, columns: &Range<u32>) -> Range<usize> {
        self.first(row, columns.start)..self.first(row, columns.end)
    }

    pub fn column(&self, place: usize) -> u32 {
        u32::from(self.spare[place].column)
    }

    pub fn rank(&self, place: usize) -> u32 {
        self.spare[place].rank
    }

    /// Returns the place of each rank. The place of an absent agent is [`ABSENT`].
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Calls `visit` with ordered ranges of places. The ranges contain all members within `reach`
    /// columns and rows of a range of columns in one row. The second argument of `visit` is true if
    /// the shortest vector to these members can cross the map edge.
    #[inline]
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
    #[inline]
    pub fn add_around(&self, block: &mut Block, region: &Region, row: u32, columns: (u32, u32)) {
        self.visit_around(row, columns, REACH, |places, wrapping| {
            block.add(region, &self.members[places], wrapping);
        });
    }

    /// Returns the neighbour sums of one agent, and the number of members at exactly the agent's
    /// position. The sums exclude these members.
    pub fn crowd(&self, region: &Region, agent: Member) -> (Crowd, f32) {
        let column = self.cells.column(agent.x);
        let row = self.cells.row(agent.y);
        let mut block = Block::new([&agent; LANES]);
        self.add_around(&mut block, region, row, (column, column));
        (block.crowds()[0], block.in_same_place()[0])
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
