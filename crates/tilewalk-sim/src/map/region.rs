//! Regions: tiles among which one can walk. Whether a walk exists at all is told by them at once,
//! where looking for it would mean looking at everything within reach.

use crate::geom::{Notch, TilePos};
use crate::grid::Grid;

use super::{Corners, Map};

/// The region of every tile.
#[derive(Debug, Clone)]
pub(crate) struct Regions {
    /// 0 for tiles that can't be entered; else a number that the tiles of a region share.
    labels: Grid<u32>,
}

impl Regions {
    /// The regions of a map, as routes may step.
    pub fn of(map: &Map) -> Self {
        let mut labels = Grid::filled(map.width(), map.height(), 0);
        // A diagonal that cuts no corner passes two open tiles: it joins nothing they don't.
        let steps: &[Notch] = match map.corners() {
            Corners::Cut => &Notch::ALL,
            Corners::Patterns | Corners::Block => &Notch::STRAIGHT,
        };
        let mut open: Vec<TilePos> = Vec::new();
        let mut label = 0;
        for (tile, _) in map.tiles().iter() {
            let mut reach = |tile: TilePos, label: u32, open: &mut Vec<TilePos>| {
                let Some(slot) = labels.get_mut(tile).filter(|slot| **slot == 0) else { return };
                if map.is_open(tile) {
                    *slot = label;
                    open.push(tile);
                }
            };
            reach(tile, label + 1, &mut open);
            label += u32::from(!open.is_empty());
            while let Some(tile) = open.pop() {
                for &step in steps {
                    if let Some(beside) = map.resolve(tile.neighbour(step)) {
                        reach(beside, label, &mut open);
                    }
                }
            }
        }
        Self { labels }
    }

    /// Can one walk from one tile of the map to the other?
    pub(crate) fn joins(&self, from: TilePos, to: TilePos) -> bool {
        let label = |tile| self.labels.get(tile).copied().unwrap_or(0);
        label(from) != 0 && label(from) == label(to)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::route::RouteField;
    use super::super::tests::drawn;
    use super::*;

    #[test]
    fn a_region_is_what_a_field_reaches() {
        let rows = ["..#...#", ".#..#..", "#...##.", "..#...T", "..#.#.."];
        for edges in [Edges::Wall, Edges::Wrap] {
            let map = drawn(&rows, edges);
            let regions = Regions::of(&map);
            for (goal, _) in map.tiles().iter() {
                let field = RouteField::towards(&map, core::iter::once(goal));
                for (tile, _) in map.tiles().iter() {
                    let reached = field.lead(tile).is_some();
                    assert_eq!(regions.joins(tile, goal), reached, "{tile} to {goal}");
                }
            }
        }
    }
}
