//! Which tiles of a Tiled map are solid, and what its objects become. The maps are in `tests/tiled`.

use std::fs;
use std::path::Path;

use tilewalk::files::{self, Options, Origin};

use super::importing::{rows, tilewalk, written};

const FOLDER: &str = "tests/tiled";

/// Imports a map, and returns its rows and what was printed to standard error.
fn imported(path: &Path, options: &[&str]) -> (Vec<String>, String) {
    let path = path.display().to_string();
    let (code, out, err) = tilewalk(&[&["import", &path], options].concat());
    assert_eq!(code, 0, "{err}");
    let origin = tilewalk::builtin::text("imported", out);
    let loaded = files::load(&origin, &Options::default()).unwrap();
    assert_eq!(loaded.report.plain(), "", "{path}");
    (rows(&loaded.scenario.unwrap()), err)
}

fn of(name: &str, options: &[&str]) -> Vec<String> {
    imported(&Path::new(FOLDER).join(name), options).0
}

#[test]
fn rules_have_an_order() {
    assert_eq!(of("properties.tmx", &[]), [".##.#a..", "#.#.#a##", ".#.#...."]);
    assert_eq!(of("shapes.tmx", &[]), [".##.###..."]);
    assert_eq!(of("layers.tmx", &[]), ["##.#....", "...#...."]);
    assert_eq!(of("terrain.tmx", &[]), [".##..#."]);
    // Marks on some tiles of `Walls` show that the layer is a picture.
    assert_eq!(of("pictures.tmx", &[]), ["##....", "...#.."]);
    // A choice of the user comes before properties.
    assert_eq!(of("pictures.tmx", &["--solid", "layer:Walls"]), ["####..", "...#.."]);
    let chosen = of("properties.tmx", &["--solid", "tile-property:c"]);
    assert_eq!(chosen, [".##.#a#.", "#.###a##", ".#.#...."]);
    let chosen = of("properties.tmx", &["--walkable", "tile-property:Collides"]);
    assert_eq!(chosen, [".#..#a..", "#.#.#a##", ".#.#...."]);
    let chosen = of("layers.tmx", &["--walkable", "layer:House Walls", "--solid", "layer:Walls 2"]);
    assert_eq!(chosen, ["...#..#.", "...##..."]);
    assert_eq!(of("terrain.tmx", &["--solid", "terrain:Grass"]), ["#.##..."]);
}

#[test]
fn the_applied_rules_and_the_others_are_listed() {
    let path = format!("{FOLDER}/properties.tmx");
    let (_, err) = imported(Path::new(&path), &[]);
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
fn a_layer_of_walls_is_a_picture_if_other_marks_are_on_it() {
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
        let path = written(folder.path(), "a.tmx", &text);
        let (rows, err) = imported(Path::new(&path), &[]);
        (rows.concat(), err)
    };
    let objects = |name: &str, x: u32| {
        format!(
            "<objectgroup name=\"{name}\"><object x=\"{x}\" y=\"0\" width=\"8\" height=\"8\"/></objectgroup>"
        )
    };
    let (rows, err) = map("2,0,0,0", "");
    assert_eq!(rows, "#...");
    let note = "a picture, as other rules mark some of its tiles: layer name `Walls1`; to make it \
                solid: --solid layer:Walls1";
    assert!(err.contains(note), "{err}");
    assert_eq!(map("0,0,0,0", &objects("Collisions", 8)).0, ".#..");
    // Other marks say nothing about the walls, and walkable tiles are no collision marks.
    let (rows, err) = map("0,0,2,0", "");
    assert!(rows == "###." && !err.contains("picture"), "{rows} {err}");
    assert_eq!(map("0,3,0,0", "").0, "#...");
    assert_eq!(map("0,0,0,0", &objects("Collisions", 24)).0, "##.#");
    assert_eq!(map("0,0,0,0", &objects("Things", 8)).0, "##..");
}

#[test]
fn maps_that_name_a_tiled_file_have_the_same_rules() {
    let folder = tempfile::tempdir().unwrap();
    let load = |tmx: &str, table: &str| {
        fs::copy(Path::new(FOLDER).join(tmx), folder.path().join(tmx)).unwrap();
        let path = written(folder.path(), "map.toml", &format!("tiles_file = \"{tmx}\"\n{table}"));
        let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
        let told = loaded.report.plain();
        loaded.scenario.map(|scenario| (rows(&scenario), scenario)).ok_or(told)
    };
    for name in ["properties.tmx", "shapes.tmx", "layers.tmx", "terrain.tmx", "isometric.tmx"] {
        assert_eq!(load(name, "").unwrap().0, of(name, &[]), "{name}");
    }
    let table = "[tiled]\nsolid = [\"tile-property:c\"]\nwalkable = [\"tile-class:wall\"]\n";
    assert_eq!(load("properties.tmx", table).unwrap().0[0], ".##..a#.");
    let told = load("properties.tmx", "[tiled]\nsolid = [\"layer:Nowhere\", \"wall\"]\n");
    let told = told.map(|_| ()).unwrap_err();
    assert!(told.contains("invalid selector `wall`"), "{told}");
    fs::copy(format!("{FOLDER}/pillar.tx"), folder.path().join("pillar.tx")).unwrap();
    let (drawn, scenario) = load("objects.tmx", "").unwrap();
    assert_eq!(drawn, of("objects.tmx", &[]));
    assert!(scenario.map().walls().list().len() >= 6);
}

#[test]
fn objects_become_places_walls_and_agents() {
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
fn tile_sets_of_a_project_are_found() {
    let path = Path::new(FOLDER).join("game/maps/cave.tmx");
    let (rows, told) = imported(&path, &[]);
    assert_eq!(rows, [".#a."]);
    assert!(told.contains("is read from `../sets/cave.tsx`"), "{told}");
    assert!(told.contains("no tile set `../sets/lost.tsx`"), "{told}");
    // The map alone, in a directory that is no project.
    let folder = tempfile::tempdir().unwrap();
    let sub = |name: &str| folder.path().join(name);
    fs::create_dir_all(sub("maps")).unwrap();
    fs::create_dir_all(sub("old/sets")).unwrap();
    fs::copy(&path, sub("maps/cave.tmx")).unwrap();
    fs::copy(format!("{FOLDER}/game/sets/cave.tsx"), sub("old/sets/cave.tsx")).unwrap();
    let cave = sub("maps/cave.tmx").display().to_string();
    let (code, _, err) = tilewalk(&["import", &cave]);
    assert!(code == 2 && err.contains("is outside the project directory"), "{err}");
    assert!(err.contains("--root DIR"), "{err}");
    let old = sub("old").display().to_string();
    let root = folder.path().display().to_string();
    let (rows, told) = imported(&sub("maps/cave.tmx"), &["--root", &root, "--tilesets", &old]);
    assert!(rows == [".#a."] && told.contains("old/sets/cave.tsx"), "{told}");
    // Paths of another computer are never opened.
    for source in ["/etc/passwd", "C:\\sets\\cave.tsx", "file:///etc/passwd"] {
        let text = fs::read_to_string(&path).unwrap().replace("..\\Sets\\CAVE.tsx", source);
        fs::write(sub("maps/cave.tmx"), text.replace("../sets/lost.tsx", "lost.tsx")).unwrap();
        let (rows, told) = imported(&sub("maps/cave.tmx"), &[]);
        assert_eq!(rows, ["aab."]);
        assert!(told.contains("the path is not relative to the map"), "{told}");
    }
}

#[test]
fn an_infinite_map_in_json_is_cropped_and_keeps_its_places() {
    let path = Path::new(FOLDER).join("infinite.tmj");
    let (rows, _) = imported(&path, &[]);
    assert_eq!(rows, [".##.#", "#...#"]);
    let (_, out, _) = tilewalk(&["import", &path.display().to_string()]);
    assert!(
        out.contains("start = [2, 1]") && out.contains("#   vertices = [[2, 1], [3, 1]]"),
        "{out}"
    );
}

/// In two games, a layer of this name means opposite things.
#[test]
fn places_decide_what_a_walkable_layer_means() {
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
        let path = written(folder.path(), "a.tmx", &text);
        imported(Path::new(&path), &[]).0
    };
    assert_eq!(map("Walkable", "1,1,0,0", [0, 1]), ["..##"]);
    assert_eq!(map("Walkable", "1,1,0,0", [2, 3]), ["##.."]);
    assert_eq!(map("walkable", "1,1,0,0", [1, 2]), ["...."]);
    assert_eq!(map("Decoration", "1,1,0,0", [0, 1]), ["...."]);
}

#[test]
fn a_property_that_is_there_twice_does_not_hide_other_problems() {
    let property =
        |name: &str, value: &str| format!("<property name=\"{name}\" value=\"{value}\"/>");
    let twice = property("radius", "0.2") + &property("radius", "0.3");
    let broken = property("max_speed", "fast");
    let agent = |name: &str, x: u32, properties: &str| {
        format!(
            "<object class=\"agent\" name=\"{name}\" x=\"{x}\" y=\"4\"><point/>\
             <properties>{properties}</properties></object>"
        )
    };
    let agents = agent("twice", 4, &twice) + &agent("broken", 20, &broken);
    let text = format!(
        "<map width=\"4\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\
         <tileset firstgid=\"1\" name=\"set\" tilewidth=\"8\" tileheight=\"8\"/>\
         <layer name=\"Ground\" width=\"4\" height=\"1\"><data encoding=\"csv\">1,1,1,1</data></layer>\
         <objectgroup>{agents}</objectgroup></map>"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "a.tmx", &text);
    let (_, err) = imported(Path::new(&path), &[]);
    assert!(err.contains("is commented out"), "{err}");
}
