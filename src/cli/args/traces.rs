//! Options for the runs of other programs.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::cli::CliError;
use crate::files::traces::{
    self, Input, PathKind, RunError, TraceOptions, parse_column, parse_point,
};
use crate::files::{self, Options, Origin, import, show};
use crate::scenario::run::FollowedRun;

/// How to read the run of another program: a .csv, .ndjson or .jsonl file, the plan of a path
/// planner, or `-`.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Options for runs of other programs")]
pub struct TraceArgs {
    /// Map on which the agents of the run move [default: an empty map]
    #[arg(long, value_name = "MAP")]
    pub map: Option<PathBuf>,
    /// Names of columns, such as frame=step,agent=who,x=pos.x
    #[arg(long, value_name = "NAME=COLUMN", value_delimiter = ',', value_parser = parse_column)]
    pub columns: Vec<(String, String)>,
    /// Units of the file per tile [default: the tile size of a Tiled or LDtk map, otherwise 1]
    #[arg(long, value_name = "UNITS", value_parser = above_zero)]
    pub scale: Option<f64>,
    /// Point of the file that is the corner of the map, such as 0,600
    #[arg(long, value_name = "X,Y", value_parser = parse_point, allow_hyphen_values = true)]
    pub origin: Option<[f64; 2]>,
    /// Direction in which y grows: up or down [default: down]
    #[arg(long, value_name = "DIRECTION", value_parser = ["up", "down"])]
    pub y: Option<String>,
    /// Frames per second
    #[arg(long, value_name = "N", value_parser = above_zero)]
    pub fps: Option<f64>,
    /// Agent of the map to simulate beside the run (repeatable)
    #[arg(long, value_name = "NAME")]
    pub with: Vec<String>,
    /// First frame to read
    #[arg(long, value_name = "N")]
    pub rows_from: Option<u64>,
    /// Last frame to read
    #[arg(long, value_name = "N")]
    pub rows_to: Option<u64>,
    /// Agent to read; other agents are left out (repeatable)
    #[arg(long, value_name = "NAME")]
    pub rows_of: Vec<String>,
    /// Paths to read from a plan that has both: planner or actual [default: actual]
    #[arg(long = "paths", value_name = "PATHS", value_parser = PathKind::parse)]
    pub plan_paths: Option<PathKind>,
    /// Corners of an area that the empty map of a run contains.
    #[arg(skip)]
    pub extent: Option<[[f32; 2]; 2]>,
}

/// Adds the commands that open a part of a run which is too large.
fn with_command(error: RunError) -> CliError {
    let RunError::TooLarge { frames, agent, .. } = &error else { return error.into() };
    let command = |part: [&str; 2]| {
        let given = std::env::args().skip(1);
        let words: Vec<_> = core::iter::once("tilewalk".to_owned()).chain(given).collect();
        let words = words.iter().map(String::as_str).chain(part);
        show::escaped(&shlex::try_join(words).unwrap_or_default())
    };
    let (from, to) = (frames.start().to_string(), frames.end().to_string());
    let by_frame = command(["--rows-from", &from]) + " --rows-to " + &to;
    let by_agent = command(["--rows-of", agent]);
    CliError::Settings(format!("{error}; open a part of the run:\n  {by_frame}\n  {by_agent}"))
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

/// Returns true if a path is that of the run of another program, or of the plan of a path planner.
pub fn is_run(path: &Path) -> bool {
    traces::is_run_path(path) || path == Path::new("-") || traces::plans::is_plan_file(path)
}

impl TraceArgs {
    /// Returns how to read a run.
    pub fn options(&self) -> TraceOptions {
        TraceOptions {
            map: self.map.clone(),
            columns: self.columns.clone(),
            scale: self.scale,
            origin: self.origin,
            y_up: self.y.as_ref().map(|y| y == "up"),
            fps: self.fps,
            with: self.with.clone(),
            rows_from: self.rows_from,
            rows_to: self.rows_to,
            rows_of: self.rows_of.clone(),
            paths: self.plan_paths,
            extent: self.extent,
        }
    }

    /// Returns the words of a command line with these options, for commands that are printed.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        if let Some(map) = &self.map {
            add("--map", map.display().to_string());
        }
        let columns = self.columns.iter().map(|(role, name)| format!("{role}={name}"));
        if !self.columns.is_empty() {
            add("--columns", columns.collect::<Vec<_>>().join(","));
        }
        if let Some(scale) = self.scale {
            add("--scale", scale.to_string());
        }
        if let Some([x, y]) = self.origin {
            add("--origin", format!("{x},{y}"));
        }
        if let Some(direction) = &self.y {
            add("--y", direction.clone());
        }
        if let Some(fps) = self.fps {
            add("--fps", fps.to_string());
        }
        for (option, number) in [("--rows-from", self.rows_from), ("--rows-to", self.rows_to)] {
            if let Some(number) = number {
                add(option, number.to_string());
            }
        }
        for (option, names) in [("--with", &self.with), ("--rows-of", &self.rows_of)] {
            for name in names {
                add(option, name.clone());
            }
        }
        if let Some(paths) = self.plan_paths {
            add("--paths", paths.word().to_owned());
        }
        words
    }

    /// Reads the run of another program. Returns its map, and the options with the run.
    ///
    /// # Errors
    /// Returns an error if the run or its map can't be read.
    pub fn open(&self, path: &Path, options: Options) -> Result<(Origin, Options), CliError> {
        let input = if path == Path::new("-") {
            Self::standard_input(io::stdin())?
        } else {
            Input::open(path)?
        };
        let file = (path != Path::new("-")).then_some(path);
        self.open_input(input, file, options)
    }

    /// Returns standard input as the input of a run.
    ///
    /// # Errors
    /// Returns an error if standard input can't be read.
    pub fn standard_input(stdin: impl io::Read + Send + 'static) -> Result<Input, CliError> {
        let label = "standard input";
        let input = Input::new(label.to_owned(), stdin);
        Ok(input.map_err(|error| files::ReadError::io(Path::new(label), error))?)
    }

    /// Reads the run of another program from an input, like [`TraceArgs::open`]. `path` is the path
    /// of the input, if it is a file that can be read again.
    ///
    /// # Errors
    /// Returns an error if the run or its map can't be read.
    pub fn open_input(
        &self,
        input: Input,
        path: Option<&Path>,
        options: Options,
    ) -> Result<(Origin, Options), CliError> {
        let progress = Progress::start(&input);
        let read = traces::read(input, &self.options());
        drop(progress);
        let mut file = read.map_err(with_command)?;
        let with = core::mem::take(&mut file.options.with);
        let mut map = None;
        if let Some(path) = file.options.map.clone() {
            let origin = map_origin(&path)?;
            file.options.scale = file.options.scale.or_else(|| import::tile_size(&path));
            let loaded = files::load(&origin, &Options { run: None, ..options.clone() })?;
            let height = loaded.scenario.map_or(1, |scenario| scenario.map().height());
            map = Some((origin, height));
        }
        let height = map.as_ref().map(|(_, height)| *height);
        let read = path.map(|path| traces::file_of(path, file.options.clone(), height));
        let table = file.on_map(height)?;
        let origin = map.map_or_else(
            || {
                let (label, text) = (table.label.clone(), table.map_text());
                Origin::Text { label, text, set: None }
            },
            |(origin, _)| origin,
        );
        let run = FollowedRun { with, file: read, ..FollowedRun::new(table) };
        Ok((origin, Options { run: Some(Arc::new(run)), ..options }))
    }
}

/// Shows on standard error how much of a large file has been read, if it is a terminal.
struct Progress {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Time between two updates. The first one appears after this time.
    const EVERY: Duration = Duration::from_millis(250);

    fn start(input: &Input) -> Option<Self> {
        let measure = input.progress().filter(|_| io::stderr().is_terminal())?;
        let label = input.label.clone();
        let (end, ended) = mpsc::channel();
        let show = move || {
            let mut is_shown = false;
            while ended.recv_timeout(Self::EVERY) == Err(RecvTimeoutError::Timeout) {
                let percent = measure.percent();
                let _ =
                    write!(io::stderr(), "\rreading {label}: {percent} %; ctrl-c cancels\x1b[K");
                is_shown = true;
            }
            if is_shown {
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
        };
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(show).ok()?;
        Some(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns a map, which is imported if it comes from another program.
///
/// # Errors
/// Returns an error if the map can't be imported.
pub fn map_origin(map: &Path) -> Result<Origin, CliError> {
    if !import::can_import(map) {
        return Ok(Origin::Disk(map.to_owned()));
    }
    let imported = import::import(map, &import::Choices::default())?;
    let label = show::path(map);
    let Some(texts) = imported.texts else {
        return Err(CliError::Settings(imported.report.plain()));
    };
    Ok(Origin::Text { label, text: texts.map_alone, set: None })
}
