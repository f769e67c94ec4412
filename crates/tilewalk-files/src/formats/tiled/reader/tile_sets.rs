//! Reads tile sets, in the map or in files of their own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::rc::Rc;

use super::Frame;
use crate::formats::tiled::reader::element::{
    Element, Files, document, folder_of, read_path, resolved,
};
use crate::formats::tiled::reader::known_sets::{self, KnownSet};
use crate::formats::tiled::reader::left_out;
use crate::formats::tiled::reader::map_object::{MapObject, Templates};
use crate::formats::tiled::reader::marks::{self, MarkId, Marks};
use crate::formats::tiled::reader::properties::Properties;
use crate::formats::tiled::reader::set_images::{self, SetImages, TileSource};
use crate::formats::tiled::reader::shape::Point;
use crate::formats::tiled::reader::stamp::Stamp;
use crate::formats::tiled::reader::tile_image::{FLIPS, Outline, TileImage};
use crate::formats::tiled::reader::walls::TileWalls;
use crate::formats::tiled::rules::Rules;
use crate::formats::tiled::selector::{Selector, SolidityRule};
use crate::formats::tiled::words::{is_closed_terrain, is_raised, is_solid};
use crate::keys::map::MAX_TILE;
use crate::show;
use crate::text::diagnostic::Issues;
use crate::tiles::known::KnownKinds;
use crate::tiles::legend::Legend;
use tilewalk_sim::sort::SmallSort;

/// Maximum number of tile sets per map.
const MAX_SETS: usize = 250;

/// Maximum number of steps to place images and collision shapes on the grid, per map.
const MAX_WORK: f64 = 1e7;

/// Maximum number of tiles that large images cover, in all drawings of the layers of a map.
const MAX_SPILLED: u64 = 100_000_000;

/// Number for the first tile of a tile set that only templates use, in a map without large tile
/// numbers, and the distance to the next such tile set.
const OF_TEMPLATES: (u32, u32) = (0x0800_0000, 0x0008_0000);

/// Advice for a tile set that can't be found.
const MISSING: &str = "its tiles are imported as floor; put the file there, or import with \
                       `--tilesets DIR`";

/// Tile sets of a map, ordered by their first tile numbers.
#[derive(Debug)]
pub struct Sets {
    list: Vec<Set>,
    /// Width and height of a map tile, in pixels.
    grid: Point,
    placed: RefCell<Placed>,
}

/// Images that were placed on the grid.
#[derive(Debug)]
struct Placed {
    /// Effect of each tile number with flips.
    stamps: BTreeMap<u32, Rc<Stamp>>,
    walls: TileWalls,
    /// Remaining work, in the unit of [`MAX_WORK`].
    budget: f64,
    /// Number of tiles that large images covered.
    spilled: u64,
}

#[derive(Debug)]
struct Set {
    /// Number that layers use for the first tile of the set.
    first: u32,
    /// Path of the tile set, relative to the map; empty for a tile set in the map.
    path: String,
    content: SetContent,
    /// Tile numbers with the marks that selectors and `[tiled]` assign, and whether the tiles are
    /// one-way platforms.
    ruled: Vec<(RangeInclusive<u32>, MarkId, bool)>,
}

/// Content of a tile set.
#[derive(Debug, Default)]
struct SetContent {
    name: String,
    /// Number of tiles; `None` if the file does not state the number.
    count: Option<u32>,
    /// Tiles with properties, a class, shapes or a terrain.
    tiles: BTreeMap<u32, Tile>,
    /// Number of tiles in a row of the image; `None` if it is unknown.
    columns: Option<u32>,
    /// Mark of all tiles of a tile set that can't be read; `None` for a tile set that was read.
    missing: Option<MarkId>,
    /// Width and height of the tiles, in pixels; `None` if they are unknown.
    size: Option<Point>,
    /// Whether images keep their proportions when they are scaled to tiles of the map; `None` if they
    /// are not scaled.
    scaled: Option<bool>,
    /// The tile set of a game, if this is one.
    known: Option<&'static KnownSet>,
    /// Part of an object with an image that is at the position of the object, from (0, 0) for the
    /// upper left corner to (1, 1).
    anchor: Point,
    images: SetImages,
}

/// Facts about a tile in a tile set.
#[derive(Debug, Default)]
struct Tile {
    /// Whether the user leaves out the tile.
    is_left_out: bool,
    mark: Option<MarkId>,
    /// Mark where collision shapes close a tile; `None` without shapes.
    shapes: Option<MarkId>,
    /// Mark from the terrain of the tile. Counts only in maps without other marks.
    terrain: Option<MarkId>,
    /// Selectors with which the user can make the tile solid or walkable.
    candidates: Vec<Selector>,
    /// Image and shapes; `None` for an image with the size of the tile set and without an effect.
    image: Option<Box<TileImage>>,
    class: Option<String>,
    properties: Properties,
}

impl Tile {
    /// Returns true if its height puts the tile above moving things.
    fn is_raised(&self) -> bool {
        self.properties.iter().any(|(name, value)| is_raised(name, value))
    }
}

/// Result of the search for a tile.
#[derive(Debug, Clone, Default)]
pub struct Lookup {
    /// Whether no tile set has the tile.
    pub is_unknown: bool,
    /// Whether the user leaves out the tile.
    pub is_left_out: bool,
    /// Whether its height puts the tile above moving things.
    pub is_raised: bool,
    /// Mark from selectors, `[tiled]`, properties and class of the tile.
    pub own: Option<MarkId>,
    /// Mark where collision shapes close a tile.
    pub shapes: Option<MarkId>,
    /// Mark from the terrain, or of a missing tile set.
    pub last: Option<MarkId>,
    /// Effect of the image and its shapes; `None` for a plain image of one tile.
    pub stamp: Option<Rc<Stamp>>,
}

/// Place of a tile in its tile set.
#[derive(Debug, Clone, Copy)]
pub struct PlaceInSet {
    /// Index of the tile set.
    pub set: usize,
    /// Number of the tile in the set.
    pub tile: u32,
    /// Whether a selector, `[tiled]`, a property, the class or a shape of the tile marks it.
    pub is_marked: bool,
}

/// Error for collision shapes that need too much work.
struct TooMuchWork;

/// Facts about the tile of an object.
#[derive(Debug, Clone, Copy)]
pub struct TileFacts<'s> {
    /// Mark from selectors, `[tiled]`, properties and class of the tile.
    pub mark: Option<MarkId>,
    /// Mark where collision shapes close a tile.
    pub shapes: Option<MarkId>,
    pub class: Option<&'s str>,
    pub properties: Option<&'s Properties>,
    pub image: Option<&'s TileImage>,
    /// Width and height of the image, in pixels; `None` if they are unknown.
    pub size: Option<Point>,
    /// Part of the image that is at the position of the object.
    pub anchor: Point,
    pub candidates: &'s [Selector],
}

/// Reads all tile sets of a map. Reports too many tile sets and returns `None`.
pub fn read_all(
    map: &Element,
    frame: Frame,
    rules: &Rules,
    marks: &mut Marks,
    files: &mut Files,
) -> Option<Sets> {
    let mut sets = Vec::new();
    for element in map.all("tileset") {
        if sets.len() == MAX_SETS {
            let help = "remove tile sets that the map does not use, in Tiled";
            element.refuse(format!("the map has more than {MAX_SETS} tile sets"), help);
            return None;
        }
        let first = element.required("firstgid", 1.0..=f64::from(MAX_TILE));
        let content = match element.attribute("source") {
            Some(source) => outside(&element, ("source", source), frame, (rules, marks), files),
            None => content(&element, "", Some(frame), rules, marks),
        };
        let Some(first) = first else { continue };
        let path = element.attribute("source").unwrap_or_default().replace('\\', "/");
        let path = resolved(&path).unwrap_or(path);
        sets.push(Set::new(first as u32, path, content, rules, marks));
    }
    sets.small_sort_by_key(|set| set.first);
    let (stamps, walls) = Default::default();
    let placed = RefCell::new(Placed { stamps, walls, budget: MAX_WORK, spilled: 0 });
    Some(Sets { list: sets, grid: frame.tile, placed })
}

/// Returns the last component of a path.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

impl Set {
    fn new(
        first: u32,
        path: String,
        content: SetContent,
        rules: &Rules,
        marks: &mut Marks,
    ) -> Self {
        let chosen = rules.chosen_numbers(&content.name).into_iter().map(|(selector, numbers)| {
            let walks = rules.chosen(selector) == Some(true);
            let mark = marks.plain(walks, SolidityRule::Chosen, &selector.to_string());
            (numbers, mark, rules.is_one_way(selector))
        });
        let mut ruled: Vec<_> = chosen.collect();
        ruled.extend(rules.set(&content.name).iter().map(|(numbers, kind)| {
            (numbers.clone(), marks.mark(*kind, SolidityRule::Table, &content.name), false)
        }));
        ruled.extend(content.known.map(|known| {
            let mark = marks.plain(true, SolidityRule::KnownSet, &content.name);
            (known.one_way.clone(), mark, true)
        }));
        Self { first, path, content, ruled }
    }
}

/// Reads a tile set file only to report its problems. Returns `None` for a file that is not a tile
/// set.
pub fn check(issues: &Issues) -> Option<()> {
    let mut marks = Marks::new(&Legend::standard(), 0, KnownKinds::default());
    document(issues, "tileset", |element| {
        content(&element, "", None, &Rules::default(), &mut marks);
        Some(())
    })
}

/// Reads a tile set from its own file. Reports an invalid file name at the attribute `key` of
/// `element`. For a file that can't be read, returns a tile set with only a name and a mark.
fn outside(
    element: &Element,
    (key, source): (&str, &str),
    frame: Frame,
    (rules, marks): (&Rules, &mut Marks),
    files: &mut Files,
) -> SetContent {
    let folder = folder_of(source);
    let read = read_path(files, element, (key, "tile set", source), MISSING, |issues| {
        document(issues, "tileset", |set| Some(content(&set, &folder, Some(frame), rules, marks)))
    });
    read.unwrap_or_else(|| {
        let file = file_name(source);
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let missing = Some(marks.missing(name));
        let anchor = anchor("", frame.is_isometric);
        SetContent { name: name.to_owned(), missing, anchor, ..SetContent::default() }
    })
}

/// Reads a tile set. `folder` is its directory relative to the map, with a `/` at the end.
fn content(
    set: &Element,
    folder: &str,
    frame: Option<Frame>,
    rules: &Rules,
    marks: &mut Marks,
) -> SetContent {
    let name = set.attribute("name").unwrap_or_default().to_owned();
    let count = set.number("tilecount", 0.0..=f64::from(MAX_TILE)).map(|count| count as u32);
    if let Some(source) = set.attribute("source").filter(|_| set.attribute("firstgid").is_none()) {
        let message = format!(
            "an external tile set can't refer to another tile set: `{}`",
            show::text(source)
        );
        set.refuse(message, "refer to that tile set in the map");
    }
    let mut tiles: BTreeMap<u32, Tile> = BTreeMap::new();
    let grid = frame.map(|frame| frame.tile);
    let size = side(set, "tilewidth").zip(side(set, "tileheight"));
    let mut beyond = 0;
    for element in set.all("tile") {
        let id = element.required("id", 0.0..=f64::from(MAX_TILE));
        let mut tile = tile(&element, rules, marks);
        if let Some(own) = tile_size(set, &element).or(grid) {
            let image = add_image(&mut tile, read_image(&element, own), &name, (rules, marks));
            let is_plain = size == Some(own) && !image.has_effect(grid.unwrap_or(own));
            tile.image = Some(Box::new(image)).filter(|_| !is_plain);
        }
        let Some(id) = id.map(|id| id as u32) else { continue };
        beyond = beyond.max(id + 1);
        if tile.mark.is_some()
            || tile.image.is_some()
            || !tile.candidates.is_empty()
            || !tile.properties.is_empty()
        {
            merge(tiles.entry(id).or_default(), tile, marks);
        }
    }
    left_out::in_tile_set(set, marks);
    add_terrains(set, rules, marks, &mut tiles);
    // Tile sets of single images can have gaps in their numbers.
    let count = count.map(|count| count.max(beyond));
    let is_isometric = frame.is_some_and(|frame| frame.is_isometric);
    let anchor = anchor(set.attribute("objectalignment").unwrap_or_default(), is_isometric);
    let columns = columns(set);
    let images = set_images::of_set(set, folder);
    let keeps_aspect = set.attribute("fillmode") == Some("preserve-aspect-fit");
    let is_scaled = set.attribute("tilerendersize") == Some("grid");
    let scaled = is_scaled.then_some(keeps_aspect);
    let known = known_sets::find(&name, size, columns);
    SetContent { name, count, tiles, columns, missing: None, size, scaled, known, anchor, images }
}

/// Reads the collision shapes of a tile whose image has a size.
fn read_image(tile: &Element, size: Point) -> TileImage {
    let objects = tile.all("objectgroup").flat_map(|group| group.all("object"));
    let outline = |element: Element| {
        let object = MapObject::read(&element)?;
        let (is_upright, is_round) = (object.is_upright(), object.is_round());
        let area = object.outline(size);
        let is_line = area.is_none();
        let points = area.or_else(|| object.line())?;
        let properties = object.properties;
        Some(Outline { points, is_line, is_upright, is_round, properties })
    };
    let outlines = objects.filter_map(outline).collect();
    TileImage { size, outlines, is_one_way: false }
}

/// Adds a second entry of a tile, as old files have.
fn merge(tile: &mut Tile, more: Tile, marks: &Marks) {
    tile.is_left_out |= more.is_left_out;
    tile.mark = marks.better(tile.mark, more.mark);
    tile.shapes = tile.shapes.or(more.shapes);
    tile.class = tile.class.take().or(more.class);
    tile.image = more.image.or(tile.image.take());
    tile.candidates.extend(more.candidates);
    tile.properties.inherit(&more.properties);
}

/// Returns the part of an image that an alignment puts at the position of an object.
fn anchor(alignment: &str, is_isometric: bool) -> Point {
    let across = |word: &str| match word {
        "" => 0.5,
        "left" => 0.0,
        _ => 1.0,
    };
    match alignment {
        "center" => (0.5, 0.5),
        "" | "unspecified" if is_isometric => (0.5, 1.0),
        "left" => (0.0, 0.5),
        "right" => (1.0, 0.5),
        _ if alignment.starts_with("top") => (across(&alignment[3..]), 0.0),
        _ if alignment.starts_with("bottom") => (across(&alignment[6..]), 1.0),
        _ => (0.0, 1.0),
    }
}

/// Adds the mark of the shapes of a tile. Returns its image, which is a one-way platform if the user,
/// the class or a property says so. `set` is the name of the tile set.
fn add_image(
    tile: &mut Tile,
    mut image: TileImage,
    set: &str,
    (rules, marks): (&Rules, &mut Marks),
) -> TileImage {
    if !image.outlines.is_empty() {
        let selector = Selector::new(SolidityRule::Shapes, set);
        let chosen = rules.chosen(&selector);
        let (rule, name) = match chosen {
            Some(_) => (SolidityRule::Chosen, selector.to_string()),
            None => (SolidityRule::Shapes, set.to_owned()),
        };
        tile.shapes = Some(marks.plain(chosen == Some(true), rule, &name));
        image.is_one_way |= rules.is_one_way(&selector);
    }
    let class = tile.class.iter().map(|class| Selector::new(SolidityRule::TileClass, class));
    let names =
        tile.properties.iter().map(|(name, _)| Selector::new(SolidityRule::TileProperty, name));
    image.is_one_way |= tile.properties.is_one_way();
    image.is_one_way |= class.chain(names).any(|selector| rules.is_one_way(&selector));
    image
}

/// Reads the properties and the class of a tile.
fn tile(element: &Element, rules: &Rules, marks: &mut Marks) -> Tile {
    let mut candidates = Vec::new();
    let candidate = |selector| candidates.push(selector);
    let mut mark = marks::mark_of(element, SolidityRule::TileProperty, rules, marks, candidate);
    if let Some(class) = element.first_of(&["class", "type"]) {
        let selector = Selector { rule: SolidityRule::TileClass, name: class.to_owned() };
        let own = match rules.chosen(&selector) {
            Some(walks) => Some(marks.plain(walks, SolidityRule::Chosen, &selector.to_string())),
            None if is_solid(class) => Some(marks.plain(false, SolidityRule::TileClass, class)),
            None => None,
        };
        if own.is_none() {
            candidates.push(selector);
        }
        mark = marks.better(mark, own);
    }
    let class = element.first_of(&["class", "type"]).map(ToOwned::to_owned);
    let properties = marks::properties(element);
    let is_left_out = marks::is_left_out(element, rules);
    if mark.is_some_and(|id| marks.walks(id) && !marks.is_chosen(id)) {
        let height = properties.iter().find(|(name, value)| is_raised(name, value));
        marks.raised.extend(height.map(|(name, _)| show::text(name)));
    }
    Tile { is_left_out, mark, candidates, class, properties, ..Tile::default() }
}

/// Adds the marks that tiles get from their terrains.
fn add_terrains(set: &Element, rules: &Rules, marks: &mut Marks, tiles: &mut BTreeMap<u32, Tile>) {
    let selector = |name: &str| Selector { rule: SolidityRule::Terrain, name: name.to_owned() };
    let chosen = read_terrain(set, |name| rules.chosen(&selector(name)).is_some());
    for (id, name) in chosen {
        let walks = rules.chosen(&selector(&name)) == Some(true);
        let mark = marks.plain(walks, SolidityRule::Chosen, &selector(&name).to_string());
        let tile = tiles.entry(id).or_default();
        tile.mark = marks.better(tile.mark, Some(mark));
    }
    for (id, name) in read_terrain(set, is_closed_terrain) {
        let mark = marks.plain(false, SolidityRule::Terrain, &name);
        let tile = tiles.entry(id).or_default();
        tile.terrain = Some(mark);
        tile.candidates.push(selector(&name));
    }
    for (id, name) in read_terrain(set, |name| !is_closed_terrain(name)) {
        tiles.entry(id).or_default().candidates.push(selector(&name));
    }
}

/// Returns the width or the height of an image, in pixels; `None` if it is unknown.
fn side(element: &Element, key: &str) -> Option<f64> {
    element.attribute(key)?.parse().ok().filter(|side: &f64| (1.0..=1e6).contains(side))
}

/// Returns the number of tiles in a row of the image of a tile set; `None` if it is unknown.
fn columns(set: &Element) -> Option<u32> {
    let own = set.attribute("columns").and_then(|text| text.parse().ok());
    let pixels = |key: &str| set.attribute(key).and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let computed = || {
        let image = set.all("image").next();
        let width = image.and_then(|image| side(&image, "width")).or(side(set, "imagewidth"))?;
        let spacing = pixels("spacing");
        Some(((width - pixels("margin") + spacing) / (side(set, "tilewidth")? + spacing)) as u32)
    };
    own.or_else(computed).filter(|&columns| columns > 0)
}

/// Returns the width and the height of a tile's image, in pixels; `None` if they are unknown.
fn tile_size(set: &Element, tile: &Element) -> Option<Point> {
    let image = tile.all("image").next();
    // In JSON, the tile itself has the size of its image.
    let file = image.map(|image| (side(&image, "width"), side(&image, "height")));
    let file = file.unwrap_or_else(|| (side(tile, "imagewidth"), side(tile, "imageheight")));
    // The tile can be a part of the image file.
    let part = (side(tile, "width"), side(tile, "height"));
    let own = (part.0.or(file.0), part.1.or(file.1));
    let of_set = (side(set, "tilewidth"), side(set, "tileheight"));
    Some((own.0.or(of_set.0)?, own.1.or(of_set.1)?))
}

impl Sets {
    /// Returns what the tile sets say about a tile by its number in a layer, with flips. Terrains
    /// count only if `uses_terrain` is true. Returns `None` if the shapes need too much work.
    pub fn lookup(&self, number: u32, uses_terrain: bool, marks: &Marks) -> Option<Lookup> {
        let unknown = Lookup { is_unknown: true, ..Lookup::default() };
        let Some((set, tile)) = self.find(number) else { return Some(unknown) };
        let content = &set.content;
        let known = content.tiles.get(&tile);
        if content.count.is_some_and(|count| tile >= count) && known.is_none() {
            return Some(unknown);
        }
        let ruled = set.ruled.iter().find(|(tiles, ..)| tiles.contains(&tile));
        let terrain = known.and_then(|known| known.terrain).filter(|_| uses_terrain);
        let own = known.and_then(|known| known.mark);
        Some(Lookup {
            is_unknown: false,
            is_left_out: known.is_some_and(|known| known.is_left_out),
            is_raised: known.is_some_and(Tile::is_raised),
            own: marks.better(ruled.map(|&(_, mark, _)| mark), own),
            shapes: known.and_then(|known| known.shapes),
            last: terrain.or(content.missing),
            stamp: self.stamp(number, set, known, ruled.is_some_and(|ruled| ruled.2)).ok()?,
        })
    }

    /// Returns the effect of an image and its shapes; `None` for a plain image of one tile.
    ///
    /// # Errors
    /// Returns an error if the shapes need too much work.
    fn stamp(
        &self,
        number: u32,
        set: &Set,
        tile: Option<&Tile>,
        is_one_way: bool,
    ) -> Result<Option<Rc<Stamp>>, TooMuchWork> {
        if let Some(stamp) = self.placed.borrow().stamps.get(&number) {
            return Ok(Some(Rc::clone(stamp)));
        }
        let plain =
            TileImage { size: set.content.size.unwrap_or(self.grid), ..TileImage::default() };
        let image = tile.and_then(|tile| tile.image.as_deref()).unwrap_or(&plain);
        let scaled = set.content.scaled.map(|keeps_aspect| image.scaled(self.grid, keeps_aspect));
        let image = scaled.as_ref().unwrap_or(image);
        let is_one_way = is_one_way || image.is_one_way;
        let image = TileImage { is_one_way, ..image.flipped_within(number, self.grid) };
        if !image.has_effect(self.grid) {
            return Ok(None);
        }
        let mut placed = self.placed.borrow_mut();
        let stamp = Stamp::new(&image, self.grid, &mut placed.budget).ok_or(TooMuchWork)?;
        let stamp = Rc::new(stamp);
        placed.stamps.insert(number, Rc::clone(&stamp));
        Ok(Some(stamp))
    }

    /// Adds the walls of a tile at a position on the map.
    pub fn add_walls(&self, stamp: &Stamp, at: (i64, i64)) {
        let mut placed = self.placed.borrow_mut();
        for wall in &stamp.walls {
            placed.walls.add(at, wall);
        }
    }

    /// Returns the known tile sets whose one-way platforms occur on the map, each with its name in the map.
    pub fn known(&self) -> impl Iterator<Item = (&str, &KnownSet)> {
        self.list.iter().enumerate().filter_map(|(index, set)| {
            let known = set.content.known?;
            let is_platform = |at: PlaceInSet| at.set == index && known.one_way.contains(&at.tile);
            let occurs = |number: &u32| self.place(number & !FLIPS).is_some_and(is_platform);
            let is_used = self.placed.borrow().stamps.keys().any(occurs);
            is_used.then_some((&*set.content.name, known))
        })
    }

    /// Counts tiles that a large image covers. Returns `None` if there are too many.
    pub fn spill(&self, tiles: usize) -> Option<()> {
        let mut placed = self.placed.borrow_mut();
        placed.spilled += tiles as u64;
        (placed.spilled <= MAX_SPILLED).then_some(())
    }

    /// Returns true if images or shapes of tiles have an effect on other tiles.
    pub fn has_stamps(&self) -> bool {
        !self.placed.borrow().stamps.is_empty()
    }

    /// Returns true if the shapes of tiles have walls.
    pub fn has_walls(&self) -> bool {
        !self.placed.borrow().walls.is_empty()
    }

    /// Removes and returns the walls of the shapes of tiles.
    pub fn take_walls(&self) -> TileWalls {
        core::mem::take(&mut self.placed.borrow_mut().walls)
    }

    /// Returns the selectors that would mark a tile. `number` is the number of the tile in a layer.
    pub fn candidates(&self, number: u32) -> &[Selector] {
        let known = self.find(number).and_then(|(set, tile)| set.content.tiles.get(&tile));
        known.map_or(&[], |known| &known.candidates)
    }

    /// Returns what an object with the image of a tile inherits. Returns `None` if the number is below
    /// those of all tile sets.
    pub fn facts(&self, number: u32, marks: &Marks) -> Option<TileFacts<'_>> {
        let (set, tile) = self.find(number)?;
        let content = &set.content;
        let known = content.tiles.get(&tile);
        let ruled = set.ruled.iter().find(|(tiles, ..)| tiles.contains(&tile));
        let image = known.and_then(|known| known.image.as_deref());
        Some(TileFacts {
            mark: marks.better(ruled.map(|&(_, mark, _)| mark), known.and_then(|it| it.mark)),
            shapes: known.and_then(|known| known.shapes),
            class: known.and_then(|known| known.class.as_deref()),
            properties: known.map(|known| &known.properties),
            image,
            size: image.map(|image| image.size).or(content.size),
            anchor: content.anchor,
            candidates: known.map_or(&[], |known| &known.candidates),
        })
    }

    /// Returns the content of the tile sets that affects the look of a tile, by its number in a layer.
    /// Returns `None` if the number is below those of all tile sets.
    pub fn source(&self, number: u32) -> Option<TileSource<'_>> {
        let (set, tile) = self.find(number)?;
        let known = set.content.tiles.get(&tile);
        let mut words: Vec<&str> = Vec::new();
        if let Some(known) = known {
            words.extend(known.class.as_deref());
            let named = known.candidates.iter().filter(|it| set_images::names_tiles(it.rule));
            words.extend(named.map(|selector| &*selector.name));
            let kinds = known.properties.iter().filter(|(name, _)| set_images::is_kind(name));
            words.extend(kinds.map(|(_, value)| value));
        }
        let index = self.set_index(number & !FLIPS)?;
        let SetContent { name, images, .. } = &set.content;
        Some(TileSource { set: index, name, tile, images, words })
    }

    /// Reads the tile sets that only templates use: Tiled does not list them in the map.
    pub fn add_of_templates(
        &mut self,
        templates: &Templates,
        frame: Frame,
        (rules, marks): (&Rules, &mut Marks),
        files: &mut Files,
    ) {
        for (path, object) in &templates.sets {
            let (lowest, room) = OF_TEMPLATES;
            let first = self.list.last().map_or(0, |last| last.first + room).max(lowest);
            if self.with_path(path).is_some() || first > MAX_TILE - room {
                continue;
            }
            let key = ("template", path.as_str());
            let content = outside(object, key, frame, (rules, &mut *marks), files);
            self.list.push(Set::new(first, path.clone(), content, rules, marks));
        }
    }

    /// Returns the number in the map of a tile that a template names. `path` is the path of the tile
    /// set relative to the map, and `tile` is the number of the tile in this set.
    pub fn number_in(&self, path: &str, tile: u32) -> Option<u32> {
        self.with_path(path)?.first.checked_add(tile)
    }

    /// Returns the tile set with a path relative to the map, or else with the same file name.
    fn with_path(&self, path: &str) -> Option<&Set> {
        let sets = || self.list.iter().filter(|set| !set.path.is_empty());
        let by_name = || sets().find(|set| file_name(&set.path) == file_name(path));
        sets().find(|set| set.path == path).or_else(by_name)
    }

    /// Returns the tile set of a tile, and the number of the tile in the set. Returns `None` for a
    /// number below the first set.
    fn find(&self, number: u32) -> Option<(&Set, u32)> {
        let number = number & !FLIPS;
        let set = &self.list[self.set_index(number)?];
        Some((set, number - set.first))
    }

    /// Returns the index of the tile set of a tile without flips. Returns `None` for a number below
    /// the first set.
    pub fn set_index(&self, number: u32) -> Option<usize> {
        self.list.partition_point(|set| set.first <= number).checked_sub(1)
    }

    /// Returns the place of a tile without flips in its tile set; `None` for a number below the first
    /// set.
    pub fn place(&self, number: u32) -> Option<PlaceInSet> {
        let set = self.set_index(number)?;
        let of = &self.list[set];
        let tile = number - of.first;
        let known = of.content.tiles.get(&tile);
        let is_marked = of.content.known.is_some()
            || known.is_some_and(|known| known.mark.is_some() || known.shapes.is_some())
            || of.ruled.iter().any(|(tiles, ..)| tiles.contains(&tile));
        Some(PlaceInSet { set, tile, is_marked })
    }

    /// Returns the number of tiles in a row of the image of a tile set by its index; `None` if it is
    /// unknown.
    pub fn columns(&self, index: usize) -> Option<u32> {
        self.list[index].content.columns
    }

    /// Returns the name of a tile set by its index.
    pub fn name(&self, index: usize) -> &str {
        &self.list[index].content.name
    }
}

/// Returns the number of parts of a tile in a Wang set: its corners, its sides, or both.
fn wang_parts(set: &Element) -> usize {
    match set.attribute("type") {
        Some("corner" | "edge") => 4,
        _ => 8,
    }
}

/// Returns the tiles of which at least half consists of accepted terrains. `is_chosen` returns true
/// for the name of an accepted terrain. The key is the tile number. The value is the name of the
/// first accepted terrain of the tile.
fn read_terrain(set: &Element, is_chosen: impl Fn(&str) -> bool) -> BTreeMap<u32, String> {
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
            let mut names: Vec<_> = numbers.map(|number| colors.get(number - 1).copied()).collect();
            names.resize(names.len().max(wang_parts(&wang)), None);
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
