//! Steering for several agents at a time (SIMD), for lists that contain only wander and behaviours
//! with the same neighbours.
//!
//! A lane holds one agent. The result equals that of [`Combine::wish`] for each agent alone, bit
//! for bit. A formula that both paths need is written once, for lanes; the scalar path fills all
//! lanes with the same agent. Only the code that combines behaviours exists twice: in `combine`,
//! where it also reports to the force breakdown, and here. `tests/it/abreast.rs` checks that both
//! give the same bits.
//!
//! Nothing is reported here, so observed agents take the scalar path.

use crate::body::Body;
use crate::geom::lanes::{LANES, Lanes, splat};
use crate::geom::{Vec2, Vectors, vectors};
use crate::rng::Dice;

use super::budget::{ROUNDING, share};
use super::combine::Combine;
use super::{Behaviour, Crowd, Row};

/// What the behaviours of a flock know: as [`super::Senses`], with an agent in every lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Abreast<'a> {
    /// Their velocities.
    pub velocity: Vectors,
    /// The unit vectors they face.
    pub heading: Vectors,
    /// What their neighbours come to.
    pub(crate) crowd: Crowds,
    /// The body they have in common.
    pub body: &'a Body,
    /// Seconds a frame.
    pub(crate) dt: f32,
    /// The dice of this frame, mode and behaviour; whose is told by the names.
    pub(crate) dice: Dice,
    /// The hashes of their names.
    pub names: [u64; LANES],
}

/// [`Crowd`] in every lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crowds {
    /// How many there are.
    pub count: Lanes,
    /// Away from each.
    pub(crate) apart: Vectors,
    /// The sums of their headings.
    pub(crate) headings: Vectors,
    /// The sums of the ways to them.
    pub(crate) offsets: Vectors,
}

impl Crowds {
    /// These.
    #[inline]
    pub fn new(each: &[Crowd; LANES]) -> Self {
        Self {
            count: Lanes::new(each.each_ref().map(|crowd| crowd.count)),
            apart: Vectors::new(each.each_ref().map(|crowd| crowd.apart)),
            headings: Vectors::new(each.each_ref().map(|crowd| crowd.headings)),
            offsets: Vectors::new(each.each_ref().map(|crowd| crowd.offsets)),
        }
    }
}

impl Abreast<'_> {
    /// The factor on errors of velocity, in 1/s.
    #[inline]
    pub fn gain(&self) -> f32 {
        self.body.gain_in(self.dt)
    }

    /// The dice of one of them.
    #[inline]
    pub(crate) fn dice(&self, lane: usize) -> Dice {
        Dice { agent: self.names[lane], ..self.dice }
    }

    /// The wishes of a list, all of them forces; `points` are the agents' wander points.
    ///
    /// Only for a list that [`go_abreast`].
    #[inline]
    pub fn wish(
        &mut self,
        combine: Combine,
        rows: &[Row],
        points: &mut [Option<Vec2>; LANES],
    ) -> Vectors {
        let most = self.body.max_force;
        let mut total = Vectors::splat(Vec2::ZERO);
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.enabled) {
            self.dice.behaviour = index as u32;
            let weight = splat(row.weight);
            if combine == Combine::Weighted {
                total += self.propose(row, [true; LANES], points) * weight;
                continue;
            }
            let room = splat(most) - total.length();
            let spent = room.simd_le(splat(share(most, ROUNDING)));
            if !spent.all() {
                let spent_lanes = spent.to_bitmask();
                let asked = core::array::from_fn(|lane| spent_lanes >> lane & 1 == 0);
                let wanted = self.propose(row, asked, points) * weight;
                total += Vectors::splat(Vec2::ZERO).or(spent, cut(wanted, room));
            }
        }
        if combine == Combine::Weighted { limit(total, most) } else { total }
    }

    /// What a row proposes; wander points move on only of those who are asked.
    #[inline]
    fn propose(
        &self,
        row: &Row,
        asked: [bool; LANES],
        points: &mut [Option<Vec2>; LANES],
    ) -> Vectors {
        match &row.behaviour {
            Behaviour::Separation(separation) => separation.abreast(self),
            Behaviour::Alignment(alignment) => alignment.abreast(self),
            Behaviour::Cohesion(cohesion) => cohesion.abreast(self),
            Behaviour::Wander(wander) => wander.abreast(self, asked, points),
            _ => Vectors::splat(Vec2::ZERO),
        }
    }
}

/// Does a list ask no more than agents can be asked abreast: the sums over one neighbourhood, and to
/// wander?
pub(crate) fn go_abreast(combine: Combine, rows: &[Row]) -> bool {
    let mut first = None;
    let same = |row: &Row| match row.behaviour.neighbourhood() {
        Some(who) => *first.get_or_insert(who) == who,
        None => matches!(row.behaviour, Behaviour::Wander(_)),
    };
    matches!(combine, Combine::Weighted | Combine::Prioritized)
        && rows.iter().filter(|row| row.enabled).all(same)
}

/// As much of each force as fits in the room there is.
#[inline]
fn cut(wanted: Vectors, room: Lanes) -> Vectors {
    let longer = wanted.length().simd_gt(room);
    let cut = vectors::unit(wanted) * room.fast_max(splat(0.0));
    cut.or(longer & wanted.are_finite(), wanted)
}

/// Sums, truncated.
#[inline]
fn limit(sum: Vectors, most: f32) -> Vectors {
    let mut total = sum;
    let force = vectors::truncate(sum, most);
    loop {
        let excess = force - total;
        let far = excess.length().simd_gt(splat(share(most, ROUNDING)));
        if far.none() {
            return total;
        }
        total += excess.only(far);
    }
}
