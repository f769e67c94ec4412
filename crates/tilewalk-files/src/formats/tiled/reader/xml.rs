//! Parses the XML of a Tiled file.
//!
//! The parser builds a tree. A scan of the bytes therefore first rejects files whose tree would be
//! large or slow to build. Files that declare entities are refused, so the only entities are the
//! predefined entities of XML.

use roxmltree::{Document, Error, ParsingOptions};

use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};

/// Advice for a file that Tiled does not write.
pub const SAVE_AGAIN: &str = "open the file in Tiled and save it again";

/// Advice for a file that is too large.
pub const SMALLER: &str = "in Tiled, save the map with the tile layer format CSV or Base64";

/// Maximum number of elements and texts in a file.
pub const MAX_NODES: u32 = 200_000;

/// Maximum number of attributes in a file.
pub const MAX_ATTRIBUTES: usize = 400_000;

/// Maximum number of attributes of an element. The parser compares all pairs of attributes.
const MAX_OF_ONE: usize = 10_000;

/// Maximum number of namespace declarations. Each declaration takes memory in all nested elements;
/// Tiled writes none.
const MAX_NAMESPACES: usize = 100;

/// Parses a file. Reports an invalid or too large file and returns `None`.
pub fn parse(issues: &Issues) -> Option<Document<'_>> {
    let text = issues.text();
    if let Some(message) = excess(text) {
        issues.push(Diagnostic::error(0..0, message).help(SMALLER));
        return None;
    }
    if let Some(at) = text.find("<!ENTITY") {
        let message = "entity declarations are not supported: they can refer to other files";
        let help = "remove the `<!DOCTYPE … >` declaration, or save the map again in Tiled";
        issues.push(Diagnostic::error(at..at + 8, message).help(help));
        return None;
    }
    // Old files name a document type. The parser never reads it.
    let options =
        ParsingOptions { nodes_limit: MAX_NODES, allow_dtd: true, ..ParsingOptions::default() };
    match Document::parse_with_options(text, options) {
        Ok(document) => Some(document),
        Err(error) => {
            issues.push(diagnostic(text, &error));
            None
        }
    }
}

/// Returns a message if a text exceeds a limit; `None` if the text can be parsed.
fn excess(text: &str) -> Option<String> {
    let (mut tags, mut attributes, mut of_one) = (0, 0, 0);
    for byte in text.bytes() {
        match byte {
            b'<' => (tags, of_one) = (tags + 1, 0),
            b'=' => (attributes, of_one) = (attributes + 1, of_one + 1),
            _ => {}
        }
        if of_one > MAX_OF_ONE {
            return Some(format!("an element has more than {MAX_OF_ONE} attributes"));
        }
    }
    if tags > 2 * MAX_NODES as usize || attributes > MAX_ATTRIBUTES {
        return Some(too_many());
    }
    let namespaces = text.matches("xmlns").count();
    (namespaces > MAX_NAMESPACES)
        .then(|| format!("the file has more than {MAX_NAMESPACES} namespaces"))
}

pub fn too_many() -> String {
    format!("the file has more than {MAX_NODES} elements or {MAX_ATTRIBUTES} attributes")
}

/// Converts an error of the parser to a diagnostic.
#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: others have a position")]
fn diagnostic(text: &str, error: &Error) -> Diagnostic {
    let at = offset(text, error.pos().row as usize, error.pos().col as usize);
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    match error {
        Error::NodesLimitReached => Diagnostic::error(0..0, too_many()).help(SMALLER),
        Error::NoRootNode | Error::UnclosedRootNode => {
            let message = format!("invalid XML: {}", show::text(&error.to_string()));
            Diagnostic::error(text.len()..text.len(), message).help(SAVE_AGAIN)
        }
        _ => {
            let message = error.to_string();
            // The location is already part of the diagnostic.
            let message = message.rsplit_once(" at ").map_or(message.as_str(), |(what, _)| what);
            let message = format!("invalid XML: {}", show::text(message));
            Diagnostic::error(at..end, message).help(SAVE_AGAIN)
        }
    }
}

/// Converts a 1-based row and column to a byte offset.
pub fn offset(text: &str, row: usize, column: usize) -> usize {
    let mut begin = 0;
    for line in text.split_inclusive('\n').take(row.saturating_sub(1)) {
        begin += line.len();
    }
    let rest = &text[begin..];
    begin + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}
