//! Paths of values, such as `guard.patrol.steer.2.weight`.
//!
//! Settings, the value list, usage and the inspector identify a value by its path. Only this module
//! parses the text of a path.

use core::fmt;
use std::str::FromStr;

use tilewalk_sim::scenario::builder::is_name;

use super::keys::agent::BODY;
use super::span_tree::Part;

/// Keys of lists. A path selects a list entry by number.
const LISTS: &[&str] = &["steer", "switch"];

/// The path of an agent's value, as used in settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePath {
    /// Table that contains the value.
    pub table: TablePath,
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
    /// The table within the agent or mode.
    pub inner: InnerTable,
}

/// A table within an agent or mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InnerTable {
    /// The table of the agent or mode itself.
    Own,
    /// The body.
    Body,
    /// The body's field of view.
    View,
    /// A list entry: the key of the list (`steer` or `switch`) and the 1-based number of the entry.
    Entry(String, usize),
}

/// Error for a text that is not a valid value path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPath;

impl TablePath {
    /// Returns the path of an agent; `None` for an invalid name, which no path can contain.
    pub(super) fn of_agent(name: &str) -> Option<Self> {
        let inner = InnerTable::Own;
        is_name(name).then(|| Self { agent: name.to_owned(), mode: None, inner })
    }

    /// Returns the path of another table of the same agent or mode.
    pub(super) fn inner(&self, inner: InnerTable) -> Self {
        Self { inner, ..self.clone() }
    }
}

impl ValuePath {
    /// Returns the steps from the top-level table of a map to the value.
    pub(super) fn parts(&self) -> Vec<Part<'_>> {
        let TablePath { agent, mode, inner } = &self.table;
        let mut parts = vec![Part::Named("agent", agent)];
        parts.extend(mode.iter().map(|mode| Part::Named("mode", mode)));
        match inner {
            InnerTable::Own => {}
            InnerTable::Body => parts.push(Part::Key("body")),
            InnerTable::View => parts.extend([Part::Key("body"), Part::Key("view")]),
            InnerTable::Entry(list, number) => {
                parts.extend([Part::Key(list), Part::Row(*number)]);
            }
        }
        parts.push(Part::Key(&self.key));
        parts
    }

    /// Returns the path without the agent, such as `patrol.steer.2.weight`.
    pub fn within_agent(&self) -> String {
        let mode = self.table.mode.as_ref().map_or_else(String::new, |mode| format!("{mode}."));
        let inner = match &self.table.inner {
            InnerTable::Own => String::new(),
            InnerTable::Body => "body.".to_owned(),
            InnerTable::View => "body.view.".to_owned(),
            InnerTable::Entry(list, number) => format!("{list}.{number}."),
        };
        format!("{mode}{inner}{}", self.key)
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.table.agent, self.within_agent())
    }
}

impl FromStr for ValuePath {
    type Err = NoPath;

    /// Parses a path. A key of the body may be given without `body`.
    fn from_str(text: &str) -> Result<Self, NoPath> {
        let parts: Vec<&str> = text.trim().split('.').map(str::trim).collect();
        let [agent, ref inside @ ..] = parts[..] else { return Err(NoPath) };
        let owned = |key: &str| is_name(key).then(|| key.to_owned()).ok_or(NoPath);
        let entry = |list: &str, number: &str| {
            let digits = number.len() <= 4 && number.bytes().all(|digit| digit.is_ascii_digit());
            let number = number.parse().ok().filter(|_| digits && LISTS.contains(&list));
            Ok(InnerTable::Entry(list.to_owned(), number.ok_or(NoPath)?))
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
        Ok(Self { table: TablePath { agent: owned(agent)?, mode, inner }, key: owned(key)? })
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
        ] {
            assert_eq!(text.parse::<ValuePath>().map(|path| path.to_string()), Ok(path.to_owned()));
        }
    }

    #[test]
    fn other_texts_are_no_paths() {
        for text in ["", "guard", "guard.", "guard.a.b.c", "guard.steer.x.weight", "a b.pace"] {
            assert_eq!(text.parse::<ValuePath>(), Err(NoPath), "{text}");
        }
        assert_eq!("guard.places.1.x".parse::<ValuePath>(), Err(NoPath));
        assert_eq!("guard.steer.+1.weight".parse::<ValuePath>(), Err(NoPath));
    }
}
