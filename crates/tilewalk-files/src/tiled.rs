//! Reads maps of the Tiled editor: `.tmx` files, and the `.tsx` files with their tile sets.
//!
//! In Tiled, tiles are images. Properties, layer names and the map file define their tile kinds. At
//! each position, the topmost tile with a kind counts. Objects become places, and polylines become
//! paths. Images, animations and flips are ignored. Other unsupported data is reported.
//!
//! Builds without the feature `tiled` refuse these files.

#![cfg_attr(not(feature = "tiled"), expect(dead_code, reason = "only the reader uses it"))]

#[cfg_attr(not(feature = "tiled"), path = "tiled/refused.rs")]
mod reader;
mod rules;

use tilewalk_sim::geom::Vec2;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::pattern::PathPattern;

pub use reader::{check_set, read};
pub use rules::Rules;

/// Content of a tiles file.
#[derive(Debug)]
pub struct Drawing {
    /// Legend index of each tile.
    pub tiles: Grid<u8>,
    /// Objects with unique names.
    pub places: Vec<DrawnPlace>,
    /// Polylines and polygons with unique names, in map tiles.
    pub paths: Vec<DrawnPath>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPlace {
    /// Name of the place in the map.
    pub name: String,
    /// Centre of the object, in tiles.
    pub at: Vec2,
    /// Name of the object in the Tiled file.
    pub label: String,
}

/// A polyline or polygon.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPath {
    /// Name of the pattern.
    pub name: String,
    pub path: PathPattern,
    /// Name of the object in the Tiled file.
    pub label: String,
}
