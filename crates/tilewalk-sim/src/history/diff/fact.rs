//! Facts: fields with their values. A writer collects the facts of an agent.

use core::fmt;
use std::borrow::Cow;

use crate::event::Obstruction;
use crate::map::StepError;
use crate::steering::memory::{Memory, Remembered};
use crate::world::World;
use crate::world::saved::{SavedPart, SavedVisitor};

use super::value::Value;

/// The name of a field, and the part of the state that the field belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<'a> {
    word: &'static str,
    of: Of<'a>,
    /// Whether the field exists only for some values of the previous field.
    detail: bool,
}

/// The part of the state that a field belongs to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Of<'a> {
    Agent,
    /// The saved pattern of the mode with the given name.
    Mode(&'a str),
    /// The perceived target with the given name.
    Target(Cow<'a, str>),
    /// The slot with the given index in the list of recent headings.
    Slot(usize),
}

impl Field<'_> {
    /// Creates a field that every agent has.
    pub(super) fn plain(word: &'static str) -> Self {
        Self { word, of: Of::Agent, detail: false }
    }

    /// Returns true if the field exists only for some values of the previous field.
    pub fn is_detail(&self) -> bool {
        self.detail
    }

    /// Returns true if the field is computed from other fields. A derived field can jump while the
    /// others change slowly.
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

/// Appends facts whose fields all belong to `of`.
pub(super) struct FactWriter<'a, 'b> {
    pub facts: &'b mut Vec<Fact<'a>>,
    pub of: Of<'a>,
    pub world: &'a World,
}

impl<'a> FactWriter<'a, '_> {
    fn push(&mut self, word: &'static str, value: Value<'a>, detail: bool) {
        let field = Field { word, of: self.of.clone(), detail };
        self.facts.push(Fact { field, value });
    }
}

impl SavedVisitor for FactWriter<'_, '_> {
    const VISITS_MISSING: bool = false;

    fn part(&mut self, name: &'static str, part: SavedPart) {
        self.push(name, part.into(), false);
    }

    fn detail(&mut self, name: &'static str, part: SavedPart) {
        self.push(name, part.into(), true);
    }

    fn memory(&mut self, memory: &Memory) {
        for each in memory.values() {
            let part = match each.value {
                Remembered::Point(point) => SavedPart::MaybePoint(point),
                Remembered::Index(index) => SavedPart::Count(index),
                Remembered::Problem(is_set) => SavedPart::Yes(is_set),
            };
            self.detail(each.name, part);
        }
    }

    fn obstruction(&mut self, name: &'static str, reason: Option<Obstruction>) {
        let (word, tile) = match reason {
            None => ("none", None),
            Some(Obstruction::Ground(StepError::Edge)) => ("map edge", None),
            Some(Obstruction::Ground(StepError::Wall(at))) => ("wall", Some(at)),
            Some(Obstruction::Ground(StepError::Obstacle(at))) => ("obstacle", Some(at)),
            Some(Obstruction::Ground(StepError::FreeWall(at, _))) => ("free wall", Some(at)),
            Some(Obstruction::Ground(StepError::Corner(at))) => ("corner", Some(at)),
            Some(Obstruction::Agent(_)) => ("agent", None),
            Some(Obstruction::NoRoute) => ("no route", None),
            Some(Obstruction::NoWay) => ("no open tile", None),
        };
        self.push(name, Value::Word(word.into()), false);
        self.detail("blocking tile", SavedPart::MaybeTile(tile));
        if let Some(Obstruction::Agent(id)) = reason {
            let agent = self.world.name(id).to_string();
            self.push("blocking agent", Value::Word(agent.into()), true);
        }
    }
}

impl From<SavedPart> for Value<'_> {
    fn from(part: SavedPart) -> Self {
        match part {
            SavedPart::Word(_, word) => Self::Word(word.into()),
            SavedPart::Count(count) => Self::Whole(count.into()),
            SavedPart::Yes(yes) => Self::Yes(yes),
            SavedPart::Flags(flags) => Self::Flags(flags),
            SavedPart::Number(number) => Self::Number(number),
            SavedPart::Point(point) | SavedPart::MaybePoint(Some(point)) => Self::Point(point),
            SavedPart::Tile(tile) | SavedPart::MaybeTile(Some(tile)) => Self::Tile(tile),
            SavedPart::MaybePoint(None) | SavedPart::MaybeTile(None) => Self::Nothing,
        }
    }
}
