//! Elements of a Tiled file, in XML or JSON. Problems are reported with their location in the file.

use std::num::{IntErrorKind, ParseIntError};
use std::ops::{Range, RangeInclusive};

use crate::disk::store::Store;
use crate::formats::tiled::reader::syntax::{self, SAVE_AGAIN, parse_json, parse_xml};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::report::{Report, read_source};
use crate::text::source::Found;
use crate::tiles::rows::too_large;
use tilewalk_sim::map::Map;

#[derive(Debug, Clone, Copy)]
pub struct Element<'a> {
    /// Collector for problems in the file.
    pub issues: &'a Issues,
    node: ElementNode<'a>,
}

#[derive(Debug, Clone, Copy)]
enum ElementNode<'a> {
    Xml(roxmltree::Node<'a, 'a>),
    Json(&'a syntax::JsonNode<'a>),
}

/// Parses a file and passes its root element to `read`. Returns `None` if the file is invalid, or
/// if the root element is not called `root`.
pub fn document<T>(
    issues: &Issues,
    root: &str,
    read: impl FnOnce(Element) -> Option<T>,
) -> Option<T> {
    if syntax::is_json(issues.text()) {
        let tree = parse_json(issues)?;
        return read(checked(Element { issues, node: ElementNode::Json(&tree) }, root)?);
    }
    let tree = parse_xml(issues)?;
    read(checked(Element { issues, node: ElementNode::Xml(tree.root_element()) }, root)?)
}

/// Returns the element if its name is `root`. Reports any other name and returns `None`.
fn checked<'a>(element: Element<'a>, root: &str) -> Option<Element<'a>> {
    let name = element.name();
    if let (ElementNode::Json(node), true) = (element.node, name != root) {
        let what = match node.attribute("type").map(|found| &*found.value) {
            Some(found) => format!("its key `type` is `{}`", show::text(found)),
            None => "it has no key `type`, `layers` or `orientation`".to_owned(),
        };
        let help = format!("a JSON file of Tiled is an object with `\"type\": \"{root}\"`");
        element.refuse(format!("the JSON file is not a Tiled {root}: {what}"), &help);
        return None;
    }
    if name != root {
        let found = show::text(name);
        element.error(format!("expected `<{root}>` as the root element, found `<{found}>`"));
    }
    (name == root).then_some(element)
}

impl<'a> Element<'a> {
    pub fn name(&self) -> &'a str {
        match self.node {
            ElementNode::Xml(node) => node.tag_name().name(),
            ElementNode::Json(node) => node.name,
        }
    }

    /// Returns the child elements.
    pub fn children(&self) -> impl Iterator<Item = Self> + use<'a> {
        let issues = self.issues;
        let (xml, json) = match self.node {
            ElementNode::Xml(node) => (Some(node), None),
            ElementNode::Json(node) => (None, Some(node)),
        };
        let xml =
            xml.into_iter().flat_map(|node| node.children()).filter(roxmltree::Node::is_element);
        let json = json.into_iter().flat_map(|node| &node.children);
        xml.map(ElementNode::Xml)
            .chain(json.map(ElementNode::Json))
            .map(move |node| Self { issues, node })
    }

    /// Returns the child elements with this name.
    pub fn all(&self, name: &'static str) -> impl Iterator<Item = Self> + use<'a> {
        self.children().filter(move |element| element.name() == name)
    }

    /// Returns the text content of the element; empty without text.
    pub fn text(&self) -> &'a str {
        match self.node {
            ElementNode::Xml(node) => node.text().unwrap_or_default(),
            ElementNode::Json(node) => &node.text,
        }
    }

    /// Returns the value of an attribute; `None` if the element does not have the attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        match self.node {
            ElementNode::Xml(node) => node.attribute(name),
            ElementNode::Json(node) => node.attribute(name).map(|found| &*found.value),
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
            ElementNode::Xml(node) => {
                let begin = node.range().start;
                begin..begin + 1 + self.name().len()
            }
            ElementNode::Json(node) => node.at..node.at + 1,
        }
    }

    /// Returns the byte range of an attribute's value. If the attribute is missing, returns the
    /// span of the element.
    pub fn span_of(&self, name: &str) -> Range<usize> {
        let found = match self.node {
            ElementNode::Xml(node) => node.attribute_node(name).map(|found| found.range_value()),
            ElementNode::Json(node) => node.attribute(name).map(|found| found.span.clone()),
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

/// Access to the tile set and template files of a map.
#[derive(Debug)]
pub struct Files<'a> {
    pub store: &'a Store,
    /// Problems in the files read.
    pub report: Report,
}

/// Reads the file that an attribute of `element` names. `key` is the name of the attribute, and
/// `what` is the noun for messages. A missing file causes a warning with the advice `missing`. A
/// file that must not be read causes an error. Returns `None` in both cases.
pub fn read_file<T>(
    files: &mut Files,
    element: &Element,
    (key, what): (&str, &str),
    missing: &str,
    read: impl FnOnce(&Issues) -> Option<T>,
) -> Option<T> {
    let source = element.attribute(key).unwrap_or_default();
    read_path(files, element, (key, what, source), missing, read)
}

/// Reads a file like [`read_file`], but with another path than the attribute. The attribute is only
/// the place of messages.
pub fn read_path<T>(
    files: &mut Files,
    element: &Element,
    (key, what, source): (&str, &str, &str),
    missing: &str,
    read: impl FnOnce(&Issues) -> Option<T>,
) -> Option<T> {
    let shown = show::text(source);
    if source.is_empty() || source.chars().any(show::is_hidden) || source.len() > 1000 {
        let fault = if source.is_empty() { "the path is empty" } else { "the path is invalid" };
        element.error_at(key, format!("can't read the {what} `{shown}`: {fault}"));
        return None;
    }
    let has_backslash = source.contains('\\');
    let slashed = source.replace('\\', "/");
    let name = resolved(&slashed);
    let file_name = slashed.rsplit('/').next().unwrap_or_default();
    let file = files.store.project_file(name.as_deref(), file_name);
    let warn = |message: String, help: &str| {
        let warning = Diagnostic::warning(element.span_of(key), message);
        element.issues.push(warning.help(help));
    };
    match file.found {
        Found::Read(source, problems) => {
            if let Some(elsewhere) = file.elsewhere {
                let message = format!("the {what} `{shown}` is read from `{elsewhere}`");
                warn(message, "write the path as it is on the disk");
            } else if has_backslash {
                let message = format!("`\\` in the path of the {what} `{shown}` is read as `/`");
                warn(message, "");
            }
            read_source(&mut files.report, source, problems, read)
        }
        Found::Missing => {
            let why = if name.is_some() { "" } else { ": the path is not relative to the map" };
            warn(format!("no {what} `{shown}`{why}"), missing);
            None
        }
        Found::Refused(why) => {
            let message = format!("the {what} `{shown}` {why}");
            let error = Diagnostic::error(element.span_of(key), message);
            element.issues.push(
                error.help(match file.command {
                    Some(command) => format!("to read files of a wider project: `{command}`"),
                    None => "import with `--root DIR` for a wider project directory, or with \
                         `--tilesets DIR` for copies of the tile sets"
                        .to_owned(),
                }),
            );
            None
        }
    }
}

/// Returns the directory of a path, with a `/` at the end; empty for a file name.
pub fn folder_of(path: &str) -> String {
    let slashed = path.replace('\\', "/");
    let end = slashed.rfind('/').map_or(0, |end| end + 1);
    slashed[..end].to_owned()
}

/// Returns a path relative to the map, without `.` and inner `..`. Returns `None` for an absolute
/// path.
pub fn resolved(source: &str) -> Option<String> {
    if source.starts_with('/') || source.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in source.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn paths_are_relative_to_the_map() {
        let of = |source| resolved(source).unwrap_or_else(|| "none".into());
        assert_eq!((of("a.tsx"), of("./x/../../a.tsx")), ("a.tsx".into(), "../a.tsx".into()));
        for source in ["/a", "C:/a", "file:///a"] {
            assert_eq!(of(source), "none");
        }
    }
}
