//! The display list: what a picture shows, as shapes in pixels.
//!
//! Back ends draw the shapes in the order of the list. A shape can extend beyond the map: the frame is
//! drawn over it.

use std::sync::Arc;

use crate::geom::Vec2;
use crate::geom::vector::rotate_by;
use crate::palette::Rgb;

pub use crate::steering::note::Dash;

/// A colour with an opacity, 255 for opaque.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ink {
    pub rgb: Rgb,
    pub alpha: u8,
}

impl From<Rgb> for Ink {
    fn from(rgb: Rgb) -> Self {
        Self { rgb, alpha: 255 }
    }
}

/// A step of an outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// Begins a part of the outline.
    Move(Vec2),
    /// A straight line to a point.
    Line(Vec2),
    /// A quadratic curve: its control point and its end.
    Curve(Vec2, Vec2),
    /// A straight line to the beginning of the part.
    Close,
}

/// Lines and curves, in pixels. Areas inside them are filled by the rule of non-zero winding.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline(pub Vec<Step>);

impl Outline {
    /// Returns an open line through points.
    pub fn line(points: impl IntoIterator<Item = Vec2>) -> Self {
        let mut outline = Self::default();
        outline.add_line(points);
        outline
    }

    /// Returns the closed outline of a polygon.
    pub fn polygon(points: impl IntoIterator<Item = Vec2>) -> Self {
        let mut outline = Self::line(points);
        outline.0.push(Step::Close);
        outline
    }

    /// Returns a rectangle between two corners.
    pub fn rectangle(from: Vec2, to: Vec2) -> Self {
        Self::polygon([from, Vec2::new(to.x, from.y), to, Vec2::new(from.x, to.y)])
    }

    /// Adds an open line through points.
    pub fn add_line(&mut self, points: impl IntoIterator<Item = Vec2>) {
        for (index, point) in points.into_iter().enumerate() {
            self.0.push(if index == 0 { Step::Move(point) } else { Step::Line(point) });
        }
    }

    /// Adds the steps of another outline.
    pub fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns the points of an arc around `centre` that starts at `centre + from` and extends
    /// clockwise by `angle`, in radians.
    pub fn arc(centre: Vec2, from: Vec2, angle: f32) -> impl Iterator<Item = Vec2> {
        let pieces = (angle.abs() * 16.0).clamp(2.0, 128.0) as u32;
        (0..=pieces)
            .map(move |piece| centre + rotate_by(from, angle * piece as f32 / pieces as f32))
    }
}

/// The colour, width and dashes of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    pub ink: Ink,
    /// Width in pixels.
    pub width: f32,
    pub dash: Dash,
}

impl Stroke {
    /// Returns a solid stroke.
    pub fn solid(ink: impl Into<Ink>, width: f32) -> Self {
        Self { ink: ink.into(), width, dash: Dash::Solid }
    }

    /// Returns the lengths of dashes and gaps in pixels, `None` for a solid line.
    pub fn lengths(&self) -> Option<[f32; 2]> {
        match self.dash {
            Dash::Solid => None,
            Dash::Dashed => Some([self.width * 4.0, self.width * 2.5]),
            Dash::Dotted => Some([self.width, self.width * 2.0]),
        }
    }
}

/// A shape of a picture. Positions and sizes are in pixels.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A filled outline. `text` is the text whose letters it shows, or empty.
    Area { outline: Outline, ink: Ink, text: String },
    /// A line along an outline.
    Line { outline: Outline, stroke: Stroke },
    /// A disc or a circle. `name` is the agent that it shows, or empty.
    Disc { centre: Vec2, radius: f32, fill: Option<Ink>, stroke: Option<Stroke>, name: String },
}

impl Shape {
    /// Returns a filled outline.
    pub fn area(outline: Outline, ink: impl Into<Ink>) -> Self {
        Self::Area { outline, ink: ink.into(), text: String::new() }
    }

    /// Returns a solid straight line.
    pub fn line(from: Vec2, to: Vec2, ink: impl Into<Ink>, width: f32) -> Self {
        Self::Line { outline: Outline::line([from, to]), stroke: Stroke::solid(ink, width) }
    }
}

/// A picture: four lists of shapes, from back to front.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The map without agents. Equal in all frames with the same `still`.
    pub ground: Arc<Vec<Shape>>,
    /// Agents and overlays, and what lies over them.
    pub moving: Vec<Shape>,
    /// What surrounds the map: margins, title and legend. Equal in all frames with the same `still`.
    pub frame: Arc<Vec<Shape>>,
    /// The number and time of the frame, outside the map.
    pub stamp: Vec<Shape>,
    /// Corners of the map in pixels. Moving shapes outside are hidden.
    pub map: [[u32; 2]; 2],
    /// Changes when the ground or the frame changes.
    pub still: u64,
    /// How positions on the map become pixels. `None` for pictures without a map.
    pub placed: Option<Placed>,
}

/// The place of the map in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Pixels of the map's origin, the top left corner of tile (0, 0).
    pub origin: Vec2,
    /// Pixels of a tile.
    pub scale: f32,
}

impl Placed {
    /// Returns the pixels of a position on the map.
    pub fn at(&self, tiles: Vec2) -> Vec2 {
        self.origin + tiles * self.scale
    }
}

impl Picture {
    /// Returns all shapes, from back to front.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        [&*self.ground, &self.moving, &*self.frame, &self.stamp].into_iter().flatten()
    }
}
