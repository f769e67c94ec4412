//! Finds the bytes of a value in the text of a map, or the position at which to insert the value.

use std::ops::Range;

use toml_edit::{InlineTable, Item, Table, TableLike, Value};

/// A replacement of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// Bytes to replace; empty for an insertion.
    pub span: Range<usize>,
    /// Text to write in place of these bytes.
    pub text: String,
}

/// Reason why a value can't be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPlace {
    /// The list under this key has too few entries. Contains the key and the number of entries.
    Row(String, usize),
    /// The item at the path is not writable.
    Other,
}

/// A table in any TOML notation.
#[derive(Debug, Clone, Copy)]
pub enum Place<'a> {
    /// An inline table: `{ … }`.
    Inline(&'a InlineTable),
    /// A table with a header.
    Header(&'a Table),
    /// A table of dotted keys, one per line, and the part of the keys before the dot.
    Dotted(&'a Table, &'a str),
}

impl<'a> Place<'a> {
    /// Returns the table under a key.
    fn of(key: &'a str, item: &'a Item) -> Option<Self> {
        match item {
            Item::Value(Value::InlineTable(table)) => Some(Self::Inline(table)),
            Item::Table(table) if table.is_dotted() => Some(Self::Dotted(table, key)),
            Item::Table(table) => Some(Self::Header(table)),
            _ => None,
        }
    }

    fn table(self) -> &'a dyn TableLike {
        match self {
            Self::Inline(table) => table,
            Self::Header(table) | Self::Dotted(table, _) => table,
        }
    }

    /// Returns the item under a key.
    pub fn get(self, key: &str) -> Option<&'a Item> {
        self.table().get(key)
    }

    /// Returns the string under a key.
    pub fn string(self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str()
    }

    /// Returns the elements of the list under a key; `None` for elements that are not tables.
    pub fn list(self, key: &str) -> Vec<Option<Self>> {
        match self.get(key) {
            Some(Item::ArrayOfTables(tables)) => {
                tables.iter().map(|table| Some(Self::Header(table))).collect()
            }
            Some(Item::Value(Value::Array(values))) => {
                values.iter().map(|value| value.as_inline_table().map(Self::Inline)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the replacement that writes `value` at a path of keys and entry numbers (from 1).
    pub fn put(self, text: &str, path: &[&'a str], value: &str) -> Result<Splice, NoPlace> {
        let [key, rest @ ..] = path else { return Err(NoPlace::Other) };
        let Some(item) = self.get(key) else {
            let numbered = rest.iter().any(|part| part.parse::<usize>().is_ok());
            let missing = NoPlace::Row((*key).to_owned(), 0);
            return if numbered { Err(missing) } else { self.add(text, key, &nested(rest, value)) };
        };
        match rest {
            [] => {
                let span = item.as_value().and_then(Value::span).ok_or(NoPlace::Other)?;
                Ok(Splice { span, text: value.to_owned() })
            }
            [number, rest @ ..] if number.parse::<usize>().is_ok() => {
                let rows = self.list(key);
                let index = number.parse::<usize>().unwrap_or(0).wrapping_sub(1);
                let missing = || NoPlace::Row((*key).to_owned(), rows.len());
                let row = rows.get(index).copied().ok_or_else(missing)?;
                row.ok_or(NoPlace::Other)?.put(text, rest, value)
            }
            _ => Self::of(key, item).ok_or(NoPlace::Other)?.put(text, rest, value),
        }
    }

    /// Returns the insertion that adds a key to the table.
    fn add(self, text: &str, key: &str, value: &str) -> Result<Splice, NoPlace> {
        match self {
            Self::Inline(table) => {
                let span = table.span().ok_or(NoPlace::Other)?;
                let inside = text.get(span.start..span.end - 1).ok_or(NoPlace::Other)?.trim_end();
                let at = span.start + inside.len();
                let (span, text) = match inside.chars().last() {
                    Some('{') => (at..span.end - 1, format!(" {key} = {value} ")),
                    Some(',') => (at..at, format!(" {key} = {value}")),
                    _ => (at..at, format!(", {key} = {value}")),
                };
                Ok(Splice { span, text })
            }
            Self::Header(table) => line_after(text, table, key, value),
            Self::Dotted(table, before) => {
                line_after(text, table, &format!("{before}.{key}"), value)
            }
        }
    }
}

/// Wraps a value in new inline tables, one for each key of a path.
fn nested(path: &[&str], value: &str) -> String {
    path.iter().rev().fold(value.to_owned(), |value, key| format!("{{ {key} = {value} }}"))
}

/// Returns the insertion that adds a line after the last line of a table.
fn line_after(text: &str, table: &Table, key: &str, value: &str) -> Result<Splice, NoPlace> {
    let last = table.iter().filter_map(|(key, item)| {
        let begin = table.key(key).and_then(toml_edit::Key::span);
        Some((end_of(item)?, begin))
    });
    let last = last.max_by_key(|(end, _)| *end);
    let header = table.span().map(|span| (span.start, None));
    let (end, neighbour) = last.or(header).ok_or(NoPlace::Other)?;
    let rest = text.get(end..).ok_or(NoPlace::Other)?;
    let (at, ends) = match rest.find('\n') {
        Some(length) => (end + length + 1, true),
        None => (text.len(), false),
    };
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    // The equals sign is aligned with the last line if there is room.
    let gap = neighbour.and_then(|key| Some(text.get(key.start..)?.find('=')? - 1));
    let width = gap.unwrap_or(0);
    let line = format!("{key:<width$} = {value}");
    let text = if ends { format!("{line}{newline}") } else { format!("{newline}{line}") };
    Ok(Splice { span: at..at, text })
}

/// Returns the end of a value that is part of its table; `None` for a table with its own header.
fn end_of(item: &Item) -> Option<usize> {
    match item {
        Item::Value(value) => Some(value.span()?.end),
        Item::Table(table) if table.is_dotted() => {
            table.iter().filter_map(|(_, item)| end_of(item)).max()
        }
        _ => None,
    }
}
