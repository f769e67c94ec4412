//! `tilewalk import`: converts maps created with other programs.

mod choices;
mod update;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::files::disk::output_file::is_stream;
use crate::files::import::record::{ImportRecord, record_path, relative};
use crate::files::import::{
    self, AppliedRule, Imported, Looks, Texts, can_import, has_looks, import as read,
};
use crate::files::show;

use super::output::{Output, note};
use super::write::{Replace, write_all};
use super::{CliError, EXIT_CANNOT, report_problems};
use choices::ChoiceArgs;

/// Arguments of `tilewalk import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk import island.tmx --output maps/island.toml
  tilewalk import island.tmx --output maps/island.toml --force
  tilewalk import island.tmx > island.toml
  tilewalk import island.tmx --explain-solid
  tilewalk import island.tmx --solid layer:Rocks --solid tile-property:collides
  tilewalk import microban.xsb --level 12 --output maps/microban.toml
  tilewalk import arena.map --scen arena.map.scen --queries 1..50 --output maps/arena.toml
  tilewalk import --update maps/island.toml

With --output, polylines are written as pattern files. For a map in a `maps` directory, the pattern
files go to the `patterns` directory next to `maps`; otherwise, they go to the map's directory.
The source and the generated texts are recorded next to the map, in `island.import`. With --update,
FILE is the imported map: its changed source is imported again, and your edits of the map and its
patterns are kept. Where both changed the same tile or line, yours is kept and reported.
Warnings list the content that is not imported.
Exit codes: 0 on success, 2 if the file has errors or an output file already exists.")]
#[expect(clippy::struct_excessive_bools, reason = "each flag is an option of its own")]
pub struct ImportArgs {
    /// File to convert
    #[arg(help = format!("File to convert: {}", import::extensions()))]
    pub file: PathBuf,
    /// Write the map to this file instead of standard output
    #[arg(long, short, value_name = "MAP")]
    pub output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Import the changed source of the map FILE again, and keep your edits
    #[arg(long, conflicts_with_all = ["output", "force"])]
    pub update: bool,
    /// List the levels of the file
    #[arg(long, conflicts_with_all = ["output", "level", "update"])]
    pub levels: bool,
    /// List the rules that make tiles of a Tiled map solid, and all selectors
    #[arg(long, conflicts_with_all = ["levels", "update"])]
    pub explain_solid: bool,
    /// Print the rules, selectors and content that is not imported as JSON, instead of the map
    #[arg(long, conflicts_with_all = ["levels", "update", "explain_solid"])]
    pub json: bool,
    /// What to import
    #[command(flatten)]
    pub choices: ChoiceArgs,
}

pub(super) fn import(args: &ImportArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    if args.update {
        return update::update(&args.file, out);
    }
    if !can_import(&args.file) {
        return Err(CliError::ImportFormat { path: show::path(&args.file) });
    }
    if args.levels {
        return list_levels(args, out);
    }
    let imported = read(&args.file, &args.choices.choices())?;
    report_problems(&imported.report, None);
    if args.json {
        out.line(format_args!("{}", json(&imported)))?;
    } else if let Some(solidity) = &imported.solidity {
        let text = solidity.text(args.explain_solid, &args.choices.command(&args.file));
        if args.explain_solid {
            out.text(&text)?;
        } else {
            note(&text);
        }
    }
    let Some(texts) = imported.texts else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    match &args.output {
        None if args.explain_solid || args.json => {}
        None => out.text(&texts.map_alone)?,
        Some(path) if is_stream(path) => {
            write_all(&[(path.clone(), &texts.map_alone)], Replace::Yes)?;
        }
        Some(path) => {
            let record = record(args, path, &texts, imported.origin)?;
            let mut files = files(path, &texts);
            files.push((record_path(path), &record));
            write_all(&files, if args.force { Replace::Yes } else { Replace::Unasked })?;
            for (path, _) in &files {
                out.line(format_args!("wrote {}", show::path(path)))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the rules of an import and the content that it leaves out as JSON.
fn json(imported: &Imported) -> Value {
    let Some(solidity) = &imported.solidity else { return json!({}) };
    let rules = |list: &[AppliedRule]| -> Vec<Value> {
        let rule =
            |it: &AppliedRule| json!({ "rule": it.rule.describe(&it.name), "tiles": it.tiles });
        list.iter().map(rule).collect()
    };
    let selectors = solidity
        .candidates
        .iter()
        .map(|it| json!({ "selector": it.selector.to_string(), "count": it.count }));
    let remarks = solidity.remarks.iter().map(|it| {
        let options: Vec<_> = it.options.iter().map(|(_, option)| option).collect();
        json!({ "remark": it.text, "options": options })
    });
    let left_out =
        solidity.left_out.iter().map(|(what, count)| json!({ "what": what, "count": count }));
    json!({
        "tiles": solidity.tiles,
        "solid": rules(&solidity.solid),
        "walkable": rules(&solidity.walkable),
        "selectors": selectors.collect::<Vec<_>>(),
        "remarks": remarks.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
    })
}

/// Prints the number, from 1, and the title of each level.
fn list_levels(args: &ImportArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let titles = import::levels(&args.file, &args.choices.choices().glyphs)?;
    for (index, title) in titles.iter().enumerate() {
        out.line(format_args!("{}  {}", index + 1, show::text(title)))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the text of the import record. Paths in the record are relative to the map's directory.
fn record(
    args: &ImportArgs,
    map: &Path,
    texts: &Texts,
    origin: (i64, i64),
) -> Result<String, CliError> {
    let absolute = |path: &Path| {
        let failed = |source| CliError::Write { what: show::path(map), source };
        std::path::absolute(path).map_err(failed)
    };
    let map = absolute(map)?;
    let folder = map.parent().unwrap_or(Path::new(""));
    let relative = |path: &Path| Ok::<_, CliError>(relative(&absolute(path)?, folder));
    let mut choices = args.choices.clone();
    if has_looks(&args.file) {
        choices.looks = choices.looks.or(Some(Looks::default()));
    }
    let record = ImportRecord {
        source: relative(&args.file)?,
        options: choices.words(relative)?,
        origin: Some(origin),
        map: texts.map.clone(),
        patterns: texts.patterns.clone(),
    };
    Ok(record.text())
}

/// Returns the path and the text of each file to write. The map is first.
fn files<'a>(map: &Path, texts: &'a Texts) -> Vec<(PathBuf, &'a str)> {
    let pattern = |(name, text): &'a (String, String)| (pattern_path(map, name), text.as_str());
    std::iter::once((map.to_owned(), texts.map.as_str()))
        .chain(texts.patterns.iter().map(pattern))
        .collect()
}

/// Returns the path for an imported pattern. The pattern is stored in the map's directory. If that
/// directory is called `maps`, the pattern is stored in the `patterns` directory next to it.
fn pattern_path(map: &Path, name: &str) -> PathBuf {
    let beside = map.parent().unwrap_or(Path::new(""));
    let folder = match beside.file_name() {
        Some(last) if last == "maps" => beside.with_file_name("patterns"),
        _ => beside.to_owned(),
    };
    folder.join(format!("{name}.toml"))
}
