//! Pictures of behaviours with targets, trees and walls.

use super::pictures::check;

#[test]
fn pursue_intercepts_its_target_and_seek_trails_behind() {
    check(
        "
        ...............
        ...............
        ...............
        P.............B
        ...............
        ...............
        S..............",
        r#"
        [[agent]]
        name = "B"
        at = @B
        body = { max_speed = 1.5 }
        steer = [{ do = "seek", target = [14.5, -90.5] }]
        [[agent]]
        name = "P"
        at = @P
        steer = [{ do = "pursue", target = "B" }]
        [[agent]]
        name = "S"
        at = @S
        steer = [{ do = "seek", target = "B" }]
        "#,
        40,
        "
        ..............B
        .......P.......
        ...............
        ...............
        .......S.......
        ...............
        ...............",
    );
}

#[test]
fn evade_flees_from_the_predicted_position_of_its_target() {
    check(
        "
        ...........
        ...........
        ....E......
        ...........
        ...........
        ...........
        H..........",
        r#"
        [[agent]]
        name = "H"
        at = @H
        body = { max_speed = 3 }
        steer = [{ do = "seek", target = [90.5, 6.5] }]
        [[agent]]
        name = "E"
        at = @E
        steer = [{ do = "evade", target = "H", threat = 20 }]
        "#,
        20,
        "
        .....E.....
        ...........
        ...........
        ...........
        ...........
        ...........
        ...H.......",
    );
}

#[test]
fn interpose_moves_the_agent_between_two_others() {
    check(
        "
        A............
        .............
        .............
        .....G.......
        ............B",
        r#"
        [[agent]]
        name = "A"
        at = @A
        [[agent]]
        name = "B"
        at = @B
        [[agent]]
        name = "G"
        at = @G
        steer = [{ do = "interpose", between = ["A", "B"] }]
        "#,
        80,
        "
        A............
        .............
        ......G......
        .............
        ............B",
    );
}

#[test]
fn offset_pursue_follows_its_leader_at_an_offset() {
    check(
        "
        ...............
        ...............
        P....L.........
        ...............
        ...............",
        r#"
        [[agent]]
        name = "L"
        at = @L
        body = { max_speed = 1 }
        steer = [{ do = "seek", target = [90.5, 2.5] }]
        [[agent]]
        name = "P"
        at = @P
        steer = [{ do = "offset_pursue", leader = "L", offset = [-1.0, 1.0] }]
        "#,
        120,
        "
        ...............
        ...............
        ...........L...
        ..........P....
        ...............",
    );
}

#[test]
fn dynamic_seek_overshoots_its_target() {
    check(
        "
        ...............
        A......B.......
        ...............",
        r#"
        [[agent]]
        name = "A"
        at = @A
        body = { max_speed = 9, max_force = 6 }
        steer = [{ do = "dynamic_seek", target = @B }]
        [[agent]]
        name = "B"
        at = @B
        "#,
        52,
        "
        ...............
        .......B.....A.
        ...............",
    );
}

#[test]
fn dynamic_flee_moves_an_agent_into_the_corner_farthest_from_its_target() {
    check(
        "
        B......
        .A.....
        .......
        .......",
        r#"
        [[agent]]
        name = "B"
        at = @B
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "dynamic_flee", target = "B" }]
        "#,
        200,
        "
        B......
        .......
        .......
        ......A",
    );
}

#[test]
fn dynamic_arrive_stops_at_its_target() {
    check(
        "
        ..........
        .A......G.
        ..........",
        r#"
        places = { goal = @G }
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "dynamic_arrive", target = "goal" }]
        "#,
        120,
        "
        ..........
        ........A.
        ..........",
    );
}

#[test]
fn match_velocity_keeps_the_distance_to_its_target() {
    check(
        "
        ...............
        A..............
        ...............
        .M.............
        ...............",
        r#"
        [[agent]]
        name = "A"
        at = @A
        body = { max_speed = 2 }
        steer = [{ do = "seek", target = [90.5, 1.5] }]
        [[agent]]
        name = "M"
        at = @M
        steer = [{ do = "match_velocity", target = "A" }]
        "#,
        100,
        "
        ...............
        ..........A....
        ...............
        ...........M...
        ...............",
    );
}

#[test]
fn tether_limits_the_distance_from_home() {
    check(
        "
        ..............
        K...........G.
        ..............",
        r#"
        places = { goal = @G }
        [[agent]]
        name = "K"
        at = @K
        steer = [{ do = "tether", to = "home", radius = 5 }, { do = "arrive", target = "goal" }]
        "#,
        200,
        "
        ..............
        .....K........
        ..............",
    );
}

#[test]
fn avoid_obstacles_leads_an_agent_past_a_tree() {
    check(
        "
        ...............
        ...............
        A......T......G
        ...............
        ...............",
        r#"
        places = { goal = @G }
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "avoid_obstacles" }, { do = "arrive", target = "goal" }]
        "#,
        100,
        "
        ...............
        ...............
        .......T......A
        ...............
        ...............",
    );
}

/// The tiny wander circle keeps the agent on a straight line until `avoid_walls` turns it.
#[test]
fn avoid_walls_turns_an_agent_before_it_reaches_a_wall() {
    let rest = r#"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "avoid_walls" }, { do = "wander", radius = 0.001 }]
    "#;
    let before = "
        ..........
        A.........
        ..........
        ..........
        ..........
        ..........";
    check(
        before,
        rest,
        30,
        "
        ..........
        .....A....
        ..........
        ..........
        ..........
        ..........",
    );
    check(
        before,
        rest,
        70,
        "
        ..........
        ..........
        ..........
        ..........
        ..........
        ........A.",
    );
}

#[test]
fn wander_with_a_tiny_circle_moves_the_agent_straight_ahead() {
    check(
        "
        ...............
        ...............
        ...............
        ...............
        .......A.......
        ...............
        ...............
        ...............
        ...............",
        r#"
                [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "wander", radius = 0.001 }]
        "#,
        30,
        "
        ...............
        ...............
        ...............
        ...............
        ............A..
        ...............
        ...............
        ...............
        ...............",
    );
}

#[test]
fn stay_on_path_pulls_an_agent_back_to_its_path() {
    check(
        "
        ..............
        ..............
        A............G
        ..............
        ..............
        ..............",
        r#"
        [[agent]]
        name = "A"
        at = @A
        steer = [{ do = "stay_on_path", points = [[0, 2], [13, 2]], width = 0.3 }, { do = "seek", target = [90.5, 50.5] }]
        "#,
        60,
        "
        ..............
        ..............
        ...........A..
        ..............
        ..............
        ..............",
    );
}
