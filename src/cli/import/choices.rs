//! Options that determine what is imported. `tilewalk import` stores them in the import record.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::files::disk::project::Project;
use crate::files::import::{self, Choices, Selector};
use crate::files::read::route_queries;

/// Options that determine what is imported.
#[derive(Debug, Clone, clap::Args)]
pub struct ChoiceArgs {
    /// Import this level of a file with several levels [default: the first]
    #[arg(long, value_name = "NAME|N")]
    pub level: Option<String>,
    /// Fill short rows and blank lines of a text map with this glyph [default: .]
    #[arg(long, value_name = "GLYPH", value_parser = import::pad)]
    pub pad: Option<String>,
    /// Add an agent for each query of a MovingAI scenario
    #[arg(long, value_name = "FILE")]
    pub scen: Option<PathBuf>,
    /// Numbers of the queries to add
    #[arg(
        long,
        value_name = "A..B",
        requires = "scen",
        default_value = "1..50",
        value_parser = route_queries::numbers
    )]
    pub queries: RangeInclusive<usize>,
    /// Solid tiles of a Tiled map, such as `layer:Walls` or `tile-property:collides`
    #[arg(long, value_name = "SELECTOR", help_heading = TILED)]
    pub solid: Vec<Selector>,
    /// Walkable tiles of a Tiled map
    #[arg(long, value_name = "SELECTOR", help_heading = TILED)]
    pub walkable: Vec<Selector>,
    /// Root of the project: files above it are not read [default: nearest directory with `.git`
    /// or a `.tiled-project` file]
    #[arg(long, value_name = "DIR", help_heading = TILED)]
    pub root: Option<PathBuf>,
    /// Directory to search for tile sets that are not where the map says
    #[arg(long, value_name = "DIR", help_heading = TILED)]
    pub tilesets: Option<PathBuf>,
}

/// Help heading of the options for Tiled maps.
const TILED: &str = "Tiled maps";

/// Parser for the options in an import record.
#[derive(Debug, Parser)]
struct Recorded {
    #[command(flatten)]
    choices: ChoiceArgs,
}

impl ChoiceArgs {
    pub(super) fn choices(&self) -> Choices {
        let queries = self.scen.clone().map(|scenario| (scenario, self.queries.clone()));
        Choices {
            level: self.level.clone(),
            pad: self.pad.clone(),
            queries,
            solid: self.solid.clone(),
            walkable: self.walkable.clone(),
            project: Project { root: self.root.clone(), tile_sets: self.tilesets.clone() },
        }
    }

    /// Returns the options as command-line words for the import record. `relative` converts each
    /// path to the form stored in the record.
    pub(super) fn words<E>(
        &self,
        relative: impl Fn(&Path) -> Result<PathBuf, E>,
    ) -> Result<Vec<String>, E> {
        // Without `..`, so that a new option is not forgotten here.
        let Self { level, pad, scen, queries, solid, walkable, root, tilesets } = self;
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.push(format!("--{option}={value}"));
        if let Some(level) = level {
            add("level", level.clone());
        }
        if let Some(pad) = pad {
            add("pad", pad.clone());
        }
        if let Some(scenario) = scen {
            add("scen", relative(scenario)?.to_string_lossy().into_owned());
            add("queries", format!("{}..{}", queries.start(), queries.end()));
        }
        for (option, selectors) in [("solid", solid), ("walkable", walkable)] {
            for selector in selectors {
                add(option, selector.to_string());
            }
        }
        for (option, path) in [("root", root), ("tilesets", tilesets)] {
            if let Some(path) = path {
                add(option, relative(path)?.to_string_lossy().into_owned());
            }
        }
        Ok(words)
    }

    /// Parses the words of an import record. Relative paths are joined to `folder`. Returns `None`
    /// if a word is invalid.
    pub(super) fn recorded(words: &[String], folder: &Path) -> Option<Self> {
        let words = std::iter::once("import").chain(words.iter().map(String::as_str));
        let mut choices = Recorded::try_parse_from(words).ok()?.choices;
        for path in [&mut choices.scen, &mut choices.root, &mut choices.tilesets] {
            *path = path.take().map(|path| folder.join(path));
        }
        Some(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_options_are_read_unchanged() {
        let options = [
            "--level=It's \"12\"",
            "--pad=-",
            "--scen=../a b.scen",
            "--queries=2..7",
            "--solid=layer:Rocks",
            "--walkable=tile-property:path",
            "--root=..",
            "--tilesets=../sets",
        ];
        let options = options.map(str::to_owned);
        let folder = Path::new("/maps");
        let choices = ChoiceArgs::recorded(&options, folder).unwrap();
        assert_eq!(choices.scen.as_deref(), Some(Path::new("/maps/../a b.scen")));
        let relative = |path: &Path| path.strip_prefix(folder).map(Path::to_owned);
        assert_eq!(choices.words(relative), Ok(options.to_vec()));
        let plain = ChoiceArgs::recorded(&[], folder).unwrap();
        assert_eq!(plain.words(relative), Ok(Vec::new()));
        assert!(ChoiceArgs::recorded(&["--unknown".to_owned()], folder).is_none());
    }
}
