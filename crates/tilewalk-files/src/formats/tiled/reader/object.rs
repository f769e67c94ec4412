//! Reads an object of an object layer or of a template.
//!
//! The file also reads properties of tiles and layers, and finds the tiles of which at least
//! half is a terrain that bodies can't enter.

use std::collections::BTreeMap;

use crate::formats::tiled::reader::element::{Element, document};
use crate::formats::tiled::reader::objects::{MarkId, Marks};
use crate::formats::tiled::reader::shape::{self, Point};
use crate::formats::tiled::reader::tile_sets::{self, Files};
use crate::formats::tiled::rules::{Rules, Selector, SolidityRule, known};
use crate::formats::tiled::words::{says_walkable, truth};
use crate::keys::map::MAX_TILE;
use crate::show;

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
        let all = all_properties(element);
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
        let template = tile_sets::read_file(files, element, key, NO_TEMPLATE, |issues| {
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

/// Range of route costs.
const COSTS: std::ops::RangeInclusive<f32> = 1.0..=1000.0;

/// Returns the name, the value and the element of each property of an element.
pub fn all_properties<'a>(
    element: &Element<'a>,
) -> impl Iterator<Item = (&'a str, &'a str, Element<'a>)> + use<'a> {
    let list = element.all("properties").flat_map(|list| list.all("property"));
    list.map(|property| {
        let name = property.attribute("name").unwrap_or_default();
        (name, property.attribute("value").unwrap_or_else(|| property.text()), property)
    })
}

/// Returns the mark that the properties of an element select; `None` if they select no mark. `rule`
/// is the rule for properties of this kind of element. A property without a known meaning can be
/// chosen by the user: if its value is true, its selector is passed to `candidate`.
pub fn mark_of(
    element: &Element,
    rule: SolidityRule,
    rules: &Rules,
    marks: &mut Marks,
    mut candidate: impl FnMut(Selector),
) -> Option<MarkId> {
    let (mut walk, mut glyph, mut cost, mut chosen) = (None, None, None, None);
    for (name, value, property) in all_properties(element) {
        let is_set = truth(value) == Some(true);
        let selector = Selector { rule, name: name.to_owned() };
        if truth(value) != Some(false)
            && let Some(walks) = rules.chosen(&selector)
        {
            chosen = Some(marks.plain(walks, SolidityRule::Chosen, &selector.to_string()));
        }
        if name == "glyph" {
            let help = "add an entry to [legend] in the map that uses this file";
            let span = property.span_of("value");
            glyph = known(value, span, marks.legend(), property.issues, help).or(glyph);
        } else if name.eq_ignore_ascii_case("cost") {
            cost = route_cost(value, &property).or(cost);
        } else if let Some(walkable) = says_walkable(name) {
            let Some(value) = known_truth(name, value, &property) else { continue };
            let walks = value == walkable;
            if walk.is_some_and(|(before, _)| before != walks) {
                let message = "`walk` and `solid` contradict each other";
                property.refuse(message, "in Tiled, remove one of the properties");
            }
            walk = Some((walks, name));
        } else if is_set {
            candidate(selector);
        }
    }
    let solid = walk.filter(|(walks, _)| !walks);
    let plain = match (glyph, solid.or(walk), cost) {
        (Some(kind), _, _) => Some(marks.mark(kind, rule, "glyph")),
        (None, Some((false, name)), _) | (None, Some((true, name)), None) => {
            Some(marks.plain(solid.is_none(), rule, name))
        }
        (None, _, Some(cost)) if cost > 1.0 => Some(marks.cost(cost, rule, "cost")),
        (None, _, Some(_)) => Some(marks.plain(true, rule, "cost")),
        (None, None, None) => None,
    };
    chosen.or(plain)
}

/// Reads a value as true or false. Warns about any other value and returns `None`.
fn known_truth(name: &str, value: &str, property: &Element) -> Option<bool> {
    let found = truth(value);
    if found.is_none() {
        let (name, value) = (show::text(name), show::text(value));
        let message = format!("`{name}` must be `true` or `false`, not `{value}`");
        property.warn_at("value", message, "the property is ignored");
    }
    found
}

fn route_cost(value: &str, property: &Element) -> Option<f32> {
    let cost = value.trim().parse().ok().filter(|cost| COSTS.contains(cost));
    if cost.is_none() {
        let (low, high) = (COSTS.start(), COSTS.end());
        let value = show::text(value);
        let message = format!("`cost` must be a number between {low} and {high}, not `{value}`");
        property.warn_at("value", message, "the property is ignored");
    }
    cost
}

/// Returns the tiles of which at least half consists of accepted terrains. `is_chosen` returns true
/// for the name of an accepted terrain. The key is the tile number. The value is the name of the
/// first accepted terrain of the tile.
pub fn read_terrain(set: &Element, is_chosen: impl Fn(&str) -> bool) -> BTreeMap<u32, String> {
    let mut tiles = BTreeMap::new();
    let terrains = set.all("terraintypes").flat_map(|list| list.all("terrain"));
    let terrains: Vec<_> = terrains.map(|it| it.attribute("name").unwrap_or_default()).collect();
    for tile in set.all("tile") {
        let Some(corners) = tile.attribute("terrain") else { continue };
        let corners = corners.split(',').map(|corner| corner.trim().parse::<usize>().ok());
        let names: Vec<_> = corners.map(|at| terrains.get(at?).copied()).collect();
        note_terrain(&mut tiles, tile.attribute("id"), &names, &is_chosen);
    }
    for wang in set.all("wangsets").flat_map(|list| list.all("wangset")) {
        let colors: Vec<_> =
            wang.all("wangcolor").map(|it| it.attribute("name").unwrap_or_default()).collect();
        for tile in wang.all("wangtile") {
            let parts = tile.attribute("wangid").unwrap_or_default();
            // Number 0 stands for no colour. Old files have one hexadecimal number instead.
            let numbers = parts.split(',').filter_map(|part| part.trim().parse::<usize>().ok());
            let numbers = numbers.filter(|&number| number > 0);
            let names: Vec<_> = numbers.map(|number| colors.get(number - 1).copied()).collect();
            note_terrain(&mut tiles, tile.attribute("tileid"), &names, &is_chosen);
        }
    }
    tiles
}

/// Adds a tile if at least half of its parts have a terrain that `is_chosen` accepts.
fn note_terrain(
    tiles: &mut BTreeMap<u32, String>,
    id: Option<&str>,
    parts: &[Option<&str>],
    is_chosen: impl Fn(&str) -> bool,
) {
    let closed = || parts.iter().flatten().filter(|name| is_chosen(name));
    let Some(id) = id.and_then(|id| id.parse().ok()).filter(|id| *id <= MAX_TILE) else { return };
    if let Some(first) = closed().next()
        && closed().count() * 2 >= parts.len()
    {
        tiles.entry(id).or_insert_with(|| (*first).to_owned());
    }
}
