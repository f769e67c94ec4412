//! `tilewalk run`: runs a map without a screen.

use std::process::ExitCode;

use crate::condition::Condition;
use crate::files::{self, Options, Origin};
use crate::report::summary::{FrameHash, Summary};
use crate::runner::{self, Plan};
use crate::world::World;

use super::args::RunArgs;
use super::output::{Output, complain, report_problems};
use super::record::Record;
use super::trace::Trace;
use super::{CliError, EXIT_CANNOT};

/// Exit code if the `--until` condition was never true.
const EXIT_NEVER: u8 = 1;

/// Runs the map and prints a summary.
pub(super) fn run(args: &RunArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = Options { seed: args.seed, set: args.set.clone() };
    let loaded = files::load(&Origin::Disk(args.file.clone()), &options)?;
    report_problems(&loaded.report, args.color);
    let Some(scenario) = loaded.scenario else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    let until = args.until.as_ref().map(|text| files::condition("--until", text, &scenario));
    let until: Option<Condition> = match until.transpose() {
        Ok(until) => until,
        Err(report) => {
            report_problems(&report, args.color);
            return Ok(ExitCode::from(EXIT_CANNOT));
        }
    };
    let mut trace = args.trace.as_deref().map(Trace::create).transpose()?;
    let record = args.record.as_deref().map(|path| Record::create(path, &scenario));
    let mut record = record.transpose()?;
    let mut recorded = true;
    let mut hashes = Vec::new();
    let mut world = World::new(scenario);
    let plan = Plan { frames: args.frames, until: until.as_ref(), ..Plan::default() };
    let mut summary = runner::run(&mut world, &plan, |world| {
        if let Some(trace) = &mut trace {
            trace.frame(world)?;
        }
        if let Some(Err(error)) = record.as_mut().map(|record| record.frame(world)) {
            warn_unrecorded(&error);
            (record, recorded) = (None, false);
        }
        if args.hash_every.is_some_and(|every| world.frame().0 % every == 0) {
            let hash = FrameHash::of(world);
            if args.json {
                hashes.push(hash);
            } else {
                out.line(format_args!("frame {:>8}  hash {}", hash.frame, hash.hash))?;
            }
        }
        Ok::<(), CliError>(())
    })?;
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if let Some(Err(error)) = record.map(|record| record.finish(&world)) {
        warn_unrecorded(&error);
        recorded = false;
    }
    (summary.file, summary.hashes) = (args.file.display().to_string(), hashes);
    if args.json {
        out.json(&summary)?;
    } else {
        print(&summary, out)?;
    }
    out.flush()?;
    Ok(match summary.until {
        _ if !recorded => ExitCode::from(EXIT_CANNOT),
        Some(false) => ExitCode::from(EXIT_NEVER),
        Some(true) | None => ExitCode::SUCCESS,
    })
}

fn warn_unrecorded(error: &CliError) {
    complain(&format!("{error}; recording has stopped, but the run continues"));
}

fn print(summary: &Summary, out: &mut Output) -> Result<(), CliError> {
    let events: Vec<_> =
        summary.events.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let events = if events.is_empty() { "none".to_owned() } else { events.join(", ") };
    out.line(format_args!("frames  {} ({} s)", summary.frames, summary.seconds))?;
    out.line(format_args!("agents  {}", summary.agents))?;
    out.line(format_args!("seed    {}", summary.seed))?;
    out.line(format_args!("events  {events}"))?;
    for text in &summary.quarantined {
        out.line(format_args!("        {text}"))?;
    }
    match summary.until {
        Some(true) => out.line(format_args!("until   true at frame {}", summary.frames))?,
        Some(false) => out.line("until   never true")?,
        None => {}
    }
    out.line(format_args!("hash    {}", summary.hash))
}
