//! The table of all keys of maps, patterns and breakpoint files. Each row has the type, range,
//! unit, default, description and use of a key.
//!
//! Readers take ranges and defaults from this table and reject other keys. The schemas, the value
//! list, the warnings about unused values and the [tables of the documentation](crate::markdown)
//! derive from this table. The rows of body numbers and behaviour parameters come from the
//! simulator.

use std::ops::RangeInclusive;

use serde_json::Value;
use tilewalk_sim::body::Needs;
use tilewalk_sim::scenario::limits;

pub use tilewalk_sim::scenario::limits::MAX_COORDINATE;

/// Maximum number of frames per tile.
pub const MAX_PACE: i64 = limits::MAX_PACE as i64;

/// Range of the radius of obstacles of tile kinds, in tiles.
pub const TILE_RADII: RangeInclusive<f64> = 0.05..=0.5;

/// A table in a file format: title, description and valid keys.
#[derive(Debug, Default)]
pub struct Table {
    /// Name of the table in messages, such as "an agent".
    pub title: String,
    /// Description in the schema, or an empty string.
    pub about: &'static str,
    /// Valid keys; empty if users choose the names of the keys.
    pub keys: Vec<Key>,
    /// Keys reserved for later versions.
    pub reserved: &'static [&'static str],
}

/// A key of a table, with the type, range, default and description of its value.
#[derive(Debug, Clone)]
pub struct Key {
    pub name: &'static str,
    /// Type and range of the key's values.
    pub kind: ValueKind,
    /// Unit that schemas and documentation append to the description; empty for a value without a
    /// unit.
    pub unit: &'static str,
    /// Unit for the documentation. Used if the description already names the unit.
    pub shown_unit: &'static str,
    /// Value to use if the key is missing.
    pub default: DefaultValue,
    /// Description without unit and default: one or more sentences. The final full stop is omitted.
    pub about: &'static str,
    /// Further Markdown sentences for the documentation.
    pub details: &'static str,
    /// Type and range in the documentation, if they can't be derived from `kind`.
    pub shown_kind: &'static str,
    /// Spelling of the key in the documentation, such as `[[agent]]`, if it differs from `name`.
    pub header: &'static str,
    /// Restriction on where the key is valid, as Markdown; empty without a restriction.
    pub valid_in: &'static str,
    /// When the value has an effect.
    pub usage: Usage,
}

/// Type and range of values.
#[derive(Debug, Clone)]
pub enum ValueKind {
    Float(RangeInclusive<f64>),
    Integer(RangeInclusive<i64>),
    /// One of these integers.
    OneOf(&'static [i64]),
    /// `true` or `false`.
    Flag,
    /// The boolean `true`; `false` is invalid.
    True,
    /// Any string.
    Text,
    /// A string in the condition language.
    Condition,
    /// A string without line breaks.
    Line,
    /// One of these words.
    Words(Vec<&'static str>),
    /// A float in a range, or one of these words. Each word stands for a float.
    FloatOrWord(RangeInclusive<f64>, &'static [(&'static str, f32)]),
    /// A heading in degrees, the word `random`, or a range of headings as a list of two numbers.
    Heading(RangeInclusive<f64>),
    /// Two floats, both in this range.
    Vector(RangeInclusive<f64>),
    /// A value or table. The text is the name of its definition in the schema.
    Defined(&'static str),
    /// An array of values or tables, with the range of its length. The text is the name of the
    /// definition of its elements in the schema.
    Array(&'static str, RangeInclusive<u64>),
    /// A table whose keys are chosen by the user. Contains the title of the table, and the name of
    /// the definition of its values in the schema.
    Map(&'static str, &'static str),
    /// Any other value. The function returns the JSON Schema of the value.
    Other(fn() -> Value),
}

/// The value of a missing key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DefaultValue {
    Nothing,
    /// No default: another key can be used instead.
    Alternative,
    /// No default: the key is required.
    Required,
    Number(f64),
    Flag(bool),
    /// A word that the key accepts.
    Word(&'static str),
    Text(&'static str),
}

/// When the value of a key has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// The value has an effect whenever the key's table is used.
    Always,
    /// The value has an effect if the agent has the required kind of motion or sight.
    Body(Needs),
    /// The value has an effect if the agent looks for other agents or has transitions.
    Checks,
    /// The value has an effect if behaviours are combined with `dithered`.
    Dithered,
}

impl Table {
    /// Creates a table whose keys are chosen by the user.
    pub fn open(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// Creates a table whose keys have names but no types or descriptions.
    pub fn of_names(title: &str, names: &[&'static str]) -> Self {
        let keys = names.iter().map(|name| Key::new(name, ValueKind::Text, "")).collect();
        Self { keys, ..Self::open(title) }
    }

    pub fn new(title: &str, about: &'static str, keys: Vec<Key>) -> Self {
        Self { about, keys, ..Self::open(title) }
    }

    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.keys.iter().map(|key| key.name)
    }
}

impl Key {
    pub const fn new(name: &'static str, kind: ValueKind, about: &'static str) -> Self {
        Self {
            name,
            kind,
            unit: "",
            shown_unit: "",
            default: DefaultValue::Nothing,
            about,
            details: "",
            shown_kind: "",
            header: "",
            valid_in: "",
            usage: Usage::Always,
        }
    }

    pub fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    pub fn shown_unit(self, shown_unit: &'static str) -> Self {
        Self { shown_unit, ..self }
    }

    pub fn default(self, default: DefaultValue) -> Self {
        Self { default, ..self }
    }

    pub fn required(self) -> Self {
        self.default(DefaultValue::Required)
    }

    pub fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    pub fn shown_kind(self, shown_kind: &'static str) -> Self {
        Self { shown_kind, ..self }
    }

    pub fn header(self, header: &'static str) -> Self {
        Self { header, ..self }
    }

    pub fn valid_in(self, valid_in: &'static str) -> Self {
        Self { valid_in, ..self }
    }

    pub fn usage(self, usage: Usage) -> Self {
        Self { usage, ..self }
    }

    /// Returns the range of a number. Returns the range of all finite numbers for other kinds of
    /// values.
    pub fn range(&self) -> RangeInclusive<f64> {
        match &self.kind {
            ValueKind::Float(range)
            | ValueKind::FloatOrWord(range, _)
            | ValueKind::Heading(range) => range.clone(),
            ValueKind::Integer(range) => *range.start() as f64..=*range.end() as f64,
            ValueKind::OneOf(_)
            | ValueKind::Flag
            | ValueKind::True
            | ValueKind::Text
            | ValueKind::Condition
            | ValueKind::Line
            | ValueKind::Words(_)
            | ValueKind::Vector(_)
            | ValueKind::Defined(_)
            | ValueKind::Array(..)
            | ValueKind::Map(..)
            | ValueKind::Other(_) => f64::MIN..=f64::MAX,
        }
    }

    /// Returns the default in TOML notation; `None` if the key has no default value.
    pub fn default_text(&self) -> Option<String> {
        match self.default {
            DefaultValue::Number(number) => Some(number.to_string()),
            DefaultValue::Flag(flag) => Some(flag.to_string()),
            DefaultValue::Word(word) => Some(format!("\"{word}\"")),
            DefaultValue::Nothing
            | DefaultValue::Alternative
            | DefaultValue::Required
            | DefaultValue::Text(_) => None,
        }
    }

    /// Returns the default as a number; `None` if the default is missing or not a number.
    pub fn default_number(&self) -> Option<f64> {
        match (self.default, &self.kind) {
            (DefaultValue::Number(number), _) => Some(number),
            (DefaultValue::Word(word), ValueKind::FloatOrWord(_, words)) => {
                let (_, number) = words.iter().find(|(each, _)| *each == word)?;
                Some(written(*number))
            }
            _ => None,
        }
    }
}

/// Returns the `f64` with the same shortest decimal form as `number`: `0.1_f32` becomes `0.1`.
pub fn written(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}
