//! Tile sets whose tile numbers have a known meaning. Only the code of a game contains this meaning, so
//! no property in its files can be read instead.

use std::ops::RangeInclusive;

/// A tile set of a game, with its one-way platforms.
#[derive(Debug)]
pub struct KnownSet {
    /// Name of the game, as in messages.
    pub game: &'static str,
    name: &'static str,
    /// Width and height of a tile, in pixels.
    tile: (f64, f64),
    /// Number of tiles in a row of the image.
    columns: u32,
    /// Numbers of the tiles that stop bodies from above only.
    pub one_way: RangeInclusive<u32>,
}

/// All known tile sets. Source of the numbers: `src/hawk/collision.lua` of Project Hawkthorne.
static KNOWN: [KnownSet; 1] = [KnownSet {
    game: "Project Hawkthorne",
    name: "collisions",
    tile: (24.0, 24.0),
    columns: 26,
    one_way: 26..=77,
}];

/// Returns the known tile set with this name, tile size in pixels and number of columns.
pub fn find(
    name: &str,
    tile: Option<(f64, f64)>,
    columns: Option<u32>,
) -> Option<&'static KnownSet> {
    KNOWN.iter().find(|set| (set.name, Some(set.tile), Some(set.columns)) == (name, tile, columns))
}
