//! Steering behaviours and their combination.
//!
//! A mode's steering is a list of [`WeightedBehaviour`]s. Each behaviour reads its `Senses` and
//! returns a [`SteeringOutput`]: a force or an angular acceleration. [`combine`] combines the
//! outputs into one. All functions here are pure: the same senses and random numbers produce the
//! same output. Details for overlays go to a `Probe`, which discards them unless a frame is
//! explained.
//!
//! Symbols in formulas:
//!
//! - p, v, h, r and m: position, velocity, heading, radius and mass of the agent
//! - V and F: the agent's `max_speed` and `max_force`
//! - e, t or the index n: the target or another agent
//! - gain: the rate of velocity correction in 1/s (Buckland's "tweaker")
//!
//! Behaviours that return a velocity error (seek: desired − current velocity) multiply the error by
//! `min(gain, 1/dt)`. The error then decays within about 1/gain seconds and is never overcorrected
//! in one frame.

pub(crate) mod batch;
pub(crate) mod behaviour;
pub(crate) mod brake;
pub mod combine;
pub(crate) mod intent;
pub(crate) mod manual;
pub(crate) mod memory;
pub mod note;
pub(crate) mod orca;
pub mod path;
pub(crate) mod senses;
pub mod spec;
mod stability;

use crate::geom::Vec2;
use crate::id::{AgentId, GroupId, Instance};

pub use behaviour::*;
pub use intent::Intent;
pub use manual::MANUAL_CONTROL;
pub use memory::Memory;
pub use note::{BreakdownRow, ForceBreakdown, LIMIT, Note, RowState};
pub use orca::{HalfPlane, PlaneOwner};
pub use path::SteeringPath;
pub use spec::{Parameter, ParameterShape, ParameterValue, Spec, TargetKeys};
pub use stability::WeightLimit;

pub(crate) use note::{NoProbe, Probe};
pub use senses::{CellBlock, Neighbourhood, SteeringOutput};
pub(crate) use senses::{Crowd, NearbyAgent, Searched, Seen, Senses, Surroundings};

/// An entry of a steering list: a behaviour with its targets and weight.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedBehaviour {
    /// The behaviour with its parameters.
    pub behaviour: Behaviour,
    /// Target of the behaviour, or the first of two targets; `None` for a behaviour without a
    /// target.
    pub target: Option<Target>,
    /// Second target of [`Behaviour::Interpose`]; `None` for all other behaviours.
    pub other: Option<Target>,
    /// Factor that scales the output; ≥ 0.
    pub weight: f32,
    /// Probability of acting under [`combine::Combine::Dithered`]; in (0, 1].
    pub probability: f32,
    /// Whether the behaviour is evaluated. The force breakdown also lists disabled behaviours.
    pub enabled: bool,
}

impl From<Behaviour> for WeightedBehaviour {
    /// Creates an enabled entry without a target. Weight and probability are the defaults of the
    /// behaviour.
    fn from(behaviour: Behaviour) -> Self {
        let Spec { weight, probability, .. } = *behaviour.spec();
        Self { behaviour, target: None, other: None, weight, probability, enabled: true }
    }
}

impl WeightedBehaviour {
    /// Creates an enabled entry with a target, weight 1 and probability 0.8.
    pub fn new(behaviour: Behaviour, target: Target) -> Self {
        Self {
            behaviour,
            target: Some(target),
            other: None,
            weight: 1.0,
            probability: 0.8,
            enabled: true,
        }
    }
}

/// The target of a behaviour, with names already resolved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// A fixed position, in tiles.
    Point(Vec2),
    /// The agent's own start position.
    Home,
    /// Another agent, at its current position.
    Agent(AgentId),
    /// An instance of a template, at its current position. The target exists only while the
    /// instance is in the world.
    Instance(Instance),
    /// A group: its nearest member, at its current position. Pursue and evade weigh all members.
    Group(GroupId),
    /// The last position at which the agent saw the target.
    LastSeen(SightTarget),
}

impl Target {
    /// Returns the group of the target; `None` if the target is no group.
    pub(crate) fn group(self) -> Option<GroupId> {
        if let Self::Group(group) = self { Some(group) } else { None }
    }

    /// Returns the agent or group of the target. Returns `None` if agents can't track the
    /// visibility of the target.
    pub fn as_sight_target(self) -> Option<SightTarget> {
        match self {
            Self::Agent(id) => Some(SightTarget::Agent(id)),
            Self::Group(group) => Some(SightTarget::Group(group)),
            Self::Point(_) | Self::Home | Self::Instance(_) | Self::LastSeen(_) => None,
        }
    }
}

/// A target whose visibility an agent tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SightTarget {
    /// The agent with this id.
    Agent(AgentId),
    /// The nearest visible member of a group.
    Group(GroupId),
}

impl SightTarget {
    /// Returns the agent or group as a target at its current position.
    pub fn target(self) -> Target {
        match self {
            Self::Agent(id) => Target::Agent(id),
            Self::Group(group) => Target::Group(group),
        }
    }
}

/// Returns true if an enabled behaviour of the list turns the body. The body's heading is then
/// independent of its velocity.
pub fn is_oriented(rows: &[WeightedBehaviour]) -> bool {
    rows.iter().any(|row| row.enabled && row.behaviour.is_angular())
}

/// Returns the enabled [`Track`] behaviour of a list, if any. `Track` changes the velocity directly
/// and is the only behaviour of its list.
pub(crate) fn tracker(rows: &[WeightedBehaviour]) -> Option<&Track> {
    rows.iter().filter(|row| row.enabled).find_map(|row| {
        let Behaviour::Track(track) = &row.behaviour else { return None };
        Some(track)
    })
}

/// Returns the enabled [`AvoidCrowd`] behaviour of a list with its index, if any. `AvoidCrowd`
/// determines the velocity after all other behaviours.
pub(crate) fn crowd_avoidance(rows: &[WeightedBehaviour]) -> Option<(usize, &AvoidCrowd)> {
    rows.iter().enumerate().filter(|(_, row)| row.enabled).find_map(|(index, row)| {
        let Behaviour::AvoidCrowd(avoid) = &row.behaviour else { return None };
        Some((index, avoid))
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::body::{Body, Motion};
    use crate::map::Map;
    use crate::rng::RngKey;

    /// Surroundings without other agents.
    pub(crate) struct Empty;

    impl Surroundings for Empty {
        fn see(&self, _: Target) -> Option<Seen> {
            None
        }

        fn visit_members(&self, _: GroupId, _: f32, _: impl FnMut(NearbyAgent)) {}

        fn crowd(&self, _: &Neighbourhood) -> Crowd {
            Crowd::default()
        }

        fn search_neighbours(&self, _: &Neighbourhood, _: impl FnMut(Searched)) {}

        fn visit_passing(&self, _: Option<GroupId>, _: f32, _: impl FnMut(NearbyAgent)) {}
    }

    /// Returns the senses of a body at a position and velocity, facing east.
    pub(crate) fn senses<'a>(map: &'a Map, body: &'a Body, at: Vec2, velocity: Vec2) -> Senses<'a> {
        Senses {
            motion: Motion { position: at, velocity, heading: Vec2::X, angular_velocity: 0.0 },
            body,
            map,
            dt: 0.05,
            target: None,
            group: None,
            other: None,
            rng_key: RngKey { seed: 1, frame: 1, agent: 1, mode: 1, behaviour: 0 },
        }
    }
}
