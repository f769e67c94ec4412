//! `tilewalk import --update`: glyphs keep their meaning, so painted tiles stay what they are.

use std::fs;

use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;
use tilewalk::tile::TileKind;

#[cfg(feature = "tiled")]
use super::basics::tilewalk;
use super::update::ImportFolder;
#[cfg(feature = "tiled")]
use crate::support::tmx::{Encoding, layer, map, set};

/// Returns the kind of a tile of the imported map.
fn kind(import: &ImportFolder, x: i32, y: i32) -> TileKind {
    let loaded = files::load(&Origin::Disk(import.map.clone().into()), &Options::default());
    let loaded = loaded.unwrap();
    let report = loaded.report.plain();
    let scenario = loaded.scenario.unwrap_or_else(|| panic!("{report}"));
    scenario.map().kind(TilePos::new(x, y)).unwrap().clone()
}

/// Changes the source and updates the map twice. Asserts that there is no message, and that the second
/// update changes nothing.
#[track_caller]
fn update(import: &ImportFolder, source: &str) {
    fs::write(&import.source, source).unwrap();
    let (code, out, err) = import.update();
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let before = import.files();
    let (code, out, err) = import.update();
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("is up to date"), "{out}");
    assert_eq!(import.files(), before);
}

/// Returns an LDtk project with a level of 5 × 2 tiles. The values are 1 for a tree, 2 for the floor
/// of a trap, 3 for the wall of a tower, and 4 for a bush.
fn level(tiles: [u32; 10]) -> String {
    let value = |number: u32, name: &str| {
        format!("{{\"value\":{number},\"identifier\":\"{name}\",\"color\":\"#00ff0{number}\"}}")
    };
    let names = ["tree", "trap_floor", "tower_wall", "bush_floor"];
    let values: Vec<_> = (1..).zip(names).map(|(number, name)| value(number, name)).collect();
    format!(
        "{{\"defs\":{{\"layers\":[{{\"identifier\":\"Grid\",\"intGridValues\":[{}]}}]}},\
         \"levels\":[{{\"identifier\":\"A\",\"layerInstances\":[{{\"__identifier\":\"Grid\",\
         \"__type\":\"IntGrid\",\"__cWid\":5,\"__cHei\":2,\"__gridSize\":8,\"intGridCsv\":{tiles:?}}}]}}]}}",
        values.join(",")
    )
}

#[test]
fn painted_values_of_ldtk_keep_their_kind_if_another_value_comes_first() {
    let import = ImportFolder::new("a.ldtk", &level([0, 0, 1, 0, 2, 0, 0, 0, 0, 0]));
    import.edit("..t.a\n.....", "..t.a\n...t.");
    assert_eq!(kind(&import, 3, 1).name, "tree");
    update(&import, &level([0, 2, 1, 0, 2, 0, 0, 0, 0, 3]));
    let names = [(1, 0), (2, 0), (4, 0), (3, 1), (4, 1)].map(|(x, y)| kind(&import, x, y).name);
    assert_eq!(names, ["trap_floor", "tree", "trap_floor", "tree", "tower_wall"]);
    assert!(import.text().contains(".at.a\n...tb"), "{}", import.text());
}

#[test]
fn painted_kinds_stay_in_the_legend_if_the_source_does_not_use_them_any_more() {
    let import = ImportFolder::new("a.ldtk", &level([0, 0, 1, 0, 2, 0, 0, 0, 0, 0]));
    import.edit("..t.a\n.....", "..t.a\n...t.");
    let tree = kind(&import, 3, 1);
    update(&import, &level([0, 0, 0, 0, 3, 0, 0, 0, 0, 0]));
    assert_eq!(kind(&import, 3, 1), tree);
    assert_eq!(kind(&import, 4, 0).name, "tower_wall");
    assert_eq!(kind(&import, 2, 0).name, "floor");
    // Kinds without tiles leave the legend.
    assert!(!import.text().contains("trap_floor"), "{}", import.text());
    import.edit("...t.", ".....");
    update(&import, &level([0, 0, 0, 0, 3, 3, 0, 0, 0, 0]));
    assert!(!import.text().contains("\"tree\""), "{}", import.text());
}

#[test]
fn new_kinds_do_not_take_the_glyphs_of_the_users_legend() {
    let import = ImportFolder::new("a.ldtk", &level([0, 0, 1, 0, 0, 0, 0, 0, 0, 0]));
    import.edit("..t..\n.....", "..t..\n..b..");
    import.edit("[legend]\n", "[legend]\n\"b\" = { name = \"mine\", walk = false }\n");
    update(&import, &level([0, 0, 1, 0, 4, 0, 0, 0, 0, 0]));
    assert_eq!(kind(&import, 2, 1).name, "mine");
    assert_eq!(kind(&import, 4, 0).name, "bush_floor");
}

#[test]
fn glyphs_of_a_text_map_that_the_user_painted_stay_known() {
    let import = ImportFolder::new("a.txt", "#####\n#.%.#\n#####\n");
    import.edit("#.%.#", "#.%%#");
    update(&import, "#####\n#...#\n#####\n");
    assert!(import.text().contains("#..%#"), "{}", import.text());
}

/// Returns a Tiled map of 6 × 2 tiles. `costs` are the costs of tiles of its tile set, by number.
#[cfg(feature = "tiled")]
fn costs(costs: &[(u32, &str)], tiles: [u32; 12]) -> String {
    let properties: Vec<_> = costs.iter().map(|(tile, cost)| (*tile, "cost", *cost)).collect();
    map(6, 2, &(set("set", 9, &properties) + &layer("Ground", 6, 2, &Encoding::Csv.data(&tiles))))
}

#[test]
#[cfg(feature = "tiled")]
fn painted_costs_of_tiled_keep_their_kind_if_another_cost_comes_first() {
    for looks in ["colors", "names", "plain"] {
        let tiles = [1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        let import = ImportFolder::new("a.tmx", &costs(&[(1, "5")], tiles));
        let again =
            ["import", &import.source, "--looks", looks, "--output", &import.map, "--force"];
        assert_eq!(tilewalk(&again).0, 0);
        import.edit("..a...\n......", "..a...\n...a..");
        assert_eq!(kind(&import, 3, 1).cost, 5.0);
        let tiles = [1, 1, 2, 1, 4, 1, 1, 1, 1, 1, 3, 1];
        let changed = costs(&[(0, "1"), (2, "50"), (1, "5"), (3, "7")], tiles);
        update(&import, &changed);
        let found = [(2, 0), (4, 0), (3, 1), (4, 1)].map(|(x, y)| kind(&import, x, y).cost);
        assert_eq!(found, [5.0, 7.0, 5.0, 50.0], "{looks}");
        // A tile set that is used first has its kinds first.
        update(&import, &changed.replace("<tile id=\"1\">", "<tile id=\"11\">"));
        assert_eq!(kind(&import, 3, 1).cost, 5.0, "{looks}");
    }
}
