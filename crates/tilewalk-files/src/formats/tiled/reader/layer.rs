//! Reads tile layers from bottom to top.
//!
//! The tiles of a layer are XML elements, CSV, or base64 with or without compression. They are
//! decoded one by one.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::rc::Rc;

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;
use flate2::read::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::{Area, Frame, MAX_DEPTH};
use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::marks::{self, EMPTY, MarkId, Marks, PLAIN};
use crate::formats::tiled::reader::stamp::Stamp;
use crate::formats::tiled::reader::tile_image::FLIPS;
use crate::formats::tiled::reader::tile_sets::{Lookup, Sets};
use crate::formats::tiled::rules::Rules;
use crate::formats::tiled::selector::{ALL_LAYERS, Combine, Selector, SolidityRule};
use crate::formats::tiled::words;
use crate::show;
use crate::text::diagnostic::Diagnostic;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;

/// Maximum number of tiles in all layers.
const MAX_TILES: u64 = 500_000_000;

/// A tile layer, and the blocks of its tiles.
#[derive(Debug)]
pub struct TileLayer<'a> {
    element: Element<'a>,
    /// Offset of the layer and its groups, in pixels.
    offset: (f64, f64),
    /// Opacity of the layer and its groups, from 0 for a hidden layer to 255.
    pub opacity: u8,
    blocks: Vec<Block<'a>>,
    /// Mark that the layer gives to its tiles; `None` if no rule applies to the layer. A mark with
    /// precedence replaces this mark.
    own: Option<MarkId>,
    /// Whether the layer may be only a picture of walls. True if nothing but the name of the layer
    /// makes it solid.
    pub can_be_picture: bool,
    /// Number of tiles that are solid in this layer.
    pub closed: Cell<u64>,
    /// Selector that selects the layer by its name.
    selector: Selector,
    /// Selectors with which the user can make the tiles of the layer solid or walkable.
    candidates: Vec<Selector>,
}

/// Input and options for drawing the layers of a map.
#[derive(Debug, Clone, Copy)]
pub struct Pass<'a> {
    /// The layers, from bottom to top.
    pub layers: &'a [TileLayer<'a>],
    pub area: Area,
    pub sets: &'a Sets,
    pub rules: &'a Rules,
    pub combine: Combine,
    /// Whether terrains mark tiles.
    pub uses_terrain: bool,
    /// Whether the name of a layer marks its tiles even if the layer can be a picture.
    pub uses_pictures: bool,
    /// Whether this is the first time that the layers are drawn. Only the first drawing counts tiles
    /// for candidates and reports tiles without a tile set.
    pub is_first: bool,
}

/// Collects the tile layers from bottom to top, including layers in groups, without the layers that
/// the user leaves out. Before memory is allocated, checks all sizes. Reports a wrong size and returns
/// `None`.
pub fn collect<'a>(map: &Element<'a>, frame: Frame, rules: &Rules) -> Option<Vec<TileLayer<'a>>> {
    let mut elements = Vec::new();
    let placement = Placement { offset: (0.0, 0.0), opacity: 1.0 };
    nested(map, MAX_DEPTH, placement, rules, &mut elements);
    let layers = elements.into_iter().map(|(element, placement)| layer(element, placement, frame));
    let layers: Vec<_> = layers.collect();
    let layers: Vec<_> = layers.into_iter().collect::<Option<_>>()?;
    let blocks = layers.iter().flat_map(|layer| &layer.blocks);
    let tiles: u64 = blocks.map(|block| block.count() as u64).sum();
    if tiles > MAX_TILES {
        let message = format!("the layers have more than {MAX_TILES} tiles in total");
        let help = "remove layers in Tiled, or split the map";
        map.issues.push(Diagnostic::error(map.span(), message).help(help));
        return None;
    }
    Some(layers)
}

/// Range of offsets of layers, in pixels.
pub const OFFSETS: std::ops::RangeInclusive<f64> = -1e9..=1e9;

/// Offset and opacity of a layer, including its groups.
#[derive(Debug, Clone, Copy)]
struct Placement {
    /// In pixels.
    offset: (f64, f64),
    /// From 0 for a hidden layer to 1.
    opacity: f64,
}

impl Placement {
    /// Returns the placement of a layer or group within this group.
    fn of(self, layer: &Element) -> Self {
        let own = |key| layer.number(key, OFFSETS).unwrap_or(0.0);
        let opacity = layer.attribute("opacity").and_then(|text| text.parse().ok());
        let is_hidden = matches!(layer.attribute("visible"), Some("0" | "false"));
        let opacity = if is_hidden { 0.0 } else { opacity.unwrap_or(1.0_f64) };
        Self {
            offset: (self.offset.0 + own("offsetx"), self.offset.1 + own("offsety")),
            opacity: self.opacity * opacity.clamp(0.0, 1.0),
        }
    }
}

fn nested<'a>(
    element: &Element<'a>,
    depth: usize,
    group: Placement,
    rules: &Rules,
    layers: &mut Vec<(Element<'a>, Placement)>,
) {
    for child in element.children() {
        match child.name() {
            "layer" | "group" if marks::is_layer_left_out(&child, rules) => {}
            "layer" => layers.push((child, group.of(&child))),
            "group" if depth > 0 => {
                nested(&child, depth - 1, group.of(&child), rules, layers);
            }
            "group" => child.unread(),
            "imagelayer" => {
                let message =
                    format!("the image layer `{}` is ignored: it has no tiles", child.label());
                child.warn(message, "");
            }
            _ => {}
        }
    }
}

/// Returns the nearest number of whole tiles for an offset in pixels. Half a tile counts as none.
fn whole_tiles(offset: f64, tile: f64) -> i64 {
    let tiles = offset / tile;
    ((tiles.abs() - 0.5).ceil().max(0.0).copysign(tiles)) as i64
}

fn layer(element: Element, placement: Placement, frame: Frame) -> Option<TileLayer> {
    let Placement { offset, opacity } = placement;
    let label = element.label();
    let Some(data) = element.all("data").next() else {
        let help = "save the map again in Tiled, or delete the layer";
        element.refuse(format!("the layer `{label}` has no `<data>`"), help);
        return None;
    };
    let moved = (whole_tiles(offset.0, frame.tile.0), whole_tiles(offset.1, frame.tile.1));
    let mut blocks = match frame.size {
        Some(size) => {
            let own = (element.side("width")?, element.side("height")?);
            if own != size {
                let help = "resize the map in Tiled (Map > Resize Map), or delete the layer";
                element.refuse(format!("the layer `{label}` and the map differ in size"), help);
                return None;
            }
            if let Some(chunk) = data.all("chunk").next() {
                let help = "save the map again in Tiled, or set `infinite=\"1\"` in `<map>`";
                chunk.refuse("`<chunk>` in a map that is not infinite", help);
                return None;
            }
            vec![Block { data, tiles: data, names: ("layer", "the map has"), at: (0, 0), size }]
        }
        None => data.all("chunk").map(|tiles| chunk(data, tiles)).collect::<Option<_>>()?,
    };
    for block in &mut blocks {
        block.at = (block.at.0 + moved.0, block.at.1 + moved.1);
    }
    let name = element.attribute("name").unwrap_or_default().to_owned();
    let rest = (offset.0 - moved.0 as f64 * frame.tile.0, offset.1 - moved.1 as f64 * frame.tile.1);
    Some(TileLayer {
        element,
        offset: rest,
        opacity: (opacity * 255.0).round() as u8,
        blocks,
        own: None,
        can_be_picture: false,
        closed: Cell::new(0),
        selector: Selector { rule: SolidityRule::Layer, name },
        candidates: Vec::new(),
    })
}

fn chunk<'a>(data: Element<'a>, tiles: Element<'a>) -> Option<Block<'a>> {
    let place = |key| tiles.required(key, -1e9..=1e9).map(|number| number as i64);
    let at = (place("x")?, place("y")?);
    let size = (tiles.side("width")?, tiles.side("height")?);
    Some(Block { data, tiles, names: ("chunk", "its size is"), at, size })
}

/// Returns the smallest area that contains all tiles of an infinite map. Returns `None` if the data
/// of a layer is invalid. Reports a map without tiles and returns `None`.
pub fn used(map: &Element, layers: &[TileLayer]) -> Option<Area> {
    let mut area: Option<Area> = None;
    for layer in layers {
        layer.numbers(|at, _| {
            area = Some(area.map_or(Area { first: at, last: at }, |area| area.with(at)));
        })?;
    }
    if area.is_none() {
        let message = "the infinite map has no tiles";
        let help = "draw at least one tile, or clear Map > Map Properties > Infinite in Tiled";
        map.issues.push(Diagnostic::error(map.span_of("infinite"), message).help(help));
    }
    area
}

impl TileLayer<'_> {
    /// Returns the number of tiles in the data of the layer.
    pub fn tiles(&self) -> u64 {
        self.blocks.iter().map(|block| block.count() as u64).sum()
    }

    pub fn name(&self) -> &str {
        &self.selector.name
    }

    /// Returns true if only the name of the layer makes its tiles solid, and if the layer is no
    /// picture.
    pub fn is_solid_by_name(&self, marks: &Marks) -> bool {
        let is_named = |id: MarkId| marks.get(id).rule == SolidityRule::Layer && !marks.walks(id);
        !self.can_be_picture && self.own.is_some_and(is_named)
    }

    /// Passes the position on the map and the number of each tile to `each`, row by row. Positions can be
    /// outside the map. Returns `None` if the data of the layer is invalid.
    pub fn each_tile(&self, area: Area, mut each: impl FnMut((i64, i64), u32)) -> Option<()> {
        let (left, top) = area.first;
        self.with_flips(&mut |(x, y), number| each((x - left, y - top), number))
    }

    /// Passes the position in the file and the number of each tile to `each`, without flips. Returns
    /// `None` if the data of the layer is invalid.
    pub fn numbers(&self, mut each: impl FnMut((i64, i64), u32)) -> Option<()> {
        self.with_flips(&mut |at, number| each(at, number & !FLIPS))
    }

    fn with_flips(&self, each: &mut dyn FnMut((i64, i64), u32)) -> Option<()> {
        for block in &self.blocks {
            let width = block.size.0 as usize;
            read_block(block, &mut |index, number| {
                if number & !FLIPS != 0 {
                    let (x, y) = ((index % width) as i64, (index / width) as i64);
                    each((block.at.0 + x, block.at.1 + y), number);
                }
            })?;
        }
        Some(())
    }

    /// Sets the mark of the layer's tiles. Warns about the part of an offset that is not a whole tile.
    pub fn prepare(&mut self, rules: &Rules, marks: &mut Marks) {
        let layer = &self.element;
        let name = &self.selector.name;
        let old = |key| layer.number(key, OFFSETS).unwrap_or(0.0);
        let rest = [
            ("offsetx", self.offset.0),
            ("offsety", self.offset.1),
            ("x", old("x")),
            ("y", old("y")),
        ];
        for (key, _) in rest.into_iter().filter(|(_, rest)| *rest != 0.0) {
            let message = format!("`{key}` of the layer `{}` is ignored", show::text(name));
            let help = "the tiles are read at whole tiles: in Tiled, set the offset to a multiple of \
                        the tile size";
            layer.warn(message, help);
        }
        let mut candidates = Vec::new();
        let candidate = |selector| candidates.push(selector);
        let property = marks::mark_of(layer, SolidityRule::LayerProperty, rules, marks, candidate);
        let named = words::is_solid(name).then(|| marks.plain(false, SolidityRule::Layer, name));
        let table = rules.layer(name).map(|kind| marks.mark(kind, SolidityRule::LayerTable, name));
        let chosen = rules.chosen(&self.selector);
        let chosen = chosen
            .map(|walks| marks.plain(walks, SolidityRule::Chosen, &self.selector.to_string()));
        let own = [property, chosen, table, named];
        self.own = own.into_iter().fold(None, |best, next| marks.better(best, next));
        self.can_be_picture = self.own.is_some()
            && [chosen, table, property].iter().all(Option::is_none)
            && words::can_be_picture(name);
        if self.own.is_none() || self.can_be_picture {
            candidates.push(self.selector.clone());
        }
        self.candidates = candidates;
    }

    /// Draws the layer on top of the cells. Returns `None` if the data of the layer is invalid.
    pub fn draw(&self, pass: Pass, marks: &mut Marks, cells: &mut Grid<MarkId>) -> Option<()> {
        let (mut strange, mut are_several, mut drawn) = (None, false, 0);
        let own = self.own.filter(|_| pass.uses_pictures || !self.can_be_picture);
        let mut effects = EffectCache::default();
        let mut counts = TileCounts::default();
        let (map_width, map_height) = (i64::from(cells.width()), i64::from(cells.height()));
        let mut is_possible = true;
        for block in &self.blocks {
            let width = block.size.0 as usize;
            let corner = (block.at.0 - pass.area.first.0, block.at.1 - pass.area.first.1);
            read_block(block, &mut |index, number| {
                if number & !FLIPS == 0 || !is_possible {
                    return;
                }
                let slot = effects.slot(number);
                if slot.number != number {
                    counts.add(pass, slot.number, slot.tiles);
                    let found = pass.sets.lookup(number, pass.uses_terrain, marks);
                    is_possible = found.is_some();
                    let found = found.unwrap_or_default();
                    if found.is_unknown {
                        let first = *strange.get_or_insert(number & !FLIPS);
                        are_several |= first != number & !FLIPS;
                    }
                    let effect = Self::effect(&found, own, marks);
                    *slot = CachedEffect { number, effect, tiles: 0 };
                }
                slot.tiles += 1;
                drawn += 1;
                if slot.effect.is_left_out {
                    return;
                }
                if pass.is_first {
                    let is_solid = slot.effect.mark.is_some_and(|mark| !marks.walks(mark));
                    self.closed.set(self.closed.get() + u64::from(is_solid));
                    if let Some(shapes) = slot.effect.partial {
                        *marks.partial.entry(shapes).or_default() += 1;
                    }
                }
                let at = (corner.0 + (index % width) as i64, corner.1 + (index / width) as i64);
                let (effect, mark) = (&slot.effect, slot.effect.mark);
                if (0..map_width).contains(&at.0) && (0..map_height).contains(&at.1) {
                    let cell = &mut cells.cells_mut()[(at.1 * map_width + at.0) as usize];
                    lay(cell, mark.unwrap_or(PLAIN), pass.combine, marks);
                }
                is_possible &= effect.spread(at, pass, marks, cells).is_some();
            })?;
        }
        if !is_possible {
            let message = "the images and collision shapes of the tiles need too much work";
            let help = "in Tiled, merge the collision shapes, or use smaller images";
            self.element.refuse(message, help);
            return None;
        }
        if !pass.is_first {
            return Some(());
        }
        for slot in &effects.0 {
            counts.add(pass, slot.number, slot.tiles);
        }
        for (number, tiles) in counts.0 {
            for selector in pass.sets.candidates(number) {
                marks.candidate(selector, tiles);
            }
        }
        for selector in &self.candidates {
            marks.candidate(selector, drawn);
        }
        if let Some(first) = strange {
            let name = show::text(&self.selector.name);
            let more = if are_several { " and others" } else { "" };
            let message = format!("no tile set for tile {first}{more} of the layer `{name}`");
            self.element.warn(message, "the tiles are read as tiles without properties");
        }
        Some(())
    }

    /// Returns the effect of a tile in this layer. `own` is the mark of the layer.
    fn effect(found: &Lookup, own: Option<MarkId>, marks: &Marks) -> TileEffect {
        if found.is_left_out {
            return TileEffect { is_left_out: true, ..TileEffect::default() };
        }
        let stamp = found.stamp.clone().unwrap_or_default();
        // The shapes of a tile describe its solid part better than the name of its layer.
        let rank = |id: MarkId| marks.get(id).rule;
        let beats_own = |id: &MarkId| {
            found.own.is_none_or(|own| rank(*id) < rank(own) || marks.allows_shapes(own))
        };
        let shapes = found.shapes.filter(beats_own);
        // The shapes decide instead of the mark of the tile.
        let prefers = |own: MarkId, shapes: MarkId| {
            stamp.closes && marks.allows_shapes(own)
                || stamp.has_shapes && marks.prefers_shapes(shapes, own)
        };
        let of_tile = found.own.filter(|&own| !shapes.is_some_and(|shapes| prefers(own, shapes)));
        let can_prefer = |own| !marks.walks(own) && !marks.is_chosen(own);
        let is_partial = stamp.has_shapes && !stamp.closes && of_tile.is_some_and(can_prefer);
        let decides = stamp.has_shapes && shapes.is_some();
        let beats = |id: &MarkId| !decides || marks.get(*id).rule < SolidityRule::Shapes;
        let own = own.filter(beats);
        let list = [of_tile, shapes.filter(|_| stamp.closes), own, found.last];
        let mark = list.into_iter().fold(None, |best, next| marks.better(best, next));
        let is_solid = |id: &MarkId| !marks.walks(*id);
        // A tile above moving things does not change the tiles below.
        let counts = |id: &MarkId| !found.is_raised || is_solid(id) || marks.is_chosen(*id);
        let mark = mark.filter(counts);
        let has_chosen = own.is_some_and(|id| marks.get(id).rule < SolidityRule::Shapes);
        let walls = stamp.is_one_way || shapes.as_ref().is_some_and(is_solid) && !has_chosen;
        let spilled = if has_chosen { None } else { shapes.filter(is_solid) };
        TileEffect {
            mark,
            is_left_out: false,
            partial: found.shapes.filter(|_| is_partial),
            image: found.own.filter(is_solid).filter(|_| found.own == mark),
            spilled,
            walls: walls && !stamp.walls.is_empty(),
            stamp: found.stamp.clone(),
        }
    }
}

/// Puts a mark on a cell. If a solid tile in any layer counts, a walkable mark does not replace a
/// solid mark. An unmarked tile only replaces an empty cell.
pub fn lay(cell: &mut MarkId, mark: MarkId, combine: Combine, marks: &Marks) {
    let keeps = match combine {
        Combine::Top => false,
        Combine::Any => *cell != EMPTY && !marks.walks(*cell) && marks.walks(mark),
    };
    if *cell == EMPTY || mark != PLAIN && !keeps {
        *cell = mark;
    }
}

/// The effects of tiles that were drawn recently. Layers consist of few different tiles, so most tiles find
/// their effect here.
struct EffectCache([CachedEffect; 64]);

/// The effect of the tiles with one number, and how many of them were drawn. The number is 0 in an empty
/// slot.
#[derive(Debug, Default)]
struct CachedEffect {
    number: u32,
    effect: TileEffect,
    tiles: u64,
}

impl Default for EffectCache {
    fn default() -> Self {
        Self(core::array::from_fn(|_| CachedEffect::default()))
    }
}

impl EffectCache {
    /// Returns the slot of a number. The slot can contain the effect of another number.
    fn slot(&mut self, number: u32) -> &mut CachedEffect {
        &mut self.0[number as usize % 64]
    }
}

/// Effect of the tiles with one number in a layer.
#[derive(Debug, Default)]
struct TileEffect {
    /// Whether the user leaves out the tile.
    is_left_out: bool,
    /// Mark of the shapes of a tile that is solid although its shapes cover less than half of it.
    partial: Option<MarkId>,
    mark: Option<MarkId>,
    /// Mark of all other tiles that the image covers.
    image: Option<MarkId>,
    /// Mark of the other tiles that the shapes cover.
    spilled: Option<MarkId>,
    /// Whether the shapes have walls.
    walls: bool,
    stamp: Option<Rc<Stamp>>,
}

impl TileEffect {
    /// Draws the effect of a tile on other tiles, and adds its walls. `at` is the position of the
    /// tile. Returns `None` if images cover too many tiles.
    fn spread(
        &self,
        at: (i64, i64),
        pass: Pass,
        marks: &Marks,
        cells: &mut Grid<MarkId>,
    ) -> Option<()> {
        let Some(stamp) = &self.stamp else { return Some(()) };
        if self.walls && pass.is_first {
            pass.sets.add_walls(stamp, at);
        }
        for (mark, offsets) in [(self.image, &stamp.image), (self.spilled, &stamp.spill)] {
            let Some(mark) = mark else { continue };
            pass.sets.spill(offsets.len())?;
            for &(x, y) in offsets {
                let tile = TilePos::new((at.0 + i64::from(x)) as i32, (at.1 + i64::from(y)) as i32);
                if let Some(cell) = cells.get_mut(tile) {
                    lay(cell, mark, pass.combine, marks);
                }
            }
        }
        Some(())
    }
}

/// Marks the positions without a tile of a layer that the user chose, as with
/// `--solid outside:Ground`. Returns `None` if the data of a layer is invalid.
pub fn close_outside(pass: Pass, marks: &mut Marks, cells: &mut Grid<MarkId>) -> Option<()> {
    for (selector, walks) in pass.rules.chosen_outside() {
        let is_named = |layer: &&TileLayer| {
            selector.name == ALL_LAYERS || layer.selector.name == selector.name
        };
        let mut drawing = Grid::filled(cells.width(), cells.height(), EMPTY);
        for layer in pass.layers.iter().filter(is_named) {
            // Marks the selector as used.
            pass.rules.chosen(selector);
            layer.draw(Pass { is_first: false, ..pass }, marks, &mut drawing)?;
        }
        let mark = marks.plain(walks, SolidityRule::Chosen, &selector.to_string());
        for (cell, _) in { cells.cells_mut().iter_mut() }
            .zip(drawing.cells())
            .filter(|(_, drawn)| **drawn == EMPTY)
        {
            if marks.get(*cell).rule != SolidityRule::Chosen {
                *cell = mark;
            }
        }
    }
    Some(())
}

/// How often tiles with selectors occur in a layer, by number without flips.
#[derive(Default)]
struct TileCounts(BTreeMap<u32, u64>);

impl TileCounts {
    fn add(&mut self, pass: Pass, number: u32, tiles: u64) {
        if pass.is_first && !pass.sets.candidates(number).is_empty() {
            *self.0.entry(number & !FLIPS).or_default() += tiles;
        }
    }
}

/// Memory limit for Zstandard windows, in bytes.
const MAX_WINDOW: u64 = 32 * 1024 * 1024;

/// Base64 with optional padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The tiles of a layer, or of a chunk of a layer.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// Element whose attributes state the encoding.
    pub data: Element<'a>,
    /// Element with the tiles.
    pub tiles: Element<'a>,
    /// Words for messages: the noun for the block, and the phrase that precedes the expected number
    /// of tiles.
    pub names: (&'static str, &'static str),
    /// Position of the first tile, in tiles.
    pub at: (i64, i64),
    /// Number of tiles along each axis.
    pub size: (u32, u32),
}

impl Block<'_> {
    pub fn count(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize
    }

    /// Returns the message for a wrong number of tiles. `found` is the number of tiles in the data.
    fn differs(&self, found: usize) -> String {
        let (has, needs) = self.names;
        format!("the {has} has {}, but {needs} {}", count_of(found), self.count())
    }
}

/// Passes the index and the tile number of each tile to `each`, row by row. Returns `None` if the
/// data is invalid or has a wrong number of tiles.
fn read_block(block: &Block, each: &mut dyn FnMut(usize, u32)) -> Option<()> {
    let data = &block.data;
    let encoding = data.attribute("encoding").unwrap_or_default();
    let compression = data.attribute("compression").unwrap_or_default();
    if encoding != "base64" && !compression.is_empty() {
        let message = "only base64 data can be compressed";
        let help = "in Tiled, save the map with the tile layer format CSV";
        data.issues.push(Diagnostic::error(data.span_of("compression"), message).help(help));
        return None;
    }
    match encoding {
        "" => all_numbers(block, elements(&block.tiles), each),
        "csv" => all_numbers(block, commas(&block.tiles, block.count()), each),
        "base64" => base64(block, compression, each),
        other => {
            let message = format!("unsupported encoding `{}`", show::text(other));
            let help = "save the map with the tile layer format CSV or Base64";
            data.issues.push(Diagnostic::error(data.span_of("encoding"), message).help(help));
            None
        }
    }
}

/// Returns the tile numbers of `<tile gid="1"/>` elements. An invalid number is reported and
/// becomes `None`.
fn elements<'a>(data: &Element<'a>) -> impl Iterator<Item = Option<u32>> + use<'a> {
    data.all("tile").map(|tile| {
        let gid = tile.attribute("gid").unwrap_or("0");
        let number = gid.parse().ok();
        if number.is_none() {
            tile.error_at("gid", format!("invalid tile number `{}`", show::text(gid)));
        }
        number
    })
}

/// Returns the tile numbers of CSV data. An invalid number is reported and becomes `None`.
fn commas(data: &Element, count: usize) -> impl Iterator<Item = Option<u32>> {
    let mut found = 0;
    data.text().split(',').map(str::trim).filter_map(move |piece| {
        // A trailing comma is ignored.
        if piece.is_empty() && found >= count {
            return None;
        }
        let number = piece.parse().ok();
        if number.is_none() {
            data.error(format!("invalid tile number `{}` for tile {found}", show::text(piece)));
        }
        found += 1;
        Some(number)
    })
}

/// Passes the index and the tile number of each tile to `each`. Reports data with a wrong number of
/// tiles and returns `None`.
fn all_numbers(
    block: &Block,
    numbers: impl Iterator<Item = Option<u32>>,
    each: &mut dyn FnMut(usize, u32),
) -> Option<()> {
    let (count, mut found) = (block.count(), 0);
    for number in numbers {
        let number = number?;
        if found < count {
            each(found, number);
        }
        found += 1;
    }
    if found != count {
        block.tiles.error(block.differs(found));
    }
    (found == count).then_some(())
}

fn count_of(tiles: usize) -> String {
    tilewalk_sim::report::words::count(tiles as u64, "tile")
}

fn base64(block: &Block, compression: &str, each: &mut dyn FnMut(usize, u32)) -> Option<()> {
    let data = &block.data;
    let plain = DecoderReader::new(Text(block.tiles.text().as_bytes()), &BASE64);
    let result = match compression {
        "" => unpack(plain, block, each),
        "zlib" => unpack(ZlibDecoder::new(plain), block, each),
        "gzip" => unpack(GzDecoder::new(plain), block, each),
        "zstd" => match StreamingDecoder::new_with_max_window_size(plain, MAX_WINDOW) {
            Ok(reader) => unpack(reader, block, each),
            Err(error) => Err(format!("can't decode the data: {error}")),
        },
        other => {
            let message = format!("unsupported compression `{}`", show::text(other));
            let help = "save the map as CSV, or with zlib, gzip or Zstandard compression";
            data.issues.push(Diagnostic::error(data.span_of("compression"), message).help(help));
            return None;
        }
    };
    if let Err(message) = &result {
        block.tiles.error(show::text(message));
    }
    result.ok()
}

/// Reads tile numbers of four bytes, in little-endian order.
fn unpack(
    reader: impl Read,
    block: &Block,
    each: &mut dyn FnMut(usize, u32),
) -> Result<(), String> {
    let count = block.count();
    let mut reader = BufReader::new(reader);
    let mut bytes = [0; 4];
    for index in 0..count {
        match reader.read_exact(&mut bytes) {
            Ok(()) => each(index, u32::from_le_bytes(bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(block.differs(index));
            }
            Err(error) => return Err(format!("can't decode the data: {error}")),
        }
    }
    match reader.read(&mut bytes) {
        Ok(0) => Ok(()),
        Ok(_) => {
            let (has, needs) = block.names;
            Err(format!("the {has} has too many tiles: {needs} {count}"))
        }
        Err(error) => Err(format!("can't decode the data: {error}")),
    }
}

/// Reader that skips the white space of a text.
struct Text<'a>(&'a [u8]);

impl Read for Text<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len()
            && let Some((&byte, rest)) = self.0.split_first()
        {
            self.0 = rest;
            if !byte.is_ascii_whitespace() {
                buffer[filled] = byte;
                filled += 1;
            }
        }
        Ok(filled)
    }
}
