//! Combines several steering outputs into one (Buckland ch. 3), within limits on force and turn.

use crate::body::Body;
use crate::geom::{Vec2, truncate, unit};
use crate::rng::Use;
use crate::steering::{
    BreakdownRow, LIMIT, Memory, Note, Probe, RowState, Seen, Senses, SteeringOutput, Surroundings,
    Target, WeightedBehaviour, tracker,
};

/// The method that combines the outputs of a steering list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// In list order, each behaviour can use the part of the force limit F that earlier behaviours
    /// left unused.
    ///
    /// The unused part is F − |running total|. Longer forces are shortened to this length. Once the
    /// limit is used up, later behaviours are skipped and not evaluated. An opposing force reduces
    /// the total and so makes force available again.
    #[default]
    Prioritized,
    /// Adds all weighted forces and truncates the sum to F.
    Weighted,
    /// In list order, each behaviour draws a random number. The first behaviour with a number below
    /// its probability and a non-zero output acts alone. Its output is multiplied by weight /
    /// probability and truncated.
    Dithered,
    /// In list order, the first behaviour with a significant output acts alone. Its output is
    /// truncated.
    ///
    /// Significant outputs are a force above 0.001·F or a turn above 0.001 of the turn limit. The
    /// threshold is needed because a turn decays exponentially and hardly ever becomes exactly
    /// zero.
    First,
}

/// Outputs up to this share of the limit count as zero for [`Combine::First`].
const NEGLIGIBLE: f32 = 0.001;

impl Combine {
    /// All combination methods with their keywords in files.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("prioritized", Self::Prioritized),
        ("weighted", Self::Weighted),
        ("dithered", Self::Dithered),
        ("first", Self::First),
    ];

    /// Returns the keyword of the method in files.
    pub fn word(self) -> &'static str {
        Self::WORDS.into_iter().find(|&(_, each)| each == self).map_or("", |(word, _)| word)
    }

    /// Returns the combined output: a force up to F and a turn up to the body's `max_turn_accel`.
    ///
    /// Forces and turns are combined in the same way, each with its own limit. Every behaviour is
    /// reported to the probe; the last running total equals the result bit for bit. The targets and
    /// random numbers in `senses` are overwritten for each behaviour.
    pub(crate) fn output(
        self,
        rows: &[WeightedBehaviour],
        senses: &mut Senses,
        memory: &mut Memory,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> SteeringOutput {
        let limit = Budget::of(rows, senses.body);
        let mut evaluation = ListEvaluation { senses, memory, around, probe };
        match self {
            Self::Prioritized => {
                self.evaluate_rows(rows, &mut evaluation, |evaluation, row, total| {
                    if limit.is_spent(total, row.behaviour.is_angular()) {
                        return RowOutput::none(RowState::NoRoom);
                    }
                    let room = limit.remaining_after(total);
                    evaluation.output(row, row.weight, |weighted| room.cut(weighted))
                })
            }
            Self::Weighted => {
                let sum = self.evaluate_rows(rows, &mut evaluation, |evaluation, row, _| {
                    evaluation.output(row, row.weight, |weighted| weighted)
                });
                limit.limit(sum, evaluation.probe)
            }
            Self::Dithered | Self::First => {
                self.evaluate_rows(rows, &mut evaluation, |evaluation, row, total| {
                    if total != SteeringOutput::NONE {
                        RowOutput::none(RowState::NoRoom)
                    } else if self == Self::Dithered {
                        evaluation.dithered(row, limit)
                    } else {
                        evaluation.first(row, limit)
                    }
                })
            }
        }
    }

    /// Evaluates the behaviours in order with the running total, and adds up the accepted outputs.
    ///
    /// Generic over `evaluate`, so that the method is selected once and not per behaviour.
    #[inline]
    fn evaluate_rows<'a, 'b, S: Surroundings, P: Probe>(
        self,
        rows: &[WeightedBehaviour],
        evaluation: &mut ListEvaluation<'a, 'b, S, P>,
        evaluate: impl Fn(
            &mut ListEvaluation<'a, 'b, S, P>,
            &WeightedBehaviour,
            SteeringOutput,
        ) -> RowOutput,
    ) -> SteeringOutput {
        let mut total = SteeringOutput::NONE;
        for (index, row) in rows.iter().enumerate() {
            evaluation.senses.rng_key.behaviour = index as u32;
            let output = if row.enabled {
                evaluate(evaluation, row, total)
            } else {
                RowOutput::none(RowState::Disabled)
            };
            total += output.accepted;
            evaluation.probe.row(|| BreakdownRow {
                behaviour: row.behaviour.word(),
                raw: output.raw,
                weight: self.factor(row),
                accepted: output.accepted,
                state: output.state(),
                total,
            });
        }
        total
    }

    /// Returns the factor that scales a behaviour's output. Dithering divides the weight by the
    /// probability.
    fn factor(self, row: &WeightedBehaviour) -> f32 {
        if self == Self::Dithered { row.weight / row.probability } else { row.weight }
    }
}

/// The context in which one agent's behaviours are evaluated.
struct ListEvaluation<'a, 'b, S, P> {
    senses: &'a mut Senses<'b>,
    memory: &'a mut Memory,
    around: &'a S,
    probe: &'a mut P,
}

/// The output of a behaviour: before weighting, weighted, and accepted.
#[derive(Debug, Clone, Copy)]
struct RowOutput {
    raw: SteeringOutput,
    weighted: SteeringOutput,
    accepted: SteeringOutput,
    /// State that overrides the state derived from the outputs; `None` for no override.
    state: Option<RowState>,
}

impl RowOutput {
    fn none(state: RowState) -> Self {
        let [raw, weighted, accepted] = [SteeringOutput::NONE; 3];
        Self { raw, weighted, accepted, state: Some(state) }
    }

    fn state(&self) -> RowState {
        self.state.unwrap_or(match () {
            () if self.weighted == SteeringOutput::NONE => RowState::Zero,
            () if self.accepted == self.weighted => RowState::Accepted,
            () => RowState::Cut,
        })
    }
}

impl<S: Surroundings, P: Probe> ListEvaluation<'_, '_, S, P> {
    fn raw(&mut self, row: &WeightedBehaviour) -> SteeringOutput {
        // Most behaviours have no target; this form avoids a copy for behaviours without one.
        self.senses.target = None;
        self.senses.group = None;
        if let Some(target) = row.target {
            self.senses.target = self.see(target);
            self.senses.group = target.group();
        }
        self.senses.other = None;
        if let Some(other) = row.other {
            self.senses.other = self.see(other);
        }
        row.behaviour.propose(self.senses, self.memory, self.around, self.probe)
    }

    /// Returns a target relative to the agent. Reports a target that does not exist.
    #[inline]
    fn see(&mut self, target: Target) -> Option<Seen> {
        let seen = self.around.see(target);
        if seen.is_none() {
            self.probe.note(|| Note::Absent(target));
        }
        seen
    }

    /// Evaluates a behaviour and multiplies its output by a factor. `cut` returns the part that is
    /// accepted.
    #[inline]
    fn output(
        &mut self,
        row: &WeightedBehaviour,
        factor: f32,
        cut: impl FnOnce(SteeringOutput) -> SteeringOutput,
    ) -> RowOutput {
        let raw = self.raw(row);
        let weighted = raw * factor;
        RowOutput { raw, weighted, accepted: cut(weighted), state: None }
    }

    fn first(&mut self, row: &WeightedBehaviour, limit: Budget) -> RowOutput {
        let output = self.output(row, row.weight, |weighted| limit.cut(weighted));
        let SteeringOutput { force, turn } = output.weighted;
        let negligible = force.length() <= share(limit.force, NEGLIGIBLE)
            && turn.abs() <= share(limit.turn, NEGLIGIBLE);
        if negligible {
            return RowOutput { raw: output.raw, ..RowOutput::none(RowState::Zero) };
        }
        output
    }

    fn dithered(&mut self, row: &WeightedBehaviour, limit: Budget) -> RowOutput {
        let random = self.senses.rng_key.stream(Use::Dither).unit();
        let probability = row.probability;
        if random >= probability {
            return RowOutput::none(RowState::DitheredOut { drawn: random, probability });
        }
        self.output(row, Combine::Dithered.factor(row), |weighted| limit.cut(weighted))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::geom::Vec2;
    use crate::id::GroupId;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{
        Behaviour, Crowd, Flee, ForceBreakdown, NearbyAgent, Neighbourhood, Searched, Seen, Target,
        tests::senses,
    };

    /// Surroundings in which a point target is an offset from the agent.
    struct Points;

    impl Surroundings for Points {
        fn see(&self, target: Target) -> Option<Seen> {
            let Target::Point(offset) = target else { return None };
            Some(Seen::fixed(offset))
        }

        fn visit_members(&self, _: GroupId, _: f32, _: impl FnMut(NearbyAgent)) {}

        fn crowd(&self, _: &Neighbourhood) -> Crowd {
            Crowd::default()
        }

        fn search_neighbours(&self, _: &Neighbourhood, _: impl FnMut(Searched)) {}

        fn visit_passing(&self, _: Option<GroupId>, _: f32, _: impl FnMut(NearbyAgent)) {}
    }

    fn row(behaviour: Behaviour, x: f32, weight: f32) -> WeightedBehaviour {
        let target = Some(Target::Point(Vec2::new(x, 0.0)));
        WeightedBehaviour {
            behaviour,
            target,
            other: None,
            weight,
            probability: 0.5,
            enabled: true,
        }
    }

    fn breakdown_in_frame(
        combine: Combine,
        rows: &[WeightedBehaviour],
        frame: u64,
    ) -> (Vec2, ForceBreakdown) {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
        senses.rng_key.frame = frame;
        let mut breakdown = ForceBreakdown::default();
        let output =
            combine.output(rows, &mut senses, &mut Memory::default(), &Points, &mut breakdown);
        assert_eq!(breakdown.rows.last().map(|row| row.total), Some(output));
        (output.force, breakdown)
    }

    fn breakdown(combine: Combine, rows: &[WeightedBehaviour]) -> (Vec2, Vec<RowState>) {
        let (force, breakdown) = breakdown_in_frame(combine, rows, 1);
        (force, breakdown.rows.iter().map(|row| row.state).collect())
    }

    const FLEE: Behaviour = Behaviour::Flee(Flee { panic: None });

    #[test]
    fn prioritized_rows_share_the_limit_in_order() {
        let rows = [
            row(Behaviour::Seek, 1.0, 0.25),
            row(Behaviour::Seek, 1.0, 1.0),
            row(Behaviour::Seek, 1.0, 1.0),
        ];
        let (force, states) = breakdown(Combine::Prioritized, &rows);
        assert_eq!(states, [RowState::Accepted, RowState::Cut, RowState::NoRoom]);
        assert_eq!(force, Vec2::new(12.0, 0.0));
    }

    /// Checks a force that is cut at an angle to the running total. The result uses up the limit
    /// except for a rounding error.
    #[test]
    fn a_rounding_error_leaves_no_room_for_further_forces() {
        for tenth in 1..3600 {
            let heading = crate::geom::heading::from_degrees(tenth as f32 / 10.0);
            let mut oblique = row(Behaviour::Seek, 0.0, 1.0);
            oblique.target = Some(Target::Point(heading));
            let rows = [oblique, row(Behaviour::Seek, 1.0, 1.0)];
            let (_, states) = breakdown(Combine::Prioritized, &rows);
            assert_eq!(states, [RowState::Cut, RowState::NoRoom], "{heading}");
        }
    }

    #[test]
    fn an_opposing_force_makes_room_for_further_forces() {
        let rows = [
            row(Behaviour::Seek, 1.0, 0.3),
            row(FLEE, 1.0, 0.05),
            row(Behaviour::Seek, 1.0, 0.1),
            row(Behaviour::Seek, 1.0, 1.0),
        ];
        let (force, states) = breakdown(Combine::Prioritized, &rows);
        assert_eq!(states[..2], [RowState::Accepted; 2]);
        assert_eq!(states[2..], [RowState::Accepted, RowState::Cut]);
        assert_eq!(force.x, 12.0);
    }

    #[test]
    fn weighted_sum_is_truncated() {
        let rows = [row(Behaviour::Seek, 1.0, 0.1), row(FLEE, 1.0, 0.05)];
        let (force, states) = breakdown(Combine::Weighted, &rows);
        assert!((force.x - 1.6).abs() < 1e-5);
        assert_eq!(states, [RowState::Accepted; 2]);
        let rows = [row(Behaviour::Seek, 1.0, 1.0), row(Behaviour::Seek, 1.0, 1.0)];
        let (force, states) = breakdown(Combine::Weighted, &rows);
        assert_eq!((force.x, states.len(), states[2]), (12.0, 3, RowState::Cut));
    }

    #[test]
    fn very_large_forces_are_limited() {
        let rows = [row(Behaviour::Seek, 1.0, 1e20), row(FLEE, 1.0, 1e19)];
        for (word, combine) in Combine::WORDS {
            let (force, _) = breakdown(combine, &rows);
            assert!(force.x.abs() == 12.0 || force == Vec2::ZERO, "{word}: {force}");
            assert!(combine == Combine::Dithered || force.x == 12.0, "{word}: {force}");
        }
    }

    #[test]
    fn first_skips_negligible_rows() {
        let near = Behaviour::Flee(Flee { panic: Some(0.5) });
        let rows =
            [row(near, 1.0, 1.0), row(Behaviour::Seek, 1.0, 0.1), row(Behaviour::Seek, 1.0, 1.0)];
        let (force, states) = breakdown(Combine::First, &rows);
        assert_eq!(states, [RowState::Zero, RowState::Accepted, RowState::NoRoom]);
        assert!((force.x - 3.2).abs() < 1e-5);
    }

    #[test]
    fn dithered_rows_act_with_their_probabilities() {
        let rows = [row(Behaviour::Seek, 1.0, 0.1), row(FLEE, 1.0, 0.1)];
        let (mut first, mut second, mut none) = (0, 0, 0);
        for frame in 0..4000 {
            let (force, _) = breakdown_in_frame(Combine::Dithered, &rows, frame);
            match force.x {
                0.0 => none += 1,
                x if x > 0.0 => first += 1,
                _ => second += 1,
            }
            assert!(force.x == 0.0 || (force.x.abs() - 6.4).abs() < 1e-4, "weight / probability");
        }
        // 1/2, 1/4, 1/4, each within four standard deviations.
        assert!((first - 2000_i32).abs() < 127, "{first}");
        assert!((second - 1000_i32).abs() < 110 && (none - 1000_i32).abs() < 110);
    }

    #[test]
    fn disabled_rows_are_not_evaluated() {
        let off = WeightedBehaviour { enabled: false, ..row(Behaviour::Seek, 1.0, 1.0) };
        for (_, combine) in Combine::WORDS {
            let (force, states) = breakdown(combine, std::slice::from_ref(&off));
            assert_eq!((force, states), (Vec2::ZERO, vec![RowState::Disabled]));
        }
    }
}
