//! `tilewalk scen`: plans the routes of MovingAI scenarios, and compares their lengths with the optimal
//! lengths in the file.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;

use crate::files::read::route_queries::{self, Queries, Query};
use crate::files::{Options, Origin, import, load, show};
use crate::jobs;
use crate::map::search::{PathQuery, PathSearch};
use crate::map::{Corners, Edges, Map};
use crate::words;

use super::output::{Output, complain};
use super::{CliError, EXIT_CANNOT, report_problems};

/// Arguments of `tilewalk scen`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk scen arena.map.scen
  tilewalk scen arena.map.scen --map arena.map --queries 1..100
  tilewalk scen *.scen --map .

Without --map, the map is the file that the scenario names, in the directory of the scenario. A map
can be a .toml map with own glyphs and costs in [legend]. Routes step diagonally only between free
tiles. A length of 0 between different tiles stands for a goal that can't be reached.
Exit codes: 0 if all lengths agree, 1 if a length differs, 2 if a file has errors.")]
pub struct ScenArgs {
    /// Scenarios (.scen files)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Map of the scenarios, or directory with their maps
    #[arg(long, value_name = "PATH")]
    pub map: Option<PathBuf>,
    /// Numbers of the queries to plan
    #[arg(long, value_name = "A..B", default_value = "1..", value_parser = route_queries::numbers)]
    pub queries: RangeInclusive<usize>,
    /// Maximum relative difference that counts as equal, in addition to rounding in the file
    #[arg(long, value_name = "X", default_value_t = 0.001)]
    pub tolerance: f64,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Print the results as a JSON array
    #[arg(long)]
    pub json: bool,
}

/// Exit code if a length differs.
const EXIT_DIFFERS: u8 = 1;

/// Number of queries that a thread plans at a time.
const BATCH: usize = 64;

/// Maximum number of differences that are listed.
const MOST_LISTED: usize = 10;

/// Comparison of planned and optimal route lengths for one scenario file.
#[derive(Debug, Serialize)]
struct Outcome {
    file: String,
    map: String,
    queries: usize,
    agree: usize,
    tolerance: f64,
    /// Largest relative difference between the planned and the optimal length of a route, such as
    /// 0.01 for 1 %. Only routes that were found count.
    largest_error: f64,
    /// The queries whose planned and optimal lengths differ, in file order. At most [`MOST_LISTED`]
    /// queries.
    different: Vec<DifferingQuery>,
}

/// A query whose planned route length differs from the optimal length.
#[derive(Debug, Serialize)]
struct DifferingQuery {
    query: usize,
    line: usize,
    from: [i32; 2],
    to: [i32; 2],
    optimal: f64,
    /// Length of the planned route; `None` if no route was found.
    planned: Option<f64>,
}

pub(super) fn scen(args: &ScenArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let mut outcomes = Vec::new();
    let mut has_errors = false;
    for file in &args.files {
        match judge(file, args)? {
            Some(outcome) if args.json => outcomes.push(outcome),
            Some(outcome) => {
                print(&outcome, out)?;
                outcomes.push(Outcome { different: Vec::new(), ..outcome });
            }
            None => has_errors = true,
        }
    }
    if args.json {
        out.json(&outcomes)?;
    } else if args.files.len() > 1 {
        let sum = |count: fn(&Outcome) -> usize| outcomes.iter().map(count).sum::<usize>();
        let (agree, all) = (sum(|outcome| outcome.agree), sum(|outcome| outcome.queries));
        let files = words::count(outcomes.len() as u64, "scenario");
        out.line(format_args!("{files}: {agree} of {all} lengths agree"))?;
    }
    let all_agree = outcomes.iter().all(|outcome| outcome.agree == outcome.queries);
    Ok(match (has_errors, all_agree) {
        (true, _) => ExitCode::from(EXIT_CANNOT),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(EXIT_DIFFERS),
    })
}

/// Plans the queries of a scenario and compares the lengths. Returns `None` after printing the
/// errors of a file.
fn judge(file: &Path, args: &ScenArgs) -> Result<Option<Outcome>, CliError> {
    let (queries, report) = route_queries::read(file)?;
    report_problems(&report, None);
    let Some(mut queries) = queries else { return Ok(None) };
    let path = queries.map_near(file, args.map.as_deref());
    if args.map.is_none() && !path.exists() {
        let (name, file) = (show::text(queries.map_name()), show::path(file));
        return Err(CliError::Settings(format!("{file}: no map `{name}` beside it: use --map")));
    }
    let Some(map) = map(&path)? else { return Ok(None) };
    if let Some(misfit) = queries.misfit(&map) {
        return Err(CliError::Settings(format!("{}: {misfit}", show::path(file))));
    }
    queries.select(&args.queries);
    let lengths = plan(&map, &queries, args.jobs.unwrap_or_else(jobs::available));
    let (file, map) = (show::path(file), show::path(&path));
    Ok(Some(compare(
        &queries,
        &lengths,
        Outcome {
            file,
            map,
            queries: queries.list.len(),
            agree: 0,
            tolerance: args.tolerance,
            largest_error: 0.0,
            different: Vec::new(),
        },
    )))
}

/// Reads a map file or a tiles file. Returns `None` after printing the errors of the file.
fn map(path: &Path) -> Result<Option<Arc<Map>>, CliError> {
    if path.extension().is_none_or(|ending| ending != "toml") {
        let (map, report) = import::map(path)?;
        report_problems(&report, None);
        return Ok(map.map(Arc::new));
    }
    let loaded = load(&Origin::Disk(path.to_owned()), &Options::default())?;
    report_problems(&loaded.report, None);
    let map = loaded.scenario.map(|scenario| Arc::clone(scenario.map()));
    if map.as_ref().is_some_and(|map| map.corners() == Corners::Cut || map.edges() == Edges::Wrap) {
        complain(
            "routes cut corners or cross the border: they can be shorter than the optimal lengths",
        );
    }
    Ok(map)
}

/// Returns the length of each planned route, in query order; `None` if there is no route.
fn plan(map: &Map, queries: &Queries, threads: NonZeroUsize) -> Vec<Option<f64>> {
    let batches: Vec<_> = queries.list.chunks(BATCH).collect();
    let mut lengths = Vec::with_capacity(queries.list.len());
    let work = |batch: usize| {
        let mut search = PathSearch::default();
        let length = |query: &Query| {
            let path_query = PathQuery { from: query.from, to: query.to, held: 0 };
            // The search would also plan the way out of a wall.
            if !map.is_open(query.from) {
                return None;
            }
            Some(search.walk(map, path_query, u32::MAX, || true)?.cost())
        };
        batches[batch].iter().map(length).collect::<Vec<_>>()
    };
    jobs::in_order(batches.len(), threads, work, |_, found| {
        lengths.extend(found);
        ControlFlow::Continue(())
    });
    lengths
}

/// Adds the counts and the differences of all queries to `outcome`.
fn compare(queries: &Queries, lengths: &[Option<f64>], mut outcome: Outcome) -> Outcome {
    for (query, &planned) in queries.list.iter().zip(lengths) {
        let error = queries.error(query, planned);
        if error.is_finite() {
            outcome.largest_error = outcome.largest_error.max(error);
        }
        if error <= outcome.tolerance {
            outcome.agree += 1;
        } else if outcome.different.len() < MOST_LISTED {
            let Query { number, line, from, to, length } = *query;
            let (from, to) = ([from.x, from.y], [to.x, to.y]);
            let different =
                DifferingQuery { query: number, line, from, to, optimal: length, planned };
            outcome.different.push(different);
        }
    }
    outcome
}

fn print(outcome: &Outcome, out: &mut Output) -> Result<(), CliError> {
    let Outcome { file, agree, queries, tolerance, largest_error, .. } = outcome;
    out.line(format_args!(
        "{file}: {agree} of {queries} lengths agree within {tolerance} (largest relative error {largest_error:.1e})"
    ))?;
    for DifferingQuery { query, line, from, to, optimal, planned } in &outcome.different {
        let planned =
            planned.map_or("no route".to_owned(), |planned| format!("planned {planned:.5}"));
        out.line(format_args!(
            "  query {query}, line {line}: {from:?} to {to:?}: optimal {optimal}, {planned}"
        ))?;
    }
    let others = queries - agree - outcome.different.len();
    if others > 0 {
        out.line(format_args!("  and {others} more"))?;
    }
    Ok(())
}
