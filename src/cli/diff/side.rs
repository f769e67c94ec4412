//! One side of a comparison: a simulated map, a replayed recording, or a trace.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::cli::CliError;
use crate::cli::args::TraceArgs;
use crate::cli::run_input::RunInput;
use crate::files::read::trace::{Trace, TraceFormat};
use crate::files::{self, Options};
use crate::geom::Vec2;
use crate::history::Log;
use crate::history::diff::Moment;
use crate::step;
use crate::world::World;

/// One of the two compared runs, read or simulated frame by frame.
#[derive(Debug)]
pub(super) enum Side {
    /// A map, or the last run of a recording.
    Run {
        world: Box<World>,
        commands: Option<Log>,
        /// Last frame of a recorded run; `None` for a map.
        end: Option<u64>,
        begun: bool,
    },
    Trace(Box<Trace>),
}

impl Side {
    /// Opens a file. The file extension selects the kind of source. Returns `None` after printing
    /// the errors of a map.
    pub fn open(
        path: &Path,
        options: &Options,
        from: &TraceArgs,
    ) -> Result<Option<Self>, CliError> {
        if let Some(format) = TraceFormat::of(path).filter(|_| is_own_trace(path)) {
            if options.seed.is_some() || !options.set.is_empty() {
                return Err(CliError::NotAMap { path: files::show::path(path) });
            }
            return Ok(Some(Self::Trace(Box::new(Trace::open(path, format)?))));
        }
        let input = RunInput::open(path, None, options, from, None)?;
        Ok(input.map(|RunInput { scenario, commands, end, .. }| Self::Run {
            world: Box::new(World::new(scenario)),
            commands,
            end,
            begun: false,
        }))
    }

    /// Returns the area of both runs if each of them is on an empty map of its own, and these maps
    /// have different corners or sizes. Positions can then be compared only on a common map.
    pub fn common_extent(sides: &[Self; 2]) -> Option<[[f32; 2]; 2]> {
        let area = |side: &Self| {
            let Self::Run { world, .. } = side else { return None };
            let table = &world.scenario().sources().run.as_ref()?.table;
            let low = table.corner?;
            let [width, height] = table.size.map(|side| side as f32);
            Some([low, low + Vec2::new(width, height)])
        };
        let [a, b] = [area(&sides[0])?, area(&sides[1])?];
        let both = [a[0].min(b[0]), a[1].max(b[1])];
        (a != both || b != both).then(|| both.map(|corner| [corner.x, corner.y]))
    }

    /// Advances to the next frame, or to frame 0 on the first call. Returns false after the last
    /// frame.
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

    /// Returns the agents of the current frame.
    pub fn moment(&self) -> Moment<'_> {
        match self {
            Self::Run { world, .. } => Moment::World(world),
            Self::Trace(trace) => {
                let (frame, rows) = trace.rows();
                Moment::Rows(frame, rows)
            }
        }
    }

    /// Returns true for a recording or a trace. A map has no last frame.
    pub fn has_end(&self) -> bool {
        !matches!(self, Self::Run { end: None, .. })
    }

    /// Returns the name of this side in the report. The name is `path`; for a map, it also contains
    /// the seed.
    pub fn name(&self, path: String) -> String {
        match self {
            Self::Run { world, end: None, .. } => {
                format!("{path} (seed {})", world.scenario().seed())
            }
            Self::Run { .. } | Self::Trace(_) => path,
        }
    }
}

/// Returns true if a file is a trace of `tilewalk run`, which can be damaged, or can't be read. The
/// first line of a run of another program does not contain the columns of the tile.
fn is_own_trace(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return true };
    let mut start = Vec::new();
    let is_read = file.take(FIRST_LINE).read_to_end(&mut start).is_ok();
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let is_run = line.starts_with('{') || line.contains(',') || line.starts_with('#');
    !is_read || !is_run || line.contains("tile_x")
}

/// Largest length of the part of the first line that is read, in bytes.
const FIRST_LINE: u64 = 4096;
