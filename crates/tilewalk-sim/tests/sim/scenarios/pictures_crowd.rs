//! Pictures of agents that react to other agents: separation, cohesion, alignment, avoidance and contact.

use super::pictures::check;

/// Returns three agents of one group with the same steering list.
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
fn separation_spreads_a_cluster_of_agents() {
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
fn cohesion_gathers_agents_within_its_radius() {
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
fn alignment_copies_the_heading_of_neighbours() {
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
fn agents_with_avoid_agents_turn_to_starboard_to_pass_each_other() {
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
fn an_agent_with_avoid_crowd_walks_round_a_standing_agent() {
    check(
        "
        ...............
        ...............
        .A.....B.......
        ...............",
        "
        [[agent]]
        name = 'A'
        at = @A
        body = { radius = 0.5, max_speed = 2 }
        steer = [{ do = 'avoid_crowd' }, { do = 'seek', target = [13, 2] }]
        [[agent]]
        name = 'B'
        at = [7.5, 2.9]
        body = { radius = 0.5 }
        ",
        64,
        "
        ...............
        .......A.......
        .......B.......
        ...............",
    );
}

#[test]
fn a_standing_solid_body_stops_a_moving_one() {
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
