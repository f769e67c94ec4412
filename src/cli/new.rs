//! `tilewalk new`: creates a sample map and a sample pattern, or another template.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use crate::files::show;
use crate::files::write::new_map::{is_name, mapf_expectations, starter};

use super::CliError;
use super::output::Output;
use super::write::{Replace, write_all};

/// Arguments of `tilewalk new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk new attic
  tilewalk new --template mapf

The first command creates maps/attic.toml and patterns/attic_round.toml, and the second one creates
mapf.expect.toml. Existing files are never replaced.
Exit codes: 0 on success, 2 if one of the files already exists.")]
pub struct NewArgs {
    /// Name of the map or file: up to 64 letters, digits, `_` and `-`
    #[arg(required_unless_present = "template")]
    pub name: Option<String>,
    /// Template: map, or mapf for expectations about plans of path planners [default: map]
    #[arg(long, value_enum, hide_possible_values = true)]
    pub template: Option<Template>,
}

/// A template of `tilewalk new`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A map and its pattern
    Map,
    /// Expectations about plans of path planners
    Mapf,
}

impl Template {
    /// Returns the name of a file of this template without a name on the command line.
    fn usual_name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Mapf => "mapf",
        }
    }
}

pub(super) fn new(args: &NewArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let template = args.template.unwrap_or(Template::Map);
    let name = args.name.as_deref().unwrap_or_else(|| template.usual_name());
    if !is_name(name) {
        return Err(CliError::MapName { name: show::text(name) });
    }
    match template {
        Template::Map => new_map(name, out),
        Template::Mapf => new_expectations(name, out),
    }
}

fn new_expectations(name: &str, out: &mut Output) -> Result<ExitCode, CliError> {
    let file = format!("{name}.expect.toml");
    let text = mapf_expectations(name);
    write_all(&[(PathBuf::from(&file), text.as_str())], Replace::No)?;
    out.line(format_args!("created {file}: what must hold in the plan of a path planner"))?;
    out.line("next steps:")?;
    out.line("  tilewalk check PLAN --map MAP    find conflicts in a plan")?;
    out.line(format_args!("  tilewalk test PLAN --map MAP --expect {file}    judge a plan"))?;
    Ok(ExitCode::SUCCESS)
}

fn new_map(name: &str, out: &mut Output) -> Result<ExitCode, CliError> {
    let files = starter(name);
    let map = Path::new("maps").join(format!("{name}.toml"));
    let pattern = Path::new("patterns").join(format!("{}.toml", files.pattern_name));
    let both = [(map.clone(), files.map.as_str()), (pattern.clone(), files.pattern.as_str())];
    write_all(&both, Replace::No)?;
    let (map, pattern) = (map.display(), pattern.display());
    out.line(format_args!("created {map}: a map with a guard and a stranger"))?;
    out.line(format_args!("created {pattern}: the guard's patrol path"))?;
    out.line("next steps:")?;
    out.line(format_args!(
        "  tilewalk {map}          play the map; press Space to pause, ? for help"
    ))?;
    out.line(format_args!("  tilewalk check {map}    check the map for errors after editing"))?;
    out.line(format_args!("  tilewalk test {map}     check what must hold when the map runs"))?;
    Ok(ExitCode::SUCCESS)
}
