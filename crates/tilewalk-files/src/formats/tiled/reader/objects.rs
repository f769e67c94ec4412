//! Reads object layers: places, areas, paths, walls, agents and solid areas.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Frame, MAX_DEPTH};
use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::layer::{OFFSETS, Pass, TileLayer};
use crate::formats::tiled::reader::left_out;
use crate::formats::tiled::reader::map_object::{MapObject, ObjectShape, Shape, Templates};
use crate::formats::tiled::reader::marks::{self, MarkId, Marks, all_properties};
use crate::formats::tiled::reader::properties::{Passage, WallKind};
use crate::formats::tiled::reader::shape::{self, Cover, Point, TooLarge, bounds};
use crate::formats::tiled::reader::stamp::ROUND_STEP;
use crate::formats::tiled::reader::tile_image::FLIPS;
use crate::formats::tiled::reader::tile_sets::Sets;
use crate::formats::tiled::reader::walls::Walls;
use crate::formats::tiled::rules::Rules;
use crate::formats::tiled::selector::{Selector, SolidityRule};
use crate::formats::tiled::words::{
    is_meaningless, is_one_way, is_solid, is_solid_word, is_walkable, says_walkable,
};
use crate::formats::tiled::{DrawnAgent, DrawnPath, DrawnPlace, DrawnWall};
use crate::keys::agent::is_agent_key;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::name::unique;
use tilewalk_sim::geom::{TilePos, TileRect};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::pattern::PathPattern;
use tilewalk_sim::pattern::path::PathRules;

/// Maximum number of tiles that objects make walkable. A tile counts once for each object on it.
const MOST_FREED: usize = 20_000_000;

/// Maximum number of names of solid objects that are counted.
const MOST_NAMES: usize = 1000;

/// Content of all object layers of a map.
#[derive(Debug, Default)]
pub struct Drawn {
    pub places: Vec<DrawnPlace>,
    pub paths: Vec<DrawnPath>,
    pub walls: Vec<DrawnWall>,
    pub agents: Vec<DrawnAgent>,
    /// Names of object layers that are solid because nothing else is.
    pub nameless: Vec<String>,
    /// Number of objects with a name that a property makes solid, by name.
    pub solid_names: BTreeMap<String, u64>,
    /// Column, row and mark of each tile that objects make walkable.
    freed: Vec<(u32, u32, MarkId)>,
}

/// Map data for reading objects.
pub struct ObjectContext<'a> {
    pub frame: Frame,
    /// Number of map tiles along each axis.
    pub size: (u32, u32),
    pub rules: &'a Rules,
    pub sets: &'a Sets,
    pub marks: &'a mut Marks,
    pub templates: &'a Templates<'a>,
    pub cells: &'a mut Grid<MarkId>,
}

/// Collector of objects. Gives each object a unique name.
struct Objects<'a> {
    context: ObjectContext<'a>,
    drawn: Drawn,
    place_names: BTreeMap<String, u32>,
    path_names: BTreeMap<String, u32>,
    walls: Walls,
    cover: Cover,
    /// Areas of walkable objects, with the spans of these objects. Their tiles become walkable
    /// after all solid objects have been read.
    freed: Vec<(Range<usize>, Vec<Point>)>,
    nameless: Nameless,
    is_refused: bool,
}

/// How object layers are read whose areas have no names, classes and properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nameless {
    /// No such layer was found.
    None,
    /// Such layers were found, and will be read after all other layers.
    Later,
    /// Only these layers are read. The value is true if their areas are solid.
    Now(bool),
}

/// An object layer, and the effect of the layer on its objects.
struct Group<'e> {
    element: Element<'e>,
    /// Offset of the objects of the layer, in pixels.
    offset: Point,
    /// Effect of the objects of the layer that the user chose; `None` if the user did not choose.
    chosen: Option<Passage>,
    /// Effect of objects that say nothing themselves; `None` if the layer says nothing either.
    passage: Option<Passage>,
    /// Mark of tiles under solid objects.
    mark: MarkId,
    /// Whether the layer is about collision, so that the names of its objects count.
    uses_names: bool,
    /// Whether the objects are one-way platforms.
    is_one_way: bool,
}

/// What makes an object solid or walkable.
struct Effect {
    passage: Option<Passage>,
    /// Mark of tiles under the object; `None` for the mark of the layer.
    mark: Option<MarkId>,
    /// Collision shapes of the tile whose image the object shows.
    shapes: Vec<ObjectShape>,
    is_one_way: bool,
}

/// Reads all objects of a map. `pass` is the input of the layers that were drawn into the cells.
pub fn read_all(map: &Element, pass: Pass, context: ObjectContext) -> Drawn {
    let (size, cover) = (context.size, Cover::new(context.size));
    let mut objects = Objects {
        context,
        drawn: Drawn::default(),
        place_names: BTreeMap::new(),
        path_names: BTreeMap::new(),
        walls: Walls::new(size),
        cover,
        freed: Vec::new(),
        nameless: Nameless::None,
        is_refused: false,
    };
    objects.collect(map, (0.0, 0.0), MAX_DEPTH);
    if objects.nameless == Nameless::Later {
        objects.nameless = Nameless::Now(objects.is_unmarked(pass));
        objects.collect(map, (0.0, 0.0), MAX_DEPTH);
    }
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

impl Objects<'_> {
    fn collect(&mut self, element: &Element, offset: Point, depth: usize) {
        for child in element.children() {
            let is_layer = child.name() == "objectgroup";
            let own = |key| {
                // The reader of tile layers reports the errors of groups.
                let quiet = || child.attribute(key)?.trim().parse().ok();
                let read = if is_layer { child.number(key, OFFSETS) } else { quiet() };
                read.unwrap_or(0.0)
            };
            if !is_layer && (child.name() != "group" || depth == 0) {
                continue;
            }
            if marks::is_layer_left_out(&child, self.context.rules) {
                continue;
            }
            let offset = (offset.0 + own("offsetx"), offset.1 + own("offsety"));
            if is_layer && has_nameless_areas(&child) {
                match self.nameless {
                    Nameless::None | Nameless::Later => self.nameless = Nameless::Later,
                    Nameless::Now(is_solid) => self.layer(child, offset, is_solid),
                }
            } else if is_layer {
                if !matches!(self.nameless, Nameless::Now(_)) {
                    self.layer(child, offset, false);
                }
            } else {
                self.collect(&child, offset, depth - 1);
            }
        }
    }

    /// Returns true if nothing in the map makes tiles solid or walkable.
    fn is_unmarked(&self, pass: Pass) -> bool {
        let ObjectContext { sets, marks, cells, .. } = &self.context;
        let can_mark = |layer: &TileLayer| layer.can_be_picture || is_walkable(layer.name());
        self.walls.is_empty()
            && self.freed.is_empty()
            && !sets.has_walls()
            && !pass.layers.iter().any(can_mark)
            && !cells.cells().iter().any(|&id| marks.decides(id))
    }

    /// Reads an object layer. Makes the tiles under its solid objects solid. `is_closed` makes all
    /// objects of the layer solid if the file and the user do not decide.
    fn layer(&mut self, element: Element, offset: Point, is_closed: bool) {
        let name = element.attribute("name").unwrap_or_default();
        let ObjectContext { rules, marks, .. } = &mut self.context;
        let selector = Selector { rule: SolidityRule::Objects, name: name.to_owned() };
        let chosen = rules.chosen(&selector).map(Passage::of);
        let properties = marks::properties(&element);
        let passage = properties.passage().or(is_solid(name).then_some(Passage::Closed));
        let is_unsaid = is_closed && chosen.or(passage).is_none();
        let passage = passage.or(is_closed.then_some(Passage::Closed));
        let rule = if chosen.is_some() { SolidityRule::Chosen } else { SolidityRule::Objects };
        let shown = if chosen.is_some() { selector.to_string() } else { name.to_owned() };
        let mark = marks.plain(false, rule, &shown);
        let is_one_way = rules.is_one_way(&selector) || properties.is_one_way();
        let mut group =
            Group { element, offset, chosen, passage, mark, uses_names: false, is_one_way };
        let mut objects = Vec::new();
        for element in group.element.all("object") {
            let read = MapObject::read_all(&element, self.context.templates);
            let Some(mut object) = read else { continue };
            let number = inherit(&mut object, &self.context);
            let (name, class) = (object.name.as_deref(), object.class.as_deref());
            if !self.context.rules.ignores_object(name, class) {
                objects.push((element, object, number));
            }
        }
        if is_unsaid && !objects.is_empty() {
            self.drawn.nameless.push(name.to_owned());
        }
        group.uses_names = is_about_collision(objects.iter().map(|(_, object, _)| object));
        let mut areas = 0;
        for (element, object, number) in objects {
            areas += u64::from(self.object(&element, object, number, &group));
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

    /// Reads an object. `number` is the number of the tile whose image it shows. Returns true if the
    /// object has an area that is not solid.
    fn object(
        &mut self,
        element: &Element,
        mut object: MapObject,
        number: Option<u32>,
        group: &Group,
    ) -> bool {
        let origin = self.context.frame.origin_pixels();
        object.at.0 += group.offset.0 - origin.0;
        object.at.1 += group.offset.1 - origin.1;
        if matches!(object.shape, Some(Shape::Text)) {
            let label = show::text(&object.label());
            element.warn(format!("the text object `{label}` is ignored"), "");
            return false;
        }
        if object.class.as_deref().unwrap_or_default().eq_ignore_ascii_case("agent") {
            self.agent(element, &object);
            return false;
        }
        let used = |name: &str| {
            says_walkable(name).is_some()
                || is_one_way(name)
                || matches!(name, "one_sided" | "opaque")
        };
        left_out::in_object(element, self.context.marks, used);
        self.count_name(&object);
        let effect = self.effect(&object, number, group);
        let tile = self.context.frame.tile;
        let outline = object.outline(tile);
        let corners = outline.as_ref().map(|outline| self.tiles(outline));
        let is_barrier = effect.passage == Some(Passage::Closed) || effect.is_one_way;
        if is_barrier {
            let mark = effect.mark.unwrap_or(group.mark);
            let own = if effect.shapes.is_empty() { object.own_shape(tile) } else { None };
            let label = object.label();
            for shape in effect.shapes.into_iter().chain(own) {
                if effect.is_one_way || shape.properties.is_one_way() {
                    self.platform(&label, &shape);
                } else {
                    self.solid(element, &label, &shape, mark);
                }
            }
        } else if effect.passage == Some(Passage::Open) {
            self.freed.extend(corners.clone().map(|area| (element.span(), area)));
        }
        let line = object.line();
        if let Some(points) = line.as_ref().filter(|_| !is_barrier) {
            self.path(element, &object, points, false);
        } else if let (Some(Shape::Polygon(_)), Some(outline), false) =
            (&object.shape, outline, is_barrier)
        {
            self.path(element, &object, &outline, true);
        } else if line.is_none() {
            let is_hidden = is_barrier && object.name.is_none();
            self.place(element, &object, corners.as_deref(), is_hidden);
        }
        effect.passage.is_none() && corners.is_some_and(|corners| corners.len() > 2)
    }

    /// Counts the name of an object that a property makes solid.
    fn count_name(&mut self, object: &MapObject) {
        let names = &mut self.drawn.solid_names;
        let is_solid = object.properties.passage() == Some(Passage::Closed);
        let name = object.name.as_ref().or(object.class.as_ref()).filter(|_| is_solid);
        if let Some(name) =
            name.filter(|name| names.len() < MOST_NAMES || names.contains_key(*name))
        {
            *names.entry(name.clone()).or_default() += 1;
        }
    }

    /// Returns what makes an object solid or walkable: its properties, its class, its tile, its name,
    /// or its layer.
    fn effect(&mut self, object: &MapObject, number: Option<u32>, group: &Group) -> Effect {
        let ObjectContext { sets, marks, frame, .. } = &mut self.context;
        let class = object.class.as_deref().unwrap_or_default();
        let name = object.name.as_deref().unwrap_or_default();
        let is_named = group.uses_names && object.class.is_none() && is_solid_word(name);
        let facts = number.and_then(|number| sets.facts(number, marks));
        for selector in facts.map_or(&[][..], |facts| facts.candidates) {
            marks.candidate(selector, 1);
        }
        let tile = facts.and_then(|facts| facts.mark);
        let tile = tile.filter(|id| marks.get(*id).rule <= SolidityRule::Table);
        let image = facts.and_then(|facts| Some(facts.image?.flipped(number?)));
        let has_shapes = image.as_ref().is_some_and(|image| !image.outlines.is_empty());
        let by_shapes = facts.and_then(|facts| facts.shapes).filter(|_| has_shapes);
        let closed = |is_closed: bool| is_closed.then_some(Passage::Closed);
        let mut passage = tile
            .map(|id| Passage::of(marks.walks(id)))
            .or(group.chosen)
            .or(object.properties.passage())
            .or(closed(is_solid(class)));
        let mut mark = tile;
        if passage.is_none()
            && let Some(shapes) = by_shapes.filter(|_| group.passage != Some(Passage::Open))
        {
            (passage, mark) = (closed(!marks.walks(shapes)), Some(shapes));
        } else {
            passage = passage.or(closed(is_named)).or(group.passage);
        }
        let shapes = image.as_ref().map(|image| object.shapes(image, frame.tile));
        let is_one_way = group.is_one_way
            || object.properties.is_one_way()
            || image.is_some_and(|image| image.is_one_way);
        Effect { passage, mark, shapes: shapes.unwrap_or_default(), is_one_way }
    }

    /// Converts points from pixels to tiles.
    fn tiles(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|&point| self.context.frame.tiles(point)).collect()
    }

    /// Makes the tiles under a solid shape solid. Lines, the outlines of slanted shapes, and shapes
    /// that cover no tile at least half become walls.
    fn solid(&mut self, element: &Element, name: &str, shape: &ObjectShape, mark: MarkId) {
        let corners = self.tiles(&shape.points);
        if shape.is_line {
            self.walls.add(name, &corners, false, shape.properties.wall());
            return;
        }
        let (low, high) = bounds(&corners);
        if low.0 == high.0 && low.1 == high.1 {
            return;
        }
        let (context, mut is_closing) = (&mut self.context, false);
        let full = |x, y| {
            close(context, x, y, mark);
            is_closing = true;
        };
        match self.cover.add(&corners, shape.is_upright, full) {
            Ok(most) => is_closing |= most >= 0.5 - shape::TOLERANCE,
            Err(TooLarge) => return self.refuse(element.issues, element.span()),
        }
        let is_slanted = !shape.is_upright && !shape.is_round;
        if !is_closing || is_slanted {
            let step = if shape.is_round { ROUND_STEP } else { 1 };
            let corners: Vec<_> = corners.into_iter().step_by(step).collect();
            self.walls.add(name, &corners, true, shape.properties.wall());
        }
    }

    /// Adds the upper side of a one-way platform as a one-sided wall, which stops bodies from above.
    fn platform(&mut self, name: &str, shape: &ObjectShape) {
        let (low, high) = bounds(&self.tiles(&shape.points));
        let kind = WallKind { one_sided: true, ..shape.properties.wall() };
        self.walls.add(name, &[(high.0, low.1), low], false, kind);
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
            let half = self.cover.add(&corners, false, full).and_then(|_| self.cover.take_half());
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
        // Thousands of agents can inherit many properties from one template.
        let known = object.properties.iter().filter(|(name, _)| is_agent_key(name));
        let properties = known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
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

/// Adds what an object inherits from the tile whose image it shows: size, class and properties.
/// Returns the number of the tile in the map; `None` without such a tile.
fn inherit(object: &mut MapObject, context: &ObjectContext) -> Option<u32> {
    let ObjectContext { sets, marks, frame, .. } = context;
    let mut number = object.image.number?;
    if let Some((path, first)) = &object.image.set {
        let flips = number & FLIPS;
        let tile = (number & !FLIPS).checked_sub(*first)?;
        number = sets.number_in(path, tile)? | flips;
    }
    let facts = sets.facts(number, marks)?;
    object.image.size = facts.size;
    object.image.anchor = Some(facts.anchor);
    object.class = object.class.take().or_else(|| facts.class.map(ToOwned::to_owned));
    if let Some(properties) = facts.properties {
        object.properties.inherit(properties);
    }
    if frame.is_isometric {
        object.stand_on_slanted_tiles(frame.tile, frame.step.0);
    }
    Some(number)
}

/// Returns true if the name of an object layer does not describe its objects, and if it has at least
/// two objects, which all are areas without a name, a class, an image and properties.
fn has_nameless_areas(layer: &Element) -> bool {
    let is_area = |object: Element| {
        let has = |key: &str| object.attribute(key).is_some_and(|text| !text.is_empty());
        let side = |key: &str| object.attribute(key).and_then(|text| text.parse::<f64>().ok());
        let has_size =
            || ["width", "height"].into_iter().all(|key| side(key).is_some_and(|side| side > 0.0));
        let is_polygon = || object.all("polygon").next().is_some();
        let is_other = ["point", "ellipse", "polyline", "text"]
            .iter()
            .any(|shape| object.all(shape).next().is_some());
        let is_described = ["name", "class", "type", "gid", "template"].into_iter().any(has);
        !is_described
            && !is_other
            && (has_size() || is_polygon())
            && all_properties(&object).next().is_none()
    };
    is_meaningless(layer.attribute("name").unwrap_or_default())
        && all_properties(layer).next().is_none()
        && layer.all("object").count() > 1
        && layer.all("object").all(is_area)
}

/// Returns true if at least half of the objects with an area are solid by a property, a class or a
/// name.
fn is_about_collision<'o>(objects: impl Iterator<Item = &'o MapObject>) -> bool {
    let (mut solid, mut areas) = (0, 0);
    for object in objects {
        if object.outline((1.0, 1.0)).is_none() {
            continue;
        }
        areas += 1;
        let own = object.properties.passage();
        let named = || match (&object.class, &object.name) {
            (Some(class), _) => is_solid(class),
            (None, Some(name)) => is_solid_word(name),
            (None, None) => false,
        };
        solid += u32::from(own == Some(Passage::Closed) || own.is_none() && named());
    }
    solid * 2 >= areas && solid > 0
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
        | SolidityRule::KnownSet
        | SolidityRule::Shapes
        | SolidityRule::Layer
        | SolidityRule::Terrain
        | SolidityRule::Objects
        | SolidityRule::Value
        | SolidityRule::Tag
        | SolidityRule::Entity
        | SolidityRule::Outside
        | SolidityRule::Missing
        | SolidityRule::Nothing => false,
    };
    let is_closed = !context.marks.walks(before);
    if let Some(cell) = cell(context.cells, x, y).filter(|_| !keeps && !is_closed) {
        *cell = mark;
    }
}
