//! `tilewalk import --update`: a changed source is imported again, and the user's edits survive.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use proptest::prelude::*;
use tilewalk::files::{self, Options, Origin};

use super::basics::{rows, tilewalk, write_file};
use crate::support::build::cases;
#[cfg(feature = "tiled")]
use crate::support::tmx::{Encoding, layer, map, set};

/// A temporary folder with a source and its imported map.
pub struct ImportFolder {
    folder: tempfile::TempDir,
    pub source: String,
    pub map: String,
}

impl ImportFolder {
    /// Imports a file with this name and text.
    pub fn new(name: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("drawn")).unwrap();
        let source = write_file(&folder.path().join("drawn"), name, text);
        let map = folder.path().join("maps/a.toml").display().to_string();
        let (code, _, err) = tilewalk(&["import", &source, "--output", &map]);
        assert_eq!(code, 0, "{err}");
        Self { folder, source, map }
    }

    pub fn text(&self) -> String {
        fs::read_to_string(&self.map).unwrap()
    }

    /// Replaces text in the map, like an edit of the user.
    pub fn edit(&self, from: &str, to: &str) {
        let text = self.text();
        assert!(text.contains(from), "{text}");
        fs::write(&self.map, text.replacen(from, to, 1)).unwrap();
    }

    /// Updates the map. Returns the exit code, standard output and standard error.
    pub fn update(&self) -> (i32, String, String) {
        tilewalk(&["import", "--update", &self.map])
    }

    /// Returns the bytes of all files.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn all(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    all(&path, found);
                } else {
                    found.insert(path.clone(), fs::read(path).unwrap());
                }
            }
        }
        let mut found = BTreeMap::new();
        all(self.folder.path(), &mut found);
        found
    }
}

#[test]
fn an_update_from_an_unchanged_source_changes_no_byte() {
    let import = ImportFolder::new("a.txt", "#####\n#...#\n#####\n");
    let before = import.files();
    let (code, out, err) = import.update();
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("is up to date"), "{out}");
    assert_eq!(import.files(), before);
    import.edit("#...#", "#.~.#\r");
    import.edit("title", "  title");
    let before = import.files();
    assert_eq!(import.update().0, 0);
    assert_eq!(import.files(), before);
}

#[test]
fn an_update_from_a_changed_source_keeps_the_users_edits() {
    let import = ImportFolder::new("a.txt", "#####\n#...#\n#...#\n#####\n");
    import.edit("#...#", "#.~.#");
    import.edit("name  = \"wanderer\"", "name  = \"rover\"  # mine");
    let mine = "\n[[agent]]\nname = \"mine\"\nat = [1, 1]\n";
    fs::write(&import.map, import.text() + mine).unwrap();
    fs::write(&import.source, "######\n#....#\n#..#.#\n######\n").unwrap();
    let (code, out, err) = import.update();
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("tiles: ") && out.contains(" 1 edited by you"), "{out}");
    let text = import.text();
    assert!(text.contains("######\n#.~..#\n#..#.#\n######\n"), "{text}");
    assert!(text.contains("\"rover\"  # mine") && text.ends_with(mine), "{text}");
    assert_eq!(tilewalk(&["check", "--strict", &import.map]).0, 0);
    // The second update changes nothing: the record matches the new source.
    let before = import.files();
    assert_eq!(import.update().0, 0);
    assert_eq!(import.files(), before);
}

#[test]
fn conflicting_tiles_are_reported_and_keep_the_users_version() {
    let import = ImportFolder::new("a.txt", "#####\n#...#\n#####\n");
    import.edit("#...#", "#.~.#");
    fs::write(&import.source, "#####\n#.T.#\n#####\n").unwrap();
    let (code, _, err) = import.update();
    assert_eq!(code, 0);
    assert!(err.contains("a.toml: tile (2, 1) keeps `~`: the source now has `T`"), "{err}");
    assert!(import.text().contains("#.~.#"));
}

#[test]
fn an_update_uses_the_options_of_the_first_import() {
    let folder = tempfile::tempdir().unwrap();
    let source = write_file(folder.path(), "a.txt", "#####\n#.\n#####\n");
    let map = folder.path().join("b.toml").display().to_string();
    let (code, _, err) = tilewalk(&["import", &source, "--pad=~", "--output", &map]);
    assert_eq!(code, 0, "{err}");
    fs::write(&source, "#####\n##\n#####\n").unwrap();
    assert_eq!(tilewalk(&["import", "--update", &map]).0, 0);
    assert!(fs::read_to_string(&map).unwrap().contains("#####\n##~~~\n#####\n"));
}

/// The paths in the import record do not depend on the form of the paths on the command line.
#[test]
fn a_map_imported_with_paths_to_parent_folders_can_be_updated() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn");
    fs::create_dir(&drawn).unwrap();
    write_file(&drawn, "a.txt", "#####\n#...#\n#####\n");
    let run = |args: &[&str]| {
        let mut command = Command::cargo_bin("tilewalk").unwrap();
        let output = command.current_dir(&drawn).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["import", "../drawn/a.txt", "--output", "../maps/a.toml"]);
    let record = fs::read_to_string(folder.path().join("maps/a.import")).unwrap();
    assert!(record.contains("source = \"../drawn/a.txt\""), "{record}");
    write_file(&drawn, "a.txt", "#####\n#..##\n#####\n");
    run(&["import", "--update", "../maps/a.toml"]);
    let map = fs::read_to_string(folder.path().join("maps/a.toml")).unwrap();
    assert!(map.contains("#..##"), "{map}");
}

#[test]
fn an_update_changes_no_file_if_source_map_or_record_cannot_be_read() {
    let import = ImportFolder::new("a.txt", "#####\n#...#\n#####\n");
    import.edit("#...#", "#.~.#");
    fs::write(&import.source, "").unwrap();
    let before = import.files();
    let (code, _, err) = import.update();
    assert!(code == 2 && !err.is_empty(), "{err}");
    assert_eq!(import.files(), before);
    fs::remove_file(&import.source).unwrap();
    let before = import.files();
    assert_eq!(import.update().0, 2);
    assert_eq!(import.files(), before);
    fs::write(&import.source, "####\n#..#\n####\n").unwrap();
    fs::write(&import.map, "tiles = [").unwrap();
    let before = import.files();
    assert_eq!(import.update().0, 2);
    assert_eq!(import.files(), before);
    fs::remove_file(Path::new(&import.map).with_extension("import")).unwrap();
    let (code, _, err) = import.update();
    assert_eq!(code, 2);
    assert!(err.contains("is not the record of an import"), "{err}");
}

/// The merged map is checked as a map, not only as TOML.
#[test]
fn an_update_does_not_write_a_merged_map_with_errors() {
    let import = ImportFolder::new("a.txt", "#####\n#...#\n#...#\n#####\n");
    let mine = "\n[[agent]]\nname = \"mine\"\nat = [1, 1]\n";
    fs::write(&import.map, import.text() + mine).unwrap();
    fs::write(&import.source, "#####\n##..#\n#...#\n#####\n").unwrap();
    let before = import.files();
    let (code, out, err) = import.update();
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("a.toml (merged)") && err.contains("not walkable"), "{err}");
    assert!(err.contains("nothing was written; change the map or its source"), "{err}");
    assert_eq!(import.files(), before);
    import.edit("at = [1, 1]", "at = [2, 1]");
    assert_eq!(import.update().0, 0);
    assert!(import.text().contains("##..#") && import.text().ends_with("at = [2, 1]\n"));
}

/// Returns a Tiled map with one polyline.
#[cfg(feature = "tiled")]
fn with_line(points: &str, more: &str) -> String {
    let line = format!(
        "<objectgroup><object name=\"way\" x=\"8\" y=\"4\"><polyline points=\"{points}\"/></object>\
         {more}</objectgroup>"
    );
    let ground = layer("Ground", 3, 1, &Encoding::Csv.data(&[1, 1, 1]));
    map(3, 1, &(set("set", 3, &[]) + &ground + &line))
}

#[test]
#[cfg(feature = "tiled")]
fn updates_change_and_add_patterns_but_do_not_restore_deleted_ones() {
    let import = ImportFolder::new("a.tmx", &with_line("0,0 16,0", ""));
    let path = import.folder.path().join("patterns/a_way.toml");
    let mine = fs::read_to_string(&path).unwrap() + "# mine\n";
    fs::write(&path, &mine).unwrap();
    let second = "<object name=\"back\" x=\"8\" y=\"4\"><polyline points=\"16,0 0,0\"/></object>";
    fs::write(&import.source, with_line("0,0 32,0", second)).unwrap();
    let (code, _, err) = import.update();
    assert_eq!(code, 0, "{err}");
    let updated = fs::read_to_string(&path).unwrap();
    assert!(updated.ends_with("# mine\n") && updated != mine, "{updated}");
    let back = import.folder.path().join("patterns/a_back.toml");
    assert!(back.exists());
    fs::remove_file(&back).unwrap();
    fs::write(&import.source, with_line("0,0 16,0", second)).unwrap();
    assert_eq!(import.update().0, 0);
    assert!(!back.exists(), "a deleted pattern stays deleted");
}

/// Generates the tiles of a text map, each in three versions: as imported, as edited, and in the changed
/// source.
fn tiles() -> impl Strategy<Value = Vec<[char; 3]>> {
    let glyph = || prop::sample::select(vec!['.', '#', '~', ',']);
    prop::collection::vec([glyph(), glyph(), glyph()], 12)
}

proptest! {
    #![proptest_config(cases(24))]

    /// The tiles of the updated map are those of the user where the user changed them, and those of
    /// the source elsewhere.
    #[test]
    fn an_update_merges_tiles_from_base_user_and_source(tiles in tiles()) {
        let drawn = |version: usize| -> Vec<String> {
            tiles.chunks(4).map(|row| row.iter().map(|tile| tile[version]).collect()).collect()
        };
        let text = |version: usize| drawn(version).join("\n") + "\n";
        let import = ImportFolder::new("a.txt", &text(0));
        import.edit(&text(0), &text(1));
        fs::write(&import.source, text(2)).unwrap();
        let (code, _, err) = import.update();
        prop_assert_eq!(code, 0, "{}", err);
        let loaded = files::load(&Origin::Disk(import.map.clone().into()), &Options::default()).unwrap();
        let found: String = rows(&loaded.scenario.expect("map is valid")).concat();
        let expected: String = tiles
            .iter()
            .map(|[base, ours, theirs]| if ours == base { theirs } else { ours })
            .collect();
        prop_assert_eq!(found, expected);
        let conflicts = tiles
            .iter()
            .filter(|[base, ours, theirs]| ours != base && theirs != base && ours != theirs)
            .count();
        prop_assert_eq!(err.matches(" keeps `").count(), conflicts, "{}", err);
    }
}

#[test]
fn positions_move_along_if_a_column_is_added_on_the_left() {
    let import = ImportFolder::new("a.txt", "#####\n#..,#\n#####\n");
    import.edit("#..,#", "#.~,#");
    let own = "\n[places]\ngate = [3, 1]\n\n[[agent]]\nname = \"mine\"\nat = [1, 1]\n\
               steer = [ { do = \"seek\", target = [3, 1] } ]\n\n[[expect]]\nnever = \"distance(mine, [1, 1]) < -1\"\n";
    fs::write(&import.map, import.text() + own).unwrap();
    fs::write(&import.source, "######\n##..,#\n######\n######\n").unwrap();
    let (code, out, err) = import.update();
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("the tiles moved by (1, 0); 3 positions moved along"), "{out}");
    assert!(
        err.contains("is not moved by (1, 0)") && err.contains("distance(mine, [1, 1])"),
        "{err}"
    );
    let text = import.text();
    assert!(text.contains("######\n##.~,#\n######\n######\n"), "{text}");
    assert!(text.contains("gate = [4, 1]") && text.contains("at = [2, 1]"), "{text}");
    assert!(text.contains("target = [4, 1]") && text.contains("[1, 1]) < -1"), "{text}");
    let before = import.files();
    assert_eq!(import.update().0, 0);
    assert_eq!(import.files(), before);
}

/// The record of an infinite map holds its upper left tile, so that the movement is known even if the
/// tiles look the same everywhere.
#[cfg(feature = "tiled")]
#[test]
fn positions_move_along_if_an_infinite_map_grows_to_the_left() {
    let map = |x: i32, width: u32| {
        let tiles = vec!["1"; width as usize * 2].join(",");
        format!(
            "<map width=\"4\" height=\"4\" tilewidth=\"8\" tileheight=\"8\" infinite=\"1\">\
             <tileset firstgid=\"1\" name=\"set\" tilewidth=\"8\" tileheight=\"8\"/>\
             <layer name=\"Ground\" width=\"4\" height=\"4\"><data encoding=\"csv\">\
             <chunk x=\"{x}\" y=\"0\" width=\"{width}\" height=\"2\">{tiles}</chunk></data></layer>\
             <objectgroup><object name=\"door\" x=\"12\" y=\"4\"><point/></object></objectgroup></map>"
        )
    };
    let import = ImportFolder::new("a.tmx", &map(0, 4));
    assert!(import.text().contains("door = [1, 0]"));
    let mine = "\n[[agent]]\nname = \"mine\"\nat = [2, 1]\n";
    fs::write(&import.map, import.text() + mine).unwrap();
    fs::write(&import.source, map(-2, 6)).unwrap();
    let (code, out, err) = import.update();
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("the tiles moved by (2, 0)"), "{out}");
    let text = import.text();
    assert!(text.contains("door = [3, 0]") && text.contains("at = [4, 1]"), "{text}");
}

/// Returns a Tiled map of 9 × 3 tiles with points. Each entry of `points` is a name, and a position in
/// tiles.
#[cfg(feature = "tiled")]
fn with_points(points: &[(&str, u32, u32)], more: &str) -> String {
    let point = |&(name, x, y): &(&str, u32, u32)| {
        let (x, y) = (x * 16 + 8, y * 8 + 4);
        format!("<object name=\"{name}\" x=\"{x}\" y=\"{y}\"><point/></object>")
    };
    let points = points.iter().map(point).collect::<String>();
    let mut tiles = [1; 27];
    tiles[26] = 2;
    let ground = layer("Ground", 9, 3, &Encoding::Csv.data(&tiles));
    let set = set("set", 3, &[(1, "solid", "true")]);
    map(9, 3, &format!("{set}{ground}<objectgroup>{points}{more}</objectgroup>"))
}

/// Returns the lines of the table `[places]`, without comments, in alphabetical order.
#[cfg(feature = "tiled")]
fn places(import: &ImportFolder) -> Vec<String> {
    let text = import.text();
    let lines = text.lines().skip_while(|line| *line != "[places]").skip(1);
    let lines = lines.take_while(|line| !line.is_empty() && !line.starts_with('['));
    let mut places: Vec<_> =
        lines.map(|line| line.split('#').next().unwrap().trim().to_owned()).collect();
    places.sort();
    places
}

#[test]
#[cfg(feature = "tiled")]
fn new_places_join_the_table_that_the_user_has_added() {
    let import = ImportFolder::new("a.tmx", &with_points(&[], ""));
    let own = "\n# Mine.\n[places]\ncamp = [1, 1]\n";
    fs::write(&import.map, import.text() + own).unwrap();
    assert_eq!(tilewalk(&["check", "--strict", &import.map]).0, 0);
    let found = |expected: &[&str]| {
        let (code, _, err) = import.update();
        assert_eq!((code, err.as_str()), (0, ""));
        assert_eq!(places(&import), expected, "{}", import.text());
        assert_eq!(tilewalk(&["check", "--strict", &import.map]).0, 0);
        let before = import.files();
        assert_eq!(import.update().0, 0);
        assert_eq!(import.files(), before);
    };
    fs::write(&import.source, with_points(&[("chest", 2, 0)], "")).unwrap();
    found(&["camp = [1, 1]", "chest = [2, 0]"]);
    // Later updates find the places in the user's table.
    fs::write(&import.source, with_points(&[("chest", 3, 0), ("door", 4, 0)], "")).unwrap();
    found(&["camp = [1, 1]", "chest = [3, 0]", "door = [4, 0]"]);
    fs::write(&import.source, with_points(&[("door", 4, 0)], "")).unwrap();
    found(&["camp = [1, 1]", "door = [4, 0]"]);
    assert_eq!(import.text().matches("[places]").count(), 1);
}

#[test]
#[cfg(feature = "tiled")]
fn a_name_that_user_and_source_both_add_is_a_conflict() {
    let import = ImportFolder::new("a.tmx", &with_points(&[], ""));
    fs::write(&import.map, import.text() + "\n[places]\ncamp = [1, 1]\n").unwrap();
    fs::write(&import.source, with_points(&[("camp", 5, 0), ("chest", 2, 0)], "")).unwrap();
    let (code, _, err) = import.update();
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("is kept: the source now has `camp = [5, 0]"), "{err}");
    assert_eq!(places(&import), ["camp = [1, 1]", "chest = [2, 0]"]);
}

#[test]
#[cfg(feature = "tiled")]
fn a_new_place_below_a_conflict_is_added() {
    let import = ImportFolder::new("a.tmx", &with_points(&[("chest", 2, 0)], ""));
    import.edit("chest = [2, 0]", "chest = [2, 2]");
    let line = "<object name=\"way\" x=\"8\" y=\"4\"><polyline points=\"0,0 32,0\"/></object>";
    let changed = with_points(&[("chest", 3, 0), ("new", 4, 0)], line);
    fs::write(&import.source, changed).unwrap();
    let (code, _, err) = import.update();
    assert_eq!(code, 0, "{err}");
    assert_eq!(err.matches("warning").count(), 1, "{err}");
    assert!(err.contains("is kept: the source now has `chest = [3, 0]  # chest`"), "{err}");
    assert_eq!(places(&import), ["chest = [2, 2]", "new = [4, 0]"]);
    assert!(import.text().contains("pattern = \"a_way\""), "{}", import.text());
}

/// The last line of an agent can be edited although the source has a new agent below.
#[test]
#[cfg(feature = "tiled")]
fn a_new_agent_below_an_edited_one_is_added() {
    let import = ImportFolder::new("a.tmx", &with_points(&[], ""));
    import.edit("{ do = \"wander\" } ]", "{ do = \"wander\", weight = 2 } ]");
    fs::write(&import.map, import.text() + "\n[[agent]]\nname = \"mine\"\nat = [1, 1]\n").unwrap();
    let line = "<object name=\"way\" x=\"8\" y=\"4\"><polyline points=\"0,0 32,0\"/></object>";
    fs::write(&import.source, with_points(&[], line)).unwrap();
    let (code, _, err) = import.update();
    assert_eq!((code, err.as_str()), (0, ""));
    let text = import.text();
    assert!(text.contains("weight = 2") && text.contains("pattern = \"a_way\""), "{text}");
    assert!(text.contains("name = \"mine\"\nat = [1, 1]\n"), "{text}");
    assert_eq!(tilewalk(&["check", "--strict", &import.map]).0, 0);
}

/// A table in another form can't be merged. The message names its line.
#[test]
#[cfg(feature = "tiled")]
fn a_table_that_cannot_be_merged_is_named() {
    let import = ImportFolder::new("a.tmx", &with_points(&[], ""));
    import.edit("title", "places = { camp = [1, 1] }\ntitle");
    assert_eq!(tilewalk(&["check", "--strict", &import.map]).0, 0);
    fs::write(&import.source, with_points(&[("chest", 2, 0)], "")).unwrap();
    let before = import.files();
    let (code, _, err) = import.update();
    assert_eq!(code, 2);
    assert!(err.contains("line 4") && err.contains("write it as a table `[places]`"), "{err}");
    assert_eq!(import.files(), before);
}
