//! The result of a comparison of two runs.
#![expect(missing_docs, reason = "docs/output.md describes the JSON object")]

use serde::{Serialize, Serializer};

use crate::history::diff::{self, Comparison, StateValue, words_of};
use crate::words;

/// Maximum number of names to list for agents that exist in only one run.
const MOST_NAMES: usize = 10;

/// The differences between two runs. The fields have the same names as in `tilewalk diff --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Differences {
    pub a: String,
    pub b: String,
    /// Whether all agents match and both runs have the same length.
    pub same: bool,
    pub frames: u64,
    /// The first difference in an agent that exists in both runs. `None` if all these agents match.
    pub first: Option<DifferenceReport>,
    /// The differences after `first`, at most ten.
    pub next: Vec<DifferenceReport>,
    pub only_in_a: Only,
    pub only_in_b: Only,
    /// The run that ends first. `None` if both runs have the same length.
    pub ended: Option<End>,
    /// Whether at least one agent exists in both runs (matched by name).
    #[serde(skip)]
    pub has_shared: bool,
}

/// A field of an agent with different values in the two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DifferenceReport {
    pub frame: u64,
    pub agent: String,
    pub field: String,
    #[serde(serialize_with = "value")]
    pub a: StateValue<'static>,
    #[serde(serialize_with = "value")]
    pub b: StateValue<'static>,
}

/// Agents that exist in only one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Only {
    pub count: usize,
    /// The first frame in which one of these agents has no counterpart. `None` if `agents` is
    /// empty.
    pub from: Option<u64>,
    /// The names of these agents in alphabetical order, at most ten.
    pub agents: Vec<String>,
}

/// The run that ends first in a comparison of two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct End {
    /// The shorter run: `a` or `b`.
    pub side: char,
    /// Last frame of the shorter run. `None` if that run has no frames.
    pub last: Option<u64>,
}

/// Serialises a value as null, a string, a number, a boolean, a pair or an array.
fn value<S: Serializer>(value: &StateValue, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        StateValue::Nothing => serializer.serialize_none(),
        StateValue::Word(word) => serializer.serialize_str(word),
        StateValue::Number(number) | StateValue::Degrees(number) => {
            serializer.serialize_f32(super::number(*number))
        }
        StateValue::Whole(whole) => serializer.serialize_i64(*whole),
        StateValue::Yes(yes) => serializer.serialize_bool(*yes),
        StateValue::Point(at) => super::pair(*at).serialize(serializer),
        StateValue::Tile(tile) => super::tile(*tile).serialize(serializer),
        StateValue::Flags(flags) => words_of(*flags).serialize(serializer),
    }
}

impl Differences {
    /// Creates the report on a finished comparison. `a` and `b` are the names of the runs. `ended`
    /// is the run that ends first, if any.
    pub fn of([a, b]: [String; 2], comparison: &Comparison, ended: Option<End>) -> Self {
        let mut differences = comparison.differences().iter().map(DifferenceReport::of);
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

    /// Returns a sentence for a comparison without differences. Returns `None` if an agent that
    /// exists in both runs differs.
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

impl DifferenceReport {
    fn of(difference: &diff::Difference) -> Self {
        let diff::Difference { frame, agent, field, a, b } = difference.clone();
        Self { frame: frame.0, agent, field, a, b }
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

    /// Returns the first frame and the names as text, such as `from frame 3: cat, dog and 4 more`.
    /// Returns `None` if there are no agents.
    pub fn text(&self) -> Option<String> {
        let more = match self.count - self.agents.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("from frame {}: {}{more}", self.from?, self.agents.join(", ")))
    }
}

impl End {
    /// Returns text such as `A ends at frame 9; B continues`.
    pub fn text(&self) -> String {
        let [name, other] = if self.side == 'a' { ["A", "B"] } else { ["B", "A"] };
        match self.last {
            Some(last) => format!("{name} ends at frame {last}; {other} continues"),
            None => format!("{name} has no frames; {other} has frames"),
        }
    }
}
