//! The force breakdown of a steered agent: the desired and the applied output of each behaviour,
//! and what the behaviour sensed.
#![expect(missing_docs, reason = "docs/explain.md describes each field of the JSON object")]

use serde::{Serialize, Serializer};

use crate::agent::Drive;
use crate::geom::{Vec2, heading};
use crate::scenario::Scenario;
use crate::steering::combine::Combine;
use crate::steering::{self, BreakdownRow, ForceBreakdown, LIMIT, RowState};
use crate::words;

use super::AgentStep;
use crate::report::{Pair, degrees, number, pair, point};

/// An agent's steering at a frame: its behaviours, and their outputs if explained.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steering {
    pub combine: &'static str,
    pub max_force: f32,
    pub max_turn_accel: f32,
    pub force: Pair,
    pub turn: f32,
    /// The behaviours in the force breakdown, in order. Empty without an explanation.
    pub rows: Vec<Row>,
    /// The behaviours as listed in the map.
    #[serde(skip)]
    pub list: Vec<Listed>,
    /// Whether any behaviour turns the body.
    #[serde(skip)]
    pub is_oriented: bool,
}

/// A behaviour as listed in the map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    pub behaviour: &'static str,
    pub targets: Vec<String>,
    pub weight: f32,
    /// Probability that the behaviour is evaluated. `None` unless the combination is dithered.
    pub probability: Option<f32>,
    /// Whether the behaviour turns the body instead of pushing it.
    pub is_angular: bool,
}

/// A behaviour in the force breakdown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    #[serde(rename = "do")]
    pub behaviour: &'static str,
    pub raw: Output,
    pub weight: f32,
    pub accepted: Output,
    #[serde(serialize_with = "state_word")]
    pub state: RowState,
    pub die: Option<f32>,
    pub probability: Option<f32>,
    pub total: Output,
    pub looked_at: Vec<Note>,
}

/// A force, and an angular acceleration in degrees/s².
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Output {
    pub force: Pair,
    pub turn: f32,
}

/// An input that a behaviour sensed, such as the position of its target.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    Target { at: Pair },
    Predicted { at: Pair },
    Facing { heading: f32 },
    HidingSpot { at: Pair, chosen: bool },
    Segment { from: Pair, to: Pair },
    Waypoint { at: Pair },
    Neighbourhood { radius: f32, angle: Option<f32> },
    Neighbour { agent: String },
    Feeler { from: Pair, to: Pair, hit: Option<Pair> },
    DetectionBox { from: Pair, to: Pair, half_width: f32, hit: Option<Obstacle> },
    WanderCircle { centre: Pair, radius: f32, point: Pair },
}

/// A round obstacle in the detection box of an agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Obstacle {
    pub at: Pair,
    pub radius: f32,
}

fn state_word<S: Serializer>(state: &RowState, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(state.words())
}

impl AgentStep<'_> {
    pub(super) fn steering(&self) -> Option<Steering> {
        let drive = &self.now.mode(self.agent).drive;
        // Manual control moves a vehicle in any mode.
        let driven = self.why.is_some_and(|why| !why.ledger.rows.is_empty());
        let combine = if let Drive::Steer { combine, .. } = drive {
            combine.word()
        } else if driven || matches!(drive, Drive::Keys { on_tiles: false }) {
            steering::manual::KEYS
        } else {
            return None;
        };
        let body = self.now.body(self.agent);
        let Output { force, turn } =
            Output::of(self.why.map_or(steering::SteeringOutput::NONE, |why| why.wish));
        let scenario = self.now.scenario();
        let list = drive.steering();
        let rows = self.why.map_or_else(Vec::new, |why| {
            let rows = why.ledger.rows.iter().enumerate();
            rows.map(|(index, row)| Row::of(row, index, &why.ledger, scenario)).collect()
        });
        Some(Steering {
            combine,
            max_force: number(body.max_force),
            max_turn_accel: degrees(body.max_turn_accel),
            force,
            turn,
            rows,
            list: list
                .iter()
                .map(|row| Listed::of(row, combine == Combine::Dithered.word(), scenario))
                .collect(),
            is_oriented: steering::is_oriented(list),
        })
    }
}

impl Steering {
    /// Returns text such as `11.13 of 12 ↓`. Omits the arrow if the force rounds to zero.
    pub fn force_text(&self) -> String {
        let force = Vec2::from_array(self.force);
        let length = format!("{:.2}", force.length());
        let most = self.max_force;
        if length == "0.00" {
            format!("0.00 of {most}")
        } else {
            format!("{length} of {most} {}", words::arrow(force))
        }
    }

    /// Returns text that names the behaviour with the largest applied force.
    pub fn largest(&self) -> String {
        let rows = self.rows.iter().filter(|row| row.behaviour != LIMIT);
        let largest = rows.max_by(|a, b| a.accepted.length().total_cmp(&b.accepted.length()));
        match largest.filter(|row| row.accepted.length() > 0.0) {
            None => "no force applied".to_owned(),
            Some(row) => format!("largest force: {}", row.behaviour),
        }
    }
}

impl Output {
    const NONE: Self = Self { force: [0.0; 2], turn: 0.0 };

    fn of(output: steering::SteeringOutput) -> Self {
        Self { force: pair(output.force), turn: degrees(output.turn) }
    }

    /// Returns the magnitude of the force.
    pub fn length(&self) -> f32 {
        Vec2::from_array(self.force).length()
    }

    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns the output multiplied by a factor.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Self {
        let [x, y] = self.force;
        Self { force: [x * factor, y * factor], turn: self.turn * factor }
    }

    /// Formats the turn, or the force vector if the turn is zero.
    pub fn vector_text(&self) -> String {
        self.turn_text().unwrap_or_else(|| point(self.force))
    }

    /// Formats the turn, or the magnitude of the force if the turn is zero.
    pub fn strength_text(&self) -> String {
        self.turn_text().unwrap_or_else(|| format!("{:.2}", self.length()))
    }

    fn turn_text(&self) -> Option<String> {
        (self.turn != 0.0).then(|| words::turn(self.turn, "°/s²"))
    }
}

impl Listed {
    fn of(row: &steering::Row, dithered: bool, scenario: &Scenario) -> Self {
        let targets = [row.target, row.other].into_iter().flatten();
        Self {
            behaviour: row.behaviour.word(),
            targets: targets.map(|target| words::target(target, scenario)).collect(),
            weight: row.weight,
            probability: dithered.then_some(row.probability),
            is_angular: row.behaviour.is_angular(),
        }
    }
}

impl Row {
    fn of(row: &BreakdownRow, index: usize, ledger: &ForceBreakdown, scenario: &Scenario) -> Self {
        let draw = match row.state {
            RowState::DitheredOut { die, probability } => Some((die, probability)),
            RowState::Accepted
            | RowState::Cut
            | RowState::NoRoom
            | RowState::Zero
            | RowState::Disabled => None,
        };
        let notes = ledger.notes.iter().filter(|(of, _)| *of == index);
        Self {
            behaviour: row.behaviour,
            raw: Output::of(row.raw),
            weight: row.weight,
            accepted: Output::of(row.accepted),
            state: row.state,
            die: draw.map(|(die, _)| die),
            probability: draw.map(|(_, probability)| probability),
            total: Output::of(row.total),
            looked_at: notes.map(|(_, note)| Note::of(note, scenario)).collect(),
        }
    }

    /// Returns true if the behaviour was evaluated.
    pub fn was_asked(&self) -> bool {
        match self.state {
            RowState::Accepted | RowState::Cut | RowState::Zero => true,
            RowState::NoRoom | RowState::Disabled | RowState::DitheredOut { .. } => false,
        }
    }

    /// Explains the applied force. `most` is the maximum force of the body.
    pub fn reason(&self, most: f32) -> String {
        match self.state {
            RowState::Accepted => "accepted: applied in full".to_owned(),
            RowState::Cut => {
                format!("cut: applied {:.2}, force limit {most}", self.accepted.length())
            }
            RowState::NoRoom => format!("no room: earlier behaviours reached the limit {most}"),
            RowState::Zero => "zero: no steering output".to_owned(),
            RowState::DitheredOut { die, probability } => {
                format!("dithered out: random number {die:.2} ≥ {probability:.2}")
            }
            RowState::Disabled => "disabled: turned off in the file".to_owned(),
        }
    }

    /// Describes what the behaviour sensed, one entry per input. All neighbours share the last
    /// entry.
    pub fn inputs(&self) -> Vec<String> {
        let neighbours = self.neighbours();
        let mut texts: Vec<_> = self.looked_at.iter().filter_map(Note::text).collect();
        if !neighbours.is_empty() {
            let count = words::count(neighbours.len() as u64, "neighbour");
            texts.push(format!("{count}: {}", neighbours.join(", ")));
        }
        texts
    }

    /// Describes the most important inputs in a few words each.
    pub fn short_inputs(&self) -> Vec<String> {
        let mut texts: Vec<_> = self.looked_at.iter().filter_map(Note::short_text).collect();
        let count = self.neighbours().len();
        if count > 0 {
            texts.push(words::count(count as u64, "neighbour"));
        }
        texts
    }

    fn neighbours(&self) -> Vec<&str> {
        let mut agents = Vec::new();
        for note in &self.looked_at {
            if let Note::Neighbour { agent } = note {
                agents.push(agent.as_str());
            }
        }
        agents
    }
}

impl Note {
    fn of(note: &steering::Note, scenario: &Scenario) -> Self {
        use steering::Note as Seen;
        match *note {
            Seen::Target(at) => Self::Target { at: pair(at) },
            Seen::Predicted(at) => Self::Predicted { at: pair(at) },
            Seen::Facing(way) => Self::Facing { heading: heading::to_degrees(way) },
            Seen::HidingSpot { at, chosen } => Self::HidingSpot { at: pair(at), chosen },
            Seen::Segment { from, to } => Self::Segment { from: pair(from), to: pair(to) },
            Seen::Waypoint(at) => Self::Waypoint { at: pair(at) },
            Seen::Neighbourhood { radius, angle } => {
                Self::Neighbourhood { radius, angle: angle.map(degrees) }
            }
            Seen::Neighbour(id) => Self::Neighbour { agent: scenario.name(id).to_string() },
            Seen::Feeler { from, to, hit } => {
                Self::Feeler { from: pair(from), to: pair(to), hit: hit.map(pair) }
            }
            Seen::DetectionBox { from, to, half_width, hit } => Self::DetectionBox {
                from: pair(from),
                to: pair(to),
                half_width,
                hit: hit.map(|hit| Obstacle { at: pair(hit.centre), radius: hit.radius }),
            },
            Seen::WanderCircle { centre, radius, point } => {
                Self::WanderCircle { centre: pair(centre), radius, point: pair(point) }
            }
        }
    }

    fn text(&self) -> Option<String> {
        Some(match *self {
            Self::Target { at } => format!("target {}", point(at)),
            Self::Predicted { at } => format!("predicted position {}", point(at)),
            Self::Facing { heading } => format!("desired heading {heading:.1}°"),
            Self::HidingSpot { at, chosen } => {
                let word = if chosen { "chosen" } else { "possible" };
                format!("{word} hiding spot {}", point(at))
            }
            Self::Segment { from, to } => {
                format!("path segment {} to {}", point(from), point(to))
            }
            Self::Waypoint { at } => format!("waypoint {}", point(at)),
            Self::Neighbourhood { radius, angle } => {
                let angle = angle.map_or_else(String::new, |angle| format!(", angle {angle:.0}°"));
                format!("neighbourhood radius {radius} tiles{angle}")
            }
            Self::Neighbour { .. } => return None,
            Self::Feeler { from: _, to, hit: None } => format!("feeler to {}: no hit", point(to)),
            Self::Feeler { from: _, to, hit: Some(hit) } => {
                format!("feeler to {}: hit at {}", point(to), point(hit))
            }
            Self::DetectionBox { from: _, to, half_width, ref hit } => {
                let size = format!("detection box to {}, {:.2} wide", point(to), half_width * 2.0);
                match hit {
                    None => format!("{size}: no obstacle"),
                    Some(hit) => {
                        format!("{size}: obstacle at {}, radius {}", point(hit.at), hit.radius)
                    }
                }
            }
            Self::WanderCircle { centre, radius, point: pull } => {
                let (centre, pull) = (point(centre), point(pull));
                format!("wander circle at {centre}, radius {radius}, target point {pull}")
            }
        })
    }

    fn short_text(&self) -> Option<String> {
        let (what, at) = match self {
            Self::Target { at } => ("target", at),
            Self::Predicted { at } => ("predicted", at),
            Self::Waypoint { at } => ("waypoint", at),
            Self::HidingSpot { at, chosen: true } => ("hiding spot", at),
            Self::Feeler { hit: Some(at), .. } => ("feeler hit", at),
            Self::DetectionBox { hit: Some(Obstacle { at, .. }), .. } => ("obstacle", at),
            Self::HidingSpot { chosen: false, .. }
            | Self::Feeler { hit: None, .. }
            | Self::DetectionBox { hit: None, .. }
            | Self::Facing { .. }
            | Self::Segment { .. }
            | Self::Neighbourhood { .. }
            | Self::Neighbour { .. }
            | Self::WanderCircle { .. } => return None,
        };
        Some(format!("{what} at {}", point(*at)))
    }
}
