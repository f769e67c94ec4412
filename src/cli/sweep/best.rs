//! `tilewalk sweep best`: ranks design points by a measure.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::files::show;
use crate::sweep::plan::{Plan, plan_path};
use crate::sweep::row::Column;
use crate::sweep::summary::Summary;

use super::super::CliError;
use super::super::output::Output;
use tilewalk_sim::sort::SmallSort;

/// Arguments of `tilewalk sweep best`.
#[derive(Debug, clap::Args)]
pub struct BestArgs {
    /// Results of a sweep; the file .tilewalk.json must be beside it
    pub file: PathBuf,
    /// Measure to rank by
    #[arg(long, value_name = "MEASURE")]
    pub by: String,
    /// Rank the lowest mean first
    #[arg(long)]
    pub lowest: bool,
    /// Rank the highest mean first (the default)
    #[arg(long, conflicts_with = "lowest")]
    pub highest: bool,
    /// Number of design points to print
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub count: usize,
}

/// Prints the best design points, and for each one the settings that reproduce it.
pub(super) fn best(args: &BestArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let plan = Plan::read(&plan_path(&args.file))?;
    let measures = &plan.sweep.measures;
    let Some(column) = measures.iter().position(|measure| measure.name == args.by) else {
        let names = measures.iter().map(|measure| measure.name.as_str());
        let known = show::known_names(names);
        let message = format!("unknown measure `{}`; {known}", show::text(&args.by));
        return Err(CliError::Settings(message));
    };
    let (summary, _) = Summary::of(&args.file, &plan)?;
    let mean = |point: usize| summary.estimate(point, column).mean;
    let mut points: Vec<(usize, f64)> =
        (0..summary.points()).filter_map(|point| Some((point, mean(point)?))).collect();
    // The sort is stable: equal means stay in plan order.
    points
        .small_sort_by(|(_, a), (_, b)| if args.lowest { a.total_cmp(b) } else { b.total_cmp(a) });
    for (point, mean) in points.into_iter().take(args.count) {
        let estimate = summary.estimate(point, column);
        let mark = estimate.doubt.map_or_else(String::new, |doubt| format!(" {}", doubt.word()));
        let interval = estimate.interval.map_or_else(String::new, |interval| {
            format!("  [{:.4}, {:.4}]{mark}", interval.lower, interval.upper)
        });
        let happened = match summary.columns()[column].1 {
            Column::First => format!("  happened {} of {}", estimate.count, estimate.runs),
            Column::Number | Column::Outcome => String::new(),
        };
        let values = plan.sweep.varied.iter().zip(&plan.sweep.points[point]);
        let settings = values.map(|(path, value)| format!("{path}={}", value.text()));
        let settings = show::escaped(&settings.collect::<Vec<_>>().join(" "));
        let run = point * plan.sweep.seeds.len();
        out.line(format!("{} {mean:.4}{interval}{happened}  run {run}  {settings}", args.by))?;
    }
    Ok(ExitCode::SUCCESS)
}
