//! Paths of values, such as `guard.patrol.steer.2.weight`, `guard.patrol.steer.seek.weight` or
//! `tick`.
//!
//! Settings, the value list, usage and the inspector identify a value by its path. Only this module
//! parses the text of a path.

use tilewalk_sim::scenario::builder::is_name;
use tilewalk_sim::scenario::setting::{EntryId, InnerTable, TablePath, ValuePath};

use crate::keys::agent::{BODY, VIEW};
use crate::keys::map::MAP;
use crate::keys::table::{Key, ValueKind};

/// Keys of lists. A path selects a list entry by number.
const LISTS: &[&str] = &["steer", "switch"];

/// Key of the list of behaviours. A path can also select a behaviour by its word.
const BEHAVIOURS: &str = "steer";

/// Error for a text that is not a valid value path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPath;

/// Returns the top-level keys of a map that settings can change. Their values are numbers, keywords
/// or lines of text.
pub(crate) fn map_keys() -> impl Iterator<Item = &'static str> {
    let is_single = |key: &&Key| match key.kind {
        ValueKind::Float(_) | ValueKind::Integer(_) | ValueKind::Words(_) | ValueKind::Line => true,
        ValueKind::OneOf(_)
        | ValueKind::Flag
        | ValueKind::True
        | ValueKind::Text
        | ValueKind::Condition
        | ValueKind::FloatOrWord(..)
        | ValueKind::Heading(_)
        | ValueKind::Vector(_)
        | ValueKind::Defined(_)
        | ValueKind::Array(..)
        | ValueKind::Map(..)
        | ValueKind::Other(_) => false,
    };
    MAP.keys.iter().filter(is_single).map(|key| key.name)
}

/// Returns the path of an agent's own table; `None` for an invalid name, which no path can contain.
pub(crate) fn agent_table(name: &str) -> Option<TablePath> {
    let inner = InnerTable::Own;
    is_name(name).then(|| TablePath { agent: name.to_owned(), mode: None, inner })
}

/// Parses a path. `body` can be omitted before a key of the body, and before `view`.
///
/// # Errors
/// Returns an error if the text is not the path of a value that can be set.
pub fn parse(text: &str) -> Result<ValuePath, NoPath> {
    let parts: Vec<&str> = text.trim().split('.').map(str::trim).collect();
    let [agent, ref inside @ ..] = parts[..] else { return Err(NoPath) };
    if inside.is_empty() && map_keys().any(|key| key == agent) {
        return Ok(ValuePath { table: None, key: agent.to_owned() });
    }
    let owned = |key: &str| is_name(key).then(|| key.to_owned()).ok_or(NoPath);
    let entry = |list: &str, entry: &str| {
        let is_number = entry.len() <= 4 && entry.bytes().all(|digit| digit.is_ascii_digit());
        let number = entry.parse().ok().filter(|_| is_number && LISTS.contains(&list));
        let word = || Some(entry.to_owned()).filter(|it| list == BEHAVIOURS && is_name(it));
        let entry = number.map(EntryId::Number).or_else(|| word().map(EntryId::Word));
        Ok(InnerTable::Entry(list.to_owned(), entry.ok_or(NoPath)?))
    };
    let (mode, inner, key) = match *inside {
        [key] if BODY.key(key).is_some() => (None, InnerTable::Body, key),
        [key] => (None, InnerTable::Own, key),
        ["body", "view", key] => (None, InnerTable::View, key),
        ["body", key] => (None, InnerTable::Body, key),
        ["view", key] if VIEW.key(key).is_some() => (None, InnerTable::View, key),
        [mode, key] => (Some(mode), InnerTable::Own, key),
        [list, number, key] => (None, entry(list, number)?, key),
        [mode, list, number, key] => (Some(mode), entry(list, number)?, key),
        _ => return Err(NoPath),
    };
    let mode = mode.map(owned).transpose()?;
    let table = TablePath { agent: owned(agent)?, mode, inner };
    Ok(ValuePath { table: Some(table), key: owned(key)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_displayed_with_the_body() {
        for (text, path) in [
            ("guard.max_speed", "guard.body.max_speed"),
            ("guard.body.max_speed", "guard.body.max_speed"),
            ("guard.body.view.range", "guard.body.view.range"),
            ("guard.view.range", "guard.body.view.range"),
            ("guard . pace", "guard.pace"),
            ("guard.patrol.pace", "guard.patrol.pace"),
            ("guard.steer.2.weight", "guard.steer.2.weight"),
            ("guard.patrol.steer.2.weight", "guard.patrol.steer.2.weight"),
            ("guard.steer.seek.weight", "guard.steer.seek.weight"),
            ("guard.patrol.steer.seek.weight", "guard.patrol.steer.seek.weight"),
            (" tick ", "tick"),
            ("edges", "edges"),
        ] {
            assert_eq!(parse(text).map(|path| path.to_string()), Ok(path.to_owned()));
        }
    }

    #[test]
    fn invalid_paths_are_refused() {
        for text in ["", "guard", "guard.", "guard.a.b.c", "guard.switch.x.to", "a b.pace"] {
            assert_eq!(parse(text), Err(NoPath), "{text}");
        }
        assert_eq!(parse("guard.places.1.x"), Err(NoPath));
        assert_eq!(parse("guard.steer.+1.weight"), Err(NoPath));
        for text in ["tiles", "format", "agent", "places", "tick.x.y.z.w"] {
            assert_eq!(parse(text), Err(NoPath), "{text}");
        }
    }
}
