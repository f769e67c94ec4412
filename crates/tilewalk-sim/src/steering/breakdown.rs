//! The force breakdown: the output of each behaviour, and the accepted part of the output.
//!
//! Steering reports to a [`Probe`]. A running world uses [`NoProbe`], which costs nothing;
//! explaining a frame runs the same code with a [`ForceBreakdown`].

use super::{Note, SteeringOutput};

/// Receives the reports of steering behaviours.
pub(crate) trait Probe {
    /// Returns true if reports are recorded. Checked before work that is needed only for reports.
    fn listens(&self) -> bool;

    /// Reports a note. `note` is called only if reports are recorded.
    fn note(&mut self, note: impl FnOnce() -> Note);

    /// Reports the result of a behaviour. `row` is called only if reports are recorded.
    fn row(&mut self, row: impl FnOnce() -> BreakdownRow);
}

/// Discards all reports at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    fn listens(&self) -> bool {
        false
    }

    fn note(&mut self, _: impl FnOnce() -> Note) {}
    fn row(&mut self, _: impl FnOnce() -> BreakdownRow) {}
}

/// How a behaviour's output was combined with the outputs of the other behaviours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowState {
    /// The output was accepted without change.
    Accepted,
    /// The output was shortened to the force or turn limit, or to the part of it that earlier
    /// behaviours left unused.
    Cut,
    /// The behaviour was skipped: earlier behaviours had used up the limit, or one of them acts
    /// alone.
    NoRoom,
    /// The output was zero, or too small for [`Combine::First`](super::combine::Combine::First).
    Zero,
    /// The behaviour was skipped, because the random number was not below its probability.
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
    /// Output before weighting; zero if not evaluated. For a truncation, the sum before it.
    pub raw: SteeringOutput,
    /// Factor that scaled the output: weight, or weight / probability with dithering. For a
    /// truncation, the share of the sum that remains.
    pub weight: f32,
    /// The part of the output that was accepted. For a truncation, the difference to the sum before
    /// it.
    pub accepted: SteeringOutput,
    /// How the output was combined with the other outputs.
    pub state: RowState,
    /// Sum of the accepted outputs up to this row, included.
    pub total: SteeringOutput,
}

/// The reports of one agent's steering in one frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForceBreakdown {
    /// One row per behaviour in list order, then one row per truncation. One row for manual
    /// control.
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
