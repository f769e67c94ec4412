//! Marks of tiles. A mark is a tile kind together with the rule that assigned the kind. Properties
//! of tiles and layers assign marks.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::properties::{Passage, Properties};
use crate::formats::tiled::rules::{FLOOR, Rules, resolve_kind};
use crate::formats::tiled::selector::{IgnoredKind, Selector, SolidityRule};
use crate::formats::tiled::words::{self, is_one_way, says_walkable, truth};
use crate::show;
use crate::tiles::known::KnownKinds;
use crate::tiles::legend::Legend;
use tilewalk_sim::tile::TileKind;

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
    /// Kinds of the last import, which keep their glyphs.
    known: KnownKinds,
    list: Vec<Mark>,
    ids: BTreeMap<Mark, MarkId>,
    /// Selectors that would mark unmarked tiles or objects, and the number of these tiles or
    /// objects.
    pub candidates: BTreeMap<Selector, u64>,
    /// Content that is not imported, and its amount.
    pub left_out: BTreeMap<&'static str, u64>,
    /// Names of properties that can put tiles above moving things.
    pub above: BTreeSet<String>,
    /// Names of properties with the height of walkable tiles above moving things.
    pub raised: BTreeSet<String>,
    /// Number of tiles that a property or a class makes solid, although their collision shapes cover
    /// less than half of them. The key is the mark of the shapes.
    pub partial: BTreeMap<MarkId, u64>,
}

impl Marks {
    pub fn new(legend: &Legend, empty: u8, known: KnownKinds) -> Self {
        let mut marks = Self {
            legend: legend.clone(),
            base: legend.kinds().len(),
            known,
            list: Vec::new(),
            ids: BTreeMap::new(),
            candidates: BTreeMap::new(),
            left_out: BTreeMap::new(),
            above: BTreeSet::new(),
            raised: BTreeSet::new(),
            partial: BTreeMap::new(),
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

    /// Adds a kind to the legend, and returns its legend index. Its glyph is that of the last import,
    /// or a free one. An equal kind that was added before is used again. Without a free glyph, returns
    /// the index of floor.
    fn added(&mut self, kind: TileKind) -> u8 {
        let added = self.legend.kinds().iter().enumerate().skip(self.base);
        for (index, each) in added {
            if (&each.name, each.cost) == (&kind.name, kind.cost) {
                return index as u8;
            }
        }
        let is_taken = |glyph: &str| self.legend.index(glyph).is_some();
        let glyph = self.known.glyph(&kind, POOL.chars().map(String::from), is_taken);
        let kind = glyph.map(|glyph| TileKind { drawn: glyph.clone(), glyph, ..kind });
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
        !matches!(self.get(id).rule, SolidityRule::Nothing | SolidityRule::Missing)
    }

    /// Returns true if the Tiled map itself says that tiles with this mark stop bodies. Terrains do not
    /// count. Names that can denote pictures do not count either.
    pub fn is_collision(&self, id: MarkId) -> bool {
        let mark = self.get(id);
        let is_mark = match mark.rule {
            SolidityRule::TileProperty
            | SolidityRule::Shapes
            | SolidityRule::LayerProperty
            | SolidityRule::Objects => true,
            // One-way platforms stop bodies, although they are walkable.
            SolidityRule::KnownSet => return true,
            SolidityRule::TileClass | SolidityRule::Layer => !words::can_be_picture(&mark.name),
            SolidityRule::Chosen
            | SolidityRule::Table
            | SolidityRule::LayerTable
            | SolidityRule::Value
            | SolidityRule::Tag
            | SolidityRule::Terrain
            | SolidityRule::Entity
            | SolidityRule::Outside
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
        // No option can name it.
        if selector.name.is_empty() {
            return;
        }
        if let Some(count) = self.candidates.get_mut(selector) {
            *count += tiles;
        } else if self.candidates.len() < MOST_NAMED {
            self.candidates.insert(selector.clone(), tiles);
        }
    }

    /// Returns true if a selector, `[tiled]` or the layer in `[tiled]` assigned the mark.
    pub fn is_chosen(&self, id: MarkId) -> bool {
        let rule = self.get(id).rule;
        matches!(rule, SolidityRule::Chosen | SolidityRule::Table | SolidityRule::LayerTable)
    }

    /// Returns true if the shapes of a tile decide instead of the tile's own mark, because the user
    /// chose the shapes.
    pub fn prefers_shapes(&self, shapes: MarkId, own: MarkId) -> bool {
        let rule = |id: MarkId| self.get(id).rule;
        rule(shapes) == SolidityRule::Chosen && rule(own) != SolidityRule::Chosen
    }

    /// Returns true if the mark is walkable because a property such as `solid` is false. Then the
    /// collision shapes of the tile are solid nevertheless.
    pub fn allows_shapes(&self, id: MarkId) -> bool {
        let mark = self.get(id);
        let is_false = || says_walkable(&mark.name) == Some(false);
        mark.rule == SolidityRule::TileProperty && self.walks(id) && is_false()
    }

    /// Returns true if a rule makes tiles walkable.
    pub fn has_open(&self) -> bool {
        (0..self.list.len() as MarkId).any(|id| self.decides(id) && self.walks(id))
    }

    /// Counts content that is not imported.
    pub fn leave_out(&mut self, what: &'static str, count: u64) {
        if count > 0 {
            *self.left_out.entry(what).or_default() += count;
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

/// Range of route costs.
const COSTS: std::ops::RangeInclusive<f32> = 1.0..=1000.0;

/// Maximum depth of properties in properties.
const MAX_NESTED: usize = 8;

/// Returns the name, the value and the element of each property of an element. The properties in a
/// property of a class count as properties of the element.
pub fn all_properties<'a>(
    element: &Element<'a>,
) -> impl Iterator<Item = (&'a str, &'a str, Element<'a>)> + use<'a> {
    let mut all = Vec::new();
    add_properties(element, MAX_NESTED, &mut all);
    all.into_iter()
}

/// Returns the properties of an element, and what they say about bodies.
pub fn properties(element: &Element) -> Properties {
    let all = all_properties(element);
    Properties::new(all.map(|(name, value, _)| (name.to_owned(), value.to_owned())).collect())
}

fn add_properties<'a>(
    element: &Element<'a>,
    depth: usize,
    all: &mut Vec<(&'a str, &'a str, Element<'a>)>,
) {
    for property in element.all("properties").flat_map(|list| list.all("property")) {
        if property.all("properties").next().is_some() {
            if depth > 0 {
                add_properties(&property, depth - 1, all);
            }
            continue;
        }
        let name = property.attribute("name").unwrap_or_default();
        all.push((name, property.attribute("value").unwrap_or_else(|| property.text()), property));
    }
}

/// Returns true if the user leaves out elements with a property of this element, as with
/// `--ignore property:z`. The value of the property must be true or a positive number.
pub fn is_left_out(element: &Element, rules: &Rules) -> bool {
    rules.ignores_some(IgnoredKind::Property)
        && all_properties(element).any(|(name, value, _)| {
            words::is_positive(value) && rules.ignores(IgnoredKind::Property, name)
        })
}

/// Returns true if the user leaves out a layer or group, by its name or a property.
pub fn is_layer_left_out(layer: &Element, rules: &Rules) -> bool {
    let name = layer.attribute("name").unwrap_or_default();
    let by_name = match layer.name() {
        "group" => rules.ignores(IgnoredKind::Group, name),
        "objectgroup" => rules.ignores(IgnoredKind::Objects, name),
        "layer" => {
            let is_other = || rules.ignores_some(IgnoredKind::Others);
            rules.ignores(IgnoredKind::Layer, name)
                || !rules.ignores(IgnoredKind::Others, name) && is_other()
        }
        _ => false,
    };
    is_left_out(layer, rules) || by_name
}

/// Returns the mark that the properties of an element select; `None` if they select no mark. `rule`
/// is the rule for properties of this kind of element. A property without a known meaning can be
/// chosen by the user: if its value is true, its selector is passed to `candidate`.
pub fn mark_of(
    element: &Element,
    rule: SolidityRule,
    rules: &Rules,
    marks: &mut Marks,
    mut candidate: impl FnMut(Selector),
) -> Option<MarkId> {
    let (mut glyph, mut cost, mut chosen) = (None, None, None);
    // Names of the properties with each meaning.
    let (mut one_way, mut closed, mut open, mut unchanged) = (None, None, None, None);
    for (name, value, property) in all_properties(element) {
        let is_set = truth(value) == Some(true);
        if words::puts_above(name, value) && !rules.ignores(IgnoredKind::Property, name) {
            marks.above.insert(show::text(name));
        }
        let selector = Selector { rule, name: name.to_owned() };
        if truth(value) != Some(false)
            && let Some(walks) = rules.chosen(&selector)
        {
            chosen = Some(marks.plain(walks, SolidityRule::Chosen, &selector.to_string()));
        }
        if words::is_spelled(name, "glyph") {
            let help = "add an entry to [legend] in the map that uses this file";
            let span = property.span_of("value");
            glyph = resolve_kind(value, span, marks.legend(), property.issues, help).or(glyph);
        } else if words::is_spelled(name, "cost") {
            cost = route_cost(value, &property).or(cost);
        } else if says_walkable(name).is_some() {
            warn_unclear(name, value, &property);
            match Passage::of_property(name, value) {
                Some(Passage::Closed) => closed = closed.or(Some(name)),
                Some(Passage::Open) => open = open.or(Some(name)),
                Some(Passage::Unchanged) => unchanged = unchanged.or(Some(name)),
                None => continue,
            }
            if let (Some(closed), Some(open)) = (closed, open) {
                let (closed, open) = (show::text(closed), show::text(open));
                let message = format!("`{closed}` and `{open}` contradict each other");
                property.refuse(message, "in Tiled, remove one of the properties");
            }
        } else if is_one_way(name) {
            one_way = one_way.or(is_set.then_some(name));
        } else if is_set {
            candidate(selector);
        }
    }
    let closed = closed.filter(|_| one_way.is_none());
    // A walkable tile keeps the name of a property such as `walkable`.
    let walk = closed.map(|name| (false, name));
    let walk = walk.or(open.or(unchanged).or(one_way).map(|name| (true, name)));
    let plain = match (glyph, walk, cost) {
        (Some(kind), _, _) => Some(marks.mark(kind, rule, "glyph")),
        (None, Some((false, name)), _) | (None, Some((true, name)), None) => {
            Some(marks.plain(closed.is_none(), rule, name))
        }
        (None, _, Some(cost)) if cost > 1.0 => Some(marks.cost(cost, rule, "cost")),
        (None, _, Some(_)) => Some(marks.plain(true, rule, "cost")),
        (None, None, None) => None,
    };
    chosen.or(plain)
}

/// Warns if a value is neither true nor false.
fn warn_unclear(name: &str, value: &str, property: &Element) {
    if truth(value).is_none() {
        let (name, value) = (show::text(name), show::text(value));
        let message = format!("`{name}` must be `true` or `false`, not `{value}`");
        property.warn_at("value", message, "the property is ignored");
    }
}

fn route_cost(value: &str, property: &Element) -> Option<f32> {
    let cost = value.trim().parse().ok().filter(|cost| COSTS.contains(cost));
    if cost.is_none() {
        let (low, high) = (COSTS.start(), COSTS.end());
        let value = show::text(value);
        let message = format!("`cost` must be a number between {low} and {high}, not `{value}`");
        property.warn_at("value", message, "the property is ignored");
    }
    cost
}
