//! Adds missing keys to the tables of a TOML text.

use super::{NodeKind, SpanTree, Splice};

impl SpanTree {
    /// Returns the insertion that adds a key to a table; `None` if the table can't be extended.
    pub(super) fn addition(&self, table: usize, key: &str, value: &str) -> Option<Splice> {
        match &self.nodes[table].kind {
            NodeKind::Inline => self.after_last_value(table, key, value),
            NodeKind::Header | NodeKind::Dotted(_) => self.line_after(table, key, value),
            NodeKind::Single(_) | NodeKind::List => None,
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
        let is_dotted = matches!(self.nodes[id].kind, NodeKind::Inline | NodeKind::Dotted(_));
        self.end_of_values(id).filter(|_| is_dotted)
    }

    /// Returns the largest end of the values in a table; `None` if it has no values.
    fn end_of_values(&self, table: usize) -> Option<usize> {
        self.nodes[table].children.iter().filter_map(|&child| self.end_of(child)).max()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Part, SpanTree};

    /// Returns a text with `new = 1` in its table `body`, and checks that the key can be read.
    #[track_caller]
    fn added(text: &str) -> String {
        let mut tree = SpanTree::parse(text).unwrap();
        let path = [Part::Key("body"), Part::Key("new")];
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
}
