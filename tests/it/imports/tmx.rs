//! Maps of the editor Tiled, as tiles files of a map and as sources of `tilewalk import`.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use tilewalk::files::{self, Options, Origin};
use tilewalk::scenario::Scenario;

use super::basics::{rows, tilewalk, write_file};
use crate::support::build::cases;
use crate::support::samples;
use crate::support::tmx::{Encoding, layer, map, set};

/// Loads a map file whose tiles file is a `.tmx` with this text.
fn load(tmx: &str, more: &str) -> Result<(std::sync::Arc<Scenario>, String), String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("drawn.tmx"), tmx).unwrap();
    let path = folder.path().join("map.toml");
    fs::write(&path, format!("tiles_file = \"drawn.tmx\"\n{more}")).unwrap();
    let loaded = files::load(&Origin::Disk(path), &Options::default()).unwrap();
    let report = loaded.report.plain();
    loaded.scenario.map(|scenario| (scenario, report.clone())).ok_or(report)
}

/// Generates two tile layers, with the bits for flipped tiles.
fn layers() -> impl Strategy<Value = (u32, u32, Vec<u32>, Vec<u32>)> {
    (1..20u32, 1..20u32).prop_flat_map(|(width, height)| {
        let tile = (0..6u32, 0..16u32).prop_map(|(tile, flips)| match tile {
            0 => 0,
            tile => tile | flips << 28,
        });
        let tiles = || proptest::collection::vec(tile.clone(), (width * height) as usize);
        (Just(width), Just(height), tiles(), tiles())
    })
}

/// Returns a tile set: tile 1 has no property, 2 is solid, 3 is not solid, 4 is water, 5 is walkable.
fn marked_tiles() -> String {
    let properties =
        [(1, "solid", "true"), (2, "solid", "false"), (3, "glyph", "~"), (4, "walk", "true")];
    set("set", 5, &properties)
}

proptest! {
    #![proptest_config(cases(100))]

    /// The encoding does not change the map. At each position, the topmost tile with a property decides.
    #[test]
    fn tiled_maps_in_all_encodings_have_the_same_tiles((width, height, low, high) in layers()) {
        let drawn = |encoding: Encoding| {
            let low = layer("low", width, height, &encoding.data(&low));
            let high = layer("high", width, height, &encoding.data(&high));
            let text = map(width, height, &(marked_tiles() + &low + &high));
            let (scenario, report) = load(&text, "").unwrap();
            let is_expected = report.is_empty() || report.contains("no tile is marked as solid");
            assert!(is_expected, "{report}");
            rows(&scenario).concat()
        };
        let glyph = |tile: u32| match tile & 0x0FFF_FFFF {
            2 => Some('#'),
            3 | 5 => Some('.'),
            4 => Some('~'),
            _ => None,
        };
        let expected: String =
            low.iter().zip(&high).map(|(&low, &high)| glyph(high).or(glyph(low)).unwrap_or('.')).collect();
        for encoding in Encoding::ALL {
            prop_assert_eq!(&drawn(encoding), &expected, "{:?}", encoding);
        }
    }

    #[test]
    fn an_imported_map_has_the_tiles_of_its_source_and_no_problems((width, height, low, high) in layers()) {
        let low = layer("low", width, height, &Encoding::Zlib.data(&low));
        let high = layer("Walls", width, height, &Encoding::Csv.data(&high));
        let text = map(width, height, &(marked_tiles() + &low + &high));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("drawn.tmx");
        fs::write(&path, &text).unwrap();
        let texts = files::import::import(&path, &files::import::Choices::default()).unwrap().texts.expect("import has a map");
        let imported = tilewalk::builtin::text("imported", texts.map);
        let imported = files::load(&imported, &Options::default()).unwrap();
        prop_assert_eq!(imported.report.plain(), "");
        let (drawn, _) = load(&text, "").unwrap();
        prop_assert_eq!(rows(&imported.scenario.unwrap()), rows(&drawn));
    }
}

/// Returns a Tiled map of 3 × 1 tiles with a tile set of three tiles, a layer `Ground`, and more elements.
fn small(low: &str, high: &str) -> String {
    let csv = |tiles: &str| format!("<data encoding=\"csv\">{tiles}</data>");
    let content = set("set", 3, &[(1, "solid", "true")]) + &layer("Ground", 3, 1, &csv(low)) + high;
    map(3, 1, &content)
}

#[test]
fn layers_and_map_files_decide_which_tiles_are_solid() {
    let csv = |tiles: &str| format!("<data encoding=\"csv\">{tiles}</data>");
    let drawn = |text: &str, more: &str| rows(&load(text, more).unwrap().0).concat();
    let walls = |name| layer(name, 3, 1, &csv("0,1,0"));
    assert_eq!(drawn(&small("1,1,2", &walls("Fringe")), ""), "..#");
    for name in ["walls", "Walls", "WALL", "collision", "Collisions"] {
        assert_eq!(drawn(&small("1,1,2", &walls(name)), ""), ".##");
    }
    let marked_layer = "<layer name=\"x\" width=\"3\" height=\"1\"><properties><property name=\"walk\" \
                type=\"bool\" value=\"false\"/></properties><data encoding=\"csv\">3,0,0</data></layer>";
    let group = format!("<group name=\"g\">{marked_layer}</group>");
    assert_eq!(drawn(&small("1,1,2", &group), ""), "#.#");
    let fringe = walls("Fringe");
    let table = |text: &str| drawn(&small("0,1,2", &fringe), &format!("[tiled]\n{text}\n"));
    assert_eq!(table("layers = { Fringe = '#' }"), ".##");
    assert_eq!(table("layers = { Ground = '~', Fringe = '=' }\nempty = 'T'"), "T=#");
    assert_eq!(table("tiles.set = { '.' = [1], '#' = [[2, 9], 0] }"), ".#.");
    assert_eq!(table("empty = '%'\n[legend]\n'%' = { name = 'void', walk = false }"), "%.#");
}

#[test]
fn tiled_objects_become_places_and_polylines_become_patterns() {
    let objects = "<objectgroup name=\"o\" offsetx=\"16\">\
        <object id=\"1\" name=\"Start Here\" x=\"0\" y=\"4\"><point/></object>\
        <object id=\"2\" name=\"box\" x=\"-16\" y=\"0\" width=\"32\" height=\"8\"/>\
        <object id=\"3\" gid=\"1\" x=\"0\" y=\"8\" width=\"16\" height=\"8\"/>\
        <object id=\"5\" gid=\"1\" x=\"16\" y=\"8\"/>\
        <object id=\"4\" name=\"Round\" x=\"-8\" y=\"4\"><polyline points=\"0,0 4,0 32,0\"/></object>\
        </objectgroup>";
    let agent = "[[agent]]\nname = \"a\"\nat = [0, 0]\npattern = \"round\"\n\
                 [[agent]]\nname = \"box\"\nat = [1, 0]\ntravel = \"start_here\"\n";
    let (scenario, report) = load(&small("1,1,1", objects), agent).unwrap();
    assert!(!report.contains("error"), "{report}");
    let places: Vec<_> =
        scenario.places().iter().map(|each| (each.name.as_str(), each.at)).collect();
    let at = |x, y| tilewalk::geom::Vec2::new(x, y);
    // The object `box` is not a place, because an agent has that name.
    // Object 5 has the size of a tile, as in old files.
    let expected =
        [("start_here", at(1.0, 0.5)), ("object_3", at(1.5, 0.5)), ("object_5", at(2.5, 0.5))];
    assert_eq!(places, expected);
    let mut world = tilewalk::world::World::new(scenario);
    for _ in 0..8 {
        tilewalk::step::step(&mut world);
    }
    assert_eq!(world.tile(tilewalk::id::AgentId(0)).x, 2);
}

/// A recording stores these sources, and the map is loaded from them again.
#[test]
fn external_tile_sets_are_stored_in_the_sources_of_a_map() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sets")).unwrap();
    let solid = set("set", 3, &[(1, "solid", "true")]);
    // Both tile sets are stored, although their texts are equal.
    for name in ["sets/a.tsx", "sets/b.tsx"] {
        write_file(folder.path(), name, &solid.replacen("firstgid=\"1\" ", "", 1));
    }
    let sets = "<tileset firstgid=\"1\" source=\"sets/a.tsx\"/>\
                <tileset firstgid=\"4\" source=\"sets/b.tsx\"/>";
    let tiles = layer("Ground", 3, 1, "<data encoding=\"csv\">1,2,5</data>");
    write_file(folder.path(), "a.tmx", &map(3, 1, &format!("{sets}{tiles}")));
    let path = write_file(folder.path(), "a.toml", "tiles_file = \"a.tmx\"\n");
    let first = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
    let first = first.scenario.unwrap();
    assert_eq!(rows(&first), [".##"]);
    drop(folder);
    let again = files::reload(first.sources(), &Options::default()).unwrap();
    let again = again.scenario.unwrap();
    assert_eq!((again.sources().files.len(), again.sources()), (4, first.sources()));
    assert_eq!(rows(&again), [".##"]);
}

#[test]
fn ignored_parts_of_a_tiled_map_are_reported() {
    let more = "<imagelayer name=\"sky\"/><objectgroup name=\"o\">\
        <object id=\"1\" name=\"t\" x=\"0\" y=\"0\"><text>hi</text></object>\
        <object id=\"2\" name=\"u\" template=\"u.tx\"/>\
        <object id=\"4\" name=\"w\" x=\"900\" y=\"0\"/>\
        <object id=\"5\" name=\"q\" x=\"0\" y=\"0\"><polyline points=\"0,0 1,1\"/></object>\
        </objectgroup><strange/>\
        <layer name=\"moved\" offsetx=\"4\" width=\"3\" height=\"1\"><data encoding=\"csv\">9,0,0</data></layer>";
    let (_, report) = load(&small("1,1,2", more), "").unwrap();
    for message in [
        "the image layer `sky` is ignored",
        "the text object `t` is ignored",
        "no template `u.tx`",
        "the object `w` is outside the map",
        "`q` is ignored: all points are on one tile",
        "`<strange>` is not supported",
        "`offsetx` of the layer `moved` is ignored",
        "no tile set for tile 9 of the layer `moved`",
    ] {
        assert!(report.contains(message), "{message} is missing in\n{report}");
    }
}

#[test]
fn import_overwrites_existing_files_only_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let line = "<objectgroup><object name=\"way\" x=\"8\" y=\"4\"><polyline points=\"0,0 16,0\"/>\
                </object></objectgroup>";
    let tmx = write_file(folder.path(), "a b.tmx", &small("1,1,2", line));
    let map = folder.path().join("maps/a.toml").display().to_string();
    let (code, out, err) = tilewalk(&["import", &tmx, "--output", &map]);
    assert_eq!((code, out.lines().count()), (0, 3), "{err}");
    let pattern = folder.path().join("patterns/a_b_way.toml");
    assert!(pattern.exists() && out.contains(&pattern.display().to_string()));
    assert_eq!(tilewalk(&["check", "--strict", &map]).0, 0);
    fs::write(&pattern, "# mine").unwrap();
    fs::remove_file(&map).unwrap();
    fs::remove_file(folder.path().join("maps/a.import")).unwrap();
    let (code, out, err) = tilewalk(&["import", &tmx, "--output", &map]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("already exists: use --force to overwrite the file"), "{err}");
    assert!(!PathBuf::from(&map).exists() && fs::read_to_string(&pattern).unwrap() == "# mine");
    assert_eq!(tilewalk(&["import", &tmx, "--output", &map, "--force"]).0, 0);
    assert!(fs::read_to_string(&pattern).unwrap().contains("kind     = \"path\""));
    let (code, out, _) = tilewalk(&["import", &tmx]);
    let alone = write_file(folder.path(), "alone.toml", &out);
    assert_eq!((code, tilewalk(&["check", "--strict", &alone]).0), (0, 0));
    assert!(out.contains("# Save the following lines as patterns/a_b_way.toml:"));
}

#[test]
fn third_party_maps_can_be_imported_and_run() {
    let Some(samples) = samples() else { return };
    let mut imported = 0;
    for entry in fs::read_dir(samples).unwrap() {
        let path = entry.unwrap().path();
        if !files::import::can_import(&path) {
            continue;
        }
        imported += 1;
        let folder = tempfile::tempdir().unwrap();
        let map = folder.path().join("maps/map.toml").display().to_string();
        let (code, _, err) = tilewalk(&["import", &path.display().to_string(), "--output", &map]);
        assert_eq!(code, 0, "{err}");
        let folder = folder.path().display().to_string();
        assert_eq!(tilewalk(&["check", "--strict", &folder]).0, 0, "{}", path.display());
        assert_eq!(tilewalk(&["run", &map, "--frames", "100"]).0, 0, "{}", path.display());
    }
    assert!(imported >= 3, "only {imported} maps");
}
