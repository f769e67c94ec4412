//! The vehicle: a body that one force per frame moves and that walls stop (Buckland's locomotion
//! layer; Millington's drag and clamp after the step).
//!
//! The output of steering is a force or a turn. If a behaviour of the list outputs turns, the body
//! is *oriented*: heading and angular velocity are state of their own, and the heading does not
//! follow the velocity. `track` is the only behaviour that changes the velocity directly: mass and
//! the force limit do not apply to [`Change::Track`].

use crate::body::{Body, Motion};
use crate::geom::lanes::splat;
use crate::geom::vector::rotate_by;
use crate::geom::{Vec2, Vectors, truncate, unit, vectors};
use crate::map::{Map, sweep};

/// Below this speed, in tiles/s, a vehicle keeps the heading it has.
const STANDSTILL: f32 = 1e-4;

/// How one frame of a vehicle went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Driven {
    /// Where it is now, on the map.
    pub motion: Motion,
    /// What it touched first, if anything.
    pub(crate) contact: Option<sweep::Contact>,
}

/// How the velocity of a vehicle changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// By a force, in tiles/s² · mass, truncated to F; the speed is clamped to V.
    Force(Vec2),
    /// By an acceleration, whatever the mass; what becomes faster than V is slowed down by a factor.
    Track {
        /// In tiles/s².
        acceleration: Vec2,
        /// The factor, 0 to less than 1.
        slow: f32,
    },
}

/// What steering makes of a vehicle in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Push {
    /// The velocity after its [`Change`], in tiles/s, before drag and all that follows.
    pub velocity: Vec2,
    /// The angular acceleration of an oriented body, in radians/s².
    pub turn: f32,
}

/// How a vehicle goes on after the push.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// Is its speed held by who tracks? Else it is clamped to V.
    pub tracks: bool,
    /// Does steering turn the body by itself? Else it faces where it goes.
    pub oriented: bool,
    /// The drag of the tile it is on, in 1/s; ≥ 0.
    pub tile_drag: f32,
}

/// One frame of semi-implicit Euler, in this order: the force is truncated to F and accelerates, which
/// is [`Change::apply`] and makes the push; drag (the body's plus the tile's, implicit); the turn of the
/// velocity is limited, unless the body is oriented; the speed is clamped; the body moves, held out of
/// walls; it turns. Who tracks is slowed down instead of clamped.
#[inline]
pub fn drive(
    motion: Motion,
    push: Push,
    manner: Manner,
    body: &Body,
    map: &Map,
    dt: f32,
) -> Driven {
    let pushed = push.velocity;
    let drag = body.drag + manner.tile_drag;
    let slowed = slowed(Vectors::splat(pushed), drag, dt).first();
    let turned = match body.max_turn_rate {
        Some(rate) if !manner.oriented => limit_turn(slowed, motion.heading, rate * dt),
        _ => slowed,
    };
    let wished = if manner.tracks { turned } else { truncate(turned, body.max_speed) };
    let slid = sweep::slide(map, motion.position, wished * dt, body.radius);
    let velocity = slid.deflect(wished);
    // Where walls take all of its velocity, who turns slowly turns on the spot: a heading that
    // stayed would hold it in a corner, as no velocity may turn far enough from it to get away.
    let held = body.max_turn_rate.is_some() && velocity.length() <= STANDSTILL;
    let way = if held { wished } else { velocity };
    let (heading, angular_velocity) = if manner.oriented {
        let angular = spin(motion.angular_velocity, push.turn, body, dt);
        // Renewed each frame, so that rounding never makes it longer or shorter.
        (unit(rotate_by(motion.heading, angular * dt)), angular)
    } else {
        (face(Vectors::splat(motion.heading), Vectors::splat(way)).first(), 0.0)
    };
    let motion = Motion { position: map.wrap(slid.end), velocity, heading, angular_velocity };
    Driven { motion, contact: slid.contacts().next() }
}

impl Change {
    /// The velocity after the change, before drag and all that follows.
    #[inline]
    pub fn apply(self, velocity: Vec2, body: &Body, dt: f32) -> Vec2 {
        match self {
            Self::Force(force) => {
                pushed(Vectors::splat(velocity), Vectors::splat(force), body, dt).first()
            }
            Self::Track { acceleration, slow } => {
                let changed = velocity + acceleration * dt;
                if changed.length() > body.max_speed { changed * slow } else { changed }
            }
        }
    }
}

/// Velocities after forces have changed them, several at a time.
#[inline]
pub(crate) fn pushed(velocity: Vectors, force: Vectors, body: &Body, dt: f32) -> Vectors {
    velocity + vectors::truncate(force, body.max_force) / splat(body.mass) * splat(dt)
}

/// Velocities and headings after a frame of bodies abreast that are not oriented, turn as fast as they
/// like, and meet nothing: what [`drive`] makes of each.
#[inline]
pub(crate) fn roll(pushed: Vectors, heading: Vectors, body: &Body, dt: f32) -> (Vectors, Vectors) {
    let velocity = vectors::truncate(slowed(pushed, body.drag, dt), body.max_speed);
    (velocity, face(heading, velocity))
}

/// Velocities after a frame of drag.
#[inline]
fn slowed(velocity: Vectors, drag: f32, dt: f32) -> Vectors {
    // Most floors have none, and to divide by 1 changes no bit.
    if drag == 0.0 { velocity } else { velocity / splat(1.0 + drag * dt) }
}

/// Where bodies face that go some `way`; only an oriented one has a heading and an angular
/// velocity of its own (Millington).
#[inline]
fn face(before: Vectors, way: Vectors) -> Vectors {
    vectors::unit(way).or(way.length().simd_gt(splat(STANDSTILL)), before)
}

/// The angular velocity of an oriented body after a frame, in radians/s: at most its
/// `max_turn_rate`, or a whole turn a second, either way. What is not finite stays, to be noticed.
#[inline]
pub(crate) fn spin(angular_velocity: f32, turn: f32, body: &Body, dt: f32) -> f32 {
    let most = body.top_turn_rate();
    let wished = angular_velocity + turn * dt;
    if wished.abs() > most && wished.is_finite() { most.copysign(wished) } else { wished }
}

/// `velocity` turned back towards `heading` until they are at most `most` radians apart.
///
/// A velocity straight astern turns right.
fn limit_turn(velocity: Vec2, heading: Vec2, most: f32) -> Vec2 {
    let angle = libm::atan2f(heading.perp_dot(velocity), heading.dot(velocity));
    if velocity.length() <= STANDSTILL || angle.abs() <= most {
        return velocity;
    }
    let side = if angle == -core::f32::consts::PI { 1.0 } else { angle.signum() };
    rotate_by(heading, side * most) * velocity.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    fn still(at: Vec2) -> Motion {
        Motion { position: at, velocity: Vec2::ZERO, heading: Vec2::X, angular_velocity: 0.0 }
    }

    /// What acts in a test: the change, and all that follows.
    #[derive(Clone, Copy)]
    struct Acting {
        change: Change,
        turn: f32,
        oriented: bool,
        tile_drag: f32,
    }

    fn push(force: Vec2, tile_drag: f32) -> Acting {
        Acting { change: Change::Force(force), turn: 0.0, oriented: false, tile_drag }
    }

    fn drive(motion: Motion, acting: Acting, body: &Body, map: &Map, dt: f32) -> Driven {
        let Acting { change, turn, oriented, tile_drag } = acting;
        let push = Push { velocity: change.apply(motion.velocity, body, dt), turn };
        let tracks = matches!(change, Change::Track { .. });
        super::drive(motion, push, Manner { tracks, oriented, tile_drag }, body, map, dt)
    }

    #[test]
    fn velocity_comes_before_position() {
        let map = drawn(&["........"], Edges::Wrap);
        let driven = drive(
            still(Vec2::splat(0.5)),
            push(Vec2::new(2.0, 0.0), 0.0),
            &Body::default(),
            &map,
            0.5,
        );
        assert_eq!(driven.motion.velocity, Vec2::new(1.0, 0.0));
        assert_eq!(driven.motion.position, Vec2::new(1.0, 0.5));
    }

    #[test]
    fn force_and_speed_have_limits() {
        let map = drawn(&["........"], Edges::Wrap);
        let driven = drive(
            still(Vec2::splat(0.5)),
            push(Vec2::new(99.0, 0.0), 0.0),
            &Body::default(),
            &map,
            0.25,
        );
        assert_eq!(driven.motion.velocity.x, 3.0);
        let driven =
            drive(driven.motion, push(Vec2::new(99.0, 0.0), 0.0), &Body::default(), &map, 0.25);
        assert_eq!(driven.motion.velocity.x, 4.0);
    }

    #[test]
    fn drag_of_body_and_tile_add_up() {
        let map = drawn(&["........"], Edges::Wrap);
        let body = Body { drag: 1.0, ..Body::default() };
        let coasting = Motion { velocity: Vec2::new(3.0, 0.0), ..still(Vec2::splat(0.5)) };
        let driven = drive(coasting, push(Vec2::ZERO, 1.0), &body, &map, 0.25);
        assert_eq!(driven.motion.velocity.x, 2.0);
    }

    #[test]
    fn a_turn_rate_limits_the_turn_of_the_velocity() {
        let map = drawn(&["........"; 8], Edges::Wrap);
        let body = Body { max_turn_rate: Some(1.0), ..Body::default() };
        let moving = Motion { velocity: Vec2::new(2.0, 0.0), ..still(Vec2::splat(4.0)) };
        let driven = drive(moving, push(Vec2::new(-12.0, 12.0), 0.0), &body, &map, 0.1);
        let angle = libm::atan2f(driven.motion.heading.y, driven.motion.heading.x);
        assert!((angle - 0.1).abs() < 1e-5, "{angle}");
        let back = Motion { velocity: Vec2::new(-2.0, 0.0), ..still(Vec2::splat(4.0)) };
        let driven = drive(back, push(Vec2::ZERO, 0.0), &body, &map, 0.1);
        assert!(driven.motion.heading.y > 0.0, "straight astern turns right");
    }

    #[test]
    fn who_tracks_is_slowed_down_and_not_clamped() {
        let map = drawn(&["........"; 8], Edges::Wrap);
        let body = Body { mass: 50.0, max_force: 0.1, ..Body::default() };
        let track = Change::Track { acceleration: Vec2::new(8.0, 0.0), slow: 0.75 };
        let push = Acting { change: track, ..push(Vec2::ZERO, 0.0) };
        let moving = |x: f32| Motion { velocity: Vec2::new(x, 0.0), ..still(Vec2::splat(4.0)) };
        let speed = |x: f32| drive(moving(x), push, &body, &map, 0.05).motion.velocity.x;
        assert!((speed(3.5) - 3.9).abs() < 1e-6, "neither mass nor force limit count");
        assert!((speed(3.8) - 0.75 * 4.2).abs() < 1e-6);
        assert!((speed(8.0) - 0.75 * 8.4).abs() < 1e-6, "still faster than V");
    }

    #[test]
    fn an_oriented_body_turns_by_itself() {
        let map = drawn(&["........"; 8], Edges::Wrap);
        let body = Body { max_turn_rate: Some(1.0), ..Body::default() };
        let push = Acting { turn: 8.0, oriented: true, ..push(Vec2::new(-12.0, 0.0), 0.0) };
        let driven = drive(still(Vec2::splat(4.0)), push, &body, &map, 0.1);
        assert!((driven.motion.angular_velocity - 0.8).abs() < 1e-6);
        let angle = libm::atan2f(driven.motion.heading.y, driven.motion.heading.x);
        assert!((angle - 0.08).abs() < 1e-6, "the new angular velocity turns it: {angle}");
        assert!(driven.motion.velocity.x < -1.0, "the velocity's turn is not limited");
        let driven = drive(driven.motion, push, &body, &map, 0.1);
        assert_eq!(driven.motion.angular_velocity, 1.0, "the rate is");
        assert_eq!(spin(-0.9, -8.0, &body, 0.1), -1.0, "on both sides");
        assert!(spin(0.0, f32::NAN, &body, 0.1).is_nan(), "what goes wrong is not hidden");
    }

    #[test]
    fn a_wall_takes_the_velocity_into_it() {
        let map = drawn(&["...", "...", "..."], Edges::Wall);
        let moving = Motion { velocity: Vec2::new(3.0, 1.0), ..still(Vec2::new(2.6, 1.0)) };
        let driven = drive(moving, push(Vec2::ZERO, 0.0), &Body::default(), &map, 0.1);
        assert_eq!(driven.motion.velocity, Vec2::new(0.0, 1.0));
        assert_eq!(driven.contact.map(|contact| contact.normal), Some(-Vec2::X));
    }
}
