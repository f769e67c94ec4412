//! Pictures of paths and places: a map before and after some frames.

use super::pictures::check;

#[test]
fn follow_path_includes_the_closing_segment_of_a_looped_path() {
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
fn follow_path_stops_at_the_end_of_an_open_path() {
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
fn follow_path_places_its_pattern_at_the_home_of_the_agent() {
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
fn hide_moves_the_agent_behind_a_tree() {
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
fn hug_walls_follows_the_wall_round_corners() {
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
fn hug_walls_turns_round_in_a_dead_end() {
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
fn flow_leads_agents_through_a_maze() {
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
fn flow_does_not_move_an_agent_without_a_route() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "flow", to = @G }]
    "#;
    check("A.#..G", rest, 100, "A.#...");
}
