//! Oracle for turning and for `track` in f64: 200 frames on an open map must agree within 0.001 tiles and 0.001
//! radians.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::heading;
use tilewalk_sim::map::Edges;
use tilewalk_sim::rng::{RngKey, Use, name_hash};
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Align, Behaviour, MatchVelocity, Noise, Target, Track, Turning, WeightedBehaviour,
};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use super::steering::{
    IT, ME, Mover, NEAR, START, V, add, cap, dot, len, mover, mul, runner, sub, unit,
};
use crate::support::build;

const DT: f64 = 0.05;

/// Returns an open map with an agent that has the behaviours `rows`, and with a second agent that has the
/// body and drive `it`.
fn open(rows: Vec<WeightedBehaviour>, body: Body, it: (Body, Drive)) -> World {
    let ground = vec![".".repeat(160); 160];
    let mut scenario = build::scenario(build::map(&ground, Edges::Wall));
    let drive = Drive::Steer { combine: Combine::Prioritized, rows };
    build::add(&mut scenario, "me", START, body, drive);
    build::add(&mut scenario, "it", START + NEAR, it.0, it.1);
    build::world(scenario)
}

/// Returns the angle from one direction to another, positive to the right.
fn angle(from: V, to: V) -> f64 {
    libm::atan2(from.0 * to.1 - from.1 * to.0, dot(from, to))
}

/// Returns the direction of an angle in radians.
fn direction(angle: f64) -> V {
    (libm::cos(angle), libm::sin(angle))
}

/// Parameters of a turn, in degrees and seconds.
#[derive(Clone, Copy)]
struct Limits {
    rate: f64,
    accel: f64,
    target: f64,
    slow: f64,
    time: f64,
}

/// Compares a turning behaviour with its oracle, with two sets of limits and two gains. The agent also
/// matches the velocity of a second agent. `goal` gets the states of both agents and returns the direction
/// to turn to.
fn check(behaviour: impl Fn(Turning) -> Behaviour, goal: impl Fn(Mover, Mover) -> V) {
    let usual = Limits { rate: 360.0, accel: 1440.0, target: 1.0, slow: 90.0, time: 0.1 };
    let heavy = Limits { rate: 120.0, accel: 300.0, target: 3.0, slow: 40.0, time: 0.25 };
    for limits in [usual, heavy] {
        for gain in [8.0, 1.0] {
            assert_agrees(&behaviour, &goal, limits, gain);
        }
    }
}

fn assert_agrees(
    behaviour: impl Fn(Turning) -> Behaviour,
    goal: impl Fn(Mover, Mover) -> V,
    limits: Limits,
    gain: f32,
) {
    let radians = |degrees: f64| (degrees as f32).to_radians();
    let turning = Turning {
        target_angle: radians(limits.target),
        slow_angle: radians(limits.slow),
        time_to_target: limits.time as f32,
        opposite: false,
    };
    let behaviour = behaviour(turning);
    let target = Some(Target::Agent(IT));
    let matched = build::behaviour(Behaviour::MatchVelocity(MatchVelocity::default()), target);
    let rows = vec![build::behaviour(behaviour, target), matched];
    let body = Body {
        gain,
        max_turn_rate: (limits.rate < 360.0).then(|| radians(limits.rate)),
        max_turn_accel: radians(limits.accel),
        ..Body::default()
    };
    let slow = Body { max_speed: 2.5, ..Body::default() };
    let mut world = open(rows, body, (slow, build::wander()));
    let mut me = mover(&world, ME);
    let (mut facing, mut spin) = (0.0_f64, 0.0_f64);
    for frame in 1..=200 {
        let it = mover(&world, IT);
        me.h = direction(facing.to_radians());
        let goal = goal(me, it);
        let rho = if len(goal) == 0.0 { 0.0 } else { angle(me.h, goal).to_degrees() };
        let slowed = limits.rate * (rho.abs() / limits.slow).min(1.0) * rho.signum();
        let desired = if rho.abs() < limits.target { 0.0 } else { slowed };
        let turn = ((desired - spin) / limits.time).clamp(-limits.accel, limits.accel);
        spin = (spin + turn * DT).clamp(-limits.rate, limits.rate);
        facing += spin * DT;
        let force = cap(mul(sub(it.v, me.v), 10.0), 12.0);
        me.v = cap(add(me.v, mul(force, DT)), 4.0);
        me.p = add(me.p, mul(me.v, DT));
        step(&mut world);
        let real = mover(&world, ME);
        let place = len(sub(real.p, me.p));
        let off = angle(real.h, direction(facing.to_radians())).abs();
        let word = behaviour.word();
        assert!(place < 1e-3 && off < 1e-3, "{word}: off by {place}, {off} rad in frame {frame}");
        let omega = f64::from(world.motion(ME).angular_velocity).to_degrees();
        assert!((omega - spin).abs() < 0.1, "{word}: {omega} is not {spin} in frame {frame}");
    }
}

#[test]
fn align_agrees_with_its_oracle() {
    for degrees in [0.0_f32, 5.0, 170.0, 180.0, -45.0, 300.0] {
        let goal = f64::from(degrees).to_radians();
        let align =
            |turning| Behaviour::Align(Align { to: Some(heading::from_degrees(degrees)), turning });
        // The agent turns by 180° to the right, because rounding makes sin 180° slightly greater than 0.
        check(align, |_, _| direction(goal));
    }
    check(|turning| Behaviour::Align(Align { to: None, turning }), |_, it| it.h);
}

#[test]
fn face_and_look_ahead_agree_with_their_oracles() {
    check(Behaviour::Face, |me, it| unit(sub(it.p, me.p)));
    check(Behaviour::LookAhead, |me, _| if len(me.v) > 1e-4 { me.v } else { (0.0, 0.0) });
}

#[test]
fn face_and_align_with_opposite_turn_in_the_opposite_direction() {
    let away = |turning: Turning| Turning { opposite: true, ..turning };
    let back = |v: V| mul(v, -1.0);
    check(|turning| Behaviour::Face(away(turning)), |me, it| back(unit(sub(it.p, me.p))));
    check(
        |turning| Behaviour::Align(Align { to: None, turning: away(turning) }),
        |_, it| back(it.h),
    );
    let east = Some(heading::from_degrees(0.0));
    check(
        |turning| Behaviour::Align(Align { to: east, turning: away(turning) }),
        // The agent turns right if the goal is exactly behind it.
        |me, _| if me.h.1.abs() < 1e-6 { direction(core::f64::consts::PI) } else { (-1.0, 0.0) },
    );
}

#[test]
fn match_velocity_with_opposite_matches_the_opposite_velocity() {
    let opposite = MatchVelocity { opposite: true, ..MatchVelocity::default() };
    let rows = vec![build::behaviour(Behaviour::MatchVelocity(opposite), Some(Target::Agent(IT)))];
    let slow = Body { max_speed: 2.5, ..Body::default() };
    let mut world = open(rows, Body::default(), (slow, build::wander()));
    let mut me = mover(&world, ME);
    for frame in 1..=200 {
        let it = mover(&world, IT);
        // The mass is 1, and `time_to_target` is 0.1 s.
        let force = cap(mul(sub(mul(it.v, -1.0), me.v), 10.0), 12.0);
        me.v = cap(add(me.v, mul(force, DT)), 4.0);
        me.p = add(me.p, mul(me.v, DT));
        step(&mut world);
        let off = len(sub(mover(&world, ME).p, me.p));
        assert!(off < 1e-3, "off by {off} in frame {frame}");
    }
}

/// Returns the random numbers of `track` in a frame. The oracle uses those of the project, because they are
/// not part of the formula.
fn random_numbers(frame: u64) -> [f64; 3] {
    let (agent, mode) = (name_hash("me"), name_hash("steer"));
    let mut stream = RngKey { seed: 1, frame, agent, mode, behaviour: 0 }.stream(Use::Track);
    [0; 3].map(|_| f64::from(stream.unit()))
}

fn assert_track_agrees(track: Track, gain: f32) {
    let rows = vec![build::behaviour(Behaviour::Track(track), Some(Target::Agent(IT)))];
    // `track` ignores mass, force limit and gain.
    let body = Body { gain, mass: 7.0, max_force: 0.5, ..Body::default() };
    let mut world = open(rows, body, runner());
    let mut me = mover(&world, ME);
    for frame in 1..=200 {
        let offset = sub(mover(&world, IT).p, me.p);
        let lost = len(offset) > f64::from(track.range);
        let mut v = me.v;
        if !lost {
            v = add(v, mul(unit(offset), f64::from(track.rate)));
        }
        let [chance, x, y] = random_numbers(frame);
        if chance < f64::from(track.noise_chance) {
            let most = f64::from(track.noise) * if lost { 2.0 } else { 1.0 };
            v = match track.noise_kind {
                Noise::Uniform => add(v, ((2.0 * x - 1.0) * most, (2.0 * y - 1.0) * most)),
                // Whole numbers from -n up to but excluding n: n is 1 in range and 2 out of range.
                Noise::Integers => {
                    let n = if lost { 2.0 } else { 1.0 };
                    let whole = |random: f64| -n + (random * 2.0 * n).trunc();
                    add(v, mul((whole(x), whole(y)), f64::from(track.noise)))
                }
            };
        }
        me.v = if len(v) > 4.0 { mul(v, f64::from(track.slow)) } else { v };
        me.p = add(me.p, mul(me.v, DT));
        step(&mut world);
        let real = mover(&world, ME);
        let off = len(sub(real.p, me.p));
        assert!(off < 1e-3, "track is off by {off} in frame {frame} ({track:?})");
        let error = angle(real.h, if len(me.v) > 1e-4 { me.v } else { real.h }).abs();
        assert!(error < 1e-3, "the agent faces along its velocity");
    }
}

#[test]
fn track_agrees_with_its_oracle() {
    let calm = Track { noise_chance: 0.0, ..Track::default() };
    let wild = Track { noise: 0.5, noise_chance: 0.7, rate: 0.23, slow: 0.5, range: 20.0, ..calm };
    let lost = Track { range: 2.0, noise_chance: 0.5, ..Track::default() };
    let printed = Track { noise_kind: Noise::Integers, noise_chance: 1.0 / 9.0, ..wild };
    let printed_lost = Track { noise_kind: Noise::Integers, ..lost };
    for gain in [8.0, 1.0] {
        for track in [calm, Track::default(), wild, lost, printed, printed_lost] {
            assert_track_agrees(track, gain);
        }
    }
}
