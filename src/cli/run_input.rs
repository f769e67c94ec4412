//! The run that a command simulates: a map, or a run of a recording.

use std::path::Path;
use std::sync::Arc;

use crate::depth::When;
use crate::files::{self, Options, import, read::recorded, show};
use crate::history::run::RunId;
use crate::history::{DEFAULT_BUDGET, History, Log};
use crate::scenario::Scenario;
use crate::words;

use super::CliError;
use super::args::{TraceArgs, is_run};
use super::output::{complain, report_problems, report_reading};

/// A scenario with the commands to replay and the last frame.
#[derive(Debug)]
pub(super) struct RunInput {
    /// The scenario at frame 0.
    pub scenario: Arc<Scenario>,
    /// The recorded commands; `None` for a map.
    pub commands: Option<Log>,
    /// The last frame of a recorded run or of a trace; `None` for a map.
    pub end: Option<u64>,
    /// The runs of a recording, at the run that was asked for; `None` for a map.
    pub history: Option<Box<History>>,
}

/// Returns true if the file extension is `twr`.
pub(super) fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == recorded::ENDING)
}

/// Refuses options for runs of other programs if the file is no such run.
///
/// # Errors
/// Returns an error that names the file.
pub(super) fn refuse_unused(path: &Path, trace: &TraceArgs) -> Result<(), CliError> {
    if is_run(path) || trace.words().is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} is not the run of another program, for which this command has options such as --map",
        show::path(path)
    );
    Err(CliError::Settings(message))
}

impl RunInput {
    /// Opens a map, a run of a recording, or the run of another program. `run` is the number of the run, from 1. Without `run`,
    /// opens the last run. Prints warnings.
    ///
    /// Returns `None` after printing the errors of a map.
    pub fn open(
        path: &Path,
        run: Option<u32>,
        options: &Options,
        trace: &TraceArgs,
        color: Option<When>,
    ) -> Result<Option<Self>, CliError> {
        if is_recording(path) {
            if options.seed.is_some() || !options.set.is_empty() {
                return Err(CliError::NotAMap { path: show::path(path) });
            }
            return Self::recorded(path, run).map(Some);
        }
        if run.is_some() {
            let path = show::path(path);
            return Err(CliError::Settings(format!("{path} is not a recording: it has no runs")));
        }
        let loaded = if is_run(path) {
            let (origin, options) = trace.open(path, options.clone())?;
            options.run.iter().for_each(|run| report_reading(&run.table));
            files::load(&origin, &options)?
        } else {
            import::open_any(path, options)?
        };
        report_problems(&loaded.report, color);
        Ok(loaded.scenario.map(|scenario| {
            let end = scenario.end().map(|end| end.0);
            Self { scenario, commands: None, end, history: None }
        }))
    }

    fn recorded(path: &Path, run: Option<u32>) -> Result<Self, CliError> {
        let recorded = recorded::recording(path)?;
        for remark in recorded::remarks(&recorded.recording) {
            complain(&format!("{}: {remark}", recorded.label));
        }
        let mut history = History::replay(&recorded.recording, &recorded.scenarios, DEFAULT_BUDGET);
        let runs = history.runs();
        let number = run.unwrap_or(runs.len() as u32);
        let Some(run) = number.checked_sub(1).and_then(|index| runs.get(RunId(index))) else {
            let runs = words::count(runs.len() as u64, "run");
            let label = recorded.label;
            let message = format!("{label}: no run {number}; the recording has {runs}");
            return Err(CliError::Settings(message));
        };
        let (scenario, end) = (Arc::clone(run.start()), Some(run.end().0));
        let commands = Some(run.log().clone());
        history.switch_run(RunId(number - 1));
        Ok(Self { scenario, commands, end, history: Some(Box::new(history)) })
    }
}
