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
    /// Name of the agent, without a number.
    pub agent: String,
    /// Name of the mode; `None` for a value of the agent itself.
    pub mode: Option<String>,
    /// Location of the value within the agent or mode.
    pub key: ValueKey,
}

/// Location of a value within an agent or mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueKey {
    /// A key of the agent or mode itself.
    Own(String),
    /// A key of the body.
    Body(String),
    /// A key of the body's field of view.
    View(String),
    /// A key of a list entry.
    Entry {
        /// Key of the list: `steer` or `switch`.
        list: String,
        /// 1-based number of the entry.
        number: usize,
        /// Key within the entry.
        key: String,
    },
}

/// Error for a text that is not a valid value path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoPath;

impl ValuePath {
    /// Returns the steps from the top-level table of a map to the value.
    pub(super) fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = vec![Part::Named("agent", &self.agent)];
        parts.extend(self.mode.iter().map(|mode| Part::Named("mode", mode)));
        match &self.key {
            ValueKey::Own(key) => parts.push(Part::Key(key)),
            ValueKey::Body(key) => parts.extend([Part::Key("body"), Part::Key(key)]),
            ValueKey::View(key) => {
                parts.extend([Part::Key("body"), Part::Key("view"), Part::Key(key)]);
            }
            ValueKey::Entry { list, number, key } => {
                parts.extend([Part::Key(list), Part::Row(*number), Part::Key(key)]);
            }
        }
        parts
    }

    /// Returns the path without the agent, such as `patrol.steer.2.weight`.
    pub fn within_agent(&self) -> String {
        match &self.mode {
            Some(mode) => format!("{mode}.{}", self.key),
            None => self.key.to_string(),
        }
    }
}

impl fmt::Display for ValueKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(key) => f.write_str(key),
            Self::Body(key) => write!(f, "body.{key}"),
            Self::View(key) => write!(f, "body.view.{key}"),
            Self::Entry { list, number, key } => write!(f, "{list}.{number}.{key}"),
        }
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.agent, self.within_agent())
    }
}

impl FromStr for ValuePath {
    type Err = NoPath;

    /// Parses a path. A key of the body may be given without `body`.
    fn from_str(text: &str) -> Result<Self, NoPath> {
        let parts: Vec<&str> = text.trim().split('.').map(str::trim).collect();
        let [agent, ref inside @ ..] = parts[..] else { return Err(NoPath) };
        let owned = |key: &str| is_name(key).then(|| key.to_owned()).ok_or(NoPath);
        let entry = |list: &str, number: &str, key| {
            let digits = number.len() <= 4 && number.bytes().all(|digit| digit.is_ascii_digit());
            let number = number.parse().ok().filter(|_| digits && LISTS.contains(&list));
            let (list, number) = (list.to_owned(), number.ok_or(NoPath)?);
            Ok(ValueKey::Entry { list, number, key: owned(key)? })
        };
        let (mode, key) = match *inside {
            [key] if BODY.key(key).is_some() => (None, ValueKey::Body(owned(key)?)),
            [key] => (None, ValueKey::Own(owned(key)?)),
            ["body", "view", key] => (None, ValueKey::View(owned(key)?)),
            ["body", key] => (None, ValueKey::Body(owned(key)?)),
            [mode, key] => (Some(owned(mode)?), ValueKey::Own(owned(key)?)),
            [list, number, key] => (None, entry(list, number, key)?),
            [mode, list, number, key] => (Some(owned(mode)?), entry(list, number, key)?),
            _ => return Err(NoPath),
        };
        Ok(Self { agent: owned(agent)?, mode, key })
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
