//! Adds missing keys to the tables of a TOML text.

use super::{NodeKind, SpanTree, Splice};

impl SpanTree {
    /// Returns the insertion that adds a key to a table; `None` if the table can't be extended.
    pub(super) fn addition(&self, table: usize, key: &str, value: &str) -> Option<Splice> {
        match &self.nodes[table].kind {
            NodeKind::Inline => self.after_last_value(table, key, value),
            NodeKind::Implicit => self.with_header(table, key, value),
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
    use crate::text::span_tree::{NoPlace, Part, SpanTree};

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
            let keys = keys.iter().map(|key| Part::Key(key));
            let path: Vec<_> = [Part::Named("agent", name)].into_iter().chain(keys).collect();
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
        let implicit = [Part::Named("agent", "a"), Part::Key("body")];
        assert_eq!(SpanTree::parse(text).unwrap().put(&implicit, "{}"), Err(NoPlace::Other));
    }
}
