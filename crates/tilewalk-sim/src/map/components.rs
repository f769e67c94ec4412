//! Connected components of the walkable tiles. A comparison of two labels shows whether a goal is
//! reachable. A search would visit every reachable tile before it fails.

use std::sync::OnceLock;

use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};
use crate::grid::Grid;

use super::{Corners, Map};

/// The connected component of each tile. Routes can cross one-sided walls in one direction only,
/// but these walls do not separate components.
#[derive(Debug, Clone)]
pub struct Components(Grid<u32>);

/// Label of tiles that routes cannot enter.
const NONE: u32 = 0;

impl Components {
    /// Computes the components of a map by flood fill. Returns `None` if cancelled.
    pub fn of(map: &Map, cancel: &Cancel) -> Option<Self> {
        let mut islands = Self(Grid::filled(map.width(), map.height(), NONE));
        // Diagonal steps that cut no corner join only tiles that straight steps also join.
        let steps: &[Direction] = match map.corners() {
            Corners::Cut => &Direction::ALL,
            // Walls can bar straight steps beside an open diagonal.
            Corners::Patterns | Corners::Block if !map.walls().is_empty() => &Direction::ALL,
            Corners::Patterns | Corners::Block => &Direction::STRAIGHT,
        };
        let mut frontier = Vec::new();
        let mut number = NONE;
        for (tile, _) in map.tiles().iter() {
            islands.claim(map, tile, number + 1, &mut frontier);
            number += u32::from(!frontier.is_empty());
            while let Some(tile) = frontier.pop() {
                if cancel.is_requested() {
                    return None;
                }
                for &step in steps {
                    if let Some(next) = map.resolve(tile.neighbour(step))
                        && joins(map, tile, step)
                    {
                        islands.claim(map, next, number, &mut frontier);
                    }
                }
            }
        }
        Some(islands)
    }

    /// Returns the components stored in `known`. If `known` is empty, computes and stores them
    /// first. Returns `None` if cancelled.
    pub(crate) fn once<'a>(
        known: &'a OnceLock<Self>,
        map: &Map,
        cancel: &Cancel,
    ) -> Option<&'a Self> {
        if known.get().is_none() {
            let islands = Self::of(map, cancel)?;
            return Some(known.get_or_init(|| islands));
        }
        known.get()
    }

    /// Returns true if both tiles are in the same component. With one-sided walls, this does
    /// not guarantee a route.
    pub(crate) fn joins(&self, from: TilePos, to: TilePos) -> bool {
        self.at(from) != NONE && self.at(from) == self.at(to)
    }

    /// Returns true if two tiles are in the same component, so that a route can exist. If `from` is
    /// closed, returns true if one of its neighbours is in the component of `to`.
    pub(crate) fn connect(&self, map: &Map, from: TilePos, to: TilePos) -> bool {
        let joins = |tile: TilePos| map.resolve(tile).is_some_and(|tile| self.joins(tile, to));
        let mut neighbours = Direction::ALL.into_iter().map(|step| from.neighbour(step));
        joins(from) || !map.is_open(from) && neighbours.any(joins)
    }

    fn at(&self, tile: TilePos) -> u32 {
        self.0.get(tile).copied().unwrap_or(NONE)
    }

    /// Adds an open tile to component `number` and to `frontier`. Does nothing if the tile already
    /// belongs to a component.
    fn claim(&mut self, map: &Map, tile: TilePos, number: u32, frontier: &mut Vec<TilePos>) {
        if let Some(slot) = self.0.get_mut(tile).filter(|slot| **slot == NONE)
            && map.is_open(tile)
        {
            *slot = number;
            frontier.push(tile);
        }
    }
}

/// Returns true if routes can take a step to an adjacent tile, or the step back.
fn joins(map: &Map, from: TilePos, step: Direction) -> bool {
    let leads = |from: TilePos, step| map.step(from, step, true).is_ok();
    map.walls().is_empty() || leads(from, step) || leads(from.neighbour(step), step.turned(4))
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::super::route::RouteField;
    use super::super::tests::drawn;
    use super::*;

    #[test]
    fn walls_and_corners_separate_islands() {
        let map = drawn(&["..#..", "..##.", "##...", "....."], Edges::Wall);
        let islands = Components::of(&map, &Cancel::default()).unwrap();
        let connect = |a: (i32, i32), b: (i32, i32)| {
            islands.connect(&map, TilePos::new(a.0, a.1), TilePos::new(b.0, b.1))
        };
        assert!(connect((0, 0), (1, 1)) && connect((3, 0), (0, 3)));
        assert!(!connect((1, 1), (2, 2)), "only past two corners");
        assert!(!connect((0, 0), (2, 0)) && !connect((2, 0), (9, 9)), "a wall is on no island");
        assert!(connect((2, 0), (4, 0)), "a body on a closed tile may leave it");
    }

    #[test]
    fn islands_are_the_tiles_that_a_route_field_reaches() {
        let rows = ["..#...#", ".#..#..", "#...##.", "..#...T", "..#.#.."];
        for edges in [Edges::Wall, Edges::Wrap] {
            let map = drawn(&rows, edges);
            let islands = Components::of(&map, &Cancel::default()).unwrap();
            for (goal, _) in map.tiles().iter() {
                let field =
                    RouteField::towards(&Cancel::default(), &map, core::iter::once(goal)).unwrap();
                for (tile, _) in map.tiles().iter() {
                    let reached = field.next_step(tile).is_some();
                    assert_eq!(islands.joins(tile, goal), reached, "{tile} to {goal}");
                }
            }
        }
    }
}
