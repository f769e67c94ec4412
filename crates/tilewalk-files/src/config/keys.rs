//! Reads `[keys]`: key bindings by action. Reports keys that are bound twice.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use toml::de::DeValue;

use super::{ConfigSchema, unknown};
use crate::keys::old_names;
use crate::keys::table::Table;
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::Entry;

/// An action that keys can trigger.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Name of the action, as written in `[keys]`.
    pub name: &'static str,
    /// Default keys, in their usual spelling.
    pub keys: Vec<String>,
    /// Names of the contexts in which the keys work.
    pub places: Vec<&'static str>,
    /// Whether only a key can trigger the action. The action then needs at least one key.
    pub needs_key: bool,
}

/// The name of an action, and its new keys in their usual spelling.
pub type Binding = (&'static str, Vec<String>);

/// A key in its usual spelling, and its byte range in the file.
type Written = (String, Range<usize>);

static KEYS: LazyLock<Table> = LazyLock::new(|| Table::open("keys"));

/// Reads the table `[keys]`. Reports unknown actions, invalid keys and keys that are bound twice.
pub fn read(entry: &Entry, schema: &ConfigSchema) -> Vec<Binding> {
    let Some(table) = entry.table(&KEYS) else { return Vec::new() };
    let mut written: Vec<(&Bound, Vec<Written>)> = Vec::new();
    for (name, span, entry) in table.into_entries() {
        let old = old_names::find(old_names::AliasKind::Action, name);
        if let Some(old) = old {
            entry.issues.deprecated(span.clone(), old);
        }
        let current = old.map_or(name, |old| old.new);
        let Some(bound) = schema.actions.iter().find(|bound| bound.name == current) else {
            let names = schema.actions.iter().map(|bound| bound.name);
            entry.issues.push(unknown(entry.issues, "action", name, span, names));
            continue;
        };
        let keys = keys(&entry, bound, schema.key);
        written.push((bound, keys));
    }
    conflicts(entry, &schema.actions, &written);
    let strip = |keys: Vec<Written>| keys.into_iter().map(|(key, _)| key).collect();
    written.into_iter().map(|(bound, keys)| (bound.name, strip(keys))).collect()
}

/// Reads one key or an array of keys.
fn keys(
    entry: &Entry,
    bound: &Bound,
    spelled: fn(&str, &str) -> Result<String, String>,
) -> Vec<Written> {
    let elements: Vec<Entry> = if let DeValue::Array(_) = entry.get() {
        entry.array().into_iter().flatten().collect()
    } else {
        vec![entry.clone()]
    };
    if elements.is_empty() && bound.needs_key {
        entry.error(format!(
            "`{}` needs at least one key: it can't be typed as a command",
            bound.name
        ));
    }
    let each = |entry: Entry| {
        let spelled = spelled(bound.name, entry.string()?);
        spelled.map_err(|why| entry.error(why)).ok().map(|key| (key, entry.span()))
    };
    elements.into_iter().filter_map(each).collect()
}

/// Reports each key that triggers two actions in the same context.
fn conflicts(entry: &Entry, actions: &[Bound], written: &[(&Bound, Vec<Written>)]) {
    let stays = |bound: &&Bound| !written.iter().any(|(other, _)| other.name == bound.name);
    let mut taken: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for bound in actions.iter().filter(stays) {
        for (place, key) in pairs(bound, bound.keys.iter().map(String::as_str)) {
            taken.insert((place, key), bound.name);
        }
    }
    for (bound, keys) in written {
        for (key, span) in keys {
            let mut is_reported = false;
            for (place, key) in pairs(bound, std::iter::once(key.as_str())) {
                let other = taken.insert((place, key), bound.name);
                let Some(other) = other.filter(|other| *other != bound.name && !is_reported) else {
                    continue;
                };
                is_reported = true;
                let place = place.to_lowercase();
                let message =
                    format!("key `{}` is already bound to `{other}` ({place})", show::text(key));
                let help = format!("bind `{other}` to a different key");
                entry.issues.push(Diagnostic::error(span.clone(), message).help(help));
            }
        }
    }
}

/// Returns all pairs of a context of the action and a key of `keys`.
fn pairs<'a>(
    bound: &'a Bound,
    keys: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (&'static str, &'a str)> {
    keys.flat_map(|key| bound.places.iter().map(move |place| (*place, key)))
}
