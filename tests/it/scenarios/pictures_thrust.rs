//! Pictures of crafts: the water before, and the wake after some frames.

use std::collections::BTreeSet;

use tilewalk::geom::TilePos;
use tilewalk::id::AgentId;
use tilewalk::step::step;

use super::pictures::load;

/// After so many frames, the tiles the craft was on are the `:` and its own.
#[track_caller]
fn check(before: &str, pattern: &str, frames: u64, after: &str) {
    let rest = format!(
        "edges = \"wrap\"\n[[agent]]\nname = \"A\"\nat = @A\n{pattern}\n\
         body = {{ thrust = 2, side_thrust = 8, inertia = 0.02, angular_drag = 1 }}"
    );
    let mut world = load(before, &rest);
    let id = AgentId(0);
    let mut wake = BTreeSet::new();
    for _ in 0..frames {
        wake.insert(world.tile(id));
        step(&mut world);
    }
    let map = world.scenario().map();
    let mut drawn = String::new();
    for y in 0..map.height() as i32 {
        for x in 0..map.width() as i32 {
            let tile = TilePos::new(x, y);
            let glyph = if wake.contains(&tile) { ":" } else { "." };
            drawn += if world.tile(id) == tile { "A" } else { glyph };
        }
        drawn.push('\n');
    }
    let expected = after.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(drawn, expected, "\nafter {frames} frames:\n{drawn}");
}

#[test]
fn a_square_looks_like_a_square() {
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
fn a_zigzag_looks_like_a_zigzag() {
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
