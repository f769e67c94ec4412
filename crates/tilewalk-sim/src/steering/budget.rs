//! Limits on the force and turn of a steering list.

use crate::body::Body;
use crate::geom::{Vec2, truncate, unit};

use super::{BreakdownRow, LIMIT, Probe, RowState, SteeringOutput, WeightedBehaviour, tracker};

/// Largest rounding error of a force that is cut to the unused part of the limit, as a share of the
/// limit.
pub(super) const ROUNDING: f32 = 1e-6;

/// A limit on the combined output of a steering list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Largest length of the force, in tiles/s² · mass.
    pub(super) force: f32,
    /// Largest angular acceleration, in radians/s², in either direction.
    pub(super) turn: f32,
}

impl Budget {
    /// Returns the limits for a body. The force of a [`super::Track`] behaviour is unlimited.
    pub(super) fn of(rows: &[WeightedBehaviour], body: &Body) -> Self {
        let force = if tracker(rows).is_some() { f32::INFINITY } else { body.max_force };
        Self { force, turn: body.max_turn_accel }
    }

    #[inline]
    pub(super) fn remaining_after(self, total: SteeringOutput) -> Self {
        Self { force: self.force - total.force.length(), turn: self.turn - total.turn.abs() }
    }

    /// Returns true if `total` uses up the limit, except for a rounding error. If `angular` is
    /// true, compares the turn instead of the force.
    #[inline]
    pub(super) fn is_spent(self, total: SteeringOutput, angular: bool) -> bool {
        let remaining = self.remaining_after(total);
        if angular {
            remaining.turn <= share(self.turn, ROUNDING)
        } else {
            remaining.force <= share(self.force, ROUNDING)
        }
    }

    /// Shortens an output to the limit. Leaves a non-finite value unchanged for the NaN guard.
    #[inline]
    pub(super) fn cut(self, output: SteeringOutput) -> SteeringOutput {
        let mut force = output.force;
        if force.length() > self.force && force.is_finite() {
            force = unit(force) * self.force.max(0.0);
        }
        SteeringOutput { force, turn: self.cut_turn(output.turn) }
    }

    #[inline]
    fn cut_turn(self, turn: f32) -> f32 {
        if turn.abs() > self.turn && turn.is_finite() {
            self.turn.max(0.0).copysign(turn)
        } else {
            turn
        }
    }

    /// Truncates a sum to the limit and reports each truncation as an extra row of the force
    /// breakdown.
    ///
    /// The excess is computed first and then added, so that the rows add up to the applied output
    /// bit for bit.
    #[inline]
    pub(super) fn limit(self, sum: SteeringOutput, probe: &mut impl Probe) -> SteeringOutput {
        let mut total = sum;
        let force = truncate(sum.force, self.force);
        // Rounding of very large sums makes the first difference inexact; the loop corrects it.
        let exceeds = |from: Vec2| (force - from).length() > share(self.force, ROUNDING);
        while total.force != force && exceeds(total.force) {
            let (before, excess) = (total, SteeringOutput::force(force - total.force));
            total += excess;
            report_truncation(before, excess, total, force.length() / before.force.length(), probe);
        }
        let turn = self.cut_turn(sum.turn);
        if turn != sum.turn {
            let (before, excess) = (total, SteeringOutput::turn(turn - sum.turn));
            total += excess;
            report_truncation(before, excess, total, turn / sum.turn, probe);
        }
        total
    }
}

/// Returns `limit * part`; 0 if the limit is infinite.
#[inline]
pub(super) fn share(limit: f32, part: f32) -> f32 {
    if limit.is_finite() { limit * part } else { 0.0 }
}

fn report_truncation(
    sum: SteeringOutput,
    excess: SteeringOutput,
    total: SteeringOutput,
    factor: f32,
    probe: &mut impl Probe,
) {
    probe.row(|| BreakdownRow {
        behaviour: LIMIT,
        raw: sum,
        weight: factor,
        accepted: excess,
        state: RowState::Cut,
        total,
    });
}
