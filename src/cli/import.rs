//! `tilewalk import`: converts maps created with other programs.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::files::import::{self, Choices, Selector, Texts, can_import, import as read};
use crate::files::project::Project;
use crate::files::{queries, show};

use super::output::{Output, note};
use super::write::{Replace, write_all};
use super::{CliError, EXIT_CANNOT, report_problems};

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

With --output, polylines are written as pattern files. For a map in a `maps` directory, the pattern
files go to the `patterns` directory next to `maps`; otherwise, they go to the map's directory.
Warnings list the content that is not imported.
Exit codes: 0 on success, 2 if the file has errors or an output file already exists.")]
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
    /// Import this level of a file with several levels [default: the first]
    #[arg(long, value_name = "NAME|N")]
    pub level: Option<String>,
    /// List the levels of the file
    #[arg(long, conflicts_with_all = ["output", "level"])]
    pub levels: bool,
    /// Fill short rows and blank lines of a text map with this glyph [default: .]
    #[arg(long, value_name = "GLYPH", value_parser = import::pad)]
    pub pad: Option<String>,
    /// Add an agent for each query of a MovingAI scenario
    #[arg(long, value_name = "FILE", conflicts_with = "levels")]
    pub scen: Option<PathBuf>,
    /// Numbers of the queries to add
    #[arg(
        long,
        value_name = "A..B",
        requires = "scen",
        default_value = "1..50",
        value_parser = queries::numbers
    )]
    pub queries: RangeInclusive<usize>,
    /// Solid tiles of a Tiled map, such as `layer:Walls` or `tile-property:collides`
    #[arg(long, value_name = "SELECTOR", help_heading = TILED)]
    pub solid: Vec<Selector>,
    /// Walkable tiles of a Tiled map
    #[arg(long, value_name = "SELECTOR", help_heading = TILED)]
    pub walkable: Vec<Selector>,
    /// List the rules that make tiles solid, and all selectors
    #[arg(long, help_heading = TILED)]
    pub explain_solid: bool,
    /// Root of the project: files above it are not read [default: nearest directory with `.git`
    /// or a `.tiled-project` file]
    #[arg(long, value_name = "DIR", help_heading = TILED)]
    pub root: Option<PathBuf>,
    /// Directory to search for tile sets that are not where the map says
    #[arg(long, value_name = "DIR", help_heading = TILED)]
    pub tilesets: Option<PathBuf>,
}

/// Heading of the options for maps of Tiled.
const TILED: &str = "Tiled maps";

/// Prints the map, or writes the map and its patterns.
pub(super) fn import(args: &ImportArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    if !can_import(&args.file) {
        return Err(CliError::ImportFormat { path: show::path(&args.file) });
    }
    if args.levels {
        return list_levels(&args.file, out);
    }
    let queries = args.scen.clone().map(|scenario| (scenario, args.queries.clone()));
    let choices = Choices {
        level: args.level.clone(),
        pad: args.pad.clone(),
        queries,
        solid: args.solid.clone(),
        walkable: args.walkable.clone(),
        project: Project { root: args.root.clone(), tile_sets: args.tilesets.clone() },
    };
    let imported = read(&args.file, &choices)?;
    report_problems(&imported.report, None);
    if let Some(solidity) = &imported.solidity {
        let text = solidity.text(args.explain_solid);
        if args.explain_solid {
            out.text(&text)?;
        } else {
            note(&text);
        }
    }
    let Some(texts) = imported.texts else { return Ok(ExitCode::from(EXIT_CANNOT)) };
    match &args.output {
        None if args.explain_solid => {}
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

/// Prints the number and the title of each level.
fn list_levels(file: &Path, out: &mut Output) -> Result<ExitCode, CliError> {
    for (index, title) in import::levels(file)?.iter().enumerate() {
        out.line(format_args!("{}  {}", index + 1, show::text(title)))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the path of each text. Patterns go to the map's directory; if that directory is called
/// `maps`, to the `patterns` directory next to it.
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
