//! Imports of maps in the ways of different games: options for layers, objects with images, walls of
//! tiles, glyphs, and maps that are opened at once.

use std::fs;
use std::path::Path;

use tilewalk::files::{self, Options, Origin};
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
    assert_eq!(tilewalk(&["run", "tests/levels/strange.xsb", "--frames", "1"]).0, 2);
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
