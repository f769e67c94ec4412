//! Compares imported maps tile by tile with independent readers: Python scripts that follow the
//! documentation of the formats.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;
use tilewalk::scenario::Scenario;

use super::basics::{tilewalk, write_file};
use crate::support::samples;

const LEVELS: &str = "tests/levels/read.py";
const TEXTS: &str = "tests/texts/read.py";

/// Runs a script and returns the lines that it prints. Returns `None` without Python or if the script can't
/// read the file.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn reading(script: &str, arguments: &[&str]) -> Option<Vec<String>> {
    let Ok(output) = Command::new("python3").arg(script).args(arguments).output() else {
        println!("skipped: no python3");
        return None;
    };
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    if message.starts_with("skipped: ") || message.contains("No module named 'tomllib'") {
        println!("{arguments:?}: {message}");
        return None;
    }
    assert!(output.status.success(), "{arguments:?}: {message}");
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(str::to_owned).collect())
}

/// Loads a map. Panics if it has errors.
fn load(path: &str) -> Arc<Scenario> {
    let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
    loaded.scenario.unwrap_or_else(|| panic!("{}", loaded.report.plain()))
}

/// Imports a map. Returns the scenario and the text of the map.
fn import(arguments: &[&str]) -> (Arc<Scenario>, String) {
    let (code, out, err) = tilewalk(&[&["import"], arguments].concat());
    assert_eq!(code, 0, "{err}");
    let folder = tempfile::tempdir().unwrap();
    let path = write_file(folder.path(), "imported.toml", &out);
    assert_eq!(tilewalk(&["check", "--strict", &path]).0, 0, "an imported map has no warnings");
    (load(&path), out)
}

/// Returns the tiles as the scripts print them: `#` for solid, `.` for walkable, else the route cost.
fn tokens(scenario: &Scenario) -> Vec<String> {
    let map = scenario.map();
    let token = |tile| match map.kind(tile).unwrap() {
        kind if !kind.walk || kind.obstacle.is_some() => "#".to_owned(),
        kind if kind.cost == 1.0 => ".".to_owned(),
        kind => kind.cost.to_string(),
    };
    let row = |y| (0..map.width() as i32).map(|x| token(TilePos::new(x, y))).collect::<Vec<_>>();
    (0..map.height() as i32).map(|y| row(y).join(" ")).collect()
}

/// Imports a map, and asserts that it has the tiles that a script reads from the same file.
fn assert_same_tiles(script: &str, arguments: &[&str]) {
    if let Some(expected) = reading(script, arguments) {
        assert_eq!(tokens(&import(arguments).0), expected, "{arguments:?}");
    }
}

/// Returns the files with one of the given extensions in a directory, sorted by path.
fn files_in(folder: &Path, extensions: &[&str]) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| {
        path.extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted))
    };
    let mut names: Vec<_> =
        entries.filter(is_wanted).map(|path| path.display().to_string()).collect();
    names.sort();
    names
}

#[cfg(feature = "tiled")]
mod tiled {
    use super::{assert_same_tiles, files_in, load, reading, tilewalk, tokens};
    use std::path::Path;
    use std::process::Command;

    const SCRIPT: &str = "tests/tiled/reading.py";
    pub const MAPS: [&str; 3] = ["tmx", "tmj", "json"];

    #[test]
    fn tiles_of_imported_tiled_maps_agree_with_the_script() {
        let folders = ["tests/tiled", "tests/tiled/game/maps"];
        let maps: Vec<_> =
            folders.iter().flat_map(|folder| files_in(Path::new(folder), &MAPS)).collect();
        assert!(maps.len() >= 20, "{maps:?}");
        for map in maps {
            assert_same_tiles(SCRIPT, &[&map]);
        }
    }

    #[test]
    fn tiles_selected_by_import_options_agree_with_the_script() {
        for (map, options) in [
            ("game/maps/moved.tmx", &["--tilesets", "tests/tiled/game/old"][..]),
            ("game/far/far.tmx", &["--root", "tests/tiled"]),
            ("order.tmx", &["--solid", "tile-property:walkable", "--walkable", "shapes:order"]),
            ("order.tmx", &["--walkable", "shapes:order", "--solid", "layer:Deep"]),
            ("order.tmx", &["--walkable", "layer-property:IMPASSABLE", "--solid", "layer:Deep"]),
            ("order.tmx", &["--walkable", "layer:Walls", "--solid", "tile-class:Solid thing"]),
            ("order.tmx", &["--walkable", "objects:Obstacles"]),
            ("areas.tmx", &["--solid", "objects:Things", "--walkable", "objects:Solid"]),
            ("land.tmj", &["--solid", "terrain:Grass"]),
            ("land.tmj", &["--walkable", "terrain:Grass", "--solid", "layer:Ground"]),
            ("words.tmx", &["--walkable", "layer:Wall", "--solid", "layer:Water"]),
            ("combined.tmx", &["--combine", "any"]),
            ("combined.tmx", &["--combine", "any", "--ignore", "layer:Above player"]),
            ("combined.tmx", &["--ignore", "group:Roofs", "--solid", "outside:*"]),
            ("combined.tmx", &["--ignore", "objects:Walls of roofs", "--solid", "outside:Carpet"]),
            ("combined.tmx", &["--solid", "tiles:marked/0", "--walkable", "tiles:marked/1-2"]),
            ("stamps.tmx", &["--walkable", "shapes:trees", "--solid", "layer:Collision"]),
            ("stamps.tmx", &["--solid", "shapes:small", "--one-way", "tile-property:solid"]),
            ("images.tmx", &["--walkable", "shapes:things", "--solid", "tile-class:barrier"]),
            ("images.tmx", &["--walkable", "objects:Decoration"]),
            ("several_layers.tmx", &["--ignore", "property:z"]),
            ("several_layers.tmx", &["--ignore", "others:Ground"]),
            ("several_layers.tmx", &["--ignore", "others:Things", "--ignore", "others:Border"]),
            ("several_layers.tmx", &["--solid", "shapes:kinds"]),
            ("several_layers.tmx", &["--walkable", "shapes:kinds", "--combine", "any"]),
            ("nameless_areas.tmx", &["--ignore", "objects:Object Layer 2"]),
            ("nameless_areas.tmx", &["--walkable", "objects:Object Layer 2"]),
            ("known.tmx", &["--solid", "tiles:collisions/26-77", "--walkable", "tile-property:z"]),
            ("known.tmx", &["--ignore", "property:z", "--solid", "layer:Walls"]),
            ("known.tmx", &["--ignore", "other-objects:wall", "--ignore", "other-objects:enemy"]),
            ("known.tmx", &["--ignore", "other-objects:wall"]),
            ("known.tmx", &["--ignore", "object:crate", "--combine", "any"]),
            ("names_of_objects.tmx", &["--solid", "outside:Ground", "--solid", "layer:Walkable"]),
        ] {
            let map = format!("tests/tiled/{map}");
            assert_same_tiles(SCRIPT, &[&[map.as_str()], options].concat());
        }
    }

    #[test]
    fn tiles_selected_by_the_table_tiled_of_a_map_agree_with_the_script() {
        let map = "tests/tiled/order.toml";
        if let Some(expected) = reading(SCRIPT, &[map]) {
            assert_eq!(tokens(&load(map)), expected);
        }
    }

    #[test]
    fn tile_sets_outside_the_project_are_refused() {
        let map = "tests/tiled/game/far/far.tmx";
        let (code, out, err) = tilewalk(&["import", map]);
        assert!(code == 2 && out.is_empty() && err.contains("outside the project"), "{err}");
        if let Ok(output) = Command::new("python3").args([SCRIPT, map]).output() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(message.starts_with("refused: "), "{message}");
        }
    }

    pub fn compare(map: &str) {
        assert_same_tiles(SCRIPT, &[map]);
    }
}

#[test]
fn tiles_of_text_maps_agree_with_the_script() {
    let maps = files_in(Path::new("tests/texts"), &["txt", "map"]);
    assert!(maps.len() >= 8, "{maps:?}");
    for map in maps {
        assert_same_tiles(TEXTS, &[&map]);
    }
    assert_same_tiles(TEXTS, &["tests/texts/ragged.txt", "--pad", "#"]);
    assert_same_tiles(TEXTS, &["tests/texts/bars.txt", "--pad", "~"]);
    assert_same_tiles(TEXTS, &["tests/texts/loose.txt", "--walls", "|,", "--floor", "#"]);
    assert_same_tiles(TEXTS, &["tests/texts/own.map", "--walls", "G.", "--floor", "T"]);
    let map = "tests/texts/own.toml";
    if let Some(expected) = reading(TEXTS, &[map]) {
        assert_eq!(tokens(&load(map)), expected);
    }
}

/// Asserts that tiles, and the start and goal of each agent, agree with the script.
fn assert_same_agents(map: &str, scen: &str, queries: &str) {
    let arguments = [map, "--scen", scen, "--queries", queries];
    let Some(expected) = reading(TEXTS, &arguments) else { return };
    let (scenario, text) = import(&arguments);
    let mut found = tokens(&scenario);
    let pair = |line: &str, key: &str| {
        let list = line.strip_prefix(key)?.trim_start_matches([' ', '=', '[']).strip_suffix(']')?;
        Some(list.replace(", ", " "))
    };
    let starts = text.lines().filter_map(|line| pair(line, "at "));
    let goals = text.lines().filter_map(|line| pair(line, "travel "));
    found.extend(starts.zip(goals).map(|(start, goal)| format!("{start} {goal}")));
    assert_eq!(found, expected, "{scen}");
}

#[test]
fn agents_imported_from_scenario_queries_agree_with_the_script() {
    assert_same_agents("tests/texts/own.map", "tests/texts/own.map.scen", "2..3");
}

#[test]
fn tiles_of_sokoban_and_ldtk_levels_agree_with_the_script() {
    let levels = files_in(Path::new("tests/levels"), &["xsb", "sok", "ldtk"]);
    assert!(levels.len() >= 5, "{levels:?}");
    let strange = "tests/levels/strange.xsb";
    let tags = "tests/levels/tags.ldtk";
    let plain = levels.iter().filter(|file| *file != strange);
    let plain = plain.flat_map(|file| [(&**file, "1", &[][..]), (&**file, "2", &[])]);
    let chosen = [
        (strange, "1", &["--walls", "X"][..]),
        (strange, "2", &["--boxes", "X"]),
        (strange, "1", &["--floor", "X"]),
        (strange, "3", &["--walls", "X"]),
        (tags, "1", &["--solid", "tag:Bush", "--solid", "entity:Gate", "--walkable", "tag:Wall"]),
        (tags, "1", &["--solid", "entity:Crate", "--walkable", "layer:Solid_tiles"]),
        ("tests/levels/house.ldtk", "1", &["--solid", "entity:Chest"]),
    ];
    for (file, level, options) in plain.chain(chosen) {
        let arguments = [&[file, level], options].concat();
        let Some(expected) = reading(LEVELS, &arguments) else { return };
        let scenario = import(&[&[file, "--level", level], options].concat()).0;
        let map = scenario.map();
        let glyph = |tile| match map.kind(tile).unwrap() {
            kind if kind.name == "outside" => 'x',
            kind if kind.walk => '.',
            _ => '#',
        };
        let row = |y| (0..map.width() as i32).map(|x| glyph(TilePos::new(x, y))).collect();
        let rows: Vec<String> = (0..map.height() as i32).map(row).collect();
        assert_eq!(rows, expected, "{file} {level} {options:?}");
    }
}

#[test]
fn tiles_and_agents_of_third_party_maps_agree_with_the_scripts() {
    let Some(samples) = samples() else { return };
    for map in files_in(&samples, &["map"]) {
        assert_same_tiles(TEXTS, &[&map]);
        let scen = format!("{map}.scen");
        if Path::new(&scen).exists() {
            assert_same_agents(&map, &scen, "1..50");
        }
    }
    #[cfg(feature = "tiled")]
    for map in files_in(&samples, &tiled::MAPS) {
        tiled::compare(&map);
    }
}
