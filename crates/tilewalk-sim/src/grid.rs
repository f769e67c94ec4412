//! A two-dimensional array, stored row by row.

use crate::geom::{TilePos, TileRect};

/// A `width` × `height` array of values, indexed by tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid<T> {
    width: u32,
    height: u32,
    cells: Vec<T>,
}

impl<T> Grid<T> {
    /// Creates a grid from cells in reading order. Returns `None` if `width` is 0 or the last row
    /// is incomplete.
    pub fn from_cells(width: u32, cells: Vec<T>) -> Option<Self> {
        let height = cells.len().checked_div(width as usize)?;
        (height * width as usize == cells.len()).then(|| Self {
            width,
            height: height as u32,
            cells,
        })
    }

    /// Creates a grid of `width` × `height` cells that contain clones of `value`.
    pub fn filled(width: u32, height: u32, value: T) -> Self
    where
        T: Clone,
    {
        Self { width, height, cells: vec![value; width as usize * height as usize] }
    }

    /// Returns the number of columns, which is one more than the largest x of a tile on the grid.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows, which is one more than the largest y of a tile on the grid.
    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the rectangle of all tiles on the grid, from tile (0, 0) to the opposite corner.
    pub fn bounds(&self) -> TileRect {
        TileRect {
            min: TilePos::new(0, 0),
            max: TilePos::new(self.width as i32 - 1, self.height as i32 - 1),
        }
    }

    /// Returns true if the column and the row of a tile are within the grid.
    #[inline]
    pub fn contains(&self, tile: TilePos) -> bool {
        (tile.x as u32) < self.width && (tile.y as u32) < self.height
    }

    /// Returns the value at a tile; `None` outside the grid.
    #[inline]
    pub fn get(&self, tile: TilePos) -> Option<&T> {
        self.index(tile).map(|index| &self.cells[index])
    }

    /// Returns a mutable reference to the value at a tile; `None` outside the grid.
    pub fn get_mut(&mut self, tile: TilePos) -> Option<&mut T> {
        self.index(tile).map(|index| &mut self.cells[index])
    }

    /// Wraps a tile onto the grid, as if the grid were a torus. Panics if the grid has no cells.
    pub(crate) fn wrapped(&self, tile: TilePos) -> TilePos {
        TilePos::new(tile.x.rem_euclid(self.width as i32), tile.y.rem_euclid(self.height as i32))
    }

    /// Returns the values of all tiles in reading order. [`Grid::index`] returns the index of a
    /// tile.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// Returns mutable references to the values of all tiles, in reading order.
    pub fn cells_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// Iterates over all tiles in reading order, each with its value.
    pub fn iter(&self) -> impl Iterator<Item = (TilePos, &T)> {
        let width = self.width.max(1) as usize;
        self.cells.iter().enumerate().map(move |(index, value)| {
            (TilePos::new((index % width) as i32, (index / width) as i32), value)
        })
    }

    /// Returns the index of a tile in [`Grid::cells`]; `None` outside the grid.
    #[inline]
    pub fn index(&self, tile: TilePos) -> Option<usize> {
        self.contains(tile).then(|| tile.y as usize * self.width as usize + tile.x as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_indexed_by_tile() {
        let grid = Grid::from_cells(3, vec![0, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!((grid.width(), grid.height()), (3, 2));
        assert_eq!(grid.get(TilePos::new(2, 1)), Some(&5));
        assert_eq!(grid.get(TilePos::new(-1, 0)), None);
        assert_eq!(grid.get(TilePos::new(0, 2)), None);
        assert_eq!(grid.iter().last(), Some((TilePos::new(2, 1), &5)));
        assert_eq!(Grid::from_cells(4, vec![0; 6]), None);
        assert_eq!(Grid::<u8>::from_cells(0, vec![]), None);
    }
}
