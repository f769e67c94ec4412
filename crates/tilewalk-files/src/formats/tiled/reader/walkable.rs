//! Layers with a name such as `Walkable`, in maps without other marks.
//!
//! In some games, the tiles of such a layer are walkable. In others, all other tiles are walkable.
//! Entrances and other objects are on walkable tiles, so the positions of the objects decide.

use crate::formats::tiled::reader::layer::Pass;
use crate::formats::tiled::reader::marks::{EMPTY, MarkId, Marks};
use crate::formats::tiled::reader::objects::Drawn;
use crate::formats::tiled::selector::Rule;
use crate::formats::tiled::words;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;

/// Finds a layer with a name such as `Walkable`, and makes the tiles solid that it marks as not
/// walkable. Changes nothing without such a layer, or if the objects do not decide. Returns `None`
/// if the data of the layer is invalid.
pub fn close(pass: Pass, drawn: &Drawn, marks: &mut Marks, cells: &mut Grid<MarkId>) -> Option<()> {
    let Some(layer) = pass.layers.iter().find(|layer| words::is_walkable(layer.name())) else {
        return Some(());
    };
    let mut drawing = Grid::filled(cells.width(), cells.height(), EMPTY);
    layer.draw(pass, marks, &mut drawing)?;
    let (mut on, mut off) = (0, 0);
    for place in &drawn.places {
        match drawing.get(TilePos::containing(place.at)) {
            Some(&EMPTY) => off += 1,
            Some(_) => on += 1,
            None => {}
        }
    }
    if on == off {
        return Some(());
    }
    let closed = marks.plain(false, Rule::Layer, layer.name());
    for (cell, &marked) in cells.cells_mut().iter_mut().zip(drawing.cells()) {
        if (marked == EMPTY) == (on > off) {
            *cell = closed;
        }
    }
    drawn.free(cells);
    Some(())
}
