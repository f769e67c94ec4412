//! Finds collision layers in which different tiles can have different meanings.
//!
//! Some games draw a layer such as `Collision` with tiles of a set of its own. One tile is a wall, and
//! others are one-way platforms or traps. Only the game knows which, so the import names the options.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::tiled::reader::layer::{Pass, TileLayer};
use crate::formats::tiled::reader::marks::Marks;
use crate::formats::tiled::reader::remarks::MOST_TILES;
use crate::formats::tiled::solidity::{Remark, option};
use crate::show;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;

/// Maximum number of options for a tile set.
const MOST_OPTIONS: usize = 4;

/// How often a tile or a group of tiles occurs.
#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    tiles: u64,
    /// Number of tiles that have no tile of the layer above or below.
    thin: u64,
    first: u32,
    last: u32,
}

impl Usage {
    /// Returns true if at least three quarters of the tiles are in lines of one tile.
    fn is_thin(self) -> bool {
        self.thin * 4 >= self.tiles * 3
    }
}

/// Adds remarks about tile sets that are used only in collision layers, with several kinds of tiles.
/// Returns `None` if the data of a layer is invalid.
pub fn about_numbers(pass: Pass, marks: &Marks, remarks: &mut Vec<Remark>) -> Option<()> {
    let (solid, others): (Vec<_>, Vec<_>) =
        pass.layers.iter().partition(|layer| layer.is_solid_by_name(marks));
    if pass.layers.iter().map(TileLayer::tiles).sum::<u64>() > MOST_TILES {
        return Some(());
    }
    let mut usages = BTreeMap::new();
    for layer in &solid {
        count(layer, pass, &mut usages)?;
    }
    let mut sets: BTreeMap<usize, BTreeMap<u32, Usage>> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for (number, usage) in usages {
        let Some(place) = pass.sets.place(number) else { continue };
        if place.is_marked {
            known.insert(place.set);
        }
        let usage = Usage { first: place.tile, last: place.tile, ..usage };
        sets.entry(place.set).or_default().insert(place.tile, usage);
    }
    sets.retain(|set, tiles| tiles.len() > 1 && !known.contains(set));
    if sets.is_empty() {
        return Some(());
    }
    let mut drawn = BTreeSet::new();
    for layer in others {
        layer.numbers(|_, number| {
            drawn.insert(number);
        })?;
    }
    for set in drawn.into_iter().filter_map(|number| pass.sets.set_index(number)) {
        sets.remove(&set);
    }
    for (set, tiles) in sets {
        let first = pass.sets.first(set);
        let columns = pass.sets.place(first).and_then(|place| place.columns);
        let options = options(pass.sets.name(set), grouped(&tiles, columns));
        if !options.is_empty() {
            let name = show::text(pass.sets.name(set));
            let text = format!("different tiles of the set `{name}` can have different meanings");
            remarks.push(Remark { text, options });
        }
    }
    Some(())
}

/// Counts the tiles of a layer by their numbers. Returns `None` if the data of the layer is invalid.
fn count(layer: &TileLayer, pass: Pass, usages: &mut BTreeMap<u32, Usage>) -> Option<()> {
    let (width, height) = pass.area.size();
    let mut numbers = Grid::filled(width, height, 0_u32);
    layer.numbers(|at, number| {
        let at = (at.0 - pass.area.first.0, at.1 - pass.area.first.1);
        if let Some(cell) = numbers.get_mut(TilePos::new(at.0 as i32, at.1 as i32)) {
            *cell = number;
        }
    })?;
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            let number = |y| numbers.get(TilePos::new(x, y)).copied();
            let Some(own) = number(y).filter(|&own| own != 0) else { continue };
            // The lower border of the map counts as a tile.
            let is_thin = number(y - 1).unwrap_or(0) == 0 && number(y + 1) == Some(0);
            let usage = usages.entry(own).or_default();
            usage.tiles += 1;
            usage.thin += u64::from(is_thin);
        }
    }
    Some(())
}

/// Joins tiles of a row of the image to a group. If all tiles are in one row, each tile is a group.
fn grouped(tiles: &BTreeMap<u32, Usage>, columns: Option<u32>) -> Vec<Usage> {
    let row = |tile: u32| columns.map_or(0, |columns| tile / columns);
    let mut rows: BTreeMap<u32, Usage> = BTreeMap::new();
    for (&tile, usage) in tiles {
        let first = columns.map_or(0, |columns| row(tile) * columns);
        let last = columns.map_or(u32::MAX, |columns| first + columns - 1);
        let all = rows.entry(row(tile)).or_insert(Usage { first, last, ..Usage::default() });
        all.tiles += usage.tiles;
        all.thin += usage.thin;
    }
    let is_single = rows.len() == 1;
    if is_single { tiles.values().copied().collect() } else { rows.into_values().collect() }
}

/// Returns the options for the groups of tiles that can differ from walls. `set` is the name of the
/// tile set.
fn options(set: &str, groups: Vec<Usage>) -> Vec<(&'static str, String)> {
    // The most common group that is not thin consists of walls.
    let thick = groups.iter().filter(|group| !group.is_thin());
    let wall = thick.max_by_key(|group| group.tiles).or(groups.first()).map(|group| group.first);
    let mut joined: Vec<Usage> = Vec::new();
    let mut is_next = false;
    for group in groups {
        let is_wall = wall == Some(group.first);
        match joined.last_mut().filter(|last| is_next && last.is_thin() == group.is_thin()) {
            Some(last) if !is_wall => {
                last.tiles += group.tiles;
                last.thin += group.thin;
                last.last = group.last;
            }
            Some(_) | None if !is_wall => joined.push(group),
            Some(_) | None => {}
        }
        is_next = !is_wall;
    }
    let selected = |group: &Usage| match (group.first, group.last) {
        (first, last) if first == last => format!("tiles:{set}/{first}"),
        (first, last) => format!("tiles:{set}/{first}-{last}"),
    };
    let choice = |group: &Usage| {
        if group.is_thin() {
            ("to make thin rows one-way platforms", option("--one-way", &selected(group)))
        } else {
            ("to make these tiles walkable", option("--walkable", &selected(group)))
        }
    };
    joined.iter().take(MOST_OPTIONS).map(choice).collect()
}
