//! The table of a run of another program: its agents by name, their motions and their values.

use core::ops::Range;

use crate::geom::Vec2;

use super::{Units, ValueColumn};

/// A run of another program: the motions and values of its agents, sorted by agent and frame.
#[derive(Debug, Clone, Default)]
pub struct RunTable {
    /// Name of the file for messages, safe to print.
    pub label: String,
    /// Facts about the file itself.
    pub file: FileFacts,
    /// Width and height in tiles of the smallest map that contains all positions.
    pub size: [u32; 2],
    /// The position in the file of the corner of the empty map, in tiles. `None` if the run has a map
    /// of its own.
    pub corner: Option<Vec2>,
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
    pub rows: Vec<Row>,
    /// Other columns, with a value for each row.
    pub columns: Vec<ValueColumn>,
    /// Texts of values and events.
    pub texts: Vec<String>,
    /// Events, in order of frames: frame, agent, and the index of the text.
    pub events: Vec<(u32, u32, u32)>,
}

/// Facts about the file of a run.
#[derive(Debug, Clone, Default)]
pub struct FileFacts {
    /// Size of the file in bytes, and the hash of its content. Runs with the same size and hash are
    /// equal.
    pub content: (u64, u64),
    /// What the reader of the file ignored or rounded.
    pub warnings: Vec<ReadWarning>,
}

/// A warning about something in the file of a run that was ignored or rounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadWarning {
    /// The kind of the warning for output.
    pub kind: &'static str,
    /// Line, and column in characters, both from 1. `None` if no line is known.
    pub place: Option<(u32, u32)>,
    /// Description of the problem, safe to print.
    pub text: String,
}

/// The motion of an agent at a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Number of the frame.
    pub frame: u32,
    /// Position of the centre of the body, in tiles.
    pub position: Vec2,
    /// Velocity, in tiles/s.
    pub velocity: Vec2,
    /// Heading, a unit vector.
    pub heading: Vec2,
    /// Index of the mode: in [`RunTable::modes`] for a row of a table, and in the list of the
    /// agent's kind for a row of a [`Trace`](super::Trace).
    pub mode: u16,
}

impl Row {
    pub(super) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.velocity.is_finite() && self.heading.is_finite()
    }
}

impl PartialEq for RunTable {
    fn eq(&self, other: &Self) -> bool {
        self.file.content == other.file.content
            && self.label == other.label
            && self.frames == other.frames
    }
}

impl Eq for RunTable {}

impl RunTable {
    /// Returns the range of the rows of an agent.
    fn range(&self, agent: usize) -> Range<usize> {
        self.first_rows[agent] as usize..self.first_rows[agent + 1] as usize
    }

    /// Returns the index of the first row of an agent.
    pub(crate) fn first_row(&self, agent: usize) -> u32 {
        self.first_rows[agent]
    }

    /// Returns the rows of an agent, in order of frames.
    pub fn rows_of(&self, agent: usize) -> &[Row] {
        &self.rows[self.range(agent)]
    }

    /// Returns the rows of an agent, in order of frames.
    pub fn rows_of_mut(&mut self, agent: usize) -> &mut [Row] {
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

    /// Returns the size of the table, in bytes.
    pub fn bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(String::len).sum();
        size_of_val(&*self.rows)
            + self.columns.iter().map(|column| column.values.bytes()).sum::<usize>()
            + texts
            + size_of_val(&*self.events)
    }
}
