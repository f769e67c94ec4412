//! Wander: a smooth random walk (Reynolds 1999; Buckland ch. 3).
//!
//! A point jumps about on a circle that is pushed along ahead of the agent; the agent is pulled to
//! it. The force is a displacement, not an error of velocity, and as the point takes one jump a
//! frame the walk depends on the tick: half the tick is a smoother walk, not the same one sampled
//! more often.

use crate::geom::vector::to_world;
use crate::geom::{Vec2, unit};
use crate::rng::Use;

use super::{Memory, Note, Probe, Senses};

/// Wander's parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wander {
    /// Radius of the circle, in tiles; > 0.
    pub radius: f32,
    /// From the agent to the circle's middle, in tiles; ≥ 0.
    pub distance: f32,
    /// Largest jump of the point along each axis, in tiles/s; ≥ 0.
    pub jitter: f32,
    /// Pull towards the point, in 1/s²; > 0.
    pub strength: f32,
}

impl Default for Wander {
    fn default() -> Self {
        Self { radius: 1.2, distance: 2.0, jitter: 8.0, strength: 4.0 }
    }
}

impl Wander {
    /// c ← c + (die − die, die − die)·jitter·dt, put back on the circle; then
    /// `strength · (c + (distance, 0))`, turned from the body's frame to the world's.
    ///
    /// At first the point stands on the circle at a keyed angle.
    pub fn propose(&self, senses: &Senses, memory: &mut Memory, probe: &mut impl Probe) -> Vec2 {
        let before = memory.wander.unwrap_or_else(|| self.start(senses));
        let mut die = senses.dice.die(Use::Wander);
        let jump = Vec2::new(die.triangular(), die.triangular()) * (self.jitter * senses.dt);
        let point = unit(before + jump) * self.radius;
        memory.wander = Some(point);
        let heading = senses.motion.heading;
        let ahead = Vec2::new(self.distance, 0.0);
        let pull = to_world(point + ahead, heading);
        probe.note(|| Note::WanderCircle {
            centre: senses.motion.position + to_world(ahead, heading),
            radius: self.radius,
            point: senses.motion.position + pull,
        });
        pull * self.strength
    }

    fn start(&self, senses: &Senses) -> Vec2 {
        let angle = senses.dice.die(Use::WanderStart).unit() * core::f32::consts::TAU;
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{Silent, tests::senses};

    #[test]
    fn the_point_stays_on_its_circle_and_jumps_no_further_than_allowed() {
        let map = drawn(&["...."], Edges::Wrap);
        let body = Body::default();
        let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
        let wander = Wander::default();
        let mut memory = Memory::default();
        let mut before: Option<Vec2> = None;
        for frame in 0..500 {
            senses.dice.frame = frame;
            let force = wander.propose(&senses, &mut memory, &mut Silent);
            let point = memory.wander.unwrap();
            assert!((point.length() - wander.radius).abs() < 1e-5);
            assert!((force - (point + Vec2::new(2.0, 0.0)) * 4.0).length() < 1e-5);
            if let Some(before) = before {
                assert!((point - before).length() < 2.0 * 8.0 * 0.05);
            }
            before = Some(point);
        }
    }
}
