//! Reduces a map whose expectation fails: removes parts, crops the tiles, and writes the reduced
//! map.
//!
//! A [`ShrinkDraft`] is a map in which parts can be removed. All methods are pure: they return
//! another draft, which may be invalid. The caller loads the draft and decides whether to keep it.
//! Parts have names or texts instead of numbers. The same part can therefore be removed from two
//! versions of a map.
//!
//! A draft keeps the coordinates of the original map. Writing a cropped draft moves the
//! coordinates.

mod crop;
mod difference;
mod part;
mod reference;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use crate::read::loading::{Options, reload};
use crate::write::frame_to_map::{self, Groups};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::sort::SmallCollect;
use tilewalk_sim::world::World;

pub use crop::Side;
use crop::{Bounds, CONDITIONS, Ground, Offset};
pub use difference::MapDifference;
pub use part::{Part, PartKind};

/// A map with its patterns, in which parts can be removed.
#[derive(Debug, Clone)]
pub struct ShrinkDraft {
    /// The map without its tiles.
    map: DocumentMut,
    patterns: BTreeMap<String, DocumentMut>,
    ground: Ground,
    /// The words in the conditions of the expectation: names, fields and functions.
    named: BTreeSet<String>,
    /// Names of the agents whose start is fixed in the map.
    fixed: BTreeSet<String>,
}

/// The `[[expect]]` table of one expectation.
#[derive(Debug, Clone)]
pub struct ExpectTable(Table);

/// Map and pattern texts that a draft generates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct DraftText {
    /// Text of the map file, including the tiles.
    pub map: String,
    /// Names and texts of the patterns that the map uses.
    pub patterns: Vec<(String, String)>,
}

/// Returns the `[[expect]]` table of an expectation. `index` is its index in the scenario. The
/// returned table has `seed` as its only seed.
///
/// # Errors
/// Returns the reason if the table can't be found.
///
/// # Panics
/// Panics if the scenario has no expectation with this index.
pub fn expect_table(scenario: &Scenario, index: usize, seed: u64) -> Result<ExpectTable, String> {
    let expectation = &scenario.expectations()[index];
    let file = scenario.sources().files.get(expectation.place.file);
    let file = file.ok_or("this map was not read from a file")?;
    let document = parse(&file.text)?;
    let list = match document.get("expect") {
        Some(Item::ArrayOfTables(tables)) => tables.iter().cloned().collect(),
        Some(Item::Value(Value::Array(list))) => {
            let tables = list.iter().filter_map(Value::as_inline_table);
            tables.map(|table| table.clone().into_table()).collect()
        }
        Some(Item::None | Item::Value(_) | Item::Table(_)) | None => Vec::new(),
    };
    let is_wanted =
        |table: &Table| table.get("name").and_then(Item::as_str) == Some(expectation.name.as_str());
    let mut table = list.into_iter().find(is_wanted).ok_or("the expectation has no table")?;
    for key in ["at_least", "confidence", "set", "fails", "tags"] {
        table.remove(key);
    }
    table.insert("seeds", Item::Value(Array::from_iter([seed as i64]).into()));
    Ok(ExpectTable(table))
}

/// Selection of the random starts that are replaced with fixed starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freeze {
    /// All agents get fixed starts. The agents of groups become single agents, so their random
    /// numbers change.
    All,
    /// Agents outside of numbered groups get fixed starts.
    Single,
}

impl ShrinkDraft {
    /// Creates a draft of a map with one expectation. Random starts are replaced with the starts
    /// for the scenario's seed.
    ///
    /// # Errors
    /// Returns the reason if the map cannot be written as one file.
    pub fn new(
        scenario: &Arc<Scenario>,
        expectation: &ExpectTable,
        freeze: Freeze,
    ) -> Result<Self, String> {
        let world = World::new(Arc::clone(scenario));
        let treatment = match freeze {
            Freeze::All => Groups::Split,
            Freeze::Single => Groups::Keep,
        };
        let mut map = frame_to_map::document(&world, treatment)?;
        let mut table = expectation.0.clone();
        if freeze == Freeze::All {
            frame_to_map::rename_members(&world, &mut table);
        }
        let conditions = CONDITIONS.iter().filter_map(|key| table.get(key).and_then(Item::as_str));
        let named = conditions.flat_map(reference::words).map(str::to_owned).small_collect();
        table.set_position(Some(isize::MAX));
        map.insert("expect", Item::ArrayOfTables([table].into_iter().collect()));
        let ground = Ground::new(scenario.map());
        crop::inline_rows(&mut map, scenario, &ground)?;
        let mut patterns = BTreeMap::new();
        for file in &scenario.sources().files {
            if let FileRole::Pattern(name) = &file.place {
                patterns.insert(name.clone(), parse(&file.text)?);
            }
        }
        Ok(Self { map, patterns, ground, named, fixed: fixed_agents(scenario) })
    }

    /// Returns true if a condition of the expectation contains this word.
    pub fn names(&self, word: &str) -> bool {
        self.named.contains(word)
    }

    /// Returns the width and the height of the cropped map, in tiles.
    pub fn size(&self) -> (usize, usize) {
        self.ground.size()
    }

    /// Returns the rectangle of the original map that remains, in tiles: first column, first row,
    /// end column, end row. The end column and the end row are exclusive.
    pub fn crop(&self) -> [i64; 4] {
        self.ground.crop()
    }

    /// Returns the number of parts of each kind, including parts that may not be removed.
    pub fn counts(&self) -> BTreeMap<PartKind, usize> {
        let mut counts = BTreeMap::new();
        for part in self.all_parts() {
            *counts.entry(part.kind).or_insert(0) += 1;
        }
        counts
    }

    fn all_parts(&self) -> Vec<Part> {
        let mut parts = part::list(&self.map, None);
        for name in reference::patterns(&self.map) {
            if let Some(document) = self.patterns.get(&name) {
                parts.extend(part::list(document, Some(&name)));
            }
        }
        parts
    }

    /// Returns the parts that may be removed. Parts that the expectation names must stay. Keys such
    /// as `tick`, `seed` and `edges` must stay too.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = self.all_parts();
        parts.retain(|part| self.is_removable(part));
        parts
    }

    fn is_removable(&self, part: &Part) -> bool {
        let is_root = part.depth() == 1 && part.pattern.is_none();
        match part.kind {
            PartKind::Agent => !part.agent().is_some_and(|name| self.names(name)),
            PartKind::Place => !part.place().is_some_and(|name| self.names(name)),
            PartKind::Mode => {
                let table = part.find(&self.map).and_then(part::MapNode::table);
                let name = table.and_then(|table| table.get("name")).and_then(Item::as_str);
                !(self.is_about(part) && name.is_some_and(|name| self.names(name)))
            }
            PartKind::Key => match part.key() {
                Some("tick" | "seed" | "edges" | "corners" | "format" | "places") => !is_root,
                Some("count" | "max" | "template" | "kind" | "absolute") => false,
                Some("group") => {
                    let group = part.find(&self.map).and_then(part::MapNode::str);
                    !group.is_some_and(|name| self.names(name))
                }
                _ => true,
            },
            PartKind::SpawnRule
            | PartKind::Obstacle
            | PartKind::Wall
            | PartKind::Behaviour
            | PartKind::Transition
            | PartKind::Step => true,
        }
    }

    /// Returns true if the draft has a part.
    pub fn has(&self, part: &Part) -> bool {
        let document = match &part.pattern {
            Some(name) => self.patterns.get(name),
            None => Some(&self.map),
        };
        document.is_some_and(|document| part.find(document).is_some())
    }

    /// Returns true if the part is in the `[[agent]]` table of an agent that the expectation names.
    pub fn is_about(&self, part: &Part) -> bool {
        part.agent().is_some_and(|name| self.names(name))
    }

    /// Returns true if both drafts have equal `[[agent]]` tables for all agents that the
    /// expectation names.
    pub fn has_same_named_agents(&self, other: &Self) -> bool {
        let tables = |draft: &Self| -> Vec<String> {
            let parts = part::list(&draft.map, None);
            let named = parts.iter().filter(|part| part.kind == PartKind::Agent);
            let named = named.filter(|part| draft.is_about(part));
            named.filter_map(|part| Some(part.find(&draft.map)?.text())).collect()
        };
        tables(self) == tables(other)
    }

    /// Returns the draft without `parts` and without references to the removed parts. Ignores parts
    /// that the draft does not have.
    #[must_use]
    pub fn without(&self, parts: &[Part]) -> Self {
        let mut draft = self.clone();
        let names = reference::names(&draft.map);
        draft.remove(parts);
        reference::clean(&mut draft.map, &names);
        draft
    }

    fn remove(&mut self, parts: &[Part]) {
        part::remove(&mut self.map, parts.iter().filter(|part| part.pattern.is_none()));
        for (name, document) in &mut self.patterns {
            let inner = parts.iter().filter(|part| part.pattern.as_deref() == Some(name));
            part::remove(document, inner);
        }
    }

    /// Returns the groups and templates with more than one agent, each with its `count` or `max`.
    pub fn groups(&self) -> Vec<(String, i64)> {
        let Some(Item::ArrayOfTables(agents)) = self.map.get("agent") else { return Vec::new() };
        let count = |table: &Table| {
            let count = table.get("count").or_else(|| table.get("max"))?.as_integer()?;
            Some((table.get("name")?.as_str()?.to_owned(), count))
        };
        agents.iter().filter_map(count).filter(|(_, count)| *count > 1).collect()
    }

    /// Returns the draft with a new `count` for a group, or a new `max` for a template.
    #[must_use]
    pub fn with_count(&self, group: &str, count: i64) -> Self {
        let mut draft = self.clone();
        if let Some(Item::ArrayOfTables(agents)) = draft.map.get_mut("agent") {
            for table in agents.iter_mut() {
                let is_group = table.get("name").and_then(Item::as_str) == Some(group);
                let key = if table.contains_key("count") { "count" } else { "max" };
                if is_group && table.contains_key(key) {
                    table.insert(key, Item::Value(count.into()));
                }
            }
        }
        draft
    }

    /// Returns the draft without `count` columns or rows at a side. Agents, obstacles and free
    /// walls in these columns or rows are removed too. Returns `None` if no tiles would remain.
    pub fn cropped(&self, side: Side, count: usize) -> Option<Self> {
        let ground = self.ground.without(side, count)?;
        let crop = ground.crop();
        let draft = Self { ground, ..self.clone() };
        let is_outside = |part: &Part| {
            let table = part.find(&draft.map).and_then(part::MapNode::table);
            table.is_some_and(|table| is_outside(table, crop))
        };
        let mut parts = draft.parts();
        parts.retain(|part| {
            matches!(part.kind, PartKind::Agent | PartKind::Obstacle | PartKind::Wall)
                && is_outside(part)
        });
        Some(if parts.is_empty() { draft } else { draft.without(&parts) })
    }

    /// Returns the tiles of the cropped map that are not floor, in reading order.
    pub fn obstructed(&self) -> Vec<TilePos> {
        self.ground.obstructed()
    }

    /// Returns the draft with floor on these tiles of the map.
    #[must_use]
    pub fn cleared(&self, tiles: &[TilePos]) -> Self {
        let mut draft = self.clone();
        draft.ground.clear(tiles);
        draft
    }

    /// Returns true if all coordinates of the map and its `absolute` patterns are within the
    /// cropped map.
    pub fn contains_all_coordinates(&self) -> bool {
        let still = Offset { x: 0, y: 0 };
        let crop = self.ground.crop();
        let is_inside = |bounds: Bounds| bounds.is_within(crop);
        is_inside(crop::shift_table(self.map.clone().as_table_mut(), still))
            && reference::patterns(&self.map).iter().all(|name| {
                let mut document = self.patterns.get(name).filter(|it| is_absolute(it)).cloned();
                let bounds =
                    document.as_mut().map(|it| crop::shift_table(it.as_table_mut(), still));
                bounds.is_none_or(is_inside)
            })
    }

    /// Returns the texts of the draft. If `folder` is set, the map refers to its patterns as
    /// `folder/name`. Returns `None` if a crop would remove an allowed tile of a matrix.
    pub fn text(&self, folder: Option<&str>) -> Option<DraftText> {
        let [left, top, ..] = self.ground.crop();
        let offset = Offset { x: -left, y: -top };
        let mut map = self.map.clone();
        crop::shift_table(map.as_table_mut(), offset);
        let mut patterns = Vec::new();
        for name in reference::patterns(&map) {
            let Some(document) = self.patterns.get(&name) else { continue };
            let mut document = document.clone();
            if is_absolute(&document) {
                crop::shift_table(document.as_table_mut(), offset);
                crop::crop_cells(&mut document, offset)?;
            }
            patterns.push((name, document.to_string()));
        }
        if let Some(folder) = folder {
            reference::move_patterns(map.as_table_mut(), folder);
        }
        map.insert("tiles", Item::Value(crop::rows_string(&self.ground.text())));
        Some(DraftText { map: map.to_string(), patterns })
    }

    /// Loads the texts of a draft as a scenario; `None` if the texts have errors.
    pub fn load(text: &DraftText) -> Option<Arc<Scenario>> {
        let map = SourceFile {
            place: FileRole::Map,
            label: "map".to_owned(),
            text: Arc::from(text.map.as_str()),
        };
        let patterns = text.patterns.iter().map(|(name, text)| SourceFile {
            place: FileRole::Pattern(name.clone()),
            label: name.clone(),
            text: Arc::from(text.as_str()),
        });
        let files = [map].into_iter().chain(patterns).collect();
        let sources = Arc::new(Sources { files, ..Sources::default() });
        reload(&sources, &Options::default()).ok()?.scenario
    }
}

/// Returns the names of the agents with a fixed start in the map file.
fn fixed_agents(scenario: &Scenario) -> BTreeSet<String> {
    let files = &scenario.sources().files;
    let map = files.iter().find(|file| file.place == FileRole::Map);
    let Some(map) = map.and_then(|file| parse(&file.text).ok()) else { return BTreeSet::new() };
    let Some(Item::ArrayOfTables(agents)) = map.get("agent") else { return BTreeSet::new() };
    let fixed = agents.iter().filter(|agent| agent.get("at").is_some_and(Item::is_array));
    fixed.filter_map(|agent| Some(agent.get("name")?.as_str()?.to_owned())).small_collect()
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|_| "the map is not valid TOML".to_owned())
}

fn is_absolute(pattern: &DocumentMut) -> bool {
    pattern.get("absolute").and_then(Item::as_bool) == Some(true)
}

/// Returns true if all positions of an agent, obstacle or wall are outside a rectangle of tiles.
fn is_outside(table: &dyn TableLike, crop: [i64; 4]) -> bool {
    let mut found = false;
    let mut is_inside = false;
    for key in ["at", "from", "to", "points"] {
        let Some(item) = table.get(key) else { continue };
        let mut one = Table::new();
        one.insert(key, item.clone());
        let lists = item.as_array().map_or(0, Array::len);
        found |= lists > 0;
        is_inside |= !crop::shift_table(&mut one, Offset { x: 0, y: 0 }).is_apart(crop);
    }
    found && !is_inside
}
