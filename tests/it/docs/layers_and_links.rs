//! Rules that the compiler does not check: layers of modules, length of files, links in documents.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tilewalk::files::markdown::PAGES;

/// The folders of source code.
pub const SOURCES: [&str; 3] = ["crates/tilewalk-sim/src", "crates/tilewalk-files/src", "src"];

/// The folders of tests.
pub const TESTS: [&str; 4] = [
    "tests",
    "crates/tilewalk-sim/tests",
    "crates/tilewalk-files/tests",
    "crates/test-support/src",
];

/// The layers of each crate, lowest first. A module may use lower layers and its own children.
/// The compiler checks the order of the crates.
const LAYERS: [(&str, &[&[&str]]); 3] = [
    (
        "crates/tilewalk-sim/src",
        &[
            &["cancel", "geom", "hidden", "id", "rng", "sort", "statistics", "time"],
            &["color", "grid", "tile"],
            &["body", "map", "trace"],
            &["locomotion", "pattern", "steering"],
            &["agent", "condition", "scenario"],
            &["command", "event", "world"],
            &["step", "words"],
            &["history"],
            &["report"],
            &["runner"],
            &["judge"],
        ],
    ),
    (
        "crates/tilewalk-files/src",
        &[
            &["show", "system"],
            &["keys"],
            &["values"],
            &["text"],
            &["disk", "settings", "tiles"],
            &["formats", "traces"],
            &["read"],
            &["config", "sweep", "write"],
            &["check", "import", "markdown"],
        ],
    ),
    (
        "src",
        &[
            &[
                "builtin",
                "config_file",
                "depth",
                "jobs",
                "overlays",
                "palette",
                "path_completion",
                "unix",
            ],
            &["debugger", "recording_file", "render", "sweep", "testing"],
            &["cli", "tui", "watching"],
            &["main", "screen"],
        ],
    ),
];

/// Modules that may also use the modules of their own layer that are earlier in this list.
const STACKED: [&str; 11] = [
    "geom",
    "rng",
    "color",
    "tile",
    "body",
    "map",
    "condition",
    "agent",
    "scenario",
    "event",
    "world",
];

/// Returns all Rust files in a folder and its subfolders, sorted by path.
pub fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Splits a file of source code into production code and test modules. In both parts, the lines keep
/// their numbers, because the lines of the other part are empty.
pub fn split_tests(text: &str) -> (String, String) {
    let (mut production, mut tests, mut in_tests) = (String::new(), String::new(), false);
    for line in text.lines() {
        in_tests |= line == "#[cfg(test)]";
        let (here, there) =
            if in_tests { (&mut tests, &mut production) } else { (&mut production, &mut tests) };
        here.push_str(line);
        here.push('\n');
        there.push('\n');
        let is_item = !line.starts_with([' ', '#', '/']);
        in_tests &= !(is_item && (line.starts_with('}') || line.ends_with(';')));
    }
    (production, tests)
}

#[test]
fn production_code_after_a_test_module_is_found() {
    let code = "a();\n#[cfg(test)]\nmod tests {\n    b();\n}\n\n#[cfg(test)]\nmod c;\nd();\n";
    let (production, tests) = split_tests(code);
    assert_eq!(production, "a();\n\n\n\n\n\n\n\nd();\n");
    assert_eq!(tests, "\n#[cfg(test)]\nmod tests {\n    b();\n}\n\n#[cfg(test)]\nmod c;\n\n");
}

/// Returns the top-level module of a file in a folder of sources.
fn module_of(path: &Path, folder: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let inside = path.strip_prefix(source).expect("a file in the folder");
    let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// Returns the modules that a line names as `crate::module` or, in the binary, as `tilewalk::module`.
fn named(line: &str, root: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let names = code.split(root).skip(1).map(|rest| {
        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    });
    names.filter(|name| !name.is_empty() && name.chars().all(|c| !c.is_uppercase())).collect()
}

#[test]
fn no_module_uses_a_higher_layer_or_a_sibling() {
    let mut broken = Vec::new();
    for (folder, layers) in LAYERS {
        let layer = |module: &str| layers.iter().position(|names| names.contains(&module));
        for path in sources(folder) {
            let module = module_of(&path, folder);
            if module == "lib" {
                continue;
            }
            let here = layer(&module).unwrap_or_else(|| panic!("no layer for `{module}`"));
            let binary = module == "main" || module == "screen";
            let root = if binary { "tilewalk::" } else { "crate::" };
            let text = fs::read_to_string(&path).expect("a source");
            let (production, _) = split_tests(&text);
            for (number, line) in production.lines().enumerate() {
                for used in named(line, root).into_iter().filter(|used| *used != module) {
                    // A module without a layer belongs to a lower crate.
                    let Some(there) = layer(&used) else { continue };
                    let below = STACKED.iter().position(|name| *name == used);
                    let above = STACKED.iter().position(|name| *name == module);
                    let stacked = here == there && below.is_some() && below < above;
                    if there > here || (there == here && !stacked) {
                        let at = format!("{}:{}", path.display(), number + 1);
                        broken.push(format!("{at}: {module} (layer {here}) uses {used} ({there})"));
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "modules use higher layers:\n{}", broken.join("\n"));
}

#[test]
fn external_crates_are_used_only_in_their_own_modules() {
    let crates = [
        ("ratatui", &["src/tui"][..]),
        ("crossterm", &["src/tui"]),
        ("bresenham::", &["crates/tilewalk-sim/src/geom/line.rs"]),
        ("rand::", &["crates/tilewalk-sim/src/rng.rs"]),
        ("toml::", &["crates/tilewalk-files/src"]),
        ("toml_edit::", &["crates/tilewalk-files/src"]),
        ("glam::", &["crates/tilewalk-sim/src/geom/vector.rs"]),
        ("tui_input", &["src/tui/line.rs"]),
        ("wide::", &["crates/tilewalk-sim/src/geom/lanes.rs"]),
        ("notify::", &["src/watching"]),
    ];
    for path in SOURCES.into_iter().flat_map(sources) {
        let text = fs::read_to_string(&path).expect("a source");
        let inside = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("a path of the project");
        for (name, allowed) in crates {
            let is_allowed = allowed.iter().any(|place| {
                inside.starts_with(place) || inside == Path::new(&format!("{place}.rs"))
            });
            let uses = text.lines().any(|line| {
                line.split("//").next().is_some_and(|code| {
                    let word = |at: usize| {
                        !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                    };
                    code.match_indices(name).any(|(at, _)| word(at))
                })
            });
            assert!(is_allowed || !uses, "{} names {name}", inside.display());
        }
    }
}

#[test]
fn source_files_are_short_and_start_with_a_module_comment() {
    for path in SOURCES.into_iter().chain(TESTS).chain(["benches"]).flat_map(sources) {
        let text = fs::read_to_string(&path).expect("a source");
        let lines = text.lines().count();
        assert!(lines <= 800, "{} has {lines} lines: split it by subject", path.display());
        assert!(text.starts_with("//!"), "{} has no module comment at the top", path.display());
        assert_ne!(path.file_name().and_then(|name| name.to_str()), Some("mod.rs"));
        for line in text.lines() {
            assert!(!line.ends_with(' '), "{} has trailing spaces", path.display());
        }
    }
}

/// The readme lists the most useful keys in six rows. docs/keys.md, which is generated, lists all keys.
#[test]
fn the_keys_in_the_readme_work_on_a_map() {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        fs::read_to_string(path).expect("a document")
    };
    let quoted = |text: &str| -> BTreeSet<String> {
        text.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect()
    };
    let (keys, readme) = (read("docs/keys.md"), read("README.md"));
    let sections = keys.split("## ").filter(|section| section.starts_with("Map: "));
    let rows = sections.flat_map(str::lines).filter(|line| line.starts_with("| `"));
    let known: BTreeSet<String> =
        rows.flat_map(|row| quoted(row.split(" | ").next().expect("keys"))).collect();
    let section = readme.split("## ").find(|section| section.starts_with("Keys")).expect("keys");
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).collect();
    assert_eq!(rows.len(), 1 + 6, "a head and six rows");
    let named = quoted(&rows.concat());
    assert!(named.len() >= 20, "{named:?}");
    let unknown: Vec<_> = named.difference(&known).collect();
    assert!(unknown.is_empty(), "not keys of an open map: {unknown:?}");
}

/// Returns the anchor that links to a heading use: its words in lower case, with `-` for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[test]
fn links_in_documents_lead_to_existing_files_and_headings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).expect("a folder of documents");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let documents = docs.chain(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    let (mut links, mut broken) = (0, Vec::new());
    for path in documents.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let text = fs::read_to_string(&path).expect("a document");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains(':') || link.contains(char::is_whitespace) {
                continue;
            }
            links += 1;
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let parent = path.parent().expect("a folder");
            let target = if file.is_empty() { path.clone() } else { parent.join(file) };
            let there = fs::read_to_string(&target).unwrap_or_default();
            let mut headings = there.lines().filter(|line| line.starts_with('#'));
            let found = headings.any(|line| anchor(line.trim_start_matches('#')) == heading);
            if !target.exists() || (!heading.is_empty() && !found) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(links > 20, "{links} links");
    assert!(broken.is_empty(), "these links have no target:\n{}", broken.join("\n"));
}

/// The pages about files are long, so each has a list of its headings.
#[test]
fn pages_about_files_list_all_their_headings() {
    for (page, _) in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
        let text = fs::read_to_string(&path).expect("a document");
        let (_, text) = text.split_once("\nContents:\n").expect("a list of contents");
        let prose = text.split("\n```").step_by(2);
        let headings = prose.flat_map(str::lines).filter(|line| line.starts_with("##"));
        let entry = |line: &str| {
            let (level, heading) = line.split_once(' ').expect("a heading");
            let indent = "  ".repeat(level.len() - 2);
            format!("{indent}- [{heading}](#{})", anchor(heading))
        };
        let expected: Vec<String> = headings.map(entry).collect();
        let listed = text.split("\n## ").next().unwrap_or_default().trim_matches('\n');
        assert_eq!(listed.lines().collect::<Vec<_>>(), expected, "contents of docs/{page}");
    }
}

/// docs/reliability.md names the test of each promise by the module or the beginning of the name of the test.
#[test]
fn tests_named_in_the_page_about_reliability_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/reliability.md")).expect("a document");
    let code: Vec<(String, String)> = SOURCES
        .into_iter()
        .chain(TESTS)
        .flat_map(sources)
        .map(|path| {
            let module = path.with_extension("").display().to_string();
            (module, fs::read_to_string(&path).expect("a source"))
        })
        .collect();
    let exists = |name: &str| {
        let (module, function) = name.rsplit_once("::").unwrap_or(("", name));
        code.iter().any(|(path, text)| {
            path.ends_with(&format!("/{}", name.replace("::", "/")))
                || (path.ends_with(&module.replace("::", "/"))
                    && [format!("fn {function}"), format!("mod {function} ")]
                        .iter()
                        .any(|item| text.contains(item)))
        })
    };
    let is_name = |text: &str| {
        text.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == ':')
            && (text.contains("::") || text.contains('_'))
    };
    let promises = page.lines().filter(|line| line.starts_with('|'));
    let names = promises.flat_map(|line| line.split('`').skip(1).step_by(2));
    let names: Vec<&str> = names.filter(|text| is_name(text)).collect();
    assert!(names.len() > 40, "{} names", names.len());
    let missing: Vec<&&str> = names.iter().filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "these tests do not exist: {missing:?}");
}
