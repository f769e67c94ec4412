//! Reads `[keys]`: other keys for actions, context by context, and finds those that are bound twice.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::de::DeValue;

use super::super::diagnostic::Diagnostic;
use super::super::show;
use super::super::value::Entry;
use super::{Bound, Vocabulary, unknown};

/// The keys of an action in a context, instead of those it had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// Where they are pressed.
    pub context: &'static str,
    /// What they ask for.
    pub action: &'static str,
    /// The keys, in their usual spelling.
    pub keys: Vec<String>,
}

/// Reads the table of contexts.
pub fn read(entry: &Entry, vocabulary: &Vocabulary) -> Vec<Binding> {
    let Some(table) = entry.table("contexts") else { return Vec::new() };
    let mut bindings = Vec::new();
    for (name, span, entry) in table.into_entries() {
        let known = vocabulary.contexts.iter().find(|(known, _)| *known == name);
        let Some((context, actions)) = known else {
            let names = vocabulary.contexts.iter().map(|(name, _)| *name);
            entry.issues.push(unknown("context", name, span, names));
            continue;
        };
        bindings.extend(of_context(&entry, context, actions, vocabulary.key));
    }
    bindings
}

/// A key that was bound, and where that was written.
type Written = (String, Range<usize>);

fn of_context(
    entry: &Entry,
    context: &'static str,
    actions: &[Bound],
    spelled: fn(&str) -> Option<String>,
) -> Vec<Binding> {
    let Some(table) = entry.table("actions") else { return Vec::new() };
    let mut written: Vec<(&'static str, Vec<Written>)> = Vec::new();
    for (name, span, entry) in table.into_entries() {
        match actions.iter().find(|bound| bound.action == name) {
            Some(bound) => written.push((bound.action, keys(&entry, spelled))),
            None => {
                let names = actions.iter().map(|bound| bound.action);
                entry.issues.push(unknown("action", name, span, names));
            }
        }
    }
    conflicts(entry, actions, &written);
    let strip = |keys: Vec<Written>| keys.into_iter().map(|(key, _)| key).collect();
    written
        .into_iter()
        .map(|(action, keys)| Binding { context, action, keys: strip(keys) })
        .collect()
}

/// One key, or an array of them.
fn keys(entry: &Entry, spelled: fn(&str) -> Option<String>) -> Vec<Written> {
    let elements: Vec<Entry> = match entry.get() {
        DeValue::Array(_) => entry.array().into_iter().flatten().collect(),
        _ => vec![entry.clone()],
    };
    let each = |entry: Entry| {
        let text = entry.string()?;
        let key = spelled(text);
        if key.is_none() {
            let help = "a key is a character, `Space`, `Enter`, `Esc`, `Tab`, `Shift-Tab`, `Left`, \
                        `PgUp`, `F5` …, or `ctrl-x`";
            entry.error_with_help(format!("`{}` is no key", show::text(text)), help);
        }
        Some((key?, entry.span()))
    };
    elements.into_iter().filter_map(each).collect()
}

/// Reports keys that two actions of a context would have.
fn conflicts(entry: &Entry, actions: &[Bound], written: &[(&'static str, Vec<Written>)]) {
    let moved = |bound: &&Bound| !written.iter().any(|(action, _)| *action == bound.action);
    let mut taken: BTreeMap<&str, &str> = BTreeMap::new();
    for bound in actions.iter().filter(moved) {
        taken.extend(bound.keys.iter().map(|key| (key.as_str(), bound.action)));
    }
    for (action, keys) in written {
        for (key, span) in keys {
            match taken.insert(key, action) {
                Some(other) if other != *action => {
                    let message = format!("`{key}` is the key of `{other}` already");
                    let help = format!("give `{other}` another key in the same table");
                    entry.issues.push(Diagnostic::error(span.clone(), message).help(help));
                }
                _ => {}
            }
        }
    }
}
