//! Collects the free walls of a Tiled map.

use crate::formats::tiled::DrawnWall;
use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::shape::{self, Point};
use crate::formats::tiled::words::truth;
use crate::keys::map::{MAX_WALL_LENGTH, MAX_WALLS};
use crate::text::diagnostic::Diagnostic;
use tilewalk_sim::geom::Vec2;

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

    /// Adds a polyline, with points in tiles. Parts outside the map are dropped.
    pub fn add(
        &mut self,
        label: &str,
        points: &[Point],
        closed: bool,
        properties: &[(String, String)],
    ) {
        let flag = |key: &str| {
            let found = properties.iter().find(|(name, _)| name == key);
            found.and_then(|(_, value)| truth(value))
        };
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
                let (one_sided, opaque) = (flag("one_sided"), flag("opaque"));
                let (one_sided, opaque) = (one_sided == Some(true), opaque != Some(false));
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
