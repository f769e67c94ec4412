//! Elements of a Tiled file, in XML or JSON. Problems are reported with their location in the file.
//!
//! The parser of XML builds a tree. A scan of the bytes therefore first rejects files whose
//! tree would be large or slow to build.

use std::num::{IntErrorKind, ParseIntError};
use std::ops::{Range, RangeInclusive};

use roxmltree::{Document, Error, ParsingOptions};

use crate::formats::tiled::reader::json;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::tiles::rows::too_large;
use tilewalk_sim::map::Map;

#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    /// Collector for problems in the file.
    pub issues: &'a Issues,
    node: Node<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Node<'a> {
    Xml(roxmltree::Node<'a, 'a>),
    Json(&'a json::Node<'a>),
}

/// Parses a file and passes its root element to `read`. Returns `None` if the file is invalid, or
/// if the root element is not called `root`.
pub fn document<T>(
    issues: &Issues,
    root: &str,
    read: impl FnOnce(Element) -> Option<T>,
) -> Option<T> {
    if json::is_json(issues.text()) {
        let tree = json::parse(issues)?;
        return read(checked(Element { issues, node: Node::Json(&tree) }, root)?);
    }
    let tree = parse_xml(issues)?;
    read(checked(Element { issues, node: Node::Xml(tree.root_element()) }, root)?)
}

/// Returns the element if its name is `root`. Reports any other name and returns `None`.
fn checked<'a>(element: Element<'a>, root: &str) -> Option<Element<'a>> {
    let name = element.name();
    if name != root {
        let found = show::text(name);
        element.error(format!("expected `<{root}>` as the root element, found `<{found}>`"));
    }
    (name == root).then_some(element)
}

impl<'a> Element<'a> {
    pub fn name(&self) -> &'a str {
        match self.node {
            Node::Xml(node) => node.tag_name().name(),
            Node::Json(node) => node.name,
        }
    }

    /// Returns the child elements.
    pub fn children(&self) -> impl Iterator<Item = Self> + use<'a> {
        let issues = self.issues;
        let (xml, json) = match self.node {
            Node::Xml(node) => (Some(node), None),
            Node::Json(node) => (None, Some(node)),
        };
        let xml =
            xml.into_iter().flat_map(|node| node.children()).filter(roxmltree::Node::is_element);
        let json = json.into_iter().flat_map(|node| &node.children);
        xml.map(Node::Xml).chain(json.map(Node::Json)).map(move |node| Self { issues, node })
    }

    /// Returns the child elements with this name.
    pub fn all(&self, name: &'static str) -> impl Iterator<Item = Self> + use<'a> {
        self.children().filter(move |element| element.name() == name)
    }

    /// Returns the text content of the element; empty without text.
    pub fn text(&self) -> &'a str {
        match self.node {
            Node::Xml(node) => node.text().unwrap_or_default(),
            Node::Json(node) => &node.text,
        }
    }

    /// Returns the value of an attribute; `None` if the element does not have the attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        match self.node {
            Node::Xml(node) => node.attribute(name),
            Node::Json(node) => node.attribute(name).map(|found| &*found.value),
        }
    }

    /// Returns the value of the first attribute in `names` that is not empty; `None` if all are
    /// empty or missing.
    pub fn first_of(&self, names: &[&str]) -> Option<&'a str> {
        names.iter().filter_map(|name| self.attribute(name)).find(|value| !value.is_empty())
    }

    /// Returns the byte range of `<` and the tag name. In JSON, returns the byte range of the
    /// opening bracket.
    pub fn span(&self) -> Range<usize> {
        match self.node {
            Node::Xml(node) => {
                let begin = node.range().start;
                begin..begin + 1 + self.name().len()
            }
            Node::Json(node) => node.at..node.at + 1,
        }
    }

    /// Returns the byte range of an attribute's value. If the attribute is missing, returns the
    /// span of the element.
    pub fn span_of(&self, name: &str) -> Range<usize> {
        let found = match self.node {
            Node::Xml(node) => node.attribute_node(name).map(|found| found.range_value()),
            Node::Json(node) => node.attribute(name).map(|found| found.span.clone()),
        };
        found.unwrap_or_else(|| self.span())
    }

    /// Records an error at the element. Intended for content that Tiled never writes.
    pub fn error(&self, message: impl Into<String>) {
        self.refuse(message, SAVE_AGAIN);
    }

    /// Records an error at the element, with a line of advice.
    pub fn refuse(&self, message: impl Into<String>, help: &str) {
        self.issues.push(Diagnostic::error(self.span(), message).help(help));
    }

    /// Records an error at an attribute. Intended for values that Tiled never writes.
    pub fn error_at(&self, name: &str, message: impl Into<String>) {
        self.issues.push(Diagnostic::error(self.span_of(name), message).help(SAVE_AGAIN));
    }

    /// Records a warning at the element, with a line of advice; an empty line is ignored.
    pub fn warn(&self, message: impl Into<String>, help: &str) {
        self.issues.push(Diagnostic::warning(self.span(), message).help(help));
    }

    /// Records a warning at an attribute, with a line of advice; an empty line is ignored.
    pub fn warn_at(&self, name: &str, message: impl Into<String>, help: &str) {
        self.issues.push(Diagnostic::warning(self.span_of(name), message).help(help));
    }

    /// Warns that the element is ignored.
    pub fn unread(&self) {
        self.warn(format!("`<{}>` is not supported and is ignored", show::text(self.name())), "");
    }

    /// Returns the name of the element, safe to print. For an element without a name, returns its
    /// id.
    pub fn label(&self) -> String {
        let named = self.attribute("name").filter(|name| !name.is_empty());
        show::text(named.or_else(|| self.attribute("id")).unwrap_or_default())
    }

    /// Reads an optional attribute as a number in a range. Reports an invalid value. Returns `None`
    /// for a missing or invalid attribute.
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

    /// Returns the value of an attribute. Reports a missing attribute and returns `None`.
    fn require(&self, name: &str) -> Option<&'a str> {
        let value = self.attribute(name);
        if value.is_none() {
            self.error(format!("missing attribute `{name}` in `<{}>`", self.name()));
        }
        value
    }

    /// Reads a required attribute as a number in a range. Reports a missing or invalid attribute
    /// and returns `None`.
    pub fn required(&self, name: &str, range: RangeInclusive<f64>) -> Option<f64> {
        self.require(name)?;
        self.number(name, range)
    }

    /// Reads the width or height of a map, in tiles. Reports a missing or invalid attribute and
    /// returns `None`.
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
pub fn parse_xml(issues: &Issues) -> Option<Document<'_>> {
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
            issues.push(xml_diagnostic(text, &error));
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
fn xml_diagnostic(text: &str, error: &Error) -> Diagnostic {
    let at = xml_offset(text, error.pos().row as usize, error.pos().col as usize);
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
pub fn xml_offset(text: &str, row: usize, column: usize) -> usize {
    let mut begin = 0;
    for line in text.split_inclusive('\n').take(row.saturating_sub(1)) {
        begin += line.len();
    }
    let rest = &text[begin..];
    begin + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}
