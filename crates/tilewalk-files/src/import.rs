//! Converts maps of other programs to TOML. The result is a map file, and a pattern file for each
//! path in the map.
//!
//! The converted map loads without warnings. It contains moving agents: a wanderer, and a walker on
//! each walkable path.
//!
//! In text maps, box-drawing characters, blocks (`█▓▒░`) and bars (`|` and `-`) without a
//! legend entry can be walls. Their neighbours decide it.

mod looks;
mod merge;
pub mod moved;
mod open;
pub mod record;
pub(crate) mod text;
pub mod update;

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use unicode_segmentation::UnicodeSegmentation;

use crate::disk::project::Project;
use crate::disk::store::Store;
use crate::formats::tiled::{Drawing, Rules};
use crate::formats::{self, FORMATS, LevelOptions, TilesFormat, listed};
use crate::read::obstacle::WallList;
use crate::read::route_queries::{self, Queries, Query};
use crate::show;
use crate::text::diagnostic::{Diagnostic, FileId, Issues};
use crate::text::name::{numbered, word};
use crate::text::report::Report;
use crate::text::source::{self, ReadError};
use crate::tiles::legend::{self, Legend};
use tilewalk_sim::body::Body;
use tilewalk_sim::color::Color;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::grid::Grid;
use tilewalk_sim::map::{Corners, Edges, Map};
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::tile::TileKind;

pub use open::{open, open_any};

pub use crate::formats::GlyphChoices;
pub use crate::formats::pictures::Looks;
pub use crate::formats::tiled::rules::RuleChoices;
pub use crate::formats::tiled::selector::{Combine, Ignored, Selector};
pub use crate::formats::tiled::solidity::{AppliedRule, Solidity};
pub use crate::tiles::known::KnownKinds;

/// Maximum number of unknown glyphs that are imported as floor.
const MOST_UNKNOWN: usize = 200;

/// Maximum number of queries that an import converts to agents.
const MOST_QUERIES: usize = 10_000;

/// Default glyph for filling short rows.
const PAD: &str = ".";

/// Result of an import.
#[derive(Debug)]
pub struct Imported {
    /// Problems in the file, and warnings about content that is not imported.
    pub report: Report,
    /// Converted files; `None` if there are errors.
    pub texts: Option<Texts>,
    /// Rules that decided which tiles are solid; `None` except for Tiled maps and LDtk levels.
    pub solidity: Option<Solidity>,
    /// Upper left tile of the map in the coordinates of its file; (0, 0) except for infinite maps.
    pub origin: (i64, i64),
}

/// TOML texts of a converted map and its patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    /// Text of a map whose agents follow the patterns.
    pub map: String,
    /// Text of a map that needs no patterns. Agents that follow a pattern are commented out.
    pub map_alone: String,
    /// Names and texts of the patterns.
    pub patterns: Vec<(String, String)>,
}

/// The data from which the converted files are generated.
struct ImportContent<'a> {
    /// File name of the original map.
    file: &'a str,
    /// File name without extension, converted to a valid name.
    stem: String,
    drawing: Drawing,
    legend: Legend,
    /// Tile kinds of the map that differ from the standard legend.
    kinds: Vec<TileKind>,
    map: Map,
    /// Queries that become travelling agents.
    queries: Vec<Query>,
}

/// Returns true if the file name has the extension of an importable format.
pub fn can_import(path: &Path) -> bool {
    TilesFormat::of_path(path).is_some()
}

/// Returns true if the looks of tiles in a file with this name can be imported.
pub fn has_looks(path: &Path) -> bool {
    TilesFormat::of_path(path).is_some_and(|format| format.uses_rules)
}

/// Returns the extensions of all importable formats, as in ".tmx, .map or .txt".
pub fn extensions() -> String {
    listed(FORMATS.iter(), |format| format!(".{}", format.extension))
}

/// Returns the extensions of all importable formats. Each extension is followed by the format's
/// program, if known.
pub fn extensions_and_programs() -> String {
    let described = |format: &TilesFormat| match format.program {
        "" => format!(".{}", format.extension),
        program => format!(".{} ({program})", format.extension),
    };
    listed(FORMATS.iter(), described)
}

/// Returns the width of a tile in the units of a map of Tiled or LDtk, which are pixels. Returns
/// `None` for other formats.
pub fn tile_size(path: &Path) -> Option<f64> {
    let key = match path.extension()?.to_str()? {
        "tmx" => "tilewidth=\"",
        "ldtk" => "\"defaultGridSize\":",
        _ => return None,
    };
    let (source, _) = source::read(path, show::path(path)).ok()?;
    let (_, rest) = source.text().split_once(key)?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok().filter(|&size: &f64| size > 0.0)
}

/// Options of [`import`] that the user can choose.
#[derive(Debug, Default)]
pub struct Choices {
    /// 1-based number or title of the level to import. Used for files with several levels.
    pub level: Option<String>,
    /// Glyph that fills short rows and blank lines of a text map. The default is `.`.
    pub pad: Option<String>,
    /// Path of the scenario whose queries become agents, and the range of query numbers to convert.
    /// Numbers start at 1.
    pub queries: Option<(PathBuf, RangeInclusive<usize>)>,
    /// Selectors of tiles and layers of a Tiled map or LDtk level.
    pub rules: RuleChoices,
    /// Glyphs of a text map, a MovingAI map or a Sokoban level.
    pub glyphs: GlyphChoices,
    /// Directories with the files of a Tiled project.
    pub project: Project,
    /// How the tiles of a Tiled map or LDtk level are told apart by their looks.
    pub looks: Looks,
    /// Tile kinds of the last import, whose glyphs an update keeps.
    pub known: KnownKinds,
}

impl GlyphChoices {
    /// Adds the tile kinds of the glyphs to a legend. Skips glyphs that can't be in a legend.
    fn add_to(&self, legend: &mut Legend) {
        let wall = TileKind { walk: false, opaque: true, ..TileKind::floor("", "wall") };
        let wall = TileKind { color: Color::parse("gray"), ..wall };
        let boxed = TileKind { walk: false, ..TileKind::floor("", "box") };
        let boxed = TileKind { color: Color::parse("light_red"), ..boxed };
        let floor = TileKind::floor("", "floor");
        for (glyphs, kind) in [(&self.walls, wall), (&self.floor, floor), (&self.boxes, boxed)] {
            for glyph in glyphs.graphemes(true) {
                if legend::glyph_fault(glyph).is_some() {
                    continue;
                }
                let (own, drawn) = (glyph.to_owned(), glyph.to_owned());
                legend.insert(TileKind { glyph: own, drawn, ..kind.clone() });
            }
        }
    }
}

/// Checks a glyph that fills short rows, and returns a copy of the glyph.
///
/// # Errors
/// Returns an error unless the text is a single character with a width of one terminal column.
pub fn pad(text: &str) -> Result<String, String> {
    match legend::glyph_fault(text) {
        None => Ok(text.to_owned()),
        Some(fault) => Err(format!("use one character, one column wide: the text {fault}")),
    }
}

/// Checks a list of glyphs, and returns a copy of the list.
///
/// # Errors
/// Returns an error if the list is empty, or if a glyph can't be in a legend.
pub fn glyphs(text: &str) -> Result<String, String> {
    let fault =
        |glyph: &str| Some(format!("`{}` {}", show::text(glyph), legend::glyph_fault(glyph)?));
    match text.graphemes(true).find_map(fault) {
        None if text.is_empty() => Err("write at least one glyph".to_owned()),
        None => Ok(text.to_owned()),
        Some(fault) => Err(fault),
    }
}

/// Returns the titles of the levels in a file. Returns an empty list for formats with one map per
/// file. `glyphs` are the glyphs that the user gives a meaning.
///
/// # Errors
/// Returns an error if the file can't be read.
pub fn levels(path: &Path, glyphs: &GlyphChoices) -> Result<Vec<String>, ReadError> {
    let (source, _) = source::read(path, show::path(path))?;
    let format = TilesFormat::of_path(path);
    Ok(format.map_or_else(Vec::new, |format| (format.levels)(source.text(), glyphs)))
}

/// Reads the tiles of a file as a map, with the standard legend of the file format. The map is
/// `None` if the file has errors.
///
/// # Errors
/// Returns an error if the file can't be read. Problems in the file are in the report.
pub fn map(path: &Path) -> Result<(Option<Map>, Report), ReadError> {
    let [.., rows] = &FORMATS;
    let format = TilesFormat::of_path(path).unwrap_or(rows);
    let read = source::read(path, show::path(path))?;
    let (mut legend, mut report) = ((format.legend)(), Report::default());
    let (store, wanted) = (Store::around(path), LevelOptions::default());
    let around = (&store, &wanted);
    let drawing = format.read(read, &Rules::default(), &mut legend, around, &mut report);
    let map = drawing.and_then(|drawing| {
        let (kinds, corners) = (legend.into_kinds(), Corners::default());
        Map::new(drawing.tiles, kinds, Vec::new(), Edges::Wall, corners)
    });
    Ok((map, report))
}

/// Imports a file. A file with an unknown extension is read as rows of glyphs.
///
/// # Errors
/// Returns an error if the file can't be read. Problems in the file are in the report.
pub fn import(path: &Path, choices: &Choices) -> Result<Imported, ReadError> {
    let [.., rows] = &FORMATS;
    let format = TilesFormat::of_path(path).unwrap_or(rows);
    let (source, problems) = source::read(path, show::path(path))?;
    let mut legend = (format.legend)();
    let mut report = Report::default();
    let text = source.text().clone();
    let project = Project { file: Some(path.to_owned()), ..choices.project.clone() };
    let store = Store::around(path).within_project(project);
    let rules = Rules::choosing(&choices.rules);
    choices.glyphs.add_to(&mut legend);
    let mut unknown = Vec::new();
    if format.imports_unknown_glyphs {
        unknown = add_unknown(&mut legend, &text, body(format, &text));
    }
    let pad = choices.pad.as_deref().unwrap_or(PAD);
    if legend.index(pad).is_none() && legend::glyph_fault(pad).is_none() {
        legend.insert(TileKind::floor(pad, pad));
    }
    let file = path.to_string_lossy();
    let wanted = LevelOptions {
        level: choices.level.as_deref(),
        pad: legend.index(pad),
        glyphs: choices.glyphs.clone(),
        looks: Some(choices.looks),
        known: choices.known.clone(),
        file: &file,
    };
    let around = (&store, &wanted);
    let drawing = format.read((source, problems), &rules, &mut legend, around, &mut report);
    let Some(mut drawing) = drawing else { return Ok(refused(report, None)) };
    report_unused(&rules, &mut report);
    if report.errors() > 0 {
        return Ok(refused(report, drawing.solidity));
    }
    report.extend(explain_unknown(&unknown, &drawing.tiles, &mut legend));
    if format.imports_unknown_glyphs {
        report.extend(warn_open(&unknown, &drawing.tiles, &legend, &file));
    }
    if choices.level.is_none() {
        let titles = (format.levels)(&text, &choices.glyphs);
        report.extend(formats::first_level_warning(&titles));
    }
    if let Some(picture) = drawing.picture.take() {
        looks::apply(&mut drawing.tiles, &mut legend, &picture, &choices.known);
    }
    let kinds = written_kinds(&legend, &drawing.tiles, &choices.known);
    let grid = drawing.tiles.clone();
    let map = Map::new(grid, legend.kinds().to_vec(), Vec::new(), Edges::Wall, Corners::default());
    let Some(map) = map else { return Ok(refused(report, None)) };
    let mut walls = WallList::default();
    walls.push_drawn(&drawing.walls);
    let map = map.with_walls(walls.walls, walls.names);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = word(&path.file_stem().unwrap_or_default().to_string_lossy());
    let queries = match &choices.queries {
        None => Vec::new(),
        Some((path, numbers)) => {
            let (queries, others) = route_queries::read(path)?;
            report.merge(others);
            let fits = queries.map(|queries| fitting(queries, numbers, &map));
            match fits {
                Some(Ok(queries)) => queries,
                Some(Err(message)) => {
                    report.extend([Diagnostic::error(0..0, message)]);
                    return Ok(refused(report, None));
                }
                None => return Ok(refused(report, None)),
            }
        }
    };
    let content = ImportContent { file: &name, stem, drawing, legend, kinds, map, queries };
    let (mut texts, agents) = text::write(&content);
    text::check_agents(&mut texts, &agents, &mut report);
    let Drawing { solidity, origin, .. } = content.drawing;
    Ok(Imported { report, texts: Some(texts), solidity, origin })
}

/// Returns the tile kinds that a map needs in its legend, in the order of the last import.
fn written_kinds(legend: &Legend, tiles: &Grid<u8>, known: &KnownKinds) -> Vec<TileKind> {
    let mut is_used = [false; 256];
    for &index in tiles.cells() {
        is_used[usize::from(index)] = true;
    }
    let standard = Legend::standard();
    let is_new = |kind: &&TileKind| {
        let same = standard.index(&kind.glyph).map(|index| &standard.kinds()[usize::from(index)]);
        same != Some(kind)
    };
    let used =
        legend.kinds().iter().zip(is_used).filter_map(|(kind, is_used)| is_used.then_some(kind));
    // Painted tiles stay what they are, even if the source has no such tiles any more.
    let is_left = |kind: &&TileKind| {
        legend.index(&kind.glyph).is_none_or(|index| !is_used[usize::from(index)])
    };
    let painted = known.painted().filter(is_left);
    let mut kinds: Vec<_> = used.filter(is_new).chain(painted).cloned().collect();
    kinds.small_sort_by_key(|kind| known.place(&kind.glyph));
    kinds
}

fn refused(report: Report, solidity: Option<Solidity>) -> Imported {
    Imported { report, texts: None, solidity, origin: (0, 0) }
}

/// Reports selectors that select nothing.
fn report_unused(rules: &Rules, report: &mut Report) {
    let issues = Issues::new(FileId::default(), "".into());
    rules.report_unused(&issues);
    report.extend(issues.into_list());
}

/// Returns the queries whose numbers are in the range `numbers`.
///
/// # Errors
/// Returns an error in these cases:
///
/// - a query doesn't fit the map
/// - no query has a number in the range
/// - the range has more than [`MOST_QUERIES`] queries
fn fitting(
    mut queries: Queries,
    numbers: &RangeInclusive<usize>,
    map: &Map,
) -> Result<Vec<Query>, String> {
    if let Some(misfit) = queries.misfit(map) {
        return Err(misfit);
    }
    let count = queries.list.len();
    queries.select(numbers);
    match queries.list.len() {
        0 => Err(format!("no query has such a number: the scenario has queries 1 to {count}")),
        1..=MOST_QUERIES => Ok(queries.list),
        found => Err(format!("{found} queries are too many: import at most {MOST_QUERIES}")),
    }
}

/// Returns the byte range of the rows of tiles in a text, without the header lines.
fn body(format: &TilesFormat, text: &str) -> Range<usize> {
    let above = (format.header_lines)(text).unwrap_or_default();
    let begin = text.split_inclusive('\n').take(above).map(str::len).sum();
    begin..text.len()
}

/// Adds each unknown glyph of a text to the legend, as floor. Returns these glyphs, each with the
/// byte range of its first occurrence.
fn add_unknown<'a>(
    legend: &mut Legend,
    text: &'a str,
    body: Range<usize>,
) -> Vec<(&'a str, Range<usize>)> {
    let mut unknown = Vec::new();
    for (at, found) in text[body.clone()].grapheme_indices(true) {
        if matches!(found, "\n" | "\r\n")
            || legend.index(found).is_some()
            || legend::glyph_fault(found).is_some()
        {
            continue;
        }
        if unknown.len() == MOST_UNKNOWN || !legend.insert(TileKind::floor(found, found)) {
            break;
        }
        let begin = body.start + at;
        unknown.push((found, begin..begin + found.len()));
    }
    unknown
}

/// Returns a warning for each unknown glyph that becomes floor, and one warning for all unknown
/// glyphs that become walls. Adds these walls to the legend.
fn explain_unknown(
    unknown: &[(&str, Range<usize>)],
    tiles: &Grid<u8>,
    legend: &mut Legend,
) -> Vec<Diagnostic> {
    let glyphs: Vec<_> = unknown.iter().map(|(glyph, _)| *glyph).collect();
    let walls = find_walls(tiles, legend, &glyphs);
    for glyph in &walls {
        legend.insert(TileKind { walk: false, opaque: true, ..TileKind::floor(glyph, "wall") });
    }
    let help = "to make it a wall, import with `--walls`, or define it in the [legend] of the map";
    let floor = unknown.iter().filter(|(glyph, _)| !walls.contains(glyph)).map(|(found, span)| {
        let message = format!("unknown glyph `{}` is imported as floor", show::text(found));
        Diagnostic::warning(span.clone(), message).help(help)
    });
    let mut warnings: Vec<_> = floor.collect();
    if let Some((_, span)) = unknown.iter().find(|(glyph, _)| walls.contains(glyph)) {
        let list = walls.iter().map(|glyph| format!("`{}`", show::text(glyph)));
        let list = list.collect::<Vec<_>>().join(", ");
        let message = format!("imported as walls, because most of them are joined: {list}");
        let help = "to make a glyph walkable, remove `walk = false` in the [legend] of the map";
        warnings.push(Diagnostic::warning(span.clone(), message).help(help));
    }
    warnings
}

/// Maximum number of glyphs that a command for walls lists.
const MOST_WALLS: usize = 12;

/// Returns a warning if a map with unknown glyphs has no solid tile, with a command that makes glyphs
/// walls. The most frequent unknown glyph is hardly a wall.
fn warn_open(
    unknown: &[(&str, Range<usize>)],
    tiles: &Grid<u8>,
    legend: &Legend,
    file: &str,
) -> Option<Diagnostic> {
    let mut counts = [0_usize; 256];
    for &tile in tiles.cells() {
        counts[usize::from(tile)] += 1;
    }
    let is_solid = |(kind, &count): (&TileKind, &usize)| count > 0 && !kind.walk;
    if legend.kinds().iter().zip(&counts).any(is_solid) {
        return None;
    }
    let count = |glyph: &str| legend.index(glyph).map_or(0, |index| counts[usize::from(index)]);
    let mut glyphs: Vec<&str> = unknown.iter().map(|(glyph, _)| *glyph).collect();
    glyphs.small_sort_by_key(|glyph| std::cmp::Reverse(count(glyph)));
    let skipped = usize::from(glyphs.len() > 1);
    let walls: String = glyphs.into_iter().skip(skipped).take(MOST_WALLS).collect();
    let (_, span) = unknown.first()?;
    let message = "no tile is solid, so the whole map is walkable";
    let (file, walls) = (show::shell_word(file), show::shell_word(&walls));
    let help = format!("to make glyphs walls: tilewalk import {file} --walls {walls}");
    Some(Diagnostic::warning(span.clone(), message).help(help))
}

impl ImportContent<'_> {
    /// Returns true if an agent with the default radius fits on any tile.
    fn has_room(&self) -> bool {
        let radius = Body::default().radius;
        self.drawing.tiles.iter().any(|(tile, _)| self.map.fits(tile.centre(), radius))
    }

    /// Returns the agent name `wanted`, or this name with a number if another agent or place has
    /// the name. Adds the result to `taken`.
    fn agent_name(&self, wanted: &str, taken: &mut BTreeSet<String>) -> String {
        let used = |name: &str, taken: &BTreeSet<String>| {
            taken.contains(name)
                || self.drawing.places.iter().any(|place| place.name == name)
                || self.drawing.agents.iter().any(|agent| agent.name == name)
        };
        let mut name = wanted.to_owned();
        let mut number = 1;
        while used(&name, taken) {
            number += 1;
            name = numbered(wanted, number);
        }
        taken.insert(name.clone());
        name
    }
}

/// The four sides of a tile. Each entry holds the bit of a side, and the column and row offsets of
/// the neighbour on that side.
const SIDES: [(u8, i32, i32); 4] = [(1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0)];

/// Blocks from light to dark.
const BLOCKS: [&str; 4] = ["░", "▒", "▓", "█"];

/// Strokes of the box-drawing characters, starting at U+2500. Each hexadecimal digit is the sum of
/// the bits of the sides in [`SIDES`].
const STROKES: &[u8; 128] = b"aa55aa55aa556666cccc3333999977777777ddddddddeeeeeeeebbbbbbbbffffffff\
    ffffffffaa55a5666ccc333999777dddeeebbbfff6c93fff81248124a5a5";

/// Number of tiles of a kind, and how many of these tiles are joined.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    tiles: usize,
    joined: usize,
}

/// Returns the glyphs among `candidates` that are walls.
fn find_walls<'a>(tiles: &Grid<u8>, legend: &Legend, candidates: &[&'a str]) -> Vec<&'a str> {
    let mut strokes = [0; 256];
    for glyph in candidates {
        if let Some(index) = legend.index(glyph) {
            strokes[usize::from(index)] = strokes_of(glyph);
        }
    }
    if let Some(ground) = ground_of(tiles, legend, &strokes, candidates) {
        strokes[usize::from(ground)] = 0;
    }
    let counts = count_neighbours(tiles, legend, &strokes);
    let is_joined = |glyph: &str| {
        let count = legend.index(glyph).map(|index| counts[usize::from(index)]).unwrap_or_default();
        count.joined > 0 && count.joined * 2 >= count.tiles
    };
    let has_bars = candidates.contains(&"|") && is_joined("|");
    let is_wall = |glyph: &&&str| is_joined(glyph) && (**glyph != "-" || has_bars);
    candidates.iter().filter(is_wall).copied().collect()
}

/// Returns the sides to which a glyph has strokes, as bits of [`SIDES`]. Returns 0 for a glyph that
/// is never a wall.
fn strokes_of(glyph: &str) -> u8 {
    let mut chars = glyph.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return 0 };
    match c {
        '|' => 0b0101,
        '-' => 0b1010,
        '\u{2500}'..='\u{257f}' => {
            let digit = char::from(STROKES[c as usize - 0x2500]);
            digit.to_digit(16).unwrap_or_default() as u8
        }
        _ if BLOCKS.contains(&glyph) => 0b1111,
        _ => 0,
    }
}

/// Returns the tile kind of the lightest block character on a map that consists of blocks and
/// strokes only. Returns `None` if the map has any other walkable tile.
fn ground_of(
    tiles: &Grid<u8>,
    legend: &Legend,
    strokes: &[u8; 256],
    candidates: &[&str],
) -> Option<u8> {
    let is_ground =
        |&kind: &u8| strokes[usize::from(kind)] == 0 && legend.kinds()[usize::from(kind)].walk;
    if tiles.cells().iter().any(is_ground) {
        return None;
    }
    let lightest = BLOCKS.iter().find(|block| candidates.contains(block))?;
    legend.index(lightest)
}

/// Counts all tiles and the joined tiles of each tile kind with strokes. The result is indexed by
/// tile kind.
fn count_neighbours(tiles: &Grid<u8>, legend: &Legend, strokes: &[u8; 256]) -> [Count; 256] {
    let mut counts = [Count::default(); 256];
    let mut ends = strokes.map(|strokes| strokes != 0);
    for (end, kind) in ends.iter_mut().zip(legend.kinds()) {
        *end |= !kind.walk || kind.opaque;
    }
    for (tile, &kind) in tiles.iter() {
        let sides = strokes[usize::from(kind)];
        if sides == 0 {
            continue;
        }
        let is_joined = SIDES.iter().any(|&(side, x, y)| {
            let beside = tiles.get(TilePos::new(tile.x + x, tile.y + y));
            sides & side != 0 && beside.is_some_and(|&beside| ends[usize::from(beside)])
        });
        let count = &mut counts[usize::from(kind)];
        count.tiles += 1;
        count.joined += usize::from(is_joined);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewalk_sim::tile::TileKind;

    /// Returns the walls among the glyphs of a map that are not in the standard legend.
    fn walls(rows: &[&str]) -> String {
        let mut legend = Legend::standard();
        let mut candidates = Vec::new();
        let glyphs: Vec<String> = rows.concat().chars().map(String::from).collect();
        for glyph in &glyphs {
            if legend.index(glyph).is_none() {
                legend.insert(TileKind::floor(glyph, glyph));
                candidates.push(glyph.as_str());
            }
        }
        let cells = glyphs.iter().map(|glyph| legend.index(glyph).unwrap()).collect();
        let tiles = Grid::from_cells(rows[0].chars().count() as u32, cells).unwrap();
        find_walls(&tiles, &legend, &candidates).concat()
    }

    #[test]
    fn joined_box_drawing_characters_are_walls() {
        assert_eq!(walls(&["┌──┐", "│..│", "└──┘"]), "┌─┐│└┘");
        assert_eq!(walls(&["╔══╗", "║.%║", "╚+═╝"]), "╔═╗║╚╝");
        assert_eq!(walls(&["|--|", "|..|", "|--|"]), "|-");
        assert_eq!(walls(&["█▓▓█", "▓..▓", "█▓▓█"]), "█▓");
    }

    #[test]
    fn single_box_drawing_characters_are_floor() {
        assert_eq!(walls(&["....", ".|.│", "....", ".─.."]), "");
        assert_eq!(
            walls(&["....", "│││.", "...."]),
            "",
            "beside each other, strokes are not joined"
        );
        assert_eq!(walls(&["#####", "#---#", "#####"]), "", "without bars, `-` is floor");
        assert_eq!(walls(&["░.░.", ".░.░"]), "", "rubble");
    }

    #[test]
    fn the_lightest_of_several_block_glyphs_is_ground() {
        assert_eq!(walls(&["▓▓▓", "▓░▓", "▓▓▓"]), "▓");
        assert_eq!(walls(&["███", "█▓█", "███"]), "█");
        assert_eq!(walls(&["███", "█.█", "░░░"]), "█░");
    }

    #[test]
    fn strokes_of_box_drawing_characters_match_their_shapes() {
        let drawn = [('─', 10), ('│', 5), ('┌', 6), ('┐', 12), ('└', 3), ('┘', 9), ('├', 7)];
        let others = [('┼', 15), ('╔', 6), ('╬', 15), ('╣', 13), ('╩', 11), ('╵', 1), ('╶', 2)];
        for (glyph, strokes) in drawn.into_iter().chain(others) {
            assert_eq!(strokes_of(&glyph.to_string()), strokes, "{glyph}");
        }
    }
}
