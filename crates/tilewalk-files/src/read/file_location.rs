//! Locates agents, tiles and patterns of a map in its files, for an editor.

use std::path::{Path, PathBuf};

use toml_edit::{Document, Item};

use crate::disk::store::Store;
use crate::formats::TilesFormat;
use crate::show;
use crate::text::source::{self, Found, Source};
use tilewalk_sim::geom::TilePos;

/// A part of a map that can be located.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapItem {
    /// The `[[agent]]` table with this index.
    Agent(usize),
    /// A tile of the map.
    Tile(TilePos),
    /// A pattern, or one of its steps or legs.
    Pattern {
        /// Name of the pattern.
        name: String,
        /// Index of a step or leg; `None` for the whole pattern.
        row: Option<usize>,
        /// Index of an `[[agent]]` table that follows the pattern. Its location is returned if the
        /// pattern has no file.
        agent: usize,
    },
    /// The start of the map file.
    Top,
    /// A location that is known already.
    At(FileLocation),
}

/// File, line and column of a part of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLocation {
    /// File that contains the part.
    pub path: PathBuf,
    /// 1-based line number.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
}

/// Returns the location of a part of a map. For a file with syntax errors, returns the start of the
/// file.
///
/// # Errors
/// Returns the reason if the file can't be read.
pub fn find(map: &Path, spot: &MapItem) -> Result<FileLocation, String> {
    if let MapItem::At(location) = spot {
        return Ok(location.clone());
    }
    if let MapItem::Pattern { name, row, agent } = spot {
        let Found::Read(source, _) = Store::around(map).pattern(name) else {
            return find(map, &MapItem::Agent(*agent));
        };
        return Ok(spotted(map, &source, |document| program_row(document, *row)));
    }
    let (source, _) = source::read(map, show::path(map)).map_err(|error| error.to_string())?;
    if let MapItem::Tile(tile) = spot
        && let Some(found) = in_tiles_file(map, &source, *tile)
    {
        return Ok(found);
    }
    Ok(spotted(map, &source, |document| place(document, source.text(), spot)))
}

/// Returns the location of a tile in the tiles file of the map; `None` if the map has no tiles
/// file.
fn in_tiles_file(map: &Path, source: &Source, tile: TilePos) -> Option<FileLocation> {
    let document = Document::parse(&**source.text()).ok()?;
    let name = document.get("tiles_file")?.as_str()?;
    let Found::Read(tiles, _) = Store::around(map).sibling(name) else { return None };
    let path = tiles.path()?.to_owned();
    let Some(above) = (TilesFormat::of(name)?.header_lines)(tiles.text()) else {
        return Some(FileLocation { path, line: 1, column: 1 });
    };
    let [column, row] = [tile.x, tile.y].map(usize::try_from);
    Some(FileLocation { path, line: above + row.ok()? + 1, column: column.ok()? + 1 })
}

/// Converts a byte offset from `place` into a location. If there is no offset, returns the start of
/// the file.
fn spotted(
    map: &Path,
    source: &Source,
    place: impl FnOnce(&Document<&str>) -> Option<usize>,
) -> FileLocation {
    let text: &str = source.text();
    let found = Document::parse(text).ok().and_then(|document| place(&document));
    let (line, column) = source.line_column(found.unwrap_or(0).min(text.len()));
    FileLocation { path: source.path().unwrap_or(map).to_owned(), line, column }
}

/// Returns the byte offset of a step or leg of a pattern. Returns `None` if `row` is `None`, or if
/// the pattern has no such step or leg.
fn program_row(document: &Document<&str>, row: Option<usize>) -> Option<usize> {
    let rows = document.get("steps").or_else(|| document.get("legs"))?;
    item(rows, row?)
}

/// Returns the byte offset of an element of a list of tables; `None` if the list has no such
/// element. The list can consist of `[[tables]]`, or of inline tables.
fn item(list: &Item, index: usize) -> Option<usize> {
    let span = if let Item::ArrayOfTables(tables) = list {
        tables.get(index)?.span()
    } else {
        list.as_array()?.get(index)?.span()
    };
    Some(span?.start)
}

/// Returns the byte offset of an agent or tile in the map file. Returns `None` for other parts, or
/// if the file does not contain the part.
fn place(document: &Document<&str>, text: &str, spot: &MapItem) -> Option<usize> {
    match *spot {
        MapItem::Top | MapItem::Pattern { .. } | MapItem::At(_) => None,
        MapItem::Agent(index) => item(document.get("agent")?, index),
        MapItem::Tile(tile) => {
            let begin = document.get("tiles")?.as_value()?.span()?.start;
            // The first row is on the line below the opening quotes.
            let inside = text.get(begin..)?;
            let mut rows = inside.match_indices('\n').map(|(at, _)| begin + at + 1);
            let row = rows.nth(usize::try_from(tile.y).ok()?)?;
            let mut glyphs = text.get(row..)?.lines().next()?.char_indices();
            let glyph = glyphs.nth(usize::try_from(tile.x).ok()?);
            Some(row + glyph.map_or(0, |(at, _)| at))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_locates_agents_and_rows_and_returns_line_one_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.toml");
        let text = "title = \"a\"\r\ntiles = '''\r\n...\r\n...\r\n'''\r\n\r\n# who\r\n[[agent]]\r\n\
                    name = \"a\"\r\n\r\n[[agent]]\r\nname = \"b\"\r\n";
        let at = |spot| find(&path, &spot).map(|found| found.line);
        assert!(at(MapItem::Top).is_err());
        std::fs::write(&path, text).unwrap();
        let tile = find(&path, &MapItem::Tile(TilePos::new(2, 1))).unwrap();
        assert_eq!((tile.line, tile.column), (4, 3));
        assert_eq!((at(MapItem::Agent(0)), at(MapItem::Agent(1))), (Ok(8), Ok(11)));
        assert_eq!((at(MapItem::Top), at(MapItem::Agent(9))), (Ok(1), Ok(1)));
        std::fs::write(&path, "[[").unwrap();
        assert_eq!(at(MapItem::Agent(0)), Ok(1));
    }

    #[test]
    fn find_locates_a_pattern_in_its_file_or_at_its_agent() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("map.toml");
        std::fs::write(&map, "\n[[agent]]\nname = \"a\"\n").unwrap();
        let at = |row| {
            let spot = MapItem::Pattern { name: "round".into(), row, agent: 0 };
            let FileLocation { path, line, .. } = find(&map, &spot).unwrap();
            (path.file_name().unwrap().to_owned(), line)
        };
        assert_eq!(at(Some(1)), ("map.toml".into(), 2));
        let text = "kind = \"steps\"\nsteps = [\n  { wait = 1 },\n  { wait = 2 },\n]\n";
        std::fs::write(folder.path().join("round.toml"), text).unwrap();
        assert_eq!((at(Some(1)), at(Some(9)).1), (("round.toml".into(), 4), 1));
        assert_eq!(at(None), ("round.toml".into(), 1));
    }

    #[test]
    fn find_locates_a_tile_in_the_map_or_tiles_file() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("map.toml");
        let at = |name: &str, text: &str| {
            std::fs::write(&map, format!("# A map.\ntiles_file = \"{name}\"\n")).unwrap();
            std::fs::write(folder.path().join(name), text).unwrap();
            let found = find(&map, &MapItem::Tile(TilePos::new(2, 1))).unwrap();
            (found.path.file_name().unwrap().to_owned(), found.line, found.column)
        };
        assert_eq!(at("rows.txt", "....\n.#..\n"), ("rows.txt".into(), 2, 3));
        let octile = "type octile\nheight 2\nwidth 4\nmap\n....\n.@..\n";
        assert_eq!(at("rows.map", octile), ("rows.map".into(), 6, 3));
        assert_eq!(at("rows.tmx", "<map/>"), ("rows.tmx".into(), 1, 1));
        std::fs::remove_file(folder.path().join("rows.tmx")).unwrap();
        let found = find(&map, &MapItem::Tile(TilePos::new(2, 1))).unwrap();
        assert_eq!((found.path, found.line), (map, 1));
    }
}
