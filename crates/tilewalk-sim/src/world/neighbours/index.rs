//! An index of the members of a group, sorted by cell and rank, so that nearby members are stored
//! together.

use core::ops::Range;

use crate::id::AgentId;
use crate::world::neighbours::cells::Cells;
use crate::world::state::State;

/// The position and the heading of a member.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Entry {
    /// X coordinate of the position, in tiles.
    pub x: f32,
    /// Y coordinate of the position, in tiles.
    pub y: f32,
    /// X component of the heading, a unit vector.
    pub hx: f32,
    /// Y component of the heading, a unit vector.
    pub hy: f32,
}

impl Entry {
    pub fn of(state: &State, id: AgentId) -> Self {
        let index = id.index();
        let (x, y) = (state.x[index], state.y[index]);
        Self { x, y, hx: state.hx[index], hy: state.hy[index] }
    }

    /// Returns the entry of an agent. Returns `None` if the agent is absent.
    pub fn of_present(state: &State, id: AgentId) -> Option<Self> {
        state.is_present(id).then(|| Self::of(state, id))
    }
}

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
    entries: Vec<Entry>,
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
    /// The members by rank. The entries of absent members are arbitrary.
    entries: Vec<Entry>,
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
            entries: Vec::new(),
            ranks: Vec::new(),
            places: Vec::new(),
            rows: Vec::new(),
            cell_starts: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Rebuilds the index for the ranks below `count`. `entry` returns the entry of a given
    /// rank, or `None` for an absent agent.
    pub fn sort(&mut self, count: usize, entry: impl Fn(usize) -> Option<Entry>) {
        let cells = self.cells.columns as usize * self.cells.rows as usize;
        self.entries.clear();
        self.ranks.clear();
        self.places.clear();
        self.rows.clear();
        self.cell_starts.clear();
        if cells > MAX_CELLS_PER_MEMBER * count {
            self.sort_without_table(count, entry);
        } else {
            self.sort_with_table(count, cells, entry);
        }
    }

    /// Sorts the members with one counting sort by cell. This also computes the start of each cell.
    fn sort_with_table(
        &mut self,
        count: usize,
        cells: usize,
        entry: impl Fn(usize) -> Option<Entry>,
    ) {
        let Self { cell_starts, entries, ranks, places, scratch, .. } = self;
        let Cells { columns, rows, .. } = self.cells;
        // Each cell is counted two entries later, so that the entry after a cell is first the cell's
        // start, and then, when all its members are placed, the start of the next cell.
        cell_starts.resize(cells + 2, 0);
        scratch.entries.resize(count, Entry::default());
        places.extend(scratch.entries.iter_mut().zip(0..).map(|(kept, rank)| {
            let Some(entry) = entry(rank) else { return ABSENT };
            *kept = entry;
            let Entry { x, y, .. } = entry;
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
        entries.extend(ranks.iter().map(|&rank| scratch.entries[rank as usize]));
        self.rows.extend((0..=rows).map(|row| cell_starts[(row * columns) as usize]));
    }

    /// Sorts the members with two stable counting sorts, by column and by row. They need no table of
    /// all cells, so a few agents on a huge map cost little.
    fn sort_without_table(&mut self, count: usize, entry: impl Fn(usize) -> Option<Entry>) {
        let Scratch { keys, sorted, columns, .. } = &mut self.scratch;
        keys.clear();
        columns.clear();
        columns.resize(self.cells.columns as usize + 1, 0);
        self.rows.resize(self.cells.rows as usize + 1, 0);
        keys.extend((0..count).filter_map(|rank| {
            let Entry { x, y, .. } = entry(rank)?;
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
        self.entries.extend(self.ranks.iter().filter_map(|&rank| entry(rank as usize)));
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
        let before = |entry: &Entry| self.cells.column(entry.x) < column;
        range.start + self.entries[range].partition_point(before)
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
        self.cells.column(self.entries[place].x)
    }

    pub fn rank(&self, place: usize) -> u32 {
        self.ranks[place]
    }

    /// Returns the place of each rank. The place of an absent agent is larger than all others.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
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
