//! Pictures of behaviours with targets, trees and walls.

use super::pictures::check;

#[test]
fn who_pursues_cuts_the_corner_and_who_seeks_runs_behind() {
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
fn who_evades_runs_from_where_the_hunter_will_be() {
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
fn a_guard_comes_between_two() {
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
fn a_page_walks_behind_its_leader_to_starboard() {
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
fn dynamic_seek_shoots_through_its_target() {
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
fn dynamic_flee_ends_in_the_far_corner() {
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
fn dynamic_arrive_stops_where_it_goes() {
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
fn who_matches_a_velocity_goes_beside_and_comes_no_nearer() {
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
fn a_dog_on_a_rope_goes_as_far_as_it_reaches() {
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
fn who_avoids_a_tree_passes_beside_it_and_goes_on() {
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

/// Without walls it would go straight on.
#[test]
fn who_avoids_walls_turns_before_the_wall() {
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
fn who_wanders_on_a_tiny_circle_goes_straight_on() {
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
fn a_drunkard_is_called_back_to_its_road() {
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
