//! Pictures of drives on tiles: `chase`, `flee_tiles`, `travel` and lists of patterns.

use super::pictures::check;

#[test]
fn chase_follows_the_straight_line_to_its_target() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        chase = "B"
        [[agent]]
        name = "B"
        at = @B
    "#;
    let before = "
        A.........
        ..........
        ..........
        .......B..";
    check(
        before,
        rest,
        4,
        "
        ..........
        ..........
        ....A.....
        .......B..",
    );
    check(
        before,
        rest,
        40,
        "
        ..........
        ..........
        ..........
        .......A..",
    );
}

#[test]
fn chase_stops_at_a_wall_and_plans_no_detour() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        chase = [6, 0]
    "#;
    check(
        "
        A...#...
        ........",
        rest,
        60,
        "
        ...A#...
        ........",
    );
}

#[test]
fn chase_takes_the_shortest_path_on_a_torus() {
    let rest = r#"
        edges = "wrap"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        chase = "B"
        [[agent]]
        name = "B"
        at = @B
    "#;
    check(
        "
        .A......
        ........
        ........
        ......B.",
        rest,
        2,
        "
        ........
        ........
        ........
        ......BA",
    );
}

#[test]
fn flee_tiles_moves_an_agent_into_the_corner_farthest_from_its_target() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        flee_tiles = "B"
        [[agent]]
        name = "B"
        at = @B
    "#;
    check(
        "
        B.....
        .A....
        ......",
        rest,
        30,
        "
        B.....
        ......
        .....A",
    );
}

#[test]
fn flee_tiles_breaks_ties_clockwise_from_east() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        flee_tiles = @A
    "#;
    check(
        "
        ...
        .A.
        ...",
        rest,
        1,
        "
        ...
        ...
        ..A",
    );
}

#[test]
fn travel_avoids_tiles_with_a_high_cost() {
    let rest = r#"
        legend = { m = { name = "mud", cost = 4.0 } }
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        travel = [8, 1]
    "#;
    check(
        "
        .........
        Ammmmmmm.
        .........",
        rest,
        4,
        "
        ....A....
        .mmmmmmm.
        .........",
    );
    check(
        "
        .........
        Ammmmmmm.
        .........",
        rest,
        30,
        "
        .........
        .mmmmmmmA
        .........",
    );
}

#[test]
fn travel_goes_round_a_standing_solid_agent() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        body = { solid = true }
        travel = [7, 1]
        [[agent]]
        name = "B"
        at = @B
        body = { solid = true }
    "#;
    let before = "
        ........
        A..B....
        ........";
    check(
        before,
        rest,
        3,
        "
        ........
        ..AB....
        ........",
    );
    check(
        before,
        rest,
        4,
        "
        ...A....
        ...B....
        ........",
    );
    check(
        before,
        rest,
        20,
        "
        ........
        ...B...A
        ........",
    );
}

#[test]
fn an_agent_follows_the_patterns_of_a_list_one_after_the_other() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        pace = 1
        pattern = ["line", "snake"]
    "#;
    let before = "
        A.........
        ..........
        ..........";
    check(
        before,
        rest,
        5,
        "
        .....A....
        ..........
        ..........",
    );
    // The pattern `snake` starts at the last tile of `line`. Afterwards the agent returns to the nearest
    // tile of `line`.
    check(
        before,
        rest,
        8,
        "
        ........A.
        ..........
        ..........",
    );
    check(
        before,
        rest,
        15,
        "
        .....A....
        ..........
        ..........",
    );
}
