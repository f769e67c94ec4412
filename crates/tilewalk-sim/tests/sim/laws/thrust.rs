//! Thrust patterns: the limits of legs, turns, interruptions, walls and wrapping maps.

use proptest::prelude::*;
use tilewalk_sim::body::{Body, Craft};
use tilewalk_sim::event::EventKind;
use tilewalk_sim::geom::{TilePos, Vec2, heading};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::pattern::thrust::{HeadingFrom, Leg, ThrustState};
use tilewalk_sim::pattern::{Pattern, ThrustPattern};
use tilewalk_sim::step::step;
use tilewalk_sim::world::{DriveState, Flags, World};

use crate::scenarios::pictures::load;
use crate::support::build;
use crate::support::invariants::assert_out_of_walls;

const CRAFT: AgentId = AgentId(0);

fn ahead(tiles: f32) -> Leg {
    Leg { until_moved: Some(tiles), ..Leg::default() }
}

fn port(degrees: f32) -> Leg {
    Leg { port: true, until_turned: Some(degrees), ..Leg::default() }
}

fn starboard(degrees: f32) -> Leg {
    Leg { port: false, starboard: true, ..port(degrees) }
}

fn program(legs: &[Leg]) -> ThrustPattern {
    ThrustPattern { legs: legs.to_vec(), heading_from: HeadingFrom::Velocity, repeat: true }
}

/// Returns a world with a craft in the middle of an open map of `size` × `size` tiles.
fn open_world(
    pattern: ThrustPattern,
    body: Body,
    size: usize,
    edges: Edges,
    degrees: f32,
) -> World {
    let rows = vec![".".repeat(size); size];
    let mut scenario = build::scenario(build::map(&rows, edges));
    let drive = build::absolute_pattern(Pattern::Thrust(pattern));
    build::add(&mut scenario, "c", Vec2::splat(size as f32 / 2.0), body, drive);
    build::edit(&mut scenario, |parts| parts.starts[0].heading = heading::from_degrees(degrees));
    build::world(scenario)
}

fn state(world: &World) -> ThrustState {
    match world.drive_state(CRAFT) {
        DriveState::Thrust { at } => at,
        other => panic!("not a craft: {other:?}"),
    }
}

/// A leg that has ended, measured by the positions and velocities of the craft.
#[derive(Debug, Clone, Copy)]
struct EndedLeg {
    leg: u32,
    /// Signed turn of the course, in degrees.
    turned: f64,
    /// Distance from the start of the leg, in tiles.
    moved: f64,
    at: Vec2,
}

/// Steps until `count` legs have ended or `frames` frames have passed. Returns the ended legs.
fn ended_legs(world: &mut World, count: usize, frames: u32) -> Vec<EndedLeg> {
    let mut list = Vec::new();
    let angle = |v: Vec2| libm::atan2(f64::from(v.y), f64::from(v.x)).to_degrees();
    let (mut leg_start, mut turned) = (world.position(CRAFT), 0.0);
    for _ in 0..frames {
        let (leg, before) = (state(world).leg, world.velocity(CRAFT));
        step(world);
        let after = world.velocity(CRAFT);
        if before != Vec2::ZERO && after != Vec2::ZERO {
            let by = angle(after) - angle(before);
            turned += by - 360.0 * (by / 360.0).round();
        }
        if state(world).leg != leg {
            let at = world.position(CRAFT);
            list.push(EndedLeg { leg, turned, moved: f64::from((at - leg_start).length()), at });
            (leg_start, turned) = (at, 0.0);
            if list.len() == count {
                break;
            }
        }
    }
    list
}

/// The thruster turns the craft on a circle that is smaller than the distance at which the first leg ends.
#[test]
fn a_leg_that_turns_twice_without_a_turn_limit_reports_circling_once() {
    let around = Leg { port: true, until_moved: Some(30.0), ..Leg::default() };
    let circling = |leg: Leg, frames: u32| {
        let mut world = open_world(program(&[leg]), Body::default(), 60, Edges::Wall, 0.0);
        let mut found = Vec::new();
        for _ in 0..frames {
            step(&mut world);
            let events = world.events().iter();
            let circling = events.filter(|event| matches!(event.kind, EventKind::Circling));
            found.extend(circling.map(|_| state(&world).turned));
        }
        (found, state(&world).leg)
    };
    let (turned, leg) = circling(around.clone(), 1200);
    assert_eq!((turned.len(), leg), (1, 0), "{turned:?}");
    assert!((720.0..760.0).contains(&turned[0]), "{turned:?}");
    // The limit of this leg is more than two turns, and ends it.
    let (turned, _) =
        circling(Leg { until_moved: None, until_turned: Some(1000.0), ..around }, 400);
    assert!(turned.is_empty(), "{turned:?}");
}

fn square() -> ThrustPattern {
    program(&core::array::from_fn::<_, 8, _>(
        |leg| if leg % 2 == 0 { ahead(6.0) } else { port(90.0) },
    ))
}

#[test]
fn square_legs_reach_their_limits_and_twenty_squares_stay_within_12_tiles() {
    let mut world = open_world(square(), Body::default(), 60, Edges::Wall, 0.0);
    let legs = ended_legs(&mut world, 160, 20_000);
    assert_eq!(legs.len(), 160);
    for leg in &legs {
        if leg.leg % 2 == 1 {
            assert!((89.999..110.0).contains(&leg.turned), "{leg:?}");
        } else {
            assert!((5.999..6.3).contains(&leg.moved), "{leg:?}");
        }
    }
    let mut world = open_world(square(), Body::default(), 60, Edges::Wall, 0.0);
    let (mut low, mut high) = (world.position(CRAFT), world.position(CRAFT));
    while world.frame().0 < 20 * 352 {
        step(&mut world);
        (low, high) = (low.min(world.position(CRAFT)), high.max(world.position(CRAFT)));
    }
    let span = high - low;
    assert!(span.x < 12.0 && span.y < 12.0 && span.min_element() > 9.0, "{span}");
}

#[test]
fn a_zigzag_turns_to_alternate_sides_and_moves_forward() {
    let legs = [ahead(3.0), port(60.0), ahead(3.0), starboard(60.0)];
    let mut world = open_world(program(&legs), Body::default(), 400, Edges::Wall, -30.0);
    let start = world.position(CRAFT);
    let legs = ended_legs(&mut world, 80, 20_000);
    assert_eq!(legs.len(), 80);
    let mut last = start;
    for four in legs.chunks(4) {
        let [_, right, _, left] = four else { panic!("four legs in each zigzag") };
        assert!((59.999..75.0).contains(&right.turned), "{right:?}");
        assert!((-75.0..-59.999).contains(&left.turned), "{left:?}");
        assert!(left.at.x - last.x > 5.0, "each zigzag moves forward: {left:?} after {last}");
        last = left.at;
    }
    let total = last - start;
    assert!(heading::to_degrees(total) < 6.0, "the mean course is east: {total}");
}

#[test]
fn a_square_of_two_repeated_legs_equals_one_of_eight_legs_bit_for_bit() {
    let short = program(&[ahead(6.0), port(90.0)]);
    let mut two = open_world(short, Body::default(), 60, Edges::Wall, 0.0);
    let mut eight = open_world(square(), Body::default(), 60, Edges::Wall, 0.0);
    for _ in 0..2000 {
        step(&mut two);
        step(&mut eight);
        let bits = |world: &World| {
            let motion = world.motion(CRAFT);
            let numbers =
                [motion.position, motion.velocity, motion.heading].map(|pair| pair.to_array());
            (numbers.map(|pair| pair.map(f32::to_bits)), motion.angular_velocity.to_bits())
        };
        assert_eq!(bits(&two), bits(&eight), "frame {}", two.frame());
    }
    assert!(state(&eight).leg > 1 && state(&two).leg < 2);
}

#[test]
fn turning_legs_of_more_than_180_degrees_are_completed() {
    for (leg, least) in [(port(270.0), 270.0), (starboard(270.0), -270.0), (port(1000.0), 1000.0)] {
        let pattern = program(&[ahead(1.0), leg]);
        let mut world = open_world(pattern, Body::default(), 60, Edges::Wall, 45.0);
        let legs = ended_legs(&mut world, 2, 2000);
        let turned = legs[1].turned;
        let beyond = (turned - least) * f64::signum(least);
        assert!((-1e-3..20.0).contains(&beyond), "{turned} of {least}");
    }
}

#[test]
fn a_turning_leg_does_not_end_while_the_craft_is_at_rest() {
    let mut body = Body::default();
    body.craft.thrust = 0.0;
    let idle = Leg { port: false, ..port(0.001) };
    let mut world = open_world(program(&[idle.clone(), port(1.0)]), body, 9, Edges::Wall, 0.0);
    assert!(ended_legs(&mut world, 1, 500).is_empty());
    assert_eq!(state(&world), ThrustState::default());
    // The side thruster alone moves and turns the craft, so its leg ends.
    let mut world = open_world(program(&[port(1.0), idle]), body, 9, Edges::Wall, 0.0);
    assert_eq!(ended_legs(&mut world, 1, 500).len(), 1);
}

/// The dot product of a unit vector with itself is not always exactly 1. If it is larger, `acos` returns
/// NaN.
#[test]
fn legs_without_side_thrusters_do_not_turn_or_produce_nan() {
    for degrees in 0..90 {
        let idle = Leg { port: false, ..port(0.5) };
        let body = Body::default();
        let mut world =
            open_world(program(&[idle.clone(), port(1.0)]), body, 200, Edges::Wall, degrees as f32);
        assert!(ended_legs(&mut world, 1, 400).is_empty(), "at {degrees} degrees");
        assert!(state(&world).turned.abs() < 0.01, "at {degrees}: {:?}", state(&world));
    }
}

#[test]
fn a_side_thruster_stops_in_the_frame_in_which_its_leg_ends() {
    // The last leg is a turn. In the published algorithm, the thruster of the last leg does not stop.
    let mut world = open_world(square(), Body::default(), 60, Edges::Wall, 0.0);
    for _ in 0..40 {
        let (leg, before) = (state(&world).leg, world.motion(CRAFT).angular_velocity);
        step(&mut world);
        let after = world.motion(CRAFT).angular_velocity;
        if leg % 2 == 0 {
            assert!(after == 0.0 || after < before, "no thruster on leg {leg}: {before} {after}");
        }
    }
    let mut laps = 0;
    while laps < 3 {
        let (leg, spin) = (state(&world).leg, world.motion(CRAFT).angular_velocity);
        step(&mut world);
        if leg == 7 && state(&world).leg == 0 {
            laps += 1;
            let spin_at_end = world.motion(CRAFT).angular_velocity;
            step(&mut world);
            let decayed = spin_at_end / (1.0 + 0.5 * 0.05 / 0.05);
            assert_eq!(world.motion(CRAFT).angular_velocity, decayed, "after {spin}");
        }
    }
}

#[test]
fn a_thrust_pattern_reports_its_end_once_and_the_craft_drifts_to_rest() {
    let pattern = ThrustPattern { repeat: false, ..program(&[ahead(2.0), port(45.0)]) };
    let mut world = open_world(pattern, Body::default(), 60, Edges::Wall, 0.0);
    let (mut finished, mut speed_then) = (vec![], 0.0);
    for _ in 0..2000 {
        step(&mut world);
        if world.events().iter().any(|event| event.kind == EventKind::Finished) {
            finished.push(world.frame().0);
            speed_then = world.velocity(CRAFT).length();
        }
    }
    assert_eq!(finished.len(), 1);
    assert!(world.flags(CRAFT).has(Flags::FINISHED));
    let speed = world.velocity(CRAFT).length();
    assert!(speed_then > 1.0 && speed < 0.05, "{speed_then}, then {speed}");
}

#[test]
fn an_interrupted_thrust_pattern_restarts_at_the_position_of_the_craft() {
    let rest = r#"
        edges = "wrap"
        [[agent]]
        name = "A"
        at = @A
        [[agent.mode]]
        name = "sail"
        pattern = "square"
        switch = [{ when = "time_in_mode >= 7", to = "dash" }]
        [[agent.mode]]
        name = "dash"
        steer = [{ do = "seek", target = [0.5, 0.5] }]
        switch = [{ when = "time_in_mode >= 1", to = "sail" }]
    "#;
    let mut world =
        load(&["....................\n"; 20].concat().replacen("....", "...A", 1), rest);
    let mut entered = 0;
    let mut last = 0;
    while entered < 3 {
        let before = world.motion(CRAFT);
        let mode = world.mode(CRAFT).name.clone();
        step(&mut world);
        if mode == "sail" && world.mode(CRAFT).name == "sail" {
            last = state(&world).leg;
        }
        if mode == "dash" && world.mode(CRAFT).name == "sail" {
            entered += 1;
            let map = world.scenario().map();
            let moved = map.offset(before.position, world.position(CRAFT));
            let state = state(&world);
            assert!(last > 0, "the program was interrupted on a later leg");
            assert!(state.leg == 0 && (state.moved - moved).length() < 1e-5, "{state:?}");
            // The turn is measured from the course at the new start of the mode, not from that at its first
            // start.
            let (old, now) = (before.velocity, world.velocity(CRAFT));
            let by = libm::atan2f(old.perp_dot(now), old.dot(now)).to_degrees();
            assert!((state.turned - by).abs() < 0.01, "{state:?}, turned by {by}");
        }
    }
}

#[test]
fn the_speed_force_and_turn_limits_of_vehicles_do_not_apply_to_craft() {
    let tight =
        Body { max_speed: 0.1, max_force: 0.1, max_turn_rate: Some(0.1), ..Body::default() };
    let mut world = open_world(square(), tight, 60, Edges::Wall, 0.0);
    let mut free = open_world(square(), Body::default(), 60, Edges::Wall, 0.0);
    for _ in 0..500 {
        step(&mut world);
        step(&mut free);
        assert_eq!(world.motion(CRAFT), free.motion(CRAFT));
    }
}

/// The positions on a torus are the positions on a large open map, wrapped to the torus.
#[test]
fn a_craft_moves_on_a_torus_as_on_an_open_map() {
    for degrees in [-30.0, 0.0, 77.0, 160.0, 245.0] {
        for legs in [
            vec![ahead(6.0), port(90.0)],
            vec![ahead(9.0), starboard(100.0), ahead(3.0), port(60.0)],
            vec![port(300.0), ahead(30.0)],
        ] {
            let body = Body::default();
            let mut open = open_world(program(&legs), body, 402, Edges::Wall, degrees);
            let mut torus = open_world(program(&legs), body, 10, Edges::Wrap, degrees);
            let (start, middle) = (open.position(CRAFT), torus.position(CRAFT));
            for _ in 0..900 {
                step(&mut open);
                step(&mut torus);
                let map = torus.scenario().map();
                let wrapped = map.wrap(middle + (open.position(CRAFT) - start));
                let off = map.offset(wrapped, torus.position(CRAFT)).length();
                assert!(off < 1e-2, "{off} off in frame {} at {degrees}", open.frame());
                assert_eq!(state(&open).leg, state(&torus).leg, "frame {}", open.frame());
            }
        }
    }
}

fn any_leg() -> impl Strategy<Value = Leg> {
    let limit = |most: f32| proptest::option::of(0.1..most);
    (any::<bool>(), any::<bool>(), limit(20.0), limit(500.0)).prop_map(
        |(port, starboard, until_moved, until_turned)| Leg {
            port,
            starboard,
            until_moved,
            until_turned,
            signal: None,
        },
    )
}

fn any_body() -> impl Strategy<Value = Body> {
    let first = (0.05_f32..=0.5, 0.01_f32..20.0, 0.001_f32..2.0, 0.0_f32..5.0);
    let second = (0.0_f32..500.0, 0.0_f32..500.0, 0.0_f32..5.0, 0.0_f32..5.0, 0.0_f32..50.0);
    (first, second).prop_map(|((radius, mass, inertia, length), drags)| {
        let (thrust, side_thrust, water_drag, angular_drag, keel) = drags;
        let craft = Craft { inertia, length, thrust, side_thrust, water_drag, angular_drag, keel };
        Body { radius, mass, craft, ..Body::default() }
    })
}

proptest! {
    #![proptest_config(build::cases(200))]

    #[test]
    fn craft_never_enter_walls_or_produce_nan(
        cells in proptest::collection::vec(0_u8..10, 144),
        wrap in any::<bool>(),
        legs in proptest::collection::vec(any_leg(), 1..5),
        from_bow in any::<bool>(),
        body in any_body(),
        degrees in -360.0_f32..360.0,
    ) {
        let glyph = |cell: &u8| char::from(b"##T......."[usize::from(*cell)]);
        let mut rows: Vec<String> =
            cells.chunks(12).map(|row| row.iter().map(glyph).collect()).collect();
        rows[6].replace_range(5..8, "...");
        rows[5].replace_range(5..8, "...");
        rows[7].replace_range(5..8, "...");
        let edges = if wrap { Edges::Wrap } else { Edges::Wall };
        let mut scenario = build::scenario(build::map(&rows, edges));
        let heading_from = if from_bow { HeadingFrom::Orientation } else { HeadingFrom::Velocity };
        let pattern = ThrustPattern { heading_from, ..program(&legs) };
        let drive = build::absolute_pattern(Pattern::Thrust(pattern));
        let at = TilePos::new(6, 6).centre();
        build::add(&mut scenario, "c", at, body, drive);
        build::edit(&mut scenario, |parts| parts.starts[0].heading = heading::from_degrees(degrees));
        let mut world = build::world(scenario);
        for _ in 0..200 {
            step(&mut world);
            assert_out_of_walls(&world);
            let state = state(&world);
            prop_assert!(!world.flags(CRAFT).has(Flags::QUARANTINED));
            prop_assert!(world.motion(CRAFT).is_finite() && state.turned.is_finite());
            prop_assert!((world.heading(CRAFT).length() - 1.0).abs() < 1e-5);
            let leg = &legs[state.leg as usize];
            prop_assert!(leg.until_moved.is_none_or(|most| state.moved.length() < most));
            prop_assert!(leg.until_turned.is_none_or(|most| state.turned.abs() < most));
        }
    }
}
