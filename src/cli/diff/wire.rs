//! What `diff` answers, for programs.

use serde::Serialize;

use crate::history::diff::value::words_of;
use crate::history::diff::{Comparison, Difference, Value};

use super::{Answer, Ended};

/// Names of agents that only one side has, before the rest is only counted.
pub(super) const MOST_NAMES: usize = 10;

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct Wire {
    a: String,
    b: String,
    same: bool,
    /// How many frames were compared; 0 to one less.
    frames: u64,
    /// The first difference of an agent that both have.
    first: Option<Differs>,
    /// The next ones, ten at most.
    next: Vec<Differs>,
    only_in_a: Only,
    only_in_b: Only,
    /// The side that came to its end before the other, if one did.
    ended: Option<End>,
}

/// A field that differs.
#[derive(Debug, Serialize)]
struct Differs {
    frame: u64,
    agent: String,
    field: String,
    a: Told,
    b: Told,
}

/// Agents that only one side has.
#[derive(Debug, Serialize)]
struct Only {
    /// How many.
    count: usize,
    /// The first frame any of them is in.
    from: Option<u64>,
    /// Some of them.
    agents: Vec<String>,
}

/// The side that came to its end.
#[derive(Debug, Serialize)]
struct End {
    side: char,
    /// Its last frame; `None` when it has none at all.
    last: Option<u64>,
}

/// A value: null, a word, a number, yes or no, or a pair.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Told {
    Nothing,
    Word(String),
    Number(f32),
    Whole(i64),
    Yes(bool),
    Point([f32; 2]),
    Tile([i32; 2]),
    Words(Vec<&'static str>),
}

impl Told {
    fn of(value: &Value) -> Self {
        match value {
            Value::Nothing => Self::Nothing,
            Value::Word(word) => Self::Word(word.clone().into_owned()),
            Value::Number(number) | Value::Degrees(number) => Self::Number(number + 0.0),
            Value::Whole(whole) => Self::Whole(*whole),
            Value::Yes(yes) => Self::Yes(*yes),
            Value::Point(at) => Self::Point([at.x + 0.0, at.y + 0.0]),
            Value::Tile(tile) => Self::Tile([tile.x, tile.y]),
            Value::Flags(flags) => Self::Words(words_of(*flags)),
        }
    }
}

impl Wire {
    pub fn of(answer: &Answer) -> Self {
        let Answer { names: [a, b], comparison, ended } = answer;
        let mut found = comparison.differences().iter().map(Differs::of);
        Self {
            a: a.clone(),
            b: b.clone(),
            same: answer.is_same(),
            frames: comparison.frames(),
            first: found.next(),
            next: found.collect(),
            only_in_a: Only::of(comparison, 0),
            only_in_b: Only::of(comparison, 1),
            ended: ended.map(End::of),
        }
    }
}

impl Differs {
    fn of(difference: &Difference) -> Self {
        let Difference { frame, agent, field, a, b } = difference;
        let (agent, field) = (agent.clone(), field.clone());
        Self { frame: frame.0, agent, field, a: Told::of(a), b: Told::of(b) }
    }
}

impl Only {
    fn of(comparison: &Comparison, side: usize) -> Self {
        let only = comparison.only(side);
        let agents = only.keys().take(MOST_NAMES).cloned().collect();
        let from = only.values().min().map(|frame| frame.0);
        Self { count: only.len(), from, agents }
    }
}

impl End {
    fn of(Ended { side, last }: Ended) -> Self {
        Self { side: ['a', 'b'][side], last: last.map(|frame| frame.0) }
    }
}
