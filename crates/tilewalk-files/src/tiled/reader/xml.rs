//! Reads the XML of a Tiled file element by element. Each problem has a location.
//!
//! The parser builds a tree. A scan of the bytes therefore first rejects files whose tree would be
//! large or slow to build. Document types are not supported, so the only entities are the
//! predefined entities of XML.

use std::num::{IntErrorKind, ParseIntError};
use std::ops::{Range, RangeInclusive};

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::diagnostic::{Diagnostic, Issues};
use crate::show;
use crate::tiles::too_large;
use tilewalk_sim::map::Map;

/// Maximum number of elements and texts in a file.
const MAX_NODES: u32 = 200_000;

/// Maximum number of attributes in a file.
const MAX_ATTRIBUTES: usize = 400_000;

/// Maximum number of attributes of an element. The parser compares all pairs of attributes.
const MAX_OF_ONE: usize = 10_000;

/// Maximum number of namespace declarations. Each declaration takes memory in all nested elements;
/// Tiled writes none.
const MAX_NAMESPACES: usize = 100;

#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    /// Collector for problems in the file.
    pub issues: &'a Issues,
    node: Node<'a, 'a>,
}

/// Parses a file and passes its root element to `read`. The name of the root element must be
/// `root`.
pub fn document<T>(
    issues: &Issues,
    root: &str,
    read: impl FnOnce(Element) -> Option<T>,
) -> Option<T> {
    let text = issues.text();
    if let Some(message) = excess(text) {
        issues.error(0..0, message);
        return None;
    }
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => {
            issues.push(diagnostic(text, &error));
            return None;
        }
    };
    let element = Element { issues, node: document.root_element() };
    if element.name() != root {
        let found = show::text(element.name());
        element.error(format!("expected `<{root}>` as the root element, found `<{found}>`"));
        return None;
    }
    read(element)
}

/// Returns the reason if a text exceeds a limit.
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

fn too_many() -> String {
    format!("the file has more than {MAX_NODES} elements or {MAX_ATTRIBUTES} attributes")
}

/// Converts an error of the parser to a diagnostic.
fn diagnostic(text: &str, error: &Error) -> Diagnostic {
    let at = match error {
        Error::DtdDetected => text.find("<!DOCTYPE").unwrap_or(0),
        _ => offset(text, error.pos().row as usize, error.pos().col as usize),
    };
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    match error {
        Error::DtdDetected => {
            let message = "DOCTYPE declarations are not supported: they can refer to other files";
            Diagnostic::error(at..at + 9, message).help("remove the `<!DOCTYPE … >` declaration")
        }
        Error::NodesLimitReached => Diagnostic::error(0..0, too_many()),
        Error::NoRootNode | Error::UnclosedRootNode => {
            let message = format!("invalid XML: {}", show::text(&error.to_string()));
            Diagnostic::error(text.len()..text.len(), message)
        }
        _ => {
            let message = error.to_string();
            // The location is already part of the diagnostic.
            let message = message.rsplit_once(" at ").map_or(message.as_str(), |(what, _)| what);
            Diagnostic::error(at..end, format!("invalid XML: {}", show::text(message)))
        }
    }
}

/// Converts a row and a column, from 1, to a byte offset.
fn offset(text: &str, row: usize, column: usize) -> usize {
    let mut begin = 0;
    for line in text.split_inclusive('\n').take(row.saturating_sub(1)) {
        begin += line.len();
    }
    let rest = &text[begin..];
    begin + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

impl<'a> Element<'a> {
    pub fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Returns the child elements.
    pub fn children(&self) -> impl Iterator<Item = Self> + use<'a> {
        let issues = self.issues;
        let elements = self.node.children().filter(Node::is_element);
        elements.map(move |node| Self { issues, node })
    }

    /// Returns the child elements with this name.
    pub fn all(&self, name: &'static str) -> impl Iterator<Item = Self> + use<'a> {
        self.children().filter(move |element| element.name() == name)
    }

    /// Returns the text content of the element.
    pub fn text(&self) -> &'a str {
        self.node.text().unwrap_or_default()
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// Returns the span of `<` and the tag name.
    pub fn span(&self) -> Range<usize> {
        let begin = self.node.range().start;
        begin..begin + 1 + self.name().len()
    }

    /// Returns the span of an attribute's value, or of the element if the attribute is missing.
    pub fn span_of(&self, name: &str) -> Range<usize> {
        self.node.attribute_node(name).map_or_else(|| self.span(), |found| found.range_value())
    }

    /// Records an error at the element.
    pub fn error(&self, message: impl Into<String>) {
        self.issues.error(self.span(), message);
    }

    /// Records an error at an attribute.
    pub fn error_at(&self, name: &str, message: impl Into<String>) {
        self.issues.error(self.span_of(name), message);
    }

    /// Records a warning at the element.
    pub fn warn(&self, message: impl Into<String>, help: &str) {
        self.issues.push(Diagnostic::warning(self.span(), message).help(help));
    }

    /// Warns that the element is ignored.
    pub fn unread(&self) {
        self.warn(format!("`<{}>` is not supported and is ignored", show::text(self.name())), "");
    }

    /// Returns the name of the element, or its id if it has no name, safe to print.
    pub fn label(&self) -> String {
        let named = self.attribute("name").filter(|name| !name.is_empty());
        show::text(named.or_else(|| self.attribute("id")).unwrap_or_default())
    }

    /// Reads an optional attribute as a number in a range, and reports invalid values.
    pub fn number(&self, name: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let text = self.attribute(name)?;
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        if number.is_none() {
            let (low, high, text) = (range.start(), range.end(), show::text(text));
            let message =
                format!("`{name}` must be a number between {low} and {high}, not `{text}`");
            self.error_at(name, message);
        }
        number
    }

    /// Returns the value of an attribute. Reports a missing attribute.
    fn require(&self, name: &str) -> Option<&'a str> {
        let value = self.attribute(name);
        if value.is_none() {
            self.error(format!("missing attribute `{name}` in `<{}>`", self.name()));
        }
        value
    }

    /// Reads a required attribute as a number in a range.
    pub fn required(&self, name: &str, range: RangeInclusive<f64>) -> Option<f64> {
        self.require(name)?;
        self.number(name, range)
    }

    /// Reads the width or height of a map, in tiles.
    pub fn side(&self, name: &'static str) -> Option<u32> {
        let text = self.require(name)?;
        let side = text.parse().map_err(|error: ParseIntError| *error.kind());
        match side {
            Ok(side) if (1..=Map::MAX_SIDE).contains(&side) => Some(side),
            Ok(1..) | Err(IntErrorKind::PosOverflow) => too_large(self.span_of(name), self.issues),
            _ => {
                let message =
                    format!("`{name}` must be a number of tiles, not `{}`", show::text(text));
                self.error_at(name, message);
                None
            }
        }
    }
}
