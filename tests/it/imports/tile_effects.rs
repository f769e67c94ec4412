//! Imports of Tiled maps: which tiles the images, properties and objects of a small map make solid.

use super::basics::{rows, tilewalk, write_file};
use tilewalk::files::{self, Options, Origin};

/// The result of an import.
struct Imported {
    rows: Vec<String>,
    /// Text of the map.
    text: String,
    messages: String,
}

/// Imports a map of 16-pixel tiles with other files beside it.
fn import(map: &str, others: &[(&str, &str)], options: &[&str]) -> Imported {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in others {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let path = write_file(folder.path(), "a.tmx", map);
    let options = [&["import", &path, "--looks", "plain"], options].concat();
    let (code, text, messages) = tilewalk(&options);
    assert_eq!(code, 0, "{messages}");
    let map = write_file(folder.path(), "a.toml", &text);
    let loaded = files::load(&Origin::Disk(map.into()), &Options::default()).unwrap();
    assert_eq!(loaded.report.plain(), "");
    Imported { rows: rows(&loaded.scenario.unwrap()), text, messages }
}

/// Returns a map of three rows of four tiles.
fn map(orientation: &str, sets: &str, layer: &str, tiles: &str, more: &str) -> String {
    format!(
        "<map orientation=\"{orientation}\" width=\"4\" height=\"3\" tilewidth=\"16\" tileheight=\"16\">\
         {sets}<layer name=\"{layer}\" width=\"4\" height=\"3\"><data encoding=\"csv\">{tiles}</data>\
         </layer>{more}</map>"
    )
}

fn property(name: &str, value: &str) -> String {
    format!("<properties><property name=\"{name}\" value=\"{value}\"/></properties>")
}

/// The tile 1 in the lower left corner.
const CORNER: &str = "0,0,0,0,0,0,0,0,1,0,0,0";
const GROUND: &str = "2,2,2,2,2,2,2,2,2,2,2,2";
const SET: &str =
    "<tileset firstgid=\"1\" name=\"set\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"4\"/>";

#[test]
fn an_image_covers_the_tiles_that_it_is_drawn_on() {
    let solid = property("solid", "true");
    let import = |size: u32, set: &str, tile: &str| {
        let set = format!(
            "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"{size}\" tileheight=\"{size}\" \
             tilecount=\"2\" {set}><tile id=\"0\" {tile}</tile></tileset>"
        );
        import(&map("orthogonal", &set, "Things", CORNER, ""), &[], &[]).rows
    };
    let small = ["....", "....", "#..."];
    // In a collection of images, the size of the set is that of the largest image.
    let own = format!(">{solid}<image source=\"a.png\" width=\"16\" height=\"16\"/>");
    assert_eq!(import(48, "columns=\"0\"", &own), small);
    // The tile is a part of a larger image file.
    let part = format!(
        "x=\"16\" y=\"0\" width=\"16\" height=\"16\">{solid}\
         <image source=\"a.png\" width=\"64\" height=\"64\"/>"
    );
    assert_eq!(import(16, "columns=\"0\"", &part), small);
    let image = format!(">{solid}");
    assert_eq!(import(48, "tilerendersize=\"grid\"", &image), small);
    assert_eq!(import(48, "", &image), ["###.", "###.", "###."]);
    // The image has twice the size of a tile, and its shape fills the lower half. If the image keeps
    // its proportions, nothing changes.
    let shape = "><objectgroup><object x=\"0\" y=\"16\" width=\"32\" height=\"16\"/></objectgroup>";
    for mode in ["stretch", "preserve-aspect-fit"] {
        let set = format!("tilerendersize=\"grid\" fillmode=\"{mode}\"");
        assert_eq!(import(32, &set, shape), small, "{mode}");
    }
    assert_eq!(import(32, "", shape), ["....", "....", "##.."]);
}

#[test]
fn a_terrain_counts_by_its_share_of_all_corners_or_sides() {
    let import = |kind: &str, of: &str| {
        let set = format!(
            "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"3\">\
             <wangsets><wangset name=\"w\" type=\"{kind}\"><wangcolor name=\"Water\"/>\
             <wangtile tileid=\"0\" wangid=\"{of}\"/></wangset></wangsets></tileset>"
        );
        import(&map("orthogonal", &set, "Ground", CORNER, ""), &[], &[]).rows[2] == "#..."
    };
    assert!(!import("corner", "0,1,0,0,0,0,0,0") && import("corner", "0,1,0,1,0,0,0,0"));
    assert!(!import("edge", "1,0,0,0,0,0,0,0") && import("edge", "1,0,1,0,0,0,0,0"));
    assert!(!import("mixed", "1,1,1,0,0,0,0,0") && import("mixed", "1,1,1,1,0,0,0,0"));
}

#[test]
fn only_walkable_objects_open_walls() {
    let walls = "2,2,2,2,2,0,0,2,2,2,2,2";
    let import = |object: &str, layer: &str| {
        let objects = format!(
            "<objectgroup name=\"Rooms\">{layer}<object name=\"room\" x=\"0\" y=\"0\" width=\"32\" \
             height=\"32\">{object}</object></objectgroup>"
        );
        import(&map("orthogonal", SET, "Collision", walls, &objects), &[], &[])
    };
    let closed = ["####", "#..#", "####"];
    assert_eq!(import(&property("solid", "false"), "").rows, closed);
    assert_eq!(import("", &property("collision", "false")).rows, closed);
    assert_eq!(import(&property("walkable", "true"), "").rows, ["..##", "...#", "####"]);
    // An object that is not solid is no wall in a solid layer either.
    assert_eq!(import(&property("solid", "false"), &property("solid", "true")).rows, closed);
    assert_eq!(import("", &property("solid", "true")).rows, ["####", "##.#", "####"]);
    // `--combine any` can't change tiles that an object opens.
    let messages = import(&property("walkable", "true"), "").messages;
    assert!(!messages.contains("--combine any"), "{messages}");
}

#[test]
fn the_choice_of_the_user_takes_precedence_over_objects() {
    let import = |object: &str, choice: &str| {
        let objects = format!(
            "<objectgroup name=\"Blocks\"><object {object} x=\"16\" y=\"16\" width=\"16\" \
             height=\"16\">{}</object></objectgroup>",
            property("solid", if choice == "--solid" { "false" } else { "true" })
        );
        let map = map("orthogonal", SET, "Ground", GROUND, &objects);
        import(&map, &[], &[choice, "objects:Blocks"]).rows[1].clone()
    };
    assert_eq!(import("class=\"wall\"", "--walkable"), "....");
    assert_eq!(import("", "--solid"), ".#..");
}

#[test]
fn an_object_inherits_from_the_tile_set_of_its_template() {
    let template = "<template><tileset firstgid=\"1\" source=\"crates.tsx\"/>\
                    <object name=\"crate\" gid=\"1\" width=\"16\" height=\"16\"/></template>";
    let set = "<tileset name=\"crates\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"1\">\
               <tile id=\"0\" class=\"wall\"/></tileset>";
    let objects = "<objectgroup name=\"Things\"><object template=\"parts/crate.tx\" x=\"16\" y=\"32\"/>\
                   <object template=\"parts/crate.tx\" x=\"48\" y=\"32\"/></objectgroup>";
    // Tiled does not list the tile set of a template in the map.
    let map = map("orthogonal", SET, "Ground", GROUND, objects);
    let files = [("parts/crate.tx", template), ("parts/crates.tsx", set)];
    assert_eq!(import(&map, &files, &[]).rows[1], ".#.#");
    let imported = import(&map, &files[..1], &[]);
    assert_eq!(imported.rows[1], "....");
    let missing = "no tile set `parts/crates.tsx`";
    assert_eq!(imported.messages.matches(missing).count(), 1, "{}", imported.messages);
}

#[test]
fn one_way_shapes_make_no_tile_solid() {
    let set = format!(
        "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"1\">\
         <tile id=\"0\"><objectgroup><object x=\"0\" y=\"0\" width=\"16\" height=\"16\">{}</object>\
         </objectgroup></tile></tileset>",
        property("OneWay", "true")
    );
    let imported = import(&map("orthogonal", &set, "Ground", CORNER, ""), &[], &[]);
    assert_eq!(imported.rows[2], "....");
    assert_eq!(imported.text.matches("one_sided = true").count(), 1, "{}", imported.text);
}

#[test]
fn an_image_on_an_isometric_map_stands_on_the_tile_above_its_position() {
    let objects = "<objectgroup name=\"Things\"><object name=\"tree\" gid=\"1\" x=\"48\" y=\"32\" \
                   width=\"16\" height=\"40\"/><object name=\"point\" x=\"40\" y=\"24\"><point/></object>\
                   </objectgroup>";
    let map = map("isometric", SET, "Ground", GROUND, objects);
    let text = import(&map, &[], &[]).text;
    assert!(text.contains("tree = [2, 1]") && text.contains("point = [2, 1]"), "{text}");
}

#[test]
fn properties_may_be_false_beside_others_that_are_true() {
    let of_tile = |properties: &[(&str, &str)]| {
        let list: String = properties.iter().map(|(name, value)| property(name, value)).collect();
        let set = format!(
            "<tileset firstgid=\"1\" name=\"a\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"1\">\
             <tile id=\"0\">{list}</tile></tileset>"
        );
        import(&map("orthogonal", &set, "Ground", CORNER, ""), &[], &[]).rows[2].clone()
    };
    assert_eq!(of_tile(&[("collides", "true"), ("wall", "false")]), "#...");
    assert_eq!(of_tile(&[("walkable", "true"), ("wall", "false")]), "....");
    assert_eq!(of_tile(&[("solid", "true"), ("one_way", "true")]), "....");
    assert_eq!(of_tile(&[("Glyph", "#")]), "#...");
}

#[test]
fn a_raised_tile_opens_no_wall_below() {
    let tile = |id: u32, list: &[(&str, &str)]| {
        let one =
            |(name, value): &(&str, &str)| format!("<property name=\"{name}\" value=\"{value}\"/>");
        let list: String = list.iter().map(one).collect();
        format!("<tile id=\"{id}\"><properties>{list}</properties></tile>")
    };
    let of = |height: &str, options: &[&str]| {
        let tiles = tile(0, &[("solid", "true")])
            + &tile(1, &[("walkable", "true"), ("z", height)])
            + &tile(2, &[("solid", "true"), ("z", height)]);
        let set = SET.replace("/>", &format!(">{tiles}</tileset>"));
        let above = "<layer name=\"Up\" width=\"4\" height=\"3\"><data encoding=\"csv\">\
                     2,3,0,0,2,3,0,0,0,0,0,0</data></layer>";
        import(&map("orthogonal", &set, "Low", "1,0,0,0,0,0,0,0,0,0,0,0", above), &[], options)
    };
    // The lower wall is open only if the tile above it is not raised.
    let raised = of("1.5", &[]);
    assert_eq!(raised.rows, ["##..", ".#..", "...."]);
    for (height, options) in [
        ("0", &[][..]),
        ("-1", &[]),
        ("true", &[]),
        ("1", &["--walkable", "tile-property:walkable"]),
    ] {
        assert_eq!(of(height, options).rows, [".#..", ".#..", "...."], "{height} {options:?}");
    }
    assert_eq!(of("1", &["--ignore", "property:z"]).rows, ["#...", "....", "...."]);
    let remark =
        "tiles with the property `z` can be above moving things, and do not open walls below\n";
    assert!(raised.messages.contains(remark), "{}", raised.messages);
    assert!(raised.messages.contains(" --walkable tile-property:z\n"), "{}", raised.messages);
    let open = of("1", &["--walkable", "tile-property:z"]);
    assert_eq!(open.rows, ["....", "....", "...."]);
    assert!(!open.messages.contains("open these walls"), "{}", open.messages);
}

#[test]
fn tiles_of_a_known_set_are_one_way_platforms() {
    let of = |name: &str, width: u32, options: &[&str]| {
        let set = format!(
            "<tileset firstgid=\"1\" name=\"{name}\" tilewidth=\"24\" tileheight=\"24\">\
             <image source=\"collisions.png\" width=\"{width}\" height=\"512\"/></tileset>"
        );
        // The tiles 0, 25, 26, 51, 52, 77, 78 and 103 of the set.
        let tiles = "1,26,27,52,53,78,79,104,0,0,0,0";
        let map = map("orthogonal", &set, "collision", tiles, "").replace("\"16\"", "\"24\"");
        import(&map, &[], options)
    };
    let found = of("collisions", 632, &[]);
    assert_eq!(found.rows, ["##..", "..##", "...."]);
    assert_eq!(found.text.matches("one_sided = true").count(), 2, "{}", found.text);
    let remark =
        "tiles 26-77 of the set `collisions` are one-way platforms, as in Project Hawkthorne\n";
    assert!(found.messages.contains(remark), "{}", found.messages);
    assert!(!found.messages.contains("different meanings"), "{}", found.messages);
    let command = ["--solid", "tiles:collisions/26-77"];
    assert!(found.messages.contains(&command.join(" ")), "{}", found.messages);
    let solid = of("collisions", 632, &command);
    assert_eq!(solid.rows, ["####", "####", "...."]);
    assert!(!solid.messages.contains("Hawkthorne"), "{}", solid.messages);
    for other in [of("collisions", 600, &[]), of("collision", 632, &[])] {
        assert_eq!(other.rows, ["####", "####", "...."]);
        assert!(!other.messages.contains("Hawkthorne"), "{}", other.messages);
    }
}

#[test]
fn only_the_named_objects_are_read() {
    let object = |name: &str, x: u32, solid: &str| {
        let own = property("solid", solid);
        format!("<object {name} x=\"{x}\" y=\"0\" width=\"16\" height=\"16\">{own}</object>")
    };
    let layer = |objects: &[String]| {
        format!("<objectgroup name=\"Things\">{}</objectgroup>", objects.concat())
    };
    let objects = [
        object("name=\"wall\"", 0, "true"),
        object("name=\"bee\" class=\"enemy\"", 16, "true"),
        object("class=\"crate\"", 32, "true"),
        object("name=\"wall\"", 48, "false"),
    ];
    let of = |objects: &[String], options: &[&str]| {
        import(&map("orthogonal", SET, "Ground", GROUND, &layer(objects)), &[], options)
    };
    let first = |options: &[&str]| of(&objects, options).rows[0].clone();
    let all = of(&objects, &[]);
    assert_eq!(all.rows[0], "###.");
    let remark = "solid objects have several names: `wall` 1, `bee` 1, `crate` 1\n";
    assert!(all.messages.contains(remark), "{}", all.messages);
    assert!(all.messages.contains(" --ignore other-objects:wall\n"), "{}", all.messages);
    let walls = of(&objects, &["--ignore", "other-objects:wall"]);
    assert_eq!(walls.rows[0], "#...");
    assert!(
        !walls.messages.contains("several names") && !walls.text.contains("bee"),
        "{}",
        walls.text
    );
    for (option, row) in
        [("object:bee", "#.#."), ("object:enemy", "#.#."), ("other-objects:crate", "..#.")]
    {
        assert_eq!(first(&["--ignore", option]), row, "{option}");
    }
    let two = ["--ignore", "other-objects:bee", "--ignore", "other-objects:crate"];
    assert_eq!(first(&two), ".##.");
    // Names that all mean walls, or none, leave nothing to choose.
    for list in [&objects[..1], &objects[1..3]] {
        let messages = of(list, &[]).messages;
        assert!(!messages.contains("several names"), "{messages}");
    }
    let folder = tempfile::tempdir().unwrap();
    let text = map("orthogonal", SET, "Ground", GROUND, &layer(&objects));
    let path = write_file(folder.path(), "a.tmx", &text);
    let (code, _, err) = tilewalk(&["import", &path, "--ignore", "other-objects:ant"]);
    assert!(code == 2 && err.contains("`other-objects:ant` selects nothing"), "{err}");
}

#[test]
fn no_option_without_a_name_is_offered() {
    let objects = "<objectgroup><object x=\"0\" y=\"0\" width=\"16\" height=\"16\"/>\
                   <object x=\"16\" y=\"0\" width=\"16\" height=\"16\"/></objectgroup>";
    let imported = import(&map("orthogonal", SET, "", GROUND, objects), &[], &[]);
    assert_eq!(imported.rows[0], "##..");
    for option in ["objects:", "layer:", "others:", "shapes:"] {
        let empty = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
        let is_offered = imported.messages.split(option).skip(1).any(empty);
        assert!(!is_offered, "{}", imported.messages);
    }
}
