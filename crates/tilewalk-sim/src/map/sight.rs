//! Line of sight between two positions.

use crate::geom::{TilePos, Vec2};

use super::Map;

impl Map {
    /// Returns true if no opaque tile and no opaque wall is between two positions. The field of view
    /// is ignored.
    ///
    /// The tiles are those of [`Map::line`] without the two ends, so an agent on an opaque tile can
    /// see and be seen. Walls block the straight line between the positions. Sight is symmetric.
    pub fn sees(&self, eye: Vec2, other: Vec2) -> bool {
        self.tile_blocking_sight(eye, other).is_none()
            && self.wall_blocking_sight(eye, other).is_none()
    }

    /// Returns the first opaque tile between two positions, if any.
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

#[cfg(test)]
mod tests {
    use super::super::Edges;
    use super::*;
    use crate::grid::Grid;
    use crate::map::Corners;
    use crate::tile::TileKind;

    /// Returns a map parsed from rows of `.` (floor) and `#` (opaque wall).
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
}
