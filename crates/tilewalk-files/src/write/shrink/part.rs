//! Lists and removes the parts of a map and of its patterns.

use std::collections::BTreeMap;

use tilewalk_sim::sort::SmallSort;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// A kind of part. The order is from coarse to fine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// An `[[agent]]` table: an agent, a group or a template.
    Agent,
    /// A `[[spawn]]` or `[[on]]` table.
    SpawnRule,
    /// An `[[obstacle]]` table.
    Obstacle,
    /// A `[[wall]]` table.
    Wall,
    /// An entry of `[places]`.
    Place,
    /// An `[[agent.mode]]` table.
    Mode,
    /// An entry of `steer`.
    Behaviour,
    /// An entry of `switch`.
    Transition,
    /// A vertex, segment, row or leg of a pattern; a point of a path or wall; or an entry of a
    /// pattern list.
    Step,
    /// Any other key of a table.
    Key,
}

impl PartKind {
    /// Returns the noun for parts of this kind, in the singular.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Agent => "agent table",
            Self::SpawnRule => "spawn rule",
            Self::Obstacle => "obstacle",
            Self::Wall => "free wall",
            Self::Place => "place",
            Self::Mode => "mode",
            Self::Behaviour => "behaviour",
            Self::Transition => "transition",
            Self::Step => "step or vertex",
            Self::Key => "other key",
        }
    }
}

/// A step on the path to a part: from a table to one of its keys, or from a list to one of its
/// entries. Entries have labels instead of numbers, so that the same part can be found in another
/// version of the map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    /// The entry with this label, and the number of earlier entries with the same label.
    Entry(String, usize),
}

/// A part of a map or a pattern that can be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Kind of the part. Parts of some kinds may not be removed.
    pub kind: PartKind,
    /// Name of the pattern that contains the part; `None` for the map.
    pub(super) pattern: Option<String>,
    path: Vec<Step>,
}

/// A read-only value of a document.
#[derive(Clone, Copy)]
pub(super) enum MapNode<'a> {
    Item(&'a Item),
    Table(&'a Table),
    Value(&'a Value),
}

impl<'a> MapNode<'a> {
    pub fn table(self) -> Option<&'a dyn TableLike> {
        match self {
            Self::Item(item) => item.as_table_like(),
            Self::Table(table) => Some(table),
            Self::Value(value) => value.as_inline_table().map(|table| table as &dyn TableLike),
        }
    }

    pub fn entries(self) -> Vec<MapNode<'a>> {
        match self {
            Self::Item(Item::ArrayOfTables(tables)) => tables.iter().map(MapNode::Table).collect(),
            Self::Item(Item::Value(Value::Array(list))) | Self::Value(Value::Array(list)) => {
                list.iter().map(MapNode::Value).collect()
            }
            Self::Item(_) | Self::Table(_) | Self::Value(_) => Vec::new(),
        }
    }

    pub fn str(self) -> Option<&'a str> {
        match self {
            Self::Item(item) => item.as_str(),
            Self::Table(_) => None,
            Self::Value(value) => value.as_str(),
        }
    }

    /// Returns the value as TOML text.
    pub fn text(self) -> String {
        match self {
            Self::Item(item) => item.to_string(),
            Self::Table(table) => table.to_string(),
            Self::Value(value) => value.clone().decorated("", "").to_string(),
        }
    }

    fn label(self) -> String {
        let Some(table) = self.table() else {
            return self.text();
        };
        let word = |key| table.get(key).and_then(Item::as_str);
        match (word("name"), word("do"), word("to")) {
            (Some(name), _, _) | (None, Some(name), _) | (None, None, Some(name)) => {
                name.to_owned()
            }
            (None, None, None) => {
                let values = table.iter().map(|(key, item)| format!("{key}={item}"));
                values.collect::<Vec<_>>().join(",")
            }
        }
    }
}

/// Returns the entries of a list with their steps.
fn labelled(list: MapNode) -> Vec<(Step, MapNode)> {
    let mut counts = BTreeMap::new();
    let label = |entry: MapNode| {
        let label = entry.label();
        let count = counts.entry(label.clone()).or_insert(0);
        *count += 1;
        Step::Entry(label, *count - 1)
    };
    let entries = list.entries();
    entries.iter().copied().map(label).zip(entries.iter().copied()).collect()
}

/// Returns the entries of a list with their labels.
pub(super) fn labelled_entries(list: MapNode) -> Vec<(String, MapNode)> {
    list.entries().into_iter().map(|entry| (entry.label(), entry)).collect()
}

/// Collects the parts of a document.
struct Lister {
    pattern: Option<String>,
    parts: Vec<Part>,
}

/// Keys that do not count as parts, because a table is invalid without them.
const KEPT_KEYS: [&str; 4] = ["name", "at", "do", "expect"];

impl Lister {
    fn add(&mut self, kind: PartKind, path: &[Step]) {
        self.parts.push(Part { kind, pattern: self.pattern.clone(), path: path.to_vec() });
    }

    /// Collects the removable parts of a table, including nested tables and arrays.
    fn table(&mut self, table: &dyn TableLike, path: &mut Vec<Step>) {
        for (key, item) in table.iter() {
            path.push(Step::Key(key.to_owned()));
            let kind = match key {
                "agent" => Some(PartKind::Agent),
                "spawn" | "on" => Some(PartKind::SpawnRule),
                "obstacle" => Some(PartKind::Obstacle),
                "wall" => Some(PartKind::Wall),
                "mode" => Some(PartKind::Mode),
                "steer" => Some(PartKind::Behaviour),
                "switch" => Some(PartKind::Transition),
                "points" | "vertices" | "segments" | "steps" | "legs" | "pattern" => {
                    Some(PartKind::Step)
                }
                _ => None,
            };
            let list = kind.map_or_else(Vec::new, |_| labelled(MapNode::Item(item)));
            match kind {
                Some(kind) if !list.is_empty() => {
                    for (step, entry) in list {
                        path.push(step);
                        self.add(kind, path);
                        if let Some(inner) = entry.table() {
                            self.table(inner, path);
                        }
                        path.pop();
                    }
                }
                _ if key == "places" => {
                    for (name, _) in item.as_table_like().into_iter().flat_map(TableLike::iter) {
                        path.push(Step::Key(name.to_owned()));
                        self.add(PartKind::Place, path);
                        path.pop();
                    }
                }
                _ if KEPT_KEYS.contains(&key) => {}
                Some(_) | None => {
                    self.add(PartKind::Key, path);
                    if let Some(inner) = item.as_table_like() {
                        self.table(inner, path);
                    }
                }
            }
            path.pop();
        }
    }
}

/// Returns the parts of a document, in document order. `pattern` is the name of the pattern that
/// the document contains; `None` for the map.
pub(super) fn list(document: &DocumentMut, pattern: Option<&str>) -> Vec<Part> {
    let mut lister = Lister { pattern: pattern.map(str::to_owned), parts: Vec::new() };
    lister.table(document.as_table(), &mut Vec::new());
    lister.parts
}

impl Part {
    /// Returns the number of steps from the document to the part.
    pub(super) fn depth(&self) -> usize {
        self.path.len()
    }

    /// Returns the name of the agent whose `[[agent]]` table contains the part, or is the part.
    /// Returns `None` for other parts.
    pub(super) fn agent(&self) -> Option<&str> {
        match &self.path[..] {
            [Step::Key(list), Step::Entry(name, _), ..] if list == "agent" => Some(name),
            _ => None,
        }
    }

    /// Returns the name of the place that this part is; `None` for other parts.
    pub(super) fn place(&self) -> Option<&str> {
        match &self.path[..] {
            [Step::Key(list), Step::Key(name)] if list == "places" => Some(name),
            _ => None,
        }
    }

    /// Returns the key of the part; `None` for an entry of a list.
    pub(super) fn key(&self) -> Option<&str> {
        match self.path.last() {
            Some(Step::Key(key)) => Some(key),
            Some(Step::Entry(..)) | None => None,
        }
    }

    /// Returns the part in a document; `None` if the document does not have the part.
    pub(super) fn find<'a>(&self, document: &'a DocumentMut) -> Option<MapNode<'a>> {
        let root = MapNode::Table(document.as_table());
        self.path.iter().try_fold(root, |node, step| match step {
            Step::Key(key) => node.table()?.get(key).map(MapNode::Item),
            Step::Entry(..) => {
                labelled(node).into_iter().find(|(each, _)| each == step).map(|(_, node)| node)
            }
        })
    }

    /// Returns the keys and entry indices that lead to the part; `None` if the document does not
    /// have the part.
    fn address(&self, document: &DocumentMut) -> Option<Vec<Address>> {
        let mut node = MapNode::Table(document.as_table());
        let mut addresses = Vec::new();
        for step in &self.path {
            let (address, next) = match step {
                Step::Key(key) => {
                    (Address::Key(key.clone()), MapNode::Item(node.table()?.get(key)?))
                }
                Step::Entry(..) => {
                    let mut entries = labelled(node).into_iter();
                    let index = entries.position(|(each, _)| each == *step)?;
                    (Address::Index(index), node.entries()[index])
                }
            };
            addresses.push(address);
            node = next;
        }
        Some(addresses)
    }
}

/// A key, or the index of a list entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Address {
    Key(String),
    Index(usize),
}

/// Removes parts from a document. Ignores parts that the document does not have. A list or table
/// that becomes empty is removed too.
pub(super) fn remove<'a>(document: &mut DocumentMut, parts: impl Iterator<Item = &'a Part>) {
    let mut addresses: Vec<_> = parts.filter_map(|part| part.address(document)).collect();
    // Later entries are removed first, and inner parts before outer ones.
    addresses.small_sort();
    addresses.dedup();
    for address in addresses.iter().rev() {
        let [Address::Key(first), rest @ ..] = &address[..] else { continue };
        remove_from(document.as_table_mut(), first, rest);
    }
}

/// Removes the part at `rest` in the value of a key. Also removes the key if its value becomes
/// empty.
fn remove_from(table: &mut dyn TableLike, key: &str, rest: &[Address]) {
    let Some(item) = table.get_mut(key) else { return };
    let is_gone = match rest {
        [] => true,
        [Address::Key(inner), rest @ ..] => {
            let Some(inner_table) = item.as_table_like_mut() else { return };
            remove_from(inner_table, inner, rest);
            inner_table.is_empty()
        }
        [Address::Index(index), rest @ ..] => remove_entry(item, *index, rest),
    };
    if is_gone {
        table.remove(key);
    }
}

/// Removes the part at `rest` in an entry of a list. Removes the entry itself if `rest` is empty.
/// Returns true if the list becomes empty.
fn remove_entry(list: &mut Item, index: usize, rest: &[Address]) -> bool {
    match list {
        Item::ArrayOfTables(tables) => {
            match rest {
                [Address::Key(inner), rest @ ..] => {
                    if let Some(table) = tables.get_mut(index) {
                        remove_from(table, inner, rest);
                    }
                }
                _ if index < tables.len() => drop(tables.remove(index)),
                _ => {}
            }
            tables.is_empty()
        }
        Item::Value(Value::Array(values)) => {
            match rest {
                [Address::Key(inner), rest @ ..] => {
                    let table = values.get_mut(index).and_then(Value::as_inline_table_mut);
                    if let Some(table) = table {
                        remove_from(table, inner, rest);
                    }
                }
                _ if index < values.len() => drop(values.remove(index)),
                _ => {}
            }
            values.is_empty()
        }
        Item::None | Item::Value(_) | Item::Table(_) => false,
    }
}
