//! The JSON Schemas match the reader: tables, keys, ranges and words. All shipped files are valid and
//! name their schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tilewalk::builtin;
use tilewalk::files::{self, keys::schema, markdown};

/// A document in which a table of the reader stands.
struct Stage {
    before: String,
    /// The keys that must be there.
    keys: Vec<(&'static str, &'static str)>,
    after: &'static str,
    pattern: bool,
}

impl Stage {
    /// What the reader says when the table also has a key with this value.
    fn said(&self, key: &str, value: &str) -> String {
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
        let report = files::check(&[path], None).unwrap();
        told(&report)
    }
}

/// All that is wrong, in words.
fn told(report: &files::Report) -> String {
    let told = report.entries().map(|entry| format!("{}\n{}\n", entry.message, entry.help));
    told.collect::<Vec<_>>().concat()
}

/// A document for each table, by its title.
fn stages() -> BTreeMap<String, Stage> {
    let stage = |before: &str, keys: &[(&'static str, &'static str)], after| Stage {
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
    let mut stages = BTreeMap::from([
        ("a map", stage("", &[("tiles", "'.'")], "")),
        (
            "an agent",
            stage("tiles = '.....'\nagent = [{ ", &[("name", "'a'"), ("at", "[0, 0]")], " }]"),
        ),
        ("a mode", stage(mode, &[("name", "'m'")], " }] }]")),
        (
            "a transition",
            stage(
                &format!("{mode}name = 'm', switch = [{{ "),
                &[("when", "'blocked'"), ("to", "'m'")],
                " }] }] }]",
            ),
        ),
        ("a body", stage(&of_agent("body = { "), &[], " }")),
        ("a view", stage(&of_agent("body = { view = { "), &[], " } }")),
        (
            "a random start",
            stage(
                "tiles = '.'\nagent = [{ name = 'a', at = { ",
                &[("within", "[0, 0, 0, 0]")],
                " } }]",
            ),
        ),
        (
            "a wall",
            stage(
                "tiles = '.'\nwall = [{ ",
                &[("from", "[0.0, 0.0]"), ("to", "[1.0, 1.0]")],
                " }]",
            ),
        ),
        (
            "an obstacle",
            stage("tiles = '.'\nobstacle = [{ ", &[("at", "[0, 0]"), ("radius", "0.1")], " }]"),
        ),
        ("a spawn rule", stage(&of_template("spawn"), &[("agent", "'a'"), ("every", "1")], " }]")),
        ("a signal rule", stage(&of_template("on"), &[("signal", "'s'"), ("spawn", "'a'")], " }]")),
        (
            "an expectation",
            stage("tiles = '.'\nexpect = [{ ", &[("name", "'e'"), ("always", "'true'")], " }]"),
        ),
        ("a sweep", stage("", &[("frames", "9"), ("measure", "{ n = { count = 'true' } }")], "")),
        (
            "a range of values",
            stage(
                "measure = { n = { count = 'true' } }\nvary = { tick = { ",
                &[("from", "0.1"), ("to", "0.2")],
                " } }",
            ),
        ),
        ("a measure", stage("measure = { n = { ", &[("count", "'true'")], " } }")),
        ("a legend entry", stage("tiles = '.'\nlegend.'%' = { ", &[], " }")),
        ("the table `tiled`", stage("tiles_file = 'a.tmx'\ntiled = { ", &[], " }")),
        ("a path pattern", stage("", &[("kind", "'path'"), ("vertices", "[[0, 0], [1, 0]]")], "")),
        ("a matrix pattern", stage("", &[("kind", "'matrix'"), ("cells", "'11'")], "")),
        ("a steps pattern", stage("", &[("kind", "'steps'"), ("steps", "[{ wait = 1 }]")], "")),
        (
            "a thrust pattern",
            stage("", &[("kind", "'thrust'"), ("legs", "[{ until_moved = 1 }]")], ""),
        ),
        ("a steps row", stage("kind = 'steps'\nsteps = [{ ", &[], " }]")),
        ("a leg", stage("kind = 'thrust'\nlegs = [{ ", &[], " }]")),
    ])
    .into_iter()
    .map(|(title, stage)| (title.to_owned(), stage))
    .collect::<BTreeMap<_, _>>();
    for row in schema::map()["definitions"]["row"]["anyOf"].as_array().unwrap() {
        let word = row["properties"]["do"]["enum"][0].as_str().unwrap();
        let before = of_agent(&format!("steer = [{{ do = '{word}', "));
        stages.insert(row["title"].as_str().unwrap().to_owned(), stage(&before, &[], " }]"));
    }
    stages
}

/// All tables of a schema, by title.
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

/// The words between backquotes.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect()
}

/// A reader of `a.tmx` needs that file: the stage of `[tiled]` has none, so it gets one.
fn said(title: &str, stage: &Stage, key: &str, value: &str) -> String {
    if title != "the table `tiled`" {
        return stage.said(key, value);
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tmx"), "<map/>").unwrap();
    let path = folder.path().join("map.toml");
    fs::write(&path, format!("{}{key} = {value}{}", stage.before, stage.after)).unwrap();
    let report = files::check(&[path], None).unwrap();
    told(&report)
}

#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let (tables, stages) = (all_tables(), stages());
    let titles = |keys: Vec<&String>| keys.into_iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(titles(tables.keys().collect()), titles(stages.keys().collect()));
    for (title, table) in &tables {
        let said = said(title, &stages[title], "zzqqxx", "1");
        let keys = said.lines().find_map(|line| line.strip_prefix("valid keys: "));
        let mut keys = quoted(keys.unwrap_or_else(|| panic!("{title}: {said}")));
        if title == "an agent" {
            // Asked for to say where it belongs.
            keys.remove("switch");
        }
        let known: BTreeSet<String> =
            table["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, known, "{title}");
    }
}

#[test]
fn the_schema_has_the_ranges_and_words_of_the_reader() {
    let (mut ranges, mut words) = (0, 0);
    let stages = stages();
    for (title, table) in all_tables() {
        for (key, value) in table["properties"].as_object().unwrap() {
            let of = format!("`{key}` of {title}");
            if let (Some(least), Some(most)) =
                (value["minimum"].as_f64(), value["maximum"].as_f64())
            {
                let said = said(&title, &stages[&title], key, "100000000000000000");
                let between = said.split(&format!("`{key}` must be between ")).nth(1);
                let between = between.unwrap_or_else(|| panic!("{of}: {said}"));
                let (low, high) =
                    between.split_once(", but").unwrap().0.split_once(" and ").unwrap();
                assert_eq!((low.parse(), high.parse()), (Ok(least), Ok(most)), "{of}");
                ranges += 1;
            } else if let Some(known) =
                value["enum"].as_array().filter(|known| known[0].is_string())
                // These three need others beside them.
                && !["do", "kind", "choose"].contains(&key.as_str())
            {
                let said = said(&title, &stages[&title], key, "'zzqqxx'");
                let list = said.lines().find_map(|line| line.strip_prefix("valid values: "));
                let list = quoted(list.unwrap_or_else(|| panic!("{of}: {said}")));
                let known = known.iter().map(|word| word.as_str().unwrap().to_owned()).collect();
                assert_eq!(list, known, "{of}");
                words += 1;
            }
        }
    }
    assert!(ranges > 130 && words >= 10, "{ranges} ranges and {words} words");
}

/// A date is valid nowhere, so the reader must complain about it at every key.
#[test]
fn the_reader_reads_every_key() {
    let stages = stages();
    for (title, table) in all_tables() {
        // The stage of a behaviour has its `do` already.
        for key in table["properties"].as_object().unwrap().keys().filter(|key| *key != "do") {
            let said = said(&title, &stages[&title], key, "2000-01-01");
            // Some keys are not read without another one, and the reader says which.
            let complaints = [
                "but is a date",
                " needs ",
                "can't be used together",
                "missing `points` or `pattern`",
            ];
            let is_read = complaints.iter().any(|complaint| said.contains(complaint));
            assert!(is_read, "`{key}` of {title}: {said}");
        }
    }
}

fn shipped(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

fn json(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

#[test]
fn shipped_files_keep_to_their_schema_and_name_it() {
    for (folder, file, schema) in [
        ("maps", "map.json", schema::map()),
        ("patterns", "pattern.json", schema::pattern()),
        ("tests/patterns", "", schema::pattern()),
        ("sweeps", "sweep.json", schema::sweep()),
    ] {
        let schema = jsonschema::validator_for(&schema).unwrap();
        for path in shipped(folder) {
            let text = fs::read_to_string(&path).unwrap();
            let first = format!("#:schema ../docs/schema/{file}\n");
            let named = file.is_empty() || text.starts_with(&first);
            assert!(named, "the first line of {} is not {first}", path.display());
            let wrong: Vec<_> =
                schema.iter_errors(&json(&text)).map(|error| error.to_string()).collect();
            assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        }
    }
    let starter = files::write::new_map::starter("a");
    let map = jsonschema::validator_for(&schema::map()).unwrap();
    assert!(map.is_valid(&json(&starter.map)));
    assert!(
        jsonschema::validator_for(&schema::pattern()).unwrap().is_valid(&json(&starter.pattern))
    );
}

#[test]
fn what_is_wrong_is_no_instance() {
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

/// `UPDATE_DOCS=1` renews the files.
#[test]
fn the_committed_schemas_are_those_that_are_printed() {
    let schemas =
        [("map", schema::map()), ("pattern", schema::pattern()), ("sweep", schema::sweep())];
    for (name, schema) in schemas {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/schema/{name}.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{}", path.display());
        let mut command = assert_cmd::Command::cargo_bin("tilewalk").unwrap();
        command.args(["schema", name]).assert().success().stdout(text);
    }
}

/// `UPDATE_DOCS=1` renews the tables.
#[test]
fn the_tables_of_keys_in_the_documentation_are_generated() {
    let (begin, end) = ("<!-- keys: ", "<!-- end -->");
    for (page, tables) in markdown::PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
        let text = fs::read_to_string(&path).unwrap();
        let mut parts = text.split(begin);
        let mut renewed = parts.next().unwrap().to_owned();
        let mut found = Vec::new();
        for part in parts {
            let (name, rest) = part.split_once(" -->\n").unwrap();
            let (_, rest) = rest.split_once(end).unwrap_or_else(|| panic!("{name} has no end"));
            let table =
                markdown::table(page, name).unwrap_or_else(|| panic!("{page}: no table `{name}`"));
            let _ = write!(renewed, "{begin}{name} -->\n\n{table}\n{end}{rest}");
            found.push(name);
        }
        assert_eq!(found, tables, "the tables of docs/{page}");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &renewed).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap();
        assert!(written == renewed, "run `UPDATE_DOCS=1 cargo test` to write docs/{page} again");
    }
}

#[test]
fn the_gallery_does_not_show_schemas() {
    for map in builtin::maps() {
        assert!(!map.comment.contains("schema") && !map.comment.is_empty(), "{}", map.name);
    }
}
