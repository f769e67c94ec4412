//! The values of a sweep's measures in each frame, as CSV with a line per run and frame.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use crate::files::disk::output_file::Replacement;
use crate::files::show;
use crate::files::sweep::{Compiled, MeasureKind};
use crate::jobs;

use super::existing::{Discard, FORCE};
use super::plan::Plan;
use super::row::{Cell, line};
use super::runs::observe;
use super::{Runs, SweepError};

/// Checks that the series of a sweep can be written to a file.
///
/// # Errors
/// Returns an error if the sweep has no measure with a number in each frame, or if the file exists
/// and `discard` does not select it.
pub fn check(plan: &Plan, path: &Path, discard: Discard) -> Result<(), SweepError> {
    if columns(plan).next().is_none() {
        return Err(SweepError::NoSeries);
    }
    if fs::symlink_metadata(path).is_ok() && !discard.foreign {
        let path = show::path(path);
        return Err(SweepError::Foreign { path, why: "exists already", help: FORCE });
    }
    Ok(())
}

/// Simulates all runs of a plan, and writes the series of their `value` measures. The cell of an
/// undefined value is empty. The file appears when it is complete.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write(plan: &Plan, path: &Path, threads: NonZeroUsize) -> Result<(), SweepError> {
    let mut file = Replacement::begin(path).map_err(SweepError::io("create", path))?;
    let head = ["run", "seed", "frame"].map(str::to_owned).into_iter();
    let head = line(&head.chain(columns(plan).map(str::to_owned)).collect::<Vec<_>>());
    let mut written = writeln!(file, "{head}");
    let runs = Runs::new(plan);
    let work = |run: usize| lines(plan, &runs, run as u64);
    jobs::in_order(plan.runs() as usize, threads, work, |_, lines| {
        if written.is_ok() {
            written = file.write_all(lines.as_bytes());
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written.and_then(|()| file.finish()).map_err(SweepError::io("write", path))
}

/// Returns the names of the measures with a number in each frame.
fn columns(plan: &Plan) -> impl Iterator<Item = &str> {
    let measures = plan.sweep.measures.iter();
    let values = measures.filter(|measure| matches!(measure.kind, MeasureKind::Value { .. }));
    values.map(|measure| measure.name.as_str())
}

/// Returns the lines of a run; no lines for a run with an error.
fn lines(plan: &Plan, runs: &Runs, run: u64) -> String {
    let seed = plan.sweep.seeds[plan.run(run).1];
    let mut lines = String::new();
    let _ = runs.start(run, |point, scenario| {
        observe(point, scenario, plan.sweep.frames, |look| {
            let frame = look.now.frame().0;
            let mut cells = vec![run.to_string(), seed.to_string(), frame.to_string()];
            for measure in &point.measures {
                if let Compiled::Value(number, _) = &measure.kind {
                    let value = (frame >= measure.from).then(|| number.value(look, None));
                    let value = value.flatten().filter(|value| value.is_finite());
                    cells.push(Cell::from(value).to_string());
                }
            }
            lines += &line(&cells);
            lines.push('\n');
        });
    });
    lines
}
