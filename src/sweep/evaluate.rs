//! Evaluates one design point: runs all seeds of a sweep with given values.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::files::Setting;
use crate::files::sweep::Sweep;
use crate::jobs;

use super::row::columns;
use super::runs::measure;
use super::summary::Summary;

/// The results of all seeds at one design point.
#[derive(Debug)]
pub struct Evaluation {
    pub summary: Summary,
    /// The number of runs with errors, and the message of the first error. The message is `None` if
    /// no run has an error.
    pub errors: (u64, Option<String>),
}

/// Runs all seeds of a sweep. `settings` replace the varied values of the sweep. `map` is one of
/// the maps of the sweep, as written in the sweep file. `None` selects the first map.
///
/// # Errors
/// Returns the errors of the map with these settings.
pub fn evaluate(
    sweep: &Sweep,
    map: Option<&str>,
    settings: &[Setting],
    threads: NonZeroUsize,
) -> Result<Evaluation, String> {
    let point = sweep.point_with(map, settings).map_err(|error| error.to_string())?;
    let work = |seed: usize| {
        let scenario = point.scenarios.scenario(sweep.seeds[seed]);
        let scenario = scenario.map_err(|error| error.to_string())?;
        let (world, cells, _) = measure(&point, scenario, sweep.frames);
        Ok((world.frame().0, cells))
    };
    let summary = Summary::new(1, &columns(sweep));
    let mut evaluation = Evaluation { summary, errors: (0, None) };
    jobs::in_order(sweep.seeds.len(), threads, work, |seed, run: Result<(u64, Vec<_>), String>| {
        match run {
            Ok((last, cells)) => evaluation.summary.add(0, seed, last, &cells),
            Err(error) => {
                evaluation.errors.0 += 1;
                evaluation.errors.1.get_or_insert(error);
            }
        }
        ControlFlow::Continue(())
    });
    Ok(evaluation)
}
