//! SIMD steering of several agents at a time. The steering list may contain only wander, behaviours that
//! need only the map, and behaviours that share one neighbourhood. Those that need only the map are
//! evaluated for each agent alone.
//!
//! A lane holds one agent. The result for each agent is bit-identical to the result of
//! [`Combine::output`]. Formulas exist once, for any number of lanes; the scalar path uses one lane.
//!
//! Only the code that combines behaviours exists twice. The version in `combine` reports to the
//! force breakdown, and the version in this file does not. `tests/sim/laws/simd_batches.rs` checks
//! that both return the same results.
//!
//! Observed agents take the scalar path, since the SIMD path reports nothing.

use crate::body::{Body, Motion};
use crate::geom::lanes::{Batch, LANES, Lanes, MOST_LANES, Mask};
use crate::geom::{Vec2, Vectors, vectors};
use crate::map::Map;
use crate::rng::RngKey;
use crate::steering::combine::{Combine, ROUNDING, share};
use crate::steering::{
    Alignment, Behaviour, Cohesion, Crowd, Senses, Separation, WeightedBehaviour,
};

/// The input of behaviours, as in [`super::Senses`], with one agent per lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SensesBatch<'a, L = f32> {
    pub position: Vectors<L>,
    pub velocity: Vectors<L>,
    /// Headings of the agents, as unit vectors.
    pub heading: Vectors<L>,
    /// Sums over the neighbours of each agent.
    pub(crate) crowd: NeighbourSumsBatch<L>,
    /// Properties that all agents of the batch share.
    pub body: &'a Body,
    pub map: &'a Map,
    /// Frame duration, in seconds.
    pub(crate) dt: f32,
    /// RNG key of this frame, mode and behaviour. The agent's part of the key comes from [`Individuals`].
    pub(crate) rng_key: RngKey,
}

/// Properties of the agents of a batch that are not computed in lanes. There is one element per lane;
/// further elements have no meaning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Individuals<'a> {
    /// Hashes of the agents' names, for their RNG keys.
    pub names: &'a [u64],
    /// The wander points of the agents, see [`crate::steering::Memory::wander`].
    pub points: [Option<Vec2>; MOST_LANES],
}

/// The sums over neighbours, with one [`Crowd`] per lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NeighbourSumsBatch<L = f32> {
    pub count: L,
    pub(crate) apart: Vectors<L>,
    pub(crate) headings: Vectors<L>,
    pub(crate) offsets: Vectors<L>,
}

impl<L: Batch> NeighbourSumsBatch<L> {
    /// Loads the sums of one agent per lane. The sums are rows of [`Crowd`].
    #[inline(always)]
    pub(crate) fn load(simd: L::Simd, rows: &[[f32; LANES]]) -> Self {
        let [count, apart_x, apart_y, headings_x, headings_y, x, y, _] = L::columns(simd, rows);
        Self {
            count,
            apart: Vectors { x: apart_x, y: apart_y },
            headings: Vectors { x: headings_x, y: headings_y },
            offsets: Vectors { x, y },
        }
    }
}

impl From<Crowd> for NeighbourSumsBatch {
    fn from(crowd: Crowd) -> Self {
        Self {
            count: crowd.count,
            apart: crowd.apart.into(),
            headings: crowd.headings.into(),
            offsets: crowd.offsets.into(),
        }
    }
}

impl<L: Lanes> SensesBatch<'_, L> {
    /// Returns the gain of the velocity correction, in 1/s; at most 1 / `dt`.
    #[inline(always)]
    pub(crate) fn gain(&self) -> f32 {
        self.body.gain_in(self.dt)
    }
}

impl<L: Batch> SensesBatch<'_, L> {
    /// Returns the combined forces for a list that [`supports_batch`] accepts, and moves the wander
    /// points. Calls `note` with the index and the accepted forces of each behaviour.
    #[inline(always)]
    pub(crate) fn output(
        &mut self,
        combine: Combine,
        rows: &[WeightedBehaviour],
        individuals: &mut Individuals,
        mut note: impl FnMut(usize, Vectors<L>),
    ) -> Vectors<L> {
        let max_force = self.body.max_force;
        let zero = self.velocity.like(Vec2::ZERO);
        let negligible = zero.x.like(share(max_force, ROUNDING));
        let has_priorities = combine == Combine::Prioritized;
        let (mut total, mut room) = (zero, zero.x.like(max_force));
        for (index, row) in rows.iter().enumerate() {
            if !row.enabled {
                note(index, zero);
                continue;
            }
            self.rng_key.behaviour = index as u32;
            let has_room = room.gt(negligible);
            let active = if has_priorities { has_room.bits() } else { u32::MAX };
            let mut accepted = zero;
            if active != 0 {
                accepted = self.propose(row, active, individuals) * row.weight;
            }
            if has_priorities {
                accepted = cut(accepted, room).or(has_room, zero);
            }
            total += accepted;
            if has_priorities {
                room = zero.x.like(max_force) - total.length();
            }
            note(index, accepted);
        }
        if combine == Combine::Weighted { limit(total, max_force) } else { total }
    }

    /// Returns the forces of one behaviour. Wander points advance only in lanes whose bit is set in
    /// `active`.
    #[inline(always)]
    #[expect(clippy::wildcard_enum_match_arm, reason = "`supports_batch` admits only these")]
    fn propose(
        &self,
        row: &WeightedBehaviour,
        active: u32,
        individuals: &mut Individuals,
    ) -> Vectors<L> {
        match &row.behaviour {
            Behaviour::Separation(_) => Separation::propose_batch(self),
            Behaviour::Alignment(_) => Alignment::propose_batch(self),
            Behaviour::Cohesion(_) => Cohesion::propose_batch(self),
            Behaviour::Wander(wander) => wander.propose_batch(self, active, individuals),
            behaviour if behaviour.needs_only_map() => {
                self.propose_each(behaviour, active, individuals.names)
            }
            _ => self.velocity.like(Vec2::ZERO),
        }
    }

    /// Evaluates a behaviour that needs only the map, for one active agent after the other.
    #[inline(always)]
    fn propose_each(&self, behaviour: &Behaviour, active: u32, names: &[u64]) -> Vectors<L> {
        let mut forces = [Vec2::ZERO; MOST_LANES];
        for lane in (0..L::COUNT).filter(|lane| active >> lane & 1 == 1) {
            let motion = Motion {
                position: self.position.lane(lane),
                velocity: self.velocity.lane(lane),
                heading: self.heading.lane(lane),
                angular_velocity: 0.0,
            };
            let Self { body, map, dt, .. } = *self;
            let rng_key = RngKey { agent: names[lane], ..self.rng_key };
            let senses =
                Senses { motion, body, map, dt, target: None, group: None, other: None, rng_key };
            forces[lane] = behaviour.propose_on_map(&senses);
        }
        Vectors::from_fn(
            self.velocity.x.simd(),
            #[inline(always)]
            |lane| forces[lane],
        )
    }
}

/// Returns true if a list can be computed with SIMD. The combination must be weighted or
/// prioritized. The list may contain only wander, behaviours that need only the map, and behaviours that
/// share one neighbourhood.
pub(crate) fn supports_batch(combine: Combine, rows: &[WeightedBehaviour]) -> bool {
    let mut first = None;
    let same = |row: &WeightedBehaviour| match row.behaviour.neighbourhood() {
        Some(neighbourhood) => {
            !neighbourhood.by_edges && *first.get_or_insert(neighbourhood) == neighbourhood
        }
        None => matches!(row.behaviour, Behaviour::Wander(_)) || row.behaviour.needs_only_map(),
    };
    matches!(combine, Combine::Weighted | Combine::Prioritized)
        && rows.iter().filter(|row| row.enabled).all(same)
}

/// Shortens each force to at most `room`, the unused part of the force limit.
#[inline(always)]
fn cut<L: Lanes>(forces: Vectors<L>, room: L) -> Vectors<L> {
    let longer = forces.length().gt(room);
    // Divisions and roots are slow.
    if longer.bits() == 0 {
        return forces;
    }
    let zero = room.like(0.0);
    let cut = vectors::unit(forces).scaled(room.gt(zero).choose(room, zero));
    cut.or(longer & forces.are_finite(), forces)
}

/// Truncates each force to the length `max_force`, with the same operations as `Budget::limit`.
#[inline(always)]
fn limit<L: Lanes>(sum: Vectors<L>, max_force: f32) -> Vectors<L> {
    let mut total = sum;
    let force = vectors::truncate(sum, max_force);
    loop {
        let excess = force - total;
        let length = excess.length();
        let exceeds = length.gt(length.like(share(max_force, ROUNDING)));
        if exceeds.bits() == 0 {
            return total;
        }
        total += excess.only(exceeds);
    }
}
