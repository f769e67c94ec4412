//! Edits of maps and patterns in different TOML spellings, and saving the edited files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use tilewalk_files::write::edit::draft::Draft;
use tilewalk_files::write::edit::starts::{self, NamedPoint};
use tilewalk_files::write::edit::{Edit, matrix_pattern, path_pattern, tiles};
use tilewalk_files::write::{self, FileToChange, WriteError};
use tilewalk_files::{Options, Origin};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};

fn file(place: FileRole, text: &str) -> SourceFile {
    SourceFile { place, label: "a file".to_owned(), text: text.into() }
}

fn map(text: &str) -> Sources {
    Sources { files: vec![file(FileRole::Map, text)], ..Sources::default() }
}

fn with_pattern(text: &str) -> Sources {
    let mut files = map("");
    files.files.push(file(FileRole::Pattern("p".to_owned()), text));
    files
}

fn tile(x: i32, y: i32) -> TilePos {
    TilePos::new(x, y)
}

fn paint(tiles: &[(i32, i32)], glyph: &str) -> Edit {
    let cell = |&(x, y): &(i32, i32)| (tile(x, y), glyph.to_owned());
    Edit::Paint(tiles.iter().map(cell).collect())
}

fn draw(vertices: &[(i32, i32)], closed: bool) -> Edit {
    let vertices = vertices.iter().map(|&(x, y)| tile(x, y)).collect();
    Edit::Draw { pattern: "p".to_owned(), vertices, closed }
}

fn allow(cells: &[(i32, i32, bool)]) -> Edit {
    let cells = cells.iter().map(|&(x, y, on)| (tile(x, y), on)).collect::<BTreeMap<_, _>>();
    Edit::Cells { pattern: "p".to_owned(), cells }
}

/// Applies an edit to files. Asserts that undoing it restores the bytes. Returns the text of the last file,
/// or "the same" if the edit changes nothing.
fn edited(files: &Sources, edit: Edit) -> Result<String, String> {
    let draft = Draft::new(Arc::new(files.clone()));
    let Some(after) = draft.with(edit)? else { return Ok("the same".to_owned()) };
    assert_eq!(**after.undo().expect("edit can be undone").0.files(), *files);
    Ok(after.files().files.last().expect("there is a file").text.to_string())
}

#[test]
fn painting_works_in_every_toml_spelling_of_tiles() {
    for (before, edit, after) in [
        (
            "tiles = '''\n...\n.#.\n'''\n",
            paint(&[(1, 0), (2, 1)], "~"),
            "tiles = '''\n.~.\n.#~\n'''\n",
        ),
        ("tiles = '''\r\n..\r\n..'''", paint(&[(1, 1)], "#"), "tiles = '''\r\n..\r\n.#'''"),
        (
            "tiles = \"\"\"\n.\\\"\\u00e9.\n\"\"\"",
            paint(&[(2, 0)], "\""),
            "tiles = \"\"\"\n.\\\"\\\".\n\"\"\"",
        ),
        (
            "tiles = \"..\\n..\" # two rows",
            paint(&[(0, 1)], "\\"),
            "tiles = \"..\\n\\\\.\" # two rows",
        ),
        ("tiles = '..' # one", paint(&[(1, 0)], "é"), "tiles = '.é' # one"),
        ("tiles = '''\né.ß\n..☃\n'''", paint(&[(1, 0), (2, 1)], "ö"), "tiles = '''\néöß\n..ö\n'''"),
        // A row that continues after a backslash keeps its line breaks.
        (
            "tiles = \"\"\"\n.\\\n   .\n\"\"\"",
            paint(&[(0, 0)], "#"),
            "tiles = \"\"\"\n#\\\n   .\n\"\"\"",
        ),
    ] {
        assert_eq!(edited(&map(before), edit).as_deref(), Ok(after));
    }
    assert_eq!(edited(&map("tiles = '.#'"), paint(&[(0, 0)], ".")).as_deref(), Ok("the same"));
}

#[test]
fn painting_a_tile_that_cannot_be_painted_is_an_error() {
    let why = |text: &str, edit: Edit| edited(&map(text), edit).unwrap_err();
    assert!(why("tiles = '..'", paint(&[(0, 0)], "'")).contains("can't be written to the tiles"));
    assert!(why("tiles = '''\n....\n..\n'''", paint(&[(3, 1)], "#")).contains("no tile (3, 1)"));
    assert!(why("tiles = '..'", paint(&[(0, 5)], "#")).contains("no tile (0, 5)"));
    assert!(why("tiles = '..'", paint(&[(-1, 0)], "#")).contains("no tile (-1, 0)"));
    assert!(why("tiles = ", paint(&[(0, 0)], "#")).contains("TOML"));
    let tmx = why("tiles_file = 'island.tmx'", paint(&[(0, 0)], "#"));
    assert!(
        tmx.contains("island.tmx is a Tiled map") && tmx.contains("tilewalk import island.tmx")
    );
    assert!(why("tiles_file = 'a.map'", paint(&[(0, 0)], "#")).contains("a.map is a MovingAI map"));
    // Existing tiles can be painted even if rows differ in length.
    let ragged = map("tiles = '''\n....\n..\n'''");
    assert_eq!(edited(&ragged, paint(&[(1, 1)], "#")).as_deref(), Ok("tiles = '''\n....\n.#\n'''"));
}

#[test]
fn painting_changes_the_tiles_file_of_a_map() {
    let mut files = map("tiles_file = 'a.txt'\n");
    files.files.push(file(FileRole::Beside("a.txt".to_owned()), "..\r\né.\r\n"));
    assert_eq!(edited(&files, paint(&[(1, 1)], "☃")).as_deref(), Ok("..\r\né☃\r\n"));
    assert_eq!(tiles::glyph(tile(0, 1), &files).as_deref(), Some("é"));
}

#[test]
fn starts_and_places_can_be_moved_but_random_starts_cannot() {
    let text = "[places]\ngate = [ 8,2 ] # the gate\nspot = [1.25, 3.5]\n\n[[agent]]\nname = \"a\"\nat = [3, 1]\n\
                [[agent]]\nname = \"b\"\nat = \"anywhere\"\n";
    let files = map(text);
    let standing = starts::standing(&files);
    let descriptions: Vec<_> = standing.iter().map(|it| it.point.describe()).collect();
    assert_eq!(descriptions, ["start of a", "place gate", "place spot"]);
    let moved = |index: usize, to| edited(&files, standing[index].to(to)).unwrap();
    assert_eq!(moved(0, tile(5, 0)), text.replace("[3, 1]", "[5, 0]"));
    assert_eq!(moved(1, tile(0, 12)), text.replace("[ 8,2 ]", "[ 0,12 ]"));
    assert_eq!(moved(2, tile(0, 1)), text.replace("[1.25, 3.5]", "[0.25, 1.5]"));
    let random_start =
        Edit::Move { point: NamedPoint::Start("b".to_owned()), to: ["1".into(), "1".into()] };
    assert!(edited(&files, random_start).unwrap_err().contains("at = \"anywhere\""));
    let missing_place =
        Edit::Move { point: NamedPoint::Place("x".to_owned()), to: ["1".into(), "1".into()] };
    assert!(edited(&files, missing_place).unwrap_err().contains("not in the map file"));
    // Starts in inline tables can be moved, too.
    let inline = map("places = { p = [1, 1] }\nagent = [{ name = \"a\", at = [2, 2] }]");
    let after = edited(&inline, starts::standing(&inline)[0].to(tile(9, 9))).unwrap();
    assert_eq!(after, "places = { p = [1, 1] }\nagent = [{ name = \"a\", at = [9, 9] }]");
}

#[test]
fn a_redrawn_path_keeps_unchanged_vertices_and_comments() {
    let text = "kind = \"path\" # round\nvertices = [[0,0], [5,0], # east\n  [5,5]]\ndwell = 2\n";
    let files = with_pattern(text);
    let drawn = |vertices: &[(i32, i32)], closed| edited(&files, draw(vertices, closed)).unwrap();
    assert_eq!(drawn(&[(0, 0), (5, 0), (7, 5)], false), text.replace("[5,5]", "[7, 5]"));
    assert_eq!(drawn(&[(0, 0), (5, 0)], false), text.replace(", # east\n  [5,5]", ""));
    assert_eq!(drawn(&[(5, 0), (5, 5)], false), text.replace("[0,0], ", ""));
    let more = drawn(&[(0, 0), (5, 0), (5, 5), (0, 5), (0, 4)], false);
    assert_eq!(more, text.replace("[5,5]", "[5,5], [0, 5], [0, 4]"));
    let first = drawn(&[(9, 9), (0, 0), (5, 0), (5, 5)], false);
    assert_eq!(first, text.replace("[[0,0]", "[[9, 9], [0,0]"));
    let closed = drawn(&[(0, 0), (5, 0), (5, 5)], true);
    assert_eq!(closed, format!("{text}closed = true\n"));
    let other = with_pattern(&text.replace("dwell", "closed = true # yes\ndwell"));
    let open = edited(&other, draw(&[(0, 0), (5, 0), (5, 5)], false)).unwrap();
    assert!(open.contains("closed = false # yes\n"));
    assert!(
        edited(&with_pattern("kind = \"steps\""), draw(&[], true))
            .unwrap_err()
            .contains("not a path")
    );
    let new = path_pattern::text(&[tile(1, 2), tile(3, 4)], true);
    let read = path_pattern::read("p", &with_pattern(&new)).unwrap();
    assert_eq!((read.vertices.len(), read.closed, read.absolute), (2, true, true));
    let long: Vec<_> = (0..20).map(|x| tile(x, x)).collect();
    assert_eq!(
        path_pattern::read("p", &with_pattern(&path_pattern::text(&long, false))).unwrap().vertices,
        long
    );
}

#[test]
fn painting_cells_of_a_matrix_adds_rows_and_columns_as_needed() {
    let text =
        "kind = \"matrix\"\nabsolute = true\ncells = '''\n.1.\n111\n''' # these\nmoves = 4\n";
    let files = with_pattern(text);
    let painted = |cells: &[(i32, i32, bool)]| edited(&files, allow(cells));
    assert_eq!(
        painted(&[(0, 0, true), (1, 1, false)]).unwrap(),
        text.replace(".1.\n111", "11.\n1.1")
    );
    assert_eq!(painted(&[(4, 2, true)]).unwrap(), text.replace(".1.\n111", ".1...\n111..\n....1"));
    assert!(painted(&[(-1, 0, true)]).unwrap_err().contains("(0, 0)"));
    assert_eq!(painted(&[(1, 0, true)]).unwrap(), "the same");
    let zeros = with_pattern("kind = \"matrix\"\r\ncells = '''\r\n0110\r\n0110\r\n'''\r\n");
    let grown = edited(&zeros, allow(&[(4, 2, true)])).unwrap();
    assert_eq!(grown, "kind = \"matrix\"\r\ncells = '''\r\n01100\r\n01100\r\n00001\r\n'''\r\n");
    // A matrix that is placed by its first allowed cell can grow to the left, but this cell must stay the
    // first.
    let left = edited(&zeros, allow(&[(-1, 1, true)])).unwrap();
    assert!(left.contains("\r\n00110\r\n10110\r\n"), "{left}");
    assert!(
        edited(&zeros, allow(&[(0, 0, true)]))
            .unwrap_err()
            .contains("the first allowed cell is the matrix anchor")
    );
    assert!(
        edited(&zeros, allow(&[(1, 0, false)]))
            .unwrap_err()
            .contains("the first allowed cell is the matrix anchor")
    );
    // Painting a cell of a matrix with segments keeps the segments and adds the key `cells`.
    let text = "kind = \"matrix\"\nsegments = [[[0, 0], [3, 0]]]\n";
    let segments = with_pattern(text);
    let both = edited(&segments, allow(&[(1, 1, true)])).unwrap();
    assert!(both.starts_with(text) && both.ends_with("= '''\n..\n.1\n'''\n"), "{both}");
    assert_eq!(matrix_pattern::read("p", &with_pattern(&both)).unwrap().drawn.len(), 4);
    assert!(
        edited(&segments, allow(&[(2, 0, false)]))
            .unwrap_err()
            .contains("a segment of `p` contains the tile")
    );
}

const MAP: &str = "tiles_file = \"a.txt\"\n[[agent]]\nname = \"boid\"\nat = [0, 0]\n";

/// Writes a map and its tiles file to a new folder and loads them. The edits paint a wall and move the
/// start. Returns the folder, the original files and the edits.
fn folder() -> (tempfile::TempDir, Sources, Draft) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("map.toml"), MAP).unwrap();
    fs::write(folder.path().join("a.txt"), "....\n....\n").unwrap();
    let origin = Origin::Disk(folder.path().join("map.toml"));
    let loaded = tilewalk_files::load(&origin, &Options::default()).unwrap();
    let files = Sources::clone(loaded.scenario.unwrap().sources());
    let draft = Draft::new(Arc::new(files.clone())).with(paint(&[(2, 1)], "#")).unwrap().unwrap();
    let start = starts::standing(draft.files())[0].to(tile(3, 0));
    let draft = draft.with(start).unwrap().unwrap();
    (folder, files, draft)
}

/// Writes the edits to the folder. If `anyway` is true, also writes files that differ from `known`.
fn save(folder: &Path, known: &Sources, draft: &Draft, anyway: bool) -> Result<(), WriteError> {
    let paths = [folder.join("map.toml"), folder.join("a.txt")];
    let wanted = paths.iter().zip(&known.files);
    let wanted =
        wanted.map(|(path, file)| FileToChange { path, known: &file.text, is_toml: false });
    let wanted: Vec<_> = wanted.collect();
    let make = |texts: &[String]| {
        let mut disk = known.clone();
        for (file, text) in disk.files.iter_mut().zip(texts) {
            file.text = text.as_str().into();
        }
        let merged = draft.merged(&disk).map_err(WriteError::Edit)?;
        Ok(merged.files.iter().map(|file| file.text.to_string()).collect())
    };
    write::files(&paths[0], &wanted, anyway, make).map(drop)
}

#[test]
fn saving_an_edit_writes_all_of_its_files_or_none() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, known, draft) = folder();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let tiles = folder.path().join("a.txt");
    // The second file is read-only, so the first stays the same as well.
    fs::set_permissions(&tiles, fs::Permissions::from_mode(0o444)).unwrap();
    let refused = save(folder.path(), &known, &draft, false);
    assert!(matches!(refused, Err(WriteError::ReadOnly(_))), "{refused:?}");
    assert_eq!((read("map.toml").as_str(), read("a.txt").as_str()), (MAP, "....\n....\n"));
    // Writing follows a link, and keeps permissions and the byte order mark.
    fs::set_permissions(&tiles, fs::Permissions::from_mode(0o640)).unwrap();
    fs::rename(&tiles, folder.path().join("real.txt")).unwrap();
    symlink("real.txt", &tiles).unwrap();
    fs::write(folder.path().join("map.toml"), format!("\u{FEFF}{MAP}")).unwrap();
    save(folder.path(), &known, &draft, false).unwrap();
    assert_eq!(read("map.toml"), format!("\u{FEFF}{}", MAP.replace("[0, 0]", "[3, 0]")));
    assert_eq!(read("real.txt"), "....\n..#.\n");
    assert!(fs::symlink_metadata(&tiles).unwrap().is_symlink());
    assert_eq!(fs::metadata(&tiles).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "a temporary file remains");
}

#[test]
fn saving_keeps_or_merges_a_file_that_another_program_changed() {
    let (folder, known, draft) = folder();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    fs::write(folder.path().join("a.txt"), "....\n~~~~\n....\n").unwrap();
    let refused = save(folder.path(), &known, &draft, false);
    assert!(matches!(refused, Err(WriteError::Changed(_))), "{refused:?}");
    assert_eq!((read("map.toml").as_str(), read("a.txt").as_str()), (MAP, "....\n~~~~\n....\n"));
    save(folder.path(), &known, &draft, true).unwrap();
    assert_eq!(read("a.txt"), "....\n~~#~\n....\n");
    // If an edit does not fit the changed files, nothing is written.
    fs::write(folder.path().join("a.txt"), "..\n..\n").unwrap();
    let refused = save(folder.path(), &known, &draft, true);
    assert!(matches!(refused, Err(WriteError::Edit(_))), "{refused:?}");
    assert_eq!(read("a.txt"), "..\n..\n");
}

#[test]
fn saving_over_a_file_that_is_not_utf_8_is_refused() {
    for (name, text) in [("a.txt", &b"..\xE9.\n....\n"[..]), ("map.toml", b"# caf\xE9\n")] {
        let (folder, known, draft) = folder();
        fs::write(folder.path().join(name), text).unwrap();
        for anyway in [false, true] {
            let why = save(folder.path(), &known, &draft, anyway).unwrap_err().to_string();
            assert!(
                why.ends_with(&format!("{name} is not UTF-8 text; nothing was written")),
                "{why}"
            );
            assert_eq!(fs::read(folder.path().join(name)).unwrap(), text);
        }
    }
}

#[test]
fn undoing_a_saved_edit_merges_with_later_changes_to_the_files() {
    let (_folder, known, mut draft) = folder();
    draft.saved();
    let (draft, _) = draft.undo().unwrap();
    assert!(draft.is_unsaved() && draft.would_be_lost());
    // Another program has added a value to the map since the save.
    let mut disk = Sources::clone(draft.redo().unwrap().0.files());
    disk.files[0].text = format!("seed = 3\n{}", disk.files[0].text).into();
    let merged = draft.merged(&disk).unwrap();
    assert_eq!(merged.files[0].text.to_string(), format!("seed = 3\n{MAP}"));
    assert_eq!(*merged.files[1].text, *"....\n..#.\n");
    assert_eq!(known.files.len(), 2);
}

#[test]
fn an_undone_edit_stays_undone_when_another_program_saves_the_file() {
    let (_folder, _, mut draft) = folder();
    draft.saved();
    let mut disk = Sources::clone(draft.files());
    disk.files[0].text = format!("# a comment\n{}", disk.files[0].text).into();
    let (mut draft, _) = draft.undo().unwrap();
    // A changed value, too, discards the edits that could be redone.
    draft.forget_undone();
    let rebased = draft.rebased(&Arc::new(disk)).unwrap();
    assert_eq!(*rebased.files().files[0].text, *format!("# a comment\n{MAP}"));
    assert!(rebased.is_unsaved());
}
