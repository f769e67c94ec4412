//! The steps that routes can take, stored so that searches read little memory.
//!
//! Searches number the tiles by squares of 32 × 32 tiles instead of rows of the map. Tiles that are
//! near each other on the map are then near each other in memory, too. A square of `u32` numbers is
//! one memory page.
//!
//! A [`StepTable`] holds the open steps of each tile. It is computed square by square when a search
//! first enters a square, so a short search on a large map stays cheap. All searches on a map share
//! its tables.

use core::fmt;
use std::sync::OnceLock;

use crate::geom::{Direction, TilePos};

use super::derived::Derived;
use super::{Corners, Map};

/// Side length of a square, in tiles.
const SIDE: usize = 32;

const SIDE_BITS: u32 = SIDE.ilog2();

/// Number of tiles in a square.
pub(super) const SQUARE: usize = SIDE * SIDE;

pub(super) const SQUARE_BITS: u32 = SQUARE.ilog2();

/// Numbers the tiles of a map by squares.
///
/// The bits of a number are, from the lowest: column in the square, row in the square, column of the
/// square, row of the square. The number of squares in a row is rounded up to a power of two, so
/// that steps need no division. Some numbers thus belong to no tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbering {
    /// The bits of a number that hold the column.
    columns: u32,
    /// The bits of a number that hold the row.
    rows: u32,
    /// The column bits of the last column.
    last_column: u32,
    /// The row bits of the last row.
    last_row: u32,
    /// Number of bits for the column of a square.
    square_bits: u32,
    /// The last tile of the map.
    last: TilePos,
}

impl Numbering {
    pub fn new(map: &Map) -> Self {
        let square_bits = map.width().div_ceil(SIDE as u32).next_power_of_two().ilog2();
        let low = SIDE as u32 - 1;
        let columns = low | ((1 << square_bits) - 1) << SQUARE_BITS;
        let rows = !columns;
        let last = map.tiles().bounds().max;
        let mut numbering = Self { columns, rows, last_column: 0, last_row: 0, square_bits, last };
        let last = numbering.number(last);
        numbering.last_column = last & columns;
        numbering.last_row = last & !columns;
        numbering
    }

    /// Returns the length of a table with an entry for each number.
    pub fn len(&self) -> usize {
        let square_rows = (self.last_row >> (SQUARE_BITS + self.square_bits)) + 1;
        (square_rows as usize) << (SQUARE_BITS + self.square_bits)
    }

    /// Returns the number of a tile; `None` for tiles outside the map.
    #[inline]
    pub fn checked_number(&self, tile: TilePos) -> Option<u32> {
        let on_map = (0..=self.last.x).contains(&tile.x) && (0..=self.last.y).contains(&tile.y);
        on_map.then(|| self.number(tile))
    }

    /// Returns the number of a tile. The tile must be on the map.
    #[inline]
    pub fn number(&self, tile: TilePos) -> u32 {
        let (x, y) = (tile.x as u32, tile.y as u32);
        let low = SIDE as u32 - 1;
        let squares = (y >> SIDE_BITS) << self.square_bits | x >> SIDE_BITS;
        squares << SQUARE_BITS | (y & low) << SIDE_BITS | x & low
    }

    /// Returns the tile with a number.
    #[inline]
    pub fn tile(&self, number: u32) -> TilePos {
        let low = SIDE as u32 - 1;
        let square = number >> SQUARE_BITS;
        let square_x = square & ((1 << self.square_bits) - 1);
        let x = square_x << SIDE_BITS | number & low;
        let y = square >> self.square_bits << SIDE_BITS | number >> SIDE_BITS & low;
        TilePos::new(x as i32, y as i32)
    }

    /// Returns the numbers of the eight neighbours of a tile, clockwise from east. Neighbours beyond
    /// the edge are those on a torus.
    #[inline]
    pub fn neighbours(&self, number: u32) -> [u32; 8] {
        let (columns, rows) = (self.columns, self.rows);
        let (x, y) = (number & columns, number & rows);
        // A carry passes over the bits of the other coordinate if all of them are set, and a borrow
        // if all of them are clear.
        let next = |at: u32, mask: u32, last: u32| {
            if at == last { 0 } else { (at | !mask).wrapping_add(1) & mask }
        };
        let previous = |at: u32, mask: u32, last: u32| {
            if at == 0 { last } else { at.wrapping_sub(1) & mask }
        };
        let (east, west) =
            (next(x, columns, self.last_column), previous(x, columns, self.last_column));
        let (south, north) = (next(y, rows, self.last_row), previous(y, rows, self.last_row));
        [
            east | y,
            east | south,
            x | south,
            west | south,
            west | y,
            west | north,
            x | north,
            east | north,
        ]
    }
}

/// The open steps of a tile and the kind of the tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct StepCell(u16);

impl StepCell {
    /// Returns the open steps as one bit per direction. Bit 0 is east, and the other bits follow
    /// clockwise.
    #[inline]
    pub fn directions(self) -> u8 {
        self.0 as u8
    }

    /// Returns the entry with the step in a direction closed.
    pub fn without(self, direction: Direction) -> Self {
        Self(self.0 & !(1 << direction as u8))
    }

    /// Returns the index of the tile's kind in the legend of the map.
    #[inline]
    pub fn kind(self) -> u8 {
        (self.0 >> 8) as u8
    }
}

pub(super) type Square = [StepCell; SQUARE];

/// Which neighbours a route over a tile need not be extended to.
///
/// Let a route come to tile B from tile A, in straight or diagonal direction. The three neighbours of
/// B behind it, among them A, are nearer to A. From A to the two neighbours beside B there is also a
/// way past B: a diagonal step if B is straight ahead of A, and else two straight steps. A search
/// can skip these two if the way past B is open and costs less than the way over B. Skipping never
/// changes a result. It applies to routes in both directions, from A or to A.
#[derive(Debug, Clone, Default)]
pub(super) struct Shortcuts {
    /// For each kind of tile B, whether the way past it is always cheaper, if B is in straight and
    /// in diagonal direction of A.
    past: Vec<[bool; 2]>,
}

impl Shortcuts {
    /// Takes the costs of a straight and of a diagonal step that enters a tile, for each kind.
    /// `past` is reused memory.
    pub fn new(costs: impl Iterator<Item = [u64; 2]> + Clone, Self { mut past }: Self) -> Self {
        let savings = costs.clone().map(|[straight, diagonal]| diagonal - straight);
        let (least, most) = (savings.clone().min().unwrap_or(0), savings.max().unwrap_or(0));
        let most_expensive = costs.clone().map(|[straight, _]| straight).max().unwrap_or(0);
        past.clear();
        past.extend(
            costs.map(|[straight, diagonal]| [most < straight, most_expensive < diagonal + least]),
        );
        Self { past }
    }

    /// Returns the directions to which the route over a tile is extended, as bits. The last step of
    /// the route had the index `last` among the directions. `from` is the tile.
    #[inline]
    pub fn ahead(&self, from: StepCell, last: u8) -> u8 {
        let last = last % 8;
        // Bit 0 is straight on, and bit 4 is the way back.
        let open = from.directions().rotate_right(last.into());
        let mut ahead = open & 0b1100_0111;
        if self.past[usize::from(from.kind())][usize::from(last % 2)] {
            // Bits 2 and 6 are beside the tile. The way past it leads over tile 3 or 5.
            ahead &= !((open & 0b1000) >> 1 | (open & 0b10_0000) << 1);
        }
        ahead.rotate_left(last.into())
    }
}

/// The open steps of the tiles of a map.
pub(super) struct StepTable {
    pub numbering: Numbering,
    /// Whether the table holds the steps that enter a tile, in place of the steps that leave it.
    enters: bool,
    squares: Box<[OnceLock<Box<Square>>]>,
}

impl fmt::Debug for StepTable {
    /// Omits the squares: they follow from the map, and there are thousands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepTable").field("enters", &self.enters).finish_non_exhaustive()
    }
}

impl StepTable {
    fn new(map: &Map, enters: bool) -> Self {
        let numbering = Numbering::new(map);
        let squares = (0..numbering.len() / SQUARE).map(|_| OnceLock::new()).collect();
        Self { numbering, enters, squares }
    }

    /// Returns the entry of a tile. `map` is the map of the table.
    #[inline]
    pub fn cell(&self, map: &Map, number: u32) -> StepCell {
        self.square(map, number >> SQUARE_BITS)[number as usize % SQUARE]
    }

    /// Returns the entries of a square: the square of the tiles with the numbers from `index` ×
    /// [`SQUARE`] on.
    #[inline]
    pub fn square(&self, map: &Map, index: u32) -> &Square {
        self.squares[index as usize].get_or_init(|| self.computed(map, index))
    }

    #[cold]
    fn computed(&self, map: &Map, index: u32) -> Box<Square> {
        let first = self.numbering.tile(index << SQUARE_BITS);
        let mut square = Box::new([StepCell::default(); SQUARE]);
        // The open tiles of three rows. Bit 0 of a row is the tile left of the square.
        let row = |y: i32| open_tiles(map, TilePos::new(first.x - 1, y));
        let mut rows = [0, row(first.y - 1), row(first.y)];
        for (y, cells) in (first.y..map.height() as i32).zip(square.chunks_exact_mut(SIDE)) {
            rows = [rows[1], rows[2], row(y + 1)];
            let steps = open_steps(rows, map.corners() == Corners::Cut);
            for (x, cell) in (first.x..map.width() as i32).zip(cells) {
                let tile = TilePos::new(x, y);
                let kind = map.tiles().get(tile).copied().unwrap_or_default();
                let bits = steps.iter().zip(0..);
                let open = bits
                    .fold(0, |open, (steps, bit)| open | (steps >> (x - first.x) & 1) << bit)
                    as u8;
                let barred =
                    if self.enters { entering(map, tile) } else { map.barred_directions(tile) };
                *cell = StepCell(u16::from(open & !barred) | u16::from(kind) << 8);
            }
        }
        square
    }
}

/// Returns the open tiles of a row as bits. Bit 0 is `first`, and the next bits are the tiles east of
/// it: one more than a square on both sides.
fn open_tiles(map: &Map, first: TilePos) -> u64 {
    let tiles = (0..SIDE as i32 + 2).map(|x| first + TilePos::new(x, 0));
    tiles.zip(0..).fold(0, |bits, (tile, bit)| bits | u64::from(map.is_open(tile)) << bit)
}

/// Returns the tiles of a row from which a step leads to an open tile, as bits, for each direction.
/// `rows` are the open tiles of the row above, the row itself and the row below. Bit 0 of the result
/// is bit 1 of these rows.
fn open_steps([above, here, below]: [u64; 3], can_cut: bool) -> [u64; 8] {
    let (east, south, west, north) = (here >> 2, below >> 1, here, above >> 1);
    let straight = [east, south, west, north];
    let diagonal = [below >> 2, below, above, above >> 2];
    let mut open = [0; 8];
    for (side, (straight_open, diagonal_open)) in straight.into_iter().zip(diagonal).enumerate() {
        open[2 * side] = straight_open;
        // A diagonal is between the straight step with the same index and the next one.
        let beside = straight_open & straight[(side + 1) % 4];
        open[2 * side + 1] = if can_cut { diagonal_open } else { diagonal_open & beside };
    }
    open
}

/// Returns the neighbours of a tile from which walls bar the step to the tile, as one bit for the
/// direction to each neighbour.
fn entering(map: &Map, tile: TilePos) -> u8 {
    let barred =
        |direction: &Direction| map.is_barred(tile.neighbour(*direction), direction.turned(4));
    let barred = Direction::ALL.into_iter().filter(barred);
    barred.fold(0, |bits, direction| bits | 1 << direction as u8)
}

/// The step tables of a map.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct StepTables {
    leaving: Derived<StepTable>,
    entering: Derived<StepTable>,
}

impl StepTables {
    /// Returns the memory of the computed squares, in bytes.
    pub fn bytes(&self) -> usize {
        let tables = [&self.leaving, &self.entering].into_iter().filter_map(Derived::computed);
        let squares = tables.flat_map(|table| &table.squares);
        squares.filter(|square| square.get().is_some()).count() * size_of::<Square>()
    }
}

impl Map {
    /// Returns the steps that leave each tile. The tile itself may be closed.
    #[inline]
    pub(super) fn leaving_steps(&self) -> &StepTable {
        self.steps.leaving.get(|| StepTable::new(self, false))
    }

    /// Returns the steps that enter each open tile. The bits are the directions from the tile to the
    /// neighbours where the steps begin.
    pub(super) fn entering_steps(&self) -> &StepTable {
        if self.steps_are_symmetric() {
            self.leaving_steps()
        } else {
            self.steps.entering.get(|| StepTable::new(self, true))
        }
    }

    /// Returns true if each step between open tiles can also be taken back. Only walls and the
    /// clearance of bodies bar steps in one direction.
    #[inline]
    pub(super) fn steps_are_symmetric(&self) -> bool {
        self.walls.barred.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::tests::drawn;
    use super::*;

    /// Compares the numbers of a map with the positions of its tiles, also across the edges.
    #[test]
    fn neighbours_are_the_adjacent_tiles_of_a_torus() {
        for (width, height) in [(1, 1), (2, 3), (31, 32), (33, 70), (96, 65), (200, 5)] {
            let row = ".".repeat(width);
            let map = drawn(&vec![row.as_str(); height], Edges::Wrap);
            let numbering = Numbering::new(&map);
            for (tile, _) in map.tiles().iter() {
                let number = numbering.number(tile);
                assert!((number as usize) < numbering.len());
                assert_eq!(numbering.tile(number), tile);
                for (direction, neighbour) in
                    Direction::ALL.into_iter().zip(numbering.neighbours(number))
                {
                    let expected = map.resolve(tile.neighbour(direction)).unwrap();
                    assert_eq!(numbering.tile(neighbour), expected, "{tile} {direction:?}");
                }
            }
        }
    }

    #[test]
    fn open_steps_are_the_steps_that_the_map_allows() {
        let rows: Vec<String> = (0..70_usize)
            .map(|y| {
                let glyph =
                    |x: usize| if (x * x + 7 * y * y + 3 * x * y) % 11 < 3 { '#' } else { '.' };
                (0..50).map(glyph).collect()
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        for (edges, corners) in [Edges::Wall, Edges::Wrap]
            .into_iter()
            .flat_map(|edges| [Corners::Cut, Corners::Block].map(|corners| (edges, corners)))
        {
            let map = drawn(&rows, edges);
            let map = Map { corners, ..map };
            for (tile, &kind) in map.tiles().iter() {
                let table = map.leaving_steps();
                let cell = table.cell(&map, table.numbering.number(tile));
                assert_eq!(cell.kind(), kind);
                for direction in Direction::ALL {
                    let open = cell.directions() & 1 << direction as u8 != 0;
                    assert_eq!(
                        open,
                        map.step(tile, direction, true).is_ok(),
                        "{tile} {direction:?}"
                    );
                }
            }
        }
    }
}
