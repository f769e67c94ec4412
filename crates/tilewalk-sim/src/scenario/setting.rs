//! Settings: values that replace or add values of a map, such as `guard.max_speed=3`.
//!
//! A setting changes the text of a map before the map is read. The simulator only stores settings,
//! so that a recording or a reload can repeat them. The crate that reads maps parses their text.

use core::fmt;

/// The path of a value, and a new value.
///
/// | Form | Sets a value of |
/// |---|---|
/// | `key=value`, such as `tick=0.1` | the map |
/// | `agent.key=value` | an agent |
/// | `agent.body.key=value` | a body |
/// | `agent.steer.2.key=value` | the second behaviour of an agent |
/// | `agent.steer.seek.key=value` | the behaviour `seek` of an agent |
/// | `agent.mode.…` | a mode, for agents with modes |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    path: ValuePath,
    /// The path as typed, possibly without `body`.
    typed: String,
    /// The value in TOML notation.
    value: String,
}

/// The path of a value of an agent or of the map, such as `guard.patrol.steer.2.weight`.
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

impl Setting {
    /// Creates a setting. `value` is in TOML notation.
    pub fn new(path: ValuePath, value: String) -> Self {
        let typed = path.to_string();
        Self { path, typed, value }
    }

    /// Creates a setting whose path is displayed as `typed`. `value` is in TOML notation.
    pub fn typed(path: ValuePath, typed: String, value: String) -> Self {
        Self { path, typed, value }
    }

    /// Returns the setting with another path to the same value.
    #[must_use]
    pub fn with_path(&self, path: ValuePath) -> Self {
        if path == self.path { self.clone() } else { Self::new(path, self.value.clone()) }
    }

    /// Returns the path of the value that the setting replaces.
    pub fn path(&self) -> &ValuePath {
        &self.path
    }

    /// Returns the path as typed, possibly without `body`.
    pub fn typed_path(&self) -> &str {
        &self.typed
    }

    /// Returns the new value in TOML notation.
    pub fn value_text(&self) -> &str {
        &self.value
    }
}

impl fmt::Display for Setting {
    /// Writes the setting as typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.typed, self.value)
    }
}

impl TablePath {
    /// Returns the path of the table `inner` of the same agent or mode.
    #[must_use]
    pub fn inner(&self, inner: InnerTable) -> Self {
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

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.agent() {
            Some(agent) => write!(f, "{agent}.{}", self.within_agent()),
            None => f.write_str(&self.key),
        }
    }
}
