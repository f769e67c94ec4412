//! Connected components of the walkable tiles. A comparison of two labels shows whether a goal is
//! reachable. A search would visit every reachable tile before it fails.
//!
//! The open tiles of each row form runs, and a union-find structure joins the runs of adjacent rows
//! (He, Chao & Suzuki 2008). Most maps have far fewer runs than tiles.

use core::ops::Range;
use std::sync::OnceLock;

use crate::cancel::Cancel;
use crate::geom::{Direction, TilePos};

use super::ground::Ground;
use super::{Corners, Edges, Map};

/// The connected component of each tile. Routes can cross one-sided walls in one direction only,
/// but these walls do not separate components.
#[derive(Debug, Clone)]
pub struct Components {
    /// Index of the first run of each row. The last entry is the number of runs.
    rows: Vec<u32>,
    /// First and last column of each run, in reading order. A run is a part of a row whose tiles are
    /// open and connected.
    runs: Vec<[u16; 2]>,
    /// For each run, an earlier run of its component, or the run itself. In the end, the first run
    /// of the component.
    parents: Vec<u32>,
}

impl Components {
    /// Computes the components of a map. Returns `None` if cancelled.
    pub fn of(map: &Map, cancel: &Cancel) -> Option<Self> {
        let mut islands = Self { rows: vec![0], runs: Vec::new(), parents: Vec::new() };
        for y in 0..map.height() as usize {
            if cancel.is_requested() {
                return None;
            }
            islands.add_row(map, y);
            if y > 0 {
                islands.join_rows(map, y - 1, y);
            }
        }
        if map.edges() == Edges::Wrap {
            islands.join_rows(map, map.height() as usize - 1, 0);
            islands.join_sides(map);
        }
        // Parents precede their children, so each parent already has the first run.
        for run in 0..islands.parents.len() {
            islands.parents[run] = islands.parents[islands.parents[run] as usize];
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
        let component = |tile| self.run(tile).map(|run| self.parents[run]);
        component(from).is_some_and(|label| component(to) == Some(label))
    }

    /// Returns true if two tiles are in the same component, so that a route can exist. If `from` is
    /// closed, returns true if one of its neighbours is in the component of `to`.
    pub(crate) fn connect(&self, map: &Map, from: TilePos, to: TilePos) -> bool {
        let joins = |tile: TilePos| map.resolve(tile).is_some_and(|tile| self.joins(tile, to));
        let mut neighbours = Direction::ALL.into_iter().map(|step| from.neighbour(step));
        joins(from) || !map.is_open(from) && neighbours.any(joins)
    }

    /// Returns the index of the run that contains a tile. Returns `None` for closed tiles and for
    /// tiles outside the map.
    fn run(&self, tile: TilePos) -> Option<usize> {
        let (x, y) = (u16::try_from(tile.x).ok()?, usize::try_from(tile.y).ok()?);
        let row = *self.rows.get(y)? as usize..*self.rows.get(y + 1)? as usize;
        let before = self.runs[row.clone()].partition_point(|&[first, _]| first <= x);
        let run = row.start + before.checked_sub(1)?;
        (x <= self.runs[run][1]).then_some(run)
    }

    fn row(&self, y: usize) -> Range<usize> {
        self.rows[y] as usize..self.rows[y + 1] as usize
    }

    /// Adds the runs of the next row.
    fn add_row(&mut self, map: &Map, y: usize) {
        let has_walls = !map.walls().is_empty();
        visit_open(map, y, |from, last| {
            let mut first = from;
            for x in from..last {
                // A wall can separate two open tiles.
                if has_walls && !joins(map, tile(x, y), Direction::East) {
                    self.runs.push([first, x]);
                    first = x + 1;
                }
            }
            self.runs.push([first, last]);
        });
        self.parents.extend(self.parents.len() as u32..self.runs.len() as u32);
        self.rows.push(self.runs.len() as u32);
    }

    /// Joins the runs of a row with the runs of the row below.
    fn join_rows(&mut self, map: &Map, above: usize, below: usize) {
        let reach = u16::from(diagonals_join(map));
        let mut upper = self.row(above);
        for lower in self.row(below) {
            let [first, last] = self.runs[lower];
            while upper.start < upper.end && self.runs[upper.start][1] + reach < first {
                upper.start += 1;
            }
            for upper in upper.clone() {
                if self.runs[upper][0] > last + reach {
                    break;
                }
                if map.walls().is_empty() || self.touch(map, above, [upper, lower]) {
                    self.join(upper, lower);
                }
            }
        }
    }

    /// Returns true if a step leads between two runs. The first run is in row `y`, and the second
    /// one in the row below.
    fn touch(&self, map: &Map, y: usize, [upper, lower]: [usize; 2]) -> bool {
        let ([left, right], [first, last]) = (self.runs[upper], self.runs[lower]);
        let down = [Direction::SouthEast, Direction::South, Direction::SouthWest];
        (left.max(first.saturating_sub(1))..=right.min(last + 1)).any(|x| {
            down.into_iter().any(|step| {
                let column = i32::from(x) + step.step().x;
                (i32::from(first)..=i32::from(last)).contains(&column)
                    && joins(map, tile(x, y), step)
            })
        })
    }

    /// Joins the runs at the left edge of a torus with the runs at the right edge.
    fn join_sides(&mut self, map: &Map) {
        let diagonals = [Direction::NorthEast, Direction::SouthEast];
        let diagonals = diagonals.into_iter().filter(|_| diagonals_join(map));
        for step in core::iter::once(Direction::East).chain(diagonals) {
            for y in 0..map.height() as usize {
                let from = tile(map.width() as u16 - 1, y);
                let to = map.resolve(from.neighbour(step));
                if let (Some(from_run), Some(to_run)) =
                    (self.run(from), to.and_then(|to| self.run(to)))
                    && joins(map, from, step)
                {
                    self.join(from_run, to_run);
                }
            }
        }
    }

    /// Joins the components of two runs.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first_run(a), self.first_run(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Returns the first run of a component, and shortens the way to it.
    fn first_run(&mut self, run: usize) -> u32 {
        let mut run = run as u32;
        loop {
            let parent = self.parents[run as usize];
            if parent == run {
                return run;
            }
            let next = self.parents[parent as usize];
            self.parents[run as usize] = next;
            run = next;
        }
    }
}

fn tile(x: u16, y: usize) -> TilePos {
    TilePos::new(x.into(), y as i32)
}

/// Calls `visit` with the first and the last column of each part of a row whose tiles are open.
fn visit_open(map: &Map, y: usize, mut visit: impl FnMut(u16, u16)) {
    let width = map.width() as usize;
    let mut first = None;
    let mut last_is_open = 0;
    for (tiles, start) in map.ground.cells()[y * width..][..width].chunks(64).zip((0..).step_by(64))
    {
        let is_open = |ground: &Ground| u64::from(!ground.has(Ground::CLOSED));
        let open = tiles.iter().rev().fold(0, |open, ground| open << 1 | is_open(ground));
        // The tiles that differ from the tile before.
        let mut changes = open ^ (open << 1 | last_is_open);
        last_is_open = open >> 63;
        while changes != 0 {
            let x = start + changes.trailing_zeros() as u16;
            changes &= changes - 1;
            match first.take() {
                None => first = Some(x),
                Some(first) => visit(first, x - 1),
            }
        }
    }
    if let Some(first) = first {
        visit(first, width as u16 - 1);
    }
}

/// Returns true if diagonal steps can join tiles that straight steps do not join. Steps that cut no
/// corner do so only where walls bar the straight steps.
fn diagonals_join(map: &Map) -> bool {
    map.corners() == Corners::Cut || !map.walls().is_empty()
}

/// Returns true if routes can take a step between two adjacent open tiles, or the step back.
fn joins(map: &Map, from: TilePos, step: Direction) -> bool {
    let leads = |from: TilePos, step| map.step(from, step, true).is_ok();
    map.walls().is_empty()
        || !step.is_diagonal() && !map.is_barred(from, step)
        || leads(from, step)
        || leads(from.neighbour(step), step.turned(4))
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
