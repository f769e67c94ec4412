//! Pictures of groups: separation, cohesion, avoidance.

use super::pictures::check;

/// Three agents of a group with the same steering.
fn three(steer: &str) -> String {
    let agent = |name: &str| {
        format!(
            "[[agent]]\nname = \"{name}\"\ngroup = \"trio\"\nat = @{name}\n\
             body = {{ drag = 2 }}\nsteer = [{steer}]\n"
        )
    };
    ["A", "B", "C"].map(agent).concat()
}

#[test]
fn separation_spreads_a_cluster() {
    check(
        "
        ...........
        ...........
        ....ABC....
        ...........
        ...........",
        &three("{ do = 'separation', radius = 3 }"),
        60,
        "
        ...........
        ...........
        .A...B...C.
        ...........
        ...........",
    );
}

#[test]
fn cohesion_gathers_who_is_in_sight() {
    check(
        "
        A..........
        ...........
        ....B......
        ...........
        ..........C",
        &three("{ do = 'cohesion', radius = 5 }"),
        10,
        "
        .A.........
        ...........
        ...B.......
        ...........
        ..........C",
    );
}

#[test]
fn alignment_follows_those_who_already_go() {
    check(
        "
        ...........
        .A.........
        .B.........
        .C.........
        ...........",
        "
        [[agent]]
        name = 'A'
        group = 'leaders'
        at = @A
        steer = [{ do = 'seek', target = [90.5, 1.5] }]
        [[agent]]
        name = 'B'
        at = @B
        heading = 90
        steer = [{ do = 'alignment', of = 'leaders', radius = 9 }]
        [[agent]]
        name = 'C'
        group = 'leaders'
        at = @C
        steer = [{ do = 'seek', target = [90.5, 3.5] }]
        ",
        40,
        "
        ...........
        ........A..
        ..B........
        ........C..
        ...........",
    );
}

#[test]
fn two_who_would_collide_pass_to_starboard() {
    check(
        "
        ...............
        ...............
        .A...........B.
        ...............
        ...............",
        "
        [[agent]]
        name = 'A'
        at = @A
        body = { radius = 0.5 }
        steer = [{ do = 'avoid_agents', lead = 2 }, { do = 'seek', target = [13, 2] }]
        [[agent]]
        name = 'B'
        at = @B
        heading = 180
        body = { radius = 0.5 }
        steer = [{ do = 'avoid_agents', lead = 2 }, { do = 'seek', target = [1, 2] }]
        ",
        35,
        "
        ...............
        .......B.......
        ...............
        .......A.......
        ...............",
    );
}

#[test]
fn a_solid_body_is_held_up_by_one_that_stands() {
    check(
        "
        .......
        .A.B...
        .......",
        "
        [[agent]]
        name = 'A'
        at = @A
        body = { solid = true, radius = 0.5 }
        steer = [{ do = 'seek', target = @B }]
        [[agent]]
        name = 'B'
        at = @B
        body = { solid = true, radius = 0.5 }
        ",
        60,
        "
        .......
        ..AB...
        .......",
    );
}
