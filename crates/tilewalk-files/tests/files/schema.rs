//! The JSON Schemas match the reader: tables, keys, ranges and words. All shipped files are valid and
//! name their schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tilewalk_files::{keys::schema, markdown};
use tilewalk_test_support::builtin;

use crate::support::workspace;

/// A document that contains one table that the reader knows.
struct TableDocument {
    before: String,
    /// Required keys of the table, with valid values.
    keys: Vec<(&'static str, &'static str)>,
    after: &'static str,
    pattern: bool,
}

impl TableDocument {
    /// Returns the problems that the reader reports if the table also has a key with this value.
    fn problems(&self, key: &str, value: &str) -> String {
        let own = self.keys.iter().filter(|(each, _)| *each != key);
        let mut keys: Vec<String> = own.map(|(key, value)| format!("{key} = {value}")).collect();
        keys.push(format!("{key} = {value}"));
        let top = self.before.is_empty();
        let text =
            format!("{}{}{}", self.before, keys.join(if top { "\n" } else { ", " }), self.after);
        let folder = tempfile::tempdir().unwrap();
        let name = if self.pattern { "pattern.toml" } else { "map.toml" };
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let report = tilewalk_files::check(&[path], None).unwrap();
        report_text(&report)
    }
}

/// Returns all messages and help texts of a report.
fn report_text(report: &tilewalk_files::Report) -> String {
    let texts = report.entries().map(|entry| format!("{}\n{}\n", entry.message, entry.help));
    texts.collect::<Vec<_>>().concat()
}

/// Returns a document for each table, by the title of the table.
fn documents() -> BTreeMap<String, TableDocument> {
    let document = |before: &str, keys: &[(&'static str, &'static str)], after| TableDocument {
        before: before.to_owned(),
        keys: keys.to_vec(),
        after,
        pattern: before.is_empty() && keys.iter().any(|(key, _)| *key == "kind")
            || before.starts_with("kind"),
    };
    let agent = "tiles = '.....'\n[[agent]]\nname = 'a'\nat = [0, 0]\n";
    let of_agent = |key: &str| format!("{agent}{key}");
    let template = "name = 'a', at = [0, 0], template = true, max = 2";
    let of_template =
        |key: &str| format!("tiles = '.....'\nagent = [{{ {template} }}]\n{key} = [{{ ");
    let mode = "tiles = '.....'\nagent = [{ name = 'a', at = [0, 0], mode = [{ ";
    let mut documents = BTreeMap::from([
        ("a map", document("", &[("tiles", "'.'")], "")),
        (
            "an agent",
            document("tiles = '.....'\nagent = [{ ", &[("name", "'a'"), ("at", "[0, 0]")], " }]"),
        ),
        ("a mode", document(mode, &[("name", "'m'")], " }] }]")),
        (
            "a transition",
            document(
                &format!("{mode}name = 'm', switch = [{{ "),
                &[("when", "'blocked'"), ("to", "'m'")],
                " }] }] }]",
            ),
        ),
        ("a body", document(&of_agent("body = { "), &[], " }")),
        ("a view", document(&of_agent("body = { view = { "), &[], " } }")),
        (
            "a random start",
            document(
                "tiles = '.'\nagent = [{ name = 'a', at = { ",
                &[("within", "[0, 0, 0, 0]")],
                " } }]",
            ),
        ),
        (
            "a wall",
            document(
                "tiles = '.'\nwall = [{ ",
                &[("from", "[0.0, 0.0]"), ("to", "[1.0, 1.0]")],
                " }]",
            ),
        ),
        (
            "an obstacle",
            document("tiles = '.'\nobstacle = [{ ", &[("at", "[0, 0]"), ("radius", "0.1")], " }]"),
        ),
        (
            "a spawn rule",
            document(&of_template("spawn"), &[("agent", "'a'"), ("every", "1")], " }]"),
        ),
        (
            "a signal rule",
            document(&of_template("on"), &[("signal", "'s'"), ("spawn", "'a'")], " }]"),
        ),
        (
            "an expectation",
            document("tiles = '.'\nexpect = [{ ", &[("name", "'e'"), ("always", "'true'")], " }]"),
        ),
        (
            "a sweep",
            document("", &[("frames", "9"), ("measure", "{ n = { count = 'true' } }")], ""),
        ),
        (
            "a range of values",
            document(
                "measure = { n = { count = 'true' } }\nvary = { tick = { ",
                &[("from", "0.1"), ("to", "0.2")],
                " } }",
            ),
        ),
        ("a measure", document("measure = { n = { ", &[("count", "'true'")], " } }")),
        ("a legend entry", document("tiles = '.'\nlegend.'%' = { ", &[], " }")),
        ("the table `tiled`", document("tiles_file = 'a.tmx'\ntiled = { ", &[], " }")),
        (
            "a path pattern",
            document("", &[("kind", "'path'"), ("vertices", "[[0, 0], [1, 0]]")], ""),
        ),
        ("a matrix pattern", document("", &[("kind", "'matrix'"), ("cells", "'11'")], "")),
        ("a steps pattern", document("", &[("kind", "'steps'"), ("steps", "[{ wait = 1 }]")], "")),
        (
            "a thrust pattern",
            document("", &[("kind", "'thrust'"), ("legs", "[{ until_moved = 1 }]")], ""),
        ),
        ("a steps row", document("kind = 'steps'\nsteps = [{ ", &[], " }]")),
        ("a leg", document("kind = 'thrust'\nlegs = [{ ", &[], " }]")),
    ])
    .into_iter()
    .map(|(title, document)| (title.to_owned(), document))
    .collect::<BTreeMap<_, _>>();
    for row in schema::map()["definitions"]["row"]["anyOf"].as_array().unwrap() {
        let word = row["properties"]["do"]["enum"][0].as_str().unwrap();
        let before = of_agent(&format!("steer = [{{ do = '{word}', "));
        documents.insert(row["title"].as_str().unwrap().to_owned(), document(&before, &[], " }]"));
    }
    documents
}

/// Collects all tables of a schema, by title.
fn tables(value: &Value, found: &mut BTreeMap<String, Value>) {
    if let (Some(title), Some(_)) = (value["title"].as_str(), value["properties"].as_object()) {
        found.insert(title.to_owned(), value.clone());
    }
    match value {
        Value::Object(object) => object.values().for_each(|value| tables(value, found)),
        Value::Array(array) => array.iter().for_each(|value| tables(value, found)),
        _ => {}
    }
}

fn all_tables() -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    tables(&schema::map(), &mut found);
    tables(&schema::pattern(), &mut found);
    tables(&schema::sweep(), &mut found);
    found
}

/// Returns the words of a text that are in backquotes.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect()
}

/// Returns the same as [`TableDocument::problems`]. For the table `[tiled]`, it first writes the file
/// `a.tmx`, which that table needs.
fn problems(title: &str, document: &TableDocument, key: &str, value: &str) -> String {
    if title != "the table `tiled`" {
        return document.problems(key, value);
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tmx"), "<map/>").unwrap();
    let path = folder.path().join("map.toml");
    fs::write(&path, format!("{}{key} = {value}{}", document.before, document.after)).unwrap();
    let report = tilewalk_files::check(&[path], None).unwrap();
    report_text(&report)
}

#[test]
fn the_schemas_have_exactly_the_keys_that_the_reader_knows() {
    let (tables, documents) = (all_tables(), documents());
    let titles = |keys: Vec<&String>| keys.into_iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(titles(tables.keys().collect()), titles(documents.keys().collect()));
    for (title, table) in &tables {
        let problems = problems(title, &documents[title], "zzqqxx", "1");
        let keys = problems.lines().find_map(|line| line.strip_prefix("valid keys: "));
        let mut keys = quoted(keys.unwrap_or_else(|| panic!("{title}: {problems}")));
        if title == "an agent" {
            // The reader knows `switch` in an agent only to report where it belongs.
            keys.remove("switch");
        }
        let known: BTreeSet<String> =
            table["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, known, "{title}");
    }
}

#[test]
fn the_schemas_have_the_ranges_and_values_that_the_reader_accepts() {
    let (mut ranges, mut words) = (0, 0);
    let documents = documents();
    for (title, table) in all_tables() {
        for (key, value) in table["properties"].as_object().unwrap() {
            let name = format!("`{key}` of {title}");
            if let (Some(minimum), Some(maximum)) =
                (value["minimum"].as_f64(), value["maximum"].as_f64())
            {
                let problems = problems(&title, &documents[&title], key, "100000000000000000");
                let between = problems.split(&format!("`{key}` must be between ")).nth(1);
                let between = between.unwrap_or_else(|| panic!("{name}: {problems}"));
                let (low, high) =
                    between.split_once(", but").unwrap().0.split_once(" and ").unwrap();
                assert_eq!((low.parse(), high.parse()), (Ok(minimum), Ok(maximum)), "{name}");
                ranges += 1;
            } else if let Some(known) =
                value["enum"].as_array().filter(|known| known[0].is_string())
                // These three keys need other keys.
                && !["do", "kind", "choose"].contains(&key.as_str())
            {
                let problems = problems(&title, &documents[&title], key, "'zzqqxx'");
                let list = problems.lines().find_map(|line| line.strip_prefix("valid values: "));
                let list = quoted(list.unwrap_or_else(|| panic!("{name}: {problems}")));
                let known = known.iter().map(|word| word.as_str().unwrap().to_owned()).collect();
                assert_eq!(list, known, "{name}");
                words += 1;
            }
        }
    }
    assert!(ranges > 130 && words >= 10, "{ranges} ranges and {words} words");
}

/// No key accepts a date, so the reader must report an error for every key.
#[test]
fn the_reader_reads_every_key_of_the_schemas() {
    let documents = documents();
    for (title, table) in all_tables() {
        // The document of a behaviour already has its `do`.
        for key in table["properties"].as_object().unwrap().keys().filter(|key| *key != "do") {
            let problems = problems(&title, &documents[&title], key, "2000-01-01");
            // Some keys need another key, and then the error names that key.
            let messages = [
                "but is a date",
                " needs ",
                "can't be used together",
                "missing `points` or `pattern`",
            ];
            let is_read = messages.iter().any(|message| problems.contains(message));
            assert!(is_read, "`{key}` of {title}: {problems}");
        }
    }
}

fn shipped(folder: &str) -> Vec<PathBuf> {
    let folder = workspace(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

fn json(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

#[test]
fn shipped_files_match_their_schema_and_name_it() {
    for (folder, file, schema) in [
        ("maps", "map.json", schema::map()),
        ("patterns", "pattern.json", schema::pattern()),
        ("crates/tilewalk-files/tests/patterns", "", schema::pattern()),
        ("sweeps", "sweep.json", schema::sweep()),
    ] {
        let schema = jsonschema::validator_for(&schema).unwrap();
        for path in shipped(folder) {
            let text = fs::read_to_string(&path).unwrap();
            let first = format!("#:schema ../docs/schema/{file}\n");
            let names_schema = file.is_empty() || text.starts_with(&first);
            assert!(names_schema, "the first line of {} is not {first}", path.display());
            let wrong: Vec<_> =
                schema.iter_errors(&json(&text)).map(|error| error.to_string()).collect();
            assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        }
    }
    let starter = tilewalk_files::write::new_map::starter("a");
    let map = jsonschema::validator_for(&schema::map()).unwrap();
    assert!(map.is_valid(&json(&starter.map)));
    assert!(
        jsonschema::validator_for(&schema::pattern()).unwrap().is_valid(&json(&starter.pattern))
    );
}

#[test]
fn the_schemas_reject_invalid_files() {
    let map = jsonschema::validator_for(&schema::map()).unwrap();
    let pattern = jsonschema::validator_for(&schema::pattern()).unwrap();
    let agent = |keys: &str| format!("tiles = '.'\n[[agent]]\nname = 'a'\nat = [0, 0]\n{keys}");
    assert!(map.is_valid(&json(&agent("steer = [{ do = 'seek', target = [1.5, 2.0] }]"))));
    for wrong in [
        agent("pce = 2"),
        agent("pace = 0"),
        agent("body = { radius = 9 }"),
        agent("steer = [{ do = 'seek' }]"),
        agent("steer = [{ do = 'seek', target = 'b', feeler = 2.0 }]"),
        agent("color = 'blurple'"),
        "tiles = 3".to_owned(),
    ] {
        assert!(!map.is_valid(&json(&wrong)), "{wrong}");
    }
    for wrong in [
        "vertices = [[0, 0], [1, 0]]",
        "kind = 'path'",
        "kind = 'path'\nvertices = [[0.5, 1.0], [1, 0]]",
    ] {
        assert!(!pattern.is_valid(&json(wrong)), "{wrong}");
    }
}

/// `UPDATE_DOCS=1` updates the files.
#[test]
fn committed_schemas_match_the_generated_ones() {
    let schemas =
        [("map", schema::map()), ("pattern", schema::pattern()), ("sweep", schema::sweep())];
    for (name, schema) in schemas {
        let path = workspace(&format!("docs/schema/{name}.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{}", path.display());
    }
}

/// `UPDATE_DOCS=1` updates the tables.
#[test]
fn key_tables_of_the_documentation_match_the_generated_ones() {
    let (begin, end) = ("<!-- keys: ", "<!-- end -->");
    for (page, tables) in markdown::PAGES {
        let path = workspace(&format!("docs/{page}"));
        let text = fs::read_to_string(&path).unwrap();
        let mut parts = text.split(begin);
        let mut updated = parts.next().unwrap().to_owned();
        let mut found = Vec::new();
        for part in parts {
            let (name, rest) = part.split_once(" -->\n").unwrap();
            let (_, rest) = rest.split_once(end).unwrap_or_else(|| panic!("{name} has no end"));
            let table =
                markdown::table(page, name).unwrap_or_else(|| panic!("{page}: no table `{name}`"));
            let _ = write!(updated, "{begin}{name} -->\n\n{table}\n{end}{rest}");
            found.push(name);
        }
        assert_eq!(found, tables, "the tables of docs/{page}");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &updated).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap();
        assert!(written == updated, "run `UPDATE_DOCS=1 cargo test` to write docs/{page} again");
    }
}

#[test]
fn the_comment_of_a_shipped_map_does_not_contain_its_schema_line() {
    for map in builtin::maps() {
        assert!(!map.comment.contains("schema") && !map.comment.is_empty(), "{}", map.name);
    }
}
