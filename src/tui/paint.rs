//! The unfinished stroke, path or matrix of paint mode. A finished one is an edit in the session's
//! draft.

pub mod drawing;
mod placed;
pub mod tool;

use std::collections::BTreeSet;

use crate::files::edit::cells::Cells;
use crate::files::edit::spots::Standing;
use crate::geom::TilePos;

pub use drawing::Drawing;
pub use tool::Tool;

/// What is painted, and with what.
#[derive(Debug, Clone)]
pub struct Paint {
    /// What is painted.
    pub canvas: Canvas,
    /// The tile that keys are about.
    pub cursor: TilePos,
    /// How a stroke goes.
    pub tool: Tool,
    /// The chosen brush: a kind of the legend, or whether cells are allowed.
    pub brush: usize,
    /// Where a line or a rectangle begins.
    pub corner: Option<TilePos>,
    /// The tiles of a stroke of the mouse so far.
    pub stroke: BTreeSet<TilePos>,
    /// What is carried to another tile.
    pub held: Option<Standing>,
    /// The starts and places of the map.
    pub standing: Vec<Standing>,
}

/// What is painted.
#[derive(Debug, Clone)]
pub enum Canvas {
    /// The tiles of the map.
    Ground,
    /// The cells of a matrix.
    Matrix(Matrix),
    /// A path.
    Path(Drawing),
}

/// A matrix that is painted.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// The name of its pattern.
    pub name: String,
    /// What its coordinates are from those of the map.
    pub shift: TilePos,
    /// Its cells, in its own coordinates.
    pub cells: Cells,
}

impl Matrix {
    /// May a tile of the map be entered?
    pub fn allows(&self, tile: TilePos) -> bool {
        let cell = tile - self.shift;
        self.cells.painted.contains(&cell) || self.cells.drawn.contains(&cell)
    }

    /// All tiles of the map that may be.
    pub fn tiles(&self) -> impl Iterator<Item = TilePos> {
        self.cells.painted.iter().chain(&self.cells.drawn).map(|&cell| cell + self.shift)
    }
}

impl Paint {
    /// Is a path being drawn?
    pub fn draws_a_path(&self) -> bool {
        matches!(self.canvas, Canvas::Path(_))
    }

    /// Nothing done yet.
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

    /// What stands on a tile.
    pub fn standing_on(&self, tile: TilePos) -> impl Iterator<Item = &Standing> {
        self.standing.iter().filter(move |standing| standing.tile == tile)
    }

    /// The tiles that would be painted now.
    pub fn pending(&self) -> Vec<TilePos> {
        match self.corner {
            Some(corner) => self.tool.tiles(corner, self.cursor),
            None => self.stroke.iter().copied().collect(),
        }
    }

    /// Gives up what is on its way; was there anything?
    pub fn cancel(&mut self) -> bool {
        let stroke = core::mem::take(&mut self.stroke);
        self.corner.take().is_some() | self.held.take().is_some() | !stroke.is_empty()
    }
}
