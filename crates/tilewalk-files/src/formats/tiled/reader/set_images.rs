//! Reads which images the tiles of a Tiled map have, and the words that name tiles.

use std::collections::BTreeMap;

use tilewalk_sim::sort::SmallCollect;

use super::element::{Element, resolved};
use crate::formats::tiled::selector::SolidityRule;
use crate::show;

/// Maximum width, height and distance in the description of an image, in pixels.
const MAX_SIDE: u32 = 1_000_000;

/// Names of properties whose values can name a thing.
const KINDS: [&str; 5] = ["type", "kind", "terrain", "surface", "material"];

/// Images of a tile set.
#[derive(Debug, Default)]
pub struct SetImages {
    /// Image of all tiles; `None` for a collection of images.
    pub image: Option<TileImageFile>,
    /// Images of single tiles.
    pub tiles: BTreeMap<u32, TileImageFile>,
    /// Width and height of a tile, in pixels.
    pub tile: (u32, u32),
    pub margin: u32,
    pub spacing: u32,
    pub count: Option<u32>,
}

/// An image file, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct TileImageFile {
    /// Path relative to the map.
    pub path: String,
    pub transparent: Option<[u8; 3]>,
    /// Position and size of the part, in pixels; `None` for the whole image.
    pub part: Option<[u32; 4]>,
    /// Width and height of the image, in pixels; 0 if they are unknown.
    pub size: (u32, u32),
}

/// What a tile set says about the look of a tile.
pub struct TileSource<'s> {
    /// Index of the tile set in the map.
    pub set: usize,
    /// Name of the tile set.
    pub name: &'s str,
    /// Number of the tile in the tile set.
    pub tile: u32,
    pub images: &'s SetImages,
    /// Class, terrains and properties that can name the tile, in order of precedence.
    pub words: Vec<&'s str>,
}

/// Reads the images that a tile set names. `folder` is the directory of the tile set, relative to the
/// map.
pub fn of_set(set: &Element, folder: &str) -> SetImages {
    let image = |element: &Element| {
        let child = element.all("image").next();
        let (owner, keys) = match &child {
            Some(child) => (child, ["source", "width", "height", "trans"]),
            None => (element, ["image", "imagewidth", "imageheight", "transparentcolor"]),
        };
        let source = owner.attribute(keys[0])?;
        if source.is_empty() || source.len() > 1000 || source.chars().any(show::is_hidden) {
            return None;
        }
        let slashed = source.replace('\\', "/");
        let joined = format!("{folder}{slashed}");
        // An absolute path is hardly valid on this machine.
        let file_name = || slashed.rsplit('/').next().unwrap_or_default().to_owned();
        let is_absolute = slashed.starts_with('/') || slashed.contains(':');
        let path = if is_absolute { None } else { resolved(&joined) };
        let transparent = owner.attribute(keys[3]).and_then(|text| {
            let digits = text.trim_start_matches('#');
            let digits = digits.get(digits.len().checked_sub(6)?..)?;
            let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
            Some([red, green, blue])
        });
        let part = [("x", 0), ("y", 0), ("width", 0), ("height", 0)];
        let part = part.map(|(key, missing)| pixels(element, key).unwrap_or(missing));
        let part = Some(part).filter(|part| element.name() == "tile" && part[2] > 0 && part[3] > 0);
        let size = (pixels(owner, keys[1]), pixels(owner, keys[2]));
        let size = (size.0.unwrap_or(0), size.1.unwrap_or(0));
        Some(TileImageFile { path: path.unwrap_or_else(file_name), transparent, part, size })
    };
    let single = |tile: Element| {
        let id = tile.attribute("id")?.parse().ok()?;
        Some((id, image(&tile)?))
    };
    SetImages {
        image: image(set),
        tiles: set.all("tile").filter_map(single).small_collect(),
        tile: (pixels(set, "tilewidth").unwrap_or(0), pixels(set, "tileheight").unwrap_or(0)),
        margin: pixels(set, "margin").unwrap_or(0),
        spacing: pixels(set, "spacing").unwrap_or(0),
        count: pixels(set, "tilecount"),
    }
}

/// Returns a number of pixels; `None` if it is missing, invalid or too large.
fn pixels(element: &Element, key: &str) -> Option<u32> {
    element.attribute(key)?.trim().parse().ok().filter(|&number: &u32| number <= MAX_SIDE)
}

/// Returns true if the names of terrains and properties with this rule can name a tile.
pub fn names_tiles(rule: SolidityRule) -> bool {
    matches!(rule, SolidityRule::Terrain | SolidityRule::TileProperty)
}

/// Returns true if the values of a property can name a tile.
pub fn is_kind(property: &str) -> bool {
    KINDS.iter().any(|kind| property.eq_ignore_ascii_case(kind))
}
