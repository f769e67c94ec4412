//! Names in a map, and references to these names.

use std::collections::BTreeSet;

use tilewalk_sim::sort::SmallCollect;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use crate::write::shrink::crop::CONDITIONS;
use crate::write::shrink::part::{self, MapNode, Part, PartKind};

/// Keys whose value can be a target or the name of an agent or group.
const TARGETS: [&str; 10] =
    ["travel", "chase", "flee_tiles", "target", "leader", "between", "to", "of", "agent", "spawn"];

/// Splits a text into words of ASCII letters, digits and `_`.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c| !is_inner(c)).filter(|word| !word.is_empty())
}

/// Returns the names of the agents, groups and places of a map.
pub fn names(map: &DocumentMut) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let agents = map.get("agent").map(|list| MapNode::Item(list).entries());
    for agent in agents.into_iter().flatten().filter_map(MapNode::table) {
        let keys = ["name", "group"].into_iter();
        names.extend(keys.filter_map(|key| agent.get(key)?.as_str()).map(str::to_owned));
    }
    let places = map.get("places").and_then(Item::as_table_like);
    names.extend(places.into_iter().flat_map(TableLike::iter).map(|(name, _)| name.to_owned()));
    names
}

/// Removes references to names that the map no longer has. Also removes transitions to missing
/// modes. `names_before` holds the names of the map before the removal.
pub fn clean(map: &mut DocumentMut, names_before: &BTreeSet<String>) {
    let names = names(map);
    let gone: BTreeSet<&str> = names_before.difference(&names).map(String::as_str).small_collect();
    let deepest = part::list(map, None).iter().map(Part::depth).max().unwrap_or(0);
    // The smallest part that refers to a name is removed.
    for depth in (1..=deepest).rev().take_while(|_| !gone.is_empty()) {
        let parts = part::list(map, None);
        let found = parts.iter().filter(|part| {
            part.depth() == depth && part.find(map).is_some_and(|node| refers(part, node, &gone))
        });
        let found: Vec<_> = found.cloned().collect();
        part::remove(map, found.iter());
    }
    let parts = part::list(map, None);
    let modes = |agent: Option<&str>| -> BTreeSet<String> {
        let modes =
            parts.iter().filter(|part| part.kind == PartKind::Mode && part.agent() == agent);
        modes.filter_map(|part| word(part.find(map)?, "name").map(str::to_owned)).small_collect()
    };
    let leads_nowhere = |part: &&Part| {
        let to = part.find(map).and_then(|node| word(node, "to"));
        part.kind == PartKind::Transition && to.is_some_and(|to| !modes(part.agent()).contains(to))
    };
    let lost: Vec<_> = parts.iter().filter(leads_nowhere).cloned().collect();
    part::remove(map, lost.iter());
}

fn word<'a>(node: MapNode<'a>, key: &str) -> Option<&'a str> {
    node.table()?.get(key)?.as_str()
}

/// Returns true if a part contains one of the names as a target or in a condition.
fn refers(part: &Part, node: MapNode, names: &BTreeSet<&str>) -> bool {
    match (part.key(), node.table()) {
        (_, Some(table)) => table.iter().any(|(key, item)| item_refers(key, item, names)),
        (Some(key), None) => {
            let MapNode::Item(item) = node else { return false };
            item_refers(key, item, names)
        }
        (None, None) => false,
    }
}

fn item_refers(key: &str, item: &Item, names: &BTreeSet<&str>) -> bool {
    match item {
        Item::Value(value) => value_refers(key, value, names),
        Item::Table(table) => table.iter().any(|(key, item)| item_refers(key, item, names)),
        Item::ArrayOfTables(tables) => {
            let mut keys = tables.iter().flat_map(Table::iter);
            keys.any(|(key, item)| item_refers(key, item, names))
        }
        Item::None => false,
    }
}

fn value_refers(key: &str, value: &Value, names: &BTreeSet<&str>) -> bool {
    match value {
        Value::String(text) => {
            (TARGETS.contains(&key) || CONDITIONS.contains(key))
                && words(text.value()).any(|word| names.contains(word))
        }
        Value::Array(list) => list.iter().any(|value| value_refers(key, value, names)),
        Value::InlineTable(table) => {
            table.iter().any(|(key, value)| value_refers(key, value, names))
        }
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => false,
    }
}

/// Returns the names of the patterns that a map uses.
pub fn patterns(map: &DocumentMut) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    // The visit changes nothing.
    each_pattern(map.clone().as_table_mut(), &mut |name| {
        found.insert(name.to_owned());
        None
    });
    found
}

/// Prefixes all pattern names with `folder/`.
pub fn move_patterns(map: &mut dyn TableLike, folder: &str) {
    each_pattern(map, &mut |name| Some(format!("{folder}/{name}")));
}

/// Calls `visit` with the name of each pattern. Replaces the name if `visit` returns a new name.
fn each_pattern(table: &mut dyn TableLike, visit: &mut impl FnMut(&str) -> Option<String>) {
    for (key, item) in table.iter_mut() {
        match item {
            Item::Value(value) => in_value(key.get(), value, visit),
            Item::Table(inner) => each_pattern(inner, visit),
            Item::ArrayOfTables(tables) => {
                tables.iter_mut().for_each(|inner| each_pattern(inner, visit));
            }
            Item::None => {}
        }
    }
}

fn in_value(key: &str, value: &mut Value, visit: &mut impl FnMut(&str) -> Option<String>) {
    match value {
        Value::String(name) if key == "pattern" => {
            if let Some(new) = visit(name.value()) {
                *value = new.into();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| in_value(key, value, visit)),
        Value::InlineTable(inner) => each_pattern(inner, visit),
        Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_) => {}
    }
}
