//! Where in a map's file a thing stands, for an editor.

use std::path::Path;

use toml_edit::{Document, Item};

use super::show;
use super::source;

/// A thing of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// The `[[agent]]` of a number, from 0.
    Agent(usize),
    /// A row of tiles, from 0.
    Row(i32),
    /// The file itself.
    Top,
}

/// The line of a map's file where a thing stands, from 1; of a file that can't be understood, the
/// first one.
///
/// # Errors
/// When the file can't be read, in words.
pub fn line(path: &Path, spot: Spot) -> Result<usize, String> {
    let (source, _) = source::read(path, show::path(path)).map_err(|error| error.to_string())?;
    let text = source.text();
    let at = place(text, spot).unwrap_or(0).min(text.len());
    Ok(text[..at].matches('\n').count() + 1)
}

/// The byte where a thing begins.
fn place(text: &str, spot: Spot) -> Option<usize> {
    let document = Document::parse(text).ok()?;
    match spot {
        Spot::Top => None,
        Spot::Agent(index) => match document.get("agent")? {
            Item::ArrayOfTables(tables) => Some(tables.get(index)?.span()?.start),
            item => Some(item.as_array()?.get(index)?.span()?.start),
        },
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
        let at = |spot| line(&path, spot);
        assert!(at(Spot::Top).is_err());
        std::fs::write(&path, text).unwrap();
        assert_eq!(at(Spot::Row(1)), Ok(4));
        assert_eq!((at(Spot::Agent(0)), at(Spot::Agent(1))), (Ok(8), Ok(11)));
        assert_eq!((at(Spot::Top), at(Spot::Agent(9))), (Ok(1), Ok(1)));
        std::fs::write(&path, "[[").unwrap();
        assert_eq!(at(Spot::Agent(0)), Ok(1));
    }
}
