//! The behaviour that turns a vehicle back, as the cause of jitter.

use crate::geom::Vec2;

use super::{BreakdownRow, ForceBreakdown, LIMIT, Note, Probe, SteeringOutput};

/// A probe that finds the behaviour with the largest applied force against a vehicle's velocity.
#[derive(Debug)]
pub(crate) struct BrakeProbe {
    /// The velocity of the vehicle before the forces act, in tiles/s.
    velocity: Vec2,
    /// Number of behaviours so far.
    rows: usize,
    /// Index of the behaviour that brakes most, and its force along the velocity, negated.
    most: Option<(usize, f32)>,
}

impl BrakeProbe {
    pub(crate) fn new(velocity: Vec2) -> Self {
        Self { velocity, rows: 0, most: None }
    }

    /// Returns the index of the behaviour that brakes most. Returns `None` for an empty list.
    pub(crate) fn found(&self) -> Option<usize> {
        self.most.map(|(row, _)| row)
    }

    fn add(&mut self, row: usize, output: SteeringOutput) {
        let brake = -output.force.dot(self.velocity);
        if self.most.is_none_or(|(_, most)| brake > most) {
            self.most = Some((row, brake));
        }
    }
}

impl ForceBreakdown {
    /// Returns the index of the behaviour with the largest applied force against a velocity, in
    /// tiles/s. Returns `None` for an empty list.
    pub(crate) fn brake(&self, velocity: Vec2) -> Option<usize> {
        let mut probe = BrakeProbe::new(velocity);
        self.rows.iter().for_each(|row| probe.row(|| *row));
        probe.found()
    }
}

impl Probe for BrakeProbe {
    fn listens(&self) -> bool {
        false
    }

    fn note(&mut self, _: impl FnOnce() -> Note) {}

    fn row(&mut self, row: impl FnOnce() -> BreakdownRow) {
        let row = row();
        if row.behaviour != LIMIT {
            self.add(self.rows, row.accepted);
            self.rows += 1;
        }
    }

    fn conclude(&mut self, row: usize, output: SteeringOutput) {
        self.add(row, output);
    }
}
