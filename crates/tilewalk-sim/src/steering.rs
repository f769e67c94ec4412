//! Continuous steering. A behaviour returns a force or a turn and changes nothing.
//!
//! A mode's steering is a list of [`Row`]s. Each behaviour looks at its [`Senses`] and returns the
//! [`Wish`] it has; [`combine`] makes one wish of them. Every function here is pure: the same
//! senses and dice give the same wish, and what was looked at is told to a [`Probe`], which in a
//! running world hears nothing.
//!
//! **gain**: the formulas that give an error of velocity (such as seek's desired − present) are
//! multiplied by `min(gain, 1/dt)`, so that an error is corrected within about 1/gain seconds and
//! never by more than itself in one frame (Buckland's tweaker, in sensible units).

pub mod abreast;
pub mod align;
pub mod arrive;
pub mod avoid_agents;
pub mod avoid_obstacles;
pub mod avoid_walls;
pub mod behaviour;
mod budget;
pub mod combine;
pub mod course;
pub mod crowd;
pub mod dynamic;
pub mod flock;
pub mod flow;
pub mod hide;
pub mod hug_walls;
pub mod keys;
pub mod ledger;
pub mod paths;
pub mod pursuit;
pub mod seek;
pub mod senses;
pub mod spec;
pub mod tether;
pub mod track;
pub mod wander;
pub mod wish;

use crate::geom::Vec2;
use crate::id::{AgentId, GroupId};

pub use align::{Align, Turning};
pub use arrive::Arrive;
pub use avoid_agents::AvoidAgents;
pub use avoid_obstacles::AvoidObstacles;
pub use avoid_walls::AvoidWalls;
pub use behaviour::{Behaviour, SPECS};
pub use course::Course;
pub use crowd::{Crowd, Neighbourhood};
pub use dynamic::{DynamicArrive, MatchVelocity};
pub use flock::{Alignment, Cohesion, Separation};
pub use flow::Flow;
pub use hide::Hide;
pub use hug_walls::{Hand, HugWalls};
pub use ledger::{LIMIT, Ledger, LedgerRow, Note, Probe, RowState, Silent};
pub use paths::{FollowPath, StayOnPath};
pub use pursuit::{Evade, OffsetPursue, Pursue};
pub use seek::Flee;
pub use senses::{Memory, Passerby, Seen, Senses, Surroundings};
pub use spec::{Parameter, Shape, Spec, Subject, Value};
pub use tether::Tether;
pub use track::Track;
pub use wander::Wander;
pub use wish::Wish;

/// One line of a steering list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What is proposed.
    pub behaviour: Behaviour,
    /// Whom or what it is about; every behaviour that needs one has one.
    pub target: Option<Target>,
    /// The second one, for a behaviour about two.
    pub other: Option<Target>,
    /// Factor on the proposed force; ≥ 0.
    pub weight: f32,
    /// How often it gets its chance under [`combine::Combine::Dithered`]; in (0, 1].
    pub probability: f32,
    /// Does it take part?
    pub enabled: bool,
}

impl Row {
    /// A behaviour with a target, weight 1 and the default probability.
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

/// What a behaviour is about, names already resolved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// A fixed position: a place, or a point of the file.
    Point(Vec2),
    /// Where the agent itself started.
    Home,
    /// Another agent.
    Agent(AgentId),
    /// The nearest member of a group.
    Group(GroupId),
    /// Where somebody was when the agent last saw them.
    LastSeen(Sighted),
}

/// Whom an agent looks out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sighted {
    /// An agent.
    Agent(AgentId),
    /// Any member of a group.
    Group(GroupId),
}

impl Sighted {
    /// It as a target, wherever it is.
    pub fn target(self) -> Target {
        match self {
            Self::Agent(id) => Target::Agent(id),
            Self::Group(group) => Target::Group(group),
        }
    }
}

/// Does a list turn the body by itself? Then its heading no longer follows its velocity.
pub fn is_oriented(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.enabled && row.behaviour.is_angular())
}

/// The row that sets the velocity by itself, if a list has one; it stands alone in its list.
pub fn tracker(rows: &[Row]) -> Option<&Track> {
    rows.iter().filter(|row| row.enabled).find_map(|row| match &row.behaviour {
        Behaviour::Track(track) => Some(track),
        _ => None,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::body::{Body, Motion};
    use crate::map::Map;
    use crate::rng::Dice;

    /// Senses of a default body on a map, at a position and velocity, looking along +x.
    pub(crate) fn senses<'a>(map: &'a Map, body: &'a Body, at: Vec2, velocity: Vec2) -> Senses<'a> {
        Senses {
            motion: Motion { position: at, velocity, heading: Vec2::X, angular_velocity: 0.0 },
            body,
            map,
            dt: 0.05,
            target: None,
            other: None,
            dice: Dice { seed: 1, frame: 1, agent: 1, mode: 1, behaviour: 0 },
        }
    }
}
