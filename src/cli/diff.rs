//! `tilewalk diff`: finds the first differences of two runs.

mod side;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::files::{Options, Setting, settings, show};
use crate::history::diff::Comparison;
use crate::report::difference::{DifferenceReport, Differences, End};

use super::args::TraceArgs;
use super::output::Output;
use super::{CliError, EXIT_CANNOT};
use side::Side;

/// Arguments of `tilewalk diff`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk diff maps/yard.toml --seed-b 8
  tilewalk diff maps/yard.toml --set-b hound.max_speed=5 --frames 5000
  tilewalk run maps/yard.toml --frames 600 --trace before.csv
  tilewalk run maps/yard.toml --frames 600 --set hound.max_speed=5 --trace after.csv
  tilewalk diff before.csv after.csv
  tilewalk diff maps/yard.toml before.csv --tolerance 0.001

A and B are each a map, a recording (.twr), a trace (.csv or .ndjson, from `run --trace`) or the run
of another program. For a recording, the last run is used. With a trace, only the columns of the trace are compared. Without a
trace, the full state of every agent is compared.
Exit codes: 0 if the runs are equal, 1 if they differ, 2 if a file can't be read.")]
pub struct DiffArgs {
    /// Map, recording, trace or run of another program
    pub a: PathBuf,
    /// Map, recording or trace to compare with A [default: A, if an option changes one side]
    pub b: Option<PathBuf>,
    /// Last frame to compare [default: 1000, or the end of a recording or trace]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Random seed of map A (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed_a: Option<u64>,
    /// Random seed of map B (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed_b: Option<u64>,
    /// Set an agent value in map A, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE", value_parser = settings::parse)]
    pub set_a: Vec<Setting>,
    /// Set an agent value in map B, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE", value_parser = settings::parse)]
    pub set_b: Vec<Setting>,
    /// Largest difference at which two numbers count as equal
    #[arg(long, value_name = "E", default_value_t = 0.0, value_parser = tolerance)]
    pub tolerance: f32,
    /// Options for runs of other programs
    #[command(flatten)]
    pub from: TraceArgs,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Parses a finite number that is at least 0.
fn tolerance(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a non-negative number".to_owned())
}

/// Exit code if the runs differ.
const EXIT_DIFFERS: u8 = 1;

/// Spaces between the columns of the table.
const GAP: usize = 2;

/// Default last frame of a comparison between two maps.
const FRAMES: u64 = 1000;

pub(super) fn diff(args: &DiffArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = [
        Options { seed: args.seed_a, set: args.set_a.clone(), run: None },
        Options { seed: args.seed_b, set: args.set_b.clone(), run: None },
    ];
    let is_changed = |options: &Options| options.seed.is_some() || !options.set.is_empty();
    let other = match &args.b {
        Some(path) => path,
        None if options.iter().any(is_changed) => &args.a,
        None => return Err(CliError::NothingToCompare),
    };
    let open = |from: &TraceArgs| -> Result<Option<[Side; 2]>, CliError> {
        let a = Side::open(&args.a, &options[0], from)?;
        let b = Side::open(other, &options[1], from)?;
        Ok(a.zip(b).map(|(a, b)| [a, b]))
    };
    let mut sides = open(&args.from)?;
    if let Some(extent) = sides.as_ref().and_then(Side::common_extent) {
        sides = open(&TraceArgs { extent: Some(extent), ..args.from.clone() })?;
    }
    let Some([a, b]) = sides else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    let names = [(&args.a, &a), (other, &b)].map(|(path, side)| side.name(show::path(path)));
    let mut comparison = Comparison::new(args.tolerance);
    let ended = compare(a, b, args.frames, &mut comparison)?;
    let report = Differences::of(names, &comparison, ended);
    if args.json {
        out.json(&report)?;
    } else {
        print(&report, out)?;
    }
    Ok(if report.same { ExitCode::SUCCESS } else { ExitCode::from(EXIT_DIFFERS) })
}

/// Compares two runs frame by frame. Stops after frame `frames`, at the end of a run, or when
/// `comparison` is full. Returns an [`End`] if one run ends too early.
fn compare(
    mut a: Side,
    mut b: Side,
    frames: Option<u64>,
    comparison: &mut Comparison,
) -> Result<Option<End>, CliError> {
    let endless = !a.has_end() && !b.has_end();
    let last = frames.unwrap_or(if endless { FRAMES } else { u64::MAX });
    for frame in 0..=last {
        let advanced = [a.advance()?, b.advance()?];
        if advanced != [true, true] {
            // A map has no last frame. Without `--frames`, the other side determines the last frame
            // to compare.
            let both_end = a.has_end() && b.has_end();
            let unequal = advanced[0] != advanced[1] && (frames.is_some() || both_end);
            let side = if advanced[0] { 'b' } else { 'a' };
            return Ok(unequal.then(|| End { side, last: frame.checked_sub(1) }));
        }
        comparison.add(a.moment(), b.moment());
        if comparison.is_full() {
            break;
        }
    }
    Ok(None)
}

/// Prints the differences of two runs as text.
fn print(report: &Differences, out: &mut Output) -> Result<(), CliError> {
    let Differences { a, b, first, next, only_in_a, only_in_b, ended, .. } = report;
    out.line(format_args!("A  {a}\nB  {b}\n"))?;
    if let Some(text) = report.no_difference() {
        out.line(text)?;
    }
    if let Some(DifferenceReport { frame, agent, field, a, b }) = first {
        out.line(format_args!("first difference: frame {frame}, {agent}, {field}"))?;
        out.line(format_args!("A  {a}\nB  {b}"))?;
    }
    if !next.is_empty() {
        out.line("")?;
        for line in table(next) {
            out.line(line)?;
        }
    }
    for (name, only) in [("A", only_in_a), ("B", only_in_b)] {
        if let Some(text) = only.text() {
            out.line(format_args!("\nonly in {name}, {text}"))?;
        }
    }
    match ended {
        Some(ended) => out.line(format_args!("\n{}", ended.text())),
        None => Ok(()),
    }
}

fn table(differences: &[DifferenceReport]) -> Vec<String> {
    let header = ["frame", "agent", "field", "A", "B"].map(String::from);
    let row = |difference: &DifferenceReport| {
        let DifferenceReport { frame, agent, field, a, b } = difference;
        [frame.to_string(), agent.clone(), field.clone(), a.to_string(), b.to_string()]
    };
    let rows: Vec<_> = core::iter::once(header).chain(differences.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..5).map(|column| width(column).unwrap_or(0) + GAP).collect();
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}
