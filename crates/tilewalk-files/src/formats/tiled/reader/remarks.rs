//! Remarks about how the layers of a Tiled map were read, with the options for another reading.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::formats::tiled::reader::layer::{self, Pass, TileLayer};
use crate::formats::tiled::reader::marks::{EMPTY, MarkId, Marks};
use crate::formats::tiled::reader::objects::Drawn;
use crate::formats::tiled::reader::tile_sets::Sets;
use crate::formats::tiled::selector::{Combine, SolidityRule};
use crate::formats::tiled::solidity::{Remark, option, option_for};
use crate::formats::tiled::words::{is_above, is_solid_word};
use crate::show;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::report::words;
use tilewalk_sim::sort::SmallSort;

/// Maximum number of tiles in the layers of a map that are compared. Each layer is read once more.
pub const MOST_TILES: u64 = 4_000_000;

/// Maximum number of layers above moving things that are compared.
const MOST_COMPARED: usize = 8;

/// Returns an option and its effect as a list; an empty list without an option.
fn offered(effect: &'static str, option: Option<String>) -> Vec<(&'static str, String)> {
    option.map(|option| (effect, option)).into_iter().collect()
}

/// Returns the remark about a layer that is only a picture of walls.
pub fn of_picture(layer: &str) -> Remark {
    let name = SolidityRule::Layer.describe(&show::text(layer));
    Remark {
        text: format!("a picture, as other rules mark some of its tiles: {name}"),
        options: vec![("to make it solid", option("--solid", &format!("layer:{layer}")))],
    }
}

/// Returns the remark about a layer such as `Walkable`. `places` compares the number of places on
/// the tiles of the layer with the number of other places.
pub fn of_walkable_layer(layer: &str, places: Ordering) -> Remark {
    let name = show::text(layer);
    let solid = || option("--solid", &format!("layer:{layer}"));
    let outside = || option("--solid", &format!("outside:{layer}"));
    let inside = ("to make its tiles solid", solid());
    let others = ("to make the other tiles solid", outside());
    let (how, options) = match places {
        Ordering::Greater => {
            ("most places are on its tiles, so the other tiles are solid", vec![inside])
        }
        Ordering::Less => {
            ("most places are not on its tiles, so its tiles are solid", vec![others])
        }
        Ordering::Equal => ("the places do not decide which tiles are solid", vec![inside, others]),
    };
    Remark { text: format!("layer `{name}`: {how}"), options }
}

/// Returns the remark about an object layer whose areas are solid because nothing else is.
pub fn of_nameless_areas(layer: &str) -> Remark {
    let name = show::text(layer);
    Remark {
        text: format!("object layer `{name}`: nothing else is solid, and its areas have no names"),
        options: offered("to leave it out", option_for("--ignore", "objects", layer)),
    }
}

/// Effects of the options for layers with solid tiles. Further layers are not listed.
const EFFECTS: [&str; 4] = [
    "to use only the first",
    "to use only the second",
    "to use only the third",
    "to use only the fourth",
];

/// Adds remarks about solid tiles in several layers, and about solid tiles with smaller shapes.
pub fn about_tiles(pass: Pass, marks: &Marks, remarks: &mut Vec<Remark>) {
    let mut layers: Vec<_> = pass.layers.iter().filter(|layer| layer.closed.get() > 0).collect();
    layers.small_sort_by_key(|layer| std::cmp::Reverse(layer.closed.get()));
    let is_named = layers.iter().all(|layer| layer.is_solid_by_name(marks));
    if layers.len() > 1 && !is_named {
        let listed = || layers.iter().take(EFFECTS.len());
        let counts =
            listed().map(|layer| format!("`{}` {}", show::text(layer.name()), layer.closed.get()));
        let counts: Vec<_> = counts.collect();
        let only = listed().zip(EFFECTS).flat_map(|(layer, effect)| {
            offered(effect, option_for("--ignore", "others", layer.name()))
        });
        let mut options: Vec<_> = only.collect();
        if let [_, _, .., last] = layers[..] {
            let leaving = option_for("--ignore", "layer", last.name());
            options.extend(offered("to leave out the layer with the fewest", leaving));
        }
        let text = format!("solid tiles are in several layers: {}", counts.join(", "));
        remarks.push(Remark { text, options });
    }
    for (&shapes, &count) in &marks.partial {
        let set = &marks.get(shapes).name;
        let are_solid = if count == 1 { "tile is solid" } else { "tiles are solid" };
        remarks.push(Remark {
            text: format!(
                "{count} {are_solid} with collision shapes for less than half of the tile"
            ),
            options: offered("to use the shapes", option_for("--solid", "shapes", set)),
        });
    }
}

/// Maximum number of names that a remark lists.
const MOST_NAMES: usize = 4;

/// Adds a remark about solid objects of which only some have a name for something solid. `names` is the
/// number of objects with each name.
pub fn about_names(names: &BTreeMap<String, u64>, remarks: &mut Vec<Remark>) {
    let mut names: Vec<_> = names.iter().collect();
    names.small_sort_by_key(|(name, count)| (!is_solid_word(name), std::cmp::Reverse(**count)));
    let (Some((first, _)), Some((last, _))) = (names.first(), names.last()) else { return };
    if !is_solid_word(first) || is_solid_word(last) {
        return;
    }
    let listed = names.iter().take(MOST_NAMES);
    let mut listed: Vec<_> =
        listed.map(|(name, count)| format!("`{}` {count}", show::text(name))).collect();
    if names.len() > MOST_NAMES {
        listed.push(format!("{} more", names.len() - MOST_NAMES));
    }
    remarks.push(Remark {
        text: format!("solid objects have several names: {}", listed.join(", ")),
        options: offered(EFFECTS[0], option_for("--ignore", "other-objects", first)),
    });
}

/// Returns the remarks about one-way platforms that are known from games.
pub fn of_known_sets(sets: &Sets) -> impl Iterator<Item = Remark> {
    sets.known().map(|(name, known)| {
        let (first, last) = (known.one_way.start(), known.one_way.end());
        let tiles = format!("tiles:{name}/{first}-{last}");
        let (name, game) = (show::text(name), known.game);
        Remark {
            text: format!(
                "tiles {first}-{last} of the set `{name}` are one-way platforms, as in {game}"
            ),
            options: vec![("to make them solid", option("--solid", &tiles))],
        }
    })
}

/// Adds remarks about properties that can put tiles above moving things.
pub fn about_properties(marks: &Marks, remarks: &mut Vec<Remark>) {
    remarks.extend(marks.above.iter().map(|name| {
        let mut text = format!("tiles with the property `{name}` can be above moving things");
        let leaving = option("--ignore", &format!("property:{name}"));
        let mut options = vec![("to leave them out", leaving)];
        if marks.raised.contains(name) {
            text.push_str(", and do not open walls below");
            let opening = option("--walkable", &format!("tile-property:{name}"));
            options.push(("to open these walls", opening));
        }
        Remark { text, options }
    }));
}

/// The tiles of a layer on its own: the index of each cell, and its mark.
type OwnTiles = Vec<(u32, MarkId)>;

/// Draws each layer on its own. Returns `None` if the data of a layer is invalid.
fn own_tiles(pass: Pass, marks: &mut Marks) -> Option<Vec<OwnTiles>> {
    let (width, height) = pass.area.size();
    let mut cells = Grid::filled(width, height, EMPTY);
    let mut layers = Vec::new();
    for layer in pass.layers {
        layer.draw(pass, marks, &mut cells)?;
        let drawn = cells.cells_mut().iter_mut().enumerate().filter(|(_, cell)| **cell != EMPTY);
        let own = drawn.map(|(index, cell)| (index as u32, core::mem::replace(cell, EMPTY)));
        layers.push(own.collect());
    }
    Some(layers)
}

/// Combines layers that were drawn on their own. The result is the same as if they were drawn on top of
/// each other. `without` is the index of a layer that is left out. Returns `None` if the data of a layer
/// is invalid.
fn combined(
    pass: Pass,
    layers: &[OwnTiles],
    without: Option<usize>,
    marks: &mut Marks,
) -> Option<Grid<MarkId>> {
    let (width, height) = pass.area.size();
    let mut cells = Grid::filled(width, height, EMPTY);
    let drawn = layers.iter().enumerate().filter(|(index, _)| without != Some(*index));
    for &(index, mark) in drawn.flat_map(|(_, layer)| layer) {
        layer::lay(&mut cells.cells_mut()[index as usize], mark, pass.combine, marks);
    }
    layer::close_outside(pass, marks, &mut cells)?;
    Some(cells)
}

/// Adds remarks about walls that a tile above them opens, and about layers above moving things that
/// make tiles solid. `drawn` and `objects` are the tiles and the objects of the whole map. Returns `None` if the data of a layer is invalid.
pub fn about_layers(
    pass: Pass,
    marks: &mut Marks,
    (drawn, objects): (&Grid<MarkId>, &Drawn),
    remarks: &mut Vec<Remark>,
) -> Option<()> {
    let is_above = |layer: &TileLayer| is_above(layer.name());
    let can_be_opened = pass.combine == Combine::Top && marks.has_open();
    let tiles: u64 = pass.layers.iter().map(TileLayer::tiles).sum();
    if tiles > MOST_TILES || !can_be_opened && !pass.layers.iter().any(is_above) {
        return Some(());
    }
    let layers = own_tiles(pass, marks)?;
    let tiles = combined(pass, &layers, None, marks)?;
    // Returns the numbers of tiles that are solid only in the other drawing, and only in this one.
    let compare = |other: &Grid<MarkId>, marks: &Marks| {
        let (mut only_other, mut only_here) = (0_u64, 0_u64);
        for ((&tile, &other), &drawn) in tiles.cells().iter().zip(other.cells()).zip(drawn.cells())
        {
            let (here, there) = (!marks.walks(tile), !marks.walks(other));
            only_other += u64::from(there && marks.walks(drawn));
            only_here += u64::from(here && !there && !marks.walks(drawn));
        }
        (only_other, only_here)
    };
    let count = |count: u64| words::count(count, "tile");
    if can_be_opened {
        let pass = Pass { combine: Combine::Any, ..pass };
        // Large images can draw a tile twice, and then the two ways to combine tiles differ.
        let again = if pass.sets.has_stamps() { Some(own_tiles(pass, marks)?) } else { None };
        let mut other = combined(pass, again.as_ref().unwrap_or(&layers), None, marks)?;
        objects.free(&mut other);
        let (opened, _) = compare(&other, marks);
        if opened > 0 {
            remarks.push(Remark {
                text: format!("{} solid below, but walkable on top", count(opened)),
                options: vec![("to make them solid", "--combine any".to_owned())],
            });
        }
    }
    let above = pass.layers.iter().enumerate().filter(|(_, layer)| is_above(layer));
    for (index, layer) in above.take(MOST_COMPARED) {
        let other = combined(pass, &layers, Some(index), marks)?;
        let (_, closed) = compare(&other, marks);
        if closed > 0 {
            let name = layer.name();
            remarks.push(Remark {
                text: format!("layer `{}` makes {} solid", show::text(name), count(closed)),
                options: vec![("to leave it out", option("--ignore", &format!("layer:{name}")))],
            });
        }
    }
    Some(())
}
