//! Counts content of a Tiled map that is not imported, or that is read in another way.

use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::marks::{Marks, all_properties, is_layer_left_out};
use crate::formats::tiled::rules::Rules;

const HIDDEN: &str = "hidden layers: they count for solid tiles, not for colours";
const PARALLAX: &str = "layers with parallax: they do not move";
const OPACITY: &str = "layers that are transparent or tinted";
const ANIMATIONS: &str = "animated tiles: they do not move";
const COLLECTIONS: &str = "tile sets that are collections of images";
const REFERENCES: &str = "properties that refer to objects or files";
const OF_MAP: &str = "properties of the map";
const OF_OBJECTS: &str = "properties of objects";

/// Counts the layers of a map that are not left out, in groups, too, and the properties of the map.
pub fn in_map(map: &Element, rules: &Rules, marks: &mut Marks, depth: usize) {
    let own = all_properties(map).count();
    marks.leave_out(OF_MAP, if map.name() == "map" { own as u64 } else { 0 });
    for layer in map.children() {
        let is_group = layer.name() == "group";
        let is_read = is_group || matches!(layer.name(), "layer" | "objectgroup");
        if !is_read && layer.name() != "imagelayer" || is_layer_left_out(&layer, rules) {
            continue;
        }
        let number = |key: &str| layer.attribute(key).and_then(|text| text.parse::<f64>().ok());
        let is = |key: &str| number(key).is_some_and(|factor| factor != 1.0);
        let visible = layer.attribute("visible").unwrap_or("1");
        marks.leave_out(HIDDEN, u64::from(is_read && matches!(visible, "0" | "false")));
        marks.leave_out(PARALLAX, u64::from(is("parallaxx") || is("parallaxy")));
        let is_tinted = layer.attribute("tintcolor").is_some();
        marks.leave_out(OPACITY, u64::from(is("opacity") || is_tinted));
        if is_group && depth > 0 {
            in_map(&layer, rules, marks, depth - 1);
        }
    }
}

/// Counts the tiles of a tile set that have animations or images of their own.
pub fn in_tile_set(set: &Element, marks: &mut Marks) {
    let has = |tile: &Element, name| tile.all(name).next().is_some();
    let animated = set.all("tile").filter(|tile| has(tile, "animation")).count();
    marks.leave_out(ANIMATIONS, animated as u64);
    let single = |tile: &Element| has(tile, "image") || tile.attribute("image").is_some();
    marks.leave_out(COLLECTIONS, u64::from(set.all("tile").any(|tile| single(&tile))));
}

/// Counts the properties of an object that is not an agent. `used` returns true for the name of a
/// property with an effect.
pub fn in_object(object: &Element, marks: &mut Marks, used: impl Fn(&str) -> bool) {
    for (name, _, property) in all_properties(object) {
        let is_reference = matches!(property.attribute("type"), Some("object" | "file"));
        let what = if is_reference { REFERENCES } else { OF_OBJECTS };
        marks.leave_out(what, u64::from(!used(name)));
    }
}
