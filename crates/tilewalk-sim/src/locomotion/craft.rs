//! The craft: a rigid body that thrusters push and turn and water slows down (Bourg & Seemann's
//! hovercraft on a plane).

use crate::body::{Body, Motion};
use crate::geom::vector::{rotate_by, to_local, to_world};
use crate::geom::{Vec2, starboard, truncate, unit};
use crate::map::{Map, sweep};

/// The fastest anything moves, in tiles/s: as much as a `max_speed` may be. It binds no craft that
/// water slows down; it keeps one without drag from crossing a torus a million times in a frame.
const TOP_SPEED: f32 = 1000.0;

/// What acts on a craft for one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Burn {
    /// Does the engine push it forward?
    pub ahead: bool,
    /// What the side thrusters give, as a share of `side_thrust`: the port one, which pushes the
    /// bow to starboard, positive; the starboard one negative.
    pub side: f32,
    /// The drag of the tile it is on, in 1/s; ≥ 0.
    pub(crate) tile_drag: f32,
}

/// How one frame of a craft went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sailed {
    /// Where it is now, on the map.
    pub(crate) motion: Motion,
    /// How it came there, in tiles; not wrapped.
    pub moved: Vec2,
    /// What it touched first, if anything.
    pub(crate) contact: Option<sweep::Contact>,
}

/// One frame of semi-implicit Euler, in this order, with the heading h the frame began with and s to
/// starboard of it:
///
/// 1. a = (`thrust`·h + side·`side_thrust`·s) / `mass`; v ← v + a·dt
/// 2. drags, implicit: v ← v / (1 + (drag + `water_drag`·|v| / `mass`)·dt), and of what is left the
///    part along s ← that / (1 + `keel`·dt / `mass`)
/// 3. it moves by v·dt, held out of walls as a vehicle is
/// 4. ω ← ω + side·`side_thrust`·(`length` / 2) / `inertia`·dt, as a side thruster sits at the bow;
///    ω ← ω / (1 + `angular_drag`·dt / `inertia`); h turns by ω·dt
///
/// The drag of turning is linear: a quadratic one alone hardly damps a slow turn, and a square
/// becomes a circle. `max_speed`, `max_force` and `max_turn_rate` are no limits of a craft.
pub(crate) fn sail(before: Motion, burn: Burn, body: &Body, map: &Map, dt: f32) -> Sailed {
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
        // Renewed each frame, so that rounding never makes it longer or shorter.
        heading: unit(rotate_by(before.heading, angular_velocity * dt)),
        angular_velocity,
    };
    Sailed { motion, moved: slid.end - before.position, contact: slid.contacts().next() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Edges, tests::drawn};

    const ENGINE: Burn = Burn { ahead: true, side: 0.0, tile_drag: 0.0 };
    const OFF: Burn = Burn { ahead: false, side: 0.0, tile_drag: 0.0 };

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

    fn after(frames: u32, mut motion: Motion, burn: Burn, body: &Body) -> Motion {
        let map = open();
        (0..frames).for_each(|_| motion = sail(motion, burn, body, &map, 0.05).motion);
        motion
    }

    #[test]
    fn the_engine_meets_the_drag() {
        let motion = after(400, still(), ENGINE, &Body::default());
        // Where thrust = water_drag · v · (v + a·dt): √(thrust / water_drag), but for the tick.
        let (speed, pushed) = (motion.velocity.x, motion.velocity.x + 3.0 * 0.05);
        assert!((0.8 * speed * pushed - 3.0).abs() < 1e-4 && speed > 1.8, "{motion:?}");
        assert_eq!((motion.velocity.y, motion.heading), (0.0, Vec2::X));
    }

    #[test]
    fn the_port_thruster_turns_right_and_starboard_is_its_mirror() {
        let port = Burn { side: 1.0, ..ENGINE };
        let right = after(5, still(), port, &Body::default());
        assert!(right.angular_velocity > 0.0 && right.heading.y > 0.0 && right.velocity.y > 0.0);
        let left = after(5, still(), Burn { side: -1.0, ..ENGINE }, &Body::default());
        let mirror = |u: Vec2| Vec2::new(u.x, -u.y);
        assert_eq!(left.velocity, mirror(right.velocity));
        assert_eq!(
            (left.heading, left.angular_velocity),
            (mirror(right.heading), -right.angular_velocity)
        );
    }

    #[test]
    fn the_keel_holds_it_and_without_an_engine_it_comes_to_rest() {
        let drifting = Motion { velocity: Vec2::new(2.0, 2.0), ..still() };
        let held = after(20, drifting, OFF, &Body::default());
        assert!(held.velocity.y < 0.01 && held.velocity.x > 0.5, "{held:?}");
        let spinning = Motion { angular_velocity: 3.0, ..still() };
        assert!(after(40, spinning, OFF, &Body::default()).angular_velocity < 1e-4);
    }

    #[test]
    fn a_wall_takes_the_speed_into_it_and_is_told() {
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
    fn without_drag_there_is_still_a_top_speed() {
        let mut body = Body { mass: 0.001, ..Body::default() };
        body.craft.thrust = 1e6;
        body.craft.water_drag = 0.0;
        assert!((after(9, still(), ENGINE, &body).velocity.x - TOP_SPEED).abs() < 0.1);
    }

    #[test]
    fn limits_of_vehicles_are_none_of_a_craft() {
        let tight =
            Body { max_speed: 0.1, max_force: 0.1, max_turn_rate: Some(0.1), ..Body::default() };
        let port = Burn { side: 1.0, ..ENGINE };
        let free = after(30, still(), port, &Body::default());
        assert_eq!(after(30, still(), port, &tight), free);
    }
}
