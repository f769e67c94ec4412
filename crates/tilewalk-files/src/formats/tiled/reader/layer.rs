//! Reads tile layers from bottom to top.
//!
//! The tiles of a layer are XML elements, CSV, or base64 with or without compression. They are
//! decoded one by one. Without other marks, tiles outside a layer such as `Walkable` are solid.

use std::io::{self, BufReader, Read};

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;
use flate2::read::{GzDecoder, ZlibDecoder};
use ruzstd::decoding::StreamingDecoder;

use super::{Area, Frame, MAX_DEPTH};
use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::marks::{self, EMPTY, MarkId, Marks, PLAIN};
use crate::formats::tiled::reader::tile_sets::{Lookup, Sets};
use crate::formats::tiled::rules::{Rules, Selector, SolidityRule};
use crate::formats::tiled::words;
use crate::show;
use crate::text::diagnostic::Diagnostic;
use tilewalk_sim::grid::Grid;

/// Maximum number of tiles in all layers.
const MAX_TILES: u64 = 500_000_000;

/// Bits of a tile number for flips and rotations.
const FLIPS: u32 = 0xF000_0000;

/// A tile layer, and the blocks of its tiles.
#[derive(Debug)]
pub struct TileLayer<'a> {
    element: Element<'a>,
    blocks: Vec<Block<'a>>,
    /// Mark that the layer gives to its tiles; `None` if no rule applies to the layer. A mark with
    /// precedence replaces this mark.
    own: Option<MarkId>,
    /// Whether the layer may be only a picture of walls. True if nothing but the name of the layer
    /// makes it solid.
    pub can_be_picture: bool,
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
    pub sets: &'a Sets<'a>,
    /// Whether terrains mark tiles.
    pub uses_terrain: bool,
    /// Whether the name of a layer marks its tiles even if the layer can be a picture.
    pub uses_pictures: bool,
    /// Whether this is the first time that the layers are drawn. Only the first drawing counts tiles
    /// for candidates and reports tiles without a tile set.
    pub is_first: bool,
}

/// Collects the tile layers from bottom to top, including layers in groups. Before memory is
/// allocated, checks all sizes. Reports a wrong size and returns `None`.
pub fn collect<'a>(map: &Element<'a>, frame: Frame) -> Option<Vec<TileLayer<'a>>> {
    let mut elements = Vec::new();
    nested(map, MAX_DEPTH, &mut elements);
    let layers: Vec<_> = elements.into_iter().map(|element| layer(element, frame)).collect();
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

fn nested<'a>(element: &Element<'a>, depth: usize, layers: &mut Vec<Element<'a>>) {
    for child in element.children() {
        match child.name() {
            "layer" => layers.push(child),
            "group" if depth > 0 => nested(&child, depth - 1, layers),
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

fn layer(element: Element, frame: Frame) -> Option<TileLayer> {
    let label = element.label();
    let Some(data) = element.all("data").next() else {
        let help = "save the map again in Tiled, or delete the layer";
        element.refuse(format!("the layer `{label}` has no `<data>`"), help);
        return None;
    };
    let blocks = match frame.size {
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
    let name = element.attribute("name").unwrap_or_default().to_owned();
    let selector = Selector { rule: SolidityRule::Layer, name };
    let candidates = Vec::new();
    Some(TileLayer { element, blocks, own: None, can_be_picture: false, selector, candidates })
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
    for block in layers.iter().flat_map(|layer| &layer.blocks) {
        let width = block.size.0 as usize;
        read_block(block, |index, number| {
            if number & !FLIPS != 0 {
                let at = (block.at.0 + (index % width) as i64, block.at.1 + (index / width) as i64);
                area = Some(area.map_or(Area { first: at, last: at }, |area| area.with(at)));
            }
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
    pub fn selector(&self) -> &Selector {
        &self.selector
    }

    pub fn name(&self) -> &str {
        &self.selector.name
    }

    /// Sets the mark of the layer's tiles. Warns about an offset of the layer, which is ignored.
    pub fn prepare(&mut self, rules: &Rules, marks: &mut Marks) {
        let layer = &self.element;
        let name = &self.selector.name;
        for key in ["offsetx", "offsety", "x", "y"] {
            if layer.number(key, f64::MIN..=f64::MAX).is_some_and(|offset| offset != 0.0) {
                let message = format!("`{key}` of the layer `{}` is ignored", show::text(name));
                let help = "set the offset to 0 in Tiled; the tiles are read without an offset";
                layer.warn(message, help);
            }
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
        let (mut strange, mut first, mut drawn) = (0_u64, 0, 0);
        let sets = pass.sets;
        let own = self.own.filter(|_| pass.uses_pictures || !self.can_be_picture);
        // Adjacent tiles are often equal, so the result of the last lookup is reused.
        let mut last = (0, None, 0_u64);
        let map_width = cells.width() as usize;
        for block in &self.blocks {
            let width = block.size.0 as usize;
            let corner = (block.at.0 - pass.area.first.0, block.at.1 - pass.area.first.1);
            let cells = cells.cells_mut();
            read_block(block, |index, number| {
                let number = number & !FLIPS;
                if number == 0 {
                    return;
                }
                if last.0 != number {
                    count(marks, pass, last.0, last.2);
                    let found = sets.lookup(number, pass.uses_terrain, marks);
                    if found == Lookup::Unknown && strange == 0 {
                        first = number;
                    }
                    let mark = match found {
                        Lookup::Tile(mark) => marks.better(mark, own),
                        Lookup::Unknown => own,
                    };
                    last = (number, mark, 0);
                    strange += u64::from(found == Lookup::Unknown);
                }
                last.2 += 1;
                drawn += 1;
                let x = (corner.0 + (index % width) as i64) as usize;
                let y = (corner.1 + (index / width) as i64) as usize;
                let cell = &mut cells[y * map_width + x];
                match last.1 {
                    Some(mark) => *cell = mark,
                    None if *cell == EMPTY => *cell = PLAIN,
                    None => {}
                }
            })?;
        }
        count(marks, pass, last.0, last.2);
        if !pass.is_first {
            return Some(());
        }
        for selector in &self.candidates {
            marks.candidate(selector, drawn);
        }
        if strange > 0 {
            let name = show::text(&self.selector.name);
            let more = if strange > 1 { " and others" } else { "" };
            let message = format!("no tile set for tile {first}{more} of the layer `{name}`");
            self.element.warn(message, "the tiles are read as tiles without properties");
        }
        Some(())
    }
}

/// Adds `tiles` to the count of each selector that would mark the tile with this number.
fn count(marks: &mut Marks, pass: Pass, number: u32, tiles: u64) {
    if number > 0 && pass.is_first {
        for selector in pass.sets.candidates(number) {
            marks.candidate(selector, tiles);
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
fn read_block(block: &Block, each: impl FnMut(usize, u32)) -> Option<()> {
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
    mut each: impl FnMut(usize, u32),
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

fn base64(block: &Block, compression: &str, each: impl FnMut(usize, u32)) -> Option<()> {
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
    mut each: impl FnMut(usize, u32),
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
        Ok(_) => Err(format!("the {} has more tiles than the map ({count})", block.names.0)),
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
