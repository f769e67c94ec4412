//! `tilewalk explain`: explains an agent's motion at a frame.

mod print;

use std::convert::Infallible;
use std::process::ExitCode;

use crate::files::{self, Options, Origin, show};
use crate::id::AgentId;
use crate::report::explanation::AgentStep;
use crate::runner::{self, Plan};
use crate::scenario::Scenario;
use crate::step;
use crate::world::World;

use super::args::ExplainArgs;
use super::output::{Output, report_problems};
use super::{CliError, EXIT_CANNOT};

/// Number of agents that are listed if no name resembles the unknown one.
const SUGGESTED: usize = 6;

/// Explains one step of one agent.
pub(super) fn explain(args: &ExplainArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = Options { seed: args.seed, set: args.set.clone() };
    let loaded = files::load(&Origin::Disk(args.file.clone()), &options)?;
    report_problems(&loaded.report, args.color);
    let Some(scenario) = loaded.scenario else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    let agent = scenario.find(&args.agent).ok_or_else(|| unknown(&scenario, &args.agent))?;
    let mut world = World::new(scenario);
    let plan = Plan { frames: args.frame.saturating_sub(1), ..Plan::default() };
    let Ok(_) = runner::run(&mut world, &plan, |_| Ok::<(), Infallible>(()));
    let before = (args.frame > 0).then(|| world.clone());
    let why = before.as_ref().map(|before| step::explain(before, agent));
    if before.is_some() {
        step::step(&mut world);
    }
    let step = AgentStep { agent, before: before.as_ref(), now: &world, why: why.as_ref() };
    let mut report = step.report();
    report.file = show::path(&args.file);
    if args.json {
        out.json(&report)?;
    } else {
        for line in print::lines(&report) {
            out.line(line)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the error for an unknown name, with suggestions.
fn unknown(scenario: &Scenario, name: &str) -> CliError {
    let group = scenario.kinds.iter().find(|kind| kind.name == name);
    let help = if let Some(group) = group {
        let first = scenario.name(group.first);
        format!(": a group of {} agents; name one agent, such as `{first}`", group.count)
    } else {
        let ids = (0..scenario.starts.len() as u32).map(AgentId);
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
