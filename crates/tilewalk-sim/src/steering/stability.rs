//! The weights from which a behaviour overcorrects in each frame, so that vehicles jitter.
//!
//! - **Velocity errors.** A behaviour with brakes changes the velocity by k · error in a frame, with k
//!   = weight · gain · tick / mass. From k = 2, the error grows and changes its sign in each frame.
//! - **Alignment.** The part of the force along the own heading only brakes. As long as the headings
//!   differ, it opposes the motion of each vehicle. If it is strong enough, it stops a vehicle within
//!   few frames, and then turns it back in each frame. In runs of `maps/flock.toml` with other
//!   values, this starts at weight · gain = 12 to 16 for `max_force` = 4 to 12, at `max_force` up to
//!   40, and at `max_speed` · mass / tick for larger forces.

use crate::body::Body;

use super::behaviour::{DynamicArrive, MatchVelocity};
use super::combine::Combine;
use super::{Behaviour, WeightedBehaviour};

/// Largest factor by which a velocity error can change in a frame without growing.
const MAX_CORRECTION: f32 = 2.0;

/// Weight · gain from which alignment can stop vehicles with a small `max_force`, in 1/s.
const LEAST_ALIGNMENT: f32 = 12.0;

/// The largest weight of a behaviour that does not make a vehicle jitter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightLimit {
    /// The factor of the weight in the formula, in 1/s: the gain of the body, or the inverse of the
    /// behaviour's `time_to_target`.
    pub gain: f32,
    /// The largest weight.
    pub weight: f32,
}

impl WeightedBehaviour {
    /// Returns the largest weight that does not make a vehicle jitter. `tick` is the length of a
    /// frame in seconds. Returns `None` if the behaviour does not jitter with any weight, or only at
    /// random.
    pub fn weight_limit(&self, combine: Combine, body: &Body, tick: f32) -> Option<WeightLimit> {
        let gain = match self.behaviour {
            Behaviour::Alignment(_)
            | Behaviour::Arrive(_)
            | Behaviour::Interpose
            | Behaviour::OffsetPursue(_)
            | Behaviour::Hide(_) => body.gain_in(tick),
            Behaviour::DynamicArrive(DynamicArrive { time_to_target, .. })
            | Behaviour::MatchVelocity(MatchVelocity { time_to_target, .. }) => {
                1.0 / time_to_target
            }
            Behaviour::Seek
            | Behaviour::Flee(_)
            | Behaviour::Pursue(_)
            | Behaviour::Evade(_)
            | Behaviour::DynamicSeek
            | Behaviour::DynamicFlee
            | Behaviour::Tether(_)
            | Behaviour::Track(_)
            | Behaviour::Align(_)
            | Behaviour::Face(_)
            | Behaviour::LookAhead(_)
            | Behaviour::Flow(_)
            | Behaviour::FollowPath(_)
            | Behaviour::StayOnPath(_)
            | Behaviour::HugWalls(_)
            | Behaviour::Wander(_)
            | Behaviour::AvoidObstacles(_)
            | Behaviour::AvoidWalls(_)
            | Behaviour::AvoidAgents(_)
            | Behaviour::AvoidCrowd(_)
            | Behaviour::Separation(_)
            | Behaviour::Cohesion(_) => return None,
        };
        let most = if let Behaviour::Alignment(_) = self.behaviour {
            body.max_force.max(LEAST_ALIGNMENT).min(body.max_speed * body.mass / tick)
        } else {
            MAX_CORRECTION * body.mass / tick
        };
        (combine != Combine::Dithered).then(|| WeightLimit { gain, weight: most / gain })
    }
}
