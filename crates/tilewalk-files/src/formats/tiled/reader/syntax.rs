//! Parses the XML and the JSON of Tiled files. The elements of both forms are the same.
//!
//! The parser of XML builds a tree. A scan of the bytes therefore first rejects files whose tree
//! would be large or slow to build.
//!
//! Values in JSON are references to the text of the file. The numbers of a tile layer stay one
//! text, which is valid as CSV data.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use roxmltree::{Document, Error, ParsingOptions};
use serde_json::value::RawValue;

use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};

/// Advice for a file that Tiled does not write.
pub const SAVE_AGAIN: &str = "open the file in Tiled and save it again";

/// Advice for a file that is too large.
const SMALLER: &str = "in Tiled, save the map with the tile layer format CSV or Base64";

/// Maximum number of elements and texts in a file.
const MAX_NODES: u32 = 200_000;

/// Maximum number of attributes in a file.
const MAX_ATTRIBUTES: usize = 400_000;

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
fn xml_offset(text: &str, row: usize, column: usize) -> usize {
    let mut begin = 0;
    for line in text.split_inclusive('\n').take(row.saturating_sub(1)) {
        begin += line.len();
    }
    let rest = &text[begin..];
    begin + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

/// Maximum depth of nested objects.
const MAX_DEPTH: usize = 120;

/// An element of a JSON file: an object, or a list in an object.
#[derive(Debug, Default)]
pub struct JsonNode<'a> {
    pub name: &'static str,
    /// Byte offset of the value in the file.
    pub at: usize,
    attributes: Vec<Attribute<'a>>,
    pub text: Cow<'a, str>,
    pub children: Vec<JsonNode<'a>>,
}

#[derive(Debug)]
pub struct Attribute<'a> {
    name: Cow<'a, str>,
    pub value: Cow<'a, str>,
    pub span: Range<usize>,
}

impl<'a> JsonNode<'a> {
    pub fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|each| each.name == name)
    }

    fn set(&mut self, name: &'static str, value: impl Into<Cow<'a, str>>, span: Range<usize>) {
        self.attributes.push(Attribute { name: name.into(), value: value.into(), span });
    }
}

/// Builder of the elements of a file. Counts elements and attributes against their limits.
struct Builder<'a> {
    text: &'a str,
    nodes: usize,
    attributes: usize,
}

/// Reason why a JSON file is rejected.
enum Refused {
    Json(serde_json::Error, usize),
    TooMany,
    TooDeep(usize),
}

type JsonObject<'a> = BTreeMap<String, &'a RawValue>;

/// Returns true if a text is JSON rather than XML.
pub fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Parses a JSON file. Reports an invalid or too large file and returns `None`.
pub fn parse_json(issues: &Issues) -> Option<JsonNode<'_>> {
    let text = issues.text();
    let mut builder = Builder { text, nodes: 0, attributes: 0 };
    let root = serde_json::from_str::<&RawValue>(text).map_err(|error| Refused::Json(error, 0));
    let built = root.and_then(|root| builder.element("", root, 0));
    match built {
        Ok(mut node) => {
            node.name = root_name(&node);
            Some(node)
        }
        Err(refused) => {
            issues.push(builder.diagnostic(&refused));
            None
        }
    }
}

/// Returns the name of the root element. Old files do not state their type, so the name is derived
/// from their content.
fn root_name(node: &JsonNode) -> &'static str {
    let has = |name| node.children.iter().any(|child| child.name == name);
    match node.attribute("type").map(|found| &*found.value) {
        Some("map") => "map",
        Some("tileset") => "tileset",
        Some("template") => "template",
        _ if node.attribute("orientation").is_some() || has("layer") => "map",
        _ if node.attribute("tilewidth").is_some() => "tileset",
        _ if has("object") => "template",
        _ => "unknown",
    }
}

impl<'a> Builder<'a> {
    fn diagnostic(&self, refused: &Refused) -> Diagnostic {
        match refused {
            Refused::Json(error, base) => {
                let at = base + xml_offset(&self.text[*base..], error.line(), error.column());
                let message = error.to_string();
                // The location is already part of the diagnostic.
                let message = message.rsplit_once(" at line").map_or(&*message, |(what, _)| what);
                let message = format!("invalid JSON: {}", show::text(message));
                Diagnostic::error(at..at, message).help(SAVE_AGAIN)
            }
            Refused::TooMany => Diagnostic::error(0..0, too_many()).help(SMALLER),
            Refused::TooDeep(at) => {
                let message = format!("more than {MAX_DEPTH} nested objects");
                Diagnostic::error(*at..at + 1, message).help("use fewer nested group layers")
            }
        }
    }

    /// Returns the byte offset of a value in the file.
    fn offset(&self, raw: &RawValue) -> usize {
        raw.get().as_ptr() as usize - self.text.as_ptr() as usize
    }

    fn parsed<T: serde::Deserialize<'a>>(&self, raw: &'a RawValue) -> Result<T, Refused> {
        serde_json::from_str(raw.get()).map_err(|error| Refused::Json(error, self.offset(raw)))
    }

    fn list(&self, raw: &'a RawValue) -> Result<Vec<&'a RawValue>, Refused> {
        let list: Vec<&RawValue> = self.parsed(raw)?;
        if self.nodes + list.len() > MAX_NODES as usize { Err(Refused::TooMany) } else { Ok(list) }
    }

    fn node(&mut self, name: &'static str, raw: &RawValue) -> Result<JsonNode<'a>, Refused> {
        self.nodes += 1;
        if self.nodes > MAX_NODES as usize {
            return Err(Refused::TooMany);
        }
        Ok(JsonNode { name, at: self.offset(raw), ..JsonNode::default() })
    }

    /// Builds an element from an object.
    fn element(
        &mut self,
        name: &'static str,
        raw: &'a RawValue,
        depth: usize,
    ) -> Result<JsonNode<'a>, Refused> {
        let mut node = self.node(name, raw)?;
        if depth > MAX_DEPTH {
            return Err(Refused::TooDeep(node.at));
        }
        let object: JsonObject = self.parsed(raw)?;
        self.attributes += object.len();
        if self.attributes > MAX_ATTRIBUTES {
            return Err(Refused::TooMany);
        }
        for (key, value) in object {
            if let Some(scalar) = self.scalar(value)? {
                let at = self.offset(value);
                let span = at..at + value.get().len();
                node.attributes.push(Attribute { name: key.into(), value: scalar, span });
            } else {
                self.structure(&mut node, &key, value, depth + 1)?;
            }
        }
        shape(&mut node);
        data(&mut node);
        Ok(node)
    }

    /// Returns the text of a string, number or boolean; `None` for other values.
    fn scalar(&self, raw: &'a RawValue) -> Result<Option<Cow<'a, str>>, Refused> {
        let text = raw.get();
        Ok(match text.as_bytes().first() {
            Some(b'{' | b'[' | b'n') | None => None,
            Some(b'"') if !text.contains('\\') => Some(text[1..text.len() - 1].into()),
            Some(b'"') => Some(self.parsed::<String>(raw)?.into()),
            Some(_) => Some(text.into()),
        })
    }

    /// Adds the elements for a value that is a list or an object. `key` is the key of the value in
    /// `node`.
    fn structure(
        &mut self,
        node: &mut JsonNode<'a>,
        key: &str,
        raw: &'a RawValue,
        depth: usize,
    ) -> Result<(), Refused> {
        let is_list = raw.get().starts_with('[');
        match key {
            "layers" if is_list => {
                for layer in self.list(raw)? {
                    let mut layer = self.element("layer", layer, depth)?;
                    layer.name = layer_name(&layer);
                    node.children.push(layer);
                }
            }
            "tilesets" if is_list => self.each(node, "tileset", raw, depth)?,
            "objects" if is_list => self.each(node, "object", raw, depth)?,
            "tiles" if is_list => self.each(node, "tile", raw, depth)?,
            "tiles" | "tileproperties" => self.numbered(node, key, raw, depth)?,
            "wangsets" if is_list => self.within(node, "wangsets", "wangset", raw, depth)?,
            "wangtiles" if is_list => self.each(node, "wangtile", raw, depth)?,
            "colors" if is_list => self.each(node, "wangcolor", raw, depth)?,
            "terrains" if is_list => self.within(node, "terraintypes", "terrain", raw, depth)?,
            "objectgroup" | "object" | "tileset" | "text" if !is_list => {
                let name = match key {
                    "objectgroup" => "objectgroup",
                    "object" => "object",
                    "tileset" => "tileset",
                    _ => "text",
                };
                let child = self.element(name, raw, depth)?;
                node.children.push(child);
            }
            "properties" => self.properties(node, raw, depth)?,
            // The value of a property of a class.
            "value" if node.name == "property" && raw.get().starts_with('{') => {
                self.properties(node, raw, depth)?;
            }
            "animation" if is_list => {
                let child = self.node("animation", raw)?;
                node.children.push(child);
            }
            "polyline" | "polygon" if is_list => {
                let name = if key == "polyline" { "polyline" } else { "polygon" };
                let child = self.points(name, raw)?;
                node.children.push(child);
            }
            "wangid" | "terrain" if is_list => {
                let name = if key == "wangid" { "wangid" } else { "terrain" };
                node.set(name, inner(raw), 0..0);
            }
            "data" if is_list => {
                let mut data = self.node("data", raw)?;
                data.text = inner(raw).into();
                node.children.push(data);
            }
            "chunks" if is_list => {
                let mut data = self.node("data", raw)?;
                self.each(&mut data, "chunk", raw, depth)?;
                node.children.push(data);
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds an element called `name` for each object of a list. Ignores other values in the list.
    fn each(
        &mut self,
        node: &mut JsonNode<'a>,
        name: &'static str,
        raw: &'a RawValue,
        depth: usize,
    ) -> Result<(), Refused> {
        for value in self.list(raw)? {
            if value.get().starts_with('{') {
                let child = self.element(name, value, depth)?;
                node.children.push(child);
            }
        }
        Ok(())
    }

    /// Adds an element called `outer` for a list. It contains an element called `inner` for each
    /// object of the list.
    fn within(
        &mut self,
        node: &mut JsonNode<'a>,
        outer: &'static str,
        inner: &'static str,
        raw: &'a RawValue,
        depth: usize,
    ) -> Result<(), Refused> {
        let mut list = self.node(outer, raw)?;
        self.each(&mut list, inner, raw, depth)?;
        node.children.push(list);
        Ok(())
    }

    /// Adds the tiles of an old file, in which the tile numbers are the keys of an object.
    fn numbered(
        &mut self,
        node: &mut JsonNode<'a>,
        key: &str,
        raw: &'a RawValue,
        depth: usize,
    ) -> Result<(), Refused> {
        let tiles: JsonObject = self.parsed(raw)?;
        for (id, value) in tiles {
            let mut tile = if key == "tiles" {
                self.element("tile", value, depth)?
            } else {
                let mut tile = self.node("tile", value)?;
                self.properties(&mut tile, value, depth)?;
                tile
            };
            tile.set("id", id, 0..0);
            node.children.push(tile);
        }
        Ok(())
    }

    /// Adds properties from a list of objects. In old files, the properties are the keys of one
    /// object.
    fn properties(
        &mut self,
        node: &mut JsonNode<'a>,
        raw: &'a RawValue,
        depth: usize,
    ) -> Result<(), Refused> {
        let mut list = self.node("properties", raw)?;
        if raw.get().starts_with('[') {
            self.each(&mut list, "property", raw, depth)?;
        } else {
            let values: JsonObject = self.parsed(raw)?;
            for (name, value) in values {
                let mut property = self.node("property", value)?;
                if value.get().starts_with('{') && depth < MAX_DEPTH {
                    self.properties(&mut property, value, depth + 1)?;
                    list.children.push(property);
                    continue;
                }
                let Some(scalar) = self.scalar(value)? else { continue };
                property.set("name", name, 0..0);
                property.set("value", scalar, property.at..property.at + value.get().len());
                list.children.push(property);
            }
        }
        node.children.push(list);
        Ok(())
    }

    /// Builds an element called `name` for a polyline or polygon from a list of points.
    fn points(&mut self, name: &'static str, raw: &'a RawValue) -> Result<JsonNode<'a>, Refused> {
        #[derive(serde::Deserialize)]
        struct Point {
            x: f64,
            y: f64,
        }
        let mut node = self.node(name, raw)?;
        let points: Vec<Point> = self.parsed(raw)?;
        let pairs: Vec<_> = points.iter().map(|it| format!("{},{}", it.x, it.y)).collect();
        node.set("points", pairs.join(" "), node.at..node.at + raw.get().len());
        Ok(node)
    }
}

/// Adds an element for each of the keys `point`, `ellipse` and `capsule` that is true in an object.
fn shape(node: &mut JsonNode) {
    for name in ["point", "ellipse", "capsule"] {
        let is_set = node.attribute(name).is_some_and(|found| found.value == "true");
        if node.name == "object" && is_set {
            node.children.push(JsonNode { name, at: node.at, ..JsonNode::default() });
        }
    }
}

/// Converts the data of a layer or chunk to the form of XML. For a layer, the data becomes an
/// element with the encoding of the layer. For a chunk, the data becomes the text of the chunk.
fn data<'a>(node: &mut JsonNode<'a>) {
    let string = node.attributes.iter().position(|it| it.name == "data");
    let string = string.map(|at| node.attributes.swap_remove(at));
    if node.name == "chunk" {
        let numbers = node.children.pop().map(|data| data.text);
        node.text = string.map(|it| it.value).or(numbers).unwrap_or_default();
        return;
    }
    let data = |it: Attribute<'a>| JsonNode {
        name: "data",
        at: it.span.start,
        text: it.value,
        ..JsonNode::default()
    };
    node.children.extend(string.map(data));
    let text = |name: &str| node.attribute(name).map(|found| found.value.clone());
    let is_base64 = text("encoding").is_some_and(|encoding| encoding == "base64");
    let compression = text("compression").filter(|_| is_base64).unwrap_or_default();
    for data in node.children.iter_mut().filter(|child| child.name == "data") {
        let span = data.at..data.at + 1;
        data.set("encoding", if is_base64 { "base64" } else { "csv" }, span.clone());
        data.set("compression", compression.clone(), span);
    }
}

/// Returns the text between the brackets of a list.
fn inner(raw: &RawValue) -> &str {
    raw.get().trim_start_matches('[').trim_end_matches(']')
}

/// Returns the name of the XML element that corresponds to a layer.
fn layer_name(layer: &JsonNode) -> &'static str {
    match layer.attribute("type").map(|found| &*found.value) {
        Some("objectgroup") => "objectgroup",
        Some("imagelayer") => "imagelayer",
        Some("group") => "group",
        _ => "layer",
    }
}
