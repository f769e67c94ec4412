//! `tilewalk run`: a map without a screen.

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde::Serialize;

use crate::event::{Event, EventKind};
use crate::files::{self, Options, Origin};
use crate::step;
use crate::words;
use crate::world::{Look, World};

use super::args::RunArgs;
use super::output::{Output, complain, report_problems};
use super::per_agent::PerAgent;
use super::record::Record;
use super::trace::Trace;
use super::{CliError, EXIT_CANNOT};

/// What is printed at the end.
#[derive(Debug, Serialize)]
struct Summary {
    file: String,
    title: String,
    frames: u64,
    seconds: f32,
    seed: u64,
    agents: usize,
    /// How many events of each kind there were.
    events: BTreeMap<&'static str, u64>,
    /// What happened to each agent.
    per_agent: Vec<PerAgent>,
    /// Who was quarantined: the frame, the agent, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quarantined: Vec<String>,
    /// Did `--until` come true, at the last of these frames?
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hashes: Vec<FrameHash>,
    hash: String,
}

/// The state hash at a frame.
#[derive(Debug, Serialize)]
struct FrameHash {
    frame: u64,
    hash: String,
}

/// Who was quarantined by an event, and which term of which behaviour it was.
fn quarantine(event: &Event, world: &World) -> Option<String> {
    let EventKind::Quarantined { .. } = event.kind else { return None };
    let name = world.scenario().name(event.agent);
    Some(format!("frame {}, {name}: {}", world.frame(), words::event(event, world)))
}

/// Runs the map; the exit code is 2 when it has errors.
pub(super) fn run(args: &RunArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = Options { seed: args.seed, set: args.set.clone() };
    let loaded = files::load(&Origin::Disk(args.file.clone()), &options)?;
    report_problems(&loaded.report, args.color);
    let Some(scenario) = loaded.scenario else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    let until = match &args.until {
        None => None,
        Some(text) => match files::condition("--until", text, &scenario) {
            Ok(condition) => Some(condition),
            Err(report) => {
                report_problems(&report, args.color);
                return Ok(ExitCode::from(EXIT_CANNOT));
            }
        },
    };
    let mut trace = args.trace.as_deref().map(Trace::create).transpose()?;
    let record = args.record.as_deref().map(|path| Record::create(path, &scenario));
    let (mut record, mut recorded) = (record.transpose()?, true);
    let mut world = World::new(scenario);
    let mut before = until.as_ref().map(|_| world.clone());
    let mut came_true = false;
    let (mut events, mut quarantined) = (BTreeMap::new(), Vec::new());
    let mut hashes = Vec::new();
    for frame in 0..=args.frames {
        if frame > 0 {
            if let Some(before) = &mut before {
                before.clone_from(&world);
            }
            step::step(&mut world);
        }
        for event in world.events() {
            *events.entry(event.kind.word()).or_insert(0) += 1;
            quarantined.extend(quarantine(event, &world));
        }
        if let Some(trace) = &mut trace {
            trace.frame(&world)?;
        }
        if let Some(Err(error)) = record.as_mut().map(|record| record.frame(&world)) {
            record = unrecorded(&error);
            recorded = false;
        }
        if args.hash_every.is_some_and(|every| frame % every == 0) {
            let hash = FrameHash { frame, hash: hex(world.hash()) };
            if args.json {
                hashes.push(hash);
            } else {
                out.line(format_args!("frame {:>8}  hash {}", hash.frame, hash.hash))?;
            }
        }
        if let Some(condition) = &until {
            let last = before.as_ref().filter(|_| frame > 0).map(Look::at);
            let look = Look { before: last.as_ref(), ..Look::at(&world) };
            came_true = condition.holds(&look, None);
            if came_true {
                break;
            }
        }
    }
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if let Some(Err(error)) = record.map(|record| record.finish(&world)) {
        unrecorded(&error);
        recorded = false;
    }
    let summary = Summary {
        file: args.file.display().to_string(),
        title: world.scenario().title.clone(),
        frames: world.frame().0,
        seconds: world.time(),
        seed: world.scenario().seed,
        agents: world.len(),
        events,
        per_agent: if args.json { PerAgent::of(&world) } else { Vec::new() },
        quarantined,
        until: until.is_some().then_some(came_true),
        hashes,
        hash: hex(world.hash()),
    };
    print(&summary, args.json, out)?;
    out.flush()?;
    if !recorded {
        return Ok(ExitCode::from(EXIT_CANNOT));
    }
    Ok(if until.is_some() && !came_true { ExitCode::from(EXIT_NEVER) } else { ExitCode::SUCCESS })
}

/// The recording can't be written any more; the run goes on without it.
fn unrecorded(error: &CliError) -> Option<Record> {
    complain(&format!("{error}; recording has stopped, but the run continues"));
    None
}

/// `--until` never came true.
const EXIT_NEVER: u8 = 1;

fn print(summary: &Summary, json: bool, out: &mut Output) -> Result<(), CliError> {
    if json {
        return out.json(summary);
    }
    let events: Vec<_> =
        summary.events.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let events = if events.is_empty() { "none".to_owned() } else { events.join(", ") };
    out.line(format_args!("frames  {} ({} s)", summary.frames, summary.seconds))?;
    out.line(format_args!("agents  {}", summary.agents))?;
    out.line(format_args!("seed    {}", summary.seed))?;
    out.line(format_args!("events  {events}"))?;
    for told in &summary.quarantined {
        out.line(format_args!("        {told}"))?;
    }
    if let Some(came_true) = summary.until {
        let frame = summary.frames;
        let word =
            if came_true { format!("true at frame {frame}") } else { "never true".to_owned() };
        out.line(format_args!("until   {word}"))?;
    }
    out.line(format_args!("hash    {}", summary.hash))
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Term;
    use crate::id::AgentId;

    #[test]
    fn a_quarantine_is_told_with_agent_behaviour_and_term() {
        let origin = crate::builtin::origin("wanderers");
        let loaded = files::load(&origin, &Options::default()).unwrap();
        let world = World::new(loaded.scenario.unwrap());
        let kind = EventKind::Quarantined { row: Some(1), term: Term::Force };
        let event = Event { frame: world.frame(), kind, agent: AgentId(0) };
        let name = world.scenario().name(AgentId(0));
        let told =
            format!("frame 0, {name}: quarantined: non-finite force from wander (behaviour 2)");
        assert_eq!(quarantine(&event, &world), Some(told));
        let event = Event { kind: EventKind::Finished, ..event };
        assert_eq!(quarantine(&event, &world), None);
    }
}
