//! Reads the properties `walk`, `solid` and `glyph` of tiles and layers. Other properties are
//! ignored.

use super::xml::Element;
use crate::legend::Legend;
use crate::show;
use crate::tiled::rules::{FLOOR, known};

/// Glyph of solid tiles that have no other glyph.
pub const WALL: &str = "#";

/// Returns the tile kind that the properties of an element select, if any.
pub fn kind(element: &Element, legend: &Legend) -> Option<u8> {
    let (mut walk, mut glyph) = (None, None);
    let all = element.all("properties").flat_map(|list| list.all("property"));
    for property in all {
        let name = property.attribute("name").unwrap_or_default();
        match name {
            "walk" | "solid" => {
                let Some(value) = truth(&property) else { continue };
                let walks = value == (name == "walk");
                if walk.is_some_and(|before| before != walks) {
                    property.error("`walk` and `solid` contradict each other");
                }
                walk = Some(walks);
            }
            "glyph" => glyph = find(&property, legend).or(glyph),
            _ => {}
        }
    }
    let plain = walk.map(|walks| if walks { FLOOR } else { WALL });
    glyph.or_else(|| plain.and_then(|glyph| legend.index(glyph)))
}

fn value<'a>(property: &Element<'a>) -> &'a str {
    property.attribute("value").unwrap_or_else(|| property.text())
}

fn truth(property: &Element) -> Option<bool> {
    match value(property) {
        "true" => Some(true),
        "false" => Some(false),
        other => {
            let name = property.attribute("name").unwrap_or_default();
            let message =
                format!("`{name}` must be `true` or `false`, not `{}`", show::text(other));
            property.error_at("value", message);
            None
        }
    }
}

fn find(property: &Element, legend: &Legend) -> Option<u8> {
    let help = "add an entry to [legend] in the map that uses this file";
    known(value(property), property.span_of("value"), legend, property.issues, help)
}
