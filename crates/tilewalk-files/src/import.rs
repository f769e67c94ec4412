//! Converts maps of other programs to TOML: a map file, and a pattern file for each path in it.
//!
//! The result reads back without a warning and contains moving agents: one that wanders, and one on
//! each walkable path.

mod text;

use std::collections::BTreeSet;
use std::path::Path;

use unicode_segmentation::UnicodeSegmentation;

use super::diagnostic::{Diagnostic, Report};
use super::glyph;
use super::legend::Legend;
use super::library::TilesKind;
use super::name::{MAX_CHARS, word};
use super::origin::Store;
use super::show;
use super::source::{self, ReadError};
use super::tiled::{Drawing, Rules};
use tilewalk_sim::body::Body;
use tilewalk_sim::map::{Corners, Edges, Map};
use tilewalk_sim::tile::TileKind;

/// Glyphs of a text that may be unknown and are taken for floor.
const MOST_UNKNOWN: usize = 200;

/// A map that was read.
#[derive(Debug)]
pub struct Imported {
    /// What is wrong with the file, and what is not taken over.
    pub report: Report,
    /// The texts; none when there are errors.
    pub texts: Option<Texts>,
}

/// Files to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// The map, which needs the patterns.
    pub map: String,
    /// The map alone: those who would need patterns are commented out.
    pub map_alone: String,
    /// Names and texts of the patterns.
    pub patterns: Vec<(String, String)>,
}

/// What the texts are made of.
struct Content<'a> {
    /// The name of the file.
    file: &'a str,
    /// The name without its ending, as a word.
    stem: String,
    drawing: Drawing,
    legend: Legend,
    /// Entries to be written into the legend.
    kinds: Vec<TileKind>,
    map: Map,
}

/// Is the name of a file one that can be imported?
pub fn can_import(path: &Path) -> bool {
    kind(path).is_some()
}

fn kind(path: &Path) -> Option<TilesKind> {
    TilesKind::of(&path.extension()?.to_string_lossy())
}

/// Reads a `.tmx`, `.map` or `.txt` file.
///
/// # Errors
/// When it can't be read at all. What is wrong in it is in the report.
pub fn import(path: &Path) -> Result<Imported, ReadError> {
    let kind = kind(path).unwrap_or(TilesKind::Rows);
    let (source, problems) = source::read(path, show::path(path))?;
    let mut legend = kind.legend();
    let mut report = Report::default();
    let text = source.text().clone();
    let store = Store::around(path);
    let before = legend.clone();
    let unknown =
        if kind == TilesKind::Rows { add_unknown(&mut legend, &text) } else { Vec::new() };
    let drawing = kind.read((source, problems), &Rules::default(), &legend, &store, &mut report);
    report.extend(unknown);
    let Some(drawing) = drawing else { return Ok(Imported { report, texts: None }) };
    let used: BTreeSet<u8> = drawing.tiles.cells().iter().copied().collect();
    let standard = if kind == TilesKind::Octile { Legend::standard() } else { before };
    let all = legend.clone().into_kinds();
    let is_new = |kind: &TileKind| {
        let same = standard.index(&kind.glyph).map(|index| &standard.kinds()[usize::from(index)]);
        same != Some(kind)
    };
    let used = used.iter().map(|&index| &all[usize::from(index)]);
    let kinds = used.filter(|kind| is_new(kind)).cloned().collect();
    let grid = drawing.tiles.clone();
    let map = Map::new(grid, all.clone(), Vec::new(), Edges::Wall, Corners::default());
    let Some(map) = map else { return Ok(Imported { report, texts: None }) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = word(&path.file_stem().unwrap_or_default().to_string_lossy());
    let content = Content { file: &name, stem, drawing, legend, kinds, map };
    Ok(Imported { report, texts: Some(text::write(&content)) })
}

/// Adds the glyphs of a text that the legend lacks, as floor, and tells of each.
fn add_unknown(legend: &mut Legend, text: &str) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    for (at, found) in text.grapheme_indices(true) {
        if matches!(found, "\n" | "\r\n")
            || legend.index(found).is_some()
            || glyph::fault(found).is_some()
        {
            continue;
        }
        if told.len() == MOST_UNKNOWN || !legend.insert(TileKind::floor(found, found)) {
            break;
        }
        let message = format!("unknown glyph `{}` is imported as floor", show::text(found));
        let help = "define the glyph in the [legend] of the map";
        told.push(Diagnostic::warning(at..at + found.len(), message).help(help));
    }
    told
}

impl Content<'_> {
    /// Is there a tile where a wanderer fits?
    fn has_room(&self) -> bool {
        let radius = Body::default().radius;
        self.drawing.tiles.iter().any(|(tile, _)| self.map.fits(tile.centre(), radius))
    }

    /// A name for an agent that nothing else has.
    fn agent_name(&self, wish: &str, taken: &mut BTreeSet<String>) -> String {
        let used = |name: &str, taken: &BTreeSet<String>| {
            taken.contains(name) || self.drawing.places.iter().any(|place| place.name == name)
        };
        let mut name = wish.to_owned();
        let mut number = 1;
        while used(&name, taken) {
            number += 1;
            let ending = format!("_{number}");
            name = format!("{}{ending}", &wish[..wish.len().min(MAX_CHARS - ending.len())]);
        }
        taken.insert(name.clone());
        name
    }
}
