//! Pictures of free walls, which run across tiles: how they block or turn walkers, routes and bodies.

use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::report::words;
use tilewalk_sim::step::step;

use super::pictures::{check, load};

/// A slightly slanted wall between columns 2 and 3, over the first three rows.
const WALL: &str = "[[wall]]\nname = \"fence\"\nfrom = [3.1, 0.0]\nto = [2.9, 3.0]\n";

const TRAVEL: &str = "[[agent]]\nname = \"A\"\nat = @A\npace = 1\ntravel = @B\n";

#[test]
fn a_traveller_goes_round_a_wall() {
    let before = "
        ......
        .A..B.
        ......
        ......";
    let rest = format!("{WALL}{TRAVEL}");
    check(before, &rest, 2, "......\n......\n......\n..A...");
    check(before, &rest, 5, "......\n....A.\n......\n......");
}

#[test]
fn a_traveller_passes_a_one_sided_wall_only_in_the_direction_of_its_normal() {
    let before = "
        ......
        .A..B.
        ......
        ......";
    // The normal points to the right of the direction from `from` to `to`: here to the west.
    let west = format!("{WALL}one_sided = true\n{TRAVEL}");
    check(before, &west, 2, "......\n......\n......\n..A...");
    let flipped = "[[wall]]\nfrom = [2.9, 3.0]\nto = [3.1, 0.0]\none_sided = true\n";
    check(before, &format!("{flipped}{TRAVEL}"), 3, "......\n....A.\n......\n......");
}

#[test]
fn patrolling_and_chasing_agents_stop_at_a_wall_and_report_it() {
    let before = "
        ......
        A...B.
        ......
        ......";
    let patrol = "[[agent]]\nname = \"A\"\nat = @A\npace = 1\npattern = \"line\"\n";
    let chase = "[[agent]]\nname = \"A\"\nat = @A\npace = 1\nchase = @B\n";
    for drive in [patrol, chase] {
        let rest = format!("{WALL}{drive}");
        check(before, &rest, 20, "......\n..A...\n......\n......");
        let mut world = load(before, &rest);
        let mut blocked = Vec::new();
        for _ in 0..20 {
            step(&mut world);
            let events = world.events().iter();
            let texts = events.filter(|event| matches!(event.kind, EventKind::Blocked(_)));
            blocked.extend(texts.map(|event| words::event(event, world.scenario(), &world)));
        }
        assert_eq!(blocked, ["blocked: wall “fence” at (3, 1)"]);
    }
}

#[test]
fn a_wall_through_the_centre_of_a_tile_blocks_routes_through_it() {
    let before = "
        .....
        A...B
        .....";
    let post = "[[wall]]\nfrom = [2.5, 1.25]\nto = [2.5, 1.75]\n";
    check(before, &format!("{post}{TRAVEL}"), 2, "..A..\n.....\n.....");
}

#[test]
fn a_body_slides_along_a_slanted_wall_and_round_its_end() {
    let before = "
        .........
        .........
        .A......B
        .........
        .........
        .........
        .........";
    let body =
        "[[agent]]\nname = \"A\"\nat = @A\nsteer = [{ do = \"seek\", target = [8.5, 2.5] }]\n";
    let slanted = "[[wall]]\nfrom = [3.0, 0.0]\nto = [5.0, 3.0]\n";
    let rest = format!("{slanted}{body}");
    let mut world = load(before, &rest);
    let mut bumps = Vec::new();
    for _ in 0..100 {
        step(&mut world);
        let events = world.events().iter();
        let texts = events.filter(|event| matches!(event.kind, EventKind::Bump(_)));
        bumps.extend(texts.map(|event| words::event(event, world.scenario(), &world)));
    }
    assert_eq!(bumps.first().map(String::as_str), Some("bump into free wall 1 at (4, 2)"));
    assert!(
        world.position(AgentId(0)).x > 5.5,
        "it passed the wall: {}",
        world.position(AgentId(0))
    );
}

/// The wall runs through the tile marked `A`, between the agent and its target. The centre of this tile is
/// on the side of the target.
#[test]
fn flow_leads_an_agent_round_a_wall_that_runs_through_a_tile() {
    let before = "
        .......
        .......
        ...A.B.
        .......
        .......";
    let rest = "[[wall]]\nfrom = [3.3, 0.0]\nto = [3.3, 4.0]\n\
                [[agent]]\nname = \"A\"\nat = [2.9, 2.5]\nbody = { radius = 0.2 }\n\
                steer = [{ do = \"flow\", to = @B }]\n";
    check(before, rest, 300, ".......\n.......\n.....A.\n.......\n.......");
}

/// The agent enters a mode with a drive on tiles. The centre of its tile is on the wall or beyond it.
#[test]
fn an_agent_that_starts_to_walk_crosses_no_wall() {
    let before = "
        .......
        .......
        ...A.B.
        .......
        .......";
    for (x, drive) in [(3.3, "travel = @B"), (3.3, "chase = @B"), (3.5, "travel = @B")] {
        for at in ["[3.05, 2.5]", "[3.05, 2.1]", "[3.05, 2.95]"] {
            let rest = format!(
                "[[wall]]\nfrom = [{x:?}, 0.0]\nto = [{x:?}, 4.0]\n\
                 [[agent]]\nname = \"A\"\nat = {at}\nbody = {{ radius = 0.1, solid = true }}\n\
                 [[agent.mode]]\nname = \"free\"\nsteer = [{{ do = \"seek\", target = @B, weight = 0 }}]\n\
                 switch = [{{ when = \"frame >= 3\", to = \"walk\" }}]\n\
                 [[agent.mode]]\nname = \"walk\"\n{drive}\npace = 3\n"
            );
            let mut world = load(before, &rest);
            for _ in 0..60 {
                let from = world.position(AgentId(0));
                step(&mut world);
                let to = world.position(AgentId(0));
                // The height at which the move passes the line of the wall.
                let height = from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x);
                let crosses = (from.x < x) != (to.x < x) && height < 4.0;
                assert!(!crosses, "{drive} from {at}: {from} to {to}");
            }
            let arrived = world.tile(AgentId(0)) == TilePos::new(5, 2);
            assert_eq!(arrived, drive.starts_with("travel"), "{drive} from {at}");
        }
    }
}

#[test]
fn a_one_sided_wall_stops_only_bodies_that_come_from_its_front() {
    let before = "
        .........
        .A.....B.
        .........";
    let seek = |from: &str, to: &str| {
        format!(
            "[[wall]]\nfrom = [4.5, 0.0]\nto = [4.5, 3.0]\none_sided = true\n\
             [[agent]]\nname = \"A\"\nat = {from}\nsteer = [{{ do = \"seek\", target = {to} }}]\n"
        )
    };
    // The normal points to the west.
    let mut held = load(before, &seek("@A", "@B"));
    let mut free = load(before, &seek("@B", "@A"));
    for _ in 0..100 {
        step(&mut held);
        step(&mut free);
    }
    let gap = held.position(AgentId(0)).x - (4.5 - held.body(AgentId(0)).radius);
    assert!((-2e-3..=0.0).contains(&gap), "held at the wall: {gap}");
    assert!(free.position(AgentId(0)).x < 3.0, "free from behind");
    assert_eq!(free.tally(AgentId(0)).bumps, 0);
}

#[test]
fn a_wall_on_a_torus_is_the_shortest_line_between_its_ends() {
    let picture = ".........\n".repeat(9);
    // The wall runs from column 8 to column 1 across the edge, not through the middle of the map.
    let bumps = |x: f32| {
        let rest = format!(
            "edges = \"wrap\"\n[[wall]]\nfrom = [8.0, 3.2]\nto = [1.0, 3.8]\n\
             [[agent]]\nname = \"A\"\nat = [{x:?}, 1.5]\n\
             steer = [{{ do = \"seek\", target = [{x:?}, 5.5] }}]\n"
        );
        let mut world = load(&picture, &rest);
        (0..40).for_each(|_| step(&mut world));
        (world.tally(AgentId(0)).bumps, world.position(AgentId(0)).y > 4.0)
    };
    assert_eq!([8.5, 0.0, 0.5].map(bumps), [(1, false); 3], "at the edge");
    assert_eq!([3.5, 4.5, 6.5].map(bumps), [(0, true); 3], "in the middle");
}

#[test]
fn hug_walls_keeps_its_distance_from_a_slanted_wall() {
    let before = "
        ............
        ............
        ......A.....
        ............
        ............
        ............";
    let wall = "[[wall]]\nname = \"long\"\nfrom = [0.5, 5.5]\nto = [11.5, 4.0]\n";
    let hug = "[[agent]]\nname = \"A\"\nat = @A\nheading = 180\n\
               steer = [{ do = \"hug_walls\", hand = \"left\", distance = 0.8 }]\n";
    let mut world = load(before, &format!("{wall}{hug}"));
    let mut gaps = Vec::new();
    for frame in 0..60 {
        step(&mut world);
        let at = world.position(AgentId(0));
        let share = (at.x - 0.5) / 11.0;
        let gap = (5.5 - 1.5 * share - at.y) * 11.0 / (121.0_f32 + 2.25).sqrt();
        if frame > 25 && at.x > 2.0 && at.x < 10.0 {
            gaps.push(gap);
        }
    }
    assert!(!gaps.is_empty() && gaps.iter().all(|gap| (0.6..1.0).contains(gap)), "{gaps:?}");
}
