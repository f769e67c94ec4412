//! Words that messages, documents and tests avoid, because a plainer word exists for each of them.

use std::fs;
use std::path::{Path, PathBuf};

use super::layers_and_links::{SOURCES, TESTS, sources, split_tests};

/// Ruled-out words, in lower case. Only whole words count.
const RULED_OUT: [&str; 20] = [
    "whoever",
    "whomever",
    "somebody",
    "nobody",
    "everybody",
    "anybody",
    "anew",
    "whence",
    "looked at",
    "looks at",
    "so many",
    "goes on",
    "go on",
    "is told",
    "tells",
    "told",
    "let time",
    "dice",
    "the ledger",
    "quarantine",
];

/// Ruled-out words in test names and in comments of tests, in addition to [`RULED_OUT`].
const RULED_OUT_IN_TESTS: [&str; 2] = ["whom", "asker"];

/// Ruled-out words in test names, in addition to [`RULED_OUT_IN_TESTS`].
const RULED_OUT_IN_NAMES: [&str; 3] = ["who", "thing", "things"];

/// Returns all files with the given extension in a folder and its subfolders, sorted by path.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|each| each == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the string literals of Rust code. Skips comments and character literals.
fn literals(code: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), code);
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, here) = rest.split_at(at);
        if here.starts_with("//") {
            rest = here.split_once('\n').map_or("", |(_, below)| below);
        } else if here.starts_with("'\"'") || here.starts_with("'\\\"'") {
            rest = &here[here.find("\"'").unwrap() + 2..];
        } else if here.starts_with('"') && before.ends_with("r#") {
            let end = here.find("\"#").unwrap_or(here.len());
            found.push(here[1..end].to_owned());
            rest = &here[end + 2..];
        } else if let Some(inside) = here.strip_prefix('"') {
            let mut escaped = false;
            let ends = |c: char| {
                let is_end = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                is_end
            };
            let end = inside.find(ends).expect("the end of a literal");
            found.push(inside[..end].replace("\\\n", " "));
            rest = &inside[end + 1..];
        } else {
            rest = &here[1..];
        }
    }
    found
}

/// Returns the ruled-out words that a text contains. Ignores code in backticks and variables in braces.
fn ruled_out(text: &str) -> Vec<&'static str> {
    contained(&RULED_OUT, text)
}

/// Returns the words of a list that a text contains. Ignores code in backticks and variables in braces.
fn contained(list: &[&'static str], text: &str) -> Vec<&'static str> {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let outside = |part: &str| part.rsplit('}').next().unwrap_or_default().to_owned();
    let prose: String = prose.split('{').map(outside).collect::<Vec<_>>().join(" ");
    let plain = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { ' ' };
    let words = prose.to_lowercase().chars().map(plain).collect::<String>();
    let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
    list.iter().copied().filter(|word| words.contains(&format!(" {word} "))).collect()
}

/// Returns the names of the test functions in Rust code.
fn test_names(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut lines = code.lines().map(str::trim_start);
    while let Some(line) = lines.next() {
        if line == "#[test]" {
            let function = lines.by_ref().find_map(|line| line.strip_prefix("fn "));
            found.extend(function.and_then(|rest| rest.split('(').next()));
        }
    }
    found
}

/// Returns the comments of Rust code, each with the number of its first line. Consecutive comment lines are
/// one comment.
fn comments(code: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (number, line) in code.lines().enumerate() {
        let whole = line.trim_start().strip_prefix("//");
        let comment = whole.or_else(|| line.split_once(" // ").map(|(_, comment)| comment));
        if let Some(comment) = comment {
            let comment = comment.trim_start_matches(['/', '!']);
            match found.last_mut() {
                Some((_, text)) if continues && whole.is_some() => text.push_str(comment),
                _ => found.push((number + 1, comment.to_owned())),
            }
        }
        continues = whole.is_some();
    }
    found
}

/// Returns the test modules of a file of source code, on their lines. Files whose names begin with
/// `tests` contain only tests.
fn unit_tests(path: &Path, text: &str) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.starts_with("tests") { text.to_owned() } else { split_tests(text).1 }
}

#[test]
fn string_literals_are_found_and_comments_are_skipped() {
    let code = "let a = \"one \\\" two\"; // \"not this\"\nlet b = '\"'; f(r#\"raw\"#, \"three\");";
    assert_eq!(literals(code), ["one \\\" two", "raw", "three"]);
    assert_eq!(ruled_out("Somebody goes on; `told` stays"), ["somebody", "goes on"]);
}

#[test]
fn test_names_and_comments_are_found_in_source_code() {
    let code = "//! Two\n//! lines\n\n/// One\n#[test]\n#[ignore]\n\
                fn a_b() {\n    f(\"x\"); // c // d\n}\n";
    assert_eq!(test_names(code), ["a_b"]);
    let expected = [(1, " Two lines"), (4, " One"), (8, "c // d")];
    assert!(comments(code).into_iter().eq(expected.map(|(line, text)| (line, text.to_owned()))));
    let file = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(unit_tests(Path::new("a.rs"), file), "\n\n#[cfg(test)]\nmod tests {\n}\n");
    assert_eq!(unit_tests(Path::new("tests.rs"), file), file);
}

#[test]
fn messages_use_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = Vec::new();
    let mut count = 0;
    let folders = ["src", "crates/tilewalk-files/src", "crates/tilewalk-sim/src"];
    for path in folders.into_iter().flat_map(|folder| files(&root.join(folder), "rs")) {
        let text = fs::read_to_string(&path).unwrap();
        let (production, _) = split_tests(&text);
        let help = path.ends_with("cli/args.rs") || path.starts_with(root.join("src/cli/args"));
        let help =
            production.lines().filter(|_| help).filter_map(|line| line.trim().strip_prefix("///"));
        for text in literals(&production).into_iter().chain(help.map(ToOwned::to_owned)) {
            count += 1;
            let words = ruled_out(&text);
            if !words.is_empty() {
                broken.push(format!("{}: {words:?} in \"{text}\"", path.display()));
            }
        }
    }
    assert!(count > 3000, "only {count} literals");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn documents_and_comments_of_shipped_files_use_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = files(&root.join("docs"), "md");
    paths.extend(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    paths.extend(files(&root.join("maps"), "toml"));
    paths.extend(files(&root.join("patterns"), "toml"));
    let mut broken = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let is_code = path.extension().is_some_and(|ending| ending == "toml");
        for (number, line) in text.lines().enumerate() {
            let prose =
                if is_code { line.split_once('#').map_or("", |(_, prose)| prose) } else { line };
            let words = ruled_out(prose);
            if !words.is_empty() {
                broken.push(format!("{}:{}: {words:?}", path.display(), number + 1));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn test_names_and_comments_use_plain_words() {
    let in_comments = [&RULED_OUT[..], &RULED_OUT_IN_TESTS].concat();
    let in_names = [&in_comments[..], &RULED_OUT_IN_NAMES].concat();
    let (mut broken, mut name_count, mut comment_count) = (Vec::new(), 0, 0);
    let mut check = |path: &Path, code: &str| {
        for name in test_names(code) {
            name_count += 1;
            let words = contained(&in_names, &name.replace('_', " "));
            if !words.is_empty() {
                broken.push(format!("{}: {words:?} in {name}", path.display()));
            }
        }
        for (line, comment) in comments(code) {
            comment_count += 1;
            let words = contained(&in_comments, &comment);
            if !words.is_empty() {
                let place = format!("{}:{line}", path.display());
                broken.push(format!("{place}: {words:?} in \"{}\"", comment.trim()));
            }
        }
    };
    for path in TESTS.into_iter().flat_map(sources) {
        check(&path, &fs::read_to_string(&path).unwrap());
    }
    for path in SOURCES.into_iter().flat_map(sources) {
        let text = fs::read_to_string(&path).unwrap();
        check(&path, &unit_tests(&path, &text));
    }
    assert!(name_count > 1500 && comment_count > 1500, "{name_count} {comment_count}");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
