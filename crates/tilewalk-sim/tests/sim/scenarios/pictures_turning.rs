//! Pictures of `track` and of bodies that face one way and move another. The headings stand beside the
//! agents.

use tilewalk_sim::geom::Direction;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use super::pictures::{drawn, load};

/// After so many frames the map looks like `after`, and the agents face so.
#[track_caller]
fn check(before: &str, rest: &str, frames: u64, after: &str, facing: &str) {
    let mut world = load(before, rest);
    (0..frames).for_each(|_| step(&mut world));
    let expected = after.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(drawn(&world), expected, "\nafter {frames} frames:\n{}", drawn(&world));
    assert_eq!(arrows(&world), facing, "after {frames} frames");
}

/// The arrows of all agents, in their order.
fn arrows(world: &World) -> String {
    world.ids().map(|id| Direction::nearest(world.shown_heading(id), false).arrow()).collect()
}

#[test]
fn a_crab_goes_one_way_and_faces_another() {
    let crab = |row: &str| {
        format!(
            "places = {{ goal = @G }}\n[[agent]]\nname = \"A\"\nat = @A\n\
             steer = [{{ do = \"arrive\", target = \"goal\" }}, {row}]"
        )
    };
    let (before, after) = (
        "
        ..........
        .A......G.
        ..........",
        "
        ..........
        ........A.
        ..........",
    );
    check(before, &crab("{ do = \"align\", to = 90 }"), 100, after, "↓");
    check(before, &crab("{ do = \"align\", to = -90 }"), 100, after, "↑");
    check(before, &crab("{ do = \"look_ahead\" }"), 100, after, "→");
    check(before, &crab("{ do = \"face\", target = [2.5, 0.5] }"), 100, after, "←");
}

#[test]
fn turrets_face_who_passes_and_a_dancer_faces_as_its_partner_does() {
    let rest = r#"
        [[agent]]
        name = "P"
        at = @P
        pace = 10
        pattern = "line"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "face", target = "P" }]
        [[agent]]
        name = "B"
        at = @B
        steer = [{ do = "align", to = "A" }]
    "#;
    let before = "
        P......
        .......
        .......
        .....A.
        B......";
    check(before, rest, 0, before, "→→→");
    let after = "
        .....P.
        .......
        .......
        .....A.
        B......";
    // It came to the end in frame 50.
    check(before, rest, 55, after, "→↑↑");
}

#[test]
fn a_missile_takes_the_short_way_over_the_edge() {
    let rest = r#"
        edges = "wrap"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "track", target = [10.5, 1.5], noise = 0 }]
    "#;
    let before = "
        ............
        .A..........
        ............";
    let after = "
        ............
        A...........
        ............";
    check(before, rest, 10, after, "←");
    let after = "
        ............
        ..........A.
        ............";
    check(before, rest, 19, after, "←");
}

/// Out of range there is noise alone.
#[test]
fn a_missile_without_noise_and_out_of_range_stands() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        heading = 45
        steer = [{ do = "track", target = [10.5, 1.5], noise = 0, range = 5 }]
    "#;
    let before = "
        ............
        .A..........
        ............";
    check(before, rest, 100, before, "↘");
}
