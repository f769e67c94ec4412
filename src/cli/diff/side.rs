//! One side of a comparison: a simulated map, a replayed recording, or a trace.

use std::path::Path;

use crate::files::trace::{Format, Trace};
use crate::files::{self, Options, Origin, Report, recorded};
use crate::history::diff::Moment;
use crate::history::run::RunId;
use crate::history::{DEFAULT_BUDGET, History};
use crate::step;
use crate::time::Frame;
use crate::world::World;

use crate::cli::CliError;
use crate::cli::output::{complain, report_problems};

/// A source of frames to compare.
#[derive(Debug)]
pub(super) enum Side {
    Map {
        world: Box<World>,
        begun: bool,
    },
    /// The last run of a recording.
    Recording {
        history: Box<History>,
        begun: bool,
    },
    Trace(Box<Trace>),
}

/// The result of opening a side.
pub(super) enum Opened {
    Ready(Side),
    /// The map has errors.
    Wrong(Report),
}

impl Side {
    /// Opens a file. The file extension selects the kind of source.
    pub fn open(path: &Path, options: &Options) -> Result<Opened, CliError> {
        let format = Format::of(path);
        let recorded = path.extension().is_some_and(|ending| ending == recorded::ENDING);
        let changed = options.seed.is_some() || !options.set.is_empty();
        if changed && (recorded || format.is_some()) {
            return Err(CliError::NotAMap { path: files::show::path(path) });
        }
        if recorded {
            return Self::replay(path).map(Opened::Ready);
        }
        if let Some(format) = format {
            return Ok(Opened::Ready(Self::Trace(Box::new(Trace::open(path, format)?))));
        }
        let loaded = files::load(&Origin::Disk(path.to_owned()), options)?;
        Ok(match loaded.scenario {
            Some(scenario) => {
                report_problems(&loaded.report, None);
                let world = Box::new(World::new(scenario));
                Opened::Ready(Self::Map { world, begun: false })
            }
            None => Opened::Wrong(loaded.report),
        })
    }

    fn replay(path: &Path) -> Result<Self, CliError> {
        let recorded = recorded::recording(path)?;
        for words in recorded::remarks(&recorded.recording) {
            complain(&format!("{}: {words}", recorded.label));
        }
        let mut history = History::replay(&recorded.recording, &recorded.scenarios, DEFAULT_BUDGET);
        history.switch_run(RunId(history.runs().len() as u32 - 1));
        history.go_to(Frame(0));
        history.dismiss_ghost();
        Ok(Self::Recording { history: Box::new(history), begun: false })
    }

    /// Advances to the next frame; the first call advances to frame 0. Returns false at the end.
    pub fn advance(&mut self) -> Result<bool, CliError> {
        match self {
            Self::Map { begun: begun @ false, .. }
            | Self::Recording { begun: begun @ false, .. } => {
                *begun = true;
            }
            Self::Map { world, .. } => step::step(world),
            Self::Recording { history, .. } => {
                let there = history.frame() < history.run().end();
                if there {
                    history.step(&[]);
                }
                return Ok(there);
            }
            Self::Trace(trace) => return Ok(trace.advance()?),
        }
        Ok(true)
    }

    /// Returns the current frame.
    pub fn moment(&self) -> Moment<'_> {
        match self {
            Self::Map { world, .. } => Moment::World(world),
            Self::Recording { history, .. } => Moment::World(history.world()),
            Self::Trace(trace) => {
                let (frame, rows) = trace.rows();
                Moment::Rows(frame, rows)
            }
        }
    }

    /// Returns true if the number of frames is limited.
    pub fn has_end(&self) -> bool {
        !matches!(self, Self::Map { .. })
    }

    /// Returns the name of this side for the report.
    pub fn name(&self, path: String) -> String {
        match self {
            Self::Map { world, .. } => format!("{path} (seed {})", world.scenario().seed),
            Self::Recording { .. } | Self::Trace(_) => path,
        }
    }
}
