//! The pictures of the documents are made by the commands beside them. `UPDATE_DOCS=1` writes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bytes of the picture and the film of the readme together.
const README_BYTES: u64 = 300_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages with pictures: their paths and texts.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = docs.chain([root().join("README.md")]).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    let page = |path: PathBuf| fs::read_to_string(&path).map(|text| (path, text)).unwrap();
    paths.into_iter().map(page).collect()
}

/// Returns the file names of the pictures that a page shows.
fn shown(text: &str) -> impl Iterator<Item = &str> {
    text.split("![").skip(1).filter_map(|part| {
        let (_, path) = part.split_once("](")?;
        path.split(')').next()?.rsplit_once("pictures/").map(|(_, name)| name)
    })
}

/// Returns the command of a page that writes a file.
fn command<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let ends = [format!(" --output {name}"), format!(" --plot {name}")];
    let is_writing = |line: &&str| {
        line.starts_with("tilewalk ") && ends.iter().any(|end| line.trim_end().ends_with(end))
    };
    text.lines().find(is_writing)
}

/// Runs a command in a folder with links to the maps. Returns the file that it writes.
fn written(line: &str, name: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    for shared in ["maps", "patterns", "sweeps"] {
        std::os::unix::fs::symlink(root().join(shared), folder.path().join(shared)).unwrap();
    }
    let script = format!("tilewalk() {{ '{}' \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_tilewalk"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read(folder.path().join(name)).unwrap()
}

/// Pixels can differ between kinds of processors, so only the sizes of films are compared.
#[test]
fn pictures_of_the_documents_are_written_by_their_commands() {
    let folder = root().join("docs/pictures");
    let mut made = BTreeMap::new();
    for (page, text) in pages() {
        for name in shown(&text) {
            let place = page.display();
            let line = command(&text, name);
            let line = line.unwrap_or_else(|| panic!("{place}: no command writes {name}"));
            made.insert(name.to_owned(), (line.to_owned(), written(line, name)));
        }
    }
    assert!(made.len() >= 6, "{:?}", made.keys());
    let is_updated = std::env::var_os("UPDATE_DOCS").is_some();
    if is_updated {
        fs::create_dir_all(&folder).unwrap();
    }
    for (name, (line, bytes)) in &made {
        let path = folder.join(name);
        let kept = fs::read(&path).unwrap_or_default();
        let is_vector = name.contains(".svg");
        let is_same = if is_vector { kept == *bytes } else { kept.get(..10) == bytes.get(..10) };
        if is_updated && !is_same {
            fs::write(&path, bytes).unwrap();
        } else {
            assert!(is_same, "{name} is not the output of `{line}`: run UPDATE_DOCS=1 cargo test");
        }
    }
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, made.keys().cloned().collect::<Vec<_>>(), "each file is shown by a page");
}

#[test]
fn the_pictures_of_the_readme_are_small() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let size = |name: &str| fs::metadata(root().join("docs/pictures").join(name)).unwrap().len();
    let sizes: Vec<u64> = shown(&text).map(size).collect();
    assert!(sizes.len() == 2 && sizes.iter().sum::<u64>() <= README_BYTES, "{sizes:?}");
}

/// Labels of the annotated screen: row, column and text. They lie on empty cells.
const LABELS: [(usize, usize, &str); 8] = [
    (2, 3, "① map view"),
    (17, 75, "② inspector"),
    (18, 75, "③ page names ↓"),
    (22, 88, "④ agents"),
    (27, 80, "⑤ timeline"),
    (28, 80, "⑥ status line"),
    (29, 81, "⑦"),
    (22, 3, "⑧ overlays: * and ¹"),
];

/// The annotated screen of docs/screen.md is the screen with labels.
#[test]
fn the_annotated_screen_is_real() {
    let path = root().join("docs/screen.md");
    let text = fs::read_to_string(&path).unwrap();
    let line = "tilewalk render maps/yard.toml --look screen --size 100x30 --frame 124 --agent hare \
                --output screen.txt";
    let screen = String::from_utf8(written(line, "screen.txt")).unwrap();
    let mut rows: Vec<Vec<char>> = screen.lines().map(|row| row.chars().collect()).collect();
    for (row, column, label) in LABELS {
        for (at, letter) in (column..).zip(label.chars()) {
            let row = &mut rows[row];
            row.resize(row.len().max(at + 1), ' ');
            assert_eq!(row[at], ' ', "{label} covers a part of the screen");
            row[at] = letter;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    let block = text.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let real = format!("{}\n", rows.join("\n"));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, text.replacen(block, &real, 1)).unwrap();
    } else {
        assert!(block == real, "run UPDATE_DOCS=1 cargo test; the screen is\n{real}");
    }
}
