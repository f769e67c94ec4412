//! Malicious Tiled maps are rejected with a clear message, within 64 MiB of memory.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::support::tmx::{Encoding, layer, map, packed, set, zlib};

/// Maximum virtual memory of a command that refuses a file, in KiB, as for `ulimit -v`.
const MEMORY: u32 = 64 * 1024;

/// Asserts that `tilewalk import` and `check` refuse a map and use at most [`MEMORY`]. Returns the
/// output of `check`.
fn refusal(folder: &Path, tmx: &str) -> String {
    let path = folder.join("hostile.tmx");
    fs::write(&path, tmx).unwrap();
    let run = |command: &str| {
        let binary = assert_cmd::cargo::cargo_bin("tilewalk");
        let script = format!("ulimit -v {MEMORY}; exec \"$0\" {command} \"$1\"");
        let output =
            Command::new("sh").args(["-c", &script]).arg(binary).arg(&path).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let (code, output) = run("import");
    assert_eq!(code, Some(2), "{output}");
    let (code, output) = run("check");
    assert_eq!(code, Some(1), "{output}");
    output
}

fn assert_refused(tmx: &str, why: &str) {
    let folder = tempfile::tempdir().unwrap();
    let message = refusal(folder.path(), tmx);
    assert!(message.contains(why), "{why} is missing in\n{message}");
}

/// Returns a map of 2 × 1 tiles whose layer has this data.
fn map_with_data(data: &str) -> String {
    map(2, 1, &(set("set", 2, &[]) + &layer("a", 2, 1, data)))
}

#[test]
fn xml_entities_are_refused() {
    let entity = |declared: &str| {
        let text = map_with_data("<data encoding=\"csv\">&x;</data>");
        text.replacen("<map", &format!("<!DOCTYPE map [{declared}]>\n<map"), 1)
    };
    let why = "entity declarations are not supported";
    assert_refused(&entity("<!ENTITY x SYSTEM \"file:///etc/passwd\">"), why);
    let mut laughs = "<!ENTITY a \"ha\">".to_owned();
    for (from, to) in ('a'..='y').zip('b'..='z') {
        let _ = write!(laughs, "<!ENTITY {to} \"{}\">", format!("&{from};").repeat(10));
    }
    assert_refused(&entity(&laughs), why);
    assert_refused(&map_with_data("<data encoding=\"csv\">&x;</data>"), "unknown entity reference");
}

#[test]
fn tile_sets_outside_the_project_directory_are_refused() {
    let named = |source: &str| map(1, 1, &format!("<tileset firstgid=\"1\" source=\"{source}\"/>"));
    assert_refused(&named("../../../secret.tsx"), "is outside the project directory");
    assert_refused(&named("a/../../../../secret.tsx"), "is outside the project directory");
    assert_refused(&named("&#x202e;.tsx"), "the path is invalid");
    assert_refused(&named(""), "the path is empty");
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::write(folder.path().join("secret.tsx"), "<tileset/>").unwrap();
    fs::write(folder.path().join("maps/game.tiled-project"), "{}").unwrap();
    #[cfg(unix)]
    {
        let link = folder.path().join("maps/link.tsx");
        std::os::unix::fs::symlink(folder.path().join("secret.tsx"), link).unwrap();
        let message = refusal(&folder.path().join("maps"), &named("link.tsx"));
        assert!(message.contains("links to a file outside its project directory"), "{message}");
        let pipe = folder.path().join("maps/zero.tsx");
        std::os::unix::fs::symlink("/dev/zero", pipe).unwrap();
        refusal(&folder.path().join("maps"), &named("zero.tsx"));
    }
}

#[test]
fn wrong_and_huge_sizes_of_maps_and_layers_are_refused() {
    let data = "<data encoding=\"csv\">1</data>";
    let huge = |side: &str| {
        let layer = format!("<layer width=\"{side}\" height=\"{side}\">{data}</layer>");
        let sized = map(1, 1, &layer);
        sized.replacen(
            "width=\"1\" height=\"1\"",
            &format!("width=\"{side}\" height=\"{side}\""),
            1,
        )
    };
    for side in ["1000000000", "4097", "99999999999999999999999999"] {
        assert_refused(&huge(side), "the map is larger than 4096 × 4096 tiles");
    }
    assert_refused(&huge("4096"), "the layer has 1 tile, but the map has 16777216");
    for side in ["0", "-1", "1e3", "nan", ""] {
        assert_refused(&huge(side), "must be a number of tiles");
    }
    assert_refused(&map(2, 1, &layer("a", 1, 1, data)), "the layer `a` and the map differ in size");
    let many = layer("a", 4096, 4096, data).repeat(40);
    assert_refused(&map(4096, 4096, &many), "more than 500000000 tiles in total");
}

#[test]
fn decompression_bombs_are_refused() {
    let zeros = vec![0; 40 << 20];
    let bomb = packed(" compression=\"zlib\"", &zlib(&zeros));
    assert_refused(&map_with_data(&bomb), "the layer has too many tiles: the map has 2");
    let inner = map(3000, 3000, &layer("a", 3000, 3000, &bomb));
    assert_refused(&inner, "the layer has too many tiles: the map has 9000000");
    drop((zeros, bomb));
    for encoding in [Encoding::Gzip, Encoding::Zstd, Encoding::Base64] {
        let bomb = encoding.data(&vec![1; 1 << 20]);
        assert_refused(&map_with_data(&bomb), "the layer has too many tiles: the map has 2");
    }
    // A zstd frame that requires a window of 3.75 TiB.
    let window = packed(" compression=\"zstd\"", &[0x28, 0xB5, 0x2F, 0xFD, 0, 0xFF, 1, 0, 0]);
    assert_refused(&map_with_data(&window), "can't decode the data");
    let window = packed(" compression=\"zstd\"", &[0x28, 0xB5, 0x2F, 0xFD, 0, 0x88, 1, 0, 0]);
    assert_refused(&map_with_data(&window), "can't decode the data");
}

#[test]
fn invalid_layer_data_is_refused() {
    let data =
        |attributes: &str, text: &str| map_with_data(&format!("<data {attributes}>{text}</data>"));
    let lzma = data("encoding=\"base64\" compression=\"lzma\"", "AAAA");
    assert_refused(&lzma, "unsupported compression `lzma`");
    assert_refused(&data("encoding=\"utf9\"", "1"), "unsupported encoding `utf9`");
    let esc = data("encoding=\"&#x9b;31m\u{202e}\"", "1");
    assert_refused(&esc, "unsupported encoding `\\u{9b}31m\\u{202e}`");
    let zlib = "encoding=\"csv\" compression=\"zlib\"";
    assert_refused(&data(zlib, "1"), "only base64 data can be compressed");
    assert_refused(&data("encoding=\"csv\"", "1,x"), "invalid tile number `x` for tile 1");
    assert_refused(
        &data("encoding=\"csv\"", "1,99999999999"),
        "invalid tile number `99999999999` for tile 1",
    );
    assert_refused(&data("encoding=\"csv\"", "1,1,1"), "the layer has 3 tiles, but the map has 2");
    assert_refused(
        &data("encoding=\"base64\"", "AAAAAA=="),
        "the layer has 1 tile, but the map has 2",
    );
    assert_refused(&data("encoding=\"base64\"", "!!!!"), "can't decode the data");
    let zlib = data("encoding=\"base64\" compression=\"zlib\"", "AAAAAAAA");
    assert_refused(&zlib, "can't decode the data");
    let chunk = map_with_data("<data encoding=\"csv\"><chunk/></data>");
    assert_refused(&chunk, "`<chunk>` in a map that is not infinite");
}

#[test]
fn unsupported_maps_and_invalid_xml_are_refused() {
    let changed = |from: &str, to: &str| map_with_data("").replacen(from, to, 1);
    let text = changed("orthogonal", "hexagonal");
    assert_refused(&text, "the map is hexagonal; tilewalk has only square tiles");
    assert_refused(&changed("infinite=\"0\"", "infinite=\"1\""), "has no `<data>`");
    assert_refused(&changed("tilewidth=\"16\"", "tilewidth=\"0\""), "`tilewidth` must be a number");
    assert_refused(&changed("tilewidth=\"16\"", ""), "missing attribute `tilewidth` in `<map>`");
    assert_refused("<tileset/>", "expected `<map>` as the root element, found `<tileset>`");
    assert_refused("type octile", "invalid XML");
    assert_refused("", "invalid XML");
    assert_refused("<map><layer></map>", "invalid XML");
}

#[test]
fn xml_with_too_many_elements_or_attributes_is_refused() {
    let within = |text: &str| map(1, 1, text);
    assert_refused(&within(&"<a/>".repeat(500_000)), "more than 200000 elements");
    assert_refused(&within(&"<a>x</a>".repeat(130_000)), "more than 200000 elements");
    assert_refused(&within(&"<a>".repeat(300_000)), "more than 200000 elements");
    let attributes = (0..20_000).map(|index| format!(" a{index}=''")).collect::<Vec<_>>().concat();
    assert_refused(&within(&format!("<a{attributes}/>")), "more than 10000 attributes");
    let spaces =
        (0..5_000).map(|index| format!("<a xmlns:n{index}='u'>")).collect::<Vec<_>>().concat();
    assert_refused(&within(&spaces), "more than 100 namespaces");
    assert_refused(&within(&"<a>".repeat(50_000)), "invalid XML");
}

/// Returns a JSON map with one layer. `layer` and `more` are further members of the layer and the map.
fn json(layer: &str, more: &str) -> String {
    format!(
        "{{\"type\":\"map\",\"orientation\":\"orthogonal\",\"width\":2,\"height\":1,\"tilewidth\":16,\
         \"tileheight\":16,\"layers\":[{{\"type\":\"tilelayer\",\"name\":\"a\",{layer}}}]{more}}}"
    )
}

#[test]
fn malicious_json_maps_are_refused() {
    let sized = |data: &str| json(&format!("\"width\":2,\"height\":1,{data}"), "");
    assert_refused(&sized("\"data\":[1]"), "the layer has 1 tile, but the map has 2");
    assert_refused(&sized("\"data\":[1,-2]"), "invalid tile number `-2` for tile 1");
    assert_refused(&sized("\"data\":[1,{}]"), "invalid tile number `{}` for tile 1");
    assert_refused(&sized("\"data\":{}"), "has no `<data>`");
    assert_refused(&sized("\"data\":[1,2"), "invalid JSON");
    assert_refused(&sized("\"data\":\"AAAA\",\"encoding\":\"base64\""), "the layer has 0 tiles");
    assert_refused(
        &json("\"width\":1e9,\"height\":1,\"data\":[]", ""),
        "must be a number of tiles",
    );
    assert_refused("{\"type\":\"tileset\"}", "the JSON file is not a Tiled map");
    assert_refused("[]", "invalid JSON");
    let deep = "{\"type\":\"group\",\"layers\":[".repeat(200) + &"]}".repeat(200);
    let deep = format!(",\"tilesets\":[{{\"firstgid\":1,\"layers\":[{deep}]}}]");
    assert_refused(
        &json("\"width\":2,\"height\":1,\"data\":[1,1]", &deep),
        "more than 120 nested objects",
    );
    let wide = format!(",\"tilesets\":[{}]", vec!["{}"; 300_000].join(","));
    assert_refused(
        &json("\"width\":2,\"height\":1,\"data\":[1,1]", &wide),
        "more than 200000 elements",
    );
    let bomb = vec!["0"; 3_000_000].join(",");
    assert_refused(&sized(&format!("\"data\":[{bomb}]")), "the layer has 3000000 tiles");
}

#[test]
fn malicious_infinite_maps_are_refused() {
    let infinite = |chunks: &str| {
        let layer = layer("a", 1, 1, &format!("<data encoding=\"csv\">{chunks}</data>"));
        let text = map(1, 1, &(set("set", 2, &[]) + &layer));
        text.replacen("infinite=\"0\"", "infinite=\"1\"", 1)
    };
    let chunk = |at: &str, side: &str, data: &str| {
        format!("<chunk x=\"{at}\" y=\"0\" width=\"{side}\" height=\"1\">{data}</chunk>")
    };
    let far = chunk("0", "1", "1") + &chunk("900000000", "1", "1");
    assert_refused(&infinite(&far), "the map is larger than 4096 × 4096 tiles");
    assert_refused(&infinite(&chunk("1e300", "1", "1")), "`x` must be a number between");
    assert_refused(&infinite(&chunk("0", "99999", "1")), "the map is larger than");
    assert_refused(&infinite(&chunk("0", "2", "1")), "the chunk has 1 tile, but its size is 2");
    assert_refused(&infinite(&chunk("0", "1", "0")), "the infinite map has no tiles");
    let huge = "<chunk x=\"0\" y=\"0\" width=\"4096\" height=\"4096\">1</chunk>".repeat(40);
    assert_refused(&infinite(&huge), "more than 500000000 tiles in total");
}

#[test]
fn malicious_objects_and_templates_are_refused() {
    let objects = |objects: &str| {
        let group = format!("<objectgroup name=\"walls\">{objects}</objectgroup>");
        map_with_data("<data encoding=\"csv\">1,1</data>").replacen(
            "</map>",
            &format!("{group}</map>"),
            1,
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let itself = "<template><object template=\"a.tx\"/></template>";
    fs::write(folder.path().join("a.tx"), itself).unwrap();
    fs::write(folder.path().join("b.tx"), "<template/>").unwrap();
    let message = |object: &str| refusal(folder.path(), &objects(object));
    assert!(message("<object template=\"a.tx\"/>").contains("a template can't use a template"));
    assert!(message("<object template=\"b.tx\"/>").contains("the template has no `<object>`"));
    assert!(
        message("<object template=\"../../../a.tx\"/>").contains("outside the project directory")
    );
    let wide = "<object x=\"-1e11\" y=\"-1e11\" width=\"1e12\" height=\"1e12\"/>";
    let walkable = "<object x=\"0\" y=\"0\" width=\"65536\" height=\"32768\"><properties>\
        <property name=\"walkable\" type=\"bool\" value=\"true\"/></properties></object>";
    for object in [wide, walkable] {
        let objects = object.repeat(30);
        let group = format!("<objectgroup name=\"walls\">{objects}</objectgroup>");
        let path = folder.path().join("large.tmx");
        fs::write(&path, map(4096, 4096, &group)).unwrap();
        let import = Command::cargo_bin("tilewalk").unwrap().arg("import").arg(path).output();
        let message = String::from_utf8_lossy(&import.unwrap().stderr).into_owned();
        assert!(message.contains("the objects of the map cover too many tiles"), "{message}");
    }
    let points = "0,0 32,1 0,2 32,0 0,1 32,2 ".repeat(10_000);
    let lines =
        format!("<object x=\"0\" y=\"0\"><polyline points=\"{points}\"/></object>").repeat(2);
    assert_refused(&objects(&lines), "more than 100000 walls");
}

/// The last object is invalid, so the map is refused after all objects were read.
#[test]
fn thousands_of_objects_can_share_a_large_template() {
    let folder = tempfile::tempdir().unwrap();
    let property = |index: u32| format!("<property name=\"p{index}\" value=\"{:050}\"/>", 0);
    let properties: String = (0..3000).map(property).collect();
    let template = format!(
        "<template><object name=\"a\" width=\"16\" height=\"16\"><properties>{properties}</properties>\
         </object></template>"
    );
    fs::write(folder.path().join("a.tx"), template).unwrap();
    let objects = "<object template=\"a.tx\" x=\"0\" y=\"0\"/>".repeat(2000);
    let bad = "<object x=\"nan\" y=\"0\"/>";
    let content = set("set", 2, &[])
        + &layer("a", 2, 1, &Encoding::Csv.data(&[1, 1]))
        + &format!("<objectgroup name=\"Things\">{objects}{bad}</objectgroup>");
    let message = refusal(folder.path(), &map(2, 1, &content));
    assert!(message.contains("`x` must be a number"), "{message}");
}
