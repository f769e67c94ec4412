//! A field with its value, and a writer that collects facts.

use core::fmt;
use std::borrow::Cow;

use crate::geom::{TilePos, Vec2};

use super::value::Value;

/// The name of a field, and the part of the state that the field belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<'a> {
    word: &'static str,
    of: Of<'a>,
    /// Whether the field is a detail of the previous field, present only for some values of that
    /// field.
    detail: bool,
}

/// The part of the state that a field belongs to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Of<'a> {
    Agent,
    /// The saved pattern of the mode with the given name.
    Mode(&'a str),
    /// The watched target with the given name.
    Target(Cow<'a, str>),
    /// The slot with the given index in the list of recent headings.
    Slot(usize),
}

impl Field<'_> {
    /// Creates a field that every agent has.
    pub(super) fn plain(word: &'static str) -> Self {
        Self { word, of: Of::Agent, detail: false }
    }

    /// Returns true if the field is present only for some values of the previous field.
    pub fn is_detail(&self) -> bool {
        self.detail
    }

    /// Returns true if the field is derived from other fields and can jump while those change
    /// slowly.
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

/// A field of an agent's state, with the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<'a> {
    pub field: Field<'a>,
    pub value: Value<'a>,
}

pub(super) const TILE_X: &str = "tile_x";
pub(super) const TILE_Y: &str = "tile_y";

/// Appends facts that all belong to `of`.
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
