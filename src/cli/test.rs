//! `tilewalk test`: judges the expectations of maps.

mod broken;
mod github;
mod human;
mod junit;
mod report;
mod seeds;
mod select;
mod shrink;
mod tap;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::ValueEnum;

use crate::depth::When;
use crate::files::disk::output_file::{self, Replacement};
use crate::files::{self, Options, show, write};
use crate::jobs;
use crate::render;
use crate::render::run::{Job, Range, RenderError};
use crate::render::scene::View;
use crate::runner;
use crate::testing::{self, Case, Cases, Plan, RunCase, TestedMap};
use crate::world::World;

use super::args::{TraceArgs, is_run, when};
use super::output::{Output, complain, report_problems, report_reading};
use super::record::Record;
use super::{CliError, EXIT_CANNOT};
use report::{Failure, TestReport};
pub use seeds::SeedArgs;
pub use select::SelectArgs;
pub use shrink::ShrinkArgs;

/// Arguments of `tilewalk test`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk test
  tilewalk test maps/castle.toml --seeds 200
  tilewalk test maps --filter flock --jobs 2
  tilewalk test maps --format junit > results.xml
  tilewalk test maps --keep failures
  tilewalk test maps --partition 1/4 --timeout 60
  tilewalk test maps --last-failed
  tilewalk test maps/castle.toml --shrink --passing old/castle.toml

`--last-failed` reads a list in the cache directory of the user, such as ~/.cache/tilewalk/last-failed.
Each test renews it: one file for each directory in which tilewalk test runs.

Exit codes: 0 if all expectations are met, 1 if one is not met, 2 if a map has errors, an expectation
exceeds --timeout, or there is nothing to test.")]
pub struct TestArgs {
    /// Map files, directories with maps, or runs of other programs (with --expect)
    #[arg(default_value = "maps", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Runs of other programs
    #[command(flatten)]
    pub runs: RunsArgs,
    /// Which seeds to judge
    #[command(flatten)]
    pub seeds: SeedArgs,
    /// Number of threads [default: number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Judge only expectations whose `path::name` contains this text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Judge only expectations with this tag (repeatable)
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// Print the names of the expectations, and judge none
    #[arg(long, conflicts_with = "bless")]
    pub list: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Which of the selected expectations to judge, and when to stop
    #[command(flatten)]
    pub select: SelectArgs,
    /// Record one failed run of each unmet expectation in this directory, with a picture of the frame
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// How to reduce the maps of failures
    #[command(flatten)]
    pub shrink: ShrinkArgs,
    /// Write the current states into the selected `golden` values, without judging
    #[arg(long)]
    pub bless: bool,
    /// What is not a failure
    #[command(flatten)]
    pub allow: AllowArgs,
    /// Print the computation time of each expectation
    #[arg(long)]
    pub times: bool,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// What `tilewalk test` does not count as a failure.
#[derive(Debug, clap::Args)]
pub struct AllowArgs {
    /// Exit with code 0 if there is nothing to test
    #[arg(long)]
    pub allow_none: bool,
    /// Do not count inconclusive runs as failed
    #[arg(long)]
    pub allow_inconclusive: bool,
}

/// How to judge runs of other programs.
#[derive(Debug, clap::Args)]
pub struct RunsArgs {
    /// Expectations about runs of other programs
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,
    /// Options for runs of other programs
    #[command(flatten)]
    pub from: TraceArgs,
}

impl RunsArgs {
    /// Returns true if an option is set.
    pub fn are_set(&self) -> bool {
        self.expect.is_some() || !self.from.words().is_empty()
    }
}

/// Output format of `test`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text: each expectation, and each failure with its reason and command
    Human,
    /// JSON: an array with one object per expectation
    Json,
    #[value(help = "JUnit XML, for build servers")]
    Junit,
    /// Test Anything Protocol, version 14
    Tap,
    /// Text, and annotations of GitHub Actions
    Github,
}

/// Exit code if an expectation is not met.
const EXIT_FAILED: u8 = 1;

/// Adds the expectations about runs of other programs.
fn add_runs(
    cases: &mut Cases,
    runs: Vec<PathBuf>,
    args: &TestArgs,
    plan: &Plan,
) -> Result<(), CliError> {
    if runs.is_empty() && args.runs.are_set() {
        let message = "none of the files is the run of another program, for which this command has \
                       options such as --expect";
        return Err(CliError::Settings(message.to_owned()));
    }
    if runs.is_empty() {
        return Ok(());
    }
    let Some(expect) = &args.runs.expect else {
        let message = "a run of another program has no expectations: name a file with --expect";
        return Err(CliError::Settings(message.to_owned()));
    };
    for path in runs {
        let (origin, options) = args.runs.from.open(&path, Options::default())?;
        options.run.iter().for_each(|run| report_reading(&run.table));
        let loaded = files::load(&origin, &options)?;
        let Some(scenario) = &loaded.scenario else {
            cases.maps.push(TestedMap { path, problems: Ok(loaded.report) });
            continue;
        };
        let (scenario, report) = files::add_expectations(scenario, expect)?;
        if let Some(scenario) = scenario {
            let case = RunCase { path: &path, expect, options: args.runs.from.words() };
            cases.add_run(&case, Arc::new(scenario), plan);
        }
        cases.maps.push(TestedMap { path, problems: Ok(report) });
    }
    Ok(())
}

pub(super) fn test(args: &TestArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let plan = Plan {
        seeds: args.seeds.plan(),
        jobs: args.jobs.unwrap_or_else(jobs::available),
        filter: args.filter.clone(),
        tags: args.tag.clone(),
        all_seeds: args.seeds.all_seeds,
        allow_inconclusive: args.allow.allow_inconclusive,
        timeout: args.select.timeout,
    };
    let (runs, maps) = args.paths.iter().cloned().partition(|path| is_run(path));
    let maps: Vec<PathBuf> = maps;
    let maps = if maps.is_empty() { Vec::new() } else { testing::maps(&maps)? };
    let mut cases = Cases::read(maps, &plan);
    add_runs(&mut cases, runs, args, &plan)?;
    let is_other_part = args.select.apply(&mut cases)?;
    let cases = cases;
    let mut cannot = report_maps(&cases, args.color);
    let mut tests = broken::reports(&cases.maps);
    if cases.list.is_empty() && tests.is_empty() && !is_other_part {
        complain("nothing to test: no expectation is selected");
        cannot |= !args.allow.allow_none;
    }
    if args.list {
        for case in &cases.list {
            out.line(&case.id)?;
        }
        return Ok(exit(cannot, false));
    }
    if args.bless {
        for blessed in testing::bless(&cases).map_err(CliError::Settings)? {
            let change = if blessed.is_known { "unchanged" } else { "written" };
            out.line(format!("{}: {}, {change}", blessed.id, blessed.state))?;
        }
        return Ok(exit(cannot, false));
    }
    let is_text = matches!(args.format, Format::Human | Format::Github);
    let progress = Progress::new(cases.list.len());
    let mut error = None;
    let (broken, most) = (tests.len(), args.select.most_failures());
    testing::run(&cases, &plan, |tested| {
        let case = &cases.list[tested.index];
        let mut report = TestReport::of(case, &tested);
        report.time = args.times.then_some(tested.time.as_secs_f64());
        progress.clear();
        args.seeds.keep(&mut report, case, &tested);
        if args.shrink.shrink {
            let folder = args.keep.as_deref().unwrap_or(Path::new(""));
            shrink::add(&mut report, &args.shrink, folder, case, &tested);
        }
        if let (Some(folder), Some(failure)) = (&args.keep, &mut report.failure)
            && let Err(error) = keep(folder, case, failure)
        {
            complain(&format!("{}: not recorded: {error}", case.id));
        }
        let lines = if is_text { out.text(&human::lines(&report)) } else { Ok(()) };
        let printed = lines.and_then(|()| out.flush());
        tests.push(report);
        let unmet = tests[broken..].iter().filter(|test| !test.is_ok).count();
        let stop = printed.is_err() || unmet >= most;
        error = printed.err();
        progress.show(tests.len() - broken);
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.clear();
    if let Some(error) = error {
        return Err(error);
    }
    select::remember(&tests);
    match args.format {
        Format::Human => out.line(human::summary(&tests))?,
        Format::Github => {
            out.line(human::summary(&tests))?;
            out.text(&github::annotations(&tests))?;
        }
        Format::Json => out.json(&tests)?,
        Format::Junit => out.text(&junit::document(&tests))?,
        Format::Tap => out.text(&tap::document(&tests))?,
    }
    cannot |= tests.iter().any(|test| test.error.is_some());
    Ok(exit(cannot, tests.iter().any(|test| !test.is_ok)))
}

fn exit(cannot: bool, failed: bool) -> ExitCode {
    match (cannot, failed) {
        (true, _) => ExitCode::from(EXIT_CANNOT),
        (false, true) => ExitCode::from(EXIT_FAILED),
        (false, false) => ExitCode::SUCCESS,
    }
}

/// Prints the problems of the maps to standard error. Returns true if a map has errors.
fn report_maps(cases: &Cases, color: Option<When>) -> bool {
    let mut cannot = false;
    for map in &cases.maps {
        match &map.problems {
            Ok(report) => {
                cannot |= report.errors() > 0;
                report_problems(report, color);
            }
            Err(error) => {
                cannot = true;
                complain(&error.to_string());
            }
        }
    }
    cannot
}

/// Records the failed run of an expectation in a new file in `folder`, and stores the file's path
/// in `failure`.
fn keep(folder: &Path, case: &Case, failure: &mut Failure) -> Result<(), CliError> {
    let failed = |source| CliError::Write { what: show::path(folder), source };
    output_file::create_folder(folder).map_err(failed)?;
    let name = format!("{}-{}", file_name(&case.id), failure.seed);
    let path = |stem: &str| folder.join(format!("{stem}.twr"));
    let stem = write::free_stem(&name, |stem| std::fs::symlink_metadata(path(stem)).is_err());
    let path = path(&stem.unwrap_or(name));
    let scenario = case.scenario(failure.seed).map_err(CliError::Settings)?;
    let mut record = Record::create(&path, &scenario)?;
    let plan = runner::Plan { frames: failure.frame, ..runner::Plan::default() };
    let mut world = World::new(scenario);
    runner::run(&mut world, &plan, |world| record.frame(world))?;
    failure.recording = Some(show::path(&path));
    record.finish(&world)?;
    picture(&path.with_extension("svg"), case, failure)
}

/// Writes a picture of the frame at which an expectation failed.
fn picture(path: &Path, case: &Case, failure: &mut Failure) -> Result<(), CliError> {
    let scenario = case.scenario(failure.seed).map_err(CliError::Settings)?;
    let (from, to) = (failure.frame, failure.frame);
    let view = View { title: Some(case.id.clone()), ..View::default() };
    let range = Range { from, to, every: 1 };
    let job = Job { range, ..Job::of(scenario, &view, render::Format::Svg) };
    let failed = |source| CliError::Write { what: show::path(path), source };
    let mut file = BufWriter::new(Replacement::begin(path).map_err(failed)?);
    job.write(&mut file, None).map_err(|error| match error {
        RenderError::NeverTrue | RenderError::Request(_) => CliError::Settings(error.to_string()),
        RenderError::Write(source) => failed(source),
    })?;
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.finish().map_err(failed)?;
    failure.picture = Some(show::path(path));
    Ok(())
}

/// Converts the id of a test to a file name. Each sequence of characters other than ASCII letters
/// and digits becomes one `-`.
fn file_name(id: &str) -> String {
    let (map, name) = id.split_once("::").unwrap_or(("", id));
    let id = format!("{} {name}", Path::new(map).with_extension("").display());
    let words = id.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Progress on standard error. `count` is the number of expectations, or `None` if standard error
/// is not a terminal.
struct Progress {
    count: Option<usize>,
}

impl Progress {
    fn new(count: usize) -> Self {
        Self { count: io::stderr().is_terminal().then_some(count) }
    }

    fn show(&self, done: usize) {
        if let Some(count) = self.count {
            let _ = write!(io::stderr(), "\rjudged {done} of {count} expectations");
        }
    }

    fn clear(&self) {
        if self.count.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
