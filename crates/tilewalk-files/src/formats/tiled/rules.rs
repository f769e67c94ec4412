//! Reads `[tiled]`: tile kinds for the layers and tile sets of a Tiled map.
//!
//! Selectors such as `layer:Walls` make tiles solid, walkable or passable from one side. Other
//! rules leave out layers, or change how layers are combined. LDtk levels use the selectors, too.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use tilewalk_sim::sort::SmallCollect;
use toml::de::DeValue;

use crate::formats::tiled::selector::{Combine, Ignored, IgnoredKind, Selector, SolidityRule};
use crate::keys::map::{LAYERS, MAX_TILE, TILE_SETS, TILED, TILES_OF_SET};
use crate::keys::words::COMBINE;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::{Entry, TableReader};
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
    /// Selectors, and the effect on the selected tiles.
    chosen: BTreeMap<Selector, Rule<Choice>>,
    /// Layers and groups to leave out.
    ignored: BTreeMap<Ignored, Rule<()>>,
    /// How the tiles of several layers are combined.
    pub combine: Combine,
}

/// Effect of a selector on tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Solid,
    Walkable,
    /// Walkable, but with a one-sided wall on top.
    OneWay,
}

/// Lists of selectors and other choices of the user, as on the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleChoices {
    /// Selectors of solid tiles.
    pub solid: Vec<Selector>,
    /// Selectors of walkable tiles.
    pub walkable: Vec<Selector>,
    /// Selectors of one-way platforms.
    pub one_way: Vec<Selector>,
    /// Layers and groups to leave out.
    pub ignore: Vec<Ignored>,
    /// How the tiles of several layers are combined.
    pub combine: Combine,
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
    /// Creates rules from the choices of the user.
    pub fn choosing(choices: &RuleChoices) -> Self {
        let lists = [
            (&choices.solid, Choice::Solid),
            (&choices.walkable, Choice::Walkable),
            (&choices.one_way, Choice::OneWay),
        ];
        let of = |(list, choice): (&Vec<Selector>, Choice)| {
            let rule = |each: &Selector| (each.clone(), Rule::new(choice, 0..0));
            list.iter().map(rule).collect::<Vec<_>>()
        };
        let chosen = lists.into_iter().flat_map(of).small_collect();
        let ignored = choices.ignore.iter().map(|each| (each.clone(), Rule::new((), 0..0)));
        let combine = choices.combine;
        Self { chosen, ignored: ignored.small_collect(), combine, ..Self::default() }
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
        let lists =
            [("solid", Choice::Solid), ("walkable", Choice::Walkable), ("one_way", Choice::OneWay)];
        for (key, choice) in lists {
            for (selector, span) in parsed(table.take(key).as_ref(), "selector") {
                rules.chosen.insert(selector, Rule::new(choice, span));
            }
        }
        for (part, span) in parsed(table.take("ignore").as_ref(), "layer") {
            rules.ignored.insert(part, Rule::new((), span));
        }
        if table.word("combine", &COMBINE) == Some(true) {
            rules.combine = Combine::Any;
        }
        table.finish();
        rules
    }

    /// Returns true for a selector that the user chose as walkable or one-way, and false for a
    /// selector chosen as solid. Returns `None` if the user did not choose the selector. Marks the
    /// selector as used.
    pub fn chosen(&self, selector: &Selector) -> Option<bool> {
        let rule = self.chosen.get(selector)?;
        rule.used.set(true);
        Some(rule.what != Choice::Solid)
    }

    /// Returns true if the user chose the selector for one-way platforms.
    pub fn is_one_way(&self, selector: &Selector) -> bool {
        self.chosen.get(selector).is_some_and(|rule| rule.what == Choice::OneWay)
    }

    /// Returns the selectors of tile numbers of a tile set, with their ranges.
    pub fn chosen_numbers(&self, set: &str) -> Vec<(&Selector, RangeInclusive<u32>)> {
        let selectors = self.chosen.keys().filter_map(|each| {
            let (of, numbers) = each.tiles()?;
            (of == set).then_some((each, numbers))
        });
        selectors.collect()
    }

    /// Returns the selectors of positions outside a layer, and whether these positions are
    /// walkable.
    pub fn chosen_outside(&self) -> impl Iterator<Item = (&Selector, bool)> {
        let outside = |each: &&Selector| each.rule == SolidityRule::Outside;
        let chosen = self.chosen.keys().filter(outside);
        chosen.filter_map(|each| Some((each, self.chosen.get(each)?.what != Choice::Solid)))
    }

    /// Returns true if the user leaves out a layer, group or property with this name. Marks the rule
    /// as used.
    pub fn ignores(&self, kind: IgnoredKind, name: &str) -> bool {
        let rule = self.ignored.get(&Ignored { kind, name: name.to_owned() });
        rule.inspect(|rule| rule.used.set(true)).is_some()
    }

    /// Returns true if the user leaves out an object with this name and class. Marks the rules as used.
    pub fn ignores_object(&self, name: Option<&str>, class: Option<&str>) -> bool {
        let has = |kind: IgnoredKind| {
            let mut words = name.into_iter().chain(class).filter(|word| !word.is_empty());
            words.any(|word| self.ignores(kind, word))
        };
        has(IgnoredKind::Object)
            || self.ignores_some(IgnoredKind::OtherObjects) && !has(IgnoredKind::OtherObjects)
    }

    /// Returns true if the user leaves out parts of this kind.
    pub fn ignores_some(&self, kind: IgnoredKind) -> bool {
        self.ignored.keys().any(|each| each.kind == kind)
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
        let chosen =
            self.chosen.iter().map(|(each, rule)| (each.to_string(), &rule.used, &rule.span));
        let parts =
            self.ignored.iter().map(|(each, rule)| (each.to_string(), &rule.used, &rule.span));
        for (selector, used, span) in chosen.chain(parts) {
            if used.get() {
                continue;
            }
            let selector = show::text(&selector);
            let message = format!("`{selector}` selects nothing in the map");
            let help = "`tilewalk import FILE --explain-solid` lists the selectors of a map";
            issues.push(Diagnostic::error(span.clone(), message).help(help));
        }
    }
}

/// Parses the texts of a list. Reports invalid texts; `what` is the noun for messages.
fn parsed<T: std::str::FromStr<Err = String>>(
    list: Option<&Entry>,
    what: &str,
) -> Vec<(T, Range<usize>)> {
    let mut all = Vec::new();
    for entry in list.and_then(Entry::array).into_iter().flatten() {
        let Some(text) = entry.string() else { continue };
        match text.parse() {
            Ok(value) => all.push((value, entry.span())),
            Err(why) => {
                entry.error_with_help(format!("invalid {what} `{}`", show::text(text)), why);
            }
        }
    }
    all
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
