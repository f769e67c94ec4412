//! Reads tile layers from bottom to top.

use super::set::Sets;
use super::xml::Element;
use super::{Frame, MAX_DEPTH, NOTHING, data, properties};
use crate::legend::Legend;
use crate::show;
use crate::tiled::rules::{FLOOR, Rules};
use tilewalk_sim::grid::Grid;

/// Maximum number of tiles in all layers.
const MAX_TILES: u64 = 500_000_000;

/// Bits of a tile number for flips and rotations.
const FLIPS: u32 = 0xF000_0000;

/// Layer names that make all tiles solid, in lower case.
const SOLID: [&str; 4] = ["walls", "wall", "collision", "collisions"];

pub fn read_all(
    map: &Element,
    frame: Frame,
    sets: &Sets,
    rules: &Rules,
    legend: &Legend,
) -> Option<Grid<u8>> {
    let mut layers = Vec::new();
    collect(map, MAX_DEPTH, &mut layers);
    let (width, height) = frame.size;
    if layers.len() as u64 * u64::from(width) * u64::from(height) > MAX_TILES {
        map.error(format!("the layers have more than {MAX_TILES} tiles in total"));
        return None;
    }
    // Sizes are checked before memory is allocated.
    let fits = |layer: &Element| {
        let size = (layer.side("width"), layer.side("height"));
        let fits = size == (Some(width), Some(height));
        if let ((Some(_), Some(_)), false) = (size, fits) {
            let label = layer.label();
            layer.error(format!("the layer `{label}` and the map differ in size"));
        }
        fits
    };
    if layers.iter().filter(|layer| !fits(layer)).count() > 0 {
        return None;
    }
    let mut tiles = Grid::filled(width, height, NOTHING);
    let mut is_drawn = false;
    for layer in &layers {
        is_drawn |= read(layer, sets, rules, legend, tiles.cells_mut())?;
    }
    let empty = rules.empty(legend);
    for cell in tiles.cells_mut().iter_mut().filter(|cell| **cell == NOTHING) {
        *cell = empty;
    }
    if !is_drawn {
        let message = "no tile is marked as solid, so the whole map is walkable";
        let help = "give tiles a property `solid`, name a layer `walls`, or add a [tiled] table to \
                    the map file";
        map.warn(message, help);
    }
    Some(tiles)
}

/// Collects the tile layers of an element from bottom to top, including layers in groups.
fn collect<'a>(element: &Element<'a>, depth: usize, layers: &mut Vec<Element<'a>>) {
    for child in element.children() {
        match child.name() {
            "layer" => layers.push(child),
            "group" if depth > 0 => collect(&child, depth - 1, layers),
            "group" => child.unread(),
            "imagelayer" => {
                let message =
                    format!("the image layer `{}` is ignored: it has no tiles", child.label());
                child.warn(message, "");
            }
            _ => {}
        }
    }
}

/// Adds a layer on top of the cells. Returns true if any tile of the layer has a kind.
fn read(
    layer: &Element,
    sets: &Sets,
    rules: &Rules,
    legend: &Legend,
    cells: &mut [u8],
) -> Option<bool> {
    let name = layer.attribute("name").unwrap_or_default();
    for key in ["offsetx", "offsety", "x", "y"] {
        if layer.number(key, f64::MIN..=f64::MAX).is_some_and(|offset| offset != 0.0) {
            let message = format!("`{key}` of the layer `{}` is ignored", show::text(name));
            layer.warn(
                message,
                "set the offset to 0 in Tiled; the tiles are read without an offset",
            );
        }
    }
    let named = SOLID.contains(&name.to_lowercase().as_str());
    let named = named.then(|| legend.index(properties::WALL)).flatten();
    let own = rules.layer(name).or_else(|| properties::kind(layer, legend)).or(named);
    let floor = legend.index(FLOOR).unwrap_or(0);
    let mut is_drawn = own.is_some();
    let (mut strange, mut first) = (0, 0);
    let Some(data) = layer.all("data").next() else {
        layer.error(format!("the layer `{}` has no `<data>`", show::text(name)));
        return None;
    };
    // Adjacent tiles are often equal, so the result of the last lookup is reused.
    let mut last = (0, Ok(None));
    data::read(&data, cells.len(), |index, number| {
        let number = number & !FLIPS;
        if number == 0 {
            return;
        }
        if last.0 != number {
            last = (number, sets.kind(number));
        }
        let kind = last.1.unwrap_or_else(|()| {
            first = if strange == 0 { number } else { first };
            strange += 1;
            None
        });
        is_drawn |= kind.is_some();
        match kind.or(own) {
            Some(kind) => cells[index] = kind,
            None if cells[index] == NOTHING => cells[index] = floor,
            None => {}
        }
    })?;
    if strange > 0 {
        let more = if strange > 1 {
            format!(" and {} more in this layer", strange - 1)
        } else {
            String::new()
        };
        let message =
            format!("no tile set for tile {first} of the layer `{}`{more}", show::text(name));
        layer.warn(message, "the tiles are read as tiles without properties");
    }
    Some(is_drawn)
}
