//! Pictures of manual control: the map before, the keys, the map after.

use tilewalk_sim::command::Command;
use tilewalk_sim::geom::Direction;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::step::step_with;

use super::pictures::{drawn, load};

/// Checks the map after manual control of `A`, with one key per frame: `>` `v` `<` `^` push `A` in that
/// direction, `\` to the south-east and `/` to the north-east, `o` stops it, and `.` is a frame without
/// manual control.
#[track_caller]
fn check(before: &str, rest: &str, keys: &str, after: &str) {
    let mut world = load(before, rest);
    for key in keys.split_whitespace().flat_map(str::chars) {
        let direction = match key {
            '>' => Some(Direction::East),
            'v' => Some(Direction::South),
            '<' => Some(Direction::West),
            '^' => Some(Direction::North),
            '\\' => Some(Direction::SouthEast),
            '/' => Some(Direction::NorthEast),
            _ => None,
        };
        let command = Command::Drive { agent: AgentId(0), direction };
        step_with(&mut world, if key == '.' { &[] } else { core::slice::from_ref(&command) });
    }
    let drawn = drawn(&world);
    let expected = after.split_whitespace().collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(drawn, expected, "\nafter {keys}:\n{drawn}");
}

#[test]
fn manual_control_leads_a_walker_round_a_wall_but_not_into_it() {
    let walker = "[[agent]]\nname = \"a\"\nat = @A\nkeys = true\npace = 2";
    let room = "
        ......
        .A##..
        ......";
    check(room, walker, "> > > >", room);
    check(room, walker, "vo >o >o >o /o", "......\n..##.A\n......");
    check(room, walker, "^^ >> >o >> \\o oo", "......\n..##.A\n......");
}

#[test]
fn manual_control_moves_a_walker_across_the_edge_of_a_torus() {
    let walker = "edges = \"wrap\"\n[[agent]]\nname = \"a\"\nat = @A\nkeys = true\npace = 1";
    check("A..\n...", walker, "<^", "...\n..A");
}

#[test]
fn a_patrol_returns_to_its_path_after_manual_control() {
    let patrol = "[[agent]]\nname = \"a\"\nat = @A\npattern = \"round\"\npace = 1";
    let before = "
        ........
        .A......
        ........
        ........
        ........
        ........";
    check(before, patrol, "^ < v v", "........\n........\nA.......\n........\n........\n........");
    check(
        before,
        patrol,
        "^ < v v .",
        "........\n........\n.A......\n........\n........\n........",
    );
}

#[test]
fn manual_control_pushes_and_stops_a_vehicle() {
    let vehicle = "[[agent]]\nname = \"a\"\nat = @A\nkeys = true\n\
                   body = { max_speed = 4, max_force = 20, gain = 20 }";
    let before = "A.........\n..........\n..........";
    check(
        before,
        vehicle,
        ">>>>> >>>>> >>>>> >>>>> oooooooooo oooooooooo",
        "....A.....\n..........\n..........",
    );
    check(
        before,
        vehicle,
        "\\\\\\\\\\ \\\\\\\\\\ oooooooooo",
        "..........\n.A........\n..........",
    );
}
