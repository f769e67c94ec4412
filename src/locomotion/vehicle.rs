//! The vehicle: a body pushed by one force (Buckland's locomotion layer, Millington's drag and
//! clamp after the step), held out of walls.

use crate::body::{Body, Motion};
use crate::geom::vector::rotate_by;
use crate::geom::{Vec2, truncate, unit};
use crate::map::{Map, sweep};

/// Below this speed, in tiles/s, a vehicle keeps the heading it has.
const STANDSTILL: f32 = 1e-4;

/// How one frame of a vehicle went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Driven {
    /// Where it is now, on the map.
    pub motion: Motion,
    /// What it touched first, if anything.
    pub contact: Option<sweep::Contact>,
}

/// What acts on a vehicle for one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// The force, in tiles/s² · mass.
    pub force: Vec2,
    /// The angular acceleration of an oriented body, in radians/s².
    pub turn: f32,
    /// Does steering turn the body by itself? Else it faces where it goes.
    pub oriented: bool,
    /// The drag of the tile it is on, in 1/s; ≥ 0.
    pub tile_drag: f32,
}

/// One frame of semi-implicit Euler, in this order: the force is truncated to F and accelerates;
/// drag (the body's plus the tile's, implicit); the turn of the velocity is limited, unless the body
/// is oriented; the speed is clamped; the body moves, held out of walls; it turns.
pub fn drive(motion: Motion, push: Push, body: &Body, map: &Map, dt: f32) -> Driven {
    let acceleration = truncate(push.force, body.max_force) / body.mass;
    let pushed = motion.velocity + acceleration * dt;
    let slowed = pushed / (1.0 + (body.drag + push.tile_drag) * dt);
    let turned = match body.max_turn_rate {
        Some(rate) if !push.oriented => limit_turn(slowed, motion.heading, rate * dt),
        _ => slowed,
    };
    let velocity = truncate(turned, body.max_speed);
    let slid = sweep::slide(map, motion.position, velocity * dt, body.radius);
    let velocity = slid.deflect(velocity);
    let (heading, angular_velocity) = face(motion, velocity, push, body, dt);
    let motion = Motion { position: map.wrap(slid.end), velocity, heading, angular_velocity };
    Driven { motion, contact: slid.contacts().next() }
}

/// Where a body faces, and how fast it turns, after a frame.
///
/// An oriented body has an angular velocity of its own (Millington), at most its `max_turn_rate` or
/// a whole turn a second; any other faces where it goes.
fn face(before: Motion, velocity: Vec2, push: Push, body: &Body, dt: f32) -> (Vec2, f32) {
    if push.oriented {
        let most = body.top_turn_rate();
        let angular = (before.angular_velocity + push.turn * dt).clamp(-most, most);
        // Renewed each frame, so that rounding never makes it longer or shorter.
        return (unit(rotate_by(before.heading, angular * dt)), angular);
    }
    let moving = velocity.length() > STANDSTILL;
    (if moving { unit(velocity) } else { before.heading }, 0.0)
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

    fn push(force: Vec2, tile_drag: f32) -> Push {
        Push { force, turn: 0.0, oriented: false, tile_drag }
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
    fn a_wall_takes_the_velocity_into_it() {
        let map = drawn(&["...", "...", "..."], Edges::Wall);
        let moving = Motion { velocity: Vec2::new(3.0, 1.0), ..still(Vec2::new(2.6, 1.0)) };
        let driven = drive(moving, push(Vec2::ZERO, 0.0), &Body::default(), &map, 0.1);
        assert_eq!(driven.motion.velocity, Vec2::new(0.0, 1.0));
        assert_eq!(driven.contact.map(|contact| contact.normal), Some(-Vec2::X));
    }
}
