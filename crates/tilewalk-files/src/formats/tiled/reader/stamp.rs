//! Places the images and collision shapes of tiles on the grid of a map.
//!
//! The lower left corner of an image is the lower left corner of its tile on the map. A larger image
//! also covers the tiles above and to the right.

use crate::formats::tiled::reader::properties::WallKind;
use crate::formats::tiled::reader::shape::{self, Point};
use crate::formats::tiled::reader::tile_image::{Outline, TileImage};

/// Maximum width and height of an image that covers several tiles, in tiles. A larger image counts
/// only for its lower left tile.
const MAX_SIDE: f64 = 64.0;

/// Number of corners of the walls around a round shape: every fourth corner of the shape.
pub const ROUND_STEP: usize = 4;

/// A wall of a tile. The corners are in map tiles, from the upper left corner of the tile.
#[derive(Debug, Clone)]
pub struct StampWall {
    pub points: Vec<Point>,
    pub is_closed: bool,
    pub kind: WallKind,
}

/// The effect of an image and its shapes on the grid.
#[derive(Debug, Clone, Default)]
pub struct Stamp {
    /// Whether the shapes close the tile itself.
    pub closes: bool,
    /// Whether the tile has shapes.
    pub has_shapes: bool,
    pub is_one_way: bool,
    /// Offsets of the other tiles that the image covers at least half.
    pub image: Vec<(i32, i32)>,
    /// Offsets of the other tiles that the shapes cover at least half.
    pub spill: Vec<(i32, i32)>,
    /// Walls of the shapes that close no tile.
    pub walls: Vec<StampWall>,
}

impl Stamp {
    /// Places an image on tiles of the size `grid`, in pixels. Each step reduces `budget`. Returns
    /// `None` if the budget is too small.
    pub fn new(image: &TileImage, grid: Point, budget: &mut f64) -> Option<Self> {
        let (width, height) = image.size;
        let is_small = width <= grid.0 * MAX_SIDE && height <= grid.1 * MAX_SIDE;
        let tiles = |side: f64, unit: f64| {
            if is_small { (side / unit - shape::TOLERANCE).ceil().max(1.0) as i32 } else { 1 }
        };
        let (columns, rows) = (tiles(width, grid.0), tiles(height, grid.1));
        let mut stamp = Self {
            has_shapes: !image.outlines.is_empty(),
            is_one_way: image.is_one_way,
            ..Self::default()
        };
        let is_area = |outline: &&Outline| !outline.is_line && !outline.properties.is_one_way();
        let areas: Vec<_> = image.outlines.iter().filter(is_area).collect();
        let corners: usize = areas.iter().map(|outline| outline.points.len()).sum();
        *budget -= f64::from(columns) * f64::from(rows) * (corners + 1) as f64;
        let mut closed = Vec::new();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            let low = (f64::from(column) * grid.0, height - f64::from(row + 1) * grid.1);
            let high = (low.0 + grid.0, low.1 + grid.1);
            let part = |outline: &&Outline| {
                let within = shape::between_x(&outline.points, low.0, high.0);
                shape::between_y(&within, low.1, high.1)
            };
            let parts: Vec<_> = areas.iter().map(part).collect();
            let least = 0.5 - shape::TOLERANCE;
            let closes = shape::union_area(&parts, budget)? >= least * grid.0 * grid.1;
            let across = (width - low.0).min(grid.0);
            let down = (high.1.min(height) - low.1.max(0.0)).max(0.0);
            if (row, column) == (0, 0) {
                stamp.closes = closes;
            } else {
                let offset = (column, -row);
                if across * down >= least * grid.0 * grid.1 {
                    stamp.image.push(offset);
                }
                if closes {
                    stamp.spill.push(offset);
                }
            }
            if closes {
                closed.push((low, high));
            }
        }
        if *budget < 0.0 {
            return None;
        }
        stamp.add_walls(image, grid, &closed);
        Some(stamp)
    }

    /// Adds the walls of shapes that touch no closed tile, and of one-way platforms.
    fn add_walls(&mut self, image: &TileImage, grid: Point, closed: &[(Point, Point)]) {
        let height = image.size.1;
        let to_tiles = |&(x, y): &Point| (x / grid.0, (y + grid.1 - height) / grid.1);
        let platform = |low: Point, high: Point| {
            let points = [(high.0, low.1), low].iter().map(to_tiles).collect();
            let kind = WallKind { one_sided: true, opaque: true };
            StampWall { points, is_closed: false, kind }
        };
        if image.is_one_way && image.outlines.is_empty() {
            self.walls.push(platform((0.0, 0.0), image.size));
        }
        for outline in &image.outlines {
            let (low, high) = shape::bounds(&outline.points);
            if image.is_one_way || outline.properties.is_one_way() {
                self.walls.push(platform(low, high));
                continue;
            }
            let touches = |(from, to): &(Point, Point)| {
                low.0 < to.0 && high.0 > from.0 && low.1 < to.1 && high.1 > from.1
            };
            let is_dot = low.0 == high.0 && low.1 == high.1;
            if is_dot || !outline.is_line && closed.iter().any(touches) {
                continue;
            }
            let step = if outline.is_round { ROUND_STEP } else { 1 };
            self.walls.push(StampWall {
                points: outline.points.iter().step_by(step).map(to_tiles).collect(),
                is_closed: !outline.is_line,
                kind: outline.properties.wall(),
            });
        }
    }
}
