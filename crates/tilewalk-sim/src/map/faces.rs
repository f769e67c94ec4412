//! The straight wall faces near a position: the outline of the solid tiles, and free walls.
//!
//! The edges of adjacent solid tiles form one face, so a straight wall has no corners between its
//! tiles.

use crate::geom::{TilePos, Vec2, unit};

use super::ground::Ground;
use super::sweep::around;
use super::{Map, WallId};

/// The side of a wall that faces a position. Coordinates are relative to the position, in tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Face {
    /// Both ends of the face.
    pub ends: [Vec2; 2],
    /// Unit normal of the face, which points to the side of the position.
    pub normal: Vec2,
    /// The corner at each end.
    pub corners: [Corner; 2],
    pub wall: FaceOwner,
}

/// The corner at an end of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Corner {
    /// The wall continues straight, or turns towards the position's side.
    Inner,
    /// The wall turns away from the position's side. The vector is the direction of the adjacent
    /// face, away from the corner.
    Outer(Vec2),
    /// The end of a free wall.
    Tip,
}

/// The wall that a face belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaceOwner {
    /// A straight row of solid tiles. The tile is the one nearest to the position.
    Tile(TilePos),
    /// A free wall.
    Wall(WallId),
}

impl Map {
    /// Calls `visit` for each wall face that can be within `reach` tiles of a position. Can also
    /// visit farther faces. Faces end `reach` tiles from the position or a little beyond.
    ///
    /// Visits only faces with the position on their open side. On a torus, visits each image of a
    /// wall in reach.
    pub(crate) fn visit_faces(&self, position: Vec2, reach: f32, mut visit: impl FnMut(Face)) {
        let far = Vec2::splat(reach);
        let low = TilePos::containing(position - far);
        let high = TilePos::containing(position + far);
        if self.may_have(low, high, Ground::SOLID) {
            for rows in [true, false] {
                let outline = Outline { map: self, rows };
                outline.visit(position, [low, high], &mut visit);
            }
        }
        self.visit_free_walls(position, reach, visit);
    }

    /// Calls `visit` for each free wall within `reach` tiles of a position, once per image.
    /// One-sided walls count only if the position is on the side of their normal.
    fn visit_free_walls(&self, position: Vec2, reach: f32, mut visit: impl FnMut(Face)) {
        if self.walls().is_empty() {
            return;
        }
        let point = position.as_dvec2();
        for tile in around(TilePos::containing(position), reach.ceil() as i32) {
            self.visit_walls_near(tile, 0.0, |wall| {
                let nearest = wall.nearest(point);
                // The index lists a wall at several tiles. Only the tile of the nearest point
                // counts.
                if TilePos::containing(nearest.as_vec2()) != tile || !wall.is_in_front(point) {
                    return;
                }
                let ends = wall.ends().map(|end| (end - point).as_vec2());
                let normal = unit(ends[1] - ends[0]).perp();
                let normal = if normal.dot(ends[0]) > 0.0 { -normal } else { normal };
                if (nearest - point).length() <= f64::from(reach) {
                    let wall = FaceOwner::Wall(wall.id);
                    visit(Face { ends, normal, corners: [Corner::Tip; 2], wall });
                }
            });
        }
    }
}

/// The outline of the solid tiles along the rows or the columns of a map.
#[derive(Clone, Copy)]
struct Outline<'a> {
    map: &'a Map,
    /// Whether the faces are parallel to the x axis.
    rows: bool,
}

impl Outline<'_> {
    /// Returns a tile by its coordinates along and across the faces.
    fn tile(self, along: i32, across: i32) -> TilePos {
        if self.rows { TilePos::new(along, across) } else { TilePos::new(across, along) }
    }

    fn is_solid(self, along: i32, across: i32) -> bool {
        self.map.is_solid(self.tile(along, across))
    }

    /// Returns the coordinates of a tile along and across the faces.
    fn split(self, tile: TilePos) -> (i32, i32) {
        if self.rows { (tile.x, tile.y) } else { (tile.y, tile.x) }
    }

    /// Returns a vector by its components along and across the faces.
    fn vector(self, along: f32, across: f32) -> Vec2 {
        if self.rows { Vec2::new(along, across) } else { Vec2::new(across, along) }
    }

    /// Visits the faces in a rectangle of tiles, given by its corners.
    fn visit(self, position: Vec2, [low, high]: [TilePos; 2], visit: &mut impl FnMut(Face)) {
        let (here_along, here) = self.split(TilePos::containing(position));
        let (first, low) = self.split(low);
        let (last, high) = self.split(high);
        for line in low + 1..=high {
            // The body is beyond the line, or before it.
            let (open, solid, side) =
                if line <= here { (line, line - 1, 1.0) } else { (line - 1, line, -1.0) };
            let is_face = |at: i32| self.is_solid(at, solid) && !self.is_solid(at, open);
            let normal = self.vector(0.0, side);
            let corner = |beyond: i32| {
                let is_open = !self.is_solid(beyond, open) && !self.is_solid(beyond, solid);
                if is_open { Corner::Outer(-normal) } else { Corner::Inner }
            };
            let mut at = first;
            while at <= last {
                if !is_face(at) {
                    at += 1;
                    continue;
                }
                let start = at;
                while at <= last && is_face(at) {
                    at += 1;
                }
                let end = |along: i32| self.vector(along as f32, line as f32) - position;
                visit(Face {
                    ends: [end(start), end(at)],
                    normal,
                    corners: [corner(start - 1), corner(at)],
                    wall: FaceOwner::Tile(self.tile(here_along.clamp(start, at - 1), solid)),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::walls::Wall;
    use crate::map::{Edges, tests::drawn};

    /// Returns the faces within 3 tiles of a position, as ends on the map and corners.
    fn faces(map: &Map, x: f32, y: f32) -> Vec<([Vec2; 2], [bool; 2])> {
        let mut found = Vec::new();
        let here = Vec2::new(x, y);
        map.visit_faces(here, 3.0, |face| {
            assert!(face.ends[0].dot(face.normal) <= 0.0, "{face:?}");
            found.push((
                face.ends.map(|end| end + here),
                face.corners.map(|it| it != Corner::Inner),
            ));
        });
        found
    }

    fn line(from: (f32, f32), to: (f32, f32)) -> [Vec2; 2] {
        [Vec2::from(from), Vec2::from(to)]
    }

    #[test]
    fn tiles_in_a_row_are_one_face_with_two_corners() {
        let rows = [".........", ".........", "..###....", ".........", "........."];
        let map = drawn(&[&rows[..], &rows[..2]].concat(), Edges::Wrap);
        assert_eq!(faces(&map, 3.5, 0.5), [(line((2.0, 2.0), (5.0, 2.0)), [true, true])]);
        assert_eq!(faces(&map, 1.5, 2.5), [(line((2.0, 2.0), (2.0, 3.0)), [true, true])]);
    }

    #[test]
    fn inner_corners_and_cut_faces_have_no_corner() {
        let map = drawn(&["#.....", "#.....", "####..", "......"], Edges::Wall);
        let found = faces(&map, 2.5, 1.5);
        assert!(found.contains(&(line((1.0, 2.0), (4.0, 2.0)), [false, true])), "{found:?}");
        assert!(found.contains(&(line((1.0, 0.0), (1.0, 2.0)), [false, false])), "{found:?}");
        let border = line((1.0, 0.0), (6.0, 0.0));
        assert!(found.contains(&(border, [false, false])), "{found:?}");
    }

    #[test]
    fn faces_continue_across_the_edge_of_a_torus() {
        let map = drawn(&["########", "........", "........", "........"], Edges::Wrap);
        let found = faces(&map, 0.5, 2.0);
        let above = line((-3.0, 1.0), (4.0, 1.0));
        let below = line((-3.0, 4.0), (4.0, 4.0));
        assert_eq!(found, [(above, [false, false]), (below, [false, false])]);
    }

    #[test]
    fn free_walls_are_visited_once_from_the_side_that_stops_bodies() {
        let wall = |from, to, one_sided| Wall {
            from: Vec2::from(from),
            to: Vec2::from(to),
            one_sided,
            opaque: false,
            entry: 0,
        };
        let map = drawn(&[".........."; 10], Edges::Wrap);
        let walls = vec![
            wall((3.0, 4.0), (7.0, 4.0), false),
            wall((3.0, 6.0), (7.0, 6.0), true),
            wall((3.0, 7.0), (7.0, 7.0), false),
        ];
        let map = map.with_walls(walls, vec![String::new()]);
        let above = (line((3.0, 4.0), (7.0, 4.0)), [true, true]);
        let one_sided = (line((3.0, 6.0), (7.0, 6.0)), [true, true]);
        let below = (line((3.0, 7.0), (7.0, 7.0)), [true, true]);
        assert_eq!(faces(&map, 5.2, 5.0), [above, below]);
        assert_eq!(faces(&map, 5.2, 6.5), [above, one_sided, below]);
    }
}
