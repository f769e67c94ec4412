//! Finds collision layers in which different tiles can have different meanings.
//!
//! Some games draw a layer such as `Collision` with tiles of a set of its own. The first tiles of the
//! set are walls, and others are one-way platforms or traps. Only the game knows which, so the import
//! names the options.

use std::collections::BTreeMap;

use crate::formats::tiled::reader::layer::{Pass, TileLayer};
use crate::formats::tiled::reader::marks::Marks;
use crate::formats::tiled::reader::remarks::MOST_TILES;
use crate::formats::tiled::solidity::{Remark, option};
use crate::show;

/// Maximum number of groups of tiles that are listed.
const MOST_LISTED: usize = 6;

/// Numbers of the first and last tile of a group, and how often its tiles occur.
type Group = (u32, u32, u64);

/// Adds remarks about tile sets of collision layers that have several kinds of tiles. Returns `None`
/// if the data of a layer is invalid.
pub fn about_numbers(pass: Pass, marks: &Marks, remarks: &mut Vec<Remark>) -> Option<()> {
    if pass.layers.iter().map(TileLayer::tiles).sum::<u64>() > MOST_TILES {
        return Some(());
    }
    let (solid, others): (Vec<_>, Vec<_>) =
        pass.layers.iter().partition(|layer| layer.is_solid_by_name(marks));
    let mut sets: BTreeMap<usize, BTreeMap<u32, u64>> = BTreeMap::new();
    for (number, tiles) in counted(&solid)? {
        let Some(place) = pass.sets.place(number).filter(|place| !place.is_marked) else {
            continue;
        };
        sets.entry(place.set).or_default().insert(place.tile, tiles);
    }
    sets.retain(|_, tiles| tiles.len() > 1);
    if sets.is_empty() {
        return Some(());
    }
    let mut drawn: BTreeMap<usize, u64> = BTreeMap::new();
    for (number, tiles) in counted(&others)? {
        if let Some(set) = pass.sets.set_index(number) {
            *drawn.entry(set).or_default() += tiles;
        }
    }
    // Other layers may have some tiles of the set by mistake.
    sets.retain(|set, tiles| {
        let elsewhere = drawn.get(set).copied().unwrap_or(0);
        elsewhere < tiles.values().sum()
    });
    for (set, tiles) in sets {
        remarks.extend(remark(pass.sets.name(set), &grouped(&tiles, pass.sets.columns(set))));
    }
    Some(())
}

/// Returns how often each tile occurs in some layers, by the number of the tile in the map. Returns
/// `None` if the data of a layer is invalid.
fn counted(layers: &[&TileLayer]) -> Option<BTreeMap<u32, u64>> {
    let mut all = BTreeMap::new();
    // Neighbouring tiles are often equal.
    let (mut last, mut count) = (0, 0);
    for layer in layers {
        layer.numbers(|_, number| {
            if number != last {
                *all.entry(last).or_default() += count;
                (last, count) = (number, 0);
            }
            count += 1;
        })?;
    }
    *all.entry(last).or_default() += count;
    all.remove(&0);
    Some(all)
}

/// Joins the tiles of each row of the image to a group. If all tiles are in the same row, each tile
/// is a group. `columns` is the number of tiles in a row.
fn grouped(tiles: &BTreeMap<u32, u64>, columns: Option<u32>) -> Vec<Group> {
    let columns = columns.unwrap_or(u32::MAX);
    let mut rows: BTreeMap<u32, Group> = BTreeMap::new();
    for (&tile, &count) in tiles {
        let first = tile / columns * columns;
        let row = rows.entry(first).or_insert((first, first.saturating_add(columns - 1), 0));
        row.2 += count;
    }
    if rows.len() == 1 {
        return tiles.iter().map(|(&tile, &count)| (tile, tile, count)).collect();
    }
    rows.into_values().collect()
}

/// Returns the remark about a tile set with several groups of tiles. The tiles after the first row of
/// the set can be something else than walls.
fn remark(set: &str, groups: &[Group]) -> Option<Remark> {
    let text = |&(first, last, _): &Group| match last {
        last if last == first => first.to_string(),
        last => format!("{first}-{last}"),
    };
    let has_rows = groups.iter().any(|(first, last, _)| first != last);
    let first = if has_rows { 0 } else { groups.first()?.0 };
    let rest = groups.iter().find(|group| group.0 > first)?;
    let rest = (rest.0, groups.last()?.1, 0);
    let listed = groups.iter().take(MOST_LISTED);
    let listed: Vec<_> = listed.map(|group| format!("{} of {}", group.2, text(group))).collect();
    let (name, listed) = (show::text(set), listed.join(", "));
    let selector = format!("tiles:{set}/{}", text(&rest));
    Some(Remark {
        text: format!("tiles of the set `{name}` can have different meanings: {listed}"),
        options: vec![
            ("to make all but the first walkable", option("--walkable", &selector)),
            ("to make them one-way platforms", option("--one-way", &selector)),
        ],
    })
}
