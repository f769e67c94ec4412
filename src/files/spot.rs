//! Where in the files of a map a thing stands, for an editor.

use std::path::{Path, PathBuf};

use toml_edit::{Document, Item};

use super::origin::{Found, Store};
use super::show;
use super::source::{self, Source};

/// A thing of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// The `[[agent]]` of a number, from 0.
    Agent(usize),
    /// A row of tiles, from 0.
    Row(i32),
    /// A pattern in a file of its own.
    Pattern {
        /// What maps call it.
        name: String,
        /// The row of its program, from 0, if it has rows.
        row: Option<usize>,
        /// The `[[agent]]` that follows it, for a pattern without a file.
        agent: usize,
    },
    /// The file itself.
    Top,
}

/// The file where a thing of a map stands, and its line, from 1; of a file that can't be understood,
/// the first one.
///
/// # Errors
/// When the file can't be read, in words.
pub fn find(map: &Path, spot: &Spot) -> Result<(PathBuf, usize), String> {
    if let Spot::Pattern { name, row, agent } = spot {
        let Found::Read(source, _) = Store::around(map).pattern(name) else {
            return find(map, &Spot::Agent(*agent));
        };
        let path = source.path().unwrap_or(map).to_owned();
        return Ok((path, line(&source, |document| program_row(document, *row))));
    }
    let (source, _) = source::read(map, show::path(map)).map_err(|error| error.to_string())?;
    Ok((map.to_owned(), line(&source, |document| place(document, source.text(), spot))))
}

/// The line of what is found in a file.
fn line(source: &Source, place: impl FnOnce(&Document<&str>) -> Option<usize>) -> usize {
    let text: &str = source.text();
    let found = Document::parse(text).ok().and_then(|document| place(&document));
    source.line_column(found.unwrap_or(0).min(text.len())).0
}

/// The byte where a row of a pattern's program begins.
fn program_row(document: &Document<&str>, row: Option<usize>) -> Option<usize> {
    let rows = document.get("steps").or_else(|| document.get("legs"))?;
    item(rows, row?)
}

/// The byte where one of several tables begins, however they are written.
fn item(list: &Item, index: usize) -> Option<usize> {
    let span = match list {
        Item::ArrayOfTables(tables) => tables.get(index)?.span(),
        list => list.as_array()?.get(index)?.span(),
    };
    Some(span?.start)
}

/// The byte of a map's file where a thing begins.
fn place(document: &Document<&str>, text: &str, spot: &Spot) -> Option<usize> {
    match *spot {
        Spot::Top | Spot::Pattern { .. } => None,
        Spot::Agent(index) => item(document.get("agent")?, index),
        Spot::Row(row) => {
            let begin = document.get("tiles")?.as_value()?.span()?.start;
            // The first row stands below the quotation marks.
            let inside = text.get(begin..)?;
            let mut rows = inside.match_indices('\n').map(|(at, _)| begin + at + 1);
            rows.nth(usize::try_from(row).ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_and_rows_are_found_and_what_is_not_there_is_the_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.toml");
        let text = "title = \"a\"\r\ntiles = '''\r\n...\r\n...\r\n'''\r\n\r\n# who\r\n[[agent]]\r\n\
                    name = \"a\"\r\n\r\n[[agent]]\r\nname = \"b\"\r\n";
        let at = |spot| find(&path, &spot).map(|(_, line)| line);
        assert!(at(Spot::Top).is_err());
        std::fs::write(&path, text).unwrap();
        assert_eq!(at(Spot::Row(1)), Ok(4));
        assert_eq!((at(Spot::Agent(0)), at(Spot::Agent(1))), (Ok(8), Ok(11)));
        assert_eq!((at(Spot::Top), at(Spot::Agent(9))), (Ok(1), Ok(1)));
        std::fs::write(&path, "[[").unwrap();
        assert_eq!(at(Spot::Agent(0)), Ok(1));
    }

    #[test]
    fn a_pattern_is_found_in_its_own_file_or_else_with_its_agent() {
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("map.toml");
        std::fs::write(&map, "\n[[agent]]\nname = \"a\"\n").unwrap();
        let at = |row| {
            let spot = Spot::Pattern { name: "round".into(), row, agent: 0 };
            let (path, line) = find(&map, &spot).unwrap();
            (path.file_name().unwrap().to_owned(), line)
        };
        assert_eq!(at(Some(1)), ("map.toml".into(), 2));
        let text = "kind = \"steps\"\nsteps = [\n  { wait = 1 },\n  { wait = 2 },\n]\n";
        std::fs::write(folder.path().join("round.toml"), text).unwrap();
        assert_eq!((at(Some(1)), at(Some(9)).1), (("round.toml".into(), 4), 1));
        assert_eq!(at(None), ("round.toml".into(), 1));
    }
}
