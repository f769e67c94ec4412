//! Reads terrains and Wang sets. Finds the tiles of which at least half is a terrain that bodies
//! can't enter.

use std::collections::BTreeMap;

use crate::formats::tiled::reader::element::Element;
use crate::keys::map::MAX_TILE;

/// Returns the tiles of which at least half consists of accepted terrains. `is_chosen` returns true
/// for the name of an accepted terrain. The key is the tile number. The value is the name of the
/// first accepted terrain of the tile.
pub fn read(set: &Element, is_chosen: impl Fn(&str) -> bool) -> BTreeMap<u32, String> {
    let mut tiles = BTreeMap::new();
    let terrains = set.all("terraintypes").flat_map(|list| list.all("terrain"));
    let terrains: Vec<_> = terrains.map(|it| it.attribute("name").unwrap_or_default()).collect();
    for tile in set.all("tile") {
        let Some(corners) = tile.attribute("terrain") else { continue };
        let corners = corners.split(',').map(|corner| corner.trim().parse::<usize>().ok());
        let names: Vec<_> = corners.map(|at| terrains.get(at?).copied()).collect();
        note(&mut tiles, tile.attribute("id"), &names, &is_chosen);
    }
    for wang in set.all("wangsets").flat_map(|list| list.all("wangset")) {
        let colors: Vec<_> =
            wang.all("wangcolor").map(|it| it.attribute("name").unwrap_or_default()).collect();
        for tile in wang.all("wangtile") {
            let parts = tile.attribute("wangid").unwrap_or_default();
            // Number 0 stands for no colour. Old files have one hexadecimal number instead.
            let numbers = parts.split(',').filter_map(|part| part.trim().parse::<usize>().ok());
            let numbers = numbers.filter(|&number| number > 0);
            let names: Vec<_> = numbers.map(|number| colors.get(number - 1).copied()).collect();
            note(&mut tiles, tile.attribute("tileid"), &names, &is_chosen);
        }
    }
    tiles
}

/// Adds a tile if at least half of its parts have a terrain that `is_chosen` accepts.
fn note(
    tiles: &mut BTreeMap<u32, String>,
    id: Option<&str>,
    parts: &[Option<&str>],
    is_chosen: impl Fn(&str) -> bool,
) {
    let closed = || parts.iter().flatten().filter(|name| is_chosen(name));
    let Some(id) = id.and_then(|id| id.parse().ok()).filter(|id| *id <= MAX_TILE) else { return };
    if let Some(first) = closed().next()
        && closed().count() * 2 >= parts.len()
    {
        tiles.entry(id).or_insert_with(|| (*first).to_owned());
    }
}
