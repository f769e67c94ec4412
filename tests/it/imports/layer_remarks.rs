//! Remarks about layers that other options would read in another way.

use proptest::prelude::*;

use tilewalk::files::import::{Choices, Combine, Ignored, Looks, RuleChoices, import};
use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;

use super::basics::write_file;
use crate::support::build::cases;
use crate::support::tmx::{Encoding, layer, map, set};

const NAMES: [&str; 4] = ["Ground", "Things above", "Middle", "Roof"];

/// A large image that covers the tile above it, too.
const TOWER: &str = "<tileset firstgid=\"9\" name=\"tower\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"1\">\
                     <tile id=\"0\"><properties><property name=\"solid\" value=\"true\"/></properties>\
                     <image source=\"tower.png\" width=\"16\" height=\"16\"/></tile></tileset>\n";

/// Imports a map. Returns whether each tile is solid, and the remarks.
fn solid(path: &str, rules: RuleChoices) -> (Vec<bool>, Vec<String>) {
    let imported =
        import(path.as_ref(), &Choices { rules, looks: Looks::Plain, ..Choices::default() })
            .unwrap();
    let text = imported.texts.unwrap_or_else(|| panic!("{}", imported.report.plain())).map;
    let origin = Origin::Text { label: "map".into(), text, set: None };
    let scenario = files::load(&origin, &Options::default()).unwrap().scenario.unwrap();
    let map = scenario.map();
    let is_solid = |tile| !map.kind(tile).unwrap().walk;
    let row = |y| (0..map.width() as i32).map(move |x| TilePos::new(x, y));
    let tiles = (0..map.height() as i32).flat_map(row).map(is_solid).collect();
    (tiles, imported.solidity.unwrap().remarks.into_iter().map(|remark| remark.text).collect())
}

fn tiles(count: u64) -> String {
    if count == 1 { "1 tile".to_owned() } else { format!("{count} tiles") }
}

proptest! {
    #![proptest_config(cases(60))]

    /// Each number in a remark is the number of tiles that change with the option of the remark.
    #[test]
    fn remarks_count_the_tiles_that_change_with_their_options(
        layers in proptest::collection::vec(
            proptest::collection::vec(prop_oneof![4 => Just(0_u32), 2 => 1..4_u32, 1 => Just(9)], 12),
            4,
        ),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let sets = set("set", 4, &[(1, "solid", "true"), (2, "walk", "true")]) + TOWER;
        let drawn = NAMES.iter().zip(&layers);
        let drawn: String = drawn.map(|(name, tiles)| layer(name, 4, 3, &Encoding::Csv.data(tiles))).collect();
        let path = write_file(folder.path(), "map.tmx", &map(4, 3, &(sets + &drawn)));
        let (plain, mut remarks) = solid(&path, RuleChoices::default());
        // This remark counts the solid tiles of layers, and no changes.
        remarks.retain(|text| !text.starts_with("solid tiles are in several layers"));
        let mut expected = Vec::new();
        let any = RuleChoices { combine: Combine::Any, ..RuleChoices::default() };
        let closed = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && !**b).count() as u64;
        let opened = closed(&solid(&path, any).0, &plain);
        // Without walkable tiles, no tile can open another one.
        if opened > 0 {
            expected.push(format!("{} solid below, but walkable on top", tiles(opened)));
        }
        for name in [NAMES[1], NAMES[3]] {
            let ignore = vec![format!("layer:{name}").parse::<Ignored>().unwrap()];
            let without = solid(&path, RuleChoices { ignore, ..RuleChoices::default() }).0;
            let count = closed(&plain, &without);
            if count > 0 {
                expected.push(format!("layer `{name}` makes {} solid", tiles(count)));
            }
        }
        prop_assert_eq!(remarks, expected);
    }
}
