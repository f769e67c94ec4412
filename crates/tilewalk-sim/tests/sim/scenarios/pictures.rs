//! Pictures of patrols and basic steering: a map at frame 0, and the same map after some frames.

use std::fs;

use tilewalk_files::{Options, Origin};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

/// Draws the tiles of a world with the agents' glyphs on them.
pub fn drawn(world: &World) -> String {
    let map = world.scenario().map();
    let mut text = String::new();
    for y in 0..map.height() as i32 {
        for x in 0..map.width() as i32 {
            let tile = TilePos::new(x, y);
            let agent = world.ids().find(|&id| world.tile(id) == tile);
            text += match agent {
                Some(id) => &world.kind(id).glyph,
                None => &map.kind(tile).expect("a tile of the map").glyph,
            };
        }
        text.push('\n');
    }
    text
}

/// Loads a picture. A capital letter in the picture is floor, and `@A` in `rest` stands for the tile of `A`.
pub fn load(picture: &str, rest: &str) -> World {
    let rows: Vec<&str> = picture.split_whitespace().collect();
    let mut toml = rest.to_owned();
    let mut tiles = String::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, glyph) in row.chars().enumerate() {
            let is_marker = glyph.is_ascii_uppercase() && !matches!(glyph, 'O' | 'T');
            toml = toml.replace(&format!("@{glyph}"), &format!("[{x}, {y}]"));
            tiles.push(if is_marker { '.' } else { glyph });
        }
        tiles.push('\n');
    }
    let (top, tables) = toml
        .split_once("[[")
        .map_or((toml.as_str(), String::new()), |(top, rest)| (top, format!("[[{rest}")));
    let folder = tempfile::tempdir().expect("a folder");
    let map = folder.path().join("picture.toml");
    fs::write(&map, format!("{top}\ntiles = '''\n{tiles}'''\n{tables}")).expect("a map");
    for (name, text) in PATTERNS {
        fs::write(folder.path().join(name).with_extension("toml"), text).expect("a pattern");
    }
    let loaded =
        tilewalk_files::load(&Origin::Disk(map), &Options::default()).expect("readable files");
    let report = loaded.report.plain();
    World::new(loaded.scenario.unwrap_or_else(|| panic!("{report}")))
}

/// Names and texts of the pattern files that agents in pictures can use.
const PATTERNS: [(&str, &str); 6] = [
    ("square", include_str!("../../../../../patterns/square.toml")),
    ("zigzag", include_str!("../../../../../patterns/zigzag.toml")),
    ("round", "kind = 'path'\nvertices = [[0, 0], [4, 0], [4, 2], [0, 2]]\nclosed = true"),
    ("line", "kind = 'path'\nvertices = [[0, 0], [5, 0]]"),
    ("back", "kind = 'path'\nvertices = [[5, 0], [0, 0]]"),
    (
        "snake",
        "kind = 'steps'\nmoves = 4\nsteps = [{ forward = 3 }, { right = 1, forward = 2 }, \
         { right = 1, forward = 3 }]",
    ),
];

/// Asserts that the picture `before`, with the agents of `rest`, becomes the picture `after` within a
/// number of frames.
#[track_caller]
pub(super) fn check(before: &str, rest: &str, frames: u64, after: &str) {
    let mut world = load(before, rest);
    (0..frames).for_each(|_| step(&mut world));
    let expected = after.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(drawn(&world), expected, "\nafter {frames} frames:\n{}", drawn(&world));
}

const ROUND: &str = r#"
[[agent]]
name = "A"
at = @A
pace = 1
pattern = "round"
"#;

#[test]
fn a_patrol_repeats_a_closed_path() {
    let before = "
        .........
        .A.......
        .........
        .........
        .........";
    check(
        before,
        ROUND,
        4,
        "
        .........
        .....A...
        .........
        .........
        .........",
    );
    check(
        before,
        ROUND,
        6,
        "
        .........
        .........
        .........
        .....A...
        .........",
    );
    check(
        before,
        ROUND,
        12,
        "
        .........
        .A.......
        .........
        .........
        .........",
    );
}

#[test]
fn a_patrol_stops_at_a_wall() {
    check(
        "
        .........
        .A..#....
        .........
        .........
        .........",
        ROUND,
        50,
        "
        .........
        ...A#....
        .........
        .........
        .........",
    );
}

#[test]
fn a_patrol_crosses_the_edge_of_a_torus() {
    check(
        "
        .......
        .....A.
        .......
        .......
        .......",
        &format!("edges = \"wrap\"\n{ROUND}"),
        3,
        "
        .......
        .A.....
        .......
        .......
        .......",
    );
}

#[test]
fn a_walker_away_from_its_pattern_plans_a_route_to_it() {
    let rest = ROUND.replace("pattern", "offset = [1, 1]\npattern");
    check(
        "
        .........
        .........
        ....####.
        .......#.
        .......#A",
        &rest,
        7,
        "
        .........
        .....A...
        ....####.
        .......#.
        .......#.",
    );
}

#[test]
fn only_solid_agents_block_a_walker() {
    let second = |body: &str| format!("{ROUND}\n[[agent]]\nname = \"B\"\nat = @B\n{body}");
    let before = "
        .........
        .A..B....
        .........
        .........
        .........";
    check(
        before,
        &second("body = { solid = true }"),
        50,
        "
        .........
        ...AB....
        .........
        .........
        .........",
    );
    check(
        before,
        &second(""),
        4,
        "
        .........
        ....BA...
        .........
        .........
        .........",
    );
}

#[test]
fn solid_walkers_never_swap_tiles() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        body = { solid = true }
        pattern = "line"
        [[agent]]
        name = "B"
        at = @B
        pace = 1
        body = { solid = true }
        heading = 180
        pattern = "back"
    "#;
    check("A....B", rest, 20, "..AB..");
}

#[test]
fn a_pattern_step_turns_the_agent_before_moving_it() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        pattern = "snake"
    "#;
    let before = "
        A....
        .....
        .....";
    check(
        before,
        rest,
        3,
        "
        ...A.
        .....
        .....",
    );
    check(
        before,
        rest,
        5,
        "
        .....
        .....
        ...A.",
    );
    check(
        before,
        rest,
        8,
        "
        .....
        .....
        A....",
    );
}

#[test]
fn arrive_leads_an_agent_through_a_door_one_tile_wide() {
    let rest = r#"
        places = { goal = @G }
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "arrive", target = "goal" }]
    "#;
    check(
        "
        .....#.....
        .....#.....
        A.........G
        .....#.....
        .....#.....",
        rest,
        160,
        "
        .....#.....
        .....#.....
        ..........A
        .....#.....
        .....#.....",
    );
}

#[test]
fn flee_moves_an_agent_into_the_corner_farthest_from_its_target() {
    let rest = r#"
        [[agent]]
        name = "B"
        at = @B
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "flee", target = "B" }]
    "#;
    check(
        "
        B......
        .A.....
        .......
        .......",
        rest,
        200,
        "
        B......
        .......
        .......
        ......A",
    );
}
