//! Objects of Tiled: their names, shapes and properties, with what templates and tiles add.

use std::collections::BTreeMap;

use crate::formats::tiled::reader::element::{self, Element, Files, document, folder_of};
use crate::formats::tiled::reader::marks;
use crate::formats::tiled::reader::properties::Properties;
use crate::formats::tiled::reader::shape::{self, Point};
use crate::formats::tiled::reader::tile_image::{Outline, TileImage};
use crate::formats::tiled::rules::Rules;

/// Range of positions, in pixels from the top left corner of the map.
const PIXELS: std::ops::RangeInclusive<f64> = -1e12..=1e12;

/// Advice for a missing template.
const NO_TEMPLATE: &str = "the object is read without its template";

/// An object of a Tiled file. The template of an object sets the parts that the object itself does
/// not set.
#[derive(Debug, Clone, Default)]
pub struct MapObject {
    pub id: String,
    pub name: Option<String>,
    pub class: Option<String>,
    pub at: Point,
    size: (Option<f64>, Option<f64>),
    rotation: Option<f64>,
    pub shape: Option<Shape>,
    pub properties: Properties,
    /// Tile whose image the object shows.
    pub image: ObjectImage,
}

/// The tile whose image an object shows.
#[derive(Debug, Clone, Default)]
pub struct ObjectImage {
    /// Number of the tile, with flips; `None` for other objects.
    pub number: Option<u32>,
    /// Path of the tile set relative to the map, and the number of its first tile, for an image from a
    /// template.
    pub set: Option<(String, u32)>,
    /// Width and height of the image, in pixels.
    pub size: Option<Point>,
    /// Part of the image at the position of the object; `None` for the lower left corner.
    pub anchor: Option<Point>,
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

impl MapObject {
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
            properties: marks::properties(element),
            image: ObjectImage {
                number: element.attribute("gid").and_then(|gid| gid.parse().ok()),
                ..ObjectImage::default()
            },
        };
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
    pub fn read_all(element: &Element, templates: &Templates) -> Option<Self> {
        let object = Self::read(element)?;
        Some(match templates.of(element) {
            Some(template) => object.over(template),
            None => object,
        })
    }

    /// Returns the object, completed with the parts that only its template sets.
    fn over(mut self, template: &Self) -> Self {
        self.properties.inherit(&template.properties);
        Self {
            name: self.name.or_else(|| template.name.clone()),
            class: self.class.or_else(|| template.class.clone()),
            size: (self.size.0.or(template.size.0), self.size.1.or(template.size.1)),
            rotation: self.rotation.or(template.rotation),
            shape: self.shape.or_else(|| template.shape.clone()),
            image: if self.image.number.is_some() { self.image } else { template.image.clone() },
            ..self
        }
    }

    /// Returns the width and height, in pixels. `tile` is the size of images for which the file
    /// states no size, as in old files.
    fn size_or(&self, tile: Point) -> Point {
        match (&self.shape, self.size) {
            (Some(Shape::Tile), (None, None)) => self.image.size.unwrap_or(tile),
            (_, (width, height)) => (width.unwrap_or(0.0), height.unwrap_or(0.0)),
        }
    }

    /// Converts the image of an object on an isometric map, which stands upright, to the square of
    /// tiles below it. `tile` is the size of a tile as drawn, in pixels, and `step` is its side in the
    /// coordinates of objects.
    pub fn stand_on_slanted_tiles(&mut self, tile: Point, step: f64) {
        let (width, height) = self.size_or(tile);
        let side = width / tile.0 * step;
        let (across, down) = self.image.anchor.unwrap_or((0.5, 1.0));
        // The lower corner of the square is in the middle of the lower side of the image.
        let (right, below) = ((0.5 - across) * width, (1.0 - down) * height);
        let slanted = right * tile.1 / tile.0;
        self.at = (self.at.0 + below + slanted, self.at.1 + below - slanted);
        self.size = (Some(side), Some(side));
        self.image.anchor = Some((1.0, 1.0));
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
        let (left, top) = self.corner((width, height));
        let centre = self.placed(&[(left + width / 2.0, top + height / 2.0)]);
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
            Some(Shape::Tile) => {
                let (left, top) = self.corner((width, height));
                let corner = |(x, y): Point| (left + x, top + y);
                shape::rectangle(width, height).into_iter().map(corner).collect()
            }
            Some(Shape::Point | Shape::Polyline(_) | Shape::Text) => return None,
        };
        Some(self.placed(&corners))
    }

    /// Returns the upper left corner of an object with a size, relative to its position and before
    /// its rotation.
    fn corner(&self, size: Point) -> Point {
        if !matches!(self.shape, Some(Shape::Tile)) {
            return (0.0, 0.0);
        }
        let (across, down) = self.image.anchor.unwrap_or((0.0, 1.0));
        (-across * size.0, -down * size.1)
    }

    /// Returns the collision shapes of an image as they lie on the map, in pixels.
    pub fn shapes(&self, image: &TileImage, tile: Point) -> Vec<ObjectShape> {
        let size = self.size_or(tile);
        let (left, top) = self.corner(size);
        let (across, down) = (size.0 / image.size.0, size.1 / image.size.1);
        let is_turned = self.rotation.is_some_and(|degrees| degrees != 0.0);
        let shape = |outline: &Outline| {
            let point = |&(x, y): &Point| (left + x * across, top + y * down);
            let points: Vec<_> = outline.points.iter().map(point).collect();
            ObjectShape {
                points: self.placed(&points),
                is_line: outline.is_line,
                is_upright: outline.is_upright && !is_turned,
                is_round: outline.is_round,
                properties: outline.properties.clone(),
            }
        };
        image.outlines.iter().map(shape).collect()
    }

    /// Returns the shape of the object itself on the map, in pixels. Returns `None` for a point or a
    /// text.
    pub fn own_shape(&self, tile: Point) -> Option<ObjectShape> {
        let area = self.outline(tile);
        let is_line = area.is_none();
        Some(ObjectShape {
            points: area.or_else(|| self.line())?,
            is_line,
            is_upright: self.is_upright(),
            is_round: self.is_round(),
            properties: self.properties.clone(),
        })
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

    pub fn is_round(&self) -> bool {
        matches!(self.shape, Some(Shape::Ellipse))
    }

    /// Returns true if the object is a rectangle along the axes.
    pub fn is_upright(&self) -> bool {
        matches!(self.shape, None | Some(Shape::Tile))
            && self.rotation.is_none_or(|degrees| degrees == 0.0)
    }
}

/// The templates of a map, by the paths that its objects state; `None` for templates that can't be
/// read.
#[derive(Debug, Default)]
pub struct Templates<'a> {
    known: BTreeMap<&'a str, Option<MapObject>>,
    /// Paths of the tile sets that the templates use, relative to the map, each with an object that uses
    /// the template.
    pub sets: Vec<(String, Element<'a>)>,
}

impl<'a> Templates<'a> {
    /// Reads the templates of all objects of a map or group. Each template is read once, since
    /// thousands of objects can use it. Its problems are reported at the first of these objects.
    pub fn add(&mut self, parent: &Element<'a>, rules: &Rules, files: &mut Files, depth: usize) {
        for layer in parent.children() {
            if !matches!(layer.name(), "group" | "objectgroup")
                || depth == 0
                || marks::is_layer_left_out(&layer, rules)
            {
                continue;
            }
            for object in layer.all("object") {
                let Some(path) = object.attribute("template") else { continue };
                if self.known.contains_key(path) {
                    continue;
                }
                let template = template(&object, path, files);
                if let Some((set, _)) = template.as_ref().and_then(|it| it.image.set.as_ref()) {
                    self.sets.push((set.clone(), object));
                }
                self.known.insert(path, template);
            }
            self.add(&layer, rules, files, depth - 1);
        }
    }

    /// Returns the template of an object; `None` if it has none, or if it can't be read.
    fn of(&self, object: &Element) -> Option<&MapObject> {
        self.known.get(object.attribute("template")?)?.as_ref()
    }
}

/// Reads the template of an object. Reports problems, and returns `None` for a template that can't be
/// read.
fn template(object: &Element, path: &str, files: &mut Files) -> Option<MapObject> {
    let key = ("template", "template");
    element::read_file(files, object, key, NO_TEMPLATE, |issues| {
        document(issues, "template", |root| {
            let inner = root.all("object").next();
            let Some(inner) = inner else {
                root.error("the template has no `<object>`");
                return None;
            };
            if inner.attribute("template").is_some() {
                let help =
                    "in Tiled, detach the object from its template, and save the template again";
                inner.refuse("a template can't use a template", help);
                return None;
            }
            let mut template = MapObject::read(&inner)?;
            template.image.set = root.all("tileset").next().and_then(|set| {
                let source = set.attribute("source")?.replace('\\', "/");
                let path = element::resolved(&format!("{}{source}", folder_of(path)))?;
                Some((path, set.attribute("firstgid")?.parse().ok()?))
            });
            Some(template)
        })
    })
}

/// A shape of an object on the map.
pub struct ObjectShape {
    /// Corners in pixels.
    pub points: Vec<Point>,
    pub is_line: bool,
    /// Whether the shape is a rectangle along the axes.
    pub is_upright: bool,
    pub is_round: bool,
    pub properties: Properties,
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
