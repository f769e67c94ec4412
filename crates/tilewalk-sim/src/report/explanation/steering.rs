//! The force breakdown of a steered agent. For each behaviour, the breakdown contains the desired
//! output, the applied output, and the facts that the behaviour sensed.
#![expect(missing_docs, reason = "docs/explain.md describes each field of the JSON object")]

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::agent::Drive;
use crate::geom::Vec2;
use crate::map::Obstacle;
use crate::scenario::Scenario;
use crate::steering::combine::Combine;
use crate::steering::note::{NoteReport, NoteValue, Role};
use crate::steering::{self, BreakdownRow, ForceBreakdown, LIMIT, RowState};
use crate::words;
use crate::world::World;

use super::AgentStep;
use crate::report::{Pair, degrees, number, pair, point};

/// An agent's steering at a frame. Includes the output of each behaviour if the step was explained.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steering {
    pub combine: &'static str,
    pub max_force: f32,
    pub max_turn_accel: f32,
    pub force: Pair,
    pub turn: f32,
    /// The behaviours in the force breakdown, in order of evaluation. Empty if the step was not
    /// explained.
    pub rows: Vec<BehaviourReport>,
    /// All behaviours of the mode, as listed in the map file.
    #[serde(skip)]
    pub list: Vec<Listed>,
    /// Whether any behaviour in `list` turns the body.
    #[serde(skip)]
    pub is_oriented: bool,
}

/// A behaviour as listed in the map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    pub behaviour: &'static str,
    pub targets: Vec<String>,
    pub weight: f32,
    /// Probability that the behaviour is evaluated in a frame, from 0 to 1. `None` unless the
    /// combination is `dithered`.
    pub probability: Option<f32>,
    /// Whether the behaviour turns the body instead of pushing it.
    pub is_angular: bool,
}

/// A behaviour in the force breakdown, with its desired and applied output.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BehaviourReport {
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
    pub looked_at: Vec<NoteReport>,
}

/// A steering output: a force, and an angular acceleration in degrees/s².
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Output {
    pub force: Pair,
    pub turn: f32,
}

fn state_word<S: Serializer>(state: &RowState, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(state.words())
}

impl AgentStep<'_> {
    pub(super) fn steering(&self) -> Option<Steering> {
        let drive = &self.now.mode(self.agent).drive;
        // Manual control moves a vehicle in any mode.
        let driven = self.why.is_some_and(|why| !why.forces.rows.is_empty());
        let combine = if let Drive::Steer { combine, .. } = drive {
            combine.word()
        } else if driven || matches!(drive, Drive::Keys { on_tiles: false }) {
            steering::manual::MANUAL_CONTROL
        } else {
            return None;
        };
        let body = self.now.body(self.agent);
        let Output { force, turn } =
            Output::of(self.why.map_or(steering::SteeringOutput::NONE, |why| why.output));
        let scenario = self.now.scenario();
        let list = drive.steering();
        let rows = self.why.map_or_else(Vec::new, |why| {
            let rows = why.forces.rows.iter().enumerate();
            rows.map(|(index, row)| BehaviourReport::of(row, index, &why.forces, self.now))
                .collect()
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
    /// Returns the applied force and the force limit as text, such as `11.13 of 12 ↓`. Omits the
    /// arrow if the force rounds to zero.
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

    /// Returns text such as `largest force: seek`, or `no force applied`.
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

    /// Returns the magnitude of the force, without the turn.
    pub fn length(&self) -> f32 {
        Vec2::from_array(self.force).length()
    }

    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns the force and the turn multiplied by a factor.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Self {
        let [x, y] = self.force;
        Self { force: [x * factor, y * factor], turn: self.turn * factor }
    }

    /// Formats the turn in degrees/s², or the force vector if the turn is zero.
    pub fn vector_text(&self) -> String {
        self.turn_text().unwrap_or_else(|| point(self.force))
    }

    /// Formats the turn in degrees/s², or the magnitude of the force if the turn is zero.
    pub fn strength_text(&self) -> String {
        self.turn_text().unwrap_or_else(|| format!("{:.2}", self.length()))
    }

    fn turn_text(&self) -> Option<String> {
        (self.turn != 0.0).then(|| words::turn(self.turn, "°/s²"))
    }
}

impl Listed {
    fn of(row: &steering::WeightedBehaviour, dithered: bool, scenario: &Scenario) -> Self {
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

impl Steering {
    /// Removes the cells and candidates of neighbour searches from all behaviours.
    pub fn omit_search(&mut self) {
        self.rows.iter_mut().for_each(BehaviourReport::omit_search);
    }
}

impl BehaviourReport {
    fn of(row: &BreakdownRow, index: usize, breakdown: &ForceBreakdown, world: &World) -> Self {
        let (die, probability) = if let RowState::DitheredOut { drawn, probability } = row.state {
            (Some(drawn), Some(probability))
        } else {
            (None, None)
        };
        let name = |id| world.name(id).to_string();
        let wall = |id| words::wall(&world.scenario().map, id);
        let absent =
            |target| [words::target(target, world.scenario()), words::absent_target(target, world)];
        let notes = breakdown.notes.iter().filter(|(of, _)| *of == index);
        Self {
            behaviour: row.behaviour,
            raw: Output::of(row.raw),
            weight: row.weight,
            accepted: Output::of(row.accepted),
            state: row.state,
            die,
            probability,
            total: Output::of(row.total),
            looked_at: notes.map(|(_, note)| note.report(name, wall, absent)).collect(),
        }
    }

    /// Returns true if the behaviour was evaluated in this frame.
    pub fn was_asked(&self) -> bool {
        match self.state {
            RowState::Accepted | RowState::Cut | RowState::Zero => true,
            RowState::NoRoom | RowState::Disabled | RowState::DitheredOut { .. } => false,
        }
    }

    /// Describes why the behaviour's output was applied, shortened or skipped. `most` is the
    /// maximum force of the body.
    pub fn reason(&self, most: f32) -> String {
        match self.state {
            RowState::Accepted => "accepted: applied in full".to_owned(),
            RowState::Cut => {
                format!("cut: applied {:.2}, force limit {most}", self.accepted.length())
            }
            RowState::NoRoom => format!("no room: earlier behaviours reached the limit {most}"),
            RowState::Zero => "zero: no steering output".to_owned(),
            RowState::DitheredOut { drawn, probability } => {
                format!("dithered out: random number {drawn:.2} ≥ {probability:.2}")
            }
            RowState::Disabled => "disabled: turned off in the file".to_owned(),
        }
    }

    /// Describes the sensed inputs of the behaviour, with one text per input. All members of a
    /// target group share one text at the end, and so do all neighbours.
    pub fn inputs(&self) -> Vec<String> {
        let is_input =
            |note: &&NoteReport| matches!(note.role, Role::Input | Role::Absent | Role::HalfPlane);
        let inputs = self.looked_at.iter().filter(is_input);
        let mut texts: Vec<_> = inputs.map(|note| note.text.clone()).collect();
        texts.extend(self.names_of(Role::Member, "member"));
        texts.extend(self.names_of(Role::Neighbour, "neighbour"));
        texts
    }

    /// Describes the search for neighbours: the searched cells, and the agents in them. Empty if
    /// the behaviour uses no neighbours.
    pub fn search(&self) -> Vec<String> {
        let mut texts: Vec<_> = self.of_role(Role::Cells).map(|note| note.text.clone()).collect();
        texts.extend(self.names_of(Role::Candidate, "candidate"));
        texts
    }

    fn omit_search(&mut self) {
        self.looked_at.retain(|note| !matches!(note.role, Role::Cells | Role::Candidate));
    }

    fn of_role(&self, role: Role) -> impl Iterator<Item = &NoteReport> {
        self.looked_at.iter().filter(move |note| note.role == role)
    }

    /// Returns the number and the texts of the agents in a role. Returns `None` if no agent has the
    /// role.
    fn names_of(&self, role: Role, noun: &str) -> Option<String> {
        let names: Vec<_> = self.of_role(role).map(|note| note.text.as_str()).collect();
        let count = words::count(names.len() as u64, noun);
        (!names.is_empty()).then(|| format!("{count}: {}", names.join(", ")))
    }

    /// Returns a short text for each input with a position, for each absent target and for each
    /// half-plane, one for all members of a target group, and one for the number of neighbours.
    pub fn short_inputs(&self) -> Vec<String> {
        let short = |note: &NoteReport| match note.role {
            Role::Absent | Role::HalfPlane => Some(note.text.clone()),
            Role::Input | Role::Member | Role::Neighbour | Role::Cells | Role::Candidate => {
                note.short.map(|(name, at)| format!("{name} at {}", words::point(at)))
            }
        };
        let mut texts: Vec<_> = self.looked_at.iter().filter_map(short).collect();
        texts.extend(self.names_of(Role::Member, "member"));
        let count = self.of_role(Role::Neighbour).count();
        if count > 0 {
            texts.push(words::count(count as u64, "neighbour"));
        }
        texts
    }
}

impl Serialize for NoteReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1 + self.fields.len()))?;
        map.serialize_entry("kind", self.kind)?;
        for (name, value) in &self.fields {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for NoteValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_none(),
            Self::Number(number) => serializer.serialize_f32(*number),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Point(at) => pair(*at).serialize(serializer),
            Self::Tile(tile) => [tile.x, tile.y].serialize(serializer),
            Self::Agent(name) | Self::Target(name) | Self::Wall(name) => {
                serializer.serialize_str(name)
            }
            Self::Obstacle(Obstacle { centre, radius, opaque: _ }) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("at", &pair(*centre))?;
                map.serialize_entry("radius", radius)?;
                map.end()
            }
        }
    }
}
