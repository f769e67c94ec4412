//! Words that messages and documents avoid. Each has a plainer one, so that users find what they search
//! for.

use std::fs;
use std::path::{Path, PathBuf};

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

/// The string literals of Rust code; comments and character literals are skipped.
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

/// The ruled-out words a text contains. Code in backticks and names of variables in braces are no prose.
fn ruled_out(text: &str) -> Vec<&'static str> {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let outside = |part: &str| part.rsplit('}').next().unwrap_or_default().to_owned();
    let prose: String = prose.split('{').map(outside).collect::<Vec<_>>().join(" ");
    let plain = |c: char| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { ' ' };
    let words = prose.to_lowercase().chars().map(plain).collect::<String>();
    let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
    RULED_OUT.into_iter().filter(|word| words.contains(&format!(" {word} "))).collect()
}

#[test]
fn a_literal_is_found_and_a_comment_is_not() {
    let code = "let a = \"one \\\" two\"; // \"not this\"\nlet b = '\"'; f(r#\"raw\"#, \"three\");";
    assert_eq!(literals(code), ["one \\\" two", "raw", "three"]);
    assert_eq!(ruled_out("Somebody goes on; `told` stays"), ["somebody", "goes on"]);
}

#[test]
fn messages_use_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = Vec::new();
    let mut count = 0;
    let folders = ["src", "crates/tilewalk-files/src", "crates/tilewalk-sim/src"];
    for path in folders.into_iter().flat_map(|folder| files(&root.join(folder), "rs")) {
        let text = fs::read_to_string(&path).unwrap();
        let production = text.split("#[cfg(test)]").next().unwrap_or_default();
        let help = path.ends_with("cli/args.rs") || path.starts_with(root.join("src/cli/args"));
        let help =
            production.lines().filter(|_| help).filter_map(|line| line.trim().strip_prefix("///"));
        for text in literals(production).into_iter().chain(help.map(ToOwned::to_owned)) {
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
