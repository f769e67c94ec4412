//! `tilewalk import` of Sokoban levels and LDtk projects.

use std::path::Path;

use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;
use tilewalk::scenario::Scenario;

use super::basics::{rows, tilewalk, write_file};

/// Imports a level. Returns the scenario and the messages of the import.
fn import(file: &str, more: &[&str]) -> (std::sync::Arc<Scenario>, String) {
    let (code, out, err) = tilewalk(&[&["import", file], more].concat());
    assert_eq!(code, 0, "{err}");
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "imported.toml", &out);
    let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
    assert_eq!(loaded.report.plain(), "", "an imported map has no warnings");
    (loaded.scenario.unwrap(), err)
}

#[test]
fn imported_sokoban_levels_keep_their_glyphs() {
    let (first, messages) = import("tests/levels/two.xsb", &[]);
    let drawn = ["xx####xxx", "###  ####", "#  -   _#", "# .$@#* #", "#########"];
    assert_eq!(rows(&first), drawn);
    assert!(messages.contains("only level 1 of 2 is imported: `First steps`"), "{messages}");
    assert!(messages.contains("levels: 1 `First steps`, 2 `Open`"), "{messages}");
    let kind = |x, y| first.map().kind(TilePos::new(x, y)).unwrap();
    assert!(kind(3, 2).walk && kind(7, 2).walk, "`-` and `_` are floor");
    assert_eq!((kind(3, 3).name.as_str(), kind(3, 3).walk), ("box", false));
    assert_eq!((kind(0, 0).name.as_str(), kind(0, 0).drawn.as_str()), ("outside", " "));
    let place = |scenario: &Scenario| scenario.places().iter().map(|it| it.at).collect::<Vec<_>>();
    assert_eq!(place(&first), [TilePos::new(4, 3).centre()], "the place is not at the player");
    let (open, messages) = import("tests/levels/two.xsb", &["--level", "open"]);
    assert_eq!(
        rows(&open),
        ["#####", "# @xx", "#+$##"],
        "in an open level, only the rest of short rows is outside"
    );
    assert_eq!(messages, "");
}

#[test]
fn the_names_of_ldtk_values_select_their_tile_kinds() {
    let (hall, messages) = import("tests/levels/house.ldtk", &[]);
    assert_eq!(rows(&hall), ["##..bb", "##..bb", "..l~.m", "g.ll.."]);
    let name = |x, y| hall.map().kind(TilePos::new(x, y)).unwrap().name.clone();
    assert_eq!(
        [name(0, 0), name(4, 0), name(3, 2), name(5, 2)],
        ["wall", "brick", "water", "moss"]
    );
    assert!(messages.contains("only level 1 of 2 is imported: `Hall`"), "{messages}");
    assert!(
        messages.contains("read as floor, because no name says otherwise: `Ground 3`, `moss`"),
        "{messages}"
    );
    let places: Vec<_> =
        hall.places().iter().map(|it| (it.name.as_str(), it.at.x, it.at.y)).collect();
    assert_eq!(places, [("chest", 2.5, 1.5), ("chest_2", 5.0, 3.0)]);
    let (cellar, messages) = import("tests/levels/house.ldtk", &["--level", "Cellar"]);
    assert_eq!(rows(&cellar), ["###", "#.#"]);
    assert_eq!(messages, "5 of 6 tiles are solid:\n         5  IntGrid value `wall`\n");
}

#[test]
fn import_lists_levels_and_refuses_an_unknown_level() {
    let list = tilewalk(&["import", "tests/levels/house.ldtk", "--levels"]);
    assert_eq!(list, (0, "1  Hall\n2  Cellar\n".to_owned(), String::new()));
    let (code, out, err) = tilewalk(&["import", "tests/levels/house.ldtk", "--level", "Attic"]);
    assert!(code == 2 && out.is_empty(), "{err}");
    assert!(err.contains("no level `Attic`: the file has 2 levels"), "{err}");
    assert!(err.contains("levels: 1 `Hall`, 2 `Cellar`"), "{err}");
}

/// The legend of the map file replaces the tile kinds of the level.
#[test]
fn a_map_file_can_use_a_level_as_its_tiles_file() {
    let folder = tempfile::tempdir().unwrap();
    let copy =
        |name: &str| std::fs::copy(Path::new("tests/levels").join(name), folder.path().join(name));
    copy("house.ldtk").and_then(|_| copy("two.xsb")).unwrap();
    for (tiles, legend, tile, walk) in [
        ("house.ldtk", "b = { name = 'curtain' }", (4, 0), true),
        ("house.ldtk", "m = { name = 'swamp', walk = false }", (5, 2), false),
        ("two.xsb", "'$' = { name = 'crate' }", (3, 3), true),
    ] {
        let text = format!("tiles_file = '{tiles}'\n[legend]\n{legend}\n");
        let path = write_file(folder.path(), "map.toml", &text);
        let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
        let scenario = loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()));
        let kind = scenario.map().kind(TilePos::new(tile.0, tile.1)).unwrap();
        assert_eq!(kind.walk, walk, "{tiles}: {kind:?}");
    }
}

/// Returns an LDtk project with one level of 4 × 3 tiles of 16 pixels. Each layer consists of its name,
/// its type and further keys.
fn project(layers: &[(&str, &str, &str)]) -> String {
    let layer = |(name, kind, keys): &(&str, &str, &str)| {
        format!(
            r#"{{ "__identifier": "{name}", "__type": "{kind}", "__cWid": 4, "__cHei": 3,
                 "__gridSize": 16, "__tilesetDefUid": 1, {keys} }}"#
        )
    };
    let layers: Vec<_> = layers.iter().map(layer).collect();
    format!(
        r#"{{ "defs": {{ "layers": [{{ "identifier": "Grid", "intGridValues": [
             {{ "value": 1, "identifier": "wall" }}, {{ "value": 2, "identifier": "moss" }}] }}],
             "tilesets": [{{ "uid": 1, "identifier": "Set", "tileGridSize": 16 }}] }},
             "levels": [{{ "identifier": "Level", "layerInstances": [{}] }}] }}"#,
        layers.join(",")
    )
}

const UNPAINTED: &str = r#""intGridCsv": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"#;
const PAINTED: &str = r#""intGridCsv": [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]"#;
const TILES: &str = r#""gridTiles": [{ "px": [0, 0], "t": 0 }, { "px": [16, 32], "t": 0 }]"#;

#[test]
fn names_of_ldtk_layers_count_beside_unpainted_grids() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |grid: &str| {
        let text = project(&[("Grid", "IntGrid", grid), ("Walls", "Tiles", TILES)]);
        rows(&import(&write_file(folder.path(), "a.ldtk", &text), &[]).0)
    };
    assert_eq!(rows(UNPAINTED), ["#...", "....", ".#.."]);
    assert_eq!(rows(PAINTED), ["#...", ".m..", "...."]);
}

#[test]
fn ldtk_layers_can_have_an_offset() {
    let folder = tempfile::tempdir().unwrap();
    let import = |across: i32, down: i32| {
        let offset =
            format!(r#""__pxTotalOffsetX": {across}, "__pxTotalOffsetY": {down}, {PAINTED}"#);
        let entities = format!(
            r#""entityInstances": [{{ "__identifier": "Door", "px": [8, 8], "__pivot": [0.5, 0.5],
               "width": 16, "height": 16 }}], {offset}"#
        );
        let text = project(&[("Grid", "IntGrid", &offset), ("Things", "Entities", &entities)]);
        import(&write_file(folder.path(), "a.ldtk", &text), &[])
    };
    let (level, messages) = import(32, 16);
    assert_eq!(rows(&level), ["....", "..#.", "...m"]);
    assert_eq!((level.places()[0].at.x, level.places()[0].at.y), (2.5, 1.5));
    assert!(!messages.contains("rounded"), "{messages}");
    let (level, messages) = import(-16, -4);
    assert_eq!(rows(&level), ["....", "m...", "...."]);
    assert!(
        messages.contains("offset of the layer `Grid` is rounded to whole tiles"),
        "{messages}"
    );
}

#[test]
fn explain_solid_lists_the_values_and_selectors_of_a_painted_ldtk_level() {
    let folder = tempfile::tempdir().unwrap();
    let text = project(&[("Grid", "IntGrid", PAINTED), ("Decor", "Tiles", TILES)]);
    let path = write_file(folder.path(), "a.ldtk", &text);
    let (code, out, _) = tilewalk(&["import", &path, "--explain-solid"]);
    assert_eq!(code, 0);
    for part in
        ["1 of 12 tiles are solid", "IntGrid value `wall`", "--solid layer:Decor  # 2 tiles"]
    {
        assert!(out.contains(part), "{part} is missing:\n{out}");
    }
}

#[test]
fn every_glyph_of_a_sokoban_file_can_be_given_a_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "a.xsb", "#####\n#@é #\n#█###\n");
    let (code, _, messages) = tilewalk(&["import", &path]);
    assert!(code == 2 && messages.contains("if it is floor: tilewalk import"), "{messages}");
    let (level, _) = import(&path, &["--floor", "é", "--walls", "█"]);
    let solid = |x, y| !level.map().kind(TilePos::new(x, y)).unwrap().walk;
    assert!(!solid(2, 1) && solid(1, 2) && !solid(3, 1));
}
