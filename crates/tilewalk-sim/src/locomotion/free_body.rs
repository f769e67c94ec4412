//! Moves free bodies of steps patterns in degrees. Free bodies turn on the spot, move straight and
//! stop at obstacles.

use crate::body::Motion;
use crate::geom::Vec2;
use crate::geom::vector::rotate_by;
use crate::map::{Map, sweep};

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
    let heading = crate::geom::unit(heading);
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
