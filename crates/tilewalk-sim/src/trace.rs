//! Traces: recorded motions that move agents frame by frame.
//!
//! A [`Trace`] is an immutable table, shared by all worlds of a scenario. An agent that follows a
//! trace copies its row of each frame. The rows of an agent are in [`Segment`]s of consecutive
//! frames. Between two segments, the agent is not in the world.
//!
//! A row can have additional values, such as hit points. Values are not part of the state of a
//! world. Conditions read them by agent, frame and column. Columns with the names `goal` and `wants`
//! tell the detectors where an agent wants to go.

mod aims;

use core::ops::Range;

use thiserror::Error;

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::rng::name_hash;
use crate::time::Frame;

use aims::{Aims, PlaceColumns};

pub use aims::{Units, VectorColumns};

/// Largest number of rows of a trace.
pub const MAX_ROWS: usize = u32::MAX as usize;

/// Largest number of value columns of a trace.
pub const MAX_COLUMNS: usize = 1000;

/// The motion of an agent in a row of a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Position of the centre of the body, in tiles.
    pub position: Vec2,
    /// Velocity, in tiles/s.
    pub velocity: Vec2,
    /// Heading, a unit vector.
    pub heading: Vec2,
    /// Index of the mode in the list of the agent's kind.
    pub mode: u16,
}

/// Consecutive frames in which an agent is in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// First frame.
    pub first: u32,
    /// Number of frames, at least 1.
    pub count: u32,
    /// Index of the row of the first frame. The rows of the other frames follow.
    pub row: u32,
    /// Number of the agent if it is an instance of a template, otherwise 0.
    pub number: u32,
}

impl Segment {
    fn end(self) -> u64 {
        u64::from(self.first) + u64::from(self.count)
    }
}

/// A column of values that a program wrote beside the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueColumn {
    /// Name of the column, such as `hp`.
    pub name: String,
    /// The values, one for each row.
    pub values: Values,
}

/// The values of a column, one for each row.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers. NaN stands for a missing value.
    Numbers(Vec<f32>),
    /// Indices of texts in [`TraceParts::texts`]. [`NO_TEXT`] stands for a missing value.
    Texts(Vec<u32>),
}

/// The index of a missing text.
pub const NO_TEXT: u32 = u32::MAX;

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    fn bytes(&self) -> usize {
        size_of::<f32>() * self.len()
    }
}

/// A value of an agent at a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TraceValue<'a> {
    /// A finite number.
    Number(f32),
    /// A text.
    Text(&'a str),
}

/// An event that a program wrote beside the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TraceEvent {
    /// Frame of the event.
    pub frame: u32,
    /// Agent of the event.
    pub agent: AgentId,
    /// Index of the text in [`TraceParts::texts`].
    pub text: u32,
}

/// The parts of a [`Trace`], before they are checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TraceParts {
    /// Number of frames, at least 1.
    pub frames: u32,
    /// Segments of each agent, indexed by [`AgentId`], in order of time. Agents beyond the end of
    /// the list have none.
    pub segments: Vec<Vec<Segment>>,
    /// The motions.
    pub rows: Vec<Row>,
    /// Columns of additional values.
    pub columns: Vec<ValueColumn>,
    /// Texts of values and events.
    pub texts: Vec<String>,
    /// Events, in order of frames.
    pub events: Vec<TraceEvent>,
    /// Seconds from frame 0 to each frame. `None` if all frames have the same length.
    pub times: Option<Vec<f32>>,
    /// The unit of the values `goal` and `wants`.
    pub units: Units,
    /// For each text, the position of the place of the map with this name. Texts beyond the end of
    /// the list name no place.
    pub places: Vec<Option<Vec2>>,
}

/// The reason why parts do not form a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidTrace {
    /// The trace has no frame.
    #[error("the trace has no frame")]
    Empty,
    /// Segments overlap, are not in order of time, or extend beyond the frames or rows.
    #[error("the segments of an agent are invalid")]
    Segments,
    /// A number of a motion is not finite.
    #[error("a number of a motion is not finite")]
    Motion,
    /// A column has another number of values than the trace has rows, or there are too many rows
    /// or columns.
    #[error("the number of rows or columns is invalid")]
    Size,
    /// A text, an event or a list of times refers to something that does not exist.
    #[error("a text, an event or a time is invalid")]
    Reference,
}

/// A table of motions and values, by agent and frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    frames: u32,
    segments: Vec<Segment>,
    /// For each agent, the range of its segments. Agents beyond the end of the list have none.
    agents: Vec<Range<u32>>,
    rows: Vec<Row>,
    columns: Vec<ValueColumn>,
    texts: Vec<String>,
    /// [`name_hash`] of each text, for comparisons in conditions.
    keys: Vec<u64>,
    events: Vec<TraceEvent>,
    times: Option<Vec<f32>>,
    aims: Aims,
    vectors: Vec<VectorColumns>,
    units: Units,
    places: Vec<Option<Vec2>>,
}

impl Trace {
    /// Checks the parts and creates the trace.
    ///
    /// # Errors
    /// Returns the first invalid part.
    pub fn new(parts: TraceParts) -> Result<Self, InvalidTrace> {
        let valid = |is_valid: bool, error| if is_valid { Ok(()) } else { Err(error) };
        let TraceParts { frames, segments, rows, columns, .. } = parts;
        let TraceParts { texts, events, times, units, places, .. } = parts;
        valid(frames > 0, InvalidTrace::Empty)?;
        let same_length = columns.iter().all(|column| column.values.len() == rows.len());
        let few = rows.len() <= MAX_ROWS && columns.len() <= MAX_COLUMNS;
        valid(same_length && few, InvalidTrace::Size)?;
        let is_finite = |row: &Row| {
            row.position.is_finite() && row.velocity.is_finite() && row.heading.is_finite()
        };
        valid(rows.iter().all(is_finite), InvalidTrace::Motion)?;
        let mut flat = Vec::new();
        let mut agents = Vec::with_capacity(segments.len());
        for list in segments {
            let mut next = 0;
            for segment in &list {
                let last_row = u64::from(segment.row) + u64::from(segment.count);
                let fits = segment.count > 0
                    && u64::from(segment.first) >= next
                    && segment.end() <= u64::from(frames)
                    && last_row <= rows.len() as u64;
                valid(fits, InvalidTrace::Segments)?;
                next = segment.end();
            }
            let start = flat.len() as u32;
            flat.extend(list);
            agents.push(start..flat.len() as u32);
        }
        let is_text = |text: u32| (text as usize) < texts.len();
        let known = |values: &Values| match values {
            Values::Numbers(_) => true,
            Values::Texts(list) => list.iter().all(|&text| text == NO_TEXT || is_text(text)),
        };
        let occurs = |event: &TraceEvent| event.frame < frames && is_text(event.text);
        let is_timed = times.as_ref().is_none_or(|times| {
            times.len() == frames as usize && times.iter().all(|time| time.is_finite())
        });
        let refers = columns.iter().all(|column| known(&column.values))
            && events.iter().all(occurs)
            && events.is_sorted()
            && is_timed;
        valid(refers, InvalidTrace::Reference)?;
        let keys = texts.iter().map(|text| name_hash(text)).collect();
        let (segments, aims) = (flat, Aims::new(&columns));
        let vectors = VectorColumns::all(&columns);
        Ok(Self {
            frames,
            segments,
            agents,
            rows,
            columns,
            texts,
            keys,
            events,
            times,
            aims,
            vectors,
            units,
            places,
        })
    }

    /// Returns the last frame with rows.
    pub fn end(&self) -> Frame {
        Frame(u64::from(self.frames) - 1)
    }

    /// Returns true if an agent has rows at any frame.
    pub fn moves(&self, id: AgentId) -> bool {
        self.agents.get(id.index()).is_some_and(|range| !range.is_empty())
    }

    /// Iterates over the agent and the mode of each row.
    pub(crate) fn modes(&self) -> impl Iterator<Item = (AgentId, u16)> + '_ {
        let ids = (0..self.agents.len() as u32).map(AgentId);
        let segments = ids.flat_map(|id| self.segments(id).iter().map(move |it| (id, *it)));
        segments.flat_map(|(id, segment)| {
            let rows = segment.row as usize..segment.row as usize + segment.count as usize;
            self.rows[rows].iter().map(move |row| (id, row.mode))
        })
    }

    /// Returns the number of rows of all agents.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if no agent has rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the columns of additional values.
    pub fn columns(&self) -> &[ValueColumn] {
        &self.columns
    }

    /// Returns the segments of an agent, in order of time.
    pub fn segments(&self, id: AgentId) -> &[Segment] {
        let range = self.agents.get(id.index()).cloned().unwrap_or_default();
        &self.segments[range.start as usize..range.end as usize]
    }

    /// Returns the segment of an agent at a frame. Returns `None` if the agent is not in the world
    /// at that frame. After the last frame, all agents stay as they are.
    pub fn segment(&self, id: AgentId, frame: Frame) -> Option<Segment> {
        let frame = frame.min(self.end()).0;
        let segments = self.segments(id);
        let after = segments.partition_point(|segment| u64::from(segment.first) <= frame);
        let segment = *segments.get(after.checked_sub(1)?)?;
        (frame < segment.end()).then_some(segment)
    }

    /// Returns the index of the row of an agent at a frame, if any.
    fn index(&self, id: AgentId, frame: Frame) -> Option<usize> {
        let segment = self.segment(id, frame)?;
        let offset = frame.min(self.end()).0 - u64::from(segment.first);
        Some(segment.row as usize + offset as usize)
    }

    /// Returns the motion of an agent at a frame. Returns `None` if the agent is not in the world
    /// at that frame.
    pub fn row(&self, id: AgentId, frame: Frame) -> Option<Row> {
        self.index(id, frame).map(|index| self.rows[index])
    }

    /// Returns the value of an agent at a frame. `column` is an index of [`Trace::columns`].
    /// Returns `None` for a missing value.
    pub fn value(&self, id: AgentId, frame: Frame, column: usize) -> Option<TraceValue<'_>> {
        match &self.columns.get(column)?.values {
            Values::Numbers(_) => self.number(id, frame, column).map(TraceValue::Number),
            Values::Texts(texts) => {
                let text = self.texts.get(texts[self.index(id, frame)?] as usize)?;
                Some(TraceValue::Text(text))
            }
        }
    }

    /// Returns the number of an agent at a frame in a column of numbers. Returns `None` for a
    /// missing value or a column of texts.
    pub(crate) fn number(&self, id: AgentId, frame: Frame, column: usize) -> Option<f32> {
        let Values::Numbers(numbers) = &self.columns.get(column)?.values else { return None };
        Some(numbers[self.index(id, frame)?]).filter(|number| number.is_finite())
    }

    /// Returns the [`name_hash`] of the text of an agent at a frame in a column of texts. Returns
    /// `None` for a missing value or a column of numbers.
    pub(crate) fn text_key(&self, id: AgentId, frame: Frame, column: usize) -> Option<u64> {
        let Values::Texts(texts) = &self.columns.get(column)?.values else { return None };
        self.keys.get(texts[self.index(id, frame)?] as usize).copied()
    }

    /// Returns true if the trace has a column that tells where agents want to go.
    pub fn has_aims(&self) -> bool {
        self.aims.goal.exist() || self.aims.wants.exist()
    }

    /// Returns true if the trace has a column with the places that agents have to reach.
    pub(crate) fn has_goals(&self) -> bool {
        self.aims.goal.exist()
    }

    /// Returns the unit of the values `goal` and `wants`.
    pub fn units(&self) -> Units {
        self.units
    }

    /// Returns the place that an agent has to reach at a frame, in tiles. Returns `None` if the
    /// trace does not tell it, or if the map has no place with the name.
    pub fn goal(&self, id: AgentId, frame: Frame) -> Option<Vec2> {
        self.place(self.aims.goal, id, frame)
    }

    /// Returns the position that an agent wants to reach next at a frame, in tiles. Returns `None`
    /// if the trace does not tell it, or if the map has no place with the name.
    pub fn wants(&self, id: AgentId, frame: Frame) -> Option<Vec2> {
        self.place(self.aims.wants, id, frame)
    }

    /// Returns the columns of vectors.
    pub fn vectors(&self) -> &[VectorColumns] {
        &self.vectors
    }

    /// Returns a vector of an agent at a frame, in units of the run, with its direction on the map.
    /// Returns `None` for a missing value.
    pub fn vector(&self, id: AgentId, frame: Frame, vector: &VectorColumns) -> Option<Vec2> {
        let [x, y] = vector.columns.map(|column| self.number(id, frame, column));
        Some(self.units.turned(Vec2::new(x?, y?)))
    }

    fn place(&self, columns: PlaceColumns, id: AgentId, frame: Frame) -> Option<Vec2> {
        let point = columns.point.and_then(|[x, y]| {
            Some(Vec2::new(self.number(id, frame, x)?, self.number(id, frame, y)?))
        });
        let named = || {
            let Values::Texts(texts) = &self.columns[columns.name?].values else { return None };
            self.places.get(texts[self.index(id, frame)?] as usize).copied()?
        };
        point.map(|at| self.units.position(at)).or_else(named)
    }

    /// Returns the events of a frame, in agent order.
    pub fn events(&self, frame: Frame) -> &[TraceEvent] {
        let at = |limit: u64| self.events.partition_point(|event| u64::from(event.frame) < limit);
        &self.events[at(frame.0)..at(frame.0.saturating_add(1))]
    }

    /// Returns a text of an event.
    pub fn text(&self, index: u32) -> &str {
        self.texts.get(index as usize).map_or("", String::as_str)
    }

    /// Returns the seconds from frame 0 to a frame. Returns `None` if all frames have the same
    /// length, and after the last frame.
    pub(crate) fn seconds(&self, frame: Frame) -> Option<f32> {
        self.times.as_ref()?.get(usize::try_from(frame.0).ok()?).copied()
    }

    /// Returns the size of the table, in bytes.
    pub fn bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(String::len).sum();
        size_of_val(&*self.rows)
            + size_of_val(&*self.segments)
            + size_of_val(&*self.agents)
            + self.columns.iter().map(|column| column.values.bytes()).sum::<usize>()
            + texts
            + size_of_val(&*self.events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: AgentId = AgentId(0);

    fn row(x: f32) -> Row {
        Row { position: Vec2::new(x, 0.5), velocity: Vec2::ZERO, heading: Vec2::X, mode: 0 }
    }

    fn parts() -> TraceParts {
        let segment = |first, count, row| Segment { first, count, row, number: 0 };
        TraceParts {
            frames: 6,
            segments: vec![vec![segment(1, 2, 0), segment(4, 2, 2)]],
            rows: (0..4).map(|x| row(x as f32)).collect(),
            columns: vec![
                ValueColumn {
                    name: "hp".to_owned(),
                    values: Values::Numbers(vec![9.0, f32::NAN, 7.0, 6.0]),
                },
                ValueColumn {
                    name: "state".to_owned(),
                    values: Values::Texts(vec![0, NO_TEXT, 0, 0]),
                },
            ],
            texts: vec!["idle".to_owned()],
            ..TraceParts::default()
        }
    }

    #[test]
    fn an_agent_is_absent_between_its_segments() {
        let trace = Trace::new(parts()).unwrap();
        let x = |frame| trace.row(A, Frame(frame)).map(|row| row.position.x);
        let found: Vec<_> = (0..8).map(x).collect();
        let last = Some(3.0);
        assert_eq!(found, [None, Some(0.0), Some(1.0), None, Some(2.0), last, last, last]);
        assert_eq!(trace.row(AgentId(1), Frame(1)), None, "an agent without rows");
    }

    #[test]
    fn missing_values_are_none() {
        let trace = Trace::new(parts()).unwrap();
        assert_eq!(trace.value(A, Frame(1), 0), Some(TraceValue::Number(9.0)));
        assert_eq!(trace.value(A, Frame(1), 1), Some(TraceValue::Text("idle")));
        for (frame, column) in [(2, 0), (2, 1), (3, 0), (1, 2)] {
            assert_eq!(trace.value(A, Frame(frame), column), None, "{frame}, {column}");
        }
        assert_eq!(trace.text_key(A, Frame(1), 1), Some(name_hash("idle")));
    }

    #[test]
    fn a_goal_is_a_point_in_units_of_the_run_or_a_place() {
        let mut parts = parts();
        let column = |name: &str, values| ValueColumn { name: name.to_owned(), values };
        let numbers = |numbers: [f32; 4]| Values::Numbers(numbers.to_vec());
        parts.columns.push(column("goal.x", numbers([32.0, 48.0, f32::NAN, f32::NAN])));
        parts.columns.push(column("goal.y", numbers([16.0, f32::NAN, 0.0, f32::NAN])));
        parts.columns.push(column("goal", Values::Texts(vec![0, 0, 1, NO_TEXT])));
        parts.texts.push("nowhere".to_owned());
        parts.places = vec![Some(Vec2::new(7.5, 7.5))];
        parts.units = Units { scale: 16.0, y_up: Some(10.0), ..Units::default() };
        let trace = Trace::new(parts).unwrap();
        let goals = [1, 2, 4, 5].map(|frame| trace.goal(A, Frame(frame)));
        assert_eq!(goals, [Some(Vec2::new(2.0, 9.0)), Some(Vec2::new(7.5, 7.5)), None, None]);
        assert!(trace.has_aims() && trace.wants(A, Frame(1)).is_none());
    }

    #[test]
    fn invalid_parts_are_refused() {
        let changed = |change: fn(&mut TraceParts)| {
            let mut parts = parts();
            change(&mut parts);
            Trace::new(parts).unwrap_err()
        };
        assert_eq!(changed(|parts| parts.frames = 0), InvalidTrace::Empty);
        assert_eq!(changed(|parts| parts.frames = 5), InvalidTrace::Segments);
        assert_eq!(changed(|parts| parts.segments[0][1].first = 2), InvalidTrace::Segments);
        assert_eq!(changed(|parts| parts.segments[0][1].row = 3), InvalidTrace::Segments);
        assert_eq!(changed(|parts| parts.rows[1].position.x = f32::NAN), InvalidTrace::Motion);
        assert_eq!(changed(|parts| parts.rows.truncate(3)), InvalidTrace::Size);
        assert_eq!(changed(|parts| parts.texts.clear()), InvalidTrace::Reference);
        assert_eq!(changed(|parts| parts.times = Some(vec![0.0])), InvalidTrace::Reference);
    }
}
