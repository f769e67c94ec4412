//! The table of all keys of maps, patterns and breakpoint files: type, range, unit, default, description and use.
//!
//! Readers take ranges and defaults from it and reject other keys. The schemas, the value list, the warnings about
//! unused values and the tables of docs/formats.md derive from it. The rows of body numbers and behaviour
//! parameters come from the simulator.

pub mod agent;
pub mod breaks;
pub mod map;
pub mod pattern;
pub mod steer;
pub mod words;

use std::ops::RangeInclusive;

use serde_json::Value;
use tilewalk_sim::body::Needs;

/// The largest coordinate in a file, in tiles from (0, 0).
pub const MAX_COORDINATE: i32 = 1_000_000;

/// The greatest number of frames per tile.
pub const MAX_PACE: i64 = 10_000;

/// Range of the radius of bodies and obstacles, in tiles.
const RADIUS: RangeInclusive<f64> = 0.05..=0.5;

/// A table of a file, with all its keys.
#[derive(Debug, Default)]
pub struct Table {
    /// Name of the table in messages, such as "an agent".
    pub title: String,
    /// Description in the schema, or an empty string.
    pub about: &'static str,
    /// The keys; empty if users choose the keys.
    pub keys: Vec<Key>,
    /// Keys reserved for later versions.
    pub reserved: &'static [&'static str],
}

/// A key of a table.
#[derive(Debug, Clone)]
pub struct Key {
    pub name: &'static str,
    /// Type and range of its values.
    pub kind: ValueKind,
    /// Unit that schemas and documentation add to the description; empty for a plain factor.
    pub unit: &'static str,
    /// Unit of a number whose description already names it, for the documentation.
    pub shown_unit: &'static str,
    /// The value if the key is missing.
    pub default: DefaultValue,
    /// Description without unit and default: one or more sentences without the last full stop.
    pub about: &'static str,
    /// Further Markdown sentences for the documentation.
    pub details: &'static str,
    /// Type and range in the documentation, if they can't be derived.
    pub shown_kind: &'static str,
    /// The key in the documentation, if it differs, such as `[[agent]]`.
    pub header: &'static str,
    /// Where the key is valid, as Markdown, if not everywhere in its table.
    pub valid_in: &'static str,
    /// When the value has an effect.
    pub usage: Usage,
}

/// Type and range of values.
#[derive(Debug, Clone)]
pub enum ValueKind {
    /// A float in a range.
    Float(RangeInclusive<f64>),
    /// An integer in a range.
    Integer(RangeInclusive<i64>),
    /// One of some integers.
    OneOf(&'static [i64]),
    /// `true` or `false`.
    Flag,
    /// Only `true`.
    True,
    /// Any string.
    Text,
    /// A string of one line.
    Line,
    /// One of some words.
    Words(Vec<&'static str>),
    /// A float in a range, or a word that stands for a float.
    FloatOrWord(RangeInclusive<f64>, &'static [(&'static str, f32)]),
    /// Two floats in a range.
    Vector(RangeInclusive<f64>),
    /// A value or table with a definition of its own in the schema, by the name of the definition.
    Defined(&'static str),
    /// An array of such values or tables, with a range of lengths.
    Array(&'static str, RangeInclusive<u64>),
    /// A table with keys of the user, which has this title, and values of a definition.
    Map(&'static str, &'static str),
    /// Anything else, by its schema.
    Other(fn() -> Value),
}

/// The value of a missing key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DefaultValue {
    Nothing,
    /// Nothing, because another key can replace the key.
    Alternative,
    /// None: the key is required.
    Required,
    Number(f64),
    Flag(bool),
    /// A word of the key.
    Word(&'static str),
    Text(&'static str),
}

/// When the value of a key has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// Whenever its table is used.
    Always,
    /// If the body does something.
    Body(Needs),
    /// If the agent looks for other agents or has transitions.
    Checks,
    /// If behaviours are combined with `dithered`.
    Dithered,
}

impl Table {
    /// A table whose keys are names of the user.
    pub fn open(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// A table of which only the names of the keys are known.
    pub fn of_names(title: &str, names: &[&'static str]) -> Self {
        let keys = names.iter().map(|name| Key::new(name, ValueKind::Text, "")).collect();
        Self { keys, ..Self::open(title) }
    }

    fn new(title: &str, about: &'static str, keys: Vec<Key>) -> Self {
        Self { about, keys, ..Self::open(title) }
    }

    /// Returns the row of a key.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Returns the names of all keys.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.keys.iter().map(|key| key.name)
    }
}

impl Key {
    const fn new(name: &'static str, kind: ValueKind, about: &'static str) -> Self {
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

    fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    fn shown_unit(self, shown_unit: &'static str) -> Self {
        Self { shown_unit, ..self }
    }

    fn default(self, default: DefaultValue) -> Self {
        Self { default, ..self }
    }

    fn required(self) -> Self {
        self.default(DefaultValue::Required)
    }

    fn details(self, details: &'static str) -> Self {
        Self { details, ..self }
    }

    fn shown_kind(self, shown_kind: &'static str) -> Self {
        Self { shown_kind, ..self }
    }

    fn header(self, header: &'static str) -> Self {
        Self { header, ..self }
    }

    fn valid_in(self, valid_in: &'static str) -> Self {
        Self { valid_in, ..self }
    }

    fn usage(self, usage: Usage) -> Self {
        Self { usage, ..self }
    }

    /// Returns the range of a number; of other kinds, all numbers.
    pub fn range(&self) -> RangeInclusive<f64> {
        match &self.kind {
            ValueKind::Float(range) | ValueKind::FloatOrWord(range, _) => range.clone(),
            ValueKind::Integer(range) => *range.start() as f64..=*range.end() as f64,
            ValueKind::OneOf(_)
            | ValueKind::Flag
            | ValueKind::True
            | ValueKind::Text
            | ValueKind::Line
            | ValueKind::Words(_)
            | ValueKind::Vector(_)
            | ValueKind::Defined(_)
            | ValueKind::Array(..)
            | ValueKind::Map(..)
            | ValueKind::Other(_) => f64::MIN..=f64::MAX,
        }
    }

    /// Returns the default of a number.
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

/// Returns the number that a float stands for in files: 0.1 in f32 is another number in f64.
fn written(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}
