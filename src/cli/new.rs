//! `tilewalk new`: creates a sample map and a sample pattern.

use std::path::Path;
use std::process::ExitCode;

use crate::files::show;
use crate::files::write::new_map::{is_name, starter};

use super::CliError;
use super::output::Output;
use super::write::{Replace, write_all};

/// Arguments of `tilewalk new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tilewalk new attic

This creates maps/attic.toml and patterns/attic_round.toml. Existing files are never replaced.
Exit codes: 0 on success, 2 if one of the files already exists.")]
pub struct NewArgs {
    /// Map name: up to 64 letters, digits, `_` and `-`
    pub name: String,
}

pub(super) fn new(args: &NewArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let name = &args.name;
    if !is_name(name) {
        return Err(CliError::MapName { name: show::text(name) });
    }
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
