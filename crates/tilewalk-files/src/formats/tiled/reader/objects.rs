//! Reads object layers: places, areas, paths, walls, agents and solid areas.
//!
//! A mark is a tile kind together with the rule that assigned the kind. The file also collects
//! the free walls.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Frame, MAX_DEPTH};
use crate::formats::tiled::reader::element::{self, Element, Files, document};
use crate::formats::tiled::reader::marks::{MarkId, Marks, all_properties};
use crate::formats::tiled::reader::shape::{self, Cover, Point, TooLarge, bounds};
use crate::formats::tiled::rules::{Rules, Selector, SolidityRule};
use crate::formats::tiled::words::{is_solid, is_solid_word, says_walkable, truth};
use crate::formats::tiled::{DrawnAgent, DrawnPath, DrawnPlace, DrawnWall};
use crate::keys::map::{MAX_WALL_LENGTH, MAX_WALLS};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::name::unique;
use tilewalk_sim::geom::{TilePos, TileRect, Vec2};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::pattern::PathPattern;
use tilewalk_sim::pattern::path::PathRules;

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
        let template = element::read_file(files, element, key, NO_TEMPLATE, |issues| {
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

/// Maximum number of tiles that objects make walkable. A tile counts once for each object on it.
const MOST_FREED: usize = 20_000_000;

/// Content of all object layers of a map.
#[derive(Debug, Default)]
pub struct Drawn {
    pub places: Vec<DrawnPlace>,
    pub paths: Vec<DrawnPath>,
    pub walls: Vec<DrawnWall>,
    pub agents: Vec<DrawnAgent>,
    /// Column, row and mark of each tile that objects make walkable.
    freed: Vec<(u32, u32, MarkId)>,
}

/// Map data for reading objects.
pub struct ObjectContext<'a, 'b> {
    pub frame: Frame,
    /// Number of map tiles along each axis.
    pub size: (u32, u32),
    pub rules: &'a Rules,
    pub marks: &'a mut Marks,
    pub files: &'a mut Files<'b>,
    pub cells: &'a mut Grid<MarkId>,
}

/// Collector of objects. Gives each object a unique name.
struct Objects<'a, 'b> {
    context: ObjectContext<'a, 'b>,
    drawn: Drawn,
    place_names: BTreeMap<String, u32>,
    path_names: BTreeMap<String, u32>,
    walls: Walls,
    cover: Cover,
    /// Areas of walkable objects, with the spans of these objects. Their tiles become walkable
    /// after all solid objects have been read.
    freed: Vec<(Range<usize>, Vec<Point>)>,
    is_refused: bool,
}

/// An object layer, and the effect of the layer on its objects.
struct Group<'e> {
    element: Element<'e>,
    /// Offset of the objects of the layer, in pixels.
    offset: Point,
    /// Whether the layer makes its objects walkable (true) or solid (false); `None` for neither.
    walks: Option<bool>,
    /// Mark of tiles under solid objects.
    mark: MarkId,
}

pub fn read_all(map: &Element, context: ObjectContext) -> Drawn {
    let (size, cover) = (context.size, Cover::new(context.size));
    let mut objects = Objects {
        context,
        drawn: Drawn::default(),
        place_names: BTreeMap::new(),
        path_names: BTreeMap::new(),
        walls: Walls::new(size),
        cover,
        freed: Vec::new(),
        is_refused: false,
    };
    objects.collect(map, (0.0, 0.0), MAX_DEPTH);
    objects.find_freed(map.issues);
    objects.drawn.walls = objects.walls.finish(map);
    objects.drawn.free(objects.context.cells);
    objects.drawn
}

impl Drawn {
    /// Makes the tiles under walkable objects walkable.
    pub fn free(&self, cells: &mut Grid<MarkId>) {
        for &(x, y, mark) in &self.freed {
            if let Some(cell) = cell(cells, x, y) {
                *cell = mark;
            }
        }
    }
}

impl Objects<'_, '_> {
    fn collect(&mut self, element: &Element, offset: Point, depth: usize) {
        for child in element.children() {
            let own = |key| child.number(key, PIXELS).unwrap_or(0.0);
            let is_layer = child.name() == "objectgroup";
            if !is_layer && (child.name() != "group" || depth == 0) {
                continue;
            }
            let offset = (offset.0 + own("offsetx"), offset.1 + own("offsety"));
            if is_layer {
                self.layer(child, offset);
            } else {
                self.collect(&child, offset, depth - 1);
            }
        }
    }

    /// Reads an object layer. Makes the tiles under its solid objects solid.
    fn layer(&mut self, element: Element, offset: Point) {
        let name = element.attribute("name").unwrap_or_default();
        let ObjectContext { rules, marks, .. } = &mut self.context;
        let selector = Selector { rule: SolidityRule::Objects, name: name.to_owned() };
        let chosen = rules.chosen(&selector);
        let from_properties = all_properties(&element)
            .find_map(|(name, value, _)| Some(truth(value)? == says_walkable(name)?));
        let walks = chosen.or(from_properties).or(is_solid(name).then_some(false));
        let rule = if chosen.is_some() { SolidityRule::Chosen } else { SolidityRule::Objects };
        let shown = if chosen.is_some() { selector.to_string() } else { name.to_owned() };
        let mark = marks.plain(false, rule, &shown);
        let group = Group { element, offset, walks, mark };
        let mut areas = 0;
        for object in group.element.all("object") {
            areas += u64::from(self.object(&object, &group));
        }
        match self.cover.take_half() {
            Ok(tiles) => {
                for (x, y) in tiles {
                    close(&mut self.context, x, y, group.mark);
                }
            }
            Err(TooLarge) => self.refuse(group.element.issues, group.element.span()),
        }
        if areas > 0 {
            self.context.marks.candidate(&selector, areas);
        }
    }

    /// Reads an object. Returns true if the object has an area that is not solid.
    fn object(&mut self, element: &Element, group: &Group) -> bool {
        let Some(mut object) = MapObject::read_all(element, self.context.files) else {
            return false;
        };
        let origin = self.context.frame.origin_pixels();
        object.at.0 += group.offset.0 - origin.0;
        object.at.1 += group.offset.1 - origin.1;
        if matches!(object.shape, Some(Shape::Text)) {
            let label = show::text(&object.label());
            element.warn(format!("the text object `{label}` is ignored"), "");
            return false;
        }
        let class = object.class.as_deref().unwrap_or_default();
        if class.eq_ignore_ascii_case("agent") {
            self.agent(element, &object);
            return false;
        }
        let known = |(name, value): &(String, String)| Some(truth(value)? == says_walkable(name)?);
        let own = object.properties.iter().find_map(known);
        let name = object.name.as_deref().unwrap_or_default();
        let is_solid = is_solid(class) || is_solid_word(name);
        let walks = own.or(is_solid.then_some(false)).or(group.walks);
        let corners = object.outline(self.context.frame.tile).map(|outline| self.tiles(&outline));
        match walks {
            Some(false) => self.solid(element, &object, corners.as_deref(), group.mark),
            Some(true) => self.freed.extend(corners.clone().map(|area| (element.span(), area))),
            None => {}
        }
        let is_solid = walks == Some(false);
        let line = object.line();
        if let Some(points) = line.as_ref().filter(|_| !is_solid) {
            self.path(element, &object, points, false);
        } else if let (Some(Shape::Polygon(_)), Some(outline), false) =
            (&object.shape, object.outline(self.context.frame.tile), is_solid)
        {
            self.path(element, &object, &outline, true);
        } else if line.is_none() {
            let is_hidden = is_solid && object.name.is_none();
            self.place(element, &object, corners.as_deref(), is_hidden);
        }
        walks.is_none() && corners.is_some_and(|corners| corners.len() > 2)
    }

    /// Converts points from pixels to tiles.
    fn tiles(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|&point| self.context.frame.tiles(point)).collect()
    }

    /// Makes the tiles under a solid object solid. Lines, and the outlines of slanted and thin
    /// objects, become walls.
    fn solid(
        &mut self,
        element: &Element,
        object: &MapObject,
        corners: Option<&[Point]>,
        mark: MarkId,
    ) {
        let (name, properties) = (object.label(), &object.properties);
        let Some(corners) = corners else {
            let line = object.line().map(|line| self.tiles(&line));
            if let Some(line) = line {
                self.walls.add(&name, &line, false, properties);
            }
            return;
        };
        let (low, high) = bounds(corners);
        if low.0 == high.0 && low.1 == high.1 {
            return;
        }
        let (context, mut is_closing) = (&mut self.context, false);
        let full = |x, y| {
            close(context, x, y, mark);
            is_closing = true;
        };
        if self.cover.add(corners, object.is_upright(), full).is_err() {
            return self.refuse(element.issues, element.span());
        }
        let is_thin = !is_closing && (high.0 - low.0).min(high.1 - low.1) < 0.5;
        let is_slanted = !object.is_upright() && !matches!(object.shape, Some(Shape::Ellipse));
        if is_thin || is_slanted {
            self.walls.add(&name, corners, true, properties);
        }
    }

    /// Reports that the objects cover too many tiles. Reports this error only once per map.
    fn refuse(&mut self, issues: &Issues, span: Range<usize>) {
        if !self.is_refused {
            let message = "the objects of the map cover too many tiles";
            let help = "in Tiled, merge objects that lie on each other, or remove some";
            issues.push(Diagnostic::error(span, message).help(help));
        }
        self.is_refused = true;
    }

    /// Finds the tiles under walkable objects.
    fn find_freed(&mut self, issues: &Issues) {
        let mark = self.context.marks.plain(true, SolidityRule::Objects, "walkable");
        for (span, corners) in core::mem::take(&mut self.freed) {
            let freed = &mut self.drawn.freed;
            let full = |x, y| freed.push((x, y, mark));
            let half = self.cover.add(&corners, false, full).and_then(|()| self.cover.take_half());
            match half {
                Ok(half) if freed.len() + half.len() <= MOST_FREED => {
                    freed.extend(half.into_iter().map(|(x, y)| (x, y, mark)));
                }
                Ok(_) | Err(TooLarge) => return self.refuse(issues, span),
            }
        }
    }

    fn agent(&mut self, element: &Element, object: &MapObject) {
        let Some(at) = self.context.frame.point(object.centre(self.context.frame.tile)) else {
            return too_far(element);
        };
        let area = self.area(
            object.outline(self.context.frame.tile).map(|outline| self.tiles(&outline)).as_deref(),
        );
        let name = self.unique(object, true);
        let properties = object.properties.clone();
        self.drawn.agents.push(DrawnAgent { name, at, area, properties, label: object.label() });
    }

    /// Returns the map tiles that an object covers. Returns `None` without corners, or if the
    /// object covers at most one tile.
    fn area(&self, corners: Option<&[Point]>) -> Option<TileRect> {
        let (low, high) = bounds(corners?);
        let side = |low: f64, high: f64, size: u32| {
            let last = f64::from(size) - 1.0;
            let first = (low + 0.5).floor().clamp(0.0, last);
            (first as i32, ((high - 0.5).ceil() - 1.0).clamp(first, last) as i32)
        };
        let (left, right) = side(low.0, high.0, self.context.size.0);
        let (top, bottom) = side(low.1, high.1, self.context.size.1);
        let is_large = (left, top) != (right, bottom);
        is_large.then(|| TileRect::new(TilePos::new(left, top), TilePos::new(right, bottom)))
    }

    fn place(
        &mut self,
        element: &Element,
        object: &MapObject,
        corners: Option<&[Point]>,
        is_hidden: bool,
    ) {
        let Some(at) = self.context.frame.point(object.centre(self.context.frame.tile)) else {
            return too_far(element);
        };
        let (width, height) = self.context.size;
        let TilePos { x, y } = TilePos::containing(at);
        let is_inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
        if !is_hidden && !is_inside {
            let label = show::text(&object.label());
            element.warn(format!("the object `{label}` is outside the map"), "");
        }
        let area = self.area(corners);
        let name = self.unique(object, true);
        self.drawn.places.push(DrawnPlace { name, at, area, label: object.label(), is_hidden });
    }

    fn path(&mut self, element: &Element, object: &MapObject, points: &[Point], closed: bool) {
        let label = object.label();
        let mut vertices: Vec<TilePos> = Vec::new();
        for point in points {
            let Some(point) = self.context.frame.point(*point) else {
                return too_far(element);
            };
            let tile = TilePos::containing(point);
            if vertices.last() != Some(&tile) {
                vertices.push(tile);
            }
        }
        if closed && vertices.len() > 1 && vertices.first() == vertices.last() {
            vertices.pop();
        }
        if vertices.len() < 2 {
            let message =
                format!("`{}` is ignored: all points are on one tile", show::text(&label));
            return element.warn(message, "place the points on at least two tiles");
        }
        match PathPattern::new(&vertices, PathRules { closed, ..PathRules::default() }) {
            Ok(path) => {
                let name = self.unique(object, false);
                self.drawn.paths.push(DrawnPath { name, path, label });
            }
            Err(error) => {
                let message = format!("`{}` is ignored: {error}", show::text(&label));
                element.warn(message, "change the points in Tiled");
            }
        }
    }

    /// Returns a unique name for an object. `is_place` is true for places and agents, which share
    /// one set of names. It is false for paths, which have another set.
    fn unique(&mut self, object: &MapObject, is_place: bool) -> String {
        let taken = if is_place { &mut self.place_names } else { &mut self.path_names };
        unique(&object.label(), taken)
    }
}

/// Reports an object whose coordinates are too large.
fn too_far(element: &Element) {
    let help = "move the object onto the map in Tiled, or delete it";
    element.refuse("the object is too far from the map", help);
}

fn cell(cells: &mut Grid<MarkId>, x: u32, y: u32) -> Option<&mut MarkId> {
    let index = y as usize * cells.width() as usize + x as usize;
    cells.cells_mut().get_mut(index)
}

/// Makes a tile under a solid object solid. Does nothing if the tile is already solid. Does not
/// change a tile that the user, a property or `[tiled]` makes walkable.
fn close(context: &mut ObjectContext, x: u32, y: u32, mark: MarkId) {
    let Some(&mut before) = cell(context.cells, x, y) else { return };
    let keeps = match context.marks.get(before).rule {
        SolidityRule::Chosen | SolidityRule::Table | SolidityRule::LayerTable => true,
        SolidityRule::TileProperty | SolidityRule::LayerProperty => {
            says_walkable(&context.marks.get(before).name) == Some(true)
        }
        SolidityRule::TileClass
        | SolidityRule::Shapes
        | SolidityRule::Layer
        | SolidityRule::Terrain
        | SolidityRule::Objects
        | SolidityRule::Missing
        | SolidityRule::Nothing => false,
    };
    let is_closed = !context.marks.walks(before);
    if let Some(cell) = cell(context.cells, x, y).filter(|_| !keeps && !is_closed) {
        *cell = mark;
    }
}

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
