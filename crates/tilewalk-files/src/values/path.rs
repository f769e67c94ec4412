//! Paths of values, such as `guard.patrol.steer.2.weight`, `guard.patrol.steer.seek.weight` or
//! `tick`.
//!
//! Settings, the value list, usage and the inspector identify a value by its path. Only this module
//! parses the text of a path.

use core::fmt;
use std::str::FromStr;

use tilewalk_sim::scenario::builder::is_name;

use crate::keys::agent::BODY;
use crate::keys::map::MAP;
use crate::keys::table::{Key, ValueKind};

/// Keys of lists. A path selects a list entry by number.
const LISTS: &[&str] = &["steer", "switch"];

/// Key of the list of behaviours. A path can also select a behaviour by its word.
const BEHAVIOURS: &str = "steer";

/// The path of a value of an agent or of the map, as used in settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePath {
    /// Table that contains the value; `None` for the table of the map itself.
    pub table: Option<TablePath>,
    /// Key of the value in the table.
    pub key: String,
}

/// The path of a table in an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TablePath {
    /// Name of the agent, without a number.
    pub agent: String,
    /// Name of the mode; `None` for a table of the agent itself.
    pub mode: Option<String>,
    /// Table within the agent or mode that contains the value.
    pub inner: InnerTable,
}

/// A table within an agent or mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InnerTable {
    /// The table of the agent or mode itself.
    Own,
    /// The table `body` of an agent.
    Body,
    /// The table `view` in the body of an agent.
    View,
    /// An entry of a list. The string is the key of the list: `steer` or `switch`.
    Entry(String, EntryId),
}

/// An entry of a list in a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryId {
    /// The 1-based number of the entry.
    Number(usize),
    /// The word of a behaviour that occurs once in the list.
    Word(String),
}

/// Error for a text that is not a valid value path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPath;

impl TablePath {
    /// Returns the path of an agent's own table; `None` for an invalid name, which no path can
    /// contain.
    pub(crate) fn of_agent(name: &str) -> Option<Self> {
        let inner = InnerTable::Own;
        is_name(name).then(|| Self { agent: name.to_owned(), mode: None, inner })
    }

    /// Returns the path of the table `inner` of the same agent or mode.
    pub(crate) fn inner(&self, inner: InnerTable) -> Self {
        Self { inner, ..self.clone() }
    }
}

impl ValuePath {
    /// Returns the name of the agent; `None` for a value of the map itself.
    pub fn agent(&self) -> Option<&str> {
        self.table.as_ref().map(|table| &*table.agent)
    }

    /// Returns the path without the agent, such as `patrol.steer.2.weight`.
    pub fn within_agent(&self) -> String {
        let Some(TablePath { mode, inner, .. }) = &self.table else { return self.key.clone() };
        let mode = mode.as_ref().map_or_else(String::new, |mode| format!("{mode}."));
        let inner = match inner {
            InnerTable::Own => String::new(),
            InnerTable::Body => "body.".to_owned(),
            InnerTable::View => "body.view.".to_owned(),
            InnerTable::Entry(list, EntryId::Number(number)) => format!("{list}.{number}."),
            InnerTable::Entry(list, EntryId::Word(word)) => format!("{list}.{word}."),
        };
        format!("{mode}{inner}{}", self.key)
    }
}

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

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.agent() {
            Some(agent) => write!(f, "{agent}.{}", self.within_agent()),
            None => f.write_str(&self.key),
        }
    }
}

impl FromStr for ValuePath {
    type Err = NoPath;

    /// Parses a path. `body` can be omitted before a key of the body.
    fn from_str(text: &str) -> Result<Self, NoPath> {
        let parts: Vec<&str> = text.trim().split('.').map(str::trim).collect();
        let [agent, ref inside @ ..] = parts[..] else { return Err(NoPath) };
        if inside.is_empty() && map_keys().any(|key| key == agent) {
            return Ok(Self { table: None, key: agent.to_owned() });
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
            [mode, key] => (Some(mode), InnerTable::Own, key),
            [list, number, key] => (None, entry(list, number)?, key),
            [mode, list, number, key] => (Some(mode), entry(list, number)?, key),
            _ => return Err(NoPath),
        };
        let mode = mode.map(owned).transpose()?;
        let table = TablePath { agent: owned(agent)?, mode, inner };
        Ok(Self { table: Some(table), key: owned(key)? })
    }
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
            ("guard . pace", "guard.pace"),
            ("guard.patrol.pace", "guard.patrol.pace"),
            ("guard.steer.2.weight", "guard.steer.2.weight"),
            ("guard.patrol.steer.2.weight", "guard.patrol.steer.2.weight"),
            ("guard.steer.seek.weight", "guard.steer.seek.weight"),
            ("guard.patrol.steer.seek.weight", "guard.patrol.steer.seek.weight"),
            (" tick ", "tick"),
            ("edges", "edges"),
        ] {
            assert_eq!(text.parse::<ValuePath>().map(|path| path.to_string()), Ok(path.to_owned()));
        }
    }

    #[test]
    fn other_texts_are_not_paths() {
        for text in ["", "guard", "guard.", "guard.a.b.c", "guard.switch.x.to", "a b.pace"] {
            assert_eq!(text.parse::<ValuePath>(), Err(NoPath), "{text}");
        }
        assert_eq!("guard.places.1.x".parse::<ValuePath>(), Err(NoPath));
        assert_eq!("guard.steer.+1.weight".parse::<ValuePath>(), Err(NoPath));
        for text in ["tiles", "format", "agent", "places", "tick.x.y.z.w"] {
            assert_eq!(text.parse::<ValuePath>(), Err(NoPath), "{text}");
        }
    }
}
