//! One side of a comparison: a simulated map, a replayed recording, or a trace.

use std::path::Path;

use crate::cli::CliError;
use crate::cli::run_input::RunInput;
use crate::files::trace::{Format, Trace};
use crate::files::{self, Options};
use crate::history::diff::Moment;
use crate::history::log::Log;
use crate::step;
use crate::world::World;

/// A source of frames to compare.
#[derive(Debug)]
pub(super) enum Side {
    /// A map, or the last run of a recording.
    Run {
        world: Box<World>,
        commands: Option<Log>,
        /// The last frame of a recording.
        end: Option<u64>,
        begun: bool,
    },
    Trace(Box<Trace>),
}

impl Side {
    /// Opens a file. The file extension selects the kind of source. Returns `None` after printing
    /// the errors of a map.
    pub fn open(path: &Path, options: &Options) -> Result<Option<Self>, CliError> {
        if let Some(format) = Format::of(path) {
            if options.seed.is_some() || !options.set.is_empty() {
                return Err(CliError::NotAMap { path: files::show::path(path) });
            }
            return Ok(Some(Self::Trace(Box::new(Trace::open(path, format)?))));
        }
        let input = RunInput::open(path, None, options, None)?;
        Ok(input.map(|RunInput { scenario, commands, end }| Self::Run {
            world: Box::new(World::new(scenario)),
            commands,
            end,
            begun: false,
        }))
    }

    /// Advances to the next frame; the first call advances to frame 0. Returns false at the end.
    pub fn advance(&mut self) -> Result<bool, CliError> {
        match self {
            Self::Run { begun: begun @ false, .. } => *begun = true,
            Self::Run { world, commands, end, .. } => {
                let next = world.frame().next();
                if end.is_some_and(|end| next.0 > end) {
                    return Ok(false);
                }
                step::step_with(world, commands.as_ref().map_or(&[], |log| log.at(next)));
            }
            Self::Trace(trace) => return Ok(trace.advance()?),
        }
        Ok(true)
    }

    /// Returns the current frame.
    pub fn moment(&self) -> Moment<'_> {
        match self {
            Self::Run { world, .. } => Moment::World(world),
            Self::Trace(trace) => {
                let (frame, rows) = trace.rows();
                Moment::Rows(frame, rows)
            }
        }
    }

    /// Returns true if the number of frames is limited.
    pub fn has_end(&self) -> bool {
        !matches!(self, Self::Run { end: None, .. })
    }

    /// Returns the name of this side for the report.
    pub fn name(&self, path: String) -> String {
        match self {
            Self::Run { world, end: None, .. } => {
                format!("{path} (seed {})", world.scenario().seed)
            }
            Self::Run { .. } | Self::Trace(_) => path,
        }
    }
}
