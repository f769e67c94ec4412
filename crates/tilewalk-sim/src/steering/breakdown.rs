//! The force breakdown: the output of each behaviour, and the accepted part of the output.
//!
//! Steering reports to a [`Probe`]. A running world uses [`NoProbe`], which costs nothing;
//! explaining a frame runs the same code with a [`ForceBreakdown`].

use super::{Note, SteeringOutput};

/// Receives the reports of steering behaviours.
pub(crate) trait Probe {
    /// Returns true if reports are recorded. Callers check this before they compute data only for
    /// reports.
    fn listens(&self) -> bool;

    /// Reports a note. `note` is called only if reports are recorded.
    fn note(&mut self, note: impl FnOnce() -> Note);

    /// Reports the result of a behaviour. `row` is called only if reports are recorded.
    fn row(&mut self, row: impl FnOnce() -> BreakdownRow);
}

/// A probe that discards all reports at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    fn listens(&self) -> bool {
        false
    }

    fn note(&mut self, _: impl FnOnce() -> Note) {}
    fn row(&mut self, _: impl FnOnce() -> BreakdownRow) {}
}

/// The effect of combination on a behaviour's output: accepted, cut or skipped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowState {
    /// The output was accepted without change.
    Accepted,
    /// The output was shortened to the force or turn limit, or to the unused part of that limit.
    Cut,
    /// The behaviour was skipped, because earlier behaviours used up the limit or because one of
    /// them acts alone.
    NoRoom,
    /// The output was zero, or too small for [`Combine::First`](super::combine::Combine::First).
    Zero,
    /// The behaviour was skipped, because its random number was not below its probability.
    DitheredOut {
        /// The random number, in [0, 1).
        drawn: f32,
        /// Probability of the behaviour, in (0, 1].
        probability: f32,
    },
    /// The behaviour is disabled in the steering list and was not evaluated.
    Disabled,
}

impl RowState {
    /// Returns the state as text for the screen, in lower case.
    pub fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Cut => "cut",
            Self::NoRoom => "no room",
            Self::Zero => "zero",
            Self::DitheredOut { .. } => "dithered out",
            Self::Disabled => "disabled",
        }
    }
}

/// Name of the extra row that reports the truncation of a sum of forces or turns.
pub const LIMIT: &str = "limit";

/// A row of the force breakdown: the output of one behaviour or of manual control, or a truncation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BreakdownRow {
    /// Name of the behaviour in files, [`LIMIT`] for a truncation, or [`KEYS`](super::manual::KEYS)
    /// for manual control.
    pub behaviour: &'static str,
    /// Output before weighting; zero if the behaviour was not evaluated. For a truncation, the sum
    /// before the truncation.
    pub raw: SteeringOutput,
    /// Factor that scaled the output: the weight, or weight / probability with dithering. For a
    /// truncation, the remaining share of the sum.
    pub weight: f32,
    /// The part of the output that was accepted. For a truncation, the truncated sum minus the sum
    /// before the truncation.
    pub accepted: SteeringOutput,
    /// Whether the output was accepted, cut or skipped, and why.
    pub state: RowState,
    /// Sum of the accepted outputs of this row and all earlier rows.
    pub total: SteeringOutput,
}

/// The reports of one agent's steering in one frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForceBreakdown {
    /// One row per behaviour in list order, then one row per truncation. Under manual control, a
    /// single row.
    pub rows: Vec<BreakdownRow>,
    /// The notes, each with the index of its behaviour in `rows`.
    pub notes: Vec<(usize, Note)>,
}

impl Probe for ForceBreakdown {
    fn listens(&self) -> bool {
        true
    }

    fn note(&mut self, note: impl FnOnce() -> Note) {
        self.notes.push((self.rows.len(), note()));
    }

    fn row(&mut self, row: impl FnOnce() -> BreakdownRow) {
        self.rows.push(row());
    }
}
