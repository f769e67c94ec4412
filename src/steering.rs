//! Rung 3: continuous steering. A behaviour proposes a force and applies nothing.
//!
//! A mode's steering is a list of [`Row`]s. Each behaviour looks at its [`Senses`] and returns the
//! force it would like; [`combine`] makes one force of them. Every function here is pure: the same
//! senses and dice give the same force, and what was looked at is told to a [`Probe`], which in a
//! running world hears nothing.
//!
//! **gain**: the formulas that give an error of velocity (such as seek's desired − present) are
//! multiplied by `min(gain, 1/dt)`, so that an error is corrected within about 1/gain seconds and
//! never by more than itself in one frame (Buckland's tweaker, in sensible units).

pub mod arrive;
pub mod avoid_obstacles;
pub mod avoid_walls;
pub mod combine;
pub mod dynamic;
pub mod ledger;
pub mod pursuit;
pub mod seek;
pub mod tether;
pub mod wander;

use crate::body::{Body, Motion};
use crate::geom::Vec2;
use crate::id::{AgentId, GroupId};
use crate::map::Map;
use crate::rng::Dice;

pub use arrive::Arrive;
pub use avoid_obstacles::AvoidObstacles;
pub use avoid_walls::AvoidWalls;
pub use dynamic::{DynamicArrive, MatchVelocity};
pub use ledger::{Ledger, LedgerRow, Note, Probe, RowState, Silent};
pub use pursuit::{Evade, OffsetPursue, Pursue};
pub use seek::Flee;
pub use tether::Tether;
pub use wander::Wander;

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
}

/// A behaviour with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Behaviour {
    /// Full speed towards the target.
    Seek,
    /// Full speed away from the target.
    Flee(Flee),
    /// Towards the target, to stop there.
    Arrive(Arrive),
    /// Towards where the target will be.
    Pursue(Pursue),
    /// Away from where the target will be.
    Evade(Evade),
    /// In between the two targets.
    Interpose,
    /// To a place beside the target, as in a formation.
    OffsetPursue(OffsetPursue),
    /// Full force towards the target.
    DynamicSeek,
    /// Full force away from the target.
    DynamicFlee,
    /// Towards the target with full force, to stop there.
    DynamicArrive(DynamicArrive),
    /// As the target moves.
    MatchVelocity(MatchVelocity),
    /// Not too far from the target.
    Tether(Tether),
    /// A smooth random walk.
    Wander(Wander),
    /// Round obstacles in the way.
    AvoidObstacles(AvoidObstacles),
    /// Away from walls that feelers touch.
    AvoidWalls(AvoidWalls),
}

/// What one behaviour of one agent knows: the state of the previous frame.
#[derive(Debug, Clone, Copy)]
pub struct Senses<'a> {
    /// How the agent itself moves.
    pub motion: Motion,
    /// Its body.
    pub body: &'a Body,
    /// The ground.
    pub map: &'a Map,
    /// Seconds a frame.
    pub dt: f32,
    /// The target as seen from here, if the behaviour has one and it exists.
    pub target: Option<Seen>,
    /// The second target, for a behaviour about two.
    pub other: Option<Seen>,
    /// The dice of this agent, frame, mode and behaviour.
    pub dice: Dice,
}

/// A target as an agent sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// From the agent to the target, in tiles, the short way round.
    pub offset: Vec2,
    /// The target's velocity, in tiles/s; zero for places.
    pub velocity: Vec2,
    /// The unit vector it faces; east for places.
    pub heading: Vec2,
}

impl Seen {
    /// The target where it will be after `seconds` at its present velocity.
    #[must_use]
    pub fn in_time(self, seconds: f32) -> Self {
        Self { offset: self.offset + self.velocity * seconds, ..self }
    }
}

/// What steering remembers from frame to frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Memory {
    /// The wander point on its circle, in the body's frame; `None` until it is first needed.
    pub wander: Option<Vec2>,
}

impl Senses<'_> {
    /// The factor on errors of velocity, in 1/s.
    pub fn gain(&self) -> f32 {
        self.body.gain.min(1.0 / self.dt)
    }

    /// The speed as a share of the largest; 0 for a body that can't move.
    pub fn speed_share(&self) -> f32 {
        let top = self.body.max_speed;
        if top > 0.0 { self.motion.velocity.length() / top } else { 0.0 }
    }
}

impl Behaviour {
    /// The word for it in files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Seek => "seek",
            Self::Flee(_) => "flee",
            Self::Arrive(_) => "arrive",
            Self::Pursue(_) => "pursue",
            Self::Evade(_) => "evade",
            Self::Interpose => "interpose",
            Self::OffsetPursue(_) => "offset_pursue",
            Self::DynamicSeek => "dynamic_seek",
            Self::DynamicFlee => "dynamic_flee",
            Self::DynamicArrive(_) => "dynamic_arrive",
            Self::MatchVelocity(_) => "match_velocity",
            Self::Tether(_) => "tether",
            Self::AvoidObstacles(_) => "avoid_obstacles",
            Self::Wander(_) => "wander",
            Self::AvoidWalls(_) => "avoid_walls",
        }
    }

    /// The force it proposes, before weighting, in tiles/s² · mass.
    ///
    /// A behaviour whose target does not exist (a group whose only member is the agent itself)
    /// proposes nothing.
    pub fn propose(&self, senses: &Senses, memory: &mut Memory, probe: &mut impl Probe) -> Vec2 {
        match self {
            Self::Wander(wander) => wander.propose(senses, memory, probe),
            Self::AvoidWalls(walls) => walls.propose(senses, probe),
            Self::AvoidObstacles(obstacles) => obstacles.propose(senses, probe),
            _ => match senses.target {
                Some(seen) => self.propose_about(seen, senses, probe),
                None => Vec2::ZERO,
            },
        }
    }

    /// The force of a behaviour that is about a target.
    fn propose_about(&self, seen: Seen, senses: &Senses, probe: &mut impl Probe) -> Vec2 {
        match self {
            Self::Seek => seek::seek(senses, seen, probe),
            Self::Flee(flee) => flee.propose(senses, seen, probe),
            Self::Arrive(arrive) => arrive.propose(senses, seen, probe),
            Self::Pursue(pursue) => pursue.propose(senses, seen, probe),
            Self::Evade(evade) => evade.propose(senses, seen, probe),
            Self::Interpose => senses
                .other
                .map_or(Vec2::ZERO, |other| pursuit::interpose(senses, seen, other, probe)),
            Self::OffsetPursue(place) => place.propose(senses, seen, probe),
            Self::DynamicSeek => dynamic::seek(senses, seen, probe),
            Self::DynamicFlee => dynamic::flee(senses, seen, probe),
            Self::DynamicArrive(arrive) => arrive.propose(senses, seen, probe),
            Self::MatchVelocity(matched) => matched.propose(senses, seen, probe),
            Self::Tether(tether) => tether.propose(senses, seen, probe),
            Self::Wander(_) | Self::AvoidWalls(_) | Self::AvoidObstacles(_) => Vec2::ZERO,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Senses of a default body on a map, at a position and velocity, looking along +x.
    pub(crate) fn senses<'a>(map: &'a Map, body: &'a Body, at: Vec2, velocity: Vec2) -> Senses<'a> {
        Senses {
            motion: Motion { position: at, velocity, heading: Vec2::X },
            body,
            map,
            dt: 0.05,
            target: None,
            other: None,
            dice: Dice { seed: 1, frame: 1, agent: 1, mode: 1, behaviour: 0 },
        }
    }
}
