//! The report of a note: its fields in JSON and its texts.

use crate::geom::Vec2;
use crate::geom::vector::point_text;
use crate::map::Obstacle;

/// The fields of a note in JSON, and its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct NoteReport {
    /// Name of the kind of note in JSON.
    pub kind: &'static str,
    /// Names and values of the fields in JSON.
    pub fields: Vec<(&'static str, NoteValue)>,
    /// Description of the note, or the name of a neighbour.
    pub text: String,
    /// What the note describes.
    pub role: Role,
    /// Name and position of the note, if it is important.
    pub short: Option<(&'static str, Vec2)>,
}

/// What a note describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An input with a sentence of its own.
    Input,
    /// A neighbour. One sentence lists all neighbours.
    Neighbour,
    /// Cells of the search for neighbours. Reported only on request.
    Cells,
    /// An agent in these cells. Reported only on request, and in one sentence with the others.
    Candidate,
}

/// The value of a field of a note.
#[derive(Debug, Clone, PartialEq)]
pub enum NoteValue {
    /// No value.
    Nothing,
    /// A length in tiles, or an angle in degrees.
    Number(f32),
    /// A boolean.
    Flag(bool),
    /// A position, in tiles.
    Point(Vec2),
    /// The name of an agent.
    Agent(String),
    /// A round obstacle.
    Obstacle(Obstacle),
}

impl NoteReport {
    pub(super) fn new<const N: usize>(
        kind: &'static str,
        fields: [(&'static str, NoteValue); N],
        text: String,
    ) -> Self {
        Self { kind, fields: fields.into(), text, role: Role::Input, short: None }
    }

    /// Creates the report of an important point.
    pub(super) fn point(kind: &'static str, at: Vec2) -> Self {
        let text = format!("{kind} {}", point_text(at));
        Self::new(kind, [("at", NoteValue::Point(at))], text).short(kind, Some(at))
    }

    pub(super) fn short(self, name: &'static str, at: Option<Vec2>) -> Self {
        Self { short: at.map(|at| (name, at)), ..self }
    }
}
