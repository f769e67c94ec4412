//! Imports of Tiled maps: which tiles are solid, and what objects become. The maps are in `tests/tiled`.

use std::fs;
use std::path::Path;

use tilewalk::files::{self, Options, Origin};

use super::basics::{rows, tilewalk, write_file};

const FOLDER: &str = "tests/tiled";

/// Imports a map. Returns its rows and the messages of the import.
fn import(path: &Path, options: &[&str]) -> (Vec<String>, String) {
    let path = path.display().to_string();
    let (code, out, err) = tilewalk(&[&["import", &path], options].concat());
    assert_eq!(code, 0, "{err}");
    let origin = tilewalk::builtin::text("imported", out);
    let loaded = files::load(&origin, &Options::default()).unwrap();
    assert_eq!(loaded.report.plain(), "", "{path}");
    (rows(&loaded.scenario.unwrap()), err)
}

fn rows_of(name: &str, options: &[&str]) -> Vec<String> {
    import(&Path::new(FOLDER).join(name), &[options, &["--looks", "plain"]].concat()).0
}

#[test]
fn rules_for_solid_tiles_apply_in_a_fixed_order() {
    assert_eq!(rows_of("properties.tmx", &[]), [".##.#a..", "#.#.#a##", ".#.#...."]);
    assert_eq!(rows_of("shapes.tmx", &[]), [".##.###..."]);
    assert_eq!(rows_of("layers.tmx", &[]), ["##.#....", "...#...."]);
    assert_eq!(rows_of("terrain.tmx", &[]), [".##..#."]);
    // Other rules mark some tiles of `Walls`, so the layer is only a picture.
    assert_eq!(rows_of("pictures.tmx", &[]), ["##....", "...#.."]);
    // Options on the command line take precedence over properties.
    assert_eq!(rows_of("pictures.tmx", &["--solid", "layer:Walls"]), ["####..", "...#.."]);
    let chosen = rows_of("properties.tmx", &["--solid", "tile-property:c"]);
    assert_eq!(chosen, [".##.#a#.", "#.###a##", ".#.#...."]);
    let chosen = rows_of("properties.tmx", &["--walkable", "tile-property:Collides"]);
    assert_eq!(chosen, [".#..#a..", "#.#.#a##", ".#.#...."]);
    let chosen =
        rows_of("layers.tmx", &["--walkable", "layer:House Walls", "--solid", "layer:Walls 2"]);
    assert_eq!(chosen, ["...#..#.", "...##..."]);
    assert_eq!(rows_of("terrain.tmx", &["--solid", "terrain:Grass"]), ["#.##..."]);
}

#[test]
fn import_lists_applied_rules_and_explain_solid_lists_further_rules() {
    let path = format!("{FOLDER}/properties.tmx");
    let (_, err) = import(Path::new(&path), &[]);
    assert!(err.contains("of 24 tiles are solid:"), "{err}");
    assert!(err.contains("tile property `solid`") && err.contains("--explain-solid"), "{err}");
    let (code, out, _) = tilewalk(&["import", &path, "--explain-solid"]);
    assert_eq!(code, 0);
    for part in ["tile class `wall`", "--solid tile-property:c  # 2 tiles", "--solid layer:Bridges"]
    {
        assert!(out.contains(part), "{part} is missing:\n{out}");
    }
    let (code, _, err) = tilewalk(&["import", &path, "--solid", "layer:Nowhere"]);
    assert!(code == 2 && err.contains("`layer:Nowhere` selects nothing"), "{err}");
    let (code, _, err) = tilewalk(&["import", &path, "--solid", "wall"]);
    assert!(code == 2 && err.contains("`layer:NAME`"), "{err}");
}

#[test]
fn a_wall_layer_is_not_solid_if_other_rules_mark_some_of_its_tiles() {
    let map = |marks: &str, more: &str| {
        let layer = |name: &str, tiles: &str| {
            format!(
                "<layer name=\"{name}\" width=\"4\" height=\"1\"><data encoding=\"csv\">{tiles}</data></layer>"
            )
        };
        let text = format!(
            "<map width=\"4\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\
             <tileset firstgid=\"1\" name=\"set\" tilewidth=\"8\" tileheight=\"8\">\
             <tile id=\"1\"><properties><property name=\"collides\" value=\"true\"/></properties></tile>\
             <tile id=\"2\"><properties><property name=\"walkable\" value=\"true\"/></properties></tile>\
             </tileset>{}{}{}{more}</map>",
            layer("Ground", "1,1,1,1"),
            layer("Walls1", "1,1,0,0"),
            layer("Marks", marks)
        );
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", &text);
        let (rows, err) = import(Path::new(&path), &[]);
        (rows.concat(), err)
    };
    let objects = |name: &str, x: u32| {
        format!(
            "<objectgroup name=\"{name}\"><object x=\"{x}\" y=\"0\" width=\"8\" height=\"8\"/></objectgroup>"
        )
    };
    let (rows, err) = map("2,0,0,0", "");
    assert_eq!(rows, "#...");
    let note = "a picture, as other rules mark some of its tiles: layer name `Walls1`\n  \
                to make it solid: tilewalk import ";
    assert!(err.contains(note) && err.contains(" --solid layer:Walls1\n"), "{err}");
    assert_eq!(map("0,0,0,0", &objects("Collisions", 8)).0, ".#..");
    // The layer stays solid if the marked tiles are elsewhere. Walkable tiles are not collision marks.
    let (rows, err) = map("0,0,2,0", "");
    assert!(rows == "###." && !err.contains("picture"), "{rows} {err}");
    assert_eq!(map("0,3,0,0", "").0, "#...");
    assert_eq!(map("0,0,0,0", &objects("Collisions", 24)).0, "##.#");
    assert_eq!(map("0,0,0,0", &objects("Things", 8)).0, "##..");
}

#[test]
fn map_files_that_use_a_tiled_map_follow_the_rules_of_import() {
    let folder = tempfile::tempdir().unwrap();
    let load = |tmx: &str, table: &str| {
        fs::copy(Path::new(FOLDER).join(tmx), folder.path().join(tmx)).unwrap();
        let path =
            write_file(folder.path(), "map.toml", &format!("tiles_file = \"{tmx}\"\n{table}"));
        let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
        let messages = loaded.report.plain();
        loaded.scenario.map(|scenario| (rows(&scenario), scenario)).ok_or(messages)
    };
    for name in ["properties.tmx", "shapes.tmx", "layers.tmx", "terrain.tmx", "isometric.tmx"] {
        assert_eq!(load(name, "").unwrap().0, rows_of(name, &[]), "{name}");
    }
    let table = "[tiled]\nsolid = [\"tile-property:c\"]\nwalkable = [\"tile-class:wall\"]\n";
    assert_eq!(load("properties.tmx", table).unwrap().0[0], ".##..a#.");
    let messages = load("properties.tmx", "[tiled]\nsolid = [\"layer:Nowhere\", \"wall\"]\n");
    let messages = messages.map(|_| ()).unwrap_err();
    assert!(messages.contains("invalid selector `wall`"), "{messages}");
    fs::copy(format!("{FOLDER}/pillar.tx"), folder.path().join("pillar.tx")).unwrap();
    let (drawn, scenario) = load("objects.tmx", "").unwrap();
    assert_eq!(drawn, rows_of("objects.tmx", &[]));
    assert!(scenario.map().walls().list().len() >= 6);
}

#[test]
fn imported_tiled_objects_become_places_walls_and_agents() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("maps/map.toml").display().to_string();
    let tmx = format!("{FOLDER}/objects.tmx");
    let (code, _, err) = tilewalk(&["import", &tmx, "--output", &map]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("the agent `broken` is commented out: `max_speed` must be"), "{err}");
    let text = fs::read_to_string(&map).unwrap();
    for part in [
        "start = [8, 6]",
        "garden = [8.5, 6.25]  # garden; its area: at = { within = [8, 5, 8, 6] }",
        "name = \"fence\"\npoints = [[0.5, 6.5], [3.0, 7.75], [12.0, 7.75]]",
        "name = \"guard\"\nat = [1.031, 1.531]\npattern = \"objects_round\"\ngroup = \"watch\"\n\
         body = { max_speed = 2.5, radius = 0.3 }",
        "name = \"sheep\"\nat = { within = [8, 5, 10, 6] }\ncount = 3\n\
         steer = [ { do = \"wander\" }, { do = \"avoid_walls\" } ]",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(
        text.contains("# [[agent]]\n# name = \"broken\"") && !text.contains("object_1 "),
        "{text}"
    );
    assert_eq!(tilewalk(&["check", "--strict", &folder.path().display().to_string()]).0, 0);
    let (code, out, _) = tilewalk(&["run", &map, "--frames", "50"]);
    assert!(code == 0 && out.contains("agents  6"), "{out}");
}

#[test]
fn import_finds_tile_sets_in_the_project_and_in_folders_given_by_options() {
    let path = Path::new(FOLDER).join("game/maps/cave.tmx");
    let (rows, messages) = import(&path, &[]);
    assert_eq!(rows, [".#a."]);
    assert!(messages.contains("is read from `../sets/cave.tsx`"), "{messages}");
    assert!(messages.contains("no tile set `../sets/lost.tsx`"), "{messages}");
    // The map is alone in the directory of its project.
    let folder = tempfile::tempdir().unwrap();
    let sub = |name: &str| folder.path().join(name);
    fs::create_dir_all(sub("maps")).unwrap();
    fs::create_dir_all(sub("old/sets")).unwrap();
    fs::copy(&path, sub("maps/cave.tmx")).unwrap();
    fs::copy(format!("{FOLDER}/game/sets/cave.tsx"), sub("old/sets/cave.tsx")).unwrap();
    fs::write(sub("maps/game.tiled-project"), "{}").unwrap();
    let cave = sub("maps/cave.tmx").display().to_string();
    let (code, _, err) = tilewalk(&["import", &cave]);
    assert!(code == 2 && err.contains("is outside the project directory"), "{err}");
    assert!(err.contains("tilewalk import") && err.contains("--root "), "{err}");
    let old = sub("old").display().to_string();
    let root = folder.path().display().to_string();
    let (rows, messages) = import(&sub("maps/cave.tmx"), &["--root", &root, "--tilesets", &old]);
    assert!(rows == [".#a."] && messages.contains("old/sets/cave.tsx"), "{messages}");
    // Absolute paths from another computer are never opened.
    for source in ["/etc/passwd", "C:\\sets\\cave.tsx", "file:///etc/passwd"] {
        let text = fs::read_to_string(&path).unwrap().replace("..\\Sets\\CAVE.tsx", source);
        fs::write(sub("maps/cave.tmx"), text.replace("../sets/lost.tsx", "lost.tsx")).unwrap();
        let (rows, messages) = import(&sub("maps/cave.tmx"), &[]);
        assert_eq!(rows, ["aab."]);
        assert!(messages.contains("the path is not relative to the map"), "{messages}");
    }
}

#[test]
fn an_infinite_json_map_is_cropped_and_its_places_move_with_it() {
    let path = Path::new(FOLDER).join("infinite.tmj");
    let (rows, _) = import(&path, &[]);
    assert_eq!(rows, [".##.#", "#...#"]);
    let (_, out, _) = tilewalk(&["import", &path.display().to_string()]);
    assert!(
        out.contains("start = [2, 1]") && out.contains("#   vertices = [[2, 1], [3, 1]]"),
        "{out}"
    );
}

/// In some games a layer named `Walkable` has the walkable tiles, in others it has the solid ones.
#[test]
fn places_decide_the_meaning_of_a_layer_named_walkable() {
    let map = |name: &str, tiles: &str, at: [u32; 2]| {
        let place = |x| format!("<object x=\"{}\" y=\"4\"><point/></object>", x * 8 + 4);
        let places = at.map(place).concat();
        let text = format!(
            "<map width=\"4\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\
             <tileset firstgid=\"1\" name=\"set\" tilewidth=\"8\" tileheight=\"8\"/>\
             <layer name=\"Ground\" width=\"4\" height=\"1\"><data encoding=\"csv\">1,1,1,1</data></layer>\
             <layer name=\"{name}\" width=\"4\" height=\"1\"><data encoding=\"csv\">{tiles}</data></layer>\
             <objectgroup>{places}</objectgroup></map>"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = write_file(folder.path(), "a.tmx", &text);
        import(Path::new(&path), &[]).0
    };
    assert_eq!(map("Walkable", "1,1,0,0", [0, 1]), ["..##"]);
    assert_eq!(map("Walkable", "1,1,0,0", [2, 3]), ["##.."]);
    assert_eq!(map("walkable", "1,1,0,0", [1, 2]), ["...."]);
    assert_eq!(map("Decoration", "1,1,0,0", [0, 1]), ["...."]);
}

#[test]
fn a_duplicate_property_does_not_hide_other_problems() {
    let property =
        |name: &str, value: &str| format!("<property name=\"{name}\" value=\"{value}\"/>");
    let twice = property("radius", "0.2") + &property("radius", "0.3");
    let invalid = property("max_speed", "fast");
    let agent = |name: &str, x: u32, properties: &str| {
        format!(
            "<object class=\"agent\" name=\"{name}\" x=\"{x}\" y=\"4\"><point/>\
             <properties>{properties}</properties></object>"
        )
    };
    let agents = agent("twice", 4, &twice) + &agent("broken", 20, &invalid);
    let text = format!(
        "<map width=\"4\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\
         <tileset firstgid=\"1\" name=\"set\" tilewidth=\"8\" tileheight=\"8\"/>\
         <layer name=\"Ground\" width=\"4\" height=\"1\"><data encoding=\"csv\">1,1,1,1</data></layer>\
         <objectgroup>{agents}</objectgroup></map>"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "a.tmx", &text);
    let (_, err) = import(Path::new(&path), &[]);
    assert!(err.contains("is commented out"), "{err}");
}
