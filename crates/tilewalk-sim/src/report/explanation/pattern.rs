//! An agent that follows a pattern: its last step, its next step, and its program.
#![expect(missing_docs, reason = "docs/explain.md describes each field of the JSON object")]

use serde::Serialize;

use crate::agent::{Choose, Drive, Placed};
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::pattern::matrix::{self, Candidates, MatrixState};
use crate::pattern::path::PathState;
use crate::pattern::steps::{StepsState, Unit};
use crate::pattern::thrust::{self, HeadingFrom, ThrustState};
use crate::pattern::{MatrixPattern, PathPattern, StepsPattern, ThrustPattern};
use crate::words;
use crate::world::{DriveState, Flags, World};

use super::{AgentStep, Attempt};
use crate::report::{DirectionName, Tile, number};

/// The progress of an agent in its pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pattern {
    pub kind: &'static str,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub several: Option<Several>,
    pub joining: bool,
    pub finished: bool,
    /// Number of frames until the next step between tiles. 0 for a body that moves in every frame.
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

/// The position of the current pattern in the mode's list of patterns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Several {
    pub index: u16,
    pub patterns: usize,
    pub choose: &'static str,
    /// The order of the patterns: `in turn` or `at random`.
    #[serde(skip)]
    pub order: &'static str,
}

/// An agent's progress along a path pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    pub index: u32,
    pub tiles: usize,
    pub segment: usize,
    pub segments: usize,
    pub back: bool,
    pub next: Option<Tile>,
    /// The direction of the step to `next`. `None` if `next` is not a neighbour of the agent's
    /// tile.
    #[serde(skip)]
    pub way: Option<DirectionName>,
}

/// The directions that a matrix walker can choose from, and its last choice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    pub tiles: usize,
    /// Number of directions that the walker can choose from, up to 8.
    #[serde(skip)]
    pub directions: usize,
    pub came_from: Option<Tile>,
    /// The direction of the walker's last step. `None` before the first step.
    #[serde(skip)]
    pub came_by: Option<DirectionName>,
    pub choice: Option<Choice>,
    pub open: Vec<DirectionName>,
}

/// A random choice of a direction by a matrix walker.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    pub candidates: Vec<DirectionName>,
    pub picked: Option<u8>,
    pub dead_end: bool,
}

/// An agent's progress in a steps pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steps {
    pub unit: &'static str,
    /// Whether the rows move the body freely, in degrees, instead of from tile to tile.
    #[serde(skip)]
    pub is_free: bool,
    pub rows: usize,
    pub carried_out: Option<StepsRow>,
    pub next: Option<StepsRow>,
}

/// A row of a steps pattern as text, with the progress in that row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepsRow {
    pub index: u32,
    pub text: String,
    pub done: String,
}

/// An agent's progress in a thrust pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Thrust {
    pub legs: usize,
    pub carried_out: Option<Leg>,
    pub next: Option<Leg>,
}

/// A leg of a thrust pattern as text, with the movement since the leg began.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Leg {
    pub index: u32,
    pub text: String,
    pub moved: f32,
    pub turned: f32,
    pub side_share: f32,
    #[serde(skip)]
    pub thrusters: &'static str,
    #[serde(skip)]
    pub until_moved: Option<f32>,
    #[serde(skip)]
    pub until_turned: Option<f32>,
    /// The heading by which `turned` is measured, as text such as `by velocity`.
    #[serde(skip)]
    pub measured: &'static str,
}

impl AgentStep<'_> {
    pub(super) fn pattern(&self) -> Option<Pattern> {
        use crate::pattern::Pattern as Kind;
        let (world, id) = (self.now, self.agent);
        let Placed { name, pattern, .. } = world.pattern_use(id)?;
        let mut report = Pattern {
            kind: pattern.word(),
            name: name.clone(),
            several: self.several(),
            joining: world.flags(id).has(Flags::JOINING),
            finished: world.flags(id).has(Flags::FINISHED),
            due_in: 0,
            attempt: self.attempt(),
            path: None,
            matrix: None,
            steps: None,
            thrust: None,
        };
        match (world.drive_state(id), pattern.as_ref()) {
            (DriveState::Path { at, timer }, Kind::Path(path)) => {
                report.due_in = timer.due_in;
                report.path = self.path(path, at);
            }
            (DriveState::Matrix { at, timer }, Kind::Matrix(matrix)) => {
                report.due_in = timer.due_in;
                report.matrix = Some(self.matrix(matrix, at));
            }
            (DriveState::Steps { at, timer }, Kind::Steps(steps)) => {
                report.due_in = timer.due_in;
                report.steps = Some(self.steps(steps, at));
            }
            (DriveState::Thrust { at }, Kind::Thrust(thrust)) => {
                report.thrust = Some(self.thrust(thrust, at));
            }
            (_, Kind::Path(_) | Kind::Matrix(_) | Kind::Steps(_) | Kind::Thrust(_)) => {}
        }
        Some(report)
    }

    fn several(&self) -> Option<Several> {
        let Drive::Patterns { list, choose } = &self.now.mode(self.agent).drive else {
            return None;
        };
        let word = Choose::WORDS.into_iter().find(|(_, way)| way == choose);
        Some(Several {
            index: self.now.pick(self.agent),
            patterns: list.len(),
            choose: word.map_or("", |(word, _)| word),
            order: match choose {
                Choose::Cycle => "in turn",
                Choose::Random => "at random",
            },
        })
    }

    fn path(&self, path: &PathPattern, at: PathState) -> Option<Path> {
        let (_, anchor) = self.now.pattern(self.agent)?;
        let next = path.next(at).map(|next| anchor + path.tile(next));
        let map = &self.now.scenario().map;
        let here = self.now.tile(self.agent);
        let way =
            next.and_then(|next| map.direction_between(here, map.resolve(next).unwrap_or(next)));
        Some(Path {
            index: at.index,
            tiles: path.tiles().len(),
            segment: path.segment(at),
            segments: path.segments(),
            back: at.back,
            next: next.map(|next| self.on_map(next)),
            way: way.map(DirectionName),
        })
    }

    fn matrix(&self, matrix: &MatrixPattern, at: MatrixState) -> Matrix {
        let here = self.now.tile(self.agent);
        let open = self.now.candidates(self.agent);
        Matrix {
            tiles: matrix.tiles().len(),
            directions: matrix.directions().len(),
            came_from: at.came_by.map(|way| self.on_map(here.neighbour(way.turned(4)))),
            came_by: at.came_by.map(DirectionName),
            choice: self.why.and_then(|why| why.choice.as_ref()).map(Choice::of),
            open: open
                .iter()
                .flat_map(Candidates::directions)
                .copied()
                .map(DirectionName)
                .collect(),
        }
    }

    fn steps(&self, steps: &StepsPattern, at: StepsState) -> Steps {
        let row = |at: StepsState| {
            steps.row(at).map(|row| StepsRow {
                index: at.row,
                text: words::steps_row(row, steps.unit),
                done: words::steps_done(steps.unit, row, at),
            })
        };
        let is_free = steps.unit == Unit::Degrees;
        let moved = is_free || self.why.is_some_and(|why| why.attempt.is_some());
        let before = self.drive_before().filter(|_| moved);
        let carried_out =
            if let Some(DriveState::Steps { at, .. }) = before { row(at) } else { None };
        let unit = match steps.unit {
            Unit::Notches => "notches",
            Unit::RightAngles => "right angles",
            Unit::Degrees => "degrees",
        };
        Steps { unit, is_free, rows: steps.rows.len(), carried_out, next: row(at) }
    }

    fn thrust(&self, pattern: &ThrustPattern, at: ThrustState) -> Thrust {
        let leg = |at: ThrustState| pattern.leg(at).map(|leg| Leg::of(leg, pattern, at));
        let before = self.drive_before();
        let carried_out = if let Some(DriveState::Thrust { at }) = before { leg(at) } else { None };
        Thrust { legs: pattern.legs.len(), carried_out, next: leg(at) }
    }

    /// Returns the drive state at the previous frame. Returns `None` if that frame is unknown or if
    /// the agent was then in another mode.
    fn drive_before(&self) -> Option<DriveState> {
        let (before, was) = self.before()?;
        let same = before.mode(was).key == self.now.mode(self.agent).key;
        same.then(|| before.drive_state(was))
    }
}

impl Path {
    /// Returns the position on the path as text, such as `tile 3 of 9, backward`.
    pub fn tile_text(&self) -> String {
        let back = if self.back { ", backward" } else { "" };
        format!("tile {} of {}{back}", self.index + 1, self.tiles)
    }

    /// Returns the segment of the path as text, such as `segment 2 of 4`.
    pub fn segment_text(&self) -> String {
        format!("segment {} of {}", self.segment + 1, self.segments)
    }
}

impl Choice {
    /// Creates the report on the choice of a matrix walker.
    pub fn of(choice: &matrix::Choice) -> Self {
        Self {
            candidates: choice.candidates().iter().copied().map(DirectionName).collect(),
            picked: choice.picked,
            dead_end: choice.dead_end,
        }
    }

    /// Returns the chosen direction. Returns `None` if no direction was chosen.
    pub fn taken(&self) -> Option<DirectionName> {
        self.picked.and_then(|index| self.candidates.get(usize::from(index)).copied())
    }

    /// Returns the position of the chosen direction in the list of candidates, counted from 1.
    /// Returns 0 if no direction was chosen.
    pub fn number(&self) -> usize {
        self.picked.map_or(0, |index| usize::from(index) + 1)
    }

    /// Returns the direction words of all candidates, such as `NE`.
    pub fn words(&self) -> Vec<&'static str> {
        self.candidates.iter().map(|way| way.0.word()).collect()
    }
}

impl Leg {
    fn of(leg: &thrust::Leg, pattern: &ThrustPattern, at: ThrustState) -> Self {
        Self {
            index: at.leg,
            text: words::thrust_leg(leg),
            moved: at.moved.length(),
            turned: number(at.turned),
            side_share: number(pattern.side_share(at)),
            thrusters: match (leg.port, leg.starboard) {
                (false, false) => "engine only",
                (true, false) => "port thruster",
                (false, true) => "starboard thruster",
                (true, true) => "both thrusters",
            },
            until_moved: leg.until_moved,
            until_turned: leg.until_turned,
            measured: match (pattern.heading_from, at.direction) {
                (HeadingFrom::Orientation, _) => "by orientation",
                (HeadingFrom::Velocity, Some(_)) => "by velocity",
                (HeadingFrom::Velocity, None) => "by velocity, from the next frame on",
            },
        }
    }

    /// Returns the strength of the side thrust in percent of its maximum, such as `50%`.
    pub fn share_text(&self) -> String {
        format!("{:.0}%", self.side_share.abs() * 100.0)
    }
}

/// Consecutive lines of the program that an agent follows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Program {
    /// Index of the current line in the whole program, from 0.
    pub current: usize,
    /// Index of the first entry of `lines` in the whole program, from 0.
    pub first: usize,
    /// Texts of the lines around the current line, in program order.
    pub lines: Vec<String>,
}

impl Program {
    /// Returns up to `most` lines around the current line: rows of a steps pattern, legs of a
    /// thrust pattern, or segments of a path. Returns `None` if the program has ended, or if the
    /// agent has no program.
    pub fn of(world: &World, id: AgentId, most: usize) -> Option<Self> {
        use crate::pattern::Pattern as Kind;
        let (pattern, anchor) = world.pattern(id)?;
        let around = |current: usize, count: usize| {
            let first = current.saturating_sub(most / 2).min(count.saturating_sub(most));
            first..(first + most).min(count)
        };
        match (world.drive_state(id), pattern) {
            (DriveState::Steps { at, .. }, Kind::Steps(steps)) => {
                steps.row(at)?;
                let current = at.row as usize;
                let shown = around(current, steps.rows.len());
                let rows = steps.rows[shown.clone()].iter();
                let lines = rows.map(|row| words::steps_row(row, steps.unit)).collect();
                Some(Self { current, first: shown.start, lines })
            }
            (DriveState::Thrust { at }, Kind::Thrust(thrust)) => {
                thrust.leg(at)?;
                let current = at.leg as usize;
                let shown = around(current, thrust.legs.len());
                let lines = thrust.legs[shown.clone()].iter().map(words::thrust_leg).collect();
                Some(Self { current, first: shown.start, lines })
            }
            (DriveState::Path { at, .. }, Kind::Path(path)) => {
                let corners: Vec<TilePos> = path.corners().map(|tile| anchor + tile).collect();
                let closing = corners.first().filter(|_| path.rules().closed);
                let ends = corners.iter().skip(1).chain(closing);
                let current = path.segment(at);
                let shown = around(current, path.segments());
                let segments = corners.iter().zip(ends).skip(shown.start).take(shown.len());
                let line = |(from, to)| {
                    let (from, to) = if at.back { (to, from) } else { (from, to) };
                    format!("{from} → {to}")
                };
                Some(Self { current, first: shown.start, lines: segments.map(line).collect() })
            }
            (_, Kind::Path(_) | Kind::Matrix(_) | Kind::Steps(_) | Kind::Thrust(_)) => None,
        }
    }
}
