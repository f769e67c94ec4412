//! Reads an object of an object layer or of a template.

use crate::formats::tiled::reader::element::{Element, document};
use crate::formats::tiled::reader::properties;
use crate::formats::tiled::reader::reference::{self, Files};
use crate::formats::tiled::reader::shape::{self, Point};

/// Range of positions, in pixels from the top left corner of the map.
pub const PIXELS: std::ops::RangeInclusive<f64> = -1e12..=1e12;

/// Advice for a missing template.
const NO_TEMPLATE: &str = "the object is read without its template";

/// An object of a Tiled file. The template of an object sets the parts that the object itself does
/// not set.
#[derive(Debug, Clone, Default)]
pub struct Object {
    pub id: String,
    pub name: Option<String>,
    pub class: Option<String>,
    pub at: Point,
    size: (Option<f64>, Option<f64>),
    rotation: Option<f64>,
    pub shape: Option<Shape>,
    /// Names and values of the properties, in file order.
    pub properties: Vec<(String, String)>,
}

/// Shape of an object that is not a rectangle.
#[derive(Debug, Clone)]
pub enum Shape {
    Point,
    Ellipse,
    Polyline(Vec<Point>),
    Polygon(Vec<Point>),
    Text,
    /// An image, positioned by its bottom left corner.
    Tile,
}

impl Object {
    /// Reads an object without its template. Reports invalid numbers. Returns `None` if a shape has
    /// an invalid point.
    pub fn read(element: &Element) -> Option<Self> {
        let number = |key| element.number(key, PIXELS);
        let text = |keys: &[&str]| element.first_of(keys).map(ToOwned::to_owned);
        let mut object = Self {
            id: element.attribute("id").unwrap_or_default().to_owned(),
            name: text(&["name"]),
            class: text(&["class", "type"]),
            at: (number("x").unwrap_or(0.0), number("y").unwrap_or(0.0)),
            size: (number("width"), number("height")),
            rotation: number("rotation"),
            shape: element.attribute("gid").map(|_| Shape::Tile),
            properties: Vec::new(),
        };
        let all = properties::all(element);
        object.properties.extend(all.map(|(name, value, _)| (name.to_owned(), value.to_owned())));
        for child in element.children() {
            object.shape = Some(match child.name() {
                "point" => Shape::Point,
                "ellipse" => Shape::Ellipse,
                "polyline" => Shape::Polyline(points(&child)?),
                "polygon" => Shape::Polygon(points(&child)?),
                "text" => Shape::Text,
                "properties" | "capsule" => continue,
                _ => {
                    child.unread();
                    continue;
                }
            });
        }
        Some(object)
    }

    /// Reads an object together with its template. Returns `None` if a shape has an invalid point.
    pub fn read_all(element: &Element, files: &mut Files) -> Option<Self> {
        let object = Self::read(element)?;
        if element.attribute("template").is_none() {
            return Some(object);
        }
        let key = ("template", "template");
        let template = reference::read(files, element, key, NO_TEMPLATE, |issues| {
            document(issues, "template", |root| {
                let inner = root.all("object").next();
                let Some(inner) = inner else {
                    root.error("the template has no `<object>`");
                    return None;
                };
                if inner.attribute("template").is_some() {
                    let help = "in Tiled, detach the object from its template, and save the template again";
                    inner.refuse("a template can't use a template", help);
                    return None;
                }
                Self::read(&inner)
            })
        });
        Some(match template {
            Some(template) => object.over(template),
            None => object,
        })
    }

    /// Returns the object, completed with the parts that only its template sets.
    fn over(mut self, template: Self) -> Self {
        let is_own = |name: &str| self.properties.iter().any(|(own, _)| own == name);
        let more = template.properties.into_iter().filter(|(name, _)| !is_own(name));
        let more: Vec<_> = more.collect();
        self.properties.extend(more);
        Self {
            name: self.name.or(template.name),
            class: self.class.or(template.class),
            size: (self.size.0.or(template.size.0), self.size.1.or(template.size.1)),
            rotation: self.rotation.or(template.rotation),
            shape: self.shape.or(template.shape),
            ..self
        }
    }

    /// Returns the width and height, in pixels. `tile` is the size of images for which the file
    /// states no size, as in old files.
    fn size_or(&self, tile: Point) -> Point {
        match (&self.shape, self.size) {
            (Some(Shape::Tile), (None, None)) => tile,
            (_, (width, height)) => (width.unwrap_or(0.0), height.unwrap_or(0.0)),
        }
    }

    /// Returns the name of the object in the file, or else its class or id.
    pub fn label(&self) -> String {
        let named = self.name.as_ref().or(self.class.as_ref());
        named.cloned().unwrap_or_else(|| format!("object {}", self.id))
    }

    /// Returns the centre of the object, in pixels. For a point, this is its position. See
    /// `size_or` for `tile`.
    pub fn centre(&self, tile: Point) -> Point {
        let (width, height) = self.size_or(tile);
        let up = if matches!(self.shape, Some(Shape::Tile)) { -1.0 } else { 1.0 };
        let centre = self.placed(&[(width / 2.0, up * height / 2.0)]);
        centre.first().copied().unwrap_or(self.at)
    }

    /// Returns the corners of the area that the object covers, in pixels; `None` for points, lines
    /// and texts. See `size_or` for `tile`.
    pub fn outline(&self, tile: Point) -> Option<Vec<Point>> {
        let (width, height) = self.size_or(tile);
        let corners = match &self.shape {
            None => shape::rectangle(width, height),
            Some(Shape::Ellipse) => shape::ellipse(width, height),
            Some(Shape::Polygon(points)) => points.clone(),
            Some(Shape::Tile) => shape::rectangle(width, -height),
            Some(Shape::Point | Shape::Polyline(_) | Shape::Text) => return None,
        };
        Some(self.placed(&corners))
    }

    /// Returns the points of a polyline, in pixels; `None` for other shapes.
    pub fn line(&self) -> Option<Vec<Point>> {
        match &self.shape {
            Some(Shape::Polyline(points)) => Some(self.placed(points)),
            Some(Shape::Point | Shape::Ellipse | Shape::Polygon(_) | Shape::Text | Shape::Tile)
            | None => None,
        }
    }

    /// Rotates points of the object and moves them to its position on the map, in pixels.
    fn placed(&self, points: &[Point]) -> Vec<Point> {
        let turned = match self.rotation.filter(|degrees| *degrees != 0.0) {
            Some(degrees) => shape::turned(points, degrees),
            None => points.to_vec(),
        };
        turned.iter().map(|point| (self.at.0 + point.0, self.at.1 + point.1)).collect()
    }

    /// Returns true if the object is a rectangle along the axes.
    pub fn is_upright(&self) -> bool {
        matches!(self.shape, None | Some(Shape::Tile))
            && self.rotation.is_none_or(|degrees| degrees == 0.0)
    }
}

/// Reads the points of a polyline or polygon. Reports invalid points and returns `None`.
fn points(shape: &Element) -> Option<Vec<Point>> {
    let text = shape.attribute("points").unwrap_or_default();
    let pair = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        let within = |number: &f64| PIXELS.contains(number);
        Some((x.parse().ok().filter(within)?, y.parse().ok().filter(within)?))
    };
    let points: Option<Vec<Point>> = text.split_whitespace().map(pair).collect();
    if points.is_none() {
        shape.error_at("points", "`points` must be number pairs `x,y`");
    }
    points
}
