//! Reads `[tiled]`: tile kinds for the layers and tile sets of a Tiled map.
//!
//! Selectors such as `layer:Walls` make tiles solid or walkable. [`Solidity`] describes which
//! rules made the tiles of a map solid.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

use toml::de::DeValue;

use crate::keys::map::{LAYERS, MAX_TILE, TILE_SETS, TILED, TILES_OF_SET};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::{Entry, TableReader};
use crate::tiles::legend::Legend;
use tilewalk_sim::report::words;

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
    resolve_kind(text, entry.span(), legend, entry.issues, HELP)
}

/// Returns the tile kind of a glyph. Reports a glyph without a legend entry, with the advice
/// `help`, and returns `None`.
pub fn resolve_kind(
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
        let Some(kind) = resolve_kind(name, span, legend, entry.issues, HELP) else { continue };
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

/// Rule that assigns a kind to a tile. The rules are listed in order of precedence, the highest
/// first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SolidityRule {
    /// A selector that the user chose, as with `--solid`.
    Chosen,
    /// A tile number in `[tiled]`.
    Table,
    /// A property of the tile.
    TileProperty,
    /// The class of the tile.
    TileClass,
    /// A layer name in `[tiled]`.
    LayerTable,
    /// Collision shapes that cover at least half of the tile.
    Shapes,
    /// A property of the layer.
    LayerProperty,
    /// The name of the layer.
    Layer,
    /// The terrain or Wang colour of the tile.
    Terrain,
    /// An object, or the object layer that contains the object.
    Objects,
    /// A tile set that can't be read.
    Missing,
    /// No rule gives the tile a kind.
    Nothing,
}

/// The rules that a selector can name, each with its keyword.
const SELECTABLE: [(&str, SolidityRule); 7] = [
    ("tile-property", SolidityRule::TileProperty),
    ("tile-class", SolidityRule::TileClass),
    ("shapes", SolidityRule::Shapes),
    ("layer-property", SolidityRule::LayerProperty),
    ("layer", SolidityRule::Layer),
    ("terrain", SolidityRule::Terrain),
    ("objects", SolidityRule::Objects),
];

/// Selector of tiles or objects in a Tiled map, such as all tiles with a property or all objects of
/// a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selector {
    /// Rule that the selector applies to, such as `SolidityRule::Layer`.
    pub rule: SolidityRule,
    /// Name of a property, class, layer, tile set or terrain.
    pub name: String,
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = SELECTABLE.iter().find(|(_, rule)| *rule == self.rule);
        write!(f, "{}:{}", word.map_or("", |(word, _)| word), self.name)
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, name) = text.split_once(':').unwrap_or((text, ""));
        let found = SELECTABLE.iter().find(|(each, _)| *each == word);
        match found {
            Some(&(_, rule)) if !name.is_empty() => Ok(Self { rule, name: name.to_owned() }),
            Some(_) => Err(format!("write a name after `{word}:`")),
            None => {
                let words: Vec<_> =
                    SELECTABLE.iter().map(|(word, _)| format!("`{word}:NAME`")).collect();
                Err(format!("write one of {}", words.join(", ")))
            }
        }
    }
}

impl SolidityRule {
    /// Returns a description of the rule for messages. `name` is the name to which the rule
    /// applies, and must be safe to print.
    pub fn describe(self, name: &str) -> String {
        let what = match self {
            Self::Chosen => return format!("chosen: `{name}`"),
            Self::Nothing => return "no rule".to_owned(),
            Self::Table => "[tiled] tiles of the set",
            Self::LayerTable => "[tiled] layer",
            Self::TileProperty => "tile property",
            Self::TileClass => "tile class",
            Self::Shapes => "collision shapes of the set",
            Self::LayerProperty => "layer property",
            Self::Layer => "layer name",
            Self::Terrain => "terrain",
            Self::Objects => "object layer",
            Self::Missing => "missing tile set",
        };
        format!("{what} `{name}`")
    }
}

/// Maximum number of selectors to suggest.
const MOST_OFFERED: usize = 8;

/// The rules that gave the tiles of a map their kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solidity {
    /// Rules with solid tiles, in order of precedence and then by name.
    pub solid: Vec<AppliedRule>,
    /// Rules with walkable tiles, in order of precedence and then by name.
    pub walkable: Vec<AppliedRule>,
    /// Selectors of layers that are only pictures, although their names suggest walls.
    pub pictures: Vec<Candidate>,
    /// Selectors of tiles and objects that are not solid, by decreasing count. Selectors of all
    /// tiles come last.
    pub candidates: Vec<Candidate>,
    /// Number of tiles of the map, solid or not.
    pub tiles: u64,
}

/// A rule, and the number of tiles to which the rule assigned a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedRule {
    /// Rule that gave the tiles their kind.
    pub rule: SolidityRule,
    /// Name of the property, class, layer or selector to which the rule applies, safe to print.
    pub name: String,
    /// Number of map tiles with a kind from this rule.
    pub tiles: u64,
}

/// A selector that would make more tiles solid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Selector to pass to `--solid`.
    pub selector: Selector,
    /// Number of tiles or objects that the selector selects.
    pub count: u64,
}

impl Candidate {
    /// Returns the command-line option that applies the selector, quoted for a shell.
    pub fn option(&self) -> String {
        let text = show::text(&self.selector.to_string());
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '.');
        if text.chars().all(is_plain) {
            format!("--solid {text}")
        } else {
            format!("--solid '{}'", text.replace('\'', "'\\''"))
        }
    }

    fn text(&self) -> String {
        let option = self.option();
        let noun = if self.selector.rule == SolidityRule::Objects { "object" } else { "tile" };
        format!("{option}  # {}", words::count(self.count, noun))
    }
}

impl Solidity {
    /// Returns the number of tiles that all rules together made solid.
    pub fn solid_tiles(&self) -> u64 {
        self.solid.iter().map(|each| each.tiles).sum()
    }

    /// Describes the applied rules, one per line, and suggests some selectors. With `is_full`, the
    /// text also lists walkable tiles and all selectors.
    pub fn text(&self, is_full: bool) -> String {
        let (solid, all) = (self.solid_tiles(), words::count(self.tiles, "tile"));
        let mut text = format!("{solid} of {all} are solid:\n");
        if self.solid.is_empty() {
            text = format!("none of {all} is solid\n");
        }
        for each in &self.solid {
            let _ = writeln!(text, "  {:>8}  {}", each.tiles, each.rule.describe(&each.name));
        }
        if is_full && !self.walkable.is_empty() {
            text.push_str("walkable:\n");
            for each in &self.walkable {
                let _ = writeln!(text, "  {:>8}  {}", each.tiles, each.rule.describe(&each.name));
            }
        }
        for picture in &self.pictures {
            let option = picture.option();
            let _ = writeln!(
                text,
                "a picture, as other rules mark some of its tiles: {}; to make it solid: {option}",
                SolidityRule::Layer.describe(&show::text(&picture.selector.name)),
            );
        }
        let most = if is_full { usize::MAX } else { MOST_OFFERED };
        // Suggestions are most useful if nothing is solid.
        if (is_full || self.solid.is_empty()) && !self.candidates.is_empty() {
            text.push_str("to make more tiles solid, import with:\n");
            for candidate in self.candidates.iter().take(most) {
                let _ = writeln!(text, "  {}", candidate.text());
            }
            if self.candidates.len() > most {
                let _ =
                    writeln!(text, "  and {} more: --explain-solid", self.candidates.len() - most);
            }
        } else if !self.candidates.is_empty() {
            let more = words::count(self.candidates.len() as u64, "other selector");
            let _ = writeln!(text, "{more}: --explain-solid");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_written_as_they_are_read() {
        for text in ["layer:Walls", "tile-property:is:solid", "objects:a b", "shapes:set"] {
            assert_eq!(text.parse::<Selector>().unwrap().to_string(), text);
        }
        assert!("layer".parse::<Selector>().unwrap_err().contains("name after `layer:`"));
        assert!("wall:x".parse::<Selector>().unwrap_err().contains("`tile-class:NAME`"));
    }
}
