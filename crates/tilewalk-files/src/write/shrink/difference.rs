//! The difference between two versions of a map. A reduction of both must keep it.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{DocumentMut, TableLike};

use crate::write::shrink::part::{MapNode, labelled_entries};
use crate::write::shrink::{ShrinkDraft, reference};
use tilewalk_sim::geom::TilePos;

/// What two versions of a map do not share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapDifference {
    /// Values that only one version has, with the path that leads to them. Equal values of a
    /// version are counted. Versions that share a list entry can differ in its order: the order of
    /// shared entries then counts as a value.
    values: BTreeMap<String, i64>,
    tiles: Vec<TilePos>,
}

impl MapDifference {
    /// Compares two versions of a map.
    pub fn of(first: &ShrinkDraft, second: &ShrinkDraft) -> Self {
        let (first_values, second_values) = (Values::of(first), Values::of(second));
        let mut values = first_values.counts;
        for (value, count) in second_values.counts {
            *values.entry(value).or_insert(0) -= count;
        }
        values.retain(|_, count| *count != 0);
        for (path, labels) in &first_values.lists {
            let Some(others) = second_values.lists.get(path) else { continue };
            let shared = |of: &[String], other: &[String]| -> Vec<String> {
                of.iter().filter(|label| other.contains(label)).cloned().collect()
            };
            let orders = [shared(labels, others), shared(others, labels)];
            if orders[0] != orders[1] {
                values.insert(format!("{path}: {orders:?}"), 1);
            }
        }
        Self { values, tiles: first.ground.differing(&second.ground) }
    }
}

/// The values of a version.
#[derive(Default)]
struct Values {
    counts: BTreeMap<String, i64>,
    /// The labels of the entries of each list, in order.
    lists: BTreeMap<String, Vec<String>>,
}

impl Values {
    fn of(draft: &ShrinkDraft) -> Self {
        let mut values = Self::default();
        values.document("", &draft.map, &draft.fixed);
        for name in reference::patterns(&draft.map) {
            if let Some(document) = draft.patterns.get(&name) {
                values.document(&name, document, &BTreeSet::new());
            }
        }
        values
    }

    /// Adds the values of a document. Random starts follow from the rest of the map, so they are
    /// left out. `fixed` names the agents with a fixed start.
    fn document(&mut self, name: &str, document: &DocumentMut, fixed: &BTreeSet<String>) {
        for (key, item) in document.iter() {
            let path = format!("{name}/{key}");
            for (label, node) in self.list(&path, MapNode::Item(item)) {
                let path = format!("{path}/{label}");
                match node.table() {
                    Some(table) if key == "agent" && !fixed.contains(&label) => {
                        self.table(table, &path, &["at", "heading"]);
                    }
                    Some(table) => self.table(table, &path, &[]),
                    None => self.count(format!("{path}={}", node.text())),
                }
            }
            if MapNode::Item(item).entries().is_empty() {
                self.node(&path, MapNode::Item(item));
            }
        }
    }

    /// Notes the order of a list, and returns its entries with their labels.
    fn list<'a>(&mut self, path: &str, list: MapNode<'a>) -> Vec<(String, MapNode<'a>)> {
        let entries = labelled_entries(list);
        if entries.iter().any(|(_, node)| node.table().is_some()) {
            let labels = entries.iter().map(|(label, _)| label.clone()).collect();
            self.lists.insert(path.to_owned(), labels);
        }
        entries
    }

    fn table(&mut self, table: &dyn TableLike, path: &str, without: &[&str]) {
        self.count(path.to_owned());
        for (key, item) in table.iter().filter(|(key, _)| !without.contains(key)) {
            self.node(&format!("{path}/{key}"), MapNode::Item(item));
        }
    }

    fn node(&mut self, path: &str, node: MapNode) {
        if let Some(table) = node.table() {
            return self.table(table, path, &[]);
        }
        let entries = self.list(path, node);
        if entries.iter().any(|(_, entry)| entry.table().is_some()) {
            for (label, entry) in entries {
                self.node(&format!("{path}/{label}"), entry);
            }
        } else {
            self.count(format!("{path}={}", node.text().trim()));
        }
    }

    fn count(&mut self, value: String) {
        *self.counts.entry(value).or_insert(0) += 1;
    }
}
