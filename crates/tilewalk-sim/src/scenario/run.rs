//! Runs of other programs, which agents of a scenario can follow.
//!
//! A [`RunTable`] has the motions by the names of agents and modes. [`FollowedRun::apply`] assigns
//! these names to the agents and modes of a scenario. The result is a
//! [`Trace`](crate::trace::Trace).

use core::ops::Range;
use std::sync::Arc;

use crate::geom::Vec2;
use crate::trace::{Units, ValueColumn, Values};

/// A run of another program: the motions and values of its agents, sorted by agent and frame.
#[derive(Debug, Clone)]
pub struct RunTable {
    /// Name of the file for messages, safe to print.
    pub label: String,
    /// Size of the file in bytes, and the hash of its content. Runs with the same size and hash are
    /// equal.
    pub content: (u64, u64),
    /// Width and height in tiles of the smallest map that contains all positions.
    pub size: [u32; 2],
    /// The unit of the values, which stay as they are in the file.
    pub units: Units,
    /// Names of the agents.
    pub agents: Vec<String>,
    /// Group of each agent, if any.
    pub groups: Vec<Option<String>>,
    /// Names of modes. Empty if the run has no modes.
    pub modes: Vec<String>,
    /// Length of a frame in seconds. `None` if the run has no times.
    pub tick: Option<f64>,
    /// Seconds from frame 0 to each frame. `None` if all frames have the same length.
    pub times: Option<Vec<f32>>,
    /// Number of frames.
    pub frames: u32,
    /// For each agent, the index of its first row; at the end, the number of rows.
    pub first_rows: Vec<u32>,
    /// The motions. The rows of an agent are in order of frames.
    pub rows: Vec<RunRow>,
    /// Other columns, with a value for each row.
    pub columns: Vec<ValueColumn>,
    /// Texts of values and events.
    pub texts: Vec<String>,
    /// Events, in order of frames: frame, agent, and the index of the text.
    pub events: Vec<(u32, u32, u32)>,
}

/// The motion of an agent at a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunRow {
    /// Number of the frame.
    pub frame: u32,
    /// Position in tiles.
    pub position: Vec2,
    /// Velocity in tiles/s.
    pub velocity: Vec2,
    /// Heading, a unit vector.
    pub heading: Vec2,
    /// Index in [`RunTable::modes`].
    pub mode: u16,
}

impl PartialEq for RunTable {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content && self.label == other.label && self.frames == other.frames
    }
}

impl Eq for RunTable {}

impl RunTable {
    /// Returns the range of the rows of an agent.
    pub(super) fn range(&self, agent: usize) -> Range<usize> {
        self.first_rows[agent] as usize..self.first_rows[agent + 1] as usize
    }

    /// Returns the rows of an agent, in order of frames.
    pub fn rows_of(&self, agent: usize) -> &[RunRow] {
        &self.rows[self.range(agent)]
    }

    /// Returns the rows of an agent, in order of frames.
    pub fn rows_of_mut(&mut self, agent: usize) -> &mut [RunRow] {
        let range = self.range(agent);
        &mut self.rows[range]
    }

    /// Returns the text of an empty map that contains all positions.
    pub fn map_text(&self) -> String {
        let [width, height] = self.size.map(|side| side as usize);
        let title: String = self.label.chars().filter(|c| !matches!(c, '\\' | '\'')).collect();
        let mut text = format!("title = '{title}'\n");
        text.reserve((width + 1) * height + 32);
        text.push_str("tiles = '''\n");
        let row = ".".repeat(width);
        for _ in 0..height {
            text.push_str(&row);
            text.push('\n');
        }
        text.push_str("'''\n");
        text
    }
}

/// A run, and how the agents of a map follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowedRun {
    /// The run.
    pub table: Arc<RunTable>,
    /// Agents of the map that are in the world besides those of the run.
    pub with: Vec<String>,
    /// Agents that a mode drives instead of the run: the names of the agent and of the mode.
    pub taken_over: Vec<(String, String)>,
}

/// Returns the values of some rows.
pub fn picked(values: &Values, rows: &[usize]) -> Values {
    match values {
        Values::Numbers(numbers) => Values::Numbers(rows.iter().map(|&it| numbers[it]).collect()),
        Values::Texts(texts) => Values::Texts(rows.iter().map(|&it| texts[it]).collect()),
    }
}
