//! Pictures of paths and places: a map before and after some frames.

use super::pictures::check;

#[test]
fn a_loop_of_points_is_walked_over_its_closing_segment() {
    let rest = r#"
        places = { last = @D }
        [[agent]]
        name = "A"
        at = @A
        body = { max_speed = 2 }
        steer = [{ do = "follow_path", points = [@A, @B, @C, @D], loop = true }]
    "#;
    let before = "
        ..........
        .A......B.
        ..........
        ..........
        ..........
        .D......C.
        ..........";
    let half = "
        ..........
        ..........
        ..........
        ..........
        ..........
        .......A..
        ..........";
    check(before, rest, 120, half);
    let closing = "
        ..........
        ..........
        .A........
        ..........
        ..........
        ..........
        ..........";
    check(before, rest, 203, closing);
}

#[test]
fn an_open_path_ends_with_an_arrival() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "follow_path", points = [@A, @B, @C] }]
    "#;
    check(
        "
        A.......B
        .........
        .........
        ........C",
        rest,
        200,
        "
        .........
        .........
        .........
        ........A",
    );
}

#[test]
fn a_pattern_is_followed_from_home() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "follow_path", pattern = "line" }]
    "#;
    check(
        "
        .........
        ..A......
        .........",
        rest,
        200,
        "
        .........
        .......A.
        .........",
    );
}

#[test]
fn who_hides_goes_behind_the_tree() {
    let rest = r#"
        [[agent]]
        name = "B"
        at = @B
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "avoid_obstacles", box = 1.0 }, { do = "hide", from = "B" }]
    "#;
    check(
        "
        ..........
        ....A.....
        ..........
        B....T....
        ..........",
        rest,
        160,
        "
        ..........
        ..........
        ..........
        B....TA...
        ..........",
    );
}

#[test]
fn a_mouse_follows_the_wall_into_the_corner_and_on() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        body = { max_speed = 2 }
        steer = [{ do = "hug_walls", hand = "left", distance = 0.5 }]
    "#;
    check(
        "
        A.........
        ..........
        ..........
        ..........
        ..........",
        rest,
        200,
        "
        ..........
        ..........
        ..........
        ..........
        ..A.......",
    );
}

#[test]
fn a_mouse_turns_at_the_end_of_a_lane_and_comes_out_again() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        body = { max_speed = 2 }
        steer = [{ do = "hug_walls", hand = "right" }]
    "#;
    let before = "
        ##########
        A........#
        ##########
        ..........";
    let inside = "
        ##########
        ........A#
        ##########
        ..........";
    check(before, rest, 90, inside);
    let outside = "
        ##########
        .A.......#
        ##########
        ..........";
    check(before, rest, 180, outside);
}

#[test]
fn a_crowd_flows_through_the_maze() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "flow", to = @G }]
        [[agent]]
        name = "B"
        at = @B
        steer = [{ do = "flow", to = [0, 0] }]
    "#;
    check(
        "
        ..#..A
        ..#.##
        ....#B
        ###.#.
        G.....",
        rest,
        400,
        "
        B.#...
        ..#.##
        ....#.
        ###.#.
        A.....",
    );
}

#[test]
fn who_is_walled_in_stays() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "flow", to = @G }]
    "#;
    check("A.#..G", rest, 100, "A.#...");
}
