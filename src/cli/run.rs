//! `tilewalk run`: runs a map without opening the terminal UI.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use crate::depth::When;
use crate::files::{self, Options, Setting, settings};
use crate::history::breaks::Break;
use crate::report::summary::{FrameHash, Summary};
use crate::runner::{self, Plan};
use crate::scenario::Scenario;
use crate::scenario::never::NeverTrue;
use crate::world::World;

use super::args::{TraceArgs, when};
use super::output::{Output, complain, note, report_problems};
use super::record::Record;
use super::run_input::{self, RunInput};
use super::trace::{STDOUT, Trace};
use super::{CliError, EXIT_CANNOT};

/// Arguments of `tilewalk run`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk run maps/castle.toml --frames 600
  tilewalk run maps/yard.toml --frames 600 --set hound.max_speed=5 --json
  tilewalk run maps/rectangle.toml --frames 200 --trace walk.csv
  tilewalk run maps/castle.toml --frames 600 --trace - --agent guard
  tilewalk run maps/castle.toml --frames 600 --record chase.twr
  tilewalk run chase.twr --trace chase.csv
  tilewalk run maps/castle.toml --frames 600 --until 'guard.mode == \"chase\"'
  tilewalk run maps/wanderers.toml --frames 10000 --seed 4 --hash-every 1000

Exit codes: 0 on success, 1 if the --until condition is never true, 2 if the map can't be run.
A trace has one row per agent and frame, starting at frame 0. Its columns are:
  frame,time,agent,mode,x,y,vx,vy,heading,tile_x,tile_y,smoothed_heading,hx,hy")]
pub struct RunArgs {
    /// Map or map of another program (such as .tmx), recording (.twr), or run of another program
    /// (.csv, .ndjson, .jsonl or `-`)
    pub file: PathBuf,
    /// Number of frames to simulate [default for a recording: all frames]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Number of the run of a recording, from 1 [default: the last run]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub run: Option<u32>,
    /// Random seed (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Stop at the first frame where this condition is true, such as 'guard.mode == "chase"'
    #[arg(long, value_name = "COND")]
    pub until: Option<String>,
    /// Write the state of every agent at every frame to a .csv or .ndjson file; `-` writes CSV to
    /// standard output, and the summary to standard error
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Trace only this agent or group (repeatable)
    #[arg(long, value_name = "NAME", requires = "trace")]
    pub agent: Vec<String>,
    /// Print the state hash every K frames
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub hash_every: Option<u64>,
    /// Set an agent value, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE", value_parser = settings::parse)]
    pub set: Vec<Setting>,
    /// Record the run to a new file for `tilewalk replay` and `tilewalk verify`
    #[arg(long, value_name = "FILE.twr")]
    pub record: Option<PathBuf>,
    /// Options for runs of other programs
    #[command(flatten)]
    pub from: TraceArgs,
    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

/// Exit code if the `--until` condition was never true.
const EXIT_NEVER: u8 = 1;

pub(super) fn run(args: &RunArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = Options { seed: args.seed, set: args.set.clone(), run: None };
    run_input::refuse_unused(&args.file, &args.from)?;
    let input = RunInput::open(&args.file, args.run, &options, &args.from, args.color)?;
    let Some(RunInput { scenario, commands, end, .. }) = input else {
        return Ok(ExitCode::from(EXIT_CANNOT));
    };
    let is_piped = args.trace.as_deref().is_some_and(|path| path == Path::new(STDOUT));
    let Some(frames) = args.frames.or(end) else {
        let message = "missing option --frames <N>: a map has no last frame";
        return Err(CliError::Settings(message.to_owned()));
    };
    if is_piped && args.json {
        let message = "--trace - prints the trace: --json would print the summary between";
        return Err(CliError::Settings(message.to_owned()));
    }
    if commands.is_some() && args.record.is_some() {
        let message = "a recording cannot be recorded again: copy the file";
        return Err(CliError::Settings(message.to_owned()));
    }
    let until = args.until.as_ref().map(|text| files::condition("--until", text, &scenario));
    let (until, report): (Option<Break>, _) = until.unwrap_or_default();
    report_problems(&report, args.color);
    if args.until.is_some() && until.is_none() {
        return Ok(ExitCode::from(EXIT_CANNOT));
    }
    if let Some(until) = &until
        && commands.is_none()
    {
        warn_never(until, &scenario);
    }
    let trace = args.trace.as_deref().map(|path| Trace::create(path, &args.agent, &scenario));
    let mut trace = trace.transpose()?;
    let record = args.record.as_deref().map(|path| Record::create(path, &scenario));
    let mut record = record.transpose()?;
    let mut recorded = true;
    let mut hashes = Vec::new();
    let mut world = World::new(scenario);
    let frames = frames.min(end.unwrap_or(u64::MAX));
    let plan = Plan { frames, until: until.as_ref(), commands: commands.as_ref() };
    let simulated = runner::run(&mut world, &plan, |world| {
        if let Some(trace) = &mut trace {
            trace.frame(world)?;
        }
        if let Some(Err(error)) = record.as_mut().map(|record| record.frame(world)) {
            warn_unrecorded(&error);
            (record, recorded) = (None, false);
        }
        if args.hash_every.is_some_and(|every| world.frame().0 % every == 0) {
            let hash = FrameHash::of(world);
            let line = format!("frame {:>8}  hash {}", hash.frame, hash.hash);
            match (args.json, is_piped) {
                (true, _) => hashes.push(hash),
                (false, true) => note(&(line + "\n")),
                (false, false) => out.line(line)?,
            }
        }
        Ok::<(), CliError>(())
    });
    // If the trace cannot be written, the recording is complete up to this frame.
    if let Some(Err(error)) = record.map(|record| record.finish(&world)) {
        warn_unrecorded(&error);
        recorded = false;
    }
    let mut summary = simulated?;
    if let Some(trace) = trace {
        trace.finish()?;
    }
    (summary.file, summary.hashes) = (args.file.display().to_string(), hashes);
    if is_piped {
        note(&text(&summary));
    } else if args.json {
        out.json(&summary)?;
    } else {
        out.text(&text(&summary))?;
    }
    Ok(match summary.until {
        _ if !recorded => ExitCode::from(EXIT_CANNOT),
        Some(false) => ExitCode::from(EXIT_NEVER),
        Some(true) | None => ExitCode::SUCCESS,
    })
}

/// Warns about a stop condition that can never hold on this map.
fn warn_never(until: &Break, scenario: &Arc<Scenario>) {
    let mut until = until.clone();
    let never = until.condition(scenario).ok().and_then(|it| scenario.never_true(it));
    if let Some(NeverTrue { why, instead }) = never {
        let instead = instead.map_or_else(String::new, |it| format!("; try {it}"));
        note(&format!("warning: `{}` can never be true: {why}{instead}\n", until.text()));
    }
}

fn warn_unrecorded(error: &CliError) {
    complain(&format!("{error}; recording has stopped, but the run continues"));
}

fn text(summary: &Summary) -> String {
    let events: Vec<_> =
        summary.events.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let events = if events.is_empty() { "none".to_owned() } else { events.join(", ") };
    let mut lines = vec![
        format!("frames  {} ({} s)", summary.frames, summary.seconds),
        format!("agents  {}", summary.agents),
        format!("seed    {}", summary.seed),
        format!("events  {events}"),
    ];
    lines.extend(summary.quarantined.iter().map(|text| format!("        {text}")));
    match summary.until {
        Some(true) => lines.push(format!("until   true at frame {}", summary.frames)),
        Some(false) => lines.push("until   never true".to_owned()),
        None => {}
    }
    lines.push(format!("hash    {}\n", summary.hash));
    lines.join("\n")
}
