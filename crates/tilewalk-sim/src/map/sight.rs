//! Line of sight between two positions.

use crate::geom::{DVec2, TilePos, Vec2, ray, unit};

use super::sweep::around;
use super::{Map, Obstacle};

impl Map {
    /// Returns true if no opaque tile, wall or obstacle is between two positions. The field of view
    /// is ignored.
    ///
    /// The tiles of [`Map::line`] are tested, except for the two ends. An agent on an opaque tile
    /// can therefore see and be seen. Walls and obstacles block the straight line between the
    /// positions. Sight is symmetric.
    pub fn sees(&self, eye: Vec2, other: Vec2) -> bool {
        self.tile_blocking_sight(eye, other).is_none()
            && self.wall_blocking_sight(eye, other).is_none()
            && self.obstacle_blocking_sight(eye, other).is_none()
    }

    /// Returns the opaque obstacle that blocks sight between two positions. If several obstacles
    /// block sight, returns the obstacle nearest to `eye`. Returns `None` if no obstacle blocks
    /// sight. An obstacle that contains one of the positions does not count.
    pub fn obstacle_blocking_sight(&self, eye: Vec2, other: Vec2) -> Option<Obstacle> {
        self.first_opaque_obstacle(eye, other).map(|(_, obstacle)| obstacle)
    }

    /// Returns the point where an obstacle or a wall blocks sight between two positions, wrapped
    /// onto the map. If both block sight, returns the point of the obstacle. Returns `None` if
    /// neither blocks sight.
    pub fn sight_hit(&self, eye: Vec2, other: Vec2) -> Option<Vec2> {
        let (_, line, swapped) = self.sight_line(eye, other);
        let line = if swapped { -line } else { line };
        let obstacle = self.first_opaque_obstacle(eye, other).map(|(share, _)| share);
        let share = obstacle.or_else(|| self.wall_on_sight(eye, other))?;
        Some(self.wrap(eye + line * share))
    }

    /// Returns the line of sight as its start and the vector to its end. The third value is true if
    /// the line starts at `other` instead of `eye`. The line is the same in both directions, even
    /// halfway around a torus.
    pub(in crate::map) fn sight_line(&self, eye: Vec2, other: Vec2) -> (Vec2, Vec2, bool) {
        let swapped = (other.y, other.x) < (eye.y, eye.x);
        let (from, to) = if swapped { (other, eye) } else { (eye, other) };
        (from, self.offset(from, to), swapped)
    }

    /// Returns the first opaque obstacle on the line of sight from `eye`. Also returns the share of
    /// the line before it, from 0 to 1.
    fn first_opaque_obstacle(&self, eye: Vec2, other: Vec2) -> Option<(f32, Obstacle)> {
        if !self.obstacles.block_sight() {
            return None;
        }
        let (from, line, swapped) = self.sight_line(eye, other);
        let mut first: Option<(f32, Obstacle)> = None;
        let mut meet = |obstacle: Obstacle| {
            let Some((enter, leave)) = chord(obstacle, from, line) else { return };
            let share = if swapped { 1.0 - leave } else { enter } as f32;
            if obstacle.opaque && first.is_none_or(|(earlier, _)| share < earlier) {
                first = Some((share, obstacle));
            }
        };
        let end = from + line;
        self.visit_large_obstacles((from.min(end), from.max(end)), 0.0, &mut meet);
        for passed in ray::passed(from, unit(line), line.length()) {
            for tile in around(passed.tile, 1) {
                self.visit_obstacles_on(tile, &mut meet);
            }
        }
        first
    }

    /// Returns the opaque tile nearest to `eye` between two positions. Returns `None` if no tile
    /// blocks sight. The tiles of the two positions do not count. On a torus, the returned tile may
    /// be outside the map.
    pub fn tile_blocking_sight(&self, eye: Vec2, other: Vec2) -> Option<TilePos> {
        let tile = |position| {
            let tile = TilePos::containing(position);
            self.resolve(tile).unwrap_or(tile)
        };
        let line = self.line(tile(eye), tile(other));
        (1..line.len()).map(|step| line.tile(step)).find(|&tile| self.is_opaque(tile))
    }

    /// Returns true if a tile blocks sight. Tiles outside a map without wrapping block sight.
    pub fn is_opaque(&self, tile: TilePos) -> bool {
        self.kind(tile).is_none_or(|kind| kind.opaque)
    }
}

/// Returns the shares of a line at which it enters and leaves an obstacle, from 0 to 1. Returns
/// `None` if the line passes beside the obstacle, or if an end of the line is in the obstacle.
fn chord(obstacle: Obstacle, from: Vec2, line: Vec2) -> Option<(f64, f64)> {
    let (line, radius) = (line.as_dvec2(), f64::from(obstacle.radius));
    let start: DVec2 = from.as_dvec2() - obstacle.centre.as_dvec2();
    let square = line.length_squared();
    let nearest = -start.dot(line) / square;
    // Both ends are outside only if the point nearest to the centre is between them.
    let is_outside = |at: DVec2| at.length_squared() >= radius * radius;
    if !(0.0..=1.0).contains(&nearest) || !is_outside(start) || !is_outside(start + line) {
        return None;
    }
    let room = radius * radius - (start + line * nearest).length_squared();
    let half = (room.max(0.0) / square).sqrt();
    (room > 0.0).then_some((nearest - half, nearest + half))
}

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::*;
    use crate::grid::Grid;
    use crate::map::Corners;
    use crate::tile::TileKind;

    /// Creates a map from rows of `.` (floor) and `#` (opaque wall).
    fn walled(rows: &[&str], edges: Edges) -> Map {
        let mut wall = TileKind::floor("#", "wall");
        (wall.walk, wall.opaque) = (false, true);
        let cells = rows.iter().flat_map(|row| row.bytes()).map(|byte| u8::from(byte == b'#'));
        let tiles = Grid::from_cells(rows[0].len() as u32, cells.collect()).unwrap();
        let legend = vec![TileKind::floor(".", "floor"), wall];
        Map::new(tiles, legend, vec![], edges, Corners::default()).unwrap()
    }

    fn sees(map: &Map, a: (i32, i32), b: (i32, i32)) -> bool {
        let centre = |(x, y)| TilePos::new(x, y).centre();
        map.sees(centre(a), centre(b))
    }

    #[test]
    fn only_tiles_between_the_ends_block_sight() {
        let map = walled(&[".....", "..#..", "....."], Edges::Wall);
        assert!(!sees(&map, (0, 1), (4, 1)));
        assert!(sees(&map, (0, 0), (4, 0)));
        assert!(sees(&map, (2, 1), (4, 1)), "an eye in a doorway");
        assert!(sees(&map, (1, 1), (2, 1)), "next to each other");
        assert!(sees(&map, (0, 1), (0, 1)), "the same tile");
    }

    #[test]
    fn sight_is_symmetric() {
        let rows = ["..#....", "#...#..", "..#...#", "....#..", ".#....."];
        for edges in [Edges::Wall, Edges::Wrap] {
            let map = walled(&rows, edges);
            let tiles = || (0..5).flat_map(|y| (0..7).map(move |x| (x, y)));
            for a in tiles() {
                for b in tiles() {
                    assert_eq!(sees(&map, a, b), sees(&map, b, a), "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn sight_crosses_a_torus_edge() {
        let map = walled(&["..#....."], Edges::Wrap);
        assert!(sees(&map, (0, 0), (6, 0)));
        assert!(!sees(&map, (1, 0), (3, 0)));
        assert!(!sees(&map, (0, 0), (4, 0)), "half-way round: towards growing x");
        assert!(sees(&map, (3, 0), (7, 0)));
    }

    #[test]
    fn the_hit_halfway_around_a_torus_is_on_the_blocked_line() {
        let rock = Obstacle { centre: Vec2::new(4.5, 1.5), radius: 0.4, opaque: true };
        let tiles = Grid::from_cells(8, vec![0; 24]).unwrap();
        let legend = vec![TileKind::floor(".", "floor")];
        let map = Map::new(tiles, legend, vec![rock], Edges::Wrap, Corners::default()).unwrap();
        let (west, east) = (Vec2::new(2.5, 1.5), Vec2::new(6.5, 1.5));
        let near = |hit: Option<Vec2>, x: f32| (hit.unwrap() - Vec2::new(x, 1.5)).length() < 1e-4;
        assert!(near(map.sight_hit(west, east), 4.1));
        assert!(near(map.sight_hit(east, west), 4.9), "{:?}", map.sight_hit(east, west));
    }
}
