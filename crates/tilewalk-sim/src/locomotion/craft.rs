//! The motion of craft and free bodies.
//!
//! Craft are rigid bodies that are moved by thrusters and slowed down by water (Bourg & Seemann's
//! hovercraft in a plane). Free bodies follow steps patterns in degrees: they turn on the spot,
//! move straight and stop at obstacles.

use crate::body::{Body, Motion};
use crate::geom::vector::{rotate_by, to_local, to_world};
use crate::geom::{Vec2, starboard, truncate, unit};
use crate::map::{Map, sweep};

/// Speed limit in tiles/s, equal to the largest `max_speed`. The limit only affects craft without
/// drag, which could otherwise cross a torus many times per frame.
const TOP_SPEED: f32 = 1000.0;

/// The thrust and drag that act on a craft in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Thrusters {
    /// Whether the engine pushes the craft forward.
    pub ahead: bool,
    /// Output of the side thrusters, as a share of `side_thrust`; positive for the port thruster,
    /// which turns the craft to starboard.
    pub side: f32,
    /// Drag of the tile under the craft's centre, in 1/s; ≥ 0.
    pub(crate) tile_drag: f32,
}

/// The motion of a craft at the end of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sailed {
    pub(crate) motion: Motion,
    /// Displacement in tiles, not wrapped onto the map.
    pub moved: Vec2,
    /// First contact with a wall or obstacle. `None` without a contact.
    pub(crate) contact: Option<sweep::Contact>,
}

/// Moves a craft for one frame by semi-implicit Euler integration.
///
/// With h the heading at the start of the frame and s the starboard vector:
///
/// 1. Thrust: a = (`thrust`·h + side·`side_thrust`·s) / `mass`; v ← v + a·dt.
/// 2. Drag, implicit: v ← v / (1 + (drag + `water_drag`·|v| / `mass`)·dt). Then the component along
///    s is divided by (1 + `keel`·dt / `mass`).
/// 3. Position: moves by v·dt, sliding along walls like a vehicle.
/// 4. Rotation: ω ← ω + side·`side_thrust`·(`length` / 2) / `inertia`·dt, as the side thrusters are
///    at the bow. Then ω ← ω / (1 + `angular_drag`·dt / `inertia`); h turns by ω·dt.
///
/// Angular drag is linear, since quadratic drag hardly damps slow turns and makes a square path
/// round. `max_speed`, `max_force` and `max_turn_rate` do not apply.
pub(crate) fn sail(before: Motion, burn: Thrusters, body: &Body, map: &Map, dt: f32) -> Sailed {
    let (craft, mass) = (&body.craft, body.mass);
    let side = burn.side * craft.side_thrust;
    let ahead = if burn.ahead { craft.thrust } else { 0.0 };
    let force = before.heading * ahead + starboard(before.heading) * side;
    let pushed = before.velocity + force / mass * dt;
    let drag = body.drag + burn.tile_drag + craft.water_drag * pushed.length() / mass;
    let slowed = to_local(pushed / (1.0 + drag * dt), before.heading);
    let kept = Vec2::new(slowed.x, slowed.y / (1.0 + craft.keel * dt / mass));
    let velocity = truncate(to_world(kept, before.heading), TOP_SPEED);
    let slid = sweep::slide(map, before.position, velocity * dt, body.radius);

    let torque = side * craft.length / 2.0;
    let turned = before.angular_velocity + torque / craft.inertia * dt;
    let angular_velocity = turned / (1.0 + craft.angular_drag * dt / craft.inertia);
    let motion = Motion {
        position: map.wrap(slid.end),
        velocity: slid.deflect(velocity),
        // Normalised each frame, so that rounding errors do not accumulate.
        heading: unit(rotate_by(before.heading, angular_velocity * dt)),
        angular_velocity,
    };
    Sailed { motion, moved: slid.end - before.position, contact: slid.contacts().next() }
}

/// The motion of a free body at the end of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Glided {
    pub(crate) motion: Motion,
    /// Distance moved, in tiles. Backward distances are also positive.
    pub moved: f32,
    /// The contact that stopped the body. `None` if nothing stopped it.
    pub(crate) contact: Option<sweep::Contact>,
}

/// Turns a disc of `radius` tiles by `turn` radians, clockwise. Then moves the disc along its new
/// heading by up to `distance` tiles; negative distances move it backwards. The resulting velocity
/// is the actual displacement divided by `dt`.
pub(crate) fn turn_and_move(
    motion: Motion,
    turn: f32,
    distance: f32,
    radius: f32,
    map: &Map,
    dt: f32,
) -> Glided {
    let heading = if turn == 0.0 { motion.heading } else { rotate_by(motion.heading, turn) };
    let heading = unit(heading);
    let desired = heading * distance;
    let (end, contact) = sweep::stop(map, motion.position, desired, radius);
    let displacement = end - motion.position;
    let moved = if contact.is_none() { distance.abs() } else { displacement.length() };
    let velocity = if desired == Vec2::ZERO { Vec2::ZERO } else { displacement / dt };
    Glided {
        motion: Motion { position: map.wrap(end), velocity, heading, angular_velocity: 0.0 },
        moved,
        contact,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    const ENGINE: Thrusters = Thrusters { ahead: true, side: 0.0, tile_drag: 0.0 };

    fn still() -> Motion {
        Motion {
            position: Vec2::splat(1.5),
            velocity: Vec2::ZERO,
            heading: Vec2::X,
            angular_velocity: 0.0,
        }
    }

    fn open() -> Map {
        drawn(&["........"; 8], Edges::Wrap)
    }

    fn after(frames: u32, mut motion: Motion, burn: Thrusters, body: &Body) -> Motion {
        let map = open();
        (0..frames).for_each(|_| motion = sail(motion, burn, body, &map, 0.05).motion);
        motion
    }

    #[test]
    fn wall_stops_the_craft_and_is_reported() {
        let map = drawn(&["....", "....", "...."], Edges::Wall);
        let fast = Motion { velocity: Vec2::new(90.0, 0.0), ..still() };
        let mut body = Body::default();
        body.craft.water_drag = 0.0;
        let sailed = sail(fast, ENGINE, &body, &map, 0.5);
        assert!((sailed.motion.position.x - 3.699).abs() < 1e-4 && sailed.contact.is_some());
        assert_eq!(
            (sailed.motion.velocity.x, sailed.moved.x),
            (0.0, sailed.motion.position.x - 1.5)
        );
    }

    #[test]
    fn speed_is_limited_without_drag() {
        let mut body = Body { mass: 0.001, ..Body::default() };
        body.craft.thrust = 1e6;
        body.craft.water_drag = 0.0;
        assert!((after(9, still(), ENGINE, &body).velocity.x - TOP_SPEED).abs() < 0.1);
    }
}

#[cfg(test)]
mod free_body_tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    #[test]
    fn turns_then_moves_and_stops_at_a_wall() {
        let map = drawn(&["....", "....", "...."], Edges::Wall);
        let start = Motion {
            position: Vec2::new(0.5, 0.5),
            velocity: Vec2::ZERO,
            heading: Vec2::X,
            angular_velocity: 0.0,
        };
        let moved = turn_and_move(start, core::f32::consts::FRAC_PI_2, 1.0, 0.3, &map, 0.5);
        assert!((moved.motion.position - Vec2::new(0.5, 1.5)).length() < 1e-6);
        assert!((moved.motion.velocity - Vec2::new(0.0, 2.0)).length() < 1e-5);
        let moved = turn_and_move(moved.motion, 0.0, 5.0, 0.3, &map, 0.5);
        assert!(moved.contact.is_some() && (moved.moved - 1.199).abs() < 1e-4);
        let back = turn_and_move(moved.motion, 0.0, -1.0, 0.3, &map, 0.5);
        assert!(back.contact.is_none() && back.motion.position.y < moved.motion.position.y);
    }
}
