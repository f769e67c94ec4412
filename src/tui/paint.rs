//! The unfinished stroke, path or matrix of paint mode. When the user finishes it, the stroke, path
//! or matrix becomes an edit of the session's draft.

pub mod drawing;
mod placed;
pub mod tool;

use std::collections::BTreeSet;

use crate::files::write::edit::matrix_pattern::Cells;
use crate::files::write::edit::starts::Standing;
use crate::geom::TilePos;

pub use drawing::Drawing;
pub use tool::Tool;

/// The state of paint mode.
#[derive(Debug, Clone)]
pub struct Paint {
    /// The tiles, matrix or path being edited.
    pub canvas: Canvas,
    /// The tile on which keys act.
    pub cursor: TilePos,
    /// Shape of the tiles that a stroke fills.
    pub tool: Tool,
    /// The selected brush, as an index into the legend. For a matrix: 0 opens cells, 1 closes them.
    pub brush: usize,
    /// First end of a line, or first corner of a rectangle. `None` before the user sets it.
    pub corner: Option<TilePos>,
    /// The tiles of the current mouse stroke.
    pub stroke: BTreeSet<TilePos>,
    /// The agent start or place that is being moved. `None` if nothing is being moved.
    pub held: Option<Standing>,
    /// The agent starts and places of the map.
    pub standing: Vec<Standing>,
}

/// An object that paint mode can edit.
#[derive(Debug, Clone)]
pub enum Canvas {
    /// The tiles of the map.
    Ground,
    /// The cells of a matrix.
    Matrix(Matrix),
    /// A path pattern.
    Path(Drawing),
}

/// A matrix pattern being edited.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Name of the edited matrix pattern.
    pub name: String,
    /// The offset from matrix coordinates to map coordinates.
    pub shift: TilePos,
    /// The allowed cells, in matrix coordinates.
    pub cells: Cells,
}

impl Matrix {
    /// Returns true if the matrix allows a tile of the map.
    pub fn allows(&self, tile: TilePos) -> bool {
        let cell = tile - self.shift;
        self.cells.painted.contains(&cell) || self.cells.drawn.contains(&cell)
    }

    /// Returns all tiles of the map that the matrix allows.
    pub fn tiles(&self) -> impl Iterator<Item = TilePos> {
        self.cells.painted.iter().chain(&self.cells.drawn).map(|&cell| cell + self.shift)
    }
}

impl Paint {
    /// Returns true if the canvas is a path.
    pub fn draws_a_path(&self) -> bool {
        matches!(self.canvas, Canvas::Path(_))
    }

    /// Creates the state of paint mode for the tiles of the map.
    pub fn new(cursor: TilePos, brush: usize, standing: Vec<Standing>) -> Self {
        Self {
            canvas: Canvas::Ground,
            cursor,
            tool: Tool::Point,
            brush,
            corner: None,
            stroke: BTreeSet::new(),
            held: None,
            standing,
        }
    }

    /// Returns the agent starts and places on a tile.
    pub fn standing_on(&self, tile: TilePos) -> impl Iterator<Item = &Standing> {
        self.standing.iter().filter(move |standing| standing.tile == tile)
    }

    /// Returns the tiles that the current stroke would paint.
    pub fn pending(&self) -> Vec<TilePos> {
        match self.corner {
            Some(corner) => self.tool.tiles(corner, self.cursor),
            None => self.stroke.iter().copied().collect(),
        }
    }

    /// Cancels the current stroke or move. Returns true if a stroke or move was in progress.
    pub fn cancel(&mut self) -> bool {
        let stroke = core::mem::take(&mut self.stroke);
        self.corner.take().is_some() | self.held.take().is_some() | !stroke.is_empty()
    }
}
