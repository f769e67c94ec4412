//! SIMD steering of several agents at a time. The steering list may contain only wander and
//! behaviours that share one neighbourhood.
//!
//! A lane holds one agent. The result for each agent is bit-identical to the result of
//! [`Combine::output`]. Formulas exist once, for lanes; the scalar path fills all lanes with the
//! same agent.
//!
//! Only the code that combines behaviours exists twice. The version in `combine` reports to the
//! force breakdown, and the version in this file does not. `tests/sim/laws/simd_batches.rs` checks
//! that both return the same results.
//!
//! Observed agents take the scalar path, since the SIMD path reports nothing.

use crate::body::Body;
use crate::geom::lanes::{LANES, Lanes, splat};
use crate::geom::{Vec2, Vectors, vectors};
use crate::rng::RngKey;
use crate::steering::combine::{Combine, ROUNDING, share};
use crate::steering::{Alignment, Behaviour, Cohesion, Crowd, Separation, WeightedBehaviour};

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

impl SensesBatch<'_> {
    /// Returns the combined forces for a list that [`supports_batch`] accepts. `points` are the
    /// wander points of the agents.
    #[inline]
    pub(crate) fn output(
        &mut self,
        combine: Combine,
        rows: &[WeightedBehaviour],
        points: &mut [Option<Vec2>; LANES],
    ) -> Vectors {
        let max_force = self.body.max_force;
        let mut total = Vectors::splat(Vec2::ZERO);
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.enabled) {
            self.rng_key.behaviour = index as u32;
            let weight = splat(row.weight);
            if combine == Combine::Weighted {
                total += self.propose(row, [true; LANES], points) * weight;
                continue;
            }
            let room = splat(max_force) - total.length();
            let spent = room.simd_le(splat(share(max_force, ROUNDING)));
            if !spent.all() {
                let spent_lanes = spent.to_bitmask();
                let active = core::array::from_fn(|lane| spent_lanes >> lane & 1 == 0);
                let forces = self.propose(row, active, points) * weight;
                total += Vectors::splat(Vec2::ZERO).or(spent, cut(forces, room));
            }
        }
        if combine == Combine::Weighted { limit(total, max_force) } else { total }
    }

    /// Returns the forces of one behaviour. Wander points advance only in lanes for which `active`
    /// is true.
    #[inline]
    #[expect(clippy::wildcard_enum_match_arm, reason = "`supports_batch` admits only these four")]
    fn propose(
        &self,
        row: &WeightedBehaviour,
        active: [bool; LANES],
        points: &mut [Option<Vec2>; LANES],
    ) -> Vectors {
        match &row.behaviour {
            Behaviour::Separation(_) => Separation::propose_batch(self),
            Behaviour::Alignment(_) => Alignment::propose_batch(self),
            Behaviour::Cohesion(_) => Cohesion::propose_batch(self),
            Behaviour::Wander(wander) => wander.propose_batch(self, active, points),
            _ => Vectors::splat(Vec2::ZERO),
        }
    }
}

/// Returns true if a list can be computed with SIMD. The combination must be weighted or
/// prioritized. The list may contain only wander and behaviours that share one neighbourhood.
pub(crate) fn supports_batch(combine: Combine, rows: &[WeightedBehaviour]) -> bool {
    let mut first = None;
    let same = |row: &WeightedBehaviour| match row.behaviour.neighbourhood() {
        Some(neighbourhood) => {
            !neighbourhood.by_edges && *first.get_or_insert(neighbourhood) == neighbourhood
        }
        None => matches!(row.behaviour, Behaviour::Wander(_)),
    };
    matches!(combine, Combine::Weighted | Combine::Prioritized)
        && rows.iter().filter(|row| row.enabled).all(same)
}

/// Shortens each force to at most `room`, the unused part of the force limit.
#[inline]
fn cut(forces: Vectors, room: Lanes) -> Vectors {
    let longer = forces.length().simd_gt(room);
    let cut = vectors::unit(forces) * room.fast_max(splat(0.0));
    cut.or(longer & forces.are_finite(), forces)
}

/// Truncates each force to the length `max_force`, with the same operations as `Budget::limit`.
#[inline]
fn limit(sum: Vectors, max_force: f32) -> Vectors {
    let mut total = sum;
    let force = vectors::truncate(sum, max_force);
    loop {
        let excess = force - total;
        let exceeds = excess.length().simd_gt(splat(share(max_force, ROUNDING)));
        if exceeds.none() {
            return total;
        }
        total += excess.only(exceeds);
    }
}
