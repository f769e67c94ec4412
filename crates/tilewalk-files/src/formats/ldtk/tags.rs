//! Solid tiles of LDtk levels by enum tags, by the names of layers of tiles, and by entities.

use std::collections::BTreeMap;

use super::{Entity, LdtkLayer, SOLID, TilesetDef, is_any};
use crate::formats::tiled::rules::Rules;
use crate::formats::tiled::selector::{Selector, SolidityRule};
use crate::formats::tiled::solidity::{AppliedRule, Candidate, Solidity};
use crate::show;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::sort::{SmallCollect, SmallSort};
use tilewalk_sim::tile::TileKind;

/// Maximum number of map tiles that tiles and entities cover. A map tile counts once for each of them.
const MOST_COVERED: u64 = 50_000_000;

/// Paints the tiles that selectors and names make solid or walkable.
pub struct TagPainter<'a> {
    pub tilesets: &'a [TilesetDef<'a>],
    pub rules: &'a Rules,
    /// The tile kinds of the legend.
    pub kinds: &'a [TileKind],
    /// Legend index of floor.
    pub floor: u8,
    /// Legend index of walls.
    pub wall: u8,
}

/// The rule that painted each tile; 0 for none.
struct Painted<'a> {
    tiles: &'a mut Grid<u8>,
    by: Grid<u16>,
    /// Effects of the rules: the rule, its name, and the legend index.
    rules: Vec<(SolidityRule, String, u8)>,
    /// Number of map tiles that can still be covered.
    left: u64,
}

impl TagPainter<'_> {
    /// Paints layers from bottom to top, and then entities. `tile` is the side of a map tile, in
    /// pixels. With `uses_names`, tags and layers with words for solid things are solid. Returns the
    /// applied rules, including the values that were painted before.
    pub fn paint(
        &self,
        layers: &[LdtkLayer],
        tile: u32,
        uses_names: bool,
        tiles: &mut Grid<u8>,
    ) -> Solidity {
        let by = Grid::filled(tiles.width(), tiles.height(), 0);
        let mut painted = Painted { tiles, by, rules: Vec::new(), left: MOST_COVERED };
        let mut candidates: BTreeMap<Selector, u64> = BTreeMap::new();
        for layer in layers.iter().rev() {
            self.paint_layer(layer, tile, uses_names, &mut painted, &mut candidates);
        }
        self.paint_entities(layers, tile, &mut painted, &mut candidates);
        let Painted { tiles, by, rules, .. } = painted;
        let mut counts = vec![0_u64; rules.len() + 1];
        let mut values = vec![0_u64; self.kinds.len()];
        for (&rule, &kind) in by.cells().iter().zip(tiles.cells()) {
            counts[usize::from(rule)] += 1;
            values[usize::from(kind)] += u64::from(rule == 0 && kind != self.floor);
        }
        let (mut solid, mut walkable) = (Vec::new(), Vec::new());
        for (kind, &tiles) in self.kinds.iter().zip(&values).filter(|(_, tiles)| **tiles > 0) {
            let list = if kind.walk { &mut walkable } else { &mut solid };
            let name = kind.name.clone();
            list.push(AppliedRule { rule: SolidityRule::Value, name, tiles });
        }
        for ((rule, name, kind), &count) in rules.into_iter().zip(&counts[1..]) {
            let list = if kind == self.wall { &mut solid } else { &mut walkable };
            if count > 0 {
                list.push(AppliedRule { rule, name, tiles: count });
            }
        }
        let all = tiles.cells().len() as u64;
        let candidate = |(selector, count)| Candidate { selector, count };
        let mut candidates: Vec<_> = candidates.into_iter().map(candidate).collect();
        candidates.small_sort_by_key(|each| (each.count >= all, std::cmp::Reverse(each.count)));
        Solidity { solid, walkable, candidates, tiles: all, ..Solidity::default() }
    }

    fn paint_layer(
        &self,
        layer: &LdtkLayer,
        tile: u32,
        uses_names: bool,
        painted: &mut Painted,
        candidates: &mut BTreeMap<Selector, u64>,
    ) {
        let all = || layer.tiles.0.iter().chain(&layer.auto_tiles.0);
        if all().next().is_none() || !layer.tile.is_multiple_of(tile) {
            return;
        }
        let of_layer = Selector::new(SolidityRule::Layer, &layer.name);
        let own = self.effect(&of_layer, uses_names, painted);
        let tags = self.tags(layer);
        let effects: BTreeMap<&str, Option<u16>> = { tags.values().flatten() }
            .map(|&tag| {
                (tag, self.effect(&Selector::new(SolidityRule::Tag, tag), uses_names, painted))
            })
            .small_collect();
        let scale = layer.tile / tile;
        for each in all() {
            if painted.left == 0 {
                return;
            }
            let along = |pixel: f64| (pixel / f64::from(tile)).round().clamp(-1e6, 1e6) as i32;
            let corner = TilePos::new(along(each.pixel[0]), along(each.pixel[1]));
            let own_tags = tags.get(&each.tile).map_or(&[][..], Vec::as_slice);
            let found = own_tags.iter().find_map(|tag| effects.get(tag).copied().flatten());
            if let Some(effect) = found.or(own) {
                let within =
                    |from: i32, side: u32| from.max(0)..(from + scale as i32).min(side as i32);
                let columns = within(corner.x, painted.tiles.width());
                for y in within(corner.y, painted.tiles.height()) {
                    for x in columns.clone() {
                        painted.lay(TilePos::new(x, y), effect);
                    }
                }
                continue;
            }
            *candidates.entry(of_layer.clone()).or_default() += 1;
            for tag in own_tags {
                *candidates.entry(Selector::new(SolidityRule::Tag, tag)).or_default() += 1;
            }
        }
    }

    /// Returns the tags of each tile of a layer's tile set.
    fn tags(&self, layer: &LdtkLayer) -> BTreeMap<u32, Vec<&str>> {
        let mut tags: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        let set = self.tilesets.iter().find(|set| Some(set.uid) == layer.tileset);
        for tag in set.into_iter().flat_map(|set| &set.tags.0) {
            for &tile in &tag.tiles.0 {
                tags.entry(tile).or_default().push(&tag.name);
            }
        }
        tags
    }

    /// Returns the number of the rule for a selector, from 1. Returns `None` if the user did not
    /// choose it, and if its name does not count.
    fn effect(&self, selector: &Selector, uses_names: bool, painted: &mut Painted) -> Option<u16> {
        let chosen = self.rules.chosen(selector);
        let named = || (uses_names && is_any(&selector.name, &SOLID)).then_some(false);
        let walks = chosen.or_else(named)?;
        let (rule, name) = match chosen {
            Some(_) => (SolidityRule::Chosen, selector.to_string()),
            None => (selector.rule, selector.name.clone()),
        };
        let entry = (rule, show::text(&name), if walks { self.floor } else { self.wall });
        let known = painted.rules.iter().position(|each| *each == entry);
        let index = known.unwrap_or_else(|| {
            painted.rules.push(entry);
            painted.rules.len() - 1
        });
        u16::try_from(index + 1).ok()
    }

    /// Paints the entities that the user chose: the tile of a small entity, and the tiles that a
    /// larger entity covers at least half.
    fn paint_entities(
        &self,
        layers: &[LdtkLayer],
        tile: u32,
        painted: &mut Painted,
        candidates: &mut BTreeMap<Selector, u64>,
    ) {
        for entity in layers.iter().flat_map(|layer| &layer.entities.0) {
            let selector = Selector::new(SolidityRule::Entity, &entity.name);
            let Some(effect) = self.effect(&selector, false, painted) else {
                *candidates.entry(selector).or_default() += 1;
                continue;
            };
            if painted.left == 0 {
                return;
            }
            for at in covered(entity, tile, (painted.tiles.width(), painted.tiles.height())) {
                painted.lay(at, effect);
            }
        }
    }
}

/// Returns the tiles of a map that an entity covers.
fn covered(entity: &Entity, tile: u32, size: (u32, u32)) -> impl Iterator<Item = TilePos> {
    let range = |axis: usize, side: f64, count: u32| {
        let low = (entity.pixel[axis] - entity.pivot[axis] * side) / f64::from(tile);
        let high = low + side / f64::from(tile);
        // An entity of one tile or less is on the tile of its centre.
        let (first, last) = if high - low <= 1.0 {
            let centre = f64::midpoint(low, high).floor();
            (centre, centre + 1.0)
        } else {
            ((low + 0.5).floor(), (high - 0.5).ceil())
        };
        let limit = |number: f64| number.clamp(0.0, f64::from(count)) as i32;
        limit(first)..limit(last)
    };
    let columns = range(0, entity.width, size.0);
    let rows = range(1, entity.height, size.1);
    rows.flat_map(move |y| columns.clone().map(move |x| TilePos::new(x, y)))
}

impl Painted<'_> {
    /// Applies a rule to a tile. Does nothing after too many tiles.
    fn lay(&mut self, at: TilePos, rule: u16) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return;
        }
        let Some((_, _, kind)) = self.rules.get(usize::from(rule).wrapping_sub(1)) else { return };
        if let (Some(tile), Some(by)) = (self.tiles.get_mut(at), self.by.get_mut(at)) {
            (*tile, *by) = (*kind, rule);
        }
    }
}
