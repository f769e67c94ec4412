//! Properties of manual control, for any agent on any map.

use proptest::prelude::*;
use tilewalk_sim::agent::{Drive, Mode};
use tilewalk_sim::body::Body;
use tilewalk_sim::command::Command;
use tilewalk_sim::event::{EventKind, Obstruction};
use tilewalk_sim::geom::{Direction, TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::locomotion::vehicle::{self, Manner, Push, VelocityChange};
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::path::PathRules;
use tilewalk_sim::pattern::steps::{StepsRow, Unit};
use tilewalk_sim::pattern::thrust::{HeadingFrom, Leg};
use tilewalk_sim::pattern::{PathPattern, Pattern, StepsPattern, ThrustPattern};
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::step::{Due, explain, explain_with, step, step_with};
use tilewalk_sim::world::{Flags, World};

use crate::scenarios::pictures::load;
use crate::support::build;

/// The first agent.
const A: AgentId = AgentId(0);

fn drive(agent: AgentId, direction: impl Into<Option<Direction>>) -> Command {
    Command::Drive { agent, direction: direction.into() }
}

fn path(corners: &[(i32, i32)]) -> Drive {
    let corners: Vec<_> = corners.iter().map(|&(x, y)| TilePos::new(x, y)).collect();
    let rules = PathRules { closed: true, ..PathRules::default() };
    build::absolute_pattern(Pattern::Path(PathPattern::new(&corners, rules).unwrap()))
}

/// Returns a room with an agent of each drive. The agents that walk on tiles are first.
fn all_drives() -> Scenario {
    let mut rows = vec![".".repeat(24); 16];
    for row in &mut rows[6..10] {
        row.replace_range(10..12, "##");
    }
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let steps = |unit| {
        let row = StepsRow { turn: 1.0, forward: 1.0, ..StepsRow::default() };
        build::absolute_pattern(Pattern::Steps(StepsPattern {
            rows: vec![row],
            repeat: true,
            unit,
        }))
    };
    let legs = vec![Leg { port: true, until_turned: Some(90.0), ..Leg::default() }];
    let craft = ThrustPattern { legs, heading_from: HeadingFrom::Velocity, repeat: true };
    let drives = [
        path(&[(2, 2), (6, 2), (6, 5)]),
        steps(Unit::Notches),
        Drive::Keys { on_tiles: true },
        steps(Unit::Degrees),
        build::seek(Vec2::new(20.5, 14.5)),
        Drive::Stand,
        Drive::Keys { on_tiles: false },
        build::absolute_pattern(Pattern::Thrust(craft)),
    ];
    for (index, drive) in drives.into_iter().enumerate() {
        let at = TilePos::new(2 + index as i32 % 4 * 5, 2 + index as i32 / 4 * 10).centre();
        build::add(&mut scenario, &format!("a{index}"), at, Body::default(), drive);
        build::edit(&mut scenario, |parts| parts.kinds[index].modes[0].pace = 3);
    }
    scenario
}

/// Index of the first agent of [`all_drives`] that does not walk on tiles.
const FIRST_VEHICLE: u32 = 3;

/// Returns pseudo-random commands for two agents in a frame.
fn commands_at(frame: u32) -> Vec<Command> {
    let random = |salt: u32| (frame / 7 + salt).wrapping_mul(2_654_435_761) >> 16;
    let direction = |number: u32| {
        (!number.is_multiple_of(9)).then(|| Direction::ALL[(number / 9) as usize % 8])
    };
    (0..2).map(|salt| drive(AgentId(random(salt) % 9), direction(random(salt + 5)))).collect()
}

#[test]
fn runs_with_equal_commands_have_equal_hashes() {
    let run = |commands: fn(u32) -> Vec<Command>| {
        let mut world = build::world(all_drives());
        (0..600).for_each(|frame| step_with(&mut world, &commands(frame)));
        world.hash()
    };
    assert_eq!(run(commands_at), run(commands_at));
    assert_ne!(run(commands_at), run(|_| vec![]));
    // The hash is the same in debug and release builds. It changes if it covers other columns of the world.
    assert_eq!(format!("{:016x}", run(commands_at)), "88cd9299dcb242b6");
}

#[test]
fn commands_for_unknown_agents_change_nothing() {
    let mut world = build::world(all_drives());
    let mut commanded = world.clone();
    for _ in 0..50 {
        step(&mut world);
        step_with(
            &mut commanded,
            &[drive(AgentId(99), Direction::East), drive(AgentId(u32::MAX), None)],
        );
        assert_eq!(world.hash(), commanded.hash());
    }
}

#[test]
fn the_last_of_two_commands_in_a_frame_wins_and_affects_no_other_agent() {
    let mut world = build::world(all_drives());
    let mut once = world.clone();
    let mut free = world.clone();
    let id = AgentId(4);
    for _ in 0..40 {
        step_with(&mut world, &[drive(id, Direction::West), drive(id, Direction::East)]);
        step_with(&mut once, &[drive(id, Direction::East)]);
        step(&mut free);
        assert_eq!(world.hash(), once.hash());
        for other in world.ids().filter(|&other| other != id) {
            assert_eq!(world.motion(other), free.motion(other));
        }
    }
}

#[test]
fn driven_vehicles_get_the_full_force_and_move_exactly_as_explained() {
    for agent in FIRST_VEHICLE..8 {
        let id = AgentId(agent);
        let mut world = build::world(all_drives());
        for frame in 0..120_u32 {
            let direction =
                (frame % 50 < 40).then(|| Direction::ALL[(frame / 10 + agent) as usize % 8]);
            let commands = [drive(id, direction)];
            let before = world.clone();
            let explanation = explain_with(&before, &commands, [id]).pop().unwrap();
            step_with(&mut world, &commands);
            assert_eq!(explanation.held.map(|held| held.direction), Some(direction));
            let row = explanation.forces.rows[0];
            assert_eq!((explanation.forces.rows.len(), row.behaviour), (1, "keys"));
            assert_eq!(row.total, explanation.output);
            let body = world.body(id);
            if let Some(direction) = direction {
                assert_eq!(explanation.output.force, direction.vector() * body.max_force);
            } else {
                assert!(explanation.output.force.length() <= body.max_force * 1.000_001);
            }
            let (dt, map) = (world.scenario().dt(), world.scenario().map());
            let velocity = VelocityChange::Force(explanation.output.force).apply(
                before.velocity(id),
                body,
                dt,
            );
            let push = Push { velocity, turn: 0.0 };
            let manner =
                Manner { tracks: false, avoids_crowd: false, oriented: false, tile_drag: 0.0 };
            let pushed = vehicle::drive(before.motion(id), push, manner, body, map, dt);
            assert_eq!(pushed.motion, world.motion(id), "agent {agent}, frame {frame}");
        }
    }
}

#[test]
fn vehicles_brake_without_a_direction_and_standing_agents_stop_when_released() {
    let mut world = build::world(all_drives());
    for agent in [4, 5, 6, 7].map(AgentId) {
        (0..10).for_each(|_| step_with(&mut world, &[drive(agent, Direction::East)]));
        assert!(world.velocity(agent).length() > 2.0);
        (0..60).for_each(|_| step_with(&mut world, &[drive(agent, None)]));
        assert!(world.velocity(agent).length() < 1e-3);
    }
    let standing = AgentId(5);
    (0..10).for_each(|_| step_with(&mut world, &[drive(standing, Direction::West)]));
    let at = world.position(standing);
    step(&mut world);
    assert_eq!((world.position(standing), world.velocity(standing)), (at, Vec2::ZERO));
}

#[test]
fn agents_driven_by_keys_stand_or_brake_without_commands() {
    let mut world = build::world(all_drives());
    let (walker, vehicle) = (AgentId(2), AgentId(6));
    let at = world.position(walker);
    for _ in 0..10 {
        step_with(&mut world, &[drive(vehicle, Direction::North)]);
    }
    assert!(explain(&world, vehicle).output.force.y > 0.0, "the vehicle brakes");
    assert_eq!(explain(&world, vehicle).held, None);
    (0..60).for_each(|_| step(&mut world));
    assert!(world.velocity(vehicle).length() < 1e-3);
    assert_eq!(world.position(walker), at);
}

#[test]
fn a_walker_with_a_held_key_takes_one_step_every_three_frames_at_pace_3() {
    let mut world = build::world(all_drives());
    let mut tiles = vec![];
    for _ in 0..9 {
        step_with(&mut world, &[drive(AgentId(2), Direction::South)]);
        tiles.push(world.tile(AgentId(2)).y);
    }
    assert_eq!(tiles, [3, 3, 3, 4, 4, 4, 5, 5, 5]);
    // Waiting does not accumulate steps: after a pause, one step is due at once, but a second one is not.
    (0..9).for_each(|_| step_with(&mut world, &[drive(AgentId(2), None)]));
    assert_eq!(world.velocity(AgentId(2)), Vec2::ZERO);
    step_with(&mut world, &[drive(AgentId(2), Direction::North)]);
    step_with(&mut world, &[drive(AgentId(2), Direction::North)]);
    assert_eq!(world.tile(AgentId(2)).y, 4);
}

#[test]
fn a_refused_step_is_explained_and_does_not_delay_the_next_step() {
    let mut world =
        load("##.\n#A.\n...", "[[agent]]\nname = \"a\"\nat = @A\nkeys = true\npace = 4");
    let explanation = explain_with(&world, &[drive(A, Direction::West)], [A]).pop().unwrap();
    step_with(&mut world, &[drive(A, Direction::West)]);
    let attempt = explanation.attempt.unwrap();
    assert_eq!((attempt.due, attempt.direction), (Due::Keys, Some(Direction::West)));
    assert!(world.flags(A).has(Flags::BLOCKED));
    assert_eq!(attempt.refused, world.obstruction(A));
    assert!(matches!(world.obstruction(A), Some(Obstruction::Ground(_))));
    step_with(&mut world, &[drive(A, Direction::East)]);
    assert_eq!(world.tile(A), TilePos::new(2, 1));
    assert!(!world.flags(A).has(Flags::BLOCKED));
}

#[test]
fn solid_bodies_block_driven_walkers() {
    let mut world = load(
        "AB",
        "[[agent]]\nname = \"a\"\nat = @A\nkeys = true\npace = 1\n[[agent]]\nname = \"b\"\nat = @B\n\
         body = { solid = true }",
    );
    step_with(&mut world, &[drive(A, Direction::East)]);
    assert_eq!(world.obstruction(A), Some(Obstruction::Agent(AgentId(1))));
    assert_eq!(world.tile(A), TilePos::new(0, 0));
}

#[test]
fn a_released_walker_rejoins_its_pattern() {
    let mut world = build::world(all_drives());
    (0..12).for_each(|_| step_with(&mut world, &[drive(A, Direction::South)]));
    assert_eq!(world.tile(A), TilePos::new(2, 6));
    assert!(world.flags(A).has(Flags::JOINING), "the agent is not on its pattern");
    let mut joined = false;
    for _ in 0..30 {
        step(&mut world);
        joined |= world.events().iter().any(|event| event.kind == EventKind::Joined);
    }
    assert!(joined && !world.flags(A).has(Flags::JOINING));
}

#[test]
fn transitions_work_under_manual_control() {
    let mut world = load(
        "A....",
        "[[agent]]\nname = \"a\"\nat = @A\n\
         [[agent.mode]]\nname = \"near\"\nkeys = true\npace = 1\n\
         switch = [{ when = \"x > 2\", to = \"far\" }]\n\
         [[agent.mode]]\nname = \"far\"\nkeys = true",
    );
    for _ in 0..4 {
        step_with(&mut world, &[drive(A, Direction::East)]);
    }
    assert_eq!(world.mode(A).name, "far");
    assert_eq!(world.mode(A).drive.word(), "keys");
    let x = world.position(A).x;
    assert!(x > 2.5 && x < 3.5, "the agent is now an accelerating vehicle: {x}");
}

#[test]
fn agents_stopped_by_the_nan_guard_ignore_commands() {
    let mut scenario = build::scenario(build::map(&[".....".into()], Edges::Wall));
    let body = Body { mass: 0.0, ..Body::default() };
    let at = Vec2::new(1.5, 0.5);
    let id = build::add(&mut scenario, "ghost", at, body, Drive::Keys { on_tiles: false });
    let mut world = build::world(scenario);
    for _ in 0..5 {
        step_with(&mut world, &[drive(id, Direction::East)]);
        assert!(world.flags(id).has(Flags::QUARANTINED));
        assert_eq!((world.position(id), world.velocity(id)), (at, Vec2::ZERO));
    }
    assert!(explain_with(&world, &[drive(id, Direction::East)], [id])[0].forces.rows.is_empty());
}

/// Directions, each with the number of frames for which it is held.
type HeldDirections = Vec<(Option<Direction>, u32)>;

/// Generates a map of floor, walls and trees, directions to hold, and whether the edges of the map wrap.
fn random_walks() -> impl Strategy<Value = (Vec<String>, HeldDirections, bool)> {
    let direction = prop::option::weighted(0.9, prop::sample::select(Direction::ALL.to_vec()));
    let rows = prop::collection::vec("[.#T]{2}[.]{4}[.#T]{3}", 2..8);
    (rows, prop::collection::vec((direction, 1..6_u32), 1..40), any::<bool>())
}

fn walker(rows: &[String], pace: u32, edges: Edges, drive: Drive) -> World {
    let mut scenario = build::scenario(build::map(rows, edges));
    build::add(&mut scenario, "a", Vec2::new(3.5, 0.5), Body::default(), drive);
    build::edit(&mut scenario, |parts| {
        let mode = &mut parts.kinds[0].modes[0];
        *mode = Mode::new("m".into(), pace, mode.drive.clone());
    });
    build::world(scenario)
}

proptest! {
    #![proptest_config(build::cases(64))]

    #[test]
    fn a_driven_walker_steps_only_to_open_tiles_in_the_held_direction((rows, held, wrap) in random_walks(), pace in 1..5_u32) {
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        for walker_drive in [Drive::Keys { on_tiles: true }, path(&[(2, 0), (4, 0)])] {
            let mut world = walker(&rows, pace, edges, walker_drive);
            for &(direction, frames) in &held {
                for _ in 0..frames {
                    let before = world.tile(A);
                    step_with(&mut world, &[drive(A, direction)]);
                    let (tile, map) = (world.tile(A), world.scenario().map());
                    prop_assert!(map.is_open(tile), "on {tile}");
                    prop_assert_eq!(world.position(A), tile.centre());
                    let stepped = tile != before;
                    prop_assert!(!stepped || map.direction_between(before, tile) == direction || wrap);
                    prop_assert!(!stepped || direction.is_some());
                }
            }
        }
    }

    #[test]
    fn a_driven_vehicle_never_enters_a_wall((rows, held, wrap) in random_walks()) {
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        let mut world = walker(&rows, 1, edges, Drive::Keys { on_tiles: false });
        for &(direction, frames) in &held {
            for _ in 0..frames * 5 {
                step_with(&mut world, &[drive(A, direction)]);
                prop_assert!(world.motion(A).is_finite());
                let tile = world.tile(A);
                prop_assert!(world.scenario().map().kind(tile).is_some_and(|kind| kind.walk));
                prop_assert!(world.velocity(A).length() <= world.body(A).max_speed * 1.0001);
            }
        }
    }
}
