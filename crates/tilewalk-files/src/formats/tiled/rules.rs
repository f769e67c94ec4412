//! Reads `[tiled]`: tile kinds for the layers and tile sets of a Tiled map.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use toml::de::DeValue;

use crate::formats::tiled::selector::Selector;
use crate::keys::map::{LAYERS, MAX_TILE, TILE_SETS, TILED, TILES_OF_SET};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::Entry;
use crate::text::reader::TableReader;
use crate::tiles::legend::Legend;

/// Glyph of walkable tiles that have no other glyph.
pub const FLOOR: &str = ".";

/// Advice for a glyph without a legend entry.
const HELP: &str = "use `.` for floor or `#` for wall, or add the glyph to [legend]";

/// A range of tile numbers of a tile set, and the legend index of their tile kind.
pub type Stretch = (RangeInclusive<u32>, u8);

/// The rules in the `[tiled]` table of a map.
#[derive(Debug, Default)]
pub struct Rules {
    /// Tile kinds by layer name.
    layers: BTreeMap<String, Rule<u8>>,
    /// Tile kinds by tile set name.
    sets: BTreeMap<String, Rule<Vec<Stretch>>>,
    /// Tile kind for positions without a tile; `None` for floor.
    pub empty: Option<u8>,
    /// Selectors, and whether the selected tiles are walkable.
    chosen: BTreeMap<Selector, Rule<bool>>,
}

/// A rule of `[tiled]`. Records whether a layer or tile set used the rule.
#[derive(Debug)]
struct Rule<T> {
    what: T,
    span: Range<usize>,
    used: Cell<bool>,
}

impl<T> Rule<T> {
    fn new(what: T, span: Range<usize>) -> Self {
        Self { what, span, used: Cell::new(false) }
    }
}

impl Rules {
    /// Creates rules from selectors of solid and walkable tiles.
    pub fn choosing<'a>(
        solid: impl IntoIterator<Item = &'a Selector>,
        walkable: impl IntoIterator<Item = &'a Selector>,
    ) -> Self {
        let of = |walks| move |each: &Selector| (each.clone(), Rule::new(walks, 0..0));
        let chosen = solid.into_iter().map(of(false));
        let chosen = chosen.chain(walkable.into_iter().map(of(true))).collect();
        Self { chosen, ..Self::default() }
    }

    pub fn read(entry: &Entry, legend: &Legend) -> Self {
        let mut rules = Self::default();
        let Some(table) = entry.table(&TILED) else { return rules };
        rules.empty = table.take("empty").and_then(|empty| glyph(&empty, legend));
        let layers = table.take("layers").and_then(|layers| layers.table(&LAYERS));
        for (name, span, entry) in layers.into_iter().flat_map(TableReader::into_entries) {
            let Some(kind) = glyph(&entry, legend) else { continue };
            rules.layers.insert(name.to_owned(), Rule::new(kind, span));
        }
        let sets = table.take("tiles").and_then(|sets| sets.table(&TILE_SETS));
        for (name, span, entry) in sets.into_iter().flat_map(TableReader::into_entries) {
            let list = tiles(&entry, legend);
            rules.sets.insert(name.to_owned(), Rule::new(list, span));
        }
        for (key, walks) in [("solid", false), ("walkable", true)] {
            let list = table.take(key);
            for entry in list.iter().filter_map(Entry::array).flatten() {
                let Some(text) = entry.string() else { continue };
                match text.parse() {
                    Ok(selector) => {
                        rules.chosen.insert(selector, Rule::new(walks, entry.span()));
                    }
                    Err(why) => {
                        let message = format!("invalid selector `{}`", show::text(text));
                        entry.error_with_help(message, why);
                    }
                }
            }
        }
        table.finish();
        rules
    }

    /// Returns true for a selector that the user chose as walkable, and false for a selector chosen
    /// as solid. Returns `None` if the user did not choose the selector. Marks the selector as
    /// used.
    pub fn chosen(&self, selector: &Selector) -> Option<bool> {
        let rule = self.chosen.get(selector)?;
        rule.used.set(true);
        Some(rule.what)
    }

    /// Returns the tile kind for a layer's tiles, and marks the rule as used. Returns `None`
    /// without a rule for the layer.
    pub fn layer(&self, name: &str) -> Option<u8> {
        let rule = self.layers.get(name)?;
        rule.used.set(true);
        Some(rule.what)
    }

    /// Returns the kinds of the tiles in a tile set, and marks the rule as used. Returns an empty
    /// list without a rule for the tile set.
    pub fn set(&self, name: &str) -> &[Stretch] {
        let Some(rule) = self.sets.get(name) else { return &[] };
        rule.used.set(true);
        &rule.what
    }

    /// Returns the tile kind for positions without a tile. The default is floor.
    pub fn empty(&self, legend: &Legend) -> u8 {
        self.empty.or_else(|| legend.index(FLOOR)).unwrap_or(0)
    }

    /// Reports rules for unknown layers and tile sets, and selectors that select nothing.
    pub fn report_unused(&self, issues: &Issues) {
        let layers = self.layers.iter().map(|(name, rule)| ("layer", name, &rule.used, &rule.span));
        let sets = self.sets.iter().map(|(name, rule)| ("tile set", name, &rule.used, &rule.span));
        for (what, name, used, span) in layers.chain(sets) {
            if !used.get() {
                let message = format!("the Tiled map has no {what} `{}`", show::text(name));
                let help = "write the name as in Tiled, or remove it here";
                issues.push(Diagnostic::error(span.clone(), message).help(help));
            }
        }
        for (selector, rule) in self.chosen.iter().filter(|(_, rule)| !rule.used.get()) {
            let selector = show::text(&selector.to_string());
            let message = format!("`{selector}` selects nothing in the Tiled map");
            let help = "`tilewalk import FILE --explain-solid` lists the selectors of a map";
            issues.push(Diagnostic::error(rule.span.clone(), message).help(help));
        }
    }
}

/// Reads a glyph and returns its tile kind. Reports a glyph without a legend entry and returns
/// `None`.
fn glyph(entry: &Entry, legend: &Legend) -> Option<u8> {
    let text = entry.string()?;
    known(text, entry.span(), legend, entry.issues, HELP)
}

/// Returns the tile kind of a glyph. Reports a glyph without a legend entry, with the advice
/// `help`, and returns `None`.
pub fn known(
    text: &str,
    span: Range<usize>,
    legend: &Legend,
    issues: &Issues,
    help: &str,
) -> Option<u8> {
    let found = legend.index(text);
    if found.is_none() {
        let message = format!("no legend entry for the glyph `{}`", show::text(text));
        issues.push(Diagnostic::error(span, message).help(help));
    }
    found
}

/// Reads tile numbers by glyph, as in `{ "#" = [4, [10, 19]] }`. Reports invalid glyphs and
/// numbers.
fn tiles(entry: &Entry, legend: &Legend) -> Vec<Stretch> {
    let mut list = Vec::new();
    let glyphs = entry.table(&TILES_OF_SET);
    for (name, span, entry) in glyphs.into_iter().flat_map(TableReader::into_entries) {
        let Some(kind) = known(name, span, legend, entry.issues, HELP) else { continue };
        let numbers = entry.array().into_iter().flatten();
        list.extend(numbers.filter_map(|number| Some((stretch(&number)?, kind))));
    }
    list
}

fn stretch(entry: &Entry) -> Option<RangeInclusive<u32>> {
    if !matches!(entry.get(), DeValue::Array(_)) {
        let tile = entry.count(0..=MAX_TILE)?;
        return Some(tile..=tile);
    }
    let [first, last] = entry.two("a range `[first, last]` of tile numbers")?;
    let (first, last) = (first.count(0..=MAX_TILE)?, last.count(0..=MAX_TILE)?);
    if first > last {
        let message = "the first tile number of the range is larger than the last";
        entry.error_with_help(message, "write the smaller number first");
    }
    Some(first..=last)
}
