//! Pictures of chases, flights, travel, and several patterns in a row.

use super::pictures::check;

#[test]
fn a_chaser_walks_the_straight_line_to_its_target() {
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
fn a_chaser_stands_before_a_wall_and_goes_round_nothing() {
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
fn a_chaser_takes_the_short_way_round_a_torus() {
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
fn who_flees_on_tiles_ends_in_the_far_corner() {
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
fn of_equally_far_tiles_the_first_clockwise_from_east_is_fled_to() {
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
fn a_traveller_takes_the_road_round_the_mud() {
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
fn a_traveller_goes_round_who_stays_in_its_way() {
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
fn patterns_follow_each_other_and_the_next_is_joined() {
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
    // The snake begins where the line ended, and the line is joined where it is nearest.
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
