//! The report of a note: its fields in JSON and its texts.

use crate::geom::Vec2;
use crate::geom::vector::point_text;
use crate::map::Obstacle;

/// The JSON fields of a note, and its description as text.
#[derive(Debug, Clone, PartialEq)]
pub struct NoteReport {
    /// Value of `kind` in JSON, such as `hiding_spot`.
    pub kind: &'static str,
    /// Names and values of the fields in JSON.
    pub fields: Vec<(&'static str, NoteValue)>,
    /// Description of the note. For a neighbour or a candidate, the name of the agent.
    pub text: String,
    /// Role of the note. Reports combine notes of the same role.
    pub role: Role,
    /// Name and position of the note in short reports; `None` if short reports omit the note. The
    /// position is in tiles.
    pub short: Option<(&'static str, Vec2)>,
}

/// The role of a note, which determines its presentation in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A perceived value, reported in a sentence of its own.
    Input,
    /// A neighbour. One sentence lists all neighbours.
    Neighbour,
    /// The cells that the search for neighbours visited. Reported only on request.
    Cells,
    /// An agent in the searched cells. Reported only on request; one sentence lists all candidates.
    Candidate,
}

/// The value of a note's field in JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum NoteValue {
    /// The field has no value, such as the hit of a feeler that touches nothing.
    Nothing,
    /// A length in tiles, or an angle in degrees.
    Number(f32),
    /// A boolean field, such as `chosen`.
    Flag(bool),
    /// A position, in tiles.
    Point(Vec2),
    /// The name of an agent.
    Agent(String),
    /// A round obstacle.
    Obstacle(Obstacle),
    /// The name of a free wall.
    Wall(String),
}

impl NoteReport {
    pub(super) fn new<const N: usize>(
        kind: &'static str,
        fields: [(&'static str, NoteValue); N],
        text: String,
    ) -> Self {
        Self { kind, fields: fields.into(), text, role: Role::Input, short: None }
    }

    /// Creates the report of a position. Short reports include the position under the name `kind`.
    pub(super) fn point(kind: &'static str, at: Vec2) -> Self {
        let text = format!("{kind} {}", point_text(at));
        Self::new(kind, [("at", NoteValue::Point(at))], text).short(kind, Some(at))
    }

    /// Creates the report of a feeler between two points. `wall` is the name of the free wall that
    /// the feeler hits.
    pub(super) fn feeler([from, to]: [Vec2; 2], hit: Option<Vec2>, wall: Option<String>) -> Self {
        use NoteValue::{Nothing, Point};
        let whose = wall.as_ref().map_or_else(String::new, |wall| format!(" {wall}"));
        let contact = hit.map(|hit| format!("hit{whose} at {}", point_text(hit)));
        let contact = contact.as_deref().unwrap_or("no hit");
        let text = format!("feeler to {}: {contact}", point_text(to));
        let fields = [
            ("from", Point(from)),
            ("to", Point(to)),
            ("hit", hit.map_or(Nothing, Point)),
            ("wall", wall.map_or(Nothing, NoteValue::Wall)),
        ];
        Self::new("feeler", fields, text).short("feeler hit", hit)
    }

    pub(super) fn short(self, name: &'static str, at: Option<Vec2>) -> Self {
        Self { short: at.map(|at| (name, at)), ..self }
    }
}
