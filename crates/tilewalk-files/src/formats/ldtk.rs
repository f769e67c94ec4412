//! Reads levels of the editor LDtk: `.ldtk` projects, and the `.ldtkl` files with their levels.
//!
//! Values of `IntGrid` layers become tile kinds. At each position, a solid value takes precedence
//! over other values. Among other values, the topmost layer takes precedence. Entities become
//! places. Other layers are read by [`tags`], if the user chooses tiles of them, or if the level has
//! no painted values.
//!
//! A project can have thousands of levels. Only the level to import is read completely.
//!
//! Unknown keys are ignored. The tile kinds of `IntGrid` layers derive from the names of values
//! and layers.

mod pictures;
mod tags;

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::tiled::rules::Rules;
use super::tiled::solidity::Candidate;
use super::{LevelOptions, MAX_LEVELS};
use crate::disk::store::Store;
use crate::formats::pictures::Looks;
use crate::formats::tiled::{Drawing, DrawnPlace};
use crate::keys::table::MAX_COORDINATE;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::name::unique;
use crate::text::report::{Report, read_source};
use crate::text::source::{Found, Source};
use crate::tiles::known::KnownKinds;
use crate::tiles::legend::{self, Legend, MAX_KINDS};
use crate::tiles::rows::too_large;
use tilewalk_sim::color::Color;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::Map;
use tilewalk_sim::report::words;
use tilewalk_sim::sort::SmallCollect;
use tilewalk_sim::tile::TileKind;

/// Advice for a damaged file.
const SAVE: &str = "save the project again with LDtk 1.0 or later";

/// Returns the names of all levels. Returns an empty list if a part of the file is invalid.
pub fn titles(text: &str) -> Vec<String> {
    let Ok(project) = from_json::<LdtkProject>(text) else { return Vec::new() };
    let name =
        |level: &RawValue| from_json::<LevelName>(level.get()).map(|level| level.name.into_owned());
    project.levels().map(name).collect::<Result<_, _>>().unwrap_or_default()
}

/// Reads a level, and adds tile kinds for its values to the legend. The drawing is `None` after any
/// error. If the level has a file of its own, the report contains the problems in that file.
pub fn read(
    issues: &Issues,
    rules: &Rules,
    legend: &mut Legend,
    store: &Store,
    wanted: &LevelOptions,
) -> (Option<Drawing>, Report) {
    let mut others = Report::default();
    let drawing = read_project(issues, rules, legend, store, wanted, &mut others);
    (drawing.filter(|_| others.errors() == 0), others)
}

fn read_project(
    issues: &Issues,
    rules: &Rules,
    legend: &mut Legend,
    store: &Store,
    wanted: &LevelOptions,
    others: &mut Report,
) -> Option<Drawing> {
    let project: LdtkProject = parse(issues.text(), issues)?;
    let name = |level: &RawValue| Some(parse::<LevelName>(level.get(), issues)?.name.into_owned());
    let names = project.levels().map(name).collect::<Option<Vec<_>>>()?;
    if names.is_empty() {
        let help = "in LDtk, add a level and save the project";
        issues.push(Diagnostic::error(0..0, "the project has no level").help(help));
        return None;
    }
    let index = super::choose_level(&names, wanted.level, issues)?;
    let text = project.levels().nth(index)?.get();
    let level: LdtkLevel = parse(text, issues)?;
    let values = IntGridValues::new(&project.defs.layers.0, &wanted.known);
    let at = offset(text, issues.text());
    let tilesets = &project.defs.tilesets.0;
    let looks = wanted.looks.unwrap_or(Looks::Plain);
    if level.layers.is_some() {
        let canvas = Canvas { at, values, tilesets, rules, legend, issues, looks, store };
        return canvas.draw(level);
    }
    let Some(name) = &level.file else {
        let message = format!("the level `{}` has no layers", show::text(&level.name));
        issues.push(Diagnostic::error(at..at, message).help(SAVE));
        return None;
    };
    let source = match open(name, store) {
        Ok(source) => source,
        Err(why) => {
            let message = format!("the level file `{}` {why}", show::text(name));
            let help = "keep the level files in the directory where LDtk writes them";
            issues.push(Diagnostic::error(at..at, message).help(help));
            return None;
        }
    };
    read_source(others, source.0, source.1, |issues| {
        let level: LdtkLevel = parse(issues.text(), issues)?;
        if level.layers.is_none() {
            let error = Diagnostic::error(0..0, "the level file has no layers");
            issues.push(error.help(SAVE));
            return None;
        }
        Canvas { at: 0, values, tilesets, rules, legend, issues, looks, store }.draw(level)
    })
}

/// Parses a file or a part of the file. Reports errors at their position in the file and returns
/// `None`.
fn parse<'a, T: Deserialize<'a>>(part: &'a str, issues: &Issues) -> Option<T> {
    let error = match from_json(part) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
    let within = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    let text = issues.text();
    let mut at = (offset(part, text) + within).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let message = format!("invalid LDtk file: {}", show::json_reason(&error));
    issues.push(Diagnostic::error(at..at, message).help(SAVE));
    None
}

/// Returns the byte offset of `part` in `text`. `part` must be a slice of `text`.
fn offset(part: &str, text: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Reads the file of a level.
///
/// # Errors
/// Returns the reason if the file can't be read. Messages put this reason after the file name.
fn open(name: &str, store: &Store) -> Result<(Source, Vec<Diagnostic>), String> {
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(name).components().all(is_inside) || name.chars().any(show::is_hidden) {
        return Err("is not in the directory of the project".to_owned());
    }
    match store.sibling(name) {
        Found::Read(source, problems) => Ok((source, problems)),
        Found::Missing => Err("does not exist".to_owned()),
        Found::Refused(why) => Err(why),
    }
}

/// The state of drawing a level.
struct Canvas<'a, 'b> {
    /// Byte offset of the level in the file.
    at: usize,
    values: IntGridValues<'a>,
    tilesets: &'b [TilesetDef<'a>],
    rules: &'b Rules,
    legend: &'b mut Legend,
    issues: &'b Issues,
    looks: Looks,
    store: &'b Store,
}

impl Canvas<'_, '_> {
    /// Draws the `IntGrid` layers and the entities of a level. Returns `None` after any error.
    fn draw(mut self, level: LdtkLevel) -> Option<Drawing> {
        let mut layers = level.layers.map_or_else(Vec::new, |layers| layers.0);
        layers.iter_mut().for_each(LdtkLayer::add_offset);
        let layers = &layers[..];
        let is_grid = |layer: &&LdtkLayer| layer.kind == "IntGrid" && !layer.cells.0.is_empty();
        let mut grids: Vec<_> = layers.iter().filter(is_grid).collect();
        // LDtk also writes the values of a grid without painted values: all are 0.
        if grids.iter().all(|layer| layer.cells.0.iter().all(|value| *value == 0)) {
            grids.clear();
        }
        // Without values, the other layers define the size of the level.
        let is_sized = |layer: &&LdtkLayer| layer.width > 0 && layer.height > 0 && !layer.old_cells;
        let others = layers.iter().filter(is_sized).filter(|_| grids.is_empty());
        let Some(first) = grids.iter().copied().chain(others).min_by_key(|layer| layer.tile) else {
            self.refuse_empty(&level.name, layers);
            return None;
        };
        let (width, height, tile) = (first.width, first.height, first.tile);
        if !(1..=Map::MAX_SIDE).contains(&width) || !(1..=Map::MAX_SIDE).contains(&height) {
            return too_large(self.at..self.at, self.issues);
        }
        let floor = self.legend.index(".").unwrap_or_default();
        let mut tiles = Grid::filled(width, height, floor);
        for layer in grids.iter().rev() {
            if layer.tile.is_multiple_of(tile) {
                self.paint(layer, &mut tiles, layer.tile / tile)?;
            } else {
                let (name, side) = (show::text(&layer.name), layer.tile);
                self.warn(format!(
                    "the layer `{name}` is ignored: its grid of {side} pixels does not fit the grid of {tile}"
                ));
            }
        }
        if let Some(guess) = self.values.guess(self.at) {
            self.issues.push(guess);
        }
        let floor = self.legend.index(".").unwrap_or_default();
        let wall = self.legend.index("#").unwrap_or_default();
        let kinds = self.legend.kinds();
        let (tilesets, rules) = (self.tilesets, self.rules);
        let painter = tags::TagPainter { tilesets, rules, kinds, floor, wall };
        let uses_names = grids.is_empty();
        let solidity = painter.paint(layers, tile, uses_names, &mut tiles);
        if uses_names && solidity.solid.is_empty() {
            let message = "no tile of the level is solid, so the whole map is walkable";
            let options = solidity.candidates.iter().take(3).map(Candidate::option);
            let options = options.collect::<Vec<_>>().join(", ");
            let warning = Diagnostic::warning(self.at..self.at, message);
            let help = "choose solid tiles by tags, layers or entities: --explain-solid lists them";
            let one_of = if options.is_empty() { options } else { format!("such as: {options}") };
            self.issues.push(warning.help(help).help(one_of));
        }
        let places = self.places(layers, tile);
        let picture = match self.looks {
            Looks::Plain => None,
            Looks::Colors | Looks::Names => Some(self.picture(layers, (width, height), tile)),
        };
        if let Some(unread) = picture.as_ref().and_then(|picture| picture.remark.clone()) {
            self.warn(unread);
        }
        Some(Drawing { places, solidity: Some(solidity), picture, ..Drawing::of_tiles(tiles) })
    }

    fn warn(&self, message: String) {
        self.issues.push(Diagnostic::warning(self.at..self.at, message));
    }

    /// Reports that a level has no tiles.
    fn refuse_empty(&self, name: &str, layers: &[LdtkLayer]) {
        let name = show::text(name);
        let message = format!("the level `{name}` has no layer with tiles");
        let help = if layers.iter().any(|layer| layer.old_cells) {
            "an old version of LDtk saved the project; save it again with LDtk 1.0 or later"
        } else {
            "in LDtk, paint tiles or the values of an IntGrid layer"
        };
        self.issues.push(Diagnostic::error(self.at..self.at, message).help(help));
    }

    /// Paints a layer over the layers below. A value covers `scale` tiles along each axis. The offset
    /// of the layer is rounded to whole tiles. Reports a layer of the wrong size and returns `None`.
    fn paint(&mut self, layer: &LdtkLayer, tiles: &mut Grid<u8>, scale: u32) -> Option<()> {
        let (width, height, cells) = (layer.width, layer.height, &layer.cells.0);
        if u64::from(width) * u64::from(height) != cells.len() as u64 {
            let (name, found) = (show::text(&layer.name), cells.len());
            let message =
                format!("the layer `{name}` has {found} values for {width} × {height} tiles");
            self.issues.push(Diagnostic::error(self.at..self.at, message).help(SAVE));
            return None;
        }
        let mut kinds = BTreeMap::new();
        let (right, bottom) = (i64::from(tiles.width()), i64::from(tiles.height()));
        let side = i64::from(layer.tile / scale);
        let [left, top] = layer.offset().map(|pixels| {
            let pixels = i64::from(pixels);
            (pixels + side / 2).div_euclid(side)
        });
        if layer.offset().iter().any(|pixels| i64::from(*pixels) % side != 0) {
            let name = show::text(&layer.name);
            self.warn(format!("the offset of the layer `{name}` is rounded to whole tiles"));
        }
        for (index, &value) in cells.iter().enumerate().filter(|(_, value)| **value != 0) {
            let kind = match kinds.get(&value) {
                Some(&kind) => kind,
                None => self.kind(layer, value)?,
            };
            kinds.insert(value, kind);
            let (column, row) = (index as i64 % i64::from(width), index as i64 / i64::from(width));
            let covered = |from: i64, first: i64, end: i64| {
                let begin = first + from * i64::from(scale);
                begin.clamp(0, end)..(begin + i64::from(scale)).clamp(0, end)
            };
            for y in covered(row, top, bottom) {
                for x in covered(column, left, right) {
                    self.lay(tiles.get_mut(TilePos::new(x as i32, y as i32)), kind);
                }
            }
        }
        Some(())
    }

    fn kind(&mut self, layer: &LdtkLayer, value: u32) -> Option<u8> {
        let kind = self.values.kind(&layer.name, value, self.legend);
        if kind.is_none() {
            let message = format!("the level has more than {MAX_KINDS} kinds of tiles");
            let help = "in LDtk, use fewer IntGrid values, or move some to another level";
            self.issues.push(Diagnostic::error(self.at..self.at, message).help(help));
        }
        kind
    }

    /// Sets the kind of a tile. A solid tile keeps its kind unless the new kind is also solid.
    fn lay(&self, tile: Option<&mut u8>, kind: u8) {
        let is_solid = |kind: u8| !self.legend.kinds()[usize::from(kind)].walk;
        if let Some(tile) = tile.filter(|tile| is_solid(kind) || !is_solid(**tile)) {
            *tile = kind;
        }
    }

    /// Converts entities to places at their centres.
    fn places(&self, layers: &[LdtkLayer], tile: u32) -> Vec<DrawnPlace> {
        let mut taken = BTreeMap::new();
        let (mut places, mut far) = (Vec::new(), 0_u64);
        for entity in layers.iter().flat_map(|layer| &layer.entities.0) {
            let Some(at) = centre(entity, tile) else {
                far += 1;
                continue;
            };
            let name = unique(&entity.name, &mut taken);
            places.push(DrawnPlace::new(name, at, entity.name.clone().into_owned()));
        }
        if far > 0 {
            let count = words::count_with(far, "entity is", "entities are");
            self.warn(format!("{count} ignored: too far from the map"));
        }
        places
    }
}

/// Returns the centre of an entity in tiles; `None` if it is too far from the map.
fn centre(entity: &Entity, tile: u32) -> Option<Vec2> {
    let limit = f64::from(MAX_COORDINATE);
    let along = |pixel: f64, pivot: f64, size: f64| {
        let tiles = (pixel + (0.5 - pivot) * size) / f64::from(tile);
        (-limit..=limit).contains(&tiles).then_some(tiles as f32)
    };
    let ([x, y], [across, down]) = (entity.pixel, entity.pivot);
    Some(Vec2::new(along(x, across, entity.width)?, along(y, down, entity.height)?))
}

/// A project. Its levels are parsed on demand.
#[derive(Debug, serde::Deserialize)]
pub struct LdtkProject<'a> {
    #[serde(borrow)]
    pub defs: Defs<'a>,
    #[serde(borrow, default)]
    levels: AtMost<&'a RawValue, MAX_LEVELS>,
    /// Worlds of the project, which can contain further levels.
    #[serde(borrow, default)]
    worlds: AtMost<World<'a>, 1000>,
}

#[derive(Debug, serde::Deserialize)]
struct World<'a> {
    #[serde(borrow, default)]
    levels: AtMost<&'a RawValue, MAX_LEVELS>,
}

/// Definitions that all levels of a project share.
#[derive(Debug, serde::Deserialize)]
pub struct Defs<'a> {
    #[serde(borrow)]
    pub layers: AtMost<LayerDef<'a>, 1000>,
    #[serde(borrow, default)]
    pub tilesets: AtMost<TilesetDef<'a>, 1000>,
}

/// Definition of a tile set: its number, its image, and the enum tags of its tiles.
#[derive(Debug, serde::Deserialize)]
pub struct TilesetDef<'a> {
    #[serde(default)]
    pub uid: i64,
    #[serde(borrow, rename = "identifier", default)]
    pub name: Cow<'a, str>,
    /// Path of the image, relative to the project; `None` for an image of LDtk itself.
    #[serde(borrow, rename = "relPath", default)]
    pub image: Option<Cow<'a, str>>,
    #[serde(rename = "tileGridSize", default)]
    pub tile: u32,
    /// Distances between tiles, and around them, in pixels.
    #[serde(default)]
    pub spacing: u32,
    #[serde(default)]
    pub padding: u32,
    #[serde(borrow, rename = "enumTags", default)]
    pub tags: AtMost<EnumTag<'a>, 1000>,
}

/// An enum value, and the tiles that have it as a tag.
#[derive(Debug, serde::Deserialize)]
pub struct EnumTag<'a> {
    #[serde(borrow, rename = "enumValueId")]
    pub name: Cow<'a, str>,
    #[serde(rename = "tileIds", default)]
    pub tiles: AtMost<u32, { 1 << 20 }>,
}

/// A tile of a layer: its position in the layer, in pixels, its number in the tile set, and its opacity.
#[derive(Debug, serde::Deserialize)]
pub struct LdtkTile {
    #[serde(rename = "px")]
    pub pixel: [f64; 2],
    #[serde(rename = "t")]
    pub tile: u32,
    #[serde(rename = "a", default = "opaque")]
    pub opacity: f64,
}

fn opaque() -> f64 {
    1.0
}

fn visible() -> bool {
    true
}

/// Definition of a layer that all levels share: its name and its values.
#[derive(Debug, serde::Deserialize)]
pub struct LayerDef<'a> {
    #[serde(borrow, rename = "identifier")]
    pub name: Cow<'a, str>,
    #[serde(borrow, rename = "intGridValues", default)]
    pub values: AtMost<ValueDef<'a>, 1000>,
}

/// Definition of a value of an `IntGrid` layer: its number, name and colour.
#[derive(Debug, serde::Deserialize)]
pub struct ValueDef<'a> {
    #[serde(default)]
    pub value: u32,
    #[serde(borrow, rename = "identifier", default)]
    pub name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub color: Option<Cow<'a, str>>,
}

/// A level of which only the name is parsed.
#[derive(Debug, serde::Deserialize)]
pub struct LevelName<'a> {
    #[serde(borrow, rename = "identifier")]
    pub name: Cow<'a, str>,
}

/// A level with its layers.
#[derive(Debug, serde::Deserialize)]
pub struct LdtkLevel<'a> {
    #[serde(borrow, rename = "identifier")]
    pub name: Cow<'a, str>,
    /// Path of the file with the layers, relative to the project.
    #[serde(borrow, rename = "externalRelPath", default)]
    pub file: Option<Cow<'a, str>>,
    /// Layers, topmost first; `None` if they are in a file of their own.
    #[serde(borrow, rename = "layerInstances", default)]
    pub layers: Option<AtMost<LdtkLayer<'a>, 1000>>,
}

/// A layer of a level.
#[derive(Debug, serde::Deserialize)]
pub struct LdtkLayer<'a> {
    #[serde(borrow, rename = "__identifier")]
    pub name: Cow<'a, str>,
    #[serde(borrow, rename = "__type")]
    pub kind: Cow<'a, str>,
    /// Number of columns of tiles.
    #[serde(rename = "__cWid")]
    pub width: u32,
    #[serde(rename = "__cHei")]
    pub height: u32,
    /// Side length of a tile, in pixels.
    #[serde(rename = "__gridSize", deserialize_with = "side")]
    pub tile: u32,
    /// Value of each tile of an `IntGrid` layer; 0 for none.
    #[serde(rename = "intGridCsv", default)]
    pub cells: AtMost<u32, { 4096 * 4096 }>,
    /// Whether the layer stores its values in the form of old LDtk versions.
    #[serde(rename = "intGrid", default, deserialize_with = "has_elements")]
    pub old_cells: bool,
    /// Offset of the layer from the level, in pixels.
    #[serde(rename = "__pxTotalOffsetX", default)]
    pub offset_x: i32,
    #[serde(rename = "__pxTotalOffsetY", default)]
    pub offset_y: i32,
    #[serde(default = "visible")]
    pub visible: bool,
    #[serde(rename = "__opacity", default = "opaque")]
    pub opacity: f64,
    /// Number of the tile set of the layer.
    #[serde(rename = "__tilesetDefUid", default)]
    pub tileset: Option<i64>,
    #[serde(rename = "gridTiles", default)]
    pub tiles: AtMost<LdtkTile, { 1 << 24 }>,
    #[serde(rename = "autoLayerTiles", default)]
    pub auto_tiles: AtMost<LdtkTile, { 1 << 24 }>,
    #[serde(borrow, rename = "entityInstances", default)]
    pub entities: AtMost<Entity<'a>, 100_000>,
}

impl LdtkLayer<'_> {
    fn offset(&self) -> [i32; 2] {
        [self.offset_x, self.offset_y]
    }

    /// Adds the offset of the layer to the positions of its tiles and entities.
    fn add_offset(&mut self) {
        let offset = self.offset();
        let tiles = self.tiles.0.iter_mut().chain(&mut self.auto_tiles.0);
        let pixels = tiles.map(|tile| &mut tile.pixel);
        for pixel in pixels.chain(self.entities.0.iter_mut().map(|entity| &mut entity.pixel)) {
            *pixel = [0, 1].map(|axis| pixel[axis] + f64::from(offset[axis]));
        }
    }
}

/// An entity in a layer of a level.
#[derive(Debug, serde::Deserialize)]
pub struct Entity<'a> {
    #[serde(borrow, rename = "__identifier")]
    pub name: Cow<'a, str>,
    /// Position of the pivot in its layer, in pixels.
    #[serde(rename = "px")]
    pub pixel: [f64; 2],
    /// Position of the pivot within the entity, from 0 to 1.
    #[serde(rename = "__pivot", default)]
    pub pivot: [f64; 2],
    #[serde(default)]
    pub width: f64,
    #[serde(default)]
    pub height: f64,
}

/// Parses the JSON text of a file, or of a part of a file.
fn from_json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}

impl<'a> LdtkProject<'a> {
    /// Returns the JSON text of each level, including the levels in worlds.
    pub fn levels(&self) -> impl Iterator<Item = &'a RawValue> {
        let others = self.worlds.0.iter().flat_map(|world| &world.levels.0);
        self.levels.0.iter().chain(others).copied()
    }
}

/// A list with a limited number of elements. A missing list (`null`) is empty.
#[derive(Debug)]
pub struct AtMost<T, const MOST: usize>(pub Vec<T>);

impl<T, const MOST: usize> Default for AtMost<T, MOST> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for AtMost<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(List(PhantomData))
    }
}

struct List<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for List<T, MOST> {
    type Value = AtMost<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a list of at most {MOST} elements")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(AtMost::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::custom(format!("a list has more than {MOST} elements")));
            }
            list.push(element);
        }
        Ok(AtMost(list))
    }
}

/// Reads the side of a tile, from 1 to 1,000,000 pixels.
fn side<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let side = u32::deserialize(deserializer)?;
    if (1..=1_000_000).contains(&side) {
        return Ok(side);
    }
    Err(D::Error::custom("`__gridSize` must be between 1 and 1000000"))
}

/// Reads a list. Returns true if the list is not empty.
fn has_elements<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let list: Option<AtMost<IgnoredAny, { 1 << 26 }>> = Deserialize::deserialize(deserializer)?;
    Ok(list.is_some_and(|list| !list.0.is_empty()))
}

/// Words in the names of solid values, and in the names of layers whose values are solid.
const SOLID: [&str; 10] = [
    "wall",
    "solid",
    "collision",
    "collide",
    "block",
    "obstacle",
    "rock",
    "stone",
    "cliff",
    "tree",
];

/// Words in the names of liquids. Liquids are not walkable, but transparent.
const LIQUID: [&str; 4] = ["water", "lava", "acid", "void"];

/// Words in value names. Values with such a name are walkable in any layer.
const OPEN: [&str; 9] =
    ["ladder", "door", "floor", "bridge", "stair", "path", "walkable", "platform", "empty"];

/// Glyphs for values, in order of preference. The first letter of the name is tried before them.
const GLYPHS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSUVWXYZ0123456789";

/// Effect of a value of an `IntGrid` layer on its tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Wall,
    Liquid,
    Floor,
    /// Floor, because the names of the value and the layer contain no known word.
    Guessed,
}

/// Name and colour of a value.
type Look<'a> = (Option<&'a str>, Option<Color>);

/// The values of a project, and the tile kinds of the values that were used.
pub struct IntGridValues<'a> {
    /// Name and colour of each value. The key is the name of the layer and the number of the value.
    defined: BTreeMap<(&'a str, u32), Look<'a>>,
    /// Glyph of each value in use. The key is the name of the value, and whether the value is
    /// solid.
    glyphs: BTreeMap<(String, bool), String>,
    guessed: BTreeSet<String>,
    /// Kinds of the last import, which keep their glyphs.
    known: &'a KnownKinds,
}

impl<'a> IntGridValues<'a> {
    pub fn new(layers: &'a [LayerDef<'a>], known: &'a KnownKinds) -> Self {
        let color = |color: &Cow<str>| Color::parse(color);
        let of_layer = |layer: &'a LayerDef<'a>| {
            let value = |value: &'a ValueDef<'a>| {
                let color = value.color.as_ref().and_then(color);
                ((&*layer.name, value.value), (value.name.as_deref(), color))
            };
            layer.values.0.iter().map(value)
        };
        let defined = layers.iter().flat_map(of_layer).small_collect();
        Self { defined, glyphs: BTreeMap::new(), guessed: BTreeSet::new(), known }
    }

    /// Returns the tile kind of a value. Adds the kind to the legend if necessary. Returns `None`
    /// if the legend is full or no glyph is free.
    pub fn kind(&mut self, layer: &str, value: u32, legend: &mut Legend) -> Option<u8> {
        let (name, color) = self.defined.get(&(layer, value)).copied().unwrap_or_default();
        let effect = effect(layer, name);
        let name = name.map_or_else(|| format!("{layer} {value}"), ToOwned::to_owned);
        let shown = show::text(&name);
        if effect == Effect::Guessed {
            self.guessed.insert(shown.clone());
        }
        let solid = matches!(effect, Effect::Wall | Effect::Liquid);
        let key = (shown, solid);
        if let Some(glyph) = self.glyphs.get(&key) {
            return legend.index(glyph);
        }
        let opaque = effect == Effect::Wall;
        let kind = TileKind { walk: !solid, opaque, color, ..TileKind::floor("", &key.0) };
        let glyph = match key.0.as_str() {
            "wall" | "walls" | "Wall" | "Walls" => "#".to_owned(),
            "water" | "Water" => "~".to_owned(),
            _ => self.glyph(&kind)?,
        };
        if legend.index(&glyph).is_none()
            && !legend.insert(TileKind { glyph: glyph.clone(), drawn: glyph.clone(), ..kind })
        {
            return None;
        }
        let index = legend.index(&glyph);
        self.glyphs.insert(key, glyph);
        index
    }

    /// Returns the glyph that a kind had in the last import, or an unused glyph, preferably the first
    /// letter of its name; `None` if all glyphs are used.
    fn glyph(&self, kind: &TileKind) -> Option<String> {
        let first = kind.name.chars().next().map(|first| first.to_ascii_lowercase());
        let letters = first.into_iter().filter(|first| GLYPHS.contains(*first));
        // Projects with many values also use Braille patterns.
        let more = ('\u{2801}'..='\u{28ff}').map(String::from);
        let glyphs = letters.chain(GLYPHS.chars()).map(String::from).chain(more);
        let glyphs = glyphs.filter(|glyph| legend::glyph_fault(glyph).is_none());
        self.known.glyph(kind, glyphs, |glyph| self.glyphs.values().any(|used| used == glyph))
    }

    /// Returns a warning about the values that are read as floor because their names contain no
    /// known word. Returns `None` if there are no such values.
    pub fn guess(&self, at: usize) -> Option<Diagnostic> {
        if self.guessed.is_empty() {
            return None;
        }
        let names: Vec<_> = self.guessed.iter().map(|name| format!("`{name}`")).collect();
        let message =
            format!("read as floor, because no name says otherwise: {}", names.join(", "));
        let help = "in LDtk, name solid values `wall`, or their layer `Collisions`; \
                    or set `walk = false` in [legend]";
        Some(Diagnostic::warning(at..at, message).help(help))
    }
}

/// Returns the effect of a value. The name of the value takes precedence over the name of the
/// layer.
fn effect(layer: &str, name: Option<&str>) -> Effect {
    let name = name.unwrap_or_default();
    if is_any(name, &OPEN) {
        Effect::Floor
    } else if is_any(name, &LIQUID) {
        Effect::Liquid
    } else if is_any(name, &SOLID) || is_any(layer, &SOLID) {
        Effect::Wall
    } else {
        Effect::Guessed
    }
}

/// Returns true if a word of a name begins with one of `words`. In `MainCollisions`, the words are
/// `Main` and `Collisions`.
fn is_any(name: &str, words: &[&str]) -> bool {
    let mut before = ' ';
    let mut starts = Vec::new();
    for (at, c) in name.char_indices() {
        if !before.is_alphabetic() || before.is_lowercase() && c.is_uppercase() {
            starts.push(at);
        }
        before = c;
    }
    let begins = |at: usize, word: &str| {
        name[at..].get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
    };
    starts.into_iter().any(|at| words.iter().any(|word| begins(at, word)))
}
