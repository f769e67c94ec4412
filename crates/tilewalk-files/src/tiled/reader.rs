//! Reads `.tmx` and `.tsx` files.
//!
//! `roxmltree` parses the XML; `flate2`, `ruzstd` and `base64` decode the tiles as a stream. Files
//! are not trusted: sizes are checked before memory is allocated, so memory use stays close to the
//! file size. `tests/it/files/hostile.rs` runs with 64 MiB of address space. The `tiled` crate is
//! not suitable: it allocates the sizes that a file declares, decodes whole layers at once, ignores
//! unknown data silently, and reports errors without a line.

mod data;
mod layer;
mod object;
mod properties;
mod set;
mod xml;

use super::{Drawing, Rules};
use crate::diagnostic::{Diagnostic, Issues};
use crate::legend::{Legend, MAX_KINDS};
use crate::origin::Store;
use crate::report::Report;
use tilewalk_sim::geom::Vec2;
use xml::Element;

pub use set::check as check_set;

/// Placeholder for cells without a tile in any layer so far.
const NOTHING: u8 = MAX_KINDS as u8;

/// Maximum depth of nested layers.
const MAX_DEPTH: usize = 50;

/// Sizes of a map, which are needed to read the layers.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Number of tiles along each axis.
    size: (u32, u32),
    /// Tile size along each axis, in pixels.
    tile: (f64, f64),
}

/// Reads a `.tmx` file. The report contains the problems in the map's `.tsx` files.
pub fn read(
    issues: &Issues,
    rules: &Rules,
    legend: &Legend,
    store: &Store,
) -> (Option<Drawing>, Report) {
    let mut others = Report::default();
    let drawing = xml::document(issues, "map", |map| {
        let frame = frame(&map)?;
        let sets = set::read_all(&map, rules, legend, store, &mut others)?;
        let tiles = layer::read_all(&map, frame, &sets, rules, legend)?;
        let (places, paths) = object::read_all(&map, frame);
        for element in map.children() {
            match element.name() {
                "layer" | "group" | "objectgroup" | "tileset" | "properties" | "imagelayer"
                | "editorsettings" => {}
                _ => element.unread(),
            }
        }
        issues.is_sound().then_some(Drawing { tiles, places, paths })
    });
    let drawing = drawing.filter(|_| others.errors() == 0);
    (drawing, others)
}

/// Reads the size of a map, and reports unsupported kinds of maps.
fn frame(map: &Element) -> Option<Frame> {
    let orientation = map.attribute("orientation").unwrap_or("orthogonal");
    if orientation != "orthogonal" {
        let shown = crate::show::text(orientation);
        let message = format!("the map is {shown}; only orthogonal maps are supported");
        map.error_at("orientation", message);
        return None;
    }
    if map.attribute("infinite").is_some_and(|value| value != "0") {
        let message = "the map is infinite; only fixed-size maps are supported";
        let help = "in Tiled, clear Map > Map Properties > Infinite and save the map again";
        map.issues.push(Diagnostic::error(map.span_of("infinite"), message).help(help));
        return None;
    }
    let (width, height) = (map.side("width"), map.side("height"));
    let pixels = 1.0..=1_000_000.0;
    let tile_width = map.required("tilewidth", pixels.clone());
    let tile_height = map.required("tileheight", pixels);
    Some(Frame { size: (width?, height?), tile: (tile_width?, tile_height?) })
}

impl Frame {
    /// Converts pixels to tiles; `None` if the point is too far from the map.
    fn point(self, x: f64, y: f64) -> Option<Vec2> {
        let (x, y) = (x / self.tile.0, y / self.tile.1);
        let limit = f64::from(crate::keys::MAX_COORDINATE);
        let within = |number: f64| (-limit..=limit).contains(&number);
        (within(x) && within(y)).then(|| Vec2::new(x as f32, y as f32))
    }
}
