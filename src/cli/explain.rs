//! `tilewalk explain`: why an agent moved as it did on the way to a frame, without a screen.

mod gather;
mod print;
mod wire;

use std::process::ExitCode;

use crate::files::{self, Options, Origin, show};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::step;
use crate::world::World;

use super::args::ExplainArgs;
use super::output::{Output, report_problems};
use super::{CliError, EXIT_CANNOT};

/// So many agents are listed for a name that resembles none of theirs.
const SUGGESTED: usize = 6;

/// Explains one step of one agent; the exit code is 2 when the map has errors.
pub(super) fn explain(args: &ExplainArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = Options { seed: args.seed, set: args.set.clone() };
    let loaded = files::load(&Origin::Disk(args.file.clone()), &options)?;
    report_problems(&loaded.report, args.color);
    let Some(scenario) = loaded.scenario else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    let agent = scenario.find(&args.agent).ok_or_else(|| unknown(&scenario, &args.agent))?;
    let mut world = World::new(scenario);
    for _ in 1..args.frame {
        step::step(&mut world);
    }
    let before = (args.frame > 0).then(|| world.clone());
    let why = before.as_ref().map(|before| step::explain(before, agent));
    if before.is_some() {
        step::step(&mut world);
    }
    let file = show::path(&args.file);
    let told = gather::Moment { agent, before: before.as_ref(), now: &world, why: why.as_ref() };
    let told = told.explained(file);
    if args.json {
        out.json(&told)?;
    } else {
        for line in print::lines(&told) {
            out.line(line)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What to say of a name nobody bears.
fn unknown(scenario: &Scenario, name: &str) -> CliError {
    let lot = scenario.kinds.iter().find(|kind| kind.name == name);
    let help = if let Some(lot) = lot {
        let first = scenario.name(lot.first);
        format!(": a group of {} agents; name one agent, such as `{first}`", lot.count)
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
