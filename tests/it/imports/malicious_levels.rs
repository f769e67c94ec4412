//! Malicious levels and scenarios are rejected with a clear message, within 64 MiB of memory.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// Maximum virtual memory of a command that refuses a file, in KiB, as for `ulimit -v`.
const MEMORY: u32 = 64 * 1024;

/// Asserts that a command refuses a file within [`MEMORY`]. Returns its output.
fn refusal(folder: &Path, command: &str, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    let binary = assert_cmd::cargo::cargo_bin("tilewalk");
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" {command} \"$1\"");
    let output = Command::new("sh").args(["-c", &script]).arg(binary).arg(&path).output().unwrap();
    let message = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    message
}

fn assert_refused(name: &str, text: &str, why: &str) {
    let folder = tempfile::tempdir().unwrap();
    let command =
        if Path::new(name).extension() == Some("scen".as_ref()) { "scen" } else { "import" };
    let message = refusal(folder.path(), command, name, text);
    assert!(message.contains(why), "{why} is missing in\n{message}");
}

/// Returns an LDtk project with one level of these layers.
fn project(layers: &str) -> String {
    format!(
        "{{\"defs\":{{\"layers\":[]}},\"levels\":[{{\"identifier\":\"A\",\"layerInstances\":[{layers}]}}]}}"
    )
}

/// Returns an `IntGrid` layer.
fn layer(width: &str, height: &str, side: &str, cells: &str) -> String {
    format!(
        "{{\"__identifier\":\"L\",\"__type\":\"IntGrid\",\"__cWid\":{width},\"__cHei\":{height},\
         \"__gridSize\":{side},\"intGridCsv\":[{cells}]}}"
    )
}

#[test]
fn invalid_ldtk_projects_are_refused() {
    let ldtk = |text: &str, why: &str| assert_refused("a.ldtk", text, why);
    ldtk("", "invalid LDtk file: EOF while parsing");
    ldtk("{}", "invalid LDtk file: missing field `defs`");
    ldtk("[1]", "invalid LDtk file: invalid type");
    ldtk(&"[".repeat(1_000_000), "invalid LDtk file");
    let deep = format!("{{\"defs\":{}}}", "{\"layers\":".repeat(100_000));
    ldtk(&deep, "invalid LDtk file");
    ldtk("{\"defs\":{\"layers\":[]},\"levels\":[]}", "the project has no level");
    let unnamed = "{\"defs\":{\"layers\":[]},\n \"levels\":[{\"identifier\":\"A\"},\n {\"x\":1}]}";
    ldtk(unnamed, "missing field `identifier`");
    ldtk(unnamed, "a.ldtk:3:8");
}

#[test]
fn files_with_too_many_elements_levels_or_lines_are_refused() {
    let many = |text: &str, count: usize| vec![text; count].join(",");
    let levels = format!("{{\"defs\":{{\"layers\":[]}},\"levels\":[{}]}}", many("{}", 1_000_000));
    assert_refused("a.ldtk", &levels, "a list has more than 100000 elements");
    let one = layer("1", "1", "16", "0");
    assert_refused("a.ldtk", &project(&many(&one, 1_001)), "a list has more than 1000 elements");
    let entity = "{\"__identifier\":\"e\",\"px\":[0,0]}";
    let entities = format!("\"entityInstances\":[{}]", many(entity, 100_001));
    let crowded = layer("1", "1", "16", "0").replace("\"intGridCsv\":[0]", &entities);
    assert_refused("a.ldtk", &project(&crowded), "a list has more than 100000 elements");
    assert_refused("a.xsb", &"#\n\n".repeat(1_000_000), "the file has more than 100000 levels");
    assert_refused("a.xsb", &"#\n".repeat(1_000_000), "larger than 4096 × 4096");
    assert_refused("a.sok", &"#".repeat(1_000_000), "larger than 4096 × 4096");
    assert_refused("a.sok", "no walls\n@\n", "the file has no level");
    let rows = "type octile-corner\nheight 4096\nwidth 4096\nmap\n";
    assert_refused("a.map", &(rows.to_owned() + &"0\n".repeat(1_000_000)), "4096 digits");
    assert_refused("a.txt", &"\n".repeat(1_000_000), "the map has no tiles");
    assert_refused("a.txt", &format!("#{}#", "\n".repeat(1_000_000)), "larger than 4096 × 4096");
}

#[test]
fn wrong_and_huge_numbers_in_ldtk_layers_are_refused() {
    let ldtk = |layers: &str, why: &str| assert_refused("a.ldtk", &project(layers), why);
    let huge = "4294967295";
    ldtk(&layer(huge, huge, "16", "1"), "larger than 4096 × 4096");
    ldtk(&layer("4096", "4096", "16", "1"), "the layer `L` has 1 values for 4096 × 4096 tiles");
    ldtk(&layer("-1", "1", "16", "1"), "invalid LDtk file: invalid value");
    ldtk(&layer("1e99", "1", "16", "1"), "invalid LDtk file");
    ldtk(&layer("1", "1", "0", "1"), "`__gridSize` must be between 1 and 1000000");
    ldtk(&layer("1", "1", "16", "99999999999"), "invalid LDtk file");
    let kinds: Vec<_> = (1..400).map(|value| value.to_string()).collect();
    ldtk(&layer("399", "1", "16", &kinds.join(",")), "more than 255 kinds of tiles");
    ldtk("", "the level `A` has no layer with tiles");
    // A value covers a million tiles along each axis, but the map is small.
    let coarse = layer("1", "1", "1000000", "1") + "," + &layer("2", "1", "1", "0,0");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ldtk");
    fs::write(&path, project(&coarse)).unwrap();
    let output = Command::cargo_bin("tilewalk").unwrap().arg("import").arg(&path).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && out.contains("\nll\n"), "{out}");
}

#[test]
fn level_files_outside_the_directory_of_the_project_are_refused() {
    let named = |file: &str| {
        format!(
            "{{\"defs\":{{\"layers\":[]}},\"levels\":[{{\"identifier\":\"A\",\"externalRelPath\":\"{file}\",\
             \"layerInstances\":null}}]}}"
        )
    };
    for file in ["../secret.ldtkl", "/etc/passwd", "a/../../secret.ldtkl", "\\u202e.ldtkl"] {
        assert_refused("a.ldtk", &named(file), "is not in the directory of the project");
    }
    assert_refused("a.ldtk", &named("none.ldtkl"), "the level file `none.ldtkl` does not exist");
    // A project is not a level file, so a file that names itself is an error.
    assert_refused("a.ldtk", &named("a.ldtk"), "missing field `identifier`");
    let folder = tempfile::tempdir().unwrap();
    let own = "{\"identifier\":\"A\",\"externalRelPath\":\"a.ldtkl\",\"layerInstances\":null}";
    fs::write(folder.path().join("a.ldtkl"), own).unwrap();
    let message = refusal(folder.path(), "import", "a.ldtk", &named("a.ldtkl"));
    assert!(message.contains("the level file has no layers"), "{message}");
    #[cfg(unix)]
    {
        fs::create_dir(folder.path().join("maps")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("maps/link.ldtkl")).unwrap();
        let message =
            refusal(&folder.path().join("maps"), "import", "a.ldtk", &named("link.ldtkl"));
        assert!(message.contains("links to a file outside its directory"), "{message}");
    }
}

#[test]
fn malicious_movingai_scenarios_are_refused() {
    let scen = |line: &str, why: &str| {
        assert_refused("a.scen", &format!("version 1\n0\ta.map\t{line}\n"), why);
    };
    scen("2\t2\t0\t0\t1\t1", "expected 9 fields, found 8");
    scen("99999999999\t2\t0\t0\t1\t1\t1", "width and height must be between 1 and 4096");
    scen("2\t2\t0\t0\t2\t0\t1", "start and goal must be tiles of the map");
    scen("2\t2\t-1\t0\t1\t0\t1", "start and goal must be tiles of the map");
    for length in ["nan", "inf", "-1", "one"] {
        scen(&format!("2\t2\t0\t0\t1\t0\t{length}"), "the optimal length must be a number");
    }
    scen("2\t2\t0\t0\t1\t0\t1", "no map `a.map` beside it");
    assert_refused("a.scen", "", "the scenario has no queries");
    assert_refused("a.scen", "\n", "a scenario must begin with `version 1`");
    assert_refused("a.scen", "version 1\n", "the scenario has no queries");
    assert_refused("a.scen", "version 2\n", "must begin with `version 1`");
    let lines = "0 a.map 2 2 0 0 1 0 x\n".repeat(300_000);
    assert_refused("a.scen", &format!("version 1\n{lines}"), "the optimal length must be");
    let maps = "version 1\n0 a.map 2 2 0 0 1 0 1\n0 b.map 2 2 0 0 1 0 1\n";
    assert_refused("a.scen", maps, "the query is on another map than the first query");
}
