//! Formats of tiles files, which `tiles_file` names and `tilewalk import` converts.
//!
//! To add a format, write its reader in a submodule and add a row to [`FORMATS`].
//!
//! A file can contain several maps, which are called levels. An import selects one of them.

mod ldtk;
mod movingai;
pub(crate) mod pictures;
mod sokoban;
pub(crate) mod tiled;

use std::path::Path;

use pictures::Looks;
use tiled::{Drawing, Rules};

use crate::disk::store::Store;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::Entry;
use crate::text::report::{Report, read_source};
use crate::text::source::{Found, Source};
use crate::tiles::known::KnownKinds;
use crate::tiles::legend::Legend;
use crate::tiles::rows;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::report::words;

/// Function that reads the text of a tiles file, and adds tile kinds of the file to the legend. The
/// report contains the problems of files that the text names.
type ReadFormat =
    fn(&Issues, &Rules, &mut Legend, &Store, &LevelOptions) -> (Option<Drawing>, Report);

/// Glyphs that the user gives a meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GlyphChoices {
    /// Glyphs of walls.
    pub walls: String,
    /// Glyphs of floor.
    pub floor: String,
    /// Glyphs of boxes in Sokoban levels.
    pub boxes: String,
}

impl GlyphChoices {
    /// Returns the characters of all glyphs.
    fn all(&self) -> impl Iterator<Item = char> + '_ {
        [&self.walls, &self.floor, &self.boxes].into_iter().flat_map(|glyphs| glyphs.chars())
    }
}

/// Options of an import for reading a tiles file. A map that names a tiles file uses the defaults.
#[derive(Debug, Default)]
pub struct LevelOptions<'a> {
    /// Glyphs that the user gives a meaning.
    pub glyphs: GlyphChoices,
    /// Path of the file, for messages; empty if a map names the file.
    pub file: &'a str,
    /// Number or title of the level to read, in a file with several levels. `None` selects the
    /// first level.
    pub level: Option<&'a str>,
    /// Tile kinds of the last import, which keep their glyphs.
    pub known: KnownKinds,
    /// How the tiles are told apart by their looks. `None` is the same as `Plain`.
    pub looks: Option<Looks>,
    /// Tile kind that fills short rows of a text map. `None` makes short rows an error.
    pub pad: Option<u8>,
}

/// A format of tiles files.
#[derive(Debug)]
pub struct TilesFormat {
    /// File name extension, without a dot.
    pub extension: &'static str,
    /// Short description of the contents, for help texts.
    pub contents: &'static str,
    /// Name of the program or format, for help texts; may be empty.
    pub program: &'static str,
    /// Description of the contents for the documentation: a Markdown sentence without full stop.
    pub about: &'static str,
    /// Noun for files of this format, such as "a Tiled map", if the map editor can't edit them.
    /// `None` if it can.
    pub uneditable: Option<&'static str>,
    /// Function that returns the built-in legend of the format.
    pub legend: fn() -> Legend,
    /// Whether `[tiled]` in a map applies to the format.
    pub uses_rules: bool,
    /// Whether an import reads unknown glyphs as floor or walls.
    pub imports_unknown_glyphs: bool,
    /// Function that returns the titles of the levels in a file, with the glyphs that the user gives
    /// a meaning. It returns an empty list if a file of this format has only one level.
    pub levels: fn(&str, &GlyphChoices) -> Vec<String>,
    /// Function that returns the number of lines above the first row of tiles. It returns `None` if
    /// lines are not rows of tiles.
    pub header_lines: fn(&str) -> Option<usize>,
    read: ReadFormat,
}

/// All formats. Rows of glyphs come last: imports use the last format for unknown extensions.
pub static FORMATS: [TilesFormat; 8] = [
    tiled_format(
        "tmx",
        "a map of the [Tiled](https://www.mapeditor.org) editor: see [Tiled maps](imports.md#tiled-maps)",
    ),
    tiled_format("tmj", "a map of Tiled in JSON"),
    tiled_format("json", "a map of Tiled in JSON, as older versions write it"),
    TilesFormat {
        extension: "ldtk",
        contents: "LDtk",
        program: "LDtk",
        about: "a project of the [LDtk](https://ldtk.io) editor: see [LDtk levels](imports.md#ldtk-levels)",
        uneditable: Some("an LDtk project"),
        legend: Legend::standard,
        uses_rules: true,
        imports_unknown_glyphs: false,
        levels: |text, _| ldtk::titles(text),
        header_lines: |_| None,
        read: |issues, rules, legend, store, wanted| {
            ldtk::read(issues, rules, legend, store, wanted)
        },
    },
    TilesFormat {
        about: "Sokoban levels: see [Sokoban levels](imports.md#sokoban-levels)",
        ..SOKOBAN
    },
    TilesFormat { extension: "sok", about: "the same as `.xsb`", ..SOKOBAN },
    TilesFormat {
        extension: "map",
        contents: "MovingAI octile",
        program: "octile",
        about: "a MovingAI octile map: the header lines `type octile` (which can be missing), `height N`, `width N` \
                and `map`, followed by rows of glyphs. The rows must match the height and the width. In a map of the type \
                `octile-corner`, height and width count corners: the rows of corner heights before the glyphs, \
                and the last row and the last column of the glyphs, are ignored",
        uneditable: Some("a MovingAI map"),
        legend: Legend::octile,
        uses_rules: false,
        imports_unknown_glyphs: true,
        levels: |_, _| Vec::new(),
        header_lines: movingai::header_lines,
        read: |issues, _, legend, _, _| only_tiles(movingai::read(issues.text(), legend, issues)),
    },
    TilesFormat {
        extension: "txt",
        contents: "rows of glyphs",
        program: "",
        about: "rows of glyphs, as in `tiles`",
        uneditable: None,
        legend: Legend::standard,
        uses_rules: false,
        imports_unknown_glyphs: true,
        levels: |_, _| Vec::new(),
        header_lines: |_| Some(0),
        read: |issues, _, legend, _, wanted| {
            only_tiles(match wanted.pad {
                None => rows::read(issues.text(), legend, 0..0, |span| span, issues),
                Some(pad) => rows::read_padded(issues.text(), legend, pad, issues),
            })
        },
    },
];

const fn tiled_format(extension: &'static str, about: &'static str) -> TilesFormat {
    TilesFormat {
        extension,
        contents: "Tiled",
        program: "Tiled",
        about,
        uneditable: Some("a Tiled map"),
        legend: Legend::standard,
        uses_rules: true,
        imports_unknown_glyphs: false,
        levels: |_, _| Vec::new(),
        header_lines: |_| None,
        read: |issues, rules, legend, store, wanted| {
            tiled::read(issues, rules, legend, store, wanted)
        },
    }
}

const SOKOBAN: TilesFormat = TilesFormat {
    extension: "xsb",
    contents: "Sokoban",
    program: "Sokoban",
    about: "",
    uneditable: Some("a collection of Sokoban levels"),
    legend: Legend::sokoban,
    uses_rules: false,
    imports_unknown_glyphs: false,
    levels: sokoban::titles,
    header_lines: |_| None,
    read: |issues, _, legend, _, wanted| (sokoban::read(legend, wanted, issues), Report::default()),
};

fn only_tiles(tiles: Option<Grid<u8>>) -> (Option<Drawing>, Report) {
    let drawing = tiles.map(Drawing::of_tiles);
    (drawing, Report::default())
}

impl TilesFormat {
    /// Returns the format for the extension of a file name; `None` for an unknown extension.
    pub fn of(name: &str) -> Option<&'static Self> {
        Self::of_path(Path::new(name))
    }

    /// Returns the format for the extension of a path; `None` for an unknown extension.
    pub fn of_path(path: &Path) -> Option<&'static Self> {
        let extension = path.extension()?;
        FORMATS.iter().find(|format| extension == format.extension)
    }

    /// Reads a tiles file. Adds the problems in this file, and in the files that it names, to the
    /// report. Returns `None` after any error.
    pub fn read(
        &self,
        (source, problems): (Source, Vec<Diagnostic>),
        rules: &Rules,
        legend: &mut Legend,
        (store, wanted): (&Store, &LevelOptions),
        report: &mut Report,
    ) -> Option<Drawing> {
        let mut others = Report::default();
        let drawing = read_source(report, source, problems, |issues| {
            let (drawing, report) = (self.read)(issues, rules, legend, store, wanted);
            others = report;
            drawing
        });
        report.merge(others);
        drawing
    }
}

/// Joins descriptions of the formats as in "a, b or c".
pub fn listed<'a>(
    formats: impl DoubleEndedIterator<Item = &'a TilesFormat>,
    describe: impl Fn(&TilesFormat) -> String,
) -> String {
    let mut described: Vec<_> = formats.map(describe).collect();
    let last = described.pop().unwrap_or_default();
    if described.is_empty() { last } else { format!("{} or {last}", described.join(", ")) }
}

/// Reads `tiles_file`: the path of a file relative to the map, in the same project. Reports a file
/// that can't be read and returns `None`.
pub fn read(
    entry: &Entry,
    store: &Store,
) -> Option<(Source, Vec<Diagnostic>, &'static TilesFormat)> {
    let name = entry.string()?;
    let strange = |c: char| matches!(c, '\\' | ':') || show::is_hidden(c);
    let is_hidden = |part: &str| part.is_empty() || part.starts_with('.') && part != "..";
    if name.split('/').any(is_hidden) || name.contains(strange) || name.len() > 200 {
        let message = format!("invalid file name `{}`", show::text(name));
        let help = "use a path relative to the map, such as `cave.txt` or `../tiled/cave.tmx`";
        entry.error_with_help(message, help);
        return None;
    }
    let Some(format) = TilesFormat::of(name) else {
        let message = format!("`{}` is not a tiles file", show::text(name));
        let of = |format: &TilesFormat| format!("`.{}` ({})", format.extension, format.contents);
        entry.error_with_help(message, format!("use a {} file", listed(FORMATS.iter().rev(), of)));
        return None;
    };
    match store.of_tiles_file(name).sibling(name.rsplit('/').next().unwrap_or_default()) {
        Found::Read(source, problems) => Some((source, problems, format)),
        Found::Missing => {
            let place = if name.contains('/') { "" } else { " in the map directory" };
            let message = format!("no file `{}`{place}", show::text(name));
            entry.error_with_help(message, "copy the file beside the map, or correct the name");
            None
        }
        Found::Refused(why) => {
            let message = format!("the file `{}` {why}", show::text(name));
            entry.error_with_help(message, "copy the file beside the map");
            None
        }
    }
}

/// Maximum number of levels per file.
pub const MAX_LEVELS: usize = 100_000;

/// Maximum number of titles in a message.
const MOST_LISTED: usize = 20;

/// Returns the index of a level. `wanted` is the title of the level in upper or lower case, or its
/// number from 1. Without `wanted`, returns the first level. Reports an unknown level and returns
/// `None`.
pub fn choose_level<T: AsRef<str>>(
    titles: &[T],
    wanted: Option<&str>,
    issues: &Issues,
) -> Option<usize> {
    let Some(wanted) = wanted else { return Some(0).filter(|_| !titles.is_empty()) };
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let same = |title: &T| title.as_ref() == wanted;
    let similar = |title: &T| title.as_ref().to_lowercase() == wanted.to_lowercase();
    let found = titles.iter().position(same).or_else(|| titles.iter().position(similar));
    let found = found.or_else(|| number.filter(|&index| index < titles.len()));
    if found.is_none() {
        let count = words::count(titles.len() as u64, "level");
        let message = format!("no level `{}`: the file has {count}", show::text(wanted));
        issues.push(Diagnostic::error(0..0, message).help(listed_levels(titles)));
    }
    found
}

/// Lists the first levels, as in "levels: 1 `Attic`, 2 `Cellar`".
fn listed_levels<T: AsRef<str>>(titles: &[T]) -> String {
    let one =
        |(index, title): (usize, &T)| format!("{} `{}`", index + 1, show::text(title.as_ref()));
    let mut listed: Vec<_> = titles.iter().enumerate().take(MOST_LISTED).map(one).collect();
    if titles.len() > MOST_LISTED {
        listed.push("…".to_owned());
    }
    format!("levels: {}", listed.join(", "))
}

/// Returns a warning that only the first of several levels is imported; `None` for a file with one
/// level.
pub fn first_level_warning<T: AsRef<str>>(titles: &[T]) -> Option<Diagnostic> {
    let first = titles.first().filter(|_| titles.len() > 1)?;
    let (first, count) = (show::text(first.as_ref()), titles.len());
    let message = format!("only level 1 of {count} is imported: `{first}`");
    let help = "use --level to import another level, and --levels to list all of them";
    Some(Diagnostic::warning(0..0, message).help(help).help(listed_levels(titles)))
}
