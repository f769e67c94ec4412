//! `tilewalk import` of text maps, and `tilewalk new`. The module `tmx` tests maps of Tiled.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;
use tilewalk::scenario::Scenario;

/// Runs tilewalk. Returns the exit code, standard output and standard error.
pub fn tilewalk(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilewalk").expect("binary exists");
    let output = command.args(args).output().expect("program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Returns the rows of a map as glyphs.
pub fn rows(scenario: &Scenario) -> Vec<String> {
    let (map, glyph) = (scenario.map(), |tile| scenario.map().kind(tile).unwrap().glyph.clone());
    let row = |y| (0..map.width() as i32).map(|x| glyph(TilePos::new(x, y))).collect();
    (0..map.height() as i32).map(row).collect()
}

/// Writes a file into a folder. Returns its path.
pub fn write_file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_text_map_is_imported_with_its_glyphs() {
    let folder = tempfile::tempdir().unwrap();
    let txt = write_file(folder.path(), "cave.txt", "#####\n#.>%#\n#'''#\n#\\\".#\n#####\n");
    let (code, out, err) = tilewalk(&["import", &txt]);
    assert!(code == 0 && err.contains("unknown glyph `>` is imported as floor"), "{err}");
    let map = write_file(folder.path(), "cave.toml", &out);
    assert_eq!(
        tilewalk(&["check", "--strict", &map]),
        (0, "1 file: no errors, no warnings\n".into(), String::new())
    );
    let loaded = files::load(&Origin::Disk(map.into()), &Options::default()).unwrap();
    assert_eq!(rows(&loaded.scenario.unwrap())[2..4], ["#'''#", "#\\\".#"]);
    let invalid = write_file(folder.path(), "a.map", "type octile\nheight 1\nwidth 9\nmap\n..\n");
    let (code, out, err) = tilewalk(&["import", &invalid]);
    assert!(code == 2 && out.is_empty() && err.contains("the header gives width 9"), "{err}");
    for args in [&["import", "a.png"][..], &["import", "nowhere.tmx"], &["import"]] {
        assert_eq!(tilewalk(args).0, 2, "{args:?}");
    }
}

#[test]
fn a_new_map_runs_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::cargo_bin("tilewalk").unwrap();
        let output = command.current_dir(folder.path()).args(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, _) = run(&["new", "my-cellar"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("created maps/my-cellar.toml") && out.contains("tilewalk check"), "{out}");
    assert_eq!(run(&["check", "--strict", "maps", "patterns"]).0, Some(0));
    let chase = "guard.mode == \"chase\"";
    let (code, out, _) = run(&["run", "maps/my-cellar.toml", "--frames", "4000", "--until", chase]);
    assert_eq!(code, Some(0), "the exit code is 0: {out}");
    let before = fs::read_to_string(folder.path().join("maps/my-cellar.toml")).unwrap();
    let (code, _, err) = run(&["new", "my-cellar"]);
    assert!(code == Some(2) && err.contains("maps/my-cellar.toml already exists"), "{err}");
    fs::remove_file(folder.path().join("maps/my-cellar.toml")).unwrap();
    fs::write(folder.path().join("patterns/my-cellar_round.toml"), "kind = \"path\"\n").unwrap();
    let (code, _, err) = run(&["new", "my-cellar"]);
    assert!(code == Some(2) && err.contains("patterns/my-cellar_round.toml"), "{err}");
    assert!(
        before.starts_with("# my-cellar:") && !folder.path().join("maps/my-cellar.toml").exists()
    );
    for name in ["../x", "", "a b", "é", "a/b"] {
        assert_eq!(run(&["new", name]).0, Some(2), "{name}");
    }
}

#[cfg(not(feature = "tiled"))]
#[test]
fn a_build_without_the_feature_tiled_refuses_tiled_maps() {
    let folder = tempfile::tempdir().unwrap();
    let tmx = write_file(folder.path(), "a.tmx", "<map/>");
    let tsx = write_file(folder.path(), "a.tsx", "<tileset/>");
    let map = write_file(folder.path(), "a.toml", "tiles_file = 'a.tmx'\n");
    let why = "this build can't read Tiled maps: it was built without the feature `tiled`";
    for (args, expected) in [
        (&["check", &tmx][..], 1),
        (&["check", &tsx], 1),
        (&["check", &map], 1),
        (&["import", &tmx], 2),
        (&["run", &map, "--frames", "1"], 2),
    ] {
        let (code, out, err) = tilewalk(args);
        assert!(code == expected && (out + &err).contains(why), "{args:?}: {code}");
    }
}
