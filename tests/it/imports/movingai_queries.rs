//! Scenarios of MovingAI: `tilewalk scen` and `tilewalk import --scen`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use tilewalk::files::{self, Options, Origin};
use tilewalk::geom::TilePos;
use tilewalk::id::AgentId;
use tilewalk::step::step;
use tilewalk::world::{Flags, World};

use super::basics::{tilewalk, write_file};
use crate::support::build::cases;

/// Returns the optimal lengths from a tile to all reachable tiles, by relaxation until nothing
/// changes. A diagonal step is possible only if both tiles beside it are free.
fn lengths(rows: &[String], from: (usize, usize)) -> BTreeMap<(usize, usize), f64> {
    let free = |x: i64, y: i64| {
        let row = usize::try_from(y).ok().and_then(|y| rows.get(y));
        let glyph = row.and_then(|row| row.as_bytes().get(usize::try_from(x).ok()?));
        glyph.is_some_and(|glyph| b".GS".contains(glyph))
    };
    let mut known = BTreeMap::from([(from, 0.0)]);
    loop {
        let mut better = known.clone();
        for (&(x, y), &length) in &known {
            for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
                let (x, y) = (x as i64, y as i64);
                if free(x + dx, y + dy) && free(x + dx, y) && free(x, y + dy) {
                    let step = if dx != 0 && dy != 0 { 2.0_f64.sqrt() } else { 1.0 };
                    let at = ((x + dx) as usize, (y + dy) as usize);
                    let best = better.entry(at).or_insert(f64::INFINITY);
                    *best = best.min(length + step);
                }
            }
        }
        if better == known {
            return known;
        }
        known = better;
    }
}

fn map_text(rows: &[String]) -> String {
    let (height, width) = (rows.len(), rows[0].len());
    format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"))
}

/// Returns a scenario with a query from the first free tile to each reachable tile. The optimal lengths are
/// multiplied by `factor`.
fn scenario(rows: &[String], factor: f64) -> Option<String> {
    let (height, width) = (rows.len(), rows[0].len());
    let tiles = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let from = tiles.clone().find(|&(x, y)| b".GS".contains(&rows[y].as_bytes()[x]))?;
    let mut text = "version 1\n".to_owned();
    for ((x, y), length) in lengths(rows, from) {
        let (from_x, from_y, length) = (from.0, from.1, length * factor);
        let _ = writeln!(
            text,
            "0\tmaps/a.map\t{width}\t{height}\t{from_x}\t{from_y}\t{x}\t{y}\t{length:.5}"
        );
    }
    Some(text)
}

fn rows() -> impl Strategy<Value = Vec<String>> {
    (1..12_usize, 1..12_usize).prop_flat_map(|(width, height)| {
        let row = proptest::collection::vec(proptest::sample::select(b"...GS@T"), width);
        let row = row.prop_map(|row| String::from_utf8_lossy(&row).into_owned());
        proptest::collection::vec(row, height)
    })
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn planned_routes_have_optimal_lengths_and_wrong_lengths_are_reported(rows in rows()) {
        let Some(optimal) = scenario(&rows, 1.0) else { return Ok(()) };
        let folder = tempfile::tempdir().unwrap();
        write_file(folder.path(), "a.map", &map_text(&rows));
        let file = write_file(folder.path(), "a.map.scen", &optimal);
        let (code, out, err) = tilewalk(&["scen", &file]);
        let count = optimal.lines().count() - 1;
        let expected = format!("{count} of {count} lengths agree within 0.001");
        prop_assert!(code == 0 && out.contains(&expected), "{out}{err}\n{}", rows.join("\n"));
        if count > 1 {
            let file = write_file(folder.path(), "b.map.scen", &scenario(&rows, 1.01).unwrap());
            let (code, out, _) = tilewalk(&["scen", &file]);
            prop_assert!(code == 1 && out.contains("1 of "), "{out}");
            let (code, out, _) = tilewalk(&["scen", &file, "--tolerance", "0.02"]);
            prop_assert_eq!(code, 0, "{}", out);
        }
    }
}

const ROOM: &str = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";

#[test]
fn scen_lists_differences_from_the_optimal_lengths() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "a.map", ROOM);
    let query = |line: &str| format!("version 1\n0 a.map 5 3 {line}\n");
    // The route can't cut the corner at the end of the wall.
    let file = write_file(folder.path(), "a.scen", &query("1 1 3 1 2.82843"));
    let (code, out, _) = tilewalk(&["scen", &file]);
    assert_eq!(code, 1);
    assert!(out.contains("0 of 1 lengths agree"), "{out}");
    assert!(
        out.contains("query 1, line 2: [1, 1] to [3, 1]: optimal 2.82843, planned 4.00000"),
        "{out}"
    );
    let file = write_file(folder.path(), "a.scen", &query("1 1 2 0 3"));
    assert!(tilewalk(&["scen", &file]).1.contains("optimal 3, no route"));
    let unreachable = write_file(folder.path(), "b.scen", &query("1 1 2 0 0"));
    assert_eq!(tilewalk(&["scen", &unreachable]).0, 0, "a length of 0 does not mean no route");
    let wrong = write_file(folder.path(), "b.scen", &query("1 1 0 0 0"));
    assert!(tilewalk(&["scen", &wrong]).1.contains("optimal 0, planned 1.41421"));
    let (code, out, _) = tilewalk(&["scen", &file, "--json"]);
    assert!(code == 1 && out.contains("\"planned\": null"), "{out}");
    let file = write_file(folder.path(), "a.scen", "version 1\n0 a.map 9 3 1 1 2 0 3\n");
    let (code, _, err) = tilewalk(&["scen", &file]);
    assert!(
        code == 2 && err.contains("is for a map of 9 × 3 tiles, but the map has 5 × 3"),
        "{err}"
    );
}

/// Some scenarios give lengths with at most two decimals and without trailing zeros.
#[test]
fn optimal_lengths_are_compared_with_as_many_decimals_as_are_written() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "a.map", ROOM);
    let code = |lengths: [&str; 2]| {
        let [near, far] = lengths;
        let text = format!("version 1\n0 a.map 5 3 0 0 1 1 {near}\n1 a.map 5 3 1 1 3 1 {far}\n");
        tilewalk(&["scen", &write_file(folder.path(), "a.scen", &text)]).0
    };
    assert_eq!(code(["1.41", "4"]), 0);
    assert_eq!(code(["1.42", "4"]), 1);
    assert_eq!(code(["1.41", "4.000"]), 1, "three decimals are not compared exactly");
    assert_eq!(code(["1.41", "4.1"]), 1);
    assert_eq!(code(["1", "4"]), 1, "lengths without decimals are not compared exactly");
}

#[test]
fn no_route_starts_or_ends_in_a_wall() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "a.map", ROOM);
    for ends in ["2 0 1 1", "1 1 2 0", "2 0 2 0"] {
        let text = format!("version 1\n0 a.map 5 3 {ends} 1.41421\n");
        let (code, out, _) = tilewalk(&["scen", &write_file(folder.path(), "a.scen", &text)]);
        assert!(code == 1 && out.contains("no route"), "{out}");
    }
}

/// The legend of a map file defines further glyphs and their costs.
#[test]
fn scen_takes_route_costs_from_the_legend_of_the_map_file() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "a.map", &ROOM.replace('@', "m"));
    let map = "tiles_file = 'a.map'\n[legend]\nm = { name = 'mud', cost = 3 }\n";
    let map = write_file(folder.path(), "a.toml", map);
    let file = write_file(folder.path(), "a.scen", "version 1\n0 a.map 5 3 1 0 3 0 4\n");
    assert_eq!(tilewalk(&["scen", &file, "--map", &map]).0, 0);
    let (code, _, err) = tilewalk(&["scen", &file]);
    assert!(code == 2 && err.contains("no legend entry for the glyph `m`"), "{err}");
    assert_eq!(tilewalk(&["check", &file]).0, 0);
}

/// The routes of these agents have the lengths that the scenario lists.
#[test]
fn imported_queries_become_travelling_agents() {
    let folder = tempfile::tempdir().unwrap();
    let map = write_file(folder.path(), "a.map", ROOM);
    let lines = ["0 0 1 1 1.41421", "1 1 3 1 4", "0 0 2 0 9", "4 0 0 2 5.41421", "0 0 0 0 0"];
    let lines =
        lines.map(|line| format!("0\tx/a.map\t5\t3\t{}\n", line.replace(' ', "\t"))).concat();
    let scen = write_file(folder.path(), "a.map.scen", &format!("version 1\n{lines}"));
    let (code, out, err) = tilewalk(&["import", &map, "--scen", &scen, "--queries", "2..4"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("# Query 3: optimal length 9. Commented out: (2, 0) is not walkable."),
        "{out}"
    );
    assert!(!out.contains("query_1") && !out.contains("query_5"), "{out}");
    let path = write_file(folder.path(), "imported.toml", &out);
    let loaded = files::load(&Origin::Disk(path.into()), &Options::default()).unwrap();
    assert_eq!(loaded.report.plain(), "");
    let mut world = World::new(loaded.scenario.unwrap());
    let names: Vec<_> = world.ids().map(|id| world.name(id).to_string()).collect();
    assert_eq!(names, ["query_2", "query_4"]);
    let mut walked = [0.0_f64; 2];
    for _ in 0..200 {
        let before = [world.tile(AgentId(0)), world.tile(AgentId(1))];
        step(&mut world);
        for (index, walked) in walked.iter_mut().enumerate() {
            let step = world.tile(AgentId(index as u32)) - before[index];
            *walked += f64::from(step.x * step.x + step.y * step.y).sqrt();
        }
    }
    assert!(world.ids().all(|id| world.flags(id).has(Flags::ARRIVED)));
    assert_eq!(world.tile(AgentId(1)), TilePos::new(0, 2));
    assert!((walked[0] - 4.0).abs() < 1e-9 && (walked[1] - 5.41421).abs() < 1e-5, "{walked:?}");
    for numbers in ["9..12", "0..3", "3..2", "x"] {
        let args = ["import", &map, "--scen", &scen, "--queries", numbers];
        assert_eq!(tilewalk(&args).0, 2, "{numbers}");
    }
}
