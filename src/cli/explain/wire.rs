//! What `explain --json` prints, field by field as docs/explain.md has it; the text for people is
//! made of the same.
//!
//! Fields may be added, never changed or taken away. Lengths are in tiles, angles in degrees,
//! clockwise; numbers are the shortest text that reads back to the same f32.

use serde::Serialize;

/// A pair: a position, a vector.
pub(super) type Pair = [f32; 2];

/// A tile.
pub(super) type Tile = [i32; 2];

/// Why an agent moved as it did on the way to a frame.
#[derive(Debug, Serialize)]
pub(super) struct Explained {
    pub file: String,
    pub title: String,
    pub frame: u64,
    pub time: f32,
    pub seed: u64,
    pub agent: String,
    pub mode: String,
    pub drive: &'static str,
    pub frames_in_mode: u32,
    pub time_in_mode: f32,
    pub before: Option<State>,
    pub now: State,
    pub max_speed: f32,
    pub flags: Vec<&'static str>,
    pub touches: Option<Tile>,
    pub obstruction: Option<Obstruction>,
    pub rules: Vec<Rule>,
    pub steering: Option<Steering>,
    pub pattern: Option<Pattern>,
    pub target: Option<Target>,
    pub events: Vec<Event>,
}

/// Where an agent is and how it moves; named as in a trace.
#[derive(Debug, Serialize)]
pub(super) struct State {
    pub mode: String,
    pub x: f32,
    pub y: f32,
    pub vx: f32,
    pub vy: f32,
    pub speed: f32,
    pub heading: f32,
    pub angular_velocity: f32,
    pub tile_x: i32,
    pub tile_y: i32,
}

/// Why a step was refused.
#[derive(Debug, Serialize)]
pub(super) struct Obstruction {
    pub reason: &'static str,
    pub tile: Option<Tile>,
    pub agent: Option<String>,
    pub text: String,
}

/// A rule that may change the mode, as it was tried before the step.
#[derive(Debug, Serialize)]
pub(super) struct Rule {
    pub to: String,
    pub when: String,
    pub holds: bool,
    pub parts: Vec<Part>,
}

/// A part of a condition.
#[derive(Debug, Serialize)]
pub(super) struct Part {
    pub text: String,
    pub holds: bool,
    pub value: Option<f64>,
}

/// What a vehicle wished.
#[derive(Debug, Serialize)]
pub(super) struct Steering {
    pub combine: &'static str,
    pub max_force: f32,
    pub max_turn_accel: f32,
    pub force: Pair,
    pub turn: f32,
    pub rows: Vec<Row>,
}

/// A row of the force ledger.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    #[serde(rename = "do")]
    pub behaviour: &'static str,
    pub raw: Wish,
    pub weight: f32,
    pub accepted: Wish,
    pub state: &'static str,
    pub die: Option<f32>,
    pub probability: Option<f32>,
    pub total: Wish,
    pub looked_at: Vec<Note>,
}

/// A force and a turn.
#[derive(Debug, Serialize)]
pub(super) struct Wish {
    pub force: Pair,
    pub turn: f32,
}

/// What a behaviour looked at.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Note {
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

/// A round obstacle.
#[derive(Debug, Serialize)]
pub(super) struct Obstacle {
    pub at: Pair,
    pub radius: f32,
}

/// What a walker by a pattern did and will do.
#[derive(Debug, Serialize)]
pub(super) struct Pattern {
    pub kind: &'static str,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub several: Option<Several>,
    pub joining: bool,
    pub finished: bool,
    /// Of the next step on tiles; free bodies move in every frame.
    pub due_in: u32,
    pub attempt: Option<Attempt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Steps>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thrust: Option<Thrust>,
}

/// Which of several patterns it is.
#[derive(Debug, Serialize)]
pub(super) struct Several {
    pub index: u16,
    pub patterns: usize,
    pub choose: &'static str,
}

/// What a walker to or from a target did and will do.
#[derive(Debug, Serialize)]
pub(super) struct Target {
    pub kind: &'static str,
    pub name: String,
    /// The tile it goes to or from; none as long as there is no target.
    pub at: Option<Tile>,
    pub due_in: u32,
    pub attempt: Option<Attempt>,
    pub next: Option<Tile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chase: Option<Chase>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight: Option<Flight>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journey: Option<Journey>,
}

/// The straight line a chaser walks along.
#[derive(Debug, Serialize)]
pub(super) struct Chase {
    pub aimed_from: Tile,
    pub step: u32,
    pub steps: u32,
}

/// How far off who flees is.
#[derive(Debug, Serialize)]
pub(super) struct Flight {
    pub distance: f32,
}

/// How far a traveller is.
#[derive(Debug, Serialize)]
pub(super) struct Journey {
    pub arrived: bool,
    pub planned_from: Tile,
    pub step: u32,
    /// Not known before its first step is due, nor without a way.
    pub steps: Option<usize>,
    pub cost: Option<f64>,
    pub cost_left: Option<f64>,
    /// Does it go round somebody?
    pub detour: bool,
}

/// A step on tiles that was due.
#[derive(Debug, Serialize)]
pub(super) struct Attempt {
    #[serde(rename = "for")]
    pub purpose: &'static str,
    pub way: Option<&'static str>,
    pub to: Option<Tile>,
    pub refused: Option<Obstruction>,
}

/// How far a path walker is.
#[derive(Debug, Serialize)]
pub(super) struct Path {
    pub index: u32,
    pub tiles: usize,
    pub segment: usize,
    pub segments: usize,
    pub back: bool,
    pub next: Option<Tile>,
}

/// What a matrix walker chose, and what is open to it now.
#[derive(Debug, Serialize)]
pub(super) struct Matrix {
    pub tiles: usize,
    pub came_from: Option<Tile>,
    pub choice: Option<Choice>,
    pub open: Vec<&'static str>,
}

/// A choice of a matrix walker.
#[derive(Debug, Serialize)]
pub(super) struct Choice {
    pub candidates: Vec<&'static str>,
    pub picked: Option<u8>,
    pub dead_end: bool,
}

/// How far a walker by control rows is.
#[derive(Debug, Serialize)]
pub(super) struct Steps {
    pub unit: &'static str,
    pub rows: usize,
    pub carried_out: Option<StepsRow>,
    pub next: Option<StepsRow>,
}

/// A control row.
#[derive(Debug, Serialize)]
pub(super) struct StepsRow {
    pub index: u32,
    pub text: String,
    pub done: String,
}

/// How far a craft is in its legs.
#[derive(Debug, Serialize)]
pub(super) struct Thrust {
    pub legs: usize,
    pub carried_out: Option<Leg>,
    pub next: Option<Leg>,
}

/// A leg, and how far the craft came and turned in it.
#[derive(Debug, Serialize)]
pub(super) struct Leg {
    pub index: u32,
    pub text: String,
    pub moved: f32,
    pub turned: f32,
    pub side_share: f32,
}

/// What happened to the agent on the way to the frame.
#[derive(Debug, Serialize)]
pub(super) struct Event {
    pub event: &'static str,
    pub text: String,
}
