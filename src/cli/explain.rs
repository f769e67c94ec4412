//! `tilewalk explain`: explains an agent's motion at a frame.

mod print;

use std::convert::Infallible;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::Command;
use crate::depth::When;
use crate::files::{self, Options, Setting, settings, show};
use crate::id::AgentId;
use crate::report::absence;
use crate::report::explanation::AgentStep;
use crate::runner::{self, Plan};
use crate::scenario::Scenario;
use crate::step;
use crate::time::Frame;
use crate::world::World;

use super::args::{TraceArgs, when};
use super::output::Output;
use super::run_input::{self, RunInput};
use super::{CliError, EXIT_CANNOT};

/// Arguments of `tilewalk explain`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk explain maps/castle.toml --frame 146 --agent guard
  tilewalk explain maps/forest.toml --frame 40 --agent deer.3
  tilewalk explain maps/flock.toml --frame 40 --agent boid.3 --cells
  tilewalk explain maps/matrix.toml --frame 100 --agent ogre --json
  tilewalk explain maps/yard.toml --frame 60 --agent hare --set hound.max_speed=5

The output explains the step from frame N-1 to frame N. At frame 0 it shows the initial state.
docs/explain.md describes every field of the --json output.
Exit codes: 0 on success, 2 if the map has errors, or the agent is unknown or not in the world.")]
pub struct ExplainArgs {
    /// Map or map of another program (such as .tmx), recording (.twr), or run of another program
    /// (.csv, .ndjson, .jsonl or `-`)
    pub file: PathBuf,
    /// Number of the run of a recording, from 1 [default: the last run]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub run: Option<u32>,
    /// Frame to explain
    #[arg(long, value_name = "N")]
    pub frame: u64,
    /// Let a mode drive an agent that follows a run, instead of the run, in this step
    #[arg(long, value_name = "AGENT=MODE", value_parser = assignment)]
    pub take_over: Option<(String, String)>,
    /// Agent name; group members have numbers, such as `deer.3`
    #[arg(long, value_name = "NAME")]
    pub agent: String,
    /// Options for runs of other programs
    #[command(flatten)]
    pub from: TraceArgs,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Include the cells that were searched for neighbours, and the agents in them
    #[arg(long)]
    pub cells: bool,
    /// Random seed (overrides the map's seed)
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(0..1 << 53))]
    pub seed: Option<u64>,
    /// Set an agent value, such as `hound.max_speed=5` (repeatable)
    #[arg(long, value_name = "AGENT.KEY=VALUE", value_parser = settings::parse)]
    pub set: Vec<Setting>,
    /// Colour output: auto, always, never, 16, 256 or truecolor
    #[arg(long, value_name = "WHEN", value_parser = when(), hide_possible_values = true)]
    pub color: Option<When>,
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let both = text.rsplit_once('=').filter(|(agent, mode)| !agent.is_empty() && !mode.is_empty());
    let (agent, mode) = both.ok_or("expected AGENT=MODE, such as guard=chase")?;
    Ok((agent.to_owned(), mode.to_owned()))
}

/// Maximum number of agents in a map for which the error lists all names. The list is used if no
/// name resembles the unknown name.
const SUGGESTED: usize = 6;

pub(super) fn explain(args: &ExplainArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = Options { seed: args.seed, set: args.set.clone(), run: None };
    run_input::refuse_unused(&args.file, &args.from)?;
    let input = RunInput::open(&args.file, args.run, &options, &args.from, args.color)?;
    let Some(RunInput { scenario, commands, end, .. }) = input else {
        return Ok(ExitCode::from(EXIT_CANNOT));
    };
    if let Some(end) = end.filter(|&end| args.frame > end) {
        let file = show::path(&args.file);
        return Err(CliError::Settings(format!("{file}: the run ends at frame {end}")));
    }
    if commands.is_none() {
        check_agent(&scenario, &args.agent)?;
    }
    let mut world = World::new(scenario);
    let commands = commands.as_ref();
    let plan = Plan { frames: args.frame.saturating_sub(1), commands, ..Plan::default() };
    let Ok(_) = runner::run(&mut world, &plan, |_| Ok::<(), Infallible>(()));
    let before = (args.frame > 0).then(|| world.clone());
    let taken_over = match &args.take_over {
        Some((agent, mode)) => {
            let scenario = files::take_over(world.scenario(), agent, mode);
            vec![Command::Reload(scenario.map_err(CliError::Settings)?)]
        }
        None => Vec::new(),
    };
    let recorded = commands.map_or(&[][..], |log| log.at(Frame(args.frame)));
    let next = if taken_over.is_empty() { recorded } else { &taken_over };
    if before.is_some() {
        step::step_with(&mut world, next);
    }
    let scenario = world.scenario();
    let found = world.find_present(&args.agent);
    let agent = found.ok_or_else(|| match absence::of_name(&world, &args.agent) {
        Some(text) => CliError::Absent(text),
        None => unknown_agent(scenario, &args.agent),
    })?;
    let why = before.as_ref().and_then(|before| step::explain_with(before, next, [agent]).pop());
    let step = AgentStep { agent, before: before.as_ref(), now: &world, why: why.as_ref() };
    let mut report = step.report();
    report.file = show::path(&args.file);
    if let Some(steering) = report.steering.as_mut().filter(|_| !args.cells) {
        steering.omit_search();
    }
    if args.json {
        out.json(&report)?;
    } else {
        for line in print::lines(&report) {
            out.line(line)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks that a scenario can have an agent with this name.
///
/// # Errors
/// Returns an error with suggestions if the scenario can never have an agent with this name.
pub fn check_agent(scenario: &Scenario, name: &str) -> Result<(), CliError> {
    let is_known = scenario.find(name).is_some() || scenario.find_instance(name).is_some();
    if is_known { Ok(()) } else { Err(unknown_agent(scenario, name)) }
}

/// Returns the error for an unknown agent name, with suggestions.
pub(super) fn unknown_agent(scenario: &Scenario, name: &str) -> CliError {
    let group = scenario.kinds().iter().find(|kind| kind.name == name);
    let help = if let Some(template) = group.filter(|kind| kind.template) {
        format!(": a template; name one instance, such as `{}.1`", template.name)
    } else if let Some(group) = group {
        let first = scenario.name(group.first);
        format!(": a group of {} agents; name one agent, such as `{first}`", group.count)
    } else {
        let ids = (0..scenario.starts().len() as u32).map(AgentId);
        let names: Vec<String> =
            ids.take(show::MOST_CANDIDATES).map(|id| scenario.name(id).to_string()).collect();
        match show::nearest(name, names.iter().map(String::as_str)) {
            None if (1..=SUGGESTED).contains(&names.len()) => {
                format!(": the map has {}", show::list(names.iter().map(String::as_str)))
            }
            near => show::did_you_mean(near),
        }
    };
    CliError::UnknownAgent { name: show::text(name), help }
}
