//! The result of a comparison of two runs.
#![expect(missing_docs, reason = "docs/output.md describes the JSON object")]

use serde::Serialize;

use crate::history::diff::value::words_of;
use crate::history::diff::{self, Comparison, Value};
use crate::words;

/// Number of agents that only one run has, before the rest is only counted.
const MOST_NAMES: usize = 10;

/// The differences of two runs. The field names are those of `tilewalk diff --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Differences {
    pub a: String,
    pub b: String,
    /// Whether no difference was found.
    pub same: bool,
    pub frames: u64,
    /// The first difference of an agent that both runs have.
    pub first: Option<Difference>,
    /// The next differences, at most ten.
    pub next: Vec<Difference>,
    pub only_in_a: Only,
    pub only_in_b: Only,
    /// The run that ends before the other one.
    pub ended: Option<End>,
    /// Whether both runs have an agent of the same name.
    #[serde(skip)]
    pub has_shared: bool,
}

/// A field that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub frame: u64,
    pub agent: String,
    pub field: String,
    pub a: Field,
    pub b: Field,
    /// Both values as text.
    #[serde(skip)]
    pub texts: [String; 2],
}

/// Agents that only one run has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Only {
    pub count: usize,
    /// The first frame with one of them.
    pub from: Option<u64>,
    /// The first of their names.
    pub agents: Vec<String>,
}

/// The run that ends before the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct End {
    /// `a` or `b`.
    pub side: char,
    /// Last frame of the run; `None` if it has no frames.
    pub last: Option<u64>,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Field {
    /// The agent does not have the field.
    Nothing,
    Word(String),
    /// A number or an angle in degrees.
    Number(f32),
    Whole(i64),
    Yes(bool),
    Point([f32; 2]),
    Tile([i32; 2]),
    Words(Vec<&'static str>),
}

impl Differences {
    /// Reports on a comparison of two runs with these names.
    pub fn of([a, b]: [String; 2], comparison: &Comparison, ended: Option<End>) -> Self {
        let mut differences = comparison.differences().iter().map(Difference::of);
        Self {
            a,
            b,
            same: comparison.is_same() && ended.is_none(),
            frames: comparison.frames(),
            first: differences.next(),
            next: differences.collect(),
            only_in_a: Only::of(comparison, 0),
            only_in_b: Only::of(comparison, 1),
            ended,
            has_shared: comparison.has_shared(),
        }
    }

    /// States that no agent in both runs differs. `None` if one does.
    pub fn no_difference(&self) -> Option<String> {
        let frames = words::count(self.frames, "frame");
        match (&self.first, self.same) {
            (Some(_), _) => None,
            (None, true) => Some(format!("no differences in {frames}")),
            (None, false) if !self.has_shared => Some("no agents in common".to_owned()),
            (None, false) => Some(format!("no differences in {frames} for agents in both A and B")),
        }
    }
}

impl Difference {
    fn of(difference: &diff::Difference) -> Self {
        let diff::Difference { frame, agent, field, a, b } = difference;
        Self {
            frame: frame.0,
            agent: agent.clone(),
            field: field.clone(),
            a: Field::of(a),
            b: Field::of(b),
            texts: [a, b].map(ToString::to_string),
        }
    }
}

impl Only {
    fn of(comparison: &Comparison, side: usize) -> Self {
        let only = comparison.only(side);
        Self {
            count: only.len(),
            from: only.values().min().map(|frame| frame.0),
            agents: only.keys().take(MOST_NAMES).cloned().collect(),
        }
    }

    /// `from frame 3: cat, dog and 4 more`; `None` without any agent.
    pub fn text(&self) -> Option<String> {
        let more = match self.count - self.agents.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("from frame {}: {}{more}", self.from?, self.agents.join(", ")))
    }
}

impl End {
    /// `A ends at frame 9; B continues`.
    pub fn text(&self) -> String {
        let [name, other] = if self.side == 'a' { ["A", "B"] } else { ["B", "A"] };
        match self.last {
            Some(last) => format!("{name} ends at frame {last}; {other} continues"),
            None => format!("{name} has no frames; {other} has frames"),
        }
    }
}

impl Field {
    fn of(value: &Value) -> Self {
        match value {
            Value::Nothing => Self::Nothing,
            Value::Word(word) => Self::Word(word.clone().into_owned()),
            Value::Number(number) | Value::Degrees(number) => Self::Number(super::number(*number)),
            Value::Whole(whole) => Self::Whole(*whole),
            Value::Yes(yes) => Self::Yes(*yes),
            Value::Point(at) => Self::Point(super::pair(*at)),
            Value::Tile(tile) => Self::Tile(super::tile(*tile)),
            Value::Flags(flags) => Self::Words(words_of(*flags)),
        }
    }
}
