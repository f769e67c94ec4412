//! A field with its value, and the list that collects them.

use core::fmt;
use std::borrow::Cow;

use crate::geom::{TilePos, Vec2};

use super::value::Value;

/// The name of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<'a> {
    word: &'static str,
    of: Of<'a>,
    /// Whether the field is a detail of the field before it, and present only for some values of it.
    detail: bool,
}

/// What a field belongs to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Of<'a> {
    Agent,
    /// The saved pattern of a mode, by the name of the mode.
    Mode(&'a str),
    /// A target that the agent watches, by its name.
    Target(Cow<'a, str>),
    /// A slot of the last headings.
    Slot(usize),
}

impl Field<'_> {
    /// Returns a field that every agent has.
    pub(super) fn plain(word: &'static str) -> Self {
        Self { word, of: Of::Agent, detail: false }
    }

    /// Returns true if the field is present only for some values of the field before it.
    pub fn is_detail(&self) -> bool {
        self.detail
    }

    /// Returns true if the field follows from other fields and jumps where they change slowly.
    pub fn is_derived(&self) -> bool {
        matches!(self.word, TILE_X | TILE_Y) && self.of == Of::Agent
    }
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Of::Agent => f.write_str(self.word),
            Of::Mode(mode) => write!(f, "{} (saved for mode {mode})", self.word),
            Of::Target(target) => write!(f, "{} {target}", self.word),
            Of::Slot(slot) => write!(f, "{} {slot}", self.word),
        }
    }
}

/// A field and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<'a> {
    pub field: Field<'a>,
    pub value: Value<'a>,
}

pub(super) const TILE_X: &str = "tile_x";
pub(super) const TILE_Y: &str = "tile_y";

/// Appends facts that belong to the same thing.
pub(super) struct FactWriter<'a, 'b> {
    pub facts: &'b mut Vec<Fact<'a>>,
    pub of: Of<'a>,
}

impl<'a, 'b> FactWriter<'a, 'b> {
    pub fn of_agent(facts: &'b mut Vec<Fact<'a>>) -> Self {
        Self { facts, of: Of::Agent }
    }

    pub fn add(&mut self, word: &'static str, value: Value<'a>) {
        self.push(word, value, false);
    }

    pub fn add_detail(&mut self, word: &'static str, value: Value<'a>) {
        self.push(word, value, true);
    }

    fn push(&mut self, word: &'static str, value: Value<'a>, detail: bool) {
        let field = Field { word, of: self.of.clone(), detail };
        self.facts.push(Fact { field, value });
    }
}

pub(super) fn count<'a>(number: u32) -> Value<'a> {
    Value::Whole(number.into())
}

pub(super) fn tile_or_nothing<'a>(tile: Option<TilePos>) -> Value<'a> {
    tile.map_or(Value::Nothing, Value::Tile)
}

pub(super) fn point_or_nothing<'a>(point: Option<Vec2>) -> Value<'a> {
    point.map_or(Value::Nothing, Value::Point)
}
