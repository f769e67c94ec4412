//! The record of an import: the source of an imported map, and the generated files. With the
//! record, `import --update` imports a changed source again and keeps the user's edits.
//!
//! The record of `island.toml` is `island.import`, a TOML file next to the map.

use std::path::{Component, Path, PathBuf};

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};

const HEAD: &str = "# Written by `tilewalk import`. `tilewalk import --update` compares the map with these texts.\n";

/// Source, options and generated files of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRecord {
    /// Path of the imported file, relative to the directory of the map if possible.
    pub source: PathBuf,
    /// Options of the import, as on the command line.
    pub options: Vec<String>,
    /// Upper left tile of the map in the coordinates of the source; `None` in records of older
    /// versions.
    pub origin: Option<(i64, i64)>,
    /// Text of the generated map, without later edits of the user.
    pub map: String,
    /// Names and texts of the generated patterns, without later edits of the user.
    pub patterns: Vec<(String, String)>,
}

/// Returns the path of the record of a map: `island.import` for `island.toml`.
pub fn record_path(map: &Path) -> PathBuf {
    map.with_extension("import")
}

impl ImportRecord {
    /// Formats the record as TOML, with a comment in the first line.
    pub fn text(&self) -> String {
        let mut document = DocumentMut::new();
        document["source"] = self.source.to_string_lossy().replace('\\', "/").into();
        document["options"] = self.options.iter().collect::<Value>().into();
        if let Some((x, y)) = self.origin {
            document["origin"] = [x, y].into_iter().collect::<Value>().into();
        }
        document["map"] = self.map.as_str().into();
        let mut patterns = ArrayOfTables::new();
        for (name, text) in &self.patterns {
            let mut table = Table::new();
            table["name"] = name.as_str().into();
            table["text"] = text.as_str().into();
            patterns.push(table);
        }
        if !patterns.is_empty() {
            document["pattern"] = Item::ArrayOfTables(patterns);
        }
        format!("{HEAD}{document}")
    }

    /// Parses the text of a record file. Returns `None` if the text is not a valid record.
    pub fn parse(text: &str) -> Option<Self> {
        let document: DocumentMut = text.parse().ok()?;
        let string = |item: Option<&Item>| Some(item?.as_str()?.to_owned());
        let options = document.get("options").and_then(Item::as_array)?.iter();
        let patterns = document.get("pattern").and_then(Item::as_array_of_tables);
        let pattern =
            |table: &Table| Some((string(table.get("name"))?, string(table.get("text"))?));
        Some(Self {
            source: PathBuf::from(string(document.get("source"))?),
            options: options
                .map(|value| Some(value.as_str()?.to_owned()))
                .collect::<Option<_>>()?,
            origin: document.get("origin").and_then(Item::as_array).and_then(|origin| {
                let number = |index| origin.get(index).and_then(Value::as_integer);
                Some((number(0)?, number(1)?))
            }),
            map: string(document.get("map"))?,
            patterns: patterns.into_iter().flatten().map(pattern).collect::<Option<_>>()?,
        })
    }
}

/// Returns the path `to` relative to the directory `from`. Both paths must be absolute. Pairs such
/// as `name/..` are removed from both paths; symbolic links are not resolved. Returns `to` if the
/// paths have no common directory, such as paths on two drives.
pub fn relative(to: &Path, from: &Path) -> PathBuf {
    let (to_parts, from_parts) = (without_pairs(to), without_pairs(from));
    let common = to_parts.iter().zip(&from_parts).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return to.to_owned();
    }
    let up = from_parts[common..].iter().map(|_| Component::ParentDir);
    up.chain(to_parts[common..].iter().copied()).collect()
}

/// Returns the components of an absolute path without `name/..` pairs.
fn without_pairs(path: &Path) -> Vec<Component<'_>> {
    let mut parts = Vec::new();
    for part in path.components() {
        if part != Component::ParentDir {
            parts.push(part);
        } else if matches!(parts.last(), Some(Component::Normal(_))) {
            parts.pop();
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let odd = "# a \"map\"\ntiles = '''\n#'''''\\\n'''\n\u{7f}é\r\n";
        let record = ImportRecord {
            source: "../a b/island.tmx".into(),
            options: vec!["--solid".to_owned(), "layer:It's \"Rocks\"".to_owned()],
            origin: Some((-3, 7)),
            map: odd.to_owned(),
            patterns: vec![("way".to_owned(), odd.to_owned()), ("b".to_owned(), String::new())],
        };
        assert_eq!(ImportRecord::parse(&record.text()), Some(record.clone()));
        let plain = ImportRecord { options: vec![], patterns: vec![], origin: None, ..record };
        assert_eq!(ImportRecord::parse(&plain.text()), Some(plain));
        for text in ["", "source = 3", "tiles = '...'", "]["] {
            assert_eq!(ImportRecord::parse(text), None, "{text}");
        }
    }

    #[test]
    fn paths_are_relative_to_the_map() {
        let seen = |to: &str, from: &str| relative(Path::new(to), Path::new(from));
        assert_eq!(seen("/a/b/c.tmx", "/a/b"), Path::new("c.tmx"));
        assert_eq!(seen("/a/tiled/c.tmx", "/a/maps"), Path::new("../tiled/c.tmx"));
        assert_eq!(seen("/x.tmx", "/a/b"), Path::new("../../x.tmx"));
        assert_eq!(seen("/a/b/c.txt", "/a/b/../maps"), Path::new("../b/c.txt"));
        assert_eq!(seen("/a/maps/../../b/./c.txt", "/a/b"), Path::new("../../b/c.txt"));
        assert_eq!(seen("/a/x/../b/c.txt", "/a/b"), Path::new("c.txt"));
        assert_eq!(seen("/../c.txt", "/a"), Path::new("../c.txt"));
    }
}
