//! Reads maps of the Tiled editor, with their tile sets and templates, in XML and JSON.
//!
//! In Tiled, tiles are images. [Rules](selector::SolidityRule) define their tile kinds. At each
//! position, the topmost tile with a kind counts. Objects become places, paths, walls and agents,
//! or make tiles solid. Images only determine how an imported map looks. Animations are ignored.
//! Other unsupported data is reported.
//!
//! Builds without the feature `tiled` refuse these files.

#![cfg_attr(not(feature = "tiled"), expect(dead_code, reason = "only the reader uses it"))]

#[cfg(feature = "tiled")]
mod reader;
pub mod rules;
pub mod selector;
pub mod solidity;
mod words;

use tilewalk_sim::geom::{TileRect, Vec2};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::pattern::PathPattern;

use crate::formats::pictures::MapPicture;

#[cfg(feature = "tiled")]
pub use reader::{check_set, read};
#[cfg(not(feature = "tiled"))]
pub use refused::{check_set, read};
pub use rules::Rules;
use solidity::Solidity;

/// Content of a tiles file.
#[derive(Debug)]
pub struct Drawing {
    /// Legend index of each tile.
    pub tiles: Grid<u8>,
    /// Objects that become places, with unique names.
    pub places: Vec<DrawnPlace>,
    /// Polylines and polygons with unique names. Their coordinates are in tiles.
    pub paths: Vec<DrawnPath>,
    /// Objects that become free walls.
    pub walls: Vec<DrawnWall>,
    /// Objects of the class `agent`, with names that no place has.
    pub agents: Vec<DrawnAgent>,
    /// Rules that made tiles solid or walkable; `None` for formats without such rules.
    pub solidity: Option<Solidity>,
    /// Upper left tile of the map in the coordinates of its file; (0, 0) except for infinite maps.
    pub origin: (i64, i64),
    /// Colours and names of the tiles; `None` if they are not wanted.
    pub picture: Option<MapPicture>,
}

impl Drawing {
    /// Creates a drawing that consists only of tiles.
    pub fn of_tiles(tiles: Grid<u8>) -> Self {
        let (places, paths) = Default::default();
        let (walls, agents, solidity) = Default::default();
        Self { tiles, places, paths, walls, agents, solidity, origin: (0, 0), picture: None }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPlace {
    /// Name of the place in the map.
    pub name: String,
    /// Centre of the object, in tiles.
    pub at: Vec2,
    /// Tiles that the object covers; `None` if the object is not larger than a tile.
    pub area: Option<TileRect>,
    /// Name of the object in the Tiled file.
    pub label: String,
    /// Whether an import omits the place. True for a solid object without a name.
    pub is_hidden: bool,
}

impl DrawnPlace {
    /// Creates a place without an area.
    pub fn new(name: String, at: Vec2, label: String) -> Self {
        Self { name, at, area: None, label, is_hidden: false }
    }
}

/// A polyline or polygon that becomes a path pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPath {
    /// Unique name, from which the name of the pattern is derived.
    pub name: String,
    pub path: PathPattern,
    /// Name of the object in the Tiled file.
    pub label: String,
}

/// A free wall or a polyline of free walls.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnWall {
    /// Name of the object in the Tiled file.
    pub label: String,
    /// Corners on the map, in tiles.
    pub points: Vec<Vec2>,
    pub one_sided: bool,
    pub opaque: bool,
}

/// An object of the class `agent`.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnAgent {
    /// Name of the agent in the map.
    pub name: String,
    /// Centre of the object, in tiles.
    pub at: Vec2,
    /// Tiles that the object covers; `None` if the object is not larger than a tile.
    pub area: Option<TileRect>,
    /// Names and values of the object's properties.
    pub properties: Vec<(String, String)>,
    /// Name of the object in the Tiled file.
    pub label: String,
}

/// Refuses `.tmx` and `.tsx` files. Replaces the reader in builds without the feature `tiled`.
#[cfg(not(feature = "tiled"))]
mod refused {
    use super::{Drawing, Rules};
    use crate::disk::store::Store;
    use crate::formats::LevelOptions;
    use crate::text::diagnostic::{Diagnostic, Issues};
    use crate::text::report::Report;
    use crate::tiles::legend::Legend;

    pub fn read(
        issues: &Issues,
        _rules: &Rules,
        _legend: &mut Legend,
        _store: &Store,
        _wanted: &LevelOptions,
    ) -> (Option<Drawing>, Report) {
        (refuse(issues), Report::default())
    }

    pub fn check_set(issues: &Issues) -> Option<()> {
        refuse(issues)
    }

    fn refuse<T>(issues: &Issues) -> Option<T> {
        let message = "this build can't read Tiled maps: it was built without the feature `tiled`";
        issues.push(
            Diagnostic::error(0..0, message).help("build tilewalk with the default features"),
        );
        None
    }
}
