//! The values of a TOML text with their byte ranges.
//!
//! A text is parsed once. Each new value shifts the byte ranges of later values. Any number of
//! values can therefore be written one after another. All other bytes of the text stay the same.

mod addition;

use std::ops::Range;

use toml_edit::{Document, Item, Value};

use crate::show;
#[cfg(test)]
use crate::text::memory_limit::PARSED;

/// A TOML text and the locations of its values.
#[derive(Debug, Clone)]
pub struct SpanTree {
    text: String,
    /// All values; the top-level table is the first.
    nodes: Vec<Node>,
}

/// A replacement of bytes in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// Bytes to replace; empty for an insertion.
    pub span: Range<usize>,
    /// Text to write in place of these bytes.
    pub text: String,
}

/// A step on the path to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// A key of a table.
    Key(&'a str),
    /// 1-based number of a list entry.
    Row(usize),
    /// Name of a behaviour: the value of the key `do` in an entry of a steering list.
    Behaviour(&'a str),
    /// Key of a list of tables, and the `name` of one of these tables.
    Named(&'a str, &'a str),
}

/// Reason why a value can't be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPlace {
    /// The list under this key has too few entries. Contains the key and the number of entries.
    Row(String, usize),
    /// The list under this key has no table with the name. Contains the key and a similar name.
    Name(String, Option<String>),
    /// The list has no behaviour with the word. Contains the words of all behaviours.
    Behaviour(Vec<String>),
    /// The list has several behaviours with the word. Contains their 1-based numbers.
    Ambiguous(Vec<usize>),
    /// The item at the path is not writable.
    Other,
}

/// A value of the text: a single value, a list or a table.
#[derive(Debug, Clone)]
struct Node {
    /// Key of the value; empty for the entries of lists.
    key: String,
    /// Byte offset of the key; `None` for a value without a key.
    key_start: Option<usize>,
    kind: NodeKind,
    /// Span of the value. For a table with a header, the span of the header. For an implicit table,
    /// the span of its key in the first header that contains the key.
    span: Option<Range<usize>>,
    /// Indices in `nodes` of the entries of a table or list.
    children: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
enum NodeKind {
    /// A value without parts; contains the text of a string.
    Single(Option<String>),
    List,
    /// An inline table: `{ … }`.
    Inline,
    /// A table with a header.
    Header,
    /// A table without a header of its own, such as `body` if only `[agent.body.view]` exists.
    Implicit,
    /// A table of dotted keys, one per line. Contains the prefix of these keys, such as `body.`.
    Dotted(String),
}

/// Result of the search for a value.
enum Found<'p> {
    At(usize),
    /// Index of the last existing table on the path, the missing key in this table, and the rest of
    /// the path.
    Missing(usize, &'p str, &'p [Part<'p>]),
}

impl SpanTree {
    /// Parses a text; returns `None` for invalid TOML.
    pub fn parse(text: &str) -> Option<Self> {
        #[cfg(test)]
        PARSED.set(PARSED.get() + 1);
        Some(Self::of(&Document::parse(text).ok()?))
    }

    /// Creates the tree of a parsed document.
    pub fn of(document: &Document<&str>) -> Self {
        let mut tree = Self { text: document.raw().to_owned(), nodes: Vec::new() };
        tree.push("", "", None, document.as_item());
        tree
    }

    /// Returns the text with all new values.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the value at a path as written. Returns `None` if the path does not lead to a single
    /// value.
    pub fn get(&self, path: &[Part]) -> Option<&str> {
        let Ok(Found::At(id)) = self.find(path) else { return None };
        self.text.get(self.value_span(id)?)
    }

    /// Writes a value at a path, and returns the replaced bytes. Adds a missing key and the missing
    /// tables on its path.
    ///
    /// # Errors
    /// Returns an error and changes nothing if the value can't be written at this path.
    pub fn put(&mut self, path: &[Part], value: &str) -> Result<Splice, NoPlace> {
        let found = self.find(path)?;
        let splice = match found {
            Found::At(id) => {
                Splice { span: self.value_span(id).ok_or(NoPlace::Other)?, text: value.to_owned() }
            }
            Found::Missing(table, key, rest) => {
                self.addition(table, key, &nested(rest, value)).ok_or(NoPlace::Other)?
            }
        };
        let Splice { span, text } = &splice;
        self.text.replace_range(span.clone(), text);
        self.nodes.iter_mut().for_each(|node| node.make_room(&splice));
        match found {
            Found::At(id) => {
                // `value` begins 2 bytes after the start of the line.
                if let Some(new) = self.read(&format!("_={value}"), span.start - 2, "") {
                    let Node { key, key_start, .. } = self.nodes[id].clone();
                    self.nodes[id] = Node { key, key_start, ..self.nodes[new].clone() };
                }
            }
            Found::Missing(table, ..) => {
                let mut line = text.trim_start_matches([',', ' ', '\r', '\n']);
                let node = &mut self.nodes[table];
                if node.kind == NodeKind::Implicit
                    && let Some((header, rest)) = line.split_once('\n')
                {
                    node.kind = NodeKind::Header;
                    node.span = Some(span.start..span.start + header.trim_end().len());
                    line = rest;
                }
                let prefix = self.nodes[table].prefix();
                let line = line.strip_prefix(&prefix).unwrap_or(line);
                let added = self.read(line, span.start + text.len() - line.len(), &prefix);
                self.nodes[table].children.extend(added);
            }
        }
        Ok(splice)
    }

    /// Adds the value of a line `key = value` to the nodes, and returns its index. The line starts
    /// at the byte offset `start`. Returns `None` for an invalid line.
    fn read(&mut self, line: &str, start: usize, prefix: &str) -> Option<usize> {
        let document = Document::parse(line).ok()?;
        let (key, item) = document.iter().next()?;
        let key_start = document.as_table().key(key)?.span()?.start;
        let first = self.nodes.len();
        let new = self.push(prefix, key, Some(key_start), item);
        for node in &mut self.nodes[first..] {
            node.key_start = node.key_start.map(|at| at + start);
            node.span = node.span.take().map(|span| span.start + start..span.end + start);
        }
        Some(new)
    }

    /// Adds an item and all values in it to the nodes. Returns the index of the item. `prefix` is
    /// the text before the key in a dotted key, such as `body.`.
    fn push(&mut self, prefix: &str, key: &str, key_start: Option<usize>, item: &Item) -> usize {
        let single = |value: &Value| NodeKind::Single(value.as_str().map(ToOwned::to_owned));
        let (kind, span) = match item {
            Item::None => (NodeKind::Single(None), None),
            Item::Value(Value::InlineTable(table)) => {
                // Dotted keys in an inline table are no value that can be replaced or extended.
                (NodeKind::Inline, table.span().filter(|_| !table.is_dotted()))
            }
            Item::Value(Value::Array(values)) => (NodeKind::List, values.span()),
            Item::Value(value) => (single(value), value.span()),
            Item::Table(table) if table.is_dotted() => {
                (NodeKind::Dotted(format!("{prefix}{key}.")), None)
            }
            Item::Table(table) if table.is_implicit() => (NodeKind::Implicit, table.span()),
            Item::Table(table) => (NodeKind::Header, table.span()),
            Item::ArrayOfTables(_) => (NodeKind::List, None),
        };
        let node = Node { key: key.to_owned(), key_start, kind, span, children: Vec::new() };
        let (id, prefix) = (self.nodes.len(), node.prefix());
        self.nodes.push(node);
        let mut children = Vec::new();
        if let Some(table) = item.as_table_like() {
            for (key, item) in table.iter() {
                let span = table.key(key).and_then(toml_edit::Key::span);
                children.push(self.push(&prefix, key, span.map(|span| span.start), item));
            }
        }
        let tables = item.as_array_of_tables().into_iter().flatten().cloned().map(Item::Table);
        let values = item.as_array().into_iter().flatten().cloned().map(Item::Value);
        children.extend(tables.chain(values).map(|row| self.push("", "", None, &row)));
        self.nodes[id].children = children;
        id
    }

    fn child(&self, table: usize, key: &str) -> Option<usize> {
        let is_table = !matches!(self.nodes[table].kind, NodeKind::List);
        let mut children = self.nodes[table].children.iter().copied();
        children.find(|&child| is_table && self.nodes[child].key == key)
    }

    /// Finds the value at a path. For a missing value, finds the last existing table on the path.
    fn find<'p>(&self, path: &'p [Part<'p>]) -> Result<Found<'p>, NoPlace> {
        let mut at = 0;
        for (index, part) in path.iter().enumerate() {
            let rest = &path[index + 1..];
            at = match *part {
                Part::Key(key) => match (self.child(at, key), rest) {
                    (Some(child), _) => child,
                    (None, [Part::Row(_) | Part::Behaviour(_), ..]) => {
                        return Err(NoPlace::Row(key.to_owned(), 0));
                    }
                    (None, _) if self.nodes[at].is_table() => {
                        return Ok(Found::Missing(at, key, rest));
                    }
                    (None, _) => return Err(NoPlace::Other),
                },
                Part::Row(number) => {
                    let rows = self.rows(at);
                    let missing = || NoPlace::Row(self.nodes[at].key.clone(), rows.len());
                    let row = number.checked_sub(1).and_then(|index| rows.get(index));
                    *row.ok_or_else(missing)?
                }
                Part::Behaviour(word) => self.rows(at)[self.behaviour(at, word)? - 1],
                Part::Named(list, name) => self.named(at, list, name)?,
            };
        }
        Ok(Found::At(at))
    }

    /// Returns the 1-based number of the list entry at a path.
    ///
    /// # Errors
    /// Returns an error if there is no such entry.
    pub fn number(&self, path: &[Part]) -> Result<usize, NoPlace> {
        let list = path.split_last().map_or(path, |(_, list)| list);
        let (Found::At(entry), Found::At(list)) = (self.find(path)?, self.find(list)?) else {
            return Err(NoPlace::Other);
        };
        let index = self.rows(list).iter().position(|&row| row == entry);
        index.map(|index| index + 1).ok_or(NoPlace::Other)
    }

    /// Returns the names of the tables in the list at a path. Returns an empty list if the path
    /// does not lead to a list.
    pub fn names(&self, path: &[Part]) -> Vec<&str> {
        let Ok(Found::At(list)) = self.find(path) else { return Vec::new() };
        self.rows(list).iter().filter_map(|&row| self.string(row, "name")).collect()
    }

    /// Returns the 1-based number of the behaviour `word` in a list. Returns an error unless the
    /// list has exactly one such behaviour.
    fn behaviour(&self, list: usize, word: &str) -> Result<usize, NoPlace> {
        let words: Vec<_> = self.rows(list).iter().map(|&row| self.string(row, "do")).collect();
        let numbered = words.iter().zip(1..);
        let numbers: Vec<usize> =
            numbered.filter(|(own, _)| **own == Some(word)).map(|(_, number)| number).collect();
        match numbers[..] {
            [number] => Ok(number),
            [] => Err(NoPlace::Behaviour(words.into_iter().flatten().map(str::to_owned).collect())),
            _ => Err(NoPlace::Ambiguous(numbers)),
        }
    }

    /// Returns the string value of a key in a table. Returns `None` if the key is missing or not a
    /// string.
    fn string(&self, table: usize, key: &str) -> Option<&str> {
        let NodeKind::Single(text) = &self.nodes[self.child(table, key)?].kind else { return None };
        text.as_deref()
    }

    fn rows(&self, list: usize) -> &[usize] {
        let node = &self.nodes[list];
        if node.kind == NodeKind::List { &node.children } else { &[] }
    }

    /// Returns the node index of the table called `name` in the list at the key `list`.
    fn named(&self, table: usize, list: &str, name: &str) -> Result<usize, NoPlace> {
        let rows = self.child(table, list).map_or(&[][..], |list| self.rows(list));
        let name_of = |&row: &usize| self.string(row, "name");
        let found = rows.iter().find(|row| name_of(row) == Some(name)).copied();
        found.ok_or_else(|| {
            let near = show::nearest(name, rows.iter().filter_map(name_of));
            NoPlace::Name(list.to_owned(), near.map(ToOwned::to_owned))
        })
    }

    /// Returns the byte range of a value that can be replaced. Returns `None` for a table with
    /// headers or dotted keys.
    fn value_span(&self, id: usize) -> Option<Range<usize>> {
        let Node { kind, span, .. } = &self.nodes[id];
        let has_span = matches!(kind, NodeKind::Single(_) | NodeKind::List | NodeKind::Inline);
        span.clone().filter(|_| has_span)
    }
}

impl Node {
    fn is_table(&self) -> bool {
        !matches!(self.kind, NodeKind::Single(_) | NodeKind::List)
    }

    /// Returns the prefix of the keys in a table of dotted keys, such as `body.`. Returns an empty
    /// string for other values.
    fn prefix(&self) -> String {
        if let NodeKind::Dotted(prefix) = &self.kind { prefix.clone() } else { String::new() }
    }

    /// Updates the byte ranges of the node after bytes of the text were replaced.
    fn make_room(&mut self, Splice { span: gone, text }: &Splice) {
        let moved = |at: usize| at - gone.len() + text.len();
        self.key_start = self.key_start.map(|at| if at >= gone.end { moved(at) } else { at });
        if let Some(Range { start, end }) = &mut self.span {
            // A value that ends where text is inserted stays as it is.
            if *end > gone.start && *end >= gone.end {
                *end = moved(*end);
            }
            if *start >= gone.end {
                *start = moved(*start);
            }
        }
    }
}

/// Wraps a value in new inline tables, one for each key of a path.
fn nested(path: &[Part], value: &str) -> String {
    path.iter().rev().fold(value.to_owned(), |value, part| match part {
        Part::Key(key) => format!("{{ {key} = {value} }}"),
        Part::Row(_) | Part::Behaviour(_) | Part::Named(..) => value,
    })
}
