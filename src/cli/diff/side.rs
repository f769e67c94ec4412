//! One side of a comparison: something that gives frame after frame.

use std::path::Path;

use crate::files::trace::{Format, Trace};
use crate::files::{self, Options, Origin, Report};
use crate::history::diff::Moment;
use crate::step;
use crate::world::World;

use super::super::CliError;
use super::super::output::report_problems;

/// What gives the frames.
#[derive(Debug)]
pub(super) enum Side {
    /// A map that is run; at first it has not begun.
    Map { world: Box<World>, begun: bool },
    /// A trace that is read.
    Trace(Trace),
}

/// What became of opening a side.
pub(super) enum Opened {
    Ready(Side),
    /// The map has errors.
    Wrong(Report),
}

impl Side {
    /// Opens a file: what it is, its ending says.
    pub fn open(path: &Path, options: &Options) -> Result<Opened, CliError> {
        if let Some(format) = Format::of(path) {
            if options.seed.is_some() || !options.set.is_empty() {
                return Err(CliError::NotAMap { path: files::show::path(path) });
            }
            return Ok(Opened::Ready(Self::Trace(Trace::open(path, format)?)));
        }
        let loaded = files::load(&Origin::Disk(path.to_owned()), options)?;
        Ok(match loaded.scenario {
            Some(scenario) => {
                report_problems(&loaded.report);
                let world = Box::new(World::new(scenario));
                Opened::Ready(Self::Map { world, begun: false })
            }
            None => Opened::Wrong(loaded.report),
        })
    }

    /// Goes on to the next frame, at first to frame 0; says whether there is one.
    pub fn advance(&mut self) -> Result<bool, CliError> {
        match self {
            Self::Map { begun: begun @ false, .. } => *begun = true,
            Self::Map { world, .. } => step::step(world),
            Self::Trace(trace) => return Ok(trace.advance()?),
        }
        Ok(true)
    }

    /// The frame it has come to.
    pub fn moment(&self) -> Moment<'_> {
        match self {
            Self::Map { world, .. } => Moment::World(world),
            Self::Trace(trace) => {
                let (frame, rows) = trace.rows();
                Moment::Rows(frame, rows)
            }
        }
    }

    /// Does it ever come to an end?
    pub fn has_end(&self) -> bool {
        matches!(self, Self::Trace(_))
    }

    /// What it is called in the answer.
    pub fn told(&self, path: String) -> String {
        match self {
            Self::Map { world, .. } => format!("{path} (seed {})", world.scenario().seed),
            Self::Trace(_) => path,
        }
    }
}
