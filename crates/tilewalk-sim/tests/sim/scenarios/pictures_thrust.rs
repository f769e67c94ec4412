//! Pictures of thrust patterns: the start of a craft, and its track after some frames.

use std::collections::BTreeSet;

use tilewalk_sim::geom::TilePos;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::step;

use super::pictures::load;

/// Checks the track of a craft after some frames: `A` is its tile, and `:` marks earlier tiles.
#[track_caller]
fn check(before: &str, pattern: &str, frames: u64, after: &str) {
    let rest = format!(
        "edges = \"wrap\"\n[[agent]]\nname = \"A\"\nat = @A\n{pattern}\n\
         body = {{ thrust = 2, side_thrust = 8, inertia = 0.02, angular_drag = 1 }}"
    );
    let mut world = load(before, &rest);
    let id = AgentId(0);
    let mut track = BTreeSet::new();
    for _ in 0..frames {
        track.insert(world.tile(id));
        step(&mut world);
    }
    let map = world.scenario().map();
    let mut drawn = String::new();
    for y in 0..map.height() as i32 {
        for x in 0..map.width() as i32 {
            let tile = TilePos::new(x, y);
            let glyph = if track.contains(&tile) { ":" } else { "." };
            drawn += if world.tile(id) == tile { "A" } else { glyph };
        }
        drawn.push('\n');
    }
    let expected = after.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(drawn, expected, "\nafter {frames} frames:\n{drawn}");
}

#[test]
fn the_track_of_the_square_pattern_is_a_square() {
    check(
        "
        ............
        ...A........
        ............
        ............
        ............
        ............
        ............
        ............
        ............
        ............
        ............
        ............",
        "pattern = \"square\"",
        440,
        "
        ............
        ...::::::::.
        A.........:.
        :.........:.
        :.........:.
        :.........:.
        :.........:.
        :.........:.
        :.........:.
        :.........:.
        ::.......::.
        .:::::::::..",
    );
}

#[test]
fn the_track_of_the_zigzag_pattern_is_a_zigzag() {
    check(
        "
        ............................
        ............................
        .A..........................
        ............................
        ............................",
        "pattern = \"zigzag\"\nheading = -30",
        330,
        "
        ....:........:........:.....
        ..:::::....:::::....:::A....
        .::...::::::...::::::.......
        ........::.......::.........
        ............................",
    );
}
