//! The members of a group, sorted by cell and rank, so that nearby members are stored together.
//!
//! Two counting sorts replace a table of all cells, so that a few agents on a huge map cost little.

use core::ops::Range;

use crate::geom::lanes::LANES;
use crate::steering::crowd::Crowd;

use super::cells::{Cells, REACH, stretches};
use super::kernel::{Block, Member, Region};

/// How many cells a member may have for a table of them to be worth it.
const CELLS_EACH: usize = 8;

/// Members in the order (row, column, rank); a rank is a member's place in the list it was made from.
///
/// Whoever is looked for is found in this order, so that sums over neighbours don't depend on how
/// they were found.
#[derive(Debug)]
pub struct Index {
    pub cells: Cells,
    /// Column and row, then rank, of each member.
    keys: Vec<Key>,
    spare: Vec<Key>,
    /// The first member of each row, then how many there are.
    rows: Vec<u32>,
    /// The first member of each cell, then how many there are; empty when cells are many.
    firsts: Vec<u32>,
    /// Room to count by column.
    counts: Vec<u32>,
    members: Vec<Member>,
    /// The place of each rank.
    places: Vec<u32>,
    /// The members by rank: fetched one by one from here they cost one look at memory each.
    by_rank: Vec<Member>,
}

/// Where a member is.
#[derive(Debug, Clone, Copy, Default)]
struct Key {
    column: u16,
    row: u16,
    rank: u32,
}

impl Index {
    /// An index without members.
    pub fn new(cells: Cells) -> Self {
        Self {
            cells,
            keys: Vec::new(),
            spare: Vec::new(),
            rows: Vec::new(),
            firsts: Vec::new(),
            counts: Vec::new(),
            members: Vec::new(),
            places: Vec::new(),
            by_rank: Vec::new(),
        }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Sorts `count` members anew; `member` tells where the one of a rank is.
    ///
    /// Two stable counting sorts, by column and by row: they need no table of all cells, so few
    /// members on a huge map are little work.
    pub fn sort(&mut self, count: usize, member: impl Fn(usize) -> Member) {
        let Self { cells, keys, spare, rows, counts, by_rank, .. } = self;
        spare.clear();
        counts.clear();
        counts.resize(cells.columns as usize + 1, 0);
        rows.clear();
        rows.resize(cells.rows as usize + 1, 0);
        by_rank.clear();
        by_rank.extend((0..count).map(member));
        spare.extend(by_rank.iter().zip(0..).map(|(&Member { x, y, .. }, rank)| {
            let (column, row) = (cells.column(x), cells.row(y));
            counts[column as usize + 1] += 1;
            rows[row as usize + 1] += 1;
            Key { column: column as u16, row: row as u16, rank }
        }));
        add_up(counts);
        add_up(rows);
        keys.resize(count, Key::default());
        for &key in spare.iter() {
            place(keys, &mut counts[usize::from(key.column)], key);
        }
        for &key in keys.iter() {
            place(spare, &mut rows[usize::from(key.row)], key);
        }
        // Placing moved each start to the next one's.
        rows.rotate_right(1);
        rows[0] = 0;
        self.members.clear();
        self.members.extend(self.spare.iter().map(|key| self.by_rank[key.rank as usize]));
        self.places.resize(count, 0);
        for (key, place) in self.spare.iter().zip(0..) {
            self.places[key.rank as usize] = place;
        }
        self.note_firsts();
    }

    /// Notes where each cell begins, if there are not too many.
    fn note_firsts(&mut self) {
        self.firsts.clear();
        let count = self.cells.columns as usize * self.cells.rows as usize;
        if count > CELLS_EACH * self.len() {
            return;
        }
        self.firsts.resize(count + 1, self.len() as u32);
        let mut next = 0;
        for (place, key) in self.spare.iter().enumerate() {
            let cell = usize::from(key.row) * self.cells.columns as usize + usize::from(key.column);
            while next <= cell {
                self.firsts[next] = place as u32;
                next += 1;
            }
        }
    }

    /// The first place in a row, from a column on.
    #[inline]
    fn first(&self, row: u32, column: u32) -> usize {
        if !self.firsts.is_empty() {
            return self.firsts[row as usize * self.cells.columns as usize + column as usize]
                as usize;
        }
        let range = self.row(row);
        let before = |key: &Key| u32::from(key.column) < column;
        range.start + self.spare[range].partition_point(before)
    }

    /// The places of a row.
    #[inline]
    pub fn row(&self, row: u32) -> Range<usize> {
        self.rows[row as usize] as usize..self.rows[row as usize + 1] as usize
    }

    /// The places of some columns of a row.
    #[inline]
    pub fn stretch(&self, row: u32, columns: &Range<u32>) -> Range<usize> {
        self.first(row, columns.start)..self.first(row, columns.end)
    }

    /// The column of the member in a place.
    pub fn column(&self, place: usize) -> u32 {
        u32::from(self.spare[place].column)
    }

    /// The rank of the member in a place.
    pub fn rank(&self, place: usize) -> u32 {
        self.spare[place].rank
    }

    /// The place of each rank.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// The members, place by place.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Shows the places of all within `reach` columns and rows of some columns of a row, stretch by
    /// stretch in their order, and whether the short way to them may lead over the edge.
    #[inline]
    pub fn visit_around(
        &self,
        row: u32,
        columns: (u32, u32),
        reach: (u32, u32),
        mut visit: impl FnMut(Range<usize>, bool),
    ) {
        let Cells { wrap, columns: width, rows: height, .. } = self.cells;
        let across = stretches(columns.0, columns.1, reach.0, width, wrap);
        let down = stretches(row, row, reach.1, height, wrap);
        let inside = columns.0 >= reach.0
            && columns.1 + reach.0 < width
            && row >= reach.1
            && row + reach.1 < height;
        for row in down.into_iter().flatten() {
            for columns in across.iter().filter(|columns| !columns.is_empty()) {
                let places = self.stretch(row, columns);
                if !places.is_empty() {
                    visit(places, wrap && !inside);
                }
            }
        }
    }

    /// Adds up the neighbours of agents side by side in one row; `columns` are those of the leftmost
    /// and the rightmost.
    #[inline]
    pub fn add_around(&self, block: &mut Block, region: &Region, row: u32, columns: (u32, u32)) {
        self.visit_around(row, columns, REACH, |places, wrapping| {
            block.add(region, &self.members[places], wrapping);
        });
    }

    /// What the neighbours of one agent come to, without those in its very place, and how many
    /// candidates stand there.
    pub fn crowd(&self, region: &Region, agent: Member) -> (Crowd, f32) {
        let column = self.cells.column(agent.x);
        let row = self.cells.row(agent.y);
        let mut block = Block::new([&agent; LANES]);
        self.add_around(&mut block, region, row, (column, column));
        (block.crowds()[0], block.in_same_place()[0])
    }
}

/// Turns counts, each noted one place later, into where each begins.
fn add_up(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// Puts a key where the next of its kind belongs.
fn place(keys: &mut [Key], next: &mut u32, key: Key) {
    keys[*next as usize] = key;
    *next += 1;
}
