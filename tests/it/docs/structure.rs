//! Rules for the source text: short functions, small structs, no import cycles.
//!
//! Simple text rules are enough, because rustfmt formats the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::layers_and_links::{SOURCES, sources, split_tests};

/// Maximum length of a function, in lines.
const LONGEST: usize = 100;

/// Maximum number of fields of a struct.
const MOST_FIELDS: usize = 16;

/// Structs that may have more fields, because they are data tables with one line for each field: columns of
/// the world, colours of a theme, a report.
const TABLES: [&str; 3] = ["Hues", "Explanation", "State"];

/// Returns the functions of a text, each with its number of lines from `fn` to the closing brace at the
/// same indentation.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = vec![];
    for (first, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let (head, rest) = code.split_once("fn ").unwrap_or_default();
        let is_head = |word: &str| matches!(word, "const" | "async") || word.starts_with("pub");
        let is_body = rest.ends_with('{') || rest.ends_with('(') || rest.ends_with('>');
        if rest.is_empty() || !is_body || !head.split_whitespace().all(is_head) {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - code.len()]);
        let length = lines[first..].iter().position(|line| line.starts_with(&end));
        let name = rest.split(['(', '<']).next().unwrap_or_default();
        found.push((name, length.map_or(0, |length| length + 1)));
    }
    found
}

/// Returns the structs of a text, each with its number of fields.
fn structs(text: &str) -> Vec<(&str, usize)> {
    let mut found = vec![];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((head, rest)) = line.split_once("struct ") else { continue };
        if !line.ends_with('{') || !(head.is_empty() || head.starts_with("pub")) {
            continue;
        }
        let is_field = |line: &&str| {
            let line = line.strip_prefix("    ").unwrap_or_default();
            let line = line.rsplit_once("pub").map_or(line, |(_, rest)| rest);
            let name = line.split(": ").next().unwrap_or_default();
            let name = name.trim_start_matches("(crate)").trim_start_matches("(super)").trim();
            line.contains(": ") && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        let fields = lines.by_ref().take_while(|line| *line != "}").filter(is_field).count();
        found.push((rest.split([' ', '<']).next().unwrap_or_default(), fields));
    }
    found
}

#[test]
fn functions_and_structs_do_not_exceed_the_size_limits() {
    let mut large = vec![];
    let (mut function_count, mut struct_count) = (0, 0);
    for path in SOURCES.into_iter().flat_map(sources) {
        let text = fs::read_to_string(&path).expect("a source");
        let (functions, structs) = (functions(&text), structs(&text));
        function_count += functions.len();
        struct_count += structs.len();
        let functions = functions.into_iter().filter(|(_, lines)| *lines > LONGEST);
        let allowed = |name: &str| TABLES.contains(&name);
        let structs =
            structs.into_iter().filter(|(name, fields)| *fields > MOST_FIELDS && !allowed(name));
        let place = path.display();
        large.extend(functions.map(|(name, lines)| format!("{place}: {name}: {lines} lines")));
        large.extend(structs.map(|(name, fields)| format!("{place}: {name}: {fields} fields")));
    }
    assert!(function_count > 2000 && struct_count > 200, "{function_count} {struct_count}");
    assert!(large.is_empty(), "{}", large.join("\n"));
}

#[test]
fn lines_of_functions_and_fields_of_structs_are_counted() {
    let text = "pub struct A<'a> {\n    /// One: two.\n    pub b: u8,\n    pub(crate) c: &'a str,\n}\n\
                impl A<'_> {\n    pub const fn d(\n        &self,\n    ) {\n        e();\n    }\n}\n";
    assert_eq!(structs(text), [("A", 2)]);
    assert_eq!(functions(text), [("d", 5)]);
}

/// Path of a module, as a list of names.
type Module = Vec<String>;

/// Returns the module of a file.
fn module_of(path: &Path, folder: &str) -> Module {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let inside = path.strip_prefix(root).expect("a file in the folder").with_extension("");
    let names = inside.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "lib" && name != "main").collect()
}

/// Reads a path, or a tree of paths such as `a::{b, c::d}`, and adds the paths to `found`. Returns the rest of
/// the text.
fn read_tree<'a>(mut text: &'a str, prefix: &Module, found: &mut Vec<Module>) -> &'a str {
    let mut path = prefix.clone();
    loop {
        text = text.trim_start();
        if let Some(mut list) = text.strip_prefix('{') {
            loop {
                list = read_tree(list, &path, found);
                let end = list.find([',', '}']).unwrap_or(list.len());
                let (_, rest) = list.split_at(end);
                match rest.strip_prefix(',') {
                    Some(rest) => list = rest,
                    None => return rest.strip_prefix('}').unwrap_or(rest),
                }
            }
        }
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        path.push(name.to_owned());
        let Some(inner) = rest.strip_prefix("::") else {
            found.push(path);
            return rest;
        };
        text = inner;
    }
}

/// Returns all paths in a text that begin with `crate`, `super` or `self`.
fn paths(text: &str) -> Vec<Module> {
    let code: Vec<&str> =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let mut found = vec![];
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
                read_tree(&code[at..], &vec![], &mut found);
            }
        }
    }
    found
}

/// Returns the module that a path names in the module `here`.
fn target(path: &[String], here: &Module, modules: &BTreeSet<Module>) -> Option<Module> {
    let mut at = here.clone();
    let mut path = path.iter();
    match path.next().map(String::as_str) {
        Some("crate") => at.clear(),
        Some("super") => drop(at.pop()),
        _ => {}
    }
    for name in path {
        if name == "super" {
            at.pop();
            continue;
        }
        at.push(name.clone());
        if !modules.contains(&at) {
            at.pop();
            break;
        }
    }
    (!at.is_empty()).then_some(at)
}

/// Returns the groups of files in a folder that import each other. Imports between a module and its own
/// submodules do not count.
fn cycles(folder: &str) -> Vec<BTreeSet<String>> {
    let files: BTreeMap<Module, String> = sources(folder)
        .into_iter()
        .map(|path| (module_of(&path, folder), fs::read_to_string(&path).expect("a source")))
        .collect();
    let modules: BTreeSet<Module> = files.keys().cloned().collect();
    let mut imports: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, text) in &files {
        let (production, _) = split_tests(text);
        let targets = paths(&production).into_iter().filter_map(|it| target(&it, module, &modules));
        let related = |other: &Module| other.starts_with(module) || module.starts_with(other);
        imports.insert(module, targets.filter(|other| !related(other)).collect());
    }
    let reachable = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            for next in imports.get(&module).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        modules.iter().map(|module| (module, reachable(module))).collect();
    let group = |module: &Module| -> BTreeSet<String> {
        let mutual = |other: &&Module| reached[other].contains(module);
        reached[module].iter().filter(mutual).map(|other| other.join("::")).collect()
    };
    let groups: BTreeSet<_> = modules.iter().map(group).filter(|group| !group.is_empty()).collect();
    groups.into_iter().collect()
}

#[test]
fn files_have_no_import_cycles() {
    let mut found = vec![];
    for folder in SOURCES {
        found.extend(cycles(folder).into_iter().map(|group| format!("{folder}: {group:?}")));
    }
    assert!(found.is_empty(), "files import each other:\n{}", found.join("\n"));
}

#[test]
fn module_paths_are_found_in_imports_and_in_code() {
    let text = "use super::{a, b::{self, C}};\n// crate::not\nlet x = crate::d::E::new();\n";
    let mut found: Vec<String> = paths(text).into_iter().map(|path| path.join("::")).collect();
    found.sort();
    let expected = ["crate::d::E::new", "super::a", "super::b::C", "super::b::self"];
    assert_eq!(found, expected);
}
