//! The values of a TOML text with their byte ranges.
//!
//! A text is parsed once. Each new value shifts the byte ranges of later values. Any number of
//! values can therefore be written one after another. All other bytes of the text stay the same.
//!
//! The module also adds missing keys to tables, and converts offsets in the value of a string
//! to offsets in the file.

use std::ops::Range;

use toml_edit::{Document, Item, Value};

use crate::show;

/// A TOML text and the locations of its values.
#[derive(Debug, Clone)]
pub struct SpanTree {
    text: String,
    /// All values; the top-level table is the first.
    nodes: Vec<ValueNode>,
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
pub enum PathStep<'a> {
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
struct ValueNode {
    /// Key of the value; empty for the entries of lists.
    key: String,
    /// Byte offset of the key; `None` for a value without a key.
    key_start: Option<usize>,
    kind: NodeContent,
    /// Span of the value. For a table with a header, the span of the header. For an implicit table,
    /// the span of its key in the first header that contains the key.
    span: Option<Range<usize>>,
    /// Indices in `nodes` of the entries of a table or list.
    children: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
enum NodeContent {
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
enum ValueLocation<'p> {
    At(usize),
    /// Index of the last existing table on the path, the missing key in this table, and the rest of
    /// the path.
    Missing(usize, &'p str, &'p [PathStep<'p>]),
}

impl SpanTree {
    /// Parses a text; returns `None` for invalid TOML.
    pub fn parse(text: &str) -> Option<Self> {
        #[cfg(test)]
        super::memory_limit::count_parsed();
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
    pub fn get(&self, path: &[PathStep]) -> Option<&str> {
        let Ok(ValueLocation::At(id)) = self.find(path) else { return None };
        self.text.get(self.value_span(id)?)
    }

    /// Writes a value at a path, and returns the replaced bytes. Adds a missing key and the missing
    /// tables on its path.
    ///
    /// # Errors
    /// Returns an error and changes nothing if the value can't be written at this path.
    pub fn put(&mut self, path: &[PathStep], value: &str) -> Result<Splice, NoPlace> {
        let found = self.find(path)?;
        let splice = match found {
            ValueLocation::At(id) => {
                Splice { span: self.value_span(id).ok_or(NoPlace::Other)?, text: value.to_owned() }
            }
            ValueLocation::Missing(table, key, rest) => {
                self.addition(table, key, &nested(rest, value)).ok_or(NoPlace::Other)?
            }
        };
        let Splice { span, text } = &splice;
        self.text.replace_range(span.clone(), text);
        self.nodes.iter_mut().for_each(|node| node.make_room(&splice));
        match found {
            ValueLocation::At(id) => {
                // `value` begins 2 bytes after the start of the line.
                if let Some(new) = self.read(&format!("_={value}"), span.start - 2, "") {
                    let ValueNode { key, key_start, .. } = self.nodes[id].clone();
                    self.nodes[id] = ValueNode { key, key_start, ..self.nodes[new].clone() };
                }
            }
            ValueLocation::Missing(table, ..) => {
                let mut line = text.trim_start_matches([',', ' ', '\r', '\n']);
                let node = &mut self.nodes[table];
                if node.kind == NodeContent::Implicit
                    && let Some((header, rest)) = line.split_once('\n')
                {
                    node.kind = NodeContent::Header;
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
        let single = |value: &Value| NodeContent::Single(value.as_str().map(ToOwned::to_owned));
        let (kind, span) = match item {
            Item::None => (NodeContent::Single(None), None),
            Item::Value(Value::InlineTable(table)) => {
                // Dotted keys in an inline table are no value that can be replaced or extended.
                (NodeContent::Inline, table.span().filter(|_| !table.is_dotted()))
            }
            Item::Value(Value::Array(values)) => (NodeContent::List, values.span()),
            Item::Value(value) => (single(value), value.span()),
            Item::Table(table) if table.is_dotted() => {
                (NodeContent::Dotted(format!("{prefix}{key}.")), None)
            }
            Item::Table(table) if table.is_implicit() => (NodeContent::Implicit, table.span()),
            Item::Table(table) => (NodeContent::Header, table.span()),
            Item::ArrayOfTables(_) => (NodeContent::List, None),
        };
        let node = ValueNode { key: key.to_owned(), key_start, kind, span, children: Vec::new() };
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
        let is_table = !matches!(self.nodes[table].kind, NodeContent::List);
        let mut children = self.nodes[table].children.iter().copied();
        children.find(|&child| is_table && self.nodes[child].key == key)
    }

    /// Finds the value at a path. For a missing value, finds the last existing table on the path.
    fn find<'p>(&self, path: &'p [PathStep<'p>]) -> Result<ValueLocation<'p>, NoPlace> {
        let mut at = 0;
        for (index, part) in path.iter().enumerate() {
            let rest = &path[index + 1..];
            at = match *part {
                PathStep::Key(key) => match (self.child(at, key), rest) {
                    (Some(child), _) => child,
                    (None, [PathStep::Row(_) | PathStep::Behaviour(_), ..]) => {
                        return Err(NoPlace::Row(key.to_owned(), 0));
                    }
                    (None, _) if self.nodes[at].is_table() => {
                        return Ok(ValueLocation::Missing(at, key, rest));
                    }
                    (None, _) => return Err(NoPlace::Other),
                },
                PathStep::Row(number) => {
                    let rows = self.rows(at);
                    let missing = || NoPlace::Row(self.nodes[at].key.clone(), rows.len());
                    let row = number.checked_sub(1).and_then(|index| rows.get(index));
                    *row.ok_or_else(missing)?
                }
                PathStep::Behaviour(word) => self.rows(at)[self.behaviour(at, word)? - 1],
                PathStep::Named(list, name) => self.named(at, list, name)?,
            };
        }
        Ok(ValueLocation::At(at))
    }

    /// Returns the 1-based number of the list entry at a path.
    ///
    /// # Errors
    /// Returns an error if there is no such entry.
    pub fn number(&self, path: &[PathStep]) -> Result<usize, NoPlace> {
        let list = path.split_last().map_or(path, |(_, list)| list);
        let (ValueLocation::At(entry), ValueLocation::At(list)) =
            (self.find(path)?, self.find(list)?)
        else {
            return Err(NoPlace::Other);
        };
        let index = self.rows(list).iter().position(|&row| row == entry);
        index.map(|index| index + 1).ok_or(NoPlace::Other)
    }

    /// Returns the names of the tables in the list at a path. Returns an empty list if the path
    /// does not lead to a list.
    pub fn names(&self, path: &[PathStep]) -> Vec<&str> {
        let Ok(ValueLocation::At(list)) = self.find(path) else { return Vec::new() };
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
        let NodeContent::Single(text) = &self.nodes[self.child(table, key)?].kind else {
            return None;
        };
        text.as_deref()
    }

    fn rows(&self, list: usize) -> &[usize] {
        let node = &self.nodes[list];
        if node.kind == NodeContent::List { &node.children } else { &[] }
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
        let ValueNode { kind, span, .. } = &self.nodes[id];
        let has_span =
            matches!(kind, NodeContent::Single(_) | NodeContent::List | NodeContent::Inline);
        span.clone().filter(|_| has_span)
    }
}

impl ValueNode {
    fn is_table(&self) -> bool {
        !matches!(self.kind, NodeContent::Single(_) | NodeContent::List)
    }

    /// Returns the prefix of the keys in a table of dotted keys, such as `body.`. Returns an empty
    /// string for other values.
    fn prefix(&self) -> String {
        if let NodeContent::Dotted(prefix) = &self.kind { prefix.clone() } else { String::new() }
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
fn nested(path: &[PathStep], value: &str) -> String {
    path.iter().rev().fold(value.to_owned(), |value, part| match part {
        PathStep::Key(key) => format!("{{ {key} = {value} }}"),
        PathStep::Row(_) | PathStep::Behaviour(_) | PathStep::Named(..) => value,
    })
}

impl SpanTree {
    /// Returns the insertion that adds a key to a table; `None` if the table can't be extended.
    pub(crate) fn addition(&self, table: usize, key: &str, value: &str) -> Option<Splice> {
        match &self.nodes[table].kind {
            NodeContent::Inline => self.after_last_value(table, key, value),
            NodeContent::Implicit => self.with_header(table, key, value),
            NodeContent::Header | NodeContent::Dotted(_) => self.line_after(table, key, value),
            NodeContent::Single(_) | NodeContent::List => None,
        }
    }

    /// Returns the insertion that adds a key after the last value of an inline table. Comments and
    /// a trailing comma follow the new key. Returns `None` for a table of dotted keys.
    fn after_last_value(&self, table: usize, key: &str, value: &str) -> Option<Splice> {
        let span = self.nodes[table].span.clone()?;
        if let Some(at) = self.end_of_values(table) {
            return Some(Splice { span: at..at, text: format!(", {key} = {value}") });
        }
        let inside = span.start + 1..span.end - 1;
        let is_blank = self.text.get(inside.clone())?.trim().is_empty();
        let end = if is_blank { inside.end } else { inside.start };
        Some(Splice { span: inside.start..end, text: format!(" {key} = {value} ") })
    }

    /// Returns the insertion that adds a line after the last line of a table. Returns `None` if the
    /// table has no lines in the text.
    fn line_after(&self, table: usize, key: &str, value: &str) -> Option<Splice> {
        let node = &self.nodes[table];
        let last = node.children.iter().filter_map(|&child| Some((self.end_of(child)?, child)));
        let (end, neighbour) = match last.max_by_key(|(end, _)| *end) {
            Some((end, child)) => (end, self.nodes[child].key_start),
            None => (node.span.as_ref()?.start, None),
        };
        let text = &self.text;
        let (at, ends) = match text.get(end..)?.find('\n') {
            Some(length) => (end + length + 1, true),
            None => (text.len(), false),
        };
        let newline = self.newline();
        // The equals sign is aligned with the last line if there is room.
        let gap = neighbour.and_then(|start| Some(text.get(start..)?.find('=')? - 1));
        let width = gap.unwrap_or(0);
        let line = format!("{:<width$} = {value}", format!("{}{key}", node.prefix()));
        let text = if ends { format!("{line}{newline}") } else { format!("{newline}{line}") };
        Some(Splice { span: at..at, text })
    }

    /// Returns the insertion that adds an implicit table's header and a key. The header is inserted
    /// before the first header that contains the table's name, and before the comments that belong
    /// to that header.
    fn with_header(&self, table: usize, key: &str, value: &str) -> Option<Splice> {
        let above = self.text.get(..self.nodes[table].span.as_ref()?.end)?;
        let line = above.rfind('\n').map_or(0, |end| end + 1);
        let path = above[line..].trim_start_matches(['[', ' ', '\t']);
        let at = self.start_of_comments(line)?;
        let newline = self.newline();
        let before = &self.text[..at];
        let is_apart = before.ends_with("\n\n") || before.ends_with("\n\r\n");
        let gap = if is_apart { newline } else { "" };
        let text = format!("[{path}]{newline}{key} = {value}{newline}{gap}");
        Some(Splice { span: at..at, text })
    }

    /// Returns the byte offset of the comment lines directly above the header that starts at the
    /// byte offset `line`. Returns `line` if there are none.
    fn start_of_comments(&self, line: usize) -> Option<usize> {
        let ends = (0..self.nodes.len()).filter_map(|id| Some(self.value_span(id)?.end));
        // The lines of a string can look like comments.
        let values = ends.filter(|end| *end <= line).max();
        let rest = match values {
            Some(end) => self.text.get(end..line)?.split_once('\n')?.1,
            None => self.text.get(..line)?,
        };
        let comments = rest.split_inclusive('\n').rev();
        let comments = comments.take_while(|comment| comment.trim_start().starts_with('#'));
        Some(line - comments.map(str::len).sum::<usize>())
    }

    /// Returns the line ending of the text.
    fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Returns the byte offset of the end of a value. Returns `None` for a table with its own
    /// header.
    fn end_of(&self, id: usize) -> Option<usize> {
        if let Some(span) = self.value_span(id) {
            return Some(span.end);
        }
        let is_dotted = matches!(self.nodes[id].kind, NodeContent::Inline | NodeContent::Dotted(_));
        self.end_of_values(id).filter(|_| is_dotted)
    }

    /// Returns the largest end of the values in a table; `None` if it has no values.
    fn end_of_values(&self, table: usize) -> Option<usize> {
        self.nodes[table].children.iter().filter_map(|&child| self.end_of(child)).max()
    }
}

/// Converts a byte offset in the value of a string to a byte offset in the file. `raw` is the
/// string as written, with its quotes. `begin` is the file offset of `raw`.
///
/// For offsets after the value, returns the offset of the closing quotes.
pub fn locate_in_string(raw: &str, begin: usize, offset: usize) -> usize {
    if !raw.starts_with(['\'', '"']) {
        // In a file with syntax errors, the parser can take other text for a string.
        return begin;
    }
    let quotes = if raw.starts_with("'''") || raw.starts_with("\"\"\"") { 3 } else { 1 };
    let mut at = quotes.min(raw.len());
    let end = raw.len().saturating_sub(quotes).max(at);
    if quotes == 3 {
        // A line ending right after the opening quotes is not part of the value.
        let rest = raw.get(at..).unwrap_or_default();
        at += if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    }
    if raw.starts_with('\'') || !raw.get(at..end).is_some_and(|inner| inner.contains('\\')) {
        return begin + (at + offset).min(end.max(at));
    }
    let mut value = 0;
    while at < end && value <= offset {
        let (written, meant) = unit(raw.get(at..end).unwrap_or_default());
        if value + meant > offset {
            break;
        }
        at += written;
        value += meant;
    }
    begin + at.min(end)
}

/// Converts a byte range of a string's value to a byte range of the file. `raw` and `begin` are the
/// same as in [`locate_in_string`].
pub fn stretch(raw: &str, begin: usize, value: Range<usize>) -> Range<usize> {
    let start = locate_in_string(raw, begin, value.start);
    if is_plain(raw) {
        return start..start + value.len();
    }
    let (mut at, mut left) = (start - begin, value.len());
    while let Some(rest) = raw.get(at..).filter(|rest| left > 0 && !rest.is_empty()) {
        let (written, meant) = unit(rest);
        at += written;
        left = left.saturating_sub(meant);
    }
    start..begin + at
}

/// Returns true if a string has no escape sequences. `raw` is the string as written, with its
/// quotes.
pub fn is_plain(raw: &str) -> bool {
    raw.starts_with('\'') || !raw.contains('\\')
}

/// Measures the first character or escape sequence of `rest`. Returns two lengths in bytes: as
/// written, and in the value.
fn unit(rest: &str) -> (usize, usize) {
    let mut chars = rest.chars();
    let first = chars.next().unwrap_or(' ');
    if first != '\\' {
        return (first.len_utf8(), first.len_utf8());
    }
    let digits = match chars.next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        // A backslash at the end of a line skips all following white space.
        Some(' ' | '\t' | '\r' | '\n') => {
            let rest = &rest[1..];
            return (1 + rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len(), 0);
        }
        Some(other) => return (1 + other.len_utf8(), 1),
        None => return (1, 1),
    };
    let code = rest.get(2..2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    // The digits of an invalid escape sequence can be any characters.
    code.and_then(char::from_u32).map_or((2, 1), |c| (2 + digits, c.len_utf8()))
}

/// Formats a text as a quoted TOML string.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::{NoPlace, PathStep, SpanTree, *};

    /// Returns a text with `new = 1` in its table `body`, and checks that the key can be read.
    #[track_caller]
    fn added(text: &str) -> String {
        let mut tree = SpanTree::parse(text).unwrap();
        let path = [PathStep::Key("body"), PathStep::Key("new")];
        tree.put(&path, "1").unwrap();
        assert_eq!(tree.get(&path), Some("1"));
        assert_eq!(SpanTree::parse(tree.text()).unwrap().get(&path), Some("1"), "{}", tree.text());
        // The byte ranges of the tree are those of the new text.
        tree.put(&path, "23").unwrap();
        assert_eq!(tree.get(&path), Some("23"));
        tree.put(&path, "1").unwrap();
        tree.text().to_owned()
    }

    #[test]
    fn keys_of_inline_tables_are_added_in_front_of_comments() {
        for (before, after) in [
            (
                "body = {\n  a = 1, # x\n  b = 2 # y\n}\n",
                "body = {\n  a = 1, # x\n  b = 2, new = 1 # y\n}\n",
            ),
            ("body = { b = 2, # y\n}\n", "body = { b = 2, new = 1, # y\n}\n"),
            ("body = { b = 2 # y\n , }\n", "body = { b = 2, new = 1 # y\n , }\n"),
            ("body = { a.b = 2 # y\n}\n", "body = { a.b = 2, new = 1 # y\n}\n"),
            (
                "body = { a = '}', b = [1, # x\n 2] }\n",
                "body = { a = '}', b = [1, # x\n 2], new = 1 }\n",
            ),
            ("body = { # y\n}\n", "body = { new = 1  # y\n}\n"),
            ("body = {}\n", "body = { new = 1 }\n"),
            ("body = {\n}\n", "body = { new = 1 }\n"),
        ] {
            assert_eq!(added(before), after);
        }
    }

    #[test]
    fn implicit_tables_get_a_header() {
        for (before, after) in [
            ("[[a]]\n[body.view]\nb = 2\n", "[[a]]\n[body]\nnew = 1\n[body.view]\nb = 2\n"),
            (
                "a = '''\n#\n#''' # x\n# y\n # z\n[ \"body\" . view ] # w\n",
                "a = '''\n#\n#''' # x\n[\"body\"]\nnew = 1\n# y\n # z\n[ \"body\" . view ] # w\n",
            ),
            (
                "a = 1\r\n\r\n# y\r\n[[body.list]]\r\n[body.view]",
                "a = 1\r\n\r\n[body]\r\nnew = 1\r\n\r\n# y\r\n[[body.list]]\r\n[body.view]",
            ),
            ("# y\n[body.view]\n", "[body]\nnew = 1\n# y\n[body.view]\n"),
            (
                "[body.view]\nb = 2\n\n[body]\n\n[c]\n",
                "[body.view]\nb = 2\n\n[body]\nnew = 1\n\n[c]\n",
            ),
        ] {
            assert_eq!(added(before), after);
        }
    }

    #[test]
    fn later_keys_follow_the_first_key_of_an_implicit_table() {
        let text = "[[agent]]\nname = 'a'\n# eyes\n[agent.body.view]\nrange = 3\n\
                    [[agent]]\nname = 'b'\n[agent.body.view]\nrange = 4\n";
        let mut tree = SpanTree::parse(text).unwrap();
        let mut put = |name, keys: &[&'static str], value| {
            let keys = keys.iter().map(|key| PathStep::Key(key));
            let path: Vec<_> = [PathStep::Named("agent", name)].into_iter().chain(keys).collect();
            tree.put(&path, value).unwrap();
        };
        put("b", &["body", "mass"], "2");
        put("a", &["body", "mass"], "3");
        put("a", &["body", "view", "angle"], "90");
        put("b", &["body", "radius"], "0.2");
        put("b", &["body", "mass"], "10");
        let expected = "[[agent]]\nname = 'a'\n[agent.body]\nmass = 3\n# eyes\n[agent.body.view]\n\
                        range = 3\nangle = 90\n[[agent]]\nname = 'b'\n[agent.body]\nmass = 10\n\
                        radius = 0.2\n[agent.body.view]\nrange = 4\n";
        assert_eq!(tree.text(), expected);
        // A table without a value of its own can't be replaced.
        let implicit = [PathStep::Named("agent", "a"), PathStep::Key("body")];
        assert_eq!(SpanTree::parse(text).unwrap().put(&implicit, "{}"), Err(NoPlace::Other));
    }

    fn check(raw: &str, value: &str) {
        for (offset, c) in value.char_indices() {
            let at = locate_in_string(raw, 0, offset);
            assert!(raw[at..].starts_with(c), "{raw:?}: {c:?} at {at}");
            let whole = stretch(raw, 0, offset..offset + c.len_utf8());
            assert_eq!(whole, at..at + unit(&raw[at..]).0, "{raw:?}: {c:?}");
        }
    }

    #[test]
    fn locate_works_with_all_kinds_of_quotes() {
        check("'''\nab\ncd\n'''", "ab\ncd\n");
        check("'''\r\nab\r\n'''", "ab\r\n");
        check("'abc'", "abc");
        check("\"abc\"", "abc");
        check("\"\"\"\nab\n\\\n   cd\"\"\"", "ab\ncd");
        assert_eq!(locate_in_string("\"a\\u00e9\\tb\"", 100, 3), 100 + 8);
        assert_eq!(locate_in_string("\"a\\u00e9\\tb\"", 100, 4), 100 + 10);
        assert_eq!(locate_in_string("''", 5, 9), 6);
        for broken in
            ["\"\\u00℀\"", "", "é", "\"é", "'é", "\"\\", "'''é", "\"\"\"é", "\"", "'''", "\"\\u"]
        {
            for offset in 0..5 {
                locate_in_string(broken, 0, offset);
            }
        }
    }
}
