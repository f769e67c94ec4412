//! Wander: a smooth random walk (Reynolds 1999; Buckland ch. 3).
//!
//! A point moves randomly on a circle ahead of the agent and attracts the agent. The point moves
//! once per frame, so the motion depends on the tick rate. A shorter tick produces a smoother
//! motion, not the same motion with more samples.

use crate::geom::lanes::{Batch, Lanes, MOST_LANES};
use crate::geom::{Vec2, Vectors, vector, vectors};
use crate::rng::{RngKey, RngStream, Use};

use crate::steering::batch::{SensesBatch, Wanderers};
use crate::steering::{Memory, Note, Probe, Senses};

use super::Behaviour;
use crate::steering::spec::{LENGTH, Parameter, REACH, Spec, TargetKeys, access};

/// Wander: follows a point that moves randomly on a circle ahead of the agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wander {
    /// Radius of the circle, in tiles; > 0.
    pub radius: f32,
    /// Distance from the agent to the centre of the circle, in tiles; ≥ 0.
    pub distance: f32,
    /// Maximum random speed of the point along each axis, in tiles/s; ≥ 0.
    pub jitter: f32,
    /// Factor that scales the vector to the wander point, in 1/s²; > 0.
    pub strength: f32,
}

impl Default for Wander {
    fn default() -> Self {
        Self { radius: 1.2, distance: 2.0, jitter: 8.0, strength: 4.0 }
    }
}

impl Wander {
    /// Moves the point and returns the force `strength · (c + (distance, 0))`, rotated from the
    /// body's frame to the world's frame.
    ///
    /// The point moves by c ← c + (ξ − ξ, ξ − ξ)·jitter·dt and is projected back onto the circle.
    /// Each ξ is an independent random number in [0, 1). The point starts at a random angle.
    pub(crate) fn propose(
        &self,
        senses: &Senses,
        memory: &mut Memory,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let before = memory.wander.unwrap_or_else(|| self.start(&senses.rng_key));
        let displacement = displacement(senses.rng_key.stream(Use::Wander));
        let point = self.next(Vectors::from(before), displacement.into(), senses.dt).into();
        memory.wander = Some(point);
        let heading = senses.motion.heading;
        let force = self.force(Vectors::from(point), heading.into()).into();
        probe.note(|| Note::WanderCircle {
            centre: senses.motion.position + vector::to_world(self.ahead(), heading),
            radius: self.radius,
            point: senses.motion.position + vector::to_world(point + self.ahead(), heading),
        });
        force
    }

    /// Returns the forces for one agent per lane; points move only in lanes whose bit is set in
    /// `active`.
    #[inline(always)]
    pub(crate) fn propose_batch<L: Batch>(
        &self,
        agents: &SensesBatch<L>,
        active: u32,
        wanderers: &mut Wanderers,
    ) -> Vectors<L> {
        let Wanderers { names, points } = wanderers;
        let is_active = |lane: usize| active >> lane & 1 == 1;
        let mut before = [Vec2::ZERO; MOST_LANES];
        for lane in (0..L::COUNT).filter(|lane| is_active(*lane)) {
            let start = || self.start(&RngKey { agent: names[lane], ..agents.rng_key });
            before[lane] = points[lane].unwrap_or_else(start);
        }
        let simd = agents.velocity.x.simd();
        let displacements = agents.rng_key.streams(Use::Wander).two_triangular(simd, names);
        let before = Vectors::from_fn(
            simd,
            #[inline(always)]
            |lane| before[lane],
        );
        let next = self.next(before, displacements, agents.dt);
        for lane in (0..L::COUNT).filter(|lane| is_active(*lane)) {
            points[lane] = Some(next.lane(lane));
        }
        self.force(next, agents.heading)
    }

    /// Returns the centre of the circle in the body's frame.
    fn ahead(&self) -> Vec2 {
        Vec2::new(self.distance, 0.0)
    }

    /// Returns the wander points after their random displacement.
    #[inline(always)]
    fn next<L: Lanes>(&self, before: Vectors<L>, displacements: Vectors<L>, dt: f32) -> Vectors<L> {
        vectors::unit(before + displacements * (self.jitter * dt)) * self.radius
    }

    /// Returns the forces that attract the agents to the wander points.
    #[inline(always)]
    fn force<L: Lanes>(&self, points: Vectors<L>, headings: Vectors<L>) -> Vectors<L> {
        vectors::to_world(points + self.ahead(), headings) * self.strength
    }

    fn start(&self, rng_key: &RngKey) -> Vec2 {
        let angle = rng_key.stream(Use::WanderStart).unit() * core::f32::consts::TAU;
        Vec2::new(libm::cosf(angle), libm::sinf(angle)) * self.radius
    }
}

/// Returns a random displacement, as a share of the maximum displacement along each axis.
#[inline]
fn displacement(mut random: RngStream) -> Vec2 {
    Vec2::new(random.triangular(), random.triangular())
}

#[rustfmt::skip]
pub(super) const WANDER: Spec = Spec {
    parameters: &[
        Parameter::number("radius", LENGTH, "tiles", access!(Number, Behaviour::Wander(it) => it.radius), "Radius of the wander circle").details("The wander point, towards which the agent moves, jumps at random on this circle"),
        Parameter::number("distance", REACH, "tiles", access!(Number, Behaviour::Wander(it) => it.distance), "Distance from the agent to the centre of the wander circle").details("The centre is straight ahead"),
        Parameter::number("jitter", REACH, "tiles/s", access!(Number, Behaviour::Wander(it) => it.jitter), "Maximum random speed of the wander point per axis"),
        Parameter::number("strength", 0.001..=10_000.0, "1/s²", access!(Number, Behaviour::Wander(it) => it.strength), "Acceleration per tile of distance to the wander point"),
    ],
    ..Spec::new("wander", TargetKeys::Nothing, "changes direction smoothly at random", || Behaviour::Wander(Wander::default()))
};
