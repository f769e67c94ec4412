//! Traces: recorded motions that move agents frame by frame.
//!
//! A [`Trace`] assigns the rows of a [`RunTable`] to the agents of a scenario. An agent that follows
//! a trace copies its row of each frame. The rows of an agent are in [`Segment`]s of consecutive
//! frames. Between two segments, the agent is not in the world.
//!
//! The table never changes, and all scenarios share it. While another program still writes the run,
//! [`live`] frames are appended after those of the table.
//!
//! A row can have additional values, such as hit points. Values are not part of the state of a
//! world. Conditions read them by agent, frame and column. Columns with the names `goal` and `wants`
//! tell the detectors where an agent wants to go.

mod aims;
pub mod live;
mod table;

use core::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use crate::geom::Vec2;
use crate::id::AgentId;
use crate::rng::name_hash;
use crate::time::Frame;

use aims::{Aims, PlaceColumns};
use live::{LiveAgents, LiveFrame};

pub use aims::{DerivedMotion, Units, VectorColumns};
pub use table::{FileFacts, ReadWarning, Row, RunTable};

/// Largest number of rows of a trace.
pub const MAX_ROWS: usize = u32::MAX as usize;

/// Largest number of value columns of a trace.
pub const MAX_COLUMNS: usize = 1000;

/// Consecutive frames in which an agent is in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// First frame.
    pub first: u32,
    /// Number of frames, at least 1.
    pub count: u32,
    /// Index in [`RunTable::rows`] of the row of the first frame. The rows of the other frames
    /// follow.
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
    /// Indices of texts in [`RunTable::texts`]. [`NO_TEXT`] stands for a missing value.
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
    /// Index of the text, for [`Trace::text`].
    pub text: u32,
}

/// The parts of a [`Trace`], before they are checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TraceParts {
    /// The motions and values.
    pub table: Arc<RunTable>,
    /// Segments of each agent, indexed by [`AgentId`], in order of time. Agents beyond the end of
    /// the list have none.
    pub segments: Vec<Vec<Segment>>,
    /// For each agent, the index in its kind of each mode of the table. The modes of an agent
    /// without an entry have the same indices in both.
    pub modes: Vec<Arc<[u16]>>,
    /// Events, in order of frames.
    pub events: Vec<TraceEvent>,
    /// For each text of the table, the position of the place of the map with this name. Texts beyond
    /// the end of the list name no place.
    pub places: Vec<Option<Vec2>>,
    /// The agents of frames that are appended later; `None` if the run is complete.
    pub live: Option<LiveAgents>,
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

/// The motions and values of the agents of a scenario, by agent and frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    table: Arc<RunTable>,
    segments: Vec<Segment>,
    /// For each agent, the range of its segments. Agents beyond the end of the list have none.
    agents: Vec<Range<u32>>,
    /// For each agent, the index in its kind of each mode of the table (see [`TraceParts::modes`]).
    modes: Vec<Arc<[u16]>>,
    /// [`name_hash`] of each text of the table, for comparisons in conditions.
    keys: Vec<u64>,
    events: Vec<TraceEvent>,
    aims: Aims,
    vectors: Vec<VectorColumns>,
    places: Vec<Option<Vec2>>,
    live: Option<LiveAgents>,
}

impl Trace {
    /// Checks the parts and creates the trace.
    ///
    /// # Errors
    /// Returns the first invalid part.
    pub fn new(parts: TraceParts) -> Result<Self, InvalidTrace> {
        let valid = |is_valid: bool, error| if is_valid { Ok(()) } else { Err(error) };
        let TraceParts { table, segments, modes, events, places, live } = parts;
        let RunTable { frames, rows, columns, texts, times, .. } = &*table;
        valid(*frames > 0, InvalidTrace::Empty)?;
        let same_length = columns.iter().all(|column| column.values.len() == rows.len());
        let few = rows.len() <= MAX_ROWS && columns.len() <= MAX_COLUMNS;
        valid(same_length && few, InvalidTrace::Size)?;
        valid(rows.iter().all(Row::is_finite), InvalidTrace::Motion)?;
        let mut flat = Vec::new();
        let mut agents = Vec::with_capacity(segments.len());
        for list in segments {
            let mut next = 0;
            for segment in &list {
                let last_row = u64::from(segment.row) + u64::from(segment.count);
                let fits = segment.count > 0
                    && u64::from(segment.first) >= next
                    && segment.end() <= u64::from(*frames)
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
        let occurs = |event: &TraceEvent| event.frame < *frames && is_text(event.text);
        let is_timed = times.as_ref().is_none_or(|times| {
            times.len() == *frames as usize && times.iter().all(|time| time.is_finite())
        });
        let refers = columns.iter().all(|column| known(&column.values))
            && events.iter().all(occurs)
            && events.is_sorted()
            && is_timed;
        valid(refers, InvalidTrace::Reference)?;
        let keys = texts.iter().map(|text| name_hash(text)).collect();
        let (segments, aims) = (flat, Aims::new(columns));
        let vectors = VectorColumns::all(columns);
        Ok(Self { table, segments, agents, modes, keys, events, aims, vectors, places, live })
    }

    /// Returns the last frame with rows. While another program still writes the run, later calls can
    /// return a later frame.
    pub fn end(&self) -> Frame {
        let live = self.live.as_ref().map_or(0, |live| live.frames().len());
        Frame(u64::from(self.table.frames) + live as u64 - 1)
    }

    /// Returns true if another program still writes the run, so that [`Trace::end`] can grow.
    pub fn is_growing(&self) -> bool {
        self.live.as_ref().is_some_and(|live| !live.frames().is_closed())
    }

    /// Returns the name of an agent that was reserved for a later frame of a growing run.
    pub(crate) fn reserved_name(&self, id: AgentId) -> Option<&str> {
        self.live.as_ref()?.name(id)
    }

    /// Returns the agent that was reserved for a later frame and has a name by now.
    pub(crate) fn find_reserved(&self, name: &str) -> Option<AgentId> {
        self.live.as_ref()?.find(name)
    }

    /// Returns true if an agent has rows at any frame, or can have rows in later frames.
    pub fn moves(&self, id: AgentId) -> bool {
        self.agents.get(id.index()).is_some_and(|range| !range.is_empty())
            || self.live.as_ref().is_some_and(|live| live.follows(id))
    }

    /// Returns true if all modes of rows are valid. `count` returns the number of modes of an agent,
    /// or `None` for an unknown agent.
    pub(crate) fn has_valid_modes(&self, count: impl Fn(AgentId) -> Option<usize>) -> bool {
        let ids = (0..self.agents.len().max(self.modes.len()) as u32).map(AgentId);
        ids.filter(|&id| self.moves(id)).all(|id| {
            let Some(count) = count(id) else { return false };
            let is_mode = |mode: u16| usize::from(mode) < count;
            if let Some(modes) = self.modes.get(id.index()).filter(|modes| !modes.is_empty()) {
                let known = modes.len();
                return modes.iter().all(|&mode| is_mode(mode))
                    && self.rows_of(id).all(|row| usize::from(row.mode) < known);
            }
            self.rows_of(id).all(|row| is_mode(row.mode))
        })
    }

    fn rows_of(&self, id: AgentId) -> impl Iterator<Item = &Row> {
        self.segments(id).iter().flat_map(|segment| {
            &self.table.rows[segment.row as usize..segment.row as usize + segment.count as usize]
        })
    }

    /// Returns the number of rows in the table.
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    /// Returns true if no agent has rows.
    pub fn is_empty(&self) -> bool {
        self.table.rows.is_empty()
    }

    /// Returns the columns of additional values.
    pub fn columns(&self) -> &[ValueColumn] {
        &self.table.columns
    }

    fn segments(&self, id: AgentId) -> &[Segment] {
        let range = self.agents.get(id.index()).cloned().unwrap_or_default();
        &self.segments[range.start as usize..range.end as usize]
    }

    /// Returns the first frame of an agent in the table. Returns `None` without rows in the table.
    pub(crate) fn first_frame(&self, id: AgentId) -> Option<Frame> {
        Some(Frame(self.segments(id).first()?.first.into()))
    }

    /// Returns the segment of an agent at a frame of the table. Returns `None` if the agent is not
    /// in the world at that frame.
    fn segment(&self, id: AgentId, frame: Frame) -> Option<Segment> {
        let segments = self.segments(id);
        let after = segments.partition_point(|segment| u64::from(segment.first) <= frame.0);
        let segment = *segments.get(after.checked_sub(1)?)?;
        (frame.0 < segment.end()).then_some(segment)
    }

    /// Returns the frame after the table that contains the rows of `frame`.
    fn live_frame(&self, frame: Frame) -> Option<&LiveFrame> {
        let index = frame.0.checked_sub(self.table.frames.into())?;
        self.live.as_ref()?.frames().frame(index as usize)
    }

    /// Returns the number of an agent at a frame if it is an instance of a template, otherwise 0.
    pub(crate) fn number(&self, id: AgentId, frame: Frame) -> u32 {
        let last = || self.segments(id).last().copied();
        self.segment(id, frame).or_else(last).map_or(0, |segment| segment.number)
    }

    /// Returns true if an agent is in the world at a frame and at the previous frame, without
    /// leaving the world in between.
    pub(crate) fn continues(&self, id: AgentId, frame: Frame) -> bool {
        let Some(before) = frame.0.checked_sub(1).map(Frame) else { return false };
        if frame > self.end() {
            return self.row(id, frame).is_some();
        }
        if self.live_frame(frame).is_some() {
            return self.row(id, before).is_some() && self.row(id, frame).is_some();
        }
        let segment = self.segment(id, frame);
        segment.is_some() && segment == self.segment(id, before)
    }

    /// Returns the place of an agent's row at a frame. Returns `None` if the agent is not in the
    /// world at that frame. After the last frame, all agents stay as they are.
    fn place(&self, id: AgentId, frame: Frame) -> Option<Place<'_>> {
        let frame = frame.min(self.end());
        if let Some(live) = self.live_frame(frame) {
            let index = live.index(self.live.as_ref()?.agent(id)?)?;
            return Some(Place::Live(live, index));
        }
        let segment = self.segment(id, frame)?;
        let offset = frame.0 - u64::from(segment.first);
        Some(Place::Table(segment.row as usize + offset as usize))
    }

    /// Returns the motion of an agent at a frame. Returns `None` if the agent is not in the world
    /// at that frame.
    pub fn row(&self, id: AgentId, frame: Frame) -> Option<Row> {
        let row = match self.place(id, frame)? {
            Place::Table(index) => self.table.rows[index],
            Place::Live(live, index) => live.rows[index],
        };
        let modes = self.modes.get(id.index());
        let mode = modes.and_then(|modes| modes.get(usize::from(row.mode)));
        Some(Row { mode: mode.copied().unwrap_or(row.mode), ..row })
    }

    /// Returns the value of an agent at a frame. `column` is an index of [`Trace::columns`].
    /// Returns `None` for a missing value.
    pub fn value(&self, id: AgentId, frame: Frame, column: usize) -> Option<TraceValue<'_>> {
        match &self.table.columns.get(column)?.values {
            Values::Numbers(_) => self.number_in(id, frame, column).map(TraceValue::Number),
            Values::Texts(_) => {
                let text = self.text_in(id, frame, column)?;
                Some(TraceValue::Text(self.known_text(text)?.0))
            }
        }
    }

    /// Returns the number of an agent at a frame in a column of numbers. Returns `None` for a
    /// missing value or a column of texts.
    pub(crate) fn number_in(&self, id: AgentId, frame: Frame, column: usize) -> Option<f32> {
        let Values::Numbers(numbers) = &self.table.columns.get(column)?.values else { return None };
        let number = match self.place(id, frame)? {
            Place::Table(index) => numbers[index],
            Place::Live(live, index) => f32::from_bits(live.value(column, index)),
        };
        Some(number).filter(|number| number.is_finite())
    }

    /// Returns the index of the text of an agent at a frame in a column of texts.
    fn text_in(&self, id: AgentId, frame: Frame, column: usize) -> Option<u32> {
        let Values::Texts(texts) = &self.table.columns.get(column)?.values else { return None };
        Some(match self.place(id, frame)? {
            Place::Table(index) => texts[index],
            Place::Live(live, index) => live.value(column, index),
        })
    }

    /// Returns the [`name_hash`] of the text of an agent at a frame in a column of texts. Returns
    /// `None` for a missing value or a column of numbers.
    pub(crate) fn text_key(&self, id: AgentId, frame: Frame, column: usize) -> Option<u64> {
        Some(self.known_text(self.text_in(id, frame, column)?)?.1)
    }

    /// Returns a text and its [`name_hash`].
    fn known_text(&self, index: u32) -> Option<(&str, u64)> {
        let index = index as usize;
        if let Some(text) = self.table.texts.get(index) {
            return Some((text, self.keys[index]));
        }
        self.live.as_ref()?.frames().text(index.checked_sub(self.keys.len())?)
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
        self.table.units
    }

    /// Returns the place that an agent has to reach at a frame, in tiles. Returns `None` if the
    /// trace does not tell it, or if the map has no place with the name.
    pub fn goal(&self, id: AgentId, frame: Frame) -> Option<Vec2> {
        self.aim(self.aims.goal, id, frame)
    }

    /// Returns the position that an agent wants to reach next at a frame, in tiles. Returns `None`
    /// if the trace does not tell it, or if the map has no place with the name.
    pub fn wants(&self, id: AgentId, frame: Frame) -> Option<Vec2> {
        self.aim(self.aims.wants, id, frame)
    }

    /// Returns the columns of vectors.
    pub fn vectors(&self) -> &[VectorColumns] {
        &self.vectors
    }

    /// Returns a vector of an agent at a frame, in units of the run, with its direction on the map.
    /// Returns `None` for a missing value.
    pub fn vector(&self, id: AgentId, frame: Frame, vector: &VectorColumns) -> Option<Vec2> {
        let [x, y] = vector.columns.map(|column| self.number_in(id, frame, column));
        Some(self.table.units.turned(Vec2::new(x?, y?)))
    }

    fn aim(&self, columns: PlaceColumns, id: AgentId, frame: Frame) -> Option<Vec2> {
        let point = columns.point.and_then(|[x, y]| {
            Some(Vec2::new(self.number_in(id, frame, x)?, self.number_in(id, frame, y)?))
        });
        let named = || {
            let text = self.text_in(id, frame, columns.name?)?;
            self.places.get(text as usize).copied()?
        };
        point.map(|at| self.table.units.position(at)).or_else(named)
    }

    /// Returns the events of a frame.
    pub fn events(&self, frame: Frame) -> impl Iterator<Item = TraceEvent> {
        let at = |limit: u64| self.events.partition_point(|event| u64::from(event.frame) < limit);
        let own = &self.events[at(frame.0)..at(frame.0.saturating_add(1))];
        let live = self.live.as_ref().zip(self.live_frame(frame));
        let later = live.into_iter().flat_map(move |(agents, live)| {
            let event = move |&(agent, text): &(u32, u32)| {
                Some(TraceEvent { frame: frame.0 as u32, agent: agents.id(agent)?, text })
            };
            live.events.iter().filter_map(event)
        });
        own.iter().copied().chain(later)
    }

    /// Returns a text of an event.
    pub fn text(&self, index: u32) -> &str {
        self.known_text(index).map_or("", |(text, _)| text)
    }

    /// Returns the seconds from frame 0 to a frame. Returns `None` if all frames have the same
    /// length, and after the last frame.
    pub(crate) fn seconds(&self, frame: Frame) -> Option<f32> {
        if let Some(live) = self.live_frame(frame) {
            return live.seconds;
        }
        self.table.times.as_ref()?.get(usize::try_from(frame.0).ok()?).copied()
    }

    /// Calls `part` with the address and the size in bytes of the table and of the appended frames,
    /// which scenarios share.
    pub(crate) fn each_shared_part(&self, part: &mut impl FnMut(usize, usize)) {
        part(Arc::as_ptr(&self.table).addr(), self.table.bytes());
        if let Some(live) = &self.live {
            part(core::ptr::from_ref(live.frames()).addr(), live.frames().bytes());
        }
    }

    /// Returns the size of the parts that other scenarios do not share, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.segments)
            + size_of_val(&*self.agents)
            + size_of_val(&*self.keys)
            + size_of_val(&*self.events)
    }
}

/// The place of a row.
enum Place<'a> {
    /// Index of a row of the table.
    Table(usize),
    /// Index of a row of an appended frame.
    Live(&'a LiveFrame, usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vec2;

    const A: AgentId = AgentId(0);

    fn row(x: f32) -> Row {
        let position = Vec2::new(x, 0.5);
        Row { frame: 0, position, velocity: Vec2::ZERO, heading: Vec2::X, mode: 0 }
    }

    fn parts() -> TraceParts {
        let segment = |first, count, row| Segment { first, count, row, number: 0 };
        let table = RunTable {
            frames: 6,
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
            ..RunTable::default()
        };
        let segments = vec![vec![segment(1, 2, 0), segment(4, 2, 2)]];
        TraceParts { table: Arc::new(table), segments, ..TraceParts::default() }
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
        let parts = parts();
        let mut table = RunTable::clone(&parts.table);
        let column = |name: &str, values| ValueColumn { name: name.to_owned(), values };
        let numbers = |numbers: [f32; 4]| Values::Numbers(numbers.to_vec());
        table.columns.push(column("goal.x", numbers([32.0, 48.0, f32::NAN, f32::NAN])));
        table.columns.push(column("goal.y", numbers([16.0, f32::NAN, 0.0, f32::NAN])));
        table.columns.push(column("goal", Values::Texts(vec![0, 0, 1, NO_TEXT])));
        table.texts.push("nowhere".to_owned());
        table.units = Units { scale: 16.0, y_up: Some(10.0), ..Units::default() };
        let places = vec![Some(Vec2::new(7.5, 7.5))];
        let trace = Trace::new(TraceParts { table: Arc::new(table), places, ..parts }).unwrap();
        let goals = [1, 2, 4, 5].map(|frame| trace.goal(A, Frame(frame)));
        assert_eq!(goals, [Some(Vec2::new(2.0, 9.0)), Some(Vec2::new(7.5, 7.5)), None, None]);
        assert!(trace.has_aims() && trace.wants(A, Frame(1)).is_none());
    }

    #[test]
    fn invalid_parts_are_refused() {
        let changed = |change: fn(&mut RunTable, &mut TraceParts)| {
            let mut parts = parts();
            let mut table = RunTable::clone(&parts.table);
            change(&mut table, &mut parts);
            Trace::new(TraceParts { table: Arc::new(table), ..parts }).unwrap_err()
        };
        assert_eq!(changed(|table, _| table.frames = 0), InvalidTrace::Empty);
        assert_eq!(changed(|table, _| table.frames = 5), InvalidTrace::Segments);
        assert_eq!(changed(|_, parts| parts.segments[0][1].first = 2), InvalidTrace::Segments);
        assert_eq!(changed(|_, parts| parts.segments[0][1].row = 3), InvalidTrace::Segments);
        assert_eq!(changed(|table, _| table.rows[1].position.x = f32::NAN), InvalidTrace::Motion);
        assert_eq!(changed(|table, _| table.rows.truncate(3)), InvalidTrace::Size);
        assert_eq!(changed(|table, _| table.texts.clear()), InvalidTrace::Reference);
        assert_eq!(changed(|table, _| table.times = Some(vec![0.0])), InvalidTrace::Reference);
    }
}
