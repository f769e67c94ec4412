//! Reads tile layers from bottom to top.

use super::{Area, Frame, MAX_DEPTH};
use crate::formats::tiled::reader::data::{self, Block};
use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::marks::{EMPTY, MarkId, Marks, PLAIN};
use crate::formats::tiled::reader::properties;
use crate::formats::tiled::reader::set::{Lookup, Sets};
use crate::formats::tiled::rules::Rules;
use crate::formats::tiled::selector::{Rule, Selector};
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
pub struct Layer<'a> {
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
    pub layers: &'a [Layer<'a>],
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
pub fn collect<'a>(map: &Element<'a>, frame: Frame) -> Option<Vec<Layer<'a>>> {
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

fn layer(element: Element, frame: Frame) -> Option<Layer> {
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
    let selector = Selector { rule: Rule::Layer, name };
    let candidates = Vec::new();
    Some(Layer { element, blocks, own: None, can_be_picture: false, selector, candidates })
}

fn chunk<'a>(data: Element<'a>, tiles: Element<'a>) -> Option<Block<'a>> {
    let place = |key| tiles.required(key, -1e9..=1e9).map(|number| number as i64);
    let at = (place("x")?, place("y")?);
    let size = (tiles.side("width")?, tiles.side("height")?);
    Some(Block { data, tiles, names: ("chunk", "its size is"), at, size })
}

/// Returns the smallest area that contains all tiles of an infinite map. Returns `None` if the data
/// of a layer is invalid. Reports a map without tiles and returns `None`.
pub fn used(map: &Element, layers: &[Layer]) -> Option<Area> {
    let mut area: Option<Area> = None;
    for block in layers.iter().flat_map(|layer| &layer.blocks) {
        let width = block.size.0 as usize;
        data::read(block, |index, number| {
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

impl Layer<'_> {
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
        let property = properties::mark(layer, Rule::LayerProperty, rules, marks, candidate);
        let named = words::is_solid(name).then(|| marks.plain(false, Rule::Layer, name));
        let table = rules.layer(name).map(|kind| marks.mark(kind, Rule::LayerTable, name));
        let chosen = rules.chosen(&self.selector);
        let chosen =
            chosen.map(|walks| marks.plain(walks, Rule::Chosen, &self.selector.to_string()));
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
            data::read(block, |index, number| {
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
