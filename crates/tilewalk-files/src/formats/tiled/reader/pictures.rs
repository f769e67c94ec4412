//! Layers with a name such as `Walls`.
//!
//! In some maps, the tiles of such a layer are solid. In others, the layer is a picture, and only
//! collision marks make its tiles solid. Collision marks are a layer called `Collision`, properties
//! or shapes of tiles, or objects. Marks on some tiles of such a layer show that the layer is a
//! picture.

use crate::formats::tiled::reader::layer::Pass;
use crate::formats::tiled::reader::marks::{EMPTY, MarkId, Marks};
use crate::formats::tiled::reader::objects::Drawn;
use crate::formats::tiled::selector::Selector;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;

/// Decides whether the layers that can be pictures are pictures. If they are, returns their
/// selectors. Otherwise, makes their tiles solid and returns an empty list. `cells` is drawn
/// without these layers. Returns `None` if the data of a layer is invalid.
pub fn close(
    pass: Pass,
    drawn: &Drawn,
    marks: &mut Marks,
    cells: &mut Grid<MarkId>,
) -> Option<Vec<Selector>> {
    if !pass.layers.iter().any(|layer| layer.can_be_picture) {
        return Some(Vec::new());
    }
    if are_pictures(pass, drawn, marks, cells)? {
        let pictures = pass.layers.iter().filter(|layer| layer.can_be_picture);
        return Some(pictures.map(|layer| layer.selector().clone()).collect());
    }
    let pass = Pass { uses_pictures: true, ..pass };
    let before = core::mem::replace(cells, super::cells(pass, marks)?);
    for (cell, &before) in cells.cells_mut().iter_mut().zip(before.cells()) {
        // Objects have closed the tile.
        if marks.walks(*cell) && !marks.walks(before) {
            *cell = before;
        }
    }
    drawn.free(cells);
    Some(Vec::new())
}

/// Returns true if the layers that can be pictures have a tile with a collision mark, or with a
/// corner of a free wall. Returns `None` if the data of a layer is invalid.
fn are_pictures(
    pass: Pass,
    drawn: &Drawn,
    marks: &mut Marks,
    cells: &Grid<MarkId>,
) -> Option<bool> {
    let mut drawing = Grid::filled(cells.width(), cells.height(), EMPTY);
    for layer in pass.layers.iter().filter(|layer| layer.can_be_picture) {
        layer.draw(pass, marks, &mut drawing)?;
    }
    let mut tiles = drawing.cells().iter().zip(cells.cells());
    let is_marked = tiles.any(|(&tile, &cell)| tile != EMPTY && marks.is_collision(cell));
    let mut corners = drawn.walls.iter().flat_map(|wall| &wall.points);
    let is_on = |at| drawing.get(TilePos::containing(at)).is_some_and(|&tile| tile != EMPTY);
    Some(is_marked || corners.any(|&corner| is_on(corner)))
}
