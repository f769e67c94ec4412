//! Reads tile sets, in the map or in files of their own.
//!
//! The file also finds the files that a Tiled file names. A layer with a name such as `Walls`
//! can be a picture: then only collision marks of its tiles count.

use std::collections::BTreeMap;

use super::Frame;
use crate::formats::tiled::reader::element::{Element, Files, document, read_file};
use crate::formats::tiled::reader::marks::{self, MarkId, Marks};
use crate::formats::tiled::reader::objects::MapObject;
use crate::formats::tiled::reader::shape::{self};
use crate::formats::tiled::rules::{Rules, Selector, SolidityRule, Stretch};
use crate::formats::tiled::words::{is_closed_terrain, is_solid};
use crate::keys::map::MAX_TILE;
use crate::show;
use crate::text::diagnostic::Issues;
use crate::tiles::legend::Legend;

/// Maximum number of tile sets per map.
const MAX_SETS: usize = 250;

/// Maximum number of steps to compute the areas of overlapping collision shapes, per tile set.
const MAX_WORK: f64 = 1e7;

/// Advice for a tile set that can't be found.
const MISSING: &str = "its tiles are imported as floor; put the file there, or import with \
                       `--tilesets DIR`";

/// Tile sets of a map, ordered by their first tile numbers.
#[derive(Debug)]
pub struct Sets<'a>(Vec<Set<'a>>);

#[derive(Debug)]
struct Set<'a> {
    /// Number that layers use for the first tile of the set.
    first: u32,
    content: SetContent,
    /// Tile numbers, and the marks that `[tiled]` assigns to these tiles.
    ruled: Vec<(&'a Stretch, MarkId)>,
}

/// Content of a tile set.
#[derive(Debug, Default)]
struct SetContent {
    name: String,
    /// Number of tiles; `None` if the file does not state the number.
    count: Option<u32>,
    /// Tiles with properties, a class, shapes or a terrain.
    tiles: BTreeMap<u32, Tile>,
    /// Mark of all tiles of a tile set that can't be read; `None` for a tile set that was read.
    missing: Option<MarkId>,
}

/// Marks of a tile in a tile set.
#[derive(Debug, Default)]
struct Tile {
    mark: Option<MarkId>,
    /// Mark from the terrain of the tile. Counts only in maps without other marks.
    terrain: Option<MarkId>,
    /// Selectors with which the user can make the tile solid or walkable.
    candidates: Vec<Selector>,
}

/// Result of the search for a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// The mark of the tile; `None` if no rule marks the tile.
    Tile(Option<MarkId>),
    /// No tile set has the tile.
    Unknown,
}

pub fn read_all<'a>(
    map: &Element,
    frame: Frame,
    rules: &'a Rules,
    marks: &mut Marks,
    files: &mut Files,
) -> Option<Sets<'a>> {
    let mut sets = Vec::new();
    for element in map.all("tileset") {
        if sets.len() == MAX_SETS {
            let help = "remove tile sets that the map does not use, in Tiled";
            element.refuse(format!("the map has more than {MAX_SETS} tile sets"), help);
            return None;
        }
        let first = element.required("firstgid", 1.0..=f64::from(MAX_TILE));
        let content = match element.attribute("source") {
            Some(source) => outside(&element, source, frame, rules, marks, files),
            None => content(&element, Some(frame), rules, marks),
        };
        let Some(first) = first else { continue };
        let ruled = rules.set(&content.name);
        let mark = |stretch: &'a Stretch| {
            (stretch, marks.mark(stretch.1, SolidityRule::Table, &content.name))
        };
        let ruled = ruled.iter().map(mark).collect();
        sets.push(Set { first: first as u32, content, ruled });
    }
    sets.sort_by_key(|set| set.first);
    Some(Sets(sets))
}

/// Reads a tile set file only to report its problems. Returns `None` for a file that is not a tile
/// set.
pub fn check(issues: &Issues) -> Option<()> {
    let mut marks = Marks::new(&Legend::standard(), 0);
    document(issues, "tileset", |element| {
        content(&element, None, &Rules::default(), &mut marks);
        Some(())
    })
}

/// Reads a tile set from its own file. Reports an invalid file name at `element`. For a file that
/// can't be read, returns a tile set with only a name and a mark.
fn outside(
    element: &Element,
    source: &str,
    frame: Frame,
    rules: &Rules,
    marks: &mut Marks,
    files: &mut Files,
) -> SetContent {
    let key = ("source", "tile set");
    let read = read_file(files, element, key, MISSING, |issues| {
        document(issues, "tileset", |set| Some(content(&set, Some(frame), rules, marks)))
    });
    read.unwrap_or_else(|| {
        let file = source.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let missing = Some(marks.missing(name));
        SetContent { name: name.to_owned(), missing, ..SetContent::default() }
    })
}

fn content(set: &Element, frame: Option<Frame>, rules: &Rules, marks: &mut Marks) -> SetContent {
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
    let (mut beyond, mut budget) = (0, MAX_WORK);
    for element in set.all("tile") {
        let id = element.required("id", 0.0..=f64::from(MAX_TILE));
        let size = tile_size(set, &element);
        let mut tile = tile(&element, rules, marks);
        let shapes = Selector { rule: SolidityRule::Shapes, name: name.clone() };
        let Some(covered) = covered(&element, size, frame, &mut budget) else {
            let message = "too many collision shapes lie on each other";
            element.refuse(message, "in Tiled, merge the shapes, or remove some");
            break;
        };
        if covered >= 0.5 - shape::TOLERANCE {
            let chosen = rules.chosen(&shapes);
            let rule = if chosen.is_some() { SolidityRule::Chosen } else { SolidityRule::Shapes };
            let mark = marks.plain(chosen == Some(true), rule, &name);
            tile.mark = marks.better(tile.mark, Some(mark));
        }
        let Some(id) = id.map(|id| id as u32) else { continue };
        beyond = beyond.max(id + 1);
        if tile.mark.is_some() || !tile.candidates.is_empty() {
            tiles.insert(id, tile);
        }
    }
    add_terrains(set, rules, marks, &mut tiles);
    // Tile sets of single images can have gaps in their numbers.
    let count = count.map(|count| count.max(beyond));
    SetContent { name, count, tiles, missing: None }
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
    Tile { mark, terrain: None, candidates }
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

/// Returns the width and the height of a tile's image, in pixels; `None` if they are unknown.
fn tile_size(set: &Element, tile: &Element) -> Option<(f64, f64)> {
    let side = |element: &Element, key| {
        element.attribute(key)?.parse().ok().filter(|side: &f64| *side >= 1.0)
    };
    let image = tile.all("image").next();
    // In JSON, the tile itself has the size of its image.
    let own = image.map(|image| (side(&image, "width"), side(&image, "height")));
    let own = own.unwrap_or_else(|| (side(tile, "imagewidth"), side(tile, "imageheight")));
    let of_set = (side(set, "tilewidth"), side(set, "tileheight"));
    Some((own.0.or(of_set.0)?, own.1.or(of_set.1)?))
}

/// Returns the share of a map tile that the collision shapes of a tile cover, from 0 to 1. The
/// lower left corners of the image and of the map tile coincide.
///
/// Each step reduces `budget`. Returns `None` if the budget is too small.
fn covered(
    tile: &Element,
    size: Option<(f64, f64)>,
    frame: Option<Frame>,
    budget: &mut f64,
) -> Option<f64> {
    let grid = frame.map(|frame| frame.tile);
    let Some((width, height)) = size.or(grid) else { return Some(0.0) };
    let (wide, high) = grid.map_or((width, height), |(w, h)| (w.min(width), h.min(height)));
    let objects = tile.all("objectgroup").flat_map(|group| group.all("object"));
    let part = |object: Element| {
        let outline = MapObject::read(&object)?.outline((width, height))?;
        let within = shape::between_x(&outline, 0.0, wide);
        Some(shape::between_y(&within, height - high, height))
    };
    let parts: Vec<_> = objects.filter_map(part).collect();
    Some(shape::union_area(&parts, budget)? / (wide * high))
}

impl Sets<'_> {
    /// Returns the mark of a tile by its number in a layer. Terrains count only if `uses_terrain`
    /// is true.
    pub fn lookup(&self, number: u32, uses_terrain: bool, marks: &Marks) -> Lookup {
        let Some((set, tile)) = self.find(number) else { return Lookup::Unknown };
        let content = &set.content;
        let known = content.tiles.get(&tile);
        if content.count.is_some_and(|count| tile >= count) && known.is_none() {
            return Lookup::Unknown;
        }
        let ruled = set.ruled.iter().find(|((tiles, _), _)| tiles.contains(&tile));
        let terrain = known.and_then(|known| known.terrain).filter(|_| uses_terrain);
        let own = known.and_then(|known| known.mark).or(terrain);
        let best = marks.better(ruled.map(|&(_, mark)| mark), own);
        Lookup::Tile(best.or(content.missing))
    }

    /// Returns the selectors that would mark a tile. `number` is the number of the tile in a layer.
    pub fn candidates(&self, number: u32) -> &[Selector] {
        let known = self.find(number).and_then(|(set, tile)| set.content.tiles.get(&tile));
        known.map_or(&[], |known| &known.candidates)
    }

    /// Returns the tile set of a tile, and the number of the tile in the set. Returns `None` for a
    /// number below the first set.
    fn find(&self, number: u32) -> Option<(&Set<'_>, u32)> {
        let index = self.0.partition_point(|set| set.first <= number).checked_sub(1)?;
        let set = &self.0[index];
        Some((set, number - set.first))
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
