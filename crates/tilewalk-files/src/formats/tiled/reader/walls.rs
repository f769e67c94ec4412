//! Free walls of a Tiled map, from objects and from the collision shapes of tiles.

use std::collections::BTreeMap;

use crate::formats::tiled::DrawnWall;
use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::properties::WallKind;
use crate::formats::tiled::reader::shape::{self, Point};
use crate::formats::tiled::reader::stamp::StampWall;
use crate::keys::map::{MAX_WALL_LENGTH, MAX_WALLS};
use crate::text::diagnostic::Diagnostic;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::report::words;
use tilewalk_sim::sort::SmallSort;

/// Collector of walls. Counts the walls against the limits of a map.
#[derive(Debug)]
pub struct Walls {
    /// Width and height of the map, in tiles.
    size: Point,
    list: Vec<DrawnWall>,
    sides: usize,
    length: f32,
}

impl Walls {
    pub fn new(size: (u32, u32)) -> Self {
        let size = (f64::from(size.0), f64::from(size.1));
        Self { size, list: Vec::new(), sides: 0, length: 0.0 }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a polyline, with points in tiles. Parts outside the map are dropped.
    pub fn add(&mut self, label: &str, points: &[Point], closed: bool, kind: WallKind) {
        let mut line: Vec<Vec2> = Vec::new();
        let mut lines = Vec::new();
        let first = points.first().filter(|_| closed && points.len() > 2);
        let next = points.iter().skip(1).chain(first);
        for (&from, &to) in points.iter().zip(next) {
            let Some((from, to)) = shape::clipped(from, to, self.size) else { continue };
            let (from, to) = (rounded(from), rounded(to));
            if line.last() != Some(&from) {
                lines.push(core::mem::replace(&mut line, vec![from]));
            }
            if from != to {
                line.push(to);
            }
        }
        lines.push(line);
        for points in lines.into_iter().filter(|points| points.len() > 1) {
            self.sides += points.len() - 1;
            self.length += points.windows(2).map(|ends| (ends[1] - ends[0]).length()).sum::<f32>();
            if self.sides <= MAX_WALLS {
                let WallKind { one_sided, opaque } = kind;
                self.list.push(DrawnWall { label: label.to_owned(), points, one_sided, opaque });
            }
        }
    }

    /// Removes and returns all walls. Reports too many walls, and walls that are too long in total.
    pub fn finish(&mut self, map: &Element) -> Vec<DrawnWall> {
        if self.sides > MAX_WALLS || self.length > MAX_WALL_LENGTH {
            let message = format!(
                "the map has more than {MAX_WALLS} walls, or walls of more than {MAX_WALL_LENGTH} \
                 tiles in total"
            );
            let help = "use rectangles on whole tiles instead of lines and polygons";
            map.issues.push(Diagnostic::error(map.span(), message).help(help));
        }
        core::mem::take(&mut self.list)
    }
}

/// Rounds a point to thousandths of a tile, which are smaller than any pixel.
fn rounded((x, y): Point) -> Vec2 {
    let round = |number: f64| ((number * 1000.0).round() / 1000.0) as f32;
    Vec2::new(round(x), round(y))
}

/// Maximum number of sides of tile shapes that are stored before they are joined.
const MAX_SIDES: usize = 500_000;

/// A side of a tile shape, in thousandths of a tile: x and y of the start, and of the end.
type Side = [i32; 4];

/// Whether a side is of a one-sided wall, whether it is of a closed outline, and its ends.
type SideKey = (bool, bool, Side);

/// Collector of the walls of tile shapes. The common side of two shapes is not a wall, and sides in
/// one line become one wall.
#[derive(Debug, Default)]
pub struct TileWalls {
    /// Sides, and whether each is opaque.
    sides: BTreeMap<SideKey, bool>,
    /// Number of walls that are not stored.
    lost: u64,
}

impl TileWalls {
    /// Adds a wall of a tile at a position on the map.
    pub fn add(&mut self, at: (i64, i64), wall: &StampWall) {
        if self.sides.len() > MAX_SIDES {
            self.lost += 1;
            return;
        }
        let point = |point: &Point| {
            let along = |tile: i64, part: f64| ((tile as f64 + part) * 1000.0).round() as i32;
            (along(at.0, point.0), along(at.1, point.1))
        };
        let points: Vec<_> = wall.points.iter().map(point).collect();
        let first = points.first().filter(|_| wall.is_closed && points.len() > 2);
        // All outlines have the same sense, so that a common side of two shapes has both directions.
        let is_left = wall.is_closed && shape::signed_area(&wall.points) < 0.0;
        for (&from, &to) in points.iter().zip(points.iter().skip(1).chain(first)) {
            let (from, to) = if is_left { (to, from) } else { (from, to) };
            if from == to {
                continue;
            }
            let key = |from: (i32, i32), to: (i32, i32)| {
                (wall.kind.one_sided, wall.is_closed, [from.0, from.1, to.0, to.1])
            };
            let is_common = wall.is_closed && !wall.kind.one_sided;
            if !is_common || self.sides.remove(&key(to, from)).is_none() {
                self.sides.insert(key(from, to), wall.kind.opaque);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// Adds all walls to the walls of objects, joined and clipped to the map. Warns if there are too
    /// many walls, and adds none of them.
    pub fn finish(self, map: &Element, size: (u32, u32), walls: &mut Vec<DrawnWall>) {
        let size = (f64::from(size.0), f64::from(size.1));
        let tiles = |[ax, ay, bx, by]: Side| {
            let tile = |number: i32| f64::from(number) / 1000.0;
            ((tile(ax), tile(ay)), (tile(bx), tile(by)))
        };
        let mut all = Vec::new();
        for (side, one_sided, opaque) in joined(self.sides) {
            let (from, to) = tiles(side);
            let Some((from, to)) = shape::clipped(from, to, size) else { continue };
            let points = vec![rounded(from), rounded(to)];
            if points[0] != points[1] {
                all.push(DrawnWall { label: "tile shape".to_owned(), points, one_sided, opaque });
            }
        }
        let lines = walls.iter().chain(&all).flat_map(|wall| wall.points.windows(2));
        let (mut count, mut length) = (0, 0.0);
        for ends in lines {
            (count, length) = (count + 1, length + (ends[1] - ends[0]).length());
        }
        if self.lost > 0 || count > MAX_WALLS || length > MAX_WALL_LENGTH {
            let count = words::count(all.len() as u64 + self.lost, "wall");
            let message =
                format!("the collision shapes of tiles are left out: {count} are too many");
            let help = "in Tiled, use shapes that cover at least half of a tile";
            map.warn(message, help);
            return;
        }
        walls.extend(all);
    }
}

/// Line along an axis: whether its sides are one-sided, opaque, horizontal and from high to low, and
/// its x or y.
type LineKey = (bool, bool, bool, bool, i32);

/// Joins sides along the axes that touch each other. Returns each side with `one_sided` and
/// `opaque`.
fn joined(sides: BTreeMap<SideKey, bool>) -> Vec<(Side, bool, bool)> {
    let mut lines: BTreeMap<LineKey, Vec<(i32, i32)>> = BTreeMap::new();
    let mut all = Vec::new();
    for ((one_sided, _, [ax, ay, bx, by]), opaque) in sides {
        let is_level = ay == by;
        if !is_level && ax != bx {
            all.push(([ax, ay, bx, by], one_sided, opaque));
            continue;
        }
        let (from, to, line) = if is_level { (ax, bx, ay) } else { (ay, by, ax) };
        // Only the direction of one-sided walls matters.
        let is_back = one_sided && from > to;
        let key = (one_sided, opaque, is_level, is_back, line);
        lines.entry(key).or_default().push((from.min(to), from.max(to)));
    }
    for ((one_sided, opaque, is_level, is_back, line), mut parts) in lines {
        parts.small_sort();
        let mut whole: Vec<(i32, i32)> = Vec::new();
        for (low, high) in parts {
            match whole.last_mut().filter(|last| low <= last.1) {
                Some(last) => last.1 = last.1.max(high),
                None => whole.push((low, high)),
            }
        }
        for (low, high) in whole {
            let (from, to) = if is_back { (high, low) } else { (low, high) };
            let side = if is_level { [from, line, to, line] } else { [line, from, line, to] };
            all.push((side, one_sided, opaque));
        }
    }
    all
}
