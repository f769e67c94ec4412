//! Vehicles: bodies moved by one force per frame. Sources: Buckland's locomotion layer;
//! Millington's drag and clamping after the step.
//!
//! If a steering behaviour outputs turns, the body is *oriented*: its heading and angular velocity
//! are independent of its velocity. Only the behaviour `track` changes the velocity directly, by
//! [`VelocityChange::Track`]. Mass and force limit do not apply to this change.

use crate::body::{Body, Motion};
use crate::geom::lanes::Lanes;
use crate::geom::vector::rotate_by;
use crate::geom::{Vec2, Vectors, truncate, unit, vectors};
use crate::map::{Map, sweep};

/// Speed below which a vehicle keeps its heading, in tiles/s.
const STANDSTILL: f32 = 1e-4;

/// The motion of a vehicle at the end of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Driven {
    /// Motion at the end of the frame, wrapped onto the map.
    pub motion: Motion,
    /// First contact with a wall or obstacle. `None` without a contact.
    pub(crate) contact: Option<sweep::Contact>,
}

/// How steering changes the velocity of a vehicle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VelocityChange {
    /// Applies a force, in tiles/s² times the mass, truncated to `max_force`. The speed is then
    /// limited to `max_speed`.
    Force(Vec2),
    /// Applies an acceleration. If the speed then exceeds `max_speed`, scales the velocity by a
    /// factor.
    Track {
        /// Acceleration in tiles/s², independent of mass and force limit.
        acceleration: Vec2,
        /// Factor for velocities above `max_speed`, from 0 to less than 1.
        slow: f32,
    },
}

/// The effect of steering on a vehicle in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Push {
    /// Velocity after the [`VelocityChange`], in tiles/s, before drag and limits.
    pub velocity: Vec2,
    /// Angular acceleration in radians/s². Only oriented bodies use it.
    pub turn: f32,
}

/// The pushes of all agents, with one column per number.
#[derive(Debug, Default)]
pub(crate) struct Pushes {
    pub vx: Vec<f32>,
    pub vy: Vec<f32>,
    pub turn: Vec<f32>,
}

impl Clone for Pushes {
    fn clone(&self) -> Self {
        Self { vx: self.vx.clone(), vy: self.vy.clone(), turn: self.turn.clone() }
    }

    /// Copies into the existing allocations.
    fn clone_from(&mut self, other: &Self) {
        self.vx.clone_from(&other.vx);
        self.vy.clone_from(&other.vy);
        self.turn.clone_from(&other.turn);
    }
}

impl Pushes {
    pub(crate) fn none(count: usize) -> Self {
        Self { vx: vec![0.0; count], vy: vec![0.0; count], turn: vec![0.0; count] }
    }

    pub(crate) fn get(&self, index: usize) -> Push {
        Push { velocity: Vec2::new(self.vx[index], self.vy[index]), turn: self.turn[index] }
    }

    pub(crate) fn set(&mut self, index: usize, push: Push) {
        (self.vx[index], self.vy[index]) = push.velocity.into();
        self.turn[index] = push.turn;
    }
}

/// Settings that determine how a vehicle moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// Whether [`VelocityChange::Track`] limits the speed. If false, the speed is limited to
    /// `max_speed`.
    pub tracks: bool,
    /// Whether the behaviour `avoid_crowd` set the velocity. Drag then applies to the preferred
    /// velocity of this behaviour, and not in [`drive`].
    pub avoids_crowd: bool,
    /// Whether steering turns the body. If false, the heading follows the velocity.
    pub oriented: bool,
    /// Drag of the tile under the body's centre, in 1/s; ≥ 0.
    pub tile_drag: f32,
}

/// Moves a vehicle for one frame by semi-implicit Euler integration, after
/// [`VelocityChange::apply`]. The stages are:
///
/// - Drag of body and tile (implicit).
/// - Limit on the turn of the velocity, unless the body is oriented.
/// - Limit on the speed, unless the body tracks.
/// - Motion with sliding along walls.
/// - Rotation.
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
    let drag = if manner.avoids_crowd { 0.0 } else { body.drag + manner.tile_drag };
    let slowed = slowed(Vectors::from(pushed), drag, dt).into();
    let turned = match body.max_turn_rate {
        Some(rate) if !manner.oriented => limit_turn(slowed, motion.heading, rate * dt),
        _ => slowed,
    };
    let desired = if manner.tracks { turned } else { truncate(turned, body.max_speed) };
    let slid = sweep::slide(map, motion.position, desired * dt, body.radius);
    let velocity = slid.deflect(desired);
    // A body with a turn limit turns on the spot if a wall cancels its velocity. Otherwise the body
    // could stay in a corner, since its velocity could not turn far enough from its heading to
    // leave the corner.
    let stopped = body.max_turn_rate.is_some() && velocity.length() <= STANDSTILL;
    let direction = if stopped { desired } else { velocity };
    let (heading, angular_velocity) = if manner.oriented {
        let angular = spin(motion.angular_velocity, push.turn, body, dt);
        // Normalised each frame, so that rounding errors do not accumulate.
        (unit(rotate_by(motion.heading, angular * dt)), angular)
    } else {
        (face(Vectors::from(motion.heading), direction.into()).into(), 0.0)
    };
    let motion = Motion { position: map.wrap(slid.end), velocity, heading, angular_velocity };
    Driven { motion, contact: slid.contacts().next() }
}

impl VelocityChange {
    /// Returns the velocity after a frame of `dt` seconds with this change, in tiles/s. Drag and
    /// the speed limit of [`VelocityChange::Force`] are not applied yet.
    #[inline]
    pub fn apply(self, velocity: Vec2, body: &Body, dt: f32) -> Vec2 {
        match self {
            Self::Force(force) => pushed(Vectors::from(velocity), force.into(), body, dt).into(),
            Self::Track { acceleration, slow } => {
                let changed = velocity + acceleration * dt;
                if changed.length() > body.max_speed { changed * slow } else { changed }
            }
        }
    }
}

/// Returns the velocities after one frame with the given forces, one body per lane. Drag and the
/// speed limit are not applied yet.
#[inline(always)]
pub(crate) fn pushed<L: Lanes>(
    velocity: Vectors<L>,
    force: Vectors<L>,
    body: &Body,
    dt: f32,
) -> Vectors<L> {
    velocity + vectors::truncate(force, body.max_force) / body.mass * dt
}

/// Returns the velocity after one frame with a force, drag and the speed limit: the preferred
/// velocity of the behaviour `avoid_crowd`. `tile_drag` is the drag of the tile under the body's
/// centre, in 1/s.
pub(crate) fn preferred(velocity: Vec2, force: Vec2, body: &Body, tile_drag: f32, dt: f32) -> Vec2 {
    let pushed = pushed(Vectors::from(velocity), force.into(), body, dt);
    truncate(slowed(pushed, body.drag + tile_drag, dt).into(), body.max_speed)
}

/// Returns velocities and headings after one frame, one body per lane. The results equal those of
/// [`drive`] for bodies that are not oriented, have no turn limit, touch nothing, and are on tiles
/// without drag.
#[inline(always)]
pub(crate) fn roll<L: Lanes>(
    pushed: Vectors<L>,
    heading: Vectors<L>,
    body: &Body,
    dt: f32,
) -> (Vectors<L>, Vectors<L>) {
    let velocity = vectors::truncate(slowed(pushed, body.drag, dt), body.max_speed);
    (velocity, face(heading, velocity))
}

/// Returns the velocities after the drag of one frame. `drag` is in 1/s.
#[inline(always)]
fn slowed<L: Lanes>(velocity: Vectors<L>, drag: f32, dt: f32) -> Vectors<L> {
    // The division is skipped without drag, since dividing by 1 changes no bit.
    if drag == 0.0 { velocity } else { velocity / (1.0 + drag * dt) }
}

/// Returns the directions of motion as headings. Lanes at rest keep their previous headings.
#[inline(always)]
fn face<L: Lanes>(before: Vectors<L>, direction: Vectors<L>) -> Vectors<L> {
    let speed = direction.length();
    vectors::unit(direction).or(speed.gt(speed.like(STANDSTILL)), before)
}

/// Returns the angular velocity of an oriented body after a frame, in radians/s. The result is
/// limited to ±`max_turn_rate` (default 2π). Values that are not finite are kept for the NaN guard.
#[inline]
pub(crate) fn spin(angular_velocity: f32, turn: f32, body: &Body, dt: f32) -> f32 {
    let limit = body.top_turn_rate();
    let desired = angular_velocity + turn * dt;
    if desired.abs() > limit && desired.is_finite() { limit.copysign(desired) } else { desired }
}

/// Limits the angle between `velocity` and `heading` to `limit` radians. If the velocity points
/// exactly backwards, turns it to the right.
fn limit_turn(velocity: Vec2, heading: Vec2, limit: f32) -> Vec2 {
    let angle = libm::atan2f(heading.perp_dot(velocity), heading.dot(velocity));
    if velocity.length() <= STANDSTILL || angle.abs() <= limit {
        return velocity;
    }
    let side = if angle == -core::f32::consts::PI { 1.0 } else { angle.signum() };
    rotate_by(heading, side * limit) * velocity.length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    fn still(at: Vec2) -> Motion {
        Motion { position: at, velocity: Vec2::ZERO, heading: Vec2::X, angular_velocity: 0.0 }
    }

    #[derive(Clone, Copy)]
    struct Input {
        change: VelocityChange,
        turn: f32,
        oriented: bool,
        tile_drag: f32,
    }

    fn push(force: Vec2, tile_drag: f32) -> Input {
        Input { change: VelocityChange::Force(force), turn: 0.0, oriented: false, tile_drag }
    }

    fn drive(motion: Motion, input: Input, body: &Body, map: &Map, dt: f32) -> Driven {
        let Input { change, turn, oriented, tile_drag } = input;
        let push = Push { velocity: change.apply(motion.velocity, body, dt), turn };
        let tracks = matches!(change, VelocityChange::Track { .. });
        let manner = Manner { tracks, avoids_crowd: false, oriented, tile_drag };
        super::drive(motion, push, manner, body, map, dt)
    }

    #[test]
    fn velocity_is_updated_before_position() {
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
    fn drag_of_body_and_tile_add_up() {
        let map = drawn(&["........"], Edges::Wrap);
        let body = Body { drag: 1.0, ..Body::default() };
        let coasting = Motion { velocity: Vec2::new(3.0, 0.0), ..still(Vec2::splat(0.5)) };
        let driven = drive(coasting, push(Vec2::ZERO, 1.0), &body, &map, 0.25);
        assert_eq!(driven.motion.velocity.x, 2.0);
    }

    #[test]
    fn turn_rate_limits_the_turn_of_the_velocity() {
        let map = drawn(&["........"; 8], Edges::Wrap);
        let body = Body { max_turn_rate: Some(1.0), ..Body::default() };
        let moving = Motion { velocity: Vec2::new(2.0, 0.0), ..still(Vec2::splat(4.0)) };
        let driven = drive(moving, push(Vec2::new(-12.0, 12.0), 0.0), &body, &map, 0.1);
        let angle = libm::atan2f(driven.motion.heading.y, driven.motion.heading.x);
        assert!((angle - 0.1).abs() < 1e-5, "{angle}");
        let back = Motion { velocity: Vec2::new(-2.0, 0.0), ..still(Vec2::splat(4.0)) };
        let driven = drive(back, push(Vec2::ZERO, 0.0), &body, &map, 0.1);
        assert!(driven.motion.heading.y > 0.0, "directly backwards turns right");
    }

    #[test]
    fn oriented_body_turns_independently() {
        let map = drawn(&["........"; 8], Edges::Wrap);
        let body = Body { max_turn_rate: Some(1.0), ..Body::default() };
        let push = Input { turn: 8.0, oriented: true, ..push(Vec2::new(-12.0, 0.0), 0.0) };
        let driven = drive(still(Vec2::splat(4.0)), push, &body, &map, 0.1);
        assert!((driven.motion.angular_velocity - 0.8).abs() < 1e-6);
        let angle = libm::atan2f(driven.motion.heading.y, driven.motion.heading.x);
        assert!((angle - 0.08).abs() < 1e-6, "the new angular velocity turns it: {angle}");
        assert!(driven.motion.velocity.x < -1.0, "the velocity's turn is not limited");
        let driven = drive(driven.motion, push, &body, &map, 0.1);
        assert_eq!(driven.motion.angular_velocity, 1.0, "the rate is");
        assert_eq!(spin(-0.9, -8.0, &body, 0.1), -1.0, "on both sides");
        assert!(spin(0.0, f32::NAN, &body, 0.1).is_nan(), "NaN is kept");
    }

    #[test]
    fn wall_removes_the_velocity_into_it() {
        let map = drawn(&["...", "...", "..."], Edges::Wall);
        let moving = Motion { velocity: Vec2::new(3.0, 1.0), ..still(Vec2::new(2.6, 1.0)) };
        let driven = drive(moving, push(Vec2::ZERO, 0.0), &Body::default(), &map, 0.1);
        assert_eq!(driven.motion.velocity, Vec2::new(0.0, 1.0));
        assert_eq!(driven.contact.map(|contact| contact.normal), Some(-Vec2::X));
    }
}
