//! The input of behaviours for several agents at a time: one agent per SIMD lane.

use crate::body::Body;
use crate::geom::Vectors;
use crate::geom::lanes::{LANES, Lanes};
use crate::rng::RngKey;

use super::Crowd;

/// The input of behaviours, as in [`super::Senses`], with one agent per lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SensesBatch<'a> {
    pub velocity: Vectors,
    /// Headings of the agents, as unit vectors.
    pub heading: Vectors,
    /// Sums over the neighbours of each agent.
    pub(crate) crowd: NeighbourSumsBatch,
    /// Properties that all agents of the batch share.
    pub body: &'a Body,
    /// Frame duration, in seconds.
    pub(crate) dt: f32,
    /// RNG key of this frame, mode and behaviour. The agent's part of the key comes from `names`.
    pub(crate) rng_key: RngKey,
    /// Hashes of the agents' names, for their RNG keys.
    pub names: [u64; LANES],
}

/// The sums over neighbours, with one [`Crowd`] per lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighbourSumsBatch {
    pub count: Lanes,
    pub(crate) apart: Vectors,
    pub(crate) headings: Vectors,
    pub(crate) offsets: Vectors,
}

impl NeighbourSumsBatch {
    /// Creates a batch from the sums of [`LANES`] agents, with one agent per lane.
    #[inline]
    pub(crate) fn new(each: &[Crowd; LANES]) -> Self {
        Self {
            count: Lanes::new(each.each_ref().map(|crowd| crowd.count)),
            apart: Vectors::new(each.each_ref().map(|crowd| crowd.apart)),
            headings: Vectors::new(each.each_ref().map(|crowd| crowd.headings)),
            offsets: Vectors::new(each.each_ref().map(|crowd| crowd.offsets)),
        }
    }
}

impl SensesBatch<'_> {
    /// Returns the gain of the velocity correction, in 1/s; at most 1 / `dt`.
    #[inline]
    pub(crate) fn gain(&self) -> f32 {
        self.body.gain_in(self.dt)
    }

    #[inline]
    pub(crate) fn rng_key(&self, lane: usize) -> RngKey {
        RngKey { agent: self.names[lane], ..self.rng_key }
    }
}
