//! `tilewalk import` of ragged text maps and of MovingAI maps with unusual glyphs.

use std::sync::Arc;

use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;
use tilewalk::scenario::Scenario;

use super::basics::{rows, tilewalk, write_file};

/// Imports a text as a file of this name. Returns the scenario and the messages of the import.
fn import(name: &str, text: &str, more: &[&str]) -> (Arc<Scenario>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = write_file(folder.path(), name, text);
    let (code, out, err) = tilewalk(&[&["import", file.as_str()], more].concat());
    assert_eq!(code, 0, "{err}");
    let path = write_file(folder.path(), "imported.toml", &out);
    let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
    assert_eq!(loaded.report.plain(), "", "an imported map has no warnings");
    (loaded.scenario.unwrap(), err)
}

#[test]
fn short_rows_are_filled_with_the_pad_glyph() {
    let ragged = "\n  ###\n  #.#\r\n###\n\n#\n  \n\n";
    let (map, messages) = import("a.txt", ragged, &[]);
    assert_eq!(rows(&map), ["  ###", "  #.#", "###..", ".....", "#...."]);
    assert!(messages.contains("3 short rows are filled with `.` (floor) to 5 tiles"), "{messages}");
    assert!(messages.contains("3 blank lines before or after the map left out"), "{messages}");
    let (map, messages) = import("a.txt", ragged, &["--pad", "~"]);
    assert_eq!(rows(&map), ["  ###", "  #.#", "###~~", "~~~~~", "#~~~~"]);
    assert!(messages.contains("filled with `~` (water)"), "{messages}");
    let (map, messages) = import("a.txt", "###\n#.#\n###\n", &[]);
    assert_eq!((rows(&map).len(), messages.as_str()), (3, ""), "a message without short rows");
    for pad in ["ab", "", "\t", "世"] {
        assert_eq!(tilewalk(&["import", "maps/big.txt", "--pad", pad]).0, 2, "{pad:?}");
    }
}

#[test]
fn a_text_without_tiles_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["", "\n", " \n  \r\n\n", "   "] {
        let file = write_file(folder.path(), "a.txt", text);
        let (code, out, err) = tilewalk(&["import", &file]);
        assert!(
            code == 2 && out.is_empty() && err.contains("the map has no tiles"),
            "{text:?}: {err}"
        );
    }
}

#[test]
fn joined_box_drawing_characters_are_imported_as_walls() {
    let (map, messages) = import("a.txt", "┌──┐\n│.>│\n└─+┘\n", &[]);
    let walks = |x, y| map.map().kind(TilePos::new(x, y)).unwrap().walk;
    assert!(!walks(0, 0) && !walks(1, 0) && walks(1, 1) && walks(2, 1) && walks(2, 2));
    assert!(messages.contains("imported as walls, because most of them are joined"), "{messages}");
    assert!(messages.contains("`┌`, `─`, `┐`, `│`, `└`, `┘`"), "{messages}");
    assert!(messages.contains("unknown glyph `>` is imported as floor"), "{messages}");
    let (map, messages) = import("a.txt", "###\n#|#\n#.#\n", &[]);
    assert!(
        map.map().kind(TilePos::new(1, 1)).is_some_and(|kind| !kind.walk),
        "a bar joined to walls is not a wall"
    );
    assert!(messages.contains("walls"), "{messages}");
    let (map, _) = import("a.txt", "...\n.|.\n...\n", &[]);
    assert!(
        map.map().kind(TilePos::new(1, 1)).is_some_and(|kind| kind.walk),
        "a single bar is not floor"
    );
}

#[test]
fn movingai_maps_with_unknown_glyphs_and_corner_heights_are_imported() {
    let text = "type octile\nheight 2\nwidth 4\nmap\n.a@t\nbgsW\n";
    let (map, messages) = import("a.map", text, &[]);
    assert_eq!(rows(&map), [".a@t", "bgsW"]);
    let walks = |x, y| map.map().kind(TilePos::new(x, y)).unwrap().walk;
    assert_eq!((0..4).map(|x| walks(x, 0)).collect::<Vec<_>>(), [true, true, false, false]);
    assert_eq!((0..4).map(|x| walks(x, 1)).collect::<Vec<_>>(), [true, true, true, false]);
    assert!(messages.contains("unknown glyph `a` is imported as floor"), "{messages}");
    let corners =
        "type octile-corner\nheight 3\nwidth 4\nmap\n0123\n0123\n0123\nGTSO\nOGgO\nOOOO\n";
    let (map, messages) = import("a.map", corners, &[]);
    assert_eq!(rows(&map), ["GTS", "OGg"]);
    assert!(messages.contains("the heights of the corners are ignored"), "{messages}");
    let folder = tempfile::tempdir().unwrap();
    for (text, why) in [
        (corners.replacen("0123", "012", 1), "expected row 0 of the corner heights: 4 digits"),
        (corners.replacen("height 3", "height 1", 1), "the header gives height 1"),
        (
            "type octile-corner\nheight 1\nwidth 2\nmap\n00\nGG\n".to_owned(),
            "width and height count the corners",
        ),
        ("type raw\nheight 1\nwidth 1\nmap\n.\n".to_owned(), "must begin with `type octile`"),
    ] {
        let file = write_file(folder.path(), "b.map", &text);
        let (code, _, err) = tilewalk(&["import", &file]);
        assert!(code == 2 && err.contains(why), "{why}: {err}");
    }
}

#[test]
fn legend_costs_apply_to_movingai_maps() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "a.map", "type octile\nheight 1\nwidth 3\nmap\n.aW\n");
    let legend =
        "tiles_file = 'a.map'\n[legend]\na = { name = 'mud', cost = 5 }\nW = { cost = 2 }\n";
    let path = write_file(folder.path(), "a.toml", legend);
    let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
    let scenario = loaded.scenario.unwrap();
    let map = scenario.map();
    let kinds: Vec<_> = (0..3).map(|x| map.kind(TilePos::new(x, 0)).unwrap().cost).collect();
    assert_eq!(kinds, [1.0, 5.0, 2.0]);
}
