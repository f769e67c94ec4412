//! A plan before it becomes a run: the poses of all agents, their goals and the events.

use std::collections::BTreeMap;

use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::scenario::limits::MAX_AGENTS;
use tilewalk_sim::scenario::run::{RunRow, RunTable};
use tilewalk_sim::trace::{FileFacts, Units, ValueColumn, Values};

use super::super::error::RunError;
use super::super::header::{PathKind, TraceOptions};
use super::{GROUP, MAX_POSITIONS};

/// The place of an agent at a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pose {
    /// Column and row, in parts of a tile: [`Plan::parts`] of them are a tile.
    pub at: [i32; 2],
    /// Quarter turns clockwise from the right, in parts of a quarter turn. `None` if the plan has
    /// no headings.
    pub turn: Option<i32>,
}

impl Pose {
    pub fn on_tile(at: [i32; 2]) -> Self {
        Self { at, turn: None }
    }
}

/// What an agent has to do from a frame on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Duty {
    pub frame: u32,
    pub goal: Option<[i32; 2]>,
    pub task: Option<i64>,
}

/// A plan.
#[derive(Debug)]
pub(super) struct Plan {
    /// Number of agents.
    pub agents: usize,
    /// Number of frames, at least 1.
    pub frames: usize,
    /// Frames per move.
    pub parts: i32,
    /// The executed poses: those of the first agent in order of frames, then those of the next.
    pub actual: Vec<Pose>,
    /// The poses that the planner wanted, in the same order. Each follows from the executed pose of
    /// the frame before. `None` if the plan has no others than the executed ones.
    pub planned: Option<Vec<Pose>>,
    /// What each agent has to do, in order of frames. Empty if the plan has no goals.
    pub duties: Vec<Vec<Duty>>,
    /// Where each agent has to start, if the plan names it apart from the paths.
    pub starts: Vec<Option<[i32; 2]>>,
    /// Frame, agent and text of each event.
    pub events: Vec<(u32, u32, String)>,
    /// File name of the map.
    pub map: Option<String>,
}

/// Describes a plan that is too large. Returns `None` if its size is valid.
pub(super) fn size_problem(agents: usize, frames: usize) -> Option<String> {
    if agents > MAX_AGENTS as usize {
        return Some(format!("more than {MAX_AGENTS} agents"));
    }
    let positions = (agents as u64).saturating_mul(frames as u64);
    (positions > MAX_POSITIONS).then(|| {
        format!("{agents} agents in {frames} frames are more than {MAX_POSITIONS} positions")
    })
}

impl Plan {
    /// Creates a plan without goals and events, whose agents stand at the centres of tiles. `poses`
    /// has the poses in the order of [`Plan::actual`].
    pub fn of_tiles(agents: usize, poses: Vec<Pose>) -> Self {
        Self {
            agents,
            frames: poses.len() / agents.max(1),
            parts: 1,
            actual: poses,
            planned: None,
            duties: Vec::new(),
            starts: Vec::new(),
            events: Vec::new(),
            map: None,
        }
    }

    /// Converts the plan to a run.
    pub fn into_table(
        self,
        label: String,
        content: (u64, u64),
        options: &TraceOptions,
    ) -> Result<RunTable, RunError> {
        let problem = size_problem(self.agents, self.frames);
        let problem = problem.or_else(|| {
            (self.agents == 0 || self.frames == 0).then(|| "the plan has no agents".to_owned())
        });
        if let Some(what) = problem {
            return Err(RunError::File { label, what });
        }
        let is_planned = options.paths == Some(PathKind::Planner);
        let planned = self.planned.as_ref().filter(|_| is_planned);
        let poses = planned.unwrap_or(&self.actual);
        let scale = (self.parts as f32).recip();
        let rows = poses.iter().enumerate().map(|(index, pose)| RunRow {
            frame: (index % self.frames) as u32,
            position: Vec2::new(pose.at[0] as f32 * scale, pose.at[1] as f32 * scale),
            velocity: Vec2::NAN,
            heading: pose
                .turn
                .map_or(Vec2::NAN, |turn| heading::from_degrees(turn as f32 * 90.0 * scale)),
            mode: 0,
        });
        let rows: Vec<RunRow> = rows.collect();
        let (texts, events) = self.texts_and_events();
        let fps = options.fps.unwrap_or_else(|| f64::from(self.parts));
        let mut columns = self.wants();
        if planned.is_some() {
            columns.extend(self.from());
        }
        columns.extend(self.duties());
        Ok(RunTable {
            label,
            file: FileFacts { content, ..FileFacts::default() },
            size: [1, 1],
            corner: None,
            units: Units::default(),
            agents: (0..self.agents).map(|agent| agent.to_string()).collect(),
            groups: vec![Some(GROUP.to_owned()); self.agents],
            modes: Vec::new(),
            tick: Some(fps.recip()),
            times: None,
            frames: self.frames as u32,
            first_rows: (0..=self.agents).map(|agent| (agent * self.frames) as u32).collect(),
            rows,
            columns,
            texts,
            events,
        })
    }

    /// Returns the tile of a pose, if the agent is at the centre of a tile.
    fn tile(&self, pose: Pose) -> Option<[i32; 2]> {
        let is_centred = pose.at.iter().all(|part| part % self.parts == 0);
        is_centred.then(|| pose.at.map(|part| part / self.parts))
    }

    /// Returns the tile that each agent enters next.
    fn wants(&self) -> Vec<ValueColumn> {
        let mut tiles = vec![[f32::NAN; 2]; self.actual.len()];
        // Between two tiles, the agent wants the one that it reaches.
        let source = self.planned.as_ref().filter(|_| self.parts == 1).unwrap_or(&self.actual);
        for agent in 0..self.agents {
            let own = agent * self.frames..(agent + 1) * self.frames;
            let mut next = None;
            for index in own.clone().rev() {
                tiles[index] =
                    next.map_or([f32::NAN; 2], |tile: [i32; 2]| tile.map(|it| it as f32));
                if index + 1 == own.end {
                    let last = self.tile(self.actual[index]);
                    tiles[index] = last.map_or([f32::NAN; 2], |tile| tile.map(|it| it as f32));
                }
                next = self.tile(source[index]).or(next);
            }
        }
        pair("wants", &tiles)
    }

    /// Returns the tile on which each agent was one step earlier.
    fn from(&self) -> Vec<ValueColumn> {
        let earlier = |index: usize| index - usize::from(!index.is_multiple_of(self.frames));
        let tile =
            |index: usize| self.actual[earlier(index)].at.map(|it| it as f32 / self.parts as f32);
        let tiles: Vec<[f32; 2]> = (0..self.actual.len()).map(tile).collect();
        pair("from", &tiles)
    }

    /// Returns the goals and tasks.
    fn duties(&self) -> Vec<ValueColumn> {
        if self.duties.is_empty() {
            return Vec::new();
        }
        let mut goals = vec![[f32::NAN; 2]; self.actual.len()];
        let mut tasks = vec![f32::NAN; self.actual.len()];
        for (agent, list) in self.duties.iter().enumerate() {
            for (index, duty) in list.iter().enumerate() {
                let end = list.get(index + 1).map_or(self.frames, |next| next.frame as usize);
                let end = end.min(self.frames);
                let start = (duty.frame as usize).min(end);
                let own = agent * self.frames + start..agent * self.frames + end;
                let goal = duty.goal.map_or([f32::NAN; 2], |goal| goal.map(|it| it as f32));
                goals[own.clone()].fill(goal);
                tasks[own].fill(duty.task.map_or(f32::NAN, |task| task as f32));
            }
        }
        let mut columns = pair("goal", &goals);
        if tasks.iter().any(|task| !task.is_nan()) {
            columns.push(ValueColumn { name: "task".to_owned(), values: Values::Numbers(tasks) });
        }
        columns
    }

    fn texts_and_events(&self) -> (Vec<String>, Vec<(u32, u32, u32)>) {
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        let mut texts = Vec::new();
        let mut events = Vec::new();
        for (frame, agent, text) in &self.events {
            if *frame as usize >= self.frames || *agent as usize >= self.agents {
                continue;
            }
            let number = *numbers.entry(text).or_insert_with(|| {
                texts.push(text.clone());
                texts.len() as u32 - 1
            });
            events.push((*frame, *agent, number));
        }
        events.sort_unstable();
        (texts, events)
    }
}

fn pair(name: &str, tiles: &[[f32; 2]]) -> Vec<ValueColumn> {
    let column = |axis: usize, word: &str| ValueColumn {
        name: format!("{name}.{word}"),
        values: Values::Numbers(tiles.iter().map(|tile| tile[axis]).collect()),
    };
    vec![column(0, "x"), column(1, "y")]
}
