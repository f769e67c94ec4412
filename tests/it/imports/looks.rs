//! How imported maps look: tile kinds by the colours of images and by names.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use tilewalk::color::Color;
use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;
use tilewalk::map::Map;
use tilewalk::tile::TileKind;

use super::basics::{rows, tilewalk, write_file};

type Rgba = [u8; 4];

const GRASS: Rgba = [70, 150, 50, 255];
const PATH: Rgba = [200, 170, 110, 255];
const WATER: Rgba = [40, 90, 190, 255];
const ROOF: Rgba = [170, 60, 50, 255];

/// Writes a PNG image in which each tile of 8 × 8 pixels has a pattern around one of the colours. The
/// right half of a tile with a transparent colour is empty.
fn write_image(folder: &Path, name: &str, tiles: &[Rgba]) {
    let width = tiles.len() * 8;
    let mut bytes = Vec::new();
    for y in 0..8 {
        for x in 0..width {
            let [red, green, blue, alpha] = tiles[x / 8];
            let shift = |channel: u8| if (x + y) % 2 == 0 { channel - 9 } else { channel + 9 };
            let alpha = if alpha < 255 && x % 8 > 3 { 0 } else { alpha };
            bytes.extend([shift(red), shift(green), shift(blue), alpha]);
        }
    }
    fs::write(
        folder.join(name),
        png(width as u32, 8, png::ColorType::Rgba, png::BitDepth::Eight, &bytes),
    )
    .unwrap();
}

/// Encodes an image with the filters that an encoder chooses for each row.
fn png(
    width: u32,
    height: u32,
    color: png::ColorType,
    depth: png::BitDepth,
    data: &[u8],
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(Cursor::new(&mut file), width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_filter(png::Filter::Adaptive);
    if color == png::ColorType::Indexed {
        let palette: Vec<u8> =
            (0..16_u8).flat_map(|entry| [entry * 16, 255 - entry * 9, entry]).collect();
        encoder.set_palette(palette);
        encoder.set_trns(vec![255, 0, 128]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    drop(writer);
    file
}

/// Returns a layer with these tile numbers.
fn layer(name: &str, width: usize, tiles: &[u32], more: &str) -> String {
    let numbers: Vec<_> = tiles.iter().map(u32::to_string).collect();
    let (data, height) = (numbers.join(","), tiles.len() / width);
    format!(
        "<layer name=\"{name}\" width=\"{width}\" height=\"{height}\" {more}>\
         <data encoding=\"csv\">{data}</data></layer>\n"
    )
}

/// Returns a map with tiles of 8 × 8 pixels. Its tile set `town` has the image `town.png`; the third tile
/// is solid.
fn town(width: usize, height: usize, layers: &str) -> String {
    format!(
        "<map version=\"1.10\" orientation=\"orthogonal\" width=\"{width}\" height=\"{height}\" \
         tilewidth=\"8\" tileheight=\"8\">\n\
         <tileset firstgid=\"1\" name=\"town\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"5\" columns=\"5\">\
         <image source=\"town.png\" width=\"40\" height=\"8\"/>\
         <tile id=\"2\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"/></properties></tile>\
         <tile id=\"3\"><properties><property name=\"cost\" type=\"int\" value=\"3\"/></properties></tile>\
         </tileset>\n{layers}</map>\n"
    )
}

/// Grass, a path, a lake and roofs, with flowers on the grass.
const GROUND: [u32; 20] = [1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 1, 1, 2, 3, 3, 1, 1, 2, 2, 3];
const ABOVE: [u32; 20] = [0, 5, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 0, 0, 0];

fn write_town(folder: &Path) -> String {
    write_image(folder, "town.png", &[GRASS, PATH, WATER, ROOF, [240, 240, 20, 254]]);
    let layers = layer("Ground", 5, &GROUND, "") + &layer("Things", 5, &ABOVE, "");
    write_file(folder, "town.tmx", &town(5, 4, &layers))
}

fn load(path: &str) -> Arc<Map> {
    let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
    let report = loaded.report.plain();
    let scenario = loaded.scenario.unwrap_or_else(|| panic!("{report}"));
    assert_eq!(report, "", "an imported map has no warnings");
    Arc::clone(scenario.map())
}

/// Imports a map. Returns the map, and what `import` prints besides.
fn import(folder: &Path, arguments: &[&str]) -> (Arc<Map>, String) {
    let out = folder.join("imported.toml").display().to_string();
    let all = [&["import"], arguments, &["--output", &out, "--force"]].concat();
    let (code, _, err) = tilewalk(&all);
    assert_eq!(code, 0, "{err}");
    (load(&out), err)
}

/// Returns the kinds of all tiles, row by row.
fn kinds(map: &Map) -> Vec<TileKind> {
    let tiles = |y| (0..map.width() as i32).map(move |x| TilePos::new(x, y));
    (0..map.height() as i32).flat_map(tiles).map(|tile| map.kind(tile).unwrap().clone()).collect()
}

/// Returns the names of the tile kinds in use, without repetitions.
fn names(map: &Map) -> Vec<String> {
    let mut names: Vec<_> = kinds(map).into_iter().map(|kind| kind.name).collect();
    names.sort();
    names.dedup();
    names
}

/// Runs the independent reader. Returns its words row by row; `None` without Python.
fn reading(arguments: &[&str]) -> Option<Vec<String>> {
    let output =
        Command::new("python3").arg("tests/tiled/looks.py").args(arguments).output().ok()?;
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.split_whitespace().map(str::to_owned).collect())
}

fn rgb(kind: &TileKind) -> Option<[u8; 3]> {
    match kind.color? {
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        Color::Ansi(_) => None,
    }
}

/// Asserts that each tile has the colour that the independent reader painted, up to `most` per channel.
fn assert_painted(map: &Map, path: &str, most: u8) {
    let Some(painted) = reading(&[path]) else { return };
    let kinds = kinds(map);
    assert_eq!(kinds.len(), painted.len());
    for (index, (kind, painted)) in kinds.iter().zip(painted).enumerate() {
        let Some(Color::Rgb(red, green, blue)) = Color::parse(&format!("#{painted}")) else {
            assert_eq!(rgb(kind), None, "tile {index} is not painted");
            continue;
        };
        let found = rgb(kind).unwrap_or_else(|| panic!("tile {index} ({painted}) has no colour"));
        let is_near =
            { found }.into_iter().zip([red, green, blue]).all(|(a, b)| a.abs_diff(b) <= most);
        assert!(is_near, "tile {index}: {found:?} instead of {painted}");
    }
}

#[test]
fn tile_kinds_have_the_average_colours_of_the_painted_map() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_town(folder.path());
    let (map, err) = import(folder.path(), &[&path]);
    assert!(!err.contains("image"), "{err}");
    // The flower covers half of its tile.
    assert_painted(&map, &path, 2);
    let names = names(&map);
    assert_eq!(names, ["beige", "cost 3", "green", "green 2", "solid blue"], "{names:?}");
    let glyphs: Vec<_> = kinds(&map).into_iter().map(|kind| kind.glyph).collect();
    let is_same = |a: usize, b: usize| glyphs[a] == glyphs[b];
    assert!(is_same(0, 3) && is_same(1, 2) && is_same(5, 6) && is_same(8, 9), "{glyphs:?}");
    assert!(!is_same(0, 5) && !is_same(0, 8) && !is_same(0, 15), "{glyphs:?}");
}

#[test]
fn hidden_layers_flips_and_large_images_are_painted_as_tiled_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let (red, blue) = ([200, 40, 40, 255], [40, 60, 200, 255]);
    write_image(folder.path(), "town.png", &[GRASS, PATH, WATER, ROOF, GRASS]);
    // A picture of two tiles above each other and one of two tiles beside each other.
    let stacked: Vec<u8> = [red, blue].iter().flat_map(|color| color.repeat(64)).collect();
    let color = png::ColorType::Rgba;
    fs::write(folder.path().join("tower.png"), png(8, 16, color, png::BitDepth::Eight, &stacked))
        .unwrap();
    let things = "<tileset firstgid=\"6\" name=\"things\" tilewidth=\"8\" tileheight=\"16\" tilecount=\"1\" \
                  columns=\"0\"><tile id=\"4\"><image source=\"tower.png\" width=\"8\" height=\"16\"/></tile>\
                  </tileset>\n";
    let (tower, turned, reversed) = (10, 0x2000_000A, 0x4000_000A);
    let above = [0, 0, 0, 0, 0, tower, 0, turned, 0, reversed, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let layers = layer("Ground", 5, &[1; 20], "")
        + &layer("Above", 5, &above, "")
        + &layer("Hidden", 5, &[3; 20], "visible=\"0\"")
        + "<group name=\"Faded\" opacity=\"0.5\">"
        + &layer("Mist", 5, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2], "")
        + "</group>";
    let text = town(5, 4, &layers).replacen("<layer", &format!("{things}<layer"), 1);
    let path = write_file(folder.path(), "town.tmx", &text);
    let (map, _) = import(folder.path(), &[&path]);
    assert_painted(&map, &path, 3);
}

#[test]
fn png_images_of_all_kinds_have_the_pixels_that_the_script_reads() {
    use png::{BitDepth, ColorType};
    let folder = tempfile::tempdir().unwrap();
    let all = [
        (ColorType::Grayscale, BitDepth::One, 1),
        (ColorType::Grayscale, BitDepth::Two, 2),
        (ColorType::Grayscale, BitDepth::Four, 4),
        (ColorType::Grayscale, BitDepth::Sixteen, 16),
        (ColorType::GrayscaleAlpha, BitDepth::Eight, 16),
        (ColorType::Indexed, BitDepth::Two, 2),
        (ColorType::Indexed, BitDepth::Four, 4),
        (ColorType::Rgb, BitDepth::Eight, 24),
        (ColorType::Rgb, BitDepth::Sixteen, 48),
        (ColorType::Rgba, BitDepth::Sixteen, 64),
    ];
    for (color, depth, bits) in all {
        // Tiles of 8 × 8 pixels whose bytes differ.
        let data: Vec<u8> = (0..40 * bits).map(|at| (at / bits * 5 % 256) as u8 | 1).collect();
        fs::write(folder.path().join("town.png"), png(40, 8, color, depth, &data)).unwrap();
        let text = town(5, 1, &layer("Ground", 5, &[1, 2, 2, 1, 5], ""));
        let path = write_file(folder.path(), "town.tmx", &text);
        let (map, err) = import(folder.path(), &[&path]);
        assert!(!err.contains("image"), "{color:?} {depth:?}: {err}");
        assert_painted(&map, &path, 24);
    }
}

#[test]
fn looks_do_not_change_which_tiles_are_solid_or_their_costs() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_town(folder.path());
    let rules = |options: &[&str]| {
        let (map, _) = import(folder.path(), &[&[path.as_str()], options].concat());
        let rule = |kind: TileKind| (kind.walk, kind.opaque, kind.cost, kind.drag, kind.obstacle);
        kinds(&map).into_iter().map(rule).collect::<Vec<_>>()
    };
    let plain = rules(&["--looks", "plain"]);
    assert_eq!(plain.iter().filter(|rule| !rule.0).count(), 5);
    assert_eq!(plain.iter().filter(|rule| rule.2 == 3.0).count(), 2);
    for looks in ["names", "colors"] {
        assert_eq!(rules(&["--looks", looks]), plain, "{looks}");
    }
    let (map, _) = import(folder.path(), &[&path, "--looks", "plain"]);
    assert_eq!(names(&map), ["cost 3", "floor", "wall"]);
    let (code, _, err) = tilewalk(&["import", &path, "--looks", "pretty"]);
    assert!(code == 2 && err.contains("expected `colors`, `names` or `plain`"), "{err}");
}

#[test]
fn names_of_layers_classes_and_terrains_name_tile_kinds() {
    let folder = tempfile::tempdir().unwrap();
    write_image(folder.path(), "town.png", &[GRASS, PATH, WATER, ROOF, GRASS]);
    let layers = layer("Ground", 5, &[1, 1, 1, 1, 1, 5, 5, 1, 1, 1], "")
        + &layer("Lake", 5, &[3, 3, 0, 0, 0, 0, 0, 0, 0, 0], "")
        + &layer("Old walls", 5, &[0, 0, 0, 0, 4, 0, 0, 0, 0, 0], "");
    let text = town(5, 2, &layers)
        .replace("<tile id=\"2\">", "<tile id=\"4\" class=\"Forest\"/><tile id=\"2\">");
    let path = write_file(folder.path(), "town.tmx", &text);
    let (map, _) = import(folder.path(), &[&path]);
    let named = |kinds: &[TileKind]| [0, 2, 4, 5].map(|index: usize| kinds[index].name.clone());
    assert_eq!(named(&kinds(&map)), ["water", "green", "cost 3", "tree"]);
    assert_eq!(rows(&scenario(folder.path()))[0].chars().next(), Some('~'));
    // Without colours, names have colours of their own.
    let (map, _) = import(folder.path(), &[&path, "--looks", "names"]);
    assert_eq!(named(&kinds(&map)), ["water", "floor", "cost 3", "tree"]);
    assert_eq!(kinds(&map)[0].color, Color::parse("blue"));
}

fn scenario(folder: &Path) -> Arc<tilewalk::scenario::Scenario> {
    let path = folder.join("imported.toml");
    files::load(&Origin::Disk(path), &Options::default()).unwrap().scenario.unwrap()
}

/// Asserts that a map is imported although its image can't be read, and that `import` says why.
fn assert_remark(folder: &Path, why: &str) {
    let path = folder.join("town.tmx").display().to_string();
    let (map, err) = import(folder, &[&path]);
    let expected = format!("the image of the tile set `town` `town.png` {why}");
    assert!(err.contains(&expected), "{expected} is missing in\n{err}");
    assert_eq!(names(&map), ["cost 3", "floor", "wall"]);
}

#[test]
fn maps_with_missing_damaged_or_foreign_images_are_imported_without_colours() {
    let folder = tempfile::tempdir().unwrap();
    write_town(folder.path());
    let image = folder.path().join("town.png");
    let whole = fs::read(&image).unwrap();
    fs::write(&image, &whole[..whole.len() / 2]).unwrap();
    assert_remark(folder.path(), "is damaged");
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 0x55;
    fs::write(&image, &changed).unwrap();
    assert_remark(folder.path(), "is damaged");
    fs::write(&image, b"\xFF\xD8\xFF\xE0 JFIF").unwrap();
    assert_remark(folder.path(), "is not a PNG image");
    fs::remove_file(&image).unwrap();
    assert_remark(folder.path(), "was not found");
    fs::create_dir(&image).unwrap();
    assert_remark(folder.path(), "can't be read: this is a directory");
    fs::remove_dir(&image).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/zero", &image).unwrap();
        assert_remark(folder.path(), "links to a file outside its project directory");
    }
}

/// Returns a PNG image whose header and data are made for a size.
fn hollow(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], body: &[u8]| {
        file.extend((body.len() as u32).to_be_bytes());
        file.extend([kind, body, &[0; 4]].concat());
    };
    let sides = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[sides, vec![16, 6, 0, 0, 0]].concat());
    chunk(b"IDAT", &crate::support::tmx::zlib(&vec![0; 1 << 20]));
    file
}

#[test]
#[cfg(target_os = "linux")]
fn huge_images_are_refused_without_memory_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_town(folder.path());
    for (width, height, why) in [
        (u32::MAX, u32::MAX, "is too large"),
        (30_000, 30_000, "is too large"),
        (32_000, 1_500, "is damaged"),
    ] {
        fs::write(folder.path().join("town.png"), hollow(width, height)).unwrap();
        let binary = assert_cmd::cargo::cargo_bin("tilewalk");
        let script = "ulimit -v 65536; exec \"$0\" import \"$1\"";
        let output =
            Command::new("sh").args(["-c", script]).arg(binary).arg(&path).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && err.contains(why), "{width} × {height}: {err}");
    }
}

#[test]
fn an_update_keeps_glyphs_colours_and_edits() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_town(folder.path());
    let map = folder.path().join("maps/town.toml").display().to_string();
    assert_eq!(tilewalk(&["import", &path, "--output", &map]).0, 0);
    let first = fs::read_to_string(&map).unwrap();
    let (code, out, err) = tilewalk(&["import", "--update", &map]);
    assert!(code == 0 && out.contains("is up to date"), "{out}{err}");
    assert_eq!(fs::read_to_string(&map).unwrap(), first);
    // The user renames the grass. In the source, the lake grows.
    let edited = first.replacen("name = \"green\"", "name = \"meadow\"", 1);
    assert_ne!(edited, first);
    fs::write(&map, &edited).unwrap();
    let mut ground = GROUND;
    (ground[0], ground[4]) = (3, 3);
    let layers = layer("Ground", 5, &ground, "") + &layer("Things", 5, &ABOVE, "");
    fs::write(&path, town(5, 4, &layers)).unwrap();
    let before = kinds(&load(&map));
    let (code, out, err) = tilewalk(&["import", "--update", &map]);
    assert!(code == 0 && err.matches("warning").count() == 0, "{out}{err}");
    let after = kinds(&load(&map));
    assert_eq!((&after[0], &after[4]), (&before[8], &before[8]));
    for index in [1, 5, 6, 7, 10, 11, 12, 17] {
        assert_eq!(after[index], before[index], "tile {index}");
    }
    assert_eq!(after[3].name, "meadow");
    let (_, out, err) = tilewalk(&["import", "--update", &map]);
    assert!(out.contains("is up to date"), "{out}{err}");
}

#[test]
fn an_update_keeps_the_glyphs_of_kinds_without_an_image() {
    use crate::support::tmx;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lake.tmx");
    let write = |tiles: &str| {
        let data = format!("<data encoding=\"csv\">{tiles}</data>");
        let set = tmx::set("a", 2, &[(1, "solid", "true")]);
        fs::write(&path, tmx::map(9, 1, &(set + &tmx::layer("Lake", 9, 1, &data)))).unwrap();
    };
    write("1,1,1,1,1,2,2,2,2");
    let map = folder.path().join("lake.toml").display().to_string();
    let source = path.display().to_string();
    assert_eq!(tilewalk(&["import", &source, "--looks", "names", "--output", &map]).0, 0);
    let before = kinds(&load(&map));
    assert_eq!((&*before[0].name, &*before[5].name), ("water", "solid water"));
    write("1,1,1,2,2,2,2,2,2");
    let (code, out, err) = tilewalk(&["import", "--update", &map]);
    assert_eq!(code, 0, "{out}{err}");
    let after = kinds(&load(&map));
    assert_eq!((&after[0], &after[5]), (&before[0], &before[5]));
}

#[test]
fn maps_imported_by_older_versions_stay_plain_in_an_update() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_town(folder.path());
    let map = folder.path().join("town.toml");
    let (out, record) = (map.display().to_string(), folder.path().join("town.import"));
    assert_eq!(tilewalk(&["import", &path, "--looks", "plain", "--output", &out]).0, 0);
    let text = fs::read_to_string(&record).unwrap();
    assert!(text.contains("--looks=plain"), "{text}");
    fs::write(&record, text.replace("\"--looks=plain\"", "")).unwrap();
    let (code, out, err) = tilewalk(&["import", "--update", &out]);
    assert!(code == 0 && out.contains("is up to date"), "{out}{err}");
}

#[test]
fn levels_of_ldtk_have_the_colours_of_their_tile_sets() {
    let folder = tempfile::tempdir().unwrap();
    write_image(folder.path(), "town.png", &[GRASS, PATH, WATER, ROOF, GRASS]);
    let tile = |at: usize, tile: u32| {
        let (x, y) = (at % 3 * 8, at / 3 * 8);
        format!("{{\"px\":[{x},{y}],\"src\":[{},0],\"f\":0,\"t\":{tile},\"a\":1}}", tile * 8)
    };
    let tiles: Vec<_> =
        [0, 0, 1, 2, 2, 1].into_iter().enumerate().map(|(at, it)| tile(at, it)).collect();
    let layer = |name: &str, kind: &str, tiles: &str, cells: &str| {
        format!(
            "{{\"__identifier\":\"{name}\",\"__type\":\"{kind}\",\"__cWid\":3,\"__cHei\":2,\"__gridSize\":8,\
             \"__opacity\":1,\"visible\":true,\"__tilesetDefUid\":7,\"intGridCsv\":[{cells}],\
             \"gridTiles\":[{tiles}],\"autoLayerTiles\":[],\"entityInstances\":[]}}"
        )
    };
    let layers = layer("Collisions", "IntGrid", "", "0,0,0,1,1,0")
        + ","
        + &layer("Ground", "Tiles", &tiles.join(","), "");
    let text = format!(
        "{{\"defs\":{{\"layers\":[{{\"identifier\":\"Collisions\",\"intGridValues\":[{{\"value\":1,\
         \"identifier\":\"wall\",\"color\":\"#000000\"}}]}}],\"tilesets\":[{{\"uid\":7,\"identifier\":\"Town\",\
         \"relPath\":\"town.png\",\"pxWid\":40,\"pxHei\":8,\"tileGridSize\":8,\"spacing\":0,\"padding\":0}}]}},\
         \"levels\":[{{\"identifier\":\"A\",\"layerInstances\":[{layers}]}}]}}"
    );
    let path = write_file(folder.path(), "town.ldtk", &text);
    let (map, err) = import(folder.path(), &[&path]);
    assert!(!err.contains("image"), "{err}");
    let found: Vec<_> = kinds(&map).iter().map(|kind| (kind.walk, rgb(kind))).collect();
    let near = |index: usize, color: Rgba| {
        let found = found[index].1.unwrap();
        assert!((0..3).all(|channel| found[channel].abs_diff(color[channel]) < 3), "{found:?}");
    };
    near(0, GRASS);
    near(2, PATH);
    near(3, WATER);
    assert_eq!(
        found.iter().map(|it| it.0).collect::<Vec<_>>(),
        [true, true, true, false, false, true]
    );
    let size = "\"tileGridSize\":8,\"spacing\":0";
    let absurd = text.replace(size, "\"tileGridSize\":4294967295,\"spacing\":1");
    assert_ne!(absurd, text);
    let (code, _, err) = tilewalk(&["import", &write_file(folder.path(), "absurd.ldtk", &absurd)]);
    assert_eq!(code, 0, "{err}");
    fs::remove_file(folder.path().join("town.png")).unwrap();
    let (_, _, err) = tilewalk(&["import", &path]);
    assert!(err.contains("the image of the tile set `Town` `town.png` was not found"), "{err}");
}

/// New looks do not take the glyph of a painted kind, and no look becomes a kind with a cost.
#[test]
fn painted_tiles_keep_their_kind_in_an_update_with_new_looks() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_town(folder.path());
    let map = folder.path().join("town.toml").display().to_string();
    assert_eq!(tilewalk(&["import", &path, "--output", &map]).0, 0);
    let before = kinds(&load(&map));
    // The user paints the kinds of tiles that the source does not have any more: the path, the lake and
    // the roofs with a cost.
    let text = fs::read_to_string(&map).unwrap();
    let row = |glyphs: [usize; 5]| glyphs.map(|index| before[index].glyph.clone()).concat();
    let edited = text.replacen(&row([0, 1, 2, 3, 4]), &row([5, 8, 15, 3, 4]), 1);
    assert_ne!(edited, text);
    fs::write(&map, edited).unwrap();
    let sand = [[90, 30, 140, 255], [20, 160, 170, 255]];
    write_image(folder.path(), "town.png", &[GRASS, sand[0], WATER, sand[1], sand[1]]);
    let ground = [1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 2, 5, 5, 1, 1, 2, 2, 5];
    fs::write(&path, town(5, 4, &layer("Ground", 5, &ground, ""))).unwrap();
    let (code, out, err) = tilewalk(&["import", "--update", &map]);
    assert_eq!(code, 0, "{out}{err}");
    let after = kinds(&load(&map));
    for (index, painted) in [(0, 5), (1, 8), (2, 15)] {
        assert_eq!(after[index], before[painted], "tile {index}");
    }
    let (_, out, err) = tilewalk(&["import", "--update", &map]);
    assert!(out.contains("is up to date"), "{out}{err}");
}
