//! Options that determine what is imported. `tilewalk import` stores them in the import record.

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::files::disk::project::Project;
use crate::files::import::{self, Choices, Combine, Ignored, Looks, RuleChoices, Selector};
use crate::files::read::route_queries;
use crate::files::show;

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
    /// Glyphs that are walls in a text map, a MovingAI map or a Sokoban level
    #[arg(long, value_name = "GLYPHS", value_parser = import::glyphs)]
    pub walls: Option<String>,
    /// Glyphs that are floor in a text map, a MovingAI map or a Sokoban level
    #[arg(long, value_name = "GLYPHS", value_parser = import::glyphs)]
    pub floor: Option<String>,
    /// Glyphs that are boxes in a Sokoban level
    #[arg(long, value_name = "GLYPHS", value_parser = import::glyphs)]
    pub boxes: Option<String>,
    /// Solid tiles of a Tiled map or LDtk level, such as `layer:Walls` or `tag:Wall`
    #[arg(long, value_name = "SELECTOR", help_heading = TILED)]
    pub solid: Vec<Selector>,
    /// Walkable tiles of a Tiled map or LDtk level
    #[arg(long, value_name = "SELECTOR", help_heading = TILED)]
    pub walkable: Vec<Selector>,
    /// One-way platforms of a Tiled map, which stop bodies from above
    #[arg(long, value_name = "SELECTOR", help_heading = TILED)]
    pub one_way: Vec<Selector>,
    /// Parts to leave out: `layer:NAME`, `group:NAME`, `objects:NAME`, `others:NAME` (all other
    /// tile layers), `object:NAME`, `other-objects:NAME` or `property:NAME`
    #[arg(long, value_name = "PART", help_heading = TILED)]
    pub ignore: Vec<Ignored>,
    /// Tile that counts at each position: `top` (the topmost) or `any` (a solid tile in any layer)
    /// [default: top]
    #[arg(long, value_name = "top|any", help_heading = TILED)]
    pub combine: Option<Combine>,
    /// How tiles are told apart: `colors` (by the colours of their images and by names), `names` or
    /// `plain` (one floor and one wall) [default: colors]
    #[arg(long, value_name = "colors|names|plain", help_heading = TILED)]
    pub looks: Option<Looks>,
    /// Root of the project: files above it are not read [default: nearest directory with `.git`,
    /// a `.tiled-project` or a `project.godot` file]
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
            rules: RuleChoices {
                solid: self.solid.clone(),
                walkable: self.walkable.clone(),
                one_way: self.one_way.clone(),
                ignore: self.ignore.clone(),
                combine: self.combine.unwrap_or_default(),
            },
            glyphs: import::GlyphChoices {
                walls: self.walls.clone().unwrap_or_default(),
                floor: self.floor.clone().unwrap_or_default(),
                boxes: self.boxes.clone().unwrap_or_default(),
            },
            project: Project {
                root: self.root.clone(),
                tile_sets: self.tilesets.clone(),
                file: None,
            },
            looks: self.looks.unwrap_or_default(),
            known: import::KnownKinds::default(),
        }
    }

    /// Returns the options as command-line words for the import record. `relative` converts each
    /// path to the form stored in the record.
    pub(super) fn words<E>(
        &self,
        relative: impl Fn(&Path) -> Result<PathBuf, E>,
    ) -> Result<Vec<String>, E> {
        let Self { level, pad, scen, queries, walls, floor, boxes, .. } = self;
        let Self { solid, walkable, one_way, ignore, combine, looks, root, tilesets, .. } = self;
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.push(format!("--{option}={value}"));
        if let Some(level) = level {
            add("level", level.clone());
        }
        if let Some(pad) = pad {
            add("pad", pad.clone());
        }
        for (option, glyphs) in [("walls", walls), ("floor", floor), ("boxes", boxes)] {
            if let Some(glyphs) = glyphs {
                add(option, glyphs.clone());
            }
        }
        if let Some(scenario) = scen {
            add("scen", relative(scenario)?.to_string_lossy().into_owned());
            add("queries", format!("{}..{}", queries.start(), queries.end()));
        }
        let lists = [("solid", solid), ("walkable", walkable), ("one-way", one_way)];
        for (option, selectors) in lists {
            for selector in selectors {
                add(option, selector.to_string());
            }
        }
        for layer in ignore {
            add("ignore", layer.to_string());
        }
        if let Some(combine) = combine {
            add("combine", combine.word().to_owned());
        }
        if let Some(looks) = looks {
            add("looks", looks.word().to_owned());
        }
        for (option, path) in [("root", root), ("tilesets", tilesets)] {
            if let Some(path) = path {
                add(option, relative(path)?.to_string_lossy().into_owned());
            }
        }
        Ok(words)
    }

    /// Returns the command that imports a file with these options, safe to print and quoted for a
    /// shell.
    pub(super) fn command(&self, file: &Path) -> String {
        let words = self.words(|path| Ok::<_, Infallible>(path.to_owned()));
        let words = words.unwrap_or_else(|never| match never {});
        let file = file.to_string_lossy();
        let all = std::iter::once(&*file).chain(words.iter().map(String::as_str));
        let all: Vec<_> = all.map(show::shell_word).collect();
        format!("tilewalk import {}", all.join(" "))
    }

    /// Parses the words of an import record. Relative paths are joined to `folder`. Returns `None`
    /// if a word is invalid. Records of older versions, which do not name the looks, have plain
    /// tiles.
    pub(super) fn recorded(words: &[String], folder: &Path) -> Option<Self> {
        let words = std::iter::once("import").chain(words.iter().map(String::as_str));
        let mut choices = Recorded::try_parse_from(words).ok()?.choices;
        choices.looks = choices.looks.or(Some(Looks::Plain));
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
            "--walls=#| ",
            "--floor=.,",
            "--boxes=X",
            "--scen=../a b.scen",
            "--queries=2..7",
            "--solid=layer:Rocks",
            "--walkable=tile-property:path",
            "--one-way=tiles:set/26-77",
            "--ignore=group:Roofs",
            "--combine=any",
            "--looks=names",
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
        assert_eq!(plain.words(relative), Ok(vec!["--looks=plain".to_owned()]));
        assert!(ChoiceArgs::recorded(&["--unknown".to_owned()], folder).is_none());
    }
}
