//! Reads maps made with the Tiled editor: `.tmx` files, and the `.tsx` files with tile sets they
//! name.
//!
//! In Tiled, tiles are pictures. Properties, names of layers or the map file define which tiles are
//! walls. The result is rows of tilewalk's own legend, where the topmost tile with a meaning
//! decides. Objects become places, and polylines become paths. Pictures, animations and flips are
//! ignored. Other data that would matter but is not supported is reported.
//!
//! Without the feature `tiled`, these files are refused.

#![cfg_attr(not(feature = "tiled"), expect(dead_code, reason = "only the reader uses it"))]

#[cfg_attr(not(feature = "tiled"), path = "tiled/refused.rs")]
mod reader;
mod rules;

use tilewalk_sim::geom::Vec2;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::pattern::PathPattern;

pub use reader::{check_set, read};
pub use rules::Rules;

/// What a file draws.
#[derive(Debug)]
pub struct Drawing {
    /// The kind of each tile, by its number in the legend.
    pub tiles: Grid<u8>,
    /// Its objects, each with a name of its own.
    pub places: Vec<DrawnPlace>,
    /// Its polylines and polygons, each with a name of its own, in tiles of the map.
    pub paths: Vec<DrawnPath>,
}

/// An object.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPlace {
    /// A name fit for a map.
    pub name: String,
    /// Its middle, in tiles.
    pub at: Vec2,
    /// What it is called in the file, as it is.
    pub label: String,
}

/// A polyline or a polygon.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPath {
    /// A name fit for a pattern.
    pub name: String,
    /// The walk.
    pub path: PathPattern,
    /// What it is called in the file, as it is.
    pub label: String,
}
