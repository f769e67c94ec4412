//! Every file in `tests/broken` has a different error. The expected reports are in
//! `tests/broken/snapshots`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tilewalk_files::{Options, Origin, ReadError, Report};

/// Folder of the invalid files, as a relative path, so that reports are the same on every machine.
const FOLDER: &str = "tests/broken";

/// Asserts that a text is safe to print on a terminal.
fn assert_printable(text: &str, what: &str) {
    for c in text.chars() {
        assert!(c == '\n' || !c.is_control(), "{what} prints {c:?}:\n{text}");
        assert!(!matches!(c, '\u{202a}'..='\u{202e}'), "{what} prints {c:?}:\n{text}");
    }
}

/// Checks a file, and asserts that its report is safe to print.
fn check(path: &Path) -> Report {
    let report = tilewalk_files::check(&[path.to_owned()], None).unwrap();
    assert_printable(&report.plain(), &path.display().to_string());
    for entry in report.entries() {
        let json = format!("{} {} {}", entry.file, entry.message, entry.help);
        assert_printable(&json, &path.display().to_string());
    }
    report
}

/// Writes a map to a new folder. Returns the folder and the path of the map.
fn write_map(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let maps = folder.path().join("maps");
    fs::create_dir(&maps).unwrap();
    let path = maps.join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn messages(report: &Report) -> Vec<String> {
    report
        .entries()
        .map(|entry| format!("{}:{}: {}", entry.line, entry.column, entry.message))
        .collect()
}

/// Returns the messages about a map, each with its line and column.
fn problems(bytes: &[u8]) -> Vec<String> {
    let (_folder, path) = write_map("map.toml", bytes);
    messages(&check(&path))
}

#[test]
fn reports_on_invalid_files_match_the_snapshots() {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    // Builds without the feature `tiled` refuse `.tmx` files.
    paths.retain(|path| {
        cfg!(feature = "tiled") || !fs::read_to_string(path).is_ok_and(|text| text.contains(".tmx"))
    });
    paths.sort();
    assert!(paths.len() >= 45, "only {} files", paths.len());
    insta::with_settings!({
        snapshot_path => "../broken/snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        for path in &paths {
            let report = check(path);
            assert_ne!(report.diagnostics().len(), 0, "{} has no problems", path.display());
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            insta::assert_snapshot!(name, report.plain());
        }
    });
}

#[test]
fn invalid_utf_8_and_control_characters_in_a_map_are_errors() {
    assert_eq!(problems(b"title = \"a\"\nx = \"\xFF\"\n"), ["2:6: invalid UTF-8: byte 0xFF"]);
    assert_eq!(
        problems(b"title = \"a\0b\"\n# \x1b[31m\n"),
        [
            "1:11: control character U+0000 is not allowed",
            "2:3: control character U+001B is not allowed"
        ]
    );
    assert_eq!(
        problems("# \u{9b}31m\n".as_bytes()),
        ["1:3: control character U+009B is not allowed"]
    );
    assert_eq!(problems(b""), ["1:1: missing `tiles` or `tiles_file`"]);
    assert_eq!(problems(b"\xEF\xBB\xBF"), ["1:1: missing `tiles` or `tiles_file`"]);
}

#[test]
fn a_report_lists_at_most_500_problems_of_a_file() {
    let keys = (0..510).map(|index| format!("a{index} = 1\n")).collect::<Vec<_>>().concat();
    let found = problems(format!("tiles = '.'\n{keys}").as_bytes());
    assert_eq!(found.len(), 501);
    assert_eq!(found[0], "2:1: unknown key `a0`");
    assert_eq!(found[500], "512:1: not shown: 10 more problems in this file");
}

#[test]
fn directories_and_pipes_in_place_of_a_map_are_not_opened() {
    let (folder, path) = write_map("map.toml", b"");
    let load =
        |path: &Path| tilewalk_files::load(&Origin::Disk(path.to_owned()), &Options::default());
    assert!(load(folder.path()).unwrap_err().to_string().contains("is a directory"));
    assert!(load(&path.with_file_name("none.toml")).is_err());
    let pipe = path.with_file_name("pipe.toml");
    if Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        assert!(load(&pipe).unwrap_err().to_string().contains("is a pipe or a device"));
        assert!(matches!(tilewalk_files::check(&[pipe], None), Err(ReadError::NotAFile { .. })));
    }
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let (_folder, path) = write_map("map.toml", b"");
    fs::File::options().write(true).open(&path).unwrap().set_len(10_000_000_000).unwrap();
    #[expect(clippy::disallowed_methods, reason = "the refusal must be quick")]
    let begin = std::time::Instant::now();
    assert_eq!(messages(&check(&path)), ["1:1: the file is larger than 64 MiB"]);
    assert!(begin.elapsed().as_millis() <= 100);
}

#[test]
#[cfg(unix)]
fn a_pattern_or_tiles_file_that_links_outside_its_directory_is_refused() {
    let map = "tiles = '''\n...\n'''\n[[agent]]\nname = \"a\"\nat = [0, 0]\npattern = \"out\"\n";
    let (folder, path) = write_map("map.toml", map.as_bytes());
    let patterns = folder.path().join("patterns");
    fs::create_dir(&patterns).unwrap();
    let outside = folder.path().join("outside.toml");
    fs::write(&outside, "kind = \"path\"\nvertices = [[0, 0], [2, 0]]\n").unwrap();
    std::os::unix::fs::symlink(&outside, patterns.join("out.toml")).unwrap();
    let refusal = "7:11: the pattern `out` links to a file outside its directory";
    assert_eq!(messages(&check(&path)), [refusal]);

    // A link to a file in the same folder is valid.
    fs::remove_file(patterns.join("out.toml")).unwrap();
    fs::rename(&outside, patterns.join("in.toml")).unwrap();
    std::os::unix::fs::symlink(patterns.join("in.toml"), patterns.join("out.toml")).unwrap();
    assert_eq!(messages(&check(&path)), [""; 0]);

    let tiles = "tiles_file = \"rows.txt\"\n";
    fs::write(&path, tiles).unwrap();
    std::os::unix::fs::symlink("/dev/zero", path.with_file_name("rows.txt")).unwrap();
    let refusal = "1:14: the file `rows.txt` links to a file outside its directory";
    assert_eq!(messages(&check(&path)), [refusal]);
}

#[test]
fn directories_in_place_of_a_tiles_file_or_pattern_are_errors() {
    let map = "tiles_file = \"rows.txt\"\n[[agent]]\nname = \"a\"\nat = [0, 0]\npattern = \"p\"\n";
    let (_folder, path) = write_map("map.toml", map.as_bytes());
    fs::create_dir(path.with_file_name("rows.txt")).unwrap();
    fs::create_dir(path.with_file_name("p.toml")).unwrap();
    assert_eq!(
        messages(&check(&path)),
        [
            "1:14: the file `rows.txt` can't be read: this is a directory, not a regular file",
            "5:11: the pattern `p` can't be read: this is a directory, not a regular file"
        ]
    );
}

#[test]
fn escape_sequences_in_file_names_are_printed_as_text() {
    let (folder, _) = write_map("map.toml", b"");
    let path = folder.path().join("maps/\u{1b}[31mred\u{202e}.toml");
    fs::write(&path, "a = 1").unwrap();
    let report = check(&path);
    assert!(report.plain().contains("\\u{1b}[31mred\\u{202e}.toml"), "{}", report.plain());
}

#[test]
fn problems_in_a_pattern_of_two_agents_are_reported_once() {
    let agent = |name| format!("[[agent]]\nname = \"{name}\"\nat = [0, 0]\npattern = \"p\"\n");
    let map = format!("tiles = '''\n...\n'''\n{}{}", agent("a"), agent("b"));
    let (folder, path) = write_map("map.toml", map.as_bytes());
    let patterns = folder.path().join("patterns");
    fs::create_dir(&patterns).unwrap();
    fs::write(patterns.join("p.toml"), "kind = \"path\"\n").unwrap();
    let missing = ["1:1: missing key `vertices` in a path pattern"];
    assert_eq!(messages(&check(&path)), missing);
    let both = [folder.path().to_owned()];
    assert_eq!(messages(&tilewalk_files::check(&both, None).unwrap()), missing);
    assert!(
        tilewalk_files::load(&Origin::Disk(path), &Options::default()).unwrap().scenario.is_none()
    );
}

#[test]
fn a_map_of_blank_rows_is_an_error() {
    for rows in ["\n", "\n\n", "\n\r\n\n"] {
        let text = format!("tiles = '''\n{rows}'''\n");
        let origin = tilewalk_test_support::builtin::text("blank.toml", text);
        let loaded = tilewalk_files::load(&origin, &Options::default()).expect("text is readable");
        let report = loaded.report.plain();
        assert!(loaded.scenario.is_none() && report.contains("the map has no tiles"), "{report}");
    }
}
