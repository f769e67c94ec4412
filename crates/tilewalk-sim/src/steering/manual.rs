//! Manual control: the user pushes the body in a direction or brakes the body.

use crate::body::Body;
use crate::geom::{Direction, Vec2, truncate};

use super::{BreakdownRow, Probe, RowState, SteeringOutput};

/// Name of the row for manual control in the force breakdown.
pub const MANUAL_CONTROL: &str = "keys";

/// Returns the force of manual control: the maximum force F (tiles/s² · mass) in one of eight
/// directions. Without a direction, the force `−v·m·gain`, at most F, brakes the body. The gain
/// (1/s) is limited to 1/dt, so that braking never reverses the velocity.
pub(crate) fn output(
    direction: Option<Direction>,
    velocity: Vec2,
    body: &Body,
    dt: f32,
    probe: &mut impl Probe,
) -> SteeringOutput {
    let raw = match direction {
        Some(direction) => direction.vector() * body.max_force,
        None => -velocity * (body.mass * body.gain.min(1.0 / dt)),
    };
    let force = if direction.is_some() { raw } else { truncate(raw, body.max_force) };
    let output = SteeringOutput::force(force);
    probe.row(|| BreakdownRow {
        behaviour: MANUAL_CONTROL,
        raw: SteeringOutput::force(raw),
        weight: 1.0,
        accepted: output,
        state: match () {
            () if raw == Vec2::ZERO => RowState::Zero,
            () if force != raw => RowState::Cut,
            () => RowState::Accepted,
        },
        total: output,
    });
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steering::{ForceBreakdown, NoProbe};

    #[test]
    fn every_direction_has_full_force() {
        let body = Body { max_force: 7.0, ..Body::default() };
        for direction in Direction::ALL {
            let output = output(Some(direction), Vec2::new(3.0, -1.0), &body, 0.05, &mut NoProbe);
            assert!(
                (output.force.length() - 7.0).abs() < 1e-5,
                "{direction:?}: {:?}",
                output.force
            );
            assert!(output.force.dot(direction.vector()) > 6.99);
        }
    }

    #[test]
    fn no_direction_brakes_without_reversing() {
        for gain in [0.5, 8.0, 1000.0] {
            let body = Body { gain, mass: 2.0, max_force: 1e6, ..Body::default() };
            let mut velocity = Vec2::new(3.0, -1.0);
            for _ in 0..200 {
                let force = output(None, velocity, &body, 0.05, &mut NoProbe).force;
                let next = velocity + force / body.mass * 0.05;
                assert!(next.dot(velocity) >= -1e-9 && next.length() <= velocity.length());
                velocity = next;
            }
            assert!(velocity.length() < 0.03, "gain {gain}: {velocity:?}");
        }
    }

    #[test]
    fn braking_force_is_limited() {
        let body = Body { max_force: 1.0, ..Body::default() };
        let mut breakdown = ForceBreakdown::default();
        let output = output(None, Vec2::new(0.0, 3.0), &body, 0.05, &mut breakdown);
        assert_eq!(output.force, Vec2::new(0.0, -1.0));
        let row = breakdown.rows[0];
        assert_eq!((row.behaviour, row.state, row.total), ("keys", RowState::Cut, output));
        assert_eq!(row.raw.force, Vec2::new(0.0, -24.0));
    }
}
