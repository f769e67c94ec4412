//! Pictures of `track`, and of bodies that face one direction and move in another. Each picture comes with
//! the headings of its agents.

use tilewalk_sim::geom::Direction;
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use super::pictures::{drawn, load};

/// Checks the map and the headings of its agents after some frames.
#[track_caller]
fn check(before: &str, rest: &str, frames: u64, after: &str, facing: &str) {
    let mut world = load(before, rest);
    (0..frames).for_each(|_| step(&mut world));
    let expected = after.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(drawn(&world), expected, "\nafter {frames} frames:\n{}", drawn(&world));
    assert_eq!(arrows(&world), facing, "after {frames} frames");
}

/// Returns an arrow for the heading of each agent, in agent order.
fn arrows(world: &World) -> String {
    world.ids().map(|id| Direction::nearest(world.shown_heading(id), false).arrow()).collect()
}

#[test]
fn an_agent_can_face_another_direction_than_it_moves_in() {
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
fn face_turns_to_its_target_and_align_copies_a_heading() {
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
    // `P` reached the end of its line in frame 50.
    check(before, rest, 55, after, "→↑↑");
}

#[test]
fn track_takes_the_shortest_direction_on_a_torus() {
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

/// A target out of range has no effect, so without noise the missile does not move.
#[test]
fn track_ignores_a_target_out_of_range() {
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
