//! The largest force and turn a list may wish, and how wishes are cut to what is left of them.

use crate::body::Body;
use crate::geom::{Vec2, truncate, unit};

use super::{LIMIT, LedgerRow, Probe, Row, RowState, Wish, tracker};

/// What a wish that was cut to the room may miss of it, as a share of the limit.
pub(super) const ROUNDING: f32 = 1e-6;

/// How much may be wished.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Longest force.
    pub(super) force: f32,
    /// Largest angular acceleration either way.
    pub(super) turn: f32,
}

impl Budget {
    /// That of the body; who tracks sets its velocity whatever force that takes.
    pub(super) fn of(rows: &[Row], body: &Body) -> Self {
        let force = if tracker(rows).is_some() { f32::INFINITY } else { body.max_force };
        Self { force, turn: body.max_turn_accel }
    }

    #[inline]
    pub(super) fn left_by(self, total: Wish) -> Self {
        Self { force: self.force - total.force.length(), turn: self.turn - total.turn.abs() }
    }

    /// Is nothing left for a force, or for a turn? What rounding leaves is nothing.
    #[inline]
    pub(super) fn is_spent(self, total: Wish, angular: bool) -> bool {
        let left = self.left_by(total);
        if angular {
            left.turn <= share(self.turn, ROUNDING)
        } else {
            left.force <= share(self.force, ROUNDING)
        }
    }

    /// As much of a wish as fits; what is not finite is kept, to be noticed.
    #[inline]
    pub(super) fn cut(self, wanted: Wish) -> Wish {
        let mut force = wanted.force;
        if force.length() > self.force && force.is_finite() {
            force = unit(force) * self.force.max(0.0);
        }
        Wish { force, turn: self.cut_turn(wanted.turn) }
    }

    #[inline]
    fn cut_turn(self, turn: f32) -> f32 {
        if turn.abs() > self.turn && turn.is_finite() {
            self.turn.max(0.0).copysign(turn)
        } else {
            turn
        }
    }

    /// A sum, truncated; when it is, a last row of the ledger tells by what factor.
    ///
    /// What is taken away is worked out first and then added, so that the rows of the ledger add up
    /// to what is applied, to the bit.
    #[inline]
    pub(super) fn limit(self, sum: Wish, probe: &mut impl Probe) -> Wish {
        let mut total = sum;
        let force = truncate(sum.force, self.force);
        // From a sum beyond all measure the difference takes too much, and is made good again.
        let far = |from: Vec2| (force - from).length() > share(self.force, ROUNDING);
        while total.force != force && far(total.force) {
            let (before, excess) = (total, Wish::force(force - total.force));
            total += excess;
            limited(before, excess, total, force.length() / before.force.length(), probe);
        }
        let turn = self.cut_turn(sum.turn);
        if turn != sum.turn {
            let (before, excess) = (total, Wish::turn(turn - sum.turn));
            total += excess;
            limited(before, excess, total, turn / sum.turn, probe);
        }
        total
    }
}

/// A small share of a limit; of an endless one, nothing.
#[inline]
pub(super) fn share(limit: f32, part: f32) -> f32 {
    if limit.is_finite() { limit * part } else { 0.0 }
}

/// Tells what was taken from a sum, and what is left of it.
fn limited(sum: Wish, excess: Wish, total: Wish, factor: f32, probe: &mut impl Probe) {
    probe.row(|| LedgerRow {
        behaviour: LIMIT,
        raw: sum,
        weight: factor,
        accepted: excess,
        state: RowState::Cut,
        total,
    });
}
