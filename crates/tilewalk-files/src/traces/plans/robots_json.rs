//! The JSON of the League of Robot Runners, as it is in the file.

use core::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::show;

use super::{MAX_COORDINATE, MAX_POSITIONS};

/// Returns true if the start of a JSON file is that of a plan.
pub(super) fn is_plan(head: &str) -> bool {
    let keys = ["\"actionModel\"", "\"actualPaths\"", "\"plannerPaths\"", "\"teamSize\""];
    keys.iter().any(|key| head.contains(key)) && !head.contains("\"tiledversion\"")
}

/// A file. Other keys of the file are ignored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct File {
    pub action_model: Option<Model>,
    pub team_size: Option<usize>,
    /// Ticks per move, in files of 2026.
    pub agent_max_counter: Option<u32>,
    pub start: Vec<Start>,
    pub actual_paths: Option<Vec<Moves>>,
    pub planner_paths: Option<Vec<Moves>>,
    #[serde(default)]
    pub errors: Vec<ErrorEntry>,
    #[serde(default)]
    pub schedule_errors: Vec<ErrorEntry>,
    #[serde(default)]
    pub events: Vec<EventEntry>,
    #[serde(default)]
    pub tasks: Vec<Task>,
    #[serde(default)]
    pub actual_schedule: Vec<Schedule>,
}

/// The moves of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Model {
    /// Steps in four directions: U, D, L, R and W.
    #[serde(rename = "MAPF")]
    Directions,
    /// Steps forward and turns: F, R, C and W.
    #[serde(rename = "MAPF_T")]
    Turns,
}

impl Model {
    pub fn letters(self) -> &'static str {
        match self {
            Self::Directions => "UDLRWT",
            Self::Turns => "FRCWT",
        }
    }
}

/// Where an agent starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    /// Column and row.
    pub at: [i32; 2],
    /// Quarter turns clockwise from the right.
    pub turn: Option<i32>,
}

/// Equal moves one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repeated {
    pub letter: u8,
    pub count: u32,
}

/// The moves of an agent: `F,R,C,W`, or in ticks, `[(0,14,55,0,0):(C 10,F 20)]`.
#[derive(Debug, Default)]
pub(super) struct Moves {
    pub list: Vec<Repeated>,
    /// Number of moves or ticks.
    pub count: u64,
    /// Whether the moves are in ticks.
    pub in_ticks: bool,
    /// In ticks, the column and row before the moves. `None` if they are not whole numbers.
    pub first_tile: Option<[i32; 2]>,
}

/// `[agent, agent, frame, text]`, or with the number of a task before them.
#[derive(Debug)]
pub(super) struct ErrorEntry {
    /// Numbers of the agents; -1 for none.
    pub agents: [i64; 2],
    pub frame: i64,
    pub text: String,
}

/// An entry of `events`.
#[derive(Debug)]
pub(super) enum EventEntry {
    /// 2023: the events of an agent, each `[task, frame, text]`.
    OfAgent(Vec<(i64, i64, String)>),
    /// Since 2024: `[frame, agent, task, errands]`: the number of errands that are finished.
    Finished { frame: i64, agent: i64, task: i64, errands: i64 },
}

/// A task: `[task, row, column]`, or since 2024, `[task, frame, [row, column, row, column]]`.
#[derive(Debug)]
pub(super) struct Task {
    pub number: i64,
    /// Columns and rows of the errands.
    pub errands: Vec<[i32; 2]>,
}

/// The tasks of an agent: `frame:task,frame:task`, with the task -1 for none.
#[derive(Debug)]
pub(super) struct Schedule(pub Vec<(u32, Option<i64>)>);

fn coordinate(value: &Value) -> Option<i32> {
    i32::try_from(value.as_i64()?).ok().filter(|number| number.abs() <= MAX_COORDINATE)
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    let short: String = text.chars().take(40).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("`{}{dots}`", show::text(&short))
}

/// Implements `Deserialize` with a function that reads a value, and describes what it expects.
macro_rules! read_value {
    ($type:ty, $read:expr, $expected:literal) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(from)?;
                let read: fn(&Value) -> Option<Self> = $read;
                let refused = || {
                    D::Error::custom(format!(
                        concat!("expected ", $expected, ", found {}"),
                        shown(&value)
                    ))
                };
                read(&value).ok_or_else(refused)
            }
        }
    };
}

read_value!(Start, Start::read, "a start `[row, column, heading]`");
read_value!(ErrorEntry, ErrorEntry::read, "an error `[agent, agent, frame, text]`");
read_value!(
    EventEntry,
    EventEntry::read,
    "events `[[task, frame, text]]` or an event `[frame, agent, task, errands]`"
);
read_value!(Task, Task::read, "a task `[task, row, column]` or `[task, frame, [row, column]]`");
read_value!(Schedule, Schedule::read, "a schedule `frame:task,frame:task`");

impl Start {
    fn read(value: &Value) -> Option<Self> {
        let list = value.as_array().filter(|list| (2..=3).contains(&list.len()))?;
        let turn = match list.get(2).map(|heading| heading.as_str()) {
            None | Some(Some("N/A")) => None,
            Some(Some("E")) => Some(0),
            Some(Some("S")) => Some(1),
            Some(Some("W")) => Some(2),
            Some(Some("N")) => Some(3),
            Some(Some(_) | None) => return None,
        };
        Some(Self { at: [coordinate(&list[1])?, coordinate(&list[0])?], turn })
    }
}

impl ErrorEntry {
    fn read(value: &Value) -> Option<Self> {
        let list = value.as_array()?;
        let (text, numbers) = list.split_last()?;
        let [.., first, second, frame] = numbers else { return None };
        Some(Self {
            agents: [first.as_i64()?, second.as_i64()?],
            frame: frame.as_i64()?,
            text: text.as_str()?.to_owned(),
        })
    }
}

impl EventEntry {
    fn read(value: &Value) -> Option<Self> {
        let list = value.as_array()?;
        if let Some([frame, agent, task, errands]) =
            <&[Value; 4]>::try_from(list.as_slice()).ok().filter(|list| list[0].is_number())
        {
            let errands = errands.as_i64()?;
            let (frame, agent, task) = (frame.as_i64()?, agent.as_i64()?, task.as_i64()?);
            return Some(Self::Finished { frame, agent, task, errands });
        }
        let event = |value: &Value| {
            let [task, frame, text] = value.as_array()?.as_slice() else { return None };
            Some((task.as_i64()?, frame.as_i64()?, text.as_str()?.to_owned()))
        };
        Some(Self::OfAgent(list.iter().map(event).collect::<Option<_>>()?))
    }
}

impl Task {
    fn read(value: &Value) -> Option<Self> {
        let [number, second, third] = value.as_array()?.as_slice() else { return None };
        let number = number.as_i64()?;
        let errands = match third.as_array() {
            None => vec![[coordinate(third)?, coordinate(second)?]],
            Some(list) => {
                let pair = |pair: &[Value]| match pair {
                    [row, column] => Some([coordinate(column)?, coordinate(row)?]),
                    _ => None,
                };
                list.chunks(2).map(pair).collect::<Option<_>>()?
            }
        };
        Some(Self { number, errands })
    }
}

impl Schedule {
    fn read(value: &Value) -> Option<Self> {
        let entries = value.as_str()?.split(',').filter(|entry| !entry.trim().is_empty());
        let entry = |entry: &str| {
            let (frame, task) = entry.split_once(':')?;
            let task: i64 = task.trim().parse().ok()?;
            Some((frame.trim().parse().ok()?, Some(task).filter(|task| *task >= 0)))
        };
        Some(Self(entries.map(entry).collect::<Option<_>>()?))
    }
}

/// Returns the column and the row in the head of a segment: `tick,row,column,heading,counter`.
fn tile(head: &str) -> Option<[i32; 2]> {
    let mut numbers = head.split(',').skip(1).map(|number| number.trim().parse().ok());
    let row = numbers.next()??;
    Some([numbers.next()??, row])
}

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Moves;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the moves of an agent as a text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Moves, E> {
                Moves::read(text).map_err(E::custom)
            }
        }
        from.deserialize_str(Text)
    }
}

impl Moves {
    pub fn read(text: &str) -> Result<Self, String> {
        let mut moves = Self::default();
        let text = text.trim();
        if text.starts_with('[') {
            moves.in_ticks = true;
            moves.read_segments(text)?;
        } else {
            for word in text.split(',').filter(|word| !word.trim().is_empty()) {
                moves.push(word.trim(), 1)?;
            }
        }
        moves.check_letters()?;
        Ok(moves)
    }

    /// Reads segments such as `[(0,14,55,0,0):(C 10,F 20)]`. The numbers before the moves are the
    /// first tick and the pose at this tick. Some programs repeat the first pose in all segments,
    /// so that only the tile of the first segment is kept: the other poses follow from the moves.
    fn read_segments(&mut self, text: &str) -> Result<(), String> {
        let mut rest = text;
        while !rest.is_empty() {
            let tick = self.count;
            let segment = rest.strip_prefix("[(").and_then(|rest| rest.split_once(")]"));
            let parts =
                segment.and_then(|(segment, after)| Some((segment.split_once("):(")?, after)));
            let Some(((head, moves), after)) = parts else {
                return Err(format!(
                    "expected a segment `[(tick,row,column,heading,counter):(F 10)]` at tick {tick}"
                ));
            };
            let first = head.split(',').next().unwrap_or_default().trim();
            if first.parse() != Ok(tick) {
                let first = show::text(first);
                return Err(format!(
                    "a segment begins at tick {first}, and must begin at tick {tick}"
                ));
            }
            if tick == 0 {
                self.first_tile = tile(head);
            }
            for entry in moves.split(',').filter(|entry| !entry.trim().is_empty()) {
                let read = entry.trim().split_once(' ');
                let read = read.and_then(|(word, count)| Some((word, count.trim().parse().ok()?)));
                let Some((word, count)) = read else {
                    let entry = show::text(entry.trim());
                    return Err(format!(
                        "expected a move with its ticks, such as `F 10`, found `{entry}`"
                    ));
                };
                self.push(word, count)?;
            }
            rest = after.trim_start();
        }
        Ok(())
    }

    fn push(&mut self, word: &str, count: u32) -> Result<(), String> {
        let known = [Model::Turns, Model::Directions].iter().any(|it| it.letters().contains(word));
        let &[letter] = word.as_bytes() else {
            return Err(format!("unknown move `{}` in move {}", show::text(word), self.count));
        };
        if !known {
            return Err(format!("unknown move `{}` in move {}", show::text(word), self.count));
        }
        self.count += u64::from(count);
        if self.count >= MAX_POSITIONS {
            return Err(format!("an agent has more than {MAX_POSITIONS} positions"));
        }
        match self.list.last_mut() {
            Some(last) if last.letter == letter => last.count += count,
            _ if count > 0 => self.list.push(Repeated { letter, count }),
            _ => {}
        }
        Ok(())
    }

    fn has(&self, letters: &str) -> bool {
        self.list.iter().any(|it| letters.as_bytes().contains(&it.letter))
    }

    /// Refuses a mixture of steps in directions and turns.
    fn check_letters(&self) -> Result<(), String> {
        if self.has("UDL") && self.has("FC") {
            return Err(
                "the moves of an agent are either U, D, L, R and W, or F, R, C and W".to_owned()
            );
        }
        Ok(())
    }

    /// Returns the model that the letters show, if any.
    pub fn model(&self) -> Option<Model> {
        let directions = self.has("UDL").then_some(Model::Directions);
        directions.or_else(|| self.has("FC").then_some(Model::Turns))
    }
}
