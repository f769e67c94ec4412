//! Reads object layers: places, areas, paths, walls, agents and solid areas.
//!
//! A mark is a tile kind together with the rule that assigned the kind. The file also collects
//! the free walls.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Frame, MAX_DEPTH};
use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::object::{self, Object, PIXELS, Shape};
use crate::formats::tiled::reader::shape::{self, Cover, Point, TooLarge, bounds};
use crate::formats::tiled::reader::tile_sets::Files;
use crate::formats::tiled::rules::{FLOOR, Rules, Selector, SolidityRule};
use crate::formats::tiled::words::{self, is_solid, is_solid_word, says_walkable, truth};
use crate::formats::tiled::{DrawnAgent, DrawnPath, DrawnPlace, DrawnWall};
use crate::keys::map::{MAX_WALL_LENGTH, MAX_WALLS};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::name::unique;
use crate::tiles::legend::Legend;
use tilewalk_sim::geom::{TilePos, TileRect, Vec2};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::pattern::PathPattern;
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::tile::TileKind;

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
pub struct Context<'a, 'b> {
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
    context: Context<'a, 'b>,
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

pub fn read_all(map: &Element, context: Context) -> Drawn {
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
        let Context { rules, marks, .. } = &mut self.context;
        let selector = Selector { rule: SolidityRule::Objects, name: name.to_owned() };
        let chosen = rules.chosen(&selector);
        let said = object::all_properties(&element)
            .find_map(|(name, value, _)| Some(truth(value)? == says_walkable(name)?));
        let walks = chosen.or(said).or(is_solid(name).then_some(false));
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
        let Some(mut object) = Object::read_all(element, self.context.files) else { return false };
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
        object: &Object,
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

    fn agent(&mut self, element: &Element, object: &Object) {
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
        object: &Object,
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

    fn path(&mut self, element: &Element, object: &Object, points: &[Point], closed: bool) {
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
    fn unique(&mut self, object: &Object, is_place: bool) -> String {
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
fn close(context: &mut Context, x: u32, y: u32, mark: MarkId) {
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

/// Glyph of solid tiles that have no other glyph.
const WALL: &str = "#";

/// Glyphs for kinds that a Tiled map adds to the legend.
const POOL: &str = "abcdefghijklmnopqrstuvwxyz123456789:;%&$!";

/// Maximum number of marks whose names are stored. Further marks have the name `…`.
const MOST_NAMED: usize = 20_000;

/// Index of a mark.
pub type MarkId = u16;

/// Mark of cells without a tile.
pub const EMPTY: MarkId = 0;

/// Mark of tiles to which no rule assigns a kind.
pub const PLAIN: MarkId = 1;

/// A rule, and the tile kind that it assigns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub kind: u8,
    pub rule: SolidityRule,
    /// Name of the property, class, layer or selector to which the rule applies.
    pub name: String,
}

/// All marks of a map. Also contains the legend, with the kinds that the map adds.
#[derive(Debug)]
pub struct Marks {
    legend: Legend,
    /// Number of kinds in the legend of the map file.
    base: usize,
    list: Vec<Mark>,
    ids: BTreeMap<Mark, MarkId>,
    /// Selectors that would mark unmarked tiles or objects, and the number of these tiles or
    /// objects.
    pub candidates: BTreeMap<Selector, u64>,
}

impl Marks {
    pub fn new(legend: &Legend, empty: u8) -> Self {
        let mut marks = Self {
            legend: legend.clone(),
            base: legend.kinds().len(),
            list: Vec::new(),
            ids: BTreeMap::new(),
            candidates: BTreeMap::new(),
        };
        let floor = legend.index(FLOOR).unwrap_or(0);
        for (kind, rule) in [(empty, SolidityRule::Nothing), (floor, SolidityRule::Nothing)] {
            marks.list.push(Mark { kind, rule, name: String::new() });
        }
        marks
    }

    /// Returns the mark with this kind, rule and name. Adds the mark if it is new.
    pub fn mark(&mut self, kind: u8, rule: SolidityRule, name: &str) -> MarkId {
        // Only names are dropped in maps with too many of them. Kinds and rules stay exact.
        let name = if self.list.len() < MOST_NAMED { show::text(name) } else { "…".to_owned() };
        let mark = Mark { kind, rule, name };
        if let Some(&id) = self.ids.get(&mark) {
            return id;
        }
        let id = self.list.len() as MarkId;
        self.list.push(mark.clone());
        self.ids.insert(mark, id);
        id
    }

    /// Returns the mark of walkable tiles if `walks` is true, otherwise the mark of solid tiles.
    pub fn plain(&mut self, walks: bool, rule: SolidityRule, name: &str) -> MarkId {
        let kind = self.legend.index(if walks { FLOOR } else { WALL }).unwrap_or(0);
        self.mark(kind, rule, name)
    }

    /// Returns the mark of walkable tiles with a route cost.
    pub fn cost(&mut self, cost: f32, rule: SolidityRule, name: &str) -> MarkId {
        let kind = TileKind { cost, ..TileKind::floor("", &format!("cost {cost}")) };
        let kind = self.added(kind);
        self.mark(kind, rule, name)
    }

    /// Returns the mark for tiles whose tile set can't be read. Its kind is a floor with the name
    /// of the tile set.
    pub fn missing(&mut self, set: &str) -> MarkId {
        let name: String = set.chars().take(60).collect();
        let kind = self.added(TileKind::floor("", &show::text(&name)));
        self.mark(kind, SolidityRule::Missing, set)
    }

    /// Adds a kind to the legend with a free glyph, and returns its legend index. An equal kind
    /// that was added before is used again. Without a free glyph, returns the index of floor.
    fn added(&mut self, kind: TileKind) -> u8 {
        let added = self.legend.kinds().iter().enumerate().skip(self.base);
        for (index, each) in added {
            if (&each.name, each.cost) == (&kind.name, kind.cost) {
                return index as u8;
            }
        }
        let glyphs = POOL.char_indices().map(|(at, c)| &POOL[at..at + c.len_utf8()]);
        let free = { glyphs }.find(|glyph| self.legend.index(glyph).is_none());
        let kind = free.map(|glyph| TileKind { glyph: glyph.into(), drawn: glyph.into(), ..kind });
        let inserted = kind.is_some_and(|kind| self.legend.insert(kind));
        let floor = self.legend.index(FLOOR).unwrap_or(0);
        if inserted { self.legend.kinds().len() as u8 - 1 } else { floor }
    }

    pub fn get(&self, id: MarkId) -> &Mark {
        &self.list[usize::from(id)]
    }

    /// Returns true if bodies can walk on tiles with a mark.
    pub fn walks(&self, id: MarkId) -> bool {
        self.legend.kinds()[usize::from(self.get(id).kind)].walk
    }

    /// Returns true if a rule assigned the mark. Returns false for positions without a tile, for
    /// unmarked tiles, and for tiles of an unreadable tile set.
    pub fn decides(&self, id: MarkId) -> bool {
        match self.get(id).rule {
            SolidityRule::Nothing | SolidityRule::Missing => false,
            SolidityRule::Chosen
            | SolidityRule::Table
            | SolidityRule::TileProperty
            | SolidityRule::TileClass
            | SolidityRule::LayerTable
            | SolidityRule::Shapes
            | SolidityRule::LayerProperty
            | SolidityRule::Layer
            | SolidityRule::Terrain
            | SolidityRule::Objects => true,
        }
    }

    /// Returns true if the Tiled map itself makes tiles with this mark solid. Terrains do not
    /// count. Names that can denote pictures do not count either.
    pub fn is_collision(&self, id: MarkId) -> bool {
        let mark = self.get(id);
        let is_mark = match mark.rule {
            SolidityRule::TileProperty
            | SolidityRule::Shapes
            | SolidityRule::LayerProperty
            | SolidityRule::Objects => true,
            SolidityRule::TileClass | SolidityRule::Layer => !words::can_be_picture(&mark.name),
            SolidityRule::Chosen
            | SolidityRule::Table
            | SolidityRule::LayerTable
            | SolidityRule::Terrain
            | SolidityRule::Missing
            | SolidityRule::Nothing => false,
        };
        is_mark && !self.walks(id)
    }

    /// Returns the mark whose rule has precedence; `a` if the rules are equal. Returns `None` only
    /// if both are `None`.
    pub fn better(&self, a: Option<MarkId>, b: Option<MarkId>) -> Option<MarkId> {
        let rank = |id: &MarkId| self.get(*id).rule;
        // `min_by_key` returns the first of equal marks.
        a.into_iter().chain(b).min_by_key(rank)
    }

    /// Adds `tiles` to the number of tiles that a selector would mark.
    pub fn candidate(&mut self, selector: &Selector, tiles: u64) {
        if let Some(count) = self.candidates.get_mut(selector) {
            *count += tiles;
        } else if self.candidates.len() < MOST_NAMED {
            self.candidates.insert(selector.clone(), tiles);
        }
    }

    pub fn legend(&self) -> &Legend {
        &self.legend
    }

    /// Returns the legend index of each mark, in the order of mark ids.
    pub fn kinds(&self) -> Vec<u8> {
        self.list.iter().map(|mark| mark.kind).collect()
    }

    pub fn list(&self) -> &[Mark] {
        &self.list
    }

    /// Returns the legend with the kinds that the map adds.
    pub fn into_legend(self) -> Legend {
        self.legend
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
