//! `tilewalk import`: maps of other programs become maps of ours.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::files::import::{Texts, can_import, import as read};
use crate::files::show;

use super::args::ImportArgs;
use super::output::Output;
use super::write::{Replace, write_all};
use super::{CliError, EXIT_CANNOT, report_problems};

/// Prints the map, or writes it and its patterns.
pub(super) fn import(args: &ImportArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    if !can_import(&args.file) {
        return Err(CliError::ImportFormat { path: show::path(&args.file) });
    }
    let imported = read(&args.file)?;
    report_problems(&imported.report, None);
    let Some(texts) = imported.texts else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    match &args.output {
        None => out.text(&texts.map_alone)?,
        Some(path) => {
            let files = files(path, &texts);
            write_all(&files, if args.force { Replace::Yes } else { Replace::Unasked })?;
            for (path, _) in &files {
                out.line(format_args!("wrote {}", show::path(path)))?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Where each text goes. Patterns are looked up beside the map and in the `patterns` folder next to
/// the map's; only a folder called `maps` is taken to have one.
fn files<'a>(map: &Path, texts: &'a Texts) -> Vec<(PathBuf, &'a str)> {
    let beside = map.parent().unwrap_or(Path::new(""));
    let folder = match beside.file_name() {
        Some(name) if name == "maps" => beside.with_file_name("patterns"),
        _ => beside.to_owned(),
    };
    let pattern =
        |(name, text): &'a (String, String)| (folder.join(format!("{name}.toml")), text.as_str());
    std::iter::once((map.to_owned(), texts.map.as_str()))
        .chain(texts.patterns.iter().map(pattern))
        .collect()
}
