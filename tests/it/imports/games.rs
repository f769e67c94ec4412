//! Imports of maps in the ways of different games: options for layers, objects with images, walls of
//! tiles, glyphs, and maps that are opened at once.

use tilewalk::files::{self, Options};
use tilewalk::scenario::Scenario;

use super::basics::{rows, tilewalk, write_file};

/// Imports a file. Returns the scenario and the messages of the import.
fn import(file: &str, more: &[&str]) -> (std::sync::Arc<Scenario>, String) {
    let (code, out, err) = tilewalk(&[&["import", file], more].concat());
    assert_eq!(code, 0, "{err}");
    let origin = tilewalk::builtin::text("imported", out);
    let loaded = files::load(&origin, &Options::default()).unwrap();
    assert_eq!(loaded.report.plain(), "", "{file}");
    (loaded.scenario.unwrap(), err)
}

#[cfg(feature = "tiled")]
mod tiled {
    use std::fs;
    use std::path::Path;

    use tilewalk::files::Origin;

    use super::*;
    use crate::support::tmx::{layer, map, set};

    #[test]
    fn names_of_objects_do_not_switch_off_a_walkable_layer() {
        let file = "tests/tiled/names_of_objects.tmx";
        let (scenario, err) = import(file, &[]);
        assert_eq!(rows(&scenario), ["...###", ".#####"]);
        let note = "layer `Walkable`: most places are on its tiles, so the other tiles are solid";
        assert!(err.contains(note), "{err}");
        let command = format!("tilewalk import {file} --solid layer:Walkable");
        assert!(err.contains(&command), "{err}");
        assert_eq!(rows(&import(file, &["--solid", "layer:Walkable"]).0), ["###...", "#....."]);
        let other = rows(&import(file, &["--solid", "outside:Walkable"]).0);
        assert_eq!(other, ["...###", ".#####"]);
    }

    #[test]
    fn layers_are_left_out_and_combined() {
        let file = "tests/tiled/combined.tmx";
        let (_, err) = import(file, &[]);
        let opened = format!("tilewalk import {file} --combine any");
        assert!(err.contains("1 tile solid below") && err.contains(&opened), "{err}");
        let above = format!("tilewalk import {file} --ignore 'layer:Above player'");
        assert!(err.contains("makes 2 tiles solid") && err.contains(&above), "{err}");
        let of =
            |options: &[&str]| rows(&import(file, &[options, &["--looks", "plain"]].concat()).0);
        assert_eq!(of(&[]), ["...##...", ".##.....", ".....#.."]);
        assert_eq!(of(&["--combine", "any"]), ["...##...", "###.....", ".....#.."]);
        assert_eq!(of(&["--ignore", "group:Roofs"]), ["........", ".##.....", "........"]);
        let (code, _, err) = tilewalk(&["import", file, "--ignore", "layer:Roofs"]);
        assert!(code == 2 && err.contains("`layer:Roofs` selects nothing"), "{err}");
        let folder = tempfile::tempdir().unwrap();
        fs::copy(file, folder.path().join("a.tmx")).unwrap();
        let table = "tiles_file = 'a.tmx'\n[tiled]\nignore = ['group:Roofs']\ncombine = 'any'\n";
        let path = write_file(folder.path(), "a.toml", table);
        let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
        let scenario = loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()));
        assert_eq!(rows(&scenario), ["........", "###.....", "........"]);
    }

    /// Returns the walls of a map as pairs of points, in thousandths of a tile, and whether each is
    /// one-sided.
    fn walls(scenario: &Scenario) -> Vec<([i32; 4], bool)> {
        let point = |number: f32| (number * 1000.0).round() as i32;
        let all = scenario.map().walls().list().iter().map(|wall| {
            let ends = [wall.from.x, wall.from.y, wall.to.x, wall.to.y].map(point);
            (ends, wall.one_sided)
        });
        let mut all: Vec<_> = all.collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn shapes_of_tiles_that_close_no_tile_become_walls() {
        let (scenario, _) = import("tests/tiled/stamps.tmx", &["--looks", "plain"]);
        let found = walls(&scenario);
        // The fences of tiles (1, 5) and (2, 5) are joined: their common side is left out.
        for expected in [
            ([1000, 5125, 3000, 5125], false),
            ([1000, 5375, 3000, 5375], false),
            ([1000, 5125, 1000, 5375], false),
            ([3000, 5125, 3000, 5375], false),
            ([3188, 5188, 3813, 5188], false),
        ] {
            assert!(found.contains(&expected), "{expected:?} is missing: {found:?}");
        }
        assert!(
            !found.iter().any(|(ends, _)| ends[0] == 2000 && ends[2] == 2000 && ends[1] > 5000),
            "{found:?}"
        );
        // A one-way platform is a wall from right to left on top of the tiles.
        assert!(found.contains(&([6000, 5000, 4000, 5000], true)), "{found:?}");
        // In a layer called `Collision`, the shapes decide, too.
        assert!(found.contains(&([0, 4125, 2000, 4125], false)), "{found:?}");
    }

    /// Returns a tile set whose tiles of 16 × 8 pixels have these collision shapes.
    fn shapes(of: &[&str]) -> String {
        let tiles = of.iter().enumerate().map(|(id, shape)| {
            format!("<tile id=\"{id}\"><objectgroup>{shape}</objectgroup></tile>")
        });
        let (count, tiles) = (of.len(), tiles.collect::<String>());
        format!(
            "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"16\" tileheight=\"8\" \
             tilecount=\"{count}\">{tiles}</tileset>"
        )
    }

    fn walls_of(shapes: &str, tiles: &str) -> Vec<([i32; 4], bool)> {
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", &row(shapes, &[("Ground", tiles)], ""));
        walls(&import(&path, &[]).0)
    }

    #[test]
    fn the_outline_of_a_tile_keeps_a_line_of_its_neighbour() {
        let fence = "<object x=\"16\" y=\"2\"><polyline points=\"0,0 0,4\"/></object>";
        let post = "<object x=\"0\" y=\"2\" width=\"4\" height=\"4\"/>";
        let found = walls_of(&shapes(&[fence, post]), "1,2");
        assert!(found.contains(&([1000, 250, 1000, 750], false)), "{found:?}");
    }

    #[test]
    fn a_line_keeps_all_of_its_64_points() {
        let point = |index: u32| format!("{},{} ", f64::from(index) / 4.0, index % 2 * 2);
        let points: String = (0..64).map(point).collect();
        let zigzag = format!("<object x=\"0\" y=\"0\"><polyline points=\"{points}\"/></object>");
        assert_eq!(walls_of(&shapes(&[&zigzag]), "1,0,0").len(), 63);
    }

    #[test]
    fn a_map_without_room_between_its_walls_has_no_agent() {
        let cross = "<object x=\"0\" y=\"0\"><polyline points=\"0,0 16,8 16,0 0,8\"/></object>";
        let text = row(&shapes(&[cross]), &[("Ground", "1")], "");
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", &text);
        assert_eq!(import(&path, &[]).0.starts().len(), 0);
    }

    #[test]
    fn a_one_way_polygon_is_a_wall_without_a_path_and_a_place() {
        let platform = "<objectgroup><object id=\"7\" x=\"0\" y=\"2\">\
                        <properties><property name=\"oneway\" type=\"bool\" value=\"true\"/></properties>\
                        <polygon points=\"0,0 16,0 16,2 0,2\"/></object></objectgroup>";
        let folder = tempfile::tempdir().unwrap();
        let text = row(&set("a", 1, &[]), &[("Ground", "1,1")], platform);
        let path = write_file(folder.path(), "a.tmx", &text);
        let (scenario, err) = import(&path, &[]);
        assert_eq!(walls(&scenario), [([1000, 250, 0, 250], true)]);
        assert!(scenario.places().is_empty() && !err.contains("path"), "{err}");
    }

    #[test]
    fn large_images_close_all_tiles_that_they_cover() {
        let (scenario, _) = import("tests/tiled/stamps.tmx", &["--looks", "plain"]);
        let drawn = rows(&scenario);
        assert_eq!(drawn[..3], [".##.#...#.##", ".##.......##", ".##..#.#..##"]);
        assert_eq!(drawn[5], "......#.....", "a property in a property of a class counts");
    }

    #[test]
    fn objects_with_images_inherit_from_their_tiles() {
        let (scenario, _) = import("tests/tiled/images.tmx", &["--looks", "plain"]);
        let expected = [
            "#...##..#...",
            "##......#...",
            "..##........",
            "..##........",
            "#..##.....#.",
            "#..##.......",
        ];
        assert_eq!(rows(&scenario), expected);
    }

    /// Returns a map of one row of tiles, 16 × 8 pixels each, with these layers and objects.
    fn row(sets: &str, layers: &[(&str, &str)], objects: &str) -> String {
        let count = layers[0].1.split(',').count() as u32;
        let data = |tiles| format!("<data encoding=\"csv\">{tiles}</data>");
        let layers = layers.iter().map(|(name, tiles)| layer(name, count, 1, &data(tiles)));
        map(count, 1, &(sets.to_owned() + &layers.collect::<String>() + objects))
    }

    /// Imports the text of a map. Returns its rows and the messages of the import.
    fn rows_of(text: &str, options: &[&str]) -> (Vec<String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", text);
        let (scenario, err) = import(&path, options);
        (rows(&scenario), err)
    }

    fn areas(layer: &str, objects: &[&str]) -> String {
        let object = |more: &&str| format!("<object {more} y=\"0\" width=\"16\" height=\"8\"/>");
        let objects = objects.iter().map(object).collect::<String>();
        format!("<objectgroup name=\"{layer}\">{objects}</objectgroup>")
    }

    #[test]
    fn areas_without_names_are_solid_if_nothing_else_is() {
        let plain = set("set", 3, &[]);
        let tiles = [("Ground", "1,1,1,1")];
        let of = |name: &str| areas(name, &["x=\"0\"", "x=\"32\""]);
        let (found, err) = rows_of(&row(&plain, &tiles, &of("Objects")), &[]);
        assert_eq!(found, ["#.#."]);
        let note = "object layer `Objects`: nothing else is solid, and its areas have no names";
        assert!(err.contains(note) && err.contains(" --ignore objects:Objects\n"), "{err}");
        let open = rows_of(&row(&plain, &tiles, &of("Objects")), &["--ignore", "objects:Objects"]);
        assert_eq!(open.0, ["...."]);
        assert_eq!(rows_of(&row(&plain, &tiles, &of("Object Layer 1")), &[]).0, ["#.#."]);
        // The name of the layer or of one object says what the areas are.
        assert_eq!(rows_of(&row(&plain, &tiles, &of("Doors")), &[]).0, ["...."]);
        let named = areas("Objects", &["x=\"0\"", "x=\"32\" name=\"door\""]);
        assert_eq!(rows_of(&row(&plain, &tiles, &named), &[]).0, ["...."]);
        assert_eq!(rows_of(&row(&plain, &tiles, &areas("", &["x=\"0\""])), &[]).0, ["...."]);
        // Another rule marks a tile, or a layer that can be a picture is solid.
        let marked = set("set", 3, &[(1, "solid", "true")]);
        let found = rows_of(&row(&marked, &[("Ground", "1,2,1,1")], &of("Objects")), &[]).0;
        assert_eq!(found, [".#.."]);
        let walls = [("Ground", "1,1,1,1"), ("Walls", "0,1,0,0")];
        assert_eq!(rows_of(&row(&plain, &walls, &of("Objects")), &[]).0, [".#.."]);
        let other = areas("Collision", &["x=\"16\""]) + &of("Objects");
        assert_eq!(rows_of(&row(&plain, &tiles, &other), &[]).0, [".#.."]);
    }

    #[test]
    fn tiles_with_a_property_are_left_out() {
        let sets = set("set", 4, &[(1, "solid", "true"), (2, "solid", "true"), (2, "z", "1")]);
        // Tile 3 is above moving things. The layer `Up` has the property itself.
        let tiles = [("Ground", "1,2,3,1,1"), ("Up", "0,0,0,2,0")];
        let property = "<properties><property name=\"z\" value=\"2\"/></properties>";
        let text = row(&sets, &tiles, "");
        let at = text.find("name=\"Up\"").unwrap();
        let end = at + text[at..].find('>').unwrap() + 1;
        let text = format!("{}{property}{}", &text[..end], &text[end..]);
        let (found, err) = rows_of(&text, &[]);
        assert_eq!(found, [".###."]);
        let note = "tiles with the property `z` can be above moving things\n  to leave them out: ";
        assert!(err.contains(note) && err.contains(" --ignore property:z\n"), "{err}");
        let (found, err) = rows_of(&text, &["--ignore", "property:z"]);
        assert!(found == [".#..."] && !err.contains("can be above"), "{found:?} {err}");
        // Numbers that are not positive leave nothing out.
        let low =
            text.replace("value=\"2\"", "value=\"0\"").replace("\"1\"/></prop", "\"-1\"/></prop");
        let (found, err) = rows_of(&low, &[]);
        assert!(found == [".###."] && !err.contains("can be above"), "{found:?} {err}");
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", &low);
        let (code, _, err) = tilewalk(&["import", &path, "--ignore", "property:z"]);
        assert!(code == 2 && err.contains("`property:z` selects nothing"), "{err}");
    }

    #[test]
    fn a_false_property_does_not_switch_off_collision_shapes() {
        let shape = |height: u32, name: &str, value: &str| {
            format!(
                "<tile id=\"{}\"><properties><property name=\"{name}\" value=\"{value}\"/>\
                 </properties><objectgroup><object x=\"0\" y=\"0\" width=\"16\" height=\"{height}\"/>\
                 </objectgroup></tile>",
                height - 4 + u32::from(value == "true") * 8,
            )
        };
        let tiles = shape(4, "collides", "false")
            + &shape(5, "solid", "false")
            + &shape(6, "walkable", "true")
            + "<tile id=\"3\"><properties><property name=\"collides\" value=\"false\"/></properties></tile>";
        let tiles = tiles.replace("id=\"10\"", "id=\"2\"");
        let sets = format!(
            "<tileset firstgid=\"1\" name=\"set\" tilewidth=\"16\" tileheight=\"8\" tilecount=\"4\">{tiles}</tileset>"
        );
        assert_eq!(rows_of(&row(&sets, &[("Ground", "1,2,3,4")], ""), &[]).0, ["##.."]);
    }

    #[test]
    fn import_names_options_for_collision_layers_with_several_tiles() {
        let sets = |columns: u32| {
            format!(
                "<tileset firstgid=\"1\" name=\"ground\" tilecount=\"9\" columns=\"3\"/>\
                 <tileset firstgid=\"10\" name=\"marks\" tilecount=\"9\" columns=\"{columns}\"/>"
            )
        };
        let picture = |marks: &str| {
            let data = |tiles: &str| format!("<data encoding=\"csv\">{tiles}</data>");
            let layers = layer("Ground", 3, 4, &data("1,1,1,1,1,1,1,1,1,1,1,1"))
                + &layer("Collision", 3, 4, &data(marks));
            map(3, 4, &(sets(3) + &layers))
        };
        let text = picture("10,13,14,10,0,0,10,16,0,10,10,10");
        let (found, err) = rows_of(&text, &[]);
        assert_eq!(found, ["###", "#..", "##.", "###"]);
        let note = "tiles of the set `marks` can have different meanings: \
                    6 of 0-2, 2 of 3-5, 1 of 6-8\n  to make all but the first walkable: ";
        assert!(err.contains(note) && err.contains(" --walkable tiles:marks/3-8\n"), "{err}");
        assert!(err.contains(" --one-way tiles:marks/3-8\n"), "{err}");
        let (found, err) = rows_of(&text, &["--one-way", "tiles:marks/3-8"]);
        assert_eq!(found, ["#..", "#..", "#..", "###"]);
        assert!(!err.contains("different meanings"), "{err}");
        // In one row of the set, each tile is a group of its own. One tile of the set is in another
        // layer by mistake.
        let text = picture("10,0,0,10,0,0,10,0,11,10,10,12").replacen("1,1,1", "1,1,10", 1);
        let (_, err) = rows_of(&text, &[]);
        assert!(err.contains("5 of 0, 1 of 1, 1 of 2\n"), "{err}");
        assert!(err.contains(" --walkable tiles:marks/1-2\n"), "{err}");
        // Without tiles of the first row, all tiles can be something else than walls.
        let (_, err) = rows_of(&picture("0,0,0,0,0,0,13,0,16,13,13,16"), &[]);
        assert!(err.contains(" --one-way tiles:marks/3-8\n"), "{err}");
        // One kind of tile, or tiles of a set that other layers use: nothing to choose.
        for marks in ["10,0,0,10,0,0,10,0,10,10,10,10", "1,0,0,1,0,0,2,0,2,1,1,1"] {
            let (_, err) = rows_of(&picture(marks), &[]);
            assert!(!err.contains("different meanings"), "{err}");
        }
    }

    #[test]
    fn only_the_named_layers_count() {
        let sets = set("set", 3, &[(1, "solid", "true")]);
        let text =
            row(&sets, &[("Back", "2,1,1,1"), ("Ground", "1,2,2,1"), ("Front", "1,1,1,1")], "");
        let (found, err) = rows_of(&text, &[]);
        assert_eq!(found, ["###."]);
        let note =
            "solid tiles are in several layers: `Ground` 2, `Back` 1\n  to use only the first: ";
        assert!(err.contains(note) && err.contains(" --ignore others:Ground\n"), "{err}");
        assert!(err.contains("  to use only the second: "), "{err}");
        assert!(err.contains(" --ignore others:Back\n"), "{err}");
        let (found, err) = rows_of(&text, &["--ignore", "others:Ground"]);
        assert!(found == [".##."] && !err.contains("several layers"), "{found:?} {err}");
        let both = ["--ignore", "others:Ground", "--ignore", "others:Back"];
        assert_eq!(rows_of(&text, &both).0, ["###."]);
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", &text);
        let (code, _, err) = tilewalk(&["import", &path, "--ignore", "others:Middle"]);
        assert!(code == 2 && err.contains("`others:Middle` selects nothing"), "{err}");
    }

    #[test]
    fn chosen_shapes_decide_instead_of_a_property() {
        let tile = |id: u32, height: u32| {
            format!(
                "<tile id=\"{id}\"><properties><property name=\"solid\" value=\"true\"/></properties>\
                 <objectgroup><object x=\"0\" y=\"0\" width=\"16\" height=\"{height}\"/></objectgroup></tile>"
            )
        };
        let sets = format!(
            "<tileset firstgid=\"1\" name=\"set\" tilewidth=\"16\" tileheight=\"8\" tilecount=\"3\">{}{}</tileset>",
            tile(0, 3),
            tile(1, 5),
        );
        let text = row(&sets, &[("Ground", "1,2,3,1")], "");
        let (found, err) = rows_of(&text, &[]);
        assert_eq!(found, ["##.#"]);
        let note = "2 tiles are solid with collision shapes for less than half of the tile\n  \
                    to use the shapes: ";
        assert!(err.contains(note) && err.contains(" --solid shapes:set\n"), "{err}");
        let (found, err) = rows_of(&text, &["--solid", "shapes:set"]);
        assert!(found == [".#.."] && !err.contains("less than half"), "{found:?} {err}");
    }

    #[test]
    fn a_border_is_solid_and_barriers_can_be_a_picture() {
        let plain = set("set", 3, &[]);
        let collisions = areas("Collisions", &["x=\"0\""]);
        for (layer, beside_collisions) in [("Border", "##.."), ("Barriers", "#...")] {
            let tiles = [("Ground", "1,1,1,1"), (layer, "1,1,0,0")];
            assert_eq!(rows_of(&row(&plain, &tiles, ""), &[]).0, ["##.."]);
            let (found, err) = rows_of(&row(&plain, &tiles, &collisions), &[]);
            assert_eq!(found, [beside_collisions]);
            let command = format!(" --solid layer:{layer}\n");
            assert_eq!(err.contains(&command), layer == "Barriers", "{err}");
        }
    }

    /// The same map has the same tiles with and without `.git`, as in a project that was downloaded as
    /// an archive.
    #[test]
    fn tile_sets_above_the_map_are_found_without_a_marked_root() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("a/project");
        for file in ["data/maps/cellar.tmx", "art/cellar.tsx"] {
            let to = project.join(file);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(Path::new("tests/tiled/zip").join(file), to).unwrap();
        }
        let map = project.join("data/maps/cellar.tmx").display().to_string();
        assert_eq!(rows(&import(&map, &[]).0), [".#."]);
        fs::create_dir(project.join(".git")).unwrap();
        assert_eq!(rows(&import(&map, &[]).0), [".#."]);
        fs::remove_dir(project.join(".git")).unwrap();
        let deep = project.join("data/maps/deep/er").display().to_string();
        fs::create_dir_all(&deep).unwrap();
        let text = fs::read_to_string(&map).unwrap().replace("../../art", "../../../../art");
        let map = write_file(Path::new(&deep), "cellar.tmx", &text);
        let (code, _, err) = tilewalk(&["import", &map]);
        let command = format!("tilewalk import {map} --root {deep}/../../../..");
        assert!(code == 2 && err.contains(&command), "{command}: {err}");
        assert_eq!(rows(&import(&map, &["--root", &format!("{deep}/../../../..")]).0), [".#."]);
    }

    #[test]
    fn a_path_without_backslashes_causes_no_warning_about_them() {
        let folder = tempfile::tempdir().unwrap();
        let own = set("a", 1, &[(0, "solid", "true")]);
        for name in ["a".repeat(90), "Cafe\u{301}".to_owned()] {
            write_file(folder.path(), &format!("{name}.tsx"), &own.replace(" firstgid=\"1\"", ""));
            let set = format!("<tileset firstgid=\"1\" source=\"{name}.tsx\"/>");
            let path = write_file(folder.path(), "a.tmx", &row(&set, &[("Ground", "0,1")], ""));
            let (scenario, err) = import(&path, &[]);
            assert_eq!(rows(&scenario), [".#"], "{err}");
            assert!(!err.contains("is read as"), "{err}");
        }
    }

    #[test]
    fn a_tile_without_a_tile_set_is_one_tile_in_all_flips() {
        let flipped = 0x8000_0000_u32 + 70;
        let tiles = |tiles: &str| row(&set("a", 1, &[]), &[("Ground", tiles)], "");
        let (_, err) = rows_of(&tiles(&format!("70,1,{flipped},6,70")), &[]);
        assert!(err.contains("no tile set for tile 70 and others"), "{err}");
        let (_, err) = rows_of(&tiles(&format!("70,1,{flipped},1,70")), &[]);
        assert!(err.contains("no tile set for tile 70 of the layer"), "{err}");
    }

    #[test]
    fn content_that_is_not_imported_is_counted() {
        let tile =
            "<tile id=\"0\"><animation><frame tileid=\"0\" duration=\"9\"/></animation></tile>";
        let property = "<properties><property name=\"loot\" value=\"3\"/>\
                        <property name=\"door\" type=\"object\" value=\"1\"/></properties>";
        let objects =
            format!("<objectgroup><object x=\"8\" y=\"4\">{property}</object></objectgroup>");
        let ground = layer("Ground", 3, 1, "<data encoding=\"csv\">1,1,2</data>");
        let ground = ground.replacen("<layer ", "<layer visible=\"0\" parallaxx=\"0.5\" ", 1);
        let sets = set("set", 3, &[(1, "solid", "true")]).replacen(
            "</tileset>",
            &format!("{tile}</tileset>"),
            1,
        );
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", &map(3, 1, &(sets + &ground + &objects)));
        let (_, err) = import(&path, &[]);
        let expected = [
            "1  hidden layers: they count for solid tiles, not for colours",
            "1  layers with parallax: they do not move",
            "1  animated tiles: they do not move",
            "1  properties of objects",
            "1  properties that refer to objects or files",
        ];
        for line in expected {
            assert!(err.contains(line), "{line} is missing:\n{err}");
        }
        let (_, err) = import(&path, &["--ignore", "layer:Ground"]);
        assert!(!err.contains("hidden layers") && !err.contains("parallax"), "{err}");
        let (code, out, _) = tilewalk(&["import", &path, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, json["tiles"].as_u64()), (0, Some(3)));
        assert_eq!(json["left_out"].as_array().map(Vec::len), Some(5), "{out}");
        assert_eq!(json["solid"][0]["rule"], "tile property `solid`");
    }

    #[test]
    fn a_tiles_file_can_be_in_another_directory_of_the_project() {
        let folder = tempfile::tempdir().unwrap();
        for (from, to) in [
            ("data/maps/cellar.tmx", "tiled/maps/cellar.tmx"),
            ("art/cellar.tsx", "art/cellar.tsx"),
        ] {
            let to = folder.path().join("p").join(to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(Path::new("tests/tiled/zip").join(from), to).unwrap();
        }
        let maps = folder.path().join("p/maps");
        fs::create_dir(&maps).unwrap();
        let text = "tiles_file = '../tiled/maps/cellar.tmx'\n";
        let path = write_file(&maps, "a.toml", text);
        let load = || files::load(&Origin::Disk(path.clone().into()), &Options::default()).unwrap();
        let loaded = load();
        let scenario = loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()));
        assert_eq!(rows(&scenario), [".#."]);
        let again = files::reload(scenario.sources(), &Options::default()).unwrap();
        assert_eq!(rows(&again.scenario.unwrap()), [".#."]);
        fs::create_dir(maps.join(".git")).unwrap();
        assert!(load().report.plain().contains("is outside the project directory"));
    }

    #[test]
    fn agents_start_at_places_of_the_tiles_file() {
        let objects = "<objectgroup><object name=\"Spawn point\" x=\"20\" y=\"4\"><point/></object></objectgroup>";
        let ground = layer("Ground", 3, 1, "<data encoding=\"csv\">1,1,2</data>");
        let text = map(3, 1, &(set("set", 3, &[(2, "solid", "true")]) + &ground + objects));
        let folder = tempfile::tempdir().unwrap();
        write_file(folder.path(), "a.tmx", &text);
        let agents =
            |at: &str| format!("tiles_file = 'a.tmx'\n[[agent]]\nname = 'a'\nat = '{at}'\n");
        let load = |at: &str| {
            let path = write_file(folder.path(), "a.toml", &agents(at));
            files::load(&Origin::Disk(path.into()), &Options::default()).unwrap()
        };
        let scenario = load("spawn_point").scenario.unwrap();
        assert_eq!((scenario.starts()[0].position.x, scenario.starts()[0].position.y), (1.25, 0.5));
        assert!(load("spawn_pint").report.plain().contains("did you mean `spawn_point`?"));
    }

    #[test]
    fn a_json_file_that_is_no_map_is_refused_in_the_words_of_json() {
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.json", "{ \"name\": \"x\", \"version\": 3 }");
        let (code, _, err) = tilewalk(&["import", &path]);
        assert!(code == 2 && err.contains("the JSON file is not a Tiled map"), "{err}");
        assert!(!err.contains("root element"), "{err}");
    }
}

#[test]
fn a_file_of_another_program_is_opened_at_once_with_its_title() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "2_rooms.txt", "#####\n#...#\n#####\n");
    let (code, out, err) = tilewalk(&["run", &path, "--frames", "5"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("agents  1"), "{out}");
    let (_, out, _) = tilewalk(&["import", &path]);
    assert!(out.contains("title  = \"2_rooms\""), "{out}");
    let (code, out, err) = tilewalk(&["run", "tests/levels/strange.xsb", "--frames", "1"]);
    assert!(code == 2 && out.is_empty() && err.contains(" --> tests/levels/strange.xsb:"), "{err}");
}

#[test]
fn a_run_prints_the_warnings_of_the_import() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "a.txt", "..?\n...\n");
    let warning = |err: &str| {
        let first = err.lines().find(|line| line.starts_with("warning: "));
        first.unwrap_or_else(|| panic!("{err}")).to_owned()
    };
    let (_, _, imported) = tilewalk(&["import", &path]);
    let (code, out, err) = tilewalk(&["run", &path, "--frames", "1"]);
    assert_eq!((code, warning(&err)), (0, warning(&imported)), "{out}");
}

#[test]
fn glyphs_of_walls_and_floor_are_chosen_for_text_maps() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "a.txt", "xxcxx\nx.T.x\nwwttx\n");
    let (scenario, err) = import(&path, &[]);
    assert_eq!(rows(&scenario), ["xxcxx", "x.T.x", "wwttx"]);
    assert!(err.contains("no tile is solid"), "{err}");
    let command = format!("tilewalk import {path} --walls");
    assert!(err.contains(&command), "{err}");
    let (scenario, err) = import(&path, &["--walls", "xcwt", "--floor", "T"]);
    assert_eq!(err, "");
    let walks = |x, y| {
        let kind = scenario.map().kind(tilewalk::geom::TilePos::new(x, y)).unwrap();
        kind.walk && kind.obstacle.is_none()
    };
    let row = |y| (0..5).map(|x| if walks(x, y) { '.' } else { '#' }).collect::<String>();
    assert_eq!([row(0), row(1), row(2)], ["#####", "#...#", "#####"]);
    let (code, _, err) = tilewalk(&["import", &path, "--walls", "\t"]);
    assert!(code == 2 && err.contains("is invisible"), "{err}");
}

#[test]
fn an_unknown_glyph_in_a_sokoban_level_is_reported_with_its_place() {
    let file = "tests/levels/strange.xsb";
    let (code, out, _) = tilewalk(&["import", file, "--levels"]);
    assert_eq!((code, out.as_str()), (0, "1  Middle\n2  First row\n3  Plain\n"));
    let (code, _, err) = tilewalk(&["import", file]);
    assert!(code == 2 && err.contains("unknown glyph `X` in the level"), "{err}");
    assert!(err.contains("strange.xsb:4:3"), "{err}");
    for option in ["--walls X", "--boxes X", "--floor X"] {
        assert!(err.contains(&format!("tilewalk import {file} {option}")), "{option}: {err}");
    }
    assert_eq!(rows(&import(file, &["--level", "3"]).0), ["###", "#@#", "###"]);
    let (scenario, _) = import(file, &["--boxes", "X"]);
    let kind = scenario.map().kind(tilewalk::geom::TilePos::new(2, 1)).unwrap();
    assert_eq!((kind.name.as_str(), kind.walk), ("box", false));
}

/// Without the option, the first file has no level, and the second one has a level less.
#[test]
fn levels_with_chosen_glyphs_are_listed_and_selected() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "a.xsb", "XXX\nX@X\nXXX\n");
    assert_eq!(rows(&import(&path, &["--walls", "X"]).0), ["XXX", "X@X", "XXX"]);
    let path =
        write_file(folder.path(), "b.xsb", "Small\nXXX\nX@X\nXXX\n\nLarge\n####\n#@.#\n####\n");
    let walls = ["--walls", "X"];
    let (code, out, _) = tilewalk(&[&["import", &path, "--levels"], &walls[..]].concat());
    assert_eq!((code, out.as_str()), (0, "1  Small\n2  Large\n"));
    let (scenario, err) = import(&path, &walls);
    assert_eq!(rows(&scenario), ["XXX", "X@X", "XXX"]);
    assert!(err.contains("only level 1 of 2 is imported: `Small`"), "{err}");
    let (scenario, _) = import(&path, &["--walls", "X", "--level", "large"]);
    assert_eq!(rows(&scenario), ["####", "#@.#", "####"]);
}

#[test]
fn ldtk_levels_without_values_are_read_by_tags_layers_and_entities() {
    let file = "tests/levels/tags.ldtk";
    let (scenario, err) = import(file, &[]);
    assert_eq!(rows(&scenario), ["##....", "......", "#....#"]);
    assert!(err.contains("tag `Wall`") && err.contains("layer name `Solid_tiles`"), "{err}");
    let (code, out, _) = tilewalk(&["import", file, "--explain-solid"]);
    let command = format!("tilewalk import {file} --solid tag:Bush");
    assert!(code == 0 && out.contains(&command) && out.contains("entity:Crate"), "{out}");
    let (scenario, _) = import(file, &["--solid", "tag:Bush", "--solid", "entity:Gate"]);
    assert_eq!(rows(&scenario), ["##..##", "..##..", "#....#"]);
    let (code, _, err) = tilewalk(&["import", file, "--solid", "tag:Nothing"]);
    assert!(code == 2 && err.contains("`tag:Nothing` selects nothing"), "{err}");
}
