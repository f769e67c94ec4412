//! Converts maps of other programs to TOML: a map file, and a pattern file for each path in the
//! map.
//!
//! The converted map loads without warnings and contains moving agents: a wanderer, and a walker on
//! each walkable path.

mod agents;
pub(crate) mod text;

use std::collections::BTreeSet;
use std::path::Path;

use unicode_segmentation::UnicodeSegmentation;

use super::diagnostic::{Diagnostic, FileId, Issues};
use super::glyph;
use super::legend::Legend;
use super::name::{numbered, word};
use super::origin::Store;
use super::project::Project;
use super::report::Report;
use super::show;
use super::source::{self, ReadError};
pub use super::tiled::selector::Selector;
pub use super::tiled::solid::Solidity;
use super::tiled::{Drawing, Rules};
use super::tiles_file::{FORMATS, Format, listed};
use tilewalk_sim::body::Body;
use tilewalk_sim::map::{Corners, Edges, Map};
use tilewalk_sim::tile::TileKind;

/// Maximum number of unknown glyphs that are imported as floor.
const MOST_UNKNOWN: usize = 200;

/// Result of an import.
#[derive(Debug)]
pub struct Imported {
    /// Problems in the file, and warnings about content that is not imported.
    pub report: Report,
    /// Converted files; `None` if there are errors.
    pub texts: Option<Texts>,
    /// The rules that made tiles solid, for maps of Tiled.
    pub solidity: Option<Solidity>,
}

/// Options of an import. They apply to maps of Tiled.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Selectors of solid tiles.
    pub solid: Vec<Selector>,
    /// Selectors of walkable tiles.
    pub walkable: Vec<Selector>,
    /// Where the files of the map's project are.
    pub project: Project,
}

/// Texts of a converted map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// Map with agents that follow the patterns.
    pub map: String,
    /// Map for use without the patterns: agents that follow a pattern are commented out.
    pub map_alone: String,
    /// Names and texts of the patterns.
    pub patterns: Vec<(String, String)>,
}

/// The data from which the converted files are generated.
struct Content<'a> {
    /// File name of the original map.
    file: &'a str,
    /// File name without extension, converted to a valid name.
    stem: String,
    drawing: Drawing,
    legend: Legend,
    /// Tile kinds of the map that differ from the standard legend.
    kinds: Vec<TileKind>,
    map: Map,
}

/// Returns true if the file name has the extension of an importable format.
pub fn can_import(path: &Path) -> bool {
    Format::of_path(path).is_some()
}

/// Returns the extensions of all importable formats, as in ".tmx, .map or .txt".
pub fn extensions() -> String {
    listed(FORMATS.iter(), |format| format!(".{}", format.extension))
}

/// Returns the extensions of all importable formats with the names of the programs that write them.
pub fn extensions_and_programs() -> String {
    let described = |format: &Format| match format.program {
        "" => format!(".{}", format.extension),
        program => format!(".{} ({program})", format.extension),
    };
    listed(FORMATS.iter(), described)
}

/// Imports a file without options: see [`import_with`].
///
/// # Errors
/// Returns an error if the file can't be read. Problems in the file are in the report.
pub fn import(path: &Path) -> Result<Imported, ReadError> {
    import_with(path, &ImportOptions::default())
}

/// Imports a file. A file with an unknown extension is read as rows of glyphs.
///
/// # Errors
/// Returns an error if the file can't be read. Problems in the file are in the report.
pub fn import_with(path: &Path, options: &ImportOptions) -> Result<Imported, ReadError> {
    let [.., rows] = &FORMATS;
    let format = Format::of_path(path).unwrap_or(rows);
    let (source, problems) = source::read(path, show::path(path))?;
    let mut legend = (format.legend)();
    let mut report = Report::default();
    let text = source.text().clone();
    let store = Store::around(path).within_project(options.project.clone());
    let rules = Rules::choosing(&options.solid, &options.walkable);
    let mut unknown = Vec::new();
    if format.imports_unknown_glyphs {
        unknown = add_unknown(&mut legend, &text);
    }
    let drawing = format.read((source, problems), &rules, &legend, &store, &mut report);
    report.extend(unknown);
    let Some(drawing) = drawing else { return Ok(refused(report, None)) };
    report_unused(&rules, &mut report);
    if report.errors() > 0 {
        return Ok(refused(report, drawing.solidity));
    }
    for kind in &drawing.kinds {
        legend.insert(kind.clone());
    }
    let used: BTreeSet<u8> = drawing.tiles.cells().iter().copied().collect();
    let standard = Legend::standard();
    let all = legend.clone().into_kinds();
    let is_new = |kind: &TileKind| {
        let same = standard.index(&kind.glyph).map(|index| &standard.kinds()[usize::from(index)]);
        same != Some(kind)
    };
    let used = used.iter().map(|&index| &all[usize::from(index)]);
    let kinds = used.filter(|kind| is_new(kind)).cloned().collect();
    let grid = drawing.tiles.clone();
    let map = Map::new(grid, all.clone(), Vec::new(), Edges::Wall, Corners::default());
    let Some(map) = map else { return Ok(refused(report, None)) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = word(&path.file_stem().unwrap_or_default().to_string_lossy());
    let content = Content { file: &name, stem, drawing, legend, kinds, map };
    let (mut texts, agents) = text::write(&content);
    agents::check(&mut texts, &agents, &mut report);
    Ok(Imported { report, texts: Some(texts), solidity: content.drawing.solidity })
}

fn refused(report: Report, solidity: Option<Solidity>) -> Imported {
    Imported { report, texts: None, solidity }
}

/// Reports selectors that select nothing.
fn report_unused(rules: &Rules, report: &mut Report) {
    let issues = Issues::new(FileId::default(), "".into());
    rules.report_unused(&issues);
    report.extend(issues.into_list());
}

/// Adds unknown glyphs of a text to the legend as floor, with a warning for each.
fn add_unknown(legend: &mut Legend, text: &str) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (at, found) in text.grapheme_indices(true) {
        if matches!(found, "\n" | "\r\n")
            || legend.index(found).is_some()
            || glyph::fault(found).is_some()
        {
            continue;
        }
        if warnings.len() == MOST_UNKNOWN || !legend.insert(TileKind::floor(found, found)) {
            break;
        }
        let message = format!("unknown glyph `{}` is imported as floor", show::text(found));
        let help = "define the glyph in the [legend] of the map";
        warnings.push(Diagnostic::warning(at..at + found.len(), message).help(help));
    }
    warnings
}

impl Content<'_> {
    /// Returns true if a wanderer fits on any tile.
    fn has_room(&self) -> bool {
        let radius = Body::default().radius;
        self.drawing.tiles.iter().any(|(tile, _)| self.map.fits(tile.centre(), radius))
    }

    /// Returns a unique name for an agent: the preferred name `wish`, with a number if `wish` is
    /// taken.
    fn agent_name(&self, wish: &str, taken: &mut BTreeSet<String>) -> String {
        let used = |name: &str, taken: &BTreeSet<String>| {
            taken.contains(name)
                || self.drawing.places.iter().any(|place| place.name == name)
                || self.drawing.agents.iter().any(|agent| agent.name == name)
        };
        let mut name = wish.to_owned();
        let mut number = 1;
        while used(&name, taken) {
            number += 1;
            name = numbered(wish, number);
        }
        taken.insert(name.clone());
        name
    }
}
