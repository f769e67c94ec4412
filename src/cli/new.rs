//! `tilewalk new`: a first map and a pattern, made here.

use std::path::Path;
use std::process::ExitCode;

use crate::files::show;
use crate::files::starter::{is_name, starter};

use super::CliError;
use super::args::NewArgs;
use super::output::Output;
use super::write::{Replace, write_all};

/// Makes the files, and says what they are and what to do next.
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
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
