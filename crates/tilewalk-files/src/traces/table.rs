//! Collects the rows of a run, and completes what the file leaves out: velocities, headings and the
//! length of a frame.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tilewalk_sim::geom::{Vec2, heading};
use tilewalk_sim::scenario::limits::MAX_AGENTS;
use tilewalk_sim::scenario::run::{RunRow, RunTable};
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::trace::{FileFacts, MAX_ROWS, ReadWarning, Units, ValueColumn, Values};

use crate::show;

use super::columns::{Cell, Columns, Record, Role};
use super::error::{LineProblem, RunError};
use super::header::{Angle, Header, TraceOptions};
use super::lines::{Input, LineError, Lines};
use super::{csv, ndjson};

mod clock;
mod follow;
mod order;
mod placement;
mod reshape;
mod selection;
mod value_list;

use clock::{Clock, FrameTime};
use order::{first_rows, permute};
use reshape::{NOTHING_SELECTED, filled, selected};
use selection::Selection;
use value_list::ValueList;

pub use follow::Follower;

/// Largest length of the name of an agent, a mode or a group, in characters.
const MAX_NAME: usize = 100;

/// Largest memory that reading a run may need, in bytes.
const MAX_MEMORY: usize = 8 << 30;

/// Largest length of the text of an event, in characters.
const MAX_EVENT: usize = 1000;

/// A run with the options that its header completed.
#[derive(Debug)]
pub struct RunFile {
    /// The run. Its positions have the units of the file until [`RunFile::on_map`] converts them.
    table: RunTable,
    /// The options of the command line, completed by the header of the file.
    pub options: TraceOptions,
    cells: Cells,
}

/// Whether the positions are tiles, so that agents are at the centres of tiles.
#[derive(Debug, Clone, Copy)]
enum Cells {
    /// The header of the file or its notation tells it.
    Known(bool),
    /// Positions are tiles unless the file has another unit than tiles.
    InUnitsOfTiles,
}

/// Reads a run.
///
/// # Errors
/// Returns an error if the input can't be read, or if a line is invalid.
pub fn read(input: Input, options: &TraceOptions) -> Result<RunFile, RunError> {
    let mut lines = input.lines();
    let mut collected = Collected::new(options);
    let label = lines.label.clone();
    if let Err(error) = collected.read_lines(&mut lines) {
        let LineError::TooLarge = error else { return Err(lines.error(error)) };
        let frames = collected.keys().len() as u64;
        let agent = collected.agents.list.into_iter().next().unwrap_or_default();
        let first = options.rows_from.unwrap_or(0);
        // A part of half the size fits also if its frames have more rows.
        let frames = first..=first + (frames / 2).max(1) - 1;
        return Err(RunError::TooLarge { label, gib: MAX_MEMORY >> 30, frames, agent });
    }
    collected.place.content = lines.content();
    collected.finish(label)
}

/// Names with their numbers, in the order of their first use.
#[derive(Debug, Clone, Default)]
struct Names {
    numbers: BTreeMap<String, u32>,
    list: Vec<String>,
}

impl Names {
    /// Returns true if a number is that of a name.
    fn is(&self, number: u32, name: &str) -> bool {
        self.list.get(number as usize).is_some_and(|known| known == name)
    }

    /// Returns the number of a name. `guess` is a number that the name probably has.
    fn number(&mut self, name: &str, guess: u32) -> u32 {
        if self.is(guess, name) {
            return guess;
        }
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.list.push(name.to_owned());
        number
    }
}

/// A row as it is in the file.
#[derive(Debug, Clone, Copy)]
struct RawRow {
    /// Index in [`Collected::frame_keys`].
    key: u32,
    agent: u32,
    line: u32,
    x: f32,
    y: f32,
    velocity: [f32; 2],
    heading: [f32; 2],
    mode: u16,
}

/// The rows of a file, in the order of the file.
#[derive(Clone)]
struct Collected {
    options: TraceOptions,
    columns: Columns,
    header: Header,
    agents: Names,
    modes: Names,
    texts: Names,
    groups: Vec<Option<String>>,
    rows: Vec<RawRow>,
    /// Key of each frame: its number, or its time in seconds. A frame whose rows do not follow each
    /// other has several entries.
    frame_keys: Vec<f64>,
    /// The times of frames, if the file also has their numbers.
    times: Vec<FrameTime>,
    values: Vec<ValueList>,
    /// Frame key, agent and text of each event.
    events: Vec<(f64, u32, u32)>,
    /// Frame key and agent after whose last row the agent is no longer in the world.
    gone: Vec<(f64, u32)>,
    place: ReadPlace,
    /// Whether all coordinates are whole numbers.
    whole: bool,
    has_velocity: bool,
}

/// The place in a file up to which it has been read.
#[derive(Debug, Clone, Default)]
struct ReadPlace {
    selection: Selection,
    /// Frame key of the last row or event; `None` after a line without one.
    key: Option<f64>,
    /// Frame key of the last frame that has ended, while the run is being followed.
    closed: Option<f64>,
    /// Size and hash of the part that has been read.
    content: (u64, u64),
}

type Read<T> = Result<T, LineProblem>;

/// Reads the lines of a file one after the other.
#[derive(Clone, Default)]
struct LineReader {
    /// Directory of the file, if it is on disk.
    folder: Option<PathBuf>,
    /// The layout of a file of comma-separated values, and the line that contains it.
    layout: Option<(csv::Layout, String)>,
    record: Record,
    path: String,
    /// Whether a row or the names of the columns have been read.
    begun: bool,
    /// Whether the last line ends a frame.
    ends_frame: bool,
}

impl LineReader {
    fn new(collected: &mut Collected, folder: Option<PathBuf>) -> Self {
        collected.columns = Columns::new(&collected.options.columns);
        Self { folder, ..Self::default() }
    }

    /// Reads a line that is not empty, and adds its row.
    fn read(&mut self, collected: &mut Collected, line: &str, number: u64) -> Read<()> {
        (collected.place.key, self.ends_frame) = (None, false);
        if let Some(header) = Header::read(line) {
            let header = header?;
            if header.end {
                self.ends_frame = true;
                return Ok(());
            }
            if self.begun {
                let what = "the header line must come before all rows";
                return Err(LineProblem::new(1, what));
            }
            collected.options.complete(&header, self.folder.as_deref());
            collected.columns = Columns::new(&collected.options.columns);
            collected.place.selection = Selection::new(&collected.options, header.sparse);
            collected.header = header;
            return Ok(());
        }
        if !self.begun && line.starts_with('#') {
            return Ok(());
        }
        let is_json = line.starts_with(['{', '[']);
        if !self.begun && !is_json {
            self.begun = true;
            let layout = csv::Layout::read(line, &mut collected.columns)?;
            self.layout = Some((layout, line.to_owned()));
            return Ok(());
        }
        self.begun = true;
        let record = &mut self.record;
        match &self.layout {
            Some((layout, _)) => layout.record(line, record)?,
            None => ndjson::record(line, &mut collected.columns, record, &mut self.path)?,
        }
        collected.push(&self.record, number)
    }
}

/// A row that is being read, with the cells that are not part of its motion.
struct RowDraft {
    row: RawRow,
    /// Frame number, or time in seconds; NaN without one.
    key: f64,
    /// Seconds; NaN without a time.
    time: f64,
    /// Column of the time in its line.
    time_column: usize,
    /// Heading in degrees; NaN without a heading.
    degrees: f32,
    group: Option<String>,
    event: Option<String>,
    is_gone: bool,
    has_agent: bool,
}

impl RowDraft {
    fn new(line: u64) -> Self {
        let row = RawRow {
            key: 0,
            agent: 0,
            line: line as u32,
            x: f32::NAN,
            y: f32::NAN,
            velocity: [f32::NAN; 2],
            heading: [f32::NAN; 2],
            mode: 0,
        };
        Self {
            row,
            key: f64::NAN,
            time: f64::NAN,
            time_column: 1,
            degrees: f32::NAN,
            group: None,
            event: None,
            is_gone: false,
            has_agent: false,
        }
    }
}

/// A cell of a row, for reading its value.
struct CellReader<'a> {
    record: &'a Record,
    slot: usize,
    columns: &'a Columns,
}

impl CellReader<'_> {
    /// Returns the text of the cell; `None` for a number.
    fn plain_text(&self) -> Option<&str> {
        let Cell::Text(range) = &self.record.cells[self.slot] else { return None };
        Some(&self.record.text[range.clone()])
    }

    /// Returns the number of the cell; NaN if the value is missing.
    fn number(&self) -> Read<f64> {
        match &self.record.cells[self.slot] {
            Cell::Number(number, _) => Ok(*number),
            Cell::Missing => Ok(f64::NAN),
            Cell::Text(range) => Err(self.refused("a number", &self.record.text[range.clone()])),
        }
    }

    /// Returns whether the cell is a number other than 0, or `true`.
    fn flag(&self) -> Read<bool> {
        let Some(text) = self.plain_text() else { return Ok(self.number()? != 0.0) };
        // Python writes `True`.
        match text.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.refused("a number, true or false", text)),
        }
    }

    /// Returns the problem of a cell that must be something else.
    fn refused(&self, expected: &str, text: &str) -> LineProblem {
        let (name, text) = (show::text(self.columns.name(self.slot)), show::text(text));
        let what = format!("`{name}` must be {expected}, not `{text}`");
        LineProblem::new(self.record.places[self.slot], what)
    }

    /// Returns the cell as a text of at most `limit` characters.
    fn text(&self, limit: usize) -> Read<String> {
        let text = match &self.record.cells[self.slot] {
            Cell::Number(number, _) => number.to_string(),
            Cell::Text(range) => self.record.text[range.clone()].to_owned(),
            Cell::Missing => String::new(),
        };
        if text.chars().count() <= limit && !text.chars().any(show::is_hidden) {
            return Ok(text);
        }
        let what = format!(
            "`{}` must be a text of at most {limit} characters without control characters, not `{}`",
            show::text(self.columns.name(self.slot)),
            show::text(&text)
        );
        Err(LineProblem::new(self.record.places[self.slot], what))
    }
}

impl Collected {
    fn new(options: &TraceOptions) -> Self {
        Self {
            options: options.clone(),
            columns: Columns::default(),
            header: Header::default(),
            agents: Names::default(),
            modes: Names::default(),
            texts: Names::default(),
            groups: Vec::new(),
            rows: Vec::new(),
            frame_keys: Vec::new(),
            times: Vec::new(),
            values: Vec::new(),
            events: Vec::new(),
            gone: Vec::new(),
            place: ReadPlace { selection: Selection::new(options, false), ..ReadPlace::default() },
            whole: true,
            has_velocity: false,
        }
    }

    fn read_lines(&mut self, lines: &mut Lines) -> Result<(), LineError> {
        let mut reader = LineReader::new(self, lines.folder.clone());
        loop {
            let number = lines.number() + 1;
            let Some(line) = lines.next()? else { return Ok(()) };
            reader.read(self, line, number).map_err(LineError::Wrong)?;
            if self.rows.len() >= self.most_rows() {
                return Err(LineError::TooLarge);
            }
        }
    }

    /// Returns the number of rows that need [`MAX_MEMORY`] while the table is created.
    fn most_rows(&self) -> usize {
        let row = size_of::<RawRow>() + size_of::<RunRow>() + 8 * (1 + self.values.len());
        let spellings: usize = self.values.iter().map(ValueList::spelling_bytes).sum();
        (MAX_MEMORY.saturating_sub(spellings) / row).min(MAX_ROWS)
    }

    /// Adds a row.
    fn push(&mut self, record: &Record, line: u64) -> Read<()> {
        let mut draft = RowDraft::new(line);
        for slot in 0..record.cells.len() {
            self.read_cell(record, slot, &mut draft)?;
        }
        if !draft.has_agent {
            draft.row.agent = self.agents.number("agent", 0);
        }
        if self.agents.list.len() > MAX_AGENTS as usize {
            return Err(LineProblem::new(1, format!("more than {MAX_AGENTS} agents")));
        }
        self.groups.resize(self.agents.list.len(), None);
        if draft.group.is_some() {
            self.groups[draft.row.agent as usize] = draft.group.take();
        }
        self.set_key(&mut draft)?;
        let (row, key) = (draft.row, draft.key);
        if !self.place.selection.takes(key)? {
            return Ok(());
        }
        if self.frame_keys.last() != Some(&key) {
            self.frame_keys.push(key);
        }
        if !self.takes_agent(row.agent) {
            return Ok(());
        }
        if let Some(event) = &draft.event {
            let text = self.texts.number(event, 0);
            self.events.push((key, row.agent, text));
        }
        if draft.is_gone {
            // Many programs also write the last position of the agent.
            self.gone.push((key, row.agent));
            return Ok(());
        }
        let has_position = !row.x.is_nan() && !row.y.is_nan();
        if !has_position && draft.event.is_some() {
            return Ok(());
        }
        if !has_position {
            return Err(self.no_position(record, if row.x.is_nan() { Role::X } else { Role::Y }));
        }
        if !(row.x.is_finite() && row.y.is_finite()) {
            return Err(LineProblem::new(1, "the position is too large"));
        }
        self.add(&draft, record);
        Ok(())
    }

    /// Returns the problem of a row without a position.
    fn no_position(&self, record: &Record, role: Role) -> LineProblem {
        let name = show::text(self.columns.foreign(role));
        let Some(slot) = self.columns.slot_of(role) else {
            let help = "name the column with --columns, such as x=pos.x";
            return LineProblem::new(1, format!("missing value `{name}`; {help}"));
        };
        let place = record.places.get(slot).copied().unwrap_or(1);
        LineProblem::new(place, format!("`{name}` is missing or not a number"))
    }

    /// Returns true if the rows of an agent are read.
    fn takes_agent(&self, agent: u32) -> bool {
        let names = &self.options.rows_of;
        names.is_empty() || names.contains(&self.agents.list[agent as usize])
    }

    /// Reads a cell into the draft of its row. Values are read with [`Collected::add`].
    fn read_cell(&mut self, record: &Record, slot: usize, draft: &mut RowDraft) -> Read<()> {
        let cell = CellReader { record, slot, columns: &self.columns };
        if record.cells[slot] == Cell::Missing {
            return Ok(());
        }
        let row = &mut draft.row;
        match self.columns.role(slot) {
            Role::Frame => draft.key = cell.number()?,
            Role::Time => (draft.time, draft.time_column) = (cell.number()?, record.places[slot]),
            Role::X => row.x = cell.number()? as f32,
            Role::Y => row.y = cell.number()? as f32,
            Role::Vx => row.velocity[0] = cell.number()? as f32,
            Role::Vy => row.velocity[1] = cell.number()? as f32,
            Role::Hx => row.heading[0] = cell.number()? as f32,
            Role::Hy => row.heading[1] = cell.number()? as f32,
            Role::Heading => draft.degrees = self.degrees(cell.number()?),
            Role::Gone => draft.is_gone = cell.flag()?,
            Role::Agent => {
                draft.has_agent = true;
                // Most frames list the agents in the same order.
                let guess = self.rows.last().map_or(0, |last| last.agent + 1);
                row.agent = match cell.plain_text().filter(|name| self.agents.is(guess, name)) {
                    Some(_) => guess,
                    None => self.agents.number(&cell.text(MAX_NAME)?, guess),
                };
            }
            Role::Mode => {
                let guess = self.rows.last().map_or(0, |last| u32::from(last.mode));
                let mode = match cell.plain_text().filter(|name| self.modes.is(guess, name)) {
                    Some(_) => guess,
                    None => self.modes.number(&cell.text(MAX_NAME)?, guess),
                };
                row.mode = u16::try_from(mode)
                    .map_err(|_| LineProblem::new(record.places[slot], "more than 65536 modes"))?;
            }
            Role::Group => draft.group = Some(cell.text(MAX_NAME)?),
            Role::Event => draft.event = Some(cell.text(MAX_EVENT)?),
            Role::Goal | Role::Wants | Role::Target | Role::Derived | Role::Value(_) => {}
        }
        Ok(())
    }

    /// Sets the frame key of a row: the frame number, or else the time.
    fn set_key(&mut self, draft: &mut RowDraft) -> Read<()> {
        let (key, time) = (&mut draft.key, draft.time);
        if key.is_nan() {
            *key = time;
        } else if !time.is_nan() && self.times.last().is_none_or(|last| last.key != *key) {
            let (line, column) = (draft.row.line, draft.time_column as u32);
            self.times.push(FrameTime { key: *key, seconds: time, line, column });
        }
        if key.is_nan() {
            let [frame, time] = [Role::Frame, Role::Time].map(|role| self.columns.foreign(role));
            let (frame, time) = (show::text(frame), show::text(time));
            return Err(LineProblem::new(1, format!("missing value `{frame}` or `{time}`")));
        }
        self.place.key = Some(*key);
        Ok(())
    }

    /// Adds a complete row and its values.
    fn add(&mut self, draft: &RowDraft, record: &Record) {
        let (mut row, index) = (draft.row, self.rows.len());
        row.key = self.frame_keys.len() as u32 - 1;
        self.whole &= row.x.fract() == 0.0 && row.y.fract() == 0.0;
        self.has_velocity |= row.velocity.iter().all(|part| part.is_finite());
        if !draft.degrees.is_nan() && row.heading.iter().any(|part| part.is_nan()) {
            let unit = heading::from_degrees(draft.degrees);
            row.heading = [unit.x, unit.y];
        }
        for slot in 0..record.cells.len() {
            let Role::Value(value) = self.columns.role(slot) else { continue };
            while self.values.len() <= value {
                self.values.push(ValueList::default());
            }
            self.values[value].push(index, record, slot, row.line, &mut self.texts);
        }
        self.rows.push(row);
    }

    fn degrees(&self, angle: f64) -> f32 {
        match self.header.heading.unwrap_or_default() {
            Angle::Degrees => angle as f32,
            Angle::Radians => angle.to_degrees() as f32,
        }
    }

    fn finish(mut self, label: String) -> Result<RunFile, RunError> {
        let keys = self.keys();
        if keys.is_empty() && (self.place.selection.is_used() || !self.options.rows_of.is_empty()) {
            return Err(self.nothing_selected(&label));
        }
        if keys.is_empty() {
            return Err(RunError::File { label, what: "the file has no rows".to_owned() });
        }
        let frame_of = |key: f64| keys.partition_point(|known| *known < key) as u32;
        let count = self.rows.len();
        for list in &mut self.values {
            list.pad(count);
        }
        let Clock { tick, times, warning } = self.clock(&keys);
        let warnings = self.warnings(warning);
        let frames: Vec<u32> = self.frame_keys.iter().map(|key| frame_of(*key)).collect();
        // Rows of an agent in order of time; rows of one frame stay in the order of the file.
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut rows = core::mem::take(&mut self.rows);
        let key = |row: &RawRow| (row.agent, frames[row.key as usize]);
        order.small_sort_by_key(|&index| key(&rows[index as usize]));
        for pair in order.windows(2) {
            let [first, second] = [pair[0], pair[1]].map(|index| rows[index as usize]);
            if key(&first) == key(&second) {
                return Err(self.second_row(label, first, second));
            }
        }
        let cells = match self.header.cells {
            Some(cells) => Cells::Known(cells),
            None if self.whole && !self.has_velocity => Cells::InUnitsOfTiles,
            None => Cells::Known(false),
        };
        let first_rows = first_rows(&rows, self.agents.list.len());
        let values = core::mem::take(&mut self.values).into_iter().map(|list| match list.texts {
            Some(texts) => Values::Texts(order.iter().map(|&it| texts[it as usize]).collect()),
            None => Values::Numbers(order.iter().map(|&it| list.numbers[it as usize]).collect()),
        });
        let values: Vec<Values> = values.collect();
        permute(&mut rows, &mut order);
        // The rows stay in the same allocation.
        let rows = rows.into_iter().map(|row| RunRow {
            frame: frames[row.key as usize],
            position: Vec2::new(row.x, row.y),
            velocity: row.velocity.into(),
            heading: row.heading.into(),
            mode: row.mode,
        });
        let rows: Vec<RunRow> = rows.collect();
        let names = core::mem::take(&mut self.columns.values);
        let frames = keys.len() as u32;
        let mut events: Vec<_> =
            self.events.iter().map(|&(key, agent, text)| (frame_of(key), agent, text)).collect();
        events.sort_unstable();
        let columns = names.into_iter().zip(values);
        let table = RunTable {
            label,
            file: FileFacts { content: self.place.content, warnings },
            size: [1, 1],
            corner: None,
            units: Units::default(),
            agents: self.agents.list,
            groups: self.groups,
            modes: self.modes.list,
            tick,
            times,
            frames,
            first_rows,
            rows,
            columns: columns.map(|(name, values)| ValueColumn { name, values }).collect(),
            texts: self.texts.list,
            events,
        };
        let gone = self.gone.iter().map(|&(key, agent)| (agent, frame_of(key))).collect();
        let table = if self.header.sparse { filled(table, gone) } else { table };
        let mut selects = self.options.clone();
        if self.place.selection.is_used() {
            (selects.rows_from, selects.rows_to) = (None, None);
        }
        let table = selected(table, &selects)?;
        Ok(RunFile { table, options: self.options, cells })
    }

    /// Returns the warnings about what was ignored or rounded. `of_times` is the one about times.
    fn warnings(&self, of_times: Option<ReadWarning>) -> Vec<ReadWarning> {
        let numbers = self.columns.values.iter().zip(&self.values);
        let numbers = numbers.filter(|(_, list)| list.texts.is_none()).filter_map(|(name, list)| {
            let value_list::RoundedInteger { integer, line, column } = list.rounded?;
            let (name, number) = (show::text(name), integer as f32);
            let text = format!(
                "the value `{name}` has {integer}, which counts as {number}: numbers have 24 bits, so \
                 that different integers can be equal"
            );
            Some(ReadWarning { kind: "precision", place: Some((line, column)), text })
        });
        of_times.into_iter().chain(numbers).collect()
    }

    /// Returns the error for an agent with two rows in a frame.
    fn second_row(&self, label: String, first: RawRow, second: RawRow) -> RunError {
        let name = show::text(&self.agents.list[first.agent as usize]);
        let line = first.line.min(second.line);
        let what = format!("`{name}` already has a row at this frame, in line {line}");
        let line = first.line.max(second.line).into();
        RunError::Line { label, line, column: 1, what }
    }

    /// Returns the error for options that select no rows.
    fn nothing_selected(&self, label: &str) -> RunError {
        let unknown = self.options.rows_of.iter().find(|name| !self.agents.list.contains(name));
        let what = match unknown {
            Some(name) => format!("no agent `{}`", show::text(name)),
            None => NOTHING_SELECTED.to_owned(),
        };
        RunError::File { label: label.to_owned(), what }
    }

    /// Returns the different frame numbers or times of the file, in order.
    fn keys(&self) -> Vec<f64> {
        let mut keys = self.frame_keys.clone();
        if !keys.is_sorted_by(|a, b| a < b) {
            keys.small_sort_by(f64::total_cmp);
            keys.dedup();
        }
        keys
    }
}
