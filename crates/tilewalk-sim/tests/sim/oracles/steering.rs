//! Oracle for behaviours with a target: each one is implemented again in f64 from its formula in the docs. On
//! an open map, 200 frames must agree within 0.001 tiles.
//!
//! An agent that reaches its target at full speed circles it forever, and rounding decides the direction to
//! the target. So behaviours that run into their target are compared in three ways: for 200 frames with a
//! near target that runs away a little faster than the agent, for 200 frames with a target that is too far
//! away to reach, and for 40 frames with a near target that does not run away.

use tilewalk_sim::agent::Drive;
use tilewalk_sim::body::Body;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::map::Edges;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::{
    Arrive, Behaviour, DynamicArrive, Evade, Flee, MatchVelocity, OffsetPursue, Pursue, Target,
    Tether, Wander,
};
use tilewalk_sim::step::step;
use tilewalk_sim::world::World;

use crate::support::build;

pub(super) type V = (f64, f64);

pub(super) fn add(a: V, b: V) -> V {
    (a.0 + b.0, a.1 + b.1)
}

pub(super) fn sub(a: V, b: V) -> V {
    (a.0 - b.0, a.1 - b.1)
}

pub(super) fn mul(a: V, k: f64) -> V {
    (a.0 * k, a.1 * k)
}

pub(super) fn dot(a: V, b: V) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

pub(super) fn len(a: V) -> f64 {
    dot(a, a).sqrt()
}

pub(super) fn unit(a: V) -> V {
    if len(a) == 0.0 { a } else { mul(a, 1.0 / len(a)) }
}

pub(super) fn cap(a: V, most: f64) -> V {
    if len(a) > most { mul(unit(a), most) } else { a }
}

/// State of a body in f64: position, velocity and heading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    pub p: V,
    pub v: V,
    pub h: V,
}

/// Inputs of a formula: the agent, its target, a second target, and the limits of the agent.
struct Scene {
    me: Mover,
    it: Mover,
    other: Mover,
    max_speed: f64,
    max_force: f64,
    gain: f64,
}

impl Scene {
    fn seek(&self, point: V) -> V {
        mul(sub(mul(unit(sub(point, self.me.p)), self.max_speed), self.me.v), self.gain)
    }

    fn flee(&self, point: V) -> V {
        mul(sub(mul(unit(sub(self.me.p, point)), self.max_speed), self.me.v), self.gain)
    }

    fn arrive(&self, point: V, deceleration: f64) -> V {
        let offset = sub(point, self.me.p);
        let d = len(offset);
        if d <= 0.02 {
            return mul(self.me.v, -self.gain);
        }
        let speed = (d / (deceleration * 0.3)).min(self.max_speed);
        mul(sub(mul(offset, speed / d), self.me.v), self.gain)
    }

    fn time_to_meet(&self, point: V) -> f64 {
        len(sub(point, self.me.p)) / (self.max_speed + len(self.it.v))
    }

    fn predicted(&self, t: f64) -> V {
        add(self.it.p, mul(self.it.v, t))
    }
}

pub(super) const ME: AgentId = AgentId(0);
pub(super) const IT: AgentId = AgentId(1);
const OTHER: AgentId = AgentId(2);

pub(super) fn mover(world: &World, id: AgentId) -> Mover {
    let wide = |u: Vec2| (f64::from(u.x), f64::from(u.y));
    Mover { p: wide(world.position(id)), v: wide(world.velocity(id)), h: wide(world.heading(id)) }
}

#[derive(Debug, Clone, Copy)]
struct Trial {
    gain: f32,
    /// Offset of the target from the agent at the start, in tiles.
    away: Vec2,
    frames: u32,
    /// Whether the target runs away.
    runs: bool,
}

/// Start position of the agent. It has much space around it, and is near enough to the origin for precise
/// coordinates.
pub(super) const START: Vec2 = Vec2::new(60.5, 60.5);

/// Offset of a near target from the agent at the start.
pub(super) const NEAR: Vec2 = Vec2::new(6.8, 3.4);

/// Returns the body and drive of a target that runs away on a winding path, a little faster than the agent.
pub(super) fn runner() -> (Body, Drive) {
    let flee = build::behaviour(Behaviour::Flee(Flee { panic: None }), Some(Target::Agent(ME)));
    let rows = vec![flee, build::behaviour(Behaviour::Wander(Wander::default()), None)];
    let body = Body { max_speed: 4.4, ..Body::default() };
    (body, Drive::Steer { combine: Combine::Weighted, rows })
}

/// Offset of a target that the agent cannot reach in 200 frames.
const FAR: Vec2 = Vec2::new(48.7, 47.3);

/// Asserts that the agent stays within 0.001 tiles of the oracle in each frame of a trial.
fn assert_agrees(behaviour: Behaviour, trial: Trial, formula: impl Fn(&Scene) -> V) {
    let Trial { gain, away, frames, runs } = trial;
    let rows = vec![".".repeat(160); 160];
    let mut scenario = build::scenario(build::map(&rows, Edges::Wall));
    let body = Body { gain, ..Body::default() };
    let mut row = build::behaviour(behaviour, Some(Target::Agent(IT)));
    row.other = Some(Target::Agent(OTHER));
    let drive = Drive::Steer { combine: Combine::Prioritized, rows: vec![row] };
    build::add(&mut scenario, "me", START, body, drive);
    let slow = Body { max_speed: 2.5, ..Body::default() };
    let (it, drive) = if runs { runner() } else { (slow, build::wander()) };
    build::add(&mut scenario, "it", START + away, it, drive);
    build::add(&mut scenario, "other", START + Vec2::new(2.8, 9.6), slow, build::wander());
    let mut world = build::world(scenario);
    let mut me = mover(&world, ME);
    let (max_speed, max_force, dt) = (4.0, 12.0, 0.05);
    for frame in 1..=frames {
        let (it, other) = (mover(&world, IT), mover(&world, OTHER));
        let gain = f64::from(gain).min(1.0 / dt);
        let force = cap(formula(&Scene { me, it, other, max_speed, max_force, gain }), max_force);
        me.v = cap(add(me.v, mul(force, dt)), max_speed);
        me.p = add(me.p, mul(me.v, dt));
        if len(me.v) > 1e-4 {
            me.h = unit(me.v);
        }
        step(&mut world);
        let off = len(sub(mover(&world, ME).p, me.p));
        assert!(off < 1e-3, "{} is off by {off} in frame {frame} (gain {gain})", behaviour.word());
    }
}

/// Compares a behaviour with its oracle for 200 frames, with the default gain and with gain 1.
fn check(behaviour: Behaviour, formula: impl Fn(&Scene) -> V) {
    for gain in [8.0, 1.0] {
        assert_agrees(behaviour, Trial { gain, away: NEAR, frames: 200, runs: false }, &formula);
    }
}

/// Compares a behaviour that runs into its target in three ways, as described at the top of this file.
fn check_pursuer(behaviour: Behaviour, formula: impl Fn(&Scene) -> V) {
    for gain in [8.0, 1.0] {
        assert_agrees(behaviour, Trial { gain, away: NEAR, frames: 200, runs: true }, &formula);
        assert_agrees(behaviour, Trial { gain, away: FAR, frames: 200, runs: false }, &formula);
        assert_agrees(behaviour, Trial { gain, away: NEAR, frames: 40, runs: false }, &formula);
    }
}

#[test]
fn seek_and_flee_agree_with_their_oracles() {
    check_pursuer(Behaviour::Seek, |s| s.seek(s.it.p));
    check(Behaviour::Flee(Flee { panic: None }), |s| s.flee(s.it.p));
    check(Behaviour::Flee(Flee { panic: Some(9.0) }), |s| {
        if len(sub(s.it.p, s.me.p)) > 9.0 { (0.0, 0.0) } else { s.flee(s.it.p) }
    });
}

#[test]
fn arrive_agrees_with_its_oracle() {
    check(Behaviour::Arrive(Arrive::default()), |s| s.arrive(s.it.p, 2.0));
    let slow = Arrive { deceleration: 3.0, ..Arrive::default() };
    check(Behaviour::Arrive(slow), |s| s.arrive(s.it.p, 3.0));
}

#[test]
fn pursue_and_evade_agree_with_their_oracles() {
    let pursue = |turn_time: f64| {
        move |s: &Scene| {
            let offset = sub(s.it.p, s.me.p);
            if dot(offset, s.me.h) > 0.0 && dot(s.me.h, s.it.h) < -0.95 {
                return s.seek(s.it.p);
            }
            let turning = turn_time * (1.0 - dot(s.me.h, unit(offset)));
            s.seek(s.predicted(s.time_to_meet(s.it.p) + turning))
        }
    };
    check_pursuer(Behaviour::Pursue(Pursue::default()), pursue(0.0));
    check_pursuer(Behaviour::Pursue(Pursue { turn_time: 0.5, ..Pursue::default() }), pursue(0.5));
    check(Behaviour::Evade(Evade { threat: Some(12.0) }), |s| {
        if len(sub(s.it.p, s.me.p)) > 12.0 {
            return (0.0, 0.0);
        }
        s.flee(s.predicted(s.time_to_meet(s.it.p)))
    });
}

#[test]
fn interpose_and_offset_pursue_agree_with_their_oracles() {
    check(Behaviour::Interpose, |s| {
        let middle = mul(add(s.it.p, s.other.p), 0.5);
        let t = len(sub(middle, s.me.p)) / s.max_speed;
        let other = add(s.other.p, mul(s.other.v, t));
        s.arrive(mul(add(s.predicted(t), other), 0.5), 1.0)
    });
    let place = OffsetPursue { offset: Vec2::new(-1.5, 2.0) };
    check(Behaviour::OffsetPursue(place), |s| {
        let h = s.it.h;
        let o = add(s.it.p, (-1.5 * h.0 - 2.0 * h.1, -1.5 * h.1 + 2.0 * h.0));
        s.arrive(add(o, mul(s.it.v, s.time_to_meet(o))), 1.0)
    });
}

#[test]
fn dynamic_behaviours_and_match_velocity_agree_with_their_oracles() {
    check_pursuer(Behaviour::DynamicSeek, |s| mul(unit(sub(s.it.p, s.me.p)), s.max_force));
    check(Behaviour::DynamicFlee, |s| mul(unit(sub(s.me.p, s.it.p)), s.max_force));
    check(Behaviour::DynamicArrive(DynamicArrive::default()), |s| {
        let offset = sub(s.it.p, s.me.p);
        let d = len(offset);
        let goal = if d < 0.1 { 0.0 } else { s.max_speed * (d / 2.0).min(1.0) };
        cap(mul(sub(mul(unit(offset), goal), s.me.v), 10.0), s.max_force)
    });
    check(Behaviour::MatchVelocity(MatchVelocity::default()), |s| mul(sub(s.it.v, s.me.v), 10.0));
}

#[test]
fn tether_agrees_with_its_oracle() {
    check(Behaviour::Tether(Tether { radius: 5.0 }), |s| {
        if len(sub(s.it.p, s.me.p)) > 5.0 { s.seek(s.it.p) } else { (0.0, 0.0) }
    });
}
