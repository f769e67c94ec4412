//! Reads a run while another program still writes it.
//!
//! A [`Follower`] receives the bytes of the run in the order in which they arrive. A frame counts as
//! soon as a row of a later frame or a closing line has arrived. Complete frames are appended to the
//! [`LiveFrames`] of the last table. If a frame does not fit that table, for example because of a new
//! column, [`Follower::needs_table`] returns true, and the caller requests a new table.
//!
//! The run starts again if the frame numbers start again, or if the file was truncated.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::run::{RunRow, RunTable};
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::trace::Values;
use tilewalk_sim::trace::live::LiveFrames;

use crate::show;
use crate::traces::columns::Role;
use crate::traces::error::{LineProblem, RunError};
use crate::traces::header::{Header, TraceOptions};
use crate::traces::lines::{GZIP, MAX_LINE};
use crate::traces::plans::Notation;

use super::placement::tick_of;
use super::{Collected, LineReader, ValueList};

mod base;

use base::{Base, is_inside, pools};

/// Memory of the rows above which a follower stops, in bytes.
const MAX_BYTES: usize = 1 << 30;

/// Number of frames that show the length of a frame.
const FRAMES_FOR_TICK: u32 = 3;

/// Numbers of rows, events and other entries.
#[derive(Debug, Clone, Copy, Default)]
struct Sizes {
    rows: usize,
    frame_keys: usize,
    events: usize,
    gone: usize,
    times: usize,
}

/// Reads a run that another program still writes.
pub struct Follower {
    label: String,
    folder: Option<PathBuf>,
    options: TraceOptions,
    reader: LineReader,
    collected: Collected,
    lines: LineBuffer,
    frames: Frames,
    base: Option<Base>,
    is_stale: bool,
    /// Whether an empty map needs spare tiles, because agents have left it.
    spare: bool,
    /// Length of a frame in the first table of the run.
    tick: Option<f64>,
    /// Number of times that the run started again.
    restarts: u32,
    warning: Option<String>,
    limit: usize,
    is_full: bool,
}

/// The line that is being received.
#[derive(Debug, Default)]
struct LineBuffer {
    /// Bytes of a line that has no end yet.
    bytes: Vec<u8>,
    /// Number of the last complete line.
    number: u64,
    /// Whether the first line shows that the input can be followed.
    is_checked: bool,
    /// Whether the input has ended.
    has_ended: bool,
}

/// The frames of the run.
#[derive(Debug, Clone, Copy, Default)]
struct Frames {
    /// The key of the first and of the last frame.
    keys: Option<(f64, f64)>,
    /// Sizes without the rows of the last frame, which is not complete.
    complete: Sizes,
    /// Number of complete frames.
    count: u32,
}

impl Follower {
    /// Creates the reader of a run. `label` names the input in messages, and `folder` is the
    /// directory of the file, if the run is on disk.
    ///
    /// # Errors
    /// Returns an error if the options select a part of the run.
    pub fn new(
        label: String,
        folder: Option<PathBuf>,
        options: &TraceOptions,
    ) -> Result<Self, RunError> {
        let selects = options.rows_from.is_some() || options.rows_to.is_some();
        if selects || !options.rows_of.is_empty() || options.paths.is_some() {
            let what =
                "--follow reads all rows: remove --rows-from, --rows-to, --rows-of and --paths";
            return Err(RunError::File { label, what: what.to_owned() });
        }
        let mut collected = Collected::new(options);
        let reader = LineReader::new(&mut collected, folder.clone());
        Ok(Self {
            label,
            folder,
            options: options.clone(),
            reader,
            collected,
            lines: LineBuffer::default(),
            frames: Frames::default(),
            base: None,
            is_stale: false,
            spare: false,
            tick: None,
            restarts: 0,
            warning: None,
            limit: MAX_BYTES,
            is_full: false,
        })
    }

    /// Sets the memory of the rows above which the follower stops, in bytes.
    #[must_use]
    pub fn with_limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// Returns the options, completed by the header of the file.
    pub fn options(&self) -> &TraceOptions {
        &self.collected.options
    }

    /// Returns the number of times that the run started again.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Returns true if the memory for rows is used up, so that no rows are kept any more.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Removes and returns the last warning, such as a line that was ignored.
    pub fn take_warning(&mut self) -> Option<String> {
        self.warning.take()
    }

    /// Returns true if [`Follower::table`] must be called to show all complete frames.
    pub fn needs_table(&self) -> bool {
        let knows_tick = self.options().fps.is_some()
            || self.tick.is_some()
            || !self.collected.columns.has(Role::Time)
            || self.frames.count >= FRAMES_FOR_TICK
            || self.lines.has_ended;
        self.frames.count > 0 && (self.is_stale || self.base.is_none() && knows_tick)
    }

    /// Adds bytes of the input.
    ///
    /// # Errors
    /// Returns an error if the input can't be followed, because it is compressed or a plan.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Result<(), RunError> {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.lines.bytes.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let mut line = core::mem::take(&mut self.lines.bytes);
            self.check(&line)?;
            self.add_line(&line);
            line.clear();
            self.lines.bytes = line;
        }
        self.lines.bytes.extend_from_slice(bytes);
        if self.lines.bytes.len() as u64 > MAX_LINE {
            self.lines.bytes.clear();
            self.warn(1, &format!("the line is longer than {} MiB", MAX_LINE >> 20));
        }
        self.check_start()
    }

    /// Completes the last frame, because the input has ended.
    pub fn end(&mut self) {
        let line = core::mem::take(&mut self.lines.bytes);
        self.add_line(&line);
        self.complete_frame(self.sizes());
        self.lines.has_ended = true;
        if let Some(base) = &self.base
            && !self.is_stale
        {
            base.live.close();
        }
    }

    /// Starts the run again, because its file was truncated or replaced.
    pub fn restart(&mut self) {
        self.lines.number = 0;
        self.lines.bytes.clear();
        let mut collected = Collected::new(&self.options);
        self.reader = LineReader::new(&mut collected, self.folder.clone());
        self.collected = collected;
        self.lines.is_checked = false;
        self.forget();
    }

    /// Forgets all rows, but not the columns.
    fn forget(&mut self) {
        self.base = None;
        let options = self.collected.options.clone();
        let columns = self.collected.columns.clone();
        let header = self.collected.header.clone();
        self.collected =
            Collected { options: options.clone(), columns, header, ..Collected::new(&options) };
        self.frames = Frames::default();
        (self.is_stale, self.spare, self.is_full, self.tick) = (false, false, false, None);
        self.restarts += 1;
    }

    fn warn(&mut self, column: usize, what: &str) {
        let (label, line) = (&self.label, self.lines.number.max(1));
        self.warning = Some(format!("{label}:{line}:{column}: {what}; the line is ignored"));
    }

    fn check_start(&self) -> Result<(), RunError> {
        if self.lines.is_checked || !self.lines.bytes.starts_with(&GZIP) {
            return Ok(());
        }
        Err(self.refused("a compressed file cannot be followed"))
    }

    fn check(&mut self, line: &[u8]) -> Result<(), RunError> {
        if self.lines.is_checked {
            return Ok(());
        }
        self.check_start()?;
        self.lines.is_checked = true;
        if line.starts_with(&GZIP) {
            return Err(self.refused("a compressed file cannot be followed"));
        }
        if Notation::of(line).is_some() {
            return Err(self.refused("the plan of a path planner cannot be followed"));
        }
        Ok(())
    }

    fn refused(&self, what: &str) -> RunError {
        let what = format!("{what}: open it without --follow");
        RunError::File { label: self.label.clone(), what }
    }

    fn add_line(&mut self, bytes: &[u8]) {
        self.lines.number += 1;
        if self.is_full {
            return;
        }
        let bytes = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if self.lines.number == 1 => rest,
            _ => bytes,
        };
        let Ok(line) = core::str::from_utf8(bytes.trim_ascii_end()) else {
            return self.warn(1, "invalid UTF-8");
        };
        if line.is_empty() {
            return;
        }
        if self.reader.begun && self.begins_again(line) {
            self.restart();
            self.lines.number = 1;
        }
        let before = self.sizes();
        if let Err(LineProblem { column, what }) =
            self.reader.read(&mut self.collected, line, self.lines.number)
        {
            self.truncate(before);
            return self.warn(column, &what);
        }
        match self.collected.place.key {
            None if self.reader.ends_frame => self.complete_frame(self.sizes()),
            None => {}
            Some(key) => self.add_key(key, line, before),
        }
    }

    /// Returns true if a line after the first row is the header of another run.
    fn begins_again(&self, line: &str) -> bool {
        let names = self.reader.layout.as_ref();
        names.is_some_and(|(_, names)| names == line)
            || Header::read(line).is_some_and(|header| header.is_ok_and(|header| !header.end))
    }

    /// Notes that a row with a key was read. `before` are the sizes before that row.
    fn add_key(&mut self, key: f64, line: &str, before: Sizes) {
        match self.frames.keys {
            None => self.frames.keys = Some((key, key)),
            Some((first, last)) if key > last => {
                self.complete_frame(before);
                self.frames.keys = Some((first, key));
            }
            Some((_, last))
                if key == last && self.frames.complete.rows == before.rows && self.is_closed() =>
            {
                self.truncate(before);
                self.warn(1, "the frame has already ended");
            }
            Some((_, last)) if key == last => {}
            Some((first, _)) if key <= first => {
                // The program started again, and appends to its file.
                let line = line.to_owned();
                self.forget();
                let read = self.reader.read(&mut self.collected, &line, self.lines.number);
                if read.is_ok() {
                    self.frames.keys = self.collected.place.key.map(|key| (key, key));
                }
            }
            Some((_, last)) => {
                self.truncate(before);
                self.warn(1, &format!("frame {key} comes after frame {last}"));
            }
        }
    }

    /// Returns true if a closing line has ended the last frame.
    fn is_closed(&self) -> bool {
        self.frames.keys.is_some_and(|(_, last)| self.collected.place.closed == Some(last))
    }

    fn sizes(&self) -> Sizes {
        let Collected { rows, frame_keys, events, gone, times, .. } = &self.collected;
        let [rows, frame_keys, events] = [rows.len(), frame_keys.len(), events.len()];
        Sizes { rows, frame_keys, events, gone: gone.len(), times: times.len() }
    }

    fn truncate(&mut self, sizes: Sizes) {
        self.collected.truncate(sizes);
    }

    /// Ends the last frame, whose rows end before `sizes`.
    fn complete_frame(&mut self, sizes: Sizes) {
        let Some((_, key)) = self.frames.keys.filter(|_| !self.is_closed()) else { return };
        self.collected.place.closed = Some(key);
        let sizes = self.drop_second_rows(sizes);
        let start = core::mem::replace(&mut self.frames.complete, sizes);
        let frame = self.frames.count;
        self.frames.count += 1;
        let values = self.collected.values.len();
        // A row is in the file's rows, and in a table or an appended frame.
        let row = 2 * size_of::<RunRow>() + 16 + 8 * values;
        let values = self.collected.values.iter();
        let spellings: usize = values.map(ValueList::spelling_bytes).sum();
        if sizes.rows * row + spellings > self.limit {
            self.is_full = true;
            self.frames.count -= 1;
            self.frames.complete = start;
            self.truncate(start);
            let limit = self.limit >> 20;
            let label = &self.label;
            self.warning = Some(format!(
                "{label}: the rows need more than {limit} MiB: later rows are dropped"
            ));
            if let Some(base) = &self.base {
                base.live.close();
            }
            return;
        }
        if !self.is_stale && self.base.is_some() && self.append(frame, start, sizes).is_none() {
            self.is_stale = true;
        }
    }

    /// Removes the second row of an agent in the last frame. Returns the sizes without such rows.
    fn drop_second_rows(&mut self, mut sizes: Sizes) -> Sizes {
        let mut seen = BTreeSet::new();
        let mut index = self.frames.complete.rows;
        while index < sizes.rows {
            let row = self.collected.rows[index];
            if seen.insert(row.agent) {
                index += 1;
                continue;
            }
            self.collected.rows.remove(index);
            for list in &mut self.collected.values {
                list.remove(index);
            }
            sizes.rows -= 1;
            let name = show::text(&self.collected.agents.list[row.agent as usize]);
            let (label, line) = (&self.label, row.line);
            self.warning = Some(format!(
                "{label}:{line}:1: `{name}` already has a row at this frame; the line is ignored"
            ));
        }
        sizes
    }

    /// Creates a table of all complete frames, and a list for later frames. `map` is the scenario of
    /// the map without the run; `None` if the run has no map. `tile` is the size of a tile in the
    /// units of the file, if the map has one.
    ///
    /// # Errors
    /// Returns an error if the rows do not fit together.
    pub fn table(
        &mut self,
        map: Option<&Arc<Scenario>>,
        tile: Option<f64>,
    ) -> Result<(RunTable, Arc<LiveFrames>), RunError> {
        let mut complete = self.collected.clone();
        complete.truncate(self.frames.complete);
        complete.options.scale = complete.options.scale.or(tile);
        let (whole, has_velocity) = (complete.whole, complete.has_velocity);
        let mut file = complete.finish(self.label.clone())?;
        self.tick = self.tick.or(file.table.tick);
        file.table.tick = self.tick;
        let height = map.map(|scenario| scenario.map().height());
        let table = file.placed(height, self.spare)?;
        let pools = pools(&table);
        let live = Arc::new(LiveFrames::new(table.agents.len() as u32, pools));
        let last = (0..table.agents.len()).map(|agent| table.rows_of(agent).last());
        let mut last: Vec<_> = last.map(|row| row.map(|row| (*row, usize::MAX))).collect();
        self.find_sources(&mut last);
        let tick = tick_of(&table);
        let end = table.frames - 1;
        let seconds = table.times.as_ref().and_then(|times| times.last().copied());
        self.base = Some(Base {
            live: Arc::clone(&live),
            units: table.units,
            tick,
            first_time: self.first_time(),
            is_even: table.times.is_none(),
            size: map.is_none().then_some(table.size),
            agents: table.agents.len(),
            modes: table.modes.len(),
            texts: table.texts.len(),
            columns: table.columns.iter().map(|it| matches!(it.values, Values::Texts(_))).collect(),
            whole,
            has_velocity,
            numbers: (0..table.agents.len() as u32).collect(),
            last,
            seconds: [seconds.unwrap_or(end as f32 * tick); 2],
            map: map.cloned(),
        });
        self.is_stale = false;
        if self.is_full || self.lines.has_ended {
            live.close();
        }
        Ok((table, live))
    }

    /// Finds the last row in the file of each agent, from which a sparse file continues.
    fn find_sources(&self, last: &mut [Option<(RunRow, usize)>]) {
        if !self.collected.header.sparse {
            return;
        }
        for (index, row) in self.collected.rows[..self.frames.complete.rows].iter().enumerate() {
            if let Some((_, source)) = &mut last[row.agent as usize] {
                *source = index;
            }
        }
        let end = self.frames.count - 1;
        for entry in last.iter_mut() {
            // An agent that left before the end does not continue.
            entry.take_if(|(row, _)| row.frame < end);
        }
    }

    /// Returns the time of the first frame in the file, in seconds.
    fn first_time(&self) -> Option<f64> {
        if self.options().fps.is_some() || !self.collected.columns.has(Role::Time) {
            return None;
        }
        if self.collected.columns.has(Role::Frame) {
            self.collected.times.first().map(|time| time.seconds)
        } else {
            self.frames.keys.map(|(first, _)| first)
        }
    }

    /// Appends a frame to the last table. Returns `None` and changes nothing that a later table does
    /// not replace if the frame does not fit that table.
    fn append(&mut self, frame: u32, start: Sizes, end: Sizes) -> Option<()> {
        let Self { collected, base, .. } = self;
        let base = base.as_mut()?;
        let fits = collected.modes.list.len() == base.modes
            && collected.whole == base.whole
            && collected.has_velocity == base.has_velocity
            && collected.values.len() == base.columns.len()
            && collected
                .values
                .iter()
                .zip(&base.columns)
                .all(|(it, text)| it.texts.is_some() == *text);
        if !fits {
            return None;
        }
        base.join_agents(collected)?;
        for text in &collected.texts.list[base.texts..] {
            base.live.add_text(text);
        }
        base.texts = collected.texts.list.len();
        let seconds = base.seconds_of(collected, frame, start, end);
        base.seconds = [base.seconds[1], seconds.unwrap_or(frame as f32 * base.tick)];
        let mut rows: Vec<(u32, RunRow, usize)> = Vec::new();
        for (index, raw) in (start.rows..).zip(&collected.rows[start.rows..end.rows]) {
            let row = base.row(collected, frame, index);
            if base.size.is_some_and(|size| !is_inside(row.position, size)) {
                self.spare = true;
                return None;
            }
            rows.push((raw.agent, row, index));
        }
        rows.small_sort_by_key(|row| base.numbers[row.0 as usize]);
        let gone: Vec<u32> = collected.gone[start.gone..end.gone].iter().map(|it| it.1).collect();
        let held = base.hold(collected, frame, &rows, &gone);
        let frame =
            base.frame(collected, seconds, &held, &collected.events[start.events..end.events]);
        base.live.push(frame);
        Some(())
    }
}

impl Collected {
    /// Removes the rows and other entries after the given sizes. Names stay.
    fn truncate(&mut self, sizes: Sizes) {
        self.rows.truncate(sizes.rows);
        self.frame_keys.truncate(sizes.frame_keys);
        self.events.truncate(sizes.events);
        self.gone.truncate(sizes.gone);
        self.times.truncate(sizes.times);
        for list in &mut self.values {
            list.truncate(sizes.rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower() -> Follower {
        Follower::new("run.csv".to_owned(), None, &TraceOptions::default()).unwrap()
    }

    const HEAD: &str = "frame,agent,x,y\n";

    #[test]
    fn a_frame_counts_when_a_later_row_or_a_closing_line_has_arrived() {
        let mut run = follower();
        run.feed(format!("{HEAD}0,a,0.5,0.5\n0,b,1.5,0.5\n").as_bytes()).unwrap();
        assert!(!run.needs_table());
        run.feed(b"1,a,0.6,0.5\n").unwrap();
        assert!(run.needs_table());
        let (table, live) = run.table(None, None).unwrap();
        assert_eq!((table.frames, table.rows.len(), live.len()), (1, 2, 0));
        run.feed(b"1,b,1.6,0.").unwrap();
        assert_eq!(live.len(), 0);
        run.feed(b"5\n# {\"tilewalk\": {\"end\": true}}\n").unwrap();
        assert_eq!((live.len(), live.is_closed()), (1, false));
        run.feed(b"2,a,0.7,0.5\n").unwrap();
        assert_eq!(live.len(), 1);
        run.end();
        assert_eq!((live.len(), live.is_closed()), (2, true));
    }

    #[test]
    fn a_new_agent_joins_and_a_new_column_or_extent_needs_a_table() {
        let mut run = follower();
        run.feed(b"{\"frame\":0,\"agent\":\"a\",\"x\":0.5,\"y\":0.5}\n").unwrap();
        let mut line = |text: &str| {
            run.feed(format!("{text}\n").as_bytes()).unwrap();
            let needed = run.needs_table();
            if needed {
                run.table(None, None).unwrap();
            }
            needed
        };
        assert!(line("{\"frame\":1,\"agent\":\"a\",\"x\":0.5,\"y\":0.6}"));
        assert!(!line("{\"frame\":1,\"agent\":\"b\",\"x\":0.5,\"y\":0.6}"));
        assert!(line("{\"frame\":2,\"agent\":\"b\",\"x\":0.5,\"y\":0.6,\"hp\":3}"), "a new column");
        assert!(!line("{\"frame\":3,\"agent\":\"b\",\"x\":7.5,\"y\":0.6,\"hp\":3}"));
        assert!(line("{\"frame\":4,\"agent\":\"b\",\"x\":7.5,\"y\":0.6,\"hp\":3}"), "a larger map");
        assert!(!line("{\"frame\":5,\"agent\":\"b\",\"x\":7.5,\"y\":0.6,\"hp\":3}"));
    }

    #[test]
    fn a_run_starts_again_with_its_first_frame_or_its_header() {
        let mut run = follower();
        run.feed(format!("{HEAD}0,a,0.5,0.5\n1,a,0.5,0.5\n").as_bytes()).unwrap();
        let (_, live) = run.table(None, None).unwrap();
        run.feed(b"0,a,0.5,0.5\n1,a,0.5,0.5\n").unwrap();
        assert_eq!((run.restarts(), live.len(), run.needs_table()), (1, 0, true));
        assert_eq!(run.table(None, None).unwrap().0.frames, 1);
        run.feed(format!("{HEAD}5,a,0.5,0.5\n6,a,0.5,0.5\n").as_bytes()).unwrap();
        assert_eq!((run.restarts(), run.needs_table()), (2, true));
    }

    #[test]
    fn invalid_and_late_lines_are_ignored_with_a_warning() {
        let mut run = follower();
        run.feed(format!("{HEAD}3,a,0.5,0.5\n4,a,0.5,0.5\n").as_bytes()).unwrap();
        run.table(None, None).unwrap();
        let mut warning = |line: &str| {
            run.feed(line.as_bytes()).unwrap();
            run.take_warning().unwrap_or_default()
        };
        assert_eq!(warning("5,a,0.5,0.5\n"), "");
        let late = "run.csv:5:1: frame 4 comes after frame 5; the line is ignored";
        assert_eq!(warning("4,a,0.5,0.5\n"), late);
        assert!(warning("5,b,east,0.5\n").contains(":6:5: `x` must be a number"));
        assert_eq!(warning("6,a,0.5,0.5\n"), "");
        assert_eq!(warning("6,a,0.7,0.5\n"), "");
        let twice = "run.csv:8:1: `a` already has a row at this frame; the line is ignored";
        assert_eq!(warning("7,a,0.5,0.5\n"), twice);
    }

    #[test]
    fn rows_above_the_limit_are_dropped() {
        let mut run = follower().with_limit(2000);
        run.feed(format!("{HEAD}0,a,0.5,0.5\n1,a,0.5,0.5\n").as_bytes()).unwrap();
        let (_, live) = run.table(None, None).unwrap();
        for frame in 2..100 {
            run.feed(format!("{frame},a,0.5,0.5\n").as_bytes()).unwrap();
        }
        assert!(run.is_full() && live.is_closed());
        assert!(run.take_warning().unwrap().contains("later rows are dropped"));
        assert!((10..40).contains(&live.len()), "{}", live.len());
    }

    #[test]
    fn compressed_files_and_plans_are_refused() {
        let error = |bytes: &[u8]| follower().feed(bytes).unwrap_err().to_string();
        assert!(error(&[0x1F, 0x8B, 8, 0]).contains("compressed"));
        assert!(error(b"0:(5,16),(21,29),\n").contains("plan"));
    }
}
